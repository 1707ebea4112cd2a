"""Turn a grid of heights into ground: the rules, resampling, and quantizing heights to levels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import (
    number_within,
    one_of,
    positive_number,
    quoted,
    true_or_false,
    whole_number,
    whole_within,
)
from terrain3d.core.files import MapFileError, check_tile_count
from terrain3d.generate.noise import ground_kinds
from terrain3d.grid.columns import MAX_LEVEL, STEP_HEIGHTS
from terrain3d.grid.kinds import KINDS, VOID, TileKind, index_of
from terrain3d.map.text_picture import DIGITS

DEFAULT_MAX_SIDE = 128
"""The longer side of a map whose size is not given."""
MAX_HEIGHT = 1e12
_SEED = 0

SPREADS = ("linear", "even")
DEFAULT_LEVELS = 9
BYTE_ORDERS = ("little", "big")


@dataclass(frozen=True)
class HeightRules:
    """Rules by which heights become levels.

    Parameters
    ----------
    size : (rows, cols), optional
        Size of the map. Default: the grid's size, reduced so that no side is longer than
        `DEFAULT_MAX_SIDE`.
    levels : int, optional
        Number of levels, DEFAULT_LEVELS if not given.
    step : float > 0, optional
        Height of one level in the grid's own unit, instead of `levels`. The lowest cell is level 0.
    spread : str
        "linear": levels are equal parts of the span from the lowest height to the highest. "even":
        levels have equal numbers of tiles, as far as equal heights allow.
    as_levels : bool
        Whether the numbers are levels already.
    step_height : float, in world units
    byte_order : str
        "little" or "big": which byte of each 16 bits comes first in raw files, which do not say.

    Raises
    ------
    ValueError
        A number is out of its limits, or two of them contradict each other.
    """

    size: tuple[int, int] | None = None
    levels: int | None = None
    step: float | None = None
    spread: str = SPREADS[0]
    as_levels: bool = False
    step_height: float = 0.5
    byte_order: str = "little"

    def __post_init__(self) -> None:
        """Check the limits."""
        if self.size is not None:
            if not isinstance(self.size, tuple | list) or len(self.size) != 2:
                raise TypeError(f"size must be (rows, cols), got {quoted(self.size)}")
            if min(whole_number("size", number) for number in self.size) < 1:
                raise ValueError(f"a map has at least 1 row and 1 column, got size {self.size}")
        if self.levels is not None:
            whole_within("levels", self.levels, 1, MAX_LEVEL + 1)
        if self.step is not None:
            positive_number("step", self.step)
        true_or_false("as_levels", self.as_levels)
        number_within("step_height", self.step_height, *STEP_HEIGHTS)
        one_of("spread", self.spread, SPREADS)
        one_of("byte_order", self.byte_order, BYTE_ORDERS)
        if self.step is not None and (self.levels is not None or self.spread != SPREADS[0]):
            raise ValueError("step cannot be combined with levels or spread")
        if self.as_levels and self._sets_levels:
            raise ValueError("as_levels cannot be combined with size, levels, step or spread")

    @property
    def _sets_levels(self) -> bool:
        """Whether a rule for size or levels was given."""
        given = (self.size, self.levels, self.step)
        return self.spread != SPREADS[0] or any(rule is not None for rule in given)


Ground = tuple[NDArray[np.int16], NDArray[np.uint8], tuple[TileKind, ...], tuple[str, ...]]
"""(rows, cols) levels and kinds, the table of kinds, and notes on the rules that were applied."""


def ground_of_heights(
    grid: NDArray[np.float64], rules: HeightRules, max_tiles: int, *, may_hold_levels: bool = False
) -> Ground:
    """Return the ground of a (rows, cols) grid of heights; NaN becomes void. Row 0 is the north.

    Kinds are chosen by height, as in maps of noise. With `may_hold_levels`, small whole numbers are
    levels unless there are rules for size or levels; without, they may be meters. `MapFileError`
    if the heights or the number of tiles are out of their limits.
    """
    _check_range(grid)
    rows, cols = grid.shape
    may_hold_levels &= not rules._sets_levels
    is_levels = rules.as_levels or (may_hold_levels and _is_levels(grid, len(DIGITS) - 1))
    if not is_levels:
        rows, cols = rules.size or _default_size(rows, cols)
    elif not _is_levels(grid, MAX_LEVEL):
        raise MapFileError(f"levels must be whole and in 0..{MAX_LEVEL}")
    check_tile_count(rows * cols, max_tiles)
    heights = resample(grid, rows, cols)
    is_void = np.isnan(heights)
    level = np.zeros((rows, cols), np.int16)
    notes = ["the numbers are taken as levels"] if is_levels else []
    if not is_void.all():
        values = heights[~is_void]
        level[~is_void] = values if is_levels else _quantize(values, rules)
        if not is_levels:
            notes.append(_rule_note(grid.shape, values, rules, (rows, cols)))
    kind = ground_kinds(level, int(level.max()) + 1, _SEED)
    kind[is_void] = index_of(VOID.name, KINDS)
    return level, kind, KINDS, tuple(notes)


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


def _check_range(grid: NDArray[np.float64]) -> None:
    wrong = np.flatnonzero(np.abs(grid) > MAX_HEIGHT)
    if wrong.size:
        row, col = divmod(int(wrong[0]), grid.shape[1])
        problem = f"heights must be in -{MAX_HEIGHT:g}..{MAX_HEIGHT:g}, got {grid[row, col]:g}"
        raise MapFileError(problem, field=f"row {row}, column {col}")


def _is_levels(grid: NDArray[np.float64], highest: int) -> bool:
    """Return whether all numbers are whole and in 0..highest."""
    values = grid[~np.isnan(grid)]
    return not values.size or bool(
        values.min() >= 0 and values.max() <= highest and np.all(values == np.floor(values))
    )


def _default_size(rows: int, cols: int) -> tuple[int, int]:
    longer = max(rows, cols)
    if longer <= DEFAULT_MAX_SIDE:
        return rows, cols
    return max(1, rows * DEFAULT_MAX_SIDE // longer), max(1, cols * DEFAULT_MAX_SIDE // longer)


def _quantize(values: NDArray[np.float64], rules: HeightRules) -> NDArray[np.int16]:
    """Return the levels of heights."""
    levels = rules.levels or DEFAULT_LEVELS
    if rules.step is not None:
        with np.errstate(over="ignore"):  # a tiny step overflows; the check below refuses it
            steps = np.floor((values - values.min()) / rules.step)
        if steps.max() > MAX_LEVEL:
            problem = f"step {rules.step:g} makes levels above {MAX_LEVEL}"
            larger = 2 * float(np.ptp(values)) / MAX_LEVEL
            raise MapFileError(f"{problem}: write a larger step, such as {larger:.3g}, or levels")
        return np.asarray(steps, np.int16)
    if rules.spread == "linear":  # the lowest and the highest level occur
        parts = (values - values.min()) / (np.ptp(values) or 1.0) * levels
        return np.asarray(np.minimum(np.floor(parts), levels - 1), np.int16)
    n_below = np.searchsorted(np.sort(values), values)
    return np.asarray(n_below * levels // len(values), np.int16)


def _rule_note(
    grid_shape: tuple[int, ...],
    values: NDArray[np.float64],
    rules: HeightRules,
    size: tuple[int, int],
) -> str:
    """Return the note that says how heights became levels."""
    levels = f"{rules.levels or DEFAULT_LEVELS} {rules.spread} levels"
    levels = levels if rules.step is None else f"levels of {rules.step:g}"
    note = f"heights {values.min():g} to {values.max():g} become {levels}"
    if grid_shape == size:
        return note
    return f"{note}, {grid_shape[0]} x {grid_shape[1]} samples become {size[0]} x {size[1]} tiles"
