"""Two groups of units trade places through a narrow gate, without collisions."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import Board, SquadPlanner, Unit
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

tilemap = TileMap.from_text("""
    11111144111111
    11111144111111
    00001144110000
    00000111110000
    00000111110000
    00000111110000
    00001144110000
    11111144111111
    11111144111111
""")
with tilemap.edit("the wall is of rock") as edit:
    for cell in np.argwhere(tilemap.level > 1):
        edit.set_kind(cell, "rock")
board = Board(tilemap)
west = [(row, col) for row in range(9) for col in (0, 1)]
east = [(row, 13 - col) for row, col in west]
starts, goals = west + east, east + west
units = [board.add(Unit(str(cell), cell, move=999)) for cell in starts]
plan = SquadPlanner(board.navigation).plan(starts, goals)
board.move_together(dict(zip(units, plan.paths, strict=True)))

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.look(camera.framing(heading_deg=12.0, pitch_deg=45.0))
for unit in units:
    shape, color = ("scout", (0.2, 0.4, 0.9)) if unit.cell[1] > 1 else ("knight", (0.9, 0.6, 0.1))
    terrain.add_child(Unit3D(unit, shape=shape)).color = color
base.run()
