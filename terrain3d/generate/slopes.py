"""Arithmetic on heights: how steep ground may be, and how far each tile is from something."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid, Scalar, Step

Mask = NDArray[np.bool_]
Levels = NDArray[np.int64]

Edges = dict[Step, Mask]
"""Edges between tiles by the step over them, each counted once: which there are of those that lead
from the first to the second of `sides_of`."""


def sides_of(values: NDArray[Scalar], step: Step) -> tuple[NDArray[Scalar], NDArray[Scalar]]:
    """Give the values before and behind every edge of a step down or to the right, as views."""
    rows, cols = values.shape
    down, right = step
    left, west = max(0, -right), max(0, right)
    return values[: rows - down, left : cols - west], values[down:, west : cols - left]


def edges_of(grid: Grid) -> Edges:
    """List the edges that tiles of a grid share."""
    kind = grid.cell_class()
    steps = {step for steps in grid.directions for step in steps if step > (0, 0)}
    return {
        step: np.isin(
            sides_of(kind, step)[0],
            [number for number, known in enumerate(grid.directions) if step in known],
        )
        for step in sorted(steps)
    }


def edges_within(edges: Edges, mask: Mask) -> Edges:
    """Keep the edges with both sides in a mask."""
    return {step: known & np.logical_and(*sides_of(mask, step)) for step, known in edges.items()}


def edges_but(edges: Edges, one: Mask, other: Mask) -> Edges:
    """Keep all edges but those between a tile of one mask and a tile of another."""
    kept = {}
    for step, known in edges.items():
        (here, there), (other_here, other_there) = sides_of(one, step), sides_of(other, step)
        kept[step] = known & ~(here & other_there | there & other_here)
    return kept


def gentled(level: Levels, rise: int, edges: Edges) -> Levels:
    """Dig off what is too steep, and no more.

    Parameters
    ----------
    level : (rows, cols) int64
    rise : int
        The tallest step that stays between the two tiles of an edge.
    edges : Edges
        The edges that this holds for.

    Returns
    -------
    (rows, cols) int64
        The highest levels that are nowhere above `level` and nowhere too steep.
    """
    low = level.copy()
    while True:
        before = low.copy()
        for step, counts in edges.items():
            here, there = sides_of(low, step)
            np.minimum(there, here + rise, out=there, where=counts)
            np.minimum(here, there + rise, out=here, where=counts)
        if np.array_equal(low, before):
            return low


def filled(level: Levels, edges: Edges) -> Levels:
    """Fill every hole of a single tile up to the lowest tile beside it."""
    lowest = np.full_like(level, level.max())
    for step, counts in edges.items():
        here, there = sides_of(level, step)
        for side, beside in zip(sides_of(lowest, step), (there, here), strict=True):
            np.minimum(side, beside, out=side, where=counts)
    return np.maximum(level, lowest)


def steps_from(mask: Mask, most: int, edges: Edges) -> Levels:
    """Count the steps over edges from each tile to the nearest of a mask, up to `most`."""
    return gentled(np.where(mask, 0, most).astype(np.int64), 1, edges)
