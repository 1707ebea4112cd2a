"""Where pictures of searches go is looked at before any is drawn."""

from pathlib import Path

import pytest

from terrain3d.view.theatre.picture_series import check_folder


def test_a_folder_is_made(tmp_path):
    check_folder(tmp_path / "new")
    check_folder(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(PermissionError, match=f"cannot write pictures to {tmp_path}: Permission"):
        check_folder(tmp_path)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError, match="cannot write pictures to"):
        check_folder(tmp_path / "file")
