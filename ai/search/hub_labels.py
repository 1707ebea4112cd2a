"""Hub labels: the costs from each node to hubs and back, from which any path is read off.

A straight line of columns separates a map whose steps lead to neighboring columns. Lines split it
into smaller and smaller parts, and the nodes of a line are the hubs of its part. A cheapest path
between two nodes passes a hub of the smallest part that holds it, so that its cost is a minimum
over the hubs above both. For each hub and node two more tables have the first step of the path to
the hub, and the last of the path from it, by the rule of `astar`.

References
----------
Abraham, Delling, Goldberg, Werneck (2012), "Hierarchical Hub Labelings for Shortest Paths",
https://doi.org/10.1007/978-3-642-33090-2_4
George (1973), "Nested Dissection of a Regular Finite Element Mesh",
https://doi.org/10.1137/0710032
"""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Int, compiled, inlined
from ai.search.astar import at, cell_of
from ai.search.graph import EdgeArrays, Graph, edge_into, n_into
from ai.search.landmarks import Progress

NEVER = 2**16 - 1
"""The cost in a label that stands for no path."""
_NO_EDGE = 255
_MAX_COST = 255
_LEAF = 12
"""Parts of at most so many columns are not split."""
_MAX_FAR_LINKS = 64
_WORD = 8

_PART = np.dtype(
    [
        ("top", "i8"),
        ("left", "i8"),
        ("height", "i8"),
        ("width", "i8"),
        ("parent", "i8"),  # the part of which this is a half; -1 of the first
        ("depth", "i8"),  # how many parts are above
        ("above", "i8"),  # how many hubs these have
        ("first_hub", "i8"),
        ("n_hubs", "i8"),
        ("first_step", "i8"),  # hub by hub, a step for each surface of the part
    ]
)
"""A part of the map: its rectangle, its hubs, and where its steps begin."""

_NODE = np.dtype([("part", "i8"), ("row", "i8")])
"""The part of which a node is a hub, -1 if no edge touches the node; and where its costs begin."""


class _Tables(NamedTuple):
    """The arrays of labels, all in one buffer of words; it begins with the word of each table."""

    shape: NDArray[np.int64]
    """Rows, columns and layers of the map, and slots of a node."""
    parts: NDArray[Any]
    nodes: NDArray[Any]
    moves: NDArray[np.int64]
    """(n_moves, 5) offset and slot of each row of `EdgeArrays.back`, and the change of row, column
    and deck. Steps are numbered so, and links count on from there."""
    cost: NDArray[np.uint8]
    """(n_nodes * n_slots,) cost of each step."""
    link_first: NDArray[np.int32]
    link_target: NDArray[np.int32]
    link_cost: NDArray[np.int32]
    link_rank: NDArray[np.int32]
    """(n_links,) number of each link in `edge_into`."""
    into_first: NDArray[np.int32]
    into_source: NDArray[np.int32]
    into_cost: NDArray[np.int32]
    ways: NDArray[np.int32]
    """(2, n, 3) two paths from the goal back: nodes, costs, and the number of the edge on from
    there. What lies before the hub stands at the end."""
    lows: NDArray[np.int64]
    """(n, 2) parts above both ends, and the lowest cost over their hubs."""
    tied: NDArray[np.int64]
    """The hubs of a part over which paths cost least."""
    delta: NDArray[np.int64]
    """(n_moves,) how far each step leads within a part."""
    cost_to: NDArray[np.uint16]
    """Costs from each node to the hubs above it."""
    cost_from: NDArray[np.uint16]
    step_to: NDArray[np.uint8]
    """Number of the first step from each node to each hub above."""
    step_from: NDArray[np.uint8]
    """Number of the last step of the path from the hub."""


class _Edges(NamedTuple):
    """The edges of a graph, sorted by their ends or by their starts."""

    first: NDArray[np.int32]
    """(n_nodes + 1,) entry of the first edge of each node."""
    other: NDArray[np.int32]
    """(n_edges,) node at the other end."""
    cost: NDArray[np.uint8]
    rank: NDArray[np.uint8]
    """(n_edges,) number in `edge_into`, the preferred first."""
    leaving: NDArray[np.uint8]
    """(n_edges,) the same for steps; for links a number among those that leave the same node."""


@dataclass(frozen=True)
class LabelPlan:
    """The size of a graph's labels and what they are built from, as `of` finds it."""

    graph: Graph
    edges: NDArray[np.int64]
    """(n_edges, 5) as of `_list_edges`."""
    parts: NDArray[Any]
    nodes: NDArray[Any]
    hubs: NDArray[np.int32]
    """The hubs of all parts."""

    @staticmethod
    def of(graph: Graph, max_bytes: float = math.inf) -> "LabelPlan | None":
        """Return how to label a graph; None if labels do not serve it or take more memory.

        They serve graphs with costs in bytes. At most 64 nodes may have links to other than
        neighboring columns, and no node more edges than a byte can number.
        """
        if not graph.is_small or _least_bytes(graph) > max_bytes:
            return None
        edges = _list_edges(graph.edges)
        costs, numbers = edges[:, 2], edges[:, 3:]
        if costs.max(initial=1) > _MAX_COST or costs.min(initial=1) < 1:
            return None
        layout = graph.layout
        (to_row, to_col), (row, col) = (
            np.divmod(each % layout.n_cells, layout.cols) for each in edges.T[:2]
        )
        is_far = np.maximum(abs(row - to_row), abs(col - to_col)) > 1
        far = np.unique(edges[is_far, 1])
        if len(far) > _MAX_FAR_LINKS or numbers.max(initial=0) >= _NO_EDGE:
            return None
        plan = LabelPlan(graph, edges, *_parts_of(graph, edges, far))
        return plan if plan.n_bytes <= max_bytes else None

    @property
    def n_bytes(self) -> int:
        """The memory that the labels will take."""
        return _WORD * sum(self._n_words)

    @property
    def _n_words(self) -> list[int]:
        """The words of the directory and of each table."""
        own = self.nodes["part"][self.nodes["part"] >= 0]
        n_costs = 2 * int((self.parts["above"] + self.parts["n_hubs"])[own].sum())
        longest, deepest = min(self.graph.n_nodes, NEVER) + 1, int(self.parts["depth"].max()) + 1
        work = [24 * longest, 2 * _WORD * deepest]
        work += [_WORD * (int(self.parts["n_hubs"].max()) + 1), _WORD * len(self.graph.back)]
        n_bytes = [each.nbytes for each in self._given] + work
        n_bytes += [n_costs, n_costs, *[int(self._n_steps.sum())] * 2]
        return [len(n_bytes) + 1, *(-(-each // _WORD) for each in n_bytes)]

    @property
    def _n_steps(self) -> NDArray[np.int64]:
        """(n_parts,) steps to the hubs of each part."""
        size, n_layers = self.parts["height"] * self.parts["width"], _shape_of(self.graph)[2]
        n_steps: NDArray[np.int64] = size * n_layers * self.parts["n_hubs"]
        return n_steps

    @cached_property
    def _given(self) -> list[NDArray[Any]]:
        """The first tables, which are known before the labels are built."""
        edges, shape = self.graph.edges, np.array([*_shape_of(self.graph), self.graph.cost.shape[1]])
        offset, slot, _ = edges.back.T
        lines = (offset + shape[1] // 2) // shape[1]
        decks = (lines + shape[0] // 2) // shape[0]
        moves = offset, slot, lines - decks * shape[0], offset - lines * shape[1], decks
        rank = np.zeros(len(edges.link_target), np.int32)
        # Of equal links only the first is taken.
        links = self.edges[self.edges[:, 4] >= len(offset)][::-1]
        if len(links):
            rank[edges.link_first[links[:, 1]] + links[:, 4] - len(offset)] = links[:, 3]
        tables = shape, self.parts, self.nodes, np.stack(moves, axis=1), edges.cost
        return [*tables, *edges[4:7], rank, *edges[7:]]

    def build(self, progress: Progress | None = None, n_threads: int = 2) -> "HubLabels | None":
        """Build the labels; None if sums of two labels could reach `NEVER`.

        `progress` gets how many of the portions of the work are done, and how many there are.
        """
        first = np.cumsum(self._n_words)
        buffer = np.full(first[-1], -1)  # in the labels it is `NEVER` and `_NO_EDGE`
        buffer[: len(first)] = first
        for start, table in zip(first.tolist(), self._given, strict=False):
            space = buffer[start : start - (-table.nbytes // _WORD)].view(table.dtype)
            space[: table.size] = table.ravel()
        ends = self._sorted_by(0), self._sorted_by(1)
        tasks = _tasks(np.argsort(-self._n_steps, kind="stable"))

        def run(task: NDArray[np.int32]) -> bool:
            return bool(_fill(task, buffer, self.hubs, *ends))

        with ThreadPoolExecutor(n_threads) as pool:
            for done, is_fit in enumerate(pool.map(run, tasks), start=1):
                if not is_fit:
                    pool.shutdown(cancel_futures=True)
                    return None
                if progress is not None:
                    progress(done, len(tasks))
        labels = HubLabels(self.graph, buffer)
        rows, _ = labels.path(0, 0), labels.cost(0, 0)  # compiles them before the first query
        labels.passes(rows, np.zeros(1, np.int64))
        return labels

    def _sorted_by(self, end: int) -> _Edges:
        """Return the edges by their ends, or with 1 by their starts."""
        edges, first = self.edges, np.zeros(self.graph.n_nodes + 1, np.int32)
        if end:
            edges = edges[np.argsort(edges[:, end], kind="stable")]
        np.cumsum(np.bincount(edges[:, end], minlength=len(first) - 1), out=first[1:])
        columns = (each.astype(np.uint8) for each in edges.T[2:])
        return _Edges(first, edges[:, 1 - end].astype(np.int32), *columns)


@dataclass(frozen=True)
class HubLabels:
    """The labels of a graph, made by `LabelPlan.build`; one thread at a time may ask them."""

    graph: Graph
    buffer: NDArray[np.int64]
    """All tables: as one argument they take little time to pass."""

    def path(self, source: int, goal: int) -> NDArray[np.int64]:
        """Return the path as `Workspace.find_path` does, without rows if there is none."""
        rows: NDArray[np.int64] = _path(self.buffer, self.graph.layout.level, source, goal)
        return rows

    def cost(self, source: int, goal: int) -> int:
        """Return the cost of the path in units; -1 if there is none."""
        cost: int = _cost(self.buffer, source, goal)
        return cost

    def passes(self, rows: NDArray[np.int64], nodes: NDArray[np.int64]) -> bool:
        """Return whether a row of a path is on one of some nodes."""
        layout = self.graph.layout
        return len(nodes) > 0 and _passes(rows, nodes, layout.rows, layout.cols)


def _shape_of(graph: Graph) -> tuple[int, int, int]:
    """Return the rows, columns and layers of a graph's map."""
    layout = graph.layout
    return layout.rows, layout.cols, graph.n_nodes // layout.n_cells


@compiled
def _list_edges(edges: EdgeArrays) -> NDArray[np.int64]:
    """(n_edges, 5) end, start, and cost, rank and leaving of each edge as in `_Edges`, by ends."""
    found = np.empty((edges.cost.size + len(edges.link_target), 5), np.int64)
    n_steps, count = len(edges.back), 0
    for node in range(len(edges.cost)):
        for number in range(n_into(node, edges)):
            there, cost = edge_into(node, number, edges)
            if there < 0:
                continue
            leaving = np.int64(number)
            if number >= n_steps:
                first = link = np.int64(edges.link_first[there])
                while edges.link_target[link] != node or edges.link_cost[link] != cost:
                    link += 1
                leaving = n_steps + link - first
            found[count, 0], found[count, 1], found[count, 2] = node, there, cost
            found[count, 3], found[count, 4] = number, leaving
            count += 1
    return found[:count]


def _least_bytes(graph: Graph) -> int:
    """Return a lower bound of the memory for labels: that of the steps to the first line's hubs."""
    n_rows, n_cols, n_layers = _shape_of(graph)
    table = graph.cost.reshape(n_layers, n_rows, n_cols, graph.cost.shape[1])
    line = table[:, n_rows // 2] if n_rows >= n_cols else table[:, :, n_cols // 2]
    n_hubs = int(np.count_nonzero((line < graph.illegal).any(axis=2)))
    return 2 * graph.n_nodes * n_hubs if max(n_rows, n_cols) >= 3 else 0


def _parts_of(
    graph: Graph, edges: NDArray[np.int64], far: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int32]]:
    """Return the parts, each before its halves, the nodes, and the hubs of all parts.

    `far` are starts of links to other than neighboring columns.
    """
    n_nodes = graph.n_nodes
    n_rows, n_cols, n_layers = _shape_of(graph)
    grid = np.arange(n_nodes).reshape(n_layers, n_rows, n_cols)
    is_free = np.zeros(n_nodes, np.bool_)
    is_free[edges[:, :2]] = True
    nodes = np.full(n_nodes, -1, _NODE)
    rows, hubs, n_hubs, n_steps = list[tuple[int, ...]](), [], 0, 0
    stack = [(0, 0, n_rows, n_cols, -1)]
    while stack:
        top, left, height, width, parent = stack.pop()
        is_leaf = height * width <= _LEAF or max(height, width) < 3
        half = (height if height >= width else width) // 2
        if is_leaf:
            line = grid[:, top : top + height, left : left + width].ravel()
        elif height >= width:
            line = grid[:, top + half, left : left + width].ravel()
            stack.append((top + half + 1, left, height - half - 1, width, len(rows)))
            stack.append((top, left, half, width, len(rows)))
        else:
            line = grid[:, top : top + height, left + half].ravel()
            stack.append((top, left + half + 1, height, width - half - 1, len(rows)))
            stack.append((top, left, height, half, len(rows)))
        own = line if parent >= 0 else np.r_[far, np.setdiff1d(line, far)]
        own = own[is_free[own]]
        is_free[own] = False
        nodes["part"][own] = len(rows)
        depth, above = 0, 0
        if parent >= 0:
            depth, above = rows[parent][5] + 1, rows[parent][6] + rows[parent][8]
        rows.append((top, left, height, width, parent, depth, above, n_hubs, len(own), n_steps))
        hubs.append(own)
        n_hubs += len(own)
        n_steps += height * width * n_layers * len(own)
    parts = np.array(rows, _PART)
    is_hub = nodes["part"] >= 0
    lengths = np.zeros(n_nodes, np.int64)
    lengths[is_hub] = (parts["above"] + parts["n_hubs"])[nodes["part"][is_hub]]
    nodes["row"] = np.cumsum(lengths) - lengths
    return parts, nodes, np.concatenate(hubs).astype(np.int32)


def _tasks(order: NDArray[np.int64]) -> list[NDArray[np.int32]]:
    """Return the parts, the largest first, in portions of about the same time."""
    order = order.astype(np.int32)
    rest = [each for each in np.array_split(order[256:], 16) if len(each)]
    return [*order[:256].reshape(-1, 1), *rest]


@inlined
def _words(buffer: NDArray[np.int64], number: Int) -> NDArray[np.int64]:
    """Return the words of a table."""
    return buffer[buffer[number] : buffer[number + 1]]


@inlined
def _tables_of(buffer: NDArray[np.int64]) -> _Tables:
    """Return the tables in a buffer; tables of small numbers may be a bit too long."""
    return _Tables(
        _words(buffer, 0),
        _words(buffer, 1).view(_PART),
        _words(buffer, 2).view(_NODE),
        _words(buffer, 3).reshape(-1, 5),
        _words(buffer, 4).view(np.uint8),
        _words(buffer, 5).view(np.int32),
        _words(buffer, 6).view(np.int32),
        _words(buffer, 7).view(np.int32),
        _words(buffer, 8).view(np.int32),
        _words(buffer, 9).view(np.int32),
        _words(buffer, 10).view(np.int32),
        _words(buffer, 11).view(np.int32),
        _words(buffer, 12).view(np.int32).reshape(2, -1, 3),
        _words(buffer, 13).reshape(-1, 2),
        _words(buffer, 14),
        _words(buffer, 15),
        _words(buffer, 16).view(np.uint16),
        _words(buffer, 17).view(np.uint16),
        _words(buffer, 18).view(np.uint8),
        _words(buffer, 19).view(np.uint8),
    )


@compiled
def _spread(
    edges: _Edges,
    source: Int,
    cost_of: NDArray[np.uint16],
    queue: NDArray[np.int32],
    heads: NDArray[np.int32],
) -> bool:
    """Write the cost from a node to each, `NEVER` without a path; False if one may cost more.

    Dial's bucket queue: entry `e` of `queue` is (node, next entry of its bucket).
    """
    cost_of[:] = NEVER
    heads[:] = -1
    cost_of[source] = 0
    queue[0, 0], queue[0, 1] = source, -1
    heads[0] = 0
    count, live, now = 1, 1, np.int64(0)
    while live:
        entry = heads[now & 255]
        heads[now & 255] = -1
        while entry >= 0:
            node = queue[entry, 0]
            entry = queue[entry, 1]
            live -= 1
            if cost_of[node] != now:
                continue
            for edge in range(edges.first[node], edges.first[node + 1]):
                there = edges.other[at(edge)]
                cost = now + np.int64(edges.cost[at(edge)])
                if cost < cost_of[at(there)]:
                    cost_of[at(there)] = cost
                    queue[count, 0], queue[count, 1] = there, heads[cost & 255]
                    heads[cost & 255] = count
                    count += 1
                    live += 1
                elif cost >= NEVER:
                    return False
        now += 1
    return True


@compiled
def _write_steps(
    into: _Edges,
    source: Int,
    cost_from: NDArray[np.uint16],
    cost_to: NDArray[np.uint16],
    stack: NDArray[np.int32],
    step_to: NDArray[np.uint8],
    step_from: NDArray[np.uint8],
) -> None:
    """Write the first step of each path to a hub, and the last of each path from it.

    A search in depth along cheapest paths back from the hub, over preferred steps first, finds
    each node by its preferred path.
    """
    for node in range(len(cost_from)):
        cost = np.int64(cost_from[node])
        if cost == NEVER or node == source:
            continue
        for edge in range(into.first[node], into.first[node + 1]):
            if np.int64(cost_from[into.other[edge]]) + np.int64(into.cost[edge]) == cost:
                step_from[node] = into.rank[edge]
                break
    depth = 0
    stack[0, 0], stack[0, 1] = source, into.first[source]
    while depth >= 0:
        node, edge = stack[depth, 0], stack[depth, 1]
        if edge == into.first[node + 1]:
            depth -= 1
            continue
        stack[depth, 1] = edge + 1
        before = into.other[edge]
        if before == source or step_to[before] != _NO_EDGE:
            continue
        if np.int64(cost_to[node]) + np.int64(into.cost[edge]) == np.int64(cost_to[before]):
            step_to[before] = into.leaving[edge]
            depth += 1
            stack[depth, 0], stack[depth, 1] = before, into.first[before]


@compiled
def _edges_within(edges: _Edges, nodes: NDArray[np.int32], number: NDArray[np.int32]) -> _Edges:
    """Return the edges between some nodes, with their numbers among these nodes."""
    first = np.zeros(len(nodes) + 1, np.int32)
    count = 0
    for i in range(len(nodes)):
        for edge in range(edges.first[nodes[i]], edges.first[nodes[i] + 1]):
            count += number[edges.other[edge]] >= 0
        first[i + 1] = count
    other = np.empty(count, np.int32)
    cost = np.empty(count, np.uint8)
    rank = np.empty(count, np.uint8)
    leaving = np.empty(count, np.uint8)
    count = 0
    for i in range(len(nodes)):
        for edge in range(edges.first[nodes[i]], edges.first[nodes[i] + 1]):
            there = number[edges.other[edge]]
            if there >= 0:
                other[count], cost[count] = there, edges.cost[edge]
                rank[count], leaving[count] = edges.rank[edge], edges.leaving[edge]
                count += 1
    return _Edges(first, other, cost, rank, leaving)


@compiled
def _highest_cost(costs: NDArray[np.uint16]) -> Int:
    """Return the highest of the costs that are not `NEVER`."""
    highest = np.int64(0)
    for cost in costs:
        if cost != NEVER:
            highest = max(highest, np.int64(cost))
    return highest


@compiled
def _fill(
    which: NDArray[np.int32],
    buffer: NDArray[np.int64],
    hubs: NDArray[np.int32],
    into: _Edges,
    out: _Edges,
) -> bool:
    """Fill in the labels of some parts; False if a path over a hub might cost too much."""
    t = _tables_of(buffer)
    n_rows, n_cols, n_layers = t.shape[0], t.shape[1], t.shape[2]
    number = np.full(n_rows * n_cols * n_layers, -1, np.int32)
    heads = np.empty(256, np.int32)
    for part in which:
        p = t.parts[part]
        height, width = p["height"], p["width"]
        size = height * width * n_layers
        inside = np.empty(size, np.int32)
        for i in range(size):
            line, col = i // width, i % width
            deck, row = line // height, line % height + p["top"]
            inside[i] = (deck * n_rows + row) * n_cols + p["left"] + col
            number[inside[i]] = i
        own_into = _edges_within(into, inside, number)
        own_out = _edges_within(out, inside, number)
        queue = np.empty((len(own_out.other) + 1, 2), np.int32)
        cost_from, cost_to = np.empty(size, np.uint16), np.empty(size, np.uint16)
        for k in range(p["n_hubs"]):
            source = number[hubs[p["first_hub"] + k]]
            if not _spread(own_out, source, cost_from, queue, heads):
                return False
            if not _spread(own_into, source, cost_to, queue, heads):
                return False
            if _highest_cost(cost_from) + _highest_cost(cost_to) >= NEVER:
                return False
            first = p["first_step"] + k * size
            ends = t.step_to[first : first + size], t.step_from[first : first + size]
            _write_steps(own_into, source, cost_from, cost_to, queue, *ends)
            for i in range(size):
                node = inside[i]
                if t.nodes[node]["part"] >= part:  # not a hub of a part above
                    place = t.nodes[node]["row"] + p["above"] + k
                    t.cost_to[place], t.cost_from[place] = cost_to[i], cost_from[i]
        for i in range(size):
            number[inside[i]] = -1
    return True


@compiled
def _passes(rows: NDArray[np.int64], nodes: NDArray[np.int64], n_rows: Int, n_cols: Int) -> bool:
    """Return whether a row of a path is on one of some nodes."""
    for i in range(len(rows)):
        here = (rows[i, 2] * n_rows + rows[i, 0]) * n_cols + rows[i, 1]
        for node in nodes:
            if node == here:
                return True
    return False


@inlined
def _lowest(t: _Tables, a: Int, b: Int, count: Int) -> Int:
    """Return the lowest sum of costs over some hubs; `NEVER` if all exceed it."""
    to, back = t.cost_to[a : a + count], t.cost_from[b : b + count]
    lowest = np.uint16(NEVER)
    for i in range(count):
        total = np.uint16(to[i] + back[i])
        lowest = min(lowest, np.uint16(NEVER) if total < to[i] else total)
    return np.int64(lowest)


@inlined
def _find_parts(t: _Tables, start: Int, goal: Int) -> tuple[Int, Int]:
    """Write the parts above both nodes; return the lowest cost and the number of parts."""
    best, n_parts = np.int64(NEVER), 0
    part, other = t.nodes[start]["part"], t.nodes[goal]["part"]
    if start == goal:
        return np.int64(0), 0
    if part < 0 or other < 0:
        return best, 0
    while part != other:
        if t.parts[part]["depth"] >= t.parts[other]["depth"]:
            part = t.parts[part]["parent"]
        else:
            other = t.parts[other]["parent"]
    a, b = t.nodes[start]["row"], t.nodes[goal]["row"]
    while part >= 0:
        above = t.parts[part]["above"]
        low = _lowest(t, a + above, b + above, t.parts[part]["n_hubs"])
        t.lows[n_parts, 0], t.lows[n_parts, 1] = part, low
        best = min(best, low)
        n_parts += 1
        part = t.parts[part]["parent"]
    return best, n_parts


@inlined
def _place_in(t: _Tables, part: Int, node: Int) -> Int:
    """Return the number of a node within a part."""
    p = t.parts[part]
    row, col, deck = cell_of(node, t.shape[0], t.shape[1], 1.0 / t.shape[1])
    return (deck * p["height"] + row - p["top"]) * p["width"] + col - p["left"]


@inlined
def _tie(t: _Tables, part: Int, start: Int, goal: Int, best: Int) -> Int:
    """Write the hubs of a part over which paths cost least; return how many they are."""
    above, count = t.parts[part]["above"], 0
    a, b = t.nodes[start]["row"] + above, t.nodes[goal]["row"] + above
    for k in range(t.parts[part]["n_hubs"]):
        t.tied[count] = k
        count += np.int64(t.cost_to[at(a + k)]) + np.int64(t.cost_from[at(b + k)]) == best
    return count


@inlined
def _walk_back(t: _Tables, way: NDArray[np.int32], part: Int, n_tied: Int) -> tuple[Int, Int]:
    """Write the way back from its goal, the first entry, to a hub; return it and the length.

    Of the tied hubs those count whose last step is preferred.
    """
    tied, p = t.tied, t.parts[part]
    first_step, size = p["first_step"], p["height"] * p["width"] * t.shape[2]
    node, cost, length = np.int64(way[0, 0]), np.int64(way[0, 1]), np.int64(1)
    here, n_moves = _place_in(t, part, node), len(t.moves)
    while True:
        kept, rank = 0, np.int64(_NO_EDGE)
        for k in range(n_tied):
            each = np.int64(t.step_from[at(first_step + tied[k] * size + here)])
            if each == _NO_EDGE:  # this is the hub itself
                return tied[k], length
            if each < rank:
                rank, kept = each, 0
            if each == rank:
                tied[kept] = tied[k]
                kept += 1
        n_tied = kept
        if rank < n_moves:
            node -= t.moves[at(rank), at(0)]
            here -= t.delta[at(rank)]
            cost -= np.int64(t.cost[at(node * t.shape[3] + t.moves[at(rank), at(1)])])
        else:
            link = t.into_first[node] + rank - n_moves
            node = np.int64(t.into_source[link])
            cost -= np.int64(t.into_cost[link])
            here = _place_in(t, part, node)
        way[at(length), at(0)], way[at(length), at(1)], way[at(length), at(2)] = node, cost, rank
        length += 1


@inlined
def _walk_on(t: _Tables, way: NDArray[np.int32], part: Int, start: Int, hub: Int) -> Int:
    """Write the way from its start, the last entry, to before a hub; return its length."""
    p, n_moves, here = t.parts[part], len(t.moves), _place_in(t, part, start)
    node, cost, last = np.int64(start), np.int64(0), len(way) - 1
    steps = p["first_step"] + hub * p["height"] * p["width"] * t.shape[2]
    entry = last
    while True:
        rank = np.int64(t.step_to[at(steps + here)])
        if rank == _NO_EDGE:
            return last - entry
        way[at(entry), at(0)], way[at(entry), at(1)] = node, cost
        if rank < n_moves:
            cost += np.int64(t.cost[at(node * t.shape[3] + t.moves[at(rank), at(1)])])
            node += t.moves[at(rank), at(0)]
            here += t.delta[at(rank)]
        else:
            link = t.link_first[node] + rank - n_moves
            node, rank = np.int64(t.link_target[link]), np.int64(t.link_rank[link])
            cost += np.int64(t.link_cost[link])
            here = _place_in(t, part, node)
        way[at(entry), at(2)] = rank
        entry -= 1


@inlined
def _entry(way: NDArray[np.int32], size: tuple[Int, Int], k: Int) -> Int:
    """Return the place of an entry by its number from the goal; `size` is that of `_trace`."""
    n_back, length = size
    return k if k < n_back else k + len(way) - length


@compiled
def _is_preferred(
    new: NDArray[np.int32], new_size: tuple[Int, Int], old: NDArray[np.int32], size: tuple[Int, Int]
) -> bool:
    """Return whether a path is preferred to another, where they part."""
    for k in range(1, min(new_size[1], size[1])):
        rank = new[_entry(new, new_size, k), 2]
        other = old[_entry(old, size, k), 2]
        if rank != other:
            return bool(rank < other)
    return False


@inlined
def _trace(t: _Tables, start: Int, goal: Int) -> tuple[Int, tuple[Int, Int]]:
    """Write the path; return which way it is, its entries from the goal to a hub, and of all."""
    best, n_parts = _find_parts(t, start, goal)
    which, size = 0, (np.int64(start == goal), np.int64(start == goal))
    t.ways[0, 0, 0], t.ways[0, 0, 1] = goal, best
    for i in range(n_parts if best < NEVER else 0):
        if t.lows[i, 1] != best:
            continue
        part, way = t.lows[i, 0], t.ways[1 - which]
        height, width = t.parts[part]["height"], t.parts[part]["width"]
        for k in range(len(t.moves)):
            t.delta[k] = (t.moves[k, 4] * height + t.moves[k, 2]) * width + t.moves[k, 3]
        n_tied = _tie(t, part, start, goal, best)
        way[0, 0], way[0, 1] = goal, best
        hub, n_back = _walk_back(t, way, part, n_tied)
        found = n_back, n_back + _walk_on(t, way, part, start, hub)
        if size[1] == 0 or _is_preferred(way, found, t.ways[which], size):
            which, size = 1 - which, found
    return which, size


@compiled
def _path(
    buffer: NDArray[np.int64], level: NDArray[np.int16], start: Int, goal: Int
) -> NDArray[np.int64]:
    """Return the rows of a path."""
    t = _tables_of(buffer)
    which, size = _trace(t, start, goal)
    way, length = t.ways[which], size[1]
    rows, cols, inverse = t.shape[0], t.shape[1], 1.0 / t.shape[1]
    record = np.empty((length, 5), np.int64)
    for k in range(length):
        row, entry = at(length - 1 - k), at(_entry(way, size, k))
        node = np.int64(way[entry, at(0)])
        place = cell_of(node, rows, cols, inverse)
        record[row, at(0)], record[row, at(1)], record[row, at(2)] = place
        record[row, at(3)], record[row, at(4)] = way[entry, at(1)], level[at(node)]
    return record


@compiled
def _cost(buffer: NDArray[np.int64], start: Int, goal: Int) -> Int:
    """Return the cost of a path; -1 without one."""
    cost, _ = _find_parts(_tables_of(buffer), start, goal)
    return cost if cost < NEVER else -1
