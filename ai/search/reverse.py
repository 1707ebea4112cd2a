"""The reversed graph, for searches from the goal back."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled
from ai.search.graph import Graph


@compiled
def reverse_slots(
    step_cost: Array,
    illegal: Number,
    offset: Array,
    node_class: Array,
    opposite: Array,
    nodes: Array,
    out: Array,
) -> None:
    """Write the reversed steps out of some nodes: each slot gets the cost of the step back.

    `opposite` is the slot that leads back from the end of each slot. After an edit only the nodes
    that it touches have to be written.
    """
    n_slots = step_cost.shape[1]
    for node in nodes:
        own_class = np.int64(0) if len(node_class) == 0 else np.int64(node_class[node])
        for slot in range(n_slots):
            if step_cost[node, slot] > illegal:
                out[node, slot] = step_cost[node, slot]  # no neighbor there
            else:
                neighbor = node + offset[own_class, slot]
                out[node, slot] = step_cost[neighbor, opposite[own_class, slot]]


def reversed_graph(graph: Graph, opposite: NDArray[np.int64]) -> Graph:
    """Return the graph with every edge reversed.

    `opposite` is (n_classes, n_slots) the slot that leads back from the end of each slot.
    """
    table: NDArray[Any] = np.empty_like(graph.step_cost)
    arguments: tuple[Any, ...] = (
        *graph.arrays[:4],
        opposite,
        np.arange(graph.n_nodes),
        table,
    )
    reverse_slots(*arguments)
    links = None if graph.links is None else graph.links.reversed
    return replace(graph, step_cost=table, links=links)
