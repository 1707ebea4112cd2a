"""Constraints on one unit's path: nodes and steps that it must not use at a tick."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled
from ai.squads.compiled_containers import EMPTY, hash_set_size, rehashed, slot_of
from ai.squads.squad_graph import WAIT, Ints, SquadGraph, StepTable, step_between

NEVER = 1 << 40
"""A tick that is never reached."""

TimedPath = NDArray[np.int64]
"""(n_ticks + 1,) node at each tick from 0 on; afterward the unit stays on the last node."""

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
    counts: Ints
    """Number of constraints of each key, by slot; 0 if there is none any more."""
    closed_from: Ints
    """(n_nodes,) tick from which on a node is closed for good; `NEVER` if it is not."""


class PathConstraints:
    """Constraints on the paths of units of one profile: the paths of others, and single ones.

    No two of the other paths end on the same node.
    """

    def __init__(
        self,
        graph: SquadGraph,
        profile: int,
        paths: Sequence[TimedPath] = (),
        profiles: Sequence[int] = (),
    ) -> None:
        self._steps = graph.steps
        self._profile = profile
        self._n_slots = 0  # that are in use
        self._n_keys_per_node = 3 + 2 * int(np.diff(graph.steps.clearance_first).max(initial=0))
        size = hash_set_size(0)
        self.table = ConstraintTable(
            np.full(size, np.int64(EMPTY)),
            np.zeros(size, dtype=np.int64),
            np.full(graph.n_nodes, np.int64(NEVER)),
        )
        self.horizon = 0
        """Tick from which on there are only constraints that hold for good."""
        for path, other in zip(paths, profiles, strict=True):
            self.count(path, other)

    def count(self, path: TimedPath, profile: int, change: int = 1) -> None:
        """Add the constraints that prevent conflicts with a path, or with -1 remove them again."""
        self._make_room(len(path) * self._n_keys_per_node)
        self._n_slots += _count_path(self.table, path, profile, self._profile, self._steps, change)
        self.horizon = max(self.horizon, len(path))

    def forbid(self, constraint: Constraint) -> None:
        """Add a constraint on the unit itself."""
        self._make_room(1)
        n_nodes = self._steps.can_wait.shape[1]
        node, step = constraint.node, constraint.step
        key = constraint.tick * (2 * n_nodes + len(self._steps.target))
        key += node if node >= 0 else 2 * n_nodes + step
        self._n_slots += _count(self.table, key, 1)
        self.horizon = max(self.horizon, constraint.tick + 1)

    def _make_room(self, n_keys: int) -> None:
        keys, counts, closed_from = self.table
        size = hash_set_size(self._n_slots + n_keys)
        if size > len(keys):
            keys, counts = rehashed(keys, counts, size)
            self.table = ConstraintTable(keys, counts, closed_from)


@compiled
def _count(table: ConstraintTable, key: Number, change: Number) -> Number:
    """Change the number of constraints of a key; return the number of new slots."""
    slot = slot_of(table.keys, key)
    is_new = table.keys[slot] == EMPTY
    table.keys[slot] = key
    table.counts[slot] += change
    return np.int64(is_new)


@compiled
def _count_path(
    table: ConstraintTable,
    path: Array,
    other: Number,
    profile: Number,
    steps: StepTable,
    change: Number,
) -> Number:
    """Change the number of constraints by a path of profile `other`; return that of new slots."""
    n_nodes, last, n_slots = steps.can_wait.shape[1], len(path) - 1, 0
    width = 2 * n_nodes + len(steps.target)
    for tick in range(last + 1):
        now = tick * width
        n_slots += _count(table, now + path[tick], change)
        n_slots += _count(table, now + n_nodes + path[tick], change)
        if tick == last:
            break
        step = step_between(steps, other, path[tick], path[tick + 1])
        if step != WAIT:
            for entry in range(steps.clearance_first[step], steps.clearance_first[step + 1]):
                near = steps.clearance[entry]
                n_slots += _count(table, now + near, change)
                n_slots += _count(table, now + width + near, change)
        back = step_between(steps, profile, path[tick + 1], path[tick])
        if back != WAIT:
            n_slots += _count(table, now + 2 * n_nodes + back, change)
    end = path[last]
    table.closed_from[end] = min(table.closed_from[end], last) if change > 0 else NEVER
    return n_slots


def position_table(paths: Sequence[TimedPath]) -> Ints:
    """Return (n_ticks + 1, n_units) the node of each unit at each tick."""
    table = np.empty((len(paths), max(map(len, paths))), dtype=np.int64)
    for row, path in zip(table, paths, strict=True):
        row[: len(path)] = path
        row[len(path) :] = path[-1]
    return np.ascontiguousarray(table.T)


def paths_of(positions: Ints) -> TimedPaths:
    """Return the path of each unit in a table of positions, without waiting at its end."""
    is_moving = positions != positions[-1]
    last = len(positions) - np.argmax(is_moving[::-1], axis=0)
    n_nodes = np.where(is_moving.any(axis=0), last + 1, 1)
    return tuple(path[:n].copy() for path, n in zip(positions.T, n_nodes.tolist(), strict=True))
