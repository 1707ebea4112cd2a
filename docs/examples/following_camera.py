"""Lets the camera follow a unit."""

from direct.showbase.ShowBase import ShowBase

from ai import Board, Commander, Unit
from ai.view import Commander3D, Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
board = Board(TileMap.from_noise(24, 24, seed=5, levels=5))
mira = board.add(Unit("Mira", (12, 12), move=9))
terrain = tree.root.add_child(Terrain3D(board.tilemap))
figure = terrain.add_child(Unit3D(mira))
camera = tree.root.add_child(OrbitCamera3D(terrain, follow=figure))
camera.look(camera.goal)
terrain.add_child(Commander3D(Commander(board), camera))
base.run()
