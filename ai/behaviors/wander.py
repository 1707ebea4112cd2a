"""Wander: walk at random, roughly straight ahead, and turn where the ground ends."""

import numpy as np

from ai.behaviors.behavior import Behavior
from ai.behaviors.situation import Situation
from ai.motion.motion import heading_between, turn_between
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, number_within

MIN_TURN_DEG, MAX_TURN_DEG = 30, 90


class Wander(Behavior):
    """Walk at random by legal steps.

    Each step is drawn from those that turn by at most `max_turn_deg` from the last one. If there is
    none, the mover turns as little as possible, left and right with equal chance, and turns back at
    a dead end. A step to a surface right above or below is no turn.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the random choices; equal generators give equal walks.
    max_turn_deg : float
        MIN_TURN_DEG..MAX_TURN_DEG. Less than the angle between neighbors (90 on squares, 45 with
        diagonal steps, 60 on hexagons) goes straight up to an obstacle.

    Raises
    ------
    TypeError, ValueError
        `max_turn_deg` is not a number, or out of its limits.
    """

    def __init__(self, rng: np.random.Generator, max_turn_deg: float = 60) -> None:
        name = "max_turn_deg"
        self._max_turn_deg = number_within(name, max_turn_deg, MIN_TURN_DEG, MAX_TURN_DEG)
        self._rng = instance_of("rng", rng, np.random.Generator)
        self._heading_deg: float | None = None

    def _choose(self, situation: Situation) -> Cell | str:
        ends = list(situation.steps())
        if not ends:
            return Reason("no step is legal from {}", situation.here)
        turns = [self._turn_deg(situation, end) for end in ends]
        widest = max(self._max_turn_deg, min(turns)) + 1e-6  # angles of hexagons are rounded
        drawn = [end for end, turn in zip(ends, turns, strict=True) if turn <= widest]
        end = drawn[self._rng.integers(len(drawn))]
        ahead_deg = _heading_deg(situation, end)
        self._heading_deg = self._heading_deg if ahead_deg is None else ahead_deg
        return end

    def _turn_deg(self, situation: Situation, end: Cell) -> float:
        ahead_deg = _heading_deg(situation, end)
        if ahead_deg is None or self._heading_deg is None:
            return 0.0
        return abs(turn_between(self._heading_deg, ahead_deg))


def _heading_deg(situation: Situation, end: Cell) -> float | None:
    point = situation.navigation.tilemap.surface_point
    return heading_between(point(situation.here), point(end))
