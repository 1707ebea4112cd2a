"""Walk without a goal: visit every cell, wander at random, or follow a wall."""

import math

import numpy as np

from ai.behaviors.behavior import Behavior, PathBehavior
from ai.board.situation import Situation
from ai.motion.motion import heading_between, turn_between
from ai.navigation.path import Path
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, number_within, one_of

_BUDGETS = (8.0, 64.0, math.inf)  # mostly something near the mover has not been visited yet


class Explore(PathBehavior):
    """Visit all cells that have not been visited, the cheapest to reach first.

    Cells from which a path leads back come before all others, so that it takes a drop it cannot
    climb again last. It does not look further ahead: of several such drops it takes the cheapest
    to reach.
    """

    def __init__(self) -> None:
        self._visited: set[Cell] = set()
        self._done: tuple[object, ...] = ()  # the map's version and situation with nothing left

    @property
    def visited(self) -> frozenset[Cell]:
        """The cells it has been on, with all that it covered there."""
        return frozenset(self._visited)

    def _choose(self, situation: Situation) -> Cell | str:
        self._visited.update(situation.tiles)
        cell = self._next_on_path(situation)
        now = situation.navigation.tilemap.version, situation
        if cell is None and self._done != now:
            cell = self._follow(situation, self._next_path(situation))
            self._done = () if cell else now
        return cell or Reason("all_visited")

    def _next_path(self, situation: Situation) -> Path:
        """Return the path to the cheapest cell to visit, if possible one with a path back."""
        leads_back = situation.navigation.is_reachable
        for budget in _BUDGETS:
            reach = situation.reach(budget)
            has_visited = self._visited.issuperset
            wanted = [cell for cell in reach if not has_visited(situation.tiles_at(cell))]
            for cell in wanted:
                if leads_back(cell, situation.here, situation.profile):
                    return reach.path_to(cell)
        return reach.path_to(wanted[0]) if wanted else Path.none("")


MIN_TURN_DEG, MAX_TURN_DEG = 30, 90


class Wander(Behavior):
    """Walk at random by legal steps.

    Each step is drawn from those that turn by at most `max_turn_deg` from the last one. If there is
    none, the mover turns as little as possible, left and right with equal chance, and turns back at
    a dead end. A step to a surface right above or below is no turn.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the random choices; equal generators give equal walks.
    max_turn_deg : float
        MIN_TURN_DEG..MAX_TURN_DEG. Less than the angle between neighbors (90 on squares, 45 with
        diagonal steps, 60 on hexagons) goes straight up to an obstacle.
    """

    def __init__(self, rng: np.random.Generator, max_turn_deg: float = 60) -> None:
        name = "max_turn_deg"
        self._max_turn_deg = number_within(name, max_turn_deg, MIN_TURN_DEG, MAX_TURN_DEG)
        self._rng = instance_of("rng", rng, np.random.Generator)
        self._heading_deg: float | None = None

    def _choose(self, situation: Situation) -> Cell | str:
        ends = list(situation.steps())
        if not ends:
            return Reason("no_step_from", cell=situation.here)
        turns = [self._turn_deg(situation, end) for end in ends]
        widest = max(self._max_turn_deg, min(turns)) + 1e-6  # angles of hexagons are rounded
        drawn = [end for end, turn in zip(ends, turns, strict=True) if turn <= widest]
        end = drawn[self._rng.integers(len(drawn))]
        ahead_deg = _heading_deg(situation, end)
        self._heading_deg = self._heading_deg if ahead_deg is None else ahead_deg
        return end

    def _turn_deg(self, situation: Situation, end: Cell) -> float:
        ahead_deg = _heading_deg(situation, end)
        if ahead_deg is None or self._heading_deg is None:
            return 0.0
        return abs(turn_between(self._heading_deg, ahead_deg))


def _heading_deg(situation: Situation, end: Cell) -> float | None:
    point = situation.navigation.tilemap.surface_point
    return heading_between(point(situation.here), point(end))


HANDS = ("right", "left")


class FollowWall(Behavior):
    """Go straight to the nearest wall, then along it, by the right-hand or the left-hand rule.

    A wall is every edge that the mover cannot step across: a climb too high, a drop too deep,
    water, another unit, the end of the map. It takes steps across edges only, no links or
    diagonals. It visits all of a maze without free-standing walls; around such a wall it circles.

    Parameters
    ----------
    hand : str
        "right" or "left": the hand that touches the wall.
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
        return Reason("walled_in", cell=situation.here)

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
