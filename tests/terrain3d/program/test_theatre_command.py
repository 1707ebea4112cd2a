"""Watching searches on the command line: as numbered pictures, as a GIF."""

import subprocess
import sys

import pytest
from PIL import Image

from tests.support.forks import COMMAND, fork_main, fork_python
from tests.support.programs import NO_DISPLAY, SCRIPT

HILL = "00000\n01110\n00000\n"
ENDS = ("--from", "1,0", "--to", "1,4")
NO_PILLOW = f"import sys\nsys.modules['PIL'] = sys.modules['PIL.Image'] = None\n{COMMAND}"
SMALL = ("--size", "320x180", "--quality", "low")


@pytest.fixture
def hill(tmp_path):
    path = tmp_path / "hill.txt"
    path.write_text(HILL)
    return ("theatre", "--map", str(path), *ENDS)


def test_a_reader_that_closes_the_pipe_is_no_error():
    large = ("--rows", "99", "--cols", "99", "--from", "0,0", "--to", "98,98")  # fills buffers
    command = [sys.executable, *SCRIPT, "path", *large, "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=NO_DISPLAY, **pipes) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_pictures_are_numbered_and_become_a_gif(hill, tmp_path):
    out = tmp_path / "frames"
    done = fork_main(*hill, "--out", out, "--every", "4", *SMALL)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    names = sorted(path.name for path in out.iterdir())
    count = len(names) - 1
    assert names == [*(f"search-{number:05d}.png" for number in range(count)), "search.gif"]
    assert f"picture {count} of {count}" in done.stderr
    with Image.open(out / "search.gif") as film:
        assert film.size == (320, 180)
        assert film.n_frames == count
    with Image.open(out / names[0]) as first, Image.open(out / names[-2]) as last:
        assert first.size == last.size == (320, 180)
        assert first.convert("RGB").tobytes() != last.convert("RGB").tobytes()
    # A shorter series leaves nothing of a longer one.
    done = fork_main(*hill, "--out", out, "--every", "1000", *SMALL)
    assert done.returncode == 0
    assert sorted(path.name for path in out.iterdir()) == [*names[:2], "search.gif"]


def test_all_of_the_picture_is_in_the_mood_that_is_asked_for(hill, tmp_path):
    def left_and_right(mood):
        out = tmp_path / mood
        more = ("--against", "dijkstra", "--every", "1000", "--mood", mood)
        done = fork_main(*hill, "--out", out, *SMALL, *more)
        assert done.returncode == 0, done.stderr
        with Image.open(out / "search-00000.png") as picture:
            boxes = (50, 104, 130, 114), (190, 104, 270, 114)  # the grass in front
            return [picture.convert("L").crop(box).resize((1, 1)).getpixel((0, 0)) for box in boxes]

    for at_noon, at_night in zip(left_and_right("noon"), left_and_right("night"), strict=True):
        assert at_night < 0.75 * at_noon


def test_a_gif_alone_leaves_no_pictures(hill, tmp_path):
    (tmp_path / "out").mkdir()
    target = tmp_path / "out" / "film.gif"
    against = ("--against", "uphill=10")
    done = fork_main(*hill, "--gif", target, "--every", "1000", *SMALL, *against)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in target.parent.iterdir()] == ["film.gif"]


def test_without_pillow_pictures_are_written_all_the_same(hill, tmp_path):
    out = tmp_path / "frames"
    done = fork_python(NO_PILLOW, *hill, "--out", out, "--every", "1000", *SMALL, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("terrain3d: a GIF needs Pillow")
    assert "pip install" in done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["search-00000.png", "search-00001.png"]
    done = fork_python(NO_PILLOW, *hill, "--gif", tmp_path / "film.gif", check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_a_missing_path_exits_with_1(tmp_path):
    (tmp_path / "cliff.txt").write_text("0009\n")
    ends = ("--from", "0,0", "--to", "0,3")
    target = tmp_path / "film.gif"
    cliff = ("theatre", "--map", tmp_path / "cliff.txt", *ends)
    done = fork_main(*cliff, "--gif", target, *SMALL)
    assert (done.returncode, done.stdout) == (1, "")
    assert target.is_file()
