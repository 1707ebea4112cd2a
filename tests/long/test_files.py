"""The command that changes files reads its own files, runs, and stops at a fault."""

import importlib.util
import os
import sys

import pytest

from terrain3d import MapFileError
from tests.long.files import faults, readers
from tests.support.programs import NO_DISPLAY, run_python
from tests.support.selection import skip_or_fail

READERS = readers()
pytestmark = pytest.mark.filterwarnings("ignore::terrain3d.formats.MapFileWarning")


@pytest.fixture
def needs_atheris():
    if importlib.util.find_spec("atheris") is None:
        skip_or_fail("needs atheris")


BROKEN = """
from tests.long import files
answers = iter([None])
files.GameRecord.load = lambda _: next(answers)  # it reads the file to begin with, and no other
from tests.long.fuzz_child import main
main(["{folder}", "-runs=10", "-artifact_prefix={folder}/"])
"""


def test_every_reader_reads_the_files_to_begin_with(tmp_path):
    for reader in READERS:
        for data in reader.samples:
            (tmp_path / reader.name).write_bytes(data)
            reader.read(tmp_path / reader.name)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_damaged_files_are_read_or_refused_in_a_line(tmp_path, reader):
    assert list(faults(reader, 100, 1, tmp_path)) == []


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_a_file_that_is_cut_short_is_refused(tmp_path, reader):
    path = tmp_path / reader.name
    for data in reader.samples:
        for length in range(0, len(data.rstrip()), 1 + len(data) // 300):
            path.write_bytes(data[:length])
            with pytest.raises(MapFileError):
                reader.read(path)


@pytest.mark.usefixtures("needs_atheris")
def test_the_command_runs(tmp_path):
    # In a small process: on Linux the peak memory of a process begins with that of its parent, and
    # the tests before this one can leave their process above the command's limit.
    environment = NO_DISPLAY | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = run_python("-m", "tests.long", "fuzz", "--cases", "1", cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " files in 1 s, seed 1; branches " in done.stdout
    assert "peak memory" in done.stdout


@pytest.mark.usefixtures("needs_atheris")
def test_a_reader_that_raises_another_error_stops_it(tmp_path):
    done = run_python("-c", BROKEN.format(folder=tmp_path))
    assert done.returncode == 77
    assert "StopIteration" in done.stderr + done.stdout
    assert len(list(tmp_path.glob("crash-*"))) == 1
