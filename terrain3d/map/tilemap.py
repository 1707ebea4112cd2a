"""The tile map: its contents, editing, loading and saving."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from collections import deque
from collections.abc import Sequence
from functools import partial, reduce
from itertools import chain, islice
from typing import Any, Self, cast
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import (
    MAX_CELLS,
    check_pickle,
    finite_number,
    instance_of,
    number_within,
    numbers_2d,
    one_of,
    quoted,
    whole_number,
    whole_within,
)
from terrain3d.core.files import in_file
from terrain3d.core.signals import Signal
from terrain3d.generate.noise import WEIGHTS, noise_ground
from terrain3d.grid.columns import OPEN_SKY, STEP_HEIGHTS, ascending_order, headroom
from terrain3d.grid.grid import Cell, CellLike, Grid, Rect, as_cell, make_grid
from terrain3d.grid.kinds import KINDS, VOID, TileKind, index_of, kind_table
from terrain3d.grid.links import Link, Wall
from terrain3d.map import picking, text_picture
from terrain3d.map.change import Change, combine, set_values
from terrain3d.map.edit import Edit, checked_level
from terrain3d.map.heights import check_rules, ground_of_heights
from terrain3d.map.placement import GONE, MIRRORS, ROTATIONS, Placement, paste_data
from terrain3d.map.surfaces import (
    MAX_SURFACES,
    NO_DECKS,
    Surfaces,
    deck_table,
    ground_arrays,
    restore,
)
from terrain3d.picture import Drawable, Picture

_PICKLE_VERSION, _CURRENT_VERSION = "pickle_version", 4
"""Where the state of a pickled map has its version, and the one that is written and read."""

DEFAULT_STEP_HEIGHT = 0.5
"""Height of one level, in world units."""

Json = Any
"""None, a bool, a finite number, text, or lists and dictionaries (with text as keys) of these."""

Extras = dict[str, Json]

Entry = tuple[str, str | Cell]
"""An entry of a list in a file: "kinds" and the name of a kind, or "decks" and the cell of one."""

UnknownFields = dict[Entry, Extras]
"""Fields of entries that this program does not know, by entry."""


BASE_Z = -1.0
"""Bottom of every column, in world units."""

_MAX_CHANGES = 64
"""The most changes of which the changed rectangles are known."""

_Step = tuple[Change, int]  # to revert by undo or redo, and the revision that this leads to

_NOT_COPIED = frozenset({"changed", "edited", "unshared", "lock", "writer", "_owner", "_sharers"})


class TileMap(Drawable):
    """Stepped terrain: each tile has an integer level and a kind, and may have decks above it.

    Parameters
    ----------
    level : (rows, cols) int
        Height of each tile's top in steps, 0..MAX_LEVEL.
    kind : (rows, cols) int, optional
        Index of each tile's kind in `kinds`; default: the first kind that is not void.
    kinds : sequence of TileKind
        The kinds of this map. "void" is appended if it is missing.
    step_height : float, in world units
        Height of one level, within STEP_HEIGHTS; a tile's edge is 1.
    topology : str
        Layout of the tiles: one of `terrain3d.TOPOLOGIES`.

    Raises
    ------
    TypeError, ValueError
        An array has the wrong shape, type or range; names of kinds repeat; the step height is out
        of its limits; the topology is unknown.

    Notes
    -----
    Only edits, `undo` and `redo` change the map; a new one has no decks, links or walls. All arrays
    are read-only views that follow every edit, until an edit changes `n_decks`; see that property.
    """

    changed = Signal("rect")
    """Emitted after a change with the `Rect` of the changed cells."""
    edited = Signal("change")
    """An edit or a stroke was made, undone or redone: this `Change`."""
    unshared = Signal()
    """The map has arrays of its own now; see `share`."""

    def __init__(
        self,
        level: ArrayLike,
        kind: ArrayLike | None = None,
        kinds: Sequence[TileKind] = KINDS,
        step_height: float = DEFAULT_STEP_HEIGHT,
        topology: str = "square",
    ) -> None:
        number_within("step_height", step_height, *STEP_HEIGHTS)
        self._kinds = kind_table(kinds)
        levels, indices = ground_arrays(level, kind, self._kinds)
        self._grid = make_grid(topology, *levels.shape)
        self._surfaces = Surfaces(self._grid, levels, indices, index_of(VOID.name, self._kinds))
        self._topology, self._step_height = topology, float(step_height)
        self._version = self._revision = 0
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._recent: deque[tuple[Rect, ...]] = deque(maxlen=_MAX_CHANGES)
        self._stroke: list[Change] | None = None
        self._stroke_name = ""
        self._has_edit = False
        self._owner: TileMap | None = None
        self._sharers = WeakSet[TileMap]()
        self.lock = threading.RLock()
        """`with tilemap.lock:` keeps other threads out; queries and edits hold it."""
        self.writer: object = None
        """Who alone may edit the map, by `by=` of edits: all others are refused; None for all."""
        self._extras: Extras | bytes = {}  # pickled until they are asked for
        self.unknown_fields: UnknownFields = {}
        """Fields of a file's entries that this program does not know; saved with the entries."""

    @classmethod
    def from_noise(
        cls,
        rows: int,
        cols: int,
        seed: int,
        levels: int = 5,
        cell_sizes: Sequence[int] | None = None,
        weights: Sequence[float] = WEIGHTS,
        step_height: float = DEFAULT_STEP_HEIGHT,
        kinds: Sequence[TileKind] = KINDS,
        topology: str = "square",
    ) -> Self:
        """Generate a map of `levels` levels from seeded noise; see `noise.noise_ground`."""
        kinds = kind_table(kinds)
        level, kind = noise_ground(rows, cols, seed, levels, cell_sizes, weights, kinds)
        return cls(level, kind, kinds, step_height, topology)

    @classmethod
    def from_heights(
        cls,
        heights: ArrayLike,
        levels: int | None = None,
        step: float | None = None,
        size: tuple[int, int] | None = None,
        spread: str = "linear",
        step_height: float = DEFAULT_STEP_HEIGHT,
        topology: str = "square",
    ) -> Self:
        """Make a map of an array of heights, such as elevations in meters.

        Parameters
        ----------
        heights : (n, m) numbers
            Row 0 is the north; NaN and masked heights become void.
        levels : int, optional
            Number of levels, 9 by default, unless there is a step.
        step : float > 0, optional
            Height of one level in the unit of the array, instead of `levels`. The lowest height is
            level 0.
        size : (rows, cols), optional
            Size of the map, to which heights are resampled; (n, m) if not given.
        spread : str
            "linear", the default: levels are equal parts of the span from the lowest height to the
            highest. "even": levels have equal numbers of tiles. It goes with `levels`.
        step_height : float, in world units
            As in `TileMap`, 0.5 by default.
        topology : str
            As in `TileMap`, "square" by default.

        Raises
        ------
        TypeError, ValueError
            The array is not one of numbers within -1e12..1e12, a rule is out of its limits, or the
            map has more than `MAX_CELLS` tiles.

        Examples
        --------
        >>> TileMap.from_heights([[0.2, 1.7], [2.4, 2.6]], step=0.5).level.tolist()
        [[0, 3], [4, 4]]
        """
        grid = numbers_2d("heights", heights)
        check_rules(size, levels, step, spread)
        rows, cols = grid.shape if size is None else size
        make_grid(topology, rows, cols)  # refuses too many tiles before they are allocated
        level, kind = ground_of_heights(grid, (rows, cols), levels, step, spread)
        return cls(level, kind, KINDS, step_height, topology)

    @classmethod
    def from_text(
        cls,
        text: str,
        kinds: Sequence[TileKind] = KINDS,
        step_height: float = DEFAULT_STEP_HEIGHT,
        source: str = "",
        topology: str = "square",
    ) -> Self:
        r"""Read a text picture (see `map.text_picture`); all ground is of the first kind.

        Raises
        ------
        MapFileError
            The picture is empty, ragged, or has an unknown character; the error names `source`.

        Examples
        --------
        >>> TileMap.from_text("003\n#13").level.tolist()
        [[0, 0, 3], [0, 1, 3]]
        """
        if not isinstance(text, str):
            raise TypeError(f"a picture is text, one line per row, got {type(text).__name__}")
        with in_file(instance_of("source", source, str)):
            level, is_void = text_picture.parse(text)
        table = kind_table(kinds)
        kind = text_picture.kind_of(is_void, table)
        return cls(level, kind, table, step_height, topology)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        max_surfaces: int = MAX_SURFACES,
    ) -> Self:
        """Read a file in the format of its suffix: .tmap, .tmj, .tmx or .txt.

        `formats.register_format` adds formats. `formats.MapFileWarning` names, in one line, what
        the map lacks of the file.

        Parameters
        ----------
        path : str or path
        max_surfaces : int
            Limit on the number of tiles, on all decks together.

        Raises
        ------
        MapFileError
            The file is missing, not a regular file, too large, or not a map in that format; or no
            format that can be read has the suffix. Names the line or field, if there is one.
        TypeError, ValueError
            `max_surfaces` is out of its limits.
        """
        from terrain3d.formats import registry

        tilemap = registry.load(path, max_surfaces, cls)
        assert isinstance(tilemap, cls)
        return tilemap

    def _add(
        self,
        decks: NDArray[np.void] = NO_DECKS,
        links: Sequence[Link] = (),
        walls: Sequence[Wall] = (),
        extras: Extras | None = None,
        unknown_fields: UnknownFields | None = None,
    ) -> None:
        """Add what a new map has besides its ground; `decks` are of `DECK`.

        `IndexError` or `ValueError`, with the limit and the value, if the map cannot have them.
        """
        restore(self._surfaces, decks, links, walls, len(self._kinds))
        self.extras, self.unknown_fields = extras or {}, copy.deepcopy(unknown_fields or {})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the map without its history in the format of the path's suffix.

        The native format, .tmap, holds all of a map. The others are .tmj, .tmx, .txt and .glb, and
        those of `formats.register_format`; docs/formats.md says what each of them holds.
        `formats.MapFileWarning` names, in one line, what the file lacks of the map. The file is
        replaced atomically: a failure leaves the old one.

        Raises
        ------
        OSError
            A file cannot be written.
        TypeError, ValueError
            No format that can be written has the suffix; or the format cannot hold the map, as when
            a value in `extras` is not JSON-like or has the name of a field of the map.
        """
        from terrain3d.formats import registry

        registry.save(path, self)

    def to_text(self) -> str:
        """Return the levels as a text picture; `ValueError` above level 35."""
        with self.lock:
            return text_picture.draw(self.level, self.void)

    def picture(self) -> Picture:
        """Return the map seen from above."""
        return Picture(self, f"{self.rows} x {self.cols} tiles, {self.topology}")

    def __repr__(self) -> str:
        """Return the size and the range of levels."""
        return (
            f"<TileMap {self.rows} x {self.cols}, "
            f"levels {self.level.min()}..{self.level.max()}, version {self.version}>"
        )

    def __copy__(self) -> Self:
        """Return a deep copy: two maps never share anything that either can change."""
        return copy.deepcopy(self)

    def share(self) -> Self:
        """Return a copy that has the arrays of this map until one of the two is edited.

        It is made in microseconds, for looking ahead. Both have one lock, and extras of their own.
        Arrays of the copy that a caller keeps do not follow its first edit.

        Raises
        ------
        RuntimeError
            An edit or a stroke is open.
        """
        self._refuse_inside("share")
        made = object.__new__(type(self))
        state = vars(self)
        vars(made).update({name: state[name] for name in state if name not in _NOT_COPIED})
        made.lock, made._sharers, made.writer = self.lock, WeakSet(), None
        made._done, made._undone, made._recent = self._done[:], self._undone[:], self._recent.copy()
        made.unknown_fields = {key: copy.deepcopy(of) for key, of in self.unknown_fields.items()}
        if not isinstance(self._extras, bytes):
            made._extras = pickle.dumps(self._extras)
        made._owner = self if self._owner is None else self._owner
        made._owner._sharers.add(made)
        return made

    def _end_sharing(self) -> None:
        """Let this map and those that share its arrays have arrays of their own."""
        if self._owner is not None:
            self._owner._sharers.discard(self)
            self._owner, self._surfaces = None, copy.deepcopy(self._surfaces)
            self.unshared.emit()
        for other in tuple(self._sharers):
            other._end_sharing()

    @property
    def extras(self) -> Extras:
        """JSON-like data by name that is saved with the map: "metadata", "units", "waypoints"."""
        if isinstance(self._extras, bytes):
            self._extras = cast(Extras, pickle.loads(self._extras))
        return self._extras

    @extras.setter
    def extras(self, values: Extras) -> None:
        for key in instance_of("extras", values, dict):
            instance_of("a name in extras", key, str)
        self._extras = copy.deepcopy(values)

    def __getstate__(self) -> dict[str, object]:
        """Return the state to copy or pickle: all but the lock and the listeners."""
        state = {name: value for name, value in vars(self).items() if name not in _NOT_COPIED}
        return {**state, "_has_edit": False, _PICKLE_VERSION: _CURRENT_VERSION}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore a state; `pickle.UnpicklingError` if another version of the program wrote it.

        An open edit or stroke stays open in the original only.
        """
        check_pickle("TileMap", state.pop(_PICKLE_VERSION, None), _CURRENT_VERSION)
        vars(self).update(state, lock=threading.RLock(), writer=None, _owner=None)
        self._sharers = WeakSet()
        if self.has_stroke:
            self.end_stroke()

    def crop(self, rect: Rect | Sequence[int]) -> Self:
        """Return the part of the map in a `Rect`, or (row, col, rows, cols), as a new map.

        `IndexError` if it is not inside this map.
        """
        try:
            row, col, rows, cols = (whole_number("it", part) for part in rect)
        except (TypeError, ValueError):
            wanted = "rect must be (row, col, rows, cols) in whole numbers"
            raise TypeError(f"{wanted}, got {quoted(rect)}") from None
        self._check_inside(Rect(row, col, rows, cols), "resize() adds tiles")
        return self.resize(rows, cols, (-row, -col))

    def resize(
        self, rows: int, cols: int, at: CellLike = (0, 0), level: int = 0, kind: str = VOID.name
    ) -> Self:
        """Return a new map of rows x cols tiles, in which the tile (0, 0) of this one lies at `at`.

        `at` may be negative. What lies outside is left out; tiles that this map lacks have `level`
        and a kind by name. `TypeError` or `ValueError` if no map has such a size, level or kind.
        """
        row, col = (whole_within("at", part, -MAX_CELLS, MAX_CELLS) for part in as_cell(at)[:2])
        return self._placed(Placement(rows, cols, (row, col)), level, kind)

    def rotate(self, degrees: float = 90) -> Self:
        """Return the map rotated counter-clockwise as a new map; columns become rows of hexagons.

        `ValueError` unless it is a multiple of 90 degrees.
        """
        turns, rest = divmod(finite_number("degrees", degrees), 90)
        if rest:
            limit = "degrees must be a multiple of 90, so that rows become rows or columns"
            raise ValueError(f"{limit}, got {quoted(degrees)}")
        return self._placed(Placement.turned(self._grid, ROTATIONS[int(turns % 4)]))

    def mirror(self, axis: str = "left_right") -> Self:
        """Return the mirror image as a new map: "left_right", or "top_bottom" for rows reversed."""
        return self._placed(Placement.turned(self._grid, MIRRORS[one_of("axis", axis, MIRRORS)]))

    def _placed(self, placement: Placement, level: int = 0, kind: str = VOID.name) -> Self:
        """Return a new map, without history, in which the cells of this one are placed."""
        topology = placement.topology(self._topology)
        grid = make_grid(topology, placement.rows, placement.cols)
        levels = np.full((grid.rows, grid.cols), checked_level(level), np.int16)
        kinds = np.full(levels.shape, index_of(kind, self._kinds), np.uint8)
        with self.lock:
            placement.fill(levels, self.level)
            placement.fill(kinds, self.kind)
            made = type(self)(levels, kinds, self._kinds, self._step_height, topology)
            links, walls = [*placement.pairs(self.links)], [*placement.pairs(self.walls)]
            moved = {name: placement.data(value) for name, value in self.extras.items()}
            extras = {name: moved[name] for name in moved if moved[name] is not GONE}
            extras.pop("replay", None)  # a game on this very map
            fields = dict(placement.fields(self.unknown_fields))
            made._add(placement.decks(self.decks), links, walls, extras, fields)
        return made

    def paste(self, other: TileMap, at: CellLike = (0, 0), by: object = None) -> None:
        """Replace a part of the map by another map as one undo entry.

        The tile (0, 0) of the other map comes to lie at `at`. Links and walls across the border
        stay if their surfaces do. In lists of `extras`, what has a cell in that part is replaced,
        and so are the `cells` of a thing there.

        Raises
        ------
        IndexError
            The other map does not lie inside this one.
        ValueError
            This map lacks a kind, by name, of the other one; or hexagons would not fit.
        RuntimeError
            An edit is open, or there is another `writer`.
        """
        instance_of("other", other, TileMap)
        row, col, _ = self._grid.cell(at)
        self._check_inside(Rect(row, col, other.rows, other.cols), "crop() the other map first")
        placement = Placement(self.rows, self.cols, (row, col))
        fitting = placement.topology(other.topology)
        if fitting != self._topology:
            problem = f"at ({row}, {col}) the tiles of the other map lie as in {fitting}"
            advice = "hexagons fit one row or column further, or rotated"
            raise ValueError(f"{problem}, those of this map as in {self._topology}; {advice}")
        with self.edit("paste", by) as edit, other.lock:
            edit._put(other._surfaces, other.kinds, placement, paste_data(self, other, placement))

    def _check_inside(self, rect: Rect, advice: str) -> None:
        """Raise `IndexError` if a rectangle does not lie in the map."""
        end_row, end_col = rect.row + rect.rows, rect.col + rect.cols
        if rect.row < 0 or rect.col < 0 or end_row > self.rows or end_col > self.cols:
            rows, cols = f"{rect.row}..{end_row - 1}", f"{rect.col}..{end_col - 1}"
            own = f"rows are 0..{self.rows - 1}, columns 0..{self.cols - 1}"
            raise IndexError(f"rows {rows}, columns {cols} are not all in the map: {own}; {advice}")

    @property
    def rows(self) -> int:
        """Number of rows; `resize` and `crop` return another map."""
        return self._grid.rows

    @property
    def cols(self) -> int:
        """Number of columns; `resize` and `crop` return another map."""
        return self._grid.cols

    @property
    def grid(self) -> Grid:
        """Neighbors, distances and positions of the cells."""
        return self._grid

    @property
    def topology(self) -> str:
        """Layout of the tiles, one of `terrain3d.TOPOLOGIES`."""
        return self._topology

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The smallest (x0, y0, x1, y1) that holds all tiles, in world units."""
        return self._grid.extent

    @property
    def kinds(self) -> tuple[TileKind, ...]:
        """The table of kinds, which a map is made with."""
        return self._kinds

    @property
    def step_height(self) -> float:
        """Height of one level in world units."""
        return self._step_height

    @property
    def base_z(self) -> float:
        """Bottom of every column, in world units."""
        return BASE_Z

    @property
    def level(self) -> NDArray[np.int16]:
        """(rows, cols) levels of the ground; `edit` changes them."""
        return self._surfaces.level[0, :, :]

    @property
    def kind(self) -> NDArray[np.uint8]:
        """(rows, cols) indices of the ground's kinds in `kinds`; `edit` changes them."""
        return self._surfaces.kind[0, :, :]

    @property
    def void(self) -> NDArray[np.bool_]:
        """(rows, cols) True where there is no ground."""
        return self._surfaces.void[0, :, :]

    @property
    def n_decks(self) -> int:
        """The highest deck number that exists anywhere, 0 without decks.

        An edit that changes it replaces the arrays of surfaces, headroom and walls; arrays read
        before then show the old map.
        """
        return self._surfaces.n_decks

    @property
    def surface_level(self) -> NDArray[np.int16]:
        """(n_decks + 1, rows, cols) levels, 0 where a deck does not exist."""
        return self._surfaces.level.view()

    @property
    def surface_kind(self) -> NDArray[np.uint8]:
        """(n_decks + 1, rows, cols) indices into `kinds`, void where a deck does not exist."""
        return self._surfaces.kind.view()

    @property
    def surface_void(self) -> NDArray[np.bool_]:
        """(n_decks + 1, rows, cols) True where a surface does not exist."""
        return self._surfaces.void.view()

    @property
    def surface_thickness(self) -> NDArray[np.int16]:
        """(n_decks + 1, rows, cols) thickness of decks in levels, 0 for the ground."""
        return self._surfaces.thickness.view()

    @property
    def headroom(self) -> NDArray[np.int16]:
        """(n_decks + 1, rows, cols) free levels above each surface.

        32767 under the open sky, 0 where a deck does not exist.
        """
        return self._surfaces.headroom.view()

    @property
    def wall_bits(self) -> NDArray[np.uint8]:
        """(n_decks + 1, n_decks + 1, rows, cols) walls on the edges of surfaces.

        Bit k of `wall_bits[to, deck, row, col]`: steps from that surface across the edge in
        direction k of `grid.directions` onto deck `to` are blocked.
        """
        return self._surfaces.wall_bits.view()

    @property
    def top_level(self) -> int:
        """The highest level with a surface, 0 without any; computed once after each edit."""
        return self._surfaces.level_span[1]

    @property
    def decks(self) -> NDArray[np.void]:
        """(n,) table of all decks, of `terrain3d.map.surfaces.DECK`."""
        return deck_table(self._surfaces)

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, sorted by their ends; `edit` changes them."""
        return self._surfaces.links.all

    @property
    def walls(self) -> tuple[Wall, ...]:
        """All walls, sorted by their ends; `edit` changes them."""
        return self._surfaces.walls.all

    def links_in(self, rect: Rect) -> list[Link]:
        """Return the links with an end in a rectangle, sorted by their ends."""
        return self._surfaces.links.within(instance_of("rect", rect, Rect))

    def walls_in(self, rect: Rect) -> list[Wall]:
        """Return the walls with an end in a rectangle, sorted by their ends."""
        return self._surfaces.walls.within(instance_of("rect", rect, Rect))

    def cell(self, value: CellLike) -> Cell:
        """Check a cell and return it as a `Cell`; ground counts even where it is void.

        `TypeError` unless it is two or three whole numbers; `IndexError` if it lies outside the
        map or its column has no such deck.
        """
        return self._surfaces.cell(value)

    def has_cell(self, cell: CellLike) -> bool:
        """Return whether `cell` accepts a cell; `TypeError` if it is not a cell at all."""
        known = cell if type(cell) is Cell else as_cell(cell)  # a fast path: called very often
        return self._grid.contains(known) and (not known.deck or self._surfaces.exists(known))

    def has_surface(self, cell: CellLike) -> bool:
        """Return whether a cell has a deck, or ground that is not void; False outside the map."""
        known = cell if type(cell) is Cell else as_cell(cell)
        return self._grid.contains(known) and self._surfaces.exists(known)

    def level_at(self, cell: CellLike) -> int:
        """Return the level of a surface."""
        return int(self._surfaces.level[self._index(cell)])

    def kind_at(self, cell: CellLike) -> TileKind:
        """Return the kind of a surface."""
        return self._kinds[int(self._surfaces.kind[self._index(cell)])]

    def is_void(self, cell: CellLike) -> bool:
        """Return whether the ground at a cell is void; `IndexError` as for `cell`."""
        return bool(self._surfaces.void[self._index(cell)])

    def decks_at(self, cell: CellLike) -> list[int]:
        """Return the deck numbers of the surfaces in a column, from low to high."""
        row, col, _ = self._grid.cell(cell)
        level, void = self._surfaces.level[:, row, col], self._surfaces.void[:, row, col]
        order: list[int] = ascending_order(level, void).tolist()
        return order[: int((~void).sum())]

    def headroom_at(self, cell: CellLike) -> int | None:
        """Return the free levels above a surface; None under the open sky."""
        deck, row, col = self._index(cell)
        column, parts = (slice(None), row, slice(col, col + 1)), self._surfaces
        free = headroom(parts.level[column], parts.thickness[column], parts.void[column])[deck, 0]
        return None if free == OPEN_SKY else int(free)

    def surface_point(self, cell: CellLike) -> tuple[float, float, float]:
        """Return the (x, y, z) of the center of a surface, in world units.

        For void ground it is the point at the level stored there.
        """
        deck, row, col = self._index(cell)
        level = int(self._surfaces.level[deck, row, col])
        return *self._grid.center((row, col)), level * self._step_height

    def _index(self, cell: CellLike) -> tuple[int, int, int]:
        row, col, deck = self._surfaces.cell(cell)
        return deck, row, col

    def pick(self, origin: Sequence[float], direction: Sequence[float]) -> Cell | None:
        """Return the first tile that a ray hits on its top or side; None if it misses the map.

        Origin and direction are (x, y, z) in world units; `ValueError` if a number is not finite
        or the direction has no length.
        """
        hit = self.cast(origin, direction)
        return None if hit is None else hit.cell

    def cast(
        self, origin: Sequence[float], direction: Sequence[float], includes_void: bool = False
    ) -> picking.Hit | None:
        """Return the hit of `pick` with its distance from the origin, in world units.

        With `includes_void`, void ground counts as solid at the level stored for it.
        """
        return picking.cast(
            self._surfaces, self._step_height, BASE_Z, origin, direction, includes_void
        )

    @property
    def version(self) -> int:
        """Number of changes since the map was made."""
        return self._version

    @property
    def revision(self) -> int:
        """Number of the map as it is now; undo and redo lead back to earlier ones."""
        return self._version if self._stroke else self._revision

    def changed_rects(self, version: int) -> tuple[Rect, ...]:
        """Return rectangles that together hold all changes since `version`.

        Changes far apart lie in rectangles of their own.
        """
        count = self._version - whole_number("version", version)
        if count > len(self._recent):
            return (Rect(0, 0, self.rows, self.cols),)
        if count == 1:  # a fast path, as queries usually follow single edits
            return self._recent[-1]
        recent = islice(self._recent, len(self._recent) - max(0, count), None)
        return tuple(dict.fromkeys(chain.from_iterable(recent)))

    def revert(self, change: Change) -> None:
        """Revert the latest change, by `undo` or `redo` where one of these does.

        Raises
        ------
        RuntimeError
            An edit or a stroke is open, or there is a `writer`.
        ValueError
            The map is not as it is after the change.
        """
        self._refuse_inside("revert")
        back = change.inverse()
        for entries, move in ((self._done, self.undo), (self._undone, self.redo)):
            if entries and combine("", (entries[-1][0], back)).is_empty:
                move()
                return
        self._surfaces.check_before(back)
        if back.patches:
            self._surfaces.refuse_overlaps(back.patches)
        self._begin_edit(None)
        self._end_edit(back)

    def edit(self, name: str = "edit", by: object = None) -> Edit:
        """Collect changes in a `with`, then apply all or none as one undo entry of that name.

        `changed` is emitted once. `RuntimeError` if an edit is open, or there is another `writer`.
        """
        instance_of("name", name, str)
        begin = partial(self._begin_edit, by)
        extras = partial(getattr, self, "extras")
        return Edit(self._surfaces, self._kinds, name, begin, self._end_edit, extras)

    @property
    def is_editing(self) -> bool:
        """Whether an edit or a stroke is open."""
        return self._has_edit or self.has_stroke

    def _begin_edit(self, by: object) -> None:
        if self._has_edit:
            raise RuntimeError("this map has an open edit; edits do not nest")
        self._refuse_other(by)
        self._has_edit = True

    def _refuse_other(self, by: object) -> None:
        if self.writer is not None and by is not self.writer:
            raise RuntimeError("this map has another writer now, by a stroke or an action")

    def _end_edit(self, change: Change | None) -> None:
        try:
            if change is not None:
                with self._lock_to_write():
                    rect = self._apply(change)
                    if self._stroke is None:
                        self._add_entry(change)
                    else:
                        self._stroke.append(change)
        finally:
            self._has_edit = False
        if change is not None:
            self._announce(rect, None if self.has_stroke else change)

    def _announce(self, rect: Rect, change: Change | None) -> None:
        try:
            if change is not None:
                self.edited.emit(change)
        finally:
            self.changed.emit(rect)

    def _lock_to_write(self) -> threading.RLock:
        """Return the lock; `RuntimeError` in a thread that holds it already, as for a query."""
        try:
            threading.Condition(self.lock).notify()
        except RuntimeError:  # this thread does not hold the lock
            return self.lock
        raise RuntimeError("a map cannot be edited from inside one of its own queries")

    def _apply(self, change: Change) -> Rect:
        """Apply a change and count it; return the smallest rectangle that holds it."""
        if self._owner is not None or self._sharers:
            self._end_sharing()
        self._surfaces.apply(change)
        for field in ("extras", "unknown_fields"):
            if after := getattr(change, field)[1]:
                set_values(getattr(self, field), after)
        self._version += 1
        self._recent.append(change.rects(self._grid))
        return reduce(Rect.union, self._recent[-1])

    def _add_entry(self, change: Change) -> None:
        self._done.append((change, self._revision))
        self._revision = self._version
        self._undone.clear()

    @property
    def has_stroke(self) -> bool:
        """Whether a stroke is open."""
        return self._stroke is not None

    def begin_stroke(self, name: str = "stroke", by: object = None) -> None:
        """Combine all edits until `end_stroke` into one undo entry; each is applied at once.

        `by` is the `writer` until then. `RuntimeError` if an edit or a stroke is open, or there is
        a writer.
        """
        if self.is_editing:
            raise RuntimeError("this map has an open edit or stroke; strokes do not nest")
        self._refuse_other(None)
        self._stroke, self._stroke_name, self.writer = [], instance_of("name", name, str), by

    def end_stroke(self) -> bool:
        """End the open stroke; return False, without an undo entry, if nothing changed.

        `RuntimeError` if no stroke is open, or an edit is.
        """
        change = self._close_stroke()
        if not change.is_empty:
            self._add_entry(change)
            self.edited.emit(change)
        return not change.is_empty

    def cancel_stroke(self) -> None:
        """End the open stroke and revert its changes; raises as `end_stroke` does."""
        with self._lock_to_write():
            change = self._close_stroke()
            if change.is_empty:
                return
            rect = self._apply(change.inverse())
        self.changed.emit(rect)

    def _close_stroke(self) -> Change:
        if self._has_edit or self._stroke is None:
            raise RuntimeError("there is no open stroke, or an edit in it is open")
        change = combine(self._stroke_name, self._stroke)
        self._stroke = self.writer = None
        return change

    def undo(self) -> bool:
        """Undo the latest edit or stroke; False without one. Raises as `revert`."""
        return self._move("undo", self._done, self._undone)

    def redo(self) -> bool:
        """Redo the latest undone edit or stroke; False without one. Raises as `revert`."""
        return self._move("redo", self._undone, self._done)

    def _move(self, action: str, source: list[_Step], target: list[_Step]) -> bool:
        """Revert the latest of the changes in one list, and add its inverse to the other."""
        with self._lock_to_write():
            self._refuse_inside(action)
            if not source:
                return False
            done, revision = source.pop()
            change = done.inverse()
            target.append((change, self._revision))
            rect, self._revision = self._apply(change), revision
        self._announce(rect, change)
        return True

    def clear_history(self) -> None:
        """Forget all that `undo` and `redo` would do; raises `RuntimeError` as `revert`."""
        self._refuse_inside("clear_history")
        self._done.clear()
        self.clear_redo()

    def clear_redo(self) -> None:
        """Forget all that `redo` would do."""
        self._undone.clear()

    def _refuse_inside(self, action: str) -> None:
        if self.is_editing:
            scope = "edit" if self._has_edit else "stroke"
            raise RuntimeError(f"{action} cannot run inside an open {scope}")
        self._refuse_other(None)

    @property
    def undo_name(self) -> str:
        """Name of the entry that `undo` would revert; "" if there is none."""
        return self._done[-1][0].name if self._done else ""

    @property
    def redo_name(self) -> str:
        """Name of the entry that `redo` would apply; "" if there is none."""
        return self._undone[-1][0].name if self._undone else ""
