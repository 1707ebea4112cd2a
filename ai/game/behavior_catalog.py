"""The behaviors that a game can assign by name: a description and a factory for each."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ai.behaviors.behavior import Behavior
from ai.behaviors.chase import Chase
from ai.behaviors.explore import Explore
from ai.behaviors.fallbacks import FirstOf
from ai.behaviors.flee import Flee
from ai.behaviors.follow_wall import FollowWall
from ai.behaviors.intercept import Intercept
from ai.behaviors.keep_distance import KeepDistance
from ai.behaviors.patrol import Patrol
from ai.behaviors.seek import Seek
from ai.behaviors.trail import FollowTrail, Trail
from ai.behaviors.travel import Travel
from ai.behaviors.wander import Wander
from ai.behaviors.waypoint_sampling import measure, scatter
from ai.board.board import Board
from ai.board.unit import Unit
from terrain3d import Cell

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
        return [other for other in self.board.units if other.team != self.unit.team]

    def _nearest(self, others: list[Unit]) -> Unit | None:
        distance, here = self.board.tilemap.grid.distance, self.unit.cell[:2]
        return min(others, key=lambda other: distance(other.cell[:2], here), default=None)


def _intercept(assignment: Assignment) -> Intercept:
    """Return a behavior for one enemy: line and speed ratio hold for one target only."""
    enemy, board = assignment.nearest_enemy(), assignment.board
    if enemy is None:
        return Intercept(lambda: None)
    return Intercept(
        lambda: enemy.cell if enemy in board.units else None,
        speed_ratio=assignment.unit.speed_tiles_s / enemy.speed_tiles_s,
        prey=enemy.profile,
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
        direct_within=spacing_tiles,
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
