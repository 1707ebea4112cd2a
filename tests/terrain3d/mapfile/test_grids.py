"""Files of heights: what is in them, and whatever is not refused with its place."""

import io
import struct
import subprocess
import sys
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from terrain3d import MapFileError, TileKind, TileMap
from terrain3d.mapfile import HeightRules
from terrain3d.mapfile.heights import esri_ascii, height_image, npy, srtm
from tests.support.map_states import state_of

FEW_BYTES = 20_000_000
NAN = np.nan
ASC = "ncols 3\nnrows 2\nxllcorner 7.5\nyllcorner 46\ncellsize 0.1\nNODATA_value -99\n"


def saved(array, **more):
    stream = io.BytesIO()
    np.save(stream, array, **more)
    return stream.getvalue()


def zipped(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def pictured(array, mode=None, **more):
    stream = io.BytesIO()
    image = Image.fromarray(np.asarray(array))
    (image.convert(mode) if mode else image).save(stream, "PNG", **more)
    return stream.getvalue()


def same(got, wanted):
    assert np.array_equal(got, np.array(wanted, float), equal_nan=True)


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
def test_an_asc_grid_may_be_written_in_many_ways(text):
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


@pytest.mark.parametrize("side", srtm.SIDES)
def test_a_tile_of_the_radar_mission_is_big_endian_from_the_north(side):
    meters = np.full((side, side), 1234, ">i2")
    meters[0, 1], meters[-1, 0], meters[5, 5] = 4806, -430, -32768
    got = srtm.read_heights(meters.tobytes())
    assert (got[0, 0], got[0, 1], got[-1, 0]) == (1234, 4806, -430)
    assert np.flatnonzero(np.isnan(got)).tolist() == [5 * side + 5]


@pytest.mark.parametrize("size", [0, 1, 2884801, 2884803, 25934401])
def test_a_tile_of_another_size_is_refused(size):
    with pytest.raises(MapFileError, match=f"1201 x 1201 samples or 25934402.*got {size}"):
        srtm.read_heights(bytes(size))


def test_a_tile_beyond_the_limit_is_refused():
    with pytest.raises(MapFileError, match="has 1442401 samples, the limit is 1000000"):
        srtm.read_heights(bytes(2884802), max_samples=10**6)


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


GROUND = {"level": np.array([[3, 0], [0, 40]]), "kind": np.array([[0, 1], [1, 2]])}
NAMES = np.array(["grass", "moor", "void"])


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
        ({**GROUND, "step_height": np.array(NAN)}, "step_height must be finite"),
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


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def start_of(width, height, depth, color):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))


def png_of(width, height, depth, color, data, before=b""):
    start = before + start_of(width, height, depth, color)
    parts = start, chunk(b"IDAT", zlib.compress(data, 9)), chunk(b"IEND", b"")
    return height_image.MAGIC + b"".join(parts)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is no PNG image"),
        (height_image.MAGIC, "is no PNG image"),
        (pictured(np.zeros((2, 2), np.uint8))[:60], "is cut short"),
        (pictured(np.zeros((2, 2), np.uint8)).replace(b"IDAT", b"IDOT"), "is no PNG image"),
        (pictured(np.array([[[9, 9, 9], [1, 2, 3]]], np.uint8)), "row 0, column 1: is colored"),
        (png_of(1, 1, 16, 4, bytes(5)), "16 bits with color or alpha"),
        (png_of(1, 1, 16, 2, bytes(7)), "16 bits with color or alpha"),
        (png_of(0, 1, 8, 0, b""), r"has 1 x 0 pixels"),
        (png_of(2**31, 2**31, 8, 0, b""), "the limit is 16777216"),
        (png_of(4097, 4096, 8, 0, b""), "has 4096 x 4097 pixels, the limit is 16777216"),
        (png_of(9999, 9999, 8, 0, b"", start_of(1, 1, 8, 0)), "its header has another size"),
        (png_of(5, 5, 3, 0, bytes(30)), "is no PNG image"),
        (png_of(5, 5, 8, 0, bytes(29)), "is no PNG image"),
    ],
)
def test_what_is_no_height_image_is_refused(data, says):
    with pytest.raises(MapFileError, match=says):
        height_image.read_heights(data)


@pytest.mark.parametrize("name", ["half \ud800", "cut\0", "x" * 1001])
def test_names_that_an_archive_could_not_give_back_are_refused(tmp_path, name):
    tilemap = TileMap([[0]], kinds=[TileKind(name)])
    with pytest.raises(
        ValueError, match=r"names of kinds in \.npz files have at most 1000 characters"
    ):
        tilemap.export(tmp_path / "a.npz")
    fine = TileMap([[0]], kinds=[TileKind("x" * 1000)])
    fine.export(tmp_path / "a.npz")
    assert TileMap.load(tmp_path / "a.npz").kinds[0].name == "x" * 1000


def test_without_pillow_the_command_that_installs_it_is_named(tmp_path):
    (tmp_path / "hill.png").write_bytes(pictured(np.zeros((2, 2), np.uint8)))
    code = "import sys; sys.modules['PIL'] = None\n"
    code += "from terrain3d.program import main; sys.exit(main(sys.argv[1:]))"
    for call in (["info", "hill.png"], ["convert", "hill.txt", "out.png"]):
        (tmp_path / "hill.txt").write_text("01")
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                code,
                *(word.replace("hill", f"{tmp_path}/hill") for word in call),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert (
            'a height image needs Pillow, which is not installed: pip install "pil' in done.stderr
        )
        assert len(done.stderr.splitlines()) == 1


@st.composite
def level_maps(draw, highest):
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    level = draw(st.lists(st.integers(0, highest), min_size=rows * cols, max_size=rows * cols))
    is_void = draw(st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols))
    tilemap = TileMap(np.reshape(np.where(is_void, 0, level), (rows, cols)))
    with tilemap.edit() as edit:
        for place in np.flatnonzero(is_void).tolist():
            edit.set_kind(divmod(place, cols), "void")
    return tilemap


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("grids")


@pytest.mark.parametrize("suffix", [".asc", ".npy", ".png"])
@given(data=st.data())
def test_levels_and_void_come_back_as_they_were(folder, suffix, data):
    highest = data.draw(st.sampled_from([35, 254, 255, 32767]))
    tilemap = data.draw(level_maps(highest))
    path = folder / f"map{suffix}"
    notes = tilemap.export(path)
    assert notes == ("left out: kinds of ground; reading chooses kinds by height",)
    rules = None if highest == 35 else HeightRules(as_levels=True)
    again = TileMap.load(path, heights=rules)
    assert again.level.tolist() == tilemap.level.tolist()
    assert again.void.tolist() == tilemap.void.tolist()


@given(level_maps(32767), st.sampled_from(["square", "hex_even_q"]), st.floats(0.01, 9))
def test_the_ground_comes_back_from_an_archive(folder, tilemap, topology, step_height):
    tilemap = TileMap(tilemap.level, tilemap.kind, tilemap.kinds, step_height, topology)
    assert tilemap.export(folder / "map.npz") == ()
    first = (folder / "map.npz").read_bytes()
    again = TileMap.load(folder / "map.npz")
    assert state_of(again) == state_of(tilemap)
    again.export(folder / "map.npz")
    assert (folder / "map.npz").read_bytes() == first


def peak_while(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def archived(data):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("dem.npy", data)
    return stream.getvalue()


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
    with pytest.raises(MapFileError, match="dem: makes the archive too large for 16777216 samples"):
        npy.read_archive(archived(long))


def test_pixels_beyond_a_picture_are_never_unpacked(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(png_of(2, 2, 8, 0, bytes(2**27)))
    assert peak_while(lambda: TileMap.load(path)) < FEW_BYTES


@pytest.mark.parametrize("suffix", [".asc", ".hgt", ".npy", ".npz", ".png"])
def test_a_folder_and_a_missing_file_are_refused(tmp_path, suffix):
    (tmp_path / f"folder{suffix}").mkdir()
    for name, says in (("folder", "is not a regular file"), ("none", "no such file")):
        with pytest.raises(MapFileError, match=says):
            TileMap.load(tmp_path / f"{name}{suffix}")


WHOLE = {
    ".asc": (ASC + "1 2.5 -99\n-4 5e1 6.\n").encode(),
    ".npy": saved(np.array([[1.5, NAN], [3, 4]])),
    ".npz": zipped(**GROUND, kinds=NAMES, step_height=0.25),
    ".png": pictured(np.array([[0, 255, 7], [9, 9, 9]], np.uint16), transparency=7),
}


@pytest.mark.parametrize("suffix", WHOLE)
def test_every_beginning_of_a_file_is_refused(tmp_path, suffix):
    path = tmp_path / f"cut{suffix}"
    whole = WHOLE[suffix]
    needed = len(whole.rstrip()) - {".png": 5, ".asc": 2}.get(suffix, 0)
    for length in range(1, needed):
        path.write_bytes(whole[:length])
        with pytest.raises(MapFileError):
            TileMap.load(path)


splices = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), st.binary(max_size=6)), min_size=1, max_size=4
)


@pytest.mark.parametrize("suffix", [*WHOLE, ".hgt"])
@settings(max_examples=150)
@given(splices=splices, anything=st.none() | st.binary(max_size=80))
@example(splices=[], anything=b"PK\x05\x06" + bytes(18))
def test_any_bytes_give_a_map_or_a_refusal(folder, suffix, splices, anything):
    content = WHOLE.get(suffix, b"") if anything is None else anything
    for where, length, new in splices:
        at = int(where * len(content))
        content = content[:at] + new + content[at + length :]
    path = folder / f"fuzz{suffix}"
    path.write_bytes(content)
    said = refusal(path)
    assert len(said) < 600
    assert said.isprintable()


def refusal(path):
    """Give what is said of a file that is no map, "" of one that is."""
    try:
        TileMap.load(path, max_surfaces=4096)
    except MapFileError as error:
        return str(error)
    return ""


def test_names_in_an_archive_are_shown_within_a_line(tmp_path):
    with zipfile.ZipFile(tmp_path / "bad.npz", "w") as archive:
        archive.writestr("a\nb" * 300, b"")
    said = refusal(tmp_path / "bad.npz")
    assert "bad.npz, a ba b" in said
    assert said.isprintable()
    assert len(said) < 600
