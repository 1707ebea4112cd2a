"""Where pictures of searches go is looked at before any is drawn."""

import os

import pytest

from ai.view.picture_series import check_folder


def test_a_folder_is_made(tmp_path):
    check_folder(tmp_path / "new")
    check_folder(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


def test_files_in_the_folder_stay(tmp_path):
    hidden = tmp_path / ".search-00000.png"
    hidden.write_text("of a user")
    check_folder(tmp_path)
    assert hidden.read_text() == "of a user"


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match=f"cannot write pictures to {tmp_path}: Permission"):
        check_folder(tmp_path)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError, match="cannot write pictures to"):
        check_folder(tmp_path / "file")
