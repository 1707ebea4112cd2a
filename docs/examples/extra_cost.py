"""Finds paths around the tiles that an enemy could reach, or past them."""

from ai import Board, Navigation, Unit
from terrain3d import TileMap

tilemap = TileMap.from_text("00000\n00000\n00000\n00000")
board = Board(tilemap)
mira = board.add(Unit("Mira", (0, 0), team="blue"))
board.add(Unit("Foe", (0, 2), team="red", move=1))
threat = board.threat("blue").count  # how many enemies could reach each tile
nav, others = Navigation(tilemap), board.situation(mira).blockers
path = nav.find_path(mira.cell, (0, 4), extra_cost=5 * threat, blockers=others)
assert path.cost == 8  # around all that the enemy could reach
path = nav.find_path(mira.cell, (0, 4), extra_cost=0.5 * threat, blockers=others)
assert path.cost == 6.5  # past the enemy, 6 of it for the steps
