"""Plan orders for a squad: a goal for each unit and paths without collisions, also in a thread."""

import copy
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ai.behaviors.behavior import Situation
from ai.board.board import Board
from ai.board.occupancy import check_on_board, path_reason, refusal, wide_unit_reason
from ai.board.turns import n_affordable, turn_ends
from ai.board.unit import Unit
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.squads import SquadPlan, SquadPlanner, formation
from terrain3d import Cell, Reason, TileMap
from terrain3d.core.checks import instance_of, listed, true_or_false
from terrain3d.grid.grid import CellLike, as_cell
from terrain3d.grid.reason import join_reasons

MAX_EXPANSIONS = 20_000
"""The most work for one plan, since the player waits for it."""

MOST_COPIED_TILES = 1 << 20
"""Of larger maps a copy takes too much memory: the thread plans on the map, and edits wait."""


@dataclass(frozen=True)
class SquadOrder:
    """An order to several units before it is given.

    Parameters
    ----------
    units : tuple of Unit
        Those that go.
    goals : tuple of Cell
        The goal of each of them.
    plan : SquadPlan
        Their paths; false, with a reason, if none goes.
    stays : mapping of Unit to str
        Why each of the others stays.
    parts : tuple of Unit
        Those that go as far as their points last, toward a goal out of reach.
    state : tuple
        All that the order depends on.
    """

    units: tuple[Unit, ...]
    goals: tuple[Cell, ...]
    plan: SquadPlan
    stays: Mapping[Unit, str] = field(default_factory=dict)
    parts: tuple[Unit, ...] = ()
    state: tuple[object, ...] = field(default=(), repr=False, compare=False)

    @property
    def paths(self) -> dict[Unit, tuple[Cell, ...]]:
        """The cell of each unit at every tick, as `Board.move_together` takes it."""
        return dict(zip(self.units, self.plan.paths, strict=True))

    @property
    def reason(self) -> str:
        """Why units stay; "" if all go."""
        return join_reasons(self.stays.values())


@dataclass(frozen=True)
class Question:
    """All that an order depends on, so that another thread can plan it."""

    state: tuple[object, ...]
    """As of the order."""
    version: int
    """That of the map."""
    situations: Mapping[Unit, Situation]
    points: Mapping[Unit, float]
    cell: Cell
    standing: Mapping[Unit, tuple[Cell, ...]]
    """The tiles of every unit whose ground is there."""
    stays: Mapping[Unit, str]
    """Units that cannot go anywhere, and why."""


class SquadOrders:
    """Plans orders for squads of one board, at once or in a thread so that no frame waits.

    Parameters
    ----------
    board : Board
    waits_for_figures : bool
        Whether a unit whose figure is still walking stays, so that all poses keep step. If not, its
        pose walks on, and then along its new path.
    """

    def __init__(self, board: Board, *, waits_for_figures: bool = False) -> None:
        self._board = instance_of("board", board, Board)
        self._waits_for_figures = true_or_false("waits_for_figures", waits_for_figures)
        self._planner = SquadPlanner(board.navigation)
        self._aside: tuple[Navigation, SquadPlanner] | None = None  # for the thread
        self._thread: threading.Thread | None = None
        self._asked: tuple[object, ...] = ()
        self._order: SquadOrder | None = None  # the last one of the thread

    def plan(self, units: Sequence[Unit], cell: CellLike) -> SquadOrder:
        """Return an order that takes units to a cell in formation, around all other units.

        A unit whose goal is out of reach goes as far as its points last. A unit that cannot go to
        its goal stays, and the others are planned again without it.

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is not a cell.
        """
        question, order = self.question(units, cell), self._order
        if order is not None and order.state == question.state:
            return order
        return answer(self._planner, question)

    def plan_aside(self, units: Sequence[Unit], cell: CellLike) -> bool:
        """Plan an order in a thread, after the one that is being planned; call it every frame.

        Return whether an order has become ready that `planned` returns; errors are those of `plan`.
        """
        state = _state_of(self._board, units, cell)
        if self._thread is not None and self._thread.is_alive():
            return False
        is_new = self._thread is not None and self._asked == state
        self._thread = None
        if self._asked != state:
            self._asked = state
            question = self.question(units, cell, self._map_aside())
            self._thread = threading.Thread(target=self._answer_aside, args=(question,))
            self._thread.daemon = True
            self._thread.start()
        return is_new

    def planned(self, units: Sequence[Unit], cell: CellLike) -> SquadOrder | None:
        """Return the order that was planned aside, if all is as it was; errors as of `plan`."""
        state, order = _state_of(self._board, units, cell), self._order
        return order if order is not None and order.state == state else None

    def question(
        self, units: Sequence[Unit], cell: CellLike, navigation: Navigation | None = None
    ) -> Question:
        """Return all that an order depends on; `navigation` may be on a copy of the map."""
        units, board = listed("units", units), self._board
        state, goal = _state_of(board, units, cell), board.tilemap.cell(cell)
        stays = {}
        situations = {unit: board.situation(unit) for unit in units}
        for unit, situation in situations.items():
            why = wide_unit_reason([unit])
            if self._waits_for_figures and unit.is_moving:
                why = Reason("is_walking", unit=unit.name)
            elif board.turn_reason(unit) or situation.reason:
                why = refusal(unit, board.turn_reason(unit) or situation.reason)
            if why:
                stays[unit] = why
            if navigation is not None:
                situations[unit] = replace(situation, navigation=navigation)
        has = board.tilemap.has_cell
        standing = {unit: unit.cells for unit in board.units if has(unit.cell)}
        points = {unit: unit.points for unit in units}
        return Question(state, board.tilemap.version, situations, points, goal, standing, stays)

    def _map_aside(self) -> Navigation:
        """Return queries for the thread, on a copy of the map as it is now: edits need not wait."""
        tilemap = self._board.tilemap
        navigation = self._board.navigation
        if self._aside is None or self._aside[0].tilemap.version != tilemap.version:
            if tilemap.rows * tilemap.cols <= MOST_COPIED_TILES:
                navigation = Navigation(copy.copy(tilemap), navigation.rules)
            self._aside = navigation, SquadPlanner(navigation)
        return self._aside[0]

    def _answer_aside(self, question: Question) -> None:
        assert self._aside is not None
        navigation, planner = self._aside
        try:
            order = answer(planner, question)
        except Exception:  # of a map that was edited meanwhile anything can be wrong
            if navigation.tilemap.version == question.version:
                raise
        else:
            if navigation.tilemap.version == question.version:
                self._order = order


def _state_of(board: Board, units: Sequence[Unit], cell: CellLike) -> tuple[object, ...]:
    """Return all that an order of units to a cell depends on."""
    for unit in listed("units", units):
        check_on_board(unit, board.units)
    moving = tuple(unit.is_moving for unit in units)
    return board.state, tuple(units), board.tilemap.cell(cell), moving


def answer(planner: SquadPlanner, question: Question) -> SquadOrder:
    """Plan for all units, then without those that cannot go to their goals, until all can."""
    stays, points = dict(question.stays), question.points
    while len(stays) < len(question.situations):
        units = [unit for unit in question.situations if unit not in stays]
        others = (cells for unit, cells in question.standing.items() if unit not in units)
        blocked = [cell for cells in others for cell in cells]
        around = {
            unit: replace(question.situations[unit], blocked=blocked, passable=()) for unit in units
        }
        navigation = around[units[0]].navigation
        starts = [each.here for each in around.values()]
        profiles = [each.profile for each in around.values()]
        goals = formation(navigation, starts, question.cell, profiles, blocked=blocked)
        # What no unit can do alone, it cannot do in the squad, and alone it is found out fast.
        alone = {
            unit: around[unit].find_path(goal) for unit, goal in zip(units, goals, strict=True)
        }
        parts = _within_points(alone, points, around)
        refused = {
            unit: path.reason
            or (len(path) == 1 and around[unit].find_path(question.cell).reason)
            or path_reason(unit, points[unit], parts.get(unit, path.cells), around[unit])
            for unit, path in alone.items()
        }
        ends = zip(units, goals, strict=True)
        goals = [parts[unit][-1] if unit in parts else goal for unit, goal in ends]
        if not any(refused.values()):
            # The planner knows no cells where paths have to end: it gets around them.
            halting = set.intersection(*({*map(as_cell, each.halting)} for each in around.values()))
            closed = [*blocked, *sorted(halting.difference(goals))]
            plan = planner.plan(
                starts, goals, profiles, blocked=closed, max_expansions=MAX_EXPANSIONS
            )
            if plan:
                pairs = zip(units, plan.paths, strict=True)
                refused = {u: path_reason(u, points[u], path, around[u]) for u, path in pairs}
            else:
                refused = {max(alone, key=lambda unit: alone[unit].cost): plan.reason}
        stays |= {unit: refusal(unit, why) for unit, why in refused.items() if why}
        if not any(refused.values()):
            going = tuple(filter(parts.get, units))
            return SquadOrder(tuple(units), tuple(goals), plan, stays, going, question.state)
    plan = SquadPlan.none(join_reasons(stays.values()))
    return SquadOrder((), (), plan, stays, state=question.state)


def _within_points(
    paths: Mapping[Unit, Path],
    points: Mapping[Unit, float],
    around: Mapping[Unit, Situation],
) -> dict[Unit, list[Cell]]:
    """Return the paths that are too long as far as the points last, each to a cell of its own."""
    costs = {unit: [step.cost for step in path.steps] for unit, path in paths.items() if path}
    long = [unit for unit, steps in costs.items() if n_affordable(steps, points[unit]) < len(steps)]
    ends = {path.cells[-1] for unit, path in paths.items() if path and unit not in long}
    parts = {}
    for unit in sorted(long, key=points.__getitem__):  # those with the least choice first
        free = {each for each in paths[unit] if each not in ends and around[unit].can_stop(each)}
        last = max(turn_ends(paths[unit], points[unit], 0, free.__contains__), default=0)
        if last:
            parts[unit] = paths[unit].cells[: last + 1]
            ends.add(parts[unit][-1])
    return parts


def warm_up_squads() -> None:
    """Compile the squad planner, or load it from the cache; see `warm_up`."""
    board = Board(TileMap.from_text("000\n000"))
    units = [board.add(Unit(name, cell)) for name, cell in (("a", (0, 0)), ("b", (0, 1)))]
    SquadOrders(board).plan(units, (1, 2))


class CommonReach:
    """The cells that each of several units can reach, without the cells they stand on."""

    def __init__(self, reaches: Sequence[Reach]) -> None:
        self._reaches = reaches
        first, *others = reaches
        self.cells: list[Cell] = [
            cell for cell in first.cells if all(cell in other for other in others)
        ]
        """The cells, those that the first unit reaches cheapest first."""

    def cost_to(self, cell: CellLike) -> float:
        """Return the highest cost at which a unit reaches a cell; infinity if one does not."""
        return max(reach.cost_to(cell) for reach in self._reaches)
