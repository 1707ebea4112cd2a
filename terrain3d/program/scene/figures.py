"""Figures for the units of a scene."""

from collections import Counter
from collections.abc import Iterable

import ai
from ai.game.unit_loader import PLAYER_TEAM
from ai.movers import figures_of
from terrain3d import view


def add_figures(terrain: view.Terrain3D, units: Iterable[ai.Unit]) -> dict[ai.Unit, view.Unit3D]:
    """Add a figure for each unit to a terrain; the player's units choose theirs first.

    Each looks unlike those before it, as long as there are other figures for its mover.
    """
    figures: dict[ai.Unit, view.Unit3D] = {}
    used = Counter[str]()
    for unit in sorted(units, key=lambda unit: unit.team != PLAYER_TEAM):
        shape = min(figures_of(unit.profile), key=lambda shape: used[shape])
        used[shape] += 1
        figures[unit] = terrain.add_child(view.Unit3D(unit, shape=shape))
    return figures
