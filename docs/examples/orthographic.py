"""Shows the map by an orthographic lens."""

from direct.showbase.ShowBase import ShowBase
from panda3d.core import OrthographicLens

from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
base.camNode.set_lens(OrthographicLens())
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(camera.framing(45.0, 30.0))
base.run()
