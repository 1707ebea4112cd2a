"""The other units on a board, as one of them has to heed them on its ways."""

from collections.abc import Iterable
from itertools import product

from ai.board.unit import Unit, is_there
from ai.board.zone_of_control import Zones
from ai.navigation.blockers import BlockerCells
from ai.navigation.path import Path
from ai.rules.footprint import tiles_of
from terrain3d import Cell, TileMap


class _Reason:
    """Why there is no way; who stands in it is named when somebody reads it.

    Parameters
    ----------
    path : Path
        No way.
    size : int
        How many tiles wide the mover is.
    enemies : list of (Unit, zone)
        Each with its zone of control, as far as it matters to the mover.
    """

    def __init__(self, path: Path, size: int, enemies: list[tuple[Unit, frozenset[Cell]]]) -> None:
        self._path = path
        self._size = size
        # They may have gone by the time it is read.
        self._known = [(enemy.name, enemy.cells, sorted(zone)) for enemy, zone in enemies]

    def __str__(self) -> str:
        """Tell whose tile it is that is occupied, and whose zone of control a way has to end in."""
        reason = self._path.reason
        for name, tiles, zone in self._known:
            for tile in tiles:
                for cell in self._covering(tile):
                    if reason.endswith(f"{cell} is occupied"):
                        return reason.replace(f"{cell} is occupied", f"{name} stands on {tile}")
            for tile in zone:
                for cell in self._covering(tile):
                    if reason == f"a way has to end at {cell}":
                        return f"{reason}, in {name}'s zone of control"
        return reason

    def _covering(self, tile: Cell) -> list[Cell]:
        """List the cells at which the mover would cover a tile."""
        reach = range(self._size)
        return [tile._replace(row=tile.row - i, col=tile.col - j) for i, j in product(reach, reach)]


class Obstacles:
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
    def blockers(self) -> BlockerCells:
        """Enemies block, allies can be passed, and paths end in enemies' zones of control."""
        return BlockerCells(
            blocked=[tile for enemy in self._enemies for tile in enemy.cells],
            passable=[tile for ally in self._allies for tile in ally.cells],
            halting=sorted(frozenset().union(*map(self._zone_of, self._enemies))),
        )

    def named(self, path: Path) -> Path:
        """Give a way as it is; if there is none, let its reason tell who stands in the way."""
        if path:
            return path
        enemies = [(enemy, self._zone_of(enemy)) for enemy in self._enemies]
        return Path.none(_Reason(path, self._unit.profile.size, enemies))

    def _zone_of(self, enemy: Unit) -> frozenset[Cell]:
        if not enemy.has_zoc or self._unit.profile.ignores_zoc:
            return frozenset()
        return self._zones.of(enemy)


def occupied_reason(units: Iterable[Unit], unit: Unit, cell: Cell) -> str:
    """Say who else stands where a unit would at a cell; "" if nobody does."""
    wanted = tiles_of(cell, unit.profile)
    for other in units:
        shared = [tile for tile in other.cells if tile in wanted]
        if shared and other is not unit:
            return f"{other.name} stands on {shared[0]}"
    return ""
