"""Write a map as JSON that fills a GridMap of Godot.

The mesh library of the GridMap has an item for each kind, by name. A cell (x, y, z) is a block from
level y to y + 1, in column x and row z.
"""

import numpy as np
from numpy.typing import NDArray

from terrain3d.mapfile import json_text
from terrain3d.mapfile.losses import is_void, loss_notes
from terrain3d.mapfile.record import FileContent, MapRecord

MAX_BLOCKS = 2**20

_BOTTOM = -1  # the lowest block of a column at the edge of the map or beside void


def write(record: MapRecord) -> FileContent:
    """Write the visible blocks of a map: tops, sides down to the lowest neighbor, and decks."""
    if record.topology != "square":
        raise ValueError(f"a GridMap has square cells, this map has topology {record.topology!r}")
    void = is_void(record)
    top = record.level.astype(np.int64) - 1
    bottom = np.minimum(top, _lowest_neighbor(np.where(void, _BOTTOM, record.level)))
    row, col = np.nonzero(~void)
    decks = record.decks
    columns = np.concatenate((col, decks["col"])), np.concatenate((row, decks["row"]))
    kinds = np.concatenate((record.kind[row, col], decks["kind"]))
    low = np.concatenate((bottom[row, col], decks["level"] - decks["thickness"]))
    high = np.concatenate((top[row, col], decks["level"] - 1))
    counts = high - low + 1
    if counts.sum() > MAX_BLOCKS:
        raise ValueError(f"a GridMap has at most {MAX_BLOCKS} blocks, got {counts.sum()}")
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
    notes = loss_notes(record, ("levels", "decks", "step_height"))
    kinds_note = "left out: everything about kinds except their names"
    return FileContent(json_text.serialize(fields), (kinds_note, *notes))


def _lowest_neighbor(level: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the lowest level beside each tile; beyond the map it is _BOTTOM."""
    padded = np.pad(level.astype(np.int64), 1, constant_values=_BOTTOM)
    sides = padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]
    lowest: NDArray[np.int64] = np.minimum.reduce(sides)
    return lowest
