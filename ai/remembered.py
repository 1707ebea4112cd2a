"""Paths that were found, kept for the same question until an edit could have changed them."""

import threading
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from ai.path import Path

_MAX_PATHS = 4096
_BLOCKS_PER_SIDE = 8

Paths = OrderedDict[tuple[int, int], tuple[Path, int]]
"""By their first and last node: paths, with the blocks of the map that their searches looked at."""


class Remembered:
    """What one profile has been told on one map.

    Parameters
    ----------
    rows, cols, n_layers : int
        Of the map.
    """

    def __init__(self, rows: int, cols: int, n_layers: int) -> None:
        self._lock = threading.Lock()
        self.block_of = np.tile(_blocks(rows, cols), n_layers)
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

    def forget(self, nodes: NDArray[np.int64]) -> None:
        """Drop the paths whose search looked at a block that has one of the nodes."""
        if not self.paths:
            return
        mask = int(np.bitwise_or.reduce(np.uint64(1) << self.block_of[nodes].astype(np.uint64)))
        with self._lock:  # somebody may keep a path at this moment
            kept = ((ends, told) for ends, told in self.paths.items() if not told[1] & mask)
            self.paths = OrderedDict(kept)

    def forget_all(self) -> None:
        """Drop everything."""
        self.paths = OrderedDict()


def _blocks(rows: int, cols: int) -> NDArray[np.uint8]:
    """(n_cells,) which of 8 x 8 blocks of the map each cell lies in."""
    down = np.arange(rows) * _BLOCKS_PER_SIDE // rows
    across = np.arange(cols) * _BLOCKS_PER_SIDE // cols
    return (down[:, None] * _BLOCKS_PER_SIDE + across).astype(np.uint8).ravel()
