"""What a map holds: its surfaces, links and walls, and how a change is written into them."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell, CellLike, Grid
from terrain3d.grid.links import Link, Pairs, Wall
from terrain3d.map import wall_bits
from terrain3d.map.change import Change
from terrain3d.map.surfaces import Surfaces


class Content:
    """Surfaces, links and walls of one map; only `apply` changes them."""

    def __init__(self, grid: Grid, surfaces: Surfaces) -> None:
        self.grid = grid
        self.surfaces = surfaces
        self.links = Pairs(Link)
        self.walls = Pairs(Wall)
        self._bits: NDArray[np.uint8] | None = None

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle without what can be found again."""
        return {**vars(self), "_bits": None}

    @property
    def wall_bits(self) -> NDArray[np.uint8]:
        """The walls as `wall_bits.bits_of` tells; follows changes once made."""
        if self._bits is None:
            self._bits = wall_bits.bits_of(self.grid, self.surfaces.n_decks, self.walls.all)
        return self._bits

    def cell(self, value: CellLike) -> Cell:
        """Check a cell that a caller gave: its column, and that its deck exists there."""
        cell = self.grid.within(value)
        if cell.deck and not self.surfaces.exists(cell):
            raise IndexError(f"({cell.row}, {cell.col}) has no deck {cell.deck}")
        return cell

    def apply(self, change: Change) -> None:
        """Make a change that fits what is here."""
        n_decks = self.surfaces.n_decks
        if change.patches:
            self.surfaces.apply(change.patches)
        self.links.swap(*change.links)
        self.walls.swap(*change.walls)
        if self.surfaces.n_decks != n_decks:
            self._bits = None
        elif self._bits is not None and any(change.walls):
            wall_bits.swap(self._bits, self.grid, *change.walls, self.walls.all)
