"""MovingAI maps and scenarios: what the signs mean, and errors that name the line."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ai import Navigation
from terrain3d import MapFileError, TileMap
from terrain3d.mapfile import read
from terrain3d.mapfile.movingai import movingai_map, scenarios, terrain_characters
from tests.support.paths import SAMPLES

MOVINGAI = SAMPLES / "movingai"

HEADER = "type octile\nheight 2\nwidth 3\nmap\n"


def written(tilemap, tmp_path):
    path = tmp_path / "out.map"
    notes = tilemap.export(path)
    return path.read_text(), notes


lines_apart = pytest.mark.parametrize("end", ["\n", "\r\n"])


def parse_map(text):
    return movingai_map.parse_map(text.encode())


def parse_scenarios(text):
    return scenarios.parse_scenarios(text.encode())


def kinds_by_name(arrays):
    return [[arrays.kinds[index].name for index in row] for row in arrays.kind]


@lines_apart
@pytest.mark.parametrize("after", ["", "\n", "\n\n  \n"])
def test_signs_become_kinds_on_flat_ground(end, after):
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
    tilemap = TileMap(*parse_map(HEADER + "..@\n.T."))
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
        [names.get(sign, "void") for sign in row] for row in rows
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
        ("height 2 3", 1, "each once, in 'height 2 3'"),
        ("depth 2", 1, "each once, in 'depth 2'"),
        ("x" * 99, 1, r"in 'x{60}\.\.\.'$"),
        ("type octile\nheight 0\nwidth 3\nmap\n", 4, r"1\.\.67108864 tiles, got 0 x 3"),
        ("type octile\nheight -2\nwidth 3\nmap\n", 4, "got -2 x 3"),
        ("type octile\nheight 2.0\nwidth 3\nmap\n", 4, r"got 2\.0 x 3"),
        ("type octile\nheight 8193\nwidth 8192\nmap\n", 4, "got 8193 x 8192"),
        (f"type octile\nheight {'9' * 5000}\nwidth 3\nmap\n", 4, "got 9{20} x 3"),
        (HEADER + "...\n.x.", 6, "column 2 is 'x'; a tile is one of . G S W T @ O, or "),
        (HEADER + " ...\n...", 5, "column 1 is ' '"),
        (HEADER + "..\n...", 5, "has 2 tiles, the header says 3"),
        (HEADER + "...\n....", 6, "has 4 tiles, the header says 3"),
        (HEADER + "...\n\n...", 6, "has 0 tiles, the header says 3"),
        (HEADER, 5, "ends after 0 rows, the header says 2"),
        (HEADER + "...", 5, "ends after 1 rows, the header says 2"),
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


def test_what_a_file_says_of_itself_stays_a_harmless_line_in_errors():
    with pytest.raises(MapFileError) as caught:
        parse_map("height \0\x1b[31m3\nwidth 1\ntype octile\nmap\n.")
    assert "got   [31m3 x 1" in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_map_of_declared_size_alone_takes_no_memory_of_that_size():
    text = "type octile\nheight 67108864\nwidth 1\nmap\n."
    with pytest.raises(MapFileError, match="ends after 1 rows, the header says 67108864"):
        parse_map(text)


SCENARIO = "7\tmaps/keep.map\t5\t4\t1\t2\t4\t0\t3.82842712"


@lines_apart
@pytest.mark.parametrize("version", ["version 1", "version 1.0", "version\t1"])
@pytest.mark.parametrize("gap", ["\t", " ", "   "])
def test_a_scenario_is_a_query_with_its_length(end, version, gap):
    text = f"{version}\n{SCENARIO}\n\n{SCENARIO}".replace("\t", gap).replace("\n", end)
    first, second = parse_scenarios(text)
    assert first == second
    assert (first.bucket, first.map_name, first.rows, first.cols) == (7, "maps/keep.map", 4, 5)
    assert (first.start, first.goal, first.optimal_length) == ((2, 1, 0), (0, 4, 0), 3.82842712)


def test_a_file_may_hold_no_scenario():
    assert parse_scenarios("version 1\n") == []


def test_between_tabs_a_name_may_have_spaces():
    (scenario,) = parse_scenarios("version 1\n" + SCENARIO.replace("keep", "the old keep"))
    assert scenario.map_name == "maps/the old keep.map"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("maps/keep.map\t", "", "a scenario has 9 fields, got 8"),
        ("\t3.82", "\t0\t3.82", "a scenario has 9 fields, got 10"),
        ("7\t", "x\t", "bucket, start and goal must be whole numbers"),
        ("1\t2\t4", "1\t-2\t4", "bucket, start and goal must be whole numbers"),
        ("1\t2\t4", "1\t2.5\t4", "bucket, start and goal must be whole numbers"),
        ("1\t2\t4", f"1\t{'9' * 5000}\t4", "bucket, start and goal must be whole numbers"),
        ("1\t2\t4", "5\t2\t4", "start and goal must lie on 5 columns and 4 rows"),
        ("1\t2\t4", "1\t4\t4", "start and goal must lie on 5 columns and 4 rows"),
        ("4\t0\t3", "5\t0\t3", "start and goal must lie on 5 columns and 4 rows"),
        ("4\t0\t3", "4\t4\t3", "start and goal must lie on 5 columns and 4 rows"),
        ("5\t4\t1", "5\t0\t1", r"height x width must be 1\.\.67108864 tiles, got 0 x 5"),
        ("5\t4\t1", "99999\t99999\t1", "got 99999 x 99999"),
        ("3.82842712", "-1", "the optimal length must be a finite number >= 0"),
        ("3.82842712", "nan", "the optimal length must be a finite number >= 0"),
        ("3.82842712", "1e999", "the optimal length must be a finite number >= 0"),
        ("3.82842712", "1_0", "the optimal length must be a finite number >= 0"),
    ],
)
def test_a_wrong_scenario_is_refused_by_line(old, new, says):
    assert old in SCENARIO
    text = f"version 1\n{SCENARIO}\n{SCENARIO.replace(old, new, 1)}"
    with pytest.raises(MapFileError, match=says) as caught:
        parse_scenarios(text)
    assert caught.value.line == 3


def test_scenarios_without_end_are_refused(monkeypatch):
    monkeypatch.setattr(scenarios, "MAX_SCENARIOS", 2)
    assert len(parse_scenarios(f"version 1\n{SCENARIO}\n\n{SCENARIO}\n\n")) == 2
    with pytest.raises(MapFileError, match="line 4: a file has at most 2 scenarios"):
        parse_scenarios("version 1\n" + f"{SCENARIO}\n" * 3)


@pytest.mark.parametrize("text", ["", SCENARIO, "version 2\n", "version\n", "\nversion 1\n"])
def test_a_file_of_another_version_is_refused(text):
    with pytest.raises(MapFileError, match="line 1: must be 'version 1'"):
        parse_scenarios(text)


@pytest.mark.parametrize("load", [movingai_map.load_map, scenarios.load_scenarios])
def test_what_is_no_readable_file_is_refused_by_name(load, tmp_path):
    for path in (tmp_path, tmp_path / "missing.map", tmp_path / "a\0b"):
        with pytest.raises(MapFileError, match=r"no such file|not a regular file") as caught:
            load(path)
        assert caught.value.source == str(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(MapFileError, match="is not a regular file"):
        movingai_map.load_map(tmp_path / "pipe")


def test_a_file_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(movingai_map, "MAX_BYTES", 10)
    path = tmp_path / "large.map"
    path.write_bytes(b"x" * 11)
    with pytest.raises(MapFileError, match=r"large\.map: is larger than 10 bytes"):
        movingai_map.load_map(path)


def test_files_are_read_and_named_in_errors(tmp_path):
    path = tmp_path / "keep.map"
    path.write_bytes((HEADER + "..@\r\n.T.").encode())
    assert movingai_map.load_map(path).kind.shape == (2, 3)
    path.write_bytes((HEADER + "..@\n.?.").encode())
    with pytest.raises(MapFileError, match=r"keep\.map, line 6: column 2 is '\?'"):
        movingai_map.load_map(path)
    path.write_bytes(f"version 1\n{SCENARIO}\n".encode())
    assert len(scenarios.load_scenarios(path)) == 1


def test_a_map_is_written_with_the_published_header(tmp_path):
    text, notes = written(TileMap(*parse_map(HEADER + "GSW\nT@O")), tmp_path)
    assert text == HEADER + ".SW\nT@@\n"
    assert notes == ()


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_what_the_format_can_hold_comes_back_equal(tmp_path_factory, rows, cols, data):
    kind = data.draw(st.lists(st.integers(0, 4), min_size=rows * cols, max_size=rows * cols))
    kind = np.reshape(kind, (rows, cols))
    text, notes = written(
        TileMap(np.zeros_like(kind), kind, terrain_characters.KINDS), tmp_path_factory.getbasetemp()
    )
    again = parse_map(text)
    assert (again.kind.tolist(), again.level.tolist()) == (kind.tolist(), (kind * 0).tolist())
    assert notes == ()


def test_other_kinds_become_the_nearest_and_that_is_said(tmp_path):
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


LETTERED = "type octile\nheight 2\nwidth 8\nmap\nABCDEFGH\nIJKLMNOP\n"
TERRAINS = (
    *("black", "deep water", "water", "river", "swamp", "ground", "trees", "road"),
    *("desert", "ice", "jungle", "plains", "blight", "tundra", "mountain", "hills"),
)


def weigh(tmp_path, text):
    path = tmp_path / "terrain.weight"
    path.write_text(text)
    return movingai_map.load_weights(path)


def test_a_mark_of_utf_8_before_a_file_does_not_count(tmp_path):
    path = tmp_path / "marked.txt"
    path.write_bytes(b"\xef\xbb\xbf" + (HEADER + "...\n.S.").encode())
    assert TileMap.load(path).kind_at((1, 1)).name == "swamp"
    assert len(parse_scenarios(f"\ufeffversion 1\n{SCENARIO}")) == 1


def test_letters_are_terrains_that_cost_1_and_that_is_said(tmp_path):
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
def test_maps_of_letters_come_back_as_they_are(tmp_path_factory, signs):
    text = f"{HEADER}{signs[:3]}\n{signs[3:]}\n"
    arrays = parse_map(text)
    again, notes = written(TileMap(*arrays), tmp_path_factory.getbasetemp())
    assert notes == ()
    if set(signs) <= {"G", "O"}:  # which mean something else in all other maps
        assert arrays.kinds == terrain_characters.KINDS
    else:
        assert again == text


def test_letters_and_other_signs_do_not_mix():
    for rows, place in (("FG.\nFFF", "line 5: column 1 is 'F'"), ("FFF\nFQF", "line 6: column 2")):
        with pytest.raises(MapFileError, match=f"{place}.*every tile is one of A to P, in"):
            parse_map(HEADER + rows)


def test_weights_are_what_entering_costs(tmp_path):
    weights = weigh(tmp_path, "E 2.5\n\nF\t1\r\nB 0\nZ 7\n")
    assert weights == {"E": 2.5, "F": 1, "B": 0, "Z": 7}
    path = tmp_path / "weighted.map"
    path.write_text(HEADER + "EFB\nFFF\n")
    tilemap = TileMap.load(path, weights=weights)
    costs = {kind.name: kind.cost for kind in tilemap.kinds}
    assert costs == {"deep water": None, "swamp": 2.5, "ground": 1, "void": None}
    assert read(path, weights=weights).notes == ()
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 1), (0, 0)).cost == 2.5
    assert not navigation.find_path((0, 1), (0, 2))
    text, notes = written(tilemap, tmp_path)
    assert text == HEADER + "EFB\nFFF\n"
    assert notes == (
        "left out: kinds of ground (deep water loses its own cost and looks, "
        "swamp loses its own cost and looks)",
    )


def test_with_weights_any_sign_has_a_meaning(tmp_path):
    weights = weigh(tmp_path, "# 3\nQ 2\nZ 0\n. 1\nG 4\n@ 0\nO 5\nW 6\nT 0\n")
    arrays = movingai_map.parse_map((HEADER + "#QZ\n.@#").encode(), weights=weights)
    assert kinds_by_name(arrays) == [
        ["ground #", "ground Q", "ground Z"],
        ["ground .", "ground @", "ground #"],
    ]
    assert {kind.name: kind.cost for kind in arrays.kinds} == {
        "ground #": 3, "ground .": 1, "ground @": None, "ground Q": 2, "ground Z": None,
    }  # fmt: skip
    arrays = movingai_map.parse_map((HEADER + ".G@\nOWT").encode(), weights=weights)
    assert kinds_by_name(arrays) == [["grass", "grass G", "void"], ["ground O", "water", "tree"]]
    assert [kind.cost for kind in arrays.kinds] == [1, None, 4, 5, None, 6]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("A", 1, "must be a terrain character and the cost of entering it, in 'A'"),
        ("A 1\nBC 2", 2, "must be a terrain character and the cost of entering it"),
        ("A 1 2", 1, "must be a terrain character"),
        ("A -1", 1, "must be a terrain character"),
        ("A nan", 1, "must be a terrain character"),
        ("A 1e999", 1, r"a weight must be in 0\.\."),
        ("A 1\n\nA 1", 3, "'A' already has a weight"),
        ("é 1", 1, "is not ASCII"),
    ],
)
def test_wrong_weights_are_refused_by_line(tmp_path, text, line, says):
    with pytest.raises(MapFileError, match=rf"terrain\.weight, line {line}: .*{says}"):
        weigh(tmp_path, text)


def test_weights_are_for_all_signs_of_a_movingai_map_and_for_no_other(tmp_path):
    path = tmp_path / "a.map"
    path.write_text(HEADER + "...\n.G.")
    with pytest.raises(MapFileError, match=r"line 6: column 2 is 'G'; it has no weight"):
        TileMap.load(path, weights={".": 1})
    with pytest.raises(ValueError, match="cost of 'grass' must be in 0"):
        TileMap.load(path, weights={".": -1, "G": 1})
    path.write_text("01")
    with pytest.raises(MapFileError, match="is a text picture: weights do not apply"):
        TileMap.load(path.rename(tmp_path / "a.txt"), weights={".": 1})


near_maps = st.lists(
    st.sampled_from(
        ["type octile", "height 2", "width 2", "height 1", "map", "..", ".@", "", "W", "height"]
    )
    | st.text(max_size=4),
    max_size=9,
).map("\n".join)
near_scenarios = st.lists(
    st.lists(st.sampled_from([*"0123456789", "-1", "a", "1e9", "nan", "", "٣"]), max_size=10),
    max_size=4,
).map(lambda rows: "\n".join(["version 1", *("\t".join(row) for row in rows)]))
anything = st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))


@given(anything | near_maps.map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"type octile\nheight 2\nwidth 2\nmap\n..\n.@\n")
def test_any_bytes_are_a_map_or_a_map_file_error(data):
    try:
        arrays = movingai_map.parse_map(data)
    except MapFileError:
        return
    assert arrays.level.shape == arrays.kind.shape
    assert np.all(arrays.kind < len(arrays.kinds))


@given(st.lists(st.text("AFQ. 0123456789é-.e", max_size=5), max_size=4))
def test_any_text_is_weights_or_a_map_file_error(tmp_path_factory, lines):
    try:
        weights = weigh(tmp_path_factory.getbasetemp(), "\n".join(lines))
    except MapFileError:
        return
    assert all(len(sign) == 1 and weight >= 0 for sign, weight in weights.items())


@given(anything | near_scenarios.map(str.encode))
@example(b"version 1\n0 a 2 2 0 0 1 1 1.5")
def test_any_bytes_are_scenarios_or_a_map_file_error(data):
    try:
        found = scenarios.parse_scenarios(data)
    except MapFileError:
        return
    for scenario in found:
        for row, col, _ in (scenario.start, scenario.goal):
            assert 0 <= row < scenario.rows
            assert 0 <= col < scenario.cols


@pytest.mark.skipif(not MOVINGAI.is_dir(), reason="the published benchmark files are not here")
def test_published_maps_fit_their_published_scenarios():
    for path in sorted(MOVINGAI.glob("*.map")):
        void_or_wall = ~np.isin(movingai_map.load_map(path).kind, [0, 1])
        found = [*MOVINGAI.glob(f"{path.name}.scen"), *MOVINGAI.glob(f"{path.stem}-*.scen")]
        assert found
        for scenario in (entry for name in found for entry in scenarios.load_scenarios(name)):
            assert (scenario.rows, scenario.cols) == void_or_wall.shape
            assert Path(scenario.map_name).name == path.name
            assert not void_or_wall[scenario.start[:2]]
            assert not void_or_wall[scenario.goal[:2]]
