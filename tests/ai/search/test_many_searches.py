"""Many searches in one call, also on graphs where the state is cleared every few searches."""

import numpy as np
import pytest

from ai.search.graph import Graph
from ai.search.guided_graph import GuidedGraph
from ai.search.heuristics import NodeLayout
from ai.search.workspace import IntWorkspace


@pytest.mark.parametrize("n_generations", [1, 7, 255])
def test_all_ways_are_found_however_few_searches_fit(n_generations):
    count = 50
    steps = np.full((count, 2), 1, dtype=np.uint8)
    steps[0, 0] = steps[-1, 1] = 255
    offset = np.array([[-1, 1]])
    layout = NodeLayout(count, np.zeros(count, dtype=np.int16))
    guided = GuidedGraph(Graph(steps, offset, None, None, layout))
    workspace = IntWorkspace(count)
    workspace._first_generation, workspace.generation = n_generations, n_generations + 1
    rng = np.random.default_rng(3)
    starts, goals = rng.integers(0, count, (2, 600), dtype=np.int32)
    for _ in range(2):
        found = guided.search_many(workspace, starts, goals)
        assert [len(path) for path in found] == (abs(starts - goals) + 1).tolist()
        workspace.one_source[0] = 3
        guided.search(workspace, workspace.one_source, workspace.no_cost, 9)
        assert len(workspace.found_path()) == 7
