"""Find the cheapest journey over a graph of points: from any of several entries to an exit.

References
----------
Hart, Nilsson, Raphael (1968), "A formal basis for the heuristic determination of minimum cost
paths", https://doi.org/10.1109/TSSC.1968.300136
"""

import heapq
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ai.search.all_pairs import shortest
from ai.search.search_state import NO_NODE


class RouteTable:
    """Routes between all pairs of points; `edges` is (n, 3) start, end and cost."""

    def __init__(self, count: int, edges: NDArray[np.float64]) -> None:
        costs = np.full((count, count), np.inf)
        starts, ends = edges[:, :2].astype(np.int64).T
        costs[starts, ends] = edges[:, 2]
        self._cost, self._next = shortest(costs)

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
    """As `RouteTable`, but each journey is searched by A*.

    The heuristic is the straight distance times the lowest cost per distance of any edge, so it is
    never too high. `positions` is (n, 3); without it the search is Dijkstra's.
    """

    def __init__(
        self, count: int, edges: NDArray[np.float64], positions: NDArray[np.float64] | None
    ) -> None:
        self._edges: list[list[tuple[int, float]]] = [[] for _ in range(count)]
        for start, end, cost in edges.tolist():
            self._edges[int(start)].append((int(end), cost))
        self._positions = np.zeros((count, 3)) if positions is None else positions
        starts, ends = edges[:, :2].astype(np.int64).T
        lengths = np.linalg.norm(self._positions[starts] - self._positions[ends], axis=1)
        is_long = lengths > 0
        self._scale = float((edges[is_long, 2] / lengths[is_long]).min(initial=np.inf))
        self._scale = self._scale if self._scale < np.inf else 0.0

    def journey(
        self, entries: Mapping[int, float], exits: Mapping[int, float]
    ) -> tuple[float, list[int]]:
        """Search over the points and a virtual end, to which every exit leads at its cost."""
        if not exits:
            return np.inf, []
        places, costs = self._positions[list(exits)], np.array([*exits.values()])
        center = places[costs.argmin()]
        # A bound for all exits by the distance to the cheapest one and the triangle inequality.
        offset = (costs - self._scale * np.linalg.norm(places - center, axis=1)).min()
        bounds = self._scale * np.linalg.norm(self._positions - center, axis=1) + offset
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
