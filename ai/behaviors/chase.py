"""Go after a moving target with far fewer searches than steps, or cut it off."""

import math
from collections.abc import Sequence

from ai.behaviors.behavior import (
    Behavior,
    Located,
    PlannedPath,
    Replanning,
    Situation,
    Stay,
    Target,
    rules_on,
    target_of,
)
from ai.motion.motion import heading_between, turn_between
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Reason
from terrain3d.core.checks import (
    number_within,
    optional,
    positive_number,
    true_or_false,
    whole_within,
)
from terrain3d.grid.grid import CellLike, as_cell


class Chase(Behavior):
    """Go after a target until it is one step away.

    Movers and targets of several tiles are as near as their nearest tiles.

    It plans a path and follows it. If the target is near and in sight, it takes any reversible step
    that leads nearer, without a plan. It plans again when

    - the path ends or is blocked, or the map has changed;
    - the target has moved more than `replan_tiles` from the end of the path;
    - the target has moved at all, and `replan_s` have passed or, with `replan_at_junctions`, the
      mover is at a junction or corner.

    Without a path it stays. It searches again after `replan_s`, when the target has moved more than
    `replan_tiles`, or when the map has changed.

    Parameters
    ----------
    target : cell, callable or Unit
        A function returns the target's cell now, or None if it is gone.
    replan_tiles : number
        >= 0.
    replan_s : float, in seconds
        >= 0.
    replan_at_junctions : bool
        Whether it also plans again at every decision point; see `Navigation.is_decision_point`.
    near_tiles : number
        Up to which distance it goes straight, >= 0; 0 for never.
    eye : float, in levels
        The height of its eye and of the target above the ground, >= 0.
    max_cost : number
        A path must not cost more.
    patience_s : float, in seconds
        After how long without a path it gives up for good.
    """

    def __init__(
        self,
        target: CellLike | Target | Located,
        *,
        replan_tiles: float = 3,
        replan_s: float = 2,
        replan_at_junctions: bool = False,
        near_tiles: float = 4,
        eye: float = 1,
        max_cost: float = math.inf,
        patience_s: float = math.inf,
    ) -> None:
        self._target = target_of("target", target)
        self._replanning = Replanning(replan_tiles, replan_s)
        self._parts = (self._replanning,)
        self._replan_at_junctions = true_or_false("replan_at_junctions", replan_at_junctions)
        self._near_tiles = number_within("near_tiles", near_tiles, 0)
        self._eye = number_within("eye", eye, 0)
        self._max_cost = number_within("max_cost", max_cost, 0)
        self._patience_s = number_within("patience_s", patience_s, 0)
        self._path = PlannedPath()
        self._why = ""  # why the last search found no path
        self._lost_s = 0.0  # seconds without a path
        self._is_stuck = False  # the last search found no step, either
        # The last goal of a straight step, and its distance then. A straight step must come nearer
        # than the last one: as sight comes and goes, straight and planned steps could alternate
        # and lead back and forth forever.
        self._straight_goal: Cell | None = None
        self._straight_tiles = math.inf

    @property
    def has_given_up(self) -> bool:
        """Whether it has been without a path for too long."""
        return bool(self._why) and self._lost_s >= self._patience_s

    def advance(self, dt_s: float) -> None:
        """Let time pass, which counts for `replan_s` and `patience_s`."""
        super().advance(dt_s)
        if self._why:
            self._lost_s += dt_s

    def _choose(self, situation: Situation) -> Cell | str:
        if self.has_given_up:
            return Reason("chase_over", why=self._why)
        target = self._target()
        if target is None:
            return Reason("no_target")
        goal = as_cell(target)
        if not situation.has(goal):
            return Reason("off_the_map", cell=goal)
        body = situation.body_at(goal)
        if situation.is_beside(body):
            self._why, self._lost_s, self._is_stuck = "", 0.0, False
            return Stay("caught_up", cell=goal)
        cell = self._straight(situation, goal, body) or self._planned(situation, goal, body)
        self._is_stuck = cell is None
        if cell is not None:
            self._why, self._lost_s = "", 0.0
            return cell
        return self._why or Reason("as_near_as_can", goal=goal)

    def _straight(self, situation: Situation, goal: Cell, body: Sequence[Cell]) -> Cell | None:
        """Return the step that leads nearest to a target that is near and in sight."""
        here, sight = situation.here, situation.navigation.line_of_sight
        if not situation.has(here):
            return None
        tiles, own, end = situation.nearest(body)
        if goal != self._straight_goal:
            self._straight_goal, self._straight_tiles = goal, math.inf
        if tiles > self._near_tiles or tiles >= self._straight_tiles:
            return None
        if not sight(own, end, eye=self._eye, target=self._eye):
            return None
        self._straight_tiles = tiles
        steps = situation.steps().items()
        ends = [(situation.nearest(body, step)[0], cost, step) for step, cost in steps]
        for away, _, step in sorted(ends):
            if away < tiles and here in situation.steps_from(step):
                return step
        return None

    def _planned(self, situation: Situation, goal: Cell, body: Sequence[Cell]) -> Cell | None:
        """Return the next cell of the plan, or of a new plan if that is due."""
        cell = self._path.next_cell(situation)
        is_choice = not self._is_stuck
        if cell is not None:
            is_point = situation.navigation.is_decision_point
            is_choice = self._replan_at_junctions and is_point(situation.here, situation.profile)
        is_due = self._replanning.is_due
        if is_due(situation, [goal], has_changed=cell is None, is_choice=is_choice):
            path = situation.path_beside(body, self._max_cost)
            self._path.follow(path)
            self._why = path.reason
            self._replanning.record(situation, [goal])
            cell = self._path.next_cell(situation)
        return cell


_STRAIGHT_DEG = 45.0


class Intercept(Behavior):
    """Cut a moving target off, or chase it where that is not possible.

    It expects the target to move straight ahead in its last direction, as far as the ground allows.
    It goes to the first cell on that line that it reaches in no more steps than the target. While
    the target stays on the line, it does not search again.

    Parameters
    ----------
    target : cell, callable or Unit
        A function returns the target's cell now, or None if it is gone.
    look_ahead : int
        The length of the line in steps of the target, >= 1.
    speed_ratio : number
        The mover's speed divided by the target's, > 0.
    prey : MoveProfile, optional
        The rules of the target; those of the mover if not given.
    chase : Chase, optional
        The chase where it cannot cut the target off; one with default values if not given.
    """

    def __init__(
        self,
        target: CellLike | Target | Located,
        *,
        look_ahead: int = 8,
        speed_ratio: float = 1,
        prey: MoveProfile | None = None,
        chase: Chase | None = None,
    ) -> None:
        self._target = target_of("target", target)
        self._look_ahead = whole_within("look_ahead", look_ahead, 1)
        self._speed_ratio = positive_number("speed_ratio", speed_ratio)
        self._prey = optional("prey", prey, MoveProfile)
        self._chase = optional("chase", chase, Chase) or Chase(self._target)
        self._parts = (self._chase,)
        self._path = PlannedPath()
        self._seen: Cell | None = None  # the target's last cell
        self.line: list[Cell] = []
        """The cells where it expects the target; empty before the target has moved."""
        self.meeting: Cell | None = None
        """The cell on which it will meet the target; None while it chases."""

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._target()
        if target is None:
            return Reason("no_target")
        goal = as_cell(target)
        body = situation.body_at(goal)
        if situation.has(goal) and not situation.is_beside(body):
            self._watch(situation, goal, body)
            if self.meeting is not None and self.meeting != situation.here:
                choice = self._path.towards(situation, self.meeting, [self.meeting])
                if isinstance(choice, Cell):
                    return choice
            self.meeting = None
        return self._chase.next_cell(situation) or self._chase.reason

    def _watch(self, situation: Situation, goal: Cell, body: Sequence[Cell]) -> None:
        """Record the target's cell, and plan again if it is not on the line."""
        before, self._seen = self._seen, goal
        if before is None or before == goal or goal in self.line:
            return
        self.line = self._ahead(situation, before, goal, len(body))
        self.meeting = None
        for number, (row, col, deck) in enumerate(self.line[1:], start=1):
            down, right = row - goal.row, col - goal.col
            moved = [Cell(tile.row + down, tile.col + right, deck) for tile in body]
            path = situation.find_path(situation.covering(moved))
            if path and len(path) - 1 <= number * self._speed_ratio:
                self.meeting = path.cells[-1]
                self._path.follow(path)
                return

    def _ahead(self, situation: Situation, before: Cell, goal: Cell, n_tiles: int) -> list[Cell]:
        """Return the cells of a target that keeps its direction, its own cell first."""
        navigation, line = situation.navigation, [goal]
        if not situation.has(before):
            return line
        point = navigation.tilemap.surface_point
        ahead_deg = heading_between(point(before), point(goal))
        profile = rules_on(n_tiles, self._prey or situation.profile)
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
