"""Heights in ESRI ASCII grids and SRTM tiles."""

import numpy as np
import pytest

from terrain3d import MapFileError
from terrain3d.formats import esri_ascii
from terrain3d.formats.raw import SIDES, read_srtm
from tests.support.height_files import ASC, NAN, same


def test_an_asc_grid_has_its_first_row_in_the_north():
    same(
        esri_ascii.read_heights((ASC + "1 2.5 -99\n-4 5e1 6.\n").encode()),
        [[1, 2.5, NAN], [-4, 50, 6]],
    )


@pytest.mark.parametrize(
    "text",
    [
        "NCOLS 3\r\nNROWS 2\r\nnodata_VALUE -99\r\n1 2.5 -99\r\n-4 50 6",
        "\ufeffncols 3\nnrows 2\n\n  dx 1\ndy 2\nnodata_value -99.0\n1\n2.5\t-99 -4\n 50 6\n\n",
        "nrows 2\nncols 3\nnodata_value -99\n1 2.5 -99 -4 +50 6",
    ],
)
def test_asc_grids_in_other_layouts_are_read(text):
    same(esri_ascii.read_heights(text.encode()), [[1, 2.5, NAN], [-4, 50, 6]])


def test_without_a_word_no_data_is_minus_9999():
    same(esri_ascii.read_heights(b"ncols 2\nnrows 1\n-9999 -99"), [[NAN, -99]])


@pytest.mark.parametrize("nan", ["nan", "NaN"])
def test_no_data_may_be_nan(nan):
    start = f"ncols 2\nnrows 2\nNODATA_value {nan}\n"
    same(esri_ascii.read_heights(f"{start}1 nan\nNaN -9999".encode()), [[1, NAN], [NAN, -9999]])
    for word in ("na", "inf", "1e999", "nan1"):
        with pytest.raises(MapFileError, match=f"line 5: '{word}' is not a finite number"):
            esri_ascii.read_heights(f"{start}1 nan\n3 {word}".encode())


def test_a_large_asc_grid_is_read_in_parts(monkeypatch):
    monkeypatch.setattr(esri_ascii, "_PART_BYTES", 7)
    heights = np.random.default_rng(3).integers(-500, 9000, (13, 17)) / 4
    text = "ncols 17\nnrows 13\n" + "\n".join(" ".join(map(repr, r)) for r in heights.tolist())
    same(esri_ascii.read_heights(text.encode()), heights)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "begins with ncols and nrows"),
        ("1 2 3", 1, "begins with ncols and nrows"),
        ("ncols 3\n1 2 3", 2, "begins with ncols and nrows"),
        ("ncols 3\nncols 3\n", 2, "once"),
        ("ncols 3\nnorth 3\n", 2, "a header has numbers named ncols"),
        ("ncols 3\nnrows x\n", 2, "a header has numbers"),
        ("ncols 3\nnrows 2\ncellsize nan\n", 3, "a header has numbers"),
        ("ncols 0\nnrows 2\n", None, ">= 1, got 0"),
        ("ncols -3\nnrows 2\n", None, ">= 1, got -3"),
        ("ncols 3.5\nnrows 2\n", None, "whole numbers >= 1, got 3.5"),
        ("ncols 99999\nnrows 99999\n1", None, "has 99999 x 99999 samples, the limit is 16777216"),
        ("ncols 4000\nnrows 4000\n1", None, "is too short for 4000 x 4000 samples"),
        (ASC + "1 2 3\n4 5", None, "is too short for 2 x 3"),
        (ASC + "1 2 3\n4 5    ", None, "has 5 samples, the header says 2 x 3"),
        (ASC + "1 2 3\n4 5 6 7", None, "has more samples than 2 x 3"),
        (ASC + "1 2 3\n4 x 6", 8, "'x' is not a finite number"),
        (ASC + "1 2 nan\n4 5 6", 7, "'nan' is not a finite number"),
        (ASC + "1 2 3\n4 inf 6", 8, "'inf' is not a finite number"),
        (ASC + "1 2 3\n4 1e999 6", 8, "'1e999' is not a finite number"),
        (ASC + "1 2 3\n4 1_0 6", 8, "'1_0' is not a finite number"),
        (ASC + "1 2 3\n4 5-6 6", 8, "'5-6' is not a finite number"),
        (ASC + "1,5 2 3\n4 5 6", 7, "'1,5' is not a finite number"),
        (ASC + "1 2 3\n4 ٣ 6", 8, "is not a finite number"),
        (ASC + "1 2 3\n4 \0 6 7", 8, "is not a finite number"),
    ],
)
def test_a_wrong_asc_grid_is_refused_by_line(text, line, says):
    with pytest.raises(MapFileError, match=says) as caught:
        esri_ascii.read_heights(text.encode())
    assert caught.value.line == line


@pytest.mark.parametrize("side", SIDES)
def test_a_tile_of_the_radar_mission_is_big_endian_from_the_north(side):
    meters = np.full((side, side), 1234, ">i2")
    meters[0, 1], meters[-1, 0], meters[5, 5] = 4806, -430, -32768
    got = read_srtm(meters.tobytes())
    assert (got[0, 0], got[0, 1], got[-1, 0]) == (1234, 4806, -430)
    assert np.flatnonzero(np.isnan(got)).tolist() == [5 * side + 5]


@pytest.mark.parametrize("size", [0, 1, 2884801, 2884803, 25934401])
def test_a_tile_of_another_size_is_refused(size):
    with pytest.raises(MapFileError, match=f"1201 x 1201 samples or 25934402.*got {size}"):
        read_srtm(bytes(size))


def test_a_tile_beyond_the_limit_is_refused():
    with pytest.raises(MapFileError, match="has 1442401 samples, the limit is 1000000"):
        read_srtm(bytes(2884802), max_samples=10**6)
