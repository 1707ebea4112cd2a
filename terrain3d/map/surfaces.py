"""The surfaces of a map, deck over deck, as arrays that only changes write to."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import columns
from terrain3d.grid.grid import Cell, read_only
from terrain3d.map.change import Field, Patch

Whole = NDArray[np.integer]
Places = NDArray[np.intp]

Body = tuple[int, int, int]
"""(deck, level, thickness) of a surface that exists."""


class Surfaces:
    """Arrays of (n_decks + 1, rows, cols), the ground first, closed to writing.

    They stay the same memory until the highest deck number of the map changes. A deck that does
    not exist has level 0, kind void and thickness 0.

    Parameters
    ----------
    level, kind : (rows, cols)
        The ground, within the limits of the arrays' types.
    void_index : int
        Which kind is no ground.
    """

    level: NDArray[np.int16]
    kind: NDArray[np.uint8]
    void: NDArray[np.bool_]
    thickness: NDArray[np.int16]

    def __init__(self, level: Whole, kind: Whole, void_index: int) -> None:
        self.void_index = void_index
        self._empty: dict[Field, int] = {"level": 0, "kind": void_index, "thickness": 0}
        # How many columns have a deck of each number, from 1 on.
        self._counts: list[int] = []
        ground = level[None].astype(np.int16)
        self._take(ground, kind[None].astype(np.uint8), np.zeros(ground.shape, np.int16))

    def _take(
        self, level: NDArray[np.int16], kind: NDArray[np.uint8], thickness: NDArray[np.int16]
    ) -> None:
        self.level, self.kind = read_only(level), read_only(kind)
        self.void = read_only(kind == self.void_index)
        self.thickness = read_only(thickness)
        self._headroom: NDArray[np.int16] | None = None
        self._span: tuple[int, int] | None = None
        self._void_top: int | None = None

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle without what can be found again."""
        return {**vars(self), "_headroom": None, "_span": None, "_void_top": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take a copied state; a copied array could be written to."""
        vars(self).update(state)
        for array in (self.level, self.kind, self.void, self.thickness):
            array.flags.writeable = False

    @property
    def n_decks(self) -> int:
        """The highest deck number that exists anywhere."""
        return len(self.level) - 1

    @property
    def span(self) -> tuple[int, int]:
        """Undersides reach no lower than the first level, surfaces no higher than the second.

        Level 0 lies between them. Found once after each change.
        """
        if self._span is None:
            top = int(np.where(self.void, 0, self.level).max())
            under = self.level[1:] - self.thickness[1:]
            self._span = int(under.min(initial=0, where=~self.void[1:])), top
        return self._span

    @property
    def void_top(self) -> int:
        """The highest level that is stored for void ground, 0 without any; found as `span` is."""
        if self._void_top is None:
            self._void_top = int(self.level[0].max(initial=0, where=self.void[0]))
        return self._void_top

    @property
    def headroom(self) -> NDArray[np.int16]:
        """Free levels above each surface as `columns.headroom` tells; follows changes once made."""
        if self._headroom is None:
            rooms = np.full(self.level.shape, columns.OPEN_SKY, dtype=np.int16)
            rooms[1:] = 0
            self._headroom = read_only(rooms)
            self._measure(*np.nonzero((~self.void[1:]).any(axis=0)))
        return self._headroom

    def exists(self, cell: Cell) -> bool:
        """Return whether a column of the map has a surface: ground that is not void, or a deck."""
        row, col, deck = cell
        return 0 <= deck <= self.n_decks and not self.void[deck, row, col]

    def values(
        self, field: Field, deck: Places, row: Places, col: Places, highest: int
    ) -> NDArray[np.int64]:
        """Give (n,) values of n surfaces, no deck higher than `highest`, whether they exist or not.

        Each array is (n,).
        """
        array = self._array(field)
        if highest <= self.n_decks:
            return array[deck, row, col].astype(np.int64)
        known = deck <= self.n_decks
        found = np.full(deck.shape, self._empty[field], dtype=np.int64)
        found[known] = array[deck[known], row[known], col[known]]
        return found

    def value(self, field: Field, cell: Cell) -> int:
        """Give the value of one deck, whether it exists or not."""
        if cell.deck > self.n_decks:
            return self._empty[field]
        return int(self._array(field)[cell.deck, cell.row, cell.col])

    def stacked(self, row: Places, col: Places, n_decks: int) -> dict[Field, NDArray[np.int64]]:
        """Copy n columns as (n_decks + 1, n) arrays by field; there may be fewer decks yet."""
        stack: dict[Field, NDArray[np.int64]] = {}
        for field, empty in self._empty.items():
            stack[field] = np.full((n_decks + 1, row.size), empty, dtype=np.int64)
            stack[field][: self.n_decks + 1] = self._array(field)[:, row, col]
        return stack

    def decks_at(self, row: int, col: int) -> list[int]:
        """List the surfaces of a column that exist, from low to high."""
        void = self.void[:, row, col]
        order: list[int] = columns.upward(self.level[:, row, col], void).tolist()
        return order[: int((~void).sum())]

    def bodies_at(self, row: int, col: int) -> list[Body]:
        """List what stands and hangs in a column, by deck number."""
        levels = self.level[:, row, col].tolist()
        thicknesses = self.thickness[:, row, col].tolist()
        voids = self.void[:, row, col].tolist()
        return [
            (deck, levels[deck], thicknesses[deck])
            for deck, is_void in enumerate(voids)
            if not is_void
        ]

    def headroom_at(self, cell: Cell) -> int:
        """Give one surface's headroom without measuring all of the map."""
        place = slice(None), cell.row, slice(cell.col, cell.col + 1)
        rooms = columns.headroom(self.level[place], self.thickness[place], self.void[place])
        return int(rooms[cell.deck, 0])

    def apply(self, patches: Mapping[Field, Patch]) -> None:
        """Write the values after a change."""
        self._span = self._void_top = None
        if "kind" in patches:
            counts = self._counted(patches["kind"])
            self._resize(len(counts))
            self._counts = counts
        for field, patch in patches.items():
            if patch.highest > self.n_decks:
                patch = patch.where(patch.deck <= self.n_decks)
            place = patch.deck, patch.row, patch.col
            _write(self._array(field), place, patch.after)
            if field == "kind":
                _write(self.void, place, patch.after == self.void_index)
        if self._headroom is not None and self.n_decks:
            for patch in patches.values():
                self._measure(patch.row, patch.col)

    def _array(self, field: Field) -> Whole:
        arrays: dict[Field, Whole] = {
            "level": self.level,
            "kind": self.kind,
            "thickness": self.thickness,
        }
        return arrays[field]

    def _measure(self, row: Places, col: Places) -> None:
        if self._headroom is not None:
            stack = self.level[:, row, col], self.thickness[:, row, col], self.void[:, row, col]
            _write(self._headroom, (slice(None), row, col), columns.headroom(*stack))

    def _counted(self, kinds: Patch) -> list[int]:
        """Count how many columns will have each deck, up to the highest that is left."""
        if kinds.highest == 0:
            return self._counts
        counts = np.zeros(max(kinds.highest, self.n_decks) + 1, dtype=np.int64)
        counts[1 : self.n_decks + 1] = self._counts
        np.add.at(counts, kinds.deck, kinds.before == self.void_index)
        np.subtract.at(counts, kinds.deck, kinds.after == self.void_index)
        counts[0] = 1  # the ground is always there, void or not
        found: list[int] = counts[1 : int(np.nonzero(counts)[0][-1]) + 1].tolist()
        return found

    def _resize(self, n_decks: int) -> None:
        """Make room for so many decks, in new arrays if that is another number."""
        if n_decks == self.n_decks:
            return
        shape = (n_decks + 1, *self.level.shape[1:])
        kept = min(n_decks, self.n_decks) + 1
        level, kind = np.zeros(shape, np.int16), np.full(shape, self.void_index, np.uint8)
        thickness = np.zeros(shape, np.int16)
        level[:kept], kind[:kept] = self.level[:kept], self.kind[:kept]
        thickness[:kept] = self.thickness[:kept]
        self._take(level, kind, thickness)


def _write(
    array: NDArray[np.generic],
    place: tuple[slice | Places, Places, Places],
    values: NDArray[np.generic],
) -> None:
    array.flags.writeable = True
    array[place] = values
    array.flags.writeable = False
