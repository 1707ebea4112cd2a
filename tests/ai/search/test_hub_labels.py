"""Hub labels: the same rows as the plain search, on all maps that they serve, and refusals."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.search.graph import NO_STEP, Graph, Links
from ai.search.guided_graph import GuidedGraph
from ai.search.heuristics import NodeLayout
from ai.search.hub_labels import NEVER, LabelPlan
from ai.search.workspace import Workspace
from terrain3d import TileKind, TileMap
from tests.support.equal_paths_reference import first_cells, steps_of
from tests.support.programs import NO_DISPLAY, run_python
from tests.support.reference import thoroughly
from tests.support.whole_costs import random_map, random_profile


def searched(guided, workspace, start, goal):
    """Return the rows that the plain search finds."""
    workspace.one_source[0] = start
    guided.search(workspace, workspace.one_source, workspace.no_cost, goal)
    return workspace.found_path()


@thoroughly(100)
@given(st.integers(0, 2**32 - 1))
def test_rows_are_those_of_the_plain_search(seed):
    rng = np.random.default_rng(seed)
    tilemap = random_map(rng)
    navigation, profile = Navigation(tilemap), random_profile(rng, tilemap)
    graph = navigation.profile_graph(profile).forward
    plan = LabelPlan.of(graph)
    assert plan is not None
    labels = plan.build()
    assert plan.n_bytes == labels.costs.nbytes + labels.steps.nbytes
    ends = rng.integers(0, graph.n_nodes, (40, 2)).astype(np.int32)
    guided, workspace = GuidedGraph(graph), Workspace.of(graph.n_nodes, is_whole=True)
    expected = [searched(guided, workspace, *pair) for pair in ends.tolist()]
    for pair, rows in zip(ends.tolist(), expected, strict=True):
        assert labels.look_up(*pair).tolist() == rows.tolist()
        assert labels.cost(*pair) == (rows[-1, 3] if len(rows) else math.inf)
    steps, nodes = steps_of(navigation, graph), navigation.profile_graph(profile).nodes
    for pair, rows in list(zip(ends.tolist(), expected, strict=True))[:3]:
        assert nodes.of_record(rows).tolist() == first_cells(steps, *pair)


def graph_of(tilemap, profile=MoveProfile()):  # noqa: B008 - it never changes
    return Navigation(tilemap).profile_graph(profile).forward


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
        (TileMap([[0, 0]], [[0, 1]], (TileKind("grass"), TileKind("ice", cost=0))), MoveProfile()),
        (TileMap([[0, 1]]), MoveProfile(climb_cost=0.5)),
        (FLAT, MoveProfile(diagonal="always", diagonal_cost=2**0.5)),
        (TileMap([[0] * 9] * 9), MoveProfile(warp=3)),
        (linked(65), MoveProfile()),
    ],
    ids=["free steps", "fractional", "diagonals", "warps", "links"],
)
def test_other_graphs_are_refused(tilemap, profile):
    assert LabelPlan.of(graph_of(tilemap, profile)) is None


def test_as_many_links_as_there_may_be_are_hubs():
    graph = graph_of(linked(64))
    labels = LabelPlan.of(graph).build()
    guided, workspace = GuidedGraph(graph), Workspace.of(graph.n_nodes, is_whole=True)
    for start, goal in itertools.product(range(0, 400, 7), (399, 0, 210)):
        expected = searched(guided, workspace, start, goal)
        assert labels.look_up(start, goal).tolist() == expected.tolist()


def corridor(*costs):
    """Make a graph of nodes in one row, each with a step to the next and back."""
    n_nodes = len(costs) + 1
    table = np.full((n_nodes, 2), NO_STEP)
    table[:-1, 0] = table[1:, 1] = costs
    layout = NodeLayout(n_nodes, np.zeros(n_nodes, dtype=np.int16))
    return Graph(table, np.array([[1, -1]]), layout=layout)


@pytest.mark.parametrize("n_dear", [0, 1, 2, 140, 258])
def test_sums_that_16_bits_cannot_hold_are_refused(n_dear):
    rest = NEVER - 1 - 253 * n_dear
    costs = [253] * n_dear + [100] * (rest // 100) + [max(1, rest % 100)]
    most = sum(costs)
    labels = LabelPlan.of(corridor(*costs)).build()
    if labels is not None:
        assert labels.cost(0, len(costs)) == most == labels.look_up(len(costs), 0)[-1, 3]
    assert LabelPlan.of(corridor(*costs, 253)).build() is None
    half = corridor(*costs[: len(costs) // 2])
    assert LabelPlan.of(half).build().cost(0, half.n_nodes - 1) == sum(costs[: len(costs) // 2])


@pytest.mark.parametrize(("n_links", "is_fit"), [(253, True), (254, False)])
def test_a_byte_has_to_number_the_edges_to_a_node(n_links, is_fit):
    plain = corridor(9, 9, 9)
    costs = np.full(n_links, 7, np.uint8)
    costs[0], costs[-1] = 5, 6
    ends = np.full(n_links, 1), np.full(n_links, 2)
    links = Links.of(4, *ends, costs)
    plan = LabelPlan.of(Graph(plain.step_cost, plain.offset, links=links, layout=plain.layout))
    assert (plan is not None) == is_fit
    if is_fit:
        assert plan.build().look_up(0, 3)[:, 3].tolist() == [0, 9, 14, 23]


def test_progress_ends_with_all_and_its_errors_reach_the_caller():
    plan, calls = LabelPlan.of(graph_of(FLAT)), []
    plan.build(lambda *done: calls.append(done))
    assert calls == [(done, len(calls)) for done in range(1, len(calls) + 1)]
    with pytest.raises(ZeroDivisionError):
        plan.build(lambda *_: 1 / 0)


FIRST = """
from ai import Navigation
from terrain3d import TileMap
from tests.support.first_calls import first_calls

navigation = Navigation(TileMap.from_text("0123\\n0123"))
with first_calls() as before:
    navigation.build_index()
with first_calls() as after:
    navigation.find_path((0, 0), (1, 3))
    navigation.find_path((0, 0), (1, 3), blocked=[(0, 2)], halting=[(1, 2)])
    navigation.distance((0, 0), (1, 3))
for found in before, after:
    print([name for name, _ in found if "look_up" in name or "near" in name])
"""


def test_what_reads_labels_is_compiled_before_the_first_query():
    ran = run_python("-c", FIRST, env=NO_DISPLAY | {"NUMBA_DISABLE_JIT": "0"})
    before, after = ran.stdout.splitlines()
    assert "look_up" in before
    assert after == "[]"
