"""Noise and terraces: ranges, shares and the same values everywhere; the plan of a valley."""

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from terrain3d import TileMap

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


@given(st.integers(), st.integers(1, 9))
def test_every_level_occurs_on_a_map_of_usual_size(seed, levels):
    assert set(TileMap.from_noise(30, 30, seed, levels).level.flat) == set(range(levels))


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
