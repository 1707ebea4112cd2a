"""The behaviors that a key of the scene gives to units, and what players see and read of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from ai.behaviors.behavior import Behavior, FirstOf
from ai.behaviors.chase import Chase, Intercept
from ai.behaviors.explore import Explore, FollowWall, Wander
from ai.behaviors.flee import Flee, KeepDistance
from ai.behaviors.seek import Patrol, Seek
from ai.behaviors.trail import FollowTrail, Trail
from ai.behaviors.travel import Travel
from ai.behaviors.waypoints import measure, scatter
from terrain3d.core.translation import tr
from terrain3d.grid.reason import plain_reason

if TYPE_CHECKING:
    from ai.board.board import Board
    from ai.board.unit import Unit
    from ai.game.autopilot import Autopilot
    from terrain3d.grid.grid import Cell

CHASE = "chases the nearest enemy"
"""The name of what enemies of the player do."""
PATROL_WAIT_S = 0.5
GUARD_COST = 12
"""Highest cost of a path to an enemy for which a guard leaves its round."""

NEAREST_TILES, FARTHEST_TILES = 3, 5
"""Distances from the nearest enemy between which a unit keeps."""

N_POINTS = 24
"""Waypoints of a traveler, however large the map is."""
LEAST_SPACING_TILES = 3
EDGE_SPACINGS = 4
"""The highest cost of an edge between two waypoints, in multiples of their spacing."""


@dataclass(frozen=True)
class Task:
    """A unit that gets a behavior, and what the behavior may depend on."""

    board: Board
    unit: Unit
    post: Cell | None
    """Where the unit is sent, for behaviors that have a destination."""
    rng: np.random.Generator

    def threats(self) -> list[Cell]:
        """Return the cells of all enemies in sight now, the nearest first."""
        return [enemy.cell for enemy in self.enemies()]

    def enemies(self) -> list[Unit]:
        """Return the enemies that the side of the unit sees, the nearest first."""
        return self.by_distance(self.board.enemies_of(self.unit))

    def by_distance(self, units: Iterable[Unit]) -> list[Unit]:
        """Return those of some units that the side of the unit sees, the nearest first."""
        nearest, is_seen = self.board.situation(self.unit).nearest, self.board.is_seen
        seen = (each for each in units if is_seen(each, self.unit.team))
        return sorted(seen, key=lambda other: nearest(other.cells)[0])

    def prey(self) -> Cell | None:
        """Return the cell of the nearest enemy in sight now."""
        return next(iter(self.threats()), None)

    def goal(self) -> Cell:
        """Return the post, or the cell that is the most expensive to reach."""
        if self.post is not None:
            return self.post
        return [self.unit.cell, *self.board.situation(self.unit).reach(math.inf).cells][-1]

    def cell_in_sight(self, other: Unit) -> Cell | None:
        """Return the cell of another unit now; None if it has left or its side does not see it."""
        is_there = other in self.board.units and self.board.is_seen(other, self.unit.team)
        return other.cell if is_there else None


def _intercept(task: Task) -> Intercept:
    """Return a behavior for one enemy: line and speed ratio hold for one target only."""
    enemy = next(iter(task.enemies()), None)
    if enemy is None:
        return Intercept(lambda: None)
    ratio = task.unit.speed_tiles_s / enemy.speed_tiles_s
    cell = partial(task.cell_in_sight, enemy)
    return Intercept(cell, speed_ratio=ratio, prey=enemy.profile)


def _keep(task: Task) -> KeepDistance:
    flee = Flee(task.threats)  # from all enemies, or it would run into the next one
    return KeepDistance(task.prey, NEAREST_TILES, FARTHEST_TILES, flee=flee)


def _patrol(task: Task) -> Patrol:
    far = task.board.reach(task.unit).cells[-1:] if task.post is None else [task.post]
    return Patrol([task.unit.cell, *far], wait_s=PATROL_WAIT_S)


def _guard(task: Task) -> FirstOf:
    return FirstOf(Chase(task.prey, max_cost=GUARD_COST), _patrol(task))


def _travel(task: Task) -> Travel:
    """Return a behavior over a few points spread over the map, with edges between near ones.

    They are the same on equal maps.
    """
    board, unit, goal = task.board, task.unit, task.goal()
    tilemap, rng = board.tilemap, np.random.default_rng(0)
    spacing = math.sqrt(tilemap.rows * tilemap.cols / N_POINTS) * 0.8  # wider, not all fit
    spacing_tiles = max(LEAST_SPACING_TILES, round(spacing))
    points = scatter(board.navigation, N_POINTS, rng, unit.profile, spacing_tiles=spacing_tiles)
    max_cost = EDGE_SPACINGS * spacing_tiles
    measure(points, board.navigation, unit.profile, max_cost=max_cost)
    host = board.unit_at(goal)
    is_led = host is not None and board.is_seen(host, unit.team)
    target = partial(task.cell_in_sight, host) if host is not None and is_led else goal
    return Travel(points, target, join_within=max_cost)


def _follow(task: Task) -> FollowTrail:
    """Return a behavior that follows the crumbs of the nearest other unit from now on."""
    trail, others = Trail(), [each for each in task.board.units if each is not task.unit]
    for leader in task.by_distance(others)[:1]:
        trail.drop(leader.cell)
        leader.step_finished.connect(trail.drop, weak=True)
    return FollowTrail(trail, task.rng)


BEHAVIORS: Mapping[str, Callable[[Task], Behavior]] = MappingProxyType(
    {
        CHASE: lambda task: Chase(task.prey),
        "cuts off the nearest enemy": _intercept,
        "flees from enemies": lambda task: Flee(task.threats),
        f"keeps {NEAREST_TILES} to {FARTHEST_TILES} tiles from the nearest enemy": _keep,
        "patrols": _patrol,
        "chases enemies nearby, else patrols": _guard,
        "travels along waypoints": _travel,
        "goes straight, sidestepping at random": lambda task: Seek(task.goal(), task.rng),
        "follows a trail of crumbs": _follow,
        "wanders": lambda task: Wander(task.rng),
        "explores": lambda _task: Explore(),
        "keeps the wall on its right": lambda _task: FollowWall(),
    }
)
"""What makes each behavior, in the order of the key, by what players read of it."""

_NAMES = ("", *BEHAVIORS)


class BehaviorKey:
    """Gives the units of an autopilot one behavior after the other, and shows what they do.

    Parameters
    ----------
    autopilot : Autopilot
    board : Board
    seed : int
        That of random behaviors.
    """

    def __init__(self, autopilot: Autopilot, board: Board, seed: int) -> None:
        self._autopilot, self._board = autopilot, board
        self._rng = np.random.default_rng(seed)
        self._names = WeakKeyDictionary[Behavior, str]()

    def assign_next(self, unit: Unit, post: Cell | None = None) -> str:
        """Start the next behavior, or none after the last, and return what the unit does now.

        A patrol leads to the post and back, a journey to the post, or to the unit there. Without a
        post it is the most expensive tile within one order's reach, or that can be reached at all.
        """
        name = _NAMES[(_NAMES.index(self._name_of(unit)) + 1) % len(_NAMES)]
        self.assign(unit, name, post)
        return tr(name) if name else tr("waits for orders")

    def assign(self, unit: Unit, name: str, post: Cell | None = None) -> None:
        """Start the behavior of a name, or none with ""."""
        behavior = None
        if name:
            behavior = BEHAVIORS[name](Task(self._board, unit, post, self._rng))
            self._names[behavior] = name
        self._autopilot.assign(unit, behavior)

    def describe(self, unit: Unit, *, has_coordinates: bool) -> list[str]:
        """Return a unit's behavior, and why it stays if it does; no lines without a behavior."""
        name, why = self._name_of(unit), self._autopilot.reason_of(unit)
        if not name:
            return []
        what = tr("autopilot: {behavior}", behavior=tr(name))
        return [what, *([plain_reason(why, has_coordinates=has_coordinates)] if why else [])]

    def _name_of(self, unit: Unit) -> str:
        behavior = self._autopilot.behavior_of(unit)
        return "" if behavior is None else self._names.get(behavior, "")

    def crumbs(self) -> list[Cell]:
        """Return the cells of all trails that a unit follows."""
        behaviors = self._autopilot.behaviors.values()
        followed = [each.trail for each in behaviors if isinstance(each, FollowTrail)]
        return [crumb.cell for trail in followed for crumb in trail]

    def points(self) -> dict[Cell, int]:
        """Return the waypoints of all traveling units, numbered in the order of their visits.

        Returns
        -------
        dict of Cell to int
            1 for the next stop of a unit, 2 for the stop after it, and so on up to the goal, which
            is included; 0 for waypoints that no unit is going to. Waypoints without ground are
            left out.
        """
        behaviors = self._autopilot.behaviors.values()
        travels = [each for each in behaviors if isinstance(each, Travel)]
        marks = {cell: 0 for travel in travels for cell in travel.waypoints.points.values()}
        for travel in travels:
            marks |= {cell: number for number, cell in enumerate(travel.stops, start=1)}
        has_surface = self._board.tilemap.has_surface
        return {cell: mark for cell, mark in marks.items() if has_surface(cell)}
