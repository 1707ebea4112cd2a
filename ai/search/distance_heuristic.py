"""Where the nodes of a grid lie, and lower bounds of the cost between them that rows A*."""

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.search.heuristic_kernels import estimates

NORMS = ("lattice", "hex", "straight")


_Number = TypeVar("_Number", bound=np.generic)


def read_only(array: NDArray[_Number]) -> NDArray[_Number]:
    """Give a view that is closed to writing: code is compiled anew for each kind of array."""
    view = array.view()
    view.flags.writeable = False
    return view


@dataclass(frozen=True)
class NodeLayout:
    """Places of nodes that are numbered deck by deck, row by row.

    Parameters
    ----------
    cols : int
    level : (n_nodes,) int16
    n_layers : int
        How many decks there are; all have the same rows and columns.
    place : (n_nodes, 2) int32, optional
        Two coordinates for each, as an estimate's norm measures them; row and column if not given.
    """

    cols: int
    level: NDArray[np.int16]
    n_layers: int = 1
    place: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        """Close the arrays to writing, whoever may write them elsewhere."""
        object.__setattr__(self, "level", read_only(self.level))
        if self.place is not None:
            object.__setattr__(self, "place", read_only(self.place))

    @property
    def n_cells(self) -> int:
        """Nodes of one deck."""
        return len(self.level) // self.n_layers

    def with_places(self) -> "NodeLayout":
        """Give the same layout with its places written out."""
        if self.place is not None:
            return self
        inside = np.arange(len(self.level), dtype=np.int32) % np.int32(self.n_cells)
        pairs = np.divmod(inside, np.int32(self.cols))
        return replace(self, place=np.stack(pairs, axis=1))


@dataclass(frozen=True)
class Heuristic:
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
    def weights(self) -> tuple[float, ...]:
        """The numbers as the compiled searches take them.

        With da and db the signed distances, a bound is axis * max + turn * min of their sizes,
        where turn is one number if they have the same sign and another if they have not; then climb
        and drop; or, if the sixth number is not 0, that number times the straight distance instead.
        """
        rises = self.climb, self.drop
        if self.norm == "straight":
            return (0, 0, 0, *rises, self.axis)
        if self.norm == "hex":
            return (self.axis, self.axis, 0, *rises, 0)
        return (self.axis, self.diagonal - self.axis, self.diagonal - self.axis, *rises, 0)

    def reversed(self) -> "Heuristic":
        """Give the bound for searching from the goal back, where up is down."""
        return Heuristic(self.norm, self.axis, self.diagonal, self.drop, self.climb)

    def to(self, layout: NodeLayout, goal: int) -> NDArray[np.float64]:
        """(n_nodes,) bounds for all nodes at once, as a search computes them."""
        layout, weights = layout.with_places(), np.array(self.weights, dtype=np.float64)
        bounds: NDArray[np.float64] = estimates(
            goal, layout.cols, layout.place, layout.level, weights
        )
        return bounds
