"""Compile the searches ahead of the first query."""

from collections.abc import Iterable
from concurrent.futures import Future

import numpy as np

from ai.compilation.jit import in_background
from ai.navigation.navigation import Navigation
from ai.navigation.resumable_search import ALGORITHMS
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, listed, true_or_false

MOST_UNCOMPILED_TILES = 10_000
"""The largest map on which a player may wait for searches that run as plain Python."""


def warm_up(
    tilemap: TileMap | None = None,
    profiles: Iterable[MoveProfile] = (DEFAULT_PROFILE,),
    *,
    background: bool = False,
) -> "Future[None] | None":
    """Compile the searches, or load them from the cache, so that the first query is fast.

    Takes seconds the first time on a machine. Maps with links, hexagons or fractional costs use
    other compiled code, so pass a map of the kind to come.

    Parameters
    ----------
    tilemap : TileMap, optional
        It must not be edited meanwhile: pass a `copy.copy` of a map in use. If not given, a small
        plain map.
    profiles : iterable of MoveProfile
        Those that will be queried.
    background : bool
        Compile in another thread. Until that is done, the calling thread runs what is not compiled
        yet as plain Python, which gives the same answers, some hundred times more slowly.

    Returns
    -------
    concurrent.futures.Future or None
        In the background: whether it is `done()`.
    """
    chosen = dict.fromkeys(
        instance_of("profiles", profile, MoveProfile) for profile in listed("profiles", profiles)
    )
    known = TileMap.from_text("01") if tilemap is None else instance_of("tilemap", tilemap, TileMap)
    if true_or_false("background", background):
        return in_background(lambda: _compile(known, chosen))
    _compile(known, chosen)
    return None


def _compile(tilemap: TileMap, profiles: Iterable[MoveProfile]) -> None:
    navigation = Navigation(tilemap)
    for profile in profiles:
        cells = (Cell(*cell) for cell in np.argwhere(~tilemap.void).tolist())
        start = next((cell for cell in cells if not navigation.explain_stop(cell, profile)), None)
        if start is None:
            continue
        navigation.find_path(start, start, profile)
        navigation.find_path(start, [start], profile)
        navigation.reach(start, 2, profile, halting=np.argwhere(~tilemap.void)[:2])
        navigation.reaches([start], 2, profile)
        navigation.cost_field(start, profile)
        navigation.is_reachable(start, start, profile)
        for algorithm in ALGORITHMS:
            search = navigation.begin_search(start, start, profile, algorithm=algorithm)
            search.run(max_expansions=1)
            search.known_of(np.array(search.ends))
            _ = search.h
