"""Keeps the light in a file of settings."""

from pathlib import Path

from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.look.settings import SettingsFile
from terrain3d.view import OrbitCamera3D, Preferences, Terrain3D, attach

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
tree.root.add_child(OrbitCamera3D(target=terrain))
file = SettingsFile(Path("mine.json"))
preferences = tree.root.add_child(Preferences(file.load(), file))
terrain.mood = preferences.settings.mood
preferences.changed.connect(lambda _name: setattr(terrain, "mood", preferences.settings.mood))
base.run()
