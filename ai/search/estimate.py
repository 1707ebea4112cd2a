"""Lower bounds of the cost to a goal, from the nodes' places: what A* is guided by."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.kernel import HEX, LATTICE, STRAIGHT

NORMS = {"lattice": LATTICE, "hex": HEX, "straight": STRAIGHT}


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

    def turned_around(self) -> "Estimate":
        """Give the bound for searching from the goal back, where up is down."""
        return Estimate(self.norm, self.axis, self.diagonal, self.drop, self.climb)

    def to(self, place: NDArray[Any], goal: int) -> NDArray[np.float64]:
        """(n_nodes,) bounds for all nodes at once, as the compiled search computes them."""
        away = np.abs(place[:, :2].astype(np.int64) - place[goal, :2])
        low, high = away.min(axis=1), away.max(axis=1)
        if self.norm == "hex":
            total = place[:, :2].sum(axis=1, dtype=np.int64)
            bound = self.axis * np.maximum(high, np.abs(total - total[goal]))
        elif self.norm == "straight":
            bound = self.axis * np.sqrt((away**2).sum(axis=1))
        else:
            bound = self.axis * (high - low) + self.diagonal * low
        rise = place[goal, 2] - place[:, 2].astype(np.int64)
        whole: NDArray[np.float64] = (
            bound + self.climb * np.maximum(rise, 0) + self.drop * np.maximum(-rise, 0)
        ).astype(np.float64)
        return whole
