"""Where the nodes of a grid lie, and lower bounds of the cost between them that guide A*."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.bounds import HEX, LATTICE, STRAIGHT, estimates

FLAT = 0, 62, 62
"""The shear of squares: nothing is left of a coordinate shifted so far."""

NORMS = {"lattice": LATTICE, "hex": HEX, "straight": STRAIGHT}


@dataclass(frozen=True)
class Plane:
    """Places of nodes that are numbered row by row.

    The node at (row, col) has the coordinates a = row - ((col + shove) >> col_shift) and
    b = col - ((row + shove) >> row_shift), which turn shoved rows or columns of hexagons into
    axial ones; squares are `FLAT`.

    Parameters
    ----------
    cols : int
    level : (n_nodes,) int16
    shear : (int, int, int)
        shove, row_shift and col_shift.
    """

    cols: int
    level: NDArray[np.int16]
    shear: tuple[int, int, int]

    @property
    def frame(self) -> NDArray[np.int64]:
        """(4,) the numbers as the compiled searches take them."""
        return np.array([self.cols, *self.shear], dtype=np.int64)


@dataclass(frozen=True)
class Estimate:
    """A bound made of a distance and of the net climb or drop that is left.

    For nodes at (a, b, level), with da and db the distances along the axes to the goal, it is

    - "lattice": axis * (max - min) + diagonal * min of da and db,
    - "hex": axis * the steps on hexagons between axial coordinates,
    - "straight": axis * the straight distance,

    plus climb for each level the goal lies higher, or drop for each level it lies lower.

    Parameters
    ----------
    norm : str
    axis, diagonal : number
        Least cost of a step along an axis, and of one along both axes.
    climb, drop : number
        Least cost of a level up and down.
    """

    norm: str = "lattice"
    axis: float = 0
    diagonal: float = 0
    climb: float = 0
    drop: float = 0

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """The numbers as the compiled searches take them."""
        return self.axis, self.diagonal, self.climb, self.drop

    def turned_around(self) -> "Estimate":
        """Give the bound for searching from the goal back, where up is down."""
        return Estimate(self.norm, self.axis, self.diagonal, self.drop, self.climb)

    def to(self, plane: Plane, goal: int) -> NDArray[np.float64]:
        """(n_nodes,) bounds for all nodes at once, as a search computes them."""
        weights = np.array(self.weights, dtype=np.float64)
        norm = NORMS[self.norm]
        bounds: NDArray[Any] = estimates(
            len(plane.level), goal, plane.frame, plane.level, norm, weights
        )
        return bounds
