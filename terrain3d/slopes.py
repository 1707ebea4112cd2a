"""Arithmetic on heights: how steep ground may be, and how far each tile is from something."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Edges = tuple[NDArray[np.bool_], NDArray[np.bool_]]
"""Of a (rows, cols) array the (rows - 1, cols) edges to the south, the (rows, cols - 1) to the
east."""

_Array = NDArray[np.integer] | NDArray[np.bool_]


def edges_where(test: Callable[[_Array, _Array], NDArray[np.bool_]], values: _Array) -> Edges:
    """Tell for each edge whether a test holds for the values on both sides of it."""
    return test(values[:-1], values[1:]), test(values[:, :-1], values[:, 1:])


def gentled(level: NDArray[np.int64], rise: int, edges: Edges | None = None) -> NDArray[np.int64]:
    """Dig off what is too steep, and no more.

    Parameters
    ----------
    level : (rows, cols) int64
    rise : int
        The tallest step that stays between two tiles that share an edge.
    edges : Edges, optional
        The edges that this holds for; all of them if not given.

    Returns
    -------
    (rows, cols) int64
        The highest levels that are nowhere above `level` and nowhere too steep.
    """
    everywhere = edges_where(lambda one, _: np.ones(one.shape, dtype=bool), level)
    counts_south, counts_east = edges or everywhere
    low = level.copy()
    while True:
        before = low.copy()
        for here, there, counts in (
            (low[:-1], low[1:], counts_south),
            (low[:, :-1], low[:, 1:], counts_east),
        ):
            np.minimum(there, here + rise, out=there, where=counts)
            np.minimum(here, there + rise, out=here, where=counts)
        if np.array_equal(low, before):
            return low


def steps_from(mask: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """Count the steps over edges from each tile to the nearest of a mask, up to `most`."""
    return gentled(np.where(mask, 0, most).astype(np.int64), 1)
