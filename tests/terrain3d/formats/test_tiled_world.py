"""Worlds of Tiled: several maps as one, each at its place, and nothing outside the folder."""

import json

import numpy as np
import pytest

from terrain3d import KINDS, Cell, MapFileError, TileKind, TileMap
from terrain3d.formats import read
from terrain3d.formats.tiled import files, world

TILE = 32


def write_world(folder, maps=(), patterns=()):
    path = folder / "vale.world"
    path.write_text(json.dumps({"maps": list(maps), "patterns": list(patterns), "type": "world"}))
    return path


def at(name, x, y):
    return {"fileName": name, "x": x, "y": y, "width": 1, "height": 1}


def test_maps_lie_at_their_pixels_with_void_between_them(tmp_path):
    a, b = TileMap.from_noise(3, 4, 1), TileMap.from_noise(2, 3, 2)
    a.export(tmp_path / "a.tmx")
    b.export(tmp_path / "b.tmj")
    whole = TileMap.load(
        write_world(tmp_path, [at("a.tmx", -2 * TILE, -TILE), at("b.tmj", 3 * TILE, TILE)])
    )
    assert (whole.rows, whole.cols) == (4, 8)
    assert (whole.level[:3, :4] == a.level).all()
    assert (whole.level[2:, 5:] == b.level).all()
    names = np.array([kind.name for kind in whole.kinds])[whole.kind]
    assert (names[:3, :4] == np.array([kind.name for kind in a.kinds])[a.kind]).all()
    is_void = np.ones((4, 8), bool)
    is_void[:3, :4], is_void[2:, 5:] = a.void, b.void
    assert (whole.void == is_void).all()


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"])
def test_hexagons_keep_their_neighbors(tmp_path, topology):
    whole = TileMap.from_noise(8, 6, 5, topology=topology)
    rows = TileMap(whole.level[:4], whole.kind[:4], whole.kinds, topology=topology)
    rest = TileMap(whole.level[4:], whole.kind[4:], whole.kinds, topology=topology)
    rows.export(tmp_path / "rows.tmx")
    rest.export(tmp_path / "rest.tmx")
    y = 4 * 24 if topology.endswith("r") else 4 * 28
    again = TileMap.load(write_world(tmp_path, [at("rows.tmx", 0, 0), at("rest.tmx", 0, y)]))
    assert again.topology == topology
    assert (again.level == whole.level).all()


def test_hexagons_shifted_by_an_odd_line_are_refused(tmp_path):
    TileMap.from_noise(2, 2, 5, topology="hex_odd_r").export(tmp_path / "a.tmx")
    path = write_world(tmp_path, [at("a.tmx", 0, 0), at("a.tmx", 0, 3 * 24)])
    with pytest.raises(MapFileError, match=r"a\.tmx: lies an odd number of rows"):
        read(path)


def test_decks_links_walls_and_units_move_with_their_map(tmp_path):
    part = TileMap(np.zeros((2, 3), int))
    with part.edit() as edit:
        edit.add_deck((0, 2), level=4, kind="road")
        edit.add_link((0, 0), (0, 2, 1), cost=2, kind="ladder")
        edit.add_wall((1, 0), (1, 1))
    part.extras = {"units": [{"name": "Mira", "cell": [1, 2]}], "metadata": {"title": "part"}}
    part.export(tmp_path / "a.tmx")
    path = write_world(tmp_path, [at("a.tmx", 0, 0), at("a.tmx", 3 * TILE, 2 * TILE)])
    whole = TileMap.load(path)
    assert whole.level_at((2, 5, 1)) == 4
    assert whole.kind_at((2, 5, 1)).name == "road"
    ends = {(link.start, link.end) for link in whole.links}
    assert ends == {(Cell(0, 0), Cell(0, 2, 1)), (Cell(2, 3), Cell(2, 5, 1))}
    assert {(wall.start, wall.end) for wall in whole.walls} == {
        (Cell(1, 0), Cell(1, 1)),
        (Cell(3, 3), Cell(3, 4)),
    }
    assert [unit["cell"] for unit in whole.extras["units"]] == [[1, 2], [3, 5]]
    assert whole.extras["metadata"] == {"title": "part"}


def test_kinds_of_one_name_that_differ_stay_apart(tmp_path):
    for name, cost in (("a.tmx", 1), ("b.tmx", 3)):
        TileMap([[0]], kinds=[TileKind("mud", cost, (0, 0, 0))]).export(tmp_path / name)
    whole = TileMap.load(write_world(tmp_path, [at("a.tmx", 0, 0), at("b.tmx", TILE, 0)]))
    kinds = [whole.kind_at((0, col)) for col in (0, 1)]
    assert [(kind.name, kind.cost) for kind in kinds] == [("mud", 1), ("mud (b.tmx)", 3)]


def test_a_pattern_takes_x_and_y_from_the_names_of_files(tmp_path):
    parts = {}
    for x in (0, 1):
        for y in (0, 2):
            parts[y, x] = TileMap.from_noise(2, 3, 10 * y + x)
            parts[y, x].export(tmp_path / f"area{x}_{y}.tmx")
    TileMap([[9]]).export(tmp_path / "other.tmx")
    pattern = {"regexp": r"area(\d+)_(\d+)\.tmx", "multiplierX": 3 * TILE, "multiplierY": TILE}
    whole = TileMap.load(write_world(tmp_path, patterns=[{**pattern, "offsetX": 64}]))
    assert (whole.rows, whole.cols) == (4, 6)
    for (y, x), part in parts.items():
        assert (whole.level[y : y + 2, 3 * x : 3 * x + 3] == part.level).all()


@pytest.mark.parametrize(
    ("name", "numbers", "shown"),
    [
        ("m9-1.tmx", {"multiplierX": 1e308}, "inf"),
        ("m9-1.tmx", {"multiplierX": 1e308, "offsetX": -1e308}, "inf"),
        ("m0-1.tmx", {"offsetY": 1e300}, r"1e\+300"),
        (f"m{'9' * 200}-1.tmx", {}, r"1e\+200"),
    ],
)
def test_a_pattern_that_leads_far_away_is_refused(tmp_path, name, numbers, shown):
    TileMap([[0]]).export(tmp_path / "a.tmx")
    (tmp_path / "a.tmx").rename(tmp_path / name)
    path = write_world(tmp_path, patterns=[{"regexp": r"m(\d+)-(\d+)\.tmx", **numbers}])
    with pytest.raises(MapFileError, match=rf"patterns\[0\]: must lie within .* got {shown}$"):
        read(path)


def test_a_map_between_tiles_is_moved_to_the_nearest_with_a_note(tmp_path):
    TileMap([[1]]).export(tmp_path / "a.tmx")
    maps = [at("a.tmx", 0, 0), at("a.tmx", 95, 2 * TILE + 1)]
    record = read(write_world(tmp_path, maps))
    assert np.argwhere(record.tilemap.level).tolist() == [[0, 0], [2, 3]]
    assert record.notes[-1] == "a.tmx: lies between tiles: moved by +1 pixels across and -1 down"
    assert not any("between" in note for note in read(write_world(tmp_path, maps[:1])).notes)


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(\d+)", r".*.*(\d+)(\d+)", "(", r"\d(\d+)(\d+)"])
def test_a_pattern_that_could_take_long_is_refused(tmp_path, pattern):
    (tmp_path / ("a" * 200 + ".tmx")).touch()
    with pytest.raises(MapFileError, match=r"patterns\[0\]\.regexp: must be text with two groups"):
        read(write_world(tmp_path, patterns=[{"regexp": pattern}]))


@pytest.mark.parametrize(
    ("maps", "problem"),
    [
        ([], "names no maps"),
        ([at("a.tmx", 0, 0), at("a.tmx", TILE, 0)], r"a\.tmx overlaps a map before it"),
        ([at("gone.tmx", 0, 0)], r"gone\.tmx"),
        ([at("../a.tmx", 0, 0)], r"maps\[0\]\.fileName: must name a file in"),
        ([at("/etc/passwd", 0, 0)], r"maps\[0\]\.fileName: must name a file in"),
        ([at("vale.world", 0, 0)], "is of type 'world', must be 'map'"),
        ([at("a.tmx", 0, 0), at("a.tmx", 10**9, 10**9)], "makes .* tiles; the limit"),
        ([at("a.tmx", 0, 10**12)], r"must lie within 2147483648 pixels, got 1e\+12"),
        ([at("a.tmx", 1e300, 0)], r"must lie within 2147483648 pixels, got 1e\+300"),
        ([at("a.tmx", 0, 0), at("hex.tmx", 0, 640)], "must be orthogonal or hexagonal, all alike"),
        ([at("a.tmx", 0, 0), at("tall.tmx", 0, 640)], "differ in step_height: 0.5 and 1.5"),
        ([{"x": 0}], r"maps\[0\]\.fileName: is missing"),
        ([3], r"maps\[0\]: must be an object"),
    ],
)
def test_a_wrong_world_is_refused_with_the_reason(tmp_path, maps, problem):
    TileMap(np.zeros((2, 2), int)).export(tmp_path / "a.tmx")
    TileMap([[0]], topology="hex_odd_r").export(tmp_path / "hex.tmx")
    TileMap([[0]], step_height=1.5).export(tmp_path / "tall.tmx")
    with pytest.raises(MapFileError, match=problem):
        read(write_world(tmp_path, maps))


def test_a_world_has_limits(tmp_path, monkeypatch):
    TileMap(np.zeros((8, 8), int)).export(tmp_path / "a.tmx")
    maps = [at("a.tmx", 8 * TILE * number, 0) for number in range(4)]
    assert read(write_world(tmp_path, maps), max_surfaces=256).tilemap.level.shape == (8, 32)
    with pytest.raises(MapFileError, match="tiles; the limit"):
        read(write_world(tmp_path, maps), max_surfaces=255)
    monkeypatch.setattr(world, "MAX_MAPS", 3)
    with pytest.raises(MapFileError, match="names 4 maps, the limit is 3"):
        read(write_world(tmp_path, maps))


def test_maps_in_a_folder_below_may_use_the_tilesets_of_the_world(tmp_path):
    (tmp_path / "maps").mkdir()
    TileMap.from_text("01").export(tmp_path / "vale.tmx", ".tsx")
    text = (tmp_path / "vale.tmx").read_text().replace('source="vale', 'source="../vale')
    (tmp_path / "maps" / "vale.tmx").write_text(text)
    whole = TileMap.load(write_world(tmp_path, [at("maps/vale.tmx", 0, 0)]))
    assert whole.level.tolist() == [[0, 1]]
    assert whole.kinds[: len(KINDS)] == TileMap.load(tmp_path / "vale.tmx").kinds[: len(KINDS)]


def test_maps_of_a_world_share_their_tilesets_and_a_limit_on_them(tmp_path, monkeypatch):
    TileMap.from_noise(2, 2, 1).export(tmp_path / "a.tmx", ".tsx")
    tileset = min(tmp_path.glob("*.tsx"))
    parsed, parse = [], files.parse
    monkeypatch.setattr(
        files, "parse", lambda data, *more: parsed.append(data) or parse(data, *more)
    )
    maps = [at("a.tmx", 64 * number, 0) for number in range(3)]
    whole = TileMap.load(write_world(tmp_path, maps))
    assert (whole.rows, whole.cols) == (2, 6)
    assert parsed.count(tileset.read_bytes()) == 1
    monkeypatch.setattr(world, "MAX_WORLD_BYTES", 3 * tileset.stat().st_size - 1)
    with pytest.raises(MapFileError, match="files that the map refers to have more than"):
        read(tmp_path / "vale.world")
