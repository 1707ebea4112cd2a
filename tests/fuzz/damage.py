"""Read damaged maps with all readers: `python -m tests.fuzz.damage --files 10000 --seed 1`.

Prints the files that raise anything but `MapFileError`, an error that does not fit on a line, or
take more than MAX_S; and the most memory that the process had, of which MAX_MB are allowed. The
exit status is 0 if there are none and 1 if there are.
"""

import argparse
import json
import random
import re
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from terrain3d import MapFileError
from terrain3d.formats import MapFileWarning
from tests.fuzz.readers import Reader, readers

MAX_S, MAX_MB = 10, 2048
WORDS = (
    *("0", "1", "-1", "3", "63", "256", "65536", "9999999999", "1e999", "nan", "1.5", "odd", "x"),
    *("csv", "base64", "zstd", "hexagonal", "isometric", "true", "level", "void", "#"),
    *("grass", "name", "unit", "link", "wall", "1,2,3,4,1,1", "json:[", "é", ""),
)
"""Texts and numbers that take the place of others."""
VALUES = (None, True, -1, 0, 255, 2**16, 2**31, 2**64, 10**400, 0.5, "", "void", "g", [], {}, [1])
"""Values of JSON that take the place of others."""

_WORD = re.compile(r'("[^"]*"|(?<=[: \[,])-?[0-9.]+(?=[,\]} \n]))')
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return a file with bytes, words, lines or values of JSON changed, or cut short."""
    match rng.randrange(5):
        case 0:
            return data[: rng.randrange(len(data))]
        case 1:
            parts = _WORD.split(data.decode("latin-1"))
            for place in rng.choices(range(1, len(parts), 2), k=2) if len(parts) > 1 else ():
                quote = '"' * parts[place].startswith('"')
                parts[place] = f"{quote}{rng.choice(WORDS)}{quote}"
            return "".join(parts).encode("utf-8")
        case 2:
            lines = data.split(b"\n")
            place = rng.randrange(len(lines))
            lines[place : place + 1] = rng.sample(lines, rng.randrange(min(3, len(lines) + 1)))
            return b"\n".join(lines)
        case 3 if data.lstrip().startswith((b"{", b"[")):
            fields = json.loads(data)
            for owner, name in rng.choices(list(_places(fields)), k=2):
                if isinstance(owner, dict) and rng.random() < 0.3:
                    owner.pop(name, None)
                else:
                    owner[name] = rng.choice(VALUES)
            return json.dumps(fields).encode()
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 4))):
        place = rng.randrange(len(changed) + 1)
        changed[place : place + rng.randrange(12)] = rng.randbytes(rng.randrange(6))
    return bytes(changed)


def _places(value: object) -> Iterator[tuple[object, object]]:
    """Yield each list or object of JSON with each of its indices or names."""
    parts = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for name, part in parts:
        yield value, name
        if isinstance(part, dict | list):
            yield from _places(part)


def faults(reader: Reader, n_files: int, seed: int, folder: Path) -> Iterator[tuple[bytes, str]]:
    """Yield damaged files that a reader does not refuse as it should, with the reason."""
    rng = random.Random(seed)
    path = folder / reader.name
    for _ in range(n_files):
        data = damaged(rng.choice(reader.samples), rng)
        path.write_bytes(data)
        begin_s = time.perf_counter()
        try:
            reader.read(path)
        except MapFileError as error:
            said = str(error)
            is_fit = said.isprintable() and len(said) < 600 and not _ADDRESS.search(said)
            if not (is_fit and str(folder) in error.source):
                yield data, said
        except Exception as error:
            yield data, repr(error)
        if (seconds := time.perf_counter() - begin_s) > MAX_S:
            yield data, f"takes {seconds:.0f} s"


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.damage", description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, help="of each reader")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore", MapFileWarning)
    n_faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for reader in readers():
            for data, problem in faults(reader, chosen.files, chosen.seed, Path(folder)):
                n_faults += 1
                print(f"{reader.name}: {problem[:300]}: {data[:300]!r}")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{n_faults} faults, at most {peak_mb:.0f} MB")
    return int(n_faults > 0 or peak_mb > MAX_MB)


if __name__ == "__main__":
    sys.exit(main())
