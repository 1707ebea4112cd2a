"""Operations on levels over the edges between tiles: limit slopes, fill pits, count steps."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid, Scalar, Step

Mask = NDArray[np.bool_]
Levels = NDArray[np.int64]

Edges = dict[Step, Mask]
"""Edges between tiles by the step across them, each counted once: the mask has the shape of the
arrays of `sides_of` and is True where the edge exists."""


def sides_of(values: NDArray[Scalar], step: Step) -> tuple[NDArray[Scalar], NDArray[Scalar]]:
    """Return views of the values on both sides of every edge that a step crosses.

    The step leads down or to the right; the first view is the side where it starts.
    """
    rows, cols = values.shape
    down, right = step
    left, west = max(0, -right), max(0, right)
    return values[: rows - down, left : cols - west], values[down:, west : cols - left]


def edges_of(grid: Grid) -> Edges:
    """Return the edges between the tiles of a grid."""
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
    """Return the edges with both sides in a mask."""
    return {step: known & np.logical_and(*sides_of(mask, step)) for step, known in edges.items()}


def edges_except(edges: Edges, first: Mask, second: Mask) -> Edges:
    """Return the edges except those between a tile of one mask and a tile of the other."""
    kept = {}
    for step, known in edges.items():
        (first_a, first_b), (second_a, second_b) = sides_of(first, step), sides_of(second, step)
        kept[step] = known & ~(first_a & second_b | first_b & second_a)
    return kept


def limited(level: Levels, rise: int, edges: Edges) -> Levels:
    """Return levels lowered as little as possible so that no step across an edge exceeds `rise`."""
    low = level.copy()
    while True:
        before = low.copy()
        for step, counts in edges.items():
            a, b = sides_of(low, step)
            np.minimum(b, a + rise, out=b, where=counts)
            np.minimum(a, b + rise, out=a, where=counts)
        if np.array_equal(low, before):
            return low


def without_pits(level: Levels, edges: Edges) -> Levels:
    """Return levels with every single-tile pit raised to its lowest neighbor."""
    lowest = np.full_like(level, level.max())
    for step, counts in edges.items():
        a, b = sides_of(level, step)
        for lowest_neighbor, neighbor in zip(sides_of(lowest, step), (b, a), strict=True):
            np.minimum(lowest_neighbor, neighbor, out=lowest_neighbor, where=counts)
    return np.maximum(level, lowest)


def steps_from(mask: Mask, limit: int, edges: Edges) -> Levels:
    """Return the number of steps from each tile to the nearest tile in a mask, at most `limit`."""
    return limited(np.where(mask, 0, limit).astype(np.int64), 1, edges)
