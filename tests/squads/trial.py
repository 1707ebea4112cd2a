"""One trial: a squad planned by one method, with its time, its cost and a check of the plan."""

import time
from dataclasses import dataclass

from ai import Navigation, SquadPlan, SquadPlanner
from terrain3d import Cell as TileCell
from terrain3d import TileMap
from tests.squads.boards import Board
from tests.squads.contenders import Contender, trimmed
from tests.squads.scipy_paths import Cell, ScipyPaths
from tests.support.joint_moves_reference import Referee, check_paths, cost_of


@dataclass(frozen=True)
class Trial:
    """The result of planning one squad.

    Parameters
    ----------
    seconds : float
        Processor time.
    ratio : float
        Cost of the plan divided by the sum of the units' cheapest paths without other units.
    ticks : int
        Makespan.
    is_proven : bool
        Whether the plan is proven to have the least cost.
    reason : str
        Why there is no plan; "" if there is one.
    fault : str
        What is wrong with the plan; "" if it is correct.
    """

    seconds: float
    ratio: float = 0.0
    ticks: int = 0
    is_proven: bool = False
    reason: str = ""
    fault: str = ""

    @property
    def is_solved(self) -> bool:
        """Whether there is a plan and it is correct."""
        return not self.reason and not self.fault


STEPS = "step"
"""Stands for `SquadPlanner.step`, called tick by tick, where a method is expected."""

_MAX_TICKS = 1000


def warm_up() -> tuple[float, float]:
    """Load or compile everything; return the seconds for single paths and the rest for squads."""
    times = [time.process_time()]
    navigation = Navigation(TileMap.from_text("000\n000"))
    navigation.find_path((0, 0), (0, 2))
    navigation.cost_field((0, 2))
    times.append(time.process_time())
    for method in ("crowd", "prioritized", "cheapest"):
        SquadPlanner(navigation).plan([(0, 0), (0, 2)], [(0, 2), (0, 0)], method=method)
    times.append(time.process_time())
    return times[1] - times[0], times[2] - times[1]


class Bench:
    """Plans squads on one board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._navigation = Navigation(board.tilemap)
        self._paths = ScipyPaths(board.tilemap, board.profile)
        self._navigation.profile_graph(board.profile)  # so that no trial includes it

    def run(self, n_units: int, method: str, max_expansions: int) -> Trial:
        """Plan the first units of the board."""
        board = self._board
        starts, goals = board.starts[:n_units], board.goals[:n_units]
        planner = SquadPlanner(self._navigation)  # a new planner has no cached goal costs
        begin = time.process_time()
        try:
            if method == STEPS:
                plan = self._stepped(planner, starts, goals)
            else:
                limit = {"method": method, "max_expansions": max_expansions}
                plan = planner.plan(starts, goals, board.profile, **limit)
        except ValueError as error:  # goals times tiles exceed the limit
            return Trial(0.0, reason=str(error))
        seconds = time.process_time() - begin
        return self._checked(plan, seconds, starts, goals)

    def run_for(self, contender: Contender, seconds: float, seed: int) -> Trial:
        """Plan all units of the board within a limit on processor time."""
        starts, goals = self._board.starts, self._board.goals
        begin = contender.clock()
        plan = contender.plan(self._navigation, starts, goals, seconds, seed)
        return self._checked(plan, contender.clock() - begin, starts, goals)

    def _stepped(self, planner: SquadPlanner, starts: list[Cell], goals: list[Cell]) -> SquadPlan:
        """Call `step` until all units are on their goals; return their paths as a plan."""
        table = [starts]
        while table[-1] != goals:
            if len(table) > _MAX_TICKS:
                n_missing = sum(cell != goal for cell, goal in zip(table[-1], goals, strict=True))
                return SquadPlan.none(
                    f"{n_missing} units are not on their goals after {_MAX_TICKS} ticks"
                )
            after = planner.step(table[-1], goals, self._board.profile)
            table.append([tuple(cell) for cell in after])
        cache, profiles = self._paths.step_cache, [self._board.profile] * len(starts)
        paths = [trimmed(path) for path in zip(*table, strict=True)]
        costs = [cost_of(Referee(cache, profiles), unit, path) for unit, path in enumerate(paths)]
        return SquadPlan([[TileCell(*cell) for cell in path] for path in paths], costs, 0)

    def _checked(
        self, plan: SquadPlan, seconds: float, starts: list[Cell], goals: list[Cell]
    ) -> Trial:
        if not plan:
            return Trial(seconds, reason=plan.reason)
        least = float(self._paths.least_costs(starts, goals).sum())
        referee = Referee(self._paths.step_cache, [self._board.profile] * len(starts))
        try:
            check_paths(referee, starts, goals, plan)
            assert plan.cost >= least * (1 - 1e-9), f"{plan.cost} < {least}, which is impossible"
        except AssertionError as error:
            return Trial(seconds, fault=str(error) or repr(error))
        return Trial(seconds, plan.cost / least, plan.ticks, plan.is_cheapest)
