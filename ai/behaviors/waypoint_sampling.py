"""Waypoints on a map: placed at random, and joined by what a mover really walks."""

import math

import numpy as np

from ai.behaviors.waypoints import Waypoints
from ai.navigation.navigation import Navigation
from ai.rules.nodes import is_on
from ai.rules.profile import MoveProfile
from terrain3d import Cell
from terrain3d.core.checks import instance_of, number_within, whole_number

_DEFAULT_PROFILE = MoveProfile()


def scatter(
    navigation: Navigation,
    count: int,
    rng: np.random.Generator,
    profile: MoveProfile = _DEFAULT_PROFILE,
    *,
    spacing_tiles: int = 4,
) -> Waypoints:
    """Place points at random on cells where a mover can stop, without edges.

    Parameters
    ----------
    count : int
        How many at most; there are fewer if no more find room. They are called "p0", "p1" and on.
    rng : numpy.random.Generator
        Equal ones place equal points on equal maps.
    spacing_tiles : int
        How far apart they lie at least.

    Raises
    ------
    TypeError
        A number is no whole one, or the navigation or generator is none.
    """
    instance_of("navigation", navigation, Navigation)
    count = whole_number("count", count)
    spacing_tiles = whole_number("spacing_tiles", spacing_tiles)
    instance_of("rng", rng, np.random.Generator)
    waypoints, tilemap = Waypoints(), navigation.tilemap
    plane, lengths = tilemap.grid.plane(), tilemap.grid.lengths
    left = rng.permutation(np.argwhere(~np.moveaxis(tilemap.surface_void, 0, -1)))
    while len(left) and len(waypoints) < count:
        cell, left = Cell(*left[0].tolist()), left[1:]
        if not navigation.explain_stop(cell, profile):
            waypoints.add_point(f"p{len(waypoints)}", cell)
            away = plane[left[:, 0], left[:, 1]] - plane[cell[:2]]
            left = left[lengths(away) >= spacing_tiles]
    return waypoints


def measure(
    waypoints: Waypoints,
    navigation: Navigation,
    profile: MoveProfile = _DEFAULT_PROFILE,
    *,
    max_cost: float = math.inf,
) -> None:
    """Replace all edges by what a mover can walk, at its true cost in each direction.

    That is so for the map as it is; after edits, measure again. Points that the map does not have
    get no edges.

    Parameters
    ----------
    max_cost : number
        Points between which a way costs more get no edge.

    Raises
    ------
    TypeError, ValueError
        They are no Waypoints, or the navigation or cost is none.
    """
    instance_of("waypoints", waypoints, Waypoints)
    instance_of("navigation", navigation, Navigation)
    number_within("max_cost", max_cost, 0)
    tilemap = navigation.tilemap
    for start, end, _ in waypoints.edges:
        waypoints.disconnect(start, end, one_way=True)
    cells = {name: cell for name, cell in waypoints.points.items() if is_on(tilemap, cell)}
    for start, cell in cells.items():
        costs = navigation.reach(cell, max_cost, profile).as_costs()
        costs = costs.reshape(tilemap.surface_level.shape)
        for end, (row, col, deck) in cells.items():
            if end != start and costs[deck, row, col] < math.inf:
                waypoints.connect(start, end, float(costs[deck, row, col]), one_way=True)
