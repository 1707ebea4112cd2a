"""Noise that makes terrain: broad terraces, measured by SciPy on maps of many seeds."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from terrain3d import TileMap

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
