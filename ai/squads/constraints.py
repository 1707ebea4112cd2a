"""Conflicts of units that move at the same time, and the constraints on paths that prevent them.

Two units are in conflict if they are on the same node at a tick or swap nodes during a tick. They
are also in conflict if one is in the clearance of the other's step before or after it; see
`squad_graph`. A constraint is a node or a step that a unit must not use at a tick.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.search.jit import Int, compiled
from ai.squads.squad_graph import WAIT, Ints, SquadGraph, step_between

EMPTY = -1
"""Value of a hash-set slot without a key."""

_MIN_SIZE = 16

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
        self._steps = graph
        self._profile = profile
        self._n_slots = 0  # that are in use
        self._n_keys_per_node = 3 + 2 * int(np.diff(graph.clearance_first).max(initial=0))
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
def slot_of(keys: Ints, key: Int) -> Int:
    """Return the slot of a key in a hash set, or the empty slot where it belongs."""
    mask = np.uint64(len(keys) - 1)
    slot = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot ^= slot >> np.uint64(32)
    while keys[slot & mask] != EMPTY and keys[slot & mask] != key:
        slot += np.uint64(1)
    return np.int64(slot & mask)


@compiled
def hash_set_size(count: Int) -> Int:
    """Return the size of a hash set for `count` keys, a power of two."""
    size = _MIN_SIZE
    while size < 2 * count:
        size *= 2
    return size


@compiled
def rehashed(keys: Ints, entries: Ints, size: Int) -> tuple[Ints, Ints]:
    """Return a larger hash set of the keys, and their entries in the same order; 0 without one."""
    more_keys = np.full(size, np.int64(EMPTY))
    more_entries = np.zeros(size, dtype=np.int64)
    for old in range(len(keys)):
        if keys[old] != EMPTY:
            slot = slot_of(more_keys, keys[old])
            more_keys[slot], more_entries[slot] = keys[old], entries[old]
    return more_keys, more_entries


@compiled
def _count(table: ConstraintTable, key: Int, change: Int) -> Int:
    """Change the number of constraints of a key; return the number of new slots."""
    slot = slot_of(table.keys, key)
    is_new = table.keys[slot] == EMPTY
    table.keys[slot] = key
    table.counts[slot] += change
    return np.int64(is_new)


@compiled
def _count_path(
    table: ConstraintTable,
    path: TimedPath,
    other: Int,
    profile: Int,
    steps: SquadGraph,
    change: Int,
) -> Int:
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


Conflict = tuple[Constraint, Constraint]
"""Two constraints; either of them resolves the conflict.

Both have a node if two units are on it, and both a step if they swap. Otherwise the first has the
step, and the second the node in its clearance.
"""


def find_conflicts(positions: Ints, profile_of: Ints, graph: SquadGraph) -> list[Conflict]:
    """Return all conflicts in the order of ticks.

    `positions` is (n_ticks + 1, n_units) nodes, `profile_of` (n_units,) profiles of the graph.
    """
    found = [*_vertex_conflicts(positions), *_swap_conflicts(positions, profile_of, graph)]
    if graph.needs_clearance:
        found += _clearance_conflicts(positions, profile_of, graph)
    return sorted(found)


def _vertex_conflicts(positions: Ints) -> Iterator[Conflict]:
    """Yield pairs of units on the same node."""
    is_same = positions[:, :, None] == positions[:, None, :]
    for tick, unit, other in np.argwhere(np.triu(is_same, 1)).tolist():
        node = int(positions[tick, unit])
        yield Constraint(tick, unit, node, -1), Constraint(tick, other, node, -1)


def _swap_conflicts(positions: Ints, profile_of: Ints, graph: SquadGraph) -> Iterator[Conflict]:
    """Yield pairs of units that exchange their nodes in one tick."""
    now, after = positions[:-1], positions[1:]
    follows = now[:, :, None] == after[:, None, :]
    is_swap = follows & follows.transpose(0, 2, 1) & (now != after)[:, :, None]
    for tick, *pair in np.argwhere(np.triu(is_swap, 1)).tolist():
        first, second = (
            Constraint(
                tick, unit, -1, graph.step(profile_of[unit], now[tick, unit], after[tick, unit])
            )
            for unit in pair
        )
        yield first, second


def _clearance_conflicts(
    positions: Ints, profile_of: Ints, graph: SquadGraph
) -> Iterator[Conflict]:
    """Yield units that step while another unit is in the clearance of the step."""
    rows, profiles = positions.tolist(), profile_of.tolist()
    occupants = [{node: unit for unit, node in enumerate(row)} for row in rows]
    for tick, unit in np.argwhere(positions[:-1] != positions[1:]).tolist():
        start, end = rows[tick][unit], rows[tick + 1][unit]
        for near in graph.clearance_of(profiles[unit], start, end):
            for late in range(2):
                other = occupants[tick + late].get(near)
                if other is not None:
                    step = graph.step(profiles[unit], start, end)
                    yield Constraint(tick, unit, -1, step), Constraint(tick + late, other, near, -1)
