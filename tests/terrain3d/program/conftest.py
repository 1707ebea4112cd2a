"""The composed scene without a window."""

from contextlib import nullcontext

import pytest

from ai import MoveProfile
from terrain3d import TileMap
from terrain3d.look.settings import Settings
from terrain3d.program.editor_menu import NEW_MAP
from terrain3d.program.game_scene import GameScene
from terrain3d.view import Preferences
from terrain3d.view.window import window


@pytest.fixture
def open_scene(tree):
    """Return a function that opens the scene of a map, and waits until orders are taken."""

    def make(
        tilemap, turns=None, *, is_awaited=True, path=NEW_MAP, match=None, file=None, **chosen
    ):
        preferences = tree.root.add_child(Preferences(Settings(**chosen), file))
        scene = GameScene(7, tilemap, MoveProfile(), preferences, path, turns, match)
        tree.root.add_child(scene)
        while is_awaited and not scene.is_ready:
            tree.advance(0.0)
        return scene

    return make


@pytest.fixture
def make_scene(open_scene):
    def make(levels="0" * 12 + ("\n" + "0" * 12) * 11, units=(), **chosen):
        tilemap = TileMap.from_text(levels)
        tilemap.extras["units"] = list(units)
        scene = open_scene(tilemap, **chosen)
        scene.commander_3d.cursor.cell = None
        scene.commander.select(None)
        scene.camera.look(scene.camera.home)
        return scene

    return make


@pytest.fixture
def scene(make_scene):
    return make_scene()


@pytest.fixture
def drawn_here(tree, monkeypatch):
    """Let a command draw in the window of all tests."""
    monkeypatch.setattr(window, "still_tree", lambda *_: nullcontext(tree))
