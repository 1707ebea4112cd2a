"""Surfaces of a map as read-only arrays, with the links and walls between them."""

import itertools
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, Generic

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import quoted, whole_numbers
from terrain3d.grid import columns
from terrain3d.grid.columns import MAX_DECKS, MAX_LEVEL
from terrain3d.grid.grid import Cell, CellLike, Grid, Rect, read_only
from terrain3d.grid.kinds import VOID, TileKind, index_of
from terrain3d.grid.links import Link, P, Wall
from terrain3d.grid.reason import Reason, register_reasons
from terrain3d.map.change import FIELDS, Change, Field, Patch

register_reasons(
    off_the_map=("{cell:tile} is not on the map",),
    no_ground=("there is no ground {cell:at}",),
    ground_gone=("the ground {cell:at} is gone",),
    max_decks=("{cell:tile} already has the maximum of {limit:decks}",),
    link_into_void=(
        "a link needs surfaces at both ends, {cell} is void",
        "a link needs ground at both ends, there is none {cell:at}",
    ),
    surfaces_overlap=("surfaces overlap {cell:at}: {upper}, over {lower}",),
    deck_of_overlap=("deck {deck} at level {level}, {thickness} thick",),
    ground_of_overlap=("the ground at level {level}",),
)

IntArray = NDArray[np.integer]
Indices = NDArray[np.intp]

MAX_SURFACES = 2**23
"""Default limit on the number of tiles of a map file, on all decks together."""

DECK_FIELDS = ("row", "col", "deck", "level", "kind", "thickness")
DECK = np.dtype([(name, "i8") for name in DECK_FIELDS])
"""One surface of a deck."""

NO_DECKS: NDArray[np.void] = np.zeros(0, DECK)

Body = tuple[int, int, int]
"""(deck, level, thickness) of a surface that exists."""


def ground_arrays(
    level: ArrayLike, kind: ArrayLike | None, kinds: tuple[TileKind, ...]
) -> tuple[IntArray, IntArray]:
    """Return checked (rows, cols) levels and kinds of the ground; see `TileMap`."""
    try:
        levels = whole_numbers("level", level, MAX_LEVEL)
    except TypeError as error:
        how = "convert them by .astype(int), or make levels of heights by TileMap.from_heights"
        raise TypeError(f"{error}; {how}") from None
    if kind is None:
        first = 0 if index_of(VOID.name, kinds) else 1
        return levels, np.full(levels.shape, first, np.uint8)
    try:
        indices = whole_numbers("kind", kind, len(kinds) - 1)
    except TypeError as error:
        raise TypeError(f"{error}; {_index_advice(kind, kinds)}") from None
    if indices.shape != levels.shape:
        raise ValueError(f"level is {levels.shape} but kind is {indices.shape}")
    return levels, indices


def _index_advice(kind: ArrayLike, kinds: tuple[TileKind, ...]) -> str:
    """Return what to write instead of names of kinds."""
    names = np.unique(np.asarray(kind).astype(str)).tolist()
    known = [f"{index} for {k.name!r}" for index, k in enumerate(kinds) if k.name in names]
    what = "write the index of each kind"
    return f"{what}: {', '.join(known)}" if known else f"{what} in kinds"


Pair = tuple[Cell, Cell]

_BLOCK = 16
"""Rows and columns of the blocks that index pairs by position."""


class Pairs(Generic[P]):
    """Links or walls of a map, at most one for each ordered pair of surfaces."""

    def __init__(self, entry_type: type[P]) -> None:
        self._type: type[P] = entry_type
        self._by_pair: dict[Pair, P] = {}
        self._sorted: tuple[P, ...] | None = ()
        self._by_block: dict[tuple[int, int], list[P]] | None = {}

    @property
    def all(self) -> tuple[P, ...]:
        """All entries, sorted by their ends."""
        if self._sorted is None:
            found = set(self._by_pair.values())
            self._sorted = tuple(sorted(found, key=lambda entry: (entry.start, entry.end)))
        return self._sorted

    def within(self, rect: Rect) -> list[P]:
        """Return the entries with an end in a rectangle, sorted by their ends."""
        if self._by_block is None:
            self._by_block = {}
            for entry in self.all:
                for block in {_block(entry.start), _block(entry.end)}:
                    self._by_block.setdefault(block, []).append(entry)
        if not self._by_block:
            return []
        row, col = _block(Cell(rect.row, rect.col))
        last_row, last_col = _block(Cell(rect.row + rect.rows - 1, rect.col + rect.cols - 1))
        blocks = itertools.product(range(row, last_row + 1), range(col, last_col + 1))
        nearby = {entry for block in blocks for entry in self._by_block.get(block, ())}
        found = (entry for entry in nearby if rect.holds(entry.start) or rect.holds(entry.end))
        return sorted(found, key=lambda entry: (entry.start, entry.end))

    def copy(self) -> "Pairs[P]":
        """Return a copy that can be changed independently."""
        copy = Pairs(self._type)
        copy._by_pair, copy._sorted = dict(self._by_pair), self._sorted
        copy._by_block = self._by_block
        return copy

    def add(self, entry: P) -> None:
        """Add an entry; `ValueError` if one exists between these ends in this direction."""
        pairs = _pairs(entry)
        for pair in pairs:
            if pair in self._by_pair:
                raise ValueError(f"there is a {self._title(*pair)} already")
        self._by_pair.update(dict.fromkeys(pairs, entry))
        self._sorted = self._by_block = None

    def remove(self, start: Cell, end: Cell) -> None:
        """Remove the entry from start to end; `ValueError` if there is none."""
        entry = self._by_pair.get((start, end))
        if entry is None:
            raise ValueError(f"there is no {self._title(start, end)}")
        for pair in _pairs(entry):
            del self._by_pair[pair]
        self._sorted = self._by_block = None

    def _title(self, start: Cell, end: Cell) -> str:
        return f"{self._type.__name__.lower()} from {start} to {end}"

    def remove_at(self, cells: Set[Cell]) -> None:
        """Remove all entries with an end at one of the cells."""
        for entry in self.all if cells else ():
            if entry.start in cells or entry.end in cells:
                self.remove(entry.start, entry.end)

    def replace(self, rect: Rect, entries: Iterable[P]) -> None:
        """Replace all entries with both ends in a rectangle."""
        for entry in self.within(rect):
            if rect.holds(entry.start) and rect.holds(entry.end):
                self.remove(entry.start, entry.end)
        self.swap((), entries)

    def swap(self, removed: Iterable[P], added: Iterable[P]) -> None:
        """Remove some entries, then add others."""
        for entry in removed:
            self.remove(entry.start, entry.end)
        for entry in added:
            self.add(entry)


def _block(cell: Cell) -> tuple[int, int]:
    return cell.row // _BLOCK, cell.col // _BLOCK


def _pairs(entry: Link | Wall) -> tuple[Pair, ...]:
    pair = entry.start, entry.end
    return (pair,) if entry.one_way else (pair, pair[::-1])


_DERIVED = ("row_spans", "void_top", "headroom", "wall_bits")


class Surfaces:
    """Surfaces, links and walls of one map; only `apply` changes them.

    The arrays are (n_decks + 1, rows, cols), the ground first, and read-only. They are replaced
    only when the highest deck number of the map changes. A deck that does not exist has level 0,
    kind void and thickness 0. A new map has (rows, cols) ground only.
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
        ground = level[None].astype(np.int16, order="C")  # flat views have to follow the edits
        kinds = kind[None].astype(np.uint8, order="C")
        self._set_arrays(ground, kinds, np.zeros(ground.shape, np.int16))

    def _set_arrays(
        self, level: NDArray[np.int16], kind: NDArray[np.uint8], thickness: NDArray[np.int16]
    ) -> None:
        self.level, self.kind = read_only(level), read_only(kind)
        self.void = read_only(kind == self.void_index)
        self.thickness = read_only(thickness)
        self._forget(*_DERIVED)

    def _forget(self, *names: str) -> None:
        """Compute derived values again when they are needed."""
        for name in names:
            vars(self).pop(name, None)

    def __getstate__(self) -> dict[str, object]:
        """Return the state to copy or pickle, without values that can be computed again."""
        return {name: value for name, value in vars(self).items() if name not in _DERIVED}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore a copied state and make its arrays read-only again, but for edits."""
        vars(self).update(state)
        for name in ("level", "kind", "void", "thickness"):
            # An array over the bytes of a pickle could never be written.
            setattr(self, name, read_only(np.require(state[name], requirements=("C", "O"))))

    @property
    def n_decks(self) -> int:
        """The highest deck number that exists anywhere."""
        return len(self.level) - 1

    @property
    def level_span(self) -> tuple[int, int]:
        """The lowest underside of a deck, at most 0, and the highest level, at least 0."""
        under, top = self.row_spans
        return int(under.min()), int(top.max())

    @cached_property
    def row_spans(self) -> NDArray[np.int16]:
        """(2, rows) these of each row; updated by `apply`."""
        return self._spans(slice(None))

    def _spans(self, rows: Indices | slice) -> NDArray[np.int16]:
        level, void = self.level[:, rows], self.void[:, rows]
        under = (level - self.thickness[:, rows]).min(axis=(0, 2), initial=0, where=~void)
        return np.stack([under, level.max(axis=(0, 2), initial=0, where=~void)])

    @cached_property
    def void_top(self) -> int:
        """The highest level stored for void ground, 0 without any."""
        return int(self.level[0].max(initial=0, where=self.void[0]))

    @cached_property
    def headroom(self) -> NDArray[np.int16]:
        """Free levels above each surface, as by `columns.headroom`; updated by `apply`."""
        free = np.full(self.level.shape, columns.OPEN_SKY, dtype=np.int16)
        free[1:] = 0
        self._update_headroom(read_only(free), np.flatnonzero((~self.void[1:]).any(axis=0)))
        return free

    @cached_property
    def wall_bits(self) -> NDArray[np.uint8]:
        """The walls as bits; see `TileMap.wall_bits`; updated by `apply`."""
        n_layers = self.n_decks + 1
        bits = np.zeros((n_layers, n_layers, self.grid.rows, self.grid.cols), dtype=np.uint8)
        _switch(bits, self.grid, self.walls.all)
        return bits

    def exists(self, cell: Cell) -> bool:
        """Return whether a column of the map has a surface: ground that is not void, or a deck."""
        row, col, deck = cell
        return 0 <= deck <= self.n_decks and not self.void[deck, row, col]

    def cell(self, value: CellLike) -> Cell:
        """Return a cell as a `Cell` after checking that it is in the map and its deck exists."""
        cell = self.grid.within(value)
        if cell.deck and not self.exists(cell):
            raise IndexError(f"({cell.row}, {cell.col}) has no deck {quoted(cell.deck)}")
        return cell

    def values(self, field: Field, surface: Indices) -> NDArray[Any]:
        """Return (n,) values of n surfaces by their positions, see `Patch`, existing or not."""
        array = self._array(field).reshape(-1)
        try:
            return array[surface]
        except IndexError:  # rare, and asking beforehand would take several times as long
            pass
        known = surface < array.size
        found = np.full(surface.shape, self._empty[field], dtype=array.dtype)
        found[known] = array[surface[known]]
        return found

    def bodies_at(self, row: int, col: int) -> list[Body]:
        """Return the surfaces of a column, by deck number."""
        if not self.n_decks:  # a fast path, as rays pass many columns
            return [] if self.void[0, row, col] else [(0, int(self.level[0, row, col]), 0)]
        arrays = self.level, self.thickness, self.void
        bodies = zip(*(array[:, row, col].tolist() for array in arrays), strict=True)
        return [
            (deck, level, thickness)
            for deck, (level, thickness, is_void) in enumerate(bodies)
            if not is_void
        ]

    def apply(self, change: Change) -> None:
        """Apply a change that was made for the current state."""
        if change.patches:
            self._forget("void_top")
            kinds, n_cells = change.patches.get("kind"), self.level[0].size
            highest = 0 if kinds is None else int(kinds.surface.max()) // n_cells
            if kinds is not None and highest > self.n_decks:
                self._resize(highest)
            for field, patch in change.patches.items():
                _assign(self._array(field), patch.surface, patch.after)
            if kinds is not None:
                _assign(self.void, kinds.surface, kinds.after == self.void_index)
                if highest == self.n_decks:
                    decks = range(highest, 0, -1)
                    self._resize(next((deck for deck in decks if not self.void[deck].all()), 0))
            column = np.concatenate([patch.surface for patch in change.patches.values()]) % n_cells
            if "row_spans" in vars(self):
                rows = np.flatnonzero(np.bincount(column // self.grid.cols))
                self.row_spans[:, rows] = self._spans(rows)
            if "headroom" in vars(self) and self.n_decks:
                self._update_headroom(self.headroom, _distinct(column))
        self.links.swap(*change.links)
        self.walls.swap(*change.walls)
        if "wall_bits" in vars(self) and any(change.walls):
            _switch(self.wall_bits, self.grid, itertools.chain(*change.walls))

    def check_before(self, change: Change) -> None:
        """Raise `ValueError` if the state is not the one that a change begins from."""
        patches = change.patches.items()
        fits = all((self.values(name, part.surface) == part.before).all() for name, part in patches)
        for known, (removed, added) in ((self.links, change.links), (self.walls, change.walls)):
            entries = set(known.all)
            fits = fits and entries.issuperset(removed) and entries.isdisjoint(added)
        if not fits:
            raise ValueError(f"the edit {quoted(change.name)} was made on another state of the map")

    def refuse_overlaps(self, patches: Mapping[Field, Patch]) -> None:
        """Raise `ValueError` if two surfaces of a column would overlap after some patches."""
        if self.n_decks == 0 and "thickness" not in patches:  # a new deck has one
            return
        rows, cols = self.grid.rows, self.grid.cols
        every = np.concatenate([patch.surface for patch in patches.values()])
        n_layers = 1 + max(self.n_decks, int(every.max()) // (rows * cols))
        touched = _distinct(every % (rows * cols))
        stack: dict[Field, NDArray[np.int64]] = {}
        for field, empty in self._empty.items():
            stack[field] = np.full((n_layers, touched.size), empty, dtype=np.int64)
            known = self._array(field).reshape(-1, rows * cols)
            stack[field][: len(known)] = known[:, touched]
        for field, patch in patches.items():
            decks, ids = np.divmod(patch.surface, rows * cols)
            stack[field][decks, np.searchsorted(touched, ids)] = patch.after
        level, thickness = stack["level"], stack["thickness"]
        found = columns.first_overlap(level, thickness, stack["kind"] == self.void_index)
        if found is None:
            return
        column, upper, lower = found
        above, below = (
            Reason("deck_of_overlap", deck=deck, level=at, thickness=int(thickness[deck, column]))
            if deck
            else Reason("ground_of_overlap", level=at)
            for deck, at in ((deck, int(level[deck, column])) for deck in (upper, lower))
        )
        cell = Cell(*divmod(int(touched[column]), cols))
        raise ValueError(Reason("surfaces_overlap", cell=cell, upper=above, lower=below))

    def _array(self, field: Field) -> IntArray:
        array: IntArray = getattr(self, field)
        return array

    def _update_headroom(self, headroom: NDArray[np.int16], column: Indices) -> None:
        """Compute the headroom of n columns; `column` (n,) is row * cols + col."""
        surface = column + np.arange(self.n_decks + 1)[:, None] * self.level[0].size
        level, thickness = self.level.reshape(-1)[surface], self.thickness.reshape(-1)[surface]
        free = columns.headroom(level, thickness, self.void.reshape(-1)[surface])
        _assign(headroom, surface, free)

    def _resize(self, n_decks: int) -> None:
        """Replace the arrays if the number of decks changes."""
        if n_decks == self.n_decks:
            return
        shape = (n_decks + 1, *self.level.shape[1:])
        kept = min(n_decks, self.n_decks) + 1
        resized: dict[Field, NDArray[Any]] = {}
        for field, empty in self._empty.items():
            resized[field] = np.full(shape, empty, self._array(field).dtype)
            resized[field][:kept] = self._array(field)[:kept]
        self._set_arrays(**resized)


def _distinct(values: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return each value once, sorted; `np.unique` takes ten times as long for many of them."""
    values = np.sort(values)
    distinct: NDArray[np.intp] = values[np.diff(values, prepend=-1) != 0]
    return distinct


def _assign(array: NDArray[np.generic], surface: Indices, values: NDArray[np.generic]) -> None:
    """Write values of surfaces, given by their positions, to a read-only array."""
    array.setflags(write=True)  # faster than to set its `flags`
    array.reshape(-1)[surface] = values
    array.setflags(write=False)


def direction_between(grid: Grid, start: Cell, end: Cell) -> int:
    """Return the index of the direction from one column to a neighbor; `ValueError` otherwise."""
    step = end.row - start.row, end.col - start.col
    steps = grid.steps_from(start.row, start.col)
    if step not in steps:
        raise ValueError(f"a wall needs two neighboring columns, got {start} and {end}")
    return steps.index(step)


def _switch(bits: NDArray[np.uint8], grid: Grid, walls: Iterable[Wall]) -> None:
    """Set the bits of walls that are added, and clear those of walls that are removed."""
    bits.flags.writeable = True
    for wall in walls:
        ends = [(wall.start, wall.end)]
        if not wall.one_way:
            ends.append((wall.end, wall.start))
        for here, there in ends:
            # At most one wall stands for each ordered pair of surfaces, so no bit is shared.
            bits[there.deck, here.deck, here.row, here.col] ^= 1 << direction_between(
                grid, here, there
            )
    bits.flags.writeable = False


def deck_table(surfaces: Surfaces) -> NDArray[np.void]:
    """Return the (n,) table of all decks, with the fields of `DECK`."""
    deck, row, col = np.nonzero(~surfaces.void[1:])
    table = np.empty(len(deck), DECK)
    table["row"], table["col"], table["deck"] = row, col, deck + 1
    surface = _positions(surfaces, table)
    for name in FIELDS:
        table[name] = surfaces.values(name, surface)
    return table


def restore(
    surfaces: Surfaces,
    decks: NDArray[np.void],
    links: Sequence[Link],
    walls: Sequence[Wall],
    n_kinds: int,
) -> None:
    """Add decks, as `DECK`, links and walls to bare ground, with the checks of an edit."""
    if len(decks):
        _refuse_wrong_decks(surfaces, decks, n_kinds)
        surface, none = _positions(surfaces, decks), np.zeros(len(decks), np.int64)
        before = {"level": none, "kind": none + surfaces.void_index, "thickness": none}
        patches = {name: Patch(surface, before[name], decks[name]) for name in FIELDS}
        surfaces.refuse_overlaps(patches)
        surfaces.apply(Change("", patches))
    for link in links:
        for end in (surfaces.cell(link.start), surfaces.cell(link.end)):
            if not surfaces.exists(end):
                raise ValueError(Reason("link_into_void", cell=end))
    for wall in walls:
        direction_between(surfaces.grid, surfaces.cell(wall.start), surfaces.cell(wall.end))
    surfaces.apply(Change("", {}, links=((), tuple(links)), walls=((), tuple(walls))))


def _refuse_wrong_decks(surfaces: Surfaces, decks: NDArray[np.void], n_kinds: int) -> None:
    grid = surfaces.grid
    limits = {
        "row": (0, grid.rows - 1),
        "col": (0, grid.cols - 1),
        "deck": (1, MAX_DECKS),
        "level": (0, MAX_LEVEL),
        "kind": (0, n_kinds - 1),
        "thickness": (1, MAX_LEVEL),
    }
    for name, (low, high) in limits.items():
        wrong = np.flatnonzero((decks[name] < low) | (decks[name] > high))
        if wrong.size:
            value = int(decks[name][wrong[0]])
            raise ValueError(f"decks[{wrong[0]}].{name} must be in {low}..{high}, got {value}")
    void = np.flatnonzero(decks["kind"] == surfaces.void_index)
    if void.size:
        raise ValueError(f"decks[{void[0]}] cannot be void")
    _, first = np.unique(_positions(surfaces, decks), return_index=True)
    if len(first) < len(decks):
        repeated = int(np.setdiff1d(np.arange(len(decks)), first)[0])
        raise ValueError(f"decks[{repeated}] repeats an earlier deck")


def _positions(surfaces: Surfaces, decks: NDArray[np.void]) -> NDArray[np.intp]:
    """(n,) positions of decks, as in a `Patch`."""
    _, rows, cols = surfaces.void.shape
    position: NDArray[np.intp] = (decks["deck"] * rows + decks["row"]) * cols + decks["col"]
    return position
