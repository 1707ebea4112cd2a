"""Targets: what a unit can hit with a weapon, where it stands and after a move."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from ai.board.attack_range import AttackRange
from ai.board.unit import Unit
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from terrain3d import Cell, TileMap


class Targets:
    """The targets of a unit with a weapon, from its cell and from every cell that it can reach.

    A unit of several tiles attacks from each of them, and is hit on each of them. Units block no
    shots. Like a `Reach` it describes the map and the units as they were at the time of the query.

    Parameters
    ----------
    unit : Unit
    reach : Reach
        Where it can go.
    attack_range : AttackRange
    tilemap : TileMap
    enemies : sequence of Unit
    """

    def __init__(
        self,
        unit: Unit,
        reach: Reach,
        attack_range: AttackRange,
        tilemap: TileMap,
        enemies: Iterable[Unit],
    ) -> None:
        stands = list(dict.fromkeys((unit.cell, *reach)))
        hit = dict(zip(stands, _hits(unit, stands, attack_range, tilemap), strict=True))
        found = {
            enemy: tuple(stand for stand in stands if not hit[stand].keys().isdisjoint(enemy.cells))
            for enemy in enemies
        }
        self._cells = tuple(hit[unit.cell])
        self._from_cells = {enemy: cells for enemy, cells in found.items() if cells}
        self._units = tuple(enemy for enemy in self._from_cells if found[enemy][0] == unit.cell)

    def __repr__(self) -> str:
        """Show the number of targets now and after a move."""
        return f"<Targets: {len(self._units)} now, {len(self._from_cells)} after a move>"

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that it can hit from its cell."""
        return self._cells

    @property
    def units(self) -> tuple[Unit, ...]:
        """The enemies that it can hit from its cell, in the order of the board."""
        return self._units

    @property
    def from_cells(self) -> Mapping[Unit, Sequence[Cell]]:
        """For each enemy that it can hit after a move, the cells to attack from.

        Its own cell first, then those that are cheapest to reach.
        """
        return MappingProxyType(self._from_cells)


def _hits(
    unit: Unit, stands: Sequence[Cell], attack_range: AttackRange, tilemap: TileMap
) -> list[dict[Cell, None]]:
    """Return the cells, in order, that a unit hits from each cell on which it could stand."""
    bodies = [tiles_of(stand, unit.profile) for stand in stands]
    tiles = [tile for tile in chain.from_iterable(bodies) if tilemap.has_surface(tile)]
    hits = {
        tile: [Cell(*cell) for cell in found.tolist()]
        for tile, found in zip(tiles, attack_range.hits(tiles), strict=True)
    }
    return [
        dict.fromkeys(cell for tile in body for cell in hits.get(tile, ()) if cell not in body)
        for body in bodies
    ]
