"""A map, a unit and a camera: click a tile within reach and the unit walks there."""

from direct.showbase.ShowBase import ShowBase

from ai import Board, Commander, MoveProfile, Unit
from terrain3d import landscape
from terrain3d.view import Commander3D, OrbitCamera3D, Terrain3D, Unit3D, attach

base = ShowBase()
board = Board(landscape(30, 30, seed=7))  # a map with a river, a bridge, woods and a cliff
mira = board.add(Unit("Mira", cell=(14, 13), profile=MoveProfile(max_climb=2), move=6))
tree = attach(base)  # nodes driven by Panda3D's task manager
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
figure = terrain.add_child(Unit3D(mira))  # follows the unit's pose
commander = Commander(board)  # turns clicks and keys into orders
commander.select(mira)
terrain.add_child(Commander3D(commander, camera)).shows_costs = True
base.run()
