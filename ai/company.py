"""The company of the scene: units that move differently, and where they stand at first."""

from dataclasses import replace
from typing import Any

import numpy as np

from ai import movers
from ai.profile import MoveProfile
from ai.unit import Unit
from terrain3d import TileMap

MOVE_POINTS = 6
TO_THE_VIEWER_DEG = 218.0
"""Towards where the scene is looked at from at first."""

_MEMBERS: tuple[tuple[str, str, float, float, dict[str, Any]], ...] = (
    ("Mira", "blue", 0.5, 0.45, {}),
    ("Bram", "red", 0.42, 0.6, {"max_climb": 1, "max_drop": 2}),
    ("Ilka", "blue", 0.62, 0.58, {"kind_cost": movers.FLOAT.kind_cost, "hover": 1}),
    ("Tove", "blue", 0.48, 0.38, {"max_climb": 3, "max_drop": 4}),
    ("Odo", "blue", 0.55, 0.42, {"max_climb": 1, "max_drop": 2}),
)
"""Name, team, place as parts of the map's rows and columns, and how the mover differs."""


def company(tilemap: TileMap, profile: MoveProfile) -> list[Unit]:
    """Make the units, each on the free easy ground that is nearest to its place.

    Parameters
    ----------
    tilemap : TileMap
        Where there is too little easy ground, there are fewer of them.
    profile : MoveProfile
        How they move, but for what makes each of them differ.
    """
    is_easy = profile.entry_cost(tilemap) <= 1
    is_easy &= [profile.can_stop_on(kind) for kind in tilemap.kinds]
    rows, cols = np.nonzero(is_easy[tilemap.kind] & ~tilemap.void)
    taken = np.zeros(len(rows), dtype=bool)
    units: list[Unit] = []
    for name, team, down, across, differs in _MEMBERS:
        if taken.all():
            break
        away = (rows - down * tilemap.rows) ** 2 + (cols - across * tilemap.cols) ** 2
        nearest = int(np.where(taken, np.inf, away).argmin())
        taken[nearest] = True
        cell = int(rows[nearest]), int(cols[nearest])
        mover = replace(profile, **differs)
        units.append(Unit(name, cell, team, mover, move=MOVE_POINTS, heading_deg=TO_THE_VIEWER_DEG))
    return units
