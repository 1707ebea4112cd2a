"""Finding single ways: to a goal, to the nearest of several, towards one that cannot be reached."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_BLOCKERS, Blockers
from ai.navigation.diagnosis import Obstacle
from ai.navigation.goals import nearest_end
from ai.navigation.graph_cache import GraphCache
from ai.navigation.path import Path, plain_number, trace_path
from ai.navigation.profile_graph import ProfileGraph
from ai.rules.nodes import NO_NODES, Nodes
from ai.search import EXHAUSTED, GOAL_FOUND, NO_REGIONS, Landmarks, NextHops

_BUDGET_SLACK = 1 + 1e-12  # so that three steps of 0.1 fit a budget of 0.3
_WORTH_LABELING = 256  # a failed search of so many expansions pays for labeling the parts


class Pathfinder:
    """Asks the searches for ways between nodes, and says why there is none.

    Parameters
    ----------
    nodes : Nodes
    graphs : GraphCache
    """

    def __init__(self, nodes: Nodes, graphs: GraphCache) -> None:
        self._nodes = nodes
        self._graphs = graphs

    def path_to(
        self,
        graph: ProfileGraph,
        source: int,
        target: int,
        heuristic: str,
        blockers: Blockers,
        max_cost: float,
    ) -> Path:
        """Search for a way from one node to another."""
        # A way of one cell takes no step, so no edited step would tell that it has become void.
        is_plain = blockers is NO_BLOCKERS and max_cost == math.inf and heuristic == "auto"
        is_plain &= source != target
        paths = graph.path_cache.paths
        if is_plain and (known := paths.get((source, target))) is not None:
            return known[0]
        guided = None  # which also refuses unknown heuristics
        if not is_plain:
            guided = graph.guided(heuristic, blockers=blockers)
        # Where a way may end wherever it leads, one that is found may begin and end there.
        if not (is_plain and graph.stops_everywhere):
            why = graph.end_fault(source, target, blockers)
            if why:
                return Path.none(why)
        if graph.components is not None and not graph.components.may_reach(source, target):
            return self._refused(graph, source, target, blockers, math.inf, 0)
        workspace = self._graphs.borrow(graph)
        index, status = graph.index, EXHAUSTED
        if is_plain and isinstance(index, NextHops):
            status = index.look_up(workspace, source, target)
        if status != GOAL_FOUND:
            workspace.one_source[0] = source
            guided = guided or graph.guided()
            status = guided.search(
                workspace,
                workspace.one_source,
                workspace.no_cost,
                target,
                landmarks=index if heuristic == "auto" and isinstance(index, Landmarks) else None,
                limit=max_cost * _BUDGET_SLACK,
                blocked=blockers.blocked,
                region_of=graph.path_cache.region_of if is_plain else NO_REGIONS,
            )
        if status != GOAL_FOUND:
            n_expanded = workspace.n_expanded
            self._graphs.give_back(graph, workspace)
            return self._refused(graph, source, target, blockers, max_cost, n_expanded)
        path = Path(workspace.found_path())
        if is_plain:
            graph.path_cache.keep(paths, (source, target), path, workspace.regions)
        self._graphs.give_back(graph, workspace)
        return path

    def _refused(
        self,
        graph: ProfileGraph,
        source: int,
        target: int,
        blockers: Blockers,
        max_cost: float,
        n_expanded: int,
    ) -> Path:
        why = graph.end_fault(source, target, blockers)
        if why:
            return Path.none(why)
        if max_cost < math.inf:
            goal = self._nodes.cell(target)
            return Path.none(f"no way to {goal} costs at most {plain_number(max_cost)}")
        if n_expanded >= _WORTH_LABELING:
            graph.label_components()
        return Path.none(Obstacle(graph, source, target, blockers))

    def path_to_nearest(
        self,
        graph: ProfileGraph,
        source: int,
        targets: list[int],
        heuristic: str,
        blockers: Blockers,
        max_cost: float,
    ) -> Path:
        """Search from all goals back to the start, so that several cost no more than one."""
        guided = graph.guided(heuristic, is_backward=True, blockers=blockers)
        faults = [graph.end_fault(source, target, blockers) for target in targets]
        free = [target for target, why in zip(targets, faults, strict=True) if not why]
        if not free:
            return Path.none(faults[0])
        with self._graphs.workspace(graph) as workspace:
            status = guided.search(
                workspace,
                np.array(free, dtype=np.int32),
                np.zeros(len(free), dtype=workspace.no_cost.dtype),
                source,
                limit=max_cost * _BUDGET_SLACK,
                blocked=blockers.blocked,
                is_backward=True,
            )
            if status == GOAL_FOUND:
                return Path(workspace.found_path())
        return self._refused(graph, source, free[0], blockers, max_cost, 0)

    def path_towards(
        self,
        graph: ProfileGraph,
        source: int,
        targets: list[int],
        blockers: Blockers,
        max_cost: float,
        refused: Path,
    ) -> Path:
        """Give the way to what is nearest to a goal among all that can be reached."""
        if graph.is_void[source]:
            return refused
        record = self.explored(graph, source, max_cost, blockers)
        nodes = self._nodes.of_record(record)
        entry = nearest_end(graph, nodes, record[:, 3], source, targets, blockers)
        return Path(trace_path(record, entry), refused.reason, partial=True)

    def steps_from(
        self, graph: ProfileGraph, source: int, walls: NDArray[np.int64]
    ) -> dict[int, float]:
        """Give each node to which a legal step leads from a node, with what the cheapest costs."""
        prices: dict[int, float] = {}
        if graph.is_void[source]:
            return prices
        taken = set(walls.tolist())
        guided = graph.guided(blockers=Blockers(self._beside(graph, source, walls)))
        for node, price in guided.graph.edges_from(source):
            if node not in taken and price < prices.get(node, math.inf):
                prices[node] = price
        return prices

    def _beside(
        self, graph: ProfileGraph, source: int, walls: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """(n,) those that a step may pass at a corner: only they change what other steps cost."""
        if not (len(walls) and graph.rule.has_corners):
            return NO_NODES
        here = self._nodes.cell(source)
        cells = [self._nodes.cell(node) for node in walls.tolist()]
        near = [abs(cell.row - here.row) <= 1 and abs(cell.col - here.col) <= 1 for cell in cells]
        return walls[near]

    def explored(
        self, graph: ProfileGraph, source: int, limit: float, blockers: Blockers
    ) -> NDArray[Any]:
        """Search everything within a limit, without an aim; see `Workspace.found_nodes`."""
        guided = graph.guided("zero", blockers=blockers)
        workspace = self._graphs.borrow(graph)
        workspace.one_source[0] = source
        limit *= _BUDGET_SLACK
        guided.dijkstra(
            workspace,
            workspace.one_source,
            workspace.no_cost,
            limit=limit,
            blocked=blockers.blocked,
        )
        record = workspace.found_nodes(guided.layout)
        self._graphs.give_back(graph, workspace)
        return record
