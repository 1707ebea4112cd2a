"""One edit of a map: what it gathers, and the change it leaves for undo and redo."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

from terrain3d import columns
from terrain3d.change import Change, Field, Patch
from terrain3d.checks import whole_number
from terrain3d.content import Content
from terrain3d.grid import Cell, CellLike, as_cell
from terrain3d.links import Link, Pairs, Wall
from terrain3d.wall_bits import way_between

MAX_LEVEL = 32767
"""The highest level a tile may have; levels are kept as 16-bit whole numbers."""

MAX_DECKS = 63
"""The most decks one column may have."""

Pair = TypeVar("Pair", Link, Wall)


def checked_level(level: int) -> int:
    """Return a level that a caller gave, or raise `TypeError` or `ValueError`."""
    number = whole_number("a level", level)
    if not 0 <= number <= MAX_LEVEL:
        raise ValueError(f"a level must be in 0..{MAX_LEVEL}, got {number}")
    return number


class Edit:
    """Gathers what shall change; the map takes all of it at the end of the `with`, or nothing.

    Got from `TileMap.edit()`. Each order counts on those before it; reading the map inside the
    `with` still shows the old state.
    """

    def __init__(self, content: Content, kind_index: Callable[[str], int]) -> None:
        self._content = content
        self._grid = content.grid
        self._void = content.surfaces.void_index
        self._kind_index = kind_index
        self._values: dict[Field, dict[Cell, int]] = {"level": {}, "kind": {}, "thickness": {}}
        self._links: Pairs[Link] | None = None
        self._walls: Pairs[Wall] | None = None
        self._is_open = True

    def set_level(self, cell: CellLike, level: int) -> None:
        """Raise or lower a surface to `level`.

        Raises
        ------
        IndexError, TypeError, ValueError
            The cell is outside the map or has no such deck; the level is not a whole number in
            0..MAX_LEVEL.
        """
        number = checked_level(level)
        self._values["level"][self._cell(cell)] = number

    def set_kind(self, cell: CellLike, kind: str) -> None:
        """Make a surface of the kind of that name; "void" takes the ground and its links away.

        Raises
        ------
        IndexError, ValueError
            The cell is outside the map or has no such deck; the map knows no such kind; a deck
            was to become void.
        """
        index, place = self._kind_index(kind), self._cell(cell)
        if place.deck and index == self._void:
            raise ValueError(f"{place} cannot be void; take it away with remove_deck")
        self._values["kind"][place] = index

    def add_deck(
        self,
        cells: CellLike | Iterable[CellLike],
        level: int,
        kind: str = "wood",
        thickness: int = 1,
    ) -> None:
        """Hang a deck into one column or several, each as the lowest number free there.

        Parameters
        ----------
        cells : (row, col) or several
        level : int
            Where its top lies.
        kind : str
            Name of its kind.
        thickness : int, in levels
            How far it reaches down, 1..MAX_LEVEL.

        Raises
        ------
        IndexError, TypeError, ValueError
            A cell is outside the map; a number is out of its limits; the map knows no such kind or
            it is void; a column has MAX_DECKS decks already.
        """
        level, index = checked_level(level), self._kind_index(kind)
        thickness = whole_number("a thickness", thickness)
        if not 1 <= thickness <= MAX_LEVEL:
            raise ValueError(f"a thickness must be in 1..{MAX_LEVEL}, got {thickness}")
        if index == self._void:
            raise ValueError("a deck cannot be void")
        for row, col, _ in self._several(cells):
            decks = (Cell(row, col, deck) for deck in range(1, MAX_DECKS + 1))
            place = next((deck for deck in decks if not self._exists(deck)), None)
            if place is None:
                raise ValueError(f"({row}, {col}) has {MAX_DECKS} decks already, which is the most")
            self._put(place, level, index, thickness)

    def remove_deck(self, cells: CellLike | Iterable[CellLike], deck: int = 1) -> None:
        """Take a deck, with its links and walls, out of one column or several.

        Raises
        ------
        IndexError, TypeError, ValueError
            A cell is outside the map or has no such deck; the deck is the ground.
        """
        number = whole_number("a deck", deck)
        if number == 0:
            raise ValueError("deck 0 is the ground; take it away with set_kind(cell, 'void')")
        gone = {self._cell((row, col, number)) for row, col, _ in self._several(cells)}
        for place in gone:
            self._put(place, 0, self._void, 0)
        self._cut_off(gone, gone)

    def add_link(
        self,
        start: CellLike,
        end: CellLike,
        cost: float,
        kind: str = "link",
        one_way: bool = False,
    ) -> None:
        """Lead a link from one surface to another, and back unless it is `one_way`; see `Link`.

        Raises
        ------
        IndexError, TypeError, ValueError
            An end is outside the map, has no such deck or is void; there is a link already; the
            link's cost or kind is none.
        """
        link = Link(self._cell(start), self._cell(end), cost, kind, bool(one_way))
        for place in (link.start, link.end):
            if self._value("kind", place) == self._void:
                raise ValueError(f"a link needs surfaces at both ends, {place} is void")
        self._drafted_links().add(link)

    def remove_link(self, start: CellLike, end: CellLike) -> None:
        """Take away the link that leads from `start` to `end`; `ValueError` if there is none."""
        self._drafted_links().remove(self._cell(start), self._cell(end))

    def add_wall(self, start: CellLike, end: CellLike, one_way: bool = False) -> None:
        """Raise a wall on the edge between two surfaces' columns; see `Wall`.

        Raises
        ------
        IndexError, TypeError, ValueError
            An end is outside the map or has no such deck; the columns share no edge; there is a
            wall already.
        """
        wall = Wall(self._cell(start), self._cell(end), bool(one_way))
        way_between(self._grid, wall.start, wall.end)
        self._drafted_walls().add(wall)

    def remove_wall(self, start: CellLike, end: CellLike) -> None:
        """Take away the wall seen from `start` towards `end`; `ValueError` if there is none."""
        self._drafted_walls().remove(self._cell(start), self._cell(end))

    def close(self) -> None:
        """Take no more; what was gathered stays as it is."""
        self._is_open = False

    def change(self, name: str) -> Change | None:
        """Compare with the map as it is and give what differs; None if nothing does.

        Raises
        ------
        ValueError
            Surfaces of a column would overlap.
        """
        void = {place for place, kind in self._values["kind"].items() if kind == self._void}
        self._cut_off(void, set())
        patches = {}
        for field in self._values:
            patch = self._patch(field)
            if patch is not None:
                patches[field] = patch
        self._refuse_overlaps(patches)
        links = _difference(self._content.links, self._links)
        walls = _difference(self._content.walls, self._walls)
        change = Change(name, patches, links, walls)
        return None if change.is_nothing else change

    def _cell(self, value: CellLike) -> Cell:
        """Check a cell that a caller gave against the map as this edit has made it so far."""
        if not self._is_open:
            raise RuntimeError("this edit is closed; use it inside its 'with' only")
        cell = self._grid.within(value)
        if cell.deck and not self._exists(cell):
            raise IndexError(f"({cell.row}, {cell.col}) has no deck {cell.deck}")
        return cell

    def _several(self, cells: CellLike | Iterable[CellLike]) -> list[Cell]:
        """Check one column or several that a caller gave."""
        if not self._is_open:
            raise RuntimeError("this edit is closed; use it inside its 'with' only")
        given = list(cells)
        try:
            return [self._grid.cell(as_cell(given))]
        except TypeError:
            return [self._grid.cell(cell) for cell in given]

    def _exists(self, deck: Cell) -> bool:
        return deck.deck > 0 and self._value("kind", deck) != self._void

    def _value(self, field: Field, place: Cell) -> int:
        value = self._values[field].get(place)
        return self._content.surfaces.value(field, place) if value is None else value

    def _put(self, deck: Cell, level: int, kind: int, thickness: int) -> None:
        self._values["level"][deck] = level
        self._values["kind"][deck] = kind
        self._values["thickness"][deck] = thickness

    def _drafted_links(self) -> Pairs[Link]:
        self._links = self._links or self._content.links.copy()
        return self._links

    def _drafted_walls(self) -> Pairs[Wall]:
        self._walls = self._walls or self._content.walls.copy()
        return self._walls

    def _cut_off(self, linked: set[Cell], walled: set[Cell]) -> None:
        """Take the links away that end at some surfaces, and the walls that end at others."""
        if linked and (self._links or self._content.links).all:
            self._drafted_links().remove_at(linked)
        if walled and (self._walls or self._content.walls).all:
            self._drafted_walls().remove_at(walled)

    def _patch(self, field: Field) -> Patch | None:
        values = self._values[field]
        if not values:
            return None
        row, col, deck = np.array(list(values), dtype=np.intp).T
        after = np.fromiter(values.values(), dtype=np.int64, count=len(values))
        before = self._content.surfaces.values(field, deck, row, col)
        differs = before != after
        if not differs.any():
            return None
        return Patch(deck[differs], row[differs], col[differs], before[differs], after[differs])

    def _refuse_overlaps(self, patches: dict[Field, Patch]) -> None:
        surfaces = self._content.surfaces
        n_decks = max([surfaces.n_decks, *(int(patch.deck.max()) for patch in patches.values())])
        if n_decks == 0 or not patches:
            return
        places = np.concatenate(
            [patch.row * self._grid.cols + patch.col for patch in patches.values()]
        )
        places = np.unique(places)
        stack = surfaces.stacked(*np.divmod(places, self._grid.cols), n_decks)
        for field, patch in patches.items():
            column = np.searchsorted(places, patch.row * self._grid.cols + patch.col)
            stack[field][patch.deck, column] = patch.after
        found = columns.first_overlap(
            stack["level"], stack["thickness"], stack["kind"] == self._void
        )
        if found is not None:
            column, upper, lower = found
            row, col = divmod(int(places[column]), self._grid.cols)
            names = [
                f"deck {deck} at level {stack['level'][deck, column]}, {stack['thickness'][deck, column]} thick"
                if deck
                else f"the ground at level {stack['level'][0, column]}"
                for deck in (upper, lower)
            ]
            raise ValueError(f"surfaces overlap at ({row}, {col}): {names[0]}, over {names[1]}")


def _difference(
    before: Pairs[Pair], after: Pairs[Pair] | None
) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Give what went and what came."""
    if after is None:
        return (), ()
    old, new = set(before.all), set(after.all)
    return (
        tuple(entry for entry in before.all if entry not in new),
        tuple(entry for entry in after.all if entry not in old),
    )
