"""Opens the menu of all commands."""

from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import ActionMenu, Hud, OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
tree.root.add_child(OrbitCamera3D(target=terrain))
menu = tree.root.add_child(Hud()).add_child(ActionMenu())
menu.toggle()
base.run()
