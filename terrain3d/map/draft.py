"""The state of a map inside an open edit, and its difference from the map."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import columns
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.links import Link, P, Pairs, Wall
from terrain3d.grid.reason import Reason
from terrain3d.map.change import NO_SWAP, Change, Field, Patch, Swap
from terrain3d.map.surfaces import Surfaces


class Draft:
    """New values of some surfaces, links and walls; the map itself stays unchanged."""

    def __init__(self, surfaces: Surfaces) -> None:
        self.grid = surfaces.grid
        self.void_index = surfaces.void_index
        self._surfaces = surfaces
        self._values: dict[Field, dict[int, int]] = {"level": {}, "kind": {}, "thickness": {}}
        self._voided: set[Cell] = set()  # since `links` was read: their links are to be removed
        self._links: Pairs[Link] | None = None
        self._walls: Pairs[Wall] | None = None

    @property
    def links(self) -> Pairs[Link]:
        """The links so far; a copy to modify."""
        if self._links is None:
            self._links = self._surfaces.links.copy()
        self._links.remove_at(self._voided)
        self._voided = set()
        return self._links

    @property
    def walls(self) -> Pairs[Wall]:
        """The walls so far; a copy to modify."""
        if self._walls is None:
            self._walls = self._surfaces.walls.copy()
        return self._walls

    def cell(self, value: CellLike) -> Cell:
        """Return a cell as a `Cell` after checking that it is in the map and its deck exists."""
        cell = self.grid.within(value)
        if cell.deck and (cell.deck < 0 or self.is_void(cell)):
            raise IndexError(f"({cell.row}, {cell.col}) has no deck {cell.deck}")
        return cell

    def is_void(self, cell: Cell) -> bool:
        """Return whether a column of the map lacks this deck, or its ground is void."""
        kind = self._values["kind"].get(self._position(cell))
        if kind is None:
            kind = self._surfaces.value("kind", cell)
        return kind == self.void_index

    def set_value(self, field: Field, cell: Cell, value: int) -> None:
        """Set one value of a surface; what becomes void loses its links."""
        if field == "kind" and value == self.void_index:
            self._voided.add(cell)
        self._values[field][self._position(cell)] = value

    def _position(self, cell: Cell) -> int:
        """Return the position of a surface, existing or not, as in a `Patch`."""
        return (cell.deck * self.grid.rows + cell.row) * self.grid.cols + cell.col

    def set_deck(self, cell: Cell, level: int, kind: int, thickness: int) -> None:
        """Set all values of a deck."""
        self.set_value("level", cell, level)
        self.set_value("kind", cell, kind)
        self.set_value("thickness", cell, thickness)

    def remove_decks(self, cells: set[Cell]) -> None:
        """Remove decks with their links and walls."""
        for cell in cells:
            self.set_deck(cell, 0, self.void_index, 0)
        if self._surfaces.walls.all or self._walls:
            self.walls.remove_at(cells)

    def change(self, name: str) -> Change | None:
        """Return the difference from the map, or None; `ValueError` if surfaces overlap."""
        patches = {}
        for field, values in self._values.items():
            if values and (patch := self._patch(field, values)) is not None:
                patches[field] = patch
        if patches:
            self._refuse_overlaps(patches)
        links = _difference(self._surfaces.links, self.links if self._voided else self._links)
        walls = _difference(self._surfaces.walls, self._walls)
        change = Change(name, patches, links, walls)
        return None if change.is_empty else change

    def _patch(self, field: Field, values: dict[int, int]) -> Patch | None:
        surface = np.fromiter(values, dtype=np.intp, count=len(values))
        before = self._surfaces.values(field, surface)
        after = np.fromiter(values.values(), dtype=before.dtype, count=len(values))
        differs = before != after
        patch, count = Patch(surface, before, after), np.count_nonzero(differs)
        if count == 0:
            return None
        return patch if count == len(values) else patch.where(differs)

    def _refuse_overlaps(self, patches: dict[Field, Patch]) -> None:
        surfaces, grid = self._surfaces, self.grid
        if surfaces.n_decks == 0 and "thickness" not in patches:  # a new deck has one
            return
        n_cells = grid.rows * grid.cols
        every = np.concatenate([patch.surface for patch in patches.values()])
        n_decks = max(surfaces.n_decks, int(every.max()) // n_cells)
        touched = np.unique(every % n_cells)
        stack = surfaces.stacked(touched, n_decks)
        for field, patch in patches.items():
            deck, column = np.divmod(patch.surface, n_cells)
            stack[field][deck, np.searchsorted(touched, column)] = patch.after
        refuse_overlap(stack, self.void_index, touched, grid.cols)


def refuse_overlap(
    stack: Mapping[Field, NDArray[np.int64]],
    void_index: int,
    ids: NDArray[np.integer],
    cols: int,
) -> None:
    """Raise `ValueError` if two surfaces of a column overlap.

    `stack` has (n_decks + 1, n) arrays by field: the surfaces of n columns, whose `ids` (n,) are
    row * cols + col.
    """
    level, thickness = stack["level"], stack["thickness"]
    found = columns.first_overlap(level, thickness, stack["kind"] == void_index)
    if found is None:
        return
    column, upper, lower = found
    row, col = divmod(int(ids[column]), cols)
    names = [
        f"deck {deck} at level {level[deck, column]}, {thickness[deck, column]} thick"
        if deck
        else f"the ground at level {level[deck, column]}"
        for deck in (upper, lower)
    ]
    raise ValueError(Reason("surfaces overlap at {}: {}, over {}", Cell(row, col), *names))


def _difference(before: Pairs[P], after: Pairs[P] | None) -> Swap[P]:
    """Return the removed and the added entries."""
    if after is None:
        return NO_SWAP
    old, new = set(before.all), set(after.all)
    return (
        tuple(entry for entry in before.all if entry not in new),
        tuple(entry for entry in after.all if entry not in old),
    )
