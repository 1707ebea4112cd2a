"""Leading units along the ways of a log to where they stood at its end."""

from collections.abc import Sequence

from ai.board.order import Order
from ai.board.order_history import ExecutedOrder
from ai.board.unit import Unit
from ai.rules.footprint import tiles_of
from terrain3d import Cell, TileMap
from terrain3d.grid.grid import as_cell


def replay_log(
    tilemap: TileMap, units: Sequence[Unit], log: Sequence[Order]
) -> list[ExecutedOrder]:
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
    done: list[ExecutedOrder] = []
    for order in log:
        unit, cells = units[order.unit], tuple(as_cell(cell) for cell in order.cells)
        done.append(ExecutedOrder(unit, cells, unit.heading_deg))
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
