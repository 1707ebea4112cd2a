"""Chasing a target that moves, with far fewer searches than steps."""

import math
from collections.abc import Callable

from ai.behaviors.behavior import Behavior
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from terrain3d import Cell
from terrain3d.core.checks import checked_function, number_within
from terrain3d.grid.grid import CellLike, as_cell

Target = Callable[[], CellLike | None]
"""Tells where the target is now, or None if there is none any more."""


def is_beside(situation: Situation, goal: Cell) -> bool:
    """Tell whether a mover is on a cell, or a single step from it if it were free."""
    return situation.here == goal or goal in situation.without([goal]).steps_from(situation.here)


class Chase(Behavior):
    """Go after a target until it is one step away.

    It plans a way, follows it, and plans again when that is due: when the target has moved more
    than `replan_tiles` from where the way leads, or has moved at all and `replan_s` have passed;
    when the way is over or cut. Near the target and seeing it, it needs no plan: it takes whatever
    step brings it nearer and can be taken back. Where there is no way it stays and tries again
    after `replan_s`, when the target has moved so far, or when the map was edited.

    Parameters
    ----------
    target : callable
        Gives the target's cell, or None if it is gone.
    replan_tiles : int
        >= 0.
    replan_s : float, in seconds
        >= 0.
    near_tiles : int
        How near it goes straight, >= 0; 0 for never.
    eye : float, in levels
        How high above the ground it looks from, and what it sees of its target, >= 0.
    max_cost : number
        A way that costs more is none.
    patience_s : float, in seconds
        How long it bears to have no way before it gives up for good.

    Raises
    ------
    TypeError, ValueError
        A number is none, or out of its limits.
    """

    def __init__(
        self,
        target: Target,
        *,
        replan_tiles: int = 3,
        replan_s: float = 2,
        near_tiles: int = 4,
        eye: float = 1,
        max_cost: float = math.inf,
        patience_s: float = math.inf,
    ) -> None:
        self._target = checked_function("target", target)
        self._replan_tiles = number_within("replan_tiles", replan_tiles, 0)
        self._replan_s = number_within("replan_s", replan_s, 0)
        self._near_tiles = number_within("near_tiles", near_tiles, 0)
        self._eye = number_within("eye", eye, 0)
        self._max_cost = number_within("max_cost", max_cost, 0)
        self._patience_s = number_within("patience_s", patience_s, 0)
        self._walk = PlannedPath()
        self._aim: Cell | None = None  # where the target was at the last search
        self._version = -1  # of the map at the last search
        self._since_search_s = 0.0
        self._why = ""  # there is no way, by the last search
        self._lost_s = 0.0  # how long there has been none
        # Where it went straight to, and from how near last: going straight and by plan in turns,
        # as sight comes and goes, must not lead back and forth for ever.
        self._straight_goal: Cell | None = None
        self._straight_tiles = math.inf

    @property
    def has_given_up(self) -> bool:
        """Whether it has lost its patience."""
        return bool(self._why) and self._lost_s >= self._patience_s

    def advance(self, dt_s: float) -> None:
        """Let time pass, which makes plans old and patience short."""
        super().advance(dt_s)
        self._since_search_s += dt_s
        if self._why:
            self._lost_s += dt_s

    def _choose(self, situation: Situation) -> Cell | str:
        if self.has_given_up:
            return f"has given up: {self._why}"
        target = self._target()
        if target is None:
            return "there is no target"
        goal = as_cell(target)
        if not situation.has(goal):
            return f"{goal} is not on the map"
        if is_beside(situation, goal):
            self._find_hope()
            return f"has caught up with the target at {goal}"
        cell = self._straight(situation, goal) or self._planned(situation, goal)
        if cell is not None:
            self._find_hope()
            return cell
        return self._why or f"is as near to {goal} as it can get"

    def _find_hope(self) -> None:
        self._why, self._lost_s = "", 0.0

    def _straight(self, situation: Situation, goal: Cell) -> Cell | None:
        """Give the step that leads nearest to a target that is near and in sight."""
        navigation, here = situation.navigation, situation.here
        if not situation.has(here):
            return None
        away = navigation.tilemap.grid.distance
        tiles = away(here[:2], goal[:2])
        if goal != self._straight_goal:
            self._straight_goal, self._straight_tiles = goal, math.inf
        if tiles > self._near_tiles or tiles >= self._straight_tiles:
            return None
        if not navigation.line_of_sight(here, goal, eye=self._eye, target=self._eye):
            return None
        self._straight_tiles = tiles
        nearer = [
            (away(end[:2], goal[:2]), cost, end)
            for end, cost in situation.steps().items()
            if away(end[:2], goal[:2]) < tiles
        ]
        for _, _, end in sorted(nearer):
            if here in situation.steps_from(end):
                return end
        return None

    def _planned(self, situation: Situation, goal: Cell) -> Cell | None:
        """Give the next cell of the plan, of a new one if that is due."""
        free = situation.without([goal])
        cell = self._walk.next_cell(free)
        if self._is_due(situation, goal, has_way=cell is not None):
            self._search(free, goal)
            cell = self._walk.next_cell(free)
        return None if cell == goal else cell

    def _is_due(self, situation: Situation, goal: Cell, *, has_way: bool) -> bool:
        if self._aim is None:
            return True
        grid = situation.navigation.tilemap.grid
        if grid.distance(self._aim[:2], goal[:2]) > self._replan_tiles:
            return True
        is_old = self._since_search_s >= self._replan_s
        if has_way:
            return is_old and goal != self._aim
        return is_old or not self._why or situation.navigation.tilemap.version != self._version

    def _search(self, free: Situation, goal: Cell) -> None:
        path = free.find_path(goal, max_cost=self._max_cost)
        self._walk.take(path)
        self._why = path.reason
        self._aim, self._version = goal, free.navigation.tilemap.version
        self._since_search_s = 0.0
