"""Follow the trail of crumbs that another mover drops, as far as the follower sees it."""

import sys
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ai.behaviors.behavior import Behavior
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from ai.behaviors.wander import Wander
from terrain3d import Cell
from terrain3d.core.checks import instance_of, number_within, whole_within
from terrain3d.grid.grid import CellLike, as_cell


class Crumb(NamedTuple):
    """A cell where a mover was; crumbs are numbered from 0 in the order of dropping."""

    cell: Cell
    data: object
    number: int


class Trail:
    """The latest crumbs of one mover, the newest first.

    `unit.step_finished.connect(trail.drop)` makes a unit drop them as it walks.

    Parameters
    ----------
    max_crumbs : int
        The most crumbs to keep, >= 1; the oldest are dropped first.

    Raises
    ------
    TypeError, ValueError
        `max_crumbs` is not a whole number >= 1.
    """

    def __init__(self, max_crumbs: int = 32) -> None:
        most = whole_within("max_crumbs", max_crumbs, 1, sys.maxsize)
        self._crumbs: deque[Crumb] = deque(maxlen=most)
        self._n_dropped = 0

    def __len__(self) -> int:
        """Count the crumbs."""
        return len(self._crumbs)

    def __iter__(self) -> Iterator[Crumb]:
        """Iterate over the crumbs, the newest first."""
        return iter(self._crumbs)

    def drop(self, cell: CellLike, data: object = None) -> None:
        """Add a crumb, with any data for a follower; `TypeError` if it is not a cell."""
        self._crumbs.appendleft(Crumb(as_cell(cell), data, self._n_dropped))
        self._n_dropped += 1


class FollowTrail(Behavior):
    """Go to the newest crumb that it can see or step to, which cuts corners; else wander.

    It does not go back to crumbs older than the newest it has reached. While units stand on all
    newer crumbs in sight, it waits.

    Parameters
    ----------
    trail : Trail
    rng : numpy.random.Generator
        For wandering while no crumb is in sight.
    sight_tiles : number
        The distance it can see, >= 0.
    eye : float, in levels
        The height of its eye and of crumbs above the ground, >= 0.

    Raises
    ------
    TypeError, ValueError
        A value is not a number, or out of its limits.
    """

    def __init__(
        self, trail: Trail, rng: np.random.Generator, *, sight_tiles: float = 8, eye: float = 1
    ) -> None:
        self.trail = instance_of("trail", trail, Trail)
        """The trail that it follows."""
        self._sight_tiles = number_within("sight_tiles", sight_tiles, 0)
        self._eye = number_within("eye", eye, 0)
        self._wander = Wander(rng)
        self._path = PlannedPath()
        self._goal: Crumb | None = None
        self.crumb: Crumb | None = None
        """The newest crumb it has reached."""

    def _choose(self, situation: Situation) -> Cell | str:
        fresh = self._fresh(situation)
        if not fresh and self.crumb is not None:
            return f"has come to the end of the trail at {self.crumb.cell}"
        waits, beside = "", situation.steps() if fresh else {}
        for crumb in fresh:
            is_known = crumb == self._goal or crumb.cell in beside
            if not (is_known or self._sees(situation, crumb.cell)):
                continue
            if situation.is_taken(crumb.cell):
                waits = waits or f"a unit stands on the trail at {crumb.cell}"
                continue
            choice = self._path.towards(situation, crumb.cell)
            if isinstance(choice, Cell):
                self._goal = crumb
                return choice
        return waits or self._wander.next_cell(situation) or self._wander.reason

    def _fresh(self, situation: Situation) -> list[Crumb]:
        """Return the crumbs newer than the newest it has reached."""
        fresh = []
        for crumb in self.trail:
            if self.crumb is not None and crumb.number <= self.crumb.number:
                break
            if crumb.cell == situation.here:
                self.crumb = crumb
                break
            fresh.append(crumb)
        return fresh

    def _sees(self, situation: Situation, cell: Cell) -> bool:
        here, navigation = situation.here, situation.navigation
        if not (situation.has(here) and situation.has(cell)):
            return False
        if navigation.tilemap.grid.distance(here[:2], cell[:2]) > self._sight_tiles:
            return False
        return navigation.line_of_sight(here, cell, eye=self._eye, target=self._eye)
