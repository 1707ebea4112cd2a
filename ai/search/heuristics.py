"""The layout of nodes on a grid, and distance heuristics for A* on it.

Compiled heuristics: lower bounds of the remaining cost, node by node.
"""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.compilation.bundle import line_at
from ai.compilation.jit import Array, Number, helper, inlined, u64
from ai.search.grid_index import row_and_col, striped_index, width_of

_ROW_BITS = 10
"""Bits for the number of a row; at most 128 landmarks have two rows each."""


@helper
def layout_at(graph: Array, dtype: Any) -> Number:  # noqa: ANN401 - a numpy type
    """Return levels, cells of a deck, whether there is a heuristic, its weights, and the width.

    They stand in the bundle of a `GuidedGraph`; `dtype` is that of the weights.
    """
    sizes = line_at(graph, 13, np.int64)
    weights = line_at(graph, 12, dtype)
    # As plain numbers, which are read only once.
    numbers = weights[0], weights[1], weights[2], weights[3], weights[4], weights[5]
    return line_at(graph, 11, np.int16), sizes[1], sizes[2] != 0, numbers, width_of(sizes[0])


@inlined
def place_of(node: Number, width: Number, place: Array, level: Array) -> Number:
    """Return two coordinates and the level of a node; see `NodeLayout`."""
    if place is None:
        a, b = row_and_col(node, width)
    else:
        a, b = np.int64(place[node, 0]), np.int64(place[node, 1])
    return a, b, np.int64(level[u64(node)])


@inlined
def estimate(
    node: Number, goal: Number, width: Number, place: Array, level: Array, weights: Number
) -> Number:
    """Return a lower bound of the cost from a node to a goal; see `Heuristic.weights`."""
    return bound_between(place_of(node, width, place, level), goal, place, weights)


@inlined
def bound_between(start: Number, goal: Number, place: Array, weights: Number) -> Number:
    """Return a lower bound of the cost between two nodes, each a result of `place_of`."""
    axis, turn, opposite, climb, drop, straight = weights
    da, db, rise = goal[0] - start[0], goal[1] - start[1], goal[2] - start[2]
    if place is not None and (da < 0) != (db < 0):
        turn = opposite
    away = axis * max(abs(da), abs(db)) + turn * min(abs(da), abs(db))
    if place is not None and straight > 0:
        away = type(away)(straight * np.sqrt(np.float64(da * da + db * db)))
    return away + (climb * rise if rise > 0 else -drop * rise)


@helper
def no_rows(zero: Number) -> Number:
    """Return the `rows` of `landmark_bound` without landmarks; `zero` sets their type."""
    nothing = np.int64(0), zero
    return (
        nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, np.int64(1)
    )  # fmt: skip


@helper
def choose_rows(
    coarse: Array, striped: Array, start: Number, goal: Number, width: Number, zero: Number
) -> Number:
    """Choose the eight rows of a table with the highest bounds of the cost from start to goal.

    Each is its number and the goal's entry in it, the best first; a row with no bound is row 0 with
    an entry of 0. The number of map rows follows. All are plain numbers: entries of an array would
    be read again at every node.
    """
    n_rows = len(coarse) // width[0]
    end = striped_index(goal, width, n_rows)
    best = np.zeros(8, dtype=np.int64)  # the bound, and in the bits below it the row
    for row in range(coarse.shape[1]):
        bound = np.int64(coarse[u64(goal), u64(row)]) - np.int64(coarse[u64(start), u64(row)])
        bound = ((bound + 128) & 255) - 128  # as int8, but numpy warns where that wraps around
        key = (bound << _ROW_BITS) - row
        for place in range(8):
            if key <= best[7]:
                break
            if key > best[place]:
                best[place], key = key, best[place]
    return (
        _with_entry(best[0], striped, end, zero),
        _with_entry(best[1], striped, end, zero),
        _with_entry(best[2], striped, end, zero),
        _with_entry(best[3], striped, end, zero),
        _with_entry(best[4], striped, end, zero),
        _with_entry(best[5], striped, end, zero),
        _with_entry(best[6], striped, end, zero),
        _with_entry(best[7], striped, end, zero),
        n_rows,
    )


@helper
def _with_entry(key: Number, striped: Array, end: Number, zero: Number) -> Number:
    row = np.int64(-key & ((1 << _ROW_BITS) - 1))
    return (row, type(zero)(striped[row, end])) if key > 0 else (np.int64(0), zero)


@inlined
def landmark_bound(striped: Array, rows: Number, node: Number, width: Number) -> Number:
    """Return the highest bound of eight rows of the table; see `Landmarks`."""
    a, b, c, d, e, f, g, h, n_rows = rows
    here = u64(striped_index(node, width, n_rows))
    return max(
        max(
            max(a[1] - striped[u64(a[0]), here], b[1] - striped[u64(b[0]), here]),
            max(c[1] - striped[u64(c[0]), here], d[1] - striped[u64(d[0]), here]),
        ),
        max(
            max(e[1] - striped[u64(e[0]), here], f[1] - striped[u64(f[0]), here]),
            max(g[1] - striped[u64(g[0]), here], h[1] - striped[u64(h[0]), here]),
        ),
    )


@inlined
def lower_bound(node: Number, aim: Number, place: Array, striped: Array) -> Number:
    """Return the higher one of `estimate` and, if there is a table, `landmark_bound`.

    `aim` is what a search knows of its goal: whether there is a heuristic, the `place_of` the goal,
    the width, the levels, the weights, and the rows of the table.
    """
    _, end, width, level, weights, rows = aim
    bound = estimate(node, end, width, place, level, weights)
    if striped is not None and len(striped) > 0:
        bound = max(bound, landmark_bound(striped, rows, node, width))
    return bound


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
        """Return (n_nodes,) bounds from all nodes to a goal, as a search computes them."""
        place, level = layout.with_places().place, layout.level.astype(np.int64)
        assert place is not None
        return self.over(place[goal].astype(np.int64) - place, level[goal] - level)

    def over(self, away: NDArray[np.int64], rise: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return (n,) bounds from offsets: (n, 2) in signed coordinates and (n,) in levels."""
        axis, turn, opposite, climb, drop, straight = self.weights
        high, low = np.abs(away).max(axis=1), np.abs(away).min(axis=1)
        is_opposite = (away[:, 0] < 0) != (away[:, 1] < 0)
        length = axis * high + np.where(is_opposite, opposite, turn) * low
        if straight > 0:
            length = straight * np.sqrt((away * away).sum(axis=1))
        bounds: NDArray[np.float64] = length + np.where(rise > 0, climb * rise, -drop * rise)
        return bounds.astype(np.float64)
