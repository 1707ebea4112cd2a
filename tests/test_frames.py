"""The command that measures the frames of the scene, whatever it finds."""

import re
import subprocess
import sys

import pytest

from tests.support.pages import ROOT


@pytest.mark.slow
def test_every_load_is_measured_on_every_size():
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.frames", "--frames", "2"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 3
    assert all(len(re.findall(r"\d+\.\d\d / \d+\.\d\d", row)) == 3 for row in rows)
