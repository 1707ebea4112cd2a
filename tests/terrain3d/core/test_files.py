"""Reading files: only regular ones, also if another one takes their place at the last moment."""

import os
from pathlib import Path

import pytest

from terrain3d import MapFileError
from terrain3d.core.files import read_bytes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system has no device files")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_link_to_a_device_is_refused(tmp_path, device):
    path = tmp_path / "map.tmap"
    path.symlink_to(device)
    with pytest.raises(MapFileError, match=r"map\.tmap: is not a regular file"):
        read_bytes(path, 100)


@pytest.mark.parametrize(
    "replace",
    [lambda path: path.symlink_to("/dev/zero"), os.mkfifo, Path.mkdir],
    ids=["device", "pipe", "folder"],
)
def test_a_file_replaced_between_check_and_opening_is_refused(tmp_path, monkeypatch, replace):
    path = tmp_path / "map.tmap"
    path.write_bytes(b"x")
    plain_stat = Path.stat

    def stat_then_replace(self, **options):
        found = plain_stat(self, **options)
        monkeypatch.undo()
        path.unlink()
        replace(path)
        return found

    monkeypatch.setattr(Path, "stat", stat_then_replace)
    with pytest.raises(MapFileError, match=r"map\.tmap: (is not a regular file|cannot be read)"):
        read_bytes(path, 100)


def test_a_file_that_has_nothing_to_read_yet_does_not_block(tmp_path, monkeypatch):
    """Some files of the system are regular and wait until there is something to read."""
    reader, writer = os.pipe()
    path = tmp_path / "map.tmap"
    path.write_bytes(b"x")
    plain = path.stat()
    monkeypatch.setattr(Path, "stat", lambda *_: plain)
    monkeypatch.setattr(os, "fstat", lambda _: plain)
    try:
        assert read_bytes(Path(f"/dev/fd/{reader}"), 100) == b""
    finally:
        os.close(reader)
        os.close(writer)
