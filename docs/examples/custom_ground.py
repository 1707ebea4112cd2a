"""New kinds of ground with a look and a cost of their own, on a map made from arrays."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from terrain3d import KINDS, TileKind, TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

ASH = TileKind("ash", cost=2, color=(0.35, 0.33, 0.34), texture="rock", props="rubble")
ACID = TileKind("acid", cost=None, color=(0.55, 0.85, 0.25), tags={"liquid"}, texture="water")
kinds = (*KINDS, ASH, ACID)
number = {kind.name: index for index, kind in enumerate(kinds)}

row, col = np.mgrid[0:20, 0:20]
distance = np.hypot(row - 9.5, col - 9.5)
level = np.clip(9 - distance, 0, 6).astype(int)  # a hill ...
level[distance < 3] = 4  # ... with a crater
kind = np.full(level.shape, number["grass"])
kind[distance < 8] = number["ash"]
kind[distance < 3] = number["acid"]
tilemap = TileMap(level, kind, kinds)

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
base.run()
