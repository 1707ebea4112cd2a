"""Change the product in small places and count how many changes the tests notice.

`python -m tests.mutation run RESULTS --sample 200 --seed 3 --shard 1/2` changes the code of `ai`
and `terrain3d` without their views in 200 places drawn with the seed, one after the other, in a
copy, and runs the tests of the mirrored folder until one fails. RESULTS gets a line for each
mutant; what stands in it is not run again, so a run can be stopped, and shards can run at the same
time.
`python -m tests.mutation count RESULTS...` prints the score and what survived.

The changes are those of cosmic-ray, a maintained tool; its own runner has one test command for all
mutants, which takes too long here.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutation.mutants import Mutant, sample

ROOT = Path(__file__).parents[2]
KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"
EQUIVALENT, GONE = "equivalent", "gone"
"""Verdicts written by hand: a change without an effect, and one of code that is no longer there."""
COMPILED = "from ai.compilation.jit import"
"""Marks files of compiled functions."""
PLAIN_FOLDERS = ("ai/search/", "ai/rules/")
"""Folders of compiled functions whose tests take less than a minute as Python."""
CALLERS_OF_COMPILED = ("tests/ai/navigation",)
"""Tests of the queries, which run most compiled functions."""
_COMPILING_S = 600
_MOST_BYTES = 12 * 2**30


def folder_of(root: Path, file: str) -> str:
    """Return the folder of tests that mirrors that of a file, or the next one above."""
    folder = Path("tests", file).parent
    while not any((root / folder).glob("test_*.py")):
        folder = folder.parent
    return folder.as_posix()


def ordered_tests(root: Path, file: str) -> list[str]:
    """List the test modules of a file's folder, those that name the file's module first."""
    folder = root / folder_of(root, file)
    pattern = "test_*.py" if folder.name in ("ai", "terrain3d") else "**/test_*.py"
    name = Path(file).stem
    paths = sorted(folder.glob(pattern), key=lambda path: (name not in path.stem, path))
    named = [path for path in paths if f"{name} import" in path.read_text(encoding="utf-8")]
    return [path.relative_to(root).as_posix() for path in dict.fromkeys([*named, *paths])]


class Copy:
    """A copy of the project, in which one place at a time is changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.seconds = cache(self._seconds)

    def _seconds(self, tests: tuple[str, ...], *, is_plain: bool = False) -> float:
        """Return how long tests take without a change; they must pass."""
        began = time.monotonic()
        environment = {"NUMBA_DISABLE_JIT": "1"} if is_plain else {}
        status = self._run(tests, environment, None)
        if status:
            raise RuntimeError(f"pytest ended with {status} without a change: {tests}")
        return time.monotonic() - began

    def verdict(self, mutant: Mutant, tests: tuple[str, ...], *, is_plain: bool = False) -> str:
        """Change the copy, run tests until one fails, and change it back.

        With `is_plain` compiled functions run as Python. Otherwise those of a changed file are
        compiled again, with their callers, which do not notice the change.
        """
        timeout_s = 3 * self.seconds(tests, is_plain=is_plain) + 60
        path = self.root / mutant.file
        before, times = path.read_bytes(), path.stat()
        is_compiled = COMPILED in before.decode()
        with TemporaryDirectory() as compiled:
            environment = {"NUMBA_DISABLE_JIT": "1"} if is_plain else {}
            if is_compiled and not is_plain:
                environment, timeout_s = {"NUMBA_CACHE_DIR": compiled}, timeout_s + _COMPILING_S
            try:
                path.write_text(mutant.source(self.root), encoding="utf-8")
                return KILLED if self._run(tests, environment, timeout_s) else SURVIVED
            except subprocess.TimeoutExpired:
                return TIMEOUT
            finally:
                path.write_bytes(before)
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # compiled code is valid

    def _run(
        self, tests: tuple[str, ...], environment: dict[str, str], timeout_s: float | None
    ) -> int:
        """Run tests until one fails, and return the exit status of pytest."""
        options = ["-x", "-q", "-p", "no:cacheprovider"]
        limits = f"--as={_MOST_BYTES}"  # a mutant may ask for memory without end
        command = ["prlimit", limits, sys.executable, "-m", "pytest", *options, *tests]
        # Bytecode goes by size and second of the source, which two mutants may share.
        fixed = {"CI": "true", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(self.root)}
        return subprocess.run(
            command,
            cwd=self.root,
            env={**os.environ, **fixed, **environment},
            timeout=timeout_s,
            capture_output=True,
            check=False,
        ).returncode


def judge(copy: Copy, mutant: Mutant) -> str:
    """Return the verdict of the tests of a mutant's folder, compiled functions as Python first."""
    tests = tuple(ordered_tests(copy.root, mutant.file))
    if COMPILED not in (copy.root / mutant.file).read_text(encoding="utf-8"):
        return copy.verdict(mutant, tests)
    if mutant.file.startswith(PLAIN_FOLDERS):
        verdict = copy.verdict(mutant, tests, is_plain=True)
        if verdict != SURVIVED:
            return verdict
    return copy.verdict(mutant, tuple(dict.fromkeys([*tests, *CALLERS_OF_COMPILED])))


def run(results: Path, count: int, seed: int, shard: tuple[int, int]) -> int:
    """Run the mutants of a shard that have no result yet."""
    mutants = sample(ROOT, count, seed)[shard[0] - 1 :: shard[1]]
    text = results.read_text(encoding="utf-8") if results.exists() else ""
    known = {line.split("\t")[0] for line in text.splitlines()}
    with TemporaryDirectory() as folder:
        copy = Copy(Path(folder, "copy"))
        left_out = shutil.ignore_patterns(".*", "__pycache__", "build", "*.egg-info")
        shutil.copytree(ROOT, copy.root, ignore=left_out)
        for place, mutant in enumerate(mutants, 1):
            if str(mutant) in known:
                continue
            line = f"{mutant}\t{judge(copy, mutant)}"
            print(f"{place}/{len(mutants)} {line}", flush=True)
            with results.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
    return 0


def count(results: list[Path]) -> int:
    """Print how many mutants were killed, and those that were not."""
    lines = [line for path in results for line in path.read_text(encoding="utf-8").splitlines()]
    verdicts = Counter(line.split("\t")[1] for line in lines)
    for line in lines:
        if line.split("\t")[1] not in (KILLED, TIMEOUT):
            print(line)
    n_killed = verdicts[KILLED] + verdicts[TIMEOUT]
    n_counted = len(lines) - verdicts[EQUIVALENT] - verdicts[GONE]
    print(
        f"{len(lines)} mutants: {dict(verdicts)}; killed {n_killed} of {n_counted} "
        f"that are not equivalent or gone, {100 * n_killed / max(1, n_counted):.1f} %"
    )
    return 0


def _shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    return int(part), int(parts)


def main() -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("results", type=Path)
    runs.add_argument("--sample", type=int, default=200)
    runs.add_argument("--seed", type=int, default=1)
    runs.add_argument("--shard", type=_shard, default=(1, 1), metavar="PART/PARTS")
    counts = commands.add_parser("count")
    counts.add_argument("results", type=Path, nargs="+")
    options = parser.parse_args()
    if options.command == "count":
        return count(options.results)
    return run(options.results, options.sample, options.seed, options.shard)


if __name__ == "__main__":
    sys.exit(main())
