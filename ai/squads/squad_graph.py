"""Where the units of a squad may step, and which places a step brushes.

A step across a corner brushes whoever stands at the corner, a leap whoever stands under it; such
places must be free of others before and after the step. Whoever stands far above or below, as on a
bridge, is not brushed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import Blockers
from ai.navigation.profile_graph import ProfileGraph
from ai.search import Graph
from ai.squads.steps import Ints, Steps


@dataclass(frozen=True)
class Ground:
    """The steps of several profiles over one map.

    Parameters
    ----------
    steps : Steps
    """

    steps: Steps

    @classmethod
    def of(cls, movers: Sequence[ProfileGraph], walls: Ints) -> "Ground":
        """Gather the steps of all profiles.

        Parameters
        ----------
        movers : sequence of ProfileGraph
            One a profile.
        walls : (n,) int64
            Nodes on which others stand and stay.
        """
        body = max(mover.rule.body for mover in movers)
        parts = [_steps(mover, walls, body) for mover in movers]
        begin = np.cumsum([0, *(len(part.target) for part in parts)])
        nodes = np.arange(movers[0].forward.n_nodes)
        n_brushed = np.concatenate([part.n_brushed for part in parts])
        return cls(
            Steps(
                np.array([part.first + at for part, at in zip(parts, begin, strict=False)]),
                np.concatenate([part.target for part in parts]),
                np.concatenate([part.cost for part in parts]),
                np.concatenate([[0], np.cumsum(n_brushed)]),
                np.concatenate([part.brush for part in parts]),
                np.array([mover.can_stop(nodes) for mover in movers]),
            )
        )

    @property
    def n_nodes(self) -> int:
        """How many places there are."""
        return len(self.steps.can_wait[0])

    @property
    def is_brushing(self) -> bool:
        """Whether there is any step that brushes a place."""
        return len(self.steps.brush) > 0

    def step(self, profile: int, start: int, end: int) -> int:
        """Give the number of the step of a profile between two nodes, which must exist."""
        return int(self.steps.first[profile, start]) + self.steps_from(profile, start).index(end)

    def price(self, profile: int, start: int, end: int) -> float:
        """Give what a step costs."""
        return float(self.steps.cost[self.step(profile, start, end)])

    def brushed(self, profile: int, start: int, end: int) -> list[int]:
        """List the nodes that a step brushes."""
        step = self.step(profile, start, end)
        first, last = self.steps.brush_first[step : step + 2].tolist()
        nodes: list[int] = self.steps.brush[first:last].tolist()
        return nodes

    def steps_from(self, profile: int, node: int) -> list[int]:
        """List where the steps of a profile lead from a node."""
        first, last = self.steps.first[profile, node : node + 2].tolist()
        ends: list[int] = self.steps.target[first:last].tolist()
        return ends


@dataclass(frozen=True)
class _Steps:
    """The steps of one profile."""

    first: Ints
    target: Ints
    cost: NDArray[np.float64]
    n_brushed: Ints
    brush: Ints


def _steps(mover: ProfileGraph, walls: Ints, body: int) -> _Steps:
    graph = mover.guided("zero", blockers=Blockers(walls)).graph
    source, slot = np.nonzero(graph.step_cost < graph.broken)
    kind = np.int64(0) if graph.node_class is None else graph.node_class[source]
    table = np.column_stack([source, source + graph.offset[kind, slot], slot])
    cost = graph.step_cost[source, slot].astype(np.float64)
    if graph.links is not None:
        table, cost = _with_links(graph, table, cost)
    is_left = ~np.isin(table[:, 1], walls)
    (source, target, slot), cost = table[is_left].T, cost[is_left]
    first = np.zeros(graph.n_nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=graph.n_nodes), out=first[1:])
    n_brushed, brush = _brushed(mover, source, target, slot, body)
    return _Steps(first, target.copy(), cost, n_brushed, brush)


def _with_links(
    graph: Graph, table: Ints, cost: NDArray[np.float64]
) -> tuple[Ints, NDArray[np.float64]]:
    """Add the links, in slot -1, and of several steps between the same nodes keep the cheapest."""
    links = graph.links
    assert links is not None
    source = np.repeat(np.arange(graph.n_nodes), np.diff(links.first))
    added = np.column_stack([source, links.target, np.full(len(source), -1)])
    table = np.concatenate([table, added])
    cost = np.concatenate([cost, links.cost.astype(np.float64)])
    order = np.lexsort((table[:, 2], cost, table[:, 1], table[:, 0]))
    table, cost = table[order], cost[order]
    is_new = np.ones(len(table), dtype=np.bool_)
    is_new[1:] = (np.diff(table[:, :2], axis=0) != 0).any(axis=1)
    return table[is_new], cost[is_new]


def _brushed(
    mover: ProfileGraph, source: Ints, target: Ints, slot: Ints, body: int
) -> tuple[Ints, Ints]:
    """(n_steps,) how many places each step brushes, and all of them in the order of the steps."""
    slots = mover.rule.moves
    n_moves = len(slots.length)
    move = np.where(slot >= 0, slot % n_moves, 0)
    is_long = (slot >= 0) & (move >= slots.n_straight)
    steps = np.flatnonzero(is_long)
    nothing = np.zeros(0, dtype=np.int64)
    if not len(steps):
        return np.zeros(len(source), dtype=np.int64), nothing
    rows, cols = mover.rule.parity.shape
    n_cells = rows * cols
    here = source[steps] % n_cells
    parity = mover.rule.parity.ravel()[here]
    found: list[tuple[Ints, Ints]] = []
    for tile in range(max(2, int(slots.length.max()) - 1)):
        column = _passed(slots.delta, slots.n_straight, slots.n_single, parity, move[steps], tile)
        is_passed = (column != 0).any(axis=1)
        cell = here + column[:, 0] * cols + column[:, 1]
        for deck in range(len(mover.is_void) // n_cells):
            at, near = steps[is_passed], deck * n_cells + cell[is_passed]
            is_hit = _is_brushed(mover, source[at], target[at], near, move[at], body)
            found.append((at[is_hit], near[is_hit]))
    step, brush = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.argsort(step, kind="stable")
    return np.bincount(step, minlength=len(source)), brush[order]


def _passed(
    moves: Ints, n_straight: int, n_single: int, parity: Ints, move: Ints, tile: int
) -> Ints:
    """(n, 2) rows and columns to the tile-th column that moves pass; 0, 0 if there is none.

    Those of a step across a corner are the two at the corner, those of a leap what it skips.
    """
    passed = np.zeros((len(move), 2), dtype=np.int64)
    is_leap = move >= n_single
    if tile < 2:
        ends = moves[parity, move]
        passed[~is_leap, tile] = ends[~is_leap, tile]
    way = (move - n_single) % n_straight
    ahead = way if tile == 0 else n_single + (tile - 1) * n_straight + way
    is_skipped = is_leap & (tile <= (move - n_single) // n_straight)
    passed[is_skipped] = moves[parity[is_skipped], ahead[is_skipped]]
    return passed


def _is_brushed(
    mover: ProfileGraph, source: Ints, target: Ints, near: Ints, move: Ints, body: int
) -> NDArray[np.bool_]:
    """(n,) whether who stands on the nodes `near` is in the way of steps that pass there."""
    level, profile = mover.level.astype(np.int64), mover.profile
    start, end, there = level[source], level[target], level[near]
    low, high = np.minimum(start, end), np.maximum(start, end)
    is_touched = (there < high + body) & (there > low - body)
    # It may also be the detour around the corner, which has to be free.
    climb, drop = profile.max_climb, profile.max_drop
    is_detour = (there <= np.minimum(start + climb, end + drop)) & (
        there >= np.maximum(start - drop, end - climb)
    )
    is_leap = move >= mover.rule.moves.n_single
    is_there = ~mover.is_void[near] | (near < mover.rule.parity.size)  # who flies is above voids
    return is_there & (is_touched | (is_detour & ~is_leap))
