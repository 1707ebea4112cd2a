"""Constraints on one unit's path: nodes and steps that it must not use at a tick."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled
from ai.squads.compiled_containers import hash_set_of
from ai.squads.squad_graph import WAIT, Ints, SquadGraph, StepTable, step_between

NEVER = 1 << 40
"""A tick that is never reached."""

TimedPath = NDArray[np.int64]
"""(n_ticks + 1,) node at each tick from 0 on; afterwards the unit stays on the last node."""

TimedPaths = tuple[TimedPath, ...]


class Constraint(NamedTuple):
    """A node that a unit must not be on at a tick, or a step that it must not begin then.

    The field that does not apply is -1.
    """

    tick: int
    unit: int
    node: int
    step: int


class ConstraintTable(NamedTuple):
    """Constraints as arrays for the compiled search."""

    keys: Ints
    """Hash set of int64. Tick t owns the numbers from t * width on, where width = 2 * n_nodes +
    n_steps. Of these, `node` means that the node must not be entered, n_nodes + node that a unit is
    on it (no clearance may include it), and 2 * n_nodes + step that the step must not begin."""
    closed_from: Ints
    """(n_nodes,) tick from which on a node is closed for good; `NEVER` if it is not."""


@dataclass(frozen=True)
class PathConstraints:
    """All constraints on the path of one unit."""

    table: ConstraintTable
    horizon: int
    """Last tick with a constraint that does not hold for good."""
    goal_free_from: int
    """Tick from which on the goal is free for good; `NEVER` if it never is."""

    @classmethod
    def of(
        cls,
        graph: SquadGraph,
        profile: int,
        goal: int,
        paths: Sequence[TimedPath],
        profiles: Sequence[int],
        constraints: Sequence[Constraint] = (),
    ) -> Self:
        """Return constraints that prevent conflicts with the paths of other units.

        `profile` and `goal` are those of the constrained unit, `paths` and `profiles` those of the
        other units; further constraints may be added.
        """
        keys, closed_from = _constraint_keys(
            np.concatenate([np.zeros(0, dtype=np.int64), *paths]),
            np.cumsum([0, *map(len, paths)]),
            np.array(profiles, dtype=np.int64),
            profile,
            graph.steps,
        )
        n_nodes = graph.n_nodes
        width = 2 * n_nodes + len(graph.steps.target)
        if constraints:
            codes = [
                each.node if each.node >= 0 else 2 * n_nodes + each.step for each in constraints
            ]
            ticks = [each.tick for each in constraints]
            keys = np.concatenate([keys, np.array(ticks) * width + np.array(codes)])
        at_goal = keys[keys % width == goal] // width
        return cls(
            ConstraintTable(hash_set_of(keys), closed_from),
            max((*map(len, paths), *(each.tick + 1 for each in constraints)), default=0),
            NEVER if closed_from[goal] < NEVER else int(at_goal.max(initial=-1)) + 1,
        )


@compiled
def _constraint_keys(
    paths: Array, begin: Array, profile_of: Array, profile: Number, steps: StepTable
) -> Number:
    """Return the keys of a `ConstraintTable` for concatenated paths, and its `closed_from`."""
    n_nodes, n_ticks, clearance_first = steps.can_wait.shape[1], len(paths), steps.clearance_first
    width = 2 * n_nodes + len(steps.target)
    taken = np.full(n_ticks, np.int64(WAIT))
    n_clearances = 0
    for other in range(len(begin) - 1):
        for at in range(begin[other], begin[other + 1] - 1):
            step = step_between(steps, profile_of[other], paths[at], paths[at + 1])
            if step != WAIT:
                taken[at] = step
                n_clearances += clearance_first[step + 1] - clearance_first[step]
    keys = np.empty(3 * n_ticks + 2 * n_clearances, dtype=np.int64)
    closed_from = np.full(n_nodes, np.int64(NEVER))
    count = 0
    for other in range(len(begin) - 1):
        for at in range(begin[other], begin[other + 1]):
            now = (at - begin[other]) * width
            keys[count], keys[count + 1] = now + paths[at], now + n_nodes + paths[at]
            count += 2
            step = taken[at]
            if step != WAIT:
                for entry in range(clearance_first[step], clearance_first[step + 1]):
                    near = steps.clearance[entry]
                    keys[count], keys[count + 1] = now + near, now + width + near
                    count += 2
            if at == begin[other + 1] - 1:
                continue
            back = step_between(steps, profile, paths[at + 1], paths[at])
            if back != WAIT:
                keys[count] = now + 2 * n_nodes + back
                count += 1
        last = begin[other + 1] - 1
        closed_from[paths[last]] = min(closed_from[paths[last]], last - begin[other])
    return keys[:count], closed_from


def position_table(paths: Sequence[TimedPath]) -> Ints:
    """Return (n_ticks + 1, n_units) the node of each unit at each tick."""
    table = np.empty((len(paths), max(map(len, paths))), dtype=np.int64)
    for row, path in zip(table, paths, strict=True):
        row[: len(path)] = path
        row[len(path) :] = path[-1]
    return np.ascontiguousarray(table.T)
