"""Heights in PNG images."""

import sys

import numpy as np
import pytest

from terrain3d import MapFileError, TileMap
from terrain3d.formats import height_image
from tests.support.height_files import FEW_BYTES, NAN, peak_while, pictured, png_of, same, start_of
from tests.support.programs import run_main
from tests.support.resident_memory import IS_MEASURABLE, peak_growth_mb


def test_images_of_8_and_16_bits_are_heights():
    same(height_image.read_heights(pictured(np.array([[0, 255]], np.uint8))), [[0, 255]])
    same(
        height_image.read_heights(pictured(np.array([[0, 65535, 300]], np.uint16))),
        [[0, 65535, 300]],
    )
    same(height_image.read_heights(pictured(np.array([[0, 200]], np.uint8), "RGB")), [[0, 200]])
    same(
        height_image.read_heights(pictured(np.array([[0, 200]], np.uint8), "1", bits=1)), [[0, 255]]
    )


def test_what_is_transparent_has_no_height():
    clear = np.array([[[9, 0], [7, 255]]], np.uint8)
    same(height_image.read_heights(pictured(clear)), [[NAN, 7]])
    same(
        height_image.read_heights(pictured(np.array([[9, 7]], np.uint8), transparency=9)),
        [[NAN, 7]],
    )
    deep = pictured(np.array([[900, 7]], np.uint16), transparency=900)
    same(height_image.read_heights(deep), [[NAN, 7]])
    colors = np.array([[[1, 2, 3, 0], [7, 7, 7, 255]]], np.uint8)
    same(height_image.read_heights(pictured(colors)), [[NAN, 7]])


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is not a PNG image"),
        (height_image.MAGIC, "is not a PNG image"),
        (pictured(np.zeros((2, 2), np.uint8))[:60], "is cut short"),
        (pictured(np.zeros((2, 2), np.uint8)).replace(b"IDAT", b"IDOT"), "is not a PNG image"),
        (pictured(np.array([[[9, 9, 9], [1, 2, 3]]], np.uint8)), "row 0, column 1: is colored"),
        (png_of(0, 1, 8, 0, b""), r"has 1 x 0 pixels"),
        (png_of(2**31, 2**31, 8, 0, b""), "the limit is 16777216"),
        (png_of(4097, 4096, 8, 0, b""), "has 4096 x 4097 pixels, the limit is 16777216"),
        (png_of(9999, 9999, 8, 0, b"", start_of(1, 1, 8, 0)), "its header has another size"),
        (png_of(5, 5, 3, 0, bytes(30)), "is not a PNG image"),
        (png_of(5, 5, 8, 0, bytes(29)), "is not a PNG image"),
    ],
)
def test_what_is_no_height_image_is_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        height_image.read_heights(data)


def test_without_pillow_the_command_that_installs_it_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hill.png").write_bytes(pictured(np.zeros((2, 2), np.uint8)))
    monkeypatch.setitem(sys.modules, "PIL", None)
    status, _, (line,) = run_main(capsys, "check", "hill.png")
    assert status == 2
    assert 'a height image needs Pillow, which is not installed: pip install "pil' in line


def test_pixels_beyond_a_picture_are_never_unpacked(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(png_of(2, 2, 8, 0, bytes(2**27)))
    assert peak_while(lambda: TileMap.load(path)) < FEW_BYTES


REFUSE = """
try:
    TileMap.load(sys.argv[1])
except MapFileError as error:
    assert "is colored" in str(error), error
else:
    raise AssertionError("it was read")
"""


@pytest.mark.skipif(not IS_MEASURABLE, reason="this system does not list the memory of a process")
@pytest.mark.parametrize(
    ("depth", "color", "row", "palette"),
    [
        (8, 2, b"\1\2\3" * 4096, b""),
        (8, 6, b"\1\2\3\xff" * 4096, b""),
        (1, 3, bytes(512), b"\1\2\3\4\5\6"),
    ],
    ids=["colors", "colors and alpha", "palette"],
)
def test_a_large_colored_image_is_refused_without_much_memory(tmp_path, depth, color, row, palette):
    """Pillow takes 64 MB to unpack it; at 8 bytes a pixel the heights would take 134 MB more."""
    path = tmp_path / "colored.png"
    path.write_bytes(png_of(4096, 4096, depth, color, (b"\0" + row) * 4096, palette=palette))
    prepare = "from PIL import Image; from terrain3d import MapFileError, TileMap"
    assert peak_growth_mb(prepare, REFUSE, str(path)) < 128


def test_colors_beyond_the_first_part_of_an_image_are_found(monkeypatch):
    monkeypatch.setattr(height_image, "_PART_PIXELS", 4)
    pixels = np.full((5, 3, 3), 7, np.uint8)
    same(height_image.read_heights(pictured(pixels)), np.full((5, 3), 7))
    pixels[4, 2] = 1, 2, 3
    with pytest.raises(MapFileError, match="row 4, column 2: is colored"):
        height_image.read_heights(pictured(pixels))
