"""The joint graph of a squad: the steps of each profile and the clearance that each step needs.

A step needs clearance if it cuts a corner: the tiles at the corner must be free of other units
before and after the step. Tiles far above or below, as under a bridge, do not count. Steps whose
clearance holds a unit that does not move are left out.

Costs are whole numbers of a unit that all profiles share. A plan's cost is thus an exact sum.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.navigation.profile_graph import ProfileGraph
from ai.search.graph import MILLION, Graph
from ai.search.jit import Int, compiled

WAIT = -1
"""Stands for waiting where a step number is expected."""

EVERYWHERE = slice(None)

Ints = NDArray[np.int64]
Costs = NDArray[np.float64]
"""Whole numbers of units; infinity where there is no path."""


class SquadGraph(NamedTuple):
    """The steps of several profiles on one map, one profile after the other, for compiled code."""

    first: Ints
    """(n_profiles, n_nodes + 1) profile p has steps first[p, v] to first[p, v + 1] from node v."""
    target: Ints
    """(n_steps,) node to which each step leads; no two steps of a profile join the same nodes."""
    cost: Costs
    """(n_steps,) cost of each step."""
    clearance_first: Ints
    """(n_steps + 1,) step e has clearances clearance_first[e] to clearance_first[e + 1]."""
    clearance: Ints
    """(n_clearances,) nodes that must be free of other units before and after the step."""
    can_wait: NDArray[np.bool_]
    """(n_profiles, n_nodes) whether a unit may stop on the node."""
    wait_cost: float
    """The cost of waiting for a tick, which is 1 in public costs."""

    @classmethod
    def of(
        cls, movers: Sequence[ProfileGraph], blocked: Ints, sources: Ints | slice = EVERYWHERE
    ) -> "SquadGraph":
        """Return the graph of the steps of several profiles from all nodes, or from some sources.

        Units that do not move are on the blocked nodes.
        """
        body = max(mover.rule.mover.headroom for mover in movers)
        unit = shared_unit(movers)
        parts = [_profile_steps(mover, blocked, body, sources, unit) for mover in movers]
        nodes = np.arange(movers[0].forward.n_nodes)
        first, target, cost, n_clearances, clearance = zip(*parts, strict=True)
        begin = np.cumsum([0, *map(len, target)])
        return cls(
            np.array([each + at for each, at in zip(first, begin, strict=False)]),
            np.concatenate(target),
            np.concatenate(cost),
            np.concatenate([[0], np.cumsum(np.concatenate(n_clearances))]),
            np.concatenate(clearance),
            np.array([mover.can_stop(nodes) for mover in movers]),
            float(MILLION // unit),
        )

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.can_wait[0])

    @property
    def unit(self) -> int:
        """The unit of all costs, in millionths."""
        return MILLION // int(self.wait_cost)

    @property
    def needs_clearance(self) -> bool:
        """Whether any step needs clearance."""
        return len(self.clearance) > 0

    def step(self, profile: int, start: int, end: int) -> int:
        """Return the number of a profile's step between two nodes; the step must exist."""
        return int(self.first[profile, start]) + self.neighbors(profile, start).index(end)

    def clearance_of(self, profile: int, start: int, end: int) -> list[int]:
        """Return the nodes that must be free of other units for a step."""
        step = self.step(profile, start, end)
        first, last = self.clearance_first[step : step + 2].tolist()
        nodes: list[int] = self.clearance[first:last].tolist()
        return nodes

    def neighbors(self, profile: int, node: int) -> list[int]:
        """Return the nodes to which a profile's steps lead from a node."""
        first, last = self.first[profile, node : node + 2].tolist()
        ends: list[int] = self.target[first:last].tolist()
        return ends


def shared_unit(movers: Sequence[ProfileGraph]) -> int:
    """Return the unit, in millionths, in which all costs of all profiles are whole."""
    return math.gcd(MILLION, *(mover.unit for mover in movers))


@compiled
def step_between(steps: SquadGraph, profile: Int, start: Int, end: Int) -> Int:
    """Return the step of a profile from one node to another; WAIT if there is none."""
    for step in range(steps.first[profile, start], steps.first[profile, start + 1]):
        if steps.target[step] == end:
            return step
    return WAIT


@compiled
def path_costs(steps: SquadGraph, profile_of: Ints, positions: Ints) -> Costs:
    """Return (n_units,) the costs of paths: their steps, and each tick of waiting.

    `positions` is (n_ticks + 1, n_units) nodes; waiting at the end of a path is free.
    """
    costs = np.zeros(len(profile_of))
    for unit in range(len(profile_of)):
        is_on_goal = True
        for tick in range(len(positions) - 2, -1, -1):
            start, end = positions[tick, unit], positions[tick + 1, unit]
            is_on_goal &= start == end
            step = step_between(steps, profile_of[unit], start, end)
            if not is_on_goal:
                costs[unit] += steps.wait_cost if step == WAIT else steps.cost[step]
    return costs


def _profile_steps(
    mover: ProfileGraph, blocked: Ints, body: int, sources: Ints | slice, unit: int
) -> tuple[Ints, Ints, Costs, Ints, Ints]:
    """Return first, target and cost of one profile's steps, and what `_clearances` does."""
    graph = mover.forward
    nodes = np.arange(graph.n_nodes)[sources]
    place, slot = np.nonzero(graph.cost[sources] < graph.illegal)
    source = nodes[place]
    cost = graph.cost[source, slot].astype(np.int64)
    table = np.column_stack([source, graph.target_of(source, slot), slot, cost])
    if len(graph.links):
        table = _with_links(graph, nodes, table)
    table = table[~np.isin(table[:, 1], blocked)]
    n_clearances, clearance = _clearances(mover, table, body)
    of_step = np.repeat(np.arange(len(table)), n_clearances)
    is_open = np.ones(len(table), dtype=np.bool_)
    is_open[of_step[np.isin(clearance, blocked)]] = False
    source, target, _, cost = table[is_open].T
    first = np.zeros(graph.n_nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=graph.n_nodes), out=first[1:])
    costs = cost * float(mover.unit // unit)
    return first, target.copy(), costs, n_clearances[is_open], clearance[is_open[of_step]]


def _with_links(graph: Graph, nodes: Ints, table: Ints) -> Ints:
    """Add the links from nodes, with slot -1; of several steps between two keep the cheapest."""
    links = graph.links
    source = links.source
    added = np.column_stack([source, links.target, np.full(len(source), -1), links.cost])
    table = np.concatenate([table, added[np.isin(source, nodes)]])
    table = table[np.lexsort((table[:, 2], table[:, 3], table[:, 1], table[:, 0]))]
    is_new = np.ones(len(table), dtype=np.bool_)
    is_new[1:] = (np.diff(table[:, :2], axis=0) != 0).any(axis=1)
    return table[is_new]


def _clearances(mover: ProfileGraph, table: Ints, body: int) -> tuple[Ints, Ints]:
    """Return (n_steps,) the size of each step's clearance, and all clearances in step order."""
    source, target, slot, _ = table.T
    moves = mover.rule.moves
    move = np.where(slot >= 0, slot % moves.n_moves, 0)
    steps = np.flatnonzero(move >= moves.n_straight)
    if not len(steps):
        return np.zeros(len(source), dtype=np.int64), steps
    rows, cols = mover.rule.parity.shape
    n_cells = rows * cols
    here = source[steps] % n_cells
    down, right = moves.delta[0, move[steps]].T  # there are diagonals on squares alone
    found: list[tuple[Ints, Ints]] = []
    for column in here + down * cols, here + right:
        for deck in range(len(mover.is_void) // n_cells):
            near = deck * n_cells + column
            is_hit = _is_in_clearance(mover, source[steps], target[steps], near, body)
            found.append((steps[is_hit], near[is_hit]))
    step, clearance = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.argsort(step, kind="stable")
    return np.bincount(step, minlength=len(source)), clearance[order]


def _is_in_clearance(
    mover: ProfileGraph, source: Ints, target: Ints, near: Ints, body: int
) -> NDArray[np.bool_]:
    """Return (n,) whether a unit on each node of `near` blocks the diagonal step that passes it."""
    level, profile = mover.level.astype(np.int64), mover.profile
    start, end, there = level[source], level[target], level[near]
    low, high = np.minimum(start, end), np.maximum(start, end)
    is_touched = (there < high + body) & (there > low - body)
    # The detour around the corner has to be free, too.
    climb, drop = profile.max_climb, profile.max_drop
    is_detour = (there <= np.minimum(start + climb, end + drop)) & (
        there >= np.maximum(start - drop, end - climb)
    )
    is_detour |= profile.can_fly  # its steps have no limits
    # Ground nodes count even if void: a flying unit may hover above them.
    can_be_occupied = ~mover.is_void[near] | (near < mover.rule.parity.size)
    return can_be_occupied & (is_touched | is_detour)
