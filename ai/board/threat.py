"""Count which units of other teams could reach each tile."""

from collections.abc import Iterable
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from ai.board.unit import Unit
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from terrain3d import Cell, TileMap
from terrain3d.grid.grid import CellLike


class Threat:
    """Which enemies could reach each tile in one turn with all of their points.

    A unit of several tiles reaches all tiles that it could cover. Like a `Reach` it describes the
    map and the units as they were at the time of the query.

    Parameters
    ----------
    tilemap : TileMap
    reaches : (unit, Reach) pairs
        What each enemy reaches.
    """

    def __init__(self, tilemap: TileMap, reaches: Iterable[tuple[Unit, Reach]]) -> None:
        self._tilemap = tilemap
        self._reaches = [(unit, unit.profile, reach) for unit, reach in reaches]
        self._masks = [
            (unit, _covered(reach, profile.size)) for unit, profile, reach in self._reaches
        ]
        self._count = np.zeros((tilemap.rows, tilemap.cols), dtype=np.int32)
        for _, mask in self._masks:
            self._count += mask
        self._count.flags.writeable = False

    def __repr__(self) -> str:
        """Show the number of enemies and of tiles."""
        tiles = np.count_nonzero(self._count)
        return f"<Threat of {len(self._masks)} units to {tiles} tiles>"

    @property
    def count(self) -> NDArray[np.int32]:
        """(rows, cols) int32, how many enemies could reach each tile on any deck; read-only."""
        return self._count

    @property
    def cells(self) -> list[Cell]:
        """The cells that any enemy could reach, each on the deck that it reaches."""
        tiles = (tiles_of(cell, profile) for _, profile, reach in self._reaches for cell in reach)
        return list(dict.fromkeys(chain.from_iterable(tiles)))

    def by(self, cell: CellLike) -> tuple[Unit, ...]:
        """Return the enemies that could reach a tile on any deck, in the order of the board.

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is not a cell.
        """
        row, col, _ = self._tilemap.cell(cell)
        return tuple(unit for unit, mask in self._masks if mask[row, col])


def _covered(reach: Reach, size: int) -> NDArray[np.bool_]:
    """(rows, cols) bool, which tiles a mover of size x size tiles covers on reached cells."""
    mask = reach.as_mask()
    covered, (rows, cols) = mask.copy(), mask.shape
    for down, right in product(range(size), repeat=2):
        covered[down:, right:] |= mask[: rows - down, : cols - right]
    return covered
