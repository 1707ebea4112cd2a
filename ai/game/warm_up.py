"""Compile the searches before a player waits for their answers."""

from collections.abc import Iterable
from functools import partial

import numpy as np

from ai.navigation.algorithms import ALGORITHMS
from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from ai.search.all_pairs import shortest
from ai.trace.comparison import SearchComparison, SearchOptions
from terrain3d import Cell, TileMap

_DEFAULT_PROFILE = MoveProfile()


def warm_up(
    tilemap: TileMap | None = None, profiles: Iterable[MoveProfile] = (_DEFAULT_PROFILE,)
) -> None:
    """Compile the searches now, or load them from the cache, so that the first query is fast.

    Takes seconds on the first start on a machine, and may run in its own thread. Maps with links,
    hexagons or fractional costs use searches of their own, so pass a map like those to come.

    Parameters
    ----------
    tilemap : TileMap, optional
        Must not be edited meanwhile; pass a `copy.copy` of a map in use. A flat map if not given.
    profiles : iterable of MoveProfile
        The profiles of the units.
    """
    navigation = Navigation(TileMap.from_text("01") if tilemap is None else tilemap)
    for profile in dict.fromkeys(profiles):
        start = _first_cell(navigation, profile)
        if start is None:
            continue
        navigation.find_path(start, start, profile)
        navigation.find_path(start, [start], profile)
        navigation.reach(start, 2, profile)
        navigation.cost_field(start, profile)
        navigation.is_reachable(start, start, profile)
        for algorithm in ALGORITHMS:
            begin = partial(navigation.begin_search, start, start)
            SearchComparison(begin, SearchOptions(profile, algorithm)).replays()
    shortest(np.zeros((2, 2)))  # for routes over waypoints


def _first_cell(navigation: Navigation, profile: MoveProfile) -> Cell | None:
    """Return a cell on which a mover can stop; None if there is none."""
    tilemap = navigation.tilemap
    for row, col in np.argwhere(~tilemap.void).tolist():
        if not navigation.explain_stop((row, col), profile):
            return Cell(row, col)
    return None
