"""The landscape has most features of movement, and all of it can be reached."""

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from terrain3d import TOPOLOGIES, landscape
from terrain3d.generate.relief import MIN_SIZE

CLIMB, DROP = 2, 3
seeds = st.integers(-(2**40), 2**40)
sizes = st.integers(MIN_SIZE, 36)
topologies = st.sampled_from(TOPOLOGIES)
ROADS = ("road", "wood")


def surfaces_of(tilemap):
    """Return every surface that a light unit may enter, as (row, col, deck)."""
    columns = np.ndindex(tilemap.rows, tilemap.cols)
    surfaces = [(*column, deck) for column in columns for deck in tilemap.decks_at(column)]
    return [surface for surface in surfaces if tilemap.kind_at(surface).cost is not None]


def steps_between(tilemap, surfaces, climb=CLIMB, drop=DROP, body_height=1):
    """Return the pairs of surfaces with a step from the first to the second.

    A plain rule of its own: over an edge, so much room over the higher of both ends, no ladders.
    """
    known, steps = set(surfaces), []
    for cell in surfaces:
        low = tilemap.level_at(cell)
        for row, col, _ in tilemap.grid.neighbors(cell[:2]):
            for end in ((row, col, deck) for deck in tilemap.decks_at((row, col))):
                if end not in known:
                    continue
                high = tilemap.level_at(end)
                roofs = [
                    level + room
                    for place, level in ((cell, low), (end, high))
                    if (room := tilemap.headroom_at(place)) is not None
                ]
                fits = all(roof - max(low, high) >= body_height for roof in roofs)
                if -drop <= high - low <= climb and fits:
                    steps.append((cell, end))
    return steps


def count_parts(tilemap):
    """Count the strongly connected parts of a map for a light unit."""
    surfaces = surfaces_of(tilemap)
    number = {surface: i for i, surface in enumerate(surfaces)}
    steps = [(number[a], number[b]) for a, b in steps_between(tilemap, surfaces)]
    start, end = np.array(steps, dtype=int).reshape(-1, 2).T
    graph = coo_array((np.ones(len(start)), (start, end)), shape=(len(surfaces),) * 2)
    return connected_components(graph, connection="strong")[0]


def flooded(start, steps):
    """Return the surfaces that can be reached from one by some steps."""
    after = {}
    for here, there in steps:
        after.setdefault(here, []).append(there)
    reached, waiting = {start}, [start]
    while waiting:
        for there in after.get(waiting.pop(), ()):
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    return reached


def names_of(tilemap):
    return np.array([kind.name for kind in tilemap.kinds])[tilemap.kind]


def state(tilemap):
    return tilemap.surface_level.tobytes(), tilemap.surface_kind.tobytes(), tilemap.links


@given(st.integers(1, 32), st.integers(1, 32), seeds, st.integers(4, 12), topologies)
def test_a_light_unit_reaches_every_tile_without_the_ladder(rows, cols, seed, levels, topology):
    assert count_parts(landscape(rows, cols, seed, levels, topology=topology)) == 1


@given(sizes, sizes, seeds, topologies)
def test_fords_cross_the_river_where_there_is_no_bridge(rows, cols, seed, topology):
    tilemap = landscape(rows, cols, seed, topology=topology)
    assert tilemap.undo()
    assert tilemap.n_decks == 0
    assert count_parts(tilemap) == 1


@given(sizes, sizes, seeds, topologies)
def test_it_has_everything_terraces_without_pits_and_a_ladder(rows, cols, seed, topology):
    tilemap = landscape(rows, cols, seed, topology=topology)
    assert tilemap.topology == topology
    names = names_of(tilemap)
    for name in ("forest", "swamp", "shallow", "deep", "road"):
        assert (names == name).any(), name
    assert tilemap.n_decks == 1
    assert [link.kind for link in tilemap.links] == ["ladder"]
    assert {"wood", "shallow", "deep"}.isdisjoint(names[tilemap.level > 0])
    (ladder,) = tilemap.links
    height = tilemap.level_at(ladder.end) - tilemap.level_at(ladder.start)
    assert height > max(CLIMB, DROP)
    assert ladder.cost == height
    assert tilemap.grid.distance(ladder.start, ladder.end) == 1
    level, is_dry = tilemap.level, ~np.isin(names_of(tilemap), ("shallow", "deep"))
    shares = np.bincount(level[is_dry], minlength=8)[1:] / is_dry.sum()
    assert shares.min() > 0.0
    assert shares.max() < 0.5
    for row, col in np.argwhere(is_dry):
        around = [level[near[:2]] for near in tilemap.grid.neighbors((row, col))]
        assert min(around) <= level[row, col]


@given(sizes, sizes, seeds, st.integers(4, 12), topologies)
def test_one_road_crosses_the_bridge_and_another_goes_below_it(rows, cols, seed, levels, topology):
    tilemap = landscape(rows, cols, seed, levels, topology=topology)
    roads = [cell for cell in surfaces_of(tilemap) if tilemap.kind_at(cell).name in ROADS]
    bridge = [cell for cell in roads if cell[2] == 1]
    tall = 2 if levels == 4 else 3
    steps = steps_between(tilemap, roads, climb=1, drop=1, body_height=tall)
    over = flooded(bridge[0], steps)
    below = flooded(next((row, col, 0) for row, col, _ in bridge if (row, col, 0) in roads), steps)
    assert over | below == set(roads)
    wet = np.isin(names_of(tilemap), ("shallow", "deep"))
    along = int(wet.any(axis=0).all())  # 1: the river flows along the rows
    for path, axis in ((below, along), (over, 1 - along)):
        places = {cell[axis] for cell in path}
        assert places == set(range((rows, cols)[axis]))
    assert len({cell[along] for cell in bridge}) == 1
    assert {tilemap.kind_at(cell[:2]).name for cell in bridge} >= {"road", "shallow"}


@given(st.integers(1, 30), st.integers(1, 30), seeds, st.integers(4, 12), topologies)
def test_a_seed_gives_the_same_landscape_of_as_many_levels(rows, cols, seed, levels, topology):
    tilemap = landscape(rows, cols, seed, levels, topology=topology)
    assert (tilemap.rows, tilemap.cols) == (rows, cols)
    assert tilemap.level.max() < levels
    assert state(tilemap) == state(landscape(rows, cols, seed, levels, topology=topology))


def test_different_seeds_differ_and_a_fixed_seed_gives_a_fixed_map():
    assert len({state(landscape(24, 24, seed))[0] for seed in range(20)}) == 20
    tilemap = landscape(24, 24, 7)
    assert zlib.crc32(tilemap.surface_level.tobytes()) == 2289212900
    assert zlib.crc32(tilemap.surface_kind.tobytes()) == 2569795372


@given(st.integers(14, 24), st.integers(14, 24), seeds, topologies)
def test_two_bridges_lead_to_the_hill_of_an_island_also_in_heavy_armor(rows, cols, seed, topology):
    tilemap = landscape(rows, cols, seed, topology=topology, is_island=True)
    surfaces = surfaces_of(tilemap)
    decks = sorted(cell for cell in surfaces if cell[2])
    axis = 0 if len({col for _, col, _ in decks}) == 1 else 1
    along = [cell[axis] for cell in decks]
    first, length = decks[0], tilemap.level.shape[axis]
    line = [(*first[:axis], at, *first[axis + 1 : 2]) for at in range(length)]
    hill = [line[at] for at in range(along[0], along[-1]) if at not in along]
    assert hill
    assert {tilemap.kind_at(cell).name for cell in hill} == {"road"}
    steps = steps_between(tilemap, surfaces, climb=1, drop=2)
    for bank in (line[along[0] - 1], line[along[-1] + 1]):
        assert {(*cell, 0) for cell in hill} <= flooded((*bank, 0), steps)


@given(st.integers(14, 24), seeds, topologies)
def test_the_river_of_an_island_falls(size, seed, topology):
    tilemap = landscape(size, size, seed, topology=topology, is_island=True)
    is_water = np.isin(names_of(tilemap), ("deep", "shallow"))
    assert {*tilemap.level[is_water].tolist()} == {0, 2}
    assert tilemap.top_level >= 5


def test_a_map_may_be_too_small_or_too_flat():
    with pytest.raises(ValueError, match=r"levels must be in 4\.\.32768, got 3"):
        landscape(20, 20, seed=7, levels=3)
    for size, levels, limit in ((13, 8, "14"), (16, 6, "7")):
        with pytest.raises(ValueError, match=f"with is_island must be >= {limit}"):
            landscape(size, 20, 1, levels, is_island=True)
