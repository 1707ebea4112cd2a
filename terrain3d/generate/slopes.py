"""Operations on levels over the edges between tiles: limit slopes, fill pits, count steps."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid, Scalar, Step

Mask = NDArray[np.bool_]
Levels = NDArray[np.int32]

Edges = dict[Step, Mask]
"""Edges between tiles by the step across them, each counted once: the mask has the shape of the
arrays of `sides_of` and is True where the edge exists."""

_BEYOND_LEVELS = np.int32(2**16)


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
    # Adding a large number is several times faster than a masked operation.
    rises = {
        step: np.where(counts, np.int32(rise), _BEYOND_LEVELS) for step, counts in edges.items()
    }
    low, before, room = level.copy(), np.full_like(level, -1), np.empty(level.size, level.dtype)
    while not np.array_equal(low, before):
        np.copyto(before, low)
        for step, most in rises.items():
            a, b = sides_of(low, step)
            limit = room[: most.size].reshape(most.shape)  # new memory would take longer
            np.minimum(b, np.add(a, most, out=limit), out=b)
            np.minimum(a, np.add(b, most, out=limit), out=a)
    return low


def without_pits(level: Levels, edges: Edges) -> Levels:
    """Return levels with every single-tile pit raised to its lowest neighbor."""
    lowest = np.full_like(level, level.max())
    for step, counts in edges.items():
        a, b = sides_of(level, step)
        beyond = np.where(counts, np.int32(0), _BEYOND_LEVELS)
        for lowest_neighbor, neighbor in zip(sides_of(lowest, step), (b, a), strict=True):
            np.minimum(lowest_neighbor, neighbor + beyond, out=lowest_neighbor)
    return np.maximum(level, lowest)


def steps_from(mask: Mask, limit: int, edges: Edges) -> Levels:
    """Return the number of steps from each tile to the nearest tile in a mask, at most `limit`."""
    return limited(np.where(mask, np.int32(0), np.int32(limit)), 1, edges)
