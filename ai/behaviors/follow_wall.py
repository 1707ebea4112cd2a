"""Going along a wall with one hand on it, as one gets through a maze without a map."""

from ai.behaviors.behavior import Behavior
from ai.behaviors.situation import Situation
from terrain3d import Cell

HANDS = ("right", "left")


class FollowWall(Behavior):
    """Go straight to the nearest wall, then along it, by the right-hand or the left-hand rule.

    A wall is whatever it cannot step over to: a climb too tall, a drop too deep, water, somebody
    else, the end of the map. It takes steps across edges only, no links, leaps or diagonals. In a
    maze without free-standing walls it comes everywhere; around such a wall it goes in circles.

    Parameters
    ----------
    hand : str
        "right" or "left": which one touches the wall.

    Raises
    ------
    ValueError
        It has no such hand.
    """

    def __init__(self, hand: str = "right") -> None:
        if hand not in HANDS:
            raise ValueError(f"hand must be one of {HANDS}, got {hand!r}")
        self._away = -1 if hand == "right" else 1  # directions are counted clockwise
        self._ahead: int | None = None
        self._is_touching = False
        self._turned = 0  # towards the hand without a touch, in directions

    def _choose(self, situation: Situation) -> Cell | str:
        ends = _ends(situation)
        first, count = self._first(ends), len(ends)
        for turn in range(count):
            way = (first + self._away * turn) % count
            end = ends[way]
            if end is not None:
                self._touch(turn > 0, count)
                self._ahead = way
                return end
        return f"walls stand all around {situation.here}"

    def _first(self, ends: list[Cell | None]) -> int:
        """Give the direction to try first; from there it turns away from the wall."""
        closed = [way for way, end in enumerate(ends) if end is None]
        if self._ahead is None:
            return closed[0] if closed else 0
        if not self._is_touching:
            return self._ahead
        # As far around towards the hand as it gets without turning back.
        return (self._ahead - self._away * (len(ends) // 2 - 1)) % len(ends)

    def _touch(self, is_wall: bool, count: int) -> None:
        """Note whether the hand has felt a wall; turned full circle without one, it has lost it."""
        if is_wall:
            self._is_touching, self._turned = True, 0
        elif self._is_touching:
            self._turned += count // 2 - 1
            self._is_touching = self._turned < count


def _ends(situation: Situation) -> list[Cell | None]:
    """List where a step in each direction ends, None at a wall; of several ends the most level."""
    (row, col, _), tilemap, steps = situation.here, situation.navigation.tilemap, situation.steps()

    def tilt(end: Cell) -> tuple[int, float, Cell]:
        return abs(tilemap.level_at(end) - tilemap.level_at(situation.here)), steps[end], end

    ends: list[Cell | None] = []
    for down, right in tilemap.grid.steps_from(row, col):
        there = [end for end in steps if end[:2] == (row + down, col + right)]
        ends.append(min(there, key=tilt, default=None))
    return ends
