"""Where a mover's steps lead: the slots of its graph, each a move and the deck it ends on.

Nodes are numbered deck by deck, row by row. A node's class tells its deck and the parity of its
row or column, so that a slot leads equally far from all nodes of a class.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.rules.profile import MoveProfile
from terrain3d.grid.grid import Grid

_OPPOSITE_DIAGONALS = (2, 3, 0, 1)


@dataclass(frozen=True)
class Moves:
    """The moves of a profile on a grid with so many layers of surfaces.

    Parameters
    ----------
    delta : (n_parities, n_moves, 2) int64
        Rows and columns each move goes: across edges, across corners, then leaps by length.
    length : (n_moves,) int64
        How many tiles each move goes.
    n_straight : int
        How many moves lead across an edge; they come first.
    n_single : int
        How many moves go one tile; leaps come after them.
    back : (n_moves,) int64
        The move that leads back.
    n_layers : int
        Surfaces that a column may have.
    """

    delta: NDArray[np.int64]
    length: NDArray[np.int64]
    n_straight: int
    n_single: int
    back: NDArray[np.int64]
    n_layers: int

    @classmethod
    def of(cls, grid: Grid, profile: MoveProfile, n_layers: int) -> "Moves":
        """Lay out the slots of a profile."""
        diagonals = grid.diagonals if profile.diagonal != "never" else ()
        n_straight = len(grid.directions[0])
        n_single = n_straight + len(diagonals)
        n_leaps = 0 if profile.can_fly else profile.leap
        table = []
        for parity in range(len(grid.directions)):
            ways = [*grid.directions[parity], *diagonals]
            for tiles in range(2, n_leaps + 2):
                ways += [_line(grid, parity, way, tiles) for way in range(n_straight)]
            table.append(ways)
        across = _OPPOSITE_DIAGONALS[: len(diagonals)]
        back = [*grid.opposite, *(n_straight + way for way in across)]
        length = [1] * n_single
        for tiles in range(2, n_leaps + 2):
            first = len(back)
            back += [first + way for way in grid.opposite]
            length += [tiles] * n_straight
        return cls(
            np.array(table, dtype=np.int64),
            np.array(length, dtype=np.int64),
            n_straight,
            n_single,
            np.array(back, dtype=np.int64),
            n_layers,
        )

    @property
    def count(self) -> int:
        """How many slots a node has."""
        return self.n_layers * len(self.length)

    def offset(self, rows: int, cols: int) -> NDArray[np.int64]:
        """(n_classes, n_slots) how far each slot leads in node numbers."""
        flat = self.delta[:, :, 0] * cols + self.delta[:, :, 1]
        decks = np.arange(self.n_layers)
        change = (decks[None, :] - decks[:, None]) * rows * cols  # from, to
        table: NDArray[np.int64] = flat[:, None, None, :] + change[None, :, :, None]
        return np.ascontiguousarray(table.reshape(len(flat) * self.n_layers, -1))

    def opposite(self) -> NDArray[np.int64]:
        """(n_classes, n_slots) the slot through which each slot's end sees the node."""
        n_moves = self.delta.shape[1]
        from_deck = np.arange(self.n_layers)[:, None] * n_moves
        table = np.tile((from_deck + self.back)[:, None, :], (1, self.n_layers, 1))
        return np.tile(table.reshape(self.n_layers, -1), (len(self.delta), 1)).astype(np.int64)

    def node_class(self, parity: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
        """(n_nodes,) class of each node; None if there is but one."""
        if len(self.delta) == 1 and self.n_layers == 1:
            return None
        decks = np.arange(self.n_layers, dtype=np.uint8)
        by_deck = parity.ravel()[None, :] * np.uint8(self.n_layers) + decks[:, None]
        return np.asarray(by_deck.ravel(), dtype=np.uint8)


def _line(grid: Grid, parity: int, way: int, tiles: int) -> tuple[int, int]:
    """Give the rows and columns that so many steps in one direction go."""
    row, col = next(
        (row, col)
        for row in (0, 1)
        for col in (0, 1)
        if grid.steps_from(row, col) == grid.directions[parity]
    )
    end_row, end_col = row, col
    for _ in range(tiles):
        step = grid.steps_from(end_row, end_col)[way]
        end_row, end_col = end_row + step[0], end_col + step[1]
    return end_row - row, end_col - col
