"""Panels and buttons of the whole scene: in no mode and at no size do they overlap or leave it."""

import itertools

import pytest

from ai import MoveProfile
from terrain3d import landscape
from terrain3d.core.files import EventLog
from terrain3d.look.layout import Box
from terrain3d.look.settings import Settings
from terrain3d.program.game_scene import GameScene
from terrain3d.view import Hud, Preferences

SIZES = [(640, 400), (800, 600), (1280, 720), (720, 1280), (3840, 2160)]
MODES = {"play": (), "plan": ("tab", "arrow_up"), "edit": ("f2",), "watch": ("f3",)}


@pytest.fixture(scope="module")
def tilemap():
    return landscape(20, 20, 7, 5)


def boxes_of(base, hud):
    """Give the (left, top, right, bottom) in pixels of every plate that is shown."""
    root = base.render2d.find(f"**/{hud.name}")
    boxes = []
    for plate in root.find_all_matches("**/plate"):
        if not any(above.is_hidden() for above in plate.ancestors):
            low, high = plate.get_tight_bounds(root)
            boxes.append((low.x, -high.z, high.x, -low.z))
    return boxes


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("is_help_open", [False, True])
def test_panels_are_inside_and_apart(base, tree, tilemap, monkeypatch, mode, is_help_open):
    preferences = tree.root.add_child(Preferences(Settings()))
    scene = tree.root.add_child(GameScene(7, tilemap, MoveProfile(), preferences, EventLog()))
    while not scene.is_ready:
        tree.advance(0.0)
    for key in (*MODES[mode], *["f1"] * is_help_open):
        base.messenger.send(key)
        tree.advance(0.01)
    for size in SIZES:
        monkeypatch.setattr(Hud, "_window", size)
        tree.advance(0.01)
        boxes = boxes_of(base, scene.hud)
        assert is_help_open or len(boxes) > 6, size  # buttons, hints and status at least
        for left, top, right, bottom in boxes:
            assert -1 <= left < right <= size[0] + 1, size
            assert -1 <= top < bottom <= size[1] + 1, size
        for one, other in itertools.combinations(boxes, 2):
            is_beside = one[2] <= other[0] + 1 or other[2] <= one[0] + 1
            assert is_beside or one[3] <= other[1] + 1 or other[3] <= one[1] + 1, size
        if not is_help_open:
            assert len(scene.toolbar._boxes) == len(scene.toolbar.buttons), size


def test_no_panel_covers_the_label_of_the_unit_at_the_start(tree, tilemap, monkeypatch):
    preferences = tree.root.add_child(Preferences(Settings()))
    scene = tree.root.add_child(GameScene(7, tilemap, MoveProfile(), preferences, EventLog()))
    while not scene.is_ready:
        tree.advance(0.0)
    tree.advance(0.0)
    unit = scene.commander.selected
    assert scene.figures[unit].label == f"{unit.name}  6"
    x, y, z = unit.pose.point
    for size in SIZES:
        monkeypatch.setattr(Hud, "_window", size)
        tree.advance(0.01)
        place = scene.tree.project((x, y, z + 1.5), scene.terrain.np)
        left, top = scene.hud.in_pixels(place)
        half = size[0] / 16
        label = Box(left - half, top - 1, 2 * half, 2)
        assert not any(label.overlaps(box) for box in scene.hud.boxes), size
