"""The operations of one edit of a map; each checks its arguments at once.

The state of a map inside an open edit, and its difference from the map.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

import numpy as np

from terrain3d.core.checks import listed, true_or_false, whole_number, whole_within
from terrain3d.grid.columns import MAX_DECKS, MAX_LEVEL
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.kinds import TileKind, index_of
from terrain3d.grid.links import Link, P, Pairs, Wall
from terrain3d.grid.reason import Reason
from terrain3d.map.history import NO_SWAP, Change, Field, Patch, Swap
from terrain3d.map.surfaces import Surfaces, direction_between, refuse_overlap


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


def _difference(before: Pairs[P], after: Pairs[P] | None) -> Swap[P]:
    """Return the removed and the added entries."""
    if after is None:
        return NO_SWAP
    old, new = set(before.all), set(after.all)
    return (
        tuple(entry for entry in before.all if entry not in new),
        tuple(entry for entry in after.all if entry not in old),
    )


def checked_level(level: int) -> int:
    """Return a level after checking it; `TypeError` or `ValueError` outside 0..MAX_LEVEL."""
    return whole_within("a level", level, 0, MAX_LEVEL)


class Edit:
    """Collects changes; the map applies all of them at the end of the `with`, or none.

    Returned by `TileMap.edit()`. Each operation sees the result of those before it; the map itself
    shows the old state inside the `with`.
    """

    def __init__(
        self,
        kinds: Sequence[TileKind],
        begin: Callable[[], Draft],
        end: Callable[[Draft | None], None],
    ) -> None:
        self._open_draft: Draft | None = None
        self._kinds = kinds
        self._begin, self._end = begin, end

    def __enter__(self) -> Self:
        """Begin the edit; `RuntimeError` if another edit of the map is open."""
        self._open_draft = self._begin()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Apply all changes, or none after an error."""
        draft, self._open_draft = self._open_draft, None
        self._end(None if error else draft)

    @property
    def _draft(self) -> Draft:
        if self._open_draft is None:
            raise RuntimeError("this edit is closed; use it inside its 'with' only")
        return self._open_draft

    def set_level(self, cell: CellLike, level: int) -> None:
        """Set the level of a surface, 0..MAX_LEVEL.

        `IndexError` if the cell is outside the map or has no such deck.
        """
        draft = self._draft
        draft.set_value("level", draft.cell(cell), checked_level(level))

    def set_kind(self, cell: CellLike, kind: str) -> None:
        """Set the kind of a surface by name; "void" removes the ground and its links.

        `IndexError` if the cell is outside the map or has no such deck, `ValueError` if the map has
        no such kind, or a deck would become void.
        """
        draft = self._draft
        checked, index = draft.cell(cell), index_of(kind, self._kinds)
        if checked.deck and index == draft.void_index:
            raise ValueError(f"{checked} cannot be void; remove it with remove_deck")
        draft.set_value("kind", checked, index)

    def add_deck(
        self,
        cells: CellLike | Iterable[CellLike],
        level: int,
        kind: str = "wood",
        thickness: int = 1,
    ) -> None:
        """Add a deck to one or several columns, in each with the lowest free deck number.

        `level` is that of its top, `kind` the name of its kind, `thickness` the levels from its top
        to its underside, 1..MAX_LEVEL. `IndexError` if a cell is outside the map, `ValueError` if a
        number is out of its limits, the kind is unknown or void, or a column has MAX_DECKS decks
        already.
        """
        level, index = checked_level(level), index_of(kind, self._kinds)
        thickness = whole_within("a thickness", thickness, 1, MAX_LEVEL)
        if index == self._draft.void_index:
            raise ValueError("a deck cannot be void")
        for row, col, _ in self._columns(cells):
            decks = (Cell(row, col, deck) for deck in range(1, MAX_DECKS + 1))
            free = next((deck for deck in decks if self._draft.is_void(deck)), None)
            if free is None:
                why = "{} already has the maximum of {} decks"
                raise ValueError(Reason(why, Cell(row, col), MAX_DECKS))
            self._draft.set_deck(free, level, index, thickness)

    def remove_deck(self, cells: CellLike | Iterable[CellLike], deck: int = 1) -> None:
        """Remove a deck, with its links and walls, from one or several columns.

        `IndexError` if a cell is outside the map or has no such deck, `ValueError` for the ground.
        """
        number = whole_number("a deck", deck)
        if number == 0:
            raise ValueError("deck 0 is the ground; remove it with set_kind(cell, 'void')")
        columns = self._columns(cells)
        self._draft.remove_decks({self._draft.cell((row, col, number)) for row, col, _ in columns})

    def add_link(
        self,
        start: CellLike,
        end: CellLike,
        cost: float,
        kind: str = "link",
        one_way: bool = False,
    ) -> None:
        """Add a link from one surface to another, and back unless it is `one_way`; see `Link`.

        `IndexError` if an end is outside the map or has no such deck, `ValueError` if one is void,
        there is a link already, or its cost or kind is invalid.
        """
        one_way = true_or_false("one_way", one_way)
        link = Link(self._draft.cell(start), self._draft.cell(end), cost, kind, one_way)
        for end_cell in (link.start, link.end):
            if self._draft.is_void(end_cell):
                why = "a link needs surfaces at both ends, {} is void"
                plain = "a link needs ground at both ends, there is none at {}"
                raise ValueError(Reason(why, end_cell, plain=plain))
        self._draft.links.add(link)

    def remove_link(self, start: CellLike, end: CellLike) -> None:
        """Remove the link from `start` to `end`; `ValueError` if there is none."""
        self._draft.links.remove(self._draft.cell(start), self._draft.cell(end))

    def add_wall(self, start: CellLike, end: CellLike, one_way: bool = False) -> None:
        """Add a wall on the edge between the columns of two surfaces; see `Wall`.

        `IndexError` if an end is outside the map or has no such deck, `ValueError` if the columns
        share no edge, or there is a wall already.
        """
        one_way = true_or_false("one_way", one_way)
        wall = Wall(self._draft.cell(start), self._draft.cell(end), one_way)
        direction_between(self._draft.grid, wall.start, wall.end)
        self._draft.walls.add(wall)

    def remove_wall(self, start: CellLike, end: CellLike) -> None:
        """Remove the wall that blocks steps from `start` to `end`; `ValueError` if none does."""
        self._draft.walls.remove(self._draft.cell(start), self._draft.cell(end))

    def _columns(self, cells: CellLike | Iterable[CellLike]) -> list[Cell]:
        """Return one or several columns as cells after checking them."""
        given: list[Any] = listed("cells", cells)
        if len(given) in (2, 3) and not any(isinstance(part, Iterable) for part in given):
            given = [given]
        return [self._draft.grid.cell(cell) for cell in given]
