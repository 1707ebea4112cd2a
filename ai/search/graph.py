"""A directed graph of integer nodes: steps in slots, as on a grid, and links beside them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compilation.bundle import line_at, table_at
from ai.compilation.jit import Array, Number, compiled, embedded, helper
from ai.search.heuristics import NodeLayout, read_only

NO_STEP = np.uint8(255)
"""In a table of whole costs: the slot has no neighbor."""
ILLEGAL_STEP = np.uint8(254)
"""In a table of whole costs: the slot has a neighbor, but the step is not legal."""
MAX_WHOLE_COST = 253
"""The highest cost in a table of whole costs."""

NO_STEP_FLOAT = np.inf
ILLEGAL_STEP_FLOAT = 1e300

_NO_CLASSES = np.zeros(0, dtype=np.uint8)
_NO_LINKS = np.zeros(0, dtype=np.int32)


class EdgeArrays(NamedTuple):
    """The edges of a `Graph` in compiled code; what the graph lacks is empty."""

    step_cost: Array
    illegal: Array
    """(1,) the mark above every cost."""
    offset: Array
    node_class: Array
    link_first: Array
    link_target: Array
    link_cost: Array
    steps_back: Array
    back_first: Array
    back_source: Array
    back_cost: Array


@helper
def edges_at(words: Array, dtype: Any) -> EdgeArrays:  # noqa: ANN401 - a numpy type
    """Return the edges of a bundle that begins with them; `dtype` is that of the costs."""
    return EdgeArrays(
        table_at(words, 0, dtype),
        line_at(words, 1, dtype),
        table_at(words, 2, np.int64),
        line_at(words, 3, np.uint8),
        line_at(words, 4, np.int32),
        line_at(words, 5, np.int32),
        line_at(words, 6, dtype),
        table_at(words, 7, np.int64),
        line_at(words, 8, np.int32),
        line_at(words, 9, np.int32),
        line_at(words, 10, dtype),
    )


@embedded
def n_out(node: Number, edges: EdgeArrays) -> Number:
    """Return how many numbers `edge_out` takes for a node."""
    has_links, n_slots = len(edges.link_first) > 0, np.int64(edges.step_cost.shape[1])
    return n_slots + (edges.link_first[node + 1] - edges.link_first[node] if has_links else 0)


@embedded
def edge_out(node: Number, number: Number, edges: EdgeArrays) -> tuple[Number, float]:
    """Return the end and cost of an edge out of a node; -1 if there is no such edge.

    Numbers are slots, and links of the node count on from there.
    """
    own_class, n_slots = np.int64(0), edges.step_cost.shape[1]
    if number >= n_slots:
        link = edges.link_first[node] + number - n_slots
        return np.int64(edges.link_target[link]), np.float64(edges.link_cost[link])
    if len(edges.node_class) > 0:
        own_class = np.int64(edges.node_class[node])
    step = edges.step_cost[node, number]
    is_edge = step < edges.illegal[0]
    return np.int64(node + edges.offset[own_class, number] if is_edge else -1), np.float64(step)


@embedded
def n_into(node: Number, edges: EdgeArrays) -> Number:
    """Return how many numbers `edge_into` takes for a node."""
    has_links, n_steps = len(edges.back_first) > 0, np.int64(len(edges.steps_back))
    return n_steps + (edges.back_first[node + 1] - edges.back_first[node] if has_links else 0)


@embedded
def edge_into(node: Number, number: Number, edges: EdgeArrays) -> tuple[Number, float]:
    """Return the source and cost of an edge into a node; -1 if there is no such edge.

    Numbers are rows of `Graph.steps_back`, and links to the node count on from there.
    """
    step_cost, steps_back, node_class = edges.step_cost, edges.steps_back, edges.node_class
    if number >= len(steps_back):
        link = edges.back_first[node] + number - len(steps_back)
        return np.int64(edges.back_source[link]), np.float64(edges.back_cost[link])
    there = np.int64(node - steps_back[number, 0])
    if 0 <= there < len(step_cost) and (
        len(node_class) == 0 or node_class[there] == steps_back[number, 2]
    ):
        step = step_cost[there, steps_back[number, 1]]
        if step < edges.illegal[0]:
            return there, np.float64(step)
    return np.int64(-1), np.float64(0)


@dataclass(frozen=True)
class Links:
    """Edges that fit in no slot; those of node `n` are the entries first[n] to first[n + 1]."""

    first: NDArray[np.int32]
    """(n_nodes + 1,) entry of the first link of each node."""
    target: NDArray[np.int32]
    """(n_links,) node to which each link leads."""
    cost: NDArray[Any]
    """(n_links,) of the dtype of the graph's step costs."""

    @classmethod
    def of(
        cls,
        n_nodes: int,
        source: NDArray[np.integer],
        target: NDArray[np.integer],
        cost: NDArray[Any],
    ) -> "Links":
        """Return the links of (n_links,) sources, targets and costs, sorted by their sources."""
        order = np.argsort(source, kind="stable")
        first = np.zeros(n_nodes + 1, dtype=np.int32)
        np.cumsum(np.bincount(source, minlength=n_nodes), out=first[1:])
        return cls(first, target[order].astype(np.int32), cost[order])

    @property
    def source(self) -> NDArray[np.int64]:
        """(n_links,) node at which each link starts."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    @cached_property
    def reversed(self) -> "Links":
        """The same links from end to start, in the order of `equal_paths` at each end."""
        order = np.lexsort((-self.source, -self.cost.astype(np.float64)))
        ends = self.target[order], self.source[order], self.cost[order]
        return Links.of(len(self.first) - 1, *ends)


@dataclass(frozen=True)
class Graph:
    """Directed edges with costs: slot `s` of node `n` leads to node `n + offset[class of n, s]`.

    Raises
    ------
    TypeError, ValueError
        A dtype or shape does not fit, a cost is NaN or negative, or an edge leads outside.
    """

    step_cost: NDArray[Any]
    """(n_nodes, n_slots) uint8 costs 0..MAX_WHOLE_COST with the marks `NO_STEP` and `ILLEGAL_STEP`,
    or float64 costs with `NO_STEP_FLOAT` and `ILLEGAL_STEP_FLOAT`. Both marks mean: no edge."""
    offset: NDArray[np.int64]
    """(n_classes, n_slots) end of each slot relative to the node, for each class of nodes."""
    node_class: NDArray[np.uint8] | None = None
    """(n_nodes,) class of each node; None if all are of one class."""
    links: Links | None = None
    layout: NodeLayout | None = None
    """The positions of the nodes, which heuristics need."""
    slot_group: NDArray[np.uint8] | None = None
    """(n_slots,) ties between paths go to steps of lower groups, as straight
    rather than diagonal ones; None if all are of group 0."""

    def __post_init__(self) -> None:
        """Check the arrays; compiled searches rely on them without checks."""
        if self.step_cost.dtype not in (np.uint8, np.float64):
            raise TypeError(f"step costs must be uint8 or float64, got {self.step_cost.dtype}")
        n_classes = 1 if self.node_class is None else int(self.node_class.max(initial=0)) + 1
        n_slots = self.step_cost.shape[1] if self.step_cost.ndim == 2 else -1
        if self.offset.ndim != 2 or self.offset.shape[1] != n_slots:
            raise ValueError(
                f"offset must be (n_classes, {n_slots}) for step costs of shape "
                f"{self.step_cost.shape}, got {self.offset.shape}"
            )
        if len(self.offset) < n_classes:
            raise ValueError(f"nodes are of {n_classes} classes, offsets of {len(self.offset)}")
        if not self.is_whole and not bool(np.all(self.step_cost >= 0)):  # NaN compares false
            raise ValueError("step costs must be >= 0 and not NaN")
        if self.node_class is not None and self.node_class.shape != (self.n_nodes,):
            raise ValueError(f"there must be a class for each of the {self.n_nodes} nodes")
        if self.layout is not None and self.layout.level.shape != (self.n_nodes,):
            raise ValueError(f"there must be a level for each of the {self.n_nodes} nodes")
        self._refuse_edges_outside()
        if self.links is not None:
            self._refuse_links(self.links)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.step_cost)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all costs are small whole numbers, which have the fastest search."""
        return self.step_cost.dtype == np.uint8

    @property
    def is_plain(self) -> bool:
        """Whether costs are small and whole, nodes of one class, and there are no links."""
        return self.is_whole and self.node_class is None and self.links is None

    @property
    def illegal(self) -> np.uint8 | float:
        """The mark for an illegal step; it is above every cost."""
        return ILLEGAL_STEP if self.is_whole else ILLEGAL_STEP_FLOAT

    @property
    def edge_arrays(self) -> EdgeArrays:
        """The edges for compiled code.

        Absent arrays are empty, so that one compilation serves all graphs with whole costs, and one
        all others.
        """
        classes = read_only(_NO_CLASSES if self.node_class is None else self.node_class)
        mark = np.array([self.illegal], dtype=self.step_cost.dtype)
        ends = self.step_cost, mark, np.ascontiguousarray(self.offset), classes
        links = *self._arrays_of(self.links), self.steps_back, *self.links_back
        return EdgeArrays._make((*ends, *links))

    def _arrays_of(self, links: Links | None) -> tuple[NDArray[Any], ...]:
        if links is None:
            return _NO_LINKS, _NO_LINKS, self.step_cost[:0, :1].ravel()
        return links.first, links.target, links.cost

    @cached_property
    def steps_back(self) -> NDArray[np.int64]:
        """(n, 4) offset, slot, class and group of each step, in the order of `equal_paths`."""
        classes, slots = np.indices(self.offset.shape)
        group = self.slot_group
        groups = np.zeros_like(slots) if group is None else group[slots].astype(np.int64)
        rows = np.stack([each.ravel() for each in (self.offset, slots, classes, groups)], axis=1)
        return np.ascontiguousarray(rows[np.lexsort((rows[:, 0], rows[:, 3]))])

    @property
    def links_back(self) -> tuple[Any, ...]:
        """First, source and cost of the links to each node; empty without links."""
        return self._arrays_of(self.links and self.links.reversed)

    def __copy__(self) -> "Graph":
        """Return the same graph with steps of its own, which edits of this one leave alone."""
        made = object.__new__(type(self))  # all is checked already
        made.__dict__.update(self.__dict__, step_cost=self.step_cost.copy())
        return made

    def with_any_costs(self) -> "Graph":
        """Return the same graph with a table for any costs."""
        table = self.step_cost.astype(np.float64)
        if self.is_whole:
            table[self.step_cost == ILLEGAL_STEP] = ILLEGAL_STEP_FLOAT
            table[self.step_cost == NO_STEP] = NO_STEP_FLOAT
        links = self.links
        if links is not None:
            links = replace(links, cost=links.cost.astype(np.float64))
        return replace(self, step_cost=table, links=links)

    def with_entry_costs(self, extra: NDArray[np.float64], *, is_whole: bool) -> "Graph":
        """Return a graph with (n_nodes,) costs added to the edges into each node.

        `is_whole` says that all sums are whole and at most `MAX_WHOLE_COST`.
        """
        graph = self if is_whole or not self.is_whole else self.with_any_costs()
        table, links = graph.step_cost.copy(), graph.links
        extra = extra.astype(table.dtype)
        for slot in range(table.shape[1]):
            nodes = np.flatnonzero(table[:, slot] < graph.illegal)
            table[nodes, slot] += extra[graph.target_of(nodes, slot)]
        if links is not None:
            links = replace(links, cost=links.cost + extra[links.target])
        return replace(graph, step_cost=table, links=links)

    def rounded_down(self, unit: float) -> "Graph":
        """Return a graph of any costs with each cost rounded down to a multiple of a unit."""
        steps, links = self.step_cost, self.links
        table = np.where(steps < self.illegal, np.floor(steps / unit) * unit, steps)
        if links is not None:
            links = replace(links, cost=np.floor(links.cost / unit) * unit)
        return replace(self, step_cost=table, links=links)

    def edges_from(self, node: int) -> Iterator[tuple[int, float]]:
        """Yield (end, cost) of each edge out of a node."""
        own_class = 0 if self.node_class is None else int(self.node_class[node])
        offsets, illegal = self.offset[own_class].tolist(), float(self.illegal)
        for offset, cost in zip(offsets, self.step_cost[node].tolist(), strict=True):
            if cost < illegal:
                yield node + offset, float(cost)
        if self.links is not None:
            first, last = self.links.first[node : node + 2].tolist()
            targets, costs = self.links.target[first:last], self.links.cost[first:last]
            yield from zip(targets.tolist(), costs.astype(float).tolist(), strict=True)

    def cheapest_edge(self, start: int, end: int) -> tuple[float, int]:
        """Return cost and slot of the cheapest edge between two nodes; (infinity, -1) without one.

        Links have the slots after those of the steps.
        """
        own_class = 0 if self.node_class is None else int(self.node_class[start])
        found = [(np.inf, -1)]
        for slot in np.flatnonzero(self.offset[own_class] == end - start).tolist():
            if self.step_cost[start, slot] < self.illegal:
                found.append((self.step_cost[start, slot].item(), slot))
        if self.links is not None:
            first, last = self.links.first[start : start + 2].tolist()
            for link in np.flatnonzero(self.links.target[first:last] == end).tolist():
                cost = self.links.cost[first + link].item()
                found.append((cost, self.step_cost.shape[1] + link))
        return min(found)

    def target_of(self, nodes: NDArray[np.int64], slot: int) -> NDArray[np.int64]:
        """Return the end of a slot of each node, whether or not there is an edge."""
        classes = np.int64(0) if self.node_class is None else self.node_class[nodes]
        ends: NDArray[np.int64] = nodes + self.offset[classes, slot]
        return ends

    def _refuse_edges_outside(self) -> None:
        nodes = np.arange(self.n_nodes)
        reach = int(np.abs(self.offset).max(initial=0))
        # Only the first and last nodes can have an edge that leads outside.
        near = nodes if self.n_nodes <= 2 * reach else np.r_[nodes[:reach], nodes[-reach:]]
        for slot in range(self.offset.shape[1]):
            ends = self.target_of(near, slot)
            outside = near[(ends < 0) | (ends >= self.n_nodes)]
            if (self.step_cost[outside, slot] < self.illegal).any():
                raise ValueError(f"slot {slot} leads outside the {self.n_nodes} nodes")

    def _refuse_links(self, links: Links) -> None:
        if links.first.shape != (self.n_nodes + 1,) or links.target.shape != links.cost.shape:
            raise ValueError("links need a first entry per node and a cost per target")
        if links.cost.dtype != self.step_cost.dtype:
            raise TypeError(
                f"link costs must be {self.step_cost.dtype} like the steps, got {links.cost.dtype}"
            )
        if (
            links.first[0] != 0
            or links.first[-1] != len(links.target)
            or np.diff(links.first).min(initial=0) < 0
        ):
            raise ValueError(f"links must be counted from 0 up to {len(links.target)}")
        if len(links.target) and not (
            links.target.min() >= 0 and links.target.max() < self.n_nodes
        ):
            raise ValueError(f"a link leads outside the {self.n_nodes} nodes")
        if not bool(np.all(links.cost >= 0)):
            raise ValueError("link costs must be >= 0 and not NaN")


@compiled
def close_nodes(
    steps: Array, plain: Array, illegal: np.uint8 | float, opened: Array, closed: Array
) -> None:
    """Write the plain steps out of some nodes again, and make all out of others illegal."""
    for node in opened:
        steps[node] = plain[node]
    for node in closed:
        steps[node] = np.maximum(plain[node], illegal)


@compiled
def reverse_slots(edges: EdgeArrays, opposite: Array, nodes: Array, out: Array) -> None:
    """Write the reversed steps out of some nodes: each slot gets the cost of the step back.

    `opposite` is the slot that leads back from the end of each slot. After an edit only the nodes
    that it touches have to be written.
    """
    step_cost, illegal, offset, node_class = edges[:4]
    n_slots = step_cost.shape[1]
    for node in nodes:
        own_class = np.int64(0) if len(node_class) == 0 else np.int64(node_class[node])
        for slot in range(n_slots):
            if step_cost[node, slot] > illegal[0]:
                out[node, slot] = step_cost[node, slot]  # no neighbor there
            else:
                neighbor = node + offset[own_class, slot]
                out[node, slot] = step_cost[neighbor, opposite[own_class, slot]]


def reversed_graph(graph: Graph, opposite: NDArray[np.int64]) -> Graph:
    """Return the graph with every edge reversed.

    `opposite` is (n_classes, n_slots) the slot that leads back from the end of each slot.
    """
    table: NDArray[Any] = np.empty_like(graph.step_cost)
    reverse_slots(graph.edge_arrays, opposite, np.arange(graph.n_nodes), table)
    links = None if graph.links is None else graph.links.reversed
    return replace(graph, step_cost=table, links=links)
