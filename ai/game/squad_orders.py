"""Orders to several units of a board at once: where each shall go, and how, without collisions."""

from collections.abc import Sequence
from dataclasses import dataclass

from ai.board.board import Board
from ai.board.joint_moves import wide_unit_reason
from ai.board.unit import Unit
from ai.squads import SquadPlan, SquadPlanner, formation
from terrain3d import Cell, TileMap
from terrain3d.grid.grid import CellLike

MAX_EXPANSIONS = 20_000
"""How much work a plan may be: whoever gave the order waits for it."""


@dataclass(frozen=True)
class SquadOrder:
    """What an order to several units would come to.

    Parameters
    ----------
    units : tuple of Unit
    goals : tuple of Cell
        Where each shall go.
    plan : SquadPlan
        How; false, with its reason, if they cannot.
    """

    units: tuple[Unit, ...]
    goals: tuple[Cell, ...]
    plan: SquadPlan

    @property
    def paths(self) -> dict[Unit, tuple[Cell, ...]]:
        """Where each is tick by tick, as `Board.move_together` takes it."""
        return dict(zip(self.units, self.plan.paths, strict=True))


class SquadOrders:
    """Plans orders to several units of one board.

    Parameters
    ----------
    board : Board
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._planner = SquadPlanner(board.navigation)

    def plan(self, units: Sequence[Unit], cell: CellLike) -> SquadOrder:
        """Lead units to a cell in the shape in which they stand, around all others.

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is no cell.
        """
        faults = ((unit, self._board.situation(unit).fault) for unit in units)
        lost = [f"{unit.name}: {why}" for unit, why in faults if why]
        why = wide_unit_reason(units) or (lost[0] if lost else "")
        if why:
            return SquadOrder(tuple(units), (), SquadPlan.none(why))
        starts, profiles = [unit.cell for unit in units], [unit.profile for unit in units]
        others = [
            unit
            for unit in self._board.units
            if unit not in units and self._board.tilemap.has_cell(unit.cell)
        ]
        blocked = [tile for other in others for tile in other.cells]
        navigation = self._board.navigation
        goals = formation(navigation, starts, cell, profiles, blocked=blocked)
        plan = self._planner.plan(
            starts, goals, profiles, blocked=blocked, max_expansions=MAX_EXPANSIONS
        )
        return SquadOrder(tuple(units), tuple(goals), plan)


def warm_up_squads() -> None:
    """Compile what plans for several units, or load it from the cache; see `warm_up`."""
    board = Board(TileMap.from_text("000\n000"))
    units = [board.add(Unit(name, cell)) for name, cell in (("a", (0, 0)), ("b", (0, 1)))]
    SquadOrders(board).plan(units, (1, 2))
