"""Heights in PNG files with 16 bits of color, raw files and zipped SRTM tiles."""

import io
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import MapFileError, TileMap
from terrain3d.mapfile import HeightRules, read
from terrain3d.mapfile.heights import deep_png, height_image, srtm
from tests.support.gdal_files import by_gdal
from tests.support.height_files import NAN, png_of, same

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
        (png_of(1, 1, 16, 2, bytes(6)), "is cut short"),
        (png_of(1, 1, 16, 2, bytes([5, *bytes(6)])), "there is no filter 5"),
        (png_of(1, 1, 16, 6, bytes(9)).replace(b"IDAT", b"IDOT"), "is cut short"),
    ],
)
def test_16_bits_of_color_that_are_no_heights_are_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        height_image.read_heights(data)


def test_damaged_and_interlaced_images_are_refused():
    data = bytearray(png_of(1, 1, 16, 2, bytes(7)))
    data[28] = 1
    with pytest.raises(MapFileError, match="is interlaced"):
        height_image.read_heights(bytes(data))
    packed = zlib.compress(bytes(7), 9)
    whole = png_of(1, 1, 16, 2, bytes(7))
    with pytest.raises(MapFileError, match="is damaged: "):
        deep_png.read_heights(whole.replace(packed, b"\xff" * len(packed)), (1, 1))


@pytest.mark.parametrize("suffix", [".r16", ".raw"])
def test_raw_heights_are_little_endian_and_square_or_of_the_given_size(tmp_path, suffix):
    path = tmp_path / f"hill{suffix}"
    np.array([[0, 300, 600], [900, 65535, 3]], "<u2").tofile(path)
    rules = HeightRules(size=(2, 3), step=300.0)
    assert TileMap.load(path, heights=rules).level.tolist() == [[0, 1, 2], [3, 218, 0]]
    with pytest.raises(MapFileError, match="has 12 bytes, which is no square of 16-bit numbers"):
        read(path)
    np.arange(16, dtype="<u2").tofile(path)
    assert TileMap.load(path).level.tolist() == np.arange(16).reshape(4, 4).tolist()
    smaller = TileMap.load(path, heights=HeightRules(size=(2, 2), step=1.0))
    assert smaller.level.tolist() == [[0, 2], [8, 10]]
    with pytest.raises(MapFileError, match="tiles; the limit"):
        read(path, max_surfaces=7)


def zipped(files, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def test_a_zipped_srtm_tile_is_read_as_the_tile_is(tmp_path):
    tile = np.random.default_rng(2).integers(-50, 3000, (1201, 1201)).astype(">i2").tobytes()
    path = tmp_path / "N46E007.SRTMGL3.hgt.zip"
    path.write_bytes(zipped({"N46E007.hgt": tile, "__MACOSX/._N46E007.hgt": b"x"}))
    assert read(path).format == "zipped SRTM tile"
    same(srtm.read_zip(path.read_bytes()), srtm.read_heights(tile))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (zipped({"a.hgt": b"1", "b.hgt": b"2"}), "holds 2 .hgt files, must hold one"),
        (zipped({"a.hgt": b"1"}), "must have .* bytes"),
        (zipped({"a.hgt": bytes(2**28)}), "must have .* bytes"),
        (zipped({"a.hgt": b"1"}, zipfile.ZIP_LZMA), "must be stored or deflated"),
        (zipped({"a.hgt": b"1"})[:-9], "is not an archive"),
    ],
)
def test_archives_without_one_sound_tile_are_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        srtm.read_zip(data)
