"""The surfaces of a map, deck over deck, as arrays that only changes write to."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from terrain3d import columns
from terrain3d.change import Field, Patch
from terrain3d.grid import Cell, read_only

Array = NDArray[np.integer]


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

    def __init__(self, level: Array, kind: Array, void_index: int) -> None:
        self.void_index = void_index
        self._empty: dict[Field, int] = {"level": 0, "kind": void_index, "thickness": 0}
        self._take(level[None].astype(np.int16), kind[None].astype(np.uint8))
        # How many columns have a deck of each number, from 1 on.
        self._counts: list[int] = []

    def _take(
        self, level: NDArray[np.int16], kind: NDArray[np.uint8], thickness: Array | None = None
    ) -> None:
        self.level, self.kind = read_only(level), read_only(kind)
        self.void: NDArray[np.bool_] = read_only(kind == self.void_index)
        flat = np.zeros(level.shape, dtype=np.int16)
        self.thickness = read_only(flat if thickness is None else thickness)
        self._forget()

    def _forget(self) -> None:
        self._headroom: NDArray[np.int16] | None = None
        self._top: int | None = None

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle without what can be told again."""
        return {**vars(self), "_headroom": None, "_top": None}

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
    def top(self) -> int:
        """The highest level with a surface, 0 without any; found once after each change."""
        if self._top is None:
            self._top = int(np.where(self.void, 0, self.level).max())
        return self._top

    @property
    def headroom(self) -> NDArray[np.int16]:
        """Free levels above each surface, see `columns.headroom`; kept up to date once asked for."""
        if self._headroom is None:
            rooms = np.full(self.level.shape, columns.OPEN_SKY, dtype=np.int16)
            rooms[1:] = 0
            self._headroom = read_only(rooms)
            self._measure(*np.nonzero((~self.void[1:]).any(axis=0)))
        return self._headroom

    def exists(self, cell: Cell) -> bool:
        """Tell whether a deck exists in a column of the map."""
        return 0 < cell.deck <= self.n_decks and not self.void[cell.deck, cell.row, cell.col]

    def value(self, field: Field, cell: Cell) -> int:
        """Give a value of a deck, whether it exists or not."""
        if cell.deck > self.n_decks:
            return self._empty[field]
        array: Array = getattr(self, field)
        return int(array[cell.deck, cell.row, cell.col])

    def values(
        self, field: Field, deck: Array, row: NDArray[np.intp], col: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Give the values of n decks, whether they exist or not; each array is (n,)."""
        array: Array = getattr(self, field)
        known = deck <= self.n_decks
        if known.all():
            return array[deck, row, col].astype(np.int64)
        found = np.full(deck.shape, self._empty[field], dtype=np.int64)
        found[known] = array[deck[known], row[known], col[known]]
        return found

    def stacked(self, row: NDArray[np.intp], col: NDArray[np.intp], decks: int) -> dict[str, Array]:
        """Copy n columns as (decks + 1, n) arrays by field, decks at least `n_decks`."""
        stack: dict[str, Array] = {}
        for field, empty in self._empty.items():
            stack[field] = np.full((decks + 1, row.size), empty, dtype=np.int64)
            stack[field][: self.n_decks + 1] = getattr(self, field)[:, row, col]
        return stack

    def decks_at(self, row: int, col: int) -> list[int]:
        """List the surfaces of a column that exist, from low to high."""
        void = self.void[:, row, col]
        order = columns.upward(self.level[:, row, col], void)
        return [int(deck) for deck in order[: int((~void).sum())]]

    def headroom_at(self, cell: Cell) -> int:
        """Give one surface's headroom without measuring all of the map."""
        place = slice(None), cell.row, slice(cell.col, cell.col + 1)
        rooms = columns.headroom(self.level[place], self.thickness[place], self.void[place])
        return int(rooms[cell.deck, 0])

    def apply(self, patches: Mapping[Field, Patch]) -> None:
        """Write the values after a change."""
        self._top = None
        if "kind" in patches:
            self._resize(self._count(patches["kind"]))
        for field, patch in patches.items():
            if self.n_decks < patch.deck.max():
                patch = Patch(*(part[patch.deck <= self.n_decks] for part in patch))
            place = patch.deck, patch.row, patch.col
            _write(getattr(self, field), place, patch.after)
            if field == "kind":
                _write(self.void, place, patch.after == self.void_index)
            if self.n_decks:
                self._measure(patch.row, patch.col)

    def _measure(self, row: NDArray[np.intp], col: NDArray[np.intp]) -> None:
        stack = self.level[:, row, col], self.thickness[:, row, col], self.void[:, row, col]
        if self._headroom is not None and row.size:
            _write(self._headroom, (slice(None), row, col), columns.headroom(*stack))

    def _count(self, kinds: Patch) -> int:
        """Count the decks that come and go, and give the highest number that will be left."""
        highest = int(kinds.deck.max())
        if highest:
            counts = np.zeros(max(highest, self.n_decks) + 1, dtype=np.int64)
            counts[1 : self.n_decks + 1] = self._counts
            np.add.at(counts, kinds.deck, kinds.before == self.void_index)
            np.subtract.at(counts, kinds.deck, kinds.after == self.void_index)
            counts[0] = 1
            self._counts = counts[1 : int(np.nonzero(counts)[0][-1]) + 1].tolist()
        return len(self._counts)

    def _resize(self, n_decks: int) -> None:
        """Make room for so many decks, in new arrays if that is another number."""
        if n_decks == self.n_decks:
            return
        shape = (n_decks + 1, *self.level.shape[1:])
        kept = slice(0, min(n_decks, self.n_decks) + 1)
        level, kind = np.zeros(shape, np.int16), np.full(shape, self.void_index, np.uint8)
        thickness = np.zeros(shape, np.int16)
        level[kept], kind[kept], thickness[kept] = (
            self.level[kept],
            self.kind[kept],
            self.thickness[kept],
        )
        self._take(level, kind, thickness)


def _write(array: NDArray[np.generic], place: object, values: NDArray[np.generic]) -> None:
    array.flags.writeable = True
    array[place] = values  # type: ignore[index]
    array.flags.writeable = False
