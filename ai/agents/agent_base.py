"""Base of nodes that read the position of the node they hang under."""

from ai.motion.motion import Point, checked_point
from ai.motion.placement import cell_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Node, TileMap
from terrain3d.core.checks import optional


class AgentBase(Node):
    """A node whose parent has a `position` or else a `point`, (x, y, z) in world units."""

    def __init__(self, tilemap: TileMap, profile: MoveProfile | None, name: str) -> None:
        super().__init__(name)
        self._tilemap = tilemap
        self._profile = optional("profile", profile, MoveProfile) or MoveProfile()

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
