"""Walls as one bit for each surface and direction: nobody steps from there across that edge."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import Cell, Grid, read_only
from terrain3d.links import Wall


def way_between(grid: Grid, start: Cell, end: Cell) -> int:
    """Give the direction in which `end`'s column lies beside that of `start`.

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


def wall_bits(grid: Grid, n_decks: int, walls: Iterable[Wall]) -> NDArray[np.uint8]:
    """Give the (n_decks + 1, rows, cols) bits of all walls, bit k for direction k, read-only."""
    bits = np.zeros((n_decks + 1, grid.rows, grid.cols), dtype=np.uint8)
    _raise(bits, grid, walls)
    return read_only(bits)


def follow(
    bits: NDArray[np.uint8],
    grid: Grid,
    gone: Iterable[Wall],
    new: Iterable[Wall],
    walls: Iterable[Wall],
) -> None:
    """Take walls out of the bits and others in; `walls` are all that stand then."""
    bits.flags.writeable = True
    touched = {end for wall in gone for end in (wall.start, wall.end) if end.deck < len(bits)}
    for cell in touched:
        bits[cell.deck, cell.row, cell.col] = 0
    # Several walls may share a bit, so what stands at these surfaces is raised again.
    at_them = (w for w in walls if w.start in touched or w.end in touched) if touched else new
    _raise(bits, grid, at_them)
    _raise(bits, grid, new)
    bits.flags.writeable = False


def _raise(bits: NDArray[np.uint8], grid: Grid, walls: Iterable[Wall]) -> None:
    for start, end, one_way in ((wall.start, wall.end, wall.one_way) for wall in walls):
        way = way_between(grid, start, end)
        bits[start.deck, start.row, start.col] |= 1 << way
        if not one_way:
            bits[end.deck, end.row, end.col] |= 1 << grid.opposite[way]
