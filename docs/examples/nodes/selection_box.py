"""Prints the corners of a box that is drawn."""

from direct.showbase.ShowBase import ShowBase

from ai.view import SelectionBox
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
tree.root.add_child(OrbitCamera3D(target=terrain))
box = tree.root.add_child(SelectionBox())
box.drawn.connect(lambda low, high: print("box:", low, high))
base.run()
