"""Maps: how they are made, what they refuse, queries about tiles, and their extras."""

import copy
import json
import pickle

import numpy as np
import pytest

from ai import Board
from terrain3d import KINDS, TOPOLOGIES, Cell, Rect, TileKind, TileMap, make_grid

FLAT = [[0, 0], [0, 0]]
VOID = KINDS[-1]


def test_a_map_shows_what_it_was_made_from():
    tilemap = TileMap([[0, 3, 1], [2, 32767, 0]], [[0, 1, 2], [3, 4, 5]], step_height=0.25)
    assert (tilemap.rows, tilemap.cols) == (2, 3)
    assert tilemap.level.tolist() == [[0, 3, 1], [2, 32767, 0]]
    assert tilemap.kind.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert (tilemap.step_height, tilemap.topology, tilemap.version) == (0.25, "square", 0)
    assert tilemap.level_at((0, 1)) == 3
    assert tilemap.kind_at((1, 2)).name == "road"
    assert repr(tilemap) == "<TileMap 2 x 3, levels 0..32767, version 0>"


def test_without_kinds_all_ground_is_of_the_first():
    tilemap = TileMap(FLAT, kinds=[TileKind("moss"), TileKind("mud")])
    assert {tilemap.kind_at(cell).name for cell in np.ndindex(2, 2)} == {"moss"}


@pytest.mark.parametrize(
    ("level", "error", "says"),
    [
        ([[True, False]], TypeError, "level must hold whole numbers, got bool"),
        (3, ValueError, r"level must be \(rows, cols\).*got \(\)"),
        ([[0, 1], [2, -1]], ValueError, r"level must be in 0\.\.32767, got -1 at \(1, 1\)"),
        (np.array([[2**63]], np.uint64), ValueError, r"got 9223372036854775808 at \(0, 0\)"),
        (np.broadcast_to(np.int8(0), (8193, 8192)), ValueError, "at most 67108864 tiles"),
    ],
)
def test_invalid_levels_raise_errors_with_limit_and_value(level, error, says):
    with pytest.raises(error, match=says):
        TileMap(level)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"kind": [[0, 0], [13, 0]]}, ValueError, r"kind must be in 0\.\.12, got 13 at \(1, 0\)"),
        (
            {"kind": [["grass", "sand"], ["sand", "sand"]]},
            TypeError,
            "whole numbers, got <U5; write the index of each kind: 0 for 'grass', 2 for 'sand'$",
        ),
        ({"kind": [["mud"] * 2] * 2}, TypeError, "got <U3; write the index of each kind in kinds$"),
        ({"kind": [[0, 0]]}, ValueError, r"level is \(2, 2\) but kind is \(1, 2\)"),
        ({"kinds": [TileKind("mud"), TileKind("mud")]}, ValueError, r"differ.*'mud', 'mud'"),
        ({"step_height": 0}, ValueError, r"step_height must be in 0\.01\.\.100, got 0"),
        ({"step_height": 100.5}, ValueError, r"step_height must be in 0\.01\.\.100, got 100\.5"),
    ],
)
def test_invalid_maps_raise_errors_with_limit_and_value(change, error, says):
    with pytest.raises(error, match=says):
        TileMap(FLAT, **change)


def test_a_map_keeps_copies_of_its_arrays():
    level, kind = np.zeros((2, 2), np.int16), np.zeros((2, 2), np.uint8)
    tilemap = TileMap(level, kind)
    level[:], kind[:] = 9, 3
    assert tilemap.level.max() == 0
    assert tilemap.kind.max() == 0
    assert level.flags.writeable


def test_void_is_added_to_a_table_without_it():
    kinds = [TileKind("moss"), TileKind("mud")]
    assert TileMap(FLAT, kinds=kinds).kinds == (*kinds, VOID)
    assert TileMap(FLAT, kinds=[VOID, *kinds]).kinds == (VOID, *kinds)
    assert TileMap(FLAT).kinds == KINDS


def test_void_tiles_are_those_of_kind_void():
    tilemap = TileMap(FLAT, [[1, 0], [0, 1]], [TileKind("moss"), VOID])
    assert tilemap.void.tolist() == [[True, False], [False, True]]
    assert tilemap.is_void((0, 0))
    assert not tilemap.is_void((0, 1))


def test_a_surface_point_is_the_center_of_the_top():
    tilemap = TileMap([[0, 0, 3], [0, 1, 7]], step_height=0.25)
    assert tilemap.surface_point((0, 0)) == (0.5, -0.5, 0.0)
    assert tilemap.surface_point((0, 2)) == (2.5, -0.5, 0.75)
    assert tilemap.surface_point((1, 2)) == (2.5, -1.5, 1.75)
    assert TileMap.from_text("02").surface_point((0, 1)) == (1.5, -0.5, 1.0)


def raise_tile(tilemap, row, col):
    with tilemap.edit() as edit:
        edit.set_level((row, col), tilemap.level_at((row, col)) + 1)


def test_changed_rects_hold_all_changes_after_a_version():
    tilemap = TileMap(np.zeros((9, 9), int))
    assert tilemap.changed_rects(0) == ()
    raise_tile(tilemap, 2, 3)
    raise_tile(tilemap, 5, 1)
    tilemap.undo()
    assert tilemap.version == 3
    assert tilemap.changed_rects(0) == (Rect(2, 3, 1, 1), Rect(5, 1, 1, 1))
    assert tilemap.changed_rects(1) == (Rect(5, 1, 1, 1),)
    assert tilemap.changed_rects(2) == (Rect(5, 1, 1, 1),)
    assert tilemap.changed_rects(3) == ()


def test_changes_since_long_ago_are_the_whole_map():
    tilemap = TileMap(np.zeros((9, 9), int))
    for _ in range(100):
        raise_tile(tilemap, 4, 4)
    assert tilemap.changed_rects(99) == (Rect(4, 4, 1, 1),)
    assert tilemap.changed_rects(0) == (Rect(0, 0, 9, 9),)


every_topology = pytest.mark.parametrize("topology", TOPOLOGIES)


@every_topology
def test_a_map_lies_as_its_topology_says(topology):
    for tilemap in (
        TileMap([[0, 1, 2], [3, 4, 5]], topology=topology),
        TileMap.from_text("012\n345", topology=topology),
        TileMap.from_noise(2, 3, seed=1, topology=topology),
    ):
        grid = make_grid(topology, 2, 3)
        assert (tilemap.topology, tilemap.grid) == (topology, grid)
        assert tilemap.extent == grid.extent
        z = tilemap.level_at((1, 2)) * tilemap.step_height
        assert tilemap.surface_point((1, 2)) == (*grid.center((1, 2)), z)


@every_topology
def test_levels_and_kinds_of_noise_do_not_depend_on_the_topology(topology):
    tilemap, square = TileMap.from_noise(9, 7, 3, topology=topology), TileMap.from_noise(9, 7, 3)
    assert np.array_equal(tilemap.level, square.level)
    assert np.array_equal(tilemap.kind, square.kind)


def test_the_top_level_is_that_of_ground():
    tilemap = TileMap.from_text("0z0")
    assert tilemap.top_level == 35
    with tilemap.edit() as edit:
        edit.set_kind((0, 1), "void")
    assert tilemap.top_level == 0


def test_default_ground_is_not_void_if_the_kinds_begin_with_void():
    kinds = (TileKind("void", cost=None), TileKind("moss"))
    assert TileMap([[0, 1]], kinds=kinds).kind_at((0, 0)).name == "moss"
    assert TileMap.from_text("0#", kinds=kinds).kind.tolist() == [[1, 0]]


def test_a_picture_may_begin_with_a_byte_order_mark():
    assert TileMap.from_text("\ufeff01\n23").to_text() == "01\n23"


def test_a_table_with_more_kinds_grows_the_same_ground():
    tar = TileKind("tar", cost=None)
    plain = TileMap.from_noise(9, 9, seed=3)
    more = TileMap.from_noise(9, 9, seed=3, kinds=(tar, *KINDS))
    for row in range(9):
        for col in range(9):
            assert plain.kind_at((row, col)) == more.kind_at((row, col))


DECK = Cell(0, 2, 1)


@pytest.fixture
def tilemap():
    """A map with things on it, of which a paste replaced one."""
    tilemap = TileMap.from_text("000\n000")
    with tilemap.edit() as edit:
        edit.add_deck(DECK[:2], level=4)
    tilemap.extras = {"units": [{"name": "Mira", "cell": [0, 0]}, {"name": "Bram", "cell": [1, 1]}]}
    tilemap.unknown_fields["decks", DECK] = {"by": ["Odo"]}
    tilemap.paste(room("Odo"))
    return tilemap


def room(name):
    room = TileMap.from_text("0")
    room.extras["units"] = [{"name": name, "cell": [0, 0]}]
    return room


def scribble(tilemap):
    """Change all values in place, as deep as they go."""
    for unit in tilemap.extras.get("units", []):
        unit["name"] += " the Old"
        unit["cell"][0] = 9
    tilemap.extras["own"] = True
    for fields in tilemap.unknown_fields.values():
        fields["by"].append("me")


def values(tilemap):
    return copy.deepcopy((tilemap.extras, tilemap.unknown_fields))


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda tilemap: pickle.loads(pickle.dumps(tilemap)),
    "share": TileMap.share,
    "share twice": lambda tilemap: tilemap.share().share(),
    "crop": lambda tilemap: tilemap.crop(Rect(0, 0, tilemap.rows, tilemap.cols)),
    "board": lambda tilemap: Board(tilemap).copy().tilemap,
}


@pytest.mark.parametrize("steps", ["", "undo", "undo redo"])
@pytest.mark.parametrize("name", COPIES)
def test_a_copy_and_its_original_change_apart(tilemap, name, steps):
    held = tilemap.extras["units"]  # by a caller, before there is a copy
    twins = [tilemap, COPIES[name](tilemap), COPIES[name](tilemap)]
    for step in steps.split() if name != "crop" else ():  # a crop has no history
        for twin in twins:
            assert getattr(twin, step)()
    held[0]["name"] = "nobody"
    for changed in twins:
        others = [(twin, values(twin)) for twin in twins if twin is not changed]
        scribble(changed)
        assert all(values(twin) == before for twin, before in others)


def test_what_was_changed_in_place_comes_back_as_the_paste_found_it(tilemap):
    after = values(tilemap)
    assert tilemap.undo()
    before = values(tilemap)
    assert [unit["name"] for unit in before[0]["units"]] == ["Mira", "Bram"]
    for move, found in ((tilemap.redo, after), (tilemap.undo, before)) * 2:
        scribble(tilemap)
        assert move()
        assert tilemap.extras["units"] == found[0]["units"]


def test_a_map_takes_copies_of_what_it_is_given(tilemap):
    other = TileMap.from_text("0")
    other.extras = tilemap.extras
    before = values(other)
    scribble(tilemap)
    assert values(other) == before
    pasted = room("Pell")
    tilemap.paste(pasted, (1, 0))
    scribble(pasted)
    assert [unit["name"] for unit in tilemap.extras["units"]][-1] == "Pell"


def test_extras_of_links_and_walls_are_read_only(tilemap):
    given = {"key": ["gold"]}
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (1, 1), 1, extras=given)
        edit.add_wall((0, 0), (0, 1), extras=given)
    given["key"].append("silver")
    twins = [*map(copy.copy, (tilemap, tilemap)), tilemap.share(), tilemap]
    for pair in [pair for twin in twins for pair in (*twin.links, *twin.walls)]:
        pair.extras["key"].append("mine")
        dict(pair.extras)["key"].append("mine")
        with pytest.raises(TypeError):
            pair.extras["key"] = "mine"
        for same in (pair, pickle.loads(pickle.dumps(pair)), copy.deepcopy(pair)):
            assert same == pair
            assert repr(same) == repr(pair)
            assert same.extras == {"key": ["gold"]}


def test_a_change_has_what_it_did_to_extras_as_plain_data(tilemap):
    heard = []
    tilemap.edited.connect(heard.append)
    before = values(tilemap)
    tilemap.paste(room("Pell"), (1, 1))
    tilemap.paste(TileMap.from_text("0"), DECK[:2])
    after = values(tilemap)
    [paste, bare] = heard
    units = [before[0]["units"], after[0]["units"]]
    assert json.loads(json.dumps(paste.extras)) == [{"units": each} for each in units]
    assert paste.inverse().extras == ({"units": units[1]}, {"units": units[0]})
    assert bare.unknown_fields == ({("decks", DECK): {"by": ["Odo"]}}, {("decks", DECK): None})
    scribble(tilemap)  # which changes no change
    tilemap.undo(), tilemap.undo()
    assert tilemap.extras["units"] == units[0]
    for change in (paste, bare):  # on a map that has not had them yet
        tilemap.revert(change.inverse())
    assert (tilemap.extras["units"], tilemap.unknown_fields) == (units[1], after[1])
    again = TileMap.from_text("000\n000")
    again.extras = before[0]
    again.revert(paste.inverse())
    assert again.extras == after[0]
