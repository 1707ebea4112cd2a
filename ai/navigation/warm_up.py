"""Compile the searches ahead of the first query."""

from collections.abc import Iterable

import numpy as np

from ai.navigation.navigation import Navigation
from ai.navigation.resumable_search import ALGORITHMS
from ai.rules.profile import MoveProfile
from ai.search.all_pairs import shortest
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, listed

_DEFAULT_PROFILE = MoveProfile()


def warm_up(
    tilemap: TileMap | None = None, profiles: Iterable[MoveProfile] = (_DEFAULT_PROFILE,)
) -> None:
    """Compile the searches, or load them from the cache, so that the first query is fast.

    Takes seconds the first time on a machine; it may run in another thread. Maps with links,
    hexagons or fractional costs use other compiled code, so pass a map of the kind to come.

    Parameters
    ----------
    tilemap : TileMap, optional
        It must not be edited meanwhile: pass a `copy.copy` of a map in use. If not given, a small
        plain map.
    profiles : iterable of MoveProfile
        Those that will be queried.
    """
    navigation = Navigation(TileMap.from_text("01") if tilemap is None else tilemap)
    for profile in dict.fromkeys(
        instance_of("profiles", profile, MoveProfile) for profile in listed("profiles", profiles)
    ):
        start = _any_stop(navigation, profile)
        if start is None:
            continue
        navigation.find_path(start, start, profile)
        navigation.find_path(start, [start], profile)
        navigation.reach(start, 2, profile)
        navigation.cost_field(start, profile)
        navigation.is_reachable(start, start, profile)
        for algorithm in ALGORITHMS:
            search = navigation.begin_search(start, start, profile, algorithm=algorithm)
            search.run(max_expansions=1)
            search.known_of(np.array(search.ends))
            _ = search.h
    shortest(np.zeros((2, 2)))  # for paths over waypoints


def _any_stop(navigation: Navigation, profile: MoveProfile) -> Cell | None:
    """Return a cell on which a path of a profile can end; None if there is none."""
    tilemap = navigation.tilemap
    for row, col in np.argwhere(~tilemap.void).tolist():
        if not navigation.explain_stop((row, col), profile):
            return Cell(row, col)
    return None
