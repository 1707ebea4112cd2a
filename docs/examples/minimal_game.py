"""A map, a unit and a camera: click a tile within reach and the unit walks there."""

import sys

from direct.showbase.ShowBase import ShowBase
from panda3d.core import load_prc_file_data

from ai import Board, Commander, MoveProfile, Unit, plain_reason
from ai.view import Commander3D, Unit3D
from terrain3d import TileMap
from terrain3d.view import Hud, OrbitCamera3D, Terrain3D, attach

load_prc_file_data("", "gl-version 3 2" if sys.platform == "darwin" else "")  # for our shaders
base = ShowBase()
board = Board(TileMap.from_noise(30, 30, seed=5))  # hills of wide terraces
mira = board.add(Unit("Mira", cell=(16, 17), profile=MoveProfile(max_climb=2), move=6))
tree = attach(base)  # nodes driven by Panda3D's task manager
terrain = tree.root.add_child(Terrain3D(board.tilemap))  # with light and shadows
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
terrain.add_child(Unit3D(mira)).label = mira.name  # follows the unit's pose
commander = Commander(board)  # turns clicks and keys into orders
commander.select(mira)
terrain.add_child(Commander3D(commander, camera)).shows_costs = True  # cursor, reach, path
hud = tree.root.add_child(Hud())  # says why an order is refused
commander.refused.connect(lambda reason: setattr(hud, "status_text", plain_reason(reason)))
camera.focus(mira.pose.point)
base.run()
