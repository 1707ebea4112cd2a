"""Shows the trail of a goose that wanders."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import Autopilot, Board, Trail, Unit, Wander
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.view import Crumbs3D, OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
tilemap = TileMap.from_noise(16, 16, seed=7, levels=5)
terrain = tree.root.add_child(Terrain3D(tilemap))
tree.root.add_child(OrbitCamera3D(target=terrain))
board = Board(tilemap)
goose = board.add(Unit("Goose", cell=(8, 8)))
terrain.add_child(Unit3D(goose))
autopilot = tree.root.add_child(Autopilot(board))
autopilot.assign(goose, Wander(np.random.default_rng(7)))
marks = terrain.add_child(Crumbs3D())
trail = Trail()
goose.step_finished.connect(trail.drop)
goose.step_finished.connect(lambda _cell: marks.show(crumb.cell for crumb in trail))
base.run()
