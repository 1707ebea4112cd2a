"""What weapons hit by distance, height and arc; the targets of a unit and the threat of teams."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product, starmap
from types import MappingProxyType
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ai.board.unit import Unit
from ai.navigation.line_of_sight import LineOfSight
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap, make_grid
from terrain3d.core.checks import finite_number, number_within, whole_within
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import CellLike

MAX_TILES = 64
"""The longest range of a weapon, gains by height included."""


@dataclass(frozen=True)
class Weapon:
    """The range of a weapon, as data.

    A target is hit if it is `min_tiles` to `max_tiles` steps away, as counted on open, level
    ground, at most `max_up` levels higher or `max_down` lower, and if the shot is not blocked.
    Height changes the range as of bows in Tactics Ogre and Final Fantasy Tactics.

    Parameters
    ----------
    min_tiles, max_tiles : int
        1 <= min_tiles <= max_tiles <= MAX_TILES.
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

    Raises
    ------
    TypeError, ValueError
        A value has another type or is out of its limits.
    """

    min_tiles: int = 1
    max_tiles: int = 1
    max_up: float = math.inf
    max_down: float = math.inf
    tiles_per_level_down: float = 0
    tiles_per_level_up: float = 0
    arc: float = 0

    def __post_init__(self) -> None:
        """Check the fields."""
        whole_within("max_tiles", self.max_tiles, 1, MAX_TILES)
        whole_within("min_tiles", self.min_tiles, 1, self.max_tiles)
        for name in ("max_up", "max_down"):
            number_within(name, getattr(self, name), 0)
        for name in ("tiles_per_level_down", "tiles_per_level_up"):
            finite_number(name, getattr(self, name), 0)
        if not (isinstance(self.arc, float) and self.arc == math.inf):
            whole_within("arc", cast(int, self.arc), 0, MAX_LEVEL)


class AttackRange:
    """The surfaces that a weapon hits from each surface; kept until an edit in range."""

    def __init__(self, tilemap: TileMap, weapon: Weapon) -> None:
        self._tilemap, self._weapon = tilemap, weapon
        self._sight = LineOfSight(tilemap)
        self._class = make_grid(tilemap.topology, 2, 2).cell_class()
        self._version, self._far = tilemap.version, self._farthest(tilemap.top_level)
        self._hits: dict[Cell, NDArray[np.int64]] = {}

    def hits(self, cells: Sequence[Cell]) -> list[NDArray[np.int64]]:
        """Return (n, 3) row, column and deck of the surfaces hit from each of several surfaces."""
        self._drop_outdated()
        unknown = [cell for cell in dict.fromkeys(cells) if cell not in self._hits]
        if unknown:
            self._hits.update(zip(unknown, self._found(np.array(unknown)), strict=True))
        return [self._hits[cell] for cell in cells]

    def _found(self, starts: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return what is hit from each of (n, 3) surfaces, in reading order."""
        tilemap = self._tilemap
        levels, is_void = tilemap.surface_level.astype(np.int64), tilemap.surface_void
        rows, cols, decks = starts.T
        far = self._farthest(int(levels[decks, rows, cols].max()))
        classes = self._class[rows & 1, cols & 1]
        numbers, ends = [np.zeros(0, dtype=np.int64)], [np.zeros((0, 3), dtype=np.int64)]
        for cell_class in np.unique(classes).tolist():
            here = np.flatnonzero(classes == cell_class)
            for down, right, steps in self._offsets(cell_class, far):
                row, col = rows[here] + down, cols[here] + right
                inside = (row >= 0) & (row < tilemap.rows) & (col >= 0) & (col < tilemap.cols)
                for deck in range(len(levels)):
                    exists = np.flatnonzero(inside)
                    exists = exists[~is_void[deck, row[exists], col[exists]]]
                    end = np.stack([row[exists], col[exists], np.full(len(exists), deck)], axis=1)
                    number = here[exists]
                    hit = self._is_hit(starts[number], end, steps, levels)
                    numbers.append(number[hit])
                    ends.append(end[hit])
        number, end = np.concatenate(numbers), np.concatenate(ends)
        order = np.argsort(number, kind="stable")
        return np.split(end[order], np.cumsum(np.bincount(number, minlength=len(starts)))[:-1])

    def _farthest(self, level: int) -> int:
        """Return how many tiles away a target can be at most from a surface of a level."""
        tilemap, weapon = self._tilemap, self._weapon
        far = weapon.max_tiles + weapon.tiles_per_level_down * level
        return math.floor(min(far, MAX_TILES, tilemap.rows + tilemap.cols))

    def _drop_outdated(self) -> None:
        """Drop the answers that edits since the last call could have changed."""
        tilemap, before = self._tilemap, self._far
        if self._version == tilemap.version:
            return
        rects, self._far = tilemap.changed_rects(self._version), self._farthest(tilemap.top_level)
        shape = max(before, self._far), tilemap.rows, tilemap.cols
        near = [rect.grown(*shape) for rect in rects]
        self._version = tilemap.version
        self._hits = {
            cell: hits
            for cell, hits in self._hits.items()
            if not any(rect.holds(cell) for rect in near)
        }

    def _offsets(self, cell_class: int, far: int) -> Iterator[tuple[int, int, int]]:
        """Yield rows down, columns right and steps to all tiles in range of cells of a class."""
        center = np.argwhere(self._class == cell_class)[0] + far + far % 2
        grid = make_grid(self._tilemap.topology, *(center + far + 1).tolist())
        plane = grid.plane()
        steps = grid.lengths(plane - plane[tuple(center)])
        for place in np.argwhere((steps >= self._weapon.min_tiles) & (steps <= far)):
            yield *(place - center).tolist(), int(steps[tuple(place)])

    def _is_hit(
        self,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        steps: int,
        levels: NDArray[np.int64],
    ) -> NDArray[np.bool_]:
        """(n,) bool, which of several ends at one offset are hit from their starts."""
        weapon = self._weapon
        drop = levels[tuple(starts.T[[2, 0, 1]])] - levels[tuple(ends.T[[2, 0, 1]])]
        gained = weapon.tiles_per_level_down * np.maximum(drop, 0)
        lost = weapon.tiles_per_level_up * np.maximum(-drop, 0)
        is_hit = (drop >= -weapon.max_up) & (drop <= weapon.max_down)
        is_hit &= steps <= weapon.max_tiles + gained - lost
        rest = np.flatnonzero(is_hit)
        if len(rest) and weapon.arc != math.inf:
            is_hit[rest] = self._sight.are_open(starts[rest], ends[rest], arc=int(weapon.arc))
        result: NDArray[np.bool_] = is_hit
        return result


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
        self._hits = _hit_tiles(tilemap, self._reaches, ranges)
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


def _hit_tiles(
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
