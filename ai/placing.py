"""Waypoints on a map: placed at random, and joined by what a mover really walks."""

import math
from itertools import product

import numpy as np

from ai.navigation import Navigation
from ai.nodes import is_on
from ai.profile import MoveProfile
from ai.waypoints import Waypoints
from terrain3d import Cell

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
    """
    waypoints, tilemap = Waypoints(), navigation.tilemap
    columns = product(range(tilemap.rows), range(tilemap.cols))
    cells = [Cell(*column, deck) for column in columns for deck in tilemap.decks_at(column)]
    away = tilemap.grid.distance
    for number in rng.permutation(len(cells)).tolist():
        if len(waypoints) >= count:
            break
        others = waypoints.points.values()
        is_free = all(away(cells[number][:2], cell[:2]) >= spacing_tiles for cell in others)
        if is_free and not navigation.explain_stop(cells[number], profile):
            waypoints.add_point(f"p{len(waypoints)}", cells[number])
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
    """
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
