"""The operations of one edit of a map; each checks its arguments at once."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from terrain3d.core.checks import listed, true_or_false, whole_number, whole_within
from terrain3d.grid.columns import MAX_DECKS, MAX_LEVEL
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.kinds import TileKind, index_of
from terrain3d.grid.links import Link, Wall
from terrain3d.grid.reason import Reason
from terrain3d.map.draft import Draft
from terrain3d.map.surfaces import direction_between


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
