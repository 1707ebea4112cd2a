"""Landmark selection: choose nodes far apart and compute the costs from and to each."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.components import Components
from ai.search.graph import Graph
from ai.search.grid_index import striped_places
from ai.search.guided_graph import GuidedGraph
from ai.search.heuristics import NodeLayout
from ai.search.landmarks import MAX_UNITS, NO_PATH_FLOAT, Landmarks, unit_of
from ai.search.workspace import Workspace

Progress = Callable[[int, int], object]

_CHUNK = 2**16
_N_OUTER, _OUTER_SHARE = 32, 1 / 32  # landmarks on the border, also as a share of its nodes
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
    the node farthest from those before. Large components that no landmark reaches come first. On a
    map the first ones lie on its border, or on that of a part of it: cheapest paths to a node
    inside continue to few others, so that it gives few high bounds. More than 32 landmarks on a
    border, or one for every 32 nodes of a long one, would be too alike: the next ones lie inside.

    `backward` has the same edges reversed, and `least_step` is that of `GuidedGraph`. `progress` is
    called with (landmarks done, count). None if no node reaches another one.
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
    is_outer = _outermost(is_candidate, ahead.layout, components.label)
    n_outer = max(_N_OUTER, _OUTER_SHARE * np.count_nonzero(is_outer))
    some = int(np.flatnonzero(components.label == components.largest)[0])
    table = _Table(count, graph.n_nodes, ahead.layout.cols, unit)
    nearest = np.full(graph.n_nodes, np.inf, dtype=np.float32)
    table.measure(0, ahead, workspace, some, nearest)
    landmark = _farthest(nearest, is_outer & (components.label == components.largest))
    nearest[:] = np.inf
    for done in range(count):
        for row, guided in ((done, ahead), (count + done, back)):
            table.measure(row, guided, workspace, landmark, nearest)
        is_next = is_outer if done + 1 < n_outer else is_candidate
        landmark = _next(nearest, is_next, components.label, sizes)
        if progress is not None:
            progress(done + 1, count)
    return table.landmarks()


class _Table:
    """The rows measured so far: in place, as several copies would not fit beside a large one."""

    def __init__(self, count: int, n_nodes: int, cols: int, unit: float) -> None:
        self._cols, self._unit = cols, unit
        self._places = striped_places(n_nodes, cols).astype(np.int32)
        shape = 2 * count, int(self._places.max()) + 1
        self._costs: NDArray[Any] = np.zeros(shape, dtype=np.float32 if unit else np.uint16)

    def measure(
        self,
        row: int,
        guided: GuidedGraph,
        workspace: Workspace,
        landmark: int,
        nearest: NDArray[np.float32],
    ) -> None:
        """Fill a row with the costs from a landmark, and lower `nearest` to them."""
        workspace.one_source[0] = landmark
        guided.dijkstra(workspace, workspace.one_source, workspace.no_cost)
        for first in range(0, len(nearest), _CHUNK):
            part = np.s_[first : first + _CHUNK]
            nodes = np.arange(first, min(first + _CHUNK, len(nearest)))
            cost = workspace.decode(nodes)[1]
            nearest[part] = np.minimum(nearest[part], cost)
            packed = _packed(cost, self._unit)
            dtype = np.result_type(self._costs, packed)
            self._costs = _widened(self._costs, dtype)
            self._costs[row, self._places[part]] = _widened(packed, dtype)

    def landmarks(self) -> Landmarks:
        """Return the table in the form of `Landmarks`."""
        costs, half = self._costs, len(self._costs) // 2
        no_path = NO_PATH_FLOAT if self._unit else np.iinfo(costs.dtype).max
        longest = float(max(row[row < no_path].max(initial=0) for row in costs))
        from_ = np.float32(0) if self._unit else no_path
        np.subtract(from_, costs[half:], out=costs[half:])
        return Landmarks.of(costs, self._places, self._cols, longest, self._unit)


def _outermost(
    is_candidate: NDArray[np.bool_], layout: NodeLayout, label: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """(n_nodes,) which candidates are the first or last of their row or column of the map.

    Of a component without any these are all candidates.
    """
    candidates = is_candidate.reshape(-1, layout.n_cells // layout.cols, layout.cols)
    cells = candidates.any(axis=0)
    is_outer = np.zeros_like(cells)
    for axis in (0, 1):
        count = cells.cumsum(axis)
        is_outer |= (count == 1) | (count == count.max(axis, keepdims=True))
    outer = (candidates & is_outer).ravel()
    return outer | (is_candidate & ~np.isin(label, label[outer]))


def _farthest(cost: NDArray[np.float32], is_candidate: NDArray[np.bool_]) -> int:
    return int(np.where(is_candidate & np.isfinite(cost), cost, -1.0).argmax())


def _next(
    nearest: NDArray[np.float32],
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


def _widened(costs: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return costs in a larger dtype, whose highest value marks "no path"."""
    if costs.dtype == dtype:
        return costs
    highest = np.iinfo(costs.dtype).max
    return np.where(costs == highest, np.iinfo(dtype).max, costs).astype(dtype)
