"""Preview orders to several units: the cells that all reach, and plans made in a thread."""

import threading
from collections.abc import Sequence

from ai.board.board import Board
from ai.board.unit import Unit
from ai.game.squad_orders import Question, SquadOrder, answer, question_of
from ai.navigation.reach import Reach
from ai.squads import SquadPlanner
from terrain3d import Cell
from terrain3d.grid.grid import CellLike


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
