"""Noise and terraces: ranges, shares and the same values everywhere; the plan of a valley."""

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from terrain3d import KINDS, TileMap
from terrain3d.generate.noise import fractal_noise, ground_kinds, lattice
from terrain3d.generate.relief import MIN_SIZE, plan_valley

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15

SEED_7 = """
444444332111
444333322111
443322221110
433222111100
332221111000
332221100000
322211000000
222110000000
"""


def mixed(z):
    """SplitMix64's finalizer as its authors printed it, on whole numbers modulo 2^64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def lattice_value(seed, octave, row, col):
    stream = mixed((seed + GOLDEN * (octave + 1)) & MASK)
    row_bits = mixed((stream + GOLDEN * (row + 1)) & MASK)
    return (mixed((row_bits + GOLDEN * (col + 1)) & MASK) >> 11) / 2**53


def noise_value(seed, row, col, cell_sizes, weights):
    total = 0.0
    for octave, (size, weight) in enumerate(zip(cell_sizes, weights, strict=True)):
        (low_row, down), (low_col, right) = divmod(row, size), divmod(col, size)
        down, right = down / size, right / size
        west, east = (
            lattice_value(seed, octave, low_row, at) * (1 - down)
            + lattice_value(seed, octave, low_row + 1, at) * down
            for at in (low_col, low_col + 1)
        )
        total += weight * (west * (1 - right) + east * right)
    return total / sum(weights)


def reference_levels(rows, cols, seed, levels, cell_sizes=None, weights=(0.65, 0.25, 0.1)):
    """Give each terrace its share of the tiles in the order of their heights, then smooth."""
    sizes = cell_sizes or (2 * levels + 2, levels + 1, (levels + 1) // 2)
    value = {
        (row, col): noise_value(seed, row, col, sizes, weights)
        for row in range(rows)
        for col in range(cols)
    }
    ranked, total = sorted(value.values()), levels * (2 * levels + 1)
    cuts, share = [], 0
    for terrace in range(levels - 1):
        share += 3 * levels - 2 * terrace
        cuts.append(ranked[share * rows * cols // total])
    terrace = {cell: sum(cut <= height for cut in cuts) for cell, height in value.items()}
    return [
        [
            statistics.median(
                terrace[min(max(r, 0), rows - 1), min(max(c, 0), cols - 1)]
                for r in (row - 1, row, row + 1)
                for c in (col - 1, col, col + 1)
            )
            for col in range(cols)
        ]
        for row in range(rows)
    ]


def test_the_published_first_number_of_splitmix64_comes_out():
    assert mixed(GOLDEN) == 0xE220A8397B1DCDAF  # its first output from seed 0


def test_seed_7_is_this_map():
    assert TileMap.from_noise(8, 12, seed=7).to_text() == SEED_7.strip()
    expected = [[int(sign) for sign in line] for line in SEED_7.split()]
    assert reference_levels(8, 12, 7, 5) == expected


octaves = st.lists(st.tuples(st.integers(1, 9), st.floats(0, 10)), min_size=1, max_size=4).filter(
    lambda pairs: sum(weight for _, weight in pairs) > 1e-3
)


@given(
    st.tuples(st.integers(1, 13), st.integers(1, 13)),
    st.integers(-(2**70), 2**70),
    st.integers(1, 40),
    octaves,
)
def test_levels_follow_the_rule_in_plain_numbers(size, seed, levels, pairs):
    sizes, weights = zip(*pairs, strict=True)
    tilemap = TileMap.from_noise(*size, seed, levels, sizes, weights)
    assert tilemap.level.tolist() == reference_levels(*size, seed, levels, sizes, weights)


def test_different_seeds_grow_different_maps():
    assert len({TileMap.from_noise(8, 8, seed).to_text() for seed in range(20)}) == 20


@given(st.integers(), st.integers(1, 9))
def test_every_level_occurs_on_a_map_of_usual_size(seed, levels):
    assert set(TileMap.from_noise(30, 30, seed, levels).level.flat) == set(range(levels))


def test_a_larger_lattice_begins_like_a_smaller_one():
    assert lattice(3, 0, 4, 5).tolist() == lattice(3, 0, 9, 8)[:4, :5].tolist()


@given(st.integers(), octaves)
def test_noise_stays_from_0_up_to_1(seed, pairs):
    values = fractal_noise(9, 8, seed, *zip(*pairs, strict=True))
    assert values.shape == (9, 8)
    assert values.min() >= 0
    assert values.max() < 1


def test_only_the_proportions_of_weights_count():
    assert np.array_equal(
        fractal_noise(6, 6, 7, (4, 2), (0.5, 0.25)), fractal_noise(6, 6, 7, (4, 2), (2, 1))
    )


def test_kinds_are_in_the_table_and_snow_lies_on_top_only():
    level = TileMap.from_noise(40, 40, seed=7, cell_sizes=(4, 2, 1), weights=(5, 3, 2)).level
    names = np.array([kind.name for kind in KINDS])[ground_kinds(level, 5, 7)]
    assert set(names.flat) == {"grass", "dirt", "sand", "rock", "snow"}
    assert set(level[names == "snow"]) == {4}
    assert set(level[names == "sand"]) == {0}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"levels": 0}, r"levels must be in 1\.\.32768, got 0"),
        ({"cell_sizes": (4, 0, 1)}, r"cell_sizes must be in 1\.\.67108864, got 0"),
        ({"cell_sizes": (4, 2)}, "as many weights as cell sizes, got 3 and 2"),
        ({"cell_sizes": (), "weights": ()}, "as cell sizes, got 0 and 0"),
        ({"weights": (1e308, 1e308, 1e308)}, r"weights must be finite.*1e\+308"),
        ({"weights": (1, -0.5, 1)}, r"weights must be finite, >= 0.*-0\.5"),
        ({"weights": (0, 0, 0)}, r"not all 0, got \(0, 0, 0\)"),
    ],
)
def test_invalid_sizes_and_levels_raise_errors_with_limit_and_value(change, says):
    with pytest.raises(ValueError, match=says):
        TileMap.from_noise(**{"rows": 5, "cols": 5, "seed": 7, **change})


MAX_CLIMB, MAX_DROP = 2, 3
SIZES = [
    (30, 5, "square", 100),
    (30, 5, "hex_odd_r", 20),
    (30, 5, "hex_even_q", 20),
    (64, 9, "square", 20),
    (64, 9, "hex_odd_q", 10),
]


def neighbors_of(tilemap):
    """(n, 2) pairs of tiles side by side, each in both orders; a tile is row * cols + col."""
    grid, cols = tilemap.grid, tilemap.cols
    cells = [(row, col) for row in range(tilemap.rows) for col in range(cols)]
    return np.array(
        [(row * cols + col, r * cols + c) for row, col in cells for r, c in beside(grid, row, col)]
    )


def beside(grid, row, col):
    """Cells at distance 1, counted out by the grid's distance alone."""
    around = [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    inside = [(r, c) for r, c in around if 0 <= r < grid.rows and 0 <= c < grid.cols]
    return [cell for cell in inside if grid.distance((row, col), cell) == 1]


def groups(pairs, count, connection):
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    return connected_components(links, connection=connection)[1]


def measured(level, pairs):
    """Shares of steps, of single bumps and pits, of tiles in the largest group; plateau sizes."""
    rise = level[pairs[:, 1]] - level[pairs[:, 0]]
    lowest = np.full(len(level), level.max() + 1)
    highest = np.full(len(level), -1)
    np.minimum.at(lowest, pairs[:, 0], level[pairs[:, 1]])
    np.maximum.at(highest, pairs[:, 0], level[pairs[:, 1]])
    plateau = groups(pairs[rise == 0], len(level), "weak")
    joined = groups(pairs[(rise <= MAX_CLIMB) & (rise >= -MAX_DROP)], len(level), "strong")
    return (
        (rise != 0).mean(),
        ((level > highest) | (level < lowest)).mean(),
        np.bincount(joined).max() / len(level),
        np.bincount(plateau)[plateau],
    )


def test_the_measures_of_a_map_known_by_sight():
    level = np.array([[0, 0, 0, 0], [0, 5, 0, 1], [0, 0, 0, 1]])
    pairs = neighbors_of(TileMap(level))
    steps, singles, joined, plateaus = measured(level.ravel(), pairs)
    assert steps == 7 / 17  # four around the tall tile, three around the two on the right
    assert singles == 1 / 12
    assert joined == 11 / 12
    assert sorted(plateaus) == [1, 2, 2, *[9] * 9]


@pytest.mark.parametrize(("size", "levels", "topology", "n_seeds"), SIZES)
def test_noise_makes_terraces_and_plateaus(size, levels, topology, n_seeds):
    maps = [
        TileMap.from_noise(size, size, seed, levels, topology=topology) for seed in range(n_seeds)
    ]
    pairs = neighbors_of(maps[0])
    results = [measured(each.level.ravel().astype(int), pairs) for each in maps]
    steps, singles, joined, plateaus = zip(*results, strict=True)
    assert all(set(each.level.flat) == set(range(levels)) for each in maps)
    assert np.mean(steps) <= 0.25
    assert np.mean(singles) < 0.01
    assert min(joined) >= 0.99
    assert np.median(np.concatenate(plateaus)) >= 40
    assert np.mean([np.median(each) >= 40 for each in plateaus]) >= 0.9  # also of most maps alone


VALLEYS = [
    plan_valley(rows, cols, seed)
    for seed in range(60)
    for rows, cols in ((18, 18), (20, 31), (33, 24), (24, 48))
]


def column_of(mask):
    (column,) = np.nonzero(mask.any(axis=0))[0]
    return column


def test_the_bridge_is_in_the_middle_third_and_spans_the_bed():
    for valley in VALLEYS:
        cols, at = valley.bridge.shape[1], column_of(valley.bridge)
        assert cols // 3 <= at <= 2 * cols // 3
        assert (valley.bridge[:, at] == valley.bed[:, at]).all()
        assert valley.deep[:, at - 1 : at + 2].any(axis=0).all()  # no ford beside it


def test_the_bridge_is_as_short_as_any_between_the_same_fords():
    for valley in VALLEYS:
        at = column_of(valley.bridge)
        span = valley.bed.sum(axis=0)
        for near in (at - 1, at + 1):
            is_ford = not valley.deep[:, [near - 1, near, near + 1]].any(axis=0).all()
            inside = valley.bridge.shape[1] // 3 <= near <= 2 * valley.bridge.shape[1] // 3
            too_near = not valley.deep[:, near - 2 : near + 3].any(axis=0).all()
            assert is_ford or too_near or not inside or span[near] >= span[at]


def test_water_and_roads_are_apart_but_for_the_bridge():
    for valley in VALLEYS:
        assert not (valley.deep & valley.shallow).any()
        assert not (valley.road & valley.bed).any()
        assert not (valley.towpath & valley.water).any()
        assert (valley.bridge <= valley.bed).all()
        assert (valley.bridgeheads <= valley.road).all()
        at = column_of(valley.bridge)
        rows = np.nonzero(valley.bridge[:, at])[0]
        assert {rows[0] - 1, rows[-1] + 1} <= set(np.nonzero(valley.bridgeheads[:, at])[0])


def test_the_river_and_its_towpath_fill_every_column_once():
    for valley in VALLEYS:
        for mask in (valley.water, valley.towpath):
            for column in mask.T:
                (rows,) = np.nonzero(column)
                assert rows[-1] - rows[0] + 1 == len(rows)
        north = valley.towpath.argmax(axis=0) + valley.towpath.sum(axis=0)
        assert (north == valley.water.argmax(axis=0)).all()


def test_the_cliff_is_at_the_north_border_on_the_wider_side_of_the_road():
    for valley in VALLEYS:
        cols, at = valley.bridge.shape[1], column_of(valley.bridge)
        (behind,) = np.nonzero(valley.plateau.any(axis=0))
        assert (np.diff(behind) == 1).all()
        assert min(5, cols) <= len(behind) <= max(5, cols // 3)
        assert (behind > at).all() if 2 * at < cols else (behind < at).all()
        assert 0 <= behind[0] <= behind[-1] < cols
        assert not (valley.plateau & (valley.road | valley.bed)).any()
        for column in behind:
            rows = np.nonzero(valley.plateau[:, column])[0]
            assert rows.tolist() == list(range(len(rows)))  # from the border on
            assert (valley.below[:, column] == ~valley.plateau[:, column]).all()
        assert not valley.below[:, ~valley.plateau.any(axis=0)].any()


@pytest.mark.parametrize("size", [(MIN_SIZE - 1, 40), (40, MIN_SIZE - 1)])
def test_a_small_map_has_no_valley(size):
    valley = plan_valley(*size, 3)
    masks = valley.deep, valley.shallow, valley.road, valley.towpath, valley.bridge, valley.plateau
    assert not any(mask.any() for mask in masks)
    assert plan_valley(MIN_SIZE, MIN_SIZE, 3).road.any()
