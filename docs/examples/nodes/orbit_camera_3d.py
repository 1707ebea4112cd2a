"""Eases the camera to a view."""

from dataclasses import replace

from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.goal = replace(camera.home, heading_deg=128.0, distance=14.0)  # it eases there
base.run()
