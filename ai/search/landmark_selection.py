"""Landmark selection: choose nodes far apart and compute the costs from and to each."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.components import Components
from ai.search.graph import Graph
from ai.search.guided_graph import GuidedGraph
from ai.search.landmarks import MAX_UNITS, NO_PATH_FLOAT, Landmarks, unit_of
from ai.search.workspace import Workspace

Progress = Callable[[int, int], object]

_LEAST_SHARE = 0.01  # a component with a smaller share of the nodes gets no landmark of its own


def choose_landmarks(
    graph: Graph,
    backward: Graph,
    count: int,
    least_step: float,
    progress: Progress | None = None,
) -> Landmarks | None:
    """Choose landmarks and compute the costs between them and all nodes.

    The first is a farthest node of the largest strongly connected component. Each further one is
    the node farthest from those before. Large components that no landmark reaches come first.

    Parameters
    ----------
    graph, backward : Graph
        The same edges, forward and reversed.
    count : int
        Number of landmarks, >= 1.
    least_step : float
        As for `GuidedGraph`.
    progress : callable, optional
        Called with (landmarks done, count).

    Returns
    -------
    Landmarks or None
        None if no node reaches another one.
    """
    unit = 0.0
    if not graph.is_whole:
        unit = unit_of(least_step)
        graph, backward = graph.rounded_down(unit), backward.rounded_down(unit)
    workspace = Workspace.of(graph.n_nodes, is_whole=graph.is_whole)
    ahead, back = (
        GuidedGraph(graph, least_step=least_step),
        GuidedGraph(backward, least_step=least_step),
    )
    components = Components.of(graph)
    sizes = np.bincount(components.label)
    is_candidate = sizes[components.label] >= max(2, _LEAST_SHARE * graph.n_nodes)
    is_candidate |= components.label == components.largest
    if sizes[components.largest] < 2:
        return None
    some = int(np.flatnonzero(components.label == components.largest)[0])
    nearest = np.full(graph.n_nodes, np.inf)
    away_from: list[NDArray[Any]] = []
    towards: list[NDArray[Any]] = []
    landmark = _farthest(_costs(ahead, workspace, some), components.label == components.largest)
    for done in range(count):
        out, back_in = _costs(ahead, workspace, landmark), _costs(back, workspace, landmark)
        away_from.append(_packed(out, unit))
        towards.append(_packed(back_in, unit))
        nearest = np.minimum(nearest, np.minimum(out, back_in))
        landmark = _next(nearest, is_candidate, components.label, sizes)
        if progress is not None:
            progress(done + 1, count)
    return _as_landmarks(away_from + towards, ahead.layout.cols, unit)


def _costs(guided: GuidedGraph, workspace: Workspace, node: int) -> NDArray[np.float64]:
    workspace.one_source[0] = node
    guided.dijkstra(workspace, workspace.one_source, workspace.no_cost)
    return workspace.decode()[1]


def _farthest(cost: NDArray[np.float64], is_candidate: NDArray[np.bool_]) -> int:
    return int(np.where(is_candidate & np.isfinite(cost), cost, -1.0).argmax())


def _next(
    nearest: NDArray[np.float64],
    is_candidate: NDArray[np.bool_],
    label: NDArray[np.int32],
    sizes: NDArray[np.int64],
) -> int:
    unmeasured = is_candidate & np.isinf(nearest)
    if unmeasured.any():
        return int(np.where(unmeasured, sizes[label], -1).argmax())
    return _farthest(nearest, is_candidate)


def _packed(cost: NDArray[np.float64], unit: float) -> NDArray[Any]:
    """Return costs in the smallest dtype that holds them; its highest value marks "no path"."""
    known = np.isfinite(cost)
    if unit:
        return np.where(known, np.minimum(cost, unit * MAX_UNITS), NO_PATH_FLOAT).astype(np.float32)
    highest = float(cost[known].max(initial=0))
    dtype: type[np.integer[Any]] = np.uint16 if highest < np.iinfo(np.uint16).max else np.int32
    return np.where(known, cost, np.iinfo(dtype).max).astype(dtype)


def _as_landmarks(rows: list[NDArray[Any]], cols: int, unit: float) -> Landmarks:
    dtype = np.result_type(*rows)
    table = np.stack([_widened(row, dtype) for row in rows])
    no_path = NO_PATH_FLOAT if unit else np.iinfo(dtype).max
    longest = float(max(row[row < no_path].max(initial=0) for row in table))
    _negate_second_half(table, np.float32(0) if unit else no_path)
    return Landmarks.of(table, cols, longest, unit)


def _negate_second_half(table: NDArray[Any], from_: int | np.float32) -> None:
    """Subtract the costs to the landmarks, the second half of the rows, from a number."""
    half = len(table) // 2
    np.subtract(from_, table[half:], out=table[half:])


def _widened(row: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return a row in a larger dtype, whose highest value marks "no path"."""
    if row.dtype == dtype:
        return row
    highest = np.iinfo(row.dtype).max
    return np.where(row == highest, np.iinfo(dtype).max, row).astype(dtype)
