"""Options for reading a map file: topology, size limit and height rules."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from terrain3d.core.checks import (
    number_within,
    one_of,
    positive_number,
    true_or_false,
    whole_number,
    whole_within,
)
from terrain3d.grid.columns import MAX_LEVEL, STEP_HEIGHTS
from terrain3d.mapfile.record import MapRecord

MAX_SURFACES = 2**23
"""Default limit on the number of tiles of a map file, on all decks together."""

MAX_SAMPLES_PER_TILE = 2
"""A grid may have this many times the samples that a map may have tiles."""

SPREADS = ("linear", "even")
DEFAULT_LEVELS = 9


def max_file_bytes(max_surfaces: int) -> int:
    """Return the size limit of a file with a map of at most `max_surfaces` tiles."""
    return 2**24 + 8 * max_surfaces


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
    step_height: float = MapRecord.step_height

    def __post_init__(self) -> None:
        """Check the limits."""
        if self.size is not None:
            if not isinstance(self.size, tuple | list) or len(self.size) != 2:
                raise TypeError(f"size must be (rows, cols), got {self.size!r}")
            if min(whole_number("size", number) for number in self.size) < 1:
                raise ValueError(f"a map has at least 1 row and 1 column, got size {self.size}")
        if self.levels is not None:
            whole_within("levels", self.levels, 1, MAX_LEVEL + 1)
        if self.step is not None:
            positive_number("step", self.step)
        true_or_false("as_levels", self.as_levels)
        number_within("step_height", self.step_height, *STEP_HEIGHTS)
        one_of("spread", self.spread, SPREADS)
        if self.step is not None and (self.levels is not None or self.spread != SPREADS[0]):
            raise ValueError("step cannot be combined with levels or spread")
        if self.as_levels and self.sets_levels:
            raise ValueError("as_levels cannot be combined with size, levels, step or spread")

    @property
    def sets_levels(self) -> bool:
        """Whether a rule for size or levels was given."""
        given = (self.size, self.levels, self.step)
        return self.spread != SPREADS[0] or any(rule is not None for rule in given)


class ReadOptions(NamedTuple):
    """Options for reading a map file, for what its format does not store.

    `topology` is for formats that store none; `max_surfaces` is the most tiles, on all decks
    together. References are relative to `folder`, that of the file, and may lead to any file in
    `root` or below; in `folder` if no root is given.
    """

    topology: str = "square"
    max_surfaces: int = MAX_SURFACES
    heights: HeightRules | None = None
    folder: Path = Path()
    root: Path | None = None
