"""Heights and levels in numpy arrays and archives."""

import struct
import zipfile

import numpy as np
import pytest

from terrain3d import MapFileError, TileKind, TileMap
from terrain3d.mapfile.heights import npy
from tests.support.height_files import (
    FEW_BYTES,
    GROUND,
    NAMES,
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
        (b"\x93NUMPY", "has no array header"),
        (b"\x93NUMPY\x03\x00", "has no array header"),
        (header(""), "has no array header"),
        (header("(" * 3000), "has no array header"),
        (header("{'descr': '<f8'}"), "has no array header"),
        (header(FINE.replace("1, 2", "1L, 2")), "has no array header"),
        (header(FINE.replace("<f8", "|O")), "must hold numbers, got object"),
        (header(FINE.replace("<f8", "<c16")), "must hold numbers, got complex128"),
        (header(FINE.replace("<f8", "<M8[s]")), "must hold numbers, got datetime64"),
        (header(FINE.replace("'<f8'", "[('a', '<f8')]")), "must hold numbers"),
        (header(FINE.replace("1, 2", "-1, 2")), r"must have 1\.\.16777216 samples, got"),
        (header(FINE.replace("1, 2", "0, 2")), r"must have 1\.\.16777216 samples, got"),
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


def test_an_archive_may_hold_levels_and_kinds():
    record = npy.read_archive(zipped(**GROUND, kinds=NAMES, step_height=0.25))
    tilemap = TileMap.from_record(record)
    assert tilemap.level.tolist() == [[3, 0], [0, 40]]
    assert [tilemap.kind_at((row, 1)).name for row in range(2)] == ["moor", "void"]
    assert (tilemap.kinds[0].props, tilemap.step_height) == ("meadow", 0.25)


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({}, 'needs an array "level" or one of'),
        ({"a": np.zeros((2, 2)), "b": np.zeros((2, 2))}, "got 2"),
        ({"level": np.zeros((2, 2))}, "level: must be .* whole numbers, got .* float64"),
        ({"level": np.zeros(2, int)}, r"level: must be \(rows, cols\) whole"),
        ({**GROUND, "kind": np.zeros((1, 2), int)}, r"kind: has shape \(1, 2\)"),
        ({**GROUND, "kinds": np.zeros(3)}, "kinds: must be 1..256 texts"),
        ({**GROUND, "kinds": np.array(["#a", "b", "c"])}, "kinds: a kind's name begins"),
        ({**GROUND, "kinds": np.array([""] * 3)}, "kinds: a tile kind needs a name"),
        ({**GROUND, "step_height": np.zeros(2)}, "step_height: must be one number"),
        ({**GROUND, "topology": np.zeros(2)}, "topology: must be 1..256 texts"),
        ({f"a{i}": np.zeros(1) for i in range(65)}, "holds 65 files, the limit is 64"),
    ],
)
def test_an_archive_that_is_no_map_is_refused(arrays, says):
    with pytest.raises(MapFileError, match=says):
        npy.read_archive(zipped(**arrays))


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({**GROUND, "topology": np.array("round")}, "topology"),
        ({**GROUND, "step_height": np.array(NAN)}, "step_height must be in 0.01..100"),
        ({**GROUND, "level": np.array([[-1, 0], [0, 0]])}, "level must be in 0..32767, got -1"),
        ({**GROUND, "kind": np.full((2, 2), 99)}, "kind must be in"),
        ({**GROUND, "kinds": np.array(["a", "a", "b"])}, "names of kinds must differ"),
        ({**GROUND, "kinds": np.array([7, 2**31], "<u4").view("<U1")}, "kinds: must be texts"),
    ],
)
def test_an_archive_with_wrong_values_is_refused(tmp_path, arrays, says):
    (tmp_path / "bad.npz").write_bytes(zipped(**arrays))
    with pytest.raises(MapFileError, match=says):
        TileMap.load(tmp_path / "bad.npz")


@pytest.mark.parametrize("name", ["half \ud800", "cut\0", "x" * 1001])
def test_names_that_cannot_be_read_back_from_an_archive_are_refused(tmp_path, name):
    tilemap = TileMap([[0]], kinds=[TileKind(name)])
    with pytest.raises(
        ValueError, match=r"names of kinds in \.npz files have at most 1000 characters"
    ):
        tilemap.export(tmp_path / "a.npz")
    fine = TileMap([[0]], kinds=[TileKind("x" * 1000)])
    fine.export(tmp_path / "a.npz")
    assert TileMap.load(tmp_path / "a.npz").kinds[0].name == "x" * 1000


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
        archive.writestr("a\nb" * 300, b"")
    said = refusal(tmp_path / "bad.npz")
    assert "bad.npz, a ba b" in said
    assert said.isprintable()
    assert len(said) < 600
