"""Plan orders for a squad: a goal for each unit and paths without collisions.

Preview orders to several units: the cells that all reach, and plans made in a thread.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ai.behaviors.behavior import Situation
from ai.board.board import Board
from ai.board.occupancy import path_reason, refusal, wide_unit_reason
from ai.board.turns import turn_ends
from ai.board.unit import Unit
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.squads import SquadPlan, SquadPlanner, formation
from terrain3d import Cell, Reason, TileMap
from terrain3d.core.checks import instance_of, listed
from terrain3d.grid.grid import CellLike, as_cell
from terrain3d.grid.reason import join_reasons

MAX_EXPANSIONS = 20_000
"""The most work for one plan, since the player waits for it."""


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
    """

    units: tuple[Unit, ...]
    goals: tuple[Cell, ...]
    plan: SquadPlan
    stays: Mapping[Unit, str] = field(default_factory=dict)
    parts: tuple[Unit, ...] = ()

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

    situations: Mapping[Unit, Situation]
    points: Mapping[Unit, float]
    cell: Cell
    standing: Mapping[Unit, tuple[Cell, ...]]
    """The tiles of every unit whose ground is there."""
    stays: Mapping[Unit, str]
    """Units that cannot go anywhere, and why."""


class SquadOrders:
    """Plans orders for squads of one board.

    Parameters
    ----------
    board : Board
    """

    def __init__(self, board: Board) -> None:
        self._board = instance_of("board", board, Board)
        self._planner = SquadPlanner(board.navigation)

    def plan(self, units: Sequence[Unit], cell: CellLike) -> SquadOrder:
        """Return an order that takes units to a cell in formation, around all other units.

        A unit whose goal is out of reach goes as far as its points last. A unit that cannot go to
        its goal stays, and the others are planned again without it.

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is not a cell.
        """
        units, goal = listed("units", units), self._board.tilemap.cell(cell)
        return answer(self._planner, question_of(self._board, units, goal))


def question_of(board: Board, units: Sequence[Unit], cell: Cell) -> Question:
    """Return all that an order of units to a cell depends on."""
    stays = {}
    situations = {unit: board.situation(unit) for unit in units}
    for unit, situation in situations.items():
        why = wide_unit_reason([unit])
        if unit.is_moving:
            why = Reason("{} is still walking", unit.name)
        elif board.turn_reason(unit) or situation.reason:
            why = refusal(unit, board.turn_reason(unit) or situation.reason)
        if why:
            stays[unit] = why
    has = board.tilemap.has_cell
    standing = {unit: unit.cells for unit in board.units if has(unit.cell)}
    points = {unit: unit.points for unit in units}
    return Question(situations, points, cell, standing, stays)


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
            return SquadOrder(
                tuple(units), tuple(goals), plan, stays, tuple(filter(parts.get, units))
            )
    return SquadOrder((), (), SquadPlan.none(join_reasons(stays.values())), stays)


def _within_points(
    paths: Mapping[Unit, Path], points: Mapping[Unit, float], around: Mapping[Unit, Situation]
) -> dict[Unit, list[Cell]]:
    """Return the paths that are too long as far as the points last, each to a cell of its own."""
    long = [unit for unit, path in paths.items() if path and path.cost > points[unit]]
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


class SquadPreview:
    """Plans one order at a time in a thread, so that no frame waits; as `SquadOrders` plans it."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._planner = SquadPlanner(board.navigation)
        self._thread: threading.Thread | None = None
        self._asked: tuple[object, ...] = ()
        self._planned: tuple[tuple[object, ...], SquadOrder] | None = None

    def plan_aside(self, units: Sequence[Unit], cell: Cell) -> bool:
        """Plan an order in a thread, after the one that is being planned; call it every frame.

        Return whether a plan has become ready that `planned` returns.
        """
        key = self._key(units, cell)
        if self._thread is not None and self._thread.is_alive():
            return False
        is_new = self._thread is not None and self._asked == key
        self._thread = None
        if self._asked != key:
            self._asked, question = key, question_of(self._board, units, cell)
            self._thread = threading.Thread(target=self._answer_aside, args=(key, question))
            self._thread.daemon = True
            self._thread.start()
        return is_new

    def planned(self, units: Sequence[Unit], cell: Cell) -> SquadOrder | None:
        """Return the order that was planned aside, if the units and the map are as they were."""
        planned = self._planned
        is_same = planned is not None and planned[0] == self._key(units, cell)
        return planned[1] if planned is not None and is_same else None

    def _key(self, units: Sequence[Unit], cell: Cell) -> tuple[object, ...]:
        facts = [
            (u, u.cell, u.profile, u.team, u.has_zoc, u.move, u.points, u.is_moving)
            for u in self._board.units
        ]
        return self._board.tilemap.version, self._board.turn, tuple(units), cell, *facts

    def _answer_aside(self, key: tuple[object, ...], question: Question) -> None:
        with self._board.tilemap.lock:  # an edit waits
            if key[0] == self._board.tilemap.version:
                self._planned = key, answer(self._planner, question)


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
