"""Maps: how they are made, what they refuse, and queries about tiles."""

import numpy as np
import pytest

from terrain3d import KINDS, TOPOLOGIES, Rect, TileKind, TileMap, make_grid

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
