"""Choke points, cover and heights of the ground."""

import math

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ai import cover, height_over_neighbors
from ai.analysis.choke_points import cut_off_sizes
from terrain3d import TOPOLOGIES
from tests.support import plain_map, strategies
from tests.support.graphs import edges, random_graph, triples_of
from tests.support.reference import tried


def closed_one_by_one(graph, counts):
    """Return the size of the second largest part that is left of each node's component."""
    arcs = {(start, end) for start, end, _ in triples_of(graph) if start != end}
    both = np.array([arc for arc in arcs if arc[::-1] in arcs], dtype=int).reshape(-1, 2)

    def labels_of(pairs):
        ones = np.ones(len(pairs))
        matrix = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(graph.n_nodes,) * 2)
        return connected_components(matrix, directed=False)[1]

    whole, sizes = labels_of(both), []
    for node in range(graph.n_nodes):
        label = labels_of(both[(both != node).all(axis=1)])
        left = (whole == whole[node]) & (np.arange(graph.n_nodes) != node)
        parts = sorted(int(counts[left & (label == part)].sum()) for part in set(label[left]))
        sizes.append(parts[-2] if len(parts) > 1 else 0)
    return sizes


def two_way(*pairs):
    return [arc for a, b in pairs for arc in ((a, b, 1), (b, a, 1))]


def sparse_graph(rng):
    """Make a graph of few two-way edges, with many choke points, and some of one direction."""
    n_nodes = int(rng.integers(2, 20))
    pairs = rng.integers(0, n_nodes, (int(n_nodes * rng.uniform(0.7, 1.4)), 2)).tolist()
    return edges(n_nodes, *two_way(*pairs[2:]), *((a, b, 1) for a, b in pairs[:2]))


@pytest.mark.parametrize("seed", range(200))
def test_sizes_are_those_of_closing_every_node(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, [1, 2, 3]) if seed % 4 == 0 else sparse_graph(rng)
    counts = rng.random(graph.n_nodes) < 0.8
    assert cut_off_sizes(graph, counts).tolist() == closed_one_by_one(graph, counts)


def in_shape(tilemap, values):
    """Make an array of a value for some surfaces, 0 for the others."""
    array = np.zeros((tilemap.n_decks + 1, tilemap.rows, tilemap.cols))
    for (row, col, deck), value in values.items():
        array[deck, row, col] = value
    return array if tilemap.n_decks else array[0]


def height_one_by_one(tilemap, cell):
    ways = plain_map.directions(tilemap)
    near = [plain_map.column_ahead(tilemap, cell[:2], way) for way in ways]
    stacks = [plain_map.surfaces(tilemap, column) for column in near if column]
    tops = [max(plain_map.level(tilemap, end) for end in stack) for stack in stacks if stack]
    return plain_map.level(tilemap, cell) - sum(tops) / len(tops) if tops else 0.0


def cover_one_by_one(tilemap, cell, from_deg, within_tiles):
    (x, y), angle, highest = tilemap.grid.center(cell[:2]), math.radians(from_deg), 0.0
    for away in range(1, within_tiles + 1):
        point = x - math.sin(angle) * away, y + math.cos(angle) * away
        there = tilemap.grid.cell_at(*(round(part, 9) for part in point))
        if there is not None and plain_map.exists(tilemap, there):
            levels = plain_map.level(tilemap, there) - plain_map.level(tilemap, cell)
            angle_deg = math.degrees(math.atan2(levels * tilemap.step_height, away))
            highest = max(highest, angle_deg)
    return highest / 90


@tried(80, st.data())
def test_heights_are_those_over_each_neighbor(data):
    tilemap = data.draw(strategies.tilemaps())
    each = {cell: height_one_by_one(tilemap, cell) for cell in plain_map.all_surfaces(tilemap)}
    found = height_over_neighbors(tilemap)
    assert found == pytest.approx(in_shape(tilemap, each))
    assert not found.flags.writeable


@tried(80, st.data(), st.floats(-720, 720), st.integers(1, 6))
def test_cover_is_the_angle_of_the_highest_ground(data, from_deg, within_tiles):
    tilemap = data.draw(strategies.tilemaps(topologies=TOPOLOGIES))
    cells = plain_map.all_surfaces(tilemap)
    each = {cell: cover_one_by_one(tilemap, cell, from_deg, within_tiles) for cell in cells}
    found = cover(tilemap, from_deg, within_tiles=within_tiles)
    assert found == pytest.approx(in_shape(tilemap, each))
    assert not found.flags.writeable
    assert ((found >= 0) & (found < 1)).all()
