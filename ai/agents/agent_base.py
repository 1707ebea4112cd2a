"""Base of nodes that read the position of the node they hang under."""

import math
from collections.abc import Sequence

from ai.motion.motion import Point
from ai.motion.placement import cell_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Node, TileMap


class AgentBase(Node):
    """A node whose parent has a `position` or else a `point`, (x, y, z) in world units."""

    def __init__(self, tilemap: TileMap, profile: MoveProfile | None, name: str) -> None:
        super().__init__(name)
        if profile is not None and not isinstance(profile, MoveProfile):
            raise TypeError(f"profile must be a MoveProfile, got {profile!r}")
        self._tilemap = tilemap
        self._profile = profile or MoveProfile()

    @property
    def profile(self) -> MoveProfile:
        """How its parent moves."""
        return self._profile

    @property
    def position(self) -> Point:
        """Its parent's position, in world units; `TypeError` if that has none."""
        body = self.parent
        point = getattr(body, "position", None)
        if point is None:
            point = getattr(body, "point", None)
        if point is None:
            raise TypeError(f"{self!r} needs a parent with a position or point, has {body!r}")
        return checked_point(point)

    @property
    def cell(self) -> Cell:
        """The cell its parent is on; beside the map the nearest one."""
        return cell_of(self._tilemap, self.position, self._profile)


def checked_point(point: Sequence[float]) -> Point:
    """Return a caller's point; `TypeError` or `ValueError` if it is not one."""
    try:
        x, y, z = point
        is_finite = math.isfinite(x + y + z)
    except (TypeError, ValueError):
        raise TypeError(f"a point must be (x, y, z), got {point!r}") from None
    if not is_finite:
        raise ValueError(f"a point must have finite numbers, got {point!r}")
    return x, y, z
