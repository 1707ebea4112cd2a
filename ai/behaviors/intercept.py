"""Going to where a moving target will be, to meet it there."""

import math

from ai.behaviors.behavior import Behavior
from ai.behaviors.chase import Chase, Target, is_beside
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from ai.motion.motion import heading_between, turn_between
from ai.rules.profile import MoveProfile
from terrain3d import Cell
from terrain3d.core.checks import checked_function, number_within, whole_number
from terrain3d.grid.grid import as_cell

_STRAIGHT_DEG = 45.0


class Intercept(Behavior):
    """Cut a moving target off; chase it where that cannot be done.

    It takes it that the target goes on as it last did, straight ahead as far as the ground lets it,
    and goes to the first cell on that line to which it takes no more steps than the target. As long
    as the target keeps to the line, nothing is searched anew.

    Parameters
    ----------
    target : callable
        Gives the target's cell, or None if it is gone.
    look_ahead : int
        How many steps of the target it thinks ahead, >= 1.
    speed_ratio : number
        How many steps it takes while the target takes one, > 0.
    prey : MoveProfile, optional
        How the target moves; as the mover itself if not given.
    chase : Chase, optional
        How it chases; with the usual numbers if not given.

    Raises
    ------
    TypeError, ValueError
        A number is none, or out of its limits.
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
        if whole_number("look_ahead", look_ahead) < 1:
            raise ValueError(f"look_ahead must be >= 1, got {look_ahead}")
        if number_within("speed_ratio", speed_ratio, 0) == 0:
            raise ValueError("speed_ratio must be > 0, got 0")
        self._target = checked_function("target", target)
        self._look_ahead = look_ahead
        self._speed_ratio = speed_ratio
        self._prey = prey
        self._chase = chase or Chase(target)
        self._walk = PlannedPath()
        self._seen: Cell | None = None  # where the target was last
        self.line: list[Cell] = []
        """Where it expects the target, cell by cell; empty before the target has moved."""
        self.meeting: Cell | None = None
        """Where it means to meet the target; None while it chases."""

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
                choice = self._walk.towards(situation, self.meeting)
                if isinstance(choice, Cell):
                    return choice
            self.meeting = None
        return self._chase.next_cell(situation) or self._chase.reason

    def _watch(self, situation: Situation, goal: Cell) -> None:
        """Look where the target is, and think again if that is not on the line."""
        before, self._seen = self._seen, goal
        if before is None or before == goal or goal in self.line:
            return
        self.line = self._ahead(situation, before, goal)
        self.meeting = None
        for number, cell in enumerate(self.line[1:], start=1):
            path = situation.find_path(cell)
            if path and len(path) - 1 <= number * self._speed_ratio:
                self.meeting = cell
                self._walk.take(path)
                return

    def _ahead(self, situation: Situation, before: Cell, goal: Cell) -> list[Cell]:
        """List where a target comes that goes on as it came, from where it is."""
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
