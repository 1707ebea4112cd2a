"""Moves a knight."""

from direct.showbase.ShowBase import ShowBase

from ai import Board, Unit
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
board = Board(TileMap.from_noise(16, 16, seed=7, levels=5))
bram = board.add(Unit("Bram", cell=(8, 8), team="red", move=6))
terrain = tree.root.add_child(Terrain3D(board.tilemap))
tree.root.add_child(OrbitCamera3D(target=terrain))
figure = terrain.add_child(Unit3D(bram, shape="knight"))
figure.is_selected, figure.pace = True, 2.0
bram.move_finished.connect(lambda cell: print("arrived:", cell.row, cell.col))
board.move(bram, board.reach(bram).cells[-1])
base.run()
