"""Maps: how they are made, also of heights, what they refuse, queries, and their extras."""

import copy
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ai import Board
from terrain3d import TOPOLOGIES, Cell, MapFileError, Rect, TileKind, TileMap, make_grid
from terrain3d.map.heights import resample
from tests.support.boards import one_edit

FLAT = [[0, 0], [0, 0]]


def test_a_map_shows_what_it_was_made_from():
    tilemap = TileMap([[0, 3, 1], [2, 32767, 0]], [[0, 1, 2], [3, 4, 5]], step_height=0.25)
    assert (tilemap.rows, tilemap.cols) == (2, 3)
    assert tilemap.level.tolist() == [[0, 3, 1], [2, 32767, 0]]
    assert tilemap.kind.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert (tilemap.step_height, tilemap.topology, tilemap.version) == (0.25, "square", 0)
    assert tilemap.level_at((0, 1)) == 3
    assert tilemap.kind_at((1, 2)).name == "road"
    assert repr(tilemap) == "<TileMap 2 x 3, levels 0..32767, version 0>"


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"level": [[True, False]]}, TypeError, "level must hold whole numbers, got bool"),
        ({"level": [[0, 1], [-1, 2]]}, ValueError, r"in 0\.\.32767, got -1 at \(1, 0\)"),
        ({"level": np.array([[2**63]], np.uint64)}, ValueError, r"got 92233720.* at \(0, 0\)"),
        ({"level": np.broadcast_to(np.int8(0), (8193, 8192))}, ValueError, "at most 67108864 til"),
        ({"kind": [[0, 0], [13, 0]]}, ValueError, r"kind must be in 0\.\.12, got 13 at \(1, 0\)"),
        (
            {"kind": [["grass", "sand"], ["sand", "sand"]]},
            TypeError,
            "whole numbers, got <U5; write the index of each kind: 0 for 'grass', 2 for 'sand'$",
        ),
        ({"kind": [[0, 0]]}, ValueError, r"level is \(2, 2\) but kind is \(1, 2\)"),
        ({"kinds": [TileKind("mud"), TileKind("mud")]}, ValueError, r"differ.*'mud', 'mud'"),
    ],
)
def test_invalid_maps_raise_errors_with_limit_and_value(change, error, says):
    with pytest.raises(error, match=says):
        TileMap(**{"level": FLAT} | change)


def test_a_map_keeps_copies_of_its_arrays():
    level, kind = np.zeros((2, 2), np.int16), np.zeros((2, 2), np.uint8)
    tilemap = TileMap(level, kind)
    level[:], kind[:] = 9, 3
    assert tilemap.level.max() == 0
    assert tilemap.kind.max() == 0
    assert level.flags.writeable


def raise_tile(tilemap, row, col):
    one_edit(tilemap).set_level((row, col), tilemap.level_at((row, col)) + 1)


def test_changed_rects_hold_all_changes_after_a_version_or_the_whole_map_after_long():
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
    tilemap = TileMap(np.zeros((9, 9), int))
    for _ in range(100):
        raise_tile(tilemap, 4, 4)
    assert tilemap.changed_rects(99) == (Rect(4, 4, 1, 1),)
    assert tilemap.changed_rects(0) == (Rect(0, 0, 9, 9),)


every_topology = pytest.mark.parametrize("topology", TOPOLOGIES)


@every_topology
def test_a_map_lies_as_its_topology_says(topology):
    made = ((TileMap, [[0, 1, 2], [3, 4, 5]]), (TileMap.from_text, "012\n345"))
    for make, *values in (*made, (TileMap.from_noise, 2, 3, 1)):
        tilemap, grid = make(*values, topology=topology), make_grid(topology, 2, 3)
        assert (tilemap.topology, tilemap.grid) == (topology, grid)
        assert tilemap.extent == grid.extent
        z = tilemap.level_at((1, 2)) * tilemap.step_height
        assert tilemap.surface_point((1, 2)) == (*grid.center((1, 2)), z)


@every_topology
def test_levels_and_kinds_of_noise_do_not_depend_on_the_topology(topology):
    tilemap, square = TileMap.from_noise(9, 7, 3, topology=topology), TileMap.from_noise(9, 7, 3)
    assert np.array_equal(tilemap.level, square.level)
    assert np.array_equal(tilemap.kind, square.kind)


def test_default_ground_is_not_void_if_the_kinds_begin_with_void():
    kinds = (TileKind("void", cost=None), TileKind("moss"))
    assert TileMap([[0, 1]], kinds=kinds).kind_at((0, 0)).name == "moss"
    assert TileMap.from_text("0#", kinds=kinds).kind.tolist() == [[1, 0]]


DECK = Cell(0, 2, 1)


@pytest.fixture
def tilemap():
    """A map with things on it, of which a paste replaced one."""
    tilemap = TileMap.from_text("000\n000")
    one_edit(tilemap).add_deck(DECK[:2], level=4)
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
    with pytest.raises(ValueError, match=r"other names than its fields start, end.*'one_way'"):
        replace(tilemap.walls[0], extras={"one_way": True})


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


NAN = np.nan
sides = st.integers(1, 7)
heights = st.integers(-500, 9000).map(float) | st.just(NAN)
grids = arrays.arrays(float, st.tuples(sides, sides), elements=heights)


def levels(rows, **rules):
    """Return the levels as a text picture."""
    return TileMap.from_heights(np.array(rows, float), **rules).to_text().splitlines()


@given(grids, sides, sides)
def test_a_cell_of_another_size_is_the_mean_of_what_it_covers(grid, rows, cols):
    n, m = grid.shape
    fine = np.repeat(np.repeat(grid, rows, axis=0), cols, axis=1).reshape(rows, n, cols, m)
    share = (~np.isnan(fine)).mean(axis=(1, 3))
    got = resample(grid, rows, cols)
    assert np.array_equal(np.isnan(got), share < 0.5)
    there = ~np.isnan(got)
    sums = np.nansum(fine, axis=(1, 3)) / np.maximum(share, 1e-9) / (n * m)
    assert got[there] == pytest.approx(sums[there])


def test_linear_levels_are_equal_parts_of_the_span():
    assert levels([[100, 119, 120, 140, 160, 180, 200]], levels=5) == ["0012344"]


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40, unique=True), st.integers(1, 12))
def test_even_levels_differ_by_at_most_one_tile(heights, count):
    level = TileMap.from_heights([heights], levels=count, spread="even").level.ravel()
    sizes = np.bincount(level, minlength=count)
    assert sizes.max() - sizes.min() <= 1
    assert (np.diff(level[np.argsort(heights)]) >= 0).all()


def test_where_there_is_no_height_is_void():
    assert levels([[NAN, 0, 8], [NAN, NAN, 4]]) == ["#08", "##4"]
    assert levels([[NAN, NAN]]) == ["##"]
    assert levels([[NAN, 40, 80, 80], [NAN, NAN, 80, 80]], size=(1, 2), levels=2) == ["#0"]


@pytest.mark.parametrize("count", [4, 9])
def test_snow_lies_on_the_highest_level_only_and_sand_on_the_lower_fifth(count):
    tilemap = TileMap.from_heights(np.arange(900).reshape(30, 30), levels=count)
    level = {name: set() for name in ("snow", "sand", "rock", "grass", "dirt")}
    for cell in np.ndindex(30, 30):
        level[tilemap.kind_at(cell).name].add(tilemap.level_at(cell))
    assert level["snow"] == {count - 1}
    assert max(level["sand"]) < 0.2 * (count - 1)
    assert min(level["rock"]) >= 0.7 * (count - 1)


@pytest.mark.parametrize(
    ("rows", "rules", "says"),
    [
        ([[0]], {"size": (8193, 8192)}, "at most 67108864 tiles, got 8193 x 8192"),
        ([[0]], {"size": (0, 5)}, "at least 1 row and 1 column, got size"),
        ([[0]], {"step": 5, "levels": 3}, "cannot be combined with levels"),
        ([[0]], {"step": 5, "spread": "even"}, "cannot be combined with levels"),
        ([[0, np.inf]], {}, r"heights must be in -1e\+12..1e\+12, got inf at \(0, 1\)"),
        ([[0, 1], [-2e12, 0]], {}, r"got -2e\+12 at \(1, 0\)"),
        (
            [[0.0, 1e9]],
            {"step": 1e-3},
            "makes levels above 32767: write a larger step, such as 6.1e.04,",
        ),
        ([[0, 99]], {"step": 5e-324}, "makes levels above 32767"),
    ],
)
def test_heights_that_make_no_map_are_refused(rows, rules, says):
    with pytest.raises((TypeError, ValueError), match=says) as raised:
        TileMap.from_heights(rows, **rules)
    assert not isinstance(raised.value, MapFileError)


@given(grids, st.sampled_from([0.25, 0.5, 1.0, 3.0]))
def test_a_step_is_the_height_of_a_level_above_the_lowest(grid, step):
    heights = grid / 8
    tilemap = TileMap.from_heights(heights, step=step)
    there = ~np.isnan(heights)
    assert np.array_equal(tilemap.void, ~there)
    lowest = heights[there].min(initial=np.inf)
    assert (tilemap.level[there] == (heights[there] - lowest) // step).all()


def test_masked_numbers_are_void():
    heights = np.ma.masked_equal([[1, 5], [-9999, 9]], -9999)
    tilemap = TileMap.from_heights(heights, step=1.0)
    assert tilemap.void.tolist() == [[False, False], [True, False]]
    assert tilemap.level.tolist() == [[0, 4], [0, 8]]
    assert not TileMap.from_heights(np.ma.masked_equal(heights.data, 7)).void.any()
    with pytest.raises(ValueError, match="level must not be masked"):
        TileMap(heights)


@given(grids, st.integers(1, 12), st.sampled_from(["linear", "even"]))
def test_levels_increase_with_height_and_start_at_0(grid, count, spread):
    got = TileMap.from_heights(grid, levels=count, spread=spread)
    there = ~np.isnan(grid)
    heights, level = grid[there], got.level[there].astype(int)
    order = np.argsort(heights, kind="stable")
    assert (np.diff(level[order]) >= 0).all()
    assert not len(level) or (level.min(), level.max() < count) == (0, True)
    assert np.array_equal(got.void, ~there)
