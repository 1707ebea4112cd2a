"""Walls as one bit for each surface and direction: nobody steps from there across that edge."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell, Grid, read_only
from terrain3d.grid.links import Wall


def way_between(grid: Grid, start: Cell, end: Cell) -> int:
    """Give the direction in which the column of `end` lies beside that of `start`.

    Raises
    ------
    ValueError
        The columns share no edge.
    """
    step = end.row - start.row, end.col - start.col
    steps = grid.steps_from(start.row, start.col)
    if step not in steps:
        raise ValueError(f"a wall stands between neighboring columns, got {start} and {end}")
    return steps.index(step)


def bits_of(grid: Grid, n_decks: int, walls: Iterable[Wall]) -> NDArray[np.uint8]:
    """Give the (n_decks + 1, rows, cols) bits of walls, bit k for direction k, read-only."""
    bits = np.zeros((n_decks + 1, grid.rows, grid.cols), dtype=np.uint8)
    _set(bits, grid, walls)
    return read_only(bits)


def swap(
    bits: NDArray[np.uint8],
    grid: Grid,
    gone: Iterable[Wall],
    new: Iterable[Wall],
    walls: Iterable[Wall],
) -> None:
    """Take walls out of the bits and others in; `walls` are all that stand afterwards."""
    bits.flags.writeable = True
    left = {end for wall in gone for end in (wall.start, wall.end)}
    for cell in left:
        bits[cell.deck, cell.row, cell.col] = 0
    if left:
        # Another wall may have set the same bit: all that stand at these surfaces set theirs again.
        _set(bits, grid, (wall for wall in walls if wall.start in left or wall.end in left))
    _set(bits, grid, new)
    bits.flags.writeable = False


def _set(bits: NDArray[np.uint8], grid: Grid, walls: Iterable[Wall]) -> None:
    for wall in walls:
        way = way_between(grid, wall.start, wall.end)
        bits[wall.start.deck, wall.start.row, wall.start.col] |= 1 << way
        if not wall.one_way:
            bits[wall.end.deck, wall.end.row, wall.end.col] |= 1 << grid.opposite[way]
