"""Where somebody wants to go: a cell of a map, and the point on it, whatever edits make of that."""

import math
from typing import Self

from ai.motion.motion import Point
from ai.motion.placement import cell_of, point_on
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap

_NOWHERE = -1, (0.0, 0.0, 0.0)


class Target:
    """A place on a map.

    Parameters
    ----------
    tilemap : TileMap
    profile : MoveProfile
        Who wants to be there.
    cell : Cell
    place : (x, y), optional
        Where on that cell, in world units; its middle if not given.
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
        self._known: tuple[int, Point] = _NOWHERE  # the point, at a version of the map

    @classmethod
    def near(cls, tilemap: TileMap, profile: MoveProfile, point: Point) -> Self:
        """Give the place that is nearest to a point: beside the map the middle of a cell."""
        x, y, _ = point
        is_free = profile.size == 1 and tilemap.grid.cell_at(x, y) is not None
        return cls(tilemap, profile, cell_of(tilemap, point, profile), (x, y) if is_free else None)

    @property
    def point(self) -> Point:
        """Where a body stands that is there, over the ground as it is now."""
        version, point = self._known
        if version != self._tilemap.version:  # every frame asks for it
            version = self._tilemap.version
            x, y, z = point_on(self._tilemap, self.cell, self._profile)
            point = (x, y, z) if self._place is None else (*self._place, z)
            self._known = version, point
        return point

    def distance(self, here: Point) -> float:
        """Give the straight distance from a point, in world units."""
        return math.dist(here, self.point)
