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

from ai.search.astar import at, cell_of
from ai.search.graph import EdgeArrays, Graph, edge_into, n_into
from ai.search.jit import Int, compiled, inlined
from ai.search.landmarks import Progress

NEVER = 2**16 - 1
"""The cost in a label that stands for no path."""
_NO_EDGE = 255
_LEAF = 12
"""Parts of at most so many columns are not split."""
_MAX_FAR_LINKS = 64

N_FIELDS = 10
TOP, LEFT, HEIGHT, WIDTH, PARENT, DEPTH, ABOVE, FIRST_HUB, N_HUBS, FIRST_STEP = range(N_FIELDS)
"""The fields of a part: its rectangle, the part of which it is a half (-1: none), how many parts
are above, how many hubs these have, its own, and where its steps begin: hub by hub, a step for each
surface of the part."""


class _Tables(NamedTuple):
    """A buffer of words, the same in numbers of fewer bits, and where in it each table begins.

    The buffer begins with the numbers after the first four fields.
    """

    words: NDArray[np.int64]
    ints: NDArray[np.int32]
    halves: NDArray[np.uint16]
    bytes: NDArray[np.uint8]
    n_rows: Int
    n_cols: Int
    n_layers: Int
    n_slots: Int
    n_moves: Int
    longest: Int
    """Entries of a way."""
    parts: Int
    """Words: (n_parts, N_FIELDS)."""
    nodes: Int
    """Words: (n_nodes, 2) the part of which a node is a hub, -1 if no edge touches the node, and
    where its costs begin."""
    moves: Int
    """Words: (n_moves, 5) offset and slot of each row of `EdgeArrays.back`, and the change of row,
    column and deck. Steps are numbered so, and links count on from there."""
    delta: Int
    """Words: (n_moves,) how far each step leads within a part."""
    lows: Int
    """Words: (n, 2) parts above both ends, and the lowest cost over their hubs."""
    tied: Int
    """Words: the hubs of a part over which paths cost least."""
    ways: Int
    """Ints: (2, longest, 3) two paths from the goal back: node, cost, and number of the edge on
    from there. What lies before the hub stands at the end."""
    link_first: Int
    """Ints: the links of `EdgeArrays`, and the number of each in `edge_into`."""
    link_target: Int
    link_cost: Int
    link_rank: Int
    into_first: Int
    into_source: Int
    into_cost: Int
    cost_to: Int
    """Halves: the costs from each node to the hubs above it."""
    cost_from: Int
    cost: Int
    """Bytes: (n_nodes, n_slots) cost of each step."""
    step_to: Int
    """Bytes: number of the first step from each node to each hub above."""
    step_from: Int
    """Bytes: number of the last step of the path from each hub."""


_N_SIZES = 6
Way = tuple[Int, Int, Int, Int]
"""Where the first and the last entry of a way may be, how many entries lead from the goal to the
hub, and how many there are."""

_NAMES = _Tables._fields[4 + _N_SIZES :]


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
    parts: NDArray[np.int64]
    """As in `_Tables`."""
    nodes: NDArray[np.int64]
    """As in `_Tables`."""
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
        if costs.max(initial=1) > 255 or costs.min(initial=1) < 1:
            return None
        layout, (end, start) = graph.layout, edges.T[:2]
        row, col = np.divmod(np.arange(graph.n_nodes) % layout.n_cells, layout.cols)
        is_far = np.maximum(abs(row[end] - row[start]), abs(col[end] - col[start])) > 1
        far = np.unique(start[is_far])
        if len(far) > _MAX_FAR_LINKS or numbers.max(initial=0) >= _NO_EDGE:
            return None
        plan = LabelPlan(graph, edges, *_parts_of(graph, edges, far))
        return plan if plan.n_bytes <= max_bytes else None

    @property
    def n_bytes(self) -> int:
        """The memory that the labels will take."""
        return 8 * sum(self._n_words)

    @property
    def _sizes(self) -> list[int]:
        """The numbers before the first table's place in `_Tables`."""
        graph = self.graph
        sizes = graph.cost.shape[1], len(graph.back), min(graph.n_nodes, NEVER) + 1
        return [*_shape_of(graph), *sizes]

    @property
    def _n_words(self) -> list[int]:
        """How many words stand before the tables, and those of each."""
        deepest, most = self.parts[:, DEPTH].max() + 1, self.parts[:, N_HUBS].max() + 1
        part = self.nodes[self.nodes[:, 0] >= 0, 0]
        n_costs, n_steps = (
            self.parts[:, [ABOVE, N_HUBS]].sum(axis=1)[part].sum(),
            self._n_steps.sum(),
        )
        n_bytes = {name: table.nbytes for name, table in self._given.items()}
        n_bytes |= {"delta": 8 * len(self.graph.back), "lows": 16 * deepest, "tied": 8 * most}
        n_bytes |= {"ways": 24 * self._sizes[-1], "step_to": n_steps, "step_from": n_steps}
        n_bytes |= {"cost_to": 2 * n_costs, "cost_from": 2 * n_costs}
        return [_N_SIZES + len(_NAMES), *(-(-int(n_bytes[name]) // 8) for name in _NAMES)]

    @property
    def _n_steps(self) -> NDArray[np.int64]:
        """(n_parts,) steps to the hubs of each part."""
        n_layers = _shape_of(self.graph)[2]
        n_steps: NDArray[np.int64] = n_layers * self.parts[:, [HEIGHT, WIDTH, N_HUBS]].prod(axis=1)
        return n_steps

    @cached_property
    def _given(self) -> dict[str, NDArray[Any]]:
        """The tables that are known before the labels are built."""
        edges, (n_rows, n_cols, _) = self.graph.edges, _shape_of(self.graph)
        offset, slot, _ = edges.back.T
        lines = (offset + n_cols // 2) // n_cols
        decks = (lines + n_rows // 2) // n_rows
        moves = offset, slot, lines - decks * n_rows, offset - lines * n_cols, decks
        rank = np.zeros(len(edges.link_target), np.int32)
        # Of equal links only the first is taken.
        links = self.edges[self.edges[:, 4] >= len(offset)][::-1]
        rank[edges.link_first[links[:, 1]] + links[:, 4] - len(offset)] = links[:, 3]
        return {
            "parts": self.parts,
            "nodes": self.nodes,
            "moves": np.stack(moves, axis=1),
            **{name: getattr(edges, name) for name in EdgeArrays._fields[4:]},
            "link_rank": rank,
            "cost": edges.cost,
        }

    def build(self, progress: Progress | None = None, n_threads: int = 2) -> "HubLabels | None":
        """Build the labels; None if sums of two labels could reach `NEVER`.

        `progress` gets how many of the portions of the work are done, and how many there are.
        """
        first = np.cumsum(self._n_words)
        buffer = np.full(first[-1], -1)  # in the labels it is `NEVER` and `_NO_EDGE`
        buffer[: first[0]] = [*self._sizes, *first[:-1]]
        for name, table in self._given.items():
            words = buffer[first[_NAMES.index(name)] :][: -(-table.nbytes // 8)]
            words.view(table.dtype)[: table.size] = table.ravel()
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
        _ = labels.path(0, 0), labels.cost(0, 0)  # compiles them before the first query
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
        return _path(self.buffer, self.graph.layout.level, source, goal)

    def cost(self, source: int, goal: int) -> int:
        """Return the cost of the path in units; -1 if there is none."""
        cost: int = _cost(self.buffer, source, goal)
        return cost


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
    return 2 * graph.n_nodes * n_hubs


def _parts_of(
    graph: Graph, edges: NDArray[np.int64], far: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Return the parts, each before its halves, the nodes, and the hubs of all parts.

    `far` are starts of links to other than neighboring columns.
    """
    n_nodes = graph.n_nodes
    n_rows, n_cols, n_layers = _shape_of(graph)
    grid = np.arange(n_nodes).reshape(n_layers, n_rows, n_cols)
    is_free = np.zeros(n_nodes, np.bool_)
    is_free[edges[:, :2]] = True
    nodes = np.full((n_nodes, 2), -1)
    rows, hubs, n_hubs, n_steps = list[tuple[int, ...]](), [], 0, 0
    stack = [(0, 0, n_rows, n_cols, -1)]
    while stack:
        top, left, height, width, parent = stack.pop()
        half, line = max(height, width) // 2, grid[:, top : top + height, left : left + width]
        if height * width > _LEAF and height >= width:
            line = line[:, half]
            stack.append((top + half + 1, left, height - half - 1, width, len(rows)))
            stack.append((top, left, half, width, len(rows)))
        elif height * width > _LEAF:
            line = line[:, :, half]
            stack.append((top, left + half + 1, height, width - half - 1, len(rows)))
            stack.append((top, left, height, half, len(rows)))
        own = line.ravel() if parent >= 0 else np.r_[far, np.setdiff1d(line, far)]
        own = own[is_free[own]]
        is_free[own] = False
        nodes[own, 0] = len(rows)
        depth, above = 0, 0
        if parent >= 0:
            above = rows[parent][ABOVE] + rows[parent][N_HUBS]
            depth = rows[parent][DEPTH] + 1
        rows.append((top, left, height, width, parent, depth, above, n_hubs, len(own), n_steps))
        hubs.append(own)
        n_hubs += len(own)
        n_steps += height * width * n_layers * len(own)
    parts, is_hub = np.array(rows), nodes[:, 0] >= 0
    lengths = np.zeros(n_nodes, np.int64)
    lengths[is_hub] = parts[:, [ABOVE, N_HUBS]].sum(axis=1)[nodes[is_hub, 0]]
    nodes[:, 1] = np.cumsum(lengths) - lengths
    return parts, nodes, np.concatenate(hubs).astype(np.int32)


def _tasks(order: NDArray[np.int64]) -> list[NDArray[np.int32]]:
    """Return the parts, the largest first, in portions of about the same time."""
    order = order.astype(np.int32)
    rest = [each for each in np.array_split(order[256:], 16) if len(each)]
    return [*order[:256].reshape(-1, 1), *rest]


@inlined
def _tables_of(buffer: NDArray[np.int64]) -> _Tables:
    """Return the tables in a buffer."""
    b = buffer
    return _Tables(
        b, b.view(np.int32), b.view(np.uint16), b.view(np.uint8),
        b[0], b[1], b[2], b[3], b[4], b[5],
        b[6], b[7], b[8], b[9], b[10], b[11],
        2 * b[12], 2 * b[13], 2 * b[14], 2 * b[15], 2 * b[16], 2 * b[17], 2 * b[18], 2 * b[19],
        4 * b[20], 4 * b[21], 8 * b[22], 8 * b[23], 8 * b[24],
    )  # fmt: skip


@inlined
def _field(t: _Tables, part: Int, field: Int) -> Int:
    """Return a field of a part."""
    return t.words[at(t.parts + part * N_FIELDS + field)]


@inlined
def _part_of(t: _Tables, node: Int) -> Int:
    """Return the part of which a node is a hub."""
    return t.words[at(t.nodes + 2 * node)]


@inlined
def _row_of(t: _Tables, node: Int) -> Int:
    """Return where the costs of a node begin."""
    return t.words[at(t.nodes + 2 * node + 1)]


@compiled
def _spread(
    edges: _Edges,
    source: Int,
    cost_of: NDArray[np.uint16],
    queue: NDArray[np.int32],
    heads: NDArray[np.int32],
) -> Int:
    """Write the cost from a node to each, `NEVER` without a path; return the highest.

    It is `NEVER` if one may cost more.

    Dial's bucket queue: entry `e` of `queue` is (node, next entry of its bucket).
    """
    cost_of[:] = NEVER
    heads[:] = -1
    cost_of[source] = 0
    queue[0, 0], queue[0, 1] = source, -1
    heads[0] = 0
    count, live, now, highest = 1, 1, np.int64(0), np.int64(0)
    while live:
        entry = heads[now & 255]
        heads[now & 255] = -1
        while entry >= 0:
            node = queue[entry, 0]
            entry = queue[entry, 1]
            live -= 1
            if cost_of[node] != now:
                continue
            highest = now
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
                    return np.int64(NEVER)
        now += 1
    return highest


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
    most = count = 0
    for node in nodes:
        most += edges.first[node + 1] - edges.first[node]
    other, cost = np.empty(most, np.int32), np.empty(most, np.uint8)
    rank, leaving = np.empty(most, np.uint8), np.empty(most, np.uint8)
    for i in range(len(nodes)):
        for edge in range(edges.first[nodes[i]], edges.first[nodes[i] + 1]):
            there = number[edges.other[edge]]
            if there >= 0:
                other[count], cost[count] = there, edges.cost[edge]
                rank[count], leaving[count] = edges.rank[edge], edges.leaving[edge]
                count += 1
        first[i + 1] = count
    return _Edges(first, other[:count], cost, rank, leaving)


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
    number = np.full(t.n_rows * t.n_cols * t.n_layers, -1, np.int32)
    heads = np.empty(256, np.int32)
    for part in which:
        height, width = _field(t, part, HEIGHT), _field(t, part, WIDTH)
        size = height * width * t.n_layers
        inside = np.empty(size, np.int32)
        for i in range(size):
            line, col = i // width, i % width + _field(t, part, LEFT)
            deck, row = line // height, line % height + _field(t, part, TOP)
            inside[i] = (deck * t.n_rows + row) * t.n_cols + col
            number[inside[i]] = i
        own_into = _edges_within(into, inside, number)
        own_out = _edges_within(out, inside, number)
        queue = np.empty((len(own_out.other) + 1, 2), np.int32)
        cost_from, cost_to = np.empty(size, np.uint16), np.empty(size, np.uint16)
        for k in range(_field(t, part, N_HUBS)):
            source = number[hubs[_field(t, part, FIRST_HUB) + k]]
            highest = _spread(own_out, source, cost_from, queue, heads)
            if highest + _spread(own_into, source, cost_to, queue, heads) >= NEVER:
                return False
            first = _field(t, part, FIRST_STEP) + k * size
            step_to = t.bytes[t.step_to + first : t.step_to + first + size]
            step_from = t.bytes[t.step_from + first : t.step_from + first + size]
            _write_steps(own_into, source, cost_from, cost_to, queue, step_to, step_from)
            for i in range(size):
                node = inside[i]
                if _part_of(t, node) >= part:  # not a hub of a part above
                    place = _row_of(t, node) + _field(t, part, ABOVE) + k
                    t.halves[t.cost_to + place] = cost_to[i]
                    t.halves[t.cost_from + place] = cost_from[i]
        for i in range(size):
            number[inside[i]] = -1
    return True


@inlined
def _lowest(t: _Tables, a: Int, b: Int, count: Int) -> Int:
    """Return the lowest sum of costs over some hubs; `NEVER` if all exceed it."""
    a, b, lowest = a + t.cost_to, b + t.cost_from, np.uint16(NEVER)
    for i in range(count):
        cost = t.halves[at(a + i)]
        total = np.uint16(cost + t.halves[at(b + i)])
        lowest = min(lowest, np.uint16(NEVER) if total < cost else total)
    return np.int64(lowest)


@inlined
def _find_parts(t: _Tables, start: Int, goal: Int) -> tuple[Int, Int]:
    """Write the parts above both nodes; return the lowest cost and the number of parts."""
    best, n_parts = np.int64(NEVER), 0
    part, other = _part_of(t, start), _part_of(t, goal)
    if start == goal:
        return np.int64(0), 0
    if part < 0 or other < 0:
        return best, 0
    while part != other:
        if _field(t, part, DEPTH) >= _field(t, other, DEPTH):
            part = _field(t, part, PARENT)
        else:
            other = _field(t, other, PARENT)
    a, b = _row_of(t, start), _row_of(t, goal)
    while part >= 0:
        above = _field(t, part, ABOVE)
        low = _lowest(t, a + above, b + above, _field(t, part, N_HUBS))
        entry = t.lows + 2 * n_parts
        t.words[at(entry)], t.words[at(entry + 1)] = part, low
        best = min(best, low)
        n_parts += 1
        part = _field(t, part, PARENT)
    return best, n_parts


@inlined
def _place_in(t: _Tables, part: Int, node: Int) -> Int:
    """Return the number of a node within a part."""
    row, col, deck = cell_of(node, t.n_rows, t.n_cols, 1.0 / t.n_cols)
    line = deck * _field(t, part, HEIGHT) + row - _field(t, part, TOP)
    return line * _field(t, part, WIDTH) + col - _field(t, part, LEFT)


@inlined
def _size(t: _Tables, part: Int) -> Int:
    """Return the number of surfaces of a part."""
    return _field(t, part, HEIGHT) * _field(t, part, WIDTH) * t.n_layers


@inlined
def _write(t: _Tables, entry: Int, node: Int, cost: Int) -> None:
    """Write the first two numbers of an entry of a way."""
    t.ints[at(entry)], t.ints[at(entry + 1)] = node, cost


@inlined
def _walk_back(t: _Tables, way: Int, part: Int, start: Int) -> tuple[Int, Int]:
    """Write the way back from its goal, the first entry, to a hub; return it and the length.

    Of the hubs over which paths cost least those count whose last step is preferred.
    """
    words, ints, n_slots, n_moves = t.words, t.ints, t.n_slots, t.n_moves
    steps, size = t.step_from + _field(t, part, FIRST_STEP), _size(t, part)
    node, cost, entry = np.int64(ints[way]), np.int64(ints[way + 1]), way
    a = t.cost_to + _row_of(t, start) + _field(t, part, ABOVE)
    b, n_tied = t.cost_from + _row_of(t, node) + _field(t, part, ABOVE), 0
    for k in range(_field(t, part, N_HUBS)):
        words[at(t.tied + n_tied)] = k
        n_tied += np.int64(t.halves[at(a + k)]) + np.int64(t.halves[at(b + k)]) == cost
    here = _place_in(t, part, node)
    while True:
        kept, rank = 0, np.int64(_NO_EDGE)
        for k in range(n_tied):
            hub = words[at(t.tied + k)]
            each = np.int64(t.bytes[at(steps + hub * size + here)])
            if each == _NO_EDGE:  # this is the hub itself
                return hub, (entry - way) // 3 + 1
            if each < rank:
                rank, kept = each, 0
            if each == rank:
                words[at(t.tied + kept)] = hub
                kept += 1
        n_tied = kept
        if rank < n_moves:
            move = t.moves + 5 * rank
            node -= words[at(move)]
            here -= words[at(t.delta + rank)]
            cost -= np.int64(t.bytes[at(t.cost + node * n_slots + words[at(move + 1)])])
        else:
            link = ints[t.into_first + node] + rank - n_moves
            node = np.int64(ints[t.into_source + link])
            cost -= np.int64(ints[t.into_cost + link])
            here = _place_in(t, part, node)
        entry += 3
        _write(t, entry, node, cost)
        ints[at(entry + 2)] = rank


@inlined
def _walk_on(t: _Tables, last: Int, part: Int, start: Int, hub: Int) -> Int:
    """Write the way from its start, the last entry, to before a hub; return its length."""
    words, ints, n_slots, n_moves = t.words, t.ints, t.n_slots, t.n_moves
    steps = t.step_to + _field(t, part, FIRST_STEP) + hub * _size(t, part)
    node, cost, entry = np.int64(start), np.int64(0), last
    here = _place_in(t, part, node)
    while True:
        rank = np.int64(t.bytes[at(steps + here)])
        if rank == _NO_EDGE:
            return (last - entry) // 3
        _write(t, entry, node, cost)
        if rank < n_moves:
            move = t.moves + 5 * rank
            cost += np.int64(t.bytes[at(t.cost + node * n_slots + words[at(move + 1)])])
            node += words[at(move)]
            here += words[at(t.delta + rank)]
        else:
            link = ints[t.link_first + node] + rank - n_moves
            node, rank = np.int64(ints[t.link_target + link]), np.int64(ints[t.link_rank + link])
            cost += np.int64(ints[t.link_cost + link])
            here = _place_in(t, part, node)
        ints[at(entry + 2)] = rank
        entry -= 3


@inlined
def _entry(way: Way, k: Int) -> Int:
    """Return where an entry of a way is by its number from the goal."""
    first, last, n_back, length = way
    return first + 3 * k if k < n_back else last - 3 * (length - 1 - k)


@compiled
def _is_preferred(ints: NDArray[np.int32], new: Way, old: Way) -> bool:
    """Return whether a path is preferred to another, where they part."""
    for k in range(1, min(new[3], old[3])):
        rank, other = ints[_entry(new, k) + 2], ints[_entry(old, k) + 2]
        if rank != other:
            return bool(rank < other)
    return False


@inlined
def _trace(t: _Tables, start: Int, goal: Int) -> Way:
    """Write the path and return which way it is."""
    best, n_parts = _find_parts(t, start, goal)
    first, other, size = t.ways, t.ways + 3 * t.longest, 3 * t.longest - 3
    length = np.int64(start == goal)
    found = first, first + size, length, length
    _write(t, first, goal, best)
    for i in range(n_parts if best < NEVER else 0):
        part, low = t.words[t.lows + 2 * i], t.words[t.lows + 2 * i + 1]
        if low != best:
            continue
        height, width = _field(t, part, HEIGHT), _field(t, part, WIDTH)
        for k in range(t.n_moves):
            move = t.moves + 5 * k
            lines = t.words[move + 4] * height + t.words[move + 2]
            t.words[t.delta + k] = lines * width + t.words[move + 3]
        _write(t, other, goal, best)
        hub, n_back = _walk_back(t, other, part, start)
        n_ahead = _walk_on(t, other + size, part, start, hub)
        new = other, other + size, n_back, n_back + n_ahead
        if found[3] == 0 or _is_preferred(t.ints, new, found):
            found, other = new, found[0]
    return found


@compiled
def _path(
    buffer: NDArray[np.int64], level: NDArray[np.int16], start: Int, goal: Int
) -> NDArray[np.int64]:
    """Return the rows of a path."""
    t = _tables_of(buffer)
    way, inverse = _trace(t, start, goal), 1.0 / t.n_cols
    record = np.empty((way[3], 5), np.int64)
    for k in range(way[3]):
        row, entry = at(way[3] - 1 - k), _entry(way, k)
        node = np.int64(t.ints[at(entry)])
        place = cell_of(node, t.n_rows, t.n_cols, inverse)
        record[row, at(0)], record[row, at(1)], record[row, at(2)] = place
        record[row, at(3)], record[row, at(4)] = t.ints[at(entry + 1)], level[at(node)]
    return record


@compiled
def _cost(buffer: NDArray[np.int64], start: Int, goal: Int) -> Int:
    """Return the cost of a path; -1 without one."""
    cost, _ = _find_parts(_tables_of(buffer), start, goal)
    return cost if cost < NEVER else -1
