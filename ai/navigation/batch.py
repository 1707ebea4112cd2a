"""Many ways at once, on all cores: each thread takes a share, without the interpreter's lock."""

import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ai.navigation.blockers import NO_BLOCKERS
from ai.navigation.diagnosis import Obstacle
from ai.navigation.graph_cache import GraphCache
from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph
from ai.search import GOAL_FOUND, IntWorkspace, Landmarks, NextHops

_LEAST_SHARE = 16  # fewer queries than this are not worth a thread

Pair = tuple[int, int]


def answer_all(graphs: GraphCache, graph: ProfileGraph, pairs: Sequence[Pair]) -> list[Path]:
    """Find the way from the first to the second of each pair of nodes.

    Parameters
    ----------
    graphs : GraphCache
        Lends working arrays to each thread.
    graph : ProfileGraph
    pairs : sequence of (int, int)
    """
    n_shares = max(1, min(os.cpu_count() or 1, len(pairs) // _LEAST_SHARE))
    if graph.components is None and len(pairs) >= _LEAST_SHARE:
        graph.label_components()  # so that no pair without a way is searched for in vain

    def answer(share: Sequence[Pair]) -> list[Path]:
        return _answer(graphs, graph, share)

    if n_shares == 1:
        return answer(pairs)
    bounds = [len(pairs) * share // n_shares for share in range(n_shares + 1)]
    shares = [pairs[low:high] for low, high in itertools.pairwise(bounds)]
    with ThreadPoolExecutor(n_shares) as pool:
        return [found for share in pool.map(answer, shares) for found in share]


def _answer(graphs: GraphCache, graph: ProfileGraph, pairs: Sequence[Pair]) -> list[Path]:
    guided = graph.guided()
    faults: dict[int, object] = {}
    for place, (start, goal) in enumerate(pairs):
        why: object = graph.end_fault(start, goal, NO_BLOCKERS)
        if not why and graph.components is not None and not graph.components.may_reach(start, goal):
            why = Obstacle(graph, start, goal, NO_BLOCKERS)
        if why:
            faults[place] = why
    asked = [pair for place, pair in enumerate(pairs) if place not in faults]
    starts = np.array([start for start, _ in asked], dtype=np.int32)
    goals = np.array([goal for _, goal in asked], dtype=np.int32)
    index = graph.index
    landmarks = index if isinstance(index, Landmarks) else None
    with graphs.workspace(graph) as workspace:
        if isinstance(index, NextHops):
            records = index.look_up_many(workspace, starts, goals)
        elif isinstance(workspace, IntWorkspace):
            records = guided.search_many(workspace, starts, goals, landmarks)
        else:
            records = []
            for start, goal in asked:
                workspace.one_source[0] = start
                sources = workspace.one_source, workspace.no_cost
                status = guided.search(workspace, *sources, goal, landmarks=landmarks)
                records.append(workspace.found_path()[: None if status == GOAL_FOUND else 0])
    found = iter(records)
    paths = []
    for place, (start, goal) in enumerate(pairs):
        record = None if place in faults else next(found)
        if record is not None and len(record):
            paths.append(Path(record))
        else:
            paths.append(Path.none(faults.get(place) or Obstacle(graph, start, goal, NO_BLOCKERS)))
    return paths
