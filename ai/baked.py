"""What is prepared for one profile on one map, and how it follows the map's edits.

A step table holds the price of every step; an edit re-bakes only the steps around what changed.
"""

import itertools
import threading
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.cost_field import CostField, leave_walls
from ai.movement import StepRule, entry_fault, estimate_of
from ai.path import Path
from ai.profile import MoveProfile
from ai.search import (
    NO_NODE,
    Course,
    Graph,
    Landmarks,
    Parts,
    Plane,
    Scratch,
    reversed_graph,
    turn_around,
)
from terrain3d import Cell, Rect, TileMap

_MAX_REMEMBERED = 4096
_BLOCKS_PER_SIDE = 8
_MAX_WHOLE_START = 2**20
_NO_NODES = np.zeros(0, dtype=np.int64)


class Baked:
    """The graph of a map for a profile, forwards and backwards, with what is known about it.

    Parameters
    ----------
    tilemap : TileMap
    profile : MoveProfile
    """

    def __init__(self, tilemap: TileMap, profile: MoveProfile) -> None:
        self.tilemap = tilemap
        self.profile = profile
        self.rule = StepRule.of(tilemap, profile)
        self.version = tilemap.version
        self.landmarks: Landmarks | None = None
        self.index_size = 0  # how many landmarks the index shall have; 0: no index is wanted
        self.is_building = False
        self.n_lowered = 0
        rows, cols = tilemap.rows, tilemap.cols
        self._table = self.rule.table(rows, cols)
        self.rule.bake(tilemap, Rect(0, 0, rows, cols), self._table)
        self._opposite = np.array([*tilemap.grid.opposite, 6, 7, 4, 5][: self._table.shape[2]])
        # Views, which follow every edit of the map.
        self.is_void = tilemap.void.reshape(-1)
        self.level = tilemap.level.reshape(-1)
        self._kind = tilemap.kind.reshape(-1)
        self.graph = self._make_graph()
        self._backward: Graph | None = None
        self._lock = threading.Lock()
        self._courses: dict[tuple[str, bool], Course] = {}
        self._paths: dict[tuple[int, int], tuple[Path, int]] = {}
        self.block_of = _blocks(rows, cols)
        self.parts: Parts | None = None

    def _make_graph(self) -> Graph:
        tilemap, table = self.tilemap, self._table
        moves = self.rule.moves
        many = len(moves) > 1
        is_flat = tilemap.grid.norm == "lattice"
        places = tilemap.grid.plane().reshape(-1, 2)
        return Graph(
            table.reshape(-1, table.shape[2]),
            moves[:, :, 0] * tilemap.cols + moves[:, :, 1],
            self.rule.cell_class.ravel() if many else None,
            plane=Plane(tilemap.cols, self.level, None if is_flat else places),
        )

    @property
    def least_step(self) -> float:
        """The least that a step costs if it costs anything."""
        return self.rule.least_step

    @property
    def backward(self) -> Graph:
        """The graph with every step turned around; made when it is first needed."""
        with self._lock:  # two of them would not both follow the edits
            if self._backward is None:
                self._backward = reversed_graph(self.graph, self._opposite)
            return self._backward

    def course(
        self,
        heuristic: str = "auto",
        *,
        is_backward: bool = False,
        walls: NDArray[np.int64] = _NO_NODES,
    ) -> Course:
        """Give the graph with an estimate, ready to be searched.

        Parameters
        ----------
        heuristic : str
        is_backward : bool
            For searching from goals back.
        walls : (n,) int64
            Cells that are occupied, if any: diagonal steps may not pass their corners.

        Raises
        ------
        ValueError
            The heuristic is unknown or could exceed the true cost.
        """
        key = heuristic, is_backward
        known = self._courses.get(key)
        if known is None:
            estimate = estimate_of(self.rule, self.tilemap.grid.norm, heuristic)
            least = self.least_step
            if is_backward:
                known = Course(self.backward, estimate.turned_around(), least)
            else:
                known = Course(self.graph, estimate, least)
            self._courses[key] = known
        if len(walls) and self.rule.has_corners:
            graph = self._graph_with_corners(walls)
            if is_backward:
                graph = reversed_graph(graph, self._opposite)
            return Course(graph, known.estimate, self.least_step)
        return known

    def _graph_with_corners(self, walls: NDArray[np.int64]) -> Graph:
        """Give a copy of the graph whose diagonal steps heed occupied corners."""
        tilemap, table = self.tilemap, self._table.copy()
        blocked = np.zeros((tilemap.rows, tilemap.cols), dtype=np.bool_)
        blocked.reshape(-1)[walls] = True
        for node in walls.tolist():
            row, col = divmod(node, tilemap.cols)
            near = Rect(row, col, 1, 1).grown(1, tilemap.rows, tilemap.cols)
            self.rule.bake(tilemap, near, table, blocked)
        return replace(self.graph, step_cost=table.reshape(-1, table.shape[2]))

    def raise_entries(
        self, toll: NDArray[np.float64], nodes: NDArray[np.int64], cost: float
    ) -> None:
        """Set the cost of every step of `toll`, laid out as the graph, that ends on a node."""
        graph = self.graph
        for node in nodes:
            kind = 0 if graph.node_class is None else int(graph.node_class[node])
            for slot in range(toll.shape[1]):
                if graph.step_cost[node, slot] <= graph.broken:  # somebody is there
                    toll[node + graph.offset[kind, slot], self._opposite[slot]] = cost

    def refresh(self) -> None:
        """Follow the map: re-bake what its edits touched and forget what they may have changed."""
        tilemap = self.tilemap
        dirty = tilemap.changed_since(self.version)
        self.version = tilemap.version
        if dirty is None:
            return
        # Steps that start beside a changed tile end on it or pass its corner.
        touched = dirty.grown(1, tilemap.rows, tilemap.cols)
        bottom, right = touched.row + touched.rows, touched.col + touched.cols
        part = np.s_[touched.row : bottom, touched.col : right]
        before = self._table[part].copy()
        self.rule.bake(tilemap, touched, self._table)
        self._forget(touched)  # what it remembers tells levels too
        if np.array_equal(before, self._table[part]):
            return
        if self._backward is not None:
            around = touched.grown(1, tilemap.rows, tilemap.cols)
            arguments: tuple[Any, ...] = (
                *self.graph.arrays[:4],
                self._opposite,
                _nodes(around, tilemap.cols),
                self._backward.step_cost,
            )
            turn_around(*arguments)
        if bool((self._table[part] < before).any()):
            # A cheaper step may make the index's bounds too high; a dearer one cannot.
            self.landmarks = None
            self.n_lowered += 1
        self.parts = None

    def end_fault(self, start: int, goal: int, walls: NDArray[np.int64]) -> str:
        """Say why no way can begin or end there, whatever lies between; "" if one may."""
        if self.is_void[start]:
            row, col = divmod(start, self.tilemap.cols)
            return f"the start ({row}, {col}) is void"
        if start == goal:
            return ""
        if self.is_void[goal] or not self.rule.kind_entry[self._kind[goal]] < np.inf:
            return entry_fault(self.tilemap, self.profile, Cell(*divmod(goal, self.tilemap.cols)))
        if len(walls) and goal in walls:
            row, col = divmod(goal, self.tilemap.cols)
            return f"({row}, {col}) is occupied"
        return ""

    def slot_between(self, start: int, end: int) -> int | None:
        """Give the slot through which a node sees its neighbor; None if it is none."""
        graph = self.graph
        kind = 0 if graph.node_class is None else int(graph.node_class[start])
        for slot, offset in enumerate(graph.offset[kind].tolist()):
            if start + offset == end and graph.step_cost[start, slot] <= graph.broken:
                return slot
        return None

    def cost_along(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n,) what walking along neighboring nodes has cost up to each."""
        costs = [0.0]
        for before, after in itertools.pairwise(nodes.tolist()):
            slot = self.slot_between(before, after)
            assert slot is not None
            costs.append(costs[-1] + float(self.graph.step_cost[before, slot]))
        return np.array(costs)

    def distance(self, nodes: NDArray[np.int64], goal: int) -> NDArray[np.int64]:
        """(n,) steps on open ground from nodes to a goal."""
        place = self.tilemap.grid.plane().reshape(-1, 2)
        away = place[nodes].astype(np.int64) - place[goal]
        far = np.abs(away)
        if self.tilemap.grid.norm == "hex":
            steps = np.maximum(far.max(axis=1), np.abs(away.sum(axis=1)))
        elif self.profile.diagonal == "never":
            steps = far.sum(axis=1)
        else:
            steps = far.max(axis=1)
        return np.asarray(steps, dtype=np.int64)

    def label_parts(self) -> Parts:
        """Find the strongly connected parts of the graph as it is now."""
        self.parts = Parts.of(self.graph)
        return self.parts

    def field(
        self,
        scratch: Scratch,
        goals: NDArray[np.int32],
        costs: NDArray[np.float64],
        walls: NDArray[np.int64],
    ) -> CostField:
        """Search from goals back over the whole map."""
        course = self.course("zero", is_backward=True, walls=walls)
        if course.graph.is_whole and not _fits_whole(costs):
            course = Course(course.graph.with_any_costs(), least_step=self.least_step)
            scratch = Scratch.of(course.graph.n_nodes, is_whole=False)
        is_ground = ~self.is_void[goals]
        goals, costs = goals[is_ground], costs[is_ground].astype(scratch.no_cost.dtype)
        if len(goals):
            course.search(scratch, goals, costs, blocked=walls)
        else:
            scratch.begin()
        _, cost, towards = scratch.decode()
        if len(walls):
            leave_walls(course.graph, self._opposite, walls, cost, towards)
            ends = np.isin(goals, walls)  # who stands on a goal is there already
            np.minimum.at(cost, goals[ends], costs[ends])
            towards[goals[ends][cost[goals[ends]] == costs[ends]]] = NO_NODE
        shape = self.tilemap.rows, self.tilemap.cols
        return CostField(self.tilemap.grid, cost.reshape(shape), towards, self.level.copy())

    def adopt(self, landmarks: Landmarks | None) -> None:
        """Use an index from now on, which may choose other ways of the same cost."""
        self.landmarks = landmarks
        self._paths.clear()

    def snapshot(self) -> tuple[Graph, Graph]:
        """Copy the graph, forwards and backwards, for work that runs aside."""
        graph = replace(self.graph, step_cost=self.graph.step_cost.copy())
        return graph, reversed_graph(graph, self._opposite)

    def remember(self, start: int, goal: int, path: Path, blocks: int) -> None:
        """Keep a path for the same question, with the blocks of the map its search looked at."""
        with self._lock:
            if len(self._paths) >= _MAX_REMEMBERED:
                self._paths.pop(next(iter(self._paths)))
            self._paths[start, goal] = path, blocks

    def remembered(self, start: int, goal: int) -> Path | None:
        """Give the path that a search would find again, or None if it has to be searched for."""
        known = self._paths.get((start, goal))
        return None if known is None else known[0]

    def _forget(self, touched: Rect) -> None:
        """Drop the paths whose search looked at a block that an edit touched."""
        if not self._paths:
            return
        nodes = _nodes(touched, self.tilemap.cols)
        mask = int(np.bitwise_or.reduce(np.uint64(1) << self.block_of[nodes].astype(np.uint64)))
        self._paths = {key: known for key, known in self._paths.items() if not known[1] & mask}


def _fits_whole(costs: NDArray[np.float64]) -> bool:
    return bool(np.all((costs <= _MAX_WHOLE_START) & (costs == np.floor(costs))))


def _nodes(rect: Rect, cols: int) -> NDArray[np.int64]:
    rows = np.arange(rect.row, rect.row + rect.rows)
    nodes: NDArray[np.int64] = (
        rows[:, None] * cols + np.arange(rect.col, rect.col + rect.cols)
    ).ravel()
    return nodes


def _blocks(rows: int, cols: int) -> NDArray[np.uint8]:
    """(n_cells,) which of 8 x 8 blocks of the map each cell lies in."""
    down = np.arange(rows) * _BLOCKS_PER_SIDE // rows
    across = np.arange(cols) * _BLOCKS_PER_SIDE // cols
    return (down[:, None] * _BLOCKS_PER_SIDE + across).astype(np.uint8).ravel()
