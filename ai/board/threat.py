"""Count which units of other teams could reach each tile."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ai.board.unit import Unit
from ai.navigation.reach import Reach
from terrain3d import Cell, TileMap
from terrain3d.grid.grid import CellLike


class Threat:
    """Which enemies could reach each tile in one turn with all of their points.

    Like a `Reach` it describes the map and the units as they were at the time of the query.

    Parameters
    ----------
    tilemap : TileMap
    reaches : (unit, Reach) pairs
        What each enemy reaches.
    """

    def __init__(self, tilemap: TileMap, reaches: Iterable[tuple[Unit, Reach]]) -> None:
        self._tilemap = tilemap
        self._reaches = tuple(reaches)
        self._masks = [(unit, reach.as_mask()) for unit, reach in self._reaches]
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
        return list(dict.fromkeys(cell for _, reach in self._reaches for cell in reach.cells))

    def by(self, cell: CellLike) -> tuple[Unit, ...]:
        """Return the enemies that could reach a tile on any deck, in the order of the board.

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is not a cell.
        """
        row, col, _ = self._tilemap.cell(cell)
        return tuple(unit for unit, mask in self._masks if mask[row, col])
