"""Plays a search by Dijkstra's algorithm."""

from direct.showbase.ShowBase import ShowBase

from ai import Navigation
from ai.view import SearchTheatre3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
tilemap = TileMap.from_noise(16, 16, seed=7, levels=5)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
theatre = terrain.add_child(SearchTheatre3D(Navigation(tilemap), camera))
theatre.watch((1, 1), (14, 14), algorithm="dijkstra")
theatre.finished.connect(lambda: print(theatre.caption))
theatre.speed = 8.0
base.run()
