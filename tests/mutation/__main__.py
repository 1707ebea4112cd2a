"""Change the product in small places and count how many changes the tests notice.

`python -m tests.mutation lines FILE` runs the tests once and writes which lines each of them runs;
`python -m tests.mutation run FILE RESULTS --sample 400 --seed 1 --shard 1/2` changes the
code of `ai` and `terrain3d` without the view in 400 places drawn with the seed, one after the
other, in a copy, and runs the tests of the changed line. RESULTS gets a line for each mutant; what
stands in it is not run again, so a run can be stopped, and shards can run at the same time.
`python -m tests.mutation count RESULTS...` prints the score.

The changes are those of cosmic-ray, a maintained tool; its own runner has one test command for all
mutants, which takes too long here.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutation.covered_lines import (
    COMPILED,
    MOST_SECONDS,
    NO_PLUGIN,
    CoveredLines,
    record,
)
from tests.mutation.mutants import Mutant, sample

ROOT = Path(__file__).parents[2]
KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"
EQUIVALENT, GONE = "equivalent", "gone"
"""Verdicts written by hand: a change without an effect, and one of code that is no longer there."""
_TIMEOUT_S = 3 * MOST_SECONDS + 60
_COMPILING_S = 600
_MOST_BYTES = 12 * 2**30
PLAIN_FOLDERS = ("ai/search/", "ai/rules/")
"""Folders of compiled functions whose tests take less than a minute as Python."""


def run_mutant(
    root: Path, mutant: Mutant, tests: list[str], cache: Path | None, *, is_plain: bool = False
) -> str:
    """Change the copy, run the tests until one fails, change it back, and return the verdict.

    `cache` is an empty folder for compiled code, as compiled functions contain others and do not
    notice when these change; None keeps the compiled code of the copy. With `is_plain` compiled
    functions run as Python.
    """
    path = root / mutant.file
    before, times = path.read_bytes(), path.stat()
    # Bytecode goes by size and second of the source, which two mutants may share.
    environment = {**os.environ, "CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
    timeout_s = _TIMEOUT_S
    if is_plain:
        environment["NUMBA_DISABLE_JIT"] = "1"
    elif cache:
        environment["NUMBA_CACHE_DIR"] = str(cache)
        timeout_s += _COMPILING_S
    try:
        path.write_text(mutant.source(root), encoding="utf-8")
        status = _run_tests(root, tests, environment, timeout_s)
    except subprocess.TimeoutExpired:
        return TIMEOUT
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # compiled code stays valid
    if status > 1 and _run_tests(root, [*tests, "--collect-only"], environment, timeout_s):
        raise RuntimeError(f"pytest ended with {status}: these tests are out of date: {tests}")
    return KILLED if status else SURVIVED


def _run_tests(root: Path, tests: list[str], environment: dict[str, str], timeout_s: float) -> int:
    """Run tests until one fails, and return the exit status of pytest."""
    (root / "chosen_tests").write_text("\n".join(tests), encoding="utf-8")
    options = ["-x", "-q", "-p", "no:cacheprovider", "@chosen_tests"]
    limits = f"--as={_MOST_BYTES}"  # a mutant may ask for memory without end
    command = ["prlimit", limits, sys.executable, "-m", "pytest", *NO_PLUGIN, *options]
    return subprocess.run(
        command, cwd=root, env=environment, timeout=timeout_s, capture_output=True, check=False
    ).returncode


def _plain_verdict(root: Path, mutant: Mutant) -> str:
    """Return the verdict of the tests of a compiled function's folder, run as Python: fast."""
    folder = f"tests/{Path(mutant.file).parent.as_posix()}"
    return run_mutant(root, mutant, [folder], None, is_plain=True)


def run(lines: Path, results: Path, count: int, seed: int, shard: tuple[int, int]) -> int:
    """Run the mutants of a shard that have no result yet."""
    tests_of = CoveredLines.load(lines)
    mutants = sample(ROOT, count, seed)[shard[0] - 1 :: shard[1]]
    text = results.read_text(encoding="utf-8") if results.exists() else ""
    known = {line.split("\t")[0] for line in text.splitlines()}
    with TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        left_out = shutil.ignore_patterns(".*", "__pycache__", "build", "*.egg-info")
        shutil.copytree(ROOT, copy, ignore=left_out)
        for place, mutant in enumerate(mutants, 1):
            if str(mutant) in known:
                continue
            is_compiled = COMPILED in (ROOT / mutant.file).read_text(encoding="utf-8")
            tests = tests_of.of(mutant.file, mutant.line, is_compiled=is_compiled)
            with TemporaryDirectory() as cache:
                verdict = SURVIVED
                if mutant.file.startswith(PLAIN_FOLDERS) and is_compiled:
                    verdict = _plain_verdict(copy, mutant)
                if tests and verdict == SURVIVED:
                    verdict = run_mutant(copy, mutant, tests, Path(cache) if is_compiled else None)
            line = f"{mutant}\t{verdict}\t{len(tests)} tests"
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


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    lines = commands.add_parser("lines")
    lines.add_argument("file", type=Path)
    lines.add_argument("tests", nargs="*", default=["tests"])
    runs = commands.add_parser("run")
    runs.add_argument("lines", type=Path)
    runs.add_argument("results", type=Path)
    runs.add_argument("--sample", type=int, default=400)
    runs.add_argument("--seed", type=int, default=1)
    runs.add_argument("--shard", type=_shard, default=(1, 1), metavar="PART/PARTS")
    counts = commands.add_parser("count")
    counts.add_argument("results", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    if options.command == "lines":
        record(ROOT, options.file, options.tests)
        return 0
    if options.command == "count":
        return count(options.results)
    return run(options.lines, options.results, options.sample, options.seed, options.shard)


if __name__ == "__main__":
    sys.exit(main())
