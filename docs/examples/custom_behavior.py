"""A behavior of your own: a goat that climbs to the top of the hill it stands on, step by step."""

from ai import Behavior, Board, Unit
from terrain3d import TileMap


class Climb(Behavior):
    """Goes to the highest neighbor until there is no higher one."""

    def _choose(self, situation):
        """Return the next cell, or the reason to stay."""
        level_at = situation.navigation.tilemap.level_at
        top = max([situation.here, *situation.steps()], key=level_at)
        return top if level_at(top) > level_at(situation.here) else "is on top"


board = Board(TileMap.from_text("0123\n0121"))
goat = board.add(Unit("Goat", (0, 0)))
climb = Climb()
while board.act(goat, climb):  # each step is a normal order, checked by the board
    print("to", tuple(goat.cell[:2]))
print("stays:", climb.reason)
