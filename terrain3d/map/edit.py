"""One edit of a map: operations that check their arguments at once, and their joint effect."""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import instance_of, listed, quoted, whole_number, whole_within
from terrain3d.grid.columns import MAX_DECKS, MAX_LEVEL
from terrain3d.grid.grid import Cell, CellLike, Rect
from terrain3d.grid.kinds import TileKind, index_of
from terrain3d.grid.links import Link, P, Wall
from terrain3d.grid.reason import Reason
from terrain3d.map.change import FIELDS, NO_SWAP, Change, Field, Patch, Swap, Values, net_swap
from terrain3d.map.placement import Placement
from terrain3d.map.surfaces import Pairs, Surfaces, direction_between


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
        surfaces: Surfaces,
        kinds: Sequence[TileKind],
        name: str,
        begin: Callable[[], None],
        end: Callable[[Change | None], None],
        extras: Callable[[], Mapping[str, Any]],
    ) -> None:
        self._surfaces, self._kinds, self._name = surfaces, kinds, name
        self._begin, self._end, self._read_extras = begin, end, extras
        self._is_open = False

    def __enter__(self) -> Self:
        """Begin the edit; `RuntimeError` if another edit of the map is open."""
        self._begin()
        self._is_open = True
        self._values: dict[Field, dict[int, int]] = {"level": {}, "kind": {}, "thickness": {}}
        self._voided: set[Cell] = set()  # whose links are still to be removed
        self._links: Pairs[Link] | None = None
        self._walls: Pairs[Wall] | None = None
        self._patches: dict[Field, Patch] = {}
        self._extras: Values[str] = {}, {}
        self._unknown_fields: Values[tuple[str, Any]] = {}, {}
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Apply all changes, or none after an error."""
        self._is_open = False
        change = None
        try:
            change = None if error else self._change()
        finally:
            self._end(change)

    def set_level(self, cell: CellLike | NDArray[np.integer], level: int) -> None:
        """Set the level of a surface, or of the many of an (n, 2) or (n, 3) array, 0..MAX_LEVEL.

        `IndexError` if a cell is outside the map or has no such deck.
        """
        self._set("level", cell, checked_level(level))

    def set_kind(self, cell: CellLike | NDArray[np.integer], kind: str) -> None:
        """Set the kind of a surface, or of many, by name; "void" removes ground and its links.

        Cells are those of `set_level`. `IndexError` if one is outside the map or has no such deck,
        `ValueError` if the map has no such kind, or a deck would become void.
        """
        self._set("kind", cell, index_of(kind, self._kinds))

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
        if index == self._surfaces.void_index:
            raise ValueError("a deck cannot be void")
        for row, col, _ in self._columns(cells):
            decks = (Cell(row, col, deck) for deck in range(1, MAX_DECKS + 1))
            free = next((deck for deck in decks if self._is_void(deck)), None)
            if free is None:
                raise ValueError(Reason("max_decks", cell=Cell(row, col), limit=MAX_DECKS))
            self._set_deck(free, level, index, thickness)

    def remove_deck(self, cells: CellLike | Iterable[CellLike], deck: int = 1) -> None:
        """Remove a deck, with its links and walls, from one or several columns.

        `IndexError` if a cell is outside the map or has no such deck, `ValueError` for the ground.
        """
        number = whole_number("a deck", deck)
        if number == 0:
            raise ValueError("deck 0 is the ground; remove it with set_kind(cell, 'void')")
        columns = self._columns(cells)
        removed = {self._cell((row, col, number)) for row, col, _ in columns}
        for cell in removed:
            self._set_deck(cell, 0, self._surfaces.void_index, 0)
        if self._surfaces.walls.all or self._walls:
            self._changed_walls().remove_at(removed)

    def add_link(
        self,
        start: CellLike,
        end: CellLike,
        cost: float,
        kind: str = "link",
        one_way: bool = False,
        extras: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Add a link from one surface to another, and back unless it is `one_way`; see `Link`.

        `IndexError` if an end is outside the map or has no such deck, `ValueError` if one is void,
        there is a link already, or its cost, kind or extras are invalid.
        """
        link = Link(self._cell(start), self._cell(end), cost, kind, one_way, extras)
        for end_cell in (link.start, link.end):
            if self._is_void(end_cell):
                raise ValueError(Reason("link_into_void", cell=end_cell))
        self._changed_links().add(link)

    def remove_link(self, start: CellLike, end: CellLike) -> None:
        """Remove the link from `start` to `end`; `ValueError` if there is none."""
        self._changed_links().remove(self._cell(start), self._cell(end))

    def add_wall(
        self,
        start: CellLike,
        end: CellLike,
        one_way: bool = False,
        extras: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Add a wall on the edge between the columns of two surfaces; see `Wall`.

        `IndexError` if an end is outside the map or has no such deck, `ValueError` if the columns
        share no edge, there is a wall already, or its extras are invalid.
        """
        wall = Wall(self._cell(start), self._cell(end), one_way, extras)
        direction_between(self._surfaces.grid, wall.start, wall.end)
        self._changed_walls().add(wall)

    def remove_wall(self, start: CellLike, end: CellLike) -> None:
        """Remove the wall that blocks steps from `start` to `end`; `ValueError` if none does."""
        self._changed_walls().remove(self._cell(start), self._cell(end))

    def set_extra(self, name: str, value: Any) -> None:  # noqa: ANN401 - JSON-like
        """Set a value of `TileMap.extras` to a copy of another one; None removes it."""
        self._check_open()
        before, after = self._extras
        old = before.get(name, self._read_extras().get(instance_of("name", name, str)))
        self._extras = copy.deepcopy(({**before, name: old}, {**after, name: value}))

    def _put(
        self,
        source: Surfaces,
        kinds: Sequence[TileKind],
        at: Placement,
        data: tuple[Values[str], Values[tuple[str, Any]]],
    ) -> None:
        """Replace columns by those of another map, as the only operation; see `TileMap.paste`.

        `kinds` are those of the other one, `data` is what becomes of extras and unknown fields.
        """
        self._extras, self._unknown_fields = data
        numbers = np.zeros(len(kinds), np.uint8)
        for number in np.unique(source.kind).tolist():
            numbers[number] = index_of(kinds[number].name, self._kinds)
        rect = Rect(*at.shift, source.grid.rows, source.grid.cols)
        n_layers = max(self._surfaces.n_decks, source.n_decks) + 1
        layer, row, col = np.ogrid[:n_layers, : rect.rows, : rect.cols]
        surface = (layer * at.rows + rect.row + row) * at.cols + rect.col + col
        for field in FIELDS:
            after = np.full(surface.shape, self._surfaces.void_index if field == "kind" else 0)
            values: NDArray[Any] = getattr(source, field)
            after[: len(values)] = numbers[values] if field == "kind" else values
            self._add_patch(field, surface.ravel(), after.ravel())
        links, walls = self._changed_links(), self._changed_walls()
        pairs: list[Link | Wall] = [*links.within(rect), *walls.within(rect)]
        ends = {end for pair in pairs for end in (pair.start, pair.end) if rect.holds(end)}
        down, right = at.shift
        gone = {
            end
            for end in ends
            if not source.exists(Cell(end.row - down, end.col - right, end.deck))
        }
        links.remove_at(gone)
        walls.remove_at({end for end in gone if end.deck})
        links.replace(rect, at.pairs(source.links.all))
        walls.replace(rect, at.pairs(source.walls.all))

    def _columns(self, cells: CellLike | Iterable[CellLike]) -> list[Cell]:
        """Return one or several columns as cells after checking them."""
        self._check_open()
        given: list[Any] = listed("cells", cells)
        if len(given) in (2, 3) and not any(isinstance(part, Iterable) for part in given):
            given = [given]
        return [self._surfaces.grid.cell(cell) for cell in given]

    def _change(self) -> Change | None:
        """Return the difference from the map, or None; `ValueError` if surfaces overlap."""
        for field, values in self._values.items():
            if values:
                surface, after = (
                    np.fromiter(part, np.intp, len(values)) for part in (values, values.values())
                )
                self._add_patch(field, surface, after)
        patches = self._patches
        if patches:
            self._surfaces.refuse_overlaps(patches)
        changed_links = self._changed_links() if self._voided else self._links
        links = _difference(self._surfaces.links, changed_links)
        walls = _difference(self._surfaces.walls, self._walls)
        change = Change(self._name, patches, links, walls, self._extras, self._unknown_fields)
        return None if change.is_empty else change

    def _check_open(self) -> None:
        if not self._is_open:
            raise RuntimeError("this edit is closed; use it inside its 'with' only")

    def _cell(self, value: CellLike) -> Cell:
        """Return a cell as a `Cell` after checking that it is in the map and its deck exists."""
        self._check_open()
        cell = self._surfaces.grid.within(value)
        if cell.deck and (cell.deck < 0 or self._is_void(cell)):
            raise IndexError(f"({cell.row}, {cell.col}) has no deck {quoted(cell.deck)}")
        return cell

    def _is_void(self, cell: Cell) -> bool:
        """Return whether a column of the map lacks this deck, or its ground is void."""
        kind = self._values["kind"].get(self._position(cell))
        if kind is None:
            return not self._surfaces.exists(cell)
        return kind == self._surfaces.void_index

    def _set(self, field: Field, cells: CellLike | NDArray[np.integer], value: int) -> None:
        """Set one value of a surface, or of each of an array, after checking that they exist."""
        is_voided = field == "kind" and value == self._surfaces.void_index
        if not (isinstance(cells, np.ndarray) and cells.ndim == 2 and cells.dtype.kind in "iu"):
            try:
                cell = self._cell(cells)  # type: ignore[arg-type]  # a cell may be an array, too
            except TypeError as error:
                raise TypeError(f"{error}; many cells are an (n, 2) or (n, 3) array") from None
            if is_voided and cell.deck:
                raise ValueError(f"{cell} cannot be void; remove it with remove_deck")
            self._set_value(field, cell, value)
            return
        self._check_open()
        grid, (row, col) = self._surfaces.grid, cells[:, :2].T
        is_ground = (row >= 0) & (row < grid.rows) & (col >= 0) & (col < grid.cols)
        if cells.shape[1] != 2:
            is_ground &= (cells[:, 2] == 0) & (cells.shape[1] == 3)
        for other in cells[~is_ground]:  # a deck, or a mistake
            self._set(field, other, value)
        row, col = row[is_ground].astype(np.intp), col[is_ground].astype(np.intp)
        values = dict.fromkeys((row * grid.cols + col).tolist(), value)
        if is_voided:
            links = (self._links or self._surfaces.links).all
            ends = (end for link in links for end in (link.start, link.end))
            self._voided.update(end for end in ends if self._position(end) in values)
        self._values[field] |= values

    def _set_value(self, field: Field, cell: Cell, value: int) -> None:
        """Set one value of a surface; what becomes void loses its links."""
        if field == "kind" and value == self._surfaces.void_index:
            self._voided.add(cell)
        self._values[field][self._position(cell)] = value

    def _set_deck(self, cell: Cell, level: int, kind: int, thickness: int) -> None:
        self._set_value("level", cell, level)
        self._set_value("kind", cell, kind)
        self._set_value("thickness", cell, thickness)

    def _position(self, cell: Cell) -> int:
        """Return the position of a surface, existing or not, as in a `Patch`."""
        grid = self._surfaces.grid
        return (cell.deck * grid.rows + cell.row) * grid.cols + cell.col

    def _changed_links(self) -> Pairs[Link]:
        """Return the links so far, a copy to modify."""
        if self._links is None:
            self._links = self._surfaces.links.copy()
        self._links.remove_at(self._voided)
        self._voided = set()
        return self._links

    def _changed_walls(self) -> Pairs[Wall]:
        """Return the walls so far, a copy to modify."""
        if self._walls is None:
            self._walls = self._surfaces.walls.copy()
        return self._walls

    def _add_patch(
        self, field: Field, surface: NDArray[np.intp], values: NDArray[np.integer]
    ) -> None:
        """Set the values of surfaces, by their positions, that differ from those of the map."""
        before = self._surfaces.values(field, surface)
        patch = Patch(surface, before, values.astype(before.dtype))
        differs = before != patch.after
        if differs.any():
            self._patches[field] = patch if differs.all() else patch.where(differs)


def _difference(before: Pairs[P], after: Pairs[P] | None) -> Swap[P]:
    """Return the removed and the added entries."""
    return NO_SWAP if after is None else net_swap([(before.all, after.all)])
