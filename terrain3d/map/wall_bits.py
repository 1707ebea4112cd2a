"""Walls as bits: bit k of a surface blocks steps from it in direction k."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell, Grid, read_only
from terrain3d.grid.links import Wall


def direction_between(grid: Grid, start: Cell, end: Cell) -> int:
    """Return the index of the direction from the column of `start` to that of `end`.

    `ValueError` if the columns share no edge.
    """
    step = end.row - start.row, end.col - start.col
    steps = grid.steps_from(start.row, start.col)
    if step not in steps:
        raise ValueError(f"a wall needs two neighboring columns, got {start} and {end}")
    return steps.index(step)


def bits_of(grid: Grid, n_decks: int, walls: Iterable[Wall]) -> NDArray[np.uint8]:
    """Return the (n_decks + 1, rows, cols) bits of walls, bit k for direction k, read-only."""
    bits = np.zeros((n_decks + 1, grid.rows, grid.cols), dtype=np.uint8)
    _set(bits, grid, walls)
    return read_only(bits)


def swap(
    bits: NDArray[np.uint8],
    grid: Grid,
    removed: Iterable[Wall],
    added: Iterable[Wall],
    walls: Iterable[Wall],
) -> None:
    """Clear the bits of removed walls and set those of added ones; `walls` remain afterwards."""
    bits.flags.writeable = True
    ends = {end for wall in removed for end in (wall.start, wall.end)}
    for cell in ends:
        bits[cell.deck, cell.row, cell.col] = 0
    if ends:
        # Other walls may share the cleared bits, so all walls at these surfaces set theirs again.
        _set(bits, grid, (wall for wall in walls if wall.start in ends or wall.end in ends))
    _set(bits, grid, added)
    bits.flags.writeable = False


def _set(bits: NDArray[np.uint8], grid: Grid, walls: Iterable[Wall]) -> None:
    for wall in walls:
        direction = direction_between(grid, wall.start, wall.end)
        bits[wall.start.deck, wall.start.row, wall.start.col] |= 1 << direction
        if not wall.one_way:
            bits[wall.end.deck, wall.end.row, wall.end.col] |= 1 << grid.opposite[direction]
