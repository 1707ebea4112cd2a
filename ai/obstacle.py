"""Why there is no way: the first broken rule on the way that breaks the fewest."""

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ai.baked import Baked
from ai.faults import step_fault
from ai.nodes import said
from ai.path import Path
from ai.search import GOAL_FOUND, Course, Scratch
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
        nodes, rule = self._baked.nodes, self._baked.rule
        goal = said(nodes.cell(self._goal))
        if self._baked.tilemap.version != self._version:
            return f"{goal} could not be reached; the map has changed since"
        walls = set(self._walls.tolist())
        for before, after in itertools.pairwise(self._way_through()):
            if self._baked.price_between(nodes.of(before), nodes.of(after)) < np.inf:
                why = ""
            else:
                why = step_fault(rule, before, after)
            if not why and nodes.of(after) in walls:
                why = f"{said(after)} is occupied"
            if why:
                return why
        return f"{goal} is closed off by who stands around"

    def _way_through(self) -> list[Cell]:
        graph = self._baked.graph.with_any_costs()
        breaking = float(graph.n_nodes + 1)  # dearer than any way without a broken rule
        toll = np.where(graph.step_cost < graph.broken, 1.0, breaking)
        toll[graph.step_cost > graph.broken] = NO_STEP_FLOAT
        slots = self._baked.rule.slots
        is_leap = np.arange(toll.shape[1]) % len(slots.length) >= slots.n_single
        toll[:, is_leap] = np.where(toll[:, is_leap] < breaking, 1.0, NO_STEP_FLOAT)
        self._baked.raise_entries(toll, self._walls, breaking)
        course = Course(replace(graph, step_cost=toll))
        scratch = Scratch.of(graph.n_nodes, is_whole=False)
        scratch.one_source[0] = self._start
        status = course.search(scratch, scratch.one_source, scratch.no_cost, self._goal)
        return Path(scratch.found_path()).cells if status == GOAL_FOUND else []
