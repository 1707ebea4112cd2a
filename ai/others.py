"""The other units on a board, as one of them has to heed them on its ways."""

from collections.abc import Iterable
from itertools import product

from ai.footing import tiles_of
from ai.path import Path
from ai.unit import Unit, is_there
from ai.zones import Zones
from terrain3d import Cell, TileMap


class _Reason:
    """Why there is no way; who stands in it is named when somebody reads it.

    Parameters
    ----------
    path : Path
        No way.
    size : int
        How many tiles wide the mover is.
    enemies : list of Unit
    """

    def __init__(self, path: Path, size: int, enemies: list[Unit]) -> None:
        self._path = path
        self._size = size
        self._held = [(enemy.name, enemy.cells) for enemy in enemies]  # they may have gone by then

    def __str__(self) -> str:
        """Tell whose tile it is instead of that a cell is occupied."""
        reason = self._path.reason
        for name, tiles in self._held:
            for tile in tiles:
                for down, right in product(range(self._size), repeat=2):
                    covering = Cell(tile.row - down, tile.col - right, tile.deck)
                    if reason == f"{covering} is occupied":
                        return f"{name} stands on {tile}"
        return reason


class Others:
    """All units but one, as that one has to heed them.

    Parameters
    ----------
    unit : Unit
        Who moves.
    units : iterable of Unit
        Who is there. Who has lost the deck under its feet is in nobody's way.
    tilemap : TileMap
    zones : Zones
    """

    def __init__(self, unit: Unit, units: Iterable[Unit], tilemap: TileMap, zones: Zones) -> None:
        self._unit = unit
        others = [u for u in units if u is not unit and is_there(tilemap, u.cell)]
        self._allies = [other for other in others if other.team == unit.team]
        self._enemies = [other for other in others if other.team != unit.team]
        self._zones = zones

    @property
    def blocked(self) -> list[Cell]:
        """Where enemies stand."""
        return [tile for enemy in self._enemies for tile in enemy.cells]

    @property
    def passable(self) -> list[Cell]:
        """Where allies stand."""
        return [tile for ally in self._allies for tile in ally.cells]

    @property
    def halting(self) -> list[Cell]:
        """The enemies' zones of control, as far as they matter to the unit."""
        if self._unit.profile.ignores_zoc:
            return []
        zones = [self._zones.of(enemy) for enemy in self._enemies if enemy.has_zoc]
        return sorted(set().union(*zones))

    def named(self, path: Path) -> Path:
        """Give a way as it is; if there is none, let its reason tell who stands in the way."""
        return path or Path.none(_Reason(path, self._unit.profile.size, self._enemies))


def taken(units: Iterable[Unit], unit: Unit, cell: Cell) -> str:
    """Say who else stands where a unit would at a cell; "" if nobody does."""
    wanted = tiles_of(cell, unit.profile)
    for other in units:
        shared = [tile for tile in other.cells if tile in wanted]
        if shared and other is not unit:
            return f"{other.name} stands on {shared[0]}"
    return ""
