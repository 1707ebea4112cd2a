"""The composed scene without a window."""

import pytest

from ai import MoveProfile
from terrain3d import TileMap
from terrain3d.core.files import EventLog
from terrain3d.look.settings import Settings
from terrain3d.program.game_scene import GameScene
from terrain3d.view import Preferences


@pytest.fixture
def make_scene(tree):
    def make(levels="0" * 12 + ("\n" + "0" * 12) * 11, units=(), **chosen):
        preferences = tree.root.add_child(Preferences(Settings(**{"hints_seen": 3} | chosen)))
        tilemap = TileMap.from_text(levels)
        tilemap.extras["units"] = list(units)
        scene = GameScene(7, tilemap, MoveProfile(), preferences, EventLog())
        tree.root.add_child(scene)
        while not scene.is_ready:
            tree.advance(0.0)
        scene.commander_3d.cursor.cell = None
        scene.commander.select(None)
        scene.camera.look(scene.camera.home)
        return scene

    return make


@pytest.fixture
def scene(make_scene):
    return make_scene()
