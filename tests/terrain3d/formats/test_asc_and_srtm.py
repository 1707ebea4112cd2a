"""Heights in ESRI ASCII grids and SRTM tiles."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from terrain3d import MapFileError
from terrain3d.formats import esri_ascii, read
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


WORDS = ("nan", "NaN", "-nan", "nan(ind)", "null", "NULL", "NA", "none", "NoData", "1.#QNAN")


@pytest.mark.parametrize("word", [*WORDS, "-1.#IND"])
def test_no_data_may_be_a_word_with_and_without_a_number_for_it(word):
    size = "ncols 2\nnrows 2\n"
    read = lambda text: esri_ascii.read_heights(text.encode())  # noqa: E731
    same(read(f"{size}NODATA_value {word}\n1 {word}\nNaN -9999"), [[1, NAN], [NAN, -9999]])
    same(read(f"{size}NODATA_value 7\n1 {word}\n7 -9999"), [[1, NAN], [NAN, -9999]])
    same(read(f"{size}1 {word}\n7 -9999"), [[1, NAN], [7, NAN]])
    for other in ("inf", "1e999", "1.#INF", "nan1", "nanny", "1.#", "x"):
        with pytest.raises(MapFileError, match=f"line 4: '{other}' is not a finite number"):
            read(f"{size}1 {word}\n3 {other}")


def test_a_first_row_of_a_word_and_a_number_is_no_header():
    same(esri_ascii.read_heights(b"ncols 2\nnrows 2\nnan 1\n2 3"), [[NAN, 1], [2, 3]])


@pytest.mark.parametrize("name", ["NODATA", "nodata_value", "NO_DATA", "No_Data_Value"])
@pytest.mark.parametrize("gap", [" ", ":", ": ", " : ", "=", "\t"])
def test_names_of_the_header_may_end_in_a_colon(tmp_path, name, gap):
    text = f"ncols{gap}3\nnrows{gap}1\ncellsize{gap}5\n{name}{gap}-99\n1 -99 3"
    same(esri_ascii.read_heights(text.encode()), [[1, NAN, 3]])
    path = tmp_path / "grid"
    path.write_text(text)
    assert read(path).format == "ESRI ASCII grid"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_other_encodings_are_read(tmp_path, encoding, end):
    path = tmp_path / "grid"
    text = (ASC + "1 2.5 -99\n-4 5e1 6.\n").replace("\n", end)
    path.write_bytes(text.encode(encoding))
    same(esri_ascii.read_heights(path.read_bytes()), [[1, 2.5, NAN], [-4, 50, 6]])
    assert read(path).format == "ESRI ASCII grid"
    path.write_bytes(f"\ufeff{text}".encode("utf-16-be"))
    assert read(path).tilemap.void.tolist() == [[False, False, True], [False] * 3]


def test_the_decimal_mark_may_be_a_comma():
    start = "ncols 3\nnrows 1\ncellsize 0,5\nNODATA_value -9999,0\n"
    same(esri_ascii.read_heights(f"{start}1,5 -9999 -2,5e1".encode()), [[1.5, NAN, -25]])
    for row, wrong in (("1,5 2.5 3", "2.5"), ("1,234.5 2 3", "1,234.5"), ("1,2,3 4 5", "1,2,3")):
        with pytest.raises(MapFileError, match=f"line 5: '{wrong}' is not a finite number"):
            esri_ascii.read_heights((start + row).encode())


@given(
    st.floats(width=32, allow_nan=False, allow_infinity=False),
    st.sampled_from(["%.9g", "%.17g", "%r"]),
)
@example(-3.4028234663852886e38, "%.9g")
@example(float(np.float32(-9999.9)), "%.9g")
def test_the_number_for_no_data_may_be_rounded_to_32_bits(number, style):
    """A program that keeps 32 bits writes other digits than stand in the header."""
    near = np.nextafter(np.float32(number), np.float32(0))
    between = float(number) + (float(near) - float(number)) / 4
    text = f"ncols 2\nnrows 1\nNODATA_value {between!r}\n{style % number} 5"
    height = 5.0 if np.float32(between) != 5 else NAN
    expected = NAN if np.float32(between) == np.float32(number) else number
    if min(abs(between), abs(number)) > 1e12:
        expected = NAN
    same(esri_ascii.read_heights(text.encode()), [[expected, height]])


@pytest.mark.parametrize("digits", range(1, 17))
def test_no_data_beyond_all_heights_may_have_fewer_digits(digits):
    number = -3.4028234663852886e38
    text = f"ncols 2\nnrows 1\nNODATA_value {number!r}\n{number:.{digits}g} 5"
    same(esri_ascii.read_heights(text.encode()), [[NAN, 5]])


def test_whole_numbers_beside_that_for_no_data_stay_heights():
    text = b"ncols 3\nnrows 1\nNODATA_value 9999999\n9999998 9999999 10000000"
    same(esri_ascii.read_heights(text), [[9999998, NAN, 10000000]])


@pytest.mark.parametrize("name", ["cellsize", "dx", "dy"])
@pytest.mark.parametrize("size", ["-1", "0", "-0,5"])
def test_a_cell_has_a_size(name, size):
    with pytest.raises(MapFileError, match=f"line 3: {name} must be > 0, got {size}"):
        esri_ascii.read_heights(f"ncols 3\nnrows 1\n{name} {size}\n1 2 3".encode())


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
        ("ncols 3\nncols 3\n", 2, "a header has ncols once"),
        ("ncols 3\nnrows 2\nNODATA 3\nNODATA_value 3\n", 4, "nodata_value once"),
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
        (ASC + "1 2 3\n4 inf 6", 8, "'inf' is not a finite number"),
        (ASC + "1 2 3\n4 1e999 6", 8, "'1e999' is not a finite number"),
        (ASC + "1 2 3\n4 1_0 6", 8, "'1_0' is not a finite number"),
        (ASC + "1 2 3\n4 5-6 6", 8, "'5-6' is not a finite number"),
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
