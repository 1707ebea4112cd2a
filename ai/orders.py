"""Orders that were carried out: what undo and redo need of them, their log, and its replay."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ai.footing import tiles_of
from ai.unit import Unit
from terrain3d import Cell, TileMap
from terrain3d.checks import whole_number
from terrain3d.grid import CellLike, as_cell


@dataclass(frozen=True)
class Order:
    """One order of a log, as plain data.

    Parameters
    ----------
    unit : int
        Who went: its place in `Board.units`.
    cells : sequence of cells
        The way it took, both ends included; kept as a tuple of `Cell`.

    Raises
    ------
    TypeError, ValueError
        The unit is no whole number >= 0, or there are fewer than two cells.
    """

    unit: int
    cells: Sequence[CellLike]

    def __post_init__(self) -> None:
        """Check the place and freeze the cells."""
        unit = whole_number("an order's unit", self.unit)
        if unit < 0:
            raise ValueError(f"an order's unit must be >= 0, got {unit}")
        cells = tuple(as_cell(cell) for cell in self.cells)
        if len(cells) < 2:
            raise ValueError(f"an order's way needs at least 2 cells, got {len(cells)}")
        object.__setattr__(self, "unit", int(unit))  # of whichever type of whole numbers
        object.__setattr__(self, "cells", cells)

    @property
    def start(self) -> Cell:
        """Where the unit set out from."""
        return as_cell(self.cells[0])

    @property
    def goal(self) -> Cell:
        """Where it went."""
        return as_cell(self.cells[-1])


@dataclass(frozen=True)
class Done:
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
    is_led : bool
        Whether nobody gave it, as its unit moves by itself.
    """

    unit: Unit
    cells: tuple[Cell, ...]
    heading_deg: float
    step_s: float | None = None
    group: object = field(default_factory=object)
    is_led: bool = False


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
        self.done: list[Done] = []
        self.undone: list[Done] = []

    def add(self, order: Done) -> None:
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

    def _place_to_join(self, order: Done) -> int | None:
        """Find what its unit did by itself since the last order that somebody gave."""
        if not order.is_led:
            return None
        for place in reversed(range(len(self.done))):
            before = self.done[place]
            if not before.is_led:
                return None
            if before.unit is order.unit:
                return place
        return None

    @staticmethod
    def latest(orders: list[Done]) -> list[Done]:
        """Give the last order that somebody gave, with those given together with it.

        What units have done by themselves since then comes with it; without such an order there is
        nothing to give.
        """
        first = len(orders) - 1
        while first >= 0 and orders[first].is_led:
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


def retrace(tilemap: TileMap, units: Sequence[Unit], log: Sequence[Order]) -> list[Done]:
    """Put units on a map and lead them along a log's ways to where they stood at its end.

    The ways were allowed when they were taken; the map and who stands where may be others now, so
    they are not judged again.

    Raises
    ------
    IndexError
        A cell is outside the map, or an order is for a unit that is not there.
    ValueError
        A unit is on a board, a way does not begin where its unit stands, or two units would end
        on one tile. No unit has been put on the map then.
    """
    _check_log(tilemap, units, log)
    for unit in units:
        unit.place(tilemap, unit.cell, unit.heading_deg)
    done: list[Done] = []
    for order in log:
        unit, cells = units[order.unit], tuple(as_cell(cell) for cell in order.cells)
        done.append(Done(unit, cells, unit.heading_deg))
        unit.follow(cells)
        unit.place(tilemap, unit.cell, unit.heading_deg)
    return done


def _check_log(tilemap: TileMap, units: Sequence[Unit], log: Sequence[Order]) -> None:
    """Refuse a log that does not fit units on their first cells."""
    for unit in units:
        if unit.is_placed:
            raise ValueError(f"{unit.name} is on another board already")
    if len(set(units)) < len(units):
        raise ValueError("a unit is given twice")
    places = [_within(tilemap, unit, unit.cell) for unit in units]
    for number, order in enumerate(log):
        if not isinstance(order, Order):
            raise TypeError(f"order {number} must be an Order, got {order!r}")
        if order.unit >= len(units):
            raise IndexError(f"order {number} is for unit {order.unit} of {len(units)} units")
        if order.start != places[order.unit]:
            raise ValueError(
                f"order {number} sets out from {order.start}, "
                f"{units[order.unit].name} stands on {places[order.unit]}"
            )
        for cell in order.cells:
            places[order.unit] = _within(tilemap, units[order.unit], as_cell(cell))
    _refuse_overlap(units, places)


def _within(tilemap: TileMap, unit: Unit, cell: Cell) -> Cell:
    """Check that all tiles of a unit lie in columns of the map; a deck may have gone since."""
    for tile in tiles_of(cell, unit.profile):
        tilemap.grid.within(tile)
    return cell


def _refuse_overlap(units: Sequence[Unit], places: Sequence[Cell]) -> None:
    """Refuse that two units hold one tile."""
    holder: dict[Cell, Unit] = {}
    for unit, place in zip(units, places, strict=True):
        for tile in tiles_of(place, unit.profile):
            other = holder.setdefault(tile, unit)
            if other is not unit:
                raise ValueError(f"{other.name} and {unit.name} would both stand on {tile}")
