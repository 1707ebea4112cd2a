"""Lets two teams be ordered, with the costs of tiles."""

from direct.showbase.ShowBase import ShowBase

from ai import Board, Commander, Unit, plain_reason
from ai.view import Commander3D, Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
board = Board(TileMap.from_noise(16, 16, seed=7, levels=5))
terrain = tree.root.add_child(Terrain3D(board.tilemap))
tree.root.add_child(OrbitCamera3D(target=terrain))
for name, cell, team in (("Mira", (8, 8), "blue"), ("Orla", (6, 9), "red")):
    terrain.add_child(Unit3D(board.add(Unit(name, cell, team, move=5))))
commander = Commander(board)
player = terrain.add_child(Commander3D(commander))
player.shows_costs = True
commander.refused.connect(lambda reason: print("refused:", plain_reason(reason)))
base.run()
