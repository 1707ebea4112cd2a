"""Replay a log: move units along its paths to where they stood at its end."""

from collections import Counter
from collections.abc import Sequence

from ai.board.orders import ExecutedOrder, Order
from ai.board.unit import Unit
from ai.rules.footprint import tiles_of
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import as_cell


def replay_log(
    tilemap: TileMap, units: Sequence[Unit], log: Sequence[Order]
) -> list[ExecutedOrder]:
    """Put units on a map, move them along the paths of a log, and return the executed orders.

    The rules allowed the paths when they were taken. The map and the other units may differ now,
    so the paths are not checked by the rules again.

    Raises
    ------
    IndexError
        A cell is outside the map, or an order is for a unit that does not exist.
    ValueError
        A unit is on a board, a path does not start where its unit stands, or two units would end
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
    """Raise an error if the log does not fit the units on their first cells."""
    for unit in units:
        if instance_of("units", unit, Unit).is_placed:
            raise ValueError(f"{unit.name} is on another board already")
    for name, count in Counter(unit.name for unit in units).items():
        if count > 1:
            raise ValueError(f"{count} units are named {name!r}")
    places = [_within(tilemap, unit, unit.cell) for unit in units]
    for number, order in enumerate(log):
        if not isinstance(order, Order):
            raise TypeError(f"order {number} of the log must be an Order, got {order!r}")
        if order.unit >= len(units):
            raise IndexError(f"order {number} is for unit {order.unit} of {len(units)} units")
        if order.start != places[order.unit]:
            raise ValueError(
                f"order {number} of the log starts at {order.start}, "
                f"{units[order.unit].name} stands on {places[order.unit]}"
            )
        for cell in order.cells:
            places[order.unit] = _within(tilemap, units[order.unit], as_cell(cell))
    _check_overlap(units, places)


def _within(tilemap: TileMap, unit: Unit, cell: Cell) -> Cell:
    """Return a cell whose tiles all lie in columns of the map; the deck may be gone since."""
    for tile in tiles_of(cell, unit.profile):
        tilemap.grid.within(tile)
    return cell


def _check_overlap(units: Sequence[Unit], places: Sequence[Cell]) -> None:
    """Raise `ValueError` if two units hold one tile."""
    holder: dict[Cell, Unit] = {}
    for unit, place in zip(units, places, strict=True):
        for tile in tiles_of(place, unit.profile):
            other = holder.setdefault(tile, unit)
            if other is not unit:
                raise ValueError(f"{other.name} and {unit.name} would both stand on {tile}")
