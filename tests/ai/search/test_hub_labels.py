"""Hub labels: the same rows as a search, the costs of scipy, and refusals."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import MoveProfile
from ai.search.graph import Links
from ai.search.hub_labels import NEVER, LabelPlan
from ai.search.workspace import Guided, Workspace
from terrain3d import TileMap
from tests.long.edits import random_case
from tests.support import graphs
from tests.support.reference import tried

pytestmark = pytest.mark.filterwarnings(
    "ignore:overflow encountered in scalar add"  # without compilation: it wraps around, by design
)


def compare(graph, pairs):
    """Compare labels with searches and scipy; return how many paths there were."""
    plan = LabelPlan.of(graph)
    assert plan is not None
    labels, left, n_found = plan.build(), graphs.without(graph), 0
    assert plan.n_bytes == labels.buffer.nbytes
    guided, workspace = Guided(graph), Workspace(graph.n_nodes)
    costs = graphs.true_costs(graph.n_nodes, left)
    for start, goal in pairs:
        rows, cost = labels.path(start, goal), costs[start]
        assert labels.cost(start, goal) == cost[goal]
        assert rows.tolist() == workspace.find_path(guided, start, goal).tolist()
        nodes = graphs.nodes_back(left, cost, goal, {start: 0})
        assert rows.tolist() == graphs.rows_of(graph, nodes, cost)
        n_found += len(nodes) > 1
    return n_found


@pytest.mark.parametrize("prices", [[1], [1, 1, 2], list(range(1, 60)), [1, 240]])
@tried(160, st.integers(0, 2**32 - 1))
def test_rows_and_costs_on_random_graphs(prices, seed):
    rng = np.random.default_rng(seed)
    graph = graphs.random_graph(rng, prices, is_sparse=bool(rng.random() < 0.5), side=16)
    compare(graph, rng.integers(0, graph.n_nodes, (40, 2)).tolist())


@tried(160, st.integers(0, 2**32 - 1))
def test_rows_and_costs_on_random_maps(seed):
    rng = random.Random(seed)
    graph = graphs.graph_of(*random_case(rng))
    if LabelPlan.of(graph) is not None:
        compare(graph, [rng.choices(range(graph.n_nodes), k=2) for _ in range(40)])


def test_most_paths_of_a_large_graph_cross_hubs_of_several_parts():
    pairs = np.random.default_rng(1).integers(0, 40 * 40, (300, 2)).tolist()
    assert compare(graphs.field(40), pairs) > 280


def linked(n_links):
    """Make a map with links to far cells out of some cells."""
    tilemap = TileMap([[0] * 20] * 20)
    with tilemap.edit() as edit:
        for number in range(n_links):
            here = divmod(number, 20)
            edit.add_link(here, (19 - here[0], 19), 2, one_way=True)
    return tilemap


FLAT = TileMap([[0] * 6] * 6)


@pytest.mark.parametrize(
    ("tilemap", "profile"),
    [
        (FLAT, MoveProfile(diagonal="always", diagonal_cost=2**0.5)),
        (FLAT, MoveProfile(max_climb=4, climb_cost=100)),
        (TileMap([[0] * 9] * 9), MoveProfile(warp=3)),
        (linked(65), MoveProfile()),
    ],
    ids=["fine units", "high costs", "warps", "links"],
)
def test_other_graphs_are_refused(tilemap, profile):
    assert LabelPlan.of(graphs.graph_of(tilemap, profile)) is None


def test_as_many_links_as_there_may_be_are_hubs():
    graph = graphs.graph_of(linked(64), MoveProfile())
    starts = range(0, 400, 7)
    assert compare(graph, [(start, goal) for start in starts for goal in (399, 0, 210)]) > 150


@pytest.mark.parametrize("n_dear", [0, 1, 2, 140, 258])
def test_sums_that_16_bits_cannot_hold_are_refused(n_dear):
    rest = NEVER - 1 - 253 * n_dear
    costs = [253] * n_dear + [100] * (rest // 100) + [max(1, rest % 100)]
    most = sum(costs)
    labels = LabelPlan.of(graphs.corridor(*costs)).build()
    if labels is not None:
        assert labels.cost(0, len(costs)) == most == labels.path(len(costs), 0)[-1, 3]
    assert LabelPlan.of(graphs.corridor(*costs, 253)).build() is None
    half = costs[: len(costs) // 2]
    assert LabelPlan.of(graphs.corridor(*half)).build().cost(0, len(half)) == sum(half)


@pytest.mark.parametrize(("n_links", "is_fit"), [(253, True), (254, False)])
def test_a_byte_has_to_number_the_moves(n_links, is_fit):
    # Links of one cost that lead equally far are one move.
    source, costs = np.r_[0, np.arange(n_links)], np.r_[1, np.arange(n_links) + 1]
    links = Links.of(300, source, source + 1, costs)
    plan = LabelPlan.of(replace(graphs.corridor(*[9] * 299), links=links))
    assert (plan is not None) == is_fit
    if is_fit:
        assert plan.build().path(0, 10)[:, 3].tolist() == [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 54]


def test_labels_beyond_a_limit_of_memory_are_refused():
    plan = LabelPlan.of(graphs.field(20))
    assert LabelPlan.of(graphs.field(20), plan.n_bytes) is not None
    assert LabelPlan.of(graphs.field(20), plan.n_bytes - 1) is None


def test_levels_are_those_of_the_graph_at_the_time():
    graph = graphs.field(5)
    labels = LabelPlan.of(graph).build()
    level = graph.layout.level.base
    level[:] = 7
    assert set(labels.path(0, 24)[:, 4].tolist()) == {7}
