"""Count which units of other teams could reach, or hit, each tile."""

from collections.abc import Iterable, Mapping
from itertools import chain, product, starmap

import numpy as np
from numpy.typing import NDArray

from ai.board.attack_range import AttackRange
from ai.board.unit import Unit
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap
from terrain3d.grid.grid import CellLike


class Threat:
    """The enemies that could reach each tile in one turn with all of their points.

    A unit of several tiles reaches all tiles that it could cover, and a unit with a weapon also the
    tiles that it could hit after a move. Like a `Reach` it describes the map and the units as they
    were at the time of the query.

    Parameters
    ----------
    tilemap : TileMap
    reaches : (unit, Reach) pairs
        What each enemy reaches.
    ranges : mapping from Unit to AttackRange
        The range of the enemies that have a weapon.
    """

    def __init__(
        self,
        tilemap: TileMap,
        reaches: Iterable[tuple[Unit, Reach]],
        ranges: Mapping[Unit, AttackRange],
    ) -> None:
        self._tilemap = tilemap
        self._reaches = [(unit, unit.profile, reach) for unit, reach in reaches]
        self._masks = [
            (unit, _covered(reach, profile.size)) for unit, profile, reach in self._reaches
        ]
        self._hits = _hits(tilemap, self._reaches, ranges)
        for unit, mask in self._masks:
            if unit in self._hits:
                row, col, _ = self._hits[unit].T
                mask[row, col] = True
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
        """(rows, cols) int32, how many enemies could reach or hit each tile on any deck.

        Read-only.
        """
        return self._count

    @property
    def cells(self) -> list[Cell]:
        """The cells that any enemy could reach or hit, each on the deck that it reaches."""
        tiles = (tiles_of(cell, profile) for _, profile, reach in self._reaches for cell in reach)
        hits = chain.from_iterable(starmap(Cell, hit.tolist()) for hit in self._hits.values())
        return list(dict.fromkeys(chain(chain.from_iterable(tiles), hits)))

    def by(self, cell: CellLike) -> tuple[Unit, ...]:
        """Return the enemies that could reach or hit a tile on any deck, in the order of the board.

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is not a cell.
        """
        row, col, _ = self._tilemap.cell(cell)
        return tuple(unit for unit, mask in self._masks if mask[row, col])


def _hits(
    tilemap: TileMap,
    reaches: Iterable[tuple[Unit, MoveProfile, Reach]],
    ranges: Mapping[Unit, AttackRange],
) -> dict[Unit, NDArray[np.int64]]:
    """Return (n, 3) row, column and deck of what each unit with a weapon could hit after a move."""
    tiles = {
        unit: [
            tile for cell in reach for tile in tiles_of(cell, profile) if tilemap.has_surface(tile)
        ]
        for unit, profile, reach in reaches
        if unit in ranges
    }
    for attack_range in set(ranges.values()):  # many starts at once are found much faster
        attack_range.hits(
            [t for unit in tiles if ranges[unit] is attack_range for t in tiles[unit]]
        )
    return {
        unit: np.concatenate([np.zeros((0, 3), np.int64), *ranges[unit].hits(found)])
        for unit, found in tiles.items()
    }


def _covered(reach: Reach, size: int) -> NDArray[np.bool_]:
    """(rows, cols) bool, which tiles a mover of size x size tiles covers on reached cells."""
    mask = reach.as_mask()
    covered, (rows, cols) = mask.copy(), mask.shape
    for down, right in product(range(size), repeat=2):
        covered[down:, right:] |= mask[: rows - down, : cols - right]
    return covered
