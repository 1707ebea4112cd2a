"""Put several map records side by side into one."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import VOID, TileKind
from terrain3d.grid.links import Link, Wall
from terrain3d.mapfile.record import Entry, Extras, Json, MapRecord

Pair = TypeVar("Pair", Link, Wall)

_POINTS = ("units", "waypoints")


class PlacedRecord(NamedTuple):
    """A map record, the name of its file, and the cell of the whole that its first cell is."""

    name: str
    record: MapRecord
    row: int
    col: int


def merge(parts: Sequence[PlacedRecord], max_surfaces: int) -> MapRecord:
    """Return one record of several that do not overlap; void lies between them.

    Kinds that are equal become one; a kind whose name another map gives to a different kind has the
    name of its file added. Extras other than units and waypoints are taken from the first map.

    `MapFileError` if there are no maps, two of them overlap or differ in step height or topology,
    or the whole has more than `max_surfaces` tiles.
    """
    if not parts:
        raise MapFileError("names no maps")
    _check_alike(parts)
    top, left = min(part.row for part in parts), min(part.col for part in parts)
    parts = [_moved(part, -top, -left) for part in parts]
    records = [part.record for part in parts]
    rows, cols = (
        max(part[2 + axis] + part.record.level.shape[axis] for part in parts) for axis in (0, 1)
    )
    n_decks = max(int(record.decks["deck"].max(initial=0)) for record in records) + 1
    check_tile_count(rows * cols * n_decks, max_surfaces)
    known: dict[str, TileKind] = {}
    level, kinds = np.zeros((rows, cols), np.int64), np.full((rows, cols), -1, np.int64)
    for name, record, row, col in parts:
        at = np.s_[row : row + record.level.shape[0], col : col + record.level.shape[1]]
        if (kinds[at] >= 0).any():
            raise MapFileError(f"{name} overlaps a map before it")
        numbers = np.array([_number_of(kind, name, known) for kind in record.kinds])
        level[at], kinds[at] = record.level, numbers[record.kind]
        record.decks["kind"] = numbers[record.decks["kind"]]
    void = _number_of(VOID, "", known)
    extras, lost = _joined_extras(parts)
    notes = [f"{part.name}: {note}" for part in parts for note in part.record.notes]
    return replace(
        records[0],
        level=level,
        kind=np.where(kinds < 0, void, kinds),
        kinds=tuple(known.values()),
        decks=np.concatenate([record.decks for record in records]),
        links=tuple(chain.from_iterable(record.links for record in records)),
        walls=tuple(chain.from_iterable(record.walls for record in records)),
        extras=extras,
        unknown_fields=dict(
            chain.from_iterable(record.unknown_fields.items() for record in records)
        ),
        notes=tuple(dict.fromkeys([*lost, *notes])),
    )


def _number_of(kind: TileKind, name: str, known: dict[str, TileKind]) -> int:
    """Return the number of a kind of a map among known ones by name, to which it is added."""
    if known.get(kind.name, kind) != kind:
        kind = replace(kind, name=f"{kind.name} ({name})")
    known.setdefault(kind.name, kind)
    return list(known).index(kind.name)


def _check_alike(parts: Sequence[PlacedRecord]) -> None:
    """Raise `MapFileError` if maps differ in what the whole has only once."""
    for one, other in pairwise(parts):
        for field in ("step_height", "topology"):
            values = [getattr(part.record, field) for part in (one, other)]
            if values[0] != values[1]:
                problem = f"differ in {field}: {values[0]} and {values[1]}"
                raise MapFileError(f"{one.name} and {other.name} {problem}")


def _joined_extras(parts: Sequence[PlacedRecord]) -> tuple[Extras, list[str]]:
    """Return the extras of the whole, and notes on those that are left out."""
    extras = dict(parts[0].record.extras)
    for field in _POINTS:
        lists = [part.record.extras.get(field) for part in parts]
        points = list(chain.from_iterable(points for points in lists if isinstance(points, list)))
        extras |= {field: points} if points else {}
    lost = [
        f"{part.name}: {field} not kept"
        for part in parts[1:]
        for field, value in part.record.extras.items()
        if field not in _POINTS and value != extras.get(field)
    ]
    return extras, lost


def _moved(part: PlacedRecord, rows: int, cols: int) -> PlacedRecord:
    """Return a part further down and right, with all cells in it in the numbers of the whole."""
    name, record, row, col = part
    row, col = row + rows, col + cols
    decks = record.decks.copy()
    decks["row"] += row
    decks["col"] += col
    points = {
        field: [_moved_point(point, row, col) for point in record.extras[field]]
        for field in _POINTS
        if isinstance(record.extras.get(field), list)
    }
    moved = replace(
        record,
        decks=decks,
        links=tuple(_moved_pair(link, row, col) for link in record.links),
        walls=tuple(_moved_pair(wall, row, col) for wall in record.walls),
        extras=record.extras | points,
        unknown_fields={
            _moved_entry(entry, row, col): fields for entry, fields in record.unknown_fields.items()
        },
    )
    return PlacedRecord(name, moved, row, col)


def _moved_pair(pair: Pair, row: int, col: int) -> Pair:
    start, end = _moved_cell(pair.start, row, col), _moved_cell(pair.end, row, col)
    return replace(pair, start=start, end=end)


def _moved_cell(cell: Cell, row: int, col: int) -> Cell:
    return Cell(cell.row + row, cell.col + col, cell.deck)


def _moved_entry(entry: Entry, row: int, col: int) -> Entry:
    name, what = entry
    if isinstance(what, str):
        return entry
    if isinstance(what, Cell):
        return name, _moved_cell(what, row, col)
    return name, (_moved_cell(what[0], row, col), _moved_cell(what[1], row, col))


def _moved_point(point: Json, row: int, col: int) -> Json:
    """Return a unit or a waypoint with its cell moved; as it is if it has none."""
    cell = point.get("cell") if isinstance(point, dict) else None
    if not isinstance(cell, list) or [type(part) for part in cell[:2]] != [int, int]:
        return point
    return {**point, "cell": [cell[0] + row, cell[1] + col, *cell[2:]]}
