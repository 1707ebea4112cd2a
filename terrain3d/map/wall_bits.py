"""Walls as bits: a set bit blocks steps from a surface in a direction onto a deck."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell, Grid
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
    """Return the (n_decks + 1, n_decks + 1, rows, cols) bits of walls, read-only.

    The deck at the far end of a step comes first, then the surface that it starts from.
    """
    n_layers = n_decks + 1
    bits = np.zeros((n_layers, n_layers, grid.rows, grid.cols), dtype=np.uint8)
    switch(bits, grid, walls)
    return bits


def switch(bits: NDArray[np.uint8], grid: Grid, walls: Iterable[Wall]) -> None:
    """Set the bits of walls that are added, and clear those of walls that are removed."""
    bits.flags.writeable = True
    for wall in walls:
        ends = [(wall.start, wall.end)]
        if not wall.one_way:
            ends.append((wall.end, wall.start))
        for here, there in ends:
            # At most one wall stands for each ordered pair of surfaces, so no bit is shared.
            bits[there.deck, here.deck, here.row, here.col] ^= 1 << direction_between(
                grid, here, there
            )
    bits.flags.writeable = False
