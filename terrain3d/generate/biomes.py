"""Which kind of ground lies where: by height and by a second noise, so that a map is a place."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.generate.noise import fractal_noise
from terrain3d.grid.kinds import KINDS, TileKind, index_of

_SEED = 0x9E3779B9  # keeps the noise of kinds apart from the noise of heights


def ground_kinds(
    level: NDArray[np.int16], levels: int, seed: int, kinds: Sequence[TileKind] = KINDS
) -> NDArray[np.uint8]:
    """Choose each tile's kind, an index into `kinds`.

    Sand and grass lie low, grass and dirt in the middle, rock above, snow on top.

    Parameters
    ----------
    level : (rows, cols) int16
    levels : int
        How many levels the map may have; the heights count as parts of them.
    seed : int
    kinds : sequence of TileKind
        Must know grass, dirt, sand, rock and snow.

    Raises
    ------
    ValueError
        One of these is missing.
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
