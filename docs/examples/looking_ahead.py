"""Chooses the cell that the fewest enemies could reach, on copies of a board."""

from ai import Board, Unit
from terrain3d import TileMap

board = Board(TileMap.from_text("00000\n00000"))
mira = board.add(Unit("Mira", (0, 0)))
foe = board.add(Unit("Foe", (0, 4), team="red", move=2))


def danger(cell):
    """Return how many enemies could reach Mira if she went to a cell."""
    later = board.copy()
    later.move(later.unit(mira), cell)
    return later.threat("blue").count[cell[:2]]


safest = min(board.reach(mira), key=danger)
assert danger(safest) == 0
assert mira.cell == (0, 0, 0)
