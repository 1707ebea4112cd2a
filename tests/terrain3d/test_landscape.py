"""A landscape has all that movement knows, and one can walk about in it."""

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from terrain3d import TileMap, landscape
from terrain3d.slopes import edges_where, gentled, steps_from
from terrain3d.valley import LEAST_SIZE

CLIMB, DROP = 2, 3
seeds = st.integers(-(2**40), 2**40)
sizes = st.integers(LEAST_SIZE, 36)


def surfaces_of(tilemap):
    """List every surface that a light foot may enter, as (row, col, deck)."""
    return [
        (row, col, deck)
        for row in range(tilemap.rows)
        for col in range(tilemap.cols)
        for deck in tilemap.decks_at((row, col))
        if tilemap.kind_at((row, col, deck)).cost is not None
    ]


def walkable_parts(tilemap):
    """Give the surfaces and the number of the part, within which all ways lead both ways, of each.

    A plain rule of its own: four neighbors, climb 2, drop 3, one level of room over the higher of
    both ends, no ladders.
    """
    surfaces = surfaces_of(tilemap)
    number = {surface: i for i, surface in enumerate(surfaces)}
    steps = []
    for row, col, deck in surfaces:
        low = tilemap.level_at((row, col, deck))
        for near in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            for there in range(tilemap.n_decks + 1):
                if (*near, there) not in number:
                    continue
                high = tilemap.level_at((*near, there))
                roofs = [
                    level + room
                    for cell, level in (((row, col, deck), low), ((*near, there), high))
                    if (room := tilemap.headroom_at(cell)) is not None
                ]
                fits = all(roof - max(low, high) >= 1 for roof in roofs)
                if -DROP <= high - low <= CLIMB and fits:
                    steps.append((number[row, col, deck], number[(*near, there)]))
    start, end = np.array(steps, dtype=int).reshape(-1, 2).T
    graph = coo_array((np.ones(len(start)), (start, end)), shape=(len(surfaces),) * 2)
    return surfaces, connected_components(graph, connection="strong")[1]


def names_of(tilemap):
    return np.array([kind.name for kind in tilemap.kinds])[tilemap.kind]


def state(tilemap):
    return tilemap.surface_level.tobytes(), tilemap.surface_kind.tobytes(), tilemap.links


@given(st.integers(1, 32), st.integers(1, 32), seeds, st.integers(4, 9))
def test_one_can_walk_between_most_tiles(rows, cols, seed, levels):
    surfaces, part = walkable_parts(landscape(rows, cols, seed, levels))
    assert np.bincount(part).max() >= 0.8 * len(surfaces)


@given(sizes, sizes, seeds)
def test_fords_lead_over_the_river_where_there_is_no_bridge(rows, cols, seed):
    tilemap = landscape(rows, cols, seed)
    assert tilemap.undo()
    assert tilemap.n_decks == 0
    surfaces, part = walkable_parts(tilemap)
    assert np.bincount(part).max() >= 0.8 * len(surfaces)


@given(sizes, sizes, seeds)
def test_it_has_everything(rows, cols, seed):
    tilemap = landscape(rows, cols, seed)
    names = names_of(tilemap)
    for name in ("forest", "swamp", "shallow", "deep", "road"):
        assert (names == name).any(), name
    assert tilemap.n_decks == 1
    assert [link.kind for link in tilemap.links] == ["ladder"]
    assert {"wood", "shallow", "deep"}.isdisjoint(names[tilemap.level > 0])


@given(sizes, sizes, seeds)
def test_one_unit_walks_over_the_bridge_and_another_below(rows, cols, seed):
    tilemap = landscape(rows, cols, seed)
    surfaces, part = walkable_parts(tilemap)
    largest = np.bincount(part).argmax()
    walked = {surface for surface, of in zip(surfaces, part, strict=True) if of == largest}
    bridge = [(row, col) for row, col, deck in surfaces if deck == 1]
    below = [cell for cell in bridge if (*cell, 0) in walked]
    assert all((*cell, 1) in walked for cell in bridge)
    assert below
    assert all(tilemap.headroom_at(cell) >= 2 for cell in bridge)
    assert all("liquid" in tilemap.kind_at(cell).tags for cell in bridge)


@given(sizes, sizes, seeds)
def test_the_road_leads_from_rim_to_rim_over_the_bridge_in_single_steps(rows, cols, seed):
    tilemap = landscape(rows, cols, seed)
    is_road = (names_of(tilemap) == "road") | ~tilemap.surface_void[1]
    level = np.where(tilemap.surface_void[1], tilemap.level, tilemap.surface_level[1])
    ends = np.argwhere(is_road)
    along = int(np.ptp(ends[:, 0]) < rows - 1)  # a river along the columns has its road along rows
    assert ends[:, along].min() == 0
    assert ends[:, along].max() == (rows, cols)[along] - 1
    reached, waiting = {tuple(ends[0])}, [tuple(ends[0])]
    while waiting:
        row, col = waiting.pop()
        for near in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if near in reached or not (0 <= near[0] < rows and 0 <= near[1] < cols):
                continue
            if is_road[near] and abs(int(level[near]) - int(level[row, col])) <= 1:
                reached.add(near)
                waiting.append(near)
    assert len(reached) == len(ends)


@given(sizes, sizes, seeds)
def test_the_ladder_leads_up_a_cliff_that_nobody_climbs_or_jumps(rows, cols, seed):
    tilemap = landscape(rows, cols, seed)
    (ladder,) = tilemap.links
    height = tilemap.level_at(ladder.end) - tilemap.level_at(ladder.start)
    assert height > max(CLIMB, DROP)
    assert ladder.cost == height
    assert tilemap.grid.distance(ladder.start, ladder.end) == 1


@given(st.integers(1, 30), st.integers(1, 30), seeds, st.integers(4, 12))
def test_the_same_seed_gives_the_same_landscape_of_as_many_levels(rows, cols, seed, levels):
    tilemap = landscape(rows, cols, seed, levels)
    assert (tilemap.rows, tilemap.cols) == (rows, cols)
    assert tilemap.level.max() < levels
    assert state(tilemap) == state(landscape(rows, cols, seed, levels))


def test_seeds_differ_and_one_stays_as_it_is_for_ever():
    assert len({state(landscape(24, 24, seed))[0] for seed in range(20)}) == 20
    tilemap = landscape(24, 24, 7)
    assert zlib.crc32(tilemap.surface_level.tobytes()) == 2091077868
    assert zlib.crc32(tilemap.surface_kind.tobytes()) == 1202166847


def test_rivers_flow_both_ways_on_square_maps_and_along_the_longer_side_of_others():
    def flows_along_rows(tilemap):
        wet = np.isin(names_of(tilemap), ("shallow", "deep"))
        return bool(wet.any(axis=0).all())

    assert {flows_along_rows(landscape(24, 24, seed)) for seed in range(10)} == {True, False}
    assert all(flows_along_rows(landscape(20, 40, seed)) for seed in range(10))
    assert not any(flows_along_rows(landscape(60, 20, seed)) for seed in range(10))


def test_the_smallest_landscape_is_one_tile():
    tilemap = landscape(1, 1, 5, step_height=0.25)
    assert (tilemap.rows, tilemap.cols, tilemap.n_decks) == (1, 1, 0)
    assert tilemap.step_height == 0.25
    assert isinstance(tilemap, TileMap)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"rows": 0}, ValueError, "at least 1 row and 1 column, got 0 x 20"),
        ({"rows": 2**20, "cols": 2**20}, ValueError, "at most 67108864 tiles, got 1048576 x"),
        ({"cols": 2.5}, TypeError, r"cols must be a whole number, got 2\.5"),
        ({"seed": None}, TypeError, "seed must be a whole number, got None"),
        ({"levels": 3}, ValueError, r"levels must be in 4\.\.32768, got 3"),
        ({"levels": 32769}, ValueError, r"levels must be in 4\.\.32768, got 32769"),
        ({"step_height": 0}, ValueError, "step_height must be finite and > 0, got 0"),
    ],
)
def test_what_no_landscape_can_grow_from_is_refused(change, error, says):
    with pytest.raises(error, match=says):
        landscape(**{"rows": 20, "cols": 20, "seed": 7, **change})


def test_digging_off_what_is_too_steep():
    level = np.array([[0, 9, 9, 9], [9, 9, 2, 9]])
    assert gentled(level, 2).tolist() == [[0, 2, 4, 6], [2, 4, 2, 4]]
    no_wall = edges_where(lambda one, other: (one == 9) == (other == 9), level)
    assert gentled(level, 2, no_wall).tolist() == level.tolist()


def test_steps_are_counted_over_edges():
    mask = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]], dtype=bool)
    assert steps_from(mask, 3).tolist() == [[0, 1, 2], [1, 2, 3], [2, 3, 3]]
