"""Paths that were found, kept for equal queries until an edit may have changed them."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import Path
from terrain3d import Rect

P = TypeVar("P", int, NDArray[np.int64])

_MAX_PATHS = 4096
_REGIONS_PER_SIDE = 8
BOUNDS = 1 << _REGIONS_PER_SIDE**2
"""Beside the bits of the regions: the search relied on bounds of the costs on the whole map."""

Paths = OrderedDict[tuple[int, int], tuple[Path, int]]
"""Paths by first and last node, each with the regions that its search visited, one bit a region."""


class PathCache:
    """The found paths of one profile on one map."""

    def __init__(self, rows: int, cols: int, n_layers: int) -> None:
        self._lock = threading.Lock()
        self._rows, self._cols = rows, cols
        self.region_of = np.tile(_regions(rows, cols), n_layers)
        """(n_nodes,) which of 64 regions of the map each node lies in."""
        self.paths: Paths = OrderedDict()
        """Replaced when paths are dropped, never emptied: a search that began before an edit adds
        its path to the old dictionary."""

    def keep(self, paths: Paths, ends: tuple[int, int], path: Path, regions: int) -> None:
        """Add a path to the dictionary that `paths` was before its search."""
        with self._lock:
            if len(paths) >= _MAX_PATHS:
                paths.popitem(last=False)  # a plain dict searches for its first entry
            paths[ends] = path, regions

    def forget(self, rects: Iterable[Rect], *, has_new_bounds: bool = False) -> None:
        """Drop the paths whose searches visited a region that overlaps one of some rectangles.

        With `has_new_bounds` also drop those whose searches relied on bounds, wherever they ran.
        """
        if not self.paths:
            self.forget_all()  # a search that runs now may hold this dictionary
            return
        mask = BOUNDS if has_new_bounds else 0
        for rect in rects:
            left = _region(rect.col, self._cols)
            right = _region(rect.col + rect.cols - 1, self._cols)
            bottom = _region(rect.row + rect.rows - 1, self._rows)
            line = (2 << right) - (1 << left)  # the bits from left to right
            for down in range(_region(rect.row, self._rows), bottom + 1):
                mask |= line << down * _REGIONS_PER_SIDE
        self._forget(mask)

    def _forget(self, mask: int) -> None:
        with self._lock:  # another thread may add a path at this moment
            kept = [entry for entry in self.paths.items() if not entry[1][1] & mask]
            self.paths = OrderedDict(kept)

    def forget_bounded(self) -> None:
        """Drop the paths whose searches relied on bounds, which are replaced now."""
        self._forget(BOUNDS)

    def forget_all(self) -> None:
        """Drop all paths."""
        self.paths = OrderedDict()


def _regions(rows: int, cols: int) -> NDArray[np.uint8]:
    """(n_cells,) which of 8 x 8 regions of the map each cell lies in."""
    down, across = _region(np.arange(rows), rows), _region(np.arange(cols), cols)
    return (down[:, None] * _REGIONS_PER_SIDE + across).astype(np.uint8).ravel()


def _region(position: P, length: int) -> P:
    """Return the row or column of regions that a row or column of cells lies in."""
    return position * _REGIONS_PER_SIDE // length
