"""Binds a command to other keys, and shows the help."""

from pathlib import Path

from direct.showbase.ShowBase import ShowBase

from ai import Board, Commander, Unit
from ai.view import Commander3D, Unit3D
from terrain3d import TileMap
from terrain3d.look.settings import SettingsFile
from terrain3d.view import (
    ActionMenu,
    Hud,
    OrbitCamera3D,
    Preferences,
    Terrain3D,
    attach,
    buttons_of,
    key_rows,
)

base = ShowBase()
tree = attach(base)
board = Board(TileMap.from_noise(16, 16, seed=7, levels=5))
mira = board.add(Unit("Mira", (8, 8), move=6))
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
terrain.add_child(Unit3D(mira))
commander = Commander(board)
terrain.add_child(Commander3D(commander, camera))
commander.select(mira)
hud = tree.root.add_child(Hud())
hud.add_child(ActionMenu())


def show_keys(_name=""):
    hud.keys = key_rows(tree.input.groups["Units"], tree.input)
    hud.buttons = buttons_of("undo redo select_next", tree.input)


tree.input.changed.connect(show_keys)
file = SettingsFile(Path("keys.json"))
tree.root.add_child(Preferences(file.load(), file))
tree.input.bind("undo", "j", "mouse4", "gamepad-face_y")
show_keys()
hud.toggle_help()
base.run()
