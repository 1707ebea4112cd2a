"""Heights in GeoTIFF files that GDAL and tifffile have written."""

import io
import subprocess
import sys

import numpy as np
import pytest

from terrain3d import MapFileError, TileMap
from terrain3d.mapfile import HeightRules, read
from terrain3d.mapfile.heights import geotiff
from tests.support.gdal_files import by_gdal
from tests.support.height_files import NAN, same
from tests.support.optional import import_or_skip

tifffile = import_or_skip("tifffile")

HEIGHTS = np.random.default_rng(5).normal(800.0, 300.0, (70, 90))


@pytest.mark.parametrize(
    "dtype", ["uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"]
)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"compress": "lzw"},
        {"compress": "lzw", "predictor": 2},
        {"compress": "deflate", "predictor": 2},
        {"compress": "packbits"},
        {"tiled": True, "blockxsize": 32, "blockysize": 16, "compress": "deflate"},
        {"BIGTIFF": "YES"},
        {"ENDIANNESS": "BIG"},
        {"ENDIANNESS": "BIG", "compress": "lzw"},
    ],
    ids=str,
)
def test_each_type_and_compression_of_gdal_gives_the_same_heights(dtype, options):
    heights = HEIGHTS.clip(0, 255).astype(dtype)
    found = geotiff.read_heights(by_gdal(heights, **options))
    same(found, heights.astype(np.float32 if dtype == "float64" else dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("compress", ["lzw", "deflate"])
def test_the_predictor_of_floats_is_undone_and_overviews_are_not_read(dtype, compress):
    data = by_gdal(HEIGHTS.astype(dtype), compress=compress, predictor=3, tiled=True)
    same(geotiff.read_heights(data), HEIGHTS.astype(np.float32))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.float32, np.float64])
def test_what_tifffile_writes_is_read(dtype):
    stream = io.BytesIO()
    tifffile.imwrite(stream, np.array([[1, 2, 3], [100, 0, 7]], dtype))
    same(geotiff.read_heights(stream.getvalue()), [[1, 2, 3], [100, 0, 7]])


@pytest.mark.parametrize("byteorder", "<>")
def test_whole_numbers_above_those_of_31_bits_stay_so(byteorder):
    stream = io.BytesIO()
    heights = np.array([[5, 2], [3, 4_000_000_000]], np.uint32)
    tifffile.imwrite(stream, heights, byteorder=byteorder)
    same(geotiff.read_heights(stream.getvalue()), heights)


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.uint16])
def test_numbers_are_not_inverted_where_the_lowest_is_white(dtype):
    """GDAL does not, either."""
    heights = np.array([[1, 0, 0], [0, 1, 1]], dtype)
    stream = io.BytesIO()
    tifffile.imwrite(stream, heights, photometric="miniswhite")
    found = geotiff.read_heights(stream.getvalue())
    same(found, heights * (255 if dtype is bool else 1))


def test_heights_below_zero_stay_so():
    for dtype in ("int16", "int32", "float32"):
        same(geotiff.read_heights(by_gdal(np.array([[-5, 4]], dtype))), [[-5, 4]])
    stream = io.BytesIO()
    tifffile.imwrite(stream, np.array([[-5, 4]], np.int8))
    same(geotiff.read_heights(stream.getvalue()), [[-5, 4]])


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
def test_nodata_becomes_void(tmp_path, dtype, nodata):
    path = tmp_path / "hill.tif"
    path.write_bytes(by_gdal(np.array([[5, nodata], [6, 7]], dtype), nodata=nodata))
    same(geotiff.read_heights(path.read_bytes()), [[5, NAN], [6, 7]])
    assert TileMap.load(path).void.tolist() == [[False, True], [False, False]]


def test_a_nodata_value_outside_the_type_of_the_samples_is_no_height_in_it():
    stream = io.BytesIO()
    tag = (42113, 2, 0, "-9999", True)
    tifffile.imwrite(stream, np.array([[241, 0]], np.uint8), extratags=[tag])
    same(geotiff.read_heights(stream.getvalue()), [[241, 0]])


def test_a_file_is_known_by_its_beginning_and_takes_height_rules(tmp_path):
    path = tmp_path / "hill.dem"
    path.write_bytes(by_gdal(np.array([[0.0, 120.0], [260.0, 90.0]], "float32")))
    assert read(path).format == "GeoTIFF"
    tilemap = TileMap.load(path, heights=HeightRules(step=100.0))
    assert tilemap.level.tolist() == [[0, 1], [2, 0]]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"II*\0", "is not a TIFF image that can be read"),
        (by_gdal(np.zeros((2, 3, 4), "float32")), "must hold one band of whole numbers up to 32"),
        (by_gdal(HEIGHTS.astype("int64")), "must hold one band of whole numbers up to 32"),
        (by_gdal(HEIGHTS.astype("float32"), compress="lerc"), "in the compression 34887"),
        (by_gdal(np.array([[[9]], [[1]], [[2]]], "uint8")), "row 0, column 0: is colored"),
        (by_gdal(np.zeros((4097, 4096), "uint8"), compress="lzw"), "the limit is 16777216"),
        (by_gdal(HEIGHTS.astype("float32"))[:9000], "is not a TIFF image that can be read"),
    ],
)
def test_what_holds_no_heights_is_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        geotiff.read_heights(data)


DAMAGE = """
import random, sys
from terrain3d import MapFileError
from terrain3d.mapfile.heights import geotiff
rng, n_refused = random.Random(7), 0
for path in sys.argv[1:]:
    whole = open(path, "rb").read()
    for _ in range(400):
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


def test_damaged_files_are_refused_and_do_not_end_the_process(tmp_path):
    paths = []
    for number, options in enumerate(({"compress": "lzw"}, {"compress": "deflate"}, {})):
        paths.append(tmp_path / f"{number}.tif")
        paths[-1].write_bytes(by_gdal(HEIGHTS.astype("float32"), **options))
    done = subprocess.run(
        [sys.executable, "-c", DAMAGE, *map(str, paths)], capture_output=True, check=True, text=True
    )
    assert 100 < int(done.stdout) < 1200
    assert done.stderr == ""
