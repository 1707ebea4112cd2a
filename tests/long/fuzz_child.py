"""The process that changes files and reads them: `python -m tests.long.fuzz_child`, for `fuzz`."""

import re
import sys
import tempfile
import warnings
from inspect import isfunction
from pathlib import Path


def main(options: list[str]) -> None:
    """Read changed files until libFuzzer, which takes the options, ends the process."""
    import atheris  # not on every system, and the tests read this module

    with atheris.instrument_imports(include=["terrain3d"]):
        from ai.board import game_record, log
        from terrain3d.formats import MapFileError, MapFileWarning
        from tests.long.files import readers
    # In `ai` one by one: a package cannot be watched in part, and compiled functions not at all.
    for module in (game_record, log):
        for value in vars(module).values():
            if isfunction(value) and value.__module__ == module.__name__:
                atheris.instrument_func(value)
    warnings.simplefilter("ignore", MapFileWarning)
    known = readers()
    folder = Path(tempfile.mkdtemp(dir=options.pop(0)))
    first_files, words = folder / "first", folder / "words"
    first_files.mkdir()
    samples = [(number, data) for number, reader in enumerate(known) for data in reader.samples]
    for count, (number, data) in enumerate(samples):
        (first_files / str(count)).write_bytes(bytes([number]) + data)
    names = {name for _, data in samples for name in re.findall(rb"[A-Za-z_]{3,20}", data)}
    words.write_bytes(b"".join(b'"%b"\n' % name for name in sorted(names)))

    def read(data: bytes) -> None:
        """Read a file by the reader that its first byte chooses."""
        reader = known[data[0] % len(known)] if data else known[0]
        path = folder / reader.name
        path.write_bytes(data[1:])
        try:
            reader.read(path)
        except MapFileError:
            return

    for number, data in samples:  # compiles what is not compiled yet, which takes longer than MAX_S
        read(bytes([number]) + data)
    is_replay = any(not option.startswith("-") for option in options)
    more = [] if is_replay else [f"-dict={words}", str(first_files)]
    atheris.Setup([sys.argv[0], *options, *more], read)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
