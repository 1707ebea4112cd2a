"""Write a map as JSON that fills a GridMap of Godot, and read such blocks as a map.

The mesh library of the GridMap has an item for each kind, by name. A cell (x, y, z) is a block from
level y to y + 1, in column x and row z.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import is_whole
from terrain3d.core.files import MapFileError, check_tile_count
from terrain3d.formats import json_text
from terrain3d.formats.format import FileContent, MapFile, ReadOptions, loss_notes
from terrain3d.formats.json_text import Fields
from terrain3d.grid.kinds import KINDS, VOID, TileKind
from terrain3d.map.surfaces import DECK, DECK_FIELDS
from terrain3d.map.tilemap import TileMap

MAX_BLOCKS = 2**20

_FORMAT, _VERSION = "terrain3d gridmap", 1
_FARTHEST = 2**31
_BOTTOM = -1  # the lowest block of a column at the edge of the map or beside void


def write(tilemap: TileMap) -> FileContent:
    """Write the visible blocks of a map: tops, sides down to the lowest neighbor, and decks."""
    if tilemap.topology != "square":
        raise ValueError(f"a GridMap has square cells, this map has topology {tilemap.topology!r}")
    void = tilemap.void
    top = tilemap.level.astype(np.int64) - 1
    bottom = np.minimum(top, _lowest_neighbor(np.where(void, _BOTTOM, tilemap.level)))
    row, col = np.nonzero(~void)
    decks = tilemap.decks
    columns = np.concatenate((col, decks["col"])), np.concatenate((row, decks["row"]))
    kinds = np.concatenate((tilemap.kind[row, col], decks["kind"]))
    low = np.concatenate((bottom[row, col], decks["level"] - decks["thickness"]))
    high = np.concatenate((top[row, col], decks["level"] - 1))
    counts = high - low + 1
    if counts.sum() > MAX_BLOCKS:
        raise ValueError(f"a GridMap has at most {MAX_BLOCKS} blocks, got {counts.sum()}")
    block = np.repeat(np.arange(len(counts)), counts)
    height = low[block] + np.arange(len(block)) - np.repeat(np.cumsum(counts) - counts, counts)
    cells = np.stack((columns[0][block], height, columns[1][block], kinds[block]), axis=1)
    fields = {
        "format": _FORMAT,
        "version": _VERSION,
        "size": list(tilemap.level.shape),
        "cell_size": [1, tilemap.step_height, 1],
        "items": [kind.name for kind in tilemap.kinds],
        "cells": cells.tolist(),
    }
    notes = loss_notes(tilemap, ("levels", "decks", "step_height"))
    kinds_note = "left out: everything about kinds except their names"
    return FileContent(json_text.serialize(fields), (kinds_note, *notes))


def read(data: bytes, options: ReadOptions) -> MapFile:
    """Read blocks as a map: of each column the lowest are the ground, those above gaps are decks.

    A column without blocks is void. The map has the "size" of the file if all blocks lie in it,
    else that of the box around them. If blocks lie lower than a column of level 0, all are raised.
    """
    top = Fields(json_text.parse(data, 8 * MAX_BLOCKS))
    if top.text("format") != _FORMAT or top.whole("version", 0, _FARTHEST) != _VERSION:
        raise MapFileError(f"is not a {_FORMAT} of version {_VERSION}")
    cell_size = top.take("cell_size")
    is_list = isinstance(cell_size, list) and len(cell_size) == 3
    if not is_list or not all(type(number) in (int, float) for number in cell_size):
        raise top.error("must be a list of 3 numbers", "cell_size")
    size = _size(top)
    names = top.take("items")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise top.error("must be a list of texts", "items")
    with top.naming("items"):
        kinds = _kinds(names)
    low, high, col, row, item = _runs(_blocks(top, len(names)))
    if col.min() < 0 or row.min() < 0 or row.max() >= size[0] or col.max() >= size[1]:
        row, col = row - row.min(), col - col.min()
        size = [row.max() + 1, col.max() + 1]
    rows, cols = map(int, size)
    check_tile_count(rows * cols, options.max_surfaces)
    lift = max(0, _BOTTOM - int(low.min()))
    levels = high + 1 + lift
    is_ground = np.ones(len(row), np.bool_)
    is_ground[1:] = (np.diff(row) != 0) | (np.diff(col) != 0)
    level = np.zeros((rows, cols), np.int64)
    kind = np.full((rows, cols), kinds.index(VOID))
    level[row[is_ground], col[is_ground]] = levels[is_ground]
    kind[row[is_ground], col[is_ground]] = item[is_ground]
    first = np.flatnonzero(is_ground)
    number = np.arange(len(row)) - np.repeat(first, np.diff([*first, len(row)]))
    decks = np.zeros(len(row), DECK)
    fields = row, col, number, levels, item, high - low + 1
    for name, values in zip(DECK_FIELDS, fields, strict=True):
        decks[name] = values
    notes = ("raised so that no level is below 0",) if lift else ()
    others = {"step_height": cell_size[1], "decks": decks[~is_ground], "topology": "square"}
    return options.build(level, kind, kinds, notes, **others)


def _size(top: Fields) -> list[int]:
    """Take the numbers of rows and columns, 0 without them."""
    size = top.take("size", [0, 0])
    is_pair = isinstance(size, list) and len(size) == 2 and all(map(is_whole, size))
    if not is_pair or not 0 <= min(size) <= max(size) <= _FARTHEST:
        raise top.error(f"must be two whole numbers in 0..{_FARTHEST}", "size")
    return list(map(int, size))


def _kinds(names: Sequence[str]) -> tuple[TileKind, ...]:
    """Return the kind of each item, and void if it is not one of them."""
    known = {kind.name: kind for kind in (*KINDS, VOID)}
    kinds = tuple(known.get(name) or TileKind(name) for name in names)
    return kinds if VOID in kinds else (*kinds, VOID)


def _blocks(top: Fields, n_items: int) -> NDArray[np.int64]:
    """Take the (n, 4) blocks: x, y, z and item, by row, column and height."""
    cells = top.take("cells")
    if not isinstance(cells, list) or not 1 <= len(cells) <= MAX_BLOCKS:
        raise top.error(f"must be a list of 1..{MAX_BLOCKS} blocks", "cells")
    for number, cell in enumerate(cells):
        is_block = isinstance(cell, list) and len(cell) == 4 and all(map(is_whole, cell))
        if not is_block or max(map(abs, cell)) > _FARTHEST or not 0 <= cell[3] < n_items:
            problem = f"must be [x, y, z, item] in whole numbers, items 0..{n_items - 1}"
            raise top.error(problem, f"cells[{number}]")
    blocks = np.array(cells, np.int64)
    blocks = blocks[np.lexsort((blocks[:, 1], blocks[:, 0], blocks[:, 2]))]
    if (np.diff(blocks[:, :3], axis=0) == 0).all(axis=1).any():
        raise top.error("has two blocks in one place", "cells")
    return blocks


def _runs(blocks: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return lowest and highest y, x, z and item of blocks of one item above each other."""
    step = np.diff(blocks, axis=0)
    begins = np.ones(len(blocks), np.bool_)
    begins[1:] = (step != (0, 1, 0, 0)).any(axis=1)
    low, high = blocks[begins], blocks[np.roll(begins, -1)]
    return [low[:, 1], high[:, 1], low[:, 0], low[:, 2], low[:, 3]]


def _lowest_neighbor(level: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the lowest level beside each tile; beyond the map it is _BOTTOM."""
    padded = np.pad(level.astype(np.int64), 1, constant_values=_BOTTOM)
    sides = padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]
    lowest: NDArray[np.int64] = np.minimum.reduce(sides)
    return lowest
