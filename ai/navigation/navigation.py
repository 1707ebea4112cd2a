"""Every query about ways over a map: paths, reaches, fields, single steps, why there is no way."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path as FilePath

import numpy as np
from numpy.typing import NDArray

from ai.navigation import index_file
from ai.navigation.batch import answer_all
from ai.navigation.blockers import NO_BLOCKERS, NO_CELLS, blockers_of
from ai.navigation.cost_field import CostField
from ai.navigation.goals import is_end
from ai.navigation.graph_cache import GraphCache
from ai.navigation.line_of_sight import Sight
from ai.navigation.path import Path, StepAnswer, plain_number
from ai.navigation.pathfinder import Pathfinder
from ai.navigation.profile_graph import ProfileGraph
from ai.navigation.reach import Reach
from ai.navigation.resumable_search import Search
from ai.rules.nodes import Nodes, is_cell
from ai.rules.profile import MoveProfile
from ai.rules.reasons import move_reason, stop_reason
from ai.search import MAX_LANDMARKS, Landmarks, Progress
from ai.search.guided_graph import NO_LIMIT
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, number_within, whole_number
from terrain3d.grid.grid import CellLike

MAX_START_COST = 10**15
"""The most that a goal may cost already: not far beyond, single steps would be lost in rounding."""

_PLAIN = frozenset((int, float))

_DEFAULT_PROFILE = MoveProfile()


class Navigation:
    """Finds ways over a map; it follows the map's edits by itself.

    Threads may ask one Navigation at the same time; the map must not be edited meanwhile.

    Memory, a tile of the map: 5 to 9 bytes a profile for whole costs (up to 65 otherwise), as much
    again for queries from the goal back, and what `search.Workspace` says for each query at a time.

    Parameters
    ----------
    tilemap : TileMap
        The ground. Answers always equal those of a Navigation made anew.

    Raises
    ------
    TypeError
        It is no map. Queries raise it for a profile that is none.
    """

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = instance_of("tilemap", tilemap, TileMap)
        self._nodes = Nodes(tilemap)
        self._graphs = GraphCache(tilemap)
        self._pathfinder = Pathfinder(self._nodes, self._graphs)
        self._sight = Sight(tilemap)

    def __repr__(self) -> str:
        """Show the map."""
        return f"<Navigation over {self._tilemap!r}>"

    @property
    def tilemap(self) -> TileMap:
        """The map it finds ways over."""
        return self._tilemap

    def find_path(
        self,
        start: CellLike,
        goal: CellLike | Sequence[CellLike],
        profile: MoveProfile = _DEFAULT_PROFILE,
        *,
        heuristic: str = "auto",
        blocked: Iterable[CellLike] = NO_CELLS,
        passable: Iterable[CellLike] = NO_CELLS,
        halting: Iterable[CellLike] = NO_CELLS,
        max_cost: float = math.inf,
        partial: bool = False,
    ) -> Path:
        """Find a cheapest way by A*.

        Parameters
        ----------
        start : cell
            The way from a cell to itself has one cell and costs 0.
        goal : cell or sequence of cells
            Of several goals the one that is cheapest to reach.
        profile : MoveProfile
            Who walks.
        heuristic : str
            "auto", "manhattan", "octile", "chebyshev", "euclidean" or "zero".
        blocked : cells
            Where somebody stands: cells that cannot be entered. What the mover stands on at the
            start may be among them, here as in the next two; it is in nobody's way.
        passable : cells
            Where somebody stands who lets it pass, but not stop.
        halting : cells
            Where a way has to end, as beside an enemy.
        max_cost : number
            A way that costs more is none.
        partial : bool
            If there is no way to any goal, give the way to the reachable cell that is nearest to
            one by the grid's distance, then cheapest; `reason` says what is in the way.

        Returns
        -------
        Path
            False, with a reason, if there is no way.

        Raises
        ------
        IndexError, TypeError
            A cell is outside the map or is no cell.
        TypeError, ValueError
            There is no goal, `max_cost` is no number, negative or NaN, or the heuristic is unknown
            or could exceed the true cost.
        """
        source = self._nodes.of(start)
        max_cost = _checked_limit("max_cost", max_cost)
        graph = self._graphs.of(profile)
        blockers = blockers_of(self._nodes, profile.size, source, blocked, passable, halting)
        if is_cell(goal):
            targets = [self._nodes.of(goal)]
            path = self._pathfinder.path_to(
                graph, source, targets[0], heuristic, blockers, max_cost
            )
        else:
            targets = self._nodes.several(goal, "goal")
            path = self._pathfinder.path_to_nearest(
                graph, source, targets, heuristic, blockers, max_cost
            )
        if path or not partial:
            return path
        return self._pathfinder.path_towards(graph, source, targets, blockers, max_cost, path)

    def reach(
        self,
        start: CellLike,
        budget: float,
        profile: MoveProfile = _DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
        passable: Iterable[CellLike] = NO_CELLS,
        halting: Iterable[CellLike] = NO_CELLS,
    ) -> Reach:
        """Find all cells that can be reached at a cost of at most `budget`.

        Parameters
        ----------
        start : cell
            Where to start; it is reached at cost 0.
        budget : number
            What may be spent, >= 0; infinity for all that can be reached at all.
        profile, blocked, passable, halting
            As in `find_path`.

        Raises
        ------
        IndexError, TypeError, ValueError
            A cell is outside the map or is no cell; the budget is no number, negative or NaN.
        """
        source = self._nodes.of(start)
        budget = _checked_limit("budget", budget)
        graph = self._graphs.of(profile)
        blockers = blockers_of(self._nodes, profile.size, source, blocked, passable, halting)
        if graph.is_void[source]:
            nothing = np.zeros((0, 6), dtype=np.int32)
            return Reach(self._tilemap, budget, nothing, graph.end_fault(source, source, blockers))
        record = self._pathfinder.explored(graph, source, budget, blockers)
        if graph.stops_everywhere and not len(blockers.passable):
            return Reach(self._tilemap, budget, record)
        nodes = self._nodes.of_record(record)
        stays = is_end(graph, nodes, blockers) | (nodes == source)
        return Reach(self._tilemap, budget, record, is_end=stays)

    def cost_field(
        self,
        goals: CellLike | Sequence[CellLike],
        profile: MoveProfile = _DEFAULT_PROFILE,
        *,
        start_costs: Sequence[float] | None = None,
        blocked: Iterable[CellLike] = NO_CELLS,
    ) -> CostField:
        """Find what it costs to go from every cell to the cheapest of some goals.

        Ways run towards the goals: climbing up to a goal is paid, climbing down from it is not.

        Parameters
        ----------
        goals : cell or sequence of cells
        start_costs : sequence of number, optional
            What is already to be paid at each goal, 0..MAX_START_COST; 0 if not given.
        profile, blocked
            As in `find_path`; from a blocked cell a way may start.

        Raises
        ------
        IndexError, TypeError, ValueError
            A cell is outside the map or is no cell; there is no goal; a cost is no number or out
            of its limits, or their number is not that of the goals.
        """
        targets = np.array(self._nodes.several(goals, "goal"), dtype=np.int32)
        graph = self._graphs.of(profile)
        costs = _checked_costs(start_costs, len(targets))
        walls = self._nodes.around(blocked, profile.size, -1)
        with self._graphs.workspace(graph) as workspace:
            return graph.field(workspace, targets, costs, walls)

    def distance(
        self,
        starts: CellLike | Sequence[CellLike],
        goals: CellLike | Sequence[CellLike],
        profile: MoveProfile = _DEFAULT_PROFILE,
    ) -> float:
        """Give the cost of the cheapest way from any start to any goal; infinity without one."""
        nodes = self._nodes.several(starts, "start")
        field = self.cost_field(goals, profile)
        return plain_number(float(field.cost.ravel()[nodes].min()))

    def is_reachable(
        self, start: CellLike, goal: CellLike, profile: MoveProfile = _DEFAULT_PROFILE
    ) -> bool:
        """Tell whether there is a way.

        The first question labels the strongly connected parts of the map, which takes about as
        long as searching all of it; while the map stays as it is, a question is then a look-up if
        both cells are of one part or the goal's part lies before the start's, else a search.
        """
        source, target = self._nodes.of(start), self._nodes.of(goal)
        graph = self._graphs.of(profile)
        if graph.end_fault(source, target, NO_BLOCKERS):
            return False
        with self._graphs.lock:
            parts = graph.components or graph.label_components()
        known = parts.reaches(source, target)
        return bool(self.find_path(start, goal, profile)) if known is None else known

    def find_paths(
        self,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile = _DEFAULT_PROFILE,
    ) -> list[Path]:
        """Answer many queries at once, on all cores: the i-th path leads from start i to goal i.

        Raises
        ------
        IndexError, TypeError
            A cell is outside the map or is no cell.
        ValueError
            There are not as many goals as starts.
        """
        if len(starts) != len(goals):
            raise ValueError(f"got {len(starts)} starts and {len(goals)} goals")
        pairs = [
            (self._nodes.of(start), self._nodes.of(goal))
            for start, goal in zip(starts, goals, strict=True)
        ]
        return answer_all(self._graphs, self._graphs.of(profile), pairs)

    def build_index(
        self,
        profile: MoveProfile = _DEFAULT_PROFILE,
        *,
        landmarks: int | None = None,
        progress: Progress | None = None,
        background: bool = False,
    ) -> None:
        """Measure the map from a few far cells, so that `find_path` need look at less of it.

        Results stay exact. On maps of up to 4096 surfaces, as 64 x 64 tiles, the index knows the
        way between any two, and a query only follows it; every edit drops it. On larger ones it
        bounds costs, and edits that only make steps dearer keep it. An index that was dropped is
        built again in the background, while queries do without.

        Memory: 2 bytes a pair of surfaces, 34 MB for 64 x 64 tiles. On larger maps 6 bytes a
        landmark and surface for whole costs, 10 for others or far ones: 25 MB for 256 x 256 tiles
        and 64 landmarks, 100 MB for 1024 x 1024 and 16.

        Parameters
        ----------
        landmarks : int, optional
            How many, 1..128; if not given 64 on maps up to 512 x 512 tiles, and fewer on larger
            ones, 16 from 1024 x 1024 on. As many as there are surfaces, or more, mean all pairs.
        progress : callable, optional
            Called with (landmarks measured, landmarks), from the thread that builds.
        background : bool
            Return at once and build in a thread of its own.

        Raises
        ------
        TypeError, ValueError
            The number of landmarks is not whole or out of its limits.
        """
        wanted = MAX_LANDMARKS if landmarks is None else whole_number("landmarks", landmarks)
        if not 1 <= wanted <= MAX_LANDMARKS:
            raise ValueError(f"landmarks must be in 1..{MAX_LANDMARKS}, got {landmarks}")
        graph = self._graphs.of(profile)
        with self._graphs.lock:
            graph.want_index(landmarks)
        if background:
            self._graphs.build_aside(graph, progress)
        else:
            self._graphs.build(graph, progress)

    def has_index(self, profile: MoveProfile = _DEFAULT_PROFILE) -> bool:
        """Tell whether `find_path` has an index for a profile at this moment."""
        return self._graphs.of(profile).index is not None

    def save_index(self, path: FilePath, profile: MoveProfile = _DEFAULT_PROFILE) -> None:
        """Write a profile's index to a file, to be loaded for the same map.

        Raises
        ------
        ValueError
            There is none.
        OSError
            It cannot be written; what was there stays.
        """
        graph = self._graphs.of(profile)
        if graph.index is None:
            raise ValueError("this profile has no index; build_index makes one")
        index_file.save(FilePath(path), graph, graph.index)

    def load_index(self, path: FilePath, profile: MoveProfile = _DEFAULT_PROFILE) -> None:
        """Read a profile's index from a file.

        Raises
        ------
        MapFileError
            It is missing, damaged, or was built for another map or profile.
        """
        graph = self._graphs.of(profile)
        index = index_file.load(FilePath(path), graph)
        with self._graphs.lock:
            graph.want_index(
                len(index.striped_costs) // 2 if isinstance(index, Landmarks) else None
            )
            graph.adopt(index)

    def begin_search(
        self,
        start: CellLike,
        goal: CellLike,
        profile: MoveProfile = _DEFAULT_PROFILE,
        *,
        algorithm: str = "astar",
        heuristic: str = "auto",
        blocked: Iterable[CellLike] = NO_CELLS,
        passable: Iterable[CellLike] = NO_CELLS,
        halting: Iterable[CellLike] = NO_CELLS,
        partial: bool = False,
    ) -> Search:
        """Begin a query that runs bit by bit; see `Search`.

        Parameters
        ----------
        algorithm : str
            "astar", "dijkstra", "bfs" or "greedy".
        start, goal, profile, heuristic, blocked, passable, halting, partial
            As in `find_path`.
        """
        source, target = self._nodes.of(start), self._nodes.of(goal)
        graph = self._graphs.of(profile)
        blockers = blockers_of(self._nodes, profile.size, source, blocked, passable, halting)
        return Search(graph, source, target, algorithm, heuristic, blockers, partial=partial)

    def profile_graph(self, profile: MoveProfile = _DEFAULT_PROFILE) -> ProfileGraph:
        """Give the graph of a profile, as the map is now, to planners that work on nodes."""
        return self._graphs.of(profile)

    def explain_step(
        self, start: CellLike, end: CellLike, profile: MoveProfile = _DEFAULT_PROFILE
    ) -> StepAnswer:
        """Say what a profile makes of going from a cell straight to another.

        By a step, a leap, a link or a warp, whatever is cheapest; nothing begins where there is no
        ground.

        Returns
        -------
        StepAnswer
            legal, cost (infinity if not legal), rise in levels, and the reason why not.
        """
        here, there = self._tilemap.cell(start), self._tilemap.cell(end)
        graph = self._graphs.of(profile)
        source, target = self._nodes.of(here), self._nodes.of(there)
        rise = int(graph.level[target]) - int(graph.level[source])
        cost = graph.price_between(source, target)
        if cost < math.inf and not graph.is_void[source]:
            return StepAnswer(True, plain_number(cost), rise, "")
        is_beside = graph.slot_between(source, target) is not None
        why = move_reason(graph.rule, here, there, is_beside=is_beside)
        return StepAnswer(False, math.inf, rise, why)

    def steps_from(
        self,
        cell: CellLike,
        profile: MoveProfile = _DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
    ) -> dict[Cell, float]:
        """Give each cell to which one step, leap, link or warp leads from a cell, with its cost.

        Parameters
        ----------
        cell, profile, blocked
            As in `find_path`.
        """
        source, graph = self._nodes.of(cell), self._graphs.of(profile)
        walls = self._nodes.around(blocked, profile.size, source)
        prices = self._pathfinder.steps_from(graph, source, walls)
        return {self._nodes.cell(node): plain_number(price) for node, price in prices.items()}

    def explain_stop(self, cell: CellLike, profile: MoveProfile = _DEFAULT_PROFILE) -> str:
        """Say why no way of a profile can end on a cell, whoever stands there; "" if one can."""
        return stop_reason(self._graphs.of(profile).rule, self._tilemap.cell(cell))

    def line_of_sight(
        self, start: CellLike, end: CellLike, *, eye: float = 1, target: float = 1
    ) -> bool:
        """Tell whether the ground lets somebody on one cell see something on another.

        It does unless a part of the straight line between them runs inside of ground or a deck,
        other than what the two stand on; grazing an edge or a top hides nothing, nor do walls,
        links and others; see `sight`. With `eye` and `target` exchanged the answer is the same
        from the other end.

        Parameters
        ----------
        start, end : cell
        eye, target : float, in levels
            How high above the middle of their cells the line starts and ends, >= 0.

        Raises
        ------
        IndexError, TypeError, ValueError
            A cell is outside the map or is no cell; a height is out of its limits.
        """
        return self._sight.is_open(self._tilemap.cell(start), self._tilemap.cell(end), eye, target)


def _checked_limit(name: str, value: float) -> float:
    """Return what a way may cost; what is beyond every cost is no limit."""
    # Most callers give plain numbers, and every query asks for this.
    is_plain = type(value) in _PLAIN and value >= 0
    limit = value if is_plain else float(number_within(name, value, 0))
    return limit if limit < NO_LIMIT else math.inf


def _checked_costs(costs: Sequence[float] | None, count: int) -> NDArray[np.float64]:
    if costs is None:
        return np.zeros(count)
    if isinstance(costs, str) or not isinstance(costs, Sequence | np.ndarray):
        raise TypeError(f"start costs must be a sequence of numbers, got {costs!r}")
    if len(costs) != count:
        raise ValueError(f"got {len(costs)} start costs for {count} goals")
    return np.array(
        [number_within("start costs", cost, 0, MAX_START_COST) for cost in costs], float
    )
