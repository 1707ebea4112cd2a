"""Shows a fire of three pictures."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Sprite3D, Terrain3D, attach

FLAMES = """
....y... ........ ...y....
...yy... ...y.... ...yy...
..yyoy.. ..yyy.y. .yyoyy..
..yooyy. .yyooyy. .yyooy..
.yoorooy .yorooy. .yoorooy
..orroo. ..orroo. ..oorro.
.bbbbbb. .bbbbbb. .bbbbbb.
b.b..b.b b.b..b.b b.b..b.b
"""
COLORS = {".": "00000000", "y": "ffe070ff", "o": "ff9a30ff", "r": "d84020ff", "b": "5a3a26ff"}
rows = FLAMES.replace(" ", "").split()
pixels = np.array([[list(bytes.fromhex(COLORS[dot])) for dot in row] for row in rows], np.uint8)

base = ShowBase()
tree = attach(base)
tilemap = TileMap.from_noise(16, 16, seed=7, levels=5)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
fire = Sprite3D(pixels, {"burn": [0, 1, 2, 1]}, hframes=3, pixel_size=1 / 10)
terrain.add_child(fire).np.set_pos(*tilemap.surface_point((8, 8)))
camera.focus(tilemap.surface_point((8, 8)))
base.run()
