"""Explain what a step costs, and why a step or a goal is out of reach.

The reason for a goal is the first rule broken on the path that breaks the fewest rules.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ai.navigation.blockers import Blockers
from ai.navigation.path import Path, plain_number
from ai.navigation.profile_graph import ProfileGraph
from ai.rules.reasons import StepAnswer, StepParts, move_reason, step_parts, step_reason
from ai.rules.steps import NO_EDGE
from ai.search.graph import NO_STEP_FLOAT, Graph, Links
from ai.search.guided_graph import GuidedGraph
from ai.search.search_state import GOAL_FOUND
from ai.search.workspace import Workspace
from terrain3d import Cell, Reason
from terrain3d.core.checks import listed
from terrain3d.grid.grid import CellLike


@dataclass(frozen=True)
class Route:
    """Cells one after the other, with the answer for each step between them.

    Parameters
    ----------
    answers : tuple of StepAnswer
        One fewer than cells: cost and parts of each step, or why it is not legal.
    """

    cells: tuple[Cell, ...]
    answers: tuple[StepAnswer, ...]

    @property
    def cost(self) -> float:
        """The sum of the steps; infinity if one is not legal."""
        return sum(answer.cost for answer in self.answers)

    @property
    def parts(self) -> StepParts:
        """The parts of the costs of all legal steps; their sum is `cost` if all are legal."""
        return StepParts(*map(sum, zip(StepParts(), *(a.parts for a in self.answers), strict=True)))

    @property
    def reason(self) -> str:
        """Why the first illegal step is not legal; "" if all are."""
        return next((answer.reason for answer in self.answers if not answer.legal), "")


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


def price_route(
    graph: ProfileGraph, given: Path | Iterable[CellLike], others: tuple[Iterable[CellLike], ...]
) -> Route:
    """Return the steps along a path or cells, priced one by one.

    `others` are blocked, passable and halting cells. Raises `ValueError` for a route without cells,
    and for a path that costs something else now.
    """
    cells = tuple(graph.tilemap.cell(cell) for cell in listed("cells", given))
    if not cells:
        why = f"no path: {given.reason}" if isinstance(given, Path) else "none"
        raise ValueError(f"cells must have at least one cell, got {why}")
    start = graph.nodes.of(cells[0])
    blockers = Blockers.of(graph.nodes, graph.profile.size, start, *others)
    steps = pairwise(cells)
    route = Route(cells, tuple(explain_step(graph, *step, blockers) for step in steps))
    if isinstance(given, Path) and not math.isclose(route.cost, given.cost):
        raise ValueError(
            f"the path costs {given.cost} as it was found, but {route.cost} by this profile, "
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
                return Reason("map_changed", cell=goal)
            return self._reason_on_path(goal)

    def _reason_on_path(self, goal: Cell) -> str:
        path = self._least_broken_path()
        for reason_of in (self._ground_reason, self.blocker_reason):
            for before, after in pairwise(path):
                reason = reason_of(before, after)
                if reason:
                    return reason
        warp = self._graph.profile.warp
        return Reason("no_warps", warp=warp, goal=goal) if warp else Reason("no_steps", goal=goal)

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
            return Reason("is_occupied", cell=after)
        if nodes.of(before) in blockers.halting:
            return Reason("has_to_end", cell=before)
        ends = self._graph_with_blocked().edges_from(nodes.of(before))
        if nodes.of(after) in (node for node, _ in ends):
            return ""
        corners = (Cell(after.row, before.col), Cell(before.row, after.col))
        blocked = sorted(nodes.cell(node) for node in blockers.blocked.tolist())
        corner = next(cell for cell in blocked if cell._replace(deck=0) in corners)
        return Reason("closed_corner", why=Reason("is_occupied", cell=corner))

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
        cost = np.where(graph.step_cost < graph.illegal, 1.0, NO_STEP_FLOAT)
        rule, moves = self._graph.rule, self._graph.rule.moves
        for slot in range(cost.shape[1]):
            move = slot % moves.n_moves
            starts = np.flatnonzero(graph.step_cost[:, slot] == graph.illegal)
            direction = move if move < moves.n_straight else NO_EDGE
            n_broken = rule.n_broken(starts, graph.target_of(starts, slot), direction)
            cost[starts, slot] = 1.0 + penalty * n_broken
        cost[blockers.halting] += penalty
        links = graph.links
        if links is not None:
            is_left = np.isin(links.source, blockers.halting)
            links = Links(links.first, links.target, np.where(is_left, 1.0 + penalty, 1.0))
        entered = np.zeros(graph.n_nodes)
        entered[blockers.blocked] = penalty
        broken = replace(graph, step_cost=cost, links=links)
        return broken.with_entry_costs(entered, is_whole=False)
