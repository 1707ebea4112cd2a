"""Hub labels: the costs from each node to hubs and back, from which any path is read off.

A straight line of columns separates a map whose steps lead to neighboring columns. Lines split it
into smaller and smaller parts, and the nodes of a line are the hubs of its part. A cheapest path
between two nodes passes a hub of the smallest part that holds it, so that its cost is a minimum
over the hubs above both. For each hub and node two more tables have the first step of the path to
the hub, and the last of the path from it, by the rule of `equal_paths`.

References
----------
Abraham, Delling, Goldberg, Werneck (2012), "Hierarchical Hub Labelings for Shortest Paths",
https://doi.org/10.1007/978-3-642-33090-2_4
George (1973), "Nested Dissection of a Regular Finite Element Mesh",
https://doi.org/10.1137/0710032
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compilation.bundle import Bundle, line_at, table_at
from ai.compilation.jit import Array, Number, compiled, embedded, helper, inlined, thread_pool, u64
from ai.search.graph import EdgeArrays, Graph, edges_at
from ai.search.grid_index import cell_of, width_of
from ai.search.landmarks import Progress

NEVER = 2**16 - 1
"""The cost in a label that stands for no path."""
_NO_EDGE = 255
_LEAF = 12
"""Parts of at most so many columns are not split."""
_MAX_FAR_LINKS = 64

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

_STEP = np.dtype(
    [("offset", "i8"), ("slot", "i8"), ("rows", "i8"), ("cols", "i8"), ("decks", "i8")]
)
"""A step: `Graph.steps_back` without class and group, and how far it leads."""


class _Edges(NamedTuple):
    """The edges of a graph, sorted by their ends or by their starts."""

    first: NDArray[np.int32]
    """(n_nodes + 1,) entry of the first edge of each node."""
    other: NDArray[np.int32]
    """(n_edges,) node at the other end."""
    cost: NDArray[np.uint8]
    rank: NDArray[np.uint8]
    """(n_edges,) number among the edges that lead to the same node, the preferred first."""
    leaving: NDArray[np.uint8]
    """(n_edges,) the same for steps; for links a number among those that leave the same node."""


@dataclass(frozen=True)
class LabelPlan:
    """The size of a graph's labels and what they are built from, as `of` finds it."""

    graph: Graph
    edges: "_ListedEdges"
    parts: NDArray[Any]
    nodes: NDArray[Any]
    hubs: NDArray[np.int32]
    """The hubs of all parts."""

    @staticmethod
    def of(graph: Graph, max_bytes: float = math.inf) -> "LabelPlan | None":
        """Return how to label a graph; None if labels do not serve it or take more memory.

        They serve graphs with whole costs from 1. At most 64 nodes may have links to other than
        neighboring columns, and no node more edges than a byte can number.
        """
        if graph.layout is None or not graph.is_whole or _least_bytes(graph) > max_bytes:
            return None
        edges = _ListedEdges.of(graph)
        plan = None if edges is None else LabelPlan(graph, edges, *_parts_of(graph, edges))
        return plan if plan is not None and plan.n_bytes <= max_bytes else None

    @property
    def _n_costs(self) -> int:
        own = self.nodes["part"][self.nodes["part"] >= 0]
        return int((self.parts["above"] + self.parts["n_hubs"])[own].sum())

    @property
    def _n_steps(self) -> NDArray[np.int64]:
        """(n_parts,) steps to the hubs of each part."""
        size, n_layers = self.parts["height"] * self.parts["width"], _shape_of(self.graph)[2]
        n_steps: NDArray[np.int64] = size * n_layers * self.parts["n_hubs"]
        return n_steps

    @property
    def n_bytes(self) -> int:
        """The memory that the labels will take."""
        return 4 * self._n_costs + 2 * int(self._n_steps.sum())

    def build(self, progress: Progress | None = None, n_threads: int = 2) -> "HubLabels | None":
        """Build the labels; None if sums of two labels could reach `NEVER`.

        `progress` gets how many of the portions of the work are done, and how many there are.
        """
        costs = np.full((2, self._n_costs), NEVER, np.uint16)
        steps = np.full((2, int(self._n_steps.sum())), _NO_EDGE, np.uint8)
        shape, ends = _shape_of(self.graph), (self.edges.sorted_by(0), self.edges.sorted_by(1))
        tasks = _tasks(np.argsort(-self._n_steps, kind="stable"))
        tables = self.parts, self.nodes, self.hubs

        def run(task: NDArray[np.int32]) -> bool:
            return bool(_fill(task, shape, *tables, *ends, costs, steps))

        with thread_pool(n_threads) as pool:
            for done, is_fit in enumerate(pool.map(run, tasks), start=1):
                if not is_fit:
                    pool.shutdown(cancel_futures=True)
                    return None
                if progress is not None:
                    progress(done, len(tasks))
        labels = HubLabels(self.graph, self.parts, self.nodes, costs, steps)
        rows, _ = labels.look_up(0, 0), labels.cost(0, 0)  # compiles them before the first query
        labels.is_near(rows, np.zeros(1, np.int64), 0)
        return labels


@dataclass(frozen=True)
class HubLabels:
    """The labels of a graph, made by `LabelPlan.build`; one thread at a time may ask them."""

    graph: Graph
    parts: NDArray[Any]
    nodes: NDArray[Any]
    costs: NDArray[np.uint16]
    """(2, n) costs from each node to the hubs above it, and back."""
    steps: NDArray[np.uint8]
    """(2, n) number of the first step from each node to each hub above, and of the last back."""

    @cached_property
    def _bundle(self) -> Bundle:
        """The arrays of all calls, in the order of `_Tables`."""
        graph, layout, longest = self.graph, self.graph.layout, min(self.graph.n_nodes, NEVER)
        assert layout is not None
        own = self.parts, self.nodes, self.costs, self.steps, _moves(graph), layout.level
        return Bundle(
            *graph.edge_arrays,
            *own,
            np.array(_shape_of(graph)),
            np.empty((2 * longest, 2), np.int64),
            np.empty((int(self.parts["depth"].max()) + 1, 2), np.int64),
            np.empty(int(self.parts["n_hubs"].max()) + 1, np.int64),
            np.empty(_NO_EDGE, np.int64),
            np.empty((2 * longest, 2), np.int64),
        )

    def look_up(self, start: int, goal: int) -> NDArray[np.int32]:
        """Return the path as `Workspace.found_path` does, without rows if there is none."""
        rows: NDArray[np.int32] = _look_up(self._bundle.words, start, goal)
        return rows

    def cost(self, start: int, goal: int) -> float:
        """Return the cost of the path; infinity if there is none."""
        cost = _look_up_cost(self._bundle.words, start, goal)
        return math.inf if cost == NEVER else cost

    def is_near(self, rows: NDArray[np.int32], nodes: NDArray[np.int64], margin: int) -> bool:
        """Return whether rows of a path are on nodes, or with a margin of 1 on or beside them."""
        if not len(nodes):
            return False
        rows = np.ascontiguousarray(rows)
        return bool(_is_near(rows, nodes, *_shape_of(self.graph)[:2], margin))


def _shape_of(graph: Graph) -> tuple[int, int, int]:
    """Return the rows, columns and layers of a graph's map."""
    layout = graph.layout
    assert layout is not None
    return layout.n_cells // layout.cols, layout.cols, graph.n_nodes // layout.n_cells


def _moves(graph: Graph) -> NDArray[Any]:
    """Return the steps by their rank."""
    layout = graph.layout
    assert layout is not None
    n_rows = layout.n_cells // layout.cols
    back = graph.steps_back
    made = np.zeros(len(back), _STEP)
    lines = (back[:, 0] + layout.cols // 2) // layout.cols
    made["offset"], made["slot"] = back[:, 0], back[:, 1]
    made["cols"] = back[:, 0] - lines * layout.cols
    made["decks"] = (lines + n_rows // 2) // n_rows
    made["rows"] = lines - made["decks"] * n_rows
    return made


class _ListedEdges(NamedTuple):
    """The edges of a graph, one by one."""

    n_nodes: int
    ends: tuple[NDArray[np.int64], NDArray[np.int64]]
    """(n_edges,) where each edge ends, and where it starts."""
    numbers: tuple[NDArray[np.int64], ...]
    """(n_edges,) cost, rank and leaving of each edge, as in `_Edges`."""
    far: NDArray[np.int64]
    """(n,) starts of links to other than neighboring columns."""

    @staticmethod
    def of(graph: Graph) -> "_ListedEdges | None":
        """Return the edges; None if labels do not serve the graph."""
        layout, n_nodes = graph.layout, graph.n_nodes
        assert layout is not None
        source, slot = np.nonzero(graph.step_cost < graph.illegal)
        own_class = np.zeros(n_nodes, np.int64) if graph.node_class is None else graph.node_class
        target = source + graph.offset[own_class[source], slot]
        cost = graph.step_cost[source, slot].astype(np.int64)
        rank_of = np.zeros(graph.offset.shape, np.int64)
        n_ranks = len(graph.steps_back)
        rank_of[graph.steps_back[:, 2], graph.steps_back[:, 1]] = np.arange(n_ranks)
        rank = leaving = rank_of[own_class[source], slot]
        if graph.links is not None:
            links = graph.links
            first, back_source, back_cost = graph.links_back
            back_target = np.repeat(np.arange(n_nodes), np.diff(first))
            number = np.arange(len(back_source)) - first[back_target] + n_ranks
            # Of each link in the order of their ends, its number among those of its start.
            order = np.lexsort((-links.source, -links.cost.astype(np.float64)))
            place = (np.arange(len(links.target)) - links.first[links.source])[order]
            place = place[np.argsort(links.target[order], kind="stable")] + n_ranks
            source, target = np.r_[source, back_source], np.r_[target, back_target]
            cost, rank, leaving = np.r_[cost, back_cost], np.r_[rank, number], np.r_[leaving, place]
        if len(cost) and (cost.min() < 1 or max(rank.max(), leaving.max()) >= _NO_EDGE):
            return None
        (row, col), (to_row, to_col) = (
            np.divmod(each % layout.n_cells, layout.cols) for each in (source, target)
        )
        is_far = np.maximum(abs(row - to_row), abs(col - to_col)) > 1
        far = np.unique(source[is_far])
        if len(far) > _MAX_FAR_LINKS:
            return None
        return _ListedEdges(n_nodes, (target, source), (cost, rank, leaving), far)

    def sorted_by(self, end: int) -> _Edges:
        """Return the edges by their ends, or with 1 by their starts."""
        here, there = self.ends[end], self.ends[1 - end]
        order = np.lexsort((self.numbers[1], here))
        first = np.zeros(self.n_nodes + 1, np.int32)
        np.cumsum(np.bincount(here, minlength=self.n_nodes), out=first[1:])
        columns = (each[order].astype(np.uint8) for each in self.numbers)
        return _Edges(first, there[order].astype(np.int32), *columns)


def _least_bytes(graph: Graph) -> int:
    """Return a lower bound of the memory for labels: that of the steps to the first line's hubs."""
    n_rows, n_cols, n_layers = _shape_of(graph)
    table = graph.step_cost.reshape(n_layers, n_rows, n_cols, graph.step_cost.shape[1])
    line = table[:, n_rows // 2] if n_rows >= n_cols else table[:, :, n_cols // 2]
    n_hubs = int(np.count_nonzero((line < graph.illegal).any(axis=2)))
    return 2 * graph.n_nodes * n_hubs if max(n_rows, n_cols) >= 3 else 0


def _parts_of(
    graph: Graph, edges: _ListedEdges
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int32]]:
    """Return the parts, each before its halves, the nodes, and the hubs of all parts."""
    n_nodes, far = graph.n_nodes, edges.far
    n_rows, n_cols, n_layers = _shape_of(graph)
    grid = np.arange(n_nodes).reshape(n_layers, n_rows, n_cols)
    is_free = np.zeros(n_nodes, np.bool_)
    for each in edges.ends:
        is_free[each] = True
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
    """Return the parts, the largest first, in portions of about the same t."""
    order = order.astype(np.int32)
    rest = [each for each in np.array_split(order[256:], 16) if len(each)]
    return [*order[:256].reshape(-1, 1), *rest]


@helper
def _spread(edges: Array, source: Number, cost_of: Array, queue: Array, heads: Array) -> bool:
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
                there = edges.other[u64(edge)]
                cost = now + np.int64(edges.cost[u64(edge)])
                if cost < cost_of[u64(there)]:
                    cost_of[u64(there)] = cost
                    queue[count, 0], queue[count, 1] = there, heads[cost & 255]
                    heads[cost & 255] = count
                    count += 1
                    live += 1
                elif cost >= NEVER:
                    return False
        now += 1
    return True


@helper
def _write_steps(
    into: Array,
    source: Number,
    cost_from: Array,
    cost_to: Array,
    stack: Array,
    step_to: Array,
    step_from: Array,
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


@helper
def _edges_within(edges: Array, nodes: Array, number: Array) -> Array:
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


@helper
def _highest_cost(costs: Array) -> Number:
    """Return the highest of the costs that are not `NEVER`."""
    highest = np.int64(0)
    for cost in costs:
        if cost != NEVER:
            highest = max(highest, np.int64(cost))
    return highest


@compiled
def _fill(
    which: Array,
    shape: Number,
    parts: Array,
    nodes: Array,
    hubs: Array,
    into: Array,
    out: Array,
    costs: Array,
    steps: Array,
) -> bool:
    """Fill in the labels of some parts; False if a path over a hub might cost too much."""
    n_rows, n_cols, n_layers = shape
    number = np.full(n_rows * n_cols * n_layers, -1, np.int32)
    heads = np.empty(256, np.int32)
    for part in which:
        height, width = parts[part]["height"], parts[part]["width"]
        size = height * width * n_layers
        inside = np.empty(size, np.int32)
        for i in range(size):
            line, col = i // width, i % width
            deck, row = line // height, line % height + parts[part]["top"]
            inside[i] = (deck * n_rows + row) * n_cols + parts[part]["left"] + col
            number[inside[i]] = i
        own_into = _edges_within(into, inside, number)
        own_out = _edges_within(out, inside, number)
        queue = np.empty((len(own_out.other) + 1, 2), np.int32)
        cost_from, cost_to = np.empty(size, np.uint16), np.empty(size, np.uint16)
        for k in range(parts[part]["n_hubs"]):
            source = number[hubs[parts[part]["first_hub"] + k]]
            if not _spread(own_out, source, cost_from, queue, heads):
                return False
            if not _spread(own_into, source, cost_to, queue, heads):
                return False
            if _highest_cost(cost_from) + _highest_cost(cost_to) >= NEVER:
                return False
            first = parts[part]["first_step"] + k * size
            ends = steps[0, first : first + size], steps[1, first : first + size]
            _write_steps(own_into, source, cost_from, cost_to, queue, *ends)
            for i in range(size):
                node = inside[i]
                if nodes[node]["part"] >= part:  # not a hub of a part above
                    place = nodes[node]["row"] + parts[part]["above"] + k
                    costs[0, place], costs[1, place] = cost_to[i], cost_from[i]
        for i in range(size):
            number[inside[i]] = -1
    return True


@helper
def _lowest(costs: Array, a: Number, b: Number, count: Number) -> Number:
    """Return the lowest sum of two rows of costs; `NEVER` if all exceed it."""
    to, back = costs[0, a : a + count], costs[1, b : b + count]
    lowest = np.uint16(NEVER)
    for i in range(count):
        total = np.uint16(to[i] + back[i])
        lowest = min(lowest, np.uint16(NEVER) if total < to[i] else total)
    return np.int64(lowest)


@compiled
def _is_near(rows: Array, nodes: Array, n_rows: Number, n_cols: Number, margin: Number) -> bool:
    """Return whether a row of a path is on a node, or in a column beside that of one."""
    for node in nodes:
        deck, row, col = node // (n_rows * n_cols), node // n_cols % n_rows, node % n_cols
        for i in range(len(rows)):
            is_close = abs(rows[i, 0] - row) <= margin and abs(rows[i, 1] - col) <= margin
            if is_close and (margin > 0 or rows[i, 2] == deck):
                return True
    return False


class _Tables(NamedTuple):
    """The arrays of labels in compiled code: edges of the graph, tables, and those of a look-up."""

    edges: EdgeArrays
    parts: Array
    nodes: Array
    costs: Array
    steps: Array
    moves: Array
    level: Array
    shape: Array
    ahead: Array
    """(2 n, 2) the nodes of two paths from their starts to their hubs, and the costs from there."""
    lows: Array
    """(n, 2) parts above both ends, and the lowest cost over their hubs."""
    tied: Array
    """The hubs of a part over which paths cost least."""
    delta: Array
    """By the rank of a step, how far it leads within a part."""
    back: Array
    """(2 n, 2) the nodes of two paths back from their goals to their hubs, and the same costs."""


@inlined
def _tables_at(words: Array) -> _Tables:
    return _Tables(
        edges_at(words, np.uint8),
        line_at(words, 11, _PART),
        line_at(words, 12, _NODE),
        table_at(words, 13, np.uint16),
        table_at(words, 14, np.uint8),
        line_at(words, 15, _STEP),
        line_at(words, 16, np.int16),
        line_at(words, 17, np.int64),
        table_at(words, 18, np.int64),
        table_at(words, 19, np.int64),
        line_at(words, 20, np.int64),
        line_at(words, 21, np.int64),
        table_at(words, 22, np.int64),
    )


@embedded
def _find_parts(t: _Tables, start: Number, goal: Number) -> Number:
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
        low = _lowest(t.costs, a + above, b + above, t.parts[part]["n_hubs"])
        t.lows[n_parts, 0], t.lows[n_parts, 1] = part, low
        best = min(best, low)
        n_parts += 1
        part = t.parts[part]["parent"]
    return best, n_parts


@inlined
def _place_in(t: _Tables, part: Number, node: Number) -> Number:
    """Return the number of a node within a part."""
    p, width = t.parts[part], width_of(t.shape[1])
    row, col, deck = cell_of(node, width, t.shape[0] * t.shape[1], len(t.nodes))
    return (deck * p["height"] + row - p["top"]) * p["width"] + col - p["left"]


@embedded
def _tie(t: _Tables, part: Number, start: Number, goal: Number, best: Number) -> int:
    """Write the hubs of a part over which paths cost least; return how many they are."""
    above, count = t.parts[part]["above"], 0
    a, b = t.nodes[start]["row"] + above, t.nodes[goal]["row"] + above
    for k in range(t.parts[part]["n_hubs"]):
        t.tied[count] = k
        count += np.int64(t.costs[0, u64(a + k)]) + np.int64(t.costs[1, u64(b + k)]) == best
    return count


@embedded
def _walk_back(t: _Tables, part: Number, base: Number, n_tied: Number) -> Number:
    """Write the path back from its goal, the first entry of `back` from `base` on, to a hub.

    Of the tied hubs those count whose last step is preferred. Return the hub and the length.
    """
    back, tied, p = t.back, t.tied, t.parts[part]
    first_step, size = p["first_step"], p["height"] * p["width"] * t.shape[2]
    node, cost, length = back[base, 0], back[base, 1], 1
    here, n_moves = _place_in(t, part, node), len(t.moves)
    while True:
        kept, rank = 0, np.int64(_NO_EDGE)
        for k in range(n_tied):
            each = np.int64(t.steps[1, u64(first_step + tied[k] * size + here)])
            if each == _NO_EDGE:  # this is the hub itself
                return tied[k], length
            if each < rank:
                rank, kept = each, 0
            if each == rank:
                tied[kept] = tied[k]
                kept += 1
        n_tied = kept
        if rank < n_moves:
            node -= t.moves[u64(rank)]["offset"]
            here -= t.delta[u64(rank)]
            cost -= np.int64(t.edges.step_cost[u64(node), u64(t.moves[u64(rank)]["slot"])])
        else:
            link = t.edges.back_first[node] + rank - n_moves
            node = np.int64(t.edges.back_source[link])
            cost -= np.int64(t.edges.back_cost[link])
            here = _place_in(t, part, node)
        back[u64(base + length), 0], back[u64(base + length), 1] = node, cost
        length += 1


@embedded
def _walk_on(t: _Tables, part: Number, base: Number, start: Number, hub: Number) -> Number:
    """Write the path from its start to a hub into `ahead` from `base` on; return its length."""
    ahead, p, n_moves, here = t.ahead, t.parts[part], len(t.moves), _place_in(t, part, start)
    node, cost, length = np.int64(start), np.int64(0), np.int64(0)
    steps = p["first_step"] + hub * p["height"] * p["width"] * t.shape[2]
    while True:
        rank = np.int64(t.steps[0, u64(steps + here)])
        if rank == _NO_EDGE:
            return length
        ahead[u64(base + length), 0], ahead[u64(base + length), 1] = node, cost
        length += 1
        if rank < n_moves:
            cost += np.int64(t.edges.step_cost[u64(node), u64(t.moves[u64(rank)]["slot"])])
            node += t.moves[u64(rank)]["offset"]
            here += t.delta[u64(rank)]
        else:
            link = t.edges.link_first[node] + rank - n_moves
            node = np.int64(t.edges.link_target[link])
            cost += np.int64(t.edges.link_cost[link])
            here = _place_in(t, part, node)


@helper
def _rank_of(t: _Tables, before: Number, node: Number, cost: Number) -> Number:
    """Return the rank of the step of a cost from one node to another."""
    edges, n_moves = t.edges, len(t.moves)
    for rank in range(n_moves):
        move = t.moves[rank]
        if node - move["offset"] == before and edges.step_cost[before, move["slot"]] == cost:
            return np.int64(rank)
    link = np.int64(edges.back_first[node])
    while edges.back_source[link] != before or edges.back_cost[link] != cost:
        link += 1
    return n_moves + link - edges.back_first[node]


@helper
def _from_goal(t: _Tables, path: Number, k: Number) -> Number:
    """Return a node and its cost by its number from the goal on; `path` is made by `_trace`."""
    base, n_ahead, n_back = path
    if k < n_back:
        return t.back[base + k, 0], t.back[base + k, 1]
    place = base + n_ahead + n_back - 1 - k
    return t.ahead[place, 0], t.ahead[place, 1]


@helper
def _is_preferred(t: _Tables, new: Number, old: Number) -> bool:
    """Return whether a path is preferred to another, where they part."""
    for k in range(1, min(new[1] + new[2], old[1] + old[2])):
        before, other = _from_goal(t, new, k), _from_goal(t, old, k)
        if before[0] != other[0]:
            node, cost = _from_goal(t, old, k - 1)
            rank = _rank_of(t, before[0], node, cost - before[1])
            return bool(rank < _rank_of(t, other[0], node, cost - other[1]))
    return False


@helper
def _trace(t: _Tables, start: Number, goal: Number) -> Number:
    """Write the path; return where it begins in `ahead` and `back`, and its lengths there."""
    lows, back, other = t.lows, t.back, len(t.back) // 2
    best, n_parts = _find_parts(t, start, goal)
    path = np.int64(0), np.int64(0), np.int64(start == goal)
    back[0, 0], back[0, 1] = goal, best
    for i in range(n_parts if best < NEVER else 0):
        if lows[i, 1] != best:
            continue
        part, base = lows[i, 0], other - path[0] if path[2] else path[0]
        height, width = t.parts[part]["height"], t.parts[part]["width"]
        for k in range(len(t.moves)):
            move = t.moves[k]
            t.delta[k] = (move["decks"] * height + move["rows"]) * width + move["cols"]
        n_tied = _tie(t, part, start, goal, best)
        back[base, 0], back[base, 1] = goal, best
        hub, n_back = _walk_back(t, part, base, n_tied)
        found = base, _walk_on(t, part, base, start, hub), n_back
        if path[2] == 0 or _is_preferred(t, found, path):
            path = found
    return path


@inlined
def _write_row(t: _Tables, record: Array, i: Number, path: Array, k: Number) -> None:
    """Write entry `k` of a part of the path as a row of the record."""
    node, cost, row = path[u64(k), 0], path[u64(k), 1], u64(i)
    place = cell_of(node, width_of(t.shape[1]), t.shape[0] * t.shape[1], len(t.nodes))
    record[row, 0], record[row, 1], record[row, 2] = place
    record[row, 3], record[row, 4] = cost, t.level[u64(node)]


@compiled
def _look_up(words: Array, start: Number, goal: Number) -> NDArray[np.int32]:
    """Return the rows of a path."""
    t = _tables_at(words)
    base, n_ahead, n_back = _trace(t, start, goal)
    length = n_ahead + n_back
    record = np.empty((5, length), np.int32).T  # by columns: its first three are taken together
    for i in range(n_ahead):
        _write_row(t, record, i, t.ahead, base + i)
    for i in range(n_back):
        _write_row(t, record, length - 1 - i, t.back, base + i)
    return record


@compiled
def _look_up_cost(words: Array, start: Number, goal: Number) -> Number:
    """Return the cost of a path; `NEVER` without one."""
    return _find_parts(_tables_at(words), start, goal)[0]
