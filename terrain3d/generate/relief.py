"""Levels of the landscape: terraced hills, river banks, bridge ends and a cliff."""

import numpy as np

from terrain3d.generate.noise import fractal_noise, terraces
from terrain3d.generate.slopes import (
    Edges,
    Levels,
    edges_except,
    edges_within,
    limited,
    steps_from,
    without_pits,
)
from terrain3d.generate.valley import Valley

RISE = 2
"""The tallest step of gentle ground, which a light unit can climb."""

_HILL_SEED = 0x1A2B3C
_WIDE = 9  # tiles from the river to the full height of the hills
_SLOPE = 0.3
_TILT = 0.25  # north and west are higher, for a view from the south-east
_BANK_LEVEL = 1
_DECK_LEVEL = 5  # a deck one level thick leaves three levels of headroom above the towpath
_CLIFF_HEIGHT = 4  # more than a light unit climbs or drops
_FOOT_LEVEL, _FOOT_WIDTH = 3, 2
_TERRACE = 3  # width of the plateau's terraces, which descend away from the cliff, in tiles


def deck_level(levels: int) -> int:
    """Return the level of the bridge, one above the ground at its ends."""
    return min(_DECK_LEVEL, levels)


def relief(valley: Valley, levels: int, seed: int, edges: Edges) -> Levels:
    """Return the levels of the ground: water at 0, land above it, without pits.

    No step is taller than RISE except at the cliff and beside the ends of the bridge.
    """
    head = deck_level(levels) - 1
    level = _with_cliff(_hills(valley, levels, seed, edges), valley, levels - 1, edges)
    # Mounds support the ends of the bridge, so that limiting slopes does not lower them.
    away = steps_from(valley.bridgeheads, head, edges)
    level = np.maximum(level, head - away)
    level[valley.bridgeheads] = head
    level[valley.towpath] = _BANK_LEVEL
    level[valley.water] = 0
    gentle = edges_except(edges, valley.plateau, valley.below)
    gentle = edges_except(gentle, valley.bed, (away < 2) & ~valley.bed)
    level = limited(level, RISE, gentle)
    level = limited(level, 1, edges_within(edges, valley.road))
    level = limited(level, RISE, gentle)
    return np.where(valley.bed, level, without_pits(level, edges))


def _with_cliff(level: Levels, valley: Valley, top: int, edges: Edges) -> Levels:
    """Return levels with the cliff's foot, and a plateau that descends in terraces behind it."""
    foot = max(_BANK_LEVEL, min(_FOOT_LEVEL, top - _CLIFF_HEIGHT - 1))
    edge = min(top, foot + _CLIFF_HEIGHT)
    behind = (steps_from(valley.below, _TERRACE * edge, edges) - 1) // _TERRACE
    level = np.where(valley.plateau, np.maximum(level, edge - behind), level)
    is_foot = valley.below & (steps_from(valley.plateau, _FOOT_WIDTH + 1, edges) <= _FOOT_WIDTH)
    return np.where(is_foot, np.minimum(level, foot), level)


def _hills(valley: Valley, levels: int, seed: int, edges: Edges) -> Levels:
    """Return terraced hills that rise from the river; higher terraces are smaller."""
    rows, cols = valley.deep.shape
    hills = fractal_noise(rows, cols, seed + _HILL_SEED, (9, 5, 2), (0.6, 0.3, 0.1))
    hills += _SLOPE * steps_from(valley.water, _WIDE, edges) / _WIDE
    hills -= _TILT * (np.arange(rows)[:, None] / rows + np.arange(cols) / cols)
    return 1 + terraces(hills, levels - 1, ~valley.water).astype(np.int32)
