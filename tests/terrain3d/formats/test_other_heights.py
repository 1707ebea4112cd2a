"""Heights in PNG files with 16 bits of color, raw files and zipped SRTM tiles."""

import struct
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import MapFileError, TileMap
from terrain3d.formats import HeightRules, height_image, read
from terrain3d.formats.raw import read_srtm, read_zip
from tests.support.gdal_files import by_gdal
from tests.support.height_files import NAN, archive_of, chunk, png_of, same, start_of

CHANNELS = {2: 3, 4: 2, 6: 4}


def filtered(samples, filters):
    """Return lines of (rows, cols, bytes) samples with a filter each, as the standard says."""
    rows, cols, n_bytes = samples.shape
    lines = bytearray()
    for y in range(rows):
        lines.append(filters[y])
        for x in range(cols):
            for z in range(n_bytes):
                a = int(samples[y, x - 1, z]) if x else 0
                b = int(samples[y - 1, x, z]) if y else 0
                c = int(samples[y - 1, x - 1, z]) if x and y else 0
                p = a + b - c
                nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                guess = (0, a, b, (a + b) // 2, nearest)[filters[y]]
                lines.append((int(samples[y, x, z]) - guess) % 256)
    return bytes(lines)


@given(data=st.data(), color=st.sampled_from(sorted(CHANNELS)))
def test_each_filter_of_each_line_is_undone(data, color):
    rows, cols = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    gray = np.array(
        data.draw(st.lists(st.integers(0, 65535), min_size=rows * cols, max_size=rows * cols))
    ).reshape(rows, cols)
    samples = np.stack([gray] * CHANNELS[color], axis=2)
    if CHANNELS[color] % 2 == 0:
        samples[..., -1] = 65535
    filters = data.draw(st.lists(st.integers(0, 4), min_size=rows, max_size=rows))
    lines = filtered(samples.astype(">u2").view(np.uint8).reshape(rows, cols, -1), filters)
    same(height_image.read_heights(png_of(cols, rows, 16, color, lines)), gray)


@pytest.mark.parametrize("channels", [2, 3, 4])
def test_gray_in_16_bits_of_color_is_read_as_gdal_writes_it(channels):
    gray = np.random.default_rng(3).integers(0, 65536, (40, 33)).astype("uint16")
    samples = np.stack([gray] * channels)
    if channels % 2 == 0:
        samples[-1] = 65535
        samples[-1, 0, 0] = 0
    found = height_image.read_heights(by_gdal(samples, "PNG"))
    expected = gray.astype(float)
    if channels % 2 == 0:
        expected[0, 0] = NAN
    same(found, expected)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (by_gdal(np.array([[[9]], [[9]], [[8]]], "uint16"), "PNG"), "row 0, column 0: is colored"),
        (png_of(1, 1, 16, 2, bytes(6)), "is not a PNG image: "),
        (png_of(1, 1, 16, 2, bytes([5, *bytes(6)])), "is not a PNG image: "),
        (png_of(1, 1, 16, 6, bytes(9)).replace(b"IDAT", b"IDOT"), "is not a PNG image: "),
        (png_of(9999, 9999, 16, 2, b"", start_of(1, 1, 16, 2)), "its header has another size"),
        (height_image.MAGIC + b"IENDIHDR" + bytes([0, 0, 0, 2, 0, 0, 0, 2, 16, 2]), "is cut short"),
    ],
)
def test_16_bits_of_color_that_are_no_heights_are_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        height_image.read_heights(data)


def test_a_pixel_is_void_if_all_16_bits_of_its_alpha_are_zero():
    for alpha, height in ((0, NAN), (1, 9), (256, 9)):
        line = struct.pack(">xHHHH", 9, 9, 9, alpha)
        same(height_image.read_heights(png_of(1, 1, 16, 6, line)), [[height]])
        line = struct.pack(">xHH", 9, alpha)
        same(height_image.read_heights(png_of(1, 1, 16, 4, line)), [[height]])


def test_the_transparent_color_of_16_bits_is_void():
    line = struct.pack(">x12H", 300, 300, 300, 301, 301, 301, 300, 1, 2, 556, 556, 556)
    key = chunk(b"tRNS", struct.pack(">HHH", 300, 300, 300))
    with pytest.raises(MapFileError, match="row 0, column 2: is colored"):
        height_image.read_heights(png_of(4, 1, 16, 2, line, after=key))
    key = chunk(b"tRNS", struct.pack(">HHH", 300, 1, 2))
    data = png_of(4, 1, 16, 2, line, after=key)
    same(height_image.read_heights(data), [[300, 301, NAN, 556]])


PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2))
"""First column and row, and steps between columns and rows, of the passes of an interlaced PNG."""


@pytest.mark.parametrize("color", sorted(CHANNELS))
def test_interlaced_images_are_read(color):
    gray = np.random.default_rng(4).integers(0, 65536, (13, 10))
    samples = np.stack([gray] * CHANNELS[color], axis=2)
    if CHANNELS[color] % 2 == 0:
        samples[..., -1] = 65535
    parts = [
        samples.astype(">u2")[y::down, x::across] for x, y, across, down in (*PASSES, (0, 1, 1, 2))
    ]
    lines = b"".join(b"\0" + row.tobytes() for part in parts for row in part)
    plain = png_of(10, 13, 16, color, lines)
    start = start_of(10, 13, 16, color)
    data = plain.replace(start, start_of(10, 13, 16, color, is_interlaced=True))
    same(height_image.read_heights(data), gray)


def test_a_long_image_takes_no_more_calls_than_a_short_one():
    n_calls = []

    def count(_frame, event, _argument):
        n_calls[-1] += event in {"call", "c_call"}

    for rows in (20, 20, 20_000):  # once more, because the first call imports modules
        data = png_of(1, rows, 16, 2, (b"\4" + bytes(6)) * rows)
        n_calls.append(0)
        sys.setprofile(count)
        height_image.read_heights(data)
        sys.setprofile(None)
    assert n_calls[1] == n_calls[2]


@pytest.mark.parametrize("suffix", [".r16", ".raw"])
def test_raw_heights_are_little_endian_and_square_or_of_the_given_size(tmp_path, suffix):
    path = tmp_path / f"hill{suffix}"
    np.array([[0, 300, 600], [900, 65535, 3]], "<u2").tofile(path)
    rules = HeightRules(size=(2, 3), step=300.0)
    assert TileMap.load(path, heights=rules).level.tolist() == [[0, 1, 2], [3, 218, 0]]
    with pytest.raises(
        MapFileError, match="has 12 bytes; a square grid of 16-bit numbers was expected"
    ):
        read(path)
    np.arange(16, dtype="<u2").tofile(path)
    square = TileMap.load(path, heights=HeightRules(step=1.0))
    assert square.level.tolist() == np.arange(16).reshape(4, 4).tolist()
    smaller = TileMap.load(path, heights=HeightRules(size=(2, 2), step=1.0))
    assert smaller.level.tolist() == [[0, 2], [8, 10]]
    with pytest.raises(MapFileError, match="tiles; the limit"):
        read(path, max_surfaces=7)
    np.arange(16, dtype=">u2").tofile(path)
    swapped = TileMap.load(path, heights=HeightRules(step=1.0, byte_order="big"))
    assert swapped.level.tolist() == square.level.tolist()


def test_a_zipped_srtm_tile_is_read_as_the_tile_is(tmp_path):
    tile = np.random.default_rng(2).integers(-50, 3000, (1201, 1201)).astype(">i2").tobytes()
    path = tmp_path / "N46E007.SRTMGL3.hgt.zip"
    path.write_bytes(archive_of({"N46E007.hgt": tile, "__MACOSX/._N46E007.hgt": b"x"}))
    assert read(path).format == "zipped SRTM tile"
    same(read_zip(path.read_bytes()), read_srtm(tile))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (archive_of({"a.hgt": b"1", "b.hgt": b"2"}), "holds 2 .hgt files, must hold one"),
        (archive_of({"a.hgt": b"1"}), "must have .* bytes"),
        (archive_of({"a.hgt": bytes(2**28)}), "must have .* bytes"),
        (archive_of({"a.hgt": b"1"}, zipfile.ZIP_LZMA), "must be stored or deflated"),
        (archive_of({"a.hgt": b"1"})[:-9], "is not an archive"),
    ],
)
def test_archives_without_one_sound_tile_are_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        read_zip(data)
