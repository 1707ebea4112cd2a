"""Marks the tile under the mouse, with a camera of your own."""

from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import Terrain3D, TileOverlay3D, attach

base = ShowBase()
base.disable_mouse()
base.camera.set_pos(8, -24, 14)
base.camera.look_at(8, -8, 0)
terrain = attach(base).root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
mark = terrain.add_child(TileOverlay3D())
terrain.tile_hovered.connect(lambda cell: mark.show([cell] if cell else []))
mark.show([(9, 7)])
base.run()
