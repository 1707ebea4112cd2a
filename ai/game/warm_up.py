"""Compiling what queries need before somebody waits for their answers."""

from collections.abc import Iterable
from functools import partial

import numpy as np

from ai.navigation.algorithms import ALGORITHMS
from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from ai.search.all_pairs import shortest
from ai.trace.comparison import SearchComparison, SearchOptions
from terrain3d import Cell, TileMap

_USUAL_PROFILE = MoveProfile()


def warm_up(
    tilemap: TileMap | None = None, profiles: Iterable[MoveProfile] = (_USUAL_PROFILE,)
) -> None:
    """Compile the searches now, or load them from the cache, so that the first query is quick.

    Takes seconds the very first time on a machine; it may run in a thread of its own. Maps with
    links, hexagons or fractional costs have searches of their own, so give it one like those that
    are to come.

    Parameters
    ----------
    tilemap : TileMap, optional
        Nobody may edit it meanwhile; a `copy.copy` of one that is in use. If not given, a plain
        one.
    profiles : iterable of MoveProfile
        Who will move.
    """
    navigation = Navigation(TileMap.from_text("01") if tilemap is None else tilemap)
    for profile in dict.fromkeys(profiles):
        start = _some_place(navigation, profile)
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
    shortest(np.zeros((2, 2)))  # for ways over waypoints


def _some_place(navigation: Navigation, profile: MoveProfile) -> Cell | None:
    """Give a cell on which a mover can stand; None if there is none."""
    tilemap = navigation.tilemap
    for row, col in np.argwhere(~tilemap.void).tolist():
        if not navigation.explain_stop((row, col), profile):
            return Cell(row, col)
    return None
