"""Marks and text of the map doctor in the composed scene, as the map is edited."""

import time

import pytest

from ai import MoveProfile
from terrain3d import TileMap
from terrain3d.core.files import EventLog
from terrain3d.look.settings import Settings
from terrain3d.program.game_scene import GameScene
from terrain3d.view import Preferences
from tests.support.scenes import press

DEADLINE_S = 300.0


@pytest.fixture
def scene(tree):
    preferences = tree.root.add_child(Preferences(Settings(hints_seen=3)))
    tilemap = TileMap.from_text("\n".join(["4" * 12] * 8))
    scene = GameScene(7, tilemap, MoveProfile(), preferences, EventLog())
    tree.root.add_child(scene)
    while not scene.is_ready:
        tree.advance(0.0)
    return scene


@pytest.fixture
def doctor(scene):
    return scene.get_node("Terrain3D/doctor")


def play_until(tree, condition):
    end = time.monotonic() + DEADLINE_S
    while not condition() and time.monotonic() < end:
        tree.advance(0.01)
        time.sleep(0.001)
    assert condition()


def marked(doctor):
    return {label: set(overlay.cells) for label, overlay in doctor.overlays.items()}


def test_marks_and_text_follow_strokes_while_the_map_is_edited(base, tree, scene, doctor):
    press(base, tree, "f2")
    editor = scene.editor.map_editor
    editor.choose(tool="raise")
    for cell in ((2, 5), (2, 5), (2, 5)):
        editor.aim_at(cell)
        editor.act()
    play_until(tree, lambda: doctor.text)
    assert doctor.text == "Island: (2, 5) cannot be reached. Try: lower (2, 5) by 1"
    assert marked(doctor) == {"x": {(2, 5, 0)}, "!": set(), "><": set()}
    tree.advance(0.01)
    assert scene.hud.tool_text.endswith(doctor.text)
    editor.choose(tool="lower")
    for _ in range(6):
        editor.act()
    play_until(tree, lambda: doctor.text.startswith("Trap"))
    assert marked(doctor) == {"x": set(), "!": {(2, 5, 0)}, "><": set()}
    press(base, tree, "control-z", "control-z", "control-z")
    play_until(tree, lambda: not doctor.text)
    assert marked(doctor) == {"x": set(), "!": set(), "><": set()}


def test_marks_are_gone_when_play_goes_on(base, tree, scene, doctor):
    with scene.board.tilemap.edit() as edit:
        edit.set_level((2, 5), 9)
    press(base, tree, "f2")
    play_until(tree, lambda: doctor.text)
    press(base, tree, "f2")
    tree.advance(0.01)
    assert doctor.text == ""
    assert not any(marked(doctor).values())


def test_both_ends_of_a_link_to_nowhere_are_marked(base, tree, scene, doctor):
    with scene.board.tilemap.edit() as edit:
        edit.set_kind((2, 5), "lava")
        edit.add_link((0, 0), (2, 5), cost=1, kind="ladder")
    press(base, tree, "f2")
    play_until(tree, lambda: doctor.text.startswith("Link"))
    assert marked(doctor) == {"x": {(0, 0, 0), (2, 5, 0)}, "!": set(), "><": set()}


def test_choke_points_are_marked(base, tree, scene, doctor):
    with scene.board.tilemap.edit() as edit:
        for row in range(1, 8):
            edit.set_kind((row, 6), "void")
    press(base, tree, "f2")
    play_until(tree, lambda: doctor.overlays["><"].cells)
    assert {cell[:2] for cell in doctor.overlays["><"].cells} == {(0, 5), (0, 6), (0, 7)}
    assert doctor.text == ""
