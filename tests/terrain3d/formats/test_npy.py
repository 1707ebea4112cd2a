"""Heights in numpy arrays and archives."""

import struct
import zipfile

import numpy as np
import pytest

from terrain3d import MapFileError, TileMap
from terrain3d.formats import npy
from tests.support.height_files import (
    FEW_BYTES,
    NAN,
    archived,
    peak_while,
    png_of,
    refusal,
    same,
    saved,
    zipped,
)


@pytest.mark.parametrize("dtype", ["u1", "<i2", ">i2", "<u4", ">f4", "f8", "f2", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_may_hold_any_numbers(dtype, order):
    array = np.array([[1, 0, 1], [0, 0, 1]], dtype, order=order)
    same(npy.read_heights(saved(array)), array)
    same(npy.read_archive(zipped(dem=array, name=np.array("alps"))), array)


def test_nan_in_an_array_is_no_height():
    same(npy.read_heights(saved(np.array([[NAN, 2.0]]))), [[NAN, 2]])


def header(text, version=b"\x01\x00"):
    data = text.encode()
    return b"\x93NUMPY" + version + struct.pack("<H", len(data)) + data


FINE = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "has no array header"),
        (b"\x93NUMPY\x03\x00", "has no array header"),
        (header("(" * 3000), "has no array header"),
        (header("{'descr': '<f8'}"), "has no array header"),
        (header(FINE.replace("<f8", "|O")), "must hold numbers, got object"),
        (header(FINE.replace("<f8", "<c16")), "must hold numbers, got complex128"),
        (header(FINE.replace("<f8", "<M8[s]")), "must hold numbers, got datetime64"),
        (header(FINE.replace("'<f8'", "[('a', '<f8')]")), "must hold numbers"),
        (header(FINE.replace("1, 2", "-1, 2")), r"must have 1\.\.16777216 samples, got"),
        (header(FINE.replace("1, 2", "2**9, 2")), "has no array header"),
        (header(FINE.replace("1, 2", f"{10**9}, {10**9}")), r"must have 1\.\.16777216 samples"),
        (header(FINE.replace("1, 2", "9" * 300 + ", 1")), r"must have 1\.\.16777216"),
        (header(FINE) + bytes(15), "must have 16 bytes of numbers, got 15"),
        (header(FINE) + bytes(17), "must have 16 bytes of numbers, got 17"),
        (saved(np.zeros((2, 2, 2))), r"must be \(rows, cols\) numbers, got \(2, 2, 2\)"),
        (saved(np.zeros(4)), "must be"),
        (saved(np.array(["a"])), "must be"),
        (saved(np.array([[{}]]), allow_pickle=True), "must hold numbers, got object"),
    ],
)
def test_what_is_no_grid_of_numbers_is_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        npy.read_heights(data)
    with pytest.raises(MapFileError):
        npy.read_archive(archived(data))


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({}, "needs one array of"),
        ({"a": np.zeros((2, 2)), "b": np.zeros((2, 2))}, "got 2"),
        ({f"a{i}": np.zeros(1) for i in range(65)}, "holds 65 files, the limit is 64"),
    ],
)
def test_an_archive_without_exactly_one_grid_is_refused(arrays, says):
    with pytest.raises(MapFileError, match=says):
        npy.read_archive(zipped(**arrays))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", png_of(30000, 30000, 8, 0, bytes(2**20))),
        ("a.npz", archived(saved(np.zeros((1, 2))) + bytes(2**27))),
        ("a.npz", zipped(dem=np.zeros((1, 2)), more=np.zeros((8192, 8192), np.uint8))),
        ("a.npy", header(FINE.replace("1, 2", "4096, 4096"))),
        ("a.asc", b"ncols 4096\nnrows 4096\n1 2 3"),
    ],
)
def test_bombs_do_not_go_off(tmp_path, name, data):
    assert len(data) < 500_000
    path = tmp_path / name
    path.write_bytes(data)

    def refuse():
        with pytest.raises(MapFileError, match=str(path)):
            TileMap.load(path)

    assert peak_while(refuse) < FEW_BYTES


def test_texts_of_an_archive_count_by_their_bytes():
    long = header(FINE.replace("<f8", "<U500").replace("1, 2", "262144, 1"))
    with pytest.raises(MapFileError, match="dem: makes the arrays larger than 269484032 bytes"):
        npy.read_archive(archived(long))


def test_names_in_an_archive_are_shown_on_one_line(tmp_path):
    with zipfile.ZipFile(tmp_path / "bad.npz", "w") as archive:
        archive.writestr("dem.npy", saved(np.eye(3)))
        archive.writestr("a\nb" * 300, b"")
    said = refusal(tmp_path / "bad.npz")
    assert "bad.npz, a ba b" in said
    assert said.isprintable()
    assert len(said) < 600
