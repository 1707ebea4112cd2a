"""Explain what a step costs, and why a step or a goal is out of reach.

The reason for a goal is the first rule broken on the path that breaks the fewest rules.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ai.navigation.blockers import BlockerNodes, Blockers
from ai.navigation.path import Path, plain_number
from ai.navigation.profile_graph import ProfileGraph
from ai.rules.reasons import StepAnswer, StepParts, move_reason, step_parts, step_reason
from ai.rules.steps import NO_EDGE
from ai.search.graph import MILLION, NO_BOUND, Graph, no_step, number_of
from ai.search.workspace import Guided, Workspace
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
        return _exact(answer.cost for answer in self.answers)

    @property
    def parts(self) -> StepParts:
        """The parts of the costs of all legal steps; their sum is `cost` if all are legal."""
        columns = zip(StepParts(), *(answer.parts for answer in self.answers), strict=True)
        return StepParts(*map(_exact, columns))

    @property
    def reason(self) -> str:
        """Why the first illegal step is not legal; "" if all are."""
        return next((answer.reason for answer in self.answers if not answer.legal), "")


def _exact(costs: Iterable[float]) -> float:
    """Return the sum of costs, each a whole number of millionths, without errors of rounding."""
    total = sum(costs)
    return total if math.isinf(total) else plain_number(round(total, 6))


def explain_step(graph: ProfileGraph, start: Cell, end: Cell, blockers: BlockerNodes) -> StepAnswer:
    """Return whether a step between two cells is legal, the parts of its cost, or why not."""
    source, target = graph.nodes.of(start), graph.nodes.of(end)
    rise = int(graph.level[target]) - int(graph.level[source])
    edge = graph.forward.cheapest_edge(source, target)
    reason = ""
    if edge is not None:
        reason = blocker_reason(graph, start, end, blockers)
    if edge is not None and not reason:
        cost, slot = edge
        extra = graph.extra_at(target)
        paid = number_of(cost * graph.unit - extra, 1)
        parts = step_parts(graph.rule, source, target, paid, slot)
        parts = parts._replace(extra=number_of(extra, 1))
        return StepAnswer(True, number_of(cost, graph.unit), rise, "", parts)
    if edge is None:
        is_beside = graph.forward.has_slot(source, target)
        reason = move_reason(graph.rule, start, end, is_beside=is_beside)
    return StepAnswer(False, math.inf, rise, reason)


def blocker_reason(graph: ProfileGraph, before: Cell, after: Cell, blockers: BlockerNodes) -> str:
    """Return which blocker forbids a step that the ground allows; "" if none does."""
    if graph.nodes.of(after) in blockers.blocked:
        return Reason("is_occupied", cell=after)
    if graph.nodes.of(before) in blockers.halting:
        return Reason("has_to_end", cell=before)
    return ""


def price_route(
    graph: ProfileGraph,
    given: Path | Iterable[CellLike],
    blocked: Iterable[CellLike],
    blockers: Blockers,
) -> Route:
    """Return the steps along a path or cells, priced one by one.

    Raises `ValueError` for a route without cells,
    and for a path that costs something else now.
    """
    cells = tuple(graph.tilemap.cell(cell) for cell in listed("cells", given))
    if not cells:
        why = f"no path: {given.reason}" if isinstance(given, Path) else "none"
        raise ValueError(f"cells must have at least one cell, got {why}")
    start = graph.nodes.of(cells[0])
    others = BlockerNodes.of(graph.nodes, graph.profile.size, start, blocked, blockers)
    steps = pairwise(cells)
    route = Route(cells, tuple(explain_step(graph, *step, others) for step in steps))
    if isinstance(given, Path) and not math.isclose(route.cost, given.cost):
        raise ValueError(
            f"the path costs {given.cost} as it was found, but {route.cost} by this profile, "
            "blocked, blockers and extra_cost on the map as it is now; "
            "pass those that it was found with, or its cells"
        )
    return route


class Diagnosis:
    """The reason why no path leads from a node to a goal, found when its text is read.

    It takes the path that breaks the fewest rules; ties go to one with the fewest steps. It names
    the first rule of the ground that this path breaks: the cliff in front of the goal, not any
    cliff of the map. Blockers may move away, so the first one is named only if the ground allows
    the whole path.
    """

    def __init__(self, graph: ProfileGraph, start: int, goal: int, blockers: BlockerNodes) -> None:
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
        path = list(pairwise(self._least_broken_path()))
        reasons = [self._ground_reason(*step) for step in path]
        reasons += [blocker_reason(self._graph, *step, self._blockers) for step in path]
        for reason in filter(None, reasons):
            return reason
        warp = self._graph.profile.warp
        return Reason("no_warps", warp=warp, goal=goal) if warp else Reason("no_steps", goal=goal)

    def _ground_reason(self, before: Cell, after: Cell) -> str:
        """Return why the ground does not allow a step; "" if it does."""
        nodes = self._graph.nodes
        if self._graph.joins(nodes.of(before), nodes.of(after)):
            return ""
        return step_reason(self._graph.rule, before, after)

    def _least_broken_path(self) -> list[Cell]:
        """Return the path that breaks the fewest rules; no cells if even so there is none."""
        graph = self._graph_of_broken_rules()
        record = Workspace(graph.n_nodes).find_path(Guided(graph), self._start, self._goal)
        return Path(record, MILLION).cells

    def _graph_of_broken_rules(self) -> Graph:
        """Return the graph with illegal steps, where a broken rule costs more than any path."""
        blockers, graph = self._blockers, self._graph.forward
        penalty = graph.n_nodes + 1
        none = no_step(np.int32)
        cost = np.where(graph.cost < graph.illegal, 1, none).astype(np.int32)
        entered = np.zeros(graph.n_nodes, np.int32)
        entered[blockers.blocked] = penalty
        rule, moves = self._graph.rule, self._graph.rule.moves
        for slot in range(cost.shape[1]):
            move = slot % moves.n_moves
            starts = np.flatnonzero(graph.cost[:, slot] == graph.illegal)
            direction = move if move < moves.n_straight else NO_EDGE
            n_broken = rule.n_broken(starts, graph.target_of(starts, slot), direction)
            cost[starts, slot] = 1 + penalty * n_broken
            starts = np.flatnonzero(cost[:, slot] < none)
            cost[starts, slot] += entered[graph.target_of(starts, slot)]
            halted = blockers.halting[cost[blockers.halting, slot] < none]
            cost[halted, slot] += penalty
        links = graph.links
        is_left = np.isin(links.source, blockers.halting)
        links = links.with_costs(1 + penalty * is_left + entered[links.target])
        return replace(graph, cost=cost, links=links, bound=NO_BOUND, least=1, unit=MILLION)
