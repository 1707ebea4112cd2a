"""Noise and terraces: ranges, shares and the same values everywhere; the plan of a valley."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    value = {cell: noise_value(seed, *cell, sizes, weights) for cell in cells}
    ranked, total = sorted(value.values()), levels * (2 * levels + 1)
    cuts, share = [], 0
    for terrace in range(levels - 1):
        share += 3 * levels - 2 * terrace
        cuts.append(ranked[share * rows * cols // total])
    terrace = {cell: sum(cut <= height for cut in cuts) for cell, height in value.items()}

    def smoothed(row, col):
        around = [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        inside = [(min(max(r, 0), rows - 1), min(max(c, 0), cols - 1)) for r, c in around]
        return statistics.median(terrace[cell] for cell in inside)

    return [[smoothed(row, col) for col in range(cols)] for row in range(rows)]


def test_the_published_first_number_of_splitmix64_comes_out():
    assert mixed(GOLDEN) == 0xE220A8397B1DCDAF  # its first output from seed 0


def test_seed_7_is_this_map():
    assert TileMap.from_noise(8, 12, seed=7).to_text() == SEED_7.strip()
    expected = [[int(sign) for sign in line] for line in SEED_7.split()]
    assert reference_levels(8, 12, 7, 5) == expected


octaves = st.lists(st.tuples(st.integers(1, 9), st.floats(0, 10)), min_size=1, max_size=4).filter(
    lambda pairs: sum(weight for _, weight in pairs) > 1e-3
)


sizes = st.tuples(st.integers(1, 13), st.integers(1, 13))


@given(sizes, st.integers(-(2**70), 2**70), st.integers(1, 40), octaves)
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
        ({"cell_sizes": (4, 0, 1)}, r"cell_sizes must be in 1\.\.67108864, got 0"),
        ({"cell_sizes": (4, 2)}, "as many weights as cell sizes, got 3 and 2"),
        ({"cell_sizes": (), "weights": ()}, "as cell sizes, got 0 and 0"),
        ({"weights": (1e308, 1e308, 1e308)}, r"weights must be finite.*1e\+308"),
        ({"weights": (0, 0, 0)}, r"not all 0, got \(0, 0, 0\)"),
    ],
)
def test_invalid_sizes_and_levels_raise_errors_with_limit_and_value(change, says):
    with pytest.raises(ValueError, match=says):
        TileMap.from_noise(**{"rows": 5, "cols": 5, "seed": 7, **change})
