"""The command that changes files reads its own files, runs, and stops at a fault."""

import importlib.util
import os
import subprocess
import sys

import pytest

from tests.fuzz.readers import readers
from tests.support.optional import skip_or_fail


@pytest.fixture
def needs_atheris():
    if importlib.util.find_spec("atheris") is None:
        skip_or_fail("needs atheris")


BROKEN = """
from tests.fuzz import readers
answers = iter([None])
readers.read_log = lambda _: next(answers)  # it reads the file to begin with, and no other
from tests.fuzz.child import main
main(["{folder}", "-runs=10", "-artifact_prefix={folder}/"])
"""


def test_every_reader_reads_the_files_to_begin_with(tmp_path):
    for reader in readers():
        for data in reader.samples:
            (tmp_path / reader.name).write_bytes(data)
            reader.read(tmp_path / reader.name)


@pytest.mark.usefixtures("needs_atheris")
def test_the_command_runs(tmp_path):
    # In a small process: on Linux the peak memory of a process begins with that of its parent, and
    # the tests before this one can leave their process above the command's limit.
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--seconds", "1"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " files in 1 s, seed 1; branches " in done.stdout
    assert "peak memory" in done.stdout


@pytest.mark.usefixtures("needs_atheris")
def test_a_reader_that_raises_another_error_stops_it(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", BROKEN.format(folder=tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 77
    assert "StopIteration" in done.stderr + done.stdout
    assert len(list(tmp_path.glob("crash-*"))) == 1
