"""Clears the woods of a landscape."""

from direct.showbase.ShowBase import ShowBase

from terrain3d import landscape
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tilemap = landscape(20, 20, seed=7)
with tilemap.edit("clear the woods") as edit:
    for cell in ((row, col) for row in range(20) for col in range(20)):
        if tilemap.kind_at(cell).props == "trees":
            edit.set_kind(cell, "grass")
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(camera.home)
base.run()
