"""Points of the world for cells of a map: where a mover stands, and which cell it is on."""

import math
from typing import Self

from ai.motion.motion import Point
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap

_INSIDE = 0.501  # in tiles; so far inside the extent every point is on a cell, also of hexagons

_UNKNOWN = -1, (0.0, 0.0, 0.0)


def point_on(tilemap: TileMap, cell: Cell, profile: MoveProfile) -> Point:
    """Return the point between a mover's feet: over the center of its tiles, on the highest."""
    if profile.size == 1:
        x, y, z = _surface_point(tilemap, cell)
    else:
        on_map = [tile for tile in tiles_of(cell, profile) if _is_inside(tilemap, tile)]
        points = [_surface_point(tilemap, tile) for tile in on_map]
        xs, ys, zs = zip(*points, strict=True)
        x, y, z = sum(xs) / len(xs), sum(ys) / len(ys), max(zs)
    return x, y, z + profile.hover * tilemap.step_height


def cell_of(tilemap: TileMap, point: Point, profile: MoveProfile) -> Cell:
    """Return the cell that a mover at a point is on: of a column's surfaces the nearest one.

    The height compared is that of `point_on`, so a big mover counts its highest tile.

    Beside the map it is the nearest cell, or close to that.
    """
    x, y, z = point
    offset = (profile.size - 1) / 2
    x, y = x - offset, y + offset
    cell = tilemap.grid.cell_at(x, y)
    if cell is None:
        x0, y0, x1, y1 = tilemap.extent
        cell = tilemap.grid.cell_at(_between(x, x0, x1), _between(y, y0, y1))
    if cell is None:
        raise ValueError(f"a point must have finite numbers, got {point}")
    if profile.size > 1:  # all of its tiles lie on the map
        last = tilemap.rows - profile.size, tilemap.cols - profile.size
        cell = Cell(max(0, min(cell.row, last[0])), max(0, min(cell.col, last[1])))
    if not tilemap.n_decks:
        return cell
    decks = tilemap.decks_at(cell) or [0]
    surfaces = [Cell(cell.row, cell.col, deck) for deck in decks]
    return min(surfaces, key=lambda surface: abs(point_on(tilemap, surface, profile)[2] - z))


class Target:
    """A place on a map to move to; its height follows the map's edits.

    `place` is (x, y) on the cell, in world units; its center if not given.
    """

    def __init__(
        self,
        tilemap: TileMap,
        profile: MoveProfile,
        cell: Cell,
        place: tuple[float, float] | None = None,
    ) -> None:
        self.cell = cell
        self._tilemap, self._profile, self._place = tilemap, profile, place
        self._known: tuple[int, Point] = _UNKNOWN  # the point, at a version of the map

    @classmethod
    def near(cls, tilemap: TileMap, profile: MoveProfile, point: Point) -> Self:
        """Return the place nearest to a point: beside the map the center of a cell."""
        x, y, _ = point
        is_free = profile.size == 1 and tilemap.grid.cell_at(x, y) is not None
        return cls(tilemap, profile, cell_of(tilemap, point, profile), (x, y) if is_free else None)

    @property
    def point(self) -> Point:
        """The point between the feet of a mover at the target, as the ground is now."""
        version, point = self._known
        if version != self._tilemap.version:  # every frame reads it
            version = self._tilemap.version
            x, y, z = point_on(self._tilemap, self.cell, self._profile)
            point = (x, y, z) if self._place is None else (*self._place, z)
            self._known = version, point
        return point

    def distance(self, here: Point) -> float:
        """Return the straight distance from a point, in world units."""
        return math.dist(here, self.point)


def _between(value: float, low: float, high: float) -> float:
    return max(low + _INSIDE, min(value, high - _INSIDE))


def _is_inside(tilemap: TileMap, tile: Cell) -> bool:
    return tile.row < tilemap.rows and tile.col < tilemap.cols


def _surface_point(tilemap: TileMap, cell: Cell) -> Point:
    """Return the center of a surface; of the ground below where a deck was removed."""
    return tilemap.surface_point(cell if tilemap.has_cell(cell) else cell[:2])
