"""One edit of a map: the orders that a caller may give, each checked as it comes."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from terrain3d.core.checks import true_or_false, whole_number
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.kinds import TileKind, index_of
from terrain3d.grid.links import Link, Wall
from terrain3d.map.draft import Draft
from terrain3d.map.wall_bits import way_between

MAX_LEVEL = 32767
"""The highest level a tile may have; levels are kept as 16-bit whole numbers."""

MAX_DECKS = 63
"""The most decks one column may have."""


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

    def __init__(self, draft: Draft, kinds: Sequence[TileKind]) -> None:
        self._taking: Draft | None = draft
        self._kinds = kinds

    @property
    def _draft(self) -> Draft:
        if self._taking is None:
            raise RuntimeError("this edit is closed; use it inside its 'with' only")
        return self._taking

    def set_level(self, cell: CellLike, level: int) -> None:
        """Raise or lower a surface to `level`.

        Raises
        ------
        IndexError, TypeError, ValueError
            The cell is outside the map or has no such deck; the level is not a whole number in
            0..MAX_LEVEL.
        """
        draft = self._draft
        draft.put("level", draft.cell(cell), checked_level(level))

    def set_kind(self, cell: CellLike, kind: str) -> None:
        """Make a surface of the kind of that name; "void" takes the ground and its links away.

        Raises
        ------
        IndexError, ValueError
            The cell is outside the map or has no such deck; the map knows no such kind; a deck
            was to become void.
        """
        draft = self._draft
        place, index = draft.cell(cell), index_of(kind, self._kinds)
        if place.deck and index == draft.void_index:
            raise ValueError(f"{place} cannot be void; take it away with remove_deck")
        draft.put("kind", place, index)

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
        level, index = checked_level(level), index_of(kind, self._kinds)
        thickness = whole_number("a thickness", thickness)
        if not 1 <= thickness <= MAX_LEVEL:
            raise ValueError(f"a thickness must be in 1..{MAX_LEVEL}, got {thickness}")
        if index == self._draft.void_index:
            raise ValueError("a deck cannot be void")
        for row, col, _ in self._several(cells):
            decks = (Cell(row, col, deck) for deck in range(1, MAX_DECKS + 1))
            place = next((deck for deck in decks if self._draft.is_void(deck)), None)
            if place is None:
                raise ValueError(f"({row}, {col}) has {MAX_DECKS} decks already, which is the most")
            self._draft.put_deck(place, level, index, thickness)

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
        columns = self._several(cells)
        self._draft.take_decks({self._draft.cell((row, col, number)) for row, col, _ in columns})

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
        one_way = true_or_false("one_way", one_way)
        link = Link(self._draft.cell(start), self._draft.cell(end), cost, kind, one_way)
        for place in (link.start, link.end):
            if self._draft.is_void(place):
                raise ValueError(f"a link needs surfaces at both ends, {place} is void")
        self._draft.links.add(link)

    def remove_link(self, start: CellLike, end: CellLike) -> None:
        """Take away the link that leads from `start` to `end`; `ValueError` if there is none."""
        self._draft.links.remove(self._draft.cell(start), self._draft.cell(end))

    def add_wall(self, start: CellLike, end: CellLike, one_way: bool = False) -> None:
        """Raise a wall on the edge between two surfaces' columns; see `Wall`.

        Raises
        ------
        IndexError, TypeError, ValueError
            An end is outside the map or has no such deck; the columns share no edge; there is a
            wall already.
        """
        one_way = true_or_false("one_way", one_way)
        wall = Wall(self._draft.cell(start), self._draft.cell(end), one_way)
        way_between(self._draft.grid, wall.start, wall.end)
        self._draft.walls.add(wall)

    def remove_wall(self, start: CellLike, end: CellLike) -> None:
        """Take away the wall seen from `start` towards `end`; `ValueError` if there is none."""
        self._draft.walls.remove(self._draft.cell(start), self._draft.cell(end))

    def close(self) -> None:
        """Take no more."""
        self._taking = None

    def _several(self, cells: CellLike | Iterable[CellLike]) -> list[Cell]:
        """Check one column or several that a caller gave."""
        if not isinstance(cells, Iterable):
            raise TypeError(f"cells must be one column or several, got {cells!r}")
        given: list[Any] = list(cells)
        if len(given) in (2, 3) and all(np.ndim(part) == 0 for part in given):
            given = [given]
        return [self._draft.grid.cell(cell) for cell in given]
