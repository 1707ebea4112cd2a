"""What weapons hit by distance, height and arc; the targets of a unit and the threat of teams."""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product, starmap
from types import MappingProxyType
from typing import NamedTuple, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.board.area import MAX_TILES, Area, spread, tiles_around
from ai.board.state import Sides
from ai.board.unit import Unit
from ai.navigation.line_of_sight import LineOfSight
from ai.navigation.reach import Reach
from ai.rules.footprint import over_tiles, tiles_of
from terrain3d import Cell, TileMap, make_grid
from terrain3d.core.checks import (
    finite_number,
    instance_of,
    number_within,
    one_of,
    optional,
    true_or_false,
    whole_within,
)
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import CellLike

WHO = ("enemies", "allies", "all", "self")
"""The units that a weapon can be for; a unit is one of its own allies."""
_MOST_LINES = 4096
"""Looked at together, which bounds the memory."""


def targets_for(who: str, unit: Unit, units: Iterable[Unit], sides: Sides) -> list[Unit]:
    """Return those of some units that a weapon of a unit is for; `ValueError` for other words."""
    if one_of("who", who, WHO) == "self":
        return [unit]
    is_meant = {"allies": sides.are_allies, "enemies": sides.are_enemies}
    return [u for u in units if who == "all" or is_meant[who](u.team, unit.team)]


@dataclass(frozen=True)
class Weapon:
    """The range and the area of a weapon, as data.

    A target is in range if it is `min_tiles` to `max_tiles` steps away, as counted on open, level
    ground, at most `max_up` levels higher or `max_down` lower, and if the shot is not blocked.
    Height changes the range as of bows in Tactics Ogre and Final Fantasy Tactics.

    Parameters
    ----------
    min_tiles, max_tiles : int
        0 <= min_tiles <= max_tiles <= MAX_TILES. With 0 a unit can aim at its own tiles too.
    max_up, max_down : number, in levels
        How much higher or lower a target may be, >= 0.
    tiles_per_level_down, tiles_per_level_up : number
        By how many tiles the range grows for each level that the target is lower, and shrinks for
        each that it is higher, >= 0. With 0.5 it changes by a tile for every two levels. No range
        grows beyond MAX_TILES.
    arc : int or inf
        How many levels the shot flies above the straight line at its middle, 0..MAX_LEVEL, on a
        parabola. 0: it needs a line of sight. inf: nothing blocks it. Both ends are one level above
        their surfaces; what blocks is that of `Navigation.line_of_sight`.
    area : Area, optional
        What is hit around the aim, or from the attacker to it; the aim alone if not given.
    stops_at_walls : bool
        Whether it hits only tiles that steps over edges without walls lead to, each farther away.

    Raises
    ------
    TypeError, ValueError
        A value has another type or is out of its limits; a line or cone with `min_tiles` 0.
    """

    min_tiles: int = 1
    max_tiles: int = 1
    max_up: float = math.inf
    max_down: float = math.inf
    tiles_per_level_down: float = 0
    tiles_per_level_up: float = 0
    arc: float = 0
    area: Area | None = None
    stops_at_walls: bool = False

    def __post_init__(self) -> None:
        """Check the fields."""
        whole_within("max_tiles", self.max_tiles, 0, MAX_TILES)
        whole_within("min_tiles", self.min_tiles, 0, self.max_tiles)
        for name in ("max_up", "max_down"):
            number_within(name, getattr(self, name), 0)
        for name in ("tiles_per_level_down", "tiles_per_level_up"):
            finite_number(name, getattr(self, name), 0)
        if not (isinstance(self.arc, float) and self.arc == math.inf):
            whole_within("arc", cast(int, self.arc), 0, MAX_LEVEL)
        true_or_false("stops_at_walls", self.stops_at_walls)
        area = optional("area", self.area, Area)
        if area is not None and area.length is not None and self.min_tiles == 0:
            raise ValueError(f"a {area.shape} has no direction at 0 tiles: min_tiles must be >= 1")


def range_of(weapon: Weapon, drop: ArrayLike) -> NDArray[np.float64]:
    """Return how many tiles away from a unit targets may be that are so many levels lower."""
    gained = weapon.tiles_per_level_down * np.maximum(drop, 0)
    return np.asarray(weapon.max_tiles + gained + weapon.tiles_per_level_up * np.minimum(drop, 0))


class AttackRange:
    """The surfaces that a weapon hits from each surface, until the map is edited."""

    def __init__(self, tilemap: TileMap, weapon: Weapon) -> None:
        self._tilemap, self._weapon = tilemap, weapon
        self._class = make_grid(tilemap.topology, 2, 2).cell_class()
        self._hits: dict[Cell, NDArray[np.int64]] = {}
        self._cells: dict[Cell, list[Cell]] = {}
        self._areas: dict[tuple[Cell, Cell | None], tuple[Cell, ...]] = {}

    @cached_property
    def _sight(self) -> LineOfSight:
        return LineOfSight(self._tilemap)

    def share(self, tilemap: TileMap) -> Self:
        """Return the range on a map that `TileMap.share` has made of this one's.

        What either finds is known to both: each is dropped when its map is edited.
        """
        made = object.__new__(type(self))
        vars(made).update(vars(self), _tilemap=tilemap)
        vars(made).pop("_sight", None)
        return made

    def hits(self, tiles: Iterable[Cell]) -> dict[Cell, NDArray[np.int64]]:
        """Return (n, 3) row, column and deck of the surfaces hit from each tile with ground."""
        starts = [tile for tile in dict.fromkeys(tiles) if self._tilemap.has_surface(tile)]
        unknown = [tile for tile in starts if tile not in self._hits]
        if unknown:
            found = self._found(np.array(unknown))
            if self._weapon.stops_at_walls:
                found = [*map(self._before_walls, unknown, found)]
            self._hits.update(zip(unknown, found, strict=True))
        return {tile: self._hits[tile] for tile in starts}

    def aims(self, body: Sequence[Cell]) -> dict[Cell, Sequence[Cell]]:
        """Return for each surface in range of a body's tiles what is hit by aiming at it.

        `hits` has to be asked for the tiles before. A line or cone begins at the first of the tiles
        that have the aim in range, and spares the body.
        """
        area, is_own = self._weapon.area, self._weapon.min_tiles == 0
        starts: dict[Cell, Cell] = {}
        for tile in body:
            if tile not in self._cells:
                ends = self._hits[tile].tolist() if tile in self._hits else []
                self._cells[tile] = [*starmap(Cell, ends)]
            for aim in self._cells[tile]:
                if is_own or aim not in body:
                    starts.setdefault(aim, tile)
        if area is None:
            return {aim: (aim,) for aim in starts}
        found: dict[Cell, Sequence[Cell]] = {}
        for aim, tile in starts.items():
            key = aim, None if area.length is None else tile
            if key not in self._areas:
                self._areas[key] = area.cells(self._tilemap, *key)
            found[aim] = self._areas[key]
            if area.length is not None and len(body) > 1:
                found[aim] = [cell for cell in found[aim] if cell not in body]
        return found

    def struck(self, bodies: Iterable[Sequence[Cell]]) -> NDArray[np.int64]:
        """Return (n, 3) surfaces hit from any of some bodies, perhaps several times.

        As of `aims`; without an area a body may hit its own tiles.
        """
        if self._weapon.area is None:
            arrays = [*self.hits(chain.from_iterable(bodies)).values()]
        else:
            cells = chain.from_iterable(self.aims(body).values() for body in bodies)
            arrays = [np.array([*dict.fromkeys(chain.from_iterable(cells))], np.int64)]
        none = np.zeros((0, 3), np.int64)
        return np.concatenate([none, *(each.reshape(-1, 3) for each in arrays)])

    def _found(self, starts: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return what is hit from each of (n, 3) surfaces, in reading order."""
        tilemap, weapon = self._tilemap, self._weapon
        levels, is_void = tilemap.surface_level.astype(np.int64), tilemap.surface_void
        rows, cols, decks = starts.T
        gained = weapon.tiles_per_level_down * int(levels[decks, rows, cols].max())
        far = math.floor(min(weapon.max_tiles + gained, MAX_TILES, tilemap.rows + tilemap.cols))
        classes = self._class[rows & 1, cols & 1]
        found: dict[int, NDArray[np.int64]] = {}
        for cell_class in np.unique(classes).tolist():
            _, offset, _, steps = tiles_around(tilemap.topology, cell_class, far)
            in_range = (steps >= weapon.min_tiles) & (steps <= far)
            offset, steps = offset[in_range], steps[in_range]
            here = np.flatnonzero(classes == cell_class)
            n_parts = min(len(here), 1 + len(here) * len(steps) // _MOST_LINES)
            for numbers in np.array_split(here, n_parts):
                row, col = (starts[numbers, axis, None] + offset[:, axis] for axis in (0, 1))
                inside = (row >= 0) & (row < tilemap.rows) & (col >= 0) & (col < tilemap.cols)
                exists = np.zeros((*row.shape, len(levels)), dtype=np.bool_)
                exists[inside] = ~is_void[:, row[inside], col[inside]].T
                number, place, deck = np.nonzero(exists)
                end = np.column_stack([row[number, place], col[number, place], deck])
                hit = self._is_hit(starts[numbers[number]], end, steps[place], levels)
                n_hit = np.bincount(number[hit], minlength=len(numbers))
                ends = np.split(end[hit], np.cumsum(n_hit)[:-1])
                found.update(zip(numbers.tolist(), ends, strict=True))
        return [found[number] for number in range(len(starts))]

    def _before_walls(self, start: Cell, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of (n, 3) surfaces to which no wall keeps a shot from coming."""
        grid, here = self._tilemap.grid, start[:2]
        cells = [Cell(*end) for end in ends.tolist()]
        far = max((grid.distance(here, cell[:2]) for cell in cells), default=0)
        rows, cols = (range(max(0, at - far), at + far + 1) for at in here)
        near = ((row, col) for row, col in product(rows, cols) if grid.contains(Cell(row, col)))
        columns = {tile for tile in near if grid.distance(here, tile) <= far}
        open_to = spread(self._tilemap, start, columns, goes_on=True)
        return ends[[cell in open_to for cell in cells]]

    def _is_hit(
        self,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        steps: NDArray[np.int64],
        levels: NDArray[np.int64],
    ) -> NDArray[np.bool_]:
        """(n,) bool, which ends are hit from their starts, so many steps away."""
        weapon = self._weapon
        drop = levels[tuple(starts.T[[2, 0, 1]])] - levels[tuple(ends.T[[2, 0, 1]])]
        is_hit = (drop >= -weapon.max_up) & (drop <= weapon.max_down)
        is_hit &= steps <= range_of(weapon, drop)
        rest = np.flatnonzero(is_hit)
        if len(rest) and weapon.arc != math.inf:
            is_hit[rest] = self._sight.are_open(starts[rest], ends[rest], arc=int(weapon.arc))
        result: NDArray[np.bool_] = is_hit
        return result


class Hit(NamedTuple):
    """What an attack on one cell hits: cells, and units in the order of the board."""

    cells: Sequence[Cell]
    units: tuple[Unit, ...]


@dataclass(frozen=True, repr=False)
class Targets:
    """The targets of a unit with a weapon, from its cell and from every cell that it can reach.

    A unit of several tiles attacks from each of them, and is hit on each of them. Units block no
    shots. Like a `Reach` it describes the map and the units as they were at the time of the query.

    Parameters
    ----------
    cells : tuple of Cell
        The cells in range of its cell: those that it can aim at.
    units : tuple of Unit
        The units that it can hit from its cell, in the order of the board.
    from_cells : mapping from Unit to cells
        For each unit that it can hit after a move, the cells to attack from: its own cell first,
        then those that are cheapest to reach.
    aims : mapping from Cell to Hit
        For each of `cells` the cells and units that an attack on it hits.
    after_move : set of Cell
        The cells that it can hit from its cell or after a move, occupied or not.
    """

    cells: tuple[Cell, ...]
    units: tuple[Unit, ...]
    from_cells: Mapping[Unit, Sequence[Cell]]
    aims: Mapping[Cell, Hit]
    after_move: Set[Cell]

    @classmethod
    def of(
        cls,
        unit: Unit,
        stands: Iterable[Cell],
        attack_range: AttackRange,
        others: Iterable[Unit],
    ) -> Self:
        """Return which of the others a unit can hit from where it can stand, its own cell first."""
        bodies = {stand: tiles_of(stand, unit.profile) for stand in stands}
        here, *_ = bodies

        def tiles(other: Unit, at: Cell) -> tuple[Cell, ...]:
            return bodies[at] if other is unit else other.cells

        attack_range.hits(chain.from_iterable(bodies.values()))
        aims = {stand: attack_range.aims(body) for stand, body in bodies.items()}
        struck = {at: {*chain.from_iterable(cells.values())} for at, cells in aims.items()}
        able = {
            other: tuple(at for at in bodies if not struck[at].isdisjoint(tiles(other, at)))
            for other in others
        }
        from_cells = {other: cells for other, cells in able.items() if cells}
        units = tuple(other for other, cells in from_cells.items() if cells[0] == here)
        where = [(unit, {*tiles(unit, here)}) for unit in units]
        found = {
            aim: Hit(cells, tuple(unit for unit, body in where if not body.isdisjoint(cells)))
            for aim, cells in aims[here].items()
        }
        after_move = frozenset(chain.from_iterable(struck.values()))
        mappings = MappingProxyType(from_cells), MappingProxyType(found)
        return cls(tuple(found), units, *mappings, after_move)

    def __repr__(self) -> str:
        """Show the number of targets now and after a move."""
        return f"<Targets: {len(self.units)} now, {len(self.from_cells)} after a move>"


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
    ranges : mapping from Unit to a sequence of AttackRange
        The ranges of the enemies that have weapons.
    """

    def __init__(
        self,
        tilemap: TileMap,
        reaches: Iterable[tuple[Unit, Reach]],
        ranges: Mapping[Unit, Sequence[AttackRange]],
    ) -> None:
        self._tilemap = tilemap
        self._reaches = [(unit, unit.profile, reach) for unit, reach in reaches]
        bodies = {
            unit: [tiles_of(cell, profile) for cell in reach]
            for unit, profile, reach in self._reaches
            if unit in ranges
        }
        for each in set(chain.from_iterable(ranges.values())):
            armed = (bodies[unit] for unit in bodies if each in ranges[unit])
            each.hits(chain.from_iterable(chain.from_iterable(armed)))  # far faster at once
        none = np.zeros((0, 3), np.int64)
        self._hits = {
            unit: np.concatenate([none, *(each.struck(bodies[unit]) for each in ranges[unit])])
            for unit in bodies
        }
        self._masks: list[tuple[Unit, NDArray[np.bool_]]] = []
        count = np.zeros((tilemap.rows, tilemap.cols), dtype=np.int32)
        for unit, profile, reach in self._reaches:
            mask = over_tiles(reach.as_mask(), profile.size, np.logical_or)
            if unit in self._hits:
                row, col, _ = self._hits[unit].T
                mask[row, col] = True
            self._masks.append((unit, mask))
            count += mask
        count.flags.writeable = False
        self.count: NDArray[np.int32] = count
        """(rows, cols) int32, how many enemies could reach or hit each tile on any deck.

        Read-only.
        """

    def __repr__(self) -> str:
        """Show the number of enemies and of tiles."""
        tiles = np.count_nonzero(self.count)
        return f"<Threat of {len(self._masks)} units to {tiles} tiles>"

    @property
    def cells(self) -> list[Cell]:
        """The cells that any enemy could reach or hit, each on the deck that it reaches."""
        return list(dict.fromkeys(chain(*(self.cells_of(unit) for unit, *_ in self._reaches))))

    def cells_of(self, unit: Unit) -> list[Cell]:
        """Return the cells that one enemy could reach or hit; none of any other unit."""
        instance_of("unit", unit, Unit)
        found = [(profile, reach) for each, profile, reach in self._reaches if each is unit]
        tiles = (tiles_of(cell, profile) for profile, reach in found for cell in reach)
        hits = (starmap(Cell, hit.tolist()) for each, hit in self._hits.items() if each is unit)
        return list(dict.fromkeys(chain(*tiles, *hits)))

    def by(self, cell: CellLike) -> tuple[Unit, ...]:
        """Return the enemies that could reach or hit a tile, on any deck, as the board has them."""
        row, col, _ = self._tilemap.cell(cell)
        return tuple(unit for unit, mask in self._masks if mask[row, col])
