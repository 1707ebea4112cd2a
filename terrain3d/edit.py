"""One edit of a map: what it gathers, and the change it leaves for undo and redo."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.checks import whole_number
from terrain3d.grid import Cell, CellLike, Grid, Rect

MAX_LEVEL = 32767
"""The highest level a tile may have; levels are kept as 16-bit whole numbers."""

Field = str
Patch = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]]


def checked_level(level: int) -> int:
    """Return a level that a caller gave, or raise `TypeError` or `ValueError`."""
    number = whole_number("a level", level)
    if not 0 <= number <= MAX_LEVEL:
        raise ValueError(f"a level must be in 0..{MAX_LEVEL}, got {number}")
    return number


@dataclass(frozen=True)
class Change:
    """What a finished edit did: for each field, rows, cols, values before and after."""

    name: str
    patches: dict[Field, Patch]

    @property
    def rect(self) -> Rect:
        """The smallest rectangle that holds every changed cell."""
        rows = np.concatenate([patch[0] for patch in self.patches.values()])
        cols = np.concatenate([patch[1] for patch in self.patches.values()])
        row, col = int(rows.min()), int(cols.min())
        return Rect(row, col, int(rows.max()) - row + 1, int(cols.max()) - col + 1)


class Edit:
    """Gathers what shall change; the map takes all of it at the end of the `with`, or nothing.

    Got from `TileMap.edit()`. Reading the map inside the `with` still shows the old state.
    """

    def __init__(self, grid: Grid, kind_index: Callable[[str], int]) -> None:
        self._grid = grid
        self._kind_index = kind_index
        self._values: dict[Field, dict[Cell, int]] = {"level": {}, "kind": {}}
        self._is_open = True

    def set_level(self, cell: CellLike, level: int) -> None:
        """Raise or lower a tile's top to `level`.

        Raises
        ------
        IndexError, TypeError, ValueError
            The cell is outside the map; the level is not a whole number in 0..MAX_LEVEL.
        """
        self._set("level", cell, checked_level(level))

    def set_kind(self, cell: CellLike, kind: str) -> None:
        """Make a tile of the kind of that name; "void" takes its ground away.

        Raises
        ------
        IndexError, ValueError
            The cell is outside the map; the map knows no such kind.
        """
        self._set("kind", cell, self._kind_index(kind))

    def _set(self, field: Field, cell: CellLike, value: int) -> None:
        if not self._is_open:
            raise RuntimeError("this edit is closed; use it inside its 'with' only")
        self._values[field][self._grid.cell(cell)] = value

    def close(self) -> None:
        """Take no more; what was gathered stays as it is."""
        self._is_open = False

    def change(self, name: str, before: dict[Field, NDArray[np.integer]]) -> Change | None:
        """Compare with the arrays as they are and give what differs; None if nothing does."""
        patches: dict[Field, Patch] = {}
        for field, values in self._values.items():
            if not values:
                continue
            rows = np.array([cell.row for cell in values], dtype=np.intp)
            cols = np.array([cell.col for cell in values], dtype=np.intp)
            new = np.fromiter(values.values(), dtype=np.int64, count=len(values))
            old = before[field][rows, cols].astype(np.int64)
            differs = new != old
            if differs.any():
                patches[field] = (rows[differs], cols[differs], old[differs], new[differs])
        return Change(name, patches) if patches else None
