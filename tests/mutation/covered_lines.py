"""Which tests run which lines, recorded by coverage.py, and how long each of them takes."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import coverage

MOST_SECONDS = 45.0
"""How long the tests of one mutant take at most, by their times without a mutant."""
NO_PLUGIN = ("-p", "no:ai.testing.pytest_plugin")  # it would import the installed `ai`

COMPILED = "from ai.compilation.jit import"
"""Marks files of compiled functions, whose lines coverage.py does not see."""
_PLUGIN = """
import json, pathlib
times = {}
def pytest_runtest_logreport(report):
    times[report.nodeid] = times.get(report.nodeid, 0) + report.duration
def pytest_sessionfinish():
    pathlib.Path(__file__).with_name("times.json").write_text(json.dumps(times))
"""


@dataclass(frozen=True)
class CoveredLines:
    """The tests of a source tree."""

    seconds: dict[str, float]
    """How long each test takes."""
    by_line: dict[str, dict[int, list[int]]]
    """For each file and line the tests that run it, as places in `seconds`."""

    @classmethod
    def load(cls, path: Path) -> "CoveredLines":
        """Read what `record` wrote."""
        found = json.loads(path.read_text(encoding="utf-8"))
        by_line = {
            file: {int(line): tests for line, tests in lines.items()}
            for file, lines in found["by_line"].items()
        }
        return cls(found["seconds"], by_line)

    def of(self, file: str, line: int, *, is_compiled: bool) -> list[str]:
        """Return the tests of a line: those in the folder of the module first, then quick ones.

        A line that only runs at import, as a constant, has the tests of all lines of its file; one
        that is compiled those of its package and of the queries.
        """
        names = list(self.seconds)
        lines = self.by_line.get(file, {})
        folder = f"tests/{Path(file).parent.as_posix()}/"
        if is_compiled:
            folders = (folder, "tests/ai/search/", "tests/ai/navigation/")
            found = {name for name in names if name.startswith(folders)}
        else:
            places = set(lines.get(line, ())) or {test for many in lines.values() for test in many}
            found = {names[place] for place in places}
        ordered = sorted(found, key=lambda name: (folder not in name, self.seconds[name]))
        chosen, left = [], MOST_SECONDS
        for name in ordered:
            left -= self.seconds[name]
            if left < 0:
                break
            chosen.append(name)
        return chosen


def record(root: Path, where: Path, paths: list[str]) -> None:
    """Run tests once and write which lines they run to a file."""
    with TemporaryDirectory() as folder:
        beside = Path(folder)
        (beside / "recorder.py").write_text(_PLUGIN, encoding="utf-8")
        data = beside / "lines"
        (beside / "rc").write_text(f"[run]\nsource = ai,terrain3d\ndata_file = {data}\n")
        options = ["-q", "-p", "recorder", "-p", "no:cacheprovider", "--cov", "--cov-report="]
        options += ["--cov-config", str(beside / "rc"), "--cov-context=test"]
        command = [sys.executable, "-m", "pytest", *NO_PLUGIN, *options, *paths]
        subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": folder}, check=False)
        seconds = json.loads((beside / "times.json").read_text(encoding="utf-8"))
        found = coverage.CoverageData(str(data))
        found.read()
        places = {name: place for place, name in enumerate(seconds)}
        by_line: dict[str, dict[int, list[int]]] = defaultdict(dict)
        for path in found.measured_files():
            file = Path(path).relative_to(root.resolve()).as_posix()
            for line, contexts in found.contexts_by_lineno(path).items():
                tests = {context.rpartition("|")[0] for context in contexts}
                by_line[file][line] = sorted(places[test] for test in tests if test in places)
    where.write_text(json.dumps({"seconds": seconds, "by_line": by_line}), encoding="utf-8")
