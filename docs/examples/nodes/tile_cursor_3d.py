"""Prints the tile that is chosen."""

from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, TileCursor3D, attach

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
tree.root.add_child(OrbitCamera3D(target=terrain))
cursor = terrain.add_child(TileCursor3D())
cursor.cell = (8, 8)
cursor.chosen.connect(lambda cell: print("chosen:", cell.row, cell.col))
base.run()
