"""Path, reach and cost queries on a map."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.blockers import FREE, NO_BLOCKERS, NO_CELLS, BlockerNodes, Blockers
from ai.navigation.cost_field import (
    CostField,
    compute_cost_field,
    compute_costs_to_node,
    compute_plain_field,
)
from ai.navigation.diagnosis import Route, explain_step, price_route
from ai.navigation.graph_cache import GraphCache
from ai.navigation.line_of_sight import LineOfSight
from ai.navigation.path import Path, plain_number
from ai.navigation.pathfinder import (
    NO_OPTIONS,
    PathOptions,
    cost_between,
    find_all,
    in_threads,
    path_to,
    path_to_nearest,
    path_towards,
    reach_all,
    reached,
    steps_from,
)
from ai.navigation.profile_graph import ProfileGraph, can_end, end_reason
from ai.navigation.profile_index import AUTO, KINDS, LABELS, IndexWish
from ai.navigation.reach import Reach, ReachArrays
from ai.navigation.search import Search
from ai.rules.entry_rules import EntryRule, checked_rules
from ai.rules.nodes import Nodes, converted, is_cell
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from ai.rules.reasons import StepAnswer, stop_reason
from ai.search.graph import in_millionths
from ai.search.landmarks import MAX_LANDMARKS, Progress
from terrain3d import Cell, TileMap
from terrain3d.core.checks import (
    MAX_COST,
    checked_function,
    instance_of,
    listed,
    number_within,
    one_of,
    true_or_false,
    whole_within,
)
from terrain3d.grid.grid import CellLike

_PLAIN = frozenset((int, float))
_ROUNDING = 1e-6  # centers of hexagons are rounded


class Navigation:
    """Answers path, reach and cost queries on a map, and follows the map's edits.

    Several threads may query one Navigation, also while another thread edits the map. They take
    turns, by the map's lock. Each answer is that of the map before or after an edit.

    A profile takes 5 to 9 bytes for each tile of the map if its costs are whole numbers below 254
    of one unit, up to 35 otherwise. Queries that search from the goal back take as much again. Each
    search takes a `search.Workspace`.

    Costs are exact: whole numbers of a unit, the greatest common divisor of all costs in
    millionths, which is coarser only where a cost would not fit in 32 bits. Equal sums are equal,
    in any order and direction.

    Parameters
    ----------
    tilemap : TileMap
        The map. After an edit the answers equal those of a new Navigation.
    rules : functions of a map and a profile
        Rules of a game. Each returns an array of shape (rows, cols), or (n_decks + 1, rows, cols)
        for each surface its own. bool: which surfaces the profile cannot enter. Numbers,
        0..1,000,000: what entering each costs more than its kind; infinity: it cannot be entered.
        All answers are as if the surfaces were of kinds with these costs: a flyer passes them as
        any kind, and stops on none that cannot be entered; a large mover enters all of its tiles. A
        rule is asked for each profile, and again after each edit; it has to depend on nothing
        but the map and the profile, and must not query this Navigation.

    Raises
    ------
    TypeError
        `tilemap` is not a TileMap, or a rule is not such a function. Queries raise it for what is
        not a cell, a profile or a number, and for a rule that returns no numbers; `IndexError` for
        a cell outside the map; `ValueError` if there is no goal, for a number that is NaN or out of
        its limits, an unknown name, numbers for each surface of another shape, and starts, goals or
        start costs of different numbers.
    """

    def __init__(self, tilemap: TileMap, rules: Iterable[EntryRule] = ()) -> None:
        self._tilemap = instance_of("tilemap", tilemap, TileMap)
        self._nodes = Nodes(tilemap)
        self._graphs = GraphCache(tilemap, checked_rules(rules))

    @functools.cached_property
    def _sight(self) -> LineOfSight:
        return LineOfSight(self._tilemap)

    def share(self, tilemap: TileMap) -> Self:
        """Return a Navigation over a map that `TileMap.share` has made of this one's.

        Both have the same graphs until one of the maps is edited.
        """
        made = object.__new__(type(self))
        vars(made).update(vars(self), _tilemap=tilemap, _nodes=Nodes(tilemap))
        vars(made).pop("_sight", None)
        tilemap.unshared.connect(made._build_own_graphs, weak=True)
        return made

    def _build_own_graphs(self) -> None:
        self._graphs = GraphCache(self._tilemap, self.rules)

    def __repr__(self) -> str:
        """Show the map."""
        return f"<Navigation over {self._tilemap!r}>"

    def __reduce__(self) -> tuple[type[Self], tuple[TileMap, tuple[EntryRule, ...]]]:
        """Pickle map and rules alone: graphs and indexes are built again where they are needed."""
        return type(self), (self._tilemap, self.rules)

    @property
    def tilemap(self) -> TileMap:
        """The map."""
        return self._tilemap

    @property
    def rules(self) -> tuple[EntryRule, ...]:
        """The rules of the game."""
        return self._graphs.rules

    def find_path(
        self,
        start: CellLike,
        goal: CellLike | Iterable[CellLike],
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
        extra_cost: ArrayLike | None = None,
        max_cost: float = math.inf,
        partial: bool = False,
        blockers: Blockers = NO_BLOCKERS,
    ) -> Path:
        """Return a cheapest path, found by A*.

        One of several is chosen from the goal back: each cell is entered over an edge if possible,
        else by a diagonal step, else by the most expensive link or warp; of these, from the last
        cell in reading order. An index changes nothing.

        Parameters
        ----------
        start : cell
            A path from a cell to itself has one cell and costs 0.
        goal : cell or cells
            Of several goals the path leads to the one that is cheapest to reach. One of several
            such paths is chosen from the start on: each next step is over an edge if possible, else
            diagonal, else a link or warp; of these, to the last cell in reading order.
        profile : MoveProfile
            How the mover moves.
        blocked : cells
            Cells that cannot be entered, as those of enemies. The cells that the mover covers at
            the start may be among them; there they have no effect.
        extra_cost : (rows, cols) number, optional
            What entering each tile costs more in this query, as for threat, fire or influence,
            0..1,000,000. Of shape (n_decks + 1, rows, cols) for each deck its own. The start costs
            nothing; a large mover pays the highest of its tiles. Costs and `max_cost` include it.
        max_cost : number
            A path that costs more is not returned.
        partial : bool
            Whether a query without a path returns a path to the reachable cell that would have the
            fewest steps to a goal on open, level ground. Diagonal steps count if the profile makes
            them; ties go to the cheapest. The path's `reason` says why it ends there.

        Returns
        -------
        Path
            False, with a reason, if there is no path.
        """
        with self._tilemap.lock:
            nodes, entry, options = self._nodes, self._graphs.of(profile), NO_OPTIONS
            source = nodes.of(start)
            # One test for the usual arguments: each of those below takes as long as a look-up.
            if not (
                (blocked is NO_CELLS and blockers is NO_BLOCKERS and extra_cost is None)
                and (max_cost is math.inf and partial is False)
            ):
                true_or_false("partial", partial)
                entry = self._graphs.with_extra_cost(entry, extra_cost)
                options = PathOptions(
                    BlockerNodes.of(nodes, profile.size, source, blocked, blockers),
                    _checked_limit("max_cost", max_cost),
                ).checked()
            if is_cell(goal):
                targets = [nodes.of(goal)]
                path = path_to(entry, source, targets[0], options)
            else:
                targets = nodes.several(goal, "goal")
                path = path_to_nearest(entry, source, targets, options)
            if not partial or path:
                return path
            return path_towards(entry, source, targets, options, path)

    def find_paths(
        self,
        starts: Iterable[CellLike],
        goals: Iterable[CellLike],
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        extra_cost: ArrayLike | None = None,
    ) -> list[Path]:
        """Answer many queries at once, on all cores: the i-th path leads from start i to goal i.

        Parameters
        ----------
        starts, goals : cells
        profile, extra_cost
            As in `find_path`.
        """
        with self._tilemap.lock:
            ends = self._nodes.each("starts", starts), self._nodes.each("goals", goals)
            if len(ends[0]) != len(ends[1]):
                raise ValueError(f"got {len(ends[0])} starts and {len(ends[1])} goals")
            pairs = list(zip(*(nodes.tolist() for nodes in ends), strict=True))
            entry = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost)
            return find_all(entry, pairs)

    def cost_fields(
        self,
        goal_sets: Iterable[CellLike | Iterable[CellLike]],
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        extra_cost: ArrayLike | None = None,
    ) -> list[CostField]:
        """Compute many cost fields at once, on all cores: one for each cell or set of goals.

        Parameters
        ----------
        goal_sets : sequence of cell or cells
        profile, extra_cost
            As in `find_path`.
        """
        with self._tilemap.lock:
            to_nodes = functools.partial(self._nodes.several, what="goal")
            nodes = converted("goal_sets", goal_sets, to_nodes)
            entry = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost)
            return in_threads(functools.partial(compute_plain_field, entry), nodes)

    def distances(
        self,
        starts: Iterable[CellLike],
        goals: Iterable[CellLike],
        profile: MoveProfile = DEFAULT_PROFILE,
    ) -> NDArray[np.float64]:
        """Return the costs of cheapest paths between many cells; infinity without a path.

        Parameters
        ----------
        starts, goals : n and m cells

        Returns
        -------
        (n, m) float64
            From start i to goal j at [i, j]. It takes a cost field for each goal.
        """
        with self._tilemap.lock:
            nodes = self._nodes.each("starts", starts)
            targets = self._nodes.each("goals", goals).tolist()
            entry = self._graphs.of(profile)

            def costs_to(goal: int) -> NDArray[np.float64]:
                # A field takes 14 bytes or more for each surface: none is kept.
                return compute_plain_field(entry, [goal]).as_costs(decks=True).ravel()[nodes]

            costs = in_threads(costs_to, targets)
        return np.array(costs, np.float64).reshape(len(targets), len(nodes)).T.copy()

    def reach(
        self,
        start: CellLike,
        budget: float,
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
        extra_cost: ArrayLike | None = None,
        blockers: Blockers = NO_BLOCKERS,
    ) -> Reach:
        """Return all cells that can be reached at a cost of at most `budget`.

        Parameters
        ----------
        start : cell
            Reached at cost 0.
        budget : number
            >= 0; infinity for everything that can be reached at all.
        profile, blocked, extra_cost, blockers
            As in `find_path`.
        """
        with self._tilemap.lock:
            source = self._nodes.of(start)
            budget = _checked_limit("budget", budget)
            entry = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost)
            graph = entry.graph
            others = BlockerNodes.of(self._nodes, profile.size, source, blocked, blockers)
            if graph.is_void.item(source):
                nothing = np.zeros((0, 7), dtype=np.int64)
                reason = end_reason(graph, source, source, others)
                return Reach(self._tilemap, budget, nothing, graph.unit, reason)
            (record, reader), is_end = reached(entry, source, budget, others), None
            if len(others.passable) or not graph.stops_everywhere:
                is_end = can_end(graph, record[:, -1], others)
                is_end[0] = True  # the start
            return Reach(self._tilemap, budget, record, graph.unit, "", is_end, reader)

    def reaches(
        self,
        starts: Iterable[CellLike],
        budget: float,
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        extra_cost: ArrayLike | None = None,
    ) -> ReachArrays:
        """Return what a budget reaches from each of many starts, in one call: see `ReachArrays`.

        Parameters
        ----------
        starts : cells
            Fastest as an array of shape (n, 2) or (n, 3).
        budget, profile, extra_cost
            As in `reach`.
        """
        with self._tilemap.lock:
            nodes = self._nodes.each("starts", starts)
            budget = _checked_limit("budget", budget)
            entry = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost)
            return reach_all(entry, nodes, budget)

    def cost_field(
        self,
        goals: CellLike | Iterable[CellLike],
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        start_costs: Sequence[float] | None = None,
        blocked: Iterable[CellLike] = NO_CELLS,
        extra_cost: ArrayLike | None = None,
    ) -> CostField:
        """Return the cost from every cell to the cheapest of several goals.

        Paths run toward the goals: climbing up to a goal costs, climbing down from it does not.

        Parameters
        ----------
        start_costs : sequence of number, optional
            A cost to add at each goal, 0..1,000,000; 0 if not given.
        profile, blocked, extra_cost
            As in `find_path`; a path may start on a blocked cell.
        """
        with self._tilemap.lock:
            targets = np.array(self._nodes.several(goals, "goal"), dtype=np.int64)
            entry = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost)
            starts = _checked_starts(start_costs, len(targets))
            blockers = BlockerNodes.of(self._nodes, profile.size, -1, blocked)
            return compute_cost_field(entry, targets, starts, blockers)

    def distance(
        self,
        starts: CellLike | Iterable[CellLike],
        goals: CellLike | Iterable[CellLike],
        profile: MoveProfile = DEFAULT_PROFILE,
    ) -> float:
        """Return the cost of the cheapest path from any start to any goal; infinity without one."""
        with self._tilemap.lock:
            if is_cell(starts) and is_cell(goals):
                source, target = self._nodes.of(starts), self._nodes.of(goals)
                return cost_between(self._graphs.of(profile), source, target)
            nodes = self._nodes.several(starts, "start")
            field = self.cost_field(goals, profile)
            return plain_number(field.as_costs(decks=True).ravel()[nodes].min().item())

    def is_reachable(
        self, start: CellLike, goal: CellLike, profile: MoveProfile = DEFAULT_PROFILE
    ) -> bool:
        """Return whether there is a path.

        The first call labels the strongly connected components of the map, which takes about as
        long as searching all of it. Until the next edit a call is then a look-up if both cells are
        in one component or the order of the components rules a path out; otherwise it is a search.
        """
        with self._tilemap.lock:
            source, target = self._nodes.of(start), self._nodes.of(goal)
            entry = self._graphs.of(profile)
            if end_reason(entry.graph, source, target, FREE):
                return False
            known = entry.label().reaches(source, target)
            return bool(self.find_path(start, goal, profile)) if known is None else known

    def build_index(
        self,
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        kind: str = AUTO,
        landmarks: int | None = None,
        progress: Progress | None = None,
        background: bool = False,
    ) -> None:
        """Build an index, so that `find_path` expands fewer nodes, or none.

        Answers stay the same, cell by cell. Landmarks hold costs that bound the remaining cost.
        Each edit lowers the bounds that it would make wrong. After many edits, when bounds have
        become low, landmarks are measured again in the background. Only where a map gets more
        layers of decks, or the mover warps, queries run without an index until then.

        Hub labels hold the costs to the separators of the map, from which a path is read off
        without a search. They serve where at most 64 surfaces have links to other than neighboring
        columns; elsewhere, as for warps and for costs that are not whole numbers below 254 of one
        unit, landmarks are built instead. An edit drops the labels, and landmarks serve. Once as
        many queries have followed as the map has surfaces, they are built again in the background.

        Memory: of labels 4.2 MB for 64 x 64 tiles, 35 MB for 128 x 128, 290 MB for 256 x 256. Of
        landmarks 6 bytes for each of them and surface: 25 MB for 256 x 256 tiles and 64 landmarks,
        100 MB for 1024 x 1024 and 16.

        Parameters
        ----------
        kind : str
            "labels", "landmarks", or "auto": labels if they take at most 64 MB, else landmarks.
        landmarks : int, optional
            How many, 1..128, and no labels; if not given 64 on maps up to 512 x 512 tiles, and
            fewer on larger ones, 16 from 1024 x 1024 on, and beside labels.
        progress : callable, optional
            Called with (parts of the work done, all parts), from the thread that builds. The parts
            are landmarks measured, or portions of the labels.
        background : bool
            Whether to return at once and build in another thread.

        Raises
        ------
        TypeError, ValueError
            The kind is unknown. Labels that are asked for by name would take more than 512 MB; the
            text has their size. The number of landmarks is not an integer or out of its limits, or
            it is given for labels; `progress` does not take two arguments.
        """
        one_of("kind", kind, KINDS)
        if landmarks is not None:
            whole_within("landmarks", landmarks, 1, MAX_LANDMARKS)
            if kind == LABELS:
                raise ValueError(f'landmarks must not be given with kind="{LABELS}"')
        if progress is not None:
            progress = checked_function("progress", progress, 2)
        true_or_false("background", background)
        with self._tilemap.lock:
            index = self._graphs.of(profile).index
            index.request(IndexWish(kind, landmarks))
        build = index.build_in_background if background else index.build
        build(progress)

    def has_index(self, profile: MoveProfile = DEFAULT_PROFILE) -> bool:
        """Return whether `find_path` has an index for a profile at this moment."""
        with self._tilemap.lock:
            return self._graphs.of(profile).index.landmarks is not None

    def begin_search(
        self,
        start: CellLike,
        goal: CellLike,
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        algorithm: str = "astar",
        heuristic: str = "auto",
        order: str = "lifo",
        blocked: Iterable[CellLike] = NO_CELLS,
        extra_cost: ArrayLike | None = None,
        blockers: Blockers = NO_BLOCKERS,
    ) -> Search:
        """Return a path query that can be watched, and runs some steps at a time; see `Search`.

        Parameters
        ----------
        algorithm : str
            "astar", "dijkstra" (no heuristic), "bfs" (breadth-first: fewest steps, whatever they
            cost) or "greedy" (best-first by the heuristic alone: fast, but the path may not be
            cheapest).
        heuristic : str
            "auto", "manhattan", "octile", "chebyshev", "euclidean" or "zero".
        order : str
            Which of equal scores "astar" expands first: "lifo" the one added last, "high_g_first"
            the one with the highest cost so far, "low_g_first" with the lowest. The path is the
            same.
        start, goal, profile, blocked, extra_cost, blockers
            As in `find_path`.

        Raises
        ------
        ValueError
            The heuristic could exceed the true cost.
        """
        with self._tilemap.lock:
            source, target = self._nodes.of(start), self._nodes.of(goal)
            entry = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost)
            others = BlockerNodes.of(self._nodes, profile.size, source, blocked, blockers)
            ends = source, target
            return Search(entry.graph, ends, algorithm, heuristic, order, others)

    def profile_graph(self, profile: MoveProfile = DEFAULT_PROFILE) -> ProfileGraph:
        """Return the graph of a profile, as the map is now, for planners that work on nodes."""
        with self._tilemap.lock:
            return self._graphs.of(profile).graph

    def costs_to(
        self, cell: CellLike, profile: MoveProfile, blocked: Iterable[CellLike]
    ) -> NDArray[np.int64]:
        """(n_nodes,) the cost from each node to a cell, in units, for planners that work on nodes.

        -1 without a path. Nodes and cells on which a path cannot end have costs too.
        """
        with self._tilemap.lock:
            entry = self._graphs.of(profile)
            blockers = BlockerNodes.of(self._nodes, profile.size, -1, blocked)
            return compute_costs_to_node(entry, self._nodes.of(cell), blockers)

    def explain_step(
        self, start: CellLike, end: CellLike, profile: MoveProfile = DEFAULT_PROFILE
    ) -> StepAnswer:
        """Return whether a profile can go from a cell straight to another, and at which cost.

        By a step, a link or a warp, whichever is cheapest. A flyer also starts over void.

        Returns
        -------
        StepAnswer
            legal, cost (infinity if not legal), rise in levels, the reason why not, and the parts
            of the cost.
        """
        with self._tilemap.lock:
            here, there = self._tilemap.cell(start), self._tilemap.cell(end)
            return explain_step(self._graphs.of(profile).graph, here, there, FREE)

    def price(
        self,
        cells: Path | Iterable[CellLike],
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
        extra_cost: ArrayLike | None = None,
        blockers: Blockers = NO_BLOCKERS,
    ) -> Route:
        """Return what given cells cost, step by step, or the first rule that is broken.

        Parameters
        ----------
        cells : Path or cells
            May end where the mover cannot stop, and need not be legal: `Route.reason` says why the
            first illegal step is not, and the cost is then infinity.
        profile, blocked, extra_cost, blockers
            As in `find_path`, and those that a Path was found with: if it has another cost by them
            on the map as it is now, that is a `ValueError`.

        Examples
        --------
        >>> route = Navigation(TileMap.from_text("0123")).price([(0, 0), (0, 1), (0, 2)])
        >>> route.cost, [answer.parts.climb for answer in route.answers]
        (4, [1, 1])
        """
        with self._tilemap.lock:
            graph = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost).graph
            return price_route(graph, cells, blocked, blockers)

    def steps_from(
        self,
        cell: CellLike,
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
    ) -> dict[Cell, float]:
        """Return each cell that one step, link or warp leads to from a cell, with its cost.

        Parameters
        ----------
        cell, profile, blocked
            As in `find_path`.
        """
        with self._tilemap.lock:
            source, entry = self._nodes.of(cell), self._graphs.of(profile)
            blockers = BlockerNodes.of(self._nodes, profile.size, source, blocked)
            costs = steps_from(entry, source, blockers)
            return {self._nodes.cell(node): cost for node, cost in costs.items()}

    def is_decision_point(self, cell: CellLike, profile: MoveProfile = DEFAULT_PROFILE) -> bool:
        """Return whether a cell is not part of a straight corridor, such as a junction or dead end.

        In a straight corridor there are two cells to which the mover can step and back, on opposite
        sides. Each answer is found once, and kept until an edit near the cell.
        """
        with self._tilemap.lock:
            node, entry = self._nodes.of(cell), self._graphs.of(profile)
            if node not in entry.decision_points:
                here, ends = self._nodes.cell(node), self.steps_from(cell, profile)
                beside = [end for end in ends if here in self.steps_from(end, profile)]
                center = self._tilemap.grid.center
                (x, y), places = center(here[:2]), [center(end[:2]) for end in beside]
                is_straight = False
                if len(places) == 2:
                    (a, b), (c, d) = ((p - x, q - y) for p, q in places)
                    is_straight = abs(a * d - b * c) < _ROUNDING and a * c + b * d < -_ROUNDING
                entry.decision_points[node] = not is_straight
            return entry.decision_points[node]

    def explain_stop(self, cell: CellLike, profile: MoveProfile = DEFAULT_PROFILE) -> str:
        """Return why no path of a profile can end on a cell, blockers aside; "" if one can."""
        with self._tilemap.lock:
            place = self._tilemap.cell(cell)
            return stop_reason(self._graphs.rule_at(place, profile), place)

    def line_of_sight(
        self, start: CellLike, end: CellLike, *, eye: float = 1, target: float = 1
    ) -> bool:
        """Return whether the ground leaves the line between two cells open.

        It does unless a part of the straight line runs inside ground or a deck other than those
        that the two ends stand on. A line that touches an edge or a top is open, and walls, links
        and units hide nothing; see `ai.navigation.line_of_sight`. Both directions give the same
        answer.

        Parameters
        ----------
        eye, target : float, in levels
            How high above the centers of their cells the line starts and ends, >= 0.
        """
        with self._tilemap.lock:
            return self._sight.is_open(
                self._tilemap.cell(start), self._tilemap.cell(end), eye, target
            )


def _checked_limit(name: str, value: float) -> float:
    """Return a limit of cost after checking it."""
    # Most callers pass plain numbers, and every query checks its limit.
    is_plain = type(value) in _PLAIN and value >= 0
    return value if is_plain else float(number_within(name, value, 0))


def _checked_starts(costs: Sequence[float] | None, count: int) -> NDArray[np.int64]:
    """Return start costs, in millionths, after checking them."""
    if costs is None:
        return np.zeros(count, np.int64)
    costs = listed("start_costs", costs)
    if len(costs) != count:
        raise ValueError(f"got {len(costs)} start costs for {count} goals")
    checked = [number_within("start_costs", cost, 0, MAX_COST) for cost in costs]
    return in_millionths(np.array(checked, float))
