"""The layout of nodes on a grid, and distance heuristics for A* on it."""

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.search.heuristic_kernels import estimates

_Number = TypeVar("_Number", bound=np.generic)


def read_only(array: NDArray[_Number]) -> NDArray[_Number]:
    """Return a read-only view; numba compiles separately for writable and read-only arrays."""
    view = array.view()
    view.flags.writeable = False
    return view


@dataclass(frozen=True)
class NodeLayout:
    """Positions of nodes that are numbered deck by deck, row by row."""

    cols: int
    level: NDArray[np.int16]
    """(n_nodes,) level of each node."""
    n_layers: int = 1
    """Number of decks; all have the same rows and columns."""
    place: NDArray[np.int32] | None = None
    """(n_nodes, 2) coordinates in the norm of the heuristic; row and column if None."""

    def __post_init__(self) -> None:
        """Take read-only views of the arrays."""
        object.__setattr__(self, "level", read_only(self.level))
        if self.place is not None:
            object.__setattr__(self, "place", read_only(self.place))

    @property
    def n_cells(self) -> int:
        """Number of nodes of one deck."""
        return len(self.level) // self.n_layers

    def with_places(self) -> "NodeLayout":
        """Return the same layout with explicit coordinates."""
        if self.place is not None:
            return self
        inside = np.arange(len(self.level), dtype=np.int32) % np.int32(self.n_cells)
        pairs = np.divmod(inside, np.int32(self.cols))
        return replace(self, place=np.stack(pairs, axis=1))


@dataclass(frozen=True)
class Heuristic:
    """A lower bound of the remaining cost: a distance plus the net climb or drop.

    For nodes at (a, b, level), with da and db the distances along the axes to the goal, it is

    - "lattice": axis * (max - min) + diagonal * min of da and db,
    - "hex": axis * the number of steps between axial coordinates of hexagons,
    - "straight": axis * the Euclidean distance,

    plus climb for each level the goal lies higher, or drop for each level it lies lower.
    """

    norm: str = "lattice"
    axis: float = 0
    diagonal: float = 0
    climb: float = 0
    drop: float = 0

    @property
    def weights(self) -> tuple[float, ...]:
        """The six numbers that the compiled searches take.

        With da and db the signed distances, the bound is axis * max + diagonal * min of their
        sizes. The numbers are: axis, the diagonal factor for equal signs, the one for opposite
        signs, climb, drop, and a factor of the Euclidean distance, used instead if it is not 0.
        """
        rises = self.climb, self.drop
        if self.norm == "straight":
            return (0, 0, 0, *rises, self.axis)
        if self.norm == "hex":
            return (self.axis, self.axis, 0, *rises, 0)
        return (self.axis, self.diagonal - self.axis, self.diagonal - self.axis, *rises, 0)

    def reversed(self) -> "Heuristic":
        """Return the bound for a search from the goal back: climb and drop are swapped."""
        return Heuristic(self.norm, self.axis, self.diagonal, self.drop, self.climb)

    def to(self, layout: NodeLayout, goal: int) -> NDArray[np.float64]:
        """(n_nodes,) bounds of all nodes, as a search computes them."""
        layout, weights = layout.with_places(), np.array(self.weights, dtype=np.float64)
        return estimates(goal, layout.cols, layout.place, layout.level, weights)
