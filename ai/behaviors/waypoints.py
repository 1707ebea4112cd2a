"""A graph of named waypoints, and the cheapest routes over its edges."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from ai.behaviors.waypoint_routes import RouteSearch, RouteTable
from ai.navigation.path import plain_number
from terrain3d import Cell
from terrain3d.core.checks import finite_numbers, instance_of, number_within, true_or_false
from terrain3d.grid.grid import CellLike, as_cell

MAX_EDGE_COST = 1e15
"""The cost of the most expensive edge; sums of many edges stay finite."""

_MAX_TABLE = 400


class Waypoints:
    """Points with names, directed edges with costs, and cheapest routes from point to point.

    With up to 400 points, the first query finds the routes between all pairs, and they are cached
    until a point or an edge changes. With more points each query searches its own route by A*,
    guided by straight distances if all points have positions in the world.
    """

    def __init__(self) -> None:
        self._cells: dict[str, Cell] = {}
        self._positions: dict[str, tuple[float, ...]] = {}
        self._costs: dict[str, dict[str, float]] = {}
        self._routes: RouteTable | RouteSearch | None = None
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
        positions = _field({"positions": {}, **data}, "positions", Mapping)
        for name in positions:
            if name not in points:
                raise ValueError(f"positions[{name!r}]: there is no point {name!r}")
        for name, cell in points.items():
            try:
                made.add_point(name, cell, positions.get(name))
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
        """Return points, positions and edges as plain data for JSON."""
        return {
            "points": {name: list(cell) for name, cell in self._cells.items()},
            "positions": {name: list(position) for name, position in self._positions.items()},
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

    @property
    def positions(self) -> dict[str, tuple[float, ...]]:
        """The (x, y, z) of each point that has a position in the world; a copy."""
        return dict(self._positions)

    def add_point(self, name: str, cell: CellLike, position: Sequence[float] | None = None) -> None:
        """Add a point.

        Parameters
        ----------
        name : str
        cell : cell
            Where movers go.
        position : (x, y, z), optional
            The point in the world, in any unit; `TileMap.surface_point` is that of a cell. Straight
            distances are measured from it. Each number is in -MAX_EDGE_COST..MAX_EDGE_COST.

        Raises
        ------
        TypeError, ValueError
            The name is not text or is used already; the cell is not a cell; the position is not
            three numbers within their limits.
        """
        if instance_of("a point's name", name, str) in self._cells:
            raise ValueError(f"there is a point {name!r} already")
        cell = as_cell(cell)
        if position is not None:
            numbers = finite_numbers("a point's position", position, 3)
            for number in numbers:
                number_within("a point's position", number, -MAX_EDGE_COST, MAX_EDGE_COST)
            self._positions[name] = numbers
        self._cells[name], self._costs[name] = cell, {}
        self._changed()

    def remove_point(self, name: str) -> None:
        """Remove a point and its edges; `ValueError` if there is no such point."""
        self._check_points(name)
        del self._cells[name], self._costs[name]
        self._positions.pop(name, None)
        for costs in self._costs.values():
            costs.pop(name, None)
        self._changed()

    def connect(
        self, start: str, end: str, cost: float | None = None, *, one_way: bool = False
    ) -> None:
        """Add an edge between two points, or change its cost.

        Parameters
        ----------
        start, end : str
            Two different points.
        cost : number, optional
            0..MAX_EDGE_COST; the straight distance between the positions if not given.
        one_way : bool
            Whether it leads from start to end only.

        Raises
        ------
        TypeError, ValueError
            There is no such point, both are the same, or the cost is invalid; without a cost, a
            point has no position.
        """
        self._check_points(start, end)
        if start == end:
            raise ValueError(f"an edge needs two different points, got {start!r} twice")
        if cost is None:
            cost = self._distance(start, end)
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
        return self.journey({start: 0}, {end: 0})[0]

    def route(self, start: str, end: str) -> list[str]:
        """Return the points of a cheapest route, both ends included; empty if there is none."""
        self._check_points(start, end)
        return self.journey({start: 0}, {end: 0})[1]

    def journey(
        self, entries: Mapping[str, float], exits: Mapping[str, float]
    ) -> tuple[float, list[str]]:
        """Return the cheapest whole journey: to an entry, over edges, and on from an exit.

        Parameters
        ----------
        entries : mapping of str to number
            The cost of coming to each point where the graph may be joined, >= 0; infinity where
            it cannot.
        exits : mapping of str to number
            The cost of going on from each point where the graph may be left, likewise.

        Returns
        -------
        cost : number
            The lowest sum of the three parts; infinity if there is no journey.
        points : list of str
            From the entry to the exit, which may be the same; empty if there is no journey.

        Raises
        ------
        TypeError, ValueError
            There is no such point; a cost is not a number, or negative.
        """
        number = {name: place for place, name in enumerate(self._cells)}
        firsts, lasts = (
            {number[each]: cost for each, cost in self._checked(name, ends) if cost < math.inf}
            for name, ends in (("entries", entries), ("exits", exits))
        )
        if self._routes is None:
            self._routes = self._make_routes(number)
        cost, along = self._routes.journey(firsts, lasts)
        names = list(self._cells)
        return plain_number(cost), [names[place] for place in along]

    def _make_routes(self, number: Mapping[str, int]) -> RouteTable | RouteSearch:
        listed = [(number[start], number[end], cost) for start, end, cost in self.edges]
        edges = np.array(listed, dtype=np.float64).reshape(-1, 3)
        if len(self) <= _MAX_TABLE:
            return RouteTable(len(self), edges)
        is_placed = len(self._positions) == len(self)
        positions = np.array([self._positions[name] for name in self._cells]) if is_placed else None
        return RouteSearch(len(self), edges, positions)

    def _distance(self, start: str, end: str) -> float:
        for name in (start, end):
            if name not in self._positions:
                raise ValueError(
                    f"point {name!r} has no position: give the edge's cost, or add the point with "
                    "position=(x, y, z)"
                )
        return math.dist(self._positions[start], self._positions[end])

    def _checked(self, name: str, costs: Mapping[str, float]) -> Iterable[tuple[str, float]]:
        """Return the points and costs of an argument of `journey`."""
        self._check_points(*instance_of(name, costs, Mapping))
        for point, cost in costs.items():
            number_within(f"{name}[{point!r}]", cost, 0)
        return costs.items()

    def _changed(self) -> None:
        self._routes = None
        self._version += 1

    def _check_points(self, *names: str) -> None:
        for name in names:
            if instance_of("a point's name", name, str) not in self._cells:
                raise ValueError(f"there is no point {name!r}")


def _field(data: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401 - of JSON
    if not isinstance(data, Mapping) or name not in data:
        raise ValueError(f"waypoints need a field {name!r}, got {data!r:.60}")
    if not isinstance(data[name], kind):
        raise ValueError(f"{name} must be a {kind.__name__.lower()}, got {data[name]!r:.60}")
    return data[name]
