"""The moves of a mover and the slots of its graph: each slot is a move and the deck it ends on.

The class of a node stands for its deck and the parity of its row or column, so that a slot has the
same offset for all nodes of a class.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.rules.profile import MoveProfile
from terrain3d.grid.grid import Grid

_OPPOSITE_DIAGONALS = (2, 3, 0, 1)


@dataclass(frozen=True)
class Moves:
    """The moves of a profile on a grid."""

    delta: NDArray[np.int64]
    """(n_parities, n_moves, 2) change of row and column: over edges, over corners, then leaps."""
    length: NDArray[np.int64]
    """(n_moves,) length of each move in tiles."""
    n_straight: int
    """Number of moves across an edge; they come first."""
    n_single: int
    """Number of moves of one tile; leaps come after them, by length."""
    back: NDArray[np.int64]
    """(n_moves,) the opposite of each move."""
    n_layers: int
    """The highest number of surfaces in a column."""

    @classmethod
    def of(cls, grid: Grid, profile: MoveProfile, n_layers: int) -> "Moves":
        """Return the moves of a profile."""
        diagonals = grid.diagonals if profile.diagonal != "never" else ()
        n_straight = len(grid.directions[0])
        n_single = n_straight + len(diagonals)
        n_leaps = 0 if profile.can_fly else profile.leap
        table = []
        for parity in range(len(grid.directions)):
            steps = [*grid.directions[parity], *diagonals]
            for tiles in range(2, n_leaps + 2):
                steps += [_line(grid, parity, move, tiles) for move in range(n_straight)]
            table.append(steps)
        across = _OPPOSITE_DIAGONALS[: len(diagonals)]
        back = [*grid.opposite, *(n_straight + move for move in across)]
        length = [1] * n_single
        for tiles in range(2, n_leaps + 2):
            first = len(back)
            back += [first + move for move in grid.opposite]
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
        """The number of slots of a node."""
        return self.n_layers * len(self.length)

    def slot_group(self) -> NDArray[np.uint8] | None:
        """(n_slots,) 0 for moves across an edge, 1 for others; None if there are no others."""
        is_other = np.arange(len(self.length)) >= self.n_straight
        return np.tile(is_other.astype(np.uint8), self.n_layers) if is_other.any() else None

    def offset(self, rows: int, cols: int) -> NDArray[np.int64]:
        """(n_classes, n_slots) the offset of each slot in node numbers."""
        flat = self.delta[:, :, 0] * cols + self.delta[:, :, 1]
        decks = np.arange(self.n_layers)
        change = (decks[None, :] - decks[:, None]) * rows * cols  # from, to
        table: NDArray[np.int64] = flat[:, None, None, :] + change[None, :, :, None]
        return np.ascontiguousarray(table.reshape(len(flat) * self.n_layers, -1))

    def opposite(self) -> NDArray[np.int64]:
        """(n_classes, n_slots) the slot that leads back from the end of each slot."""
        n_moves = self.delta.shape[1]
        from_deck = np.arange(self.n_layers)[:, None] * n_moves
        table = np.tile((from_deck + self.back)[:, None, :], (1, self.n_layers, 1))
        return np.tile(table.reshape(self.n_layers, -1), (len(self.delta), 1)).astype(np.int64)

    def node_class(self, parity: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
        """(n_nodes,) class of each node; None if all are of one class."""
        if len(self.delta) == 1 and self.n_layers == 1:
            return None
        decks = np.arange(self.n_layers, dtype=np.uint8)
        by_deck = parity.ravel()[None, :] * np.uint8(self.n_layers) + decks[:, None]
        return np.asarray(by_deck.ravel(), dtype=np.uint8)


def _line(grid: Grid, parity: int, move: int, tiles: int) -> tuple[int, int]:
    """Return the change of row and column after `tiles` steps in one direction."""
    row, col = next(
        (row, col)
        for row in (0, 1)
        for col in (0, 1)
        if grid.steps_from(row, col) == grid.directions[parity]
    )
    end_row, end_col = row, col
    for _ in range(tiles):
        step = grid.steps_from(end_row, end_col)[move]
        end_row, end_col = end_row + step[0], end_col + step[1]
    return end_row - row, end_col - col
