"""A panel of two sliders: shown, moved by mouse and keys, and gone without a trace."""

import numpy as np
import pytest

from ai import Board, Commander, MoveProfile, Unit
from ai.view.rules_panel import RulesView
from terrain3d import Cell, TileMap
from terrain3d.look.layout import Box
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D
from terrain3d.view.hud.widgets import Slider
from terrain3d.view.window.viewport import ScreenProjection
from tests.support.scenes import middle_of

pytestmark = pytest.mark.usefixtures("large_window")


@pytest.fixture
def board():
    return Board(TileMap.from_text("0000\n0110\n0000"))


@pytest.fixture
def unit(board):
    return board.add(Unit("Mira", (1, 0), move=9))


@pytest.fixture
def rules(tree, hud, board, unit):
    commander = Commander(board)
    commander.select(unit)
    commander.aim_at((1, 3))
    terrain = tree.root.add_child(Terrain3D(board.tilemap))
    rules = terrain.add_child(RulesView(commander, hud))
    rules.toggle()
    settle(tree)
    return rules


def settle(tree):
    for _ in range(2):
        tree.advance(0.0)


def knobs(hud):
    parts = hud.dock("rules").panel.parts.values()
    return [number for number, part in enumerate(parts) if isinstance(part.widget, Slider)]


@pytest.mark.usefixtures("rules")
def test_a_press_and_a_drag_move_one_slider(hud, unit, mouse):
    first, second = (middle_of(hud, "rules", number) for number in knobs(hud))
    mouse.move(*first)
    mouse.press()
    assert unit.profile.climb_cost in {5, 6}
    mouse.move(second[0] + 200, second[1])  # the pointer may leave it while the button is down
    assert (unit.profile.climb_cost, unit.profile.max_climb) == (10, MoveProfile().max_climb)
    mouse.release()
    mouse.click(*second)
    assert unit.profile.max_climb in {4, 5}
    mouse.click(second[0] + 30, second[1], "right")
    mouse.click(*middle_of(hud, "rules"))
    assert unit.profile.climb_cost == 10


@pytest.mark.usefixtures("rules")
def test_keys_choose_a_slider_move_it_and_go_back(base, tree, unit):
    for key in (".", ".", "2", ",", ".", ".", "1", ","):
        base.messenger.send(key)
        tree.advance(0.0)
    before = MoveProfile()
    assert unit.profile == MoveProfile(climb_cost=2, max_climb=before.max_climb + 1)
    base.messenger.send("0")
    assert unit.profile == before


def test_both_paths_are_shown_with_their_prices(base, tree, hud, rules):
    assert len(rules.ribbon._points) == 0
    for _ in range(9):
        base.messenger.send(".")
    settle(tree)
    assert len(rules.ribbon._points) > 0
    [columns] = hud.dock("rules").content.parts
    labels, middle, values = columns.parts
    # Over the hill: 3 tiles and one level. Around it: 5 tiles.
    assert labels.parts[-1].text.endswith("cost by\nold path\nnew path")
    assert middle.parts[-1].text == "old rules\n4\n5"
    assert values.parts[-1].text.endswith("new rules\n13\n5")


def test_hidden_it_takes_no_keys_and_freed_it_leaves_nothing(base, tree, hud, unit, rules):
    rules.toggle()
    settle(tree)
    assert hud.dock("rules").box is None
    before = unit.profile
    for key in ("2", ".", "0"):
        base.messenger.send(key)
    assert unit.profile == before
    rules.toggle()
    rules.queue_free()
    settle(tree)
    assert hud.dock("rules").box is None
    assert not base.messenger.who_accepts("0")


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("heading_deg", range(0, 360, 30))
def test_it_covers_neither_goal_nor_path_if_a_corner_is_free(tree, hud, board, heading_deg):
    [terrain] = [each for each in tree.root.children if isinstance(each, Terrain3D)]
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    cells = [Cell(1, col) for col in range(4)]
    size, moved = tree.viewport.size_px, set()
    for pitch_deg in (20.0, 45.0, 80.0):
        for at in ((-1.5, -1.5, 0.0), (0.0, -4.0, 0.0), (2.0, -1.5, 0.0), (2.0, 1.0, 0.0)):
            camera.look(OrbitView(heading_deg, pitch_deg, 7.0, at))
            for _ in range(4):
                tree.advance(0.0)
            projection = ScreenProjection.of(tree.viewport, terrain.np)
            tiles = np.array([*map(board.tilemap.surface_point, cells)])
            points, tile_px = projection.in_pixels(tiles), projection.unit_px(tiles).max()
            docks = [hud.dock(name) for name in ("rules", "rules below")]
            [box] = [dock.box for dock in docks if dock.box is not None]
            moved.add(box.top > size[1] / 2)
            left, top, wide, high = box._replace(top=size[1] - box.top - box.height)
            around = Box(left - tile_px, top - tile_px, wide + 2 * tile_px, high + 2 * tile_px)
            is_other_free = not any(around.contains(*point) for point in points)
            assert not (is_other_free and any(box.contains(*point) for point in points))
    assert heading_deg or moved == {False, True}
