"""Every query about ways over a map: paths, reaches, single steps, and why there is no way."""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.movement import MoveProfile, bake, entry_fault, estimate, fault, node_offsets
from ai.path import Path, Reach, StepAnswer, plain_number
from ai.search import Found, Graph, best_first, reversed_path
from terrain3d import Cell, Rect, TileMap
from terrain3d.grid import CellLike

_BUDGET_SLACK = 1e-9  # so that three steps of 0.1 fit a budget of 0.3
_MAX_PROFILES = 32

_DEFAULT_PROFILE = MoveProfile()


@dataclass
class _Baked:
    """A profile's graph of the map as it was at `version`."""

    graph: Graph
    version: int


class Navigation:
    """Finds ways over a map; it follows the map's edits by itself.

    Parameters
    ----------
    tilemap : TileMap
        The ground. Answers always equal those of a Navigation made anew.
    """

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = tilemap
        self._baked: dict[MoveProfile, _Baked] = {}

    @property
    def tilemap(self) -> TileMap:
        """The map it finds ways over."""
        return self._tilemap

    def find_path(
        self,
        start: CellLike,
        goal: CellLike,
        profile: MoveProfile = _DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = (),
    ) -> Path:
        """Find a cheapest way by A*.

        Parameters
        ----------
        start, goal : cell
            Cells of the map. The way from a cell to itself has one cell and costs 0.
        profile : MoveProfile
            Who walks.
        blocked : cells
            Where somebody stands: cells that cannot be entered. The start may be one of them.

        Returns
        -------
        Path
            False, with a reason, if there is no way.

        Raises
        ------
        IndexError, TypeError
            A cell is outside the map or is no cell.
        """
        start, goal = self._cell(start), self._cell(goal)
        is_blocked = self._blocked_mask(blocked)
        if self._tilemap.is_void(start):
            return Path.none(f"the start ({start.row}, {start.col}) is void")
        if start != goal:
            why = self._entry_fault(profile, goal, is_blocked)
            if why:
                return Path.none(why)
        graph = self._graph(profile)
        found = best_first(
            graph,
            self._node(start),
            goal=self._node(goal),
            estimate=estimate(self._tilemap, profile, goal),
            is_blocked=is_blocked,
        )
        if math.isinf(found.cost[self._node(goal)]):
            return Path.none(self._why_no_way(profile, start, goal, is_blocked))
        return self._path(found, self._node(goal))

    def reach(
        self,
        start: CellLike,
        budget: float,
        profile: MoveProfile = _DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = (),
    ) -> Reach:
        """Find all cells that can be reached at a cost of at most `budget`.

        Parameters
        ----------
        start : cell
            Where to start; it is reached at cost 0.
        budget : number
            What may be spent, >= 0; infinity for all that can be reached at all.
        profile, blocked
            As in `find_path`.

        Raises
        ------
        IndexError, TypeError, ValueError
            A cell is outside the map or is no cell; the budget is negative or NaN.
        """
        start = self._cell(start)
        if not budget >= 0:
            raise ValueError(f"budget must be >= 0, got {budget!r}")
        if self._tilemap.is_void(start):
            why = f"the start ({start.row}, {start.col}) is void"
            nothing = np.zeros(0, dtype=np.int64)
            return Reach(
                self._tilemap.grid,
                budget,
                nothing.astype(np.int32),
                np.zeros(0),
                nothing,
                nothing,
                why,
            )
        found = best_first(
            self._graph(profile),
            self._node(start),
            limit=min(budget + _BUDGET_SLACK, np.finfo(np.float64).max),
            is_blocked=self._blocked_mask(blocked),
        )
        nodes = found.settled
        entry_of = np.full(found.cost.shape, -1, dtype=np.int64)
        entry_of[nodes] = np.arange(len(nodes))
        came_from = np.where(found.came_from[nodes] < 0, -1, entry_of[found.came_from[nodes]])
        level = self._tilemap.level.ravel()[nodes].astype(np.int64)
        return Reach(
            self._tilemap.grid, plain_number(budget), nodes, found.cost[nodes], level, came_from
        )

    def explain_step(
        self, start: CellLike, end: CellLike, profile: MoveProfile = _DEFAULT_PROFILE
    ) -> StepAnswer:
        """Say what a profile makes of the step between two cells.

        Returns
        -------
        StepAnswer
            legal, cost (infinity if not legal), rise in levels, and the reason why not.
        """
        start, end = self._cell(start), self._cell(end)
        rise = self._tilemap.level_at(end) - self._tilemap.level_at(start)
        neighbors = self._tilemap.grid.neighbors(start)
        if end not in neighbors:
            why = f"({start.row}, {start.col}) and ({end.row}, {end.col}) are not neighbors"
            return StepAnswer(False, math.inf, rise, why)
        why = fault(self._tilemap, profile, start, end)
        cost = self._step_cost(self._graph(profile), self._node(start), self._node(end))
        return StepAnswer(not why, plain_number(cost), rise, why)

    def _cell(self, value: CellLike) -> Cell:
        return self._tilemap.grid.cell(value)

    def _node(self, cell: Cell) -> int:
        return cell.row * self._tilemap.cols + cell.col

    def _cell_of(self, node: int) -> Cell:
        return Cell(*divmod(node, self._tilemap.cols))

    def _blocked_mask(self, cells: Iterable[CellLike]) -> NDArray[np.bool_]:
        mask = np.zeros(self._tilemap.rows * self._tilemap.cols, dtype=np.bool_)
        for cell in cells:
            mask[self._node(self._cell(cell))] = True
        return mask

    def _graph(self, profile: MoveProfile) -> Graph:
        """Give the profile's graph of the map as it is now; only what an edit touched is baked."""
        tilemap = self._tilemap
        baked = self._baked.get(profile)
        if baked is None:
            shape = (tilemap.rows, tilemap.cols, len(tilemap.grid.directions))
            steps = np.empty(shape)
            bake(tilemap, profile, Rect(0, 0, tilemap.rows, tilemap.cols), steps)
            graph = Graph(node_offsets(tilemap), steps.reshape(-1, shape[2]))
            if len(self._baked) >= _MAX_PROFILES:
                self._baked.pop(next(iter(self._baked)))
            self._baked[profile] = _Baked(graph, tilemap.version)
            return graph
        dirty = tilemap.changed_since(baked.version)
        if dirty is not None:
            # Steps that start beside a changed tile end on it.
            steps = baked.graph.step_cost.reshape(tilemap.rows, tilemap.cols, -1)
            bake(tilemap, profile, dirty.grown(1, tilemap.rows, tilemap.cols), steps)
            baked.version = tilemap.version
        return baked.graph

    @staticmethod
    def _step_cost(graph: Graph, start: int, end: int) -> float:
        """Give the cost of the edge between two nodes; infinity if there is none."""
        return float(graph.step_cost[start, graph.offset == end - start].min(initial=math.inf))

    def _path(self, found: Found, goal: int) -> Path:
        nodes = np.array(reversed_path(found, goal)[::-1])
        rows, cols = np.divmod(nodes, self._tilemap.cols)
        places = np.stack([rows, cols, np.zeros_like(rows)], axis=1).astype(np.int32)
        level = self._tilemap.level.ravel()[nodes].astype(np.int64)
        cost = found.cost[nodes]
        return Path(places, level, np.diff(cost), plain_number(cost[-1]))

    def _entry_fault(self, profile: MoveProfile, cell: Cell, is_blocked: NDArray[np.bool_]) -> str:
        why = entry_fault(self._tilemap, profile, cell)
        if not why and is_blocked[self._node(cell)]:
            return f"({cell.row}, {cell.col}) is occupied"
        return why

    def _why_no_way(
        self, profile: MoveProfile, start: Cell, goal: Cell, is_blocked: NDArray[np.bool_]
    ) -> str:
        """Name the first broken rule on the way that breaks the fewest, then has the fewest steps.

        That is the obstacle a player means: the one cliff in front, not any cliff of the region.
        """
        graph = self._graph(profile)
        shape = graph.step_cost.shape
        breaking = float(graph.n_nodes + 1)  # dearer than any way without a broken rule
        toll = np.where(np.isfinite(graph.step_cost), 1.0, breaking)
        nodes = np.arange(graph.n_nodes)
        for slot, (drow, dcol) in enumerate(self._tilemap.grid.directions):
            row, col = np.divmod(nodes, self._tilemap.cols)
            is_outside = (row + drow < 0) | (row + drow >= self._tilemap.rows)
            is_outside |= (col + dcol < 0) | (col + dcol >= self._tilemap.cols)
            inside = np.flatnonzero(~is_outside)
            toll[is_outside, slot] = np.inf
            toll[inside[is_blocked[inside + graph.offset[slot]]], slot] = breaking
        found = best_first(
            Graph(graph.offset, toll.reshape(shape)), self._node(start), goal=self._node(goal)
        )
        way = [self._cell_of(node) for node in reversed_path(found, self._node(goal))[::-1]]
        for before, after in itertools.pairwise(way):
            why = fault(self._tilemap, profile, before, after)
            if not why and is_blocked[self._node(after)]:
                why = f"({after.row}, {after.col}) is occupied"
            if why:
                return why
        raise AssertionError("a way without a broken rule was not found by the search")
