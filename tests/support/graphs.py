"""Small graphs of integer nodes, by hand and at random, and a plain heap that searches them."""

import math

import numpy as np

from ai.search.graph import ILLEGAL_STEP, ILLEGAL_STEP_FLOAT, NO_STEP, NO_STEP_FLOAT, Graph, Links
from tests.support.rulebook import spread

INF = math.inf


def edges(n_nodes, *triples):
    source, target, cost = zip(*triples, strict=True) if triples else ((), (), ())
    return from_edges(n_nodes, source, target, cost)


def from_edges(n_nodes, source, target, cost):
    """Make a graph of arbitrary edges, all of them links, with any costs."""
    links = Links.of(n_nodes, np.asarray(source, int), np.asarray(target), np.asarray(cost, float))
    return Graph(np.empty((n_nodes, 0)), np.zeros((1, 0), dtype=np.int64), links=links)


def slots(offsets, *rows, dtype=np.float64):
    none = NO_STEP if dtype == np.uint8 else NO_STEP_FLOAT
    table = [[none if price is None else price for price in row] for row in rows]
    return Graph(np.array(table, dtype=dtype), np.atleast_2d(np.array(offsets, dtype=np.int64)))


def triples_of(graph):
    """List a graph's edges in plain Python."""
    edges = []
    for node in range(graph.n_nodes):
        kind = 0 if graph.node_class is None else int(graph.node_class[node])
        for slot, offset in enumerate(graph.offset[kind].tolist()):
            if graph.step_cost[node, slot] < graph.illegal:
                edges.append((node, node + offset, float(graph.step_cost[node, slot])))
        if graph.links is not None:
            first, last = graph.links.first[node : node + 2].tolist()
            for link in range(first, last):
                edges.append((node, int(graph.links.target[link]), float(graph.links.cost[link])))
    return edges


def by_plain_heap(graph, sources, costs=None, blocked=()):
    leaving, starts = {}, {}
    for source, target, price in triples_of(graph):
        if target not in blocked:
            leaving.setdefault(source, []).append((target, price))
    for source, cost in zip(sources, costs or [0] * len(sources), strict=True):
        if source not in blocked:
            starts[source] = min(cost, starts.get(source, INF))
    found = spread(lambda here: leaving.get(here, ()), starts)
    return [found.get(node, INF) for node in range(graph.n_nodes)]


def random_graph(rng, *, whole, prices, n_nodes=None, with_links=True):
    """Make a graph with slots, classes and links all at once."""
    n_nodes = n_nodes or int(rng.integers(1, 30))
    n_classes, n_slots = rng.integers(1, 4, 2)
    offset = rng.integers(-6, 7, (n_classes, n_slots))
    node_class = rng.integers(0, n_classes, n_nodes).astype(np.uint8)
    table = rng.choice(prices, (n_nodes, n_slots)).astype(np.float64)
    none, illegal = (NO_STEP, ILLEGAL_STEP) if whole else (NO_STEP_FLOAT, ILLEGAL_STEP_FLOAT)
    table[rng.random(table.shape) < 0.2] = illegal
    ends = np.arange(n_nodes)[:, None] + offset[node_class]
    table[(ends < 0) | (ends >= n_nodes)] = none
    dtype = np.uint8 if whole else np.float64
    links = None
    if with_links:
        counts = rng.integers(0, 3, n_nodes)
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        target = rng.integers(0, n_nodes, first[-1]).astype(np.int32)
        links = Links(first, target, rng.choice(prices, first[-1]).astype(dtype))
    return Graph(table.astype(dtype), offset, node_class if n_classes > 1 else None, links)
