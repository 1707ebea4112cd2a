"""The line on which an agent walks a path when it need not follow the centers of tiles."""

import math
from itertools import pairwise

from ai.agents.string_pulling import pull_straight
from ai.behaviors.situation import Situation
from ai.compilation.uncompiled import uncompiled
from ai.motion.motion import Point
from ai.motion.placement import point_on
from ai.navigation.path import Path


def free_points(situation: Situation, path: Path) -> list[Point]:
    """Return the points of a path pulled straight, in world units; see `ai.agents.string_pulling`.

    `path` is one of the situation's unit on the map as it is now.
    """
    tilemap, profile = situation.navigation.tilemap, situation.profile
    cells = tuple(path.cells)
    begin, end = (point_on(tilemap, cell, profile)[:2] for cell in (cells[0], cells[-1]))
    with uncompiled():  # a player does not wait for the compiler
        pulled, places = pull_straight(situation, cells, begin, end)
    points = [point_on(tilemap, cell, profile) for cell in pulled]
    return [
        point if place is None else (*place, point[2])
        for point, place in zip(points, places, strict=True)
    ]


def length_tiles(points: list[Point]) -> float:
    """Return the length of a line seen from above, in tiles."""
    return sum(math.dist(a[:2], b[:2]) for a, b in pairwise(points))
