"""Why there is no way: the first broken rule on the way that breaks the fewest."""

import itertools

import numpy as np
from numpy.typing import NDArray

from ai.baked import Baked
from ai.movement import fault
from ai.path import Path
from ai.search import Course, Graph, Scratch
from ai.search.graph import NO_STEP_FLOAT
from terrain3d import Cell


class Obstacle:
    """The reason why a goal cannot be reached, worked out when somebody reads it.

    It names the obstacle a player means: the one cliff in front, not any cliff of the region. That
    is the first step that is not legal on the way that has the fewest of them, and then the fewest
    steps.

    Parameters
    ----------
    baked : Baked
        The map and the profile.
    start, goal : int
        Nodes, of which the goal cannot be reached.
    walls : (n,) int64
        Nodes that cannot be entered.
    """

    def __init__(self, baked: Baked, start: int, goal: int, walls: NDArray[np.int64]) -> None:
        self._baked = baked
        self._start = start
        self._goal = goal
        self._walls = walls
        self._version = baked.version

    def __str__(self) -> str:
        """Name the obstacle; if the map was edited since, say only that there was none."""
        if self._baked.tilemap.version != self._version:
            row, col = divmod(self._goal, self._baked.tilemap.cols)
            return f"({row}, {col}) could not be reached; the map has changed since"
        way, walls = self._way_through(), set(self._walls.tolist())
        tilemap = self._baked.tilemap
        for before, after in itertools.pairwise(way):
            why = fault(tilemap, self._baked.profile, before, after)
            if not why and after.row * tilemap.cols + after.col in walls:
                why = f"({after.row}, {after.col}) is occupied"
            if why:
                return why
        return f"({way[-1].row}, {way[-1].col}) is closed off by who stands around"

    def _way_through(self) -> list[Cell]:
        graph = self._baked.graph
        breaking = float(graph.n_nodes + 1)  # dearer than any way without a broken rule
        toll = np.where(graph.step_cost < graph.broken, 1.0, breaking)
        toll[graph.step_cost > graph.broken] = NO_STEP_FLOAT
        self._baked.raise_entries(toll, self._walls, breaking)
        course = Course(Graph(toll, graph.offset, graph.node_class, graph.links, graph.plane))
        scratch = Scratch.of(graph.n_nodes, is_whole=False)
        scratch.one_source[0] = self._start
        course.search(scratch, scratch.one_source, scratch.no_cost, self._goal)
        return Path(scratch.found_path()).cells
