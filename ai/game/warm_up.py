"""Compile all functions ahead of the first query."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from ai.analysis.choke_points import cut_off
from ai.analysis.map_check import check
from ai.navigation.navigation import Navigation
from ai.navigation.profile_index import LABELS, LANDMARKS
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from ai.search.jit import is_cached
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, listed, true_or_false

_FRACTIONS = MoveProfile(climb_cost=0.0001)
"""Its costs do not fit in bytes, which other compiled code serves."""
_IN_ANOTHER_PROCESS = "import ai; ai.warm_up()"


def warm_up(
    tilemap: TileMap | None = None,
    profiles: Iterable[MoveProfile] = (DEFAULT_PROFILE, _FRACTIONS),
    *,
    background: bool = False,
) -> "Future[None] | None":
    """Compile all functions, or load them from the cache, so that the first query is fast.

    Takes up to a minute the first time on a machine; those of `Navigation.find_path` are the first.

    Parameters
    ----------
    tilemap : TileMap, optional
        It must not be edited meanwhile: pass a `copy.copy` of a map in use. If not given, a small
        plain map.
    profiles : iterable of MoveProfile
        Those that will be queried.
    background : bool
        Return at once. Another process fills the cache of compiled code, so that this one goes on
        without a pause; in a packed game another thread compiles. A query meanwhile waits for the
        functions that it needs itself.

    Returns
    -------
    concurrent.futures.Future or None
        In the background: whether it is `done()`.
    """
    chosen = dict.fromkeys(
        instance_of("profiles", profile, MoveProfile) for profile in listed("profiles", profiles)
    )
    known = _small_map() if tilemap is None else instance_of("tilemap", tilemap, TileMap)
    if not true_or_false("background", background):
        _compile(known, chosen)
        return None
    future: Future[None] = Future()

    def run() -> None:
        try:
            is_alone = getattr(sys, "frozen", False) or not sys.executable
            if not is_alone and not is_compiled():
                command = [sys.executable, "-P", "-c", _IN_ANOTHER_PROCESS]
                with suppress(OSError):  # this thread compiles then
                    # It imports this package, and not an ai.py of the working folder.
                    folders = Path(__file__).parents[2], *(Path(each) for each in sys.path if each)
                    path = os.pathsep.join(str(folder.absolute()) for folder in folders)
                    subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, check=False)
            _compile(known, chosen)
            future.set_result(None)
        except BaseException as error:
            future.set_exception(error)

    # The program may end meanwhile: the other process goes on, for the next start.
    threading.Thread(target=run, name="warm_up", daemon=True).start()
    return future


@cache
def warming_up() -> "Future[None]":
    """Return the one warm-up in the background that nodes of this process share; begin it first."""
    future = warm_up(background=True)
    assert future is not None
    return future


def is_compiled() -> bool:
    """Return whether a query has nothing to compile, but only to load."""
    return is_cached(cut_off)  # which is compiled last


def _compile(tilemap: TileMap, profiles: Iterable[MoveProfile]) -> None:
    navigation = Navigation(tilemap)
    for profile in profiles:
        cells = (Cell(*cell) for cell in np.argwhere(~tilemap.void).tolist())
        start = next((cell for cell in cells if not navigation.explain_stop(cell, profile)), None)
        if start is None:
            continue
        beside = next(iter(navigation.reach(start, 2, profile)))
        navigation.find_path(start, beside, profile, max_cost=1e6)
        navigation.find_path(start, [start, beside], profile)
        navigation.reaches([start], 2, profile)
        navigation.is_reachable(start, start, profile)
        navigation.cost_field(start, profile).path_from(start)
    tilemap = _small_map()
    navigation = Navigation(tilemap)
    for kind in LABELS, LANDMARKS:
        navigation.build_index(kind=kind)
        navigation.find_path((0, 0), (0, 1))
    check(navigation)


def _small_map() -> TileMap:
    """Return a map on which each function has something to do."""
    return TileMap.from_text("""
        01
        00
    """)
