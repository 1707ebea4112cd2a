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

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled, helper, u64
from ai.search.graph import Graph
from ai.search.grid_index import cell_of, width_of
from ai.search.landmark_selection import Progress

NEVER = 2**16 - 1
"""The cost in a label that stands for no path."""
_NO_EDGE = 255
_LEAF = 12
"""Parts of at most so many columns are not split."""
_MAX_FAR_LINKS = 64


class _Edges(NamedTuple):
    """The edges of a graph, sorted by their ends or by their starts."""

    first: NDArray[np.int32]
    """(n_nodes + 1,) entry of the first edge of each node."""
    other: NDArray[np.int32]
    """(n_edges,) node at the other end."""
    cost: NDArray[np.uint8]
    rank: NDArray[np.uint8]
    """(n_edges,) number among the edges that lead to the same node, the preferred first."""
    slot: NDArray[np.uint8]
    """(n_edges,) number among the edges out of the same node."""


class _Parts(NamedTuple):
    """The parts of a map, each before its halves."""

    rect: NDArray[np.int32]
    """(n_parts, 4) first row, row after the last, first column, column after the last."""
    parent: NDArray[np.int32]
    """(n_parts,) the part of which this is a half; -1 of the first."""
    depth: NDArray[np.int32]
    """(n_parts,) how many parts are above."""
    above: NDArray[np.int32]
    """(n_parts,) how many hubs the parts above have."""
    first_hub: NDArray[np.int32]
    """(n_parts + 1,) entry of each part's first hub in `hubs`."""
    hubs: NDArray[np.int32]
    """(n_hubs,) nodes."""
    first_step: NDArray[np.int64]
    """(n_parts,) entry of each part's first step; hub by hub, a step for each surface."""
    part_of: NDArray[np.int32]
    """(n_nodes,) the part of which the node is a hub; -1 if no edge touches the node."""
    row: NDArray[np.int64]
    """(n_nodes,) entry of the first cost of the node's label."""


class _Labels(NamedTuple):
    """The tables that a search from each hub fills."""

    cost_to: NDArray[np.uint16]
    """Costs from a node to the hubs above it."""
    cost_from: NDArray[np.uint16]
    step_to: NDArray[np.uint8]
    """The slot of the first step from a node to a hub."""
    step_from: NDArray[np.uint8]
    """The rank of the last step from a hub to a node."""


@dataclass(frozen=True)
class HubLabels:
    """The labels of a graph, made by `of`."""

    graph: Graph
    parts: _Parts
    labels: _Labels
    heads: tuple[Any, ...]

    @property
    def n_bytes(self) -> int:
        """The memory that the labels take."""
        return sum(table.nbytes for table in self.labels)

    @staticmethod
    def of(
        graph: Graph, max_bytes: int, progress: Progress | None = None, n_threads: int = 2
    ) -> "HubLabels | None":
        """Build the labels of a graph; None if they do not suit it or take more memory.

        They suit graphs with whole costs from 1 whose edges lead to neighboring columns, but for
        some links, if no cheapest path costs more than `NEVER` - 1.
        """
        made = _edges_of(graph)
        if made is None:
            return None
        into, out, far = made
        parts = _parts_of(graph, into, far)
        layout = graph.layout
        assert layout is not None
        n_layers = graph.n_nodes // layout.n_cells
        sizes = (parts.rect[:, 1] - parts.rect[:, 0]) * (parts.rect[:, 3] - parts.rect[:, 2])
        n_hubs = np.diff(parts.first_hub)
        n_steps = int((sizes.astype(np.int64) * n_layers * n_hubs).sum())
        n_costs = int(parts.row[-1])
        if 4 * n_costs + 2 * n_steps > max_bytes:
            return None
        labels = _Labels(
            np.full(n_costs, NEVER, np.uint16),
            np.full(n_costs, NEVER, np.uint16),
            np.full(n_steps, _NO_EDGE, np.uint8),
            np.full(n_steps, _NO_EDGE, np.uint8),
        )
        shape = layout.n_cells // layout.cols, layout.cols, n_layers
        order = np.argsort(-(sizes.astype(np.int64) * n_hubs), kind="stable")
        tasks = _tasks(parts, order)
        done = np.zeros(1, np.int64)

        def run(task: NDArray[np.int32]) -> bool:
            is_fit = _fill(task, shape, parts, into, out, labels)
            done[0] += 1
            if progress is not None:
                progress(min(int(done[0]), len(tasks)), len(tasks))
            return bool(is_fit)

        with ThreadPoolExecutor(n_threads) as pool:
            if not all(pool.map(run, tasks)):
                return None
        steps_back = graph.steps_back
        heads = (
            _Walk(
                graph.step_cost, graph.offset, graph.arrays[3], steps_back, *graph.links_back,
                *graph.arrays[4:], layout.level,
                np.int64(shape[0]), np.int64(shape[1]), np.int64(n_layers),
            ),
            parts,
            labels,
        )
        return HubLabels(graph, parts, labels, heads)

    def look_up(self, workspace: Any, start: int, goal: int) -> NDArray[Any]:
        """Return the path as `Workspace.found_path` does, without rows if there is none."""
        buffer = workspace.path_buffer
        if start == goal:
            length = 1
            buffer[0] = *_place(start, self.heads[0]), 0, self.heads[0].level[start]
            return buffer[:1].copy()
        half = len(self.graph.step_cost)
        length = _look_up(*self.heads, start, goal, buffer, self.scratch)
        return buffer[half - length : half].copy()

    @property
    def scratch(self):
        """Scratch."""
        if "_scratch" not in self.__dict__:
            depth = int(self.parts.depth.max()) + 1
            self.__dict__["_scratch"] = (
                np.zeros((depth, 2), np.int64),
                np.zeros(int(np.diff(self.parts.first_hub).max()) + 1, np.int64),
                np.zeros((2 * self.graph.n_nodes, 2), np.int64),
            )
        return self.__dict__["_scratch"]


class _Walk(NamedTuple):
    """What leads from a step's number to the node at its other end."""

    step_cost: Any
    offset: Any
    node_class: Any
    steps_back: Any
    back_first: Any
    back_source: Any
    back_cost: Any
    link_first: Any
    link_target: Any
    link_cost: Any
    level: Any
    n_rows: Any
    n_cols: Any
    n_layers: Any


def _place(node: int, walk: _Walk) -> tuple[int, int, int]:
    deck, inside = divmod(node, int(walk.n_rows * walk.n_cols))
    row, col = divmod(inside, int(walk.n_cols))
    return row, col, deck


def _edges_of(graph: Graph) -> tuple[_Edges, _Edges, NDArray[np.int32]] | None:
    """Return the edges by their ends and by their starts, and the starts of far links."""
    layout, n_nodes = graph.layout, graph.n_nodes
    if layout is None or not graph.is_whole:
        return None
    source, slot = np.nonzero(graph.step_cost < graph.illegal)
    own_class = np.zeros(n_nodes, np.int64) if graph.node_class is None else graph.node_class
    target = source + graph.offset[own_class[source], slot]
    cost = graph.step_cost[source, slot].astype(np.int64)
    rank_of = np.zeros(graph.offset.shape, np.int64)
    rank_of[graph.steps_back[:, 2], graph.steps_back[:, 1]] = np.arange(len(graph.steps_back))
    rank = rank_of[own_class[source], slot]
    far_starts = np.zeros(0, np.int64)
    n_steps = len(source)
    if graph.links is not None:
        links = graph.links
        first, back_source, back_cost = graph.links_back
        back_target = np.repeat(np.arange(n_nodes), np.diff(first))
        number = np.arange(len(back_source)) - first[back_target] + len(graph.steps_back)
        # The slot of each link back: its place among the links of its source.
        order = np.lexsort((-links.source, -links.cost.astype(np.float64)))
        place = (np.arange(len(links.target)) - links.first[links.source])[order]
        place = place[np.argsort(links.target[order], kind="stable")] + graph.step_cost.shape[1]
        source, target = np.r_[source, back_source], np.r_[target, back_target]
        cost, rank, slot = np.r_[cost, back_cost], np.r_[rank, number], np.r_[slot, place]
    if len(cost) and (cost.min() < 1 or max(rank.max(), slot.max()) >= _NO_EDGE):
        return None
    (row, col), (to_row, to_col) = (
        np.divmod(each % layout.n_cells, layout.cols) for each in (source, target)
    )
    far = np.maximum(abs(row - to_row), abs(col - to_col)) > 1
    if far[:n_steps].any():
        return None
    far_starts = np.unique(source[far])
    if len(far_starts) > _MAX_FAR_LINKS:
        return None
    edges = []
    for here, there in ((target, source), (source, target)):
        order = np.lexsort((rank, here))
        first = np.zeros(n_nodes + 1, np.int32)
        np.cumsum(np.bincount(here, minlength=n_nodes), out=first[1:])
        edges.append(
            _Edges(
                first,
                there[order].astype(np.int32),
                cost[order].astype(np.uint8),
                rank[order].astype(np.uint8),
                slot[order].astype(np.uint8),
            )
        )
    return edges[0], edges[1], far_starts.astype(np.int32)


def _parts_of(graph: Graph, into: _Edges, far: NDArray[np.int32]) -> _Parts:
    layout = graph.layout
    n_rows, n_cols = layout.n_cells // layout.cols, layout.cols
    n_nodes, n_layers = graph.n_nodes, graph.n_nodes // layout.n_cells
    touched = np.zeros(n_nodes, bool)
    touched[into.other] = True
    touched[np.diff(into.first) > 0] = True
    part_of = np.full(n_nodes, -1, np.int32)
    grid = np.arange(n_nodes).reshape(n_layers, n_rows, n_cols)
    is_left = touched.copy()
    rect, parent, depth, above, first, hubs, steps = [], [], [], [], [0], [], []
    n_steps = 0
    stack = [(0, n_rows, 0, n_cols, -1)]
    while stack:
        top, bottom, left, right, before = stack.pop()
        number = len(rect)
        height, width = bottom - top, right - left
        is_leaf = height * width <= _LEAF or max(height, width) < 3
        if is_leaf:
            line = grid[:, top:bottom, left:right].ravel()
        elif height >= width:
            middle = (top + bottom) // 2
            line = grid[:, middle, left:right].ravel()
            halves = [(middle + 1, bottom, left, right), (top, middle, left, right)]
        else:
            middle = (left + right) // 2
            line = grid[:, top:bottom, middle].ravel()
            halves = [(top, bottom, middle + 1, right), (top, bottom, left, middle)]
        own = line if before >= 0 else np.r_[far, np.setdiff1d(line, far)]
        own = own[is_left[own]]
        is_left[own] = False
        part_of[own] = number
        rect.append((top, bottom, left, right))
        parent.append(before)
        depth.append(0 if before < 0 else depth[before] + 1)
        above.append(0 if before < 0 else above[before] + first[before + 1] - first[before])
        hubs.append(own)
        first.append(first[-1] + len(own))
        steps.append(n_steps)
        n_steps += height * width * n_layers * len(own)
        if not is_leaf:
            stack += [(*half, number) for half in halves]
    lengths = np.zeros(n_nodes + 1, np.int64)
    n_hubs = np.array(above) + np.diff(first)
    lengths[1:][part_of >= 0] = n_hubs[part_of[part_of >= 0]]
    return _Parts(
        np.array(rect, np.int32),
        np.array(parent, np.int32),
        np.array(depth, np.int32),
        np.array(above, np.int32),
        np.array(first, np.int32),
        np.concatenate(hubs).astype(np.int32),
        np.array(steps, np.int64),
        part_of,
        np.cumsum(lengths),
    )


def _tasks(parts: _Parts, order: NDArray[np.int64]) -> list[NDArray[np.int32]]:
    """Return the parts, the largest first, in portions of about the same work."""
    large = order[:256]
    rest = order[256:]
    return [*(part.reshape(1).astype(np.int32) for part in large)] + [
        each.astype(np.int32) for each in np.array_split(rest, 16) if len(each)
    ]


@helper
def _spread(
    edges: Array, source: Number, cost_of: Array, queue: Array, heads: Array
) -> bool:
    """Write the cost from a node to each, `NEVER` without a path; False if one costs more.

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
            step_to[before] = into.slot[edge]
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
    slot = np.empty(count, np.uint8)
    count = 0
    for i in range(len(nodes)):
        for edge in range(edges.first[nodes[i]], edges.first[nodes[i] + 1]):
            there = number[edges.other[edge]]
            if there >= 0:
                other[count], cost[count] = there, edges.cost[edge]
                rank[count], slot[count] = edges.rank[edge], edges.slot[edge]
                count += 1
    return _Edges(first, other, cost, rank, slot)


@compiled
def _fill(
    which: Array, shape: Number, parts: Array, into: Array, out: Array, labels: Array
) -> bool:
    """Fill in the labels of some parts; False if a path costs too much."""
    n_rows, n_cols, n_layers = shape
    number = np.full(n_rows * n_cols * n_layers, -1, np.int32)
    heads = np.empty(256, np.int32)
    for part in which:
        top, bottom, left, right = parts.rect[part]
        height, width = bottom - top, right - left
        size = height * width * n_layers
        nodes = np.empty(size, np.int32)
        for i in range(size):
            line, col = i // width, i % width
            deck, row = line // height, line % height
            nodes[i] = (deck * n_rows + top + row) * n_cols + left + col
            number[nodes[i]] = i
        own_into = _edges_within(into, nodes, number)
        own_out = _edges_within(out, nodes, number)
        queue = np.empty((len(own_out.other) + 1, 2), np.int32)
        cost_from = np.empty(size, np.uint16)
        cost_to = np.empty(size, np.uint16)
        for k in range(parts.first_hub[part + 1] - parts.first_hub[part]):
            source = number[parts.hubs[parts.first_hub[part] + k]]
            if not _spread(own_out, source, cost_from, queue, heads):
                return False
            if not _spread(own_into, source, cost_to, queue, heads):
                return False
            steps = parts.first_step[part] + np.int64(k) * size
            _write_steps(
                own_into, source, cost_from, cost_to, queue,
                labels.step_to[steps : steps + size], labels.step_from[steps : steps + size],
            )  # fmt: skip
            place = parts.above[part] + k
            for i in range(size):
                if parts.part_of[nodes[i]] >= part:
                    labels.cost_to[parts.row[nodes[i]] + place] = cost_to[i]
                    labels.cost_from[parts.row[nodes[i]] + place] = cost_from[i]
        for i in range(size):
            number[nodes[i]] = -1
    return True


@helper
def _lowest(cost_to: Array, cost_from: Array, a: Number, b: Number, count: Number) -> Number:
    """Return the lowest sum of two rows of costs; `NEVER` if all exceed it."""
    lowest = np.uint16(NEVER)
    for i in range(count):
        x, y = cost_to[u64(a + i)], cost_from[u64(b + i)]
        total = np.uint16(x + y)
        total = np.uint16(NEVER) if total < x else total
        lowest = min(lowest, total)
    return np.int64(lowest)


@helper
def _step_back(walk: Array, node: Number, rank: Number) -> Number:
    """Return the node before another by the rank of a step to it, and the cost of the step."""
    if rank < len(walk.steps_back):
        before = node - walk.steps_back[u64(rank), 0]
        return before, np.int64(walk.step_cost[u64(before), u64(walk.steps_back[u64(rank), 1])])
    link = walk.back_first[node] + rank - len(walk.steps_back)
    return np.int64(walk.back_source[link]), np.int64(walk.back_cost[link])


@helper
def _step_on(walk: Array, node: Number, slot: Number) -> Number:
    """Return the node after another by the slot of a step from it, and the cost of the step."""
    n_slots = walk.step_cost.shape[1]
    if slot < n_slots:
        own_class = walk.node_class[node] if len(walk.node_class) else np.uint8(0)
        after = node + walk.offset[u64(own_class), u64(slot)]
        return after, np.int64(walk.step_cost[u64(node), u64(slot)])
    link = walk.link_first[node] + slot - n_slots
    return np.int64(walk.link_target[link]), np.int64(walk.link_cost[link])


@helper
def _rank_of(walk: Array, before: Number, node: Number, cost: Number) -> Number:
    """Return the rank of the step of a cost from one node to another."""
    own_class = walk.node_class[before] if len(walk.node_class) else np.uint8(0)
    for rank in range(len(walk.steps_back)):
        if node - walk.steps_back[rank, 0] == before and walk.steps_back[rank, 2] == own_class:
            if np.int64(walk.step_cost[before, walk.steps_back[rank, 1]]) == cost:
                return np.int64(rank)
    if len(walk.back_first):
        for link in range(walk.back_first[node], walk.back_first[node + 1]):
            if walk.back_source[link] == before and np.int64(walk.back_cost[link]) == cost:
                return np.int64(len(walk.steps_back) + link - walk.back_first[node])
    return np.int64(_NO_EDGE)


@compiled
def _look_up(
    walk: Array,
    parts: Array,
    labels: Array,
    start: Number,
    goal: Number,
    record: Array,
    scratch: Array,
) -> Number:
    """Write the path so that its last row is that of the last node; return its length."""
    levels, tied, trail = scratch
    part, other = parts.part_of[start], parts.part_of[goal]
    if part < 0 or other < 0:
        return 0
    while part != other:
        if parts.depth[part] >= parts.depth[other]:
            part = parts.parent[part]
        else:
            other = parts.parent[other]
    a, b = parts.row[start], parts.row[goal]
    n_nodes = len(walk.level)
    best, count = np.int64(NEVER), 0
    while part >= 0:
        above = np.int64(parts.above[part])
        n_hubs = np.int64(parts.first_hub[part + 1] - parts.first_hub[part])
        lowest = _lowest(labels.cost_to, labels.cost_from, a + above, b + above, n_hubs)
        levels[count, 0], levels[count, 1] = part, lowest
        best = min(best, lowest)
        count += 1
        part = parts.parent[part]
    if best == NEVER:
        return 0
    have = 0
    plane = walk.n_rows * walk.n_cols
    for level in range(count):
        if levels[level, 1] != best:
            continue
        part = levels[level, 0]
        above = np.int64(parts.above[part])
        n_hubs = np.int64(parts.first_hub[part + 1] - parts.first_hub[part])
        n_tied = 0
        for k in range(n_hubs):
            total = np.int64(labels.cost_to[a + above + k])
            if total + np.int64(labels.cost_from[b + above + k]) == best:
                tied[n_tied] = k
                n_tied += 1
        top, bottom = np.int64(parts.rect[part, 0]), np.int64(parts.rect[part, 1])
        left, right = np.int64(parts.rect[part, 2]), np.int64(parts.rect[part, 3])
        height, width = bottom - top, right - left
        size = height * width * walk.n_layers
        steps = parts.first_step[part]
        base = n_nodes if have else 0
        length = 0
        node, left_over = np.int64(goal), best
        trail[base, 0], trail[base, 1] = node, best
        hub = np.int64(-1)
        while True:
            if parts.part_of[node] == part:
                own = parts.row[node] + above
                for i in range(n_tied):
                    if labels.cost_to[own + tied[i]] == 0:
                        hub = tied[i]
                        break
                if hub >= 0:
                    break
            deck, inside = node // plane, node % plane
            row, col = inside // walk.n_cols - top, inside % walk.n_cols - left
            here = (deck * height + row) * width + col
            rank = np.int64(labels.step_from[u64(steps + tied[0] * size + here)])
            if n_tied > 1:
                kept = 0
                for i in range(n_tied):
                    other_rank = np.int64(labels.step_from[u64(steps + tied[i] * size + here)])
                    if other_rank < rank:
                        rank, kept = other_rank, 0
                    if other_rank == rank:
                        tied[kept] = tied[i]
                        kept += 1
                n_tied = kept
            node, cost = _step_back(walk, node, rank)
            left_over -= cost
            length += 1
            trail[base + length, 0], trail[base + length, 1] = node, left_over
        # From the start to the hub the nodes come in the other order.
        end = node
        node, so_far, n_on = np.int64(start), np.int64(0), np.int64(0)
        hub_steps = steps + hub * size
        while node != end:
            record[n_on, 0], record[n_on, 1] = node, so_far
            n_on += 1
            deck, inside = node // plane, node % plane
            row, col = inside // walk.n_cols - top, inside % walk.n_cols - left
            here = (deck * height + row) * width + col
            node, cost = _step_on(walk, node, np.int64(labels.step_to[u64(hub_steps + here)]))
            so_far += cost
        for i in range(n_on - 1, -1, -1):
            length += 1
            trail[base + length, 0], trail[base + length, 1] = record[i, 0], record[i, 1]
        length += 1
        if not have:
            have = length
            continue
        is_better = False
        for i in range(1, min(have, length)):
            old, new = trail[i, 0], trail[base + i, 0]
            if old != new:
                node, cost = trail[i - 1, 0], trail[i - 1, 1]
                old_rank = _rank_of(walk, old, node, cost - trail[i, 1])
                is_better = _rank_of(walk, new, node, cost - trail[base + i, 1]) < old_rank
                break
        if is_better:
            for i in range(length):
                trail[i, 0], trail[i, 1] = trail[base + i, 0], trail[base + i, 1]
            have = length
    for i in range(have):
        node = trail[i, 0]
        place = n_nodes - 1 - i
        deck, inside = node // plane, node % plane
        record[place, 0], record[place, 1] = inside // walk.n_cols, inside % walk.n_cols
        record[place, 2], record[place, 3], record[place, 4] = deck, trail[i, 1], walk.level[node]
    return have
