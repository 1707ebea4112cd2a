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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.search.astar import cell_of
from ai.search.graph import Costs, Graph, at
from ai.search.jit import Int, compiled, inlined
from ai.search.landmarks import Progress

NEVER = 2**16 - 1
"""The cost in a label that stands for no path."""
_NO_MOVE = 255
_LEAF = 12
"""Parts of at most so many columns are not split."""
_MAX_FAR_LINKS = 64

N_TABLES = 7
N_FIELDS = 10
TOP, LEFT, HEIGHT, WIDTH, PARENT, DEPTH, ABOVE, FIRST_HUB, N_HUBS, FIRST_ROW = range(N_FIELDS)
"""The fields of a part: its rectangle, the part of which it is a half (-1: none), how many parts
are above, how many hubs these have, its own, and the row of steps for its first hub. Parts of one
depth do not overlap, and share the rows."""

N_MOVE_FIELDS = 3
OFFSET, SLOT, COST = range(N_MOVE_FIELDS)
"""The fields of a move: how far the end is from the start in node numbers, its slot or -1 for a
link, and the cost of a link."""


class _Tables(NamedTuple):
    """A buffer of words, the same in numbers of fewer bits, and where in it each table begins.

    The buffer begins with the ends of all tables, in words.
    """

    words: NDArray[np.int64]
    halves: NDArray[np.uint16]
    bytes: NDArray[np.uint8]
    parts: Int
    """Words: (n_parts, N_FIELDS)"""
    nodes: Int
    """Words: (n_nodes + 1, 2) the part of which a node is a hub, -1 if no edge touches it, and
    where its costs begin; in the end where all do."""
    moves: Int
    """Words: (n_moves, N_MOVE_FIELDS) a move for each slot of each class of nodes, then one for all
    links of one cost that lead equally far, in the order in which paths prefer them."""
    cost_to: Int
    """Halves: the costs from each node to the hubs above it."""
    cost_from: Int
    step_to: Int
    """Bytes: (n_rows, n_nodes) the first move from each node to a hub above."""
    step_from: Int
    """Bytes: the last move of the path from the hub."""


class _Edges(NamedTuple):
    """The edges of a graph, sorted by their ends or by their starts."""

    first: NDArray[np.int32]
    """(n_nodes + 1,) entry of the first edge of each node."""
    other: NDArray[np.int32]
    """(n_edges,) node at the other end."""
    cost: NDArray[np.uint8]
    move: NDArray[np.uint8]
    """(n_edges,) the preferred first."""


@dataclass(frozen=True)
class LabelPlan:
    """The size of a graph's labels and what they are built from, as `of` finds it."""

    graph: Graph
    edges: NDArray[np.int64]
    """(n_edges, 4) end, start, cost and move, by ends."""
    moves: NDArray[np.int64]
    """As in `_Tables`."""
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
        neighboring columns, and there may be no more moves than a byte can number.
        """
        if not graph.is_small or _least_bytes(graph) > max_bytes:
            return None
        edges, moves = _edges_of(graph)
        end, start = edges.T[:2]
        row, col = np.divmod(np.arange(graph.n_nodes) % graph.layout.n_cells, graph.layout.cols)
        is_far = np.maximum(abs(row[end] - row[start]), abs(col[end] - col[start])) > 1
        far = np.unique(start[is_far])
        if len(far) > _MAX_FAR_LINKS or len(moves) > _NO_MOVE:
            return None
        plan = LabelPlan(graph, edges, moves, *_parts_of(graph, edges, far))
        return plan if plan.n_bytes <= max_bytes else None

    @property
    def n_bytes(self) -> int:
        """The memory that the labels will take."""
        return int(8 * self._ends[-1])

    @property
    def _known(self) -> tuple[NDArray[np.int64], ...]:
        """The first tables, which are known before the labels are built."""
        return self.parts, self.nodes, self.moves

    @property
    def _ends(self) -> NDArray[np.int64]:
        """The ends in the buffer of what is ahead of the tables and of each table."""
        n_costs = 2 * self.nodes[-1, 1]
        n_steps = self.graph.n_nodes * self.parts[:, [N_HUBS, FIRST_ROW]].sum(axis=1).max()
        n_bytes = *(table.nbytes for table in self._known), n_costs, n_costs, n_steps, n_steps
        return np.cumsum([N_TABLES + 1, *(-(-size // 8) for size in n_bytes)])

    def build(self, progress: Progress | None = None) -> "HubLabels | None":
        """Build the labels; None if sums of two labels could reach `NEVER`.

        `progress` gets how many of the portions of the work are done, and how many there are.
        """
        ends = self._ends
        buffer = np.full(ends[-1], -1)  # in the labels it is `NEVER` and `_NO_MOVE`
        buffer[: len(ends)] = ends
        for begin, table in zip(ends, self._known, strict=False):
            buffer[begin : begin + table.size] = table.ravel()
        labels = HubLabels(buffer, self.graph.cost, self.graph.layout.level)
        edges = self._sorted_by(0), self._sorted_by(1)
        # The largest parts first, and small ones in portions of about the same time.
        work = self.parts[:, [HEIGHT, WIDTH, N_HUBS]].prod(axis=1)
        order = np.argsort(-work, kind="stable").astype(np.int32)
        tasks = [*order[:256, None], *np.array_split(order[256:], 16)]

        def run(task: NDArray[np.int32]) -> bool:
            return bool(_fill(task, buffer, self.hubs, *edges))

        with ThreadPoolExecutor(2) as pool:
            for done, is_fit in enumerate(pool.map(run, tasks), start=1):
                if not is_fit:
                    pool.shutdown(cancel_futures=True)
                    return None
                if progress is not None:
                    progress(done, len(tasks))
        _ = labels.path(0, 0), labels.cost(0, 0)  # compiles them before the first query
        return labels

    def _sorted_by(self, end: int) -> _Edges:
        """Return the edges by their ends, or with 1 by their starts."""
        edges, first = self.edges, np.zeros(self.graph.n_nodes + 1, np.int32)
        edges = edges[np.argsort(edges[:, end], kind="stable")]
        np.cumsum(np.bincount(edges[:, end], minlength=len(first) - 1), out=first[1:])
        columns = (each.astype(np.uint8) for each in edges.T[2:])
        return _Edges(first, edges[:, 1 - end].astype(np.int32), *columns)


@dataclass(frozen=True)
class HubLabels:
    """The labels of a graph, made by `LabelPlan.build`; one thread at a time may ask them."""

    buffer: NDArray[np.int64]
    """All tables: as one argument they take little time to pass."""
    price: Costs
    """(n_nodes, n_slots) cost of each step."""
    level: NDArray[np.int16]
    """(n_nodes,) level of each node."""

    def path(self, source: int, goal: int) -> NDArray[np.int64]:
        """Return the path as `Workspace.find_path` does, without rows if there is none."""
        return _path(self.buffer, self.price, self.level, source, goal)

    def cost(self, source: int, goal: int) -> int:
        """Return the cost of the path in units; -1 if there is none."""
        cost: int = _cost(self.buffer, source, goal)
        return cost


def _shape_of(graph: Graph) -> tuple[int, int, int]:
    """Return the layers, rows and columns of a graph's map."""
    layout = graph.layout
    return graph.n_nodes // layout.n_cells, layout.rows, layout.cols


def _edges_of(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges of a graph and its moves, both as in `LabelPlan`."""
    classes, slots = (each.ravel() for each in np.indices(graph.slot.shape[:2]))
    offsets, groups = graph.slot[classes, slots, 0], np.zeros_like(slots)
    if len(graph.slot_group):
        groups = graph.slot_group[slots].astype(np.int64)
    order = np.lexsort((offsets, groups))
    offsets, slots = offsets[order], slots[order]
    links, found = graph.links, list[NDArray[np.int64]]()
    for move, slot in enumerate(slots):
        is_start = graph.cost[:, slot] < graph.illegal
        if len(graph.node_class):
            is_start &= graph.node_class == classes[order[move]]
        start = np.flatnonzero(is_start)
        rows = start + offsets[move], start, graph.cost[start, slot], np.full(len(start), move)
        found.append(np.stack(rows).astype(np.int64))
    pairs = np.stack([-links.cost, links.target - links.source])
    (price, offset), kind = np.unique(pairs, axis=1, return_inverse=True)
    ends = links.target, links.source, links.cost, len(slots) + kind.ravel()
    edges = np.concatenate([*found, np.stack(ends)], axis=1).T
    moves = np.zeros((len(slots) + len(price), N_MOVE_FIELDS), np.int64)
    moves[:, OFFSET] = np.append(offsets, offset)
    moves[:, SLOT] = np.append(slots, np.full(len(price), -1))
    moves[len(slots) :, COST] = -price
    return edges[np.lexsort((edges[:, 3], edges[:, 0]))], moves


def _least_bytes(graph: Graph) -> int:
    """Return a lower bound of the memory for labels: that of the steps to the first line's hubs."""
    n_layers, n_rows, n_cols = _shape_of(graph)
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
    n_nodes, (n_layers, n_rows, n_cols) = graph.n_nodes, _shape_of(graph)
    grid = np.arange(n_nodes).reshape(n_layers, n_rows, n_cols)
    is_free = np.zeros(n_nodes, np.bool_)
    is_free[edges[:, :2]] = True
    nodes = np.full((n_nodes + 1, 2), -1)
    rows, hubs, n_hubs = list[list[int]](), [], 0
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
        rows.append([top, left, height, width, parent, depth, above, n_hubs, len(own), 0])
        hubs.append(own)
        n_hubs += len(own)
    parts, lengths = np.array(rows), np.zeros(n_nodes + 1, np.int64)
    most = np.zeros(parts[:, DEPTH].max() + 1, np.int64)  # hubs of a part of each depth
    np.maximum.at(most, parts[:, DEPTH], parts[:, N_HUBS])
    parts[:, FIRST_ROW] = (np.cumsum(most) - most)[parts[:, DEPTH]]
    is_hub = nodes[:, 0] >= 0
    lengths[is_hub] = parts[:, [ABOVE, N_HUBS]].sum(axis=1)[nodes[is_hub, 0]]
    nodes[:, 1] = np.cumsum(lengths) - lengths
    return parts, nodes, np.concatenate(hubs).astype(np.int32)


@inlined
def _tables_of(buffer: NDArray[np.int64]) -> _Tables:
    """Return the tables in a buffer."""
    b = buffer
    return _Tables(
        b, b.view(np.uint16), b.view(np.uint8), b[0], b[1], b[2], 4 * b[3], 4 * b[4], 8 * b[5],
        8 * b[6],
    )  # fmt: skip


@inlined
def _field(t: _Tables, part: Int, field: Int) -> Int:
    """Return a field of a part."""
    return t.words[at(t.parts + part * N_FIELDS + field)]


@inlined
def _move(t: _Tables, move: Int, field: Int) -> Int:
    """Return a field of a move."""
    return t.words[at(t.moves + move * N_MOVE_FIELDS + field)]


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
    """Write the first move of each path to a hub, and the last of each path from it.

    A search in depth along cheapest paths back from the hub, over preferred moves first, finds
    each node by its preferred path.
    """
    for node in range(len(cost_from)):
        cost = np.int64(cost_from[node])
        if cost == NEVER or node == source:
            continue
        for edge in range(into.first[node], into.first[node + 1]):
            if np.int64(cost_from[into.other[edge]]) + np.int64(into.cost[edge]) == cost:
                step_from[node] = into.move[edge]
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
        if before == source or step_to[before] != _NO_MOVE:
            continue
        if np.int64(cost_to[node]) + np.int64(into.cost[edge]) == np.int64(cost_to[before]):
            step_to[before] = into.move[edge]
            depth += 1
            stack[depth, 0], stack[depth, 1] = before, into.first[before]


@compiled
def _edges_within(edges: _Edges, nodes: NDArray[np.int32], number: NDArray[np.int32]) -> _Edges:
    """Return the edges between some nodes, with their numbers among these nodes."""
    first = np.zeros(len(nodes) + 1, np.int32)
    most = count = 0
    for node in nodes:
        most += edges.first[node + 1] - edges.first[node]
    other = np.empty(most, np.int32)
    cost, move = np.empty(most, np.uint8), np.empty(most, np.uint8)
    for i in range(len(nodes)):
        for edge in range(edges.first[nodes[i]], edges.first[nodes[i] + 1]):
            there = number[edges.other[edge]]
            if there >= 0:
                other[count], cost[count], move[count] = there, edges.cost[edge], edges.move[edge]
                count += 1
        first[i + 1] = count
    return _Edges(first, other[:count], cost, move)


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
    n_rows, n_cols, heads = _field(t, 0, HEIGHT), _field(t, 0, WIDTH), np.empty(256, np.int32)
    number = np.full(len(into.first) - 1, -1, np.int32)
    n_layers = len(number) // (n_rows * n_cols)
    for part in which:
        height, width = _field(t, part, HEIGHT), _field(t, part, WIDTH)
        size = height * width * n_layers
        inside = np.empty(size, np.int32)
        for i in range(size):
            line, col = i // width, i % width + _field(t, part, LEFT)
            deck, row = line // height, line % height + _field(t, part, TOP)
            inside[i] = (deck * n_rows + row) * n_cols + col
            number[inside[i]] = i
        own_into = _edges_within(into, inside, number)
        own_out = _edges_within(out, inside, number)
        queue = np.empty((len(own_out.other) + 1, 2), np.int32)
        cost_from, cost_to = np.empty(size, np.uint16), np.empty(size, np.uint16)
        step_from, step_to = np.empty(size, np.uint8), np.empty(size, np.uint8)
        for k in range(_field(t, part, N_HUBS)):
            source = number[hubs[_field(t, part, FIRST_HUB) + k]]
            highest = _spread(own_out, source, cost_from, queue, heads)
            if highest + _spread(own_into, source, cost_to, queue, heads) >= NEVER:
                return False
            step_to[:] = step_from[:] = _NO_MOVE
            _write_steps(own_into, source, cost_from, cost_to, queue, step_to, step_from)
            row = (_field(t, part, FIRST_ROW) + k) * len(number)
            for i in range(size):
                node = inside[i]
                t.bytes[t.step_to + row + node] = step_to[i]
                t.bytes[t.step_from + row + node] = step_from[i]
                if _part_of(t, node) >= part:  # not a hub of a part above
                    place = _row_of(t, node) + _field(t, part, ABOVE) + k
                    t.halves[t.cost_to + place] = cost_to[i]
                    t.halves[t.cost_from + place] = cost_from[i]
        for i in range(size):
            number[inside[i]] = -1
    return True


@inlined
def _meet(t: _Tables, start: Int, goal: Int) -> tuple[Int, Int, Int]:
    """Return the smallest part that holds two nodes, the lowest cost of a path, and its parts.

    These are bits by the depths of the parts over whose hubs such paths lead.
    """
    best, depths = np.int64(NEVER), np.int64(0)
    part, other = _part_of(t, start), _part_of(t, goal)
    if part < 0 or other < 0:
        return np.int64(-1), best, depths
    while part != other:
        if _field(t, part, DEPTH) >= _field(t, other, DEPTH):
            part = _field(t, part, PARENT)
        else:
            other = _field(t, other, PARENT)
    while other >= 0:
        above, lowest = _field(t, other, ABOVE), np.uint16(NEVER)
        a = t.cost_to + _row_of(t, start) + above
        b = t.cost_from + _row_of(t, goal) + above
        for hub in range(_field(t, other, N_HUBS)):
            cost = t.halves[at(a + hub)]
            total = np.uint16(cost + t.halves[at(b + hub)])
            lowest = min(lowest, np.uint16(NEVER) if total < cost else total)
        low = np.int64(lowest)
        if low < NEVER and low <= best:
            depths = (depths if low == best else 0) | 1 << _field(t, other, DEPTH)
            best = low
        other = _field(t, other, PARENT)
    return part, best, depths


@inlined
def _price(t: _Tables, cost: Costs, move: Int, start: Int) -> Int:
    """Return the cost of a move from a node."""
    slot = _move(t, move, SLOT)
    return np.int64(cost[at(start), at(slot)]) if slot >= 0 else _move(t, move, COST)


@compiled
def _walk(  # noqa: C901 - back to the hub, then on from the start
    t: _Tables, cost: Costs, part: Int, start: Int, goal: Int, way: NDArray[np.int64]
) -> Int:
    """Write the path over a hub of a part from the goal back; return its length.

    Of the hubs over which paths cost least those count whose last move is preferred. `way` gets
    nodes, costs and the moves on from there; its first entry is there.
    """
    n_hubs, above, n_nodes = _field(t, part, N_HUBS), _field(t, part, ABOVE), len(cost)
    a, b = t.cost_to + _row_of(t, start) + above, t.cost_from + _row_of(t, goal) + above
    first = t.step_from + _field(t, part, FIRST_ROW) * n_nodes
    tied, n_tied = np.empty(n_hubs + 1, np.int64), 0
    for k in range(n_hubs):
        tied[at(n_tied)] = first + k * n_nodes
        total = np.int64(t.halves[at(a + k)]) + np.int64(t.halves[at(b + k)])
        n_tied += total == way[0, 1]
    node, spent, length, hub_row = np.int64(goal), np.int64(way[0, 1]), 1, np.int64(-1)
    while True:
        kept, best = 0, np.int64(_NO_MOVE)
        for i in range(n_tied):
            move = np.int64(t.bytes[at(tied[at(i)] + node)])
            if move == _NO_MOVE:  # this is the hub itself
                hub_row = tied[at(i)] - t.step_from + t.step_to
                break
            if move < best:
                best, kept = move, 0
            if move == best:
                tied[at(kept)] = tied[at(i)]
                kept += 1
        if hub_row >= 0:
            break
        node, n_tied = node - _move(t, best, OFFSET), kept
        spent -= _price(t, cost, best, node)
        way[at(length), 0], way[at(length), 1], way[at(length), 2] = node, spent, best
        length += 1
    hub, n_back = node, length
    node, spent = np.int64(start), np.int64(0)
    while node != hub:
        move = np.int64(t.bytes[at(hub_row + node)])
        way[at(length), 0], way[at(length), 1], way[at(length), 2] = node, spent, move
        length += 1
        spent += _price(t, cost, move, node)
        node += _move(t, move, OFFSET)
    for i in range((length - n_back) // 2):
        one, other = at(n_back + i), at(length - 1 - i)
        for field in range(3):
            way[one, field], way[other, field] = way[other, field], way[one, field]
    return length


@inlined
def _is_preferred(new: NDArray[np.int64], old: NDArray[np.int64], length: Int) -> bool:
    """Return whether a path is preferred to another, where they part."""
    for k in range(1, length):
        if new[k, 2] != old[k, 2]:
            return bool(new[k, 2] < old[k, 2])
    return False


@compiled
def _path(
    buffer: NDArray[np.int64],
    cost: Costs,
    level: NDArray[np.int16],
    start: Int,
    goal: Int,
) -> NDArray[np.int64]:
    """Return the rows of a path."""
    t = _tables_of(buffer)
    part, best, depths = _meet(t, start, goal)
    if start == goal:
        part, best = np.int64(-1), np.int64(0)
    way, length = np.empty((best + 1, 3), np.int64), np.int64(best < NEVER)  # a step costs a unit
    way[0, 0], way[0, 1] = goal, best
    while part >= 0:
        if depths >> _field(t, part, DEPTH) & 1:
            new = way if length == 1 else np.empty_like(way)
            new[0, 0], new[0, 1] = goal, best
            n_new = _walk(t, cost, part, start, goal, new)
            if length == 1 or _is_preferred(new, way, min(length, n_new)):
                way, length = new, n_new
        part = _field(t, part, PARENT)
    n_rows, n_cols = _field(t, 0, HEIGHT), _field(t, 0, WIDTH)
    record = np.empty((length, 5), np.int64)
    for i in range(length):
        k = at(length - 1 - i)
        node = way[k, 0]
        record[i, 0], record[i, 1], record[i, 2] = cell_of(node, n_rows, n_cols, 1.0 / n_cols)
        record[i, 3], record[i, 4] = way[k, 1], level[at(node)]
    return record


@compiled
def _cost(buffer: NDArray[np.int64], start: Int, goal: Int) -> Int:
    """Return the cost of a path; -1 without one."""
    _, cost, _ = _meet(_tables_of(buffer), start, goal)
    return 0 if start == goal else (cost if cost < NEVER else -1)
