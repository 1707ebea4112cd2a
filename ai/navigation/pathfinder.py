"""Finding single ways: to a goal, to the nearest of several, towards one that cannot be reached."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import ALONE, Crowd
from ai.navigation.diagnosis import Obstacle
from ai.navigation.goals import nearest_end
from ai.navigation.graph_cache import Prepared
from ai.navigation.path import Path, plain_number, way_to
from ai.navigation.profile_graph import Baked
from ai.rules.nodes import NOBODY, Nodes
from ai.search import EXHAUSTED, GOAL_FOUND, NO_BLOCKS, Landmarks, NextHops

_BUDGET_SLACK = 1 + 1e-12  # so that three steps of 0.1 fit a budget of 0.3
_WORTH_LABELING = 256  # a failed search of so many expansions pays for labeling the parts


class Finder:
    """Asks the searches for ways between nodes, and says why there is none.

    Parameters
    ----------
    nodes : Nodes
    prepared : Prepared
    """

    def __init__(self, nodes: Nodes, prepared: Prepared) -> None:
        self._nodes = nodes
        self._prepared = prepared

    def path_to(
        self,
        baked: Baked,
        source: int,
        target: int,
        heuristic: str,
        crowd: Crowd,
        max_cost: float,
    ) -> Path:
        """Search for a way from one node to another."""
        # A way of one cell takes no step, so no edited step would tell that it has become void.
        is_plain = crowd is ALONE and max_cost == math.inf and heuristic == "auto"
        is_plain &= source != target
        paths = baked.remembered.paths
        if is_plain and (known := paths.get((source, target))) is not None:
            return known[0]
        course = None  # which also refuses unknown heuristics
        if not is_plain:
            course = baked.course(heuristic, walls=crowd.walls, halts=crowd.halts)
        # Where a way may end wherever it leads, one that is found may begin and end there.
        if not (is_plain and baked.stops_everywhere):
            why = baked.end_fault(source, target, crowd)
            if why:
                return Path.none(why)
        if baked.parts is not None and not baked.parts.may_reach(source, target):
            return self._refused(baked, source, target, crowd, math.inf, 0)
        scratch = self._prepared.borrow(baked)
        index, status = baked.index, EXHAUSTED
        if is_plain and isinstance(index, NextHops):
            status = index.look_up(scratch, source, target)
        if status != GOAL_FOUND:
            scratch.one_source[0] = source
            course = course or baked.course()
            status = course.search(
                scratch,
                scratch.one_source,
                scratch.no_cost,
                target,
                landmarks=index if heuristic == "auto" and isinstance(index, Landmarks) else None,
                limit=max_cost * _BUDGET_SLACK,
                blocked=crowd.walls,
                block_of=baked.remembered.block_of if is_plain else NO_BLOCKS,
            )
        if status != GOAL_FOUND:
            n_expanded = scratch.n_expanded
            self._prepared.give_back(baked, scratch)
            return self._refused(baked, source, target, crowd, max_cost, n_expanded)
        path = Path(scratch.found_path())
        if is_plain:
            baked.remembered.keep(paths, (source, target), path, scratch.blocks)
        self._prepared.give_back(baked, scratch)
        return path

    def _refused(
        self,
        baked: Baked,
        source: int,
        target: int,
        crowd: Crowd,
        max_cost: float,
        n_expanded: int,
    ) -> Path:
        why = baked.end_fault(source, target, crowd)
        if why:
            return Path.none(why)
        if max_cost < math.inf:
            goal = self._nodes.cell(target)
            return Path.none(f"no way to {goal} costs at most {plain_number(max_cost)}")
        if n_expanded >= _WORTH_LABELING:
            baked.label_parts()
        return Path.none(Obstacle(baked, source, target, crowd))

    def path_to_nearest(
        self,
        baked: Baked,
        source: int,
        targets: list[int],
        heuristic: str,
        crowd: Crowd,
        max_cost: float,
    ) -> Path:
        """Search from all goals back to the start, so that several cost no more than one."""
        course = baked.course(heuristic, is_backward=True, walls=crowd.walls, halts=crowd.halts)
        faults = [baked.end_fault(source, target, crowd) for target in targets]
        free = [target for target, why in zip(targets, faults, strict=True) if not why]
        if not free:
            return Path.none(faults[0])
        with self._prepared.scratch(baked) as scratch:
            status = course.search(
                scratch,
                np.array(free, dtype=np.int32),
                np.zeros(len(free), dtype=scratch.no_cost.dtype),
                source,
                limit=max_cost * _BUDGET_SLACK,
                blocked=crowd.walls,
                is_backward=True,
            )
            if status == GOAL_FOUND:
                return Path(scratch.found_path())
        return self._refused(baked, source, free[0], crowd, max_cost, 0)

    def path_towards(
        self,
        baked: Baked,
        source: int,
        targets: list[int],
        crowd: Crowd,
        max_cost: float,
        refused: Path,
    ) -> Path:
        """Give the way to what is nearest to a goal among all that can be reached."""
        if baked.is_void[source]:
            return refused
        record = self.explored(baked, source, max_cost, crowd)
        nodes = self._nodes.of_record(record)
        entry = nearest_end(baked, nodes, record[:, 3], source, targets, crowd)
        return Path(way_to(record, entry), refused.reason, partial=True)

    def steps_from(self, baked: Baked, source: int, walls: NDArray[np.int64]) -> dict[int, float]:
        """Give each node to which a legal step leads from a node, with what the cheapest costs."""
        prices: dict[int, float] = {}
        if baked.is_void[source]:
            return prices
        taken = set(walls.tolist())
        graph = baked.course(walls=self._beside(baked, source, walls)).graph
        for node, price in graph.edges_from(source):
            if node not in taken and price < prices.get(node, math.inf):
                prices[node] = price
        return prices

    def _beside(self, baked: Baked, source: int, walls: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n,) those that a step may pass at a corner: only they change what other steps cost."""
        if not (len(walls) and baked.rule.has_corners):
            return NOBODY
        here = self._nodes.cell(source)
        cells = [self._nodes.cell(node) for node in walls.tolist()]
        near = [abs(cell.row - here.row) <= 1 and abs(cell.col - here.col) <= 1 for cell in cells]
        return walls[near]

    def explored(self, baked: Baked, source: int, limit: float, crowd: Crowd) -> NDArray[Any]:
        """Search everything within a limit, without an aim; see `Scratch.found_nodes`."""
        course = baked.course("zero", walls=crowd.walls, halts=crowd.halts)
        scratch = self._prepared.borrow(baked)
        scratch.one_source[0] = source
        limit *= _BUDGET_SLACK
        course.flood(scratch, scratch.one_source, scratch.no_cost, limit=limit, blocked=crowd.walls)
        record = scratch.found_nodes(course.plane)
        self._prepared.give_back(baked, scratch)
        return record
