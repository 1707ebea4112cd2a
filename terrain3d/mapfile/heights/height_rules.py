"""Grids of heights as maps: by which rules heights become levels, and levels ground."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.generate.biomes import ground_kinds
from terrain3d.generate.noise import quantize
from terrain3d.grid.kinds import KINDS, VOID, index_of
from terrain3d.mapfile.heights.resample import resample
from terrain3d.mapfile.losses import STEP_HEIGHT
from terrain3d.mapfile.record import MapRecord
from terrain3d.mapfile.text import DIGITS

SPREADS = ("linear", "even")
USUAL_LEVELS = 9
USUAL_SIDE = 128
"""The longer side of a map whose size nobody says."""

MAX_HEIGHT = 1e12
_MAX_LEVEL = 2**15 - 1
_SEED = 0


@dataclass(frozen=True)
class HeightRules:
    """How heights become levels.

    Parameters
    ----------
    size : (rows, cols), optional
        Without, that of the grid, or so much less that no side is longer than USUAL_SIDE.
    levels : int, optional
        How many there are; USUAL_LEVELS if not given.
    step : float > 0, optional
        How much a level is in the grid's own unit; instead of `levels`, the lowest cell is at 0.
    spread : str
        "linear": levels are equal parts from the lowest height to the highest. "even": they have
        equally many tiles, as far as equal heights allow.
    as_levels : bool
        The numbers are levels already.
    step_height : float, in world units

    Raises
    ------
    ValueError
        A number is out of its limits, or two of them contradict each other.
    """

    size: tuple[int, int] | None = None
    levels: int | None = None
    step: float | None = None
    spread: str = "linear"
    as_levels: bool = False
    step_height: float = STEP_HEIGHT

    def __post_init__(self) -> None:
        """Refuse what is no rule."""
        if self.size is not None and min(self.size) < 1:
            raise ValueError(f"a map has at least 1 row and 1 column, got size {self.size}")
        if self.levels is not None and not 1 <= self.levels <= _MAX_LEVEL + 1:
            raise ValueError(f"levels must be in 1..{_MAX_LEVEL + 1}, got {self.levels}")
        if self.step is not None and not (math.isfinite(self.step) and self.step > 0):
            raise ValueError(f"step must be finite and > 0, got {self.step}")
        if self.spread not in SPREADS:
            raise ValueError(f"spread must be one of {', '.join(SPREADS)}, got {self.spread!r}")
        if self.step is not None and (self.levels is not None or self.spread != SPREADS[0]):
            raise ValueError("a step leaves no choice of levels and spread")
        if self.as_levels and self.says_how_to_cut:
            raise ValueError("numbers that are levels already leave no choice of size or levels")

    @property
    def says_how_to_cut(self) -> bool:
        """Whether somebody chose how heights become levels."""
        chosen = (self.size, self.levels, self.step)
        return self.spread != SPREADS[0] or any(part is not None for part in chosen)


def record_of(
    grid: NDArray[np.float64], rules: HeightRules, topology: str, max_tiles: int, source: str = ""
) -> MapRecord:
    """Make a map of a grid of heights.

    Ground is chosen by height, as for maps of noise; where there is no height, it is void.

    Parameters
    ----------
    grid : (rows, cols) float64
        NaN where there is none; row 0 is the north.
    rules : HeightRules
    topology : str
    max_tiles : int
    source : str

    Raises
    ------
    MapFileError
        A height is infinite or beyond MAX_HEIGHT, there are too many tiles or levels, or what is
        to be levels is none.
    """
    _refuse_far(grid, source)
    is_plain = not rules.says_how_to_cut and _is_levels(grid, len(DIGITS) - 1)
    rows, cols = grid.shape
    if rules.as_levels or is_plain:
        if not _is_levels(grid, _MAX_LEVEL):
            raise MapFileError(f"levels must be whole and in 0..{_MAX_LEVEL}", source=source)
        said = "the numbers are taken as levels"
    else:
        rows, cols = rules.size or _usual_size(rows, cols)
        said = ""
    check_tile_count(rows * cols, max_tiles, source)
    heights = resample(grid, rows, cols)
    is_void = np.isnan(heights)
    level = np.zeros((rows, cols), np.int16)
    if not is_void.all():
        values = heights[~is_void]
        level[~is_void] = values if said else _cut(values, rules, source)
        said = said or _told(grid.shape, values, rules, (rows, cols))
    kind = ground_kinds(level, int(level.max()) + 1, _SEED)
    kind[is_void] = index_of(VOID.name, KINDS)
    notes = (said,) if said else ()
    return MapRecord(level, kind, KINDS, rules.step_height, topology, notes=notes)


def _refuse_far(grid: NDArray[np.float64], source: str) -> None:
    wrong = np.flatnonzero(np.abs(grid) > MAX_HEIGHT)
    if wrong.size:
        row, col = divmod(int(wrong[0]), grid.shape[1])
        problem = f"a height is at most {MAX_HEIGHT:g} from 0, got {grid[row, col]:g}"
        raise MapFileError(problem, field=f"row {row}, column {col}", source=source)


def _is_levels(grid: NDArray[np.float64], highest: int) -> bool:
    """Tell whether all numbers are whole and within 0..highest."""
    there = grid[~np.isnan(grid)]
    return not there.size or bool(
        there.min() >= 0 and there.max() <= highest and np.all(there == np.floor(there))
    )


def _usual_size(rows: int, cols: int) -> tuple[int, int]:
    longer = max(rows, cols)
    if longer <= USUAL_SIDE:
        return rows, cols
    return max(1, rows * USUAL_SIDE // longer), max(1, cols * USUAL_SIDE // longer)


def _cut(values: NDArray[np.float64], rules: HeightRules, source: str) -> NDArray[np.int16]:
    """Cut heights into levels."""
    levels = rules.levels or USUAL_LEVELS
    if rules.step is not None:
        with np.errstate(over="ignore"):  # of a tiny step, which is refused for what comes out
            cut = np.floor((values - values.min()) / rules.step)
        if cut.max() > _MAX_LEVEL:
            problem = f"a step of {rules.step:g} makes levels above {_MAX_LEVEL}"
            raise MapFileError(problem, source=source)
        return np.asarray(cut, np.int16)
    if rules.spread == "linear":
        return quantize(values, levels)
    below = np.searchsorted(np.sort(values), values)
    return np.asarray(below * levels // len(values), np.int16)


def _told(
    before: tuple[int, ...],
    values: NDArray[np.float64],
    rules: HeightRules,
    size: tuple[int, int],
) -> str:
    """Say how heights became levels."""
    levels = f"{rules.levels or USUAL_LEVELS} {rules.spread} levels"
    how = levels if rules.step is None else f"levels of {rules.step:g}"
    told = f"heights {values.min():g} to {values.max():g} are cut into {how}"
    if before == size:
        return told
    return f"{told}, {before[0]} x {before[1]} samples into {size[0]} x {size[1]} tiles"
