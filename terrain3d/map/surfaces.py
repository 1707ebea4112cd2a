"""Surfaces of a map as read-only arrays, with the links and walls between them."""

import itertools

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import whole_numbers
from terrain3d.grid import columns
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import Cell, CellLike, Grid, read_only
from terrain3d.grid.kinds import VOID, TileKind, index_of
from terrain3d.grid.links import Link, Pairs, Wall
from terrain3d.map import wall_bits
from terrain3d.map.change import Change, Field, Patch

IntArray = NDArray[np.integer]
Indices = NDArray[np.intp]

Body = tuple[int, int, int]
"""(deck, level, thickness) of a surface that exists."""


def ground_arrays(
    level: ArrayLike, kind: ArrayLike | None, kinds: tuple[TileKind, ...]
) -> tuple[IntArray, IntArray]:
    """Return checked (rows, cols) levels and kinds of the ground; see `TileMap`."""
    levels = whole_numbers("level", level, 0, MAX_LEVEL)
    if kind is None:
        first = 0 if index_of(VOID.name, kinds) else 1
        return levels, np.full(levels.shape, first, np.uint8)
    indices = whole_numbers("kind", kind, 0, len(kinds) - 1)
    if indices.shape != levels.shape:
        raise ValueError(f"level is {levels.shape} but kind is {indices.shape}")
    return levels, indices


class Surfaces:
    """Surfaces, links and walls of one map; only `apply` changes them.

    The arrays are (n_decks + 1, rows, cols), the ground first, and read-only. They are replaced
    only when the highest deck number of the map changes. A deck that does not exist has level 0,
    kind void and thickness 0.

    Parameters
    ----------
    grid : Grid
    level, kind : (rows, cols)
        The ground, within the limits of the arrays' types.
    void_index : int
        Index of the void kind.
    """

    level: NDArray[np.int16]
    kind: NDArray[np.uint8]
    void: NDArray[np.bool_]
    thickness: NDArray[np.int16]

    def __init__(self, grid: Grid, level: IntArray, kind: IntArray, void_index: int) -> None:
        self.grid = grid
        self.void_index = void_index
        self.links = Pairs(Link)
        self.walls = Pairs(Wall)
        self._empty: dict[Field, int] = {"level": 0, "kind": void_index, "thickness": 0}
        # Number of columns that have deck 1, 2, ...
        self._deck_counts: list[int] = []
        ground = level[None].astype(np.int16)
        self._set_arrays(ground, kind[None].astype(np.uint8), np.zeros(ground.shape, np.int16))

    def _set_arrays(
        self, level: NDArray[np.int16], kind: NDArray[np.uint8], thickness: NDArray[np.int16]
    ) -> None:
        self.level, self.kind = read_only(level), read_only(kind)
        self.void = read_only(kind == self.void_index)
        self.thickness = read_only(thickness)
        self._headroom: NDArray[np.int16] | None = None
        self._level_span: tuple[int, int] | None = None
        self._void_top: int | None = None
        self._wall_bits: NDArray[np.uint8] | None = None

    def __getstate__(self) -> dict[str, object]:
        """Return the state to copy or pickle, without values that can be computed again."""
        derived = ("_headroom", "_level_span", "_void_top", "_wall_bits")
        return {**vars(self), **dict.fromkeys(derived)}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore a copied state and make its arrays read-only again."""
        vars(self).update(state)
        for array in (self.level, self.kind, self.void, self.thickness):
            array.flags.writeable = False

    @property
    def n_decks(self) -> int:
        """The highest deck number that exists anywhere."""
        return len(self.level) - 1

    @property
    def level_span(self) -> tuple[int, int]:
        """The lowest underside of a deck, at most 0, and the highest level, at least 0.

        Computed once after each change.
        """
        if self._level_span is None:
            top = int(np.where(self.void, 0, self.level).max())
            under = self.level[1:] - self.thickness[1:]
            self._level_span = int(under.min(initial=0, where=~self.void[1:])), top
        return self._level_span

    @property
    def void_top(self) -> int:
        """The highest level stored for void ground, 0 without any."""
        if self._void_top is None:
            self._void_top = int(self.level[0].max(initial=0, where=self.void[0]))
        return self._void_top

    @property
    def headroom(self) -> NDArray[np.int16]:
        """Free levels above each surface, as by `columns.headroom`; updated by `apply`."""
        if self._headroom is None:
            headroom = np.full(self.level.shape, columns.OPEN_SKY, dtype=np.int16)
            headroom[1:] = 0
            self._headroom = read_only(headroom)
            self._update_headroom(*np.nonzero((~self.void[1:]).any(axis=0)))
        return self._headroom

    @property
    def wall_bits(self) -> NDArray[np.uint8]:
        """The walls as `wall_bits.bits_of` returns them; updated by `apply`."""
        if self._wall_bits is None:
            self._wall_bits = wall_bits.bits_of(self.grid, self.n_decks, self.walls.all)
        return self._wall_bits

    def exists(self, cell: Cell) -> bool:
        """Return whether a column of the map has a surface: ground that is not void, or a deck."""
        row, col, deck = cell
        return 0 <= deck <= self.n_decks and not self.void[deck, row, col]

    def cell(self, value: CellLike) -> Cell:
        """Return a cell as a `Cell` after checking that it is in the map and its deck exists."""
        cell = self.grid.within(value)
        if cell.deck and not self.exists(cell):
            raise IndexError(f"({cell.row}, {cell.col}) has no deck {cell.deck}")
        return cell

    def values(
        self, field: Field, deck: Indices, row: Indices, col: Indices, highest: int
    ) -> NDArray[np.int64]:
        """Return (n,) values of n surfaces, whether they exist or not.

        `deck`, `row` and `col` are (n,); no deck is above `highest`.
        """
        array = self._array(field)
        if highest <= self.n_decks:
            return array[deck, row, col].astype(np.int64)
        known = deck <= self.n_decks
        found = np.full(deck.shape, self._empty[field], dtype=np.int64)
        found[known] = array[deck[known], row[known], col[known]]
        return found

    def value(self, field: Field, cell: Cell) -> int:
        """Return the value of one surface, whether it exists or not."""
        if cell.deck > self.n_decks:
            return self._empty[field]
        return int(self._array(field)[cell.deck, cell.row, cell.col])

    def stacked(self, row: Indices, col: Indices, n_decks: int) -> dict[Field, NDArray[np.int64]]:
        """Return copies of n columns as (n_decks + 1, n) arrays by field, missing decks empty."""
        stack: dict[Field, NDArray[np.int64]] = {}
        for field, empty in self._empty.items():
            stack[field] = np.full((n_decks + 1, row.size), empty, dtype=np.int64)
            stack[field][: self.n_decks + 1] = self._array(field)[:, row, col]
        return stack

    def decks_at(self, row: int, col: int) -> list[int]:
        """Return the deck numbers of a column's surfaces, from low to high."""
        void = self.void[:, row, col]
        order: list[int] = columns.ascending_order(self.level[:, row, col], void).tolist()
        return order[: int((~void).sum())]

    def bodies_at(self, row: int, col: int) -> list[Body]:
        """Return the surfaces of a column, by deck number."""
        levels = self.level[:, row, col].tolist()
        thicknesses = self.thickness[:, row, col].tolist()
        voids = self.void[:, row, col].tolist()
        return [
            (deck, levels[deck], thicknesses[deck])
            for deck, is_void in enumerate(voids)
            if not is_void
        ]

    def headroom_at(self, cell: Cell) -> int:
        """Return the headroom of one surface without computing that of the whole map."""
        column = slice(None), cell.row, slice(cell.col, cell.col + 1)
        free = columns.headroom(self.level[column], self.thickness[column], self.void[column])
        return int(free[cell.deck, 0])

    def apply(self, change: Change) -> None:
        """Apply a change that was made for the current state."""
        if change.patches:
            self._level_span = self._void_top = None
            if "kind" in change.patches:
                counts = self._counts_after(change.patches["kind"])
                self._resize(len(counts))
                self._deck_counts = counts
            for field, patch in change.patches.items():
                self._write(field, patch)
            if self._headroom is not None and self.n_decks:
                for patch in change.patches.values():
                    self._update_headroom(patch.row, patch.col)
        self.links.swap(*change.links)
        self.walls.swap(*change.walls)
        if self._wall_bits is not None and any(change.walls):
            wall_bits.switch(self._wall_bits, self.grid, itertools.chain(*change.walls))

    def _write(self, field: Field, patch: Patch) -> None:
        if patch.highest > self.n_decks:
            patch = patch.where(patch.deck <= self.n_decks)
        index = patch.deck, patch.row, patch.col
        _assign(self._array(field), index, patch.after)
        if field == "kind":
            _assign(self.void, index, patch.after == self.void_index)

    def _array(self, field: Field) -> IntArray:
        arrays: dict[Field, IntArray] = {
            "level": self.level,
            "kind": self.kind,
            "thickness": self.thickness,
        }
        return arrays[field]

    def _update_headroom(self, row: Indices, col: Indices) -> None:
        if self._headroom is not None:
            stack = self.level[:, row, col], self.thickness[:, row, col], self.void[:, row, col]
            _assign(self._headroom, (slice(None), row, col), columns.headroom(*stack))

    def _counts_after(self, kinds: Patch) -> list[int]:
        """Count the columns that will have deck 1, 2, ... up to the highest that remains."""
        if kinds.highest == 0:
            return self._deck_counts
        counts = np.zeros(max(kinds.highest, self.n_decks) + 1, dtype=np.int64)
        counts[1 : self.n_decks + 1] = self._deck_counts
        np.add.at(counts, kinds.deck, kinds.before == self.void_index)
        np.subtract.at(counts, kinds.deck, kinds.after == self.void_index)
        counts[0] = 1  # the ground always has an array, void or not
        found: list[int] = counts[1 : int(np.nonzero(counts)[0][-1]) + 1].tolist()
        return found

    def _resize(self, n_decks: int) -> None:
        """Replace the arrays if the number of decks changes."""
        if n_decks == self.n_decks:
            return
        shape = (n_decks + 1, *self.level.shape[1:])
        kept = min(n_decks, self.n_decks) + 1
        level, kind = np.zeros(shape, np.int16), np.full(shape, self.void_index, np.uint8)
        thickness = np.zeros(shape, np.int16)
        level[:kept], kind[:kept] = self.level[:kept], self.kind[:kept]
        thickness[:kept] = self.thickness[:kept]
        self._set_arrays(level, kind, thickness)


def _assign(
    array: NDArray[np.generic],
    index: tuple[slice | Indices, Indices, Indices],
    values: NDArray[np.generic],
) -> None:
    array.flags.writeable = True
    array[index] = values
    array.flags.writeable = False
