"""A graph of named waypoints: placed at random, connected by walking costs, with cheapest routes.

References
----------
Hart, Nilsson, Raphael (1968), "A formal basis for the heuristic determination of minimum cost
paths", https://doi.org/10.1109/TSSC.1968.300136
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.navigation import Navigation
from ai.navigation.path import plain_number
from ai.rules.entry_rules import surface_values
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile, checked_profile
from ai.search.astar import NO_NODE
from terrain3d import Cell
from terrain3d.core.checks import (
    instance_of,
    number_within,
    quoted,
    true_or_false,
    whole_within,
)
from terrain3d.grid.grid import CellLike, as_cell

MAX_EDGE_COST = 1e15
"""The cost of the most expensive edge; sums of many edges stay finite."""

_MAX_TABLE = 400


class Waypoints:
    """Points with names, directed edges with costs, and cheapest routes from point to point.

    With up to 400 points, the first query finds the routes between all pairs, and they are cached
    until a point or an edge changes. With more points each query searches its own route by A*,
    guided by the straight distances between the points' rows and columns.
    """

    def __init__(self) -> None:
        self._cells: dict[str, Cell] = {}
        self._costs: dict[str, dict[str, float]] = {}
        self._routes: RouteTable | RouteSearch | None = None
        self._version = 0

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
        """Add a point on a cell; `ValueError` if there is one of that name."""
        if instance_of("a point's name", name, str) in self._cells:
            raise ValueError(f"there is a point {quoted(name)} already")
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
        """
        self._check_points(start, end)
        if start == end:
            raise ValueError(f"an edge needs two different points, got {quoted(start)} twice")
        cost = plain_number(number_within("an edge's cost", cost, 0, MAX_EDGE_COST))
        one_way = true_or_false("one_way", one_way)
        self._costs[start][end] = cost
        if not one_way:
            self._costs[end][start] = cost
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
        """
        number = {name: place for place, name in enumerate(self._cells)}
        firsts, lasts = (
            {number[each]: cost for each, cost in self._checked(name, ends) if cost < math.inf}
            for name, ends in (("entries", entries), ("exits", exits))
        )
        if self._routes is None:
            listed = [(number[start], number[end], cost) for start, end, cost in self.edges]
            edges = np.array(listed, dtype=np.float64).reshape(-1, 3)
            places = np.array([*self._cells.values()], dtype=np.float64).reshape(-1, 3)
            is_small = len(self) <= _MAX_TABLE
            self._routes = RouteTable(len(self), edges) if is_small else RouteSearch(places, edges)
        cost, along = self._routes.journey(firsts, lasts)
        names = list(self._cells)
        return plain_number(cost), [names[place] for place in along]

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
                raise ValueError(f"there is no point {quoted(name)}")


def scatter(
    navigation: Navigation,
    count: int,
    rng: np.random.Generator,
    profile: MoveProfile = DEFAULT_PROFILE,
    *,
    spacing_tiles: int = 4,
    weights: ArrayLike | None = None,
) -> Waypoints:
    """Return points at random cells where a mover can stop, without edges.

    Parameters
    ----------
    count : int
        The most points, >= 0; there are fewer if no more fit. Their names are "p0", "p1", ...
    rng : numpy.random.Generator
        Equal generators place equal points on equal maps.
    spacing_tiles : int
        The least distance between two points, >= 0.
    weights : (rows, cols) number, optional
        How likely each tile is drawn beside the others, 0..1,000,000, as for cover or height; none
        with 0. Of shape (n_decks + 1, rows, cols) for each deck its own.
    """
    instance_of("navigation", navigation, Navigation)
    whole_within("count", count, 0)
    whole_within("spacing_tiles", spacing_tiles, 0)
    instance_of("rng", rng, np.random.Generator)
    checked_profile(profile)
    waypoints, tilemap = Waypoints(), navigation.tilemap
    plane, lengths = tilemap.grid.plane(), tilemap.grid.lengths
    cells = np.argwhere(~np.moveaxis(tilemap.surface_void, 0, -1))
    if weights is None:
        rest = rng.permutation(cells)
    else:
        row, col, deck = cells.T
        weight = surface_values("weights", weights, tilemap)[deck, row, col]
        cells, weight = cells[weight > 0], weight[weight > 0]
        # The smallest of exponential variables is that of each cell in proportion to its rate.
        rest = cells[np.argsort(rng.exponential(size=len(cells)) / weight, kind="stable")]
    while len(rest) and len(waypoints) < count:
        cell, rest = Cell(*rest[0].tolist()), rest[1:]
        if not navigation.explain_stop(cell, profile):
            waypoints.add_point(f"p{len(waypoints)}", cell)
            offsets = plane[rest[:, 0], rest[:, 1]] - plane[cell[:2]]
            rest = rest[lengths(offsets) >= spacing_tiles]
    return waypoints


def measure(
    waypoints: Waypoints,
    navigation: Navigation,
    profile: MoveProfile = DEFAULT_PROFILE,
    *,
    max_cost: float = math.inf,
) -> None:
    """Replace all edges by the paths of a mover, at their true cost in each direction.

    The costs are those of the map as it is now; measure again after edits. Points that are not on
    the map get no edges.

    Parameters
    ----------
    max_cost : number
        Paths that cost more get no edge.
    """
    instance_of("waypoints", waypoints, Waypoints)
    instance_of("navigation", navigation, Navigation)
    checked_profile(profile)
    number_within("max_cost", max_cost, 0)
    tilemap = navigation.tilemap
    for start, end, _ in waypoints.edges:
        waypoints.disconnect(start, end, one_way=True)
    cells = {name: cell for name, cell in waypoints.points.items() if tilemap.has_cell(cell)}
    for start, cell in cells.items():
        costs = navigation.reach(cell, max_cost, profile).as_costs(decks=True)
        for end, (row, col, deck) in cells.items():
            if end != start and costs[deck, row, col] < math.inf:
                waypoints.connect(start, end, float(costs[deck, row, col]), one_way=True)


class RouteTable:
    """Routes between all pairs of points; `edges` is (n, 3) start, end and cost.

    By Floyd (1962), "Algorithm 97: Shortest path", https://doi.org/10.1145/367766.368168.
    """

    def __init__(self, count: int, edges: NDArray[np.float64]) -> None:
        costs = np.full((count, count), np.inf)
        starts, ends = edges[:, :2].astype(np.int64).T
        costs[starts, ends] = edges[:, 2]
        after = np.where(np.isfinite(costs), np.arange(count), NO_NODE).astype(np.int32)
        np.fill_diagonal(costs, 0.0)
        np.fill_diagonal(after, NO_NODE)
        for middle in range(count):  # one more point that a route may lead over
            through = costs[:, middle, None] + costs[middle]
            is_less = through < costs  # ties go to the first route found
            np.copyto(costs, through, where=is_less)
            np.copyto(after, after[:, middle, None], where=is_less)
        self._cost, self._next = costs, after

    def journey(
        self, entries: Mapping[int, float], exits: Mapping[int, float]
    ) -> tuple[float, list[int]]:
        """Return the lowest sum of an entry's cost, edges and an exit's cost, and the points.

        Ties go to the first in the order of entries and exits. Infinity and an empty
        list if no edges lead from an entry to an exit.
        """
        if not (entries and exits):
            return np.inf, []
        firsts, lasts = list(entries), list(exits)
        costs = self._cost[np.ix_(firsts, lasts)]
        costs += np.array([*entries.values()])[:, None] + np.array([*exits.values()])
        row, col = divmod(int(costs.argmin()), len(lasts))
        if costs[row, col] == np.inf:
            return np.inf, []
        along = [firsts[row]]
        while along[-1] != lasts[col]:
            along.append(int(self._next[along[-1], lasts[col]]))
        return float(costs[row, col]), along


class RouteSearch:
    """As `RouteTable`, but each journey is searched by A*; `places` is (n, 3) of cells.

    The heuristic is the straight distance between places times the lowest cost per distance of any
    edge, so it is never too high.
    """

    def __init__(self, places: NDArray[np.float64], edges: NDArray[np.float64]) -> None:
        self._edges: list[list[tuple[int, float]]] = [[] for _ in places]
        for start, end, cost in edges.tolist():
            self._edges[int(start)].append((int(end), cost))
        self._places = places
        starts, ends = edges[:, :2].astype(np.int64).T
        lengths = np.linalg.norm(places[starts] - places[ends], axis=1)
        is_long = lengths > 0
        scale = float((edges[is_long, 2] / lengths[is_long]).min(initial=np.inf))
        self._scale = scale if scale < np.inf else 0.0

    def journey(
        self, entries: Mapping[int, float], exits: Mapping[int, float]
    ) -> tuple[float, list[int]]:
        """Search over the points and a virtual end, to which every exit leads at its cost."""
        if not exits:
            return np.inf, []
        places, costs = self._places[list(exits)], np.array([*exits.values()])
        center = places[costs.argmin()]
        # A bound for all exits by the distance to the cheapest one and the triangle inequality.
        offset = (costs - self._scale * np.linalg.norm(places - center, axis=1)).min()
        bounds = self._scale * np.linalg.norm(self._places - center, axis=1) + offset
        bound = np.maximum(bounds, costs.min()).tolist()
        front = [(cost + bound[number], cost, number, NO_NODE) for number, cost in entries.items()]
        heapq.heapify(front)
        before: dict[int, int] = {}
        while front:
            _, cost, number, parent = heapq.heappop(front)
            if number == NO_NODE:  # the virtual end
                along = [parent]
                while before[along[-1]] != NO_NODE:
                    along.append(before[along[-1]])
                return cost, along[::-1]
            if number in before:
                continue
            before[number] = parent
            if number in exits:
                whole = cost + exits[number]
                heapq.heappush(front, (whole, whole, NO_NODE, number))
            for end, step in self._edges[number]:
                if end not in before:
                    heapq.heappush(front, (cost + step + bound[end], cost + step, end, number))
        return np.inf, []
