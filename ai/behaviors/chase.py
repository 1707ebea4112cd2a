"""Go after a moving target with far fewer searches than steps, or cut it off."""

import math
from collections.abc import Sequence

from ai.behaviors.behavior import PathBehavior, Replan, Stay, TargetLike, target_of
from ai.board.situation import Situation, rules_on
from ai.motion.motion import heading_between, turn_between
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Reason
from terrain3d.core.checks import number_within, optional, positive_number
from terrain3d.grid.grid import as_cell


class Chase(PathBehavior):
    """Go after a target until it is one step away.

    Movers and targets of several tiles are as near as their nearest tiles.

    It plans a path and follows it. If the target is near and in sight, it takes any reversible step
    that leads nearer, without a plan.

    Parameters
    ----------
    target : cell, callable or Unit
        A function returns the target's cell now, or None if it is gone.
    replan : Replan, optional
        When it plans again, and from which distance it goes straight.
    max_cost : number
        The most that its path may cost.
    """

    def __init__(
        self,
        target: TargetLike,
        *,
        replan: Replan | None = None,
        max_cost: float = math.inf,
    ) -> None:
        self._target = target_of("target", target)
        self._replan = optional("replan", replan, Replan) or self._replan
        self._max_cost = number_within("max_cost", max_cost, 0)
        self._why = ""  # why the last search found no path
        # The last goal of a straight step, and its distance then. A straight step must come nearer
        # than the last one: as sight comes and goes, straight and planned steps could alternate
        # and lead back and forth forever.
        self._straight_goal: Cell | None = None
        self._straight_tiles = math.inf

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._target()
        if target is None:
            return Reason("no_target")
        goal = as_cell(target)
        if not situation.has(goal):
            return Reason("off_the_map", cell=goal)
        body = situation.body_at(goal)
        if situation.is_beside(body):
            return Stay("caught_up", cell=goal)
        cell = self._straight(situation, goal, body)
        if cell is None:
            cell = self._next_on_path(situation)
            if self._is_due(situation, [goal], cell):
                path = situation.path_beside(body, self._max_cost)
                self._why = path.reason
                cell = self._follow(situation, path, [goal])
        return cell or self._why or Reason("as_near_as_can", goal=goal)

    def _straight(self, situation: Situation, goal: Cell, body: Sequence[Cell]) -> Cell | None:
        """Return the step that leads nearest to a target that is near and in sight."""
        here, sight = situation.here, situation.navigation.line_of_sight
        if not situation.has(here):
            return None
        tiles, own, end = situation.nearest(body)
        if goal != self._straight_goal:
            self._straight_goal, self._straight_tiles = goal, math.inf
        if tiles > self._replan.straight_tiles or tiles >= self._straight_tiles:
            return None
        if not sight(own, end):
            return None
        self._straight_tiles = tiles
        steps = situation.steps().items()
        ends = [(situation.nearest(body, step)[0], cost, step) for step, cost in steps]
        for away, _, step in sorted(ends):
            if away < tiles and here in situation.steps_from(step):
                return step
        return None


_STRAIGHT_DEG = 45.0
_LOOK_AHEAD = 8  # the length of the line in steps of the target


class Intercept(PathBehavior):
    """Cut a moving target off, or chase it where that is not possible.

    It expects the target to move straight ahead in its last direction, as far as the ground allows.
    It goes to the first cell on that line that it reaches in no more steps than the target. While
    the target stays on the line, it does not search again.

    Parameters
    ----------
    target : cell, callable or Unit
        A function returns the target's cell now, or None if it is gone.
    speed_ratio : number
        The mover's speed divided by the target's, > 0.
    prey : MoveProfile, optional
        The rules of the target; those of the mover if not given.
    replan : Replan, optional
        That of the chase where it cannot cut the target off.
    """

    def __init__(
        self,
        target: TargetLike,
        *,
        speed_ratio: float = 1,
        prey: MoveProfile | None = None,
        replan: Replan | None = None,
    ) -> None:
        self._target = target_of("target", target)
        self._speed_ratio = positive_number("speed_ratio", speed_ratio)
        self._prey = optional("prey", prey, MoveProfile)
        self._chase = Chase(self._target, replan=replan)
        self._parts = (self._chase,)
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
            if self.meeting is not None:
                cell = self._next_on_path(situation)
                if cell is None and self.meeting != situation.here:
                    cell = self._follow(situation, situation.find_path(self.meeting))
                if cell is not None:
                    return cell
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
                self._follow(situation, path)
                return

    def _ahead(self, situation: Situation, before: Cell, goal: Cell, n_tiles: int) -> list[Cell]:
        """Return the cells of a target that keeps its direction, its own cell first."""
        navigation, line = situation.navigation, [goal]
        if not situation.has(before):
            return line
        point = navigation.tilemap.surface_point
        ahead_deg = heading_between(point(before), point(goal))
        profile = rules_on(n_tiles, self._prey or situation.profile)
        while ahead_deg is not None and len(line) <= _LOOK_AHEAD:
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
