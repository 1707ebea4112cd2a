"""Seek: go straight toward a goal, and sidestep at random where an obstacle is in between."""

import math

import numpy as np

from ai.behaviors.behavior import Behavior, Stay
from ai.behaviors.situation import Situation
from ai.behaviors.wander import MAX_TURN_DEG, Wander
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, whole_within
from terrain3d.grid.grid import CellLike, as_cell


class Seek(Behavior):
    """Go straight toward a goal without a search: targeted random movement.

    Each step is the one that ends nearest to the goal, by the straight line seen from above. Where
    no step ends nearer, an obstacle is in between: it walks at random for 1 to `max_side_steps`
    steps, turning back only at a dead end, and then goes straight again. It gets around small
    obstacles, and stays in large concave ones until it gives up.

    Parameters
    ----------
    goal : cell
    rng : numpy.random.Generator
        Source of the random steps and of their number; equal generators give equal walks.
    max_side_steps : int
        The most random steps at one obstacle, >= 1.
    max_detours : int
        How many obstacles it tries to get around, >= 0; at the next one it gives up.

    Raises
    ------
    TypeError, ValueError
        The goal is not a cell, `rng` is no generator, or a number is out of its limits.

    References
    ----------
    Bourg and Seemann, "AI for Game Developers" (2004), chapter 6, random movement at obstacles.
    """

    def __init__(
        self,
        goal: CellLike,
        rng: np.random.Generator,
        *,
        max_side_steps: int = 8,
        max_detours: int = 20,
    ) -> None:
        self._goal = as_cell(goal)
        self._rng = instance_of("rng", rng, np.random.Generator)
        self._max_side_steps = whole_within("max_side_steps", max_side_steps, 1)
        self._max_detours = whole_within("max_detours", max_detours, 0)
        self._wander = Wander(rng, MAX_TURN_DEG)
        self._side_steps = 0  # left of this detour
        self.n_detours = 0
        """How many obstacles it has met."""

    def _choose(self, situation: Situation) -> Cell | str:
        if situation.here == self._goal:
            return Stay("has arrived at {}", self._goal)
        if not situation.has(self._goal):
            return Reason("{} is not on the map", self._goal)
        if not self._side_steps:
            nearer = self._nearer(situation)
            if nearer is not None:
                return nearer
            if self.n_detours == self._max_detours:
                return Reason("has given up at {} after {} detours", situation.here, self.n_detours)
            self.n_detours += 1
            self._side_steps = int(self._rng.integers(1, self._max_side_steps + 1))
            self._wander = Wander(self._rng, MAX_TURN_DEG)
        cell = self._wander.next_cell(situation)
        if cell is None:
            return self._wander.reason
        self._side_steps -= 1
        return cell

    def _nearer(self, situation: Situation) -> Cell | None:
        """Return the end of a step that is nearest to the goal, if it is nearer than the mover."""
        center = situation.navigation.tilemap.grid.center
        point = center(self._goal[:2])

        def distance(cell: Cell) -> float:
            return round(math.dist(center(cell[:2]), point), 9)  # centers of hexagons are rounded

        ends = situation.steps()
        nearest = min(ends, key=lambda end: (distance(end), ends[end], end), default=None)
        if nearest is None or distance(nearest) >= distance(situation.here):
            return None
        return nearest
