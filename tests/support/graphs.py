"""Graphs of integer nodes: made, searched by SciPy, with whole costs and landmarks."""

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai import Navigation
from ai.search.graph import NO_LINKS, Bound, Graph, Layout, Links, no_step
from ai.search.landmarks import Landmarks, striped_places

SHIFTS = {
    "square": (0, 0, 0, 0),
    "hex_odd_r": (1, 0, 0, 0),
    "hex_even_r": (1, 1, 0, 0),
    "hex_odd_q": (0, 0, 1, 0),
    "hex_even_q": (0, 0, 1, 1),
}
STRAIGHT = (-1, 0), (0, 1), (1, 0), (0, -1)
DIAGONAL = (-1, 1), (1, 1), (1, -1), (-1, -1)
HEXAGON = (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)


def edges(n_nodes, *triples, **more):
    """Make a graph of nodes in one row from (source, target, cost) of links."""
    source, target, cost = np.array(triples, np.int64).reshape(-1, 3).T
    links = Links.of(n_nodes, source, target, cost)
    table = np.zeros((n_nodes, 0), more.pop("dtype", np.uint8))
    return Graph(table, np.zeros((1, 0, 4), np.int64), flat(1, n_nodes), links=links, **more)


def flat(rows, cols):
    return Layout(rows, cols, np.zeros(rows * cols, np.int16))


def corridor(*costs):
    """Make a graph of nodes in one row, each with a step to the next and back."""
    n_nodes = len(costs) + 1
    table = np.full((n_nodes, 2), 255, np.uint8)
    table[:-1, 0] = table[1:, 1] = costs
    return Graph(table, np.array([[[1, 0, 1, 0], [-1, 0, -1, 0]]]), flat(1, n_nodes))


def field(side, price=1, dtype=np.uint8):
    """Make an open square with steps over edges."""
    table = np.full((side * side, 4), price, dtype)
    row, col = np.divmod(np.arange(side * side), side)
    outside = np.stack([row == 0, col == side - 1, row == side - 1, col == 0], axis=1)
    table[outside] = no_step(dtype)
    slot = np.array([[(down * side + right, down, right, 0) for down, right in STRAIGHT]])
    bound = Bound(price, price, price)
    return Graph(table, slot, flat(side, side), bound=bound, least=price)


def random_graph(rng, prices, *, dtype=np.uint8, is_sparse=False, n_links=None, side=8):
    """Make a graph on squares or hexagons, with decks, links and a bound.

    With `is_sparse` a third of the steps are not legal.
    """
    rows, cols, n_layers = *rng.integers(1, side, 2), int(rng.integers(1, 3))
    shift = list(SHIFTS.values())[rng.integers(len(SHIFTS)) if rng.random() < 0.5 else 0]
    level = rng.integers(0, 4, n_layers * rows * cols).astype(np.int16)
    layout = Layout(int(rows), int(cols), level, shift)
    is_hex, has_diagonals = any(shift), bool(rng.random() < 0.5)
    ways = HEXAGON if is_hex else STRAIGHT + DIAGONAL * has_diagonals
    n_moves, n_slots, n_nodes = len(ways), len(ways) * n_layers, len(level)
    parity, n_parities = np.indices((rows, cols))[int(shift[2])] & is_hex, 1 + is_hex
    slot = np.zeros((n_parities * n_layers, n_slots, 4), np.int64)
    node_class = np.concatenate([parity.ravel() * n_layers + deck for deck in range(n_layers)])
    node_class = node_class.astype(np.uint8)
    table = np.full((n_nodes, n_slots), no_step(dtype), dtype)
    climb = int(rng.integers(0, 3))
    for own, deck, to, move in np.ndindex(n_parities, n_layers, n_layers, n_moves):
        here = own if shift[0] else 0, own if shift[2] else 0
        a, b = np.add(layout.coordinates(*map(np.array, here)), ways[move]).tolist()
        there = a + (shift[2] * ((b + shift[3]) >> 1)), b + (shift[0] * ((a + shift[1]) >> 1))
        down, right = there[0] - here[0], there[1] - here[1]
        number, kind = to * n_moves + move, own * n_layers + deck
        end = (there[1 if shift[2] else 0] & 1 if is_hex else 0) * n_layers + to
        slot[kind, number] = (to - deck) * rows * cols + down * cols + right, *ways[move], end
        for node in np.flatnonzero(node_class == kind).tolist():
            row, col = divmod(node % layout.n_cells, layout.cols)
            if 0 <= row + down < rows and 0 <= col + right < cols:
                rise = int(level[node + slot[kind, number, 0]]) - int(level[node])
                table[node, number] = rng.choice(prices) + climb * max(rise, 0)
                if is_sparse and rng.random() < 0.35:
                    table[node, number] = no_step(dtype) - 1
    least = int(min(prices))
    bound = Bound(least, least, 0) if is_hex else Bound(least, *[least * (not has_diagonals)] * 2)
    bound = bound._replace(climb=climb)
    links, count = NO_LINKS, int(rng.integers(0, 6)) if n_links is None else n_links
    if count:
        ends = rng.integers(0, n_nodes, (2, count))
        places = layout.places(ends.ravel()).reshape(2, -1, 2)
        rise = level[ends[1]].astype(np.int64) - level[ends[0]]
        bound = bound if rng.random() < 0.5 else Bound()
        lowest = np.maximum(bound.over(places[1] - places[0], rise), least)
        links = Links.of(n_nodes, *ends, lowest + rng.integers(0, 3, count))
    group = np.tile(np.arange(n_moves) >= 4, n_layers).astype(np.uint8)
    classes = node_class[: 0 if len(slot) == 1 else None]
    grouped = group[: 0 if is_hex or not has_diagonals else None]
    return Graph(table, slot, layout, classes, links, grouped, bound, least)


def graph_of(tilemap, profile):
    return Navigation(tilemap).profile_graph(profile).forward


def without(graph, blocked=(), halting=()):
    """List (source, target, cost, preference) of the edges that are left; the lowest is preferred.

    Steps of lower groups come first, then those from the highest node; then links, the most
    expensive first, then those from the highest node.
    """
    group = graph.slot_group
    found = []
    for node, slot in np.argwhere(graph.cost < graph.illegal).tolist():
        own_class = int(graph.node_class[node]) if len(graph.node_class) else 0
        end = node + int(graph.slot[own_class, slot, 0])
        preference = 0, int(group[slot]) if len(group) else 0, -node
        found.append((node, end, int(graph.cost[node, slot]), preference))
    columns = graph.links.source, graph.links.target, graph.links.cost
    for node, end, cost in zip(*(each.tolist() for each in columns), strict=True):
        found.append((node, end, cost, (1, -cost, -node)))
    return [each for each in found if each[1] not in blocked and each[0] not in halting]


def triples_of(graph):
    return [each[:3] for each in without(graph)]


def true_costs(n_nodes, triples, sources=None):
    """(n_sources, n_nodes) costs of cheapest paths by scipy, -1 without; from all nodes if None."""
    cheapest = {}
    for start, end, cost, *_ in triples:
        cheapest[start, end] = min(cost, cheapest.get((start, end), cost))
    ends = np.array(list(cheapest), np.int64).reshape(-1, 2)
    matrix = csr_matrix((list(cheapest.values()), ends.T), shape=(n_nodes, n_nodes))
    costs = dijkstra(matrix, indices=sources)
    return np.where(np.isfinite(costs), costs, -1).astype(np.int64)


def costs_from(n_nodes, triples, starts):
    """(n_nodes,) costs from the cheapest of several nodes, a dict of start costs."""
    outside = [(n_nodes, node, cost + 1) for node, cost in starts.items()]
    costs = true_costs(n_nodes + 1, [*triples, *outside], n_nodes)[:-1]
    return np.where(costs > 0, costs - 1, costs)


def nodes_back(left, cost, goal, starts):
    """Return the nodes of the path from its start to the goal, read back by the rule; [] without.

    `left` are edges as of `without`, `cost` those from the starts, a dict of start costs.
    """
    if cost[goal] < 0:
        return []
    into, path = {}, [goal]
    for start, end, price, preference in left:
        into.setdefault(end, []).append((preference, start, price))
    while starts.get(path[-1]) != cost[path[-1]]:
        ways, due = sorted(into[path[-1]]), cost[path[-1]]
        path.append(next(n for _, n, step in ways if cost[n] >= 0 and cost[n] + step == due))
    return path[::-1]


def rows_of(graph, nodes, costs):
    """List row, column, deck, cost and level along nodes."""
    layout, found = graph.layout, []
    for node in nodes:
        deck, rest = divmod(node, layout.n_cells)
        found.append([*divmod(rest, layout.cols), deck, int(costs[node]), int(layout.level[node])])
    return found


def table_of(landmarks: Landmarks) -> np.ndarray:
    """Return the (2 * n_landmarks, n_nodes) entries, with the nodes in ascending order."""
    places = striped_places(len(landmarks.coarse_costs), landmarks.cols)
    return landmarks.striped_costs[:, places].astype(np.int64)


def bounds_of(landmarks: Landmarks) -> np.ndarray:
    """Return the (n_nodes, n_nodes) bounds of the cost from row to column, in units."""
    table = table_of(landmarks)
    return (table[:, None, :] - table[:, :, None]).max(axis=0) * landmarks.scale
