"""Landmark selection: choose nodes far apart and compute the costs from and to each."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.components import Components
from ai.search.graph import Graph
from ai.search.guided_graph import GuidedGraph
from ai.search.landmarks import Landmarks
from ai.search.workspace import Workspace

Progress = Callable[[int, int], object]

_LEAST_SHARE = 0.01  # a component with a smaller share of the nodes gets no landmark of its own
_NO_PATH_FLOAT = np.float32(1e30)
_ROUNDING = 2.0**-22  # of float32, with room for a sum of two


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
        away_from.append(_packed(out, graph))
        towards.append(_packed(back_in, graph))
        nearest = np.minimum(nearest, np.minimum(out, back_in))
        landmark = _next(nearest, is_candidate, components.label, sizes)
        if progress is not None:
            progress(done + 1, count)
    return _as_landmarks(away_from + towards, graph, ahead.layout.cols)


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


def _packed(cost: NDArray[np.float64], graph: Graph) -> NDArray[Any]:
    """Return costs in the smallest dtype that holds them; its highest value marks "no path"."""
    if not graph.is_whole:
        return np.minimum(cost, _NO_PATH_FLOAT).astype(np.float32)
    known = np.isfinite(cost)
    highest = float(cost[known].max(initial=0))
    dtype: type[np.integer[Any]] = np.uint16 if highest < np.iinfo(np.uint16).max else np.int32
    return np.where(known, cost, np.iinfo(dtype).max).astype(dtype)


def _as_landmarks(rows: list[NDArray[Any]], graph: Graph, cols: int) -> Landmarks:
    dtype = np.result_type(*rows)
    table = np.stack([_widened(row, dtype) for row in rows])
    no_path = np.iinfo(dtype).max if graph.is_whole else _NO_PATH_FLOAT
    longest = float(max(row[row < no_path].max(initial=0) for row in table))
    _negate_second_half(table, no_path if graph.is_whole else np.float32(0))
    return Landmarks.of(table, cols, longest, 0.0 if graph.is_whole else longest * _ROUNDING)


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
