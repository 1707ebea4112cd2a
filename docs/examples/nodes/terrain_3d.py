"""Raises a tile at each click, at dusk."""

from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import Terrain3D, attach

base = ShowBase()
base.disable_mouse()  # else Panda3D's own mouse moves the camera
base.camera.set_pos(8, -36, 18)
base.camera.look_at(8, -8, 0)
terrain = attach(base).root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
terrain.mood = "dusk"


def raise_tile(cell, button):
    if cell is not None and button == "left":
        with terrain.tilemap.edit("raise") as edit:
            edit.set_level(cell, terrain.tilemap.level_at(cell) + 1)


terrain.tile_clicked.connect(raise_tile)
base.run()
