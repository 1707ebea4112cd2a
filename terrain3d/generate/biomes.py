"""Levels and kinds of ground from seeded noise."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import whole_number
from terrain3d.generate.noise import fractal_noise, terraces
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import SquareGrid
from terrain3d.grid.kinds import KINDS, TileKind, index_of

WEIGHTS = (0.65, 0.25, 0.1)
"""Shares of large, middle and small hills."""

_SEED = 0x9E3779B9  # offset of the noise of kinds from the noise of heights


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
    are those of `noise.fractal_noise`; smaller hills are steeper. Without `cell_sizes`, hills are
    as wide as the levels need for gentle slopes.
    """
    rows, cols = whole_number("rows", rows), whole_number("cols", cols)
    seed, levels = whole_number("seed", seed), whole_number("levels", levels)
    SquareGrid(rows, cols)  # refuses a size that no map has
    if not 1 <= levels <= MAX_LEVEL + 1:
        raise ValueError(f"levels must be in 1..{MAX_LEVEL + 1}, got {levels}")
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
    patch = fractal_noise(rows, cols, seed + _SEED, (6, 3), (0.7, 0.3))
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
