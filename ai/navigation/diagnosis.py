"""Why there is no way: the broken rule that has to change, on the way that breaks the fewest."""

import itertools
from dataclasses import replace

import numpy as np

from ai.navigation.blockers import Blockers
from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph
from ai.rules.reasons import step_reason
from ai.search import GOAL_FOUND, Graph, GuidedGraph, Links, Workspace
from ai.search.graph import NO_STEP_FLOAT
from terrain3d import Cell


class Obstacle:
    """The reason why a goal cannot be reached, worked out when somebody reads it.

    It names the obstacle a player means: the one cliff in front, not any cliff of the region. On
    the way that breaks the fewest rules, and then has the fewest steps, that is the first rule of
    the ground that it breaks. Who stands around may go, so others are named only if the ground
    lets that way pass; again the first of them.

    Parameters
    ----------
    graph : ProfileGraph
        The map and the profile.
    start, goal : int
        Nodes, of which the goal cannot be reached.
    blockers : Blockers
        Who is in the way.
    """

    def __init__(self, graph: ProfileGraph, start: int, goal: int, blockers: Blockers) -> None:
        self._graph = graph
        self._start = start
        self._goal = goal
        self._blockers = blockers
        self._version = graph.version

    def __str__(self) -> str:
        """Name the obstacle; if the map was edited since, say only that there was none."""
        goal = self._graph.nodes.cell(self._goal)
        if self._graph.tilemap.version != self._version:
            return f"{goal} could not be reached; the map has changed since"
        way = self._way_through()
        for fault in (self._fault_of_ground, self._fault_of_others):
            for before, after in itertools.pairwise(way):
                why = fault(before, after)
                if why:
                    return why
        warp = self._graph.profile.warp
        return f"no {f'warps of range {warp}' if warp else 'steps'} lead to {goal}"

    def _fault_of_ground(self, before: Cell, after: Cell) -> str:
        nodes = self._graph.nodes
        if self._graph.price_between(nodes.of(before), nodes.of(after)) < np.inf:
            return ""
        return step_reason(self._graph.rule, before, after)

    def _fault_of_others(self, before: Cell, after: Cell) -> str:
        """Say who is in the way of a step that the ground allows."""
        nodes, blockers = self._graph.nodes, self._blockers
        if nodes.of(after) in blockers.blocked:
            return f"{after} is occupied"
        if nodes.of(before) in blockers.halting:
            return f"a way has to end at {before}"
        graph = self._graph.guided("zero", blockers=Blockers(blockers.blocked)).graph
        if nodes.of(after) in (there for there, _ in graph.edges_from(nodes.of(before))):
            return ""
        corners = (Cell(after.row, before.col), Cell(before.row, after.col))
        occupied = {self._graph.nodes.cell(wall) for wall in blockers.blocked.tolist()}
        corner = next(cell for cell in sorted(occupied) if cell._replace(deck=0) in corners)
        return f"no way around the corner: {corner} is occupied"

    def _way_through(self) -> list[Cell]:
        """Find the way that breaks the fewest rules; no cells if even so there is none."""
        guided = GuidedGraph(self._tolls())
        workspace = Workspace.of(guided.graph.n_nodes, is_whole=False)
        workspace.one_source[0] = self._start
        status = guided.search(workspace, workspace.one_source, workspace.no_cost, self._goal)
        return Path(workspace.found_path()).cells if status == GOAL_FOUND else []

    def _tolls(self) -> Graph:
        """Give the graph, with broken steps, in which a broken rule costs more than any way."""
        blockers = self._blockers
        graph = self._graph.guided(
            "zero", blockers=Blockers(blockers.blocked)
        ).graph.with_any_costs()
        breaking = float(graph.n_nodes + 1)
        toll = np.where(graph.step_cost < graph.broken, 1.0, 1.0 + breaking)
        toll[graph.step_cost > graph.broken] = NO_STEP_FLOAT
        slots = self._graph.rule.moves
        is_leap = np.arange(toll.shape[1]) % len(slots.length) >= slots.n_single
        toll[:, is_leap] = np.where(toll[:, is_leap] == 1.0, 1.0, NO_STEP_FLOAT)
        toll[blockers.halting] += breaking
        self._graph.add_to_entries(toll, blockers.blocked, breaking)
        links = graph.links
        if links is not None:
            source = np.repeat(np.arange(graph.n_nodes), np.diff(links.first))
            is_left, is_entered = (
                np.isin(source, blockers.halting),
                np.isin(links.target, blockers.blocked),
            )
            rules = is_left.astype(np.float64) + is_entered
            links = Links(links.first, links.target, 1.0 + breaking * rules)
        return replace(graph, step_cost=toll, links=links)
