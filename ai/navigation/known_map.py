"""Fog: what one side knows of a map, and paths over that."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ai.navigation.navigation import Navigation
from ai.rules.entry_rules import EntryRule
from terrain3d import Cell, Link, Rect, TileKind, TileMap, Wall
from terrain3d.core.checks import check_cost, listed, one_of, whole_within
from terrain3d.grid.grid import CellLike, as_cell, read_only
from terrain3d.map.edit import Edit

UNKNOWN = "unknown"
"""The kind of ground that is not known, and of the links to it."""
MAX_RADIUS = 64

Column = tuple[int, int]


class KnownMap:
    """What one side has seen of a map, as it was when it was last seen.

    The rest is unknown ground. If it is open or priced, it lies at level 0, and links join it over
    each edge to known surfaces of other levels: the free-space assumption of Koenig and
    Likhachev's D* Lite. A link of the true map is known once one of its ends has been seen; until
    the other one has, it leads to the ground there. So as long as there is a path, but for links of
    which neither end has been seen, a mover of one tile finds one over what is known. If it plans
    again whenever it sees more, and never drops where no path leads back, it arrives.

    Edits of the map change nothing here until the changed cells are seen again. Revealing is not an
    order, and an undo of orders does not take it back. What is revealed is in sight until `refog`.

    Parameters
    ----------
    tilemap : TileMap
        The true map; it must have no kind named "unknown".
    unknown : "open", "closed" or number
        Cost to enter unknown ground; "open" is 1, "closed" blocks it.
    rules : functions of a map and a profile
        Those of `Navigation`, asked of the map as it is known.
    """

    def __init__(
        self,
        tilemap: TileMap,
        unknown: str | float = "open",
        rules: Iterable[EntryRule] = (),
    ) -> None:
        self._truth = Navigation(tilemap)
        self._cost = _checked_cost(unknown)
        if any(kind.name == UNKNOWN for kind in tilemap.kinds):
            raise ValueError(f"tilemap has a kind {UNKNOWN!r}, which marks what is not known")
        kinds = *tilemap.kinds, TileKind(UNKNOWN, self._cost, color=(0.2, 0.2, 0.24))
        name = "void" if self._cost is None else UNKNOWN
        index = [kind.name for kind in kinds].index(name)
        shape = tilemap.rows, tilemap.cols
        ground = np.zeros(shape, dtype=np.int64), np.full(shape, index)
        seen = TileMap(*ground, kinds, tilemap.step_height, tilemap.topology)
        self._navigation = Navigation(seen, rules)
        self._known = np.zeros(shape, dtype=np.bool_)
        self._in_sight = self._known.copy()
        self._is_compared, self._version = self._known.copy(), tilemap.version

    def __repr__(self) -> str:
        """Show how much is known."""
        return f"<KnownMap of {np.count_nonzero(self._known)} of {self._known.size} tiles>"

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore a copied state, with masks that can be written even if a pickle's cannot."""
        vars(self).update(state)
        for name in ("_known", "_in_sight"):
            setattr(self, name, np.require(getattr(self, name), requirements="W"))
        self._is_compared = np.zeros_like(self._known)

    @property
    def navigation(self) -> Navigation:
        """Path queries over what is known; it follows what is revealed."""
        return self._navigation

    @property
    def tilemap(self) -> TileMap:
        """The map as it is known; only `reveal` and `see_from` may edit it.

        Its signal `changed` announces what is revealed.
        """
        return self._navigation.tilemap

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """(rows, cols) bool, which columns have been seen; read-only."""
        return read_only(self._known.view())

    @property
    def is_in_sight(self) -> NDArray[np.bool_]:
        """(rows, cols) bool, which columns have been seen since the last `refog`; read-only."""
        return read_only(self._in_sight.view())

    def sees(self, cells: Iterable[CellLike]) -> bool:
        """Return whether the column of any cell is in sight; for units. Errors as of `reveal`."""
        within = self.tilemap.grid.within
        return any(self._in_sight[within(as_cell(cell))[:2]] for cell in listed("cells", cells))

    def refog(self) -> None:
        """Put all columns out of sight, before units look again; surfaces stay known."""
        self._in_sight[:] = False

    def see_from(self, cell: CellLike, radius: int, *, eye: float = 1) -> list[Cell]:
        """Reveal the columns in sight of a surface and return those that were new or had changed.

        A column is in sight if `Navigation.line_of_sight` to one of its surfaces is open.

        Parameters
        ----------
        cell : cell
            Where the observer stands.
        radius : int, in tiles
            How far it sees, 0..MAX_RADIUS.
        eye : float, in levels
            How high above the surface.
        """
        tilemap, far = self._truth.tilemap, whole_within("radius", radius, 0, MAX_RADIUS)
        here = tilemap.cell(cell)
        box = Rect(here.row, here.col, 1, 1).grown(far, tilemap.rows, tilemap.cols)
        columns = (
            Cell(row, col)
            for row in range(box.row, box.row + box.rows)
            for col in range(box.col, box.col + box.cols)
            if tilemap.grid.distance(here[:2], (row, col)) <= far
        )
        sight = self._truth.line_of_sight
        return self.reveal(
            column
            for column in columns
            if any(
                sight(here, column._replace(deck=deck), eye=eye)
                for deck in {0, *tilemap.decks_at(column)}
            )
        )

    def reveal(self, cells: Iterable[CellLike]) -> list[Cell]:
        """Reveal the whole columns of cells and return those that were new or had changed."""
        tilemap, seen = self._truth.tilemap, self.tilemap
        given = [*dict.fromkeys(tilemap.cell(cell)[:2] for cell in listed("cells", cells))]
        columns = tuple(np.array(given, dtype=np.int64).reshape(-1, 2).T)
        if self._version != tilemap.version or not self._known[columns].all():
            self._is_compared[:], self._version = False, tilemap.version  # with links to new ones
        known = self._known.copy()
        known[columns] = True
        given = [column for column in given if not self._is_compared[column]]
        changed = [
            column
            for column in given
            if not self._known[column]
            or _surfaces(tilemap, column) != _surfaces(seen, column)
            or self._pairs_to_show([column], known)
            != {pair for pair in _pairs(seen, [column]) if getattr(pair, "kind", "") != UNKNOWN}
        ]
        if changed:
            with seen.edit("reveal") as edit:
                for pair in _pairs(seen, changed):
                    remove = edit.remove_link if isinstance(pair, Link) else edit.remove_wall
                    remove(pair.start, pair.end)
                for column in changed:
                    _copy_surfaces(edit, tilemap, seen, column)
                for pair in self._pairs_to_show(changed, known):
                    _copy_pair(edit, pair)
                if self._cost is not None:
                    for column in changed:
                        self._join(edit, column, known, self._cost)
            seen.clear_history()  # what has been seen stays known
            self._known[:] = known
        self._is_compared[columns] = self._in_sight[columns] = True
        return [Cell(*column) for column in changed]

    def _pairs_to_show(
        self, columns: Iterable[Column], known: NDArray[np.bool_]
    ) -> set[Link | Wall]:
        """Return the links and walls of known columns; the cheapest of each direction."""
        found: set[Link | Wall] = set()
        half_known: list[Link] = []
        for pair in _pairs(self._truth.tilemap, columns):
            start, end = pair.start, pair.end
            if known[start[:2]] and known[end[:2]]:
                found.add(pair)
            elif isinstance(pair, Link) and self._leads_farther(start, end):
                ends = [cell if known[cell[:2]] else Cell(*cell[:2]) for cell in (start, end)]
                half_known.append(replace(pair, start=ends[0], end=ends[1]))
        taken: set[tuple[Cell, Cell]] = set()
        for link in sorted(half_known, key=lambda link: (link.cost, link.kind)):
            pairs = [(link.start, link.end), (link.end, link.start)][: 2 - link.one_way]
            free = [pair for pair in pairs if pair not in taken]
            taken.update(free)
            if free:
                start, end = free[0]
                found.add(Link(start, end, link.cost, link.kind, one_way=len(free) == 1))
        return found

    def _leads_farther(self, start: Cell, end: Cell) -> bool:
        """Return whether a link can lead to unknown ground, and not only to where steps do."""
        beside = (cell[:2] for cell in self.tilemap.grid.neighbors(start[:2]))
        return self._cost is not None and end[:2] not in beside

    def _join(self, edit: Edit, column: Column, known: NDArray[np.bool_], cost: float) -> None:
        """Link the surfaces of a known column that are higher to the unknown columns beside it."""
        tilemap = self._truth.tilemap
        for beside in tilemap.grid.neighbors(column):
            if not known[beside[:2]]:
                for surface in (Cell(*column, deck) for deck in tilemap.decks_at(column)):
                    if tilemap.level_at(surface):  # others are joined by steps
                        edit.add_link(surface, beside, cost, UNKNOWN)


def _checked_cost(unknown: str | float) -> float | None:
    if isinstance(unknown, str):
        return 1 if one_of("unknown", unknown, ("open", "closed")) == "open" else None
    return check_cost("cost of unknown ground", unknown)


def _surfaces(tilemap: TileMap, column: Column) -> dict[int, tuple[int, str, int]]:
    """Return level, kind and thickness of a column's surfaces by deck, ground first."""
    decks = sorted({0, *tilemap.decks_at(column)})
    thickness = tilemap.surface_thickness[:, *column].tolist()
    cells = {deck: (*column, deck) for deck in decks}
    return {
        deck: (tilemap.level_at(cell), tilemap.kind_at(cell).name, thickness[deck])
        for deck, cell in cells.items()
    }


def _pairs(tilemap: TileMap, columns: Iterable[Column]) -> dict[Link | Wall, None]:
    """Return the links and walls of columns."""
    found: dict[Link | Wall, None] = {}
    for rect in (Rect(*column, 1, 1) for column in columns):
        found |= dict.fromkeys([*tilemap.links_in(rect), *tilemap.walls_in(rect)])
    return found


def _copy_surfaces(edit: Edit, tilemap: TileMap, seen: TileMap, column: Column) -> None:
    for deck in seen.decks_at(column):
        if deck:
            edit.remove_deck([column], deck)
    wanted = _surfaces(tilemap, column)
    level, kind, _ = wanted[0]
    edit.set_level(column, level)
    edit.set_kind(column, kind)
    for deck in range(1, max(wanted) + 1):  # a deck gets the lowest free number
        level, kind, thickness = wanted.get(deck, (0, UNKNOWN, 1))
        edit.add_deck([column], level, kind, thickness)
    for deck in set(range(max(wanted))) - set(wanted):
        edit.remove_deck([column], deck)


def _copy_pair(edit: Edit, pair: Link | Wall) -> None:
    if isinstance(pair, Link):
        edit.add_link(pair.start, pair.end, pair.cost, pair.kind, pair.one_way)
    else:
        edit.add_wall(pair.start, pair.end, pair.one_way)
