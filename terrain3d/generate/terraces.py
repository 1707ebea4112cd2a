"""Cut smooth heights into terraces: areas of one level that are wide enough to stand on."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.generate.slopes import Mask


def terraces(
    height: NDArray[np.float64], count: int, counted: Mask | None = None
) -> NDArray[np.int16]:
    """Return the terrace of each tile, 0..count - 1, without bumps and pits of one or two tiles.

    Terraces follow the order of the heights. Each covers a share of the tiles, a smaller one the
    higher it is: the first has about three times the tiles of the last.

    Parameters
    ----------
    height : (rows, cols) float64
        Only their order counts.
    count : int
        1..MAX_LEVEL + 1.
    counted : (rows, cols) bool, optional
        The tiles of which the terraces cover shares; all if not given.
    """
    shares = np.cumsum(3 * count - 2 * np.arange(count))
    ranked = np.sort(height.ravel() if counted is None else height[counted])
    cuts = ranked[shares[:-1] * len(ranked) // shares[-1]]
    return _smooth(np.searchsorted(cuts, height, side="right").astype(np.int16))


def _smooth(level: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the median of each tile and the eight around it."""
    rows, cols = level.shape
    wide = np.pad(level, 1, mode="edge")
    around = [wide[r : r + rows, c : c + cols] for r in range(3) for c in range(3)]
    middle: NDArray[np.int16] = np.partition(np.stack(around), 4, axis=0)[4]
    return middle
