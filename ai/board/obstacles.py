"""Describe the other units on a board as obstacles for one unit, zones of control included."""

from collections.abc import Iterable
from itertools import product

from ai.board.unit import Unit
from ai.navigation.blockers import BlockerCells
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from ai.rules.reasons import blocked_reason, corner_reason, halt_reason
from terrain3d import Cell, Reason, TileMap


class ZonesOfControl:
    """Zones of control of units, cached until the map is edited.

    A unit controls the surfaces that it would cover after one step, leap, link or warp, also those
    over which it only flies; enemies end their moves there.
    """

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = navigation
        self._zones: dict[tuple[Cell, MoveProfile], frozenset[Cell]] = {}
        self._version = navigation.tilemap.version

    def of(self, unit: Unit) -> frozenset[Cell]:
        """Return every surface that the unit would cover after one legal move from its cell."""
        version = self._navigation.tilemap.version
        if version != self._version:
            self._version = version
            self._zones.clear()
        key = unit.cell, unit.profile
        if key not in self._zones:
            ends = self._navigation.steps_from(*key)
            self._zones[key] = frozenset(tile for end in ends for tile in tiles_of(end, key[1]))
        return self._zones[key]


class Obstacles:
    """All units but one, as obstacles for that one; a unit whose deck is gone blocks nothing."""

    def __init__(
        self, unit: Unit, units: Iterable[Unit], tilemap: TileMap, zones: ZonesOfControl
    ) -> None:
        self._unit = unit
        others = [each for each in units if each is not unit and tilemap.has_cell(each.cell)]
        self._allies = [other for other in others if other.team == unit.team]
        enemies = [other for other in others if other.team != unit.team]
        ignores_zoc = unit.profile.ignores_zoc
        self._enemies = [
            (enemy, zones.of(enemy) if enemy.has_zoc and not ignores_zoc else frozenset())
            for enemy in enemies
        ]

    @property
    def blockers(self) -> BlockerCells:
        """Cells that enemies block, that allies hold, and that enemies' zones of control cover."""
        return BlockerCells(
            blocked=[tile for enemy, _ in self._enemies for tile in enemy.cells],
            passable=[tile for ally in self._allies for tile in ally.cells],
            halting=sorted(frozenset().union(*(zone for _, zone in self._enemies))),
        )

    def name_blockers(self, path: Path) -> Path:
        """Return a path as it is, or no path with a reason that names the blocking unit."""
        return path or Path.none(_NamedReason(path, self._unit.profile.size, self._enemies))


class _NamedReason:
    """The reason why there is no path, with the name of the blocking unit; made when it is read."""

    def __init__(self, path: Path, size: int, enemies: list[tuple[Unit, frozenset[Cell]]]) -> None:
        self._path = path
        self._size = size
        # Units may have moved by the time it is read.
        self._enemies = [(enemy.name, enemy.cells, sorted(zone)) for enemy, zone in enemies]

    def __str__(self) -> str:
        """Return the reason with the name of the unit that stands there or controls the tile."""
        reason = self._path.reason
        for name, tiles, zone in self._enemies:
            for tile in tiles:
                for cell in self._cells_covering(tile):
                    occupied, stands = blocked_reason(cell), Reason("{} stands on {}", name, tile)
                    if reason == occupied:
                        return stands
                    if reason == corner_reason(occupied):
                        return corner_reason(stands)
            for tile in zone:
                for cell in self._cells_covering(tile):
                    if reason == halt_reason(cell):
                        return Reason("{}'s zone of control ends the path at {}", name, cell)
        return reason

    def _cells_covering(self, tile: Cell) -> list[Cell]:
        """Return the cells on which the mover would cover a tile."""
        offsets = range(self._size)
        pairs = product(offsets, offsets)
        return [tile._replace(row=tile.row - down, col=tile.col - right) for down, right in pairs]


def occupied_reason(units: Iterable[Unit], unit: Unit, cell: Cell) -> str:
    """Return which other unit stands where a unit would stand at a cell; "" if none does."""
    wanted = tiles_of(cell, unit.profile)
    for other in units:
        shared = [tile for tile in other.cells if tile in wanted]
        if shared and other is not unit:
            return Reason("{} stands on {}", other.name, shared[0])
    return ""
