"""Seeded noise, and the levels and kinds of maps made of it.

The method is value noise: random values on lattices of several cell sizes, interpolated bilinearly
and blended by weight. Values come from an integer hash of (seed, octave, row, col), and each
floating-point operation is a basic IEEE 754 operation, so a seed gives the same map on every
platform and every numpy version.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import MAX_CELLS, finite_number, listed, whole_number, whole_within
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import SquareGrid
from terrain3d.grid.kinds import KINDS, TileKind, index_of

WEIGHTS = (0.65, 0.25, 0.1)
"""Shares of large, middle and small hills."""

_KIND_SEED = 0x9E3779B9  # offset of the noise of kinds from the noise of heights
_STRIP = 64
"""Rows that are computed at once, so that they fit the processor's caches."""


def _mix(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64-bit numbers: the finalizer of SplitMix64 (Steele, Lea, Flood 2014)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def lattice(seed: int, octave: int, rows: int, cols: int) -> NDArray[np.float64]:
    """Return random values in [0, 1); a larger lattice of a seed starts with the same values."""
    golden = 0x9E3779B97F4A7C15
    start = (seed + golden * (octave + 1)) % 2**64
    stream = _mix(np.array([start], dtype=np.uint64))
    row_bits = _mix(stream + np.arange(1, rows + 1, dtype=np.uint64) * np.uint64(golden))
    col_steps = np.arange(1, cols + 1, dtype=np.uint64) * np.uint64(golden)
    bits = _mix(row_bits[:, None] + col_steps[None, :])
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _between(
    values: NDArray[np.float64], first: int, last: int, size: int, axis: int
) -> NDArray[np.float64]:
    """Interpolate linearly along an axis from points `size` apart to tiles first..last - 1."""
    low, rest = np.divmod(np.arange(first, last), size)
    part = np.expand_dims(rest / size, 1 - axis)
    blend: NDArray[np.float64] = values.take(low, axis=axis)
    blend *= 1.0 - part
    beyond = values.take(low + 1, axis=axis)
    beyond *= part
    blend += beyond
    return blend


def fractal_noise(
    rows: int, cols: int, seed: int, cell_sizes: Sequence[int], weights: Sequence[float]
) -> NDArray[np.float64]:
    """Return (rows, cols) numbers in [0, 1): bilinear lattice noise of several cell sizes, blended.

    `cell_sizes` are the distances of the lattice points of each octave in tiles, >= 1, `weights`
    their shares, >= 0 and not all 0; the sum may differ from 1.
    """
    sizes = [whole_number("cell_sizes", size) for size in listed("cell_sizes", cell_sizes)]
    weights = [finite_number("weights", weight) for weight in listed("weights", weights)]
    if not sizes or len(sizes) != len(weights):
        raise ValueError(f"need as many weights as cell sizes, got {len(weights)} and {len(sizes)}")
    for size in sizes:
        whole_within("cell_sizes", size, 1, MAX_CELLS)
    if not (all(weight >= 0 for weight in weights) and 0 < sum(weights) < math.inf):
        raise ValueError(f"weights must be finite, >= 0 and not all 0, got {tuple(weights)}")
    total = np.zeros((rows, cols))
    for octave, (size, weight) in enumerate(zip(sizes, weights, strict=True)):
        # One more lattice point after the last tile, so that interpolation stays inside.
        points = lattice(seed, octave, (rows - 1) // size + 2, (cols - 1) // size + 2)
        for first in range(0, rows, _STRIP):
            last = min(first + _STRIP, rows)
            along_rows = _between(points, first, last, size, 0)
            total[first:last] += weight * _between(along_rows, 0, cols, size, 1)
    total /= sum(weights)
    return total


def terraces(
    height: NDArray[np.float64], count: int, counted: NDArray[np.bool_] | None = None
) -> NDArray[np.int16]:
    """Return the terrace of each tile, 0..count - 1, without bumps and pits of one or two tiles.

    Terraces follow the order of the (rows, cols) heights. Each covers a share of the `counted`
    tiles, by default of all, a smaller one the higher it is: the first has about three times the
    tiles of the last.
    """
    shares = np.cumsum(3 * count - 2 * np.arange(count))
    ranked = np.sort(height.ravel() if counted is None else height[counted])
    cuts = ranked[shares[:-1] * len(ranked) // shares[-1]]
    return _smooth(np.searchsorted(cuts, height, side="right").astype(np.int16))


def _smooth(level: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the median of each tile and the eight around it.

    It is the median of the greatest low, the middle median and the least high of the three columns
    around the tile, each sorted (Devillard, "Fast median search", 1998).
    """
    wide = np.pad(level, 1, mode="edge")
    columns = _sorted3(wide[:-2], wide[1:-1], wide[2:])
    low, middle, high = (
        _sorted3(part[:, :-2], part[:, 1:-1], part[:, 2:])[number]
        for part, number in zip(columns, (2, 1, 0), strict=True)
    )
    return _sorted3(low, middle, high)[1]


def _sorted3(
    a: NDArray[np.int16], b: NDArray[np.int16], c: NDArray[np.int16]
) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
    """Return the least, the middle and the greatest of three arrays, element by element."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    return np.minimum(low, c), np.maximum(low, np.minimum(high, c)), np.maximum(high, c)


def noise_ground(
    rows: int,
    cols: int,
    seed: int,
    levels: int,
    cell_sizes: Sequence[int] | None,
    weights: Sequence[float],
    kinds: Sequence[TileKind],
) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """Return the (rows, cols) levels of hills of wide terraces, and kinds from `ground_kinds`.

    Levels are 0..levels - 1; on a map of few tiles some may be missing. `cell_sizes` and `weights`
    are those of `fractal_noise`; smaller hills are steeper. Without `cell_sizes`, hills are
    as wide as the levels need for gentle slopes.
    """
    rows, cols = whole_number("rows", rows), whole_number("cols", cols)
    seed = whole_number("seed", seed)
    SquareGrid(rows, cols)  # refuses a size that no map has
    levels = whole_within("levels", levels, 1, MAX_LEVEL + 1)
    if cell_sizes is None:
        cell_sizes = 2 * levels + 2, levels + 1, (levels + 1) // 2
    height = fractal_noise(rows, cols, seed, cell_sizes, weights)
    level = terraces(height, levels)
    return level, ground_kinds(level, levels, seed, kinds)


def ground_kinds(
    level: NDArray[np.int16], levels: int, seed: int, kinds: Sequence[TileKind] = KINDS
) -> NDArray[np.uint8]:
    """Return the kind of each tile, as an index into `kinds`; heights count relative to `levels`.

    Sand and grass are low, grass and dirt in the middle, rock above, snow on top.
    """
    rows, cols = level.shape
    patch = fractal_noise(rows, cols, seed + _KIND_SEED, (6, 3), (0.7, 0.3))
    height = level / max(1, levels - 1)
    grass, dirt, sand, rock, snow = (
        index_of(name, kinds) for name in ("grass", "dirt", "sand", "rock", "snow")
    )
    kind = np.full(level.shape, grass, dtype=np.uint8)
    if levels > 1:
        kind[(height < 0.2) & (patch > 0.42)] = sand
        kind[(height >= 0.2) & (patch > 0.62)] = dirt
        kind[(height >= 0.7) & (patch > 0.45)] = rock
        kind[height >= 0.95] = rock
        kind[(height >= 0.95) & (patch < 0.58)] = snow
    return kind
