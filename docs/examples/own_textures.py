"""Makes textures and props of your own, and ground that glows."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from terrain3d import TileKind, TileMap, register_prop, register_texture
from terrain3d.look.orbit import OrbitView
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.solids import ball, glowing, lathe, rod
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

LEAVES = """
................
.rrrrrrrrrrrrrr.
.rbbbbbbbbbbbbr.
.rbrrrrggrrrrbr.
.rbrbbrggrbbrbr.
.rbrbrggggrbrbr.
.rbrrggwwggrrbr.
.rbggggwwggggbr.
"""
COLORS = {".": (70, 62, 66), "r": (162, 84, 62), "b": (84, 92, 128), "g": (214, 172, 84)}
COLORS["w"] = (238, 226, 196)
rows = [[COLORS[dot] for dot in line] for line in LEAVES.split()]
register_texture("mosaic", np.array(rows + rows[::-1], np.uint8))  # 16 x 16 pixels, sharp

iron, stone, straw = (0.16, 0.16, 0.19), (0.60, 0.57, 0.53), (0.62, 0.42, 0.24)
lamp = [
    lathe((0.10, 0.10, 0.05, 0.03), (0.0, 0.05, 0.08, 0.14), stone),
    rod([(0, 0, 0.1), (0, 0, 0.72)], 0.022, iron),
    glowing(ball((0, 0, 0.80), (0.075, 0.075, 0.09), (1.0, 0.84, 0.45))),
    lathe((0.10, 0.0), (0.87, 0.97), iron),
]
register_prop("lamp", MeshData.join(lamp), reach=0.36)
bands = [0.155, 0.155, 0.185, 0.185, 0.155, 0.155, 0.0]
barrel = lathe([0.0, *bands], (0.0, 0.0, 0.02, 0.16, 0.28, 0.42, 0.44, 0.44), straw)
hoops = [lathe((r, r), (z, z + 0.035), iron) for r, z in ((0.178, 0.08), (0.178, 0.33))]
register_prop("barrels", MeshData.join([barrel, *hoops]), share=0.8, reach=0.28)

kinds = [
    TileKind("grass", texture="grass", props="meadow"),
    TileKind("mosaic", texture="mosaic"),
    TileKind("lamps", texture="paving", props="lamp"),
    TileKind("store", texture="planks", props="barrels"),
    TileKind("sun stone", color=(1.0, 0.78, 0.35), texture="rock", glow=0.8),
]
plan = """
gggggggggggg
gglppppppllg
ggpmmmmmmppg
ggpmmmmmmpss
gglmmuummlss
ggpmmuummpss
ggpmmmmmmpss
ggpmmmmmmppg
gglppppppllg
gggggggggggg
"""
names = "gmlsu"
lines = [line.replace("p", "m") for line in plan.split()]
kind = np.array([[names.index(sign) for sign in line] for line in lines])
level = np.where(kind == 0, 1, 2) + (kind == 4)
tilemap = TileMap(level, kind, kinds)

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(OrbitView(28.0, 36.0, 12.0, tilemap.surface_point((5, 6))))
base.run()
