"""Shows water of several looks."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from terrain3d import TileKind, TileMap, Water
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

LIQUID = {"tags": {"liquid"}, "cost": 3}
kinds = [
    TileKind("grass", texture="grass", props="meadow"),
    TileKind("sand", texture="sand"),
    TileKind("lagoon", depth=1, water=Water((0.30, 0.72, 0.72), foam=0.7, clarity=0.9), **LIQUID),
    TileKind("sea", depth=3, water=Water((0.13, 0.38, 0.58), clarity=0.3, foam=0.8), **LIQUID),
    TileKind("bog", depth=1, water=Water((0.30, 0.32, 0.16), foam=0.0, speed=0.3), **LIQUID),
    TileKind("spell", depth=1, water=Water((0.45, 0.25, 0.85), speed=2), glow=0.3, **LIQUID),
]
plan = """
333333332211gggggg
333333322211gggggg
3333332222111ggggg
333333222211gggbbg
33333222211gggbbbb
3333322221ggggbbbb
33333222211gggbbbg
333332222111gggggg
33333322221ggggssg
3333332222111gssss
33333332222111ssss
333333332222111ssg
"""
names = "g123bs"
kind = np.array([[names.index(sign) for sign in line] for line in plan.split()])
level = np.where(kind == 0, 2, 1) + (kind >= 4)
tilemap = TileMap(level, kind, kinds)

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(OrbitView(14.0, 38.0, 16.0, tilemap.surface_point((6, 10))))
base.run()
