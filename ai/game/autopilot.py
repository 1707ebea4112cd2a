"""Runs a behavior for each autonomous unit of a board, by a name from a catalog or your own."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ai.behaviors.behavior import Behavior, FirstOf
from ai.behaviors.chase import Chase, Intercept
from ai.behaviors.explore import Explore, FollowWall, Wander
from ai.behaviors.flee import Flee, KeepDistance
from ai.behaviors.seek import Patrol, Seek
from ai.behaviors.trail import FollowTrail, Trail
from ai.behaviors.travel import Travel
from ai.behaviors.waypoints import measure, scatter
from ai.board.board import Board
from ai.board.log import Entry
from ai.board.state import Turn
from ai.board.unit import Unit
from terrain3d import Cell, Node, Signal
from terrain3d.core.checks import instance_of, number_within, one_of, quoted, whole_within
from terrain3d.grid.grid import CellLike

PATROL_WAIT_S = 0.5
GUARD_COST = 12
"""Highest cost of a path to an enemy for which "guard" leaves its round."""

NEAREST_TILES, FARTHEST_TILES = 3, 5
"""Distances from the nearest enemy between which "keep" stays."""

N_POINTS = 24
"""Waypoints for "travel", however large the map is."""
LEAST_SPACING_TILES = 3
EDGE_SPACINGS = 4
"""The highest cost of an edge between two waypoints, in multiples of their spacing."""


@dataclass(frozen=True)
class Assignment:
    """A unit that gets a behavior, and what the behavior may depend on."""

    board: Board
    unit: Unit
    post: Cell | None
    """Where the unit is sent, for behaviors that have a destination."""
    trails: Mapping[Unit, Trail]
    """The trail that each unit of the board leaves."""
    rng: np.random.Generator
    """For random behaviors."""
    seed: int
    """For waypoints: equal on equal maps."""

    def nearest_other(self) -> Unit | None:
        """Return the nearest other unit; None if the unit is alone."""
        return self._nearest([other for other in self.board.units if other is not self.unit])

    def nearest_enemy(self) -> Unit | None:
        """Return the nearest enemy; None if there is none."""
        return self._nearest(self._enemies())

    def prey(self) -> Cell | None:
        """Return the cell of the nearest enemy now."""
        enemy = self.nearest_enemy()
        return None if enemy is None else enemy.cell

    def threats(self) -> list[Cell]:
        """Return the cells of all enemies now."""
        return [enemy.cell for enemy in self._enemies()]

    def _enemies(self) -> list[Unit]:
        return self.board.enemies_of(self.unit)

    def _nearest(self, others: list[Unit]) -> Unit | None:
        nearest = self.board.situation(self.unit).nearest
        return min(others, key=lambda other: nearest(other.cells)[0], default=None)


def _intercept(assignment: Assignment) -> Intercept:
    """Return a behavior for one enemy: line and speed ratio hold for one target only."""
    enemy, board = assignment.nearest_enemy(), assignment.board
    if enemy is None:
        return Intercept(lambda: None)
    return Intercept(
        lambda: enemy.cell if enemy in board.units else None,
        speed_ratio=assignment.unit.speed_tiles_s / enemy.speed_tiles_s,
    )


def _keep(assignment: Assignment) -> KeepDistance:
    flee = Flee(assignment.threats)  # from all enemies, or it would run into the next one
    return KeepDistance(assignment.prey, NEAREST_TILES, FARTHEST_TILES, flee=flee)


def _patrol(assignment: Assignment) -> Patrol:
    unit, post = assignment.unit, assignment.post
    far = assignment.board.reach(unit).cells[-1:] if post is None else [post]
    return Patrol([unit.cell, *far], wait_s=PATROL_WAIT_S)


def _follow(assignment: Assignment) -> FollowTrail:
    leader = assignment.nearest_other()
    return FollowTrail(Trail() if leader is None else assignment.trails[leader], assignment.rng)


def _guard(assignment: Assignment) -> FirstOf:
    return FirstOf(Chase(assignment.prey, max_cost=GUARD_COST), _patrol(assignment))


def _goal(assignment: Assignment) -> Cell:
    """Return the post, or the cell that is the most expensive to reach."""
    if assignment.post is not None:
        return assignment.post
    unit = assignment.unit
    return [unit.cell, *assignment.board.situation(unit).reach(math.inf).cells][-1]


def _travel(assignment: Assignment) -> Travel:
    """Return a behavior over a few points spread over the map, with edges between near ones."""
    board, unit, goal = assignment.board, assignment.unit, _goal(assignment)
    tilemap, rng = board.tilemap, np.random.default_rng(assignment.seed)
    spacing = math.sqrt(tilemap.rows * tilemap.cols / N_POINTS) * 0.8  # wider, not all fit
    spacing_tiles = max(LEAST_SPACING_TILES, round(spacing))
    points = scatter(board.navigation, N_POINTS, rng, unit.profile, spacing_tiles=spacing_tiles)
    max_cost = EDGE_SPACINGS * spacing_tiles
    measure(points, board.navigation, unit.profile, max_cost=max_cost)
    host = board.unit_at(goal)
    return Travel(
        points,
        goal if host is None else lambda: host.cell if host in board.units else None,
        join_within=max_cost,
    )


class BehaviorEntry(NamedTuple):
    """How a behavior is described, and how it is made."""

    text: str
    make: Callable[[Assignment], Behavior]


BEHAVIORS: Mapping[str, BehaviorEntry] = MappingProxyType(
    {
        "chase": BehaviorEntry("chases the nearest enemy", lambda given: Chase(given.prey)),
        "intercept": BehaviorEntry("cuts off the nearest enemy", _intercept),
        "flee": BehaviorEntry("flees from enemies", lambda given: Flee(given.threats)),
        "keep": BehaviorEntry(
            f"keeps {NEAREST_TILES} to {FARTHEST_TILES} tiles from the nearest enemy", _keep
        ),
        "patrol": BehaviorEntry("patrols", _patrol),
        "guard": BehaviorEntry("chases enemies nearby, else patrols", _guard),
        "travel": BehaviorEntry("travels along waypoints", _travel),
        "seek": BehaviorEntry(
            "goes straight, sidestepping at random", lambda given: Seek(_goal(given), given.rng)
        ),
        "follow": BehaviorEntry("follows a trail of crumbs", _follow),
        "wander": BehaviorEntry("wanders", lambda given: Wander(given.rng)),
        "explore": BehaviorEntry("explores", lambda _given: Explore()),
        "wall": BehaviorEntry("keeps the wall on its right", lambda _given: FollowWall()),
    }
)
"""All behaviors by name, in the order in which `Autopilot.assign_next` goes through them."""


REST_S = 0.25
"""Seconds between two decisions of a unit that stays on its cell."""

_NAMES = ("", *BEHAVIORS)
"""The names of `Autopilot.assign`."""


@dataclass
class _Assigned:
    """The behavior of one autonomous unit, and when and why the unit rests."""

    name: str
    behavior: Behavior
    rest_s: float = 0.0
    reason: str = ""  # why the unit stays


class Autopilot(Node):
    """Moves units by behaviors, one step at a time.

    Each step is a normal order: the board checks it, emits its signals, and undoes it together with
    the last order that a player gave. On a board with turns, the units whose turn it is act one by
    one, until each of them stays, has no points, or has gone in a circle. If all of them have
    behaviors, the turn then ends.

    Parameters
    ----------
    board : Board
    seed : int
        Seeds random behaviors and the positions of waypoints.

    Examples
    --------
    ::

        autopilot = tree.root.add_child(Autopilot(board))
        autopilot.assign(wolf, "chase")
        autopilot.assign(guard, "patrol", post=(3, 7))  # between its cell and (3, 7)
        autopilot.assign(wolf, "")  # it waits for orders again
        autopilot.assign(goat, Climb())  # a Behavior of your own
    """

    changed = Signal("unit")
    """The unit has another behavior, or stays for another reason."""

    def __init__(self, board: Board, seed: int = 0, name: str = "") -> None:
        super().__init__(name)
        self._board = instance_of("board", board, Board)
        self._seed = whole_within("seed", seed, 0)
        self._rng = np.random.default_rng(self._seed)
        self._assigned: dict[Unit, _Assigned] = {}
        self._trails: dict[Unit, Trail] = {}
        for unit in board.units:
            self._start_trail(unit)
        self._stayed: set[Unit] = set()  # in this turn
        self._seen: set[tuple[Unit, Cell, float]] = set()  # in this turn, with the points left
        board.changed.connect(self._follow, weak=True)

    def behavior_of(self, unit: Unit) -> str:
        """Return the name of the unit's behavior, or "" if the unit waits for orders.

        A behavior that was assigned as an object has the name of its class.
        """
        instance_of("a unit", unit, Unit)
        return self._assigned[unit].name if unit in self._assigned else ""

    def reason_of(self, unit: Unit) -> str:
        """Return why an autonomous unit stays on its cell; "" if it moves or waits for orders."""
        instance_of("a unit", unit, Unit)
        return self._assigned[unit].reason if unit in self._assigned else ""

    def trail_of(self, unit: Unit) -> Trail:
        """Return the trail that a unit leaves; `ValueError` if the unit is not on the board."""
        self._board.state_of(unit)
        return self._trails[unit]

    def crumbs(self) -> list[Cell]:
        """Return the cells of all trails that a unit follows."""
        behaviors = [assigned.behavior for assigned in self._assigned.values()]
        followed = [each.trail for each in behaviors if isinstance(each, FollowTrail)]
        trails = [trail for trail in self._trails.values() if trail in followed]
        return [crumb.cell for trail in trails for crumb in trail]

    def points(self) -> dict[Cell, int]:
        """Return the waypoints of all traveling units, numbered in the order of their visits.

        Returns
        -------
        dict of Cell to int
            1 for the next stop of a unit, 2 for the stop after it, and so on up to the goal, which
            is included; 0 for waypoints that no unit is going to. Waypoints without ground are
            left out.
        """
        behaviors = [assigned.behavior for assigned in self._assigned.values()]
        travels = [each for each in behaviors if isinstance(each, Travel)]
        marks = {cell: 0 for travel in travels for cell in travel.waypoints.points.values()}
        for travel in travels:
            marks |= {cell: number for number, cell in enumerate(travel.stops, start=1)}
        tilemap = self._board.tilemap
        return {cell: mark for cell, mark in marks.items() if tilemap.has_surface(cell)}

    def assign(self, unit: Unit, behavior: str | Behavior, post: CellLike | None = None) -> None:
        """Start a behavior for a unit, or stop its behavior with "".

        Parameters
        ----------
        unit : Unit
        behavior : str or Behavior
            A name in `BEHAVIORS`; "" makes the unit wait for orders. Or a behavior
            of your own, an object for each unit.
        post : cell, optional
            For "patrol" and "guard": the other end of the round; if not given, the most expensive
            tile within one order's reach. For "travel" and "seek": the goal; if not given, the most
            expensive tile that can be reached at all. "travel" follows a unit that is there.

        Raises
        ------
        ValueError
            The unit is not on the board, or there is no such behavior; the object moves another
            unit, or comes with a post.
        IndexError, TypeError
            The post is outside the map or is not a cell; the behavior is not one.
        """
        self._board.state_of(unit)
        if isinstance(behavior, Behavior):
            self._check_own(unit, behavior, post)
            self._assigned[unit] = _Assigned(type(behavior).__name__, behavior)
        elif not isinstance(behavior, str):
            names = ", ".join(map(repr, _NAMES))
            raise TypeError(
                f"behavior must be a Behavior or one of {names}, got {quoted(behavior)}"
            )
        elif one_of("behavior", behavior, _NAMES):
            cell = None if post is None else self._board.tilemap.cell(post)
            assignment = Assignment(self._board, unit, cell, self._trails, self._rng, self._seed)
            self._assigned[unit] = _Assigned(behavior, BEHAVIORS[behavior].make(assignment))
        else:
            self._assigned.pop(unit, None)
        self._stayed.discard(unit)
        self._seen = {state for state in self._seen if state[0] is not unit}
        self.changed.emit(unit)

    def assign_next(self, unit: Unit, post: CellLike | None = None) -> str:
        """Start the next behavior in the catalog, or stop after the last; return its name.

        After a behavior that was assigned as an object, the first of the catalog is next.
        """
        now = self.behavior_of(unit)
        name = _NAMES[(_NAMES.index(now) + 1) % len(_NAMES)] if now in _NAMES else _NAMES[1]
        self.assign(unit, name, post)
        return name

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass: each unit that has arrived takes its next step.

        Raises
        ------
        TypeError, ValueError
            `dt_s` is not a number >= 0.
        """
        number_within("dt_s", dt_s, 0)
        turn = self._board.turn
        for unit, assigned in tuple(self._assigned.items()):
            assigned.behavior.advance(dt_s)
            assigned.rest_s -= dt_s
            is_current = self._assigned.get(unit) is assigned  # a listener may have changed it
            is_free = turn is None and is_current and not unit.is_moving
            if is_free and assigned.rest_s <= 0:
                self._step(unit, assigned)
        if turn is not None:
            self._advance_turn(turn)

    def _step(self, unit: Unit, assigned: _Assigned) -> bool:
        """Let a unit take its next step; False if it stays."""
        path = self._board.act(unit, assigned.behavior, is_automatic=True)
        assigned.rest_s = 0.0 if path else REST_S
        before, assigned.reason = assigned.reason, path.reason
        if assigned.reason != before:
            self.changed.emit(unit)
        return bool(path)

    def _advance_turn(self, turn: Turn) -> None:
        """Let the next unit of a turn act, once nobody walks; end the turn after the last."""
        if any(unit.is_moving for unit in self._board.units):
            return
        for unit in turn.units:
            assigned = self._assigned.get(unit)
            if assigned is None or unit in self._stayed:
                continue
            state = unit, unit.cell, unit.points
            is_back = state in self._seen  # free steps could go on forever
            self._seen.add(state)
            if is_back or not self._step(unit, assigned) or unit.points == 0:
                self._stayed.add(unit)
            return
        if turn.units and all(unit in self._assigned for unit in turn.units):
            self._board.end_turn(is_automatic=True)

    def _follow(self, entry: Entry) -> None:
        for change in entry.changes:
            if change.before is None:
                self._start_trail(self._board.unit(change.unit))
            elif change.after is None:
                self._forget(self._board.unit(change.unit))
        if entry.begins_turn:
            self._stayed.clear()
            self._seen.clear()

    def _process(self, dt_s: float) -> None:
        self.advance(dt_s)

    def _freed(self) -> None:
        for unit in tuple(self._trails):
            self._forget(unit)

    def _check_own(self, unit: Unit, behavior: Behavior, post: CellLike | None) -> None:
        """Raise `ValueError` for an object that moves another unit or comes with a post."""
        name = type(behavior).__name__
        if post is not None:
            raise ValueError(f"a post goes with a name, got a {name}: give the post to {name}")
        for other, assigned in self._assigned.items():
            if assigned.behavior is behavior and other is not unit:
                raise ValueError(f"this {name} moves {other.name}; each unit needs its own")

    def _start_trail(self, unit: Unit) -> None:
        trail = self._trails[unit] = Trail()
        trail.drop(unit.cell)
        unit.step_finished.connect(trail.drop, weak=True)

    def _forget(self, unit: Unit) -> None:
        unit.step_finished.disconnect(self._trails.pop(unit).drop)
        self._assigned.pop(unit, None)
