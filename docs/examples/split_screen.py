"""Shows a second view beside the first."""

from direct.showbase.ShowBase import ShowBase
from panda3d.core import Camera, PerspectiveLens

from ai import Board, Unit
from ai.view import Unit3D
from terrain3d import landscape
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
board = Board(landscape(16, 16, seed=7))
base.camNode.get_display_region(0).set_dimensions(0.0, 0.5, 0.0, 1.0)
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
figure = terrain.add_child(Unit3D(board.add(Unit("Mira", (9, 8)))))
lens = PerspectiveLens()
lens.set_aspect_ratio(base.get_aspect_ratio() / 2)
eye = figure.np.attach_new_node(Camera("second", lens))  # it moves along with the unit
eye.set_pos(0, -7, 5)
eye.look_at(0, 0, 0.5)
base.win.make_display_region(0.5, 1.0, 0.0, 1.0).set_camera(eye)
camera.look(camera.home)
base.run()
