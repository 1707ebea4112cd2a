"""Paths that were found, kept for the same question until an edit could have changed them."""

import threading
from collections import OrderedDict
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import Path
from terrain3d import Rect

P = TypeVar("P", int, NDArray[np.int64])

_MAX_PATHS = 4096
_BLOCKS_PER_SIDE = 8

Paths = OrderedDict[tuple[int, int], tuple[Path, int]]
"""By their first and last node: paths, with the blocks of the map that their searches looked at."""


class PathCache:
    """What one profile has been told on one map.

    Parameters
    ----------
    rows, cols, n_layers : int
        Of the map.
    """

    def __init__(self, rows: int, cols: int, n_layers: int) -> None:
        self._lock = threading.Lock()
        self._rows, self._cols = rows, cols
        self.region_of = np.tile(_blocks(rows, cols), n_layers)
        """(n_nodes,) which of 64 blocks of the map each node lies in."""
        self.paths: Paths = OrderedDict()
        """What is out of date is left behind, never emptied, so that a search that began before a
        change keeps nothing for afterwards."""

    def keep(self, paths: Paths, ends: tuple[int, int], path: Path, blocks: int) -> None:
        """Keep a path among those that were there before its search; see `paths`."""
        with self._lock:
            if len(paths) >= _MAX_PATHS:
                paths.popitem(last=False)  # a plain dict searches for its first entry
            paths[ends] = path, blocks

    def forget(self, rect: Rect) -> None:
        """Drop the paths whose search looked at a block that has a cell of a rectangle."""
        if not self.paths:
            self.forget_all()  # a search that runs now has this one in hand
            return
        last_row, last_col = rect.row + rect.rows - 1, rect.col + rect.cols - 1
        mask = 0
        for down in range(_block(rect.row, self._rows), _block(last_row, self._rows) + 1):
            for across in range(_block(rect.col, self._cols), _block(last_col, self._cols) + 1):
                mask |= 1 << (down * _BLOCKS_PER_SIDE + across)
        with self._lock:  # somebody may keep a path at this moment
            kept = ((ends, told) for ends, told in self.paths.items() if not told[1] & mask)
            self.paths = OrderedDict(kept)

    def forget_all(self) -> None:
        """Drop everything."""
        self.paths = OrderedDict()


def _blocks(rows: int, cols: int) -> NDArray[np.uint8]:
    """(n_cells,) which of 8 x 8 blocks of the map each cell lies in."""
    down, across = _block(np.arange(rows), rows), _block(np.arange(cols), cols)
    return (down[:, None] * _BLOCKS_PER_SIDE + across).astype(np.uint8).ravel()


def _block(place: P, length: int) -> P:
    return place * _BLOCKS_PER_SIDE // length
