"""Shows a path with the cost of each step."""

from direct.showbase.ShowBase import ShowBase

from ai import Navigation
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, PathRibbon3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
tilemap = TileMap.from_noise(16, 16, seed=7, levels=5)
terrain = tree.root.add_child(Terrain3D(tilemap))
tree.root.add_child(OrbitCamera3D(target=terrain))
path = Navigation(tilemap).find_path((13, 2), (4, 12))
ribbon = terrain.add_child(PathRibbon3D())
points = [tilemap.surface_point(cell) for cell in path.cells]
ribbon.show(points, labels=[f"+{step.cost:g}" for step in path.steps])
base.run()
