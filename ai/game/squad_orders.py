"""Plan orders for a squad: a goal for each unit and paths without collisions."""

from collections.abc import Sequence
from dataclasses import dataclass

from ai.board.board import Board
from ai.board.joint_moves import wide_unit_reason
from ai.board.unit import Unit
from ai.squads import SquadPlan, SquadPlanner, formation
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, listed
from terrain3d.grid.grid import CellLike

MAX_EXPANSIONS = 20_000
"""The most work for one plan, since the player waits for it."""


@dataclass(frozen=True)
class SquadOrder:
    """An order to several units before it is given.

    Parameters
    ----------
    units : tuple of Unit
    goals : tuple of Cell
        The goal of each unit.
    plan : SquadPlan
        The paths; false, with a reason, if there are none.
    """

    units: tuple[Unit, ...]
    goals: tuple[Cell, ...]
    plan: SquadPlan

    @property
    def paths(self) -> dict[Unit, tuple[Cell, ...]]:
        """The cell of each unit at every tick, as `Board.move_together` takes it."""
        return dict(zip(self.units, self.plan.paths, strict=True))


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

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is not a cell.
        """
        board, navigation = self._board, self._board.navigation
        units = listed("units", units)
        reasons = ((unit, board.situation(unit).reason) for unit in units)
        stuck = [f"{unit.name} cannot go there: {why}" for unit, why in reasons if why]
        why = wide_unit_reason(units) or "".join(stuck[:1])
        if why:
            return SquadOrder(tuple(units), (), SquadPlan.none(why))
        starts, profiles = [unit.cell for unit in units], [unit.profile for unit in units]
        others = (unit for unit in board.units if unit not in units)
        standing = [other for other in others if board.tilemap.has_cell(other.cell)]
        blocked = [tile for other in standing for tile in other.cells]
        goals = formation(navigation, starts, cell, profiles, blocked=blocked)
        plan = self._planner.plan(
            starts, goals, profiles, blocked=blocked, max_expansions=MAX_EXPANSIONS
        )
        return SquadOrder(tuple(units), tuple(goals), plan)


def warm_up_squads() -> None:
    """Compile the squad planner, or load it from the cache; see `warm_up`."""
    board = Board(TileMap.from_text("000\n000"))
    units = [board.add(Unit(name, cell)) for name, cell in (("a", (0, 0)), ("b", (0, 1)))]
    SquadOrders(board).plan(units, (1, 2))
