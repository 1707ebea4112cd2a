"""MovingAI maps: what the terrain characters mean, and errors that name the line."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import KINDS, MapFileError, TileMap
from terrain3d.formats import movingai, read
from terrain3d.formats.movingai import CHARACTER_KINDS
from tests.support.movingai_files import (
    HEADER,
    MOVINGAI,
    kinds_by_name,
    lines_apart,
    parse_map,
    written,
)
from tests.support.movingai_scenarios import load_scenarios


@lines_apart
@pytest.mark.parametrize("after", ["", "\n", "\n\n  \n"])
def test_characters_become_kinds_on_flat_ground(end, after):
    text = f"type octile\nheight 2\nwidth 4\nmap\n.GSW\nT@O.{after}"
    arrays = parse_map(text.replace("\n", end))
    assert kinds_by_name(arrays) == [
        ["grass", "grass", "swamp", "water"],
        ["tree", "void", "void", "grass"],
    ]
    assert arrays.level.tolist() == [[0] * 4] * 2
    assert {kind.name: kind.cost for kind in arrays.kinds} == {
        "grass": 1, "swamp": 1, "water": None, "tree": None, "void": None,
    }  # fmt: skip


def test_a_map_is_made_from_what_was_read():
    tilemap = parse_map(HEADER + "..@\n.T.")
    assert (tilemap.rows, tilemap.cols) == (2, 3)
    assert tilemap.void.tolist() == [[False, False, True], [False] * 3]
    assert tilemap.kind_at((1, 1)).name == "tree"


@pytest.mark.parametrize(
    "header",
    [
        "width 3\nheight 2\ntype octile\nmap\n",
        "height 2\ntype octile\n\nwidth 3\nmap\n",
        "  type\toctile \nheight   2\nwidth 3\n map \n",
    ],
)
def test_a_header_may_have_any_order_and_space(header):
    assert parse_map(header + "...\n...").kind.shape == (2, 3)


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_every_tile_lies_at_its_line_and_column(height, width, data):
    line = st.text(".GSWT@O", min_size=width, max_size=width)
    rows = data.draw(st.lists(line, min_size=height, max_size=height))
    header = f"type octile\nheight {height}\nwidth {width}\nmap\n"
    names = {".": "grass", "G": "grass", "S": "swamp", "W": "water", "T": "tree"}
    assert kinds_by_name(parse_map(header + "\n".join(rows))) == [
        [names.get(character, "void") for character in row] for row in rows
    ]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "a header has type, height and width before 'map'"),
        ("type octile\nheight 2\nmap\n...", 3, "type, height and width before 'map'"),
        ("type octile\nheight 2\nwidth 3\n", 3, "type, height and width before 'map'"),
        ("map\n...", 1, "type, height and width before 'map'"),
        ("type tile\nheight 2", 1, "'type octile', height and width, each once, in 'type tile'"),
        ("height 2\nheight 2", 2, "each once, in 'height 2'"),
        ("depth 2", 1, "each once, in 'depth 2'"),
        ("x" * 99, 1, r"in 'x{60}\.\.\.'$"),
        ("type octile\nheight 0\nwidth 3\nmap\n", 4, r"1\.\.67108864 tiles, got 0 x 3"),
        ("type octile\nheight 2.0\nwidth 3\nmap\n", 4, r"got 2\.0 x 3"),
        ("type octile\nheight 8193\nwidth 8192\nmap\n", 4, "got 8193 x 8192"),
        (f"type octile\nheight {'9' * 5000}\nwidth 3\nmap\n", 4, "got 9{20} x 3"),
        (HEADER + "...\n.x.", 6, "column 2 is 'x'; a tile is one of . G S W T @ O, or "),
        (HEADER + " ...\n...", 5, "column 1 is ' '"),
        (HEADER + "..\n...", 5, "has 2 tiles, the header says 3"),
        (HEADER + "...\n\n...", 6, "has 0 tiles, the header says 3"),
        (HEADER, 5, "ends after 0 rows, the header says 2"),
        (HEADER + "...\n", 6, "ends after 1 rows, the header says 2"),
        (HEADER + "...\n...\n\n...", 8, "follows after the last of 2 rows, in '...'"),
        (HEADER + "...\n.é.", 6, "is not ASCII"),
        ("é", 1, "is not ASCII"),
    ],
)
def test_a_wrong_map_is_refused_by_line(text, line, says):
    with pytest.raises(MapFileError, match=says) as caught:
        parse_map(text)
    assert caught.value.line == line


def test_text_from_a_file_is_one_printable_line_in_errors():
    with pytest.raises(MapFileError) as caught:
        parse_map("height \0\x1b[31m3\nwidth 1\ntype octile\nmap\n.")
    assert "got   [31m3 x 1" in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_map_of_declared_size_alone_takes_no_memory_of_that_size():
    text = "type octile\nheight 67108864\nwidth 1\nmap\n."
    with pytest.raises(MapFileError, match="ends after 1 rows, the header says 67108864"):
        parse_map(text)


def test_files_are_read_and_named_in_errors(tmp_path):
    path = tmp_path / "keep.map"
    path.write_bytes((HEADER + "..@\r\n.T.").encode())
    assert TileMap.load(path).kind.shape == (2, 3)
    path.write_bytes((HEADER + "..@\n.?.").encode())
    with pytest.raises(MapFileError, match=r"keep\.map, line 6: column 2 is '\?'"):
        TileMap.load(path)


def test_a_map_is_written_with_the_published_header(tmp_path):
    text, notes = written(parse_map(HEADER + "GSW\nT@O"), tmp_path)
    assert text == HEADER + ".SW\nT@@\n"
    assert notes == ()


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_what_the_format_can_hold_comes_back_equal(tmp_path_factory, rows, cols, data):
    kind = data.draw(st.lists(st.integers(0, 4), min_size=rows * cols, max_size=rows * cols))
    kind = np.reshape(kind, (rows, cols))
    text, notes = written(
        TileMap(np.zeros_like(kind), kind, CHARACTER_KINDS), tmp_path_factory.getbasetemp()
    )
    again = parse_map(text)
    assert (again.kind.tolist(), again.level.tolist()) == (kind.tolist(), (kind * 0).tolist())
    assert notes == ()


def test_other_kinds_become_the_most_similar_and_are_noted(tmp_path):
    tilemap = TileMap.from_text("012345")
    names = ("rock", "forest", "swamp", "lava", "deep", "shallow")
    with tilemap.edit() as edit:
        for col, name in enumerate(names):
            edit.set_kind((0, col), name)
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 7)
    text, notes = written(tilemap, tmp_path)
    assert text.splitlines()[-1] == ".SSWWS"
    assert notes == (
        "left out: levels up to 7: all tiles become level 0",
        "left out: kinds of ground (rock becomes grass, forest becomes swamp, "
        "swamp loses its own cost and looks, shallow becomes swamp, "
        "deep becomes water, lava becomes water)",
    )


@pytest.mark.skipif(not MOVINGAI.is_dir(), reason="the published benchmark files are not here")
def test_published_maps_come_back_as_they_are(tmp_path):
    for path in sorted(MOVINGAI.glob("*.map")):
        plain = path.read_text().replace("G", ".").replace("O", "@").split()
        text, notes = written(TileMap.load(path), tmp_path)
        assert (text.split(), notes) == (plain, ())


@pytest.mark.skipif(not MOVINGAI.is_dir(), reason="the published benchmark files are not here")
def test_published_maps_fit_their_published_scenarios():
    for path in sorted(MOVINGAI.glob("*.map")):
        void_or_wall = ~np.isin(TileMap.load(path).kind, [0, 1])
        found = [*MOVINGAI.glob(f"{path.name}.scen"), *MOVINGAI.glob(f"{path.stem}-*.scen")]
        assert found
        for scenario in (entry for name in found for entry in load_scenarios(name)):
            assert (scenario.rows, scenario.cols) == void_or_wall.shape
            assert Path(scenario.map_name).name == path.name
            assert not void_or_wall[scenario.start[:2]]
            assert not void_or_wall[scenario.goal[:2]]


def test_a_utf_8_byte_order_mark_is_ignored(tmp_path):
    path = tmp_path / "marked.txt"
    path.write_bytes(b"\xef\xbb\xbf" + (HEADER + "...\n.S.").encode())
    assert TileMap.load(path).kind_at((1, 1)).name == "swamp"


LETTERED = "type octile\nheight 2\nwidth 8\nmap\nABCDEFGH\nIJKLMNOP\n"


TERRAINS = (
    *("black", "deep water", "water", "river", "swamp", "ground", "trees", "road"),
    *("desert", "ice", "jungle", "plains", "blight", "tundra", "mountain", "hills"),
)


@pytest.mark.parametrize("kinds", [KINDS, movingai.TERRAINS, movingai.CHARACTER_KINDS])
def test_liquids_and_only_these_have_a_depth(kinds):
    for kind in kinds:
        is_liquid = kind.texture in ("water", "lava")
        assert is_liquid == (kind.depth > 0), kind.name


def test_letters_are_terrains_that_cost_1_with_a_note(tmp_path):
    path = tmp_path / "weighted.map"
    path.write_text(LETTERED)
    tilemap = TileMap.load(path)
    assert [tilemap.kind_at((row, col)).name for row in (0, 1) for col in range(8)] == [*TERRAINS]
    assert not tilemap.void.any()
    assert {kind.cost for kind in tilemap.kinds if kind.name != "void"} == {1}
    (note,) = read(path).notes
    assert "has no weights" in note
    assert written(tilemap, tmp_path) == (LETTERED, ())


@given(st.text("ABCDEFGHIJKLMNOP", min_size=6, max_size=6))
def test_maps_of_letters_come_back_as_they_are(tmp_path_factory, characters):
    text = f"{HEADER}{characters[:3]}\n{characters[3:]}\n"
    arrays = parse_map(text)
    again, notes = written(arrays, tmp_path_factory.getbasetemp())
    assert notes == ()
    if set(characters) <= {"G", "O"}:  # which mean something else in all other maps
        assert arrays.kinds == KINDS
    else:
        assert again == text


def test_letters_and_other_characters_do_not_mix():
    for rows, place in (("FG.\nFFF", "line 5: column 1 is 'F'"), ("FFF\nFQF", "line 6: column 2")):
        with pytest.raises(MapFileError, match=f"{place}.*every tile is one of A to P, in"):
            parse_map(HEADER + rows)
