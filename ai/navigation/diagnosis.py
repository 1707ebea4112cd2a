"""Explain what a step costs, and why a step or a goal is out of reach.

The reason for a goal is the first rule broken on the path that breaks the fewest rules.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ai.analysis.path_comparison import Route
from ai.navigation.blockers import Blockers, blockers_of
from ai.navigation.path import Path, plain_number
from ai.navigation.profile_graph import ProfileGraph
from ai.rules.reasons import (
    blocked_reason,
    corner_reason,
    halt_reason,
    move_reason,
    step_reason,
)
from ai.rules.step_parts import StepAnswer, StepParts, step_parts
from ai.search.graph import NO_STEP_FLOAT, Graph, Links
from ai.search.guided_graph import GuidedGraph
from ai.search.search_state import GOAL_FOUND
from ai.search.workspace import Workspace
from terrain3d import Cell, Reason
from terrain3d.core.checks import listed
from terrain3d.grid.grid import CellLike


def explain_step(graph: ProfileGraph, start: Cell, end: Cell, blockers: Blockers) -> StepAnswer:
    """Return whether a step between two cells is legal, the parts of its cost, or why not."""
    source, target = graph.nodes.of(start), graph.nodes.of(end)
    rise = int(graph.level[target]) - int(graph.level[source])
    edges = graph.guided("zero", blockers=blockers).graph
    cost, slot = edges.cheapest_edge(source, target)
    if cost < math.inf and target not in blockers.blocked:
        extra = graph.extra_cost_at(target)
        parts = step_parts(graph.rule, source, target, cost - extra, slot)._replace(extra=extra)
        whole = StepParts(*map(plain_number, parts))
        return StepAnswer(True, plain_number(cost), rise, "", whole)
    if graph.cost_between(source, target) < math.inf:
        reason = Diagnosis(graph, source, target, blockers).blocker_reason(start, end)
    else:
        is_beside = graph.is_neighbor(source, target)
        reason = move_reason(graph.rule, start, end, is_beside=is_beside)
    return StepAnswer(False, math.inf, rise, reason)


def explain_route(
    graph: ProfileGraph,
    name: str,
    given: Path | Iterable[CellLike],
    others: tuple[Iterable[CellLike], ...],
) -> Route:
    """Return the steps along a path or cells, explained one by one.

    `others` are blocked, passable and halting cells. Raises `ValueError` for a route without cells,
    and for a path that costs something else now.
    """
    cells = tuple(graph.tilemap.cell(cell) for cell in listed(name, given))
    if not cells:
        why = f"no path: {given.reason}" if isinstance(given, Path) else "none"
        raise ValueError(f"{name} must have at least one cell, got {why}")
    start = graph.nodes.of(cells[0])
    blockers = blockers_of(graph.nodes, graph.profile.size, start, *others)
    steps = itertools.pairwise(cells)
    route = Route(cells, tuple(explain_step(graph, *step, blockers) for step in steps))
    if isinstance(given, Path) and not math.isclose(route.cost, given.cost):
        raise ValueError(
            f"{name} costs {given.cost} as it was found, but {route.cost} by this profile, "
            "blocked, halting and extra_cost on the map as it is now; pass those that it was found "
            "with, or its cells"
        )
    return route


class Diagnosis:
    """The reason why no path leads from a node to a goal, found when its text is read.

    It takes the path that breaks the fewest rules; ties go to one with the fewest steps. It names
    the first rule of the ground that this path breaks: the cliff in front of the goal, not any
    cliff of the map. Blockers may move away, so the first one is named only if the ground allows
    the whole path.
    """

    def __init__(self, graph: ProfileGraph, start: int, goal: int, blockers: Blockers) -> None:
        self._graph = graph
        self._start = start
        self._goal = goal
        self._blockers = blockers
        self._version = graph.version

    def __str__(self) -> str:
        """Return the reason; after an edit of the map only that there was no path."""
        goal = self._graph.nodes.cell(self._goal)
        with self._graph.tilemap.lock:  # it is read at any time, maybe while a thread edits
            if self._graph.tilemap.version != self._version:
                return Reason("{} could not be reached; the map has changed since", goal)
            return self._reason_on_path(goal)

    def _reason_on_path(self, goal: Cell) -> str:
        path = self._least_broken_path()
        for reason_of in (self._ground_reason, self.blocker_reason):
            for before, after in itertools.pairwise(path):
                reason = reason_of(before, after)
                if reason:
                    return reason
        warp = self._graph.profile.warp
        if not warp:
            return Reason("no steps lead to {}", goal)
        plain = "no warp over {} tiles leads to {}"
        return Reason("no warps of range {} lead to {}", warp, goal, plain=plain)

    def _ground_reason(self, before: Cell, after: Cell) -> str:
        """Return why the ground does not allow a step; "" if it does."""
        nodes = self._graph.nodes
        if self._graph.cost_between(nodes.of(before), nodes.of(after)) < np.inf:
            return ""
        return step_reason(self._graph.rule, before, after)

    def blocker_reason(self, before: Cell, after: Cell) -> str:
        """Return which blocker forbids a step that the ground allows; "" if none does."""
        nodes, blockers = self._graph.nodes, self._blockers
        if nodes.of(after) in blockers.blocked:
            return blocked_reason(after)
        if nodes.of(before) in blockers.halting:
            return halt_reason(before)
        ends = self._graph_with_blocked().edges_from(nodes.of(before))
        if nodes.of(after) in (node for node, _ in ends):
            return ""
        corners = (Cell(after.row, before.col), Cell(before.row, after.col))
        blocked = sorted(nodes.cell(node) for node in blockers.blocked.tolist())
        corner = next(cell for cell in blocked if cell._replace(deck=0) in corners)
        return corner_reason(blocked_reason(corner))

    def _least_broken_path(self) -> list[Cell]:
        """Return the path that breaks the fewest rules; no cells if even so there is none."""
        guided = GuidedGraph(self._graph_of_broken_rules())
        workspace = Workspace.of(guided.graph.n_nodes, is_whole=False)
        workspace.one_source[0] = self._start
        status = guided.search(workspace, workspace.one_source, workspace.no_cost, self._goal)
        return Path(workspace.found_path()).cells if status == GOAL_FOUND else []

    def _graph_with_blocked(self) -> Graph:
        """Return the graph without the steps that pass corners of blocked nodes."""
        return self._graph.guided("zero", blockers=Blockers(self._blockers.blocked)).graph

    def _graph_of_broken_rules(self) -> Graph:
        """Return the graph with illegal steps, where a broken rule costs more than any path."""
        blockers = self._blockers
        graph = self._graph_with_blocked().with_any_costs()
        penalty = float(graph.n_nodes + 1)
        cost = np.where(graph.step_cost < graph.illegal, 1.0, 1.0 + penalty)
        cost[graph.step_cost > graph.illegal] = NO_STEP_FLOAT
        moves = self._graph.rule.moves
        is_leap = np.arange(cost.shape[1]) % len(moves.length) >= moves.n_single
        cost[:, is_leap] = np.where(cost[:, is_leap] == 1.0, 1.0, NO_STEP_FLOAT)
        cost[blockers.halting] += penalty
        links = graph.links
        if links is not None:
            is_left = np.isin(links.source, blockers.halting)
            links = Links(links.first, links.target, np.where(is_left, 1.0 + penalty, 1.0))
        entered = np.zeros(graph.n_nodes)
        entered[blockers.blocked] = penalty
        broken = replace(graph, step_cost=cost, links=links)
        return broken.with_entry_costs(entered, is_whole=False)
