"""Shows units as pandas."""

from direct.showbase.ShowBase import ShowBase
from panda3d.core import NodePath

from ai import Board, Commander, Unit
from ai.view import Commander3D, Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
board = Board(TileMap.from_noise(16, 16, seed=7, levels=5))
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
for name, cell in (("Mira", (8, 7)), ("Odo", (9, 9))):
    panda = NodePath("panda")
    model = base.loader.load_model("models/panda").copy_to(panda)  # it comes with Panda3D
    model.set_scale(0.07)  # and is 12 units high
    model.set_h(180)
    terrain.add_child(Unit3D(board.add(Unit(name, cell, move=4)), model=panda))
terrain.add_child(Commander3D(Commander(board), camera))
camera.look(camera.framing(200.0, 35.0, points=[(6, -10, 0), (11, -7, 2)]))
base.run()
