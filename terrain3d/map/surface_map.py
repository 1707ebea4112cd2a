"""What a map tells of itself: its arrays, its cells, and where its surfaces lie in the world."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.columns import OPEN_SKY
from terrain3d.grid.grid import Cell, CellLike, Grid, Rect, as_cell
from terrain3d.grid.kinds import TileKind
from terrain3d.grid.links import Link, Wall
from terrain3d.map import picking
from terrain3d.map.content import Content
from terrain3d.map.surfaces import Surfaces

BASE_Z = -1.0
"""Where every column of the map ends below, in world units."""


class SurfaceMap:
    """Surfaces, links and walls of a map, to be read; `TileMap` makes and edits them."""

    def __init__(
        self, content: Content, kinds: tuple[TileKind, ...], step_height: float, topology: str
    ) -> None:
        self._content = content
        self._grid = content.grid
        self._kinds = kinds
        self._step_height = step_height
        self._topology = topology

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
        return self._surfaces.level[0, :, :]

    @property
    def kind(self) -> NDArray[np.uint8]:
        """(rows, cols) the ground's indices into `kinds`, read-only; they follow every edit."""
        return self._surfaces.kind[0, :, :]

    @property
    def void(self) -> NDArray[np.bool_]:
        """(rows, cols) True where there is no ground, read-only; they follow every edit."""
        return self._surfaces.void[0, :, :]

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

    def links_in(self, rect: Rect) -> list[Link]:
        """List the links that have an end in a rectangle, in the order of their ends."""
        return self._content.links.within(rect)

    def walls_in(self, rect: Rect) -> list[Wall]:
        """List the walls that have an end in a rectangle, in the order of their ends."""
        return self._content.walls.within(rect)

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

    def has_cell(self, cell: CellLike) -> bool:
        """Return whether `cell` accepts a cell: it lies in the map and its deck exists.

        Void ground counts; see `has_surface`. `TypeError` for what is no cell.
        """
        row, col, deck = cell = as_cell(cell)
        is_inside = 0 <= row < self._grid.rows and 0 <= col < self._grid.cols
        return is_inside and (deck == 0 or self._surfaces.exists(cell))

    def has_surface(self, cell: CellLike) -> bool:
        """Return whether there is a surface at a cell: ground that is not void, or a deck.

        False outside the map; `TypeError` for what is no cell.
        """
        row, col, deck = as_cell(cell)
        is_inside = 0 <= row < self._grid.rows and 0 <= col < self._grid.cols
        return is_inside and self._surfaces.exists(Cell(row, col, deck))

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

    def cast(
        self, origin: Sequence[float], direction: Sequence[float], takes_void: bool = False
    ) -> picking.Hit | None:
        """Find what `pick` finds, with how far along the ray it lies in world units.

        With `takes_void`, void ground counts as if it were there, at the level stored for it.
        """
        return picking.cast(
            self._grid, self._surfaces, self._step_height, BASE_Z, origin, direction, takes_void
        )

    @property
    def _surfaces(self) -> Surfaces:
        return self._content.surfaces
