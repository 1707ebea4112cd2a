"""The map: its surfaces, links and walls, their edits, and where surfaces lie in the world."""

import copy
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d import noise, picking
from terrain3d.change import Change
from terrain3d.checks import MAX_CELLS, whole_number, whole_numbers
from terrain3d.columns import OPEN_SKY
from terrain3d.content import Content
from terrain3d.draft import Draft
from terrain3d.edit import MAX_LEVEL, Edit
from terrain3d.grid import Cell, CellLike, Grid, Rect
from terrain3d.ground import ground_kinds
from terrain3d.history import History
from terrain3d.kinds import KINDS, VOID, TileKind, index_of, kind_table
from terrain3d.links import Link, Wall
from terrain3d.mapfile import text as text_picture
from terrain3d.signals import Signal
from terrain3d.surfaces import Surfaces
from terrain3d.topology import make_grid

BASE_Z = -1.0
"""Where every column of the map ends below, in world units."""


class TileMap:
    """Stepped terrain: every tile has a whole level and a kind of ground.

    Parameters
    ----------
    level : (rows, cols) int
        Height of each tile's top in steps, 0..MAX_LEVEL.
    kind : (rows, cols) int, optional
        Index of each tile's kind in `kinds`; all of the first kind that is not void if not given.
    kinds : sequence of TileKind
        The kinds of this map. "void" is added at the end if it is missing.
    step_height : float, in world units
        Height of one level; a tile's edge is 1.
    topology : str
        How the tiles lie: one of `topology.TOPOLOGIES`.

    Raises
    ------
    TypeError, ValueError
        An array has the wrong shape, type or range; names of kinds repeat; a bad step height; the
        topology is unknown.

    Notes
    -----
    The map is changed by `edit`, `undo` and `redo` alone.
    """

    changed = Signal("rect")

    def __init__(
        self,
        level: ArrayLike,
        kind: ArrayLike | None = None,
        kinds: Sequence[TileKind] = KINDS,
        step_height: float = 0.5,
        topology: str = "square",
    ) -> None:
        if not isinstance(step_height, int | float | np.integer | np.floating):
            raise TypeError(f"step_height must be a number, got {step_height!r}")
        if not (math.isfinite(step_height) and step_height > 0):
            raise ValueError(f"step_height must be finite and > 0, got {step_height!r}")
        table = kind_table(kinds)
        levels = whole_numbers("level", level, 0, MAX_LEVEL)
        void_index = index_of(VOID.name, table)
        indices = np.full(levels.shape, 0 if void_index else 1)
        if kind is not None:
            indices = whole_numbers("kind", kind, 0, len(table) - 1)
            if indices.shape != levels.shape:
                raise ValueError(f"level is {levels.shape} but kind is {indices.shape}")
        self._kinds = table
        self._step_height = float(step_height)
        self._topology = topology
        self._grid = make_grid(topology, *levels.shape)
        self._content = Content(self._grid, Surfaces(levels, indices, void_index))
        self._history = History()
        self._open: Edit | None = None

    @classmethod
    def from_noise(
        cls,
        rows: int,
        cols: int,
        seed: int,
        levels: int = 5,
        cell_sizes: Sequence[int] = noise.CELL_SIZES,
        weights: Sequence[float] = noise.WEIGHTS,
        step_height: float = 0.5,
        kinds: Sequence[TileKind] = KINDS,
        topology: str = "square",
    ) -> Self:
        """Grow a map of `levels` levels from seeded noise; see `noise.fractal_noise`.

        What ground lies where is told by `ground.ground_kinds`; `kinds` may add to the usual ones.

        Raises
        ------
        TypeError, ValueError
            A size, the seed, the octaves or the number of levels is out of its limits; the
            topology is unknown.
        """
        rows, cols = whole_number("rows", rows), whole_number("cols", cols)
        seed, levels = whole_number("seed", seed), whole_number("levels", levels)
        if rows < 1 or cols < 1:
            raise ValueError(f"a map needs at least 1 row and 1 column, got {rows} x {cols}")
        if rows * cols > MAX_CELLS:
            raise ValueError(f"a map has at most {MAX_CELLS} tiles, got {rows} x {cols}")
        if not 1 <= levels <= MAX_LEVEL + 1:
            raise ValueError(f"levels must be in 1..{MAX_LEVEL + 1}, got {levels}")
        values = noise.fractal_noise(rows, cols, seed, cell_sizes, weights)
        level = noise.quantize(values, levels)
        kind = ground_kinds(level, levels, seed, kinds)
        return cls(level, kind, kinds, step_height, topology)

    @classmethod
    def from_text(
        cls,
        text: str,
        kinds: Sequence[TileKind] = KINDS,
        step_height: float = 0.5,
        source: str = "",
        topology: str = "square",
    ) -> Self:
        r"""Read a text picture, all ground of the first kind; see `mapfile.text`.

        Parameters
        ----------
        text : str
            One line a row, one sign a tile.
        kinds, step_height, topology
            As of a map.
        source : str
            Where the text comes from, for the text of errors.

        Raises
        ------
        MapFileError
            The picture is empty, ragged, or has an unknown sign.
        ValueError
            The table of kinds, the step height or the topology is none.

        Examples
        --------
        >>> TileMap.from_text("003\n#13").level.tolist()
        [[0, 0, 3], [0, 1, 3]]
        """
        if not isinstance(text, str):
            raise TypeError(f"a picture is text, one line a row, got {type(text).__name__}")
        level, is_void = text_picture.parse(text, source)
        table = kind_table(kinds)
        void_index = index_of(VOID.name, table)
        kind = np.where(is_void, void_index, 0 if void_index else 1)
        return cls(level, kind, table, step_height, topology)

    def to_text(self) -> str:
        """Draw the levels as a text picture; `ValueError` above level 35."""
        return text_picture.render(self.level, self.void)

    def __copy__(self) -> Self:
        """Copy the map whole: two maps never share what either can change."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle the map with its history, without who listens to it."""
        return {name: value for name, value in vars(self).items() if name != "changed"}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take a copied state; an edit that was open is open for the first map only."""
        vars(self).update(state)
        self._open = None

    def __repr__(self) -> str:
        """Show the size and the range of levels."""
        return (
            f"<TileMap {self.rows} x {self.cols}, "
            f"levels {self.level.min()}..{self.level.max()}, version {self.version}>"
        )

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._grid.rows

    @property
    def cols(self) -> int:
        """Number of columns."""
        return self._grid.cols

    @property
    def grid(self) -> Grid:
        """How the cells lie."""
        return self._grid

    @property
    def level(self) -> NDArray[np.int16]:
        """(rows, cols) levels of the ground, read-only; they follow every edit."""
        return self._surfaces.level[0]

    @property
    def kind(self) -> NDArray[np.uint8]:
        """(rows, cols) the ground's indices into `kinds`, read-only; they follow every edit."""
        return self._surfaces.kind[0]

    @property
    def void(self) -> NDArray[np.bool_]:
        """(rows, cols) True where there is no ground, read-only; they follow every edit."""
        return self._surfaces.void[0]

    @property
    def n_decks(self) -> int:
        """The highest number of a deck that exists anywhere, 0 without decks.

        When an edit changes it, the arrays of surfaces, headroom and walls are new ones, and those
        of before show an old map; else they are the same memory for ever.
        """
        return self._surfaces.n_decks

    @property
    def surface_level(self) -> NDArray[np.int16]:
        """(n_decks + 1, rows, cols) levels, 0 where a deck does not exist, read-only."""
        return self._surfaces.level.view()

    @property
    def surface_kind(self) -> NDArray[np.uint8]:
        """(n_decks + 1, rows, cols) indices into `kinds`, void without a deck, read-only."""
        return self._surfaces.kind.view()

    @property
    def surface_void(self) -> NDArray[np.bool_]:
        """(n_decks + 1, rows, cols) True where a surface does not exist, read-only."""
        return self._surfaces.void.view()

    @property
    def surface_thickness(self) -> NDArray[np.int16]:
        """(n_decks + 1, rows, cols) levels a deck reaches down, 0 for the ground, read-only."""
        return self._surfaces.thickness.view()

    @property
    def headroom(self) -> NDArray[np.int16]:
        """(n_decks + 1, rows, cols) free levels above each surface, read-only.

        32767 under the open sky, 0 where a deck does not exist.
        """
        return self._surfaces.headroom.view()

    @property
    def wall_bits(self) -> NDArray[np.uint8]:
        """(n_decks + 1, rows, cols) walls around each surface, read-only.

        Bit k: nobody steps from there across the edge in direction k of `grid.directions`.
        """
        return self._content.wall_bits.view()

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, in the order of their ends."""
        return self._content.links.all

    @property
    def walls(self) -> tuple[Wall, ...]:
        """All walls, in the order of their ends."""
        return self._content.walls.all

    @property
    def kinds(self) -> tuple[TileKind, ...]:
        """The table of kinds."""
        return self._kinds

    @property
    def top_level(self) -> int:
        """The highest level with a surface, 0 without any; found once after each edit."""
        return self._surfaces.span[1]

    @property
    def step_height(self) -> float:
        """Height of one level in world units."""
        return self._step_height

    @property
    def topology(self) -> str:
        """How the tiles lie."""
        return self._topology

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The smallest (x0, y0, x1, y1) that holds all tiles, in world units."""
        return self._grid.extent

    @property
    def base_z(self) -> float:
        """Where every column ends below, in world units."""
        return BASE_Z

    @property
    def version(self) -> int:
        """Counts the changes since the map was made."""
        return self._history.version

    def cell(self, value: CellLike) -> Cell:
        """Check a cell that a caller gave and return it as a `Cell`; the ground always exists.

        Raises
        ------
        TypeError
            It is not two or three whole numbers.
        IndexError
            It lies outside the map, or its column has no such deck.
        """
        return self._content.cell(value)

    def level_at(self, cell: CellLike) -> int:
        """Give a surface's level."""
        return int(self._surfaces.level[self._place(cell)])

    def kind_at(self, cell: CellLike) -> TileKind:
        """Give a surface's kind."""
        return self._kinds[int(self._surfaces.kind[self._place(cell)])]

    def is_void(self, cell: CellLike) -> bool:
        """Tell whether there is no ground at a cell."""
        return bool(self._surfaces.void[self._place(cell)])

    def decks_at(self, cell: CellLike) -> list[int]:
        """List the deck numbers of the surfaces in a column that exist, from low to high."""
        row, col, _ = self._grid.cell(cell)
        return self._surfaces.decks_at(row, col)

    def headroom_at(self, cell: CellLike) -> int | None:
        """Count the levels of free air above a surface; None under the open sky."""
        headroom = self._surfaces.headroom_at(self.cell(cell))
        return None if headroom == OPEN_SKY else headroom

    def surface_point(self, cell: CellLike) -> tuple[float, float, float]:
        """Give the (x, y, z) of the center of a surface, in world units.

        Where there is no ground, the point lies where the top of its level would be.
        """
        row, col, deck = self.cell(cell)
        level = int(self._surfaces.level[deck, row, col])
        return *self._grid.center((row, col)), level * self._step_height

    def _place(self, cell: CellLike) -> tuple[int, int, int]:
        row, col, deck = self._content.cell(cell)
        return deck, row, col

    @property
    def _surfaces(self) -> Surfaces:
        return self._content.surfaces

    def pick(self, origin: Sequence[float], direction: Sequence[float]) -> Cell | None:
        """Find the tile that a ray meets first, by its top or its side; None beside the map.

        Parameters
        ----------
        origin, direction : (x, y, z) in world units

        Raises
        ------
        ValueError
            A number is not finite, or the direction has no length.
        """
        hit = self.cast(origin, direction)
        return None if hit is None else hit.cell

    def cast(self, origin: Sequence[float], direction: Sequence[float]) -> picking.Hit | None:
        """Find what `pick` finds, with how far along the ray it lies in world units."""
        return picking.cast(
            self._grid,
            self.level,
            self.void,
            self.top_level,
            self._step_height,
            BASE_Z,
            origin,
            direction,
        )

    @contextmanager
    def edit(self, name: str = "edit") -> Iterator[Edit]:
        """Change the map as one: all of it or nothing, one undo entry, one `changed` signal.

        Parameters
        ----------
        name : str
            What the undo entry is called.

        Raises
        ------
        RuntimeError
            Another edit of this map is open.
        """
        if self._open is not None:
            raise RuntimeError("this map has an open edit; edits do not nest")
        draft = Draft(self._content)
        edit = self._open = Edit(draft, self._kinds)
        try:
            yield edit
        finally:
            self._open = None
            edit.close()
        change = draft.change(name)
        if change is not None:
            self._history.add(change)
            self._apply(change)

    def undo(self) -> bool:
        """Take the latest edit back; False if there is none."""
        self._refuse_inside_edit("undo")
        change = self._history.step_back()
        if change is not None:
            self._apply(change.turned())
        return change is not None

    def redo(self) -> bool:
        """Make the latest undone edit again; False if there is none."""
        self._refuse_inside_edit("redo")
        change = self._history.step_forward()
        if change is not None:
            self._apply(change)
        return change is not None

    @property
    def undo_name(self) -> str:
        """What the edit that `undo` would take back is called; "" if there is none."""
        return self._history.undo_name

    @property
    def redo_name(self) -> str:
        """What the edit that `redo` would make again is called; "" if there is none."""
        return self._history.redo_name

    def changed_since(self, version: int) -> Rect | None:
        """Give the rectangle that holds all changes since `version`; None if there were none."""
        return self._history.since(version, Rect(0, 0, self.rows, self.cols))

    def _refuse_inside_edit(self, what: str) -> None:
        if self._open is not None:
            raise RuntimeError(f"{what} cannot run inside an open edit")

    def _apply(self, change: Change) -> None:
        self._content.apply(change)
        self.changed.emit(change.rect)
