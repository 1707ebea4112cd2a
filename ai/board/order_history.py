"""What was done at a board: what undo and redo need of it, and its log."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ai.board.order import Order
from ai.board.unit import Unit
from terrain3d import Cell


@dataclass(frozen=True)
class ExecutedOrder:
    """An order that was carried out, with what it takes to undo it.

    Parameters
    ----------
    unit : Unit
    cells : tuple of Cell
        The way it took.
    heading_deg : float
        Where it looked before.
    step_s : float, optional
        How long each step takes, for those who keep step with others.
    group : object
        Shared by those who went together, and are to be undone together.
    is_automatic : bool
        Whether nobody gave it, as its unit moves by itself.
    """

    unit: Unit
    cells: tuple[Cell, ...]
    heading_deg: float
    step_s: float | None = None
    group: object = field(default_factory=object)
    is_automatic: bool = False


def without_waits(way: Sequence[Cell]) -> tuple[Cell, ...]:
    """Give the cells of a way, each once for as long as somebody waits there."""
    return tuple(cell for cell, _ in itertools.groupby(way))


def without_detours(way: Sequence[Cell]) -> tuple[Cell, ...]:
    """Give a way without the rounds in it, from the same start to the same end.

    Who goes it ends looking where it did on the whole way: the last step that turned it stays.
    """
    turns = [end for end in range(1, len(way)) if way[end][:2] != way[end - 1][:2]]
    last = turns[-1] if turns else 0
    return (*_without_rounds(way[:last]), *_without_rounds(way[last:]))


def _without_rounds(way: Sequence[Cell]) -> list[Cell]:
    """Give a way without what lies between two visits of one cell."""
    kept: dict[Cell, None] = {}  # in the order of the way
    for cell in way:
        if cell in kept:
            while next(reversed(kept)) != cell:
                kept.popitem()
        kept[cell] = None
    return list(kept)


class History:
    """What was done, and what of it was undone and can be done again.

    Nobody can undo a step of a unit that moves by itself without all that it did since the last
    order that somebody gave, so that these steps are kept as one way.
    """

    def __init__(self) -> None:
        self.done: list[ExecutedOrder] = []
        self.undone: list[ExecutedOrder] = []

    def add(self, order: ExecutedOrder) -> None:
        """Keep what was done."""
        place = self._place_to_join(order)
        if place is None:
            self.done.append(order)
            return
        before = self.done[place]
        cells = without_detours((*before.cells, *order.cells[1:]))
        if len(cells) > 1:
            self.done[place] = replace(before, cells=cells)
        else:  # it is back where it was, and looks as it did
            del self.done[place]

    def forget(self, unit: Unit) -> None:
        """Drop all orders of a unit."""
        kept = [order for order in self.done if order.unit is not unit]
        self.done = []
        for order in kept:
            self.add(order)
        self.undone = [order for order in self.undone if order.unit is not unit]

    def _place_to_join(self, order: ExecutedOrder) -> int | None:
        """Find what its unit did by itself since the last order that somebody gave."""
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
        """Give the last order that somebody gave, with those given together with it.

        What units have done by themselves since then comes with it; without such an order there is
        nothing to give.
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
        """Give what was done as plain data."""
        place = {unit: number for number, unit in enumerate(units)}
        return tuple(Order(place[order.unit], without_waits(order.cells)) for order in self.done)
