"""Opens the map editor."""

from pathlib import Path

from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import MapEditor3D, OrbitCamera3D, Terrain3D, TileCursor3D, attach

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.orbit_buttons = {"right"}  # the left one draws
cursor = terrain.add_child(TileCursor3D())
editor = terrain.add_child(MapEditor3D(Path("vale.tmap"), cursor))
editor.message.connect(print)
editor.is_active = True
base.run()
