"""Where the cells of one map lie in another: turned or mirrored, shifted, and cut off."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import atan2, degrees
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import with_whole_numbers
from terrain3d.grid.grid import Cell, Grid, Rect, as_cell
from terrain3d.grid.links import P
from terrain3d.map.change import Values

if TYPE_CHECKING:
    from terrain3d.map.tilemap import Entry, Extras, TileMap

Turn = tuple[tuple[int, int], tuple[int, int]]
"""((a, b), (c, d)) leads (row, col) to (a row + b col, c row + d col): a symmetry of the square."""

NO_TURN: Turn = (1, 0), (0, 1)
ROTATIONS: tuple[Turn, ...] = (
    NO_TURN, ((0, -1), (1, 0)), ((-1, 0), (0, -1)), ((0, 1), (-1, 0)),
)  # fmt: skip
"""By quarter turns, counter-clockwise as seen from above."""
MIRRORS: dict[str, Turn] = {"left_right": ((1, 0), (0, -1)), "top_bottom": ((-1, 0), (0, 1))}

GONE = object()
"""What comes of data with a cell that is not in the map any more."""


def _cell_in(value: Any) -> Cell | None:  # noqa: ANN401 - JSON-like
    """Return a cell of data in `TileMap.extras` as a `Cell`; None if it is none."""
    try:
        return as_cell(with_whole_numbers(value))
    except TypeError:
        return None


def cells_of(thing: object) -> list[Cell]:
    """Return where a thing in `TileMap.extras` lies: itself, its field `cell`, or its `cells`."""
    if isinstance(thing, Cell):
        return [thing]
    if not isinstance(thing, dict):
        return []
    cells = thing.get("cells")
    found = [thing.get("cell"), *(cells if isinstance(cells, list | tuple) else ())]
    return [cell for each in found if (cell := _cell_in(each)) is not None]


@dataclass(frozen=True)
class Placement:
    """Places cells in a map of rows x cols tiles; (0, 0) comes to lie at `shift`, also outside."""

    rows: int
    cols: int
    shift: tuple[int, int] = (0, 0)
    turn: Turn = NO_TURN

    @classmethod
    def turned(cls, grid: Grid, turn: Turn) -> Placement:
        """Return the placement of all cells of a grid in a map that they fill."""
        rows, cols = (grid.rows if line[0] else grid.cols for line in turn)
        shift = (rows - 1) * (sum(turn[0]) < 0), (cols - 1) * (sum(turn[1]) < 0)
        return cls(rows, cols, shift, turn)

    def topology(self, topology: str) -> str:
        """Return the topology in which neighbors stay neighbors, given that of the cells.

        A quarter turn makes columns of rows of hexagons. Odd lines are offset in place of even ones
        after a shift by an odd number of them, or where each line is reversed.
        """
        if topology == "square":
            return topology
        _, offset, axis = topology.split("_")
        line = "rq".index(axis) ^ (self.turn[0][0] == 0)
        is_even = (offset == "even") ^ (sum(self.turn[1 - line]) < 0) ^ (self.shift[line] & 1)
        return f"hex_{'even' if is_even else 'odd'}_{'rq'[line]}"

    def at(self, row: Any, col: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401 - numbers or arrays
        """Return where rows and columns lie, and whether that is inside the map."""
        row, col = (
            a * row + b * col + start for (a, b), start in zip(self.turn, self.shift, strict=True)
        )
        return row, col, (row >= 0) & (row < self.rows) & (col >= 0) & (col < self.cols)

    def cell(self, cell: Cell, size: int = 1) -> Cell | None:
        """Return where a cell lies; None outside the map.

        Of a block of size x size tiles, whose north-west tile it is, return the new such tile.
        """
        row, col, is_inside = self.at(cell.row, cell.col)
        end_row, end_col, has_end = self.at(cell.row + size - 1, cell.col + size - 1)
        north_west = Cell(min(row, end_row), min(col, end_col), cell.deck)
        return north_west if is_inside and has_end else None

    def fill(self, target: NDArray[Any], source: NDArray[Any]) -> None:
        """Write the (rows, cols) values of tiles to where these lie."""
        row, col, inside = self.at(*np.indices(source.shape, np.int32))
        target[row[inside], col[inside]] = source[inside]

    def decks(self, table: NDArray[np.void]) -> NDArray[np.void]:
        """Return the decks of a table that lie in the map, where they lie."""
        row, col, inside = self.at(table["row"], table["col"])
        kept: NDArray[np.void] = table[inside]
        kept["row"], kept["col"] = row[inside], col[inside]
        return kept

    def pairs(self, entries: Iterable[P]) -> Iterator[P]:
        """Yield the links or walls with both ends in the map, where they lie."""
        for entry in entries:
            start, end = self.cell(entry.start), self.cell(entry.end)
            if start is not None and end is not None:
                yield replace(entry, start=start, end=end)

    def fields(self, unknown: Mapping[Entry, Extras]) -> Iterator[tuple[Entry, Extras]]:
        """Yield the `unknown_fields` of kinds, and of decks that lie in the map."""
        for (name, key), fields in unknown.items():
            moved = self.data(key)
            if moved is not GONE:
                yield (name, moved), fields

    def data(self, value: Any) -> Any:  # noqa: ANN401 - JSON-like, and of its type
        """Return a copy of JSON-like data, where what has a cell is moved; or `GONE`.

        A `heading_deg` beside a cell turns with the map. A `size` beside it is that of a mover of
        size x size tiles, which has to lie in the map as a whole. Of `cells` those in the map are
        left; what loses all of them is `GONE` too.
        """
        if isinstance(value, Cell):
            return self.cell(value) or GONE
        if isinstance(value, list | tuple):
            kept = [part for each in value if (part := self.data(each)) is not GONE]
            return kept if isinstance(value, list) else tuple(kept)
        if not isinstance(value, dict):
            return value
        parts = {name: self.data(part) for name, part in value.items()}
        if isinstance(cells := value.get("cells"), list | tuple):
            kept = [part for each in cells if (part := self._entry(each)) is not GONE]
            parts["cells"] = type(cells)(kept)
            if cells_of({"cells": cells}) and not kept:
                return GONE
        if (old := _cell_in(value.get("cell"))) is not None:
            size, heading = value.get("size"), value.get("heading_deg", "")
            cell = self.cell(old, size if type(size) is int and size > 0 else 1)
            if cell is None and self.turn != NO_TURN:  # it was no mover that stood on the map
                cell = self.cell(old)
            if cell is None:
                return GONE
            parts["cell"] = list(cell)[: len(value["cell"])]
            if type(heading) in (int, float) and self.turn != NO_TURN:
                (a, b), (c, d) = self.turn
                parts["heading_deg"] = (
                    round(degrees(atan2(c, a))) + (a * d - b * c) * heading
                ) % 360
        return {name: part for name, part in parts.items() if part is not GONE}

    def _entry(self, value: Any) -> Any:  # noqa: ANN401 - as of `data`
        """Return a copy of an entry of `cells`, moved if it is a cell; or `GONE`."""
        if isinstance(value, Cell) or (old := _cell_in(value)) is None:
            return self.data(value)
        return GONE if (cell := self.cell(old)) is None else list(cell)[: len(value)]


def paste_data(
    target: TileMap, source: TileMap, at: Placement
) -> tuple[Values[str], Values[tuple[str, Any]]]:
    """Return what becomes of the extras and unknown fields of a map when another is pasted in."""
    rect = Rect(*at.shift, source.rows, source.cols)

    def is_inside(thing: object) -> bool:
        cells = cells_of(thing)
        return bool(cells) and all(map(rect.holds, cells))

    extras: Extras = {}
    for name in {**target.extras, **source.extras}:
        both = [each.extras.get(name) for each in (target, source)]
        here, there = ([] if each is None else each for each in both)
        if all(each is None or (isinstance(each, dict) and "cells" in each) for each in both):
            before = cells_of(here)
            cells = [cell for cell in before if not rect.holds(cell)] + cells_of(at.data(there))
            if cells != before:
                entries = [list(cell[: 2 + (cell.deck > 0)]) for cell in cells]
                extras[name] = {**dict(there), **dict(here), "cells": entries} if cells else None
        elif isinstance(here, list):
            moved = map(at.data, there) if isinstance(there, list) else ()
            came = [thing for thing in moved if is_inside(thing)]
            kept = [thing for thing in here if not is_inside(thing)]
            if came or len(kept) < len(here):
                extras[name] = kept + came
    fields: dict[Entry, Extras | None] = {
        (name, key): None
        for name, key in target.unknown_fields
        if name == "decks" and is_inside(key)
    }
    fields |= {entry: of for entry, of in at.fields(source.unknown_fields) if entry[0] != "kinds"}
    old_extras = {name: target.extras.get(name) for name in extras}
    old_fields = {entry: target.unknown_fields.get(entry) for entry in fields}
    return copy.deepcopy(((old_extras, extras), (old_fields, fields)))
