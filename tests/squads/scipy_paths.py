"""Cheapest paths of single units by the plain rulebook and scipy, as lower bounds."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

from ai import MoveProfile
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.joint_moves_reference import StepCache
from tests.support.plain_map import all_surfaces

Cell = tuple[int, int, int]


class ScipyPaths:
    """Graph of all steps of a profile on a map; every step must cost more than 0."""

    def __init__(self, tilemap: TileMap, profile: MoveProfile) -> None:
        self.step_cache = StepCache(tilemap)
        self.cells = [tuple(cell) for cell in all_surfaces(tilemap)]
        self._stops = [rulebook.can_stop(tilemap, profile, cell) for cell in self.cells]
        self._number = {cell: number for number, cell in enumerate(self.cells)}
        steps = [
            (self._number[cell], self._number[end], step[0])
            for cell in self.cells
            for end, step in self.step_cache.steps(profile, cell).items()
        ]
        start, end, cost = np.array(steps, dtype=float).reshape(-1, 3).T
        assert (cost > 0).all()
        size = len(self.cells), len(self.cells)
        self._graph = csr_matrix((cost, (start.astype(int), end.astype(int))), shape=size)

    def largest_component(self) -> list[Cell]:
        """Return the cells to stop on in the largest strongly connected component."""
        _, component_of = connected_components(self._graph, connection="strong")
        largest = int(np.bincount(component_of[self._stops]).argmax())
        return [
            cell
            for cell, component, may_stop in zip(self.cells, component_of, self._stops, strict=True)
            if may_stop and component == largest
        ]

    def least_costs(self, starts: list[Cell], goals: list[Cell]) -> NDArray[np.float64]:
        """Return (n_units,) the costs of the cheapest paths without other units."""
        backward = self._graph.T.tocsr()
        costs = []
        for start, goal in zip(starts, goals, strict=True):
            row: NDArray[np.float64] = dijkstra(backward, indices=self._number[goal])
            costs.append(row[self._number[start]])
        return np.array(costs)
