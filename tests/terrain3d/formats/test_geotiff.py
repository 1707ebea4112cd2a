"""Heights in GeoTIFF files that GDAL and tifffile have written."""

import io
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from terrain3d import MapFileError, TileMap
from terrain3d.formats import HeightRules, geotiff, read
from tests.support.forks import fork_python
from tests.support.gdal_files import NORTH_UP, by_gdal
from tests.support.height_files import NAN, same
from tests.support.optional import import_or_skip

tifffile = import_or_skip("tifffile")

HEIGHTS = np.random.default_rng(5).normal(800.0, 300.0, (70, 90))


def heights_of(data, **limits):
    """Return the heights alone."""
    return geotiff.read_heights(data, **limits)[0]


def by_tifffile(heights, nodata=None, **options):
    stream = io.BytesIO()
    if nodata is not None:
        options["extratags"] = [(42113, 2, 0, nodata, True)]
    tifffile.imwrite(stream, np.asarray(heights), **options)
    return stream.getvalue()


@pytest.mark.parametrize(
    "dtype", ["uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "float32", "float64"]
)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"compress": "lzw", "predictor": 2},
        {"compress": "deflate"},
        {"compress": "packbits"},
        {"compress": "zstd"},
        {"tiled": True, "blockxsize": 32, "blockysize": 16, "compress": "deflate"},
        {"BIGTIFF": "YES"},
        {"ENDIANNESS": "BIG"},
    ],
    ids=str,
)
def test_each_type_and_compression_of_gdal_gives_the_same_heights(dtype, options):
    heights = HEIGHTS.clip(0, 120).astype(dtype)
    same(heights_of(by_gdal(heights, **options)), heights)


def test_lerc_is_read():
    same(heights_of(by_gdal(HEIGHTS.astype("float32"), compress="lerc")), HEIGHTS.astype("f4"))


def test_the_predictor_of_floats_is_undone_and_overviews_are_not_read():
    data = by_gdal(HEIGHTS.astype("float32"), compress="lzw", predictor=3, tiled=True)
    same(heights_of(data), HEIGHTS.astype(np.float32))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.float16, np.float64])
def test_what_tifffile_writes_is_read(dtype):
    heights = np.array([[1, 2, 3], [100, 0, 7]], dtype)
    same(heights_of(by_tifffile(heights)), heights)


@pytest.mark.parametrize("byteorder", "<>")
def test_whole_numbers_above_those_of_31_bits_stay_so(byteorder):
    heights = np.array([[5, 2], [3, 4_000_000_000]], np.uint32)
    same(heights_of(by_tifffile(heights, byteorder=byteorder)), heights)


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.uint16])
def test_numbers_are_not_inverted_where_the_lowest_is_white(dtype):
    """GDAL does not, either."""
    heights = np.array([[1, 0, 0], [0, 1, 1]], dtype)
    same(heights_of(by_tifffile(heights, photometric="miniswhite")), heights)


@pytest.mark.parametrize(
    ("dtype", "nodata"),
    [
        ("int16", -32768),
        ("uint16", 0),
        ("float32", -9999.0),
        ("float32", float(np.finfo(np.float32).min)),
        ("float32", NAN),
        ("float64", float(np.finfo(np.float64).min)),
        ("float64", 0.1),
    ],
)
@pytest.mark.parametrize(
    "options", [{}, {"BIGTIFF": "YES"}, {"ENDIANNESS": "BIG"}, {"compress": "lzw"}], ids=str
)
def test_nodata_becomes_void(tmp_path, dtype, nodata, options):
    path = tmp_path / "hill.tif"
    path.write_bytes(by_gdal(np.array([[5, nodata], [6, 7]], dtype), nodata=nodata, **options))
    same(heights_of(path.read_bytes()), [[5, NAN], [6, 7]])
    assert TileMap.load(path).void.tolist() == [[False, True], [False, False]]


def test_a_nodata_value_outside_the_type_of_the_samples_is_no_height_in_it():
    same(heights_of(by_tifffile(np.array([[241, 0]], np.uint8), "-9999")), [[241, 0]])


@pytest.mark.parametrize("dtype", [np.int16, np.float32])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.#IND", None),  # the C library of Windows writes these two for NaN
        ("-1.#QNAN", None),
        ("None", None),
        ("0x", None),
        ("", None),
        ("3 4", None),
        ("nan", None),
        ("-9999", -9999),
        (" 3.0 ", 3),
        ("3,0", 3),
        ("1e0", 1),
    ],
)
def test_a_nodata_text_that_is_no_number_means_none(dtype, text, value):
    heights = np.array([[-9999, -1, 0], [1, 3, 4]], dtype)
    expected = np.where(heights == value, NAN, heights)
    same(heights_of(by_tifffile(heights, text)), expected)
    same(heights_of(by_tifffile(heights, text, bigtiff=True, byteorder=">")), expected)


def only_the_block_at(top, left):
    def write(file):
        window = ((top, top + 16), (left, left + 16))
        file.write(np.full((16, 16), 100, file.dtypes[0]), 1, window=window)

    return write


@pytest.mark.parametrize("compress", ["none", "deflate"])
@pytest.mark.parametrize("nodata", [None, -9999, 0])
@pytest.mark.parametrize("size", [(64, 64), (40, 50)])
@pytest.mark.parametrize("order", ["LITTLE", "BIG"])
def test_tiles_that_are_not_stored_are_void(compress, nodata, size, order):
    expected = np.full(size, NAN)
    expected[16:32, 32:48] = 100
    data = by_gdal(
        np.zeros(size, "int16"),
        finish=only_the_block_at(16, 32),
        **{"nodata": nodata, "compress": compress, "SPARSE_OK": True, "ENDIANNESS": order},
        **{"tiled": True, "blockxsize": 16, "blockysize": 16},
    )
    same(heights_of(data), expected)


def test_strips_that_are_not_stored_are_void():
    data = by_gdal(
        np.zeros((64, 16), "float32"), finish=only_the_block_at(16, 0), SPARSE_OK=True, blockysize=8
    )
    expected = np.full((64, 16), NAN)
    expected[16:32] = 100
    same(heights_of(data), expected)
    nothing = by_gdal(np.zeros((64, 16), "uint8"), finish=lambda _: None, SPARSE_OK=True)
    same(heights_of(nothing), np.full((64, 16), NAN))


def test_what_a_mask_inside_the_file_hides_is_void(tmp_path):
    heights = np.array([[5, 6, 7], [8, 9, 6]], "int16")
    shown = np.array([[0, 255, 255], [255, 0, 255]], "uint8")

    def finish(file):
        file.write(heights, 1)
        file.write_mask(shown)

    same(heights_of(by_gdal(heights, finish=finish)), [[NAN, 6, 7], [8, NAN, 6]])
    both = by_gdal(heights, finish=finish, nodata=6)
    same(heights_of(both), [[NAN, NAN, 7], [8, NAN, NAN]])
    path = tmp_path / "hill.tif"
    path.write_bytes(by_gdal(heights))
    path.with_name("hill.tif.msk").write_bytes(by_gdal(shown))
    assert not TileMap.load(path).void.any()


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_what_is_fully_transparent_is_void(dtype):
    bands = np.array([[[9, 9], [8, 7]], [[1, 0], [255, 255]]], dtype)
    same(heights_of(by_gdal(bands, alpha="yes")), [[9, NAN], [8, 7]])


def test_gray_that_is_stored_as_color_is_read():
    gray = np.array([[9, 4], [8, 7]], np.uint8)
    same(heights_of(by_gdal(np.stack([gray] * 3))), gray)
    palette = np.stack([np.arange(255, -1, -1, dtype=np.uint16) * 257] * 3)
    same(heights_of(by_tifffile(255 - gray, photometric="palette", colormap=palette)), gray)
    hidden = np.array([[[9, 4]], [[9, 4]], [[9, 3]], [[255, 0]]], np.uint8)
    same(heights_of(by_gdal(hidden)), [[9, NAN]])


def test_scale_and_offset_of_the_band_apply_after_nodata():
    heights = np.array([[10, 20], [-1, 40]], "int16")

    def finish(file):
        file.write(heights, 1)
        file.scales, file.offsets = [0.5], [-100.0]

    same(heights_of(by_gdal(heights, finish=finish, nodata=-1)), [[-95, -90], [NAN, -80]])


TURNS = {
    "north up": ((1, 0, 0, -1), lambda grid: grid),
    "south up": ((1, 0, 0, 1), lambda grid: grid[::-1]),
    "mirrored": ((-1, 0, 0, -1), lambda grid: grid[:, ::-1]),
    "upside down": ((-1, 0, 0, 1), lambda grid: grid[::-1, ::-1]),
    "rows run east, columns south": ((0, 1, -1, 0), lambda grid: grid.T),
    "rows run east, columns north": ((0, 1, 1, 0), lambda grid: grid.T[::-1]),
    "rows run west, columns south": ((0, -1, -1, 0), lambda grid: grid.T[:, ::-1]),
    "rows run west, columns north": ((0, -1, 1, 0), lambda grid: grid.T[::-1, ::-1]),
}
GRID = np.array([[1, 2, 3], [4, 5, 6]], "int16")


@pytest.mark.parametrize("turn", TURNS)
def test_north_is_up(tmp_path, turn):
    (a, b, d, e), turned = TURNS[turn]
    path = tmp_path / "hill.tif"
    path.write_bytes(by_gdal(GRID, transform=(20 * a, 30 * b, 500, 20 * d, 30 * e, 900)))
    found, notes = geotiff.read_heights(path.read_bytes())
    same(found, turned(GRID))
    assert notes == ()
    level = TileMap.load(path, heights=HeightRules(as_levels=True)).level
    assert level.tolist() == turned(GRID).tolist()
    assert "stay" not in str(read(path).notes)


steps = st.floats(1e-5, 1e5) | st.floats(-1e5, -1e-5)
places = st.floats(-1e7, 1e7)


@given(st.booleans(), steps, steps, places, places)
@example(False, 1.0, 1.0, 0.0, 1e-3)
def test_the_northern_sample_of_each_column_is_in_row_0(is_turned, across, down, x, y):
    transform = (0, down, x, across, 0, y) if is_turned else (across, 0, x, 0, down, y)
    found, notes = geotiff.read_heights(by_gdal(GRID, transform=transform))
    row, col = np.indices(GRID.shape) + 0.5
    east = transform[0] * col + transform[1] * row
    north = transform[3] * col + transform[4] * row
    order = np.lexsort((east.ravel(), -north.ravel()))
    assert found.ravel().tolist() == GRID.ravel()[order].tolist()
    assert notes == ()


@given(st.floats(0.001, np.pi / 2 - 0.001), st.integers(0, 3))
def test_a_grid_turned_by_another_angle_stays_as_stored_with_a_note(angle, quarters):
    angle += quarters * np.pi / 2
    cos, sin = 30 * np.cos(angle), 30 * np.sin(angle)
    found, notes = geotiff.read_heights(by_gdal(GRID, transform=(cos, -sin, 5, sin, cos, 9)))
    same(found, GRID)
    assert notes == ("rows stay as stored: the grid is turned or sheared",)


def test_a_sheared_grid_or_one_without_a_place_stays_as_stored_with_a_note(tmp_path):
    path = tmp_path / "hill.tif"
    path.write_bytes(by_gdal(GRID, transform=(20, 5, 0, 0, 20, 0)))
    assert read(path).notes[1:] == ("rows stay as stored: the grid is turned or sheared",)
    for data in (by_gdal(GRID, transform=None), by_tifffile(GRID)):
        path.write_bytes(data)
        same(heights_of(data), GRID)
        assert read(path).notes[1:] == (
            "rows stay as stored: the file does not say where north is",
        )


def test_a_file_is_known_by_its_beginning_and_takes_height_rules(tmp_path):
    path = tmp_path / "hill.dem"
    path.write_bytes(by_gdal(np.array([[0.0, 120.0], [260.0, 90.0]], "float32")))
    assert read(path).format == "GeoTIFF"
    tilemap = TileMap.load(path, heights=HeightRules(step=100.0))
    assert tilemap.level.tolist() == [[0, 1], [2, 0]]


VRT = b'<VRTDataset rasterXSize="1" rasterYSize="1"><VRTRasterBand/></VRTDataset>'


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"II*\0", "is not a TIFF image that can be read: Cannot read TIFF header"),
        (VRT, "is not a TIFF image that can be read: not recognized as being in a supported"),
        (by_gdal(np.zeros((2, 3, 4), "float32")), "must hold one band of heights, has 2"),
        (by_gdal(np.zeros((4, 3, 4), "float32")), "must hold one band of heights, has 4"),
        (by_gdal(np.zeros((3, 4), "complex64")), "holds complex numbers"),
        (by_gdal(np.array([[[9]], [[1]], [[2]]], "uint8")), "row 0, column 0: is colored"),
        (by_gdal(np.zeros((4097, 4096), "uint8"), compress="lzw"), "the limit is 16777216"),
        (
            by_gdal(
                *(np.zeros((2, 2), "uint8"), "GTiff", NORTH_UP, lambda _: None),
                **{"SPARSE_OK": True, "tiled": True, "blockxsize": 8192, "blockysize": 4096},
            ),
            "has tiles of 4096 x 8192 samples in 1 bands, the limit is 16777216",
        ),
        (by_gdal(HEIGHTS.astype("float32"))[:9000], "is not a TIFF image that can be read: band"),
    ],
)
def test_what_holds_no_heights_is_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        geotiff.read_heights(data)


def test_a_scale_that_is_no_number_is_refused():
    heights = np.array([[10, 20]], "int16")

    def finish(file):
        file.write(heights, 1)
        file.scales = [NAN]

    with pytest.raises(MapFileError, match="its scale is nan"):
        geotiff.read_heights(by_gdal(heights, finish=finish))


def test_the_size_is_checked_before_any_sample_is_read(monkeypatch):
    rasterio = import_or_skip("rasterio")
    monkeypatch.setattr(rasterio.DatasetReader, "read", None, raising=False)
    with pytest.raises(MapFileError, match="has 70 x 90 samples, the limit is 6299"):
        geotiff.read_heights(by_gdal(HEIGHTS.astype("float32")), 6299)


def test_without_rasterio_the_message_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "hill.tif"
    path.write_bytes(by_tifffile(GRID))
    monkeypatch.setitem(sys.modules, "rasterio", None)
    with pytest.raises(MapFileError) as refused:
        TileMap.load(path)
    assert str(refused.value) == (
        f"{path}: a GeoTIFF needs rasterio, which is not installed: "
        'pip install "terrain3d-tactics[elevation]"'
    )


DAMAGE = """
import random, sys
from terrain3d import MapFileError
from terrain3d.formats import geotiff
rng, n_refused = random.Random(7), 0
files = [open(path, "rb").read() for path in sys.argv[1:]]
for number in range(2000):
    whole = files[number % len(files)]
    data = bytearray(whole)
    for _ in range(rng.choice((1, 2, 5, 20))):
        at = rng.randrange(len(data) if rng.random() < 0.6 else 300)
        data[at] = rng.randrange(256)
    try:
        end = rng.randrange(len(data)) if rng.random() < 0.2 else len(data)
        geotiff.read_heights(bytes(data[:end]))
    except MapFileError:
        n_refused += 1
print(n_refused)
"""


def test_damaged_files_are_refused_without_a_word_and_do_not_end_the_process(tmp_path):
    paths = []
    for number, options in enumerate(
        (
            {"compress": "lzw"},
            {"compress": "deflate", "BIGTIFF": "YES"},
            {"compress": "lerc"},
            {"compress": "zstd", "nodata": 3, "ENDIANNESS": "BIG"},
            {"tiled": True, "blockxsize": 16, "blockysize": 16},
        )
    ):
        paths.append(tmp_path / f"{number}.tif")
        paths[-1].write_bytes(by_gdal(HEIGHTS.astype("float32"), **options))
    done = fork_python(DAMAGE, *paths)
    assert 200 < int(done.stdout) < 1900
    assert done.stderr == ""
