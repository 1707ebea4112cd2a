"""Pictures: written whole or not at all, and only where and how they can be."""

from types import SimpleNamespace

import pytest
from PIL import Image

from terrain3d.view.window.window import PICTURE_SUFFIXES, check_picture_path, save_picture


@pytest.fixture
def drawn(base, request):
    request.getfixturevalue("terrain")
    base.task_mgr.step()
    base.task_mgr.step()
    return base


@pytest.mark.parametrize("suffix", [*PICTURE_SUFFIXES, ".PNG"])
def test_a_picture_has_the_format_of_its_ending(drawn, tmp_path, suffix):
    path = tmp_path / f"scene{suffix}"
    path.write_bytes(b"before")
    save_picture(drawn, path)
    with Image.open(path) as picture:
        assert picture.size == (640, 360)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["map.txt", "noext", ".png", "a.gif", "folder", "folder.png"])
def test_what_cannot_become_a_picture_stays_as_it_is(drawn, tmp_path, name):
    path = tmp_path / name
    if name.startswith("folder"):
        path.mkdir()
    else:
        path.write_text("before")
    for write in (check_picture_path, lambda path: save_picture(drawn, path)):
        with pytest.raises((ValueError, OSError), match="cannot write a picture to") as caught:
            write(path)
        assert str(path) in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
    assert list(tmp_path.iterdir()) == [path]
    assert path.is_dir() or path.read_text() == "before"


def test_a_picture_needs_a_directory(tmp_path):
    with pytest.raises(OSError, match="there is no directory"):
        check_picture_path(tmp_path / "no" / "x.png")


def test_a_failure_while_drawing_leaves_what_was_there(tmp_path):
    path = tmp_path / "keep.png"
    path.write_text("before")

    base = SimpleNamespace(win=SimpleNamespace(get_screenshot=lambda _picture: False))
    with pytest.raises(OSError, match="cannot write a picture to"):
        save_picture(base, path)
    assert [entry.read_text() for entry in tmp_path.iterdir()] == ["before"]


def test_a_name_as_long_as_names_can_be(drawn, tmp_path):
    path = tmp_path / ("x" * 251 + ".png")
    save_picture(drawn, path)
    assert path.exists()
