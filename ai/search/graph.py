"""A directed graph of integer nodes: steps in slots, as on a grid, and links beside them.

Costs are whole numbers of a unit. The unit is the greatest common divisor of all costs, each
rounded to a millionth; where a cost or the cost of a path would not fit, it is coarser. Every edge
costs at least one unit, so equal sums are equal in any order and direction.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.search.jit import Int, compiled, inlined

MILLION = 10**6
"""Units are counted in millionths."""
MAX_SMALL_COST = 253
"""The highest cost, in units, in a table of bytes."""
_MAX_COST, _MAX_SUM = 2**31 - 4, 2**44

at = np.uint64
"""Cast for indices: with an unsigned index compiled code skips the test for negative ones."""

Costs = NDArray[np.uint8] | NDArray[np.int32]
Index = int | slice | NDArray[np.int64]
_Number = TypeVar("_Number", bound=np.generic)


def read_only(array: NDArray[_Number]) -> NDArray[_Number]:
    """Return a read-only view; numba compiles separately for writable and read-only arrays."""
    view = array.view()
    view.flags.writeable = False
    return view


def _no_bytes() -> NDArray[np.uint8]:
    return np.zeros(0, np.uint8)


def no_step(dtype: Any) -> int:  # noqa: ANN401 - a numpy type
    """Return the mark in a table of costs for a slot without a neighbor: its highest value."""
    return int(np.iinfo(dtype).max)


def in_millionths(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return costs as whole numbers of millionths, at least one if they are above 0."""
    amounts = np.rint(costs * MILLION).astype(np.int64)
    return np.where(costs > 0, np.maximum(amounts, 1), amounts)


def unit_of(amounts: NDArray[np.int64], highest: int, n_nodes: int) -> int:
    """Return the unit, in millionths, of costs in millionths.

    `highest` is the cost of the most expensive edge. Where the greatest common divisor does not
    suffice, the unit is a part of 1, so that whole costs stay whole, or else of 2, 4, 8 ...
    """
    unit = int(np.gcd.reduce(amounts)) if amounts.any() else MILLION
    least = -(-highest // min(_MAX_COST, _MAX_SUM // max(n_nodes, 1)))
    whole = MILLION
    while unit < least:
        unit = next((part for part in _parts(whole) if part >= least), unit)
        whole *= 2
    return unit


def _parts(whole: int) -> list[int]:
    """Return the divisors of a number, ascending."""
    low = [part for part in range(1, math.isqrt(whole) + 1) if whole % part == 0]
    return [*low, *(whole // part for part in reversed(low))]


def in_units(amounts: NDArray[np.int64], unit: int) -> NDArray[np.int64]:
    """Return costs in millionths as the nearest whole numbers of a unit, at least 1 above 0."""
    return np.maximum((amounts + unit // 2) // unit, np.minimum(amounts, 1))


def number_of(cost: int, unit: int) -> float:
    """Return a cost in units as a number: an int if it is whole, else the nearest float."""
    if unit == MILLION:
        return int(cost)
    whole, rest = divmod(int(cost) * unit, MILLION)
    return whole if rest == 0 else int(cost) * unit / MILLION


def numbers_of(costs: NDArray[Any], unit: int) -> NDArray[np.float64]:
    """Return costs in units as the nearest floats."""
    whole = costs if unit == MILLION else costs.astype(np.int64) * unit / MILLION
    return whole.astype(np.float64)


class EdgeArrays(NamedTuple):
    """The edges of a `Graph` in compiled code."""

    cost: NDArray[Any]
    """(n_nodes, n_slots) uint8 or int32 cost of each step; the two highest values are no costs."""
    slot: NDArray[np.int64]
    """(n_classes, n_slots, 4) for each class of nodes where each slot ends relative to the node,
    the change of both coordinates of `Layout`, and the class of the end."""
    node_class: NDArray[np.uint8]
    back: NDArray[np.int64]
    """(n_classes, n_slots, 3) for each class of nodes where each step into a node starts relative
    to it, its slot there, and the slot that leads back; in the order in which paths prefer them."""
    link_first: NDArray[np.int32]
    """As in `Links`."""
    links: NDArray[np.int32]
    into_first: NDArray[np.int32]
    """The same for the links into each node, in the order in which paths prefer them."""
    into: NDArray[np.int32]


@inlined
def illegal_mark(cost: NDArray[Any]) -> Int:
    """Return the lowest number in a table of costs that is none: there is no legal step."""
    return np.int64(254) if cost.itemsize == 1 else np.int64(2**31 - 2)


# In the functions below each branch that uses an array has one beside it. Otherwise numba would
# count references to the arrays at each call, which takes longer than the rest.


@inlined
def class_of(node: Int, edges: EdgeArrays) -> Int:
    """Return the class of a node."""
    return np.int64(edges.node_class[at(node)]) if len(edges.node_class) > 0 else np.int64(0)


@inlined
def n_out(node: Int, edges: EdgeArrays) -> Int:
    """Return how many numbers `edge_out` takes for a node."""
    first, n_slots = edges.link_first, np.int64(edges.cost.shape[1])
    return n_slots + first[node + 1] - first[node] if len(first) > 0 else n_slots


@inlined
def edge_out(node: Int, number: Int, edges: EdgeArrays) -> tuple[Int, Int]:
    """Return the end and cost of an edge out of a node; -1 if there is no such edge.

    Numbers are slots, and links of the node count on from there.
    """
    own_class, n_slots, is_edge = class_of(node, edges), edges.cost.shape[1], True
    if number < n_slots:
        there = np.int64(node + edges.slot[own_class, number, 0])
        step = np.int64(edges.cost[node, number])
        is_edge = step < illegal_mark(edges.cost)
    else:
        link = edges.link_first[node] + number - n_slots
        there, step = np.int64(edges.links[link, 0]), np.int64(edges.links[link, 1])
    return there if is_edge else np.int64(-1), step


@inlined
def n_into(node: Int, edges: EdgeArrays) -> Int:
    """Return how many numbers `edge_into` takes for a node."""
    first, n_steps = edges.into_first, np.int64(edges.back.shape[1])
    return n_steps + first[node + 1] - first[node] if len(first) > 0 else n_steps


@inlined
def edge_into(node: Int, number: Int, edges: EdgeArrays) -> tuple[Int, Int]:
    """Return the source and cost of an edge into a node; -1 if there is no such edge.

    Numbers are those of `EdgeArrays.back`, and links to the node count on from there: the order in
    which paths prefer the edges.
    """
    own_class, n_steps, is_edge = at(class_of(node, edges)), edges.back.shape[1], True
    illegal, i = illegal_mark(edges.cost), at(number)
    if number < n_steps:
        has_neighbor = np.int64(edges.cost[at(node), at(edges.back[own_class, i, 2])]) <= illegal
        there = np.int64(node + edges.back[own_class, i, 0] * has_neighbor)
        step = np.int64(edges.cost[at(there), at(edges.back[own_class, i, 1])])
        is_edge = has_neighbor & (step < illegal)
    else:
        link = edges.into_first[node] + number - n_steps
        there, step = np.int64(edges.into[link, 0]), np.int64(edges.into[link, 1])
    return there if is_edge else np.int64(-1), step


@dataclass(frozen=True, eq=False)
class Links:
    """Edges that fit in no slot; those of node `n` are the entries first[n] to first[n + 1]."""

    first: NDArray[np.int32]
    """(n_nodes + 1,) entry of the first link of each node; empty if there is no link."""
    ends: NDArray[np.int32]
    """(n_links, 2) node to which each link leads, and its cost in units."""

    @classmethod
    def of(
        cls,
        n_nodes: int,
        source: NDArray[np.integer],
        target: NDArray[np.integer],
        cost: NDArray[np.integer],
    ) -> "Links":
        """Return the links of (n_links,) sources, targets and costs, sorted by their sources."""
        if not len(source):
            return NO_LINKS
        order = np.argsort(source, kind="stable")
        first = np.zeros(n_nodes + 1, dtype=np.int32)
        np.cumsum(np.bincount(source, minlength=n_nodes), out=first[1:])
        return cls(first, np.column_stack([target, cost])[order].astype(np.int32))

    def __len__(self) -> int:
        """Return the number of links."""
        return len(self.ends)

    def is_same(self, other: "Links") -> bool:
        """Return whether others have the same ends and costs."""
        same_sources = np.array_equal(self.first, other.first)
        return same_sources and np.array_equal(self.ends, other.ends)

    @property
    def source(self) -> NDArray[np.int64]:
        """(n_links,) node at which each link starts."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    @property
    def target(self) -> NDArray[np.int64]:
        """(n_links,) node to which each link leads."""
        return self.ends[:, 0].astype(np.int64)

    @property
    def cost(self) -> NDArray[np.int64]:
        """(n_links,) in units."""
        return self.ends[:, 1].astype(np.int64)

    def with_costs(self, cost: NDArray[np.int64]) -> "Links":
        """Return the same links with other costs."""
        return Links.of(len(self.first) - 1, self.source, self.target, cost)

    @cached_property
    def reversed(self) -> "Links":
        """The same links from end to start, in the order in which paths prefer them."""
        order = np.lexsort((-self.source, -self.cost))
        ends = self.target[order], self.source[order], self.cost[order]
        return Links.of(len(self.first) - 1, *ends)

    def out_of(self, node: int) -> list[tuple[int, int]]:
        """Return (target, cost) of each link of a node."""
        if not len(self):
            return []
        first, last = self.first[node : node + 2].tolist()
        return [(target, cost) for target, cost in self.ends[first:last].tolist()]

    def cheaper_sources(self, others: "Links") -> NDArray[np.int64]:
        """(n,) nodes out of which a link leads that is not in `others`, or costs more there."""
        rows = (np.column_stack([each.source, each.ends]).tolist() for each in (others, self))
        cheapest = {(source, target): cost for source, target, cost in next(rows)}
        is_cheaper = [cost < cheapest.get((start, end), np.inf) for start, end, cost in next(rows)]
        return self.source[np.array(is_cheaper, dtype=np.bool_)]


NO_LINKS = Links(np.zeros(0, np.int32), np.zeros((0, 2), np.int32))


@dataclass(frozen=True)
class Layout:
    """Where nodes are on a map; they are numbered deck by deck, row by row.

    A node has two coordinates: its row and column, or on hexagons axial coordinates.
    """

    rows: int
    cols: int
    level: NDArray[np.int16]
    """(n_nodes,) level of each node."""
    shift: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Whether columns are shifted by half the row plus a number, and that number; then the same
    for rows. All 0 on squares."""

    def __post_init__(self) -> None:
        """Take a read-only view of the levels."""
        object.__setattr__(self, "level", read_only(self.level))

    @property
    def n_cells(self) -> int:
        """Number of nodes of one deck."""
        return self.rows * self.cols

    def coordinates(self, row: NDArray[np.int64], col: NDArray[np.int64]) -> NDArray[np.int64]:
        """(..., 2) the coordinates of rows and columns."""
        by_row, row_part, by_col, col_part = self.shift
        a, b = row - by_col * ((col + col_part) >> 1), col - by_row * ((row + row_part) >> 1)
        return np.stack([a, b], axis=-1)

    def places(self, nodes: NDArray[np.integer]) -> NDArray[np.int64]:
        """(n, 2) the coordinates of nodes."""
        return self.coordinates(*np.divmod(nodes.astype(np.int64) % self.n_cells, self.cols))


class Bound(NamedTuple):
    """A lower bound of the cost between two nodes, in units: a distance, and the climb or drop.

    With a and b the larger and the smaller distance along the axes it is axis * a + turn * b, with
    `opposite` in place of `turn` if the signs of the two differ; plus `climb` for each level up or
    `drop` for each level down. It is a norm: no factor is above `axis`.
    """

    axis: int = 0
    turn: int = 0
    opposite: int = 0
    climb: int = 0
    drop: int = 0

    def over(self, away: NDArray[np.int64], rise: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n,) bounds over (n, 2) signed distances and (n,) levels."""
        high, low = np.abs(away).max(axis=1), np.abs(away).min(axis=1)
        is_opposite = (away[:, 0] < 0) != (away[:, 1] < 0)
        away_cost = self.axis * high + np.where(is_opposite, self.opposite, self.turn) * low
        cost: NDArray[np.int64] = away_cost + np.where(
            rise > 0, self.climb * rise, -self.drop * rise
        )
        return cost

    def scaled(self, factor: float) -> "Bound":
        """Return the bound times a factor, rounded down, still a norm."""
        axis, *rest = (math.floor(part * factor) for part in self)
        return Bound(axis, *(min(turn, axis) for turn in rest[:2]), *rest[2:])


NO_BOUND = Bound()


@dataclass(frozen=True)
class Graph:
    """Directed edges with costs: slot `s` of node `n` leads to `n + slot[class of n, s, 0]`."""

    cost: Costs
    """(n_nodes, n_slots) in units, uint8 or int32. The highest value of the type marks that there
    is no neighbor, the one below it that the step is not legal."""
    slot: NDArray[np.int64]
    """(n_classes, n_slots, 4) as in `EdgeArrays`."""
    layout: Layout
    node_class: NDArray[np.uint8] = field(default_factory=_no_bytes)
    """(n_nodes,) class of each node; empty if all are of one class."""
    links: Links = NO_LINKS
    slot_group: NDArray[np.uint8] = field(default_factory=_no_bytes)
    """(n_slots,) paths prefer steps of lower groups, as straight rather than diagonal ones; empty
    if all are of one group."""
    bound: Bound = NO_BOUND
    least: int = 1
    """No edge costs less, in units."""
    unit: int = MILLION
    """The unit of all costs, in millionths."""

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.cost)

    @property
    def is_small(self) -> bool:
        """Whether all costs fit in a byte."""
        return self.cost.dtype == np.uint8

    @cached_property
    def illegal(self) -> int:
        """The mark for an illegal step; it is above every cost."""
        return no_step(self.cost.dtype) - 1

    @cached_property
    def edges(self) -> EdgeArrays:
        """The edges for compiled code."""
        links, back = self.links, self.links.reversed
        ends = links.first, links.ends, back.first, back.ends
        slot = np.ascontiguousarray(self.slot)
        return EdgeArrays(self.cost, slot, read_only(self.node_class), self.back, *ends)

    @cached_property
    def opposite(self) -> NDArray[np.int64]:
        """(n_classes, n_slots) the slot that leads back from the end of each slot."""
        back = self.slot[self.slot[:, :, 3]]  # (n_classes, n_slots, n_slots, 4) slots of the ends
        is_opposite = (back[..., :3] == -self.slot[:, :, None, :3]).all(axis=3)
        is_opposite &= back[..., 3] == np.arange(len(back))[:, None, None]
        return is_opposite.argmax(axis=2) if back.size else self.slot[:, :, 0]

    @cached_property
    def back(self) -> NDArray[np.int64]:
        """As in `EdgeArrays`: steps of lower groups first, then those from the highest number."""
        start, slot = self.slot[:, :, 0], self.opposite
        group = self.slot_group[slot] if len(self.slot_group) else np.zeros_like(slot)
        order = np.lexsort((-start, group))
        rows = [np.take_along_axis(each, order, axis=1) for each in (start, slot)]
        return np.stack([*rows, order], axis=2)

    def __copy__(self) -> "Graph":
        """Return the same graph with steps of its own, which edits of this one leave alone."""
        return replace(self, cost=self.cost.copy())

    def with_extra(self, extra: NDArray[np.int64]) -> "Graph":
        """Return a graph with costs added to the edges into each node; (n_nodes,) millionths."""
        costs = self.cost[self.cost < self.illegal], self.links.cost
        highest = max(int(each.max(initial=0)) for each in costs)
        highest = highest * self.unit + int(extra.max(initial=0))
        unit = unit_of(np.unique(np.append(extra, self.unit)), highest, self.n_nodes)
        graph, more = self.with_unit(unit, highest // unit + 1), in_units(extra, unit)
        table, links = graph.cost, graph.links
        for slot in range(table.shape[1]):
            nodes = np.flatnonzero(table[:, slot] < graph.illegal)
            table[nodes, slot] += more[graph.target_of(nodes, slot)].astype(table.dtype)
        return replace(graph, links=links.with_costs(links.cost + more[links.target]))

    def with_unit(self, unit: int, highest: int) -> "Graph":
        """Return a copy with costs in another unit, in a table for costs up to `highest`."""
        dtype: Any = np.uint8 if highest <= MAX_SMALL_COST else np.int32
        table = np.full(self.cost.shape, no_step(dtype), dtype=dtype)
        table[self.cost == self.illegal] = no_step(dtype) - 1
        is_cost = self.cost < self.illegal
        table[is_cost] = in_units(self.cost[is_cost].astype(np.int64) * self.unit, unit)
        links, factor = self.links, self.unit / unit
        links = links.with_costs(in_units(links.cost * self.unit, unit))
        least = max(1, math.floor(self.least * factor))
        bound = self.bound.scaled(factor)
        return replace(self, cost=table, links=links, bound=bound, least=least, unit=unit)

    def edges_from(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield (end, cost in units) of each edge out of a node."""
        ends, illegal = self.target_of(node).tolist(), self.illegal
        for end, cost in zip(ends, self.cost[node].tolist(), strict=True):
            if cost < illegal:
                yield end, cost
        yield from self.links.out_of(node)

    def cheapest_edge(self, start: int, end: int) -> tuple[int, int] | None:
        """Return cost and slot of the cheapest edge between two nodes; None without one.

        Links have the slots after those of the steps.
        """
        found = []
        for slot in np.flatnonzero(self.target_of(start) == end).tolist():
            if self.cost[start, slot] < self.illegal:
                found.append((self.cost[start, slot].item(), slot))
        for slot, (target, cost) in enumerate(self.links.out_of(start), self.cost.shape[1]):
            if target == end:
                found.append((cost, slot))
        return min(found, default=None)

    def has_slot(self, start: int, end: int) -> bool:
        """Return whether a slot of a node leads to another, be the step legal or not."""
        leads_there = self.target_of(start) == end
        return bool((self.cost[start, leads_there] <= self.illegal).any())

    def target_of(
        self, nodes: int | NDArray[np.int64], slot: Index = slice(None)
    ) -> NDArray[np.int64]:
        """Return the ends of a slot of each node or all of one, be there an edge or not."""
        classes = self.node_class[nodes] if len(self.node_class) else 0
        ends: NDArray[np.int64] = nodes + self.slot[classes, slot, 0]
        return ends


@compiled
def reverse_slots(
    edges: EdgeArrays, opposite: NDArray[np.int64], nodes: NDArray[np.int64], out: NDArray[Any]
) -> None:
    """Write the reversed steps out of some nodes: each slot gets the cost of the step back.

    `opposite` is that of the graph. After an edit only the nodes that it touches have to be
    written.
    """
    cost, slots, node_class = edges.cost, edges.slot, edges.node_class
    n_slots, illegal = cost.shape[1], illegal_mark(edges.cost)
    for node in nodes:
        own_class = np.int64(0) if len(node_class) == 0 else np.int64(node_class[node])
        for slot in range(n_slots):
            if cost[node, slot] > illegal:
                out[node, slot] = cost[node, slot]  # no neighbor there
            else:
                neighbor = node + slots[own_class, slot, 0]
                out[node, slot] = cost[neighbor, opposite[own_class, slot]]


def reversed_graph(graph: Graph) -> Graph:
    """Return the graph with every edge reversed."""
    table = np.empty_like(graph.cost)
    reverse_slots(graph.edges, graph.opposite, np.arange(graph.n_nodes), table)
    bound = graph.bound._replace(climb=graph.bound.drop, drop=graph.bound.climb)
    return replace(graph, cost=table, links=graph.links.reversed, bound=bound)
