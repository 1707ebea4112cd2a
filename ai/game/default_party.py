"""The company of the scene: who stands where on a map that tells of nobody."""

from collections.abc import Mapping

import numpy as np

from ai.rules.profile import MoveProfile
from terrain3d import TileMap

_MEMBERS: tuple[tuple[str, str, str, float, float], ...] = (
    ("Mira", "blue", "light foot", 0.5, 0.45),
    ("Bram", "red", "heavy foot", 0.42, 0.6),
    ("Ilka", "blue", "float", 0.62, 0.58),
    ("Tove", "blue", "acrobat", 0.48, 0.38),
    ("Odo", "blue", "heavy foot", 0.55, 0.42),
)
"""Name, team, mover, and place as parts of the map's rows and columns."""


def default_party(tilemap: TileMap, profile: MoveProfile) -> list[Mapping[str, object]]:
    """Tell of units as a map does, each on the free easy ground that is nearest to its place.

    Parameters
    ----------
    tilemap : TileMap
        Where there is too little easy ground, there are fewer of them.
    profile : MoveProfile
        For whom ground is to be easy.

    Returns
    -------
    list of dict
        Entries as `UnitLoader` reads them.
    """
    is_easy = profile.entry_cost(tilemap) <= 1
    is_easy &= [profile.can_stop_on(kind) for kind in tilemap.kinds]
    rows, cols = np.nonzero(is_easy[tilemap.kind] & ~tilemap.void)
    taken = np.zeros(len(rows), dtype=bool)
    entries: list[Mapping[str, object]] = []
    for name, team, mover, down, across in _MEMBERS:
        if taken.all():
            break
        away = (rows - down * tilemap.rows) ** 2 + (cols - across * tilemap.cols) ** 2
        nearest = int(np.where(taken, np.inf, away).argmin())
        taken[nearest] = True
        cell = [int(rows[nearest]), int(cols[nearest])]
        entries.append({"name": name, "cell": cell, "team": team, "mover": mover})
    return entries
