"""Weapon ranges: distance, height limits and arc."""

import math
from dataclasses import dataclass
from typing import cast

from terrain3d.core.checks import finite_number, number_within, whole_within
from terrain3d.grid.columns import MAX_LEVEL

MAX_TILES = 64
"""The longest range of a weapon, gains by height included."""


@dataclass(frozen=True)
class Weapon:
    """The range of a weapon, as data.

    A target is hit if it is `min_tiles` to `max_tiles` steps away, as counted on open, level
    ground, at most `max_up` levels higher or `max_down` lower, and if the shot is not blocked.
    Height changes the range as of bows in Tactics Ogre and Final Fantasy Tactics.

    Parameters
    ----------
    min_tiles, max_tiles : int
        1 <= min_tiles <= max_tiles <= MAX_TILES.
    max_up, max_down : number, in levels
        How much higher or lower a target may be, >= 0.
    tiles_per_level_down, tiles_per_level_up : number
        By how many tiles the range grows for each level that the target is lower, and shrinks for
        each that it is higher, >= 0. With 0.5 it changes by a tile for every two levels. No range
        grows beyond MAX_TILES.
    arc : int or inf
        How many levels the shot flies above the straight line at its middle, 0..MAX_LEVEL, on a
        parabola. 0: it needs a line of sight. inf: nothing blocks it. Both ends are one level above
        their surfaces; what blocks is that of `Navigation.line_of_sight`.

    Raises
    ------
    TypeError, ValueError
        A value has another type or is out of its limits.
    """

    min_tiles: int = 1
    max_tiles: int = 1
    max_up: float = math.inf
    max_down: float = math.inf
    tiles_per_level_down: float = 0
    tiles_per_level_up: float = 0
    arc: float = 0

    def __post_init__(self) -> None:
        """Check the fields."""
        whole_within("max_tiles", self.max_tiles, 1, MAX_TILES)
        whole_within("min_tiles", self.min_tiles, 1, self.max_tiles)
        for name in ("max_up", "max_down"):
            number_within(name, getattr(self, name), 0)
        for name in ("tiles_per_level_down", "tiles_per_level_up"):
            finite_number(name, getattr(self, name), 0)
        if not (isinstance(self.arc, float) and self.arc == math.inf):
            whole_within("arc", cast(int, self.arc), 0, MAX_LEVEL)
