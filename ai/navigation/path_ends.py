"""Where paths may begin and end: reasons, blockers, and the reached node nearest to a goal."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_BLOCKERS, Blockers
from ai.navigation.profile_graph import ProfileGraph
from ai.rules.reasons import blocked_reason, start_reason, stop_reason


def end_reason(graph: ProfileGraph, start: int, goal: int, blockers: Blockers) -> str:
    """Return why no path can begin at start or end at goal, whatever lies between; "" if it can."""
    if graph.is_void[start]:
        return start_reason(graph.rule, graph.nodes.cell(start))
    if start == goal:
        return ""
    if graph.is_void[goal] or not graph.can_stop_at(goal):
        return stop_reason(graph.rule, graph.nodes.cell(goal))
    if blockers is not NO_BLOCKERS and (goal in blockers.blocked or goal in blockers.passable):
        return blocked_reason(graph.nodes.cell(goal))
    return ""


def can_end(graph: ProfileGraph, nodes: NDArray[np.int64], blockers: Blockers) -> NDArray[np.bool_]:
    """(n,) whether a path may end on nodes that it can reach."""
    return graph.can_stop(nodes) & ~np.isin(nodes, blockers.passable)


def nearest_end(
    graph: ProfileGraph,
    nodes: NDArray[np.int64],
    costs: NDArray[Any],
    source: int,
    targets: Sequence[int],
    blockers: Blockers,
) -> int:
    """Return the entry of the node with the fewest open steps to a target, then cheapest.

    `nodes` were reached at `costs`; the source is among them, and a path may always end there.
    """
    is_end = can_end(graph, nodes, blockers) | (nodes == source)
    distance = np.where(is_end, _distance(graph, nodes, targets), np.iinfo(np.int64).max)
    return int(np.lexsort((nodes, costs, distance))[0])


def _distance(
    graph: ProfileGraph, nodes: NDArray[np.int64], targets: Sequence[int]
) -> NDArray[np.int64]:
    """(n,) steps on open ground from nodes to the nearest target."""
    tilemap = graph.tilemap
    grid, n_cells = tilemap.grid, tilemap.rows * tilemap.cols
    places = grid.plane().reshape(-1, 2).astype(np.int64)
    nearest = np.full(len(nodes), np.iinfo(np.int64).max)
    for target in targets:
        away = places[nodes % n_cells] - places[target % n_cells]
        steps = np.abs(away).max(axis=1) if graph.rule.has_diagonals else grid.lengths(away)
        np.minimum(nearest, steps, out=nearest)
    return nearest
