"""Turn a grid of heights into ground: the rules, resampling, and quantizing heights to levels."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import one_of, positive_number, quoted, whole_number, whole_within
from terrain3d.generate.noise import ground_kinds
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.kinds import KINDS, VOID, index_of

MAX_HEIGHT = 1e12
SPREADS = ("linear", "even")
DEFAULT_LEVELS = 9
_SEED = 0


def check_rules(
    size: tuple[int, int] | None, levels: int | None, step: float | None, spread: str
) -> None:
    """Check the rules by which heights become levels; see `TileMap.from_heights`.

    `TypeError` or `ValueError` if one is out of its limits, or two of them contradict each other.
    """
    if size is not None:
        if not isinstance(size, tuple | list) or len(size) != 2:
            raise TypeError(f"size must be (rows, cols), got {quoted(size)}")
        if min(whole_number("size", number) for number in size) < 1:
            raise ValueError(f"a map has at least 1 row and 1 column, got size {size}")
    if levels is not None:
        whole_within("levels", levels, 1, MAX_LEVEL + 1)
    if step is not None:
        positive_number("step", step)
    one_of("spread", spread, SPREADS)
    if step is not None and (levels is not None or spread != SPREADS[0]):
        raise ValueError("step cannot be combined with levels or spread")


def ground_of_heights(
    grid: NDArray[np.float64],
    shape: tuple[int, int],
    levels: int | None,
    step: float | None,
    spread: str,
) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """Return levels and kinds, as indices into `KINDS`, of a (rows, cols) grid of heights.

    Row 0 is the north, and NaN becomes void. The grid is resampled to `shape`. Kinds are chosen by
    height, as in maps of noise. `ValueError` if heights or levels are out of their limits.
    """
    wrong = np.argwhere(np.abs(grid) > MAX_HEIGHT)
    if wrong.size:
        row, col = wrong[0].tolist()
        limits = f"heights must be in -{MAX_HEIGHT:g}..{MAX_HEIGHT:g}"
        raise ValueError(f"{limits}, got {grid[row, col]:g} at ({row}, {col})")
    heights = resample(grid, *shape)
    is_void = np.isnan(heights)
    level = np.zeros(shape, np.int16)
    if not is_void.all():
        values = heights[~is_void]
        if step is not None:
            level[~is_void] = _steps(values, step)
        else:
            level[~is_void] = _parts(values, levels or DEFAULT_LEVELS, spread)
    kind = ground_kinds(level, int(level.max()) + 1, _SEED)
    kind[is_void] = index_of(VOID.name, KINDS)
    return level, kind


def resample(heights: NDArray[np.float64], rows: int, cols: int) -> NDArray[np.float64]:
    """Return (n, m) heights resampled to (rows, cols); NaN means no height.

    A new cell is the mean of the old cells it covers, weighted by area. It has no height if less
    than half of the area it covers has one. Weights are whole numbers, so that whole heights give
    the same means on every machine.
    """
    if heights.shape == (rows, cols):
        return heights
    has_height = ~np.isnan(heights)
    if has_height.all():
        return _sums(_sums(heights, rows).T, cols).T / heights.size
    total = _sums(_sums(np.where(has_height, heights, 0.0), rows).T, cols).T
    weight = _sums(_sums(has_height.astype(np.float64), rows).T, cols).T
    means = np.full((rows, cols), np.nan)
    np.divide(total, weight, out=means, where=2 * weight >= heights.size)
    return means


def _sums(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return weighted sums of `count` equal parts of axis 0.

    The axis is measured in size * count units: an old cell has `count` of them, a part `size`. The
    weight of a value is the number of units that its cell and the part share.
    """
    size = len(values)
    sums = np.empty((count, values.shape[1]))
    for part in range(count):  # a loop, because all parts at once need count times the memory
        low, high = part * size, (part + 1) * size
        cells = np.arange(low // count, -(-high // count))
        units = np.minimum((cells + 1) * count, high) - np.maximum(cells * count, low)
        covered = values[cells[0] : cells[-1] + 1]
        sums[part] = (covered * units[:, None]).sum(axis=0)
    return sums


def _steps(values: NDArray[np.float64], step: float) -> NDArray[np.int16]:
    """Return the levels of heights, each `step` high."""
    with np.errstate(over="ignore"):  # a tiny step overflows; the check below refuses it
        steps = np.floor((values - values.min()) / step)
    if steps.max() > MAX_LEVEL:
        larger = 2 * float(np.ptp(values)) / MAX_LEVEL
        raise ValueError(
            f"step {step:g} makes levels above {MAX_LEVEL}: "
            f"write a larger step, such as {larger:.3g}, or levels"
        )
    return np.asarray(steps, np.int16)


def _parts(values: NDArray[np.float64], levels: int, spread: str) -> NDArray[np.int16]:
    """Return the levels of heights, of which there are `levels`."""
    if spread == "linear":  # the lowest and the highest level occur
        parts = (values - values.min()) / (np.ptp(values) or 1.0) * levels
        return np.asarray(np.minimum(np.floor(parts), levels - 1), np.int16)
    n_below = np.searchsorted(np.sort(values), values)
    return np.asarray(n_below * levels // len(values), np.int16)
