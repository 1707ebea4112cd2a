"""When which place and step is barred for one unit: by the ways of others, or one by one.

A way is (n_ticks + 1,) int64: the node at each tick from 0 on; the unit stays on the last one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ai.search.jit import Array, Number, compiled
from ai.squads.hash_set import table_of
from ai.squads.space_time_astar import NEVER, Barred
from ai.squads.squad_graph import Ground
from ai.squads.steps import STAY, Steps, step_between

Way = NDArray[np.int64]


@compiled
def _gathered(
    ways: Array, begin: Array, profile_of: Array, profile: Number, steps: Steps
) -> Number:
    """Give the keys of what is barred and when, and since when nodes are barred for good."""
    n_nodes, n_ticks, brush_first = steps.can_wait.shape[1], len(ways), steps.brush_first
    width = 2 * n_nodes + len(steps.target)
    taken = np.full(n_ticks, np.int64(STAY))
    n_brushed = 0
    for other in range(len(begin) - 1):
        for at in range(begin[other], begin[other + 1] - 1):
            step = step_between(steps, profile_of[other], ways[at], ways[at + 1])
            if step != STAY:
                taken[at] = step
                n_brushed += brush_first[step + 1] - brush_first[step]
    keys = np.empty(3 * n_ticks + 2 * n_brushed, dtype=np.int64)
    parked = np.full(n_nodes, np.int64(NEVER))
    count = 0
    for other in range(len(begin) - 1):
        for at in range(begin[other], begin[other + 1]):
            now = (at - begin[other]) * width
            keys[count], keys[count + 1] = now + ways[at], now + n_nodes + ways[at]
            count += 2
            step = taken[at]
            if step != STAY:
                for entry in range(brush_first[step], brush_first[step + 1]):
                    near = steps.brush[entry]
                    keys[count], keys[count + 1] = now + near, now + width + near
                    count += 2
            if at == begin[other + 1] - 1:
                continue
            back = step_between(steps, profile, ways[at + 1], ways[at])
            if back != STAY:
                keys[count] = now + 2 * n_nodes + back
                count += 1
        last = begin[other + 1] - 1
        parked[ways[last]] = min(parked[ways[last]], last - begin[other])
    return keys[:count], parked


class Bar(NamedTuple):
    """Something that one unit must not do: be on a node at a tick, or begin a step at it.

    What does not apply is -1.
    """

    tick: int
    unit: int
    node: int
    step: int


@dataclass(frozen=True)
class Barriers:
    """What is barred for a unit.

    Parameters
    ----------
    barred : Barred
    horizon : int
        The last tick at which anything is barred that is not barred for good.
    goal_from : int
        The tick from which on the goal is free for good; `NEVER` if it will not be.
    """

    barred: Barred
    horizon: int
    goal_from: int

    @classmethod
    def of(
        cls,
        ground: Ground,
        profile: int,
        goal: int,
        ways: Sequence[Way],
        profiles: Sequence[int],
        bars: Sequence[Bar] = (),
    ) -> Self:
        """Bar what others on their ways would collide with, and single places and steps.

        Parameters
        ----------
        profile, goal : int
            Of the unit for which it is barred.
        ways, profiles
            Of the others.
        bars : sequence of Bar
        """
        flat = np.concatenate([np.zeros(0, dtype=np.int64), *ways])
        keys, parked = _gathered(
            flat,
            np.cumsum([0, *map(len, ways)]),
            np.array(profiles, dtype=np.int64),
            profile,
            ground.steps,
        )
        n_nodes = ground.n_nodes
        width = 2 * n_nodes + len(ground.steps.target)
        if bars:
            codes = [bar.node if bar.node >= 0 else 2 * n_nodes + bar.step for bar in bars]
            ticks = [bar.tick for bar in bars]
            keys = np.concatenate([keys, np.array(ticks) * width + np.array(codes)])
        at_goal = keys[keys % width == goal] // width
        return cls(
            Barred(table_of(keys), parked),
            max((*map(len, ways), *(bar.tick + 1 for bar in bars)), default=0),
            NEVER if parked[goal] < NEVER else int(at_goal.max(initial=-1)) + 1,
        )


def as_table(ways: Sequence[Way]) -> NDArray[np.int64]:
    """(n_ticks + 1, n_units) where everybody is at each tick."""
    table = np.empty((len(ways), max(map(len, ways))), dtype=np.int64)
    for row, way in zip(table, ways, strict=True):
        row[: len(way)] = way
        row[len(way) :] = way[-1]
    return np.ascontiguousarray(table.T)
