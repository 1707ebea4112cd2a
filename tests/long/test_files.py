"""Readers of files read their own files, and refuse damaged ones in a line."""

import pytest

from terrain3d import MapFileError
from tests.long.files import faults, readers

READERS = readers()
pytestmark = pytest.mark.filterwarnings("ignore::terrain3d.formats.MapFileWarning")


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
