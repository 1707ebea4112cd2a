"""Shows every texture, the props, looks of water, and glow."""

from dataclasses import replace

import numpy as np
from direct.showbase.ShowBase import ShowBase

from terrain3d import KINDS, TileKind, TileMap, Water
from terrain3d.grid.kinds import PROPS, TEXTURES
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Labels3D, OrbitCamera3D, Terrain3D, attach

red, jade = Water((0.62, 0.16, 0.14)), Water((0.10, 0.55, 0.40))
liquids = {"water", "lava"}
textures = [TileKind(name, texture=name, depth=int(name in liquids)) for name in TEXTURES]
props = [TileKind(name, texture="grass", props=name) for name in PROPS if name]
waters = {"foam=0": Water(foam=0), "clarity=0.5": Water(clarity=0.5), "clarity=1": Water(clarity=1)}
waters |= {"color=red": red}
wet = [TileKind(name, depth=1, water=look) for name, look in waters.items()]
wet.append(TileKind("glow=0.3", depth=1, water=jade, glow=0.3))
glows = [
    TileKind(f"glow={part}", color=(0.95, 0.62, 0.25), texture="rock", glow=part)
    for part in (0.2, 0.4, 0.6, 0.8, 1.0)
]
usual = [kind for kind in KINDS if kind.name in ("dirt", "rock", "road", "forest", "swamp")]
kinds = [TileKind("table", color=(0.42, 0.40, 0.40)), *textures, *props, *wet, *glows, *usual]
kinds[-5:] = [replace(kind, name=f"kind: {kind.name}") for kind in usual]
kind = np.zeros((21, 25), int)
places = [(4 * row + 1, 4 * col + 1) for row in range(5) for col in range(6)]
for number, (row, col) in enumerate(places, start=1):
    kind[row : row + 3, col : col + 3] = number
tilemap = TileMap(np.zeros_like(kind), kind, kinds)

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
labels = terrain.add_child(Labels3D())
labels.size = 0.7
points = [(col + 1.5, -row - 3.6, 0.0) for row, col in places]
labels.show(points, [each.name for each in kinds[1:]])
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(OrbitView(0.0, 66.0, 41.0, (12.5, -11.6, 0.0)))
base.run()
