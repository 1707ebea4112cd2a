"""JSON that fills a GridMap of Godot's, whose mesh library has an item for each kind by its name.

A cell (x, y, z) is a block from y to y + 1 steps above 0, in column x and row z.
"""

import numpy as np
from numpy.typing import NDArray

from terrain3d.mapfile.losses import is_void, losses
from terrain3d.mapfile.native import json_text
from terrain3d.mapfile.record import MapRecord, Rendered

SUFFIX = ".json"
MAX_BLOCKS = 2**20
"""The most blocks that are written."""

_FOOT = -1  # where columns end that nothing stands beside


def write(record: MapRecord) -> Rendered:
    """Write the blocks of a map that can be seen: tops, sides down to what lies beside, decks.

    Raises
    ------
    ValueError
        Its tiles are hexagons, or there are more than MAX_BLOCKS blocks.
    """
    if record.topology != "square":
        raise ValueError(f"a GridMap has square cells, this map's lie as {record.topology!r}")
    void = is_void(record)
    top = record.level.astype(np.int64) - 1
    foot = np.minimum(top, _beside(np.where(void, _FOOT, record.level)))
    row, col = np.nonzero(~void)
    decks = record.decks
    columns = np.concatenate((col, decks["col"])), np.concatenate((row, decks["row"]))
    kinds = np.concatenate((record.kind[row, col], decks["kind"]))
    low = np.concatenate((foot[row, col], decks["level"] - decks["thickness"]))
    high = np.concatenate((top[row, col], decks["level"] - 1))
    counts = high - low + 1
    if counts.sum() > MAX_BLOCKS:
        raise ValueError(f"a GridMap is written of at most {MAX_BLOCKS} blocks, got {counts.sum()}")
    block = np.repeat(np.arange(len(counts)), counts)
    height = low[block] + np.arange(len(block)) - np.repeat(np.cumsum(counts) - counts, counts)
    cells = np.stack((columns[0][block], height, columns[1][block], kinds[block]), axis=1)
    fields = {
        "format": "terrain3d gridmap",
        "version": 1,
        "cell_size": [1, record.step_height, 1],
        "items": [kind.name for kind in record.kinds],
        "cells": cells.tolist(),
    }
    notes = losses(record, ("levels", "decks", "step_height"))
    return Rendered(json_text.render(fields), ("left out: all but the names of kinds", *notes))


def _beside(level: NDArray[np.integer]) -> NDArray[np.int64]:
    """Give the lowest level beside each tile; beyond the map, where columns end."""
    around = np.pad(level.astype(np.int64), 1, constant_values=_FOOT)
    sides = around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]
    lowest: NDArray[np.int64] = np.minimum.reduce(sides)
    return lowest
