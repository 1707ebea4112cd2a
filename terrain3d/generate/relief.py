"""How high a landscape lies: terraced hills, banks, the ends of its bridge, its cliff."""

import numpy as np

from terrain3d.generate.noise import fractal_noise
from terrain3d.generate.slopes import (
    Edges,
    Levels,
    edges_but,
    edges_within,
    filled,
    gentled,
    steps_from,
)
from terrain3d.generate.valley import Valley

RISE = 2
"""The tallest step of gentle ground: a light foot's climb."""

_HILL_SEED = 0x1A2B3C
_WIDE = 9  # tiles from the river until the hills have their full height
_SLOPE = 0.3
_TILT = 0.25  # north and west lie higher, as seen over a map from the south-east
_BANK_LEVEL = 1
_DECK_LEVEL = 5  # with one level of wood, three of air are left above the towpath
_CLIFF_HEIGHT = 4  # more than a light foot climbs or jumps
_FOOT_LEVEL, _FOOT_WIDTH = 3, 2
_TERRACE = 3  # tiles behind the cliff's edge after which a plateau sinks by a level


def deck_level(levels: int) -> int:
    """Tell where the top of the bridge lies: a step above its heads, which are ground."""
    return min(_DECK_LEVEL, levels)


def relief(valley: Valley, levels: int, seed: int, edges: Edges) -> Levels:
    """Shape the ground: water at 0, all land above it, and no holes in it.

    No step is taller than RISE but at the cliff and beside the ends of the bridge.
    """
    head = deck_level(levels) - 1
    level = _with_cliff(_hills(valley, levels, seed, edges), valley, levels - 1, edges)
    # Mounds lead up to the bridge, so that what is too steep below never digs its ends off.
    away = steps_from(valley.bridgeheads, head, edges)
    level = np.maximum(level, head - away)
    level[valley.bridgeheads] = head
    level[valley.towpath] = _BANK_LEVEL
    level[valley.water] = 0
    gentle = edges_but(edges, valley.plateau, valley.below)
    gentle = edges_but(gentle, valley.bed, (away < 2) & ~valley.bed)
    level = gentled(level, RISE, gentle)
    level = gentled(level, 1, edges_within(edges, valley.road))
    level = gentled(level, RISE, gentle)
    return np.where(valley.bed, level, filled(level, edges))


def _with_cliff(level: Levels, valley: Valley, top: int, edges: Edges) -> Levels:
    """Raise the plateau's edge, from which it sinks in terraces, and dig the cliff's foot."""
    foot = max(_BANK_LEVEL, min(_FOOT_LEVEL, top - _CLIFF_HEIGHT - 1))
    edge = min(top, foot + _CLIFF_HEIGHT)
    behind = (steps_from(valley.below, _TERRACE * edge, edges) - 1) // _TERRACE
    level = np.where(valley.plateau, np.maximum(level, edge - behind), level)
    is_foot = valley.below & (steps_from(valley.plateau, _FOOT_WIDTH + 1, edges) <= _FOOT_WIDTH)
    return np.where(is_foot, np.minimum(level, foot), level)


def _hills(valley: Valley, levels: int, seed: int, edges: Edges) -> Levels:
    """Cut hills that rise from the river into terraces, of which the high ones are smaller."""
    rows, cols = valley.deep.shape
    hills = fractal_noise(rows, cols, seed + _HILL_SEED, (9, 5, 2), (0.6, 0.3, 0.1))
    hills += _SLOPE * steps_from(valley.water, _WIDE, edges) / _WIDE
    hills -= _TILT * (np.arange(rows)[:, None] / rows + np.arange(cols) / cols)
    shares = np.cumsum(3 * (levels - 1) - 2 * np.arange(levels - 1))
    ranked = np.sort(hills[~valley.water])
    cuts = ranked[shares[:-1] * len(ranked) // shares[-1]]
    return _smooth(1 + np.searchsorted(cuts, hills, side="right"))


def _smooth(level: Levels) -> Levels:
    """Take off bumps and fill holes of a tile or two."""
    rows, cols = level.shape
    wide = np.pad(level, 1, mode="edge")
    around = [wide[r : r + rows, c : c + cols] for r in range(3) for c in range(3)]
    middle: Levels = np.median(np.stack(around), axis=0).astype(np.int64)
    return middle
