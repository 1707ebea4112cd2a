"""Ways for several units at once, so that nobody runs into anybody.

The time model is one step one tick, whatever the step costs: costs are points of a game, not
seconds, and in steps of one length a collision is plain to see: two units on one cell at a tick, or
two that trade places during one.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_CELLS, Blockers
from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from ai.squads.goal_costs import Fields
from ai.squads.plan import SquadPlan
from ai.squads.planners.configurations import Ticks
from ai.squads.planners.methods import METHODS, solve
from ai.squads.request import Request, Reservation
from ai.squads.squad_graph import Ground
from ai.squads.task import GAVE_UP, Budget, Task
from terrain3d import Cell
from terrain3d.core.checks import instance_of, number_within, whole_number
from terrain3d.grid.grid import CellLike

_DEFAULT_PROFILE = MoveProfile()
_FIELDS_A_STEP = 32  # so that no frame has to wait for those of all goals


class SquadPlanner:
    """Plans for several units on a map; it follows the map's edits by itself.

    It keeps what it worked out about the goals that were asked for last, so that asking again while
    the units are on their ways is quick.

    Memory: 8 bytes a goal and tile.

    Parameters
    ----------
    navigation : Navigation
        Knows the steps and what they cost.
    """

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = instance_of("navigation", navigation, Navigation)
        self._fields = Fields(navigation)
        self._ground: tuple[object, Ground] | None = None
        self._rank: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._n_steps = 0

    def plan(
        self,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile | Sequence[MoveProfile] = _DEFAULT_PROFILE,
        *,
        method: str = "auto",
        bound: float = 1.0,
        blocked: Iterable[CellLike] = NO_CELLS,
        queued: Sequence[Reservation] = (),
        max_expansions: int = 1_000_000,
        max_seconds: float = math.inf,
        seed: int = 0,
    ) -> SquadPlan:
        """Lead each unit from its start to its goal.

        Parameters
        ----------
        starts, goals : sequences of cells
            Of the i-th unit.
        profile : MoveProfile, or sequence of MoveProfile
            Who walks: all alike, or one a unit. They cover one tile each.
        method : str
            "crowd" finds some plan, quickly; if there is none, it finds that out in the end.
            "prioritized" finds good ones, and makes them better as long as it may. "cheapest" finds
            one that costs at most `bound` times the least there is, for small groups; if it has to
            give up, the best that the others found. "auto" is "cheapest" for up to 12 units, else
            "crowd".
        bound : number
            For "cheapest", >= 1.
        blocked : cells
            Where others stand who will not move. A start may be one of them.
        queued : sequence of Reservation
            Ways of others that are settled already.
        max_expansions : int
            How often a unit's next step may be looked for, > 0.
        max_seconds : number
            How long it may take, > 0; a plan that met this limit may be another next time.
        seed : int
            Tells which of several equally good steps are tried first, >= 0.

        Returns
        -------
        SquadPlan
            False, with a reason, if there is none or none was found.

        Raises
        ------
        IndexError, TypeError
            A cell is outside the map or is no cell; something else is of another type.
        ValueError
            There are not as many goals or profiles as starts, a unit covers several tiles, the
            method is unknown, a number is out of its limits, or tiles times goals are more than
            `fields.MAX_NUMBERS`.
        """
        if method not in METHODS:
            raise ValueError(f"method must be one of {METHODS}, got {method!r}")
        _check_numbers(bound, max_expansions, max_seconds, seed)
        budget = Budget(max_expansions, max_seconds)
        request = Request.of(self._navigation, starts, goals, profile, blocked, queued)
        why = request.crowding(self._navigation)
        if why:
            return SquadPlan.none(why)
        if not request.starts:
            return SquadPlan((), (), (), 0)
        rows = self._fields.rows(request.aims, request.walls, lambda: not budget.is_spent)
        if budget.is_spent:
            return SquadPlan.none(GAVE_UP, 0)
        task = self._task(request, rows)
        for unit in range(len(task)):
            why = self._fault(request, unit, task.alone(unit))
            if why:
                return SquadPlan.none(why)
        outcome = solve(task, method, bound, budget, seed)
        lowest = max(outcome.lower_bound, task.least_cost)
        if outcome.reason:
            stuck = " and ".join(str(request.starts[unit]) for unit in outcome.stuck)
            why = f"the units on {stuck} cannot get past each other" if stuck else outcome.reason
            return SquadPlan.none(why, lowest)
        cell_of = self._navigation.profile_graph().nodes.cell
        ways = [[cell_of(node) for node in way.tolist()] for way in outcome.ways]
        costs = [task.cost_of(unit, way) for unit, way in enumerate(outcome.ways)]
        return SquadPlan(ways, request.profiles, costs, lowest)

    def step(
        self,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile | Sequence[MoveProfile] = _DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
        queued: Sequence[Reservation] = (),
    ) -> list[Cell]:
        """Give where everybody goes next, without looking further ahead.

        This is for crowds whose goals, map and company change all the time: asked tick by tick, it
        leads each unit past the others to its goal wherever there is room to make way, but nobody
        finds out if there is not. Somebody may have to wait where it could not stop. Who cannot
        reach its goal, or whose field of costs is not worked out yet, makes way for the others. It
        remembers who has been on the way for how long, by their places in `starts`.

        Parameters
        ----------
        starts, goals, profile, blocked, queued
            As of `plan`; several units may have one goal.

        Raises
        ------
        IndexError, TypeError
            A cell is outside the map or is no cell; something else is of another type.
        ValueError
            As of `plan`, or two units stand on one cell.
        """
        request = Request.of(self._navigation, starts, goals, profile, blocked, queued)
        if len(set(request.starts)) < len(request.starts):
            raise ValueError("two units stand on one cell")
        if not request.starts:
            return []
        fields = itertools.count()
        rows = self._fields.rows(request.aims, request.walls, lambda: next(fields) < _FIELDS_A_STEP)
        task = self._task(request, rows)
        blank = len(task.fields) - 1
        is_led = (rows < blank) & np.isfinite(task.fields[rows, task.start])
        task = replace(
            task,
            goal=np.where(is_led, task.goal, task.start),
            field_of=np.where(is_led, rows, blank),
        )
        if len(self._rank) != len(task):
            self._rank = np.zeros(len(task), dtype=np.int64)
        self._rank = np.where(task.start == task.goal, 0, self._rank + 1)
        self._n_steps += 1
        order = np.argsort(-self._rank, kind="stable")
        after = Ticks(task).after(task.start, 0, order, self._n_steps)
        if after is None:
            return list(request.starts)
        cell_of = self._navigation.profile_graph().nodes.cell
        return [cell_of(node) for node in after.tolist()]

    def _task(self, request: Request, rows: NDArray[np.int64]) -> Task:
        nodes, kinds = self._navigation.profile_graph().nodes, request.kinds
        number_of = {kind: number for number, kind in enumerate(kinds)}
        return Task(
            self._ground_of(kinds, request.walls),
            nodes.of_record(np.array(request.starts)),
            nodes.of_record(np.array(request.goals)),
            np.array([number_of[each] for each in request.profiles], dtype=np.int64),
            rows,
            self._fields.table,
            request.queued,
            tuple(number_of[each] for each in request.queued_profiles),
        )

    def _ground_of(self, kinds: list[MoveProfile], walls: tuple[Cell, ...]) -> Ground:
        navigation = self._navigation
        key = navigation.tilemap.version, walls, tuple(kinds)
        if self._ground is None or self._ground[0] != key:
            nodes = navigation.profile_graph().nodes.of_record(np.array(walls).reshape(-1, 3))
            movers = [navigation.profile_graph(kind) for kind in kinds]
            self._ground = key, Ground.of(movers, nodes)
        return self._ground[1]

    def _fault(self, request: Request, unit: int, cost: float) -> str:
        """Say why a unit could not even go alone; "" if it could."""
        start, goal, walls = request.starts[unit], request.goals[unit], request.walls
        profile = request.profiles[unit]
        graph = self._navigation.profile_graph(profile)
        nodes = [graph.nodes.of(cell) for cell in walls]
        blockers = Blockers(np.array(nodes, dtype=np.int64))
        why = graph.end_fault(graph.nodes.of(start), graph.nodes.of(goal), blockers)
        if why or cost < math.inf:
            return why
        return self._navigation.find_path(start, goal, profile, blocked=walls).reason


def _check_numbers(bound: float, max_expansions: int, max_seconds: float, seed: int) -> None:
    if not 1 <= number_within("bound", bound, -math.inf) < math.inf:
        raise ValueError(f"bound must be finite and >= 1, got {bound!r}")
    if whole_number("max_expansions", max_expansions) < 1:
        raise ValueError(f"max_expansions must be >= 1, got {max_expansions}")
    if not number_within("max_seconds", max_seconds, -math.inf) > 0:
        raise ValueError(f"max_seconds must be > 0, got {max_seconds!r}")
    if whole_number("seed", seed) < 0:
        raise ValueError(f"seed must be >= 0, got {seed}")
