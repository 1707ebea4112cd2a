"""The ways in which a unit can move by itself: their names, how they are said, what does them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ai.behaviors.behavior import Behavior
from ai.behaviors.chase import Chase
from ai.behaviors.explore import Explore
from ai.behaviors.flee import Flee
from ai.behaviors.follow_wall import FollowWall
from ai.behaviors.intercept import Intercept
from ai.behaviors.keep_distance import KeepDistance
from ai.behaviors.patrol import Patrol
from ai.behaviors.trail import FollowTrail, Trail
from ai.behaviors.travel import Travel
from ai.behaviors.wander import Wander
from ai.behaviors.waypoint_sampling import measure, scatter
from ai.behaviors.waypoints import Waypoints
from ai.board.board import Board
from ai.board.unit import Unit
from terrain3d import Cell

PATROL_WAIT_S = 0.5

NEAREST_TILES, FARTHEST_TILES = 3, 5
"""Between which distances from the nearest enemy a unit keeps."""

N_POINTS = 24
"""How many waypoints are laid for who travels, however large the map is."""
LEAST_SPACING_TILES = 3
EDGE_SPACINGS = 4
"""So many times what points lie apart an edge between two of them costs at most."""


@dataclass(frozen=True)
class Case:
    """Who shall move by itself, where, and what its way may depend on.

    Parameters
    ----------
    board : Board
    unit : Unit
    post : Cell or None
        Where it is sent, if its way leads anywhere.
    trails : mapping from Unit to Trail
        What everybody on the board leaves.
    rng : numpy.random.Generator
        For who walks at random.
    seed : int
        For waypoints: equal on equal maps.
    """

    board: Board
    unit: Unit
    post: Cell | None
    trails: Mapping[Unit, Trail]
    rng: np.random.Generator
    seed: int

    def nearest_other(self) -> Unit | None:
        """Give whoever is nearest to the unit; None if it is alone."""
        return self._nearest([other for other in self.board.units if other is not self.unit])

    def nearest_enemy(self) -> Unit | None:
        """Give the enemy that is nearest to the unit; None if there is none."""
        return self._nearest(self._enemies())

    def prey(self) -> Cell | None:
        """Give where the nearest enemy is now."""
        enemy = self.nearest_enemy()
        return None if enemy is None else enemy.cell

    def threats(self) -> list[Cell]:
        """List where the enemies are now."""
        return [enemy.cell for enemy in self._enemies()]

    def _enemies(self) -> list[Unit]:
        return [other for other in self.board.units if other.team != self.unit.team]

    def _nearest(self, others: list[Unit]) -> Unit | None:
        away, here = self.board.tilemap.grid.distance, self.unit.cell[:2]
        return min(others, key=lambda other: away(other.cell[:2], here), default=None)


def _intercept(case: Case) -> Intercept:
    """Pick who is cut off once: a line and a speed are those of one target."""
    enemy, board = case.nearest_enemy(), case.board
    if enemy is None:
        return Intercept(lambda: None)
    return Intercept(
        lambda: enemy.cell if enemy in board.units else None,
        speed_ratio=case.unit.speed_tiles_s / enemy.speed_tiles_s,
        prey=enemy.profile,
    )


def _keep(case: Case) -> KeepDistance:
    flee = Flee(case.threats)  # from all of them, not into the arms of the next nearest
    return KeepDistance(case.prey, NEAREST_TILES, FARTHEST_TILES, flee=flee)


def _patrol(case: Case) -> Patrol:
    far = case.board.reach(case.unit).cells[-1:] if case.post is None else [case.post]
    return Patrol([case.unit.cell, *far], wait_s=PATROL_WAIT_S)


def _follow(case: Case) -> FollowTrail:
    leader = case.nearest_other()
    return FollowTrail(Trail() if leader is None else case.trails[leader], case.rng)


def _travel(case: Case) -> Travel:
    goal = case.post
    if goal is None:
        goal = [case.unit.cell, *case.board.situation(case.unit).reach(math.inf).cells][-1]
    return Travel(_waypoints(case), goal)


def _waypoints(case: Case) -> Waypoints:
    """Lay few points over the whole map, with edges between those that are near each other."""
    navigation, profile = case.board.navigation, case.unit.profile
    tilemap, rng = navigation.tilemap, np.random.default_rng(case.seed)
    spacing = math.sqrt(tilemap.rows * tilemap.cols / N_POINTS) * 0.8  # else not all find room
    spacing_tiles = max(LEAST_SPACING_TILES, round(spacing))
    points = scatter(navigation, N_POINTS, rng, profile, spacing_tiles=spacing_tiles)
    measure(points, navigation, profile, max_cost=EDGE_SPACINGS * spacing_tiles)
    return points


class Way(NamedTuple):
    """How a way is said of a unit, and what leads a unit that way."""

    words: str
    make: Callable[[Case], Behavior]


WAYS: Mapping[str, Way] = MappingProxyType(
    {
        "chase": Way("chases the nearest enemy", lambda case: Chase(case.prey)),
        "intercept": Way("cuts the nearest enemy off", _intercept),
        "flee": Way("flees from enemies", lambda case: Flee(case.threats)),
        "keep": Way(
            f"keeps {NEAREST_TILES} to {FARTHEST_TILES} tiles from the nearest enemy", _keep
        ),
        "patrol": Way("patrols", _patrol),
        "travel": Way("travels by waypoints", _travel),
        "follow": Way("follows a trail of crumbs", _follow),
        "wander": Way("wanders", lambda case: Wander(case.rng)),
        "explore": Way("explores", lambda _case: Explore()),
        "wall": Way("keeps to the wall at its right hand", lambda _case: FollowWall()),
    }
)
"""All there are by name, in the order in which a key goes through them."""
