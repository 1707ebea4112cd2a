"""Orders that were carried out, as plain data for a log and as records for undo and redo."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ai.board.unit import Unit
from terrain3d import Cell
from terrain3d.core.checks import listed, whole_within
from terrain3d.grid.grid import CellLike, as_cell


@dataclass(frozen=True)
class Order:
    """One order of a log, as plain data.

    Parameters
    ----------
    unit : int
        The index in `Board.units` of the unit that moved.
    cells : sequence of cells
        Its path, both ends included; kept as a tuple of `Cell`.

    Raises
    ------
    TypeError, ValueError
        The unit is not a whole number >= 0, or there are fewer than two cells.
    """

    unit: int
    cells: Sequence[CellLike]

    def __post_init__(self) -> None:
        """Check the index and freeze the cells."""
        unit = whole_within("an order's unit", self.unit, 0)
        cells = tuple(map(as_cell, listed("an order's cells", self.cells)))
        if len(cells) < 2:
            raise ValueError(f"an order's path needs at least 2 cells, got {len(cells)}")
        object.__setattr__(self, "unit", unit)  # also for whole numbers of other types
        object.__setattr__(self, "cells", cells)

    @property
    def start(self) -> Cell:
        """The first cell of the path."""
        return as_cell(self.cells[0])

    @property
    def goal(self) -> Cell:
        """The last cell of the path."""
        return as_cell(self.cells[-1])


@dataclass(frozen=True)
class ExecutedOrder:
    """An order that was carried out, with the data that its undo needs."""

    unit: Unit
    cells: tuple[Cell, ...]
    """The path it took; in a joint move a cell repeats while the unit waits."""
    heading_deg: float
    """The heading of the unit before the order."""
    step_s: float | None = None
    """The duration of each step in a joint move."""
    group: object = field(default_factory=object)
    """Shared by the orders of a joint move, which are undone together."""
    is_automatic: bool = False
    """Whether a behavior gave it, not a player."""


def without_waits(path: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the cells of a path without repetitions in a row."""
    return tuple(cell for cell, _ in itertools.groupby(path))


def without_detours(path: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return a path without its loops, from the same start to the same end.

    A unit ends with the same heading on both paths: the last step that turned it stays.
    """
    turns = [end for end in range(1, len(path)) if path[end][:2] != path[end - 1][:2]]
    last = turns[-1] if turns else 0
    return (*_without_loops(path[:last]), *_without_loops(path[last:]))


def _without_loops(path: Sequence[Cell]) -> list[Cell]:
    """Return a path without the cells between two visits of one cell."""
    kept: dict[Cell, None] = {}  # in the order of the path
    for cell in path:
        if cell in kept:
            while next(reversed(kept)) != cell:
                kept.popitem()
        kept[cell] = None
    return list(kept)


class History:
    """The orders that were done, and those that were undone and can be done again.

    Automatic steps cannot be undone one by one, but only all of them since a player's last order.
    So the automatic steps of a unit are kept as one order.
    """

    def __init__(self) -> None:
        self.done: list[ExecutedOrder] = []
        self.undone: list[ExecutedOrder] = []

    def add(self, order: ExecutedOrder) -> None:
        """Add an order, or extend the unit's automatic order by it."""
        place = self._place_to_join(order)
        if place is None:
            self.done.append(order)
            return
        before = self.done[place]
        cells = without_detours((*before.cells, *order.cells[1:]))
        if len(cells) > 1:
            self.done[place] = replace(before, cells=cells)
        else:  # the unit is back on its cell, with the same heading
            del self.done[place]

    def forget(self, unit: Unit) -> None:
        """Drop all orders of a unit."""
        kept = [order for order in self.done if order.unit is not unit]
        self.done = []
        for order in kept:
            self.add(order)
        self.undone = [order for order in self.undone if order.unit is not unit]

    def _place_to_join(self, order: ExecutedOrder) -> int | None:
        """Return the index of the unit's automatic order since a player's last order, if any."""
        if not order.is_automatic:
            return None
        for place in reversed(range(len(self.done))):
            before = self.done[place]
            if not before.is_automatic:
                return None
            if before.unit is order.unit:
                return place
        return None

    @staticmethod
    def latest(orders: list[ExecutedOrder]) -> list[ExecutedOrder]:
        """Return a player's last order, with the rest of its group and all later orders.

        The list is empty if a player gave none of the orders.
        """
        first = len(orders) - 1
        while first >= 0 and orders[first].is_automatic:
            first -= 1
        if first < 0:
            return []
        while first > 0 and orders[first - 1].group is orders[first].group:
            first -= 1
        return orders[first:]

    def log(self, units: Sequence[Unit]) -> tuple[Order, ...]:
        """Return the orders that were done as plain data."""
        place = {unit: number for number, unit in enumerate(units)}
        return tuple(Order(place[order.unit], without_waits(order.cells)) for order in self.done)
