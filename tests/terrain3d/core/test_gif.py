"""Pictures as an animated GIF: all of them, in order, or nothing at all."""

import sys

import pytest
from PIL import Image

from terrain3d.core.files import check_target
from terrain3d.core.gif import PillowMissing, write_gif

COLORS = [(200, 30, 30), (30, 200, 30), (30, 30, 200)]


@pytest.fixture
def pictures(tmp_path):
    paths = []
    for number, color in enumerate(COLORS):
        picture = Image.new("RGB", (40, 20), (10, 10, 10))
        picture.paste(color, (5, 5, 35, 15))
        paths.append(tmp_path / f"{number}.png")
        picture.save(paths[-1])
    return paths


def test_every_picture_is_a_frame_with_its_time(tmp_path, pictures):
    write_gif(pictures, tmp_path / "all.gif", 0.1, 1.5)
    with Image.open(tmp_path / "all.gif") as film:
        assert (film.size, film.n_frames, film.info["loop"]) == ((40, 20), 3, 0)
        for number, color in enumerate(COLORS):
            film.seek(number)
            assert film.info["duration"] == (1500 if number == 2 else 100)
            frame = film.convert("RGB")
            assert frame.getpixel((20, 10)) == pytest.approx(color, abs=12)
            assert frame.getpixel((1, 1)) == pytest.approx((10, 10, 10), abs=12)


def test_one_picture_is_enough(tmp_path, pictures):
    write_gif(pictures[:1], tmp_path / "one.gif", 0.1, 1.5)
    with Image.open(tmp_path / "one.gif") as film:
        assert getattr(film, "n_frames", 1) == 1


def test_a_failure_leaves_what_was_there_and_no_half(tmp_path, pictures):
    target = tmp_path / "out" / "all.gif"
    target.parent.mkdir()
    target.write_bytes(b"before")
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"broken")
    many = (pictures * 7)[:20]
    for place in range(20):  # found while colors are chosen, or while frames are written
        with pytest.raises(OSError, match="cannot identify"):
            write_gif([*many[:place], broken, *many[place + 1 :]], target, 0.1, 1.5)
        assert target.read_bytes() == b"before"
    assert [path.name for path in target.parent.iterdir()] == ["all.gif"]


def test_without_pillow_the_command_that_installs_it_is_named(tmp_path, pictures, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(PillowMissing, match="pip install"):
        write_gif(pictures, tmp_path / "all.gif", 0.1, 1.5)
    assert not (tmp_path / "all.gif").exists()


def test_paths_that_cannot_be_are_refused_before(tmp_path):
    with pytest.raises(ValueError, match=r"must end in \.gif"):
        check_target(tmp_path / "film.mp4", "a GIF", ".gif")
    with pytest.raises(FileNotFoundError, match="no directory"):
        check_target(tmp_path / "none" / "film.gif", "a GIF", ".gif")
    (tmp_path / "folder.gif").mkdir()
    with pytest.raises(IsADirectoryError):
        check_target(tmp_path / "folder.gif", "a GIF", ".gif")
