"""Place waypoints on a map at random, and connect them by true walking costs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ai.behaviors.waypoints import Waypoints
from ai.navigation.extra_cost import checked_surface_values
from ai.navigation.navigation import Navigation
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile, checked_profile
from terrain3d import Cell
from terrain3d.core.checks import instance_of, number_within, whole_within


def scatter(
    navigation: Navigation,
    count: int,
    rng: np.random.Generator,
    profile: MoveProfile = DEFAULT_PROFILE,
    *,
    spacing_tiles: int = 4,
    weights: ArrayLike | None = None,
) -> Waypoints:
    """Return points at random cells where a mover can stop, with positions, without edges.

    Parameters
    ----------
    count : int
        The most points, >= 0; there are fewer if no more fit. Their names are "p0", "p1", ...
    rng : numpy.random.Generator
        Equal generators place equal points on equal maps.
    spacing_tiles : int
        The least distance between two points, >= 0.
    weights : (rows, cols) number, optional
        How likely each tile is drawn beside the others, 0..1,000,000, as for cover or height; none
        with 0. Of shape (n_decks + 1, rows, cols) for each deck its own.

    Raises
    ------
    TypeError, ValueError
        A number is not whole or out of its limits, or the navigation or generator has the wrong
        type; the weights have another shape, or one is NaN or out of its limits.
    """
    instance_of("navigation", navigation, Navigation)
    whole_within("count", count, 0)
    whole_within("spacing_tiles", spacing_tiles, 0)
    instance_of("rng", rng, np.random.Generator)
    checked_profile(profile)
    waypoints, tilemap = Waypoints(), navigation.tilemap
    plane, lengths = tilemap.grid.plane(), tilemap.grid.lengths
    cells = np.argwhere(~np.moveaxis(tilemap.surface_void, 0, -1))
    if weights is None:
        rest = rng.permutation(cells)
    else:
        row, col, deck = cells.T
        weight = checked_surface_values("weights", weights, tilemap)[deck, row, col]
        cells, weight = cells[weight > 0], weight[weight > 0]
        # The smallest of exponential variables is that of each cell in proportion to its rate.
        rest = cells[np.argsort(rng.exponential(size=len(cells)) / weight, kind="stable")]
    while len(rest) and len(waypoints) < count:
        cell, rest = Cell(*rest[0].tolist()), rest[1:]
        if not navigation.explain_stop(cell, profile):
            waypoints.add_point(f"p{len(waypoints)}", cell, tilemap.surface_point(cell))
            offsets = plane[rest[:, 0], rest[:, 1]] - plane[cell[:2]]
            rest = rest[lengths(offsets) >= spacing_tiles]
    return waypoints


def measure(
    waypoints: Waypoints,
    navigation: Navigation,
    profile: MoveProfile = DEFAULT_PROFILE,
    *,
    max_cost: float = math.inf,
) -> None:
    """Replace all edges by the paths of a mover, at their true cost in each direction.

    The costs are those of the map as it is now; measure again after edits. Points that are not on
    the map get no edges.

    Parameters
    ----------
    max_cost : number
        Paths that cost more get no edge.

    Raises
    ------
    TypeError, ValueError
        `waypoints` are not Waypoints, or the navigation or cost has the wrong type or value.
    """
    instance_of("waypoints", waypoints, Waypoints)
    instance_of("navigation", navigation, Navigation)
    checked_profile(profile)
    number_within("max_cost", max_cost, 0)
    tilemap = navigation.tilemap
    for start, end, _ in waypoints.edges:
        waypoints.disconnect(start, end, one_way=True)
    cells = {name: cell for name, cell in waypoints.points.items() if tilemap.has_cell(cell)}
    for start, cell in cells.items():
        costs = navigation.reach(cell, max_cost, profile).as_costs()
        costs = costs.reshape(tilemap.surface_level.shape)
        for end, (row, col, deck) in cells.items():
            if end != start and costs[deck, row, col] < math.inf:
                waypoints.connect(start, end, float(costs[deck, row, col]), one_way=True)
