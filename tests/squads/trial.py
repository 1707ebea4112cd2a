"""One squad planned by one method: how long it took, what it costs, and whether it is right."""

import time
from dataclasses import dataclass

from ai import Navigation, SquadPlan, SquadPlanner
from terrain3d import Cell as TileCell
from terrain3d import TileMap
from tests.squads.boards import Board
from tests.squads.plain import Cell, PlainWays
from tests.support.joint_moves_reference import Referee, examine, price_of


@dataclass(frozen=True)
class Trial:
    """What came of one question.

    Parameters
    ----------
    seconds : float
        Of the processor: others may be using it too.
    ratio : float
        The plan's cost by the sum of what the units' ways cost with nobody else about.
    ticks : int
        Until all are on their goals.
    is_proven : bool
        Whether it is known that no plan costs less.
    reason : str
        Why there is no plan.
    fault : str
        What is wrong with it.
    """

    seconds: float
    ratio: float = 0.0
    ticks: int = 0
    is_proven: bool = False
    reason: str = ""
    fault: str = ""

    @property
    def is_solved(self) -> bool:
        """Whether there is a plan, and a right one."""
        return not self.reason and not self.fault


STEPS = "step"
"""In place of a method: to ask tick by tick."""

_MOST_TICKS = 1000


def warm_up() -> tuple[float, float]:
    """Load or compile everything; give the seconds for single ways and for squads on top."""
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
    """Asks for the plans of one board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._navigation = Navigation(board.tilemap)
        self._ways = PlainWays(board.tilemap, board.profile)
        self._navigation.profile_graph(board.profile)  # so that no plan has to wait for it

    def ask(self, n_units: int, method: str, max_expansions: int) -> Trial:
        """Have the first units of the board planned for."""
        board = self._board
        starts, goals = board.starts[:n_units], board.goals[:n_units]
        planner = SquadPlanner(self._navigation)  # a new one: nothing is known of the goals yet
        begin = time.process_time()
        try:
            if method == STEPS:
                plan = self._stepped(planner, starts, goals)
            else:
                limit = {"method": method, "max_expansions": max_expansions}
                plan = planner.plan(starts, goals, board.profile, **limit)
        except ValueError as error:  # more tiles times goals than it takes
            return Trial(0.0, reason=str(error))
        seconds = time.process_time() - begin
        return self._judged(plan, seconds, starts, goals)

    def _stepped(self, planner: SquadPlanner, starts: list[Cell], goals: list[Cell]) -> SquadPlan:
        """Ask for step after step, and give what became of it as a plan."""
        table = [starts]
        while table[-1] != goals:
            if len(table) > _MOST_TICKS:
                astray = sum(cell != goal for cell, goal in zip(table[-1], goals, strict=True))
                return SquadPlan.none(f"{astray} units are not there after {_MOST_TICKS} ticks")
            after = planner.step(table[-1], goals, self._board.profile)
            table.append([tuple(cell) for cell in after])
        book, profiles = self._ways.book, [self._board.profile] * len(starts)
        ways = [_trimmed(way) for way in zip(*table, strict=True)]
        costs = [price_of(Referee(book, profiles), unit, way) for unit, way in enumerate(ways)]
        return SquadPlan([[TileCell(*cell) for cell in way] for way in ways], profiles, costs, 0)

    def _judged(
        self, plan: SquadPlan, seconds: float, starts: list[Cell], goals: list[Cell]
    ) -> Trial:
        if not plan:
            return Trial(seconds, reason=plan.reason)
        least = float(self._ways.least_costs(starts, goals).sum())
        referee = Referee(self._ways.book, [self._board.profile] * len(starts))
        try:
            examine(referee, starts, goals, plan)
            assert plan.cost >= least * (1 - 1e-9), f"{plan.cost} < {least}, which is impossible"
        except AssertionError as error:
            return Trial(seconds, fault=str(error) or repr(error))
        return Trial(seconds, plan.cost / least, plan.ticks, plan.is_cheapest)


def _trimmed(way: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Leave out what comes after a unit is on its last cell for good."""
    last = max((tick for tick, cell in enumerate(way) if cell != way[-1]), default=-1)
    return way[: last + 2]
