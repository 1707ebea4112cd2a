"""Follow a wall by the right-hand or left-hand rule, as in a maze without a map."""

from ai.behaviors.behavior import Behavior
from ai.behaviors.situation import Situation
from terrain3d import Cell, Reason
from terrain3d.core.checks import one_of

HANDS = ("right", "left")


class FollowWall(Behavior):
    """Go straight to the nearest wall, then along it, by the right-hand or the left-hand rule.

    A wall is every edge that the mover cannot step across: a climb too high, a drop too deep,
    water, another unit, the end of the map. It takes steps across edges only, no links, leaps or
    diagonals. It visits all of a maze without free-standing walls; around such a wall it circles.

    Parameters
    ----------
    hand : str
        "right" or "left": the hand that touches the wall.

    Raises
    ------
    TypeError, ValueError
        `hand` is neither.
    """

    def __init__(self, hand: str = "right") -> None:
        one_of("hand", hand, HANDS)
        self._away = -1 if hand == "right" else 1  # the turn away from the wall, clockwise
        self._ahead: int | None = None
        self._is_touching = False
        self._turned = 0  # directions turned toward the hand since the last touch

    def _choose(self, situation: Situation) -> Cell | str:
        ends = _ends(situation)
        first, count = self._first(ends), len(ends)
        for turn in range(count):
            direction = (first + self._away * turn) % count
            end = ends[direction]
            if end is not None:
                self._touch(turn > 0, count)
                self._ahead = direction
                return end
        return Reason("walls stand all around {}", situation.here)

    def _first(self, ends: list[Cell | None]) -> int:
        """Return the direction to try first; the next ones turn away from the wall."""
        closed = [direction for direction, end in enumerate(ends) if end is None]
        if self._ahead is None:
            return closed[0] if closed else 0
        if not self._is_touching:
            return self._ahead
        # As far toward the hand as possible without turning back.
        return (self._ahead - self._away * (len(ends) // 2 - 1)) % len(ends)

    def _touch(self, is_wall: bool, count: int) -> None:
        """Record whether the hand touched a wall; a full circle without a touch loses the wall."""
        if is_wall:
            self._is_touching, self._turned = True, 0
        elif self._is_touching:
            self._turned += count // 2 - 1
            self._is_touching = self._turned < count


def _ends(situation: Situation) -> list[Cell | None]:
    """Return the end of a step in each direction, None at a wall; of several the most level."""
    (row, col, _), tilemap, steps = situation.here, situation.navigation.tilemap, situation.steps()

    def tilt(end: Cell) -> tuple[int, float, Cell]:
        return abs(tilemap.level_at(end) - tilemap.level_at(situation.here)), steps[end], end

    ends: list[Cell | None] = []
    for down, right in tilemap.grid.steps_from(row, col):
        column = [end for end in steps if end[:2] == (row + down, col + right)]
        ends.append(min(column, key=tilt, default=None))
    return ends
