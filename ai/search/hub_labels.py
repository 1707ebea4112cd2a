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

from ai.compilation.bundle import Bundle, line_at, table_at
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
class HubLabels:
    """The labels of a graph, made by `of`."""

    graph: Graph
    parts: NDArray[Any]
    nodes: NDArray[Any]
    costs: NDArray[np.uint16]
    """(2, n) costs from each node to the hubs above it, and back."""
    steps: NDArray[np.uint8]
    """(2, n) number of the first step from each node to each hub above, and of the last back."""
    bundle: Bundle

    @property
    def n_bytes(self) -> int:
        """The memory that the labels take."""
        return self.costs.nbytes + self.steps.nbytes

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
        parts, nodes, hubs = _parts_of(graph, into, far)
        layout = graph.layout
        assert layout is not None
        n_layers = graph.n_nodes // layout.n_cells
        n_costs = int((parts["above"] + parts["n_hubs"])[nodes["part"][nodes["part"] >= 0]].sum())
        work = parts["height"] * parts["width"] * n_layers * parts["n_hubs"]
        n_steps = int(work.sum())
        if 4 * n_costs + 2 * n_steps > max_bytes:
            return None
        costs = np.full((2, n_costs), NEVER, np.uint16)
        steps = np.full((2, n_steps), _NO_EDGE, np.uint8)
        shape = layout.n_cells // layout.cols, layout.cols, n_layers
        tasks = _tasks(np.argsort(-work, kind="stable"))
        done = np.zeros(1, np.int64)

        def run(task: NDArray[np.int32]) -> bool:
            is_fit = _fill(task, shape, parts, nodes, hubs, into, out, costs, steps)
            done[0] += 1
            if progress is not None:
                progress(min(int(done[0]), len(tasks)), len(tasks))
            return bool(is_fit)

        with ThreadPoolExecutor(n_threads) as pool:
            if not all(pool.map(run, tasks)):
                return None
        depth, width = int(parts["depth"].max()) + 1, int(parts["n_hubs"].max()) + 1
        bundle = Bundle(
            parts,
            nodes,
            costs,
            steps,
            _moves(graph),
            graph.step_cost,
            layout.level,
            *graph.links_back,
            *graph.arrays[4:],
            np.array(shape),
            np.zeros((depth, 2), np.int64),
            np.zeros(width, np.int64),
            np.zeros((2 * graph.n_nodes, 2), np.int64),
        )
        return HubLabels(graph, parts, nodes, costs, steps, bundle)

    def look_up(self, workspace: Any, start: int, goal: int) -> NDArray[Any]:
        """Return the path as `Workspace.found_path` does, without rows if there is none."""
        record = workspace.path_buffer
        return record[: _look_up(self.bundle.words, start, goal, record)].copy()


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
    rank = leaving = rank_of[own_class[source], slot]
    n_steps = len(source)
    if graph.links is not None:
        links = graph.links
        first, back_source, back_cost = graph.links_back
        back_target = np.repeat(np.arange(n_nodes), np.diff(first))
        number = np.arange(len(back_source)) - first[back_target] + len(graph.steps_back)
        # Of each link in the order of their ends, its number among those of its start.
        order = np.lexsort((-links.source, -links.cost.astype(np.float64)))
        place = (np.arange(len(links.target)) - links.first[links.source])[order]
        place = place[np.argsort(links.target[order], kind="stable")] + len(graph.steps_back)
        source, target = np.r_[source, back_source], np.r_[target, back_target]
        cost, rank, leaving = np.r_[cost, back_cost], np.r_[rank, number], np.r_[leaving, place]
    if len(cost) and (cost.min() < 1 or max(rank.max(), leaving.max()) >= _NO_EDGE):
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
        columns = (each[order].astype(np.uint8) for each in (cost, rank, leaving))
        edges.append(_Edges(first, there[order].astype(np.int32), *columns))
    return edges[0], edges[1], far_starts.astype(np.int32)


def _parts_of(
    graph: Graph, into: _Edges, far: NDArray[np.int32]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int32]]:
    """Return the parts, each before its halves, the nodes, and the hubs of all parts."""
    layout, n_nodes = graph.layout, graph.n_nodes
    assert layout is not None
    n_rows, n_cols = layout.n_cells // layout.cols, layout.cols
    n_layers = n_nodes // layout.n_cells
    grid = np.arange(n_nodes).reshape(n_layers, n_rows, n_cols)
    is_free = np.diff(into.first) > 0
    is_free[into.other] = True
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
    """Return the parts, the largest first, in portions of about the same work."""
    order = order.astype(np.int32)
    rest = [each for each in np.array_split(order[256:], 16) if len(each)]
    return [*order[:256].reshape(-1, 1), *rest]


@helper
def _spread(edges: Array, source: Number, cost_of: Array, queue: Array, heads: Array) -> bool:
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
    """Fill in the labels of some parts; False if a path costs too much."""
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


@helper
def _rank_of(
    moves: Array, step_cost: Array, back: Array, before: Number, node: Number, cost: Number
) -> Number:
    """Return the rank of the step of a cost from one node to another."""
    for rank in range(len(moves)):
        move = moves[rank]
        if node - move["offset"] == before and step_cost[before, move["slot"]] == cost:
            return np.int64(rank)
    if len(back[0]):
        for link in range(back[0][node], back[0][node + 1]):
            if back[1][link] == before and back[2][link] == cost:
                return np.int64(len(moves) + link - back[0][node])
    return np.int64(_NO_EDGE)


@compiled
def _look_up(words: Array, start: Number, goal: Number, record: Array) -> Number:
    """Write the rows of a path and return how many; see `HubLabels.of` for the bundle."""
    parts, nodes = line_at(words, 0, _PART), line_at(words, 1, _NODE)
    costs, steps = table_at(words, 2, np.uint16), table_at(words, 3, np.uint8)
    moves, step_cost = line_at(words, 4, _STEP), table_at(words, 5, np.uint8)
    level = line_at(words, 6, np.int16)
    back = line_at(words, 7, np.int32), line_at(words, 8, np.int32), line_at(words, 9, np.uint8)
    links = line_at(words, 10, np.int32), line_at(words, 11, np.int32), line_at(words, 12, np.uint8)
    shape = line_at(words, 13, np.int64)
    n_rows, n_cols, n_layers = shape[0], shape[1], shape[2]
    lows, tied = table_at(words, 14, np.int64), line_at(words, 15, np.int64)
    trail = table_at(words, 16, np.int64)
    n_cells, n_nodes, n_moves = n_rows * n_cols, len(nodes), len(moves)
    width_all = width_of(n_cols)
    best, n_parts = np.int64(NEVER), 0
    part, other = nodes[start]["part"], nodes[goal]["part"]
    if start == goal:
        best = np.int64(0)
    elif part >= 0 and other >= 0:
        while part != other:
            if parts[part]["depth"] >= parts[other]["depth"]:
                part = parts[part]["parent"]
            else:
                other = parts[other]["parent"]
        a, b = nodes[start]["row"], nodes[goal]["row"]
        while part >= 0:
            above = parts[part]["above"]
            low = _lowest(costs, a + above, b + above, parts[part]["n_hubs"])
            lows[n_parts, 0], lows[n_parts, 1] = part, low
            best = min(best, low)
            n_parts += 1
            part = parts[part]["parent"]
    if best == NEVER:
        return 0
    have = 0
    trail[0, 0], trail[0, 1] = goal, best
    if start == goal:
        have = 1
    delta = np.empty(n_moves, np.int64)
    for i in range(n_parts):
        if lows[i, 1] != best:
            continue
        part = lows[i, 0]
        above, n_hubs, first_step = (
            parts[part]["above"],
            parts[part]["n_hubs"],
            parts[part]["first_step"],
        )
        top, left = parts[part]["top"], parts[part]["left"]
        height, width = parts[part]["height"], parts[part]["width"]
        size = height * width * n_layers
        for k in range(n_moves):
            delta[k] = (moves[k]["decks"] * height + moves[k]["rows"]) * width + moves[k]["cols"]
        n_tied = 0
        for k in range(n_hubs):
            total = np.int64(costs[0, u64(a + above + k)]) + np.int64(costs[1, u64(b + above + k)])
            tied[n_tied] = k
            n_tied += total == best
        base = n_nodes if have else 0
        trail[base, 0], trail[base, 1] = goal, best
        length = 1
        node, cost = np.int64(goal), best
        row, col, deck = cell_of(node, width_all, n_cells, n_nodes)
        here = (deck * height + row - top) * width + col - left
        hub = np.int64(-1)
        while True:
            if nodes[node]["part"] == part:
                own = nodes[node]["row"] + above
                for k in range(n_tied):
                    if costs[0, own + tied[k]] == 0:
                        hub = tied[k]
                        break
                if hub >= 0:
                    break
            rank = np.int64(steps[1, u64(first_step + tied[0] * size + here)])
            if n_tied > 1:
                kept = 0
                for k in range(n_tied):
                    each = np.int64(steps[1, u64(first_step + tied[k] * size + here)])
                    if each < rank:
                        rank, kept = each, 0
                    if each == rank:
                        tied[kept] = tied[k]
                        kept += 1
                n_tied = kept
            if rank < n_moves:
                node -= moves[u64(rank)]["offset"]
                here -= delta[u64(rank)]
                cost -= np.int64(step_cost[u64(node), u64(moves[u64(rank)]["slot"])])
            else:
                link = back[0][node] + rank - n_moves
                node, cost = np.int64(back[1][link]), cost - np.int64(back[2][link])
                row, col, deck = cell_of(node, width_all, n_cells, n_nodes)
                here = (deck * height + row - top) * width + col - left
            trail[u64(base + length), 0], trail[u64(base + length), 1] = node, cost
            length += 1
        # From the start to the hub the nodes come in the other order.
        end, node, cost, n_on = node, np.int64(start), np.int64(0), np.int64(0)
        hub_steps = first_step + hub * size
        row, col, deck = cell_of(node, width_all, n_cells, n_nodes)
        here = (deck * height + row - top) * width + col - left
        while node != end:
            record[u64(n_on), 0], record[u64(n_on), 1] = node, cost
            n_on += 1
            rank = np.int64(steps[0, u64(hub_steps + here)])
            if rank < n_moves:
                cost += np.int64(step_cost[u64(node), u64(moves[u64(rank)]["slot"])])
                node += moves[u64(rank)]["offset"]
                here += delta[u64(rank)]
            else:
                link = links[0][node] + rank - n_moves
                node, cost = np.int64(links[1][link]), cost + np.int64(links[2][link])
                row, col, deck = cell_of(node, width_all, n_cells, n_nodes)
                here = (deck * height + row - top) * width + col - left
        for k in range(n_on - 1, -1, -1):
            trail[u64(base + length), 0] = record[u64(k), 0]
            trail[u64(base + length), 1] = record[u64(k), 1]
            length += 1
        if not have:
            have = length
            continue
        is_better = False
        for k in range(1, min(have, length)):
            old, new = trail[k, 0], trail[base + k, 0]
            if old != new:
                node, cost = trail[k - 1, 0], trail[k - 1, 1]
                rank = _rank_of(moves, step_cost, back, new, node, cost - trail[base + k, 1])
                is_better = rank < _rank_of(moves, step_cost, back, old, node, cost - trail[k, 1])
                break
        if is_better:
            have = length
            for k in range(length):
                trail[k, 0], trail[k, 1] = trail[base + k, 0], trail[base + k, 1]
    for i in range(have):
        place = u64(have - 1 - i)
        node = trail[u64(i), 0]
        row, col, deck = cell_of(node, width_all, n_cells, n_nodes)
        record[place, 0], record[place, 1], record[place, 2] = row, col, deck
        record[place, 3], record[place, 4] = trail[u64(i), 1], level[u64(node)]
    return have
