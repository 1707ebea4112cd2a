"""Intercept: meet a moving target where it will be."""

import math

from ai.behaviors.behavior import Behavior
from ai.behaviors.chase import Chase, Target, is_beside
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from ai.motion.motion import heading_between, turn_between
from ai.rules.profile import MoveProfile
from terrain3d import Cell
from terrain3d.core.checks import checked_function, optional, positive_number, whole_within
from terrain3d.grid.grid import as_cell

_STRAIGHT_DEG = 45.0


class Intercept(Behavior):
    """Cut a moving target off, or chase it where that is not possible.

    It expects the target to move straight ahead in its last direction, as far as the ground allows.
    It goes to the first cell on that line that it reaches in no more steps than the target. While
    the target stays on the line, it does not search again.

    Parameters
    ----------
    target : callable
        Returns the target's cell, or None if it is gone.
    look_ahead : int
        The length of the line in steps of the target, >= 1.
    speed_ratio : number
        The mover's speed divided by the target's, > 0.
    prey : MoveProfile, optional
        The rules of the target; those of the mover if not given.
    chase : Chase, optional
        The chase where it cannot cut the target off; one with default values if not given.

    Raises
    ------
    TypeError, ValueError
        A value is not a number, or out of its limits.
    """

    def __init__(
        self,
        target: Target,
        *,
        look_ahead: int = 8,
        speed_ratio: float = 1,
        prey: MoveProfile | None = None,
        chase: Chase | None = None,
    ) -> None:
        self._target = checked_function("target", target, 0)
        self._look_ahead = whole_within("look_ahead", look_ahead, 1)
        self._speed_ratio = positive_number("speed_ratio", speed_ratio)
        self._prey = optional("prey", prey, MoveProfile)
        self._chase = optional("chase", chase, Chase) or Chase(target)
        self._path = PlannedPath()
        self._seen: Cell | None = None  # the target's last cell
        self.line: list[Cell] = []
        """The cells where it expects the target; empty before the target has moved."""
        self.meeting: Cell | None = None
        """The cell where it will meet the target; None while it chases."""

    def advance(self, dt_s: float) -> None:
        """Let time pass for the chase."""
        self._chase.advance(dt_s)

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._target()
        if target is None:
            return "there is no target"
        goal = as_cell(target)
        if situation.has(goal) and not is_beside(situation, goal):
            self._watch(situation, goal)
            if self.meeting is not None and self.meeting != situation.here:
                choice = self._path.towards(situation, self.meeting)
                if isinstance(choice, Cell):
                    return choice
            self.meeting = None
        return self._chase.next_cell(situation) or self._chase.reason

    def _watch(self, situation: Situation, goal: Cell) -> None:
        """Record the target's cell, and plan again if it is not on the line."""
        before, self._seen = self._seen, goal
        if before is None or before == goal or goal in self.line:
            return
        self.line = self._ahead(situation, before, goal)
        self.meeting = None
        for number, cell in enumerate(self.line[1:], start=1):
            path = situation.find_path(cell)
            if path and len(path) - 1 <= number * self._speed_ratio:
                self.meeting = cell
                self._path.follow(path)
                return

    def _ahead(self, situation: Situation, before: Cell, goal: Cell) -> list[Cell]:
        """Return the cells of a target that keeps its direction, its own cell first."""
        navigation, line = situation.navigation, [goal]
        if not situation.has(before):
            return line
        point = navigation.tilemap.surface_point
        ahead_deg = heading_between(point(before), point(goal))
        profile = self._prey or situation.profile
        while ahead_deg is not None and len(line) <= self._look_ahead:
            turns = []
            for end in navigation.steps_from(line[-1], profile):
                heading_deg = heading_between(point(line[-1]), point(end))
                if heading_deg is not None and end not in line:
                    turns.append((abs(turn_between(ahead_deg, heading_deg)), end))
            turn_deg, nearest = min(turns, default=(math.inf, goal))
            if turn_deg > _STRAIGHT_DEG:
                break
            line.append(nearest)
        return line
