"""Marks a reach with what each tile costs."""

from direct.showbase.ShowBase import ShowBase

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, TileOverlay3D, attach

base = ShowBase()
tree = attach(base)
tilemap = TileMap.from_noise(16, 16, seed=7, levels=5)
terrain = tree.root.add_child(Terrain3D(tilemap))
tree.root.add_child(OrbitCamera3D(target=terrain))
reach = Navigation(tilemap).reach((8, 8), 5, MoveProfile(max_climb=2))
overlay = terrain.add_child(TileOverlay3D())
overlay.show(reach.cells, [f"{reach.cost_to(cell):g}" for cell in reach.cells])
overlay.shows_labels = True
base.run()
