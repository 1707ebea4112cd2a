"""F11 shows the line of free movement beside the planned path."""

import math

import numpy as np

from ai import Board, MoveProfile, Unit
from ai.view.free_path import free_points, length_tiles
from terrain3d import TileMap
from tests.support.scenes import press


def test_over_open_ground_the_line_is_straight_and_over_steps_it_is_the_path():
    board = Board(TileMap(np.zeros((9, 12), int)))
    mira = board.add(Unit("Mira", (0, 0)))
    points = free_points(board.situation(mira), board.find_path(mira, (8, 11)))
    assert math.isclose(length_tiles(points), math.hypot(8, 11), rel_tol=0.01)
    stairs = Board(TileMap([[0, 1, 2, 3], [9, 9, 9, 4]]))
    odo = stairs.add(Unit("Odo", (0, 0), profile=MoveProfile(max_climb=1)))
    path = stairs.find_path(odo, (1, 3))
    expected = [stairs.tilemap.surface_point(cell) for cell in path]
    assert free_points(stairs.situation(odo), path) == expected


def test_the_line_follows_the_aim_until_it_is_hidden(base, tree, scene):
    view = scene._free_path
    press(base, tree, "tab", "f11")
    assert "aim at a tile to see it" in scene.hud.status_text
    press(base, tree, "arrow_right", "arrow_right")
    path = scene.commander.plan.path
    assert len(path) > 2
    tree.advance(0.01)
    assert scene.hud.status_text.startswith("Free path: ")
    assert len(view.ribbon._points) >= 2
    first = scene.hud.status_text
    press(base, tree, "arrow_right")
    tree.advance(0.01)
    assert scene.hud.status_text != first
    press(base, tree, "f11")
    tree.advance(0.01)
    assert len(view.ribbon._points) == 0
    press(base, tree, "arrow_left")
    tree.advance(0.01)
    assert len(view.ribbon._points) == 0
