"""Neighbors and corners of a tile as array indices, for any number of corners.

The *surrounding tiles* of a tile ("around" in shapes) are its neighbors in each of the n
directions, clockwise from north, then the tiles that share only a corner, if any. Its n corners go
counter-clockwise: corner n - 2 - k lies between the directions k and k + 1. Left and right are as
seen from outside.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid


@dataclass(frozen=True)
class Lattice:
    """The neighborhood of a tile of one grid."""

    grid: Grid
    sides: int
    """Number of corners and directions, n."""
    steps: NDArray[np.int64]
    """(around, classes, 2) rows and columns from the tile to each surrounding tile."""
    class_by_parity: NDArray[np.int64]
    """(2, 2) class of a tile in even and odd rows and columns."""
    at_corner: NDArray[np.int64]
    """(n, 2 or 3) surrounding tiles that share each corner."""
    ends: NDArray[np.int64]
    """(n, 2) corners at the left and right end of the side to each direction."""
    turns: NDArray[np.int64]
    """(n, 2) directions of the sides around the left and the right end."""
    beside: NDArray[np.int64]
    """(n, 2) surrounding tiles in front of a side, left and right of the one that it faces."""
    outline: NDArray[np.float64]
    """(n, 2) x and y from a tile's center to its corners."""
    out: NDArray[np.float32]
    """(n, 2) headings of the directions."""
    miter: NDArray[np.float32]
    """(n, 2, 2) offset to add to a side's heading at its left and right end, so that the point is
    as far out from the adjacent side as well."""
    bits: NDArray[np.float32]
    """(n,) value of each direction in a vertex's marks; see `MeshData`."""

    @classmethod
    @cache
    def of(cls, grid: Grid) -> "Lattice":
        """Return the neighborhood of a grid's tiles, computed once."""
        direction = np.arange(len(grid.opposite))
        sides = len(direction)
        after, before = (direction + 1) % sides, (direction - 1) % sides
        turns = np.stack([after, before], axis=1)
        across = np.stack([sides + direction, sides + before], axis=1) if grid.diagonals else turns
        near_corner = (sides - 2 - direction) % sides
        sharing = [near_corner, after[near_corner]]
        if grid.diagonals:
            sharing.append(sides + near_corner)
        out = np.array(grid.headings)
        both = out[:, None] + out[turns]
        fit = 1.0 + (out[:, None] * out[turns]).sum(axis=2, keepdims=True)
        half = sides // 2
        origin = np.zeros(1, dtype=np.int64)
        corners = np.roll(grid.corner_coords(origin, origin)[0], -1, axis=0) * grid.corner_scale
        return cls(
            grid=grid,
            sides=sides,
            steps=np.array([(*steps, *grid.diagonals) for steps in grid.directions]).swapaxes(0, 1),
            class_by_parity=np.array(
                [
                    [grid.directions.index(grid.steps_from(row, col)) for col in (0, 1)]
                    for row in (0, 1)
                ]
            ),
            at_corner=np.stack(sharing, axis=1),
            ends=np.stack(
                [(sides - 2 - direction) % sides, (sides - 1 - direction) % sides], axis=1
            ),
            turns=turns,
            beside=across,
            outline=corners - grid.centers(origin, origin),
            out=out.astype(np.float32),
            miter=(both / fit - out[:, None]).astype(np.float32),
            bits=(2.0 ** (direction % half + 3 * (direction // half))).astype(np.float32),
        )

    @property
    def edge(self) -> float:
        """Length of a tile's edge, in world units."""
        left, right = self.outline[self.ends[0]]
        return float(np.hypot(*(right - left)))

    def corner_coords(self, row: NDArray[np.int64], col: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the (tiles, n, 2) corners of tiles as integers; see `Grid.corner_coords`."""
        return np.roll(self.grid.corner_coords(row, col), -1, axis=1)

    def step_at(self, row: NDArray[np.int64], col: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the (around, tiles or 1, 2) steps from each tile to its surrounding tiles."""
        if self.steps.shape[1] == 1:
            return self.steps
        return self.steps[:, self.class_by_parity[row & 1, col & 1]]
