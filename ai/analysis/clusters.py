"""Regions inside clusters of tiles, the gates between them, and costs inside a region.

Nodes are those of a `Graph`. `region_graph.py` puts the clusters of a map together.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, compiled, helper
from ai.search.components import Components
from ai.search.graph import Graph

MAX_EDGES = 4
"""The most edges of a gate: wide borders have several gates, so that bounds stay close."""

NO_REGION = -1
"""The region of a surface that the mover cannot enter."""


class GateTable(NamedTuple):
    """Gates, sorted by the regions at their ends, with their edges one after the other."""

    source: NDArray[np.int64]
    """(n_edges,) node at the start."""
    target: NDArray[np.int64]
    cost: NDArray[np.float64]
    first: NDArray[np.int64]
    """(n_gates + 1,) the first edge of each gate."""
    best: NDArray[np.int64]
    """(n_gates,) the edge that stands for each gate: of its cheapest ones the middle one."""

    @classmethod
    def joined(cls, tables: Sequence["GateTable"]) -> "GateTable":
        """Return one table of all gates."""
        before = np.cumsum([0, *(len(each.source) for each in tables)])
        shifts = list(zip(tables, before.tolist(), strict=False))
        first = np.append(
            np.concatenate([each.first[:-1] + shift for each, shift in shifts]), before[-1]
        )
        best = np.concatenate([each.best + shift for each, shift in shifts])
        source = np.concatenate([each.source for each in tables])
        target = np.concatenate([each.target for each in tables])
        cost = np.concatenate([each.cost for each in tables])
        return cls(source, target, cost, first, best)

    def is_same(
        self, other: "GateTable", label: NDArray[np.int32], other_label: NDArray[np.int32]
    ) -> bool:
        """Return whether another table has the same gates between regions of the same numbers."""
        return all(map(np.array_equal, self, other)) and all(
            np.array_equal(label[ends], other_label[ends]) for ends in (self.source, self.target)
        )

    def edges(
        self, gates: NDArray[np.int64], *, is_best: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return all edges of some gates, or the best of each, and the first of each gate there."""
        if is_best:
            return self.best[gates], np.arange(len(gates) + 1)
        return ranges(self.first[gates], np.diff(self.first)[gates])


_NOTHING = np.zeros(0, dtype=np.int64)
NO_GATES = GateTable(_NOTHING, _NOTHING, np.zeros(0), np.zeros(1, dtype=np.int64), _NOTHING)


def ranges(first: NDArray[Any], count: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Concatenate ranges; also return their offsets, (n + 1,)."""
    begins = np.append(0, np.cumsum(count))
    return np.repeat(first - begins[:-1], count) + np.arange(begins[-1]), begins


def edges_out(
    graph: Graph, nodes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """(n,) source, target and cost of all edges out of nodes."""
    sources, targets, costs = [nodes[:0]], [nodes[:0]], [np.zeros(0)]
    for slot in range(graph.step_cost.shape[1]):
        cost = graph.step_cost[nodes, slot]
        is_edge = cost < graph.illegal
        sources.append(nodes[is_edge])
        targets.append(graph.target_of(sources[-1], slot))
        costs.append(cost[is_edge].astype(np.float64))
    if graph.links is not None:
        first = graph.links.first
        count = first[nodes + 1] - first[nodes]
        entries, _ = ranges(first[nodes], count)
        sources.append(np.repeat(nodes, count))
        targets.append(graph.links.target[entries].astype(np.int64))
        costs.append(graph.links.cost[entries].astype(np.float64))
    return np.concatenate(sources), np.concatenate(targets), np.concatenate(costs)


def label_regions(
    graph: Graph, nodes: NDArray[np.int64], is_open: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """(n,) region of each node of a cluster: the first node of its component inside the cluster.

    `nodes` ascend; only those that are open are in a region.
    """
    label = np.full(len(nodes), NO_REGION, dtype=np.int32)
    members = nodes[is_open]
    if len(members):
        source, target, _ = edges_out(graph, members)
        place = np.minimum(np.searchsorted(members, target), len(members) - 1)
        is_inside = members[place] == target
        start, end = np.searchsorted(members, source[is_inside]), place[is_inside]
        inside = Graph.from_edges(len(members), start, end, np.zeros(len(end)))
        component = Components.of(inside).label
        _, first, number = np.unique(component, return_index=True, return_inverse=True)
        label[is_open] = members[first][number]
    return label


def find_gates(graph: Graph, nodes: NDArray[np.int64], label: NDArray[np.int32]) -> GateTable:
    """Return the gates out of the regions of a cluster; `label` is that of all nodes."""
    source, target, cost = edges_out(graph, nodes[label[nodes] != NO_REGION])
    is_crossing = label[source] != label[target]
    source, target, cost = source[is_crossing], target[is_crossing], cost[is_crossing]
    order = np.lexsort((cost, target, source, label[target], label[source]))
    source, target, cost = source[order], target[order], cost[order]
    # Of a step and links between the same nodes only the cheapest counts.
    is_new = (np.diff(np.stack([source, target]), axis=1, prepend=-1) != 0).any(axis=0)
    source, target, cost = source[is_new], target[is_new], cost[is_new]
    ends = np.stack([label[source], label[target]])
    is_first = (np.diff(ends, axis=1, prepend=NO_REGION) != 0).any(axis=0)
    begins = np.flatnonzero(is_first)
    within = np.arange(len(source)) - begins[np.cumsum(is_first) - 1]
    first = np.append(np.flatnonzero(within % MAX_EDGES == 0), len(source))
    best = []
    for begin, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        cheapest = np.flatnonzero(cost[begin:end] == cost[begin:end].min())
        best.append(begin + int(cheapest[len(cheapest) // 2]))
    return GateTable(source, target, cost, first, np.array(best, dtype=np.int64))


@helper
def _spread(edges: Array, label: Array, members: Array, cost: Array, parent: Array) -> None:
    """Lower the costs at the members of a region to those over its edges; write the parents.

    Bellman and Ford's algorithm, sweeping forward and backward until nothing gets cheaper. A
    region is so small that few sweeps do.
    """
    step_cost, illegal, offset, node_class, first, target, link_cost = edges
    region, n_members, n_slots = label[members[0]], len(members), step_cost.shape[1]
    is_forward, is_changed = True, True
    while is_changed:
        is_changed = False
        for i in range(n_members):
            node = members[i if is_forward else n_members - 1 - i]
            own_class = np.int64(0) if len(node_class) == 0 else np.int64(node_class[node])
            n_links = 0 if len(first) == 0 else first[node + 1] - first[node]
            for edge in range(n_slots + n_links if cost[node] < np.inf else 0):
                if edge < n_slots:
                    if step_cost[node, edge] >= illegal:
                        continue
                    step, there = float(step_cost[node, edge]), node + offset[own_class, edge]
                else:
                    link = first[node] + edge - n_slots
                    step, there = float(link_cost[link]), np.int64(target[link])
                if label[there] == region and cost[node] + step < cost[there]:
                    cost[there] = cost[node] + step
                    parent[there] = node
                    is_changed = True
        is_forward = not is_forward


@compiled
def _spread_each(
    edges: Array,
    label: Array,
    members: Array,
    seeds: Array,
    seed_costs: Array,
    first: Array,
    wanted: Array,
    cost: Array,
    parent: Array,
) -> NDArray[np.float64]:
    costs = np.empty((len(first) - 1, len(wanted)))
    for group in range(len(first) - 1):
        for node in members:
            cost[node], parent[node] = np.inf, -1
        for i in range(first[group], first[group + 1]):
            cost[seeds[i]] = min(cost[seeds[i]], seed_costs[i])
        _spread(edges, label, members, cost, parent)
        for i in range(len(wanted)):
            costs[group, i] = cost[wanted[i]]
    return costs


class RegionSearch:
    """Searches inside one region after another, with arrays that they share."""

    def __init__(self, graph: Graph, label: NDArray[np.int32]) -> None:
        self._arguments: tuple[Any, ...] = graph.arrays, label
        self._cost = np.empty(graph.n_nodes)
        self._parent = np.empty(graph.n_nodes, dtype=np.int64)

    def costs(
        self,
        members: NDArray[np.int64],
        seeds: NDArray[np.int64],
        seed_costs: NDArray[np.float64],
        first: NDArray[np.int64],
        wanted: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """(n_groups, n_wanted) costs from groups of seeds to wanted nodes, all of one region.

        The seeds of group i are the entries first[i] to first[i + 1].
        """
        given = members, seeds, seed_costs, first, wanted, self._cost, self._parent
        arguments: tuple[Any, ...] = *self._arguments, *given
        return _spread_each(*arguments)

    def path_to(self, node: int) -> list[int]:
        """Return the nodes to a node from a seed of the last group."""
        path = [node]
        while (node := int(self._parent[node])) >= 0:
            path.append(node)
        return path[::-1]
