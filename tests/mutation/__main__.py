"""Change the product in small places and count how many changes the tests notice.

`python -m tests.mutation run RESULTS --sample 200 --seed 3` changes the code of `ai` and
`terrain3d` in 200 places drawn with the seed, one after the other, in a copy, and runs the tests of
the mirrored folder until one fails. RESULTS gets a line for each mutant, with the test that failed;
what stands in it is not run again, so a run can be stopped.
`--only ai/view terrain3d/program` draws the places in files whose path begins so. `--named` leaves
out tests that name neither the file nor its public names: those of a view take minutes.
`--minutes 45` begins no mutant later.
`python -m tests.mutation count RESULTS...` prints the score and what survived.

The changes are those of cosmic-ray, a maintained tool; its own runner has one test command for all
mutants, which takes too long here.
"""

import argparse
import ast
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import parso.tree  # noqa: F401 - cosmic-ray imports it in a circle unless it is loaded
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

PACKAGES = ("ai", "terrain3d")
_NO_MUTANTS = ("RemoveDecorator", "Variable", "Annotation")


@dataclass(frozen=True, order=True)
class Mutant:
    """One change: the n-th occurrence of an operator of cosmic-ray in a file."""

    file: str
    line: int
    operator: str
    occurrence: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.operator}#{self.occurrence}"

    def source(self, root: Path) -> str:
        code = (root / self.file).read_text(encoding="utf-8")
        changed = mutate_code(code, get_operator(f"core/{self.operator}")(), self.occurrence)
        assert changed is not None, f"{self} is out of date"
        return changed


def product_files(root: Path, only: Sequence[str] = ()) -> list[str]:
    """Return the files whose path begins with one of `only`, or all, relative to the root."""
    found = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    names = sorted(path.relative_to(root).as_posix() for path in found)
    return [name for name in names if name.startswith(tuple(only) or "")]


def places(root: Path, file: str) -> dict[tuple[int, int], list[Mutant]]:
    """Return the mutants of a file by line and column; annotations have none."""
    code = (root / file).read_text(encoding="utf-8")
    tree, skipped = get_ast(code), _annotations(code)
    found = defaultdict(list)
    for name in operator_names():
        short = name.removeprefix("core/")
        if short == "NoOp" or any(part in short for part in _NO_MUTANTS):
            continue
        operator = get_operator(name)()
        spans = (span for node in ast_nodes(tree) for span in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(spans):
            if not any(first <= start < last for first, last in skipped):
                found[start].append(Mutant(file, start[0], short, occurrence))
    return found


def _annotations(code: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the first and last position of each annotation and type alias."""
    names, nodes = ("annotation", "returns"), ast.walk(ast.parse(code))
    parts = [getattr(node, name, None) for node in nodes for name in names]
    return [
        ((part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset))
        for part in parts
        if part is not None
    ]


def sample(root: Path, count: int, seed: int, only: Sequence[str] = ()) -> list[Mutant]:
    """Return `count` mutants at different places of files, drawn at random."""
    files = product_files(root, only)
    every = [mutants for file in files for mutants in places(root, file).values()]
    generator = random.Random(seed)
    return [generator.choice(mutants) for mutants in generator.sample(every, count)]


ROOT = Path(__file__).parents[2]
KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"
COMPILED = "from ai.search.jit import"
"""Marks files of compiled functions."""
PLAIN_FOLDERS = ("ai/search/", "ai/rules/")
"""Folders of compiled functions whose tests take less than a minute as Python."""
CALLERS_OF_COMPILED = "tests/ai/navigation"
"""Tests of the queries, which run most compiled functions."""
VIEW_TESTS = ("tests/ai/view", "tests/terrain3d/view", "tests/terrain3d/program")
"""Folders that also have tests of each other's code."""
_PLAIN = {"NUMBA_DISABLE_JIT": "1"}
_COMPILING_S = 600
_WAITING = 10
_MOST_BYTES = 12 * 2**30


def folder_of(root: Path, file: str) -> str:
    """Return the folder of tests that mirrors that of a file, or the next one above."""
    folder = Path("tests", file).parent
    while not any((root / folder).glob("test_*.py")):
        folder = folder.parent
    return folder.as_posix()


def ordered_tests(root: Path, file: str) -> tuple[list[str], list[str]]:
    """List the test modules that name a file or its public names, and the rest of its folder.

    Those called like the file come first, then those that name it most often.
    """
    stem, mirrored = Path(file).stem, folder_of(root, file)
    word = re.compile(rf"\b({'|'.join([stem, *_public_names(root / file)])})\b")
    folders = dict.fromkeys([mirrored, *(VIEW_TESTS if mirrored in VIEW_TESTS else ())])
    ranks, rest = {}, []
    for path in [path for folder in folders for path in modules(root, folder)]:
        is_called_so = stem in Path(path).stem
        n_names = len(word.findall((root / path).read_text(encoding="utf-8")))
        if is_called_so or n_names:
            ranks[path] = not is_called_so, -n_names
        elif path.startswith(mirrored):
            rest.append(path)
    return sorted(ranks, key=lambda path: ranks[path]), rest


def modules(root: Path, folder: str) -> list[str]:
    """List the test modules of a folder, without the subpackages of a whole package."""
    pattern = "test_*.py" if folder in ("tests/ai", "tests/terrain3d") else "**/test_*.py"
    return [path.relative_to(root).as_posix() for path in sorted((root / folder).glob(pattern))]


def _public_names(path: Path) -> list[str]:
    """Return the public functions and classes of a file."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    named = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return [name for name in named if not name.startswith("_")]


class Copy:
    """A copy of the project, in which one place at a time is changed."""

    def __init__(self, root: Path) -> None:
        self.root, self._output = root, root / "output.txt"
        self._seconds: Counter[tuple[str, bool]] = Counter()

    def _limit_s(self, tests: Sequence[str], *, is_plain: bool) -> float:
        """Return when tests hang. What was not run yet runs without a change, and must pass."""
        new = [test for test in tests if (test, is_plain) not in self._seconds]
        if new:
            report = self.root / "report.xml"
            options = [f"--junitxml={report}", "-o", "junit_family=xunit1", *new]
            if self._run(options, _PLAIN if is_plain else {}):
                raise RuntimeError(f"a test fails without a change:\n{self._output.read_text()}")
            self._seconds.update(dict.fromkeys([(test, is_plain) for test in new], 0.0))
            for case in ElementTree.parse(report).iter("testcase"):
                self._seconds[case.attrib["file"], is_plain] += float(case.attrib["time"])
        return 5 * sum(self._seconds[test, is_plain] for test in tests) + 60

    def killer(self) -> str:
        """Return the test that failed in the last run, empty if none was reached."""
        output = self._output.read_text(encoding="utf-8", errors="replace")
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        return found[1] if found else ""

    def verdict(self, mutant: Mutant, tests: Sequence[str], *, is_plain: bool = False) -> str:
        """Change the copy, run tests until one fails, and change it back.

        With `is_plain` compiled functions run as Python. Otherwise those of a changed file are
        compiled again, with their callers, which do not notice the change.
        """
        limit_s, environment = self._limit_s(tests, is_plain=is_plain), _PLAIN if is_plain else {}
        path = self.root / mutant.file
        before, times = path.read_bytes(), path.stat()
        with TemporaryDirectory() as compiled:
            if COMPILED in before.decode() and not is_plain:
                environment, limit_s = {"NUMBA_CACHE_DIR": compiled}, limit_s + _COMPILING_S
            try:
                path.write_text(mutant.source(self.root), encoding="utf-8")
                status = self._run(tests, environment, limit_s)
            finally:
                path.write_bytes(before)
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # compiled code is valid
        if status == -signal.SIGKILL:
            return TIMEOUT
        return KILLED if status else SURVIVED

    def _run(self, options: Sequence[str], added: dict[str, str], limit_s: float = 0.0) -> int:
        """Run tests until one fails, and return the exit status of pytest.

        `limit_s` is processor time, 0 for no limit: others may use the machine, too. Tests that
        wait are killed after some times as long, with the programs that they started.
        """
        command = ["timeout", "--signal=KILL", f"{_WAITING * limit_s}"]
        # A mutant may ask for memory without end.
        command += ["prlimit", f"--as={_MOST_BYTES}", f"--cpu={round(limit_s) or 'unlimited'}"]
        command += [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *options]
        # Bytecode goes by size and second of the source, which two mutants may share.
        fixed = {"CI": "true", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(self.root)}
        more = {"cwd": self.root, "env": {**os.environ, **fixed, **added}}
        with self._output.open("w") as output:
            both = {"stdout": output, "stderr": subprocess.STDOUT}
            return subprocess.run(command, check=False, **both, **more).returncode


def judge(copy: Copy, mutant: Mutant, *, is_named_only: bool = False) -> str:
    """Return the verdict of the tests of a mutant, compiled functions as Python first."""
    named, rest = ordered_tests(copy.root, mutant.file)
    rest = [] if is_named_only else rest
    runs = [(named, False), (rest, False)]
    if COMPILED in (copy.root / mutant.file).read_text(encoding="utf-8"):
        every = dict.fromkeys([*named, *rest, *modules(copy.root, CALLERS_OF_COMPILED)])
        runs = [([*named, *rest], True), ([*every], False)]
        runs = runs[0 if mutant.file.startswith(PLAIN_FOLDERS) else 1 :]
    for tests, is_plain in runs:
        verdict = copy.verdict(mutant, tests, is_plain=is_plain) if tests else SURVIVED
        if verdict != SURVIVED:
            return verdict
    return SURVIVED


def run(options: argparse.Namespace) -> None:
    mutants = sample(ROOT, options.sample, options.seed, options.only)
    results: Path = options.results
    began_s = time.monotonic()
    text = results.read_text(encoding="utf-8") if results.exists() else ""
    known = {line.split("\t")[0] for line in text.splitlines()}
    with TemporaryDirectory() as folder:
        copy = Copy(Path(folder, "copy"))
        left_out = shutil.ignore_patterns(".*", "__pycache__", "build", "*.egg-info")
        shutil.copytree(ROOT, copy.root, ignore=left_out)
        for place, mutant in enumerate(mutants, 1):
            if str(mutant) in known:
                continue
            if time.monotonic() - began_s > 60 * options.minutes:
                print(f"no time for mutants {place} to {len(mutants)}")
                break
            verdict = judge(copy, mutant, is_named_only=options.named)
            killer = copy.killer() if verdict == KILLED else ""
            line = f"{mutant}\t{verdict}\t{killer}"
            print(f"{place}/{len(mutants)} {line}", flush=True)
            with results.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


def count(results: list[Path]) -> None:
    """Print how many mutants were killed, and those that were not."""
    lines = [line for path in results for line in path.read_text(encoding="utf-8").splitlines()]
    verdicts = Counter(line.split("\t")[1] for line in lines)
    print(*(line for line in lines if line.split("\t")[1] == SURVIVED), sep="\n")
    n_killed = verdicts[KILLED] + verdicts[TIMEOUT]
    print(f"{dict(verdicts)}; killed {n_killed} of {len(lines)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("results", type=Path)
    runs.add_argument("--sample", type=int, default=200)
    runs.add_argument("--seed", type=int, default=1)
    runs.add_argument("--only", nargs="+", default=(), metavar="PATH")
    runs.add_argument("--named", action="store_true")
    runs.add_argument("--minutes", type=float, default=math.inf)
    counts = commands.add_parser("count")
    counts.add_argument("results", type=Path, nargs="+")
    options = parser.parse_args()
    count(options.results) if options.command == "count" else run(options)


if __name__ == "__main__":
    main()
