"""Opens a door in a wall, and shows the path through it."""

from direct.showbase.ShowBase import ShowBase

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, PathRibbon3D, Terrain3D, attach

base = ShowBase()
tilemap = TileMap.from_text("\n".join(["1" * 9] * 7))
with tilemap.edit("a wall with a door") as edit:
    for row in range(7):
        edit.add_wall((row, 4), (row, 5))
nav, rules = Navigation(tilemap), MoveProfile()
assert nav.find_path((3, 1), (3, 7), rules).reason
with tilemap.edit("open the door") as edit:
    edit.remove_wall((5, 4), (5, 5))
path = nav.find_path((3, 1), (3, 7), rules)
assert path.cost == 10
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
terrain.add_child(PathRibbon3D()).show([tilemap.surface_point(cell) for cell in path])
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(camera.framing(20.0, 40.0))
base.run()
