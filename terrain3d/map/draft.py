"""A map as an open edit has made it so far, and what then differs from the map as it is."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import columns
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.links import Link, P, Pairs, Wall
from terrain3d.map.change import Change, Field, Patch
from terrain3d.map.content import Content


class Draft:
    """New values of single surfaces, links and walls, over a content that stays as it is."""

    def __init__(self, content: Content) -> None:
        self.grid = content.grid
        self.void_index = content.surfaces.void_index
        self._content = content
        self._values: dict[Field, dict[Cell, int]] = {"level": {}, "kind": {}, "thickness": {}}
        self._links: Pairs[Link] | None = None
        self._walls: Pairs[Wall] | None = None

    @property
    def links(self) -> Pairs[Link]:
        """The links so far, to be changed."""
        if self._links is None:
            self._links = self._content.links.copy()
        return self._links

    @property
    def walls(self) -> Pairs[Wall]:
        """The walls so far, to be changed."""
        if self._walls is None:
            self._walls = self._content.walls.copy()
        return self._walls

    def cell(self, value: CellLike) -> Cell:
        """Check a cell that a caller gave: its column, and that its deck exists there."""
        cell = self.grid.within(value)
        if cell.deck and (cell.deck < 0 or self.is_void(cell)):
            raise IndexError(f"({cell.row}, {cell.col}) has no deck {cell.deck}")
        return cell

    def is_void(self, place: Cell) -> bool:
        """Tell whether there is no such deck, or no ground."""
        kind = self._values["kind"].get(place)
        if kind is None:
            kind = self._content.surfaces.value("kind", place)
        return kind == self.void_index

    def put(self, field: Field, place: Cell, value: int) -> None:
        """Take one value of a surface."""
        self._values[field][place] = value

    def put_deck(self, place: Cell, level: int, kind: int, thickness: int) -> None:
        """Take all values of a deck."""
        self.put("level", place, level)
        self.put("kind", place, kind)
        self.put("thickness", place, thickness)

    def take_decks(self, places: set[Cell]) -> None:
        """Take decks away, with their links and walls."""
        for place in places:
            self.put_deck(place, 0, self.void_index, 0)
        self._unlink(places)
        if self._content.walls.all or self._walls:
            self.walls.remove_at(places)

    def change(self, name: str) -> Change | None:
        """Give what differs from the map as it is; None if nothing does.

        Raises
        ------
        ValueError
            Surfaces of a column would overlap.
        """
        kinds = self._values["kind"]
        self._unlink({place for place, kind in kinds.items() if kind == self.void_index})
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

    def _unlink(self, places: set[Cell]) -> None:
        if places and (self._content.links.all or self._links):
            self.links.remove_at(places)

    def _patch(self, field: Field) -> Patch | None:
        values = self._values[field]
        if not values:
            return None
        row, col, deck = np.array(list(values), dtype=np.intp).T
        after = np.fromiter(values.values(), dtype=np.int64, count=len(values))
        # Counting is far quicker than a maximum, and most edits are about the ground alone.
        highest = int(deck.max()) if np.count_nonzero(deck) else 0
        before = self._content.surfaces.values(field, deck, row, col, highest)
        differs = before != after
        patch, count = Patch(deck, row, col, before, after, highest), np.count_nonzero(differs)
        if count == 0:
            return None
        return patch if count == len(values) else patch.where(differs)

    def _refuse_overlaps(self, patches: dict[Field, Patch]) -> None:
        surfaces, cols = self._content.surfaces, self.grid.cols
        n_decks = max([surfaces.n_decks, *(patch.highest for patch in patches.values())])
        if n_decks == 0 or not patches:
            return
        ids = {field: patch.row * cols + patch.col for field, patch in patches.items()}
        touched = np.unique(np.concatenate(list(ids.values())))
        stack = surfaces.stacked(touched // cols, touched % cols, n_decks)
        for field, patch in patches.items():
            stack[field][patch.deck, np.searchsorted(touched, ids[field])] = patch.after
        refuse_overlap(stack, self.void_index, touched, cols)


def refuse_overlap(
    stack: Mapping[Field, NDArray[np.int64]],
    void_index: int,
    places: NDArray[np.integer],
    cols: int,
) -> None:
    """Refuse columns with surfaces that overlap.

    Parameters
    ----------
    stack : (n_decks + 1, n) arrays by field
        The surfaces of n columns.
    void_index : int
        Which kind is none.
    places : (n,) int
        Where the columns are: row * cols + col.
    cols : int

    Raises
    ------
    ValueError
        Two of a column do; it names them.
    """
    level, thickness = stack["level"], stack["thickness"]
    found = columns.first_overlap(level, thickness, stack["kind"] == void_index)
    if found is None:
        return
    column, upper, lower = found
    row, col = divmod(int(places[column]), cols)
    names = [
        f"deck {deck} at level {level[deck, column]}, {thickness[deck, column]} thick"
        if deck
        else f"the ground at level {level[deck, column]}"
        for deck in (upper, lower)
    ]
    raise ValueError(f"surfaces overlap at ({row}, {col}): {names[0]}, over {names[1]}")


def _difference(before: Pairs[P], after: Pairs[P] | None) -> tuple[tuple[P, ...], tuple[P, ...]]:
    """Give what went and what came."""
    if after is None:
        return (), ()
    old, new = set(before.all), set(after.all)
    return (
        tuple(entry for entry in before.all if entry not in new),
        tuple(entry for entry in after.all if entry not in old),
    )
