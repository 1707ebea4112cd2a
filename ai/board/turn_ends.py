"""Compute where each turn of a long walk ends."""

import bisect
import itertools
from collections.abc import Callable

from ai.navigation.path import Path
from terrain3d import Cell


def turn_ends(
    path: Path, points: float, move: float, can_stop: Callable[[Cell], bool]
) -> tuple[int, ...]:
    """Return the number of the cell of a path on which each turn ends.

    Each turn goes as far as its points last, and ends where the unit may stop: this one with
    `points`, each later one with `move`. The first number is 0 if this turn has not enough points
    for any part. The last is that of the goal, unless some part costs more than a whole turn has:
    the turns after that are left out.
    """
    cells, costs = path.cells, [step.cost for step in path.steps]
    ends: list[int] = []
    here, budget = 0, points
    while here < len(costs):
        end = here + bisect.bisect_right([*itertools.accumulate(costs[here:])], budget)
        while end > here and not can_stop(cells[end]):
            end -= 1
        if end == here and (ends or points >= move):
            break
        ends.append(end)
        here, budget = end, move
    return tuple(ends)
