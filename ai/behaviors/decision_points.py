"""Decision points: the junctions, corners and dead ends where a mover chooses its direction."""

from ai.behaviors.situation import Situation
from ai.motion.motion import heading_between, turn_between
from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from terrain3d import Cell


class DecisionPoints:
    """The decision points that one mover comes to, each found once until the map changes."""

    def __init__(self) -> None:
        self._state: tuple[object, ...] | None = None
        self._found: dict[Cell, bool] = {}

    def has(self, situation: Situation) -> bool:
        """Return whether the mover is at a decision point; other units do not count."""
        navigation, cell, profile = situation.navigation, situation.here, situation.profile
        state = navigation, navigation.tilemap.version, profile
        if self._state != state:
            self._state, self._found = state, {}
        if cell not in self._found:
            self._found[cell] = is_decision_point(navigation, cell, profile)
        return self._found[cell]


def is_decision_point(navigation: Navigation, cell: Cell, profile: MoveProfile) -> bool:
    """Return whether a cell is none of a straight corridor.

    In a straight corridor there are two cells to which a mover can step and back, on opposite
    sides.
    """
    ends = [
        end
        for end in navigation.steps_from(cell, profile)
        if cell in navigation.steps_from(end, profile)
    ]
    if len(ends) != 2:
        return True
    point = navigation.tilemap.surface_point
    first_deg, second_deg = (heading_between(point(cell), point(end)) for end in ends)
    if first_deg is None or second_deg is None:
        return True
    return abs(turn_between(first_deg, second_deg)) < 180 - 1e-6  # angles of hexagons are rounded
