"""A graph of named waypoints, and the cheapest routes over its edges."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import plain_number
from ai.search import GOAL_FOUND, NO_NODE, Graph, GuidedGraph, Workspace
from ai.search.all_pairs import shortest
from terrain3d import Cell
from terrain3d.core.checks import instance_of, number_within, true_or_false
from terrain3d.grid.grid import CellLike, as_cell

MAX_EDGE_COST = 1e15
"""The cost of the most expensive edge; sums of many edges stay finite."""

_MAX_TABLE = 400


class Waypoints:
    """Points with names, directed edges with costs, and cheapest routes from point to point.

    With up to 400 points, the first query finds the routes between all pairs, and they are cached
    until a point or an edge changes. With more points each query searches its own route.
    """

    def __init__(self) -> None:
        self._cells: dict[str, Cell] = {}
        self._costs: dict[str, dict[str, float]] = {}
        self._routes: _Table | _Searches | None = None
        self._version = 0

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the waypoints that `to_dict` describes.

        Raises
        ------
        ValueError
            A field is missing or wrong; the text names it.
        """
        made = cls()
        points, edges = _field(data, "points", Mapping), _field(data, "edges", list)
        for name, cell in points.items():
            try:
                made.add_point(name, cell)
            except (TypeError, ValueError) as error:
                raise ValueError(f"points[{name!r}]: {error}") from None
        for number, edge in enumerate(edges):
            try:
                start, end, cost = edge
                made.connect(start, end, cost, one_way=True)
            except (TypeError, ValueError) as error:
                raise ValueError(f"edges[{number}]: {error}") from None
        return made

    def to_dict(self) -> dict[str, Any]:
        """Return points and edges as plain data for JSON."""
        return {
            "points": {name: list(cell) for name, cell in self._cells.items()},
            "edges": [list(edge) for edge in self.edges],
        }

    def __repr__(self) -> str:
        """Show the number of points and edges."""
        return f"<Waypoints: {len(self)} points, {len(self.edges)} edges>"

    def __len__(self) -> int:
        """Count the points."""
        return len(self._cells)

    @property
    def version(self) -> int:
        """How many times points and edges have changed."""
        return self._version

    @property
    def points(self) -> dict[str, Cell]:
        """The cell of each point, in the order they were added; a copy."""
        return dict(self._cells)

    @property
    def edges(self) -> list[tuple[str, str, float]]:
        """All edges as (start, end, cost); a copy."""
        ends = self._costs.items()
        return [(start, end, cost) for start, costs in ends for end, cost in costs.items()]

    def add_point(self, name: str, cell: CellLike) -> None:
        """Add a point.

        Raises
        ------
        TypeError, ValueError
            The name is not text or is used already; the cell is not a cell.
        """
        if instance_of("a point's name", name, str) in self._cells:
            raise ValueError(f"there is a point {name!r} already")
        self._cells[name], self._costs[name] = as_cell(cell), {}
        self._changed()

    def remove_point(self, name: str) -> None:
        """Remove a point and its edges; `ValueError` if there is no such point."""
        self._check_points(name)
        del self._cells[name], self._costs[name]
        for costs in self._costs.values():
            costs.pop(name, None)
        self._changed()

    def connect(self, start: str, end: str, cost: float, *, one_way: bool = False) -> None:
        """Add an edge between two points, or change its cost.

        Parameters
        ----------
        start, end : str
            Two different points.
        cost : number
            0..MAX_EDGE_COST.
        one_way : bool
            Whether it leads from start to end only.

        Raises
        ------
        TypeError, ValueError
            There is no such point, both are the same, or the cost is invalid.
        """
        self._check_points(start, end)
        if start == end:
            raise ValueError(f"an edge needs two different points, got {start!r} twice")
        number_within("an edge's cost", cost, 0, MAX_EDGE_COST)
        one_way = true_or_false("one_way", one_way)
        self._costs[start][end] = plain_number(cost)
        if not one_way:
            self._costs[end][start] = plain_number(cost)
        self._changed()

    def disconnect(self, start: str, end: str, *, one_way: bool = False) -> None:
        """Remove an edge, if there is one; `ValueError` if there is no such point."""
        self._check_points(start, end)
        one_way = true_or_false("one_way", one_way)
        self._costs[start].pop(end, None)
        if not one_way:
            self._costs[end].pop(start, None)
        self._changed()

    def cost(self, start: str, end: str) -> float:
        """Return the cost of the cheapest route between two points; infinity if there is none."""
        self._check_points(start, end)
        cost, _ = self._between(start, end)
        return plain_number(cost)

    def route(self, start: str, end: str) -> list[str]:
        """Return the points of a cheapest route, both ends included; empty if there is none."""
        self._check_points(start, end)
        _, numbers = self._between(start, end)
        names = list(self._cells)
        return [names[number] for number in numbers]

    def _between(self, start: str, end: str) -> tuple[float, list[int]]:
        number = {name: place for place, name in enumerate(self._cells)}
        if self._routes is None:
            edges = [(number[a], number[b], cost) for a, b, cost in self.edges]
            make = _Table if len(self) <= _MAX_TABLE else _Searches
            self._routes = make(len(self), np.array(edges, dtype=np.float64).reshape(-1, 3))
        return self._routes.between(number[start], number[end])

    def _changed(self) -> None:
        self._routes = None
        self._version += 1

    def _check_points(self, *names: str) -> None:
        for name in names:
            if instance_of("a point's name", name, str) not in self._cells:
                raise ValueError(f"there is no point {name!r}")


class _Table:
    """Routes between all pairs of points; `edges` is (n, 3) start, end and cost."""

    def __init__(self, count: int, edges: NDArray[np.float64]) -> None:
        costs = np.full((count, count), np.inf)
        starts, ends = edges[:, :2].astype(np.int64).T
        costs[starts, ends] = edges[:, 2]
        self._cost, self._next = shortest(costs)

    def between(self, start: int, end: int) -> tuple[float, list[int]]:
        """Return a route's cost and points; infinity and an empty list if there is none."""
        along = [start]
        while along[-1] != end:
            after = int(self._next[along[-1], end])
            if after == NO_NODE:
                return np.inf, []
            along.append(after)
        return float(self._cost[start, end]), along


class _Searches:
    """Routes between pairs of points, each searched on demand; as `_Table`."""

    def __init__(self, count: int, edges: NDArray[np.float64]) -> None:
        starts, ends = edges[:, :2].astype(np.int64).T
        self._guided = GuidedGraph(Graph.from_edges(count, starts, ends, edges[:, 2]))
        self._workspace = Workspace.of(count, is_whole=False)

    def between(self, start: int, end: int) -> tuple[float, list[int]]:
        """Search a route."""
        workspace = self._workspace
        workspace.one_source[0] = start
        status = self._guided.search(workspace, workspace.one_source, workspace.no_cost, end)
        if status != GOAL_FOUND:
            return np.inf, []
        record = workspace.found_path()  # without a plane, all nodes lie in one row
        return float(record[-1, 3]), record[:, 1].astype(np.int64).tolist()


def _field(data: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401 - of JSON
    if not isinstance(data, Mapping) or name not in data:
        raise ValueError(f"waypoints need a field {name!r}, got {data!r:.60}")
    if not isinstance(data[name], kind):
        raise ValueError(f"{name} must be a {kind.__name__.lower()}, got {data[name]!r:.60}")
    return data[name]
