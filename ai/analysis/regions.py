"""Regions of a profile: surfaces that all reach each other, and what a region reaches."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled
from ai.search.components import Components
from ai.search.graph import Graph


class Reachability(NamedTuple):
    """What one region reaches, and what reaches it; (n_regions,) each, itself included."""

    is_reached: NDArray[np.bool_]
    returns: NDArray[np.bool_]


@dataclass(frozen=True)
class Regions:
    """The strongly connected components of a graph as regions of surfaces that count.

    A region is the number of a component. Edges lead to the same region or a smaller one.
    """

    graph: Graph
    label: NDArray[np.int32]
    """(n_nodes,) region of each node."""
    size: NDArray[np.int64]
    """(n_regions,) surfaces of each that count; 0 for regions of none."""
    largest: int
    """The region with the most surfaces; ties go to the one with the first surface."""

    @classmethod
    def of(cls, graph: Graph, counts: NDArray[np.bool_]) -> "Regions":
        """Find the regions of a graph; `counts`, (n_nodes,), says which nodes are surfaces."""
        label = Components.of(graph).label
        size = np.bincount(label[counts], minlength=int(label.max(initial=-1)) + 1)
        is_most = size[label[counts]] == size.max(initial=0)
        largest = label[counts][is_most.argmax()] if len(is_most) else 0
        return cls(graph, label, size, int(largest))

    def around(self, region: int) -> Reachability:
        """Return which regions a region reaches, and which reach it."""
        arguments: tuple[Any, ...] = (*self.graph.arrays[:-1], self.label, len(self.size), region)
        return Reachability(*_follow(*arguments))


@compiled
def _follow(  # noqa: C901 - two walks over the same edges
    step_cost: Array,
    illegal: Number,
    offset: Array,
    node_class: Array,
    first: Array,
    target: Array,
    label: Array,
    n_regions: Number,
    region: Number,
) -> tuple[Array, Array]:
    n_nodes, n_slots = step_cost.shape
    begin = np.zeros(n_regions + 1, dtype=np.int64)
    for node in range(n_nodes):
        begin[label[node] + 1] += 1
    begin = np.cumsum(begin)
    place, members = begin.copy(), np.empty(n_nodes, dtype=np.int32)
    for node in range(n_nodes):
        members[place[label[node]]] = node
        place[label[node]] += 1
    is_reached = np.zeros(n_regions, dtype=np.bool_)
    returns = np.zeros(n_regions, dtype=np.bool_)
    is_reached[region] = returns[region] = True
    # No edge leads to a larger number: one walk down the numbers, and one up, find all.
    for turn in range(n_regions):
        part = np.int64(region - turn if turn <= region else turn)
        if part < region and not is_reached[part]:
            continue
        for entry in range(begin[part], begin[part + 1]):
            member = np.int64(members[entry])
            own_class = np.int64(0) if len(node_class) == 0 else np.int64(node_class[member])
            n_links = 0 if len(first) == 0 else first[member + 1] - first[member]
            for edge in range(n_slots + n_links):
                if edge < n_slots:
                    if step_cost[member, edge] >= illegal:
                        continue
                    there = member + offset[own_class, edge]
                else:
                    there = np.int64(target[first[member] + edge - n_slots])
                if part <= region:
                    is_reached[label[there]] = True
                elif returns[label[there]]:
                    returns[part] = True
    return is_reached, returns
