"""The camera in a window: gestures and keys as they arrive, and what it leaves behind."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from terrain3d.look.orbit import OrbitView
from tests.support.window_pictures import in_window


def pass_time(tree, seconds=3.0, dt_s=1 / 60):
    for _ in range(round(seconds / dt_s)):
        tree.advance(dt_s)


def corners_in_window(base, terrain):
    """Project the corners of the box that holds the map; (8, 2)."""
    tilemap = terrain.tilemap
    top = int(tilemap.level.max()) * tilemap.step_height
    corners = product((0, tilemap.cols), (0, -tilemap.rows), (tilemap.base_z, top))
    return np.array([in_window(base, terrain, corner) for corner in corners])


@pytest.mark.usefixtures("camera")
@pytest.mark.parametrize("aspect", [0.4, 1.0, 16 / 9, 3.5])
def test_at_home_the_whole_map_is_seen_in_any_shape_of_window(base, tree, terrain, aspect):
    before = base.camLens.get_aspect_ratio()
    base.camLens.set_aspect_ratio(aspect)
    try:
        pass_time(tree)
        assert abs(corners_in_window(base, terrain)).max() == pytest.approx(0.94, abs=1e-3)
    finally:
        base.camLens.set_aspect_ratio(before)


def test_the_engines_camera_is_where_the_view_says_or_is_moved(base, terrain, camera, tree):
    view = OrbitView(20.0, 40.0, 9.0, (5.0, -6.0, 1.0))
    camera.look(view)
    assert tuple(base.cam.get_pos(terrain.np)) == pytest.approx(view.eye, abs=1e-4)
    assert in_window(base, terrain, view.target) == pytest.approx((0, 0), abs=1e-4)
    assert camera.view == view
    camera.look(OrbitView(20.0, 40.0, 6.0, (3.0, -3.0, 1.0)))
    near, far = (3.5, -3.5, 1.0), (12.0, -9.0, 1.0)
    goal = camera.goal
    camera.reveal(near)
    assert camera.goal == goal
    camera.reveal(far)
    pass_time(tree)
    x, y = in_window(base, terrain, far)
    assert max(abs(x), abs(y)) == pytest.approx(0.75, abs=0.02)
    camera.reveal(far, part=0.2)
    pass_time(tree)
    x, y = in_window(base, terrain, far)
    assert max(abs(x), abs(y)) == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize(("button", "modifier"), [("middle", ""), ("left", "shift")])
def test_the_ground_follows_a_pan(base, tree, terrain, camera, button, modifier):
    camera.look(replace(camera.home, distance=8.0))
    point = camera.goal.target
    tree.pointer.dragged.emit(button, 0.1, 0.05, modifier)
    pass_time(tree)
    x, y = in_window(base, terrain, point)
    assert x * base.get_aspect_ratio() == pytest.approx(0.1, abs=0.02)
    assert y == pytest.approx(0.05, abs=0.01)


def test_the_wheel_keeps_the_ground_under_the_pointer(base, tree, terrain, camera):
    tilemap = terrain.tilemap
    pointer, cell = (0.3, 0.2), None
    while cell != tilemap.pick(*tree.ray(pointer, terrain.np)):  # not hidden by another
        cell = tilemap.pick(*tree.ray(pointer, terrain.np))
        pointer = in_window(base, terrain, tilemap.surface_point(cell))
    point = tilemap.surface_point(cell)
    for _ in range(4):
        tree.pointer.wheel_turned.emit(1, pointer)
        tree.advance(0.02)
        assert in_window(base, terrain, point) == pytest.approx(pointer, abs=2e-3)
    pass_time(tree)
    assert camera.view.distance < 0.6 * camera.home.distance
    assert in_window(base, terrain, point) == pytest.approx(pointer, abs=2e-3)


@pytest.mark.parametrize("pitch_deg", [25.0, 50.0, 85.0])
def test_from_the_nearest_a_whole_tile_is_seen(base, tree, terrain, camera, pitch_deg):
    x, y, z = terrain.tilemap.surface_point((6, 8))
    camera.look(OrbitView(45.0, pitch_deg, 0.01, (x, y, z)))
    tree.advance(0.0)
    sides = (-0.5, 0.5)
    corners = [in_window(base, terrain, (x + dx, y + dy, z)) for dx in sides for dy in sides]
    assert 0.3 < np.abs(corners).max() < 1.0


@pytest.mark.parametrize(
    ("event", "heading_deg"), [("q", 45), ("e", 0), ("shift-q", 90), ("shift-e", 0)]
)
def test_q_and_e_turn_to_the_next_heading(base, tree, camera, event, heading_deg):
    base.messenger.send(event)
    pass_time(tree)
    assert camera.view.heading_deg % 360.0 == pytest.approx(heading_deg, abs=1e-6)


@pytest.mark.usefixtures("camera")
@pytest.mark.parametrize("event", ["q", "shift-e", "page_up", "page_down", "t"])
def test_who_sees_the_whole_map_turns_around_all_of_it(base, tree, terrain, event):
    for _ in range(3):
        base.messenger.send(event)
        pass_time(tree)
        assert 0.9 < abs(corners_in_window(base, terrain)).max() < 0.97


@pytest.mark.parametrize("event", ["q", "shift-e", "page_up", "t"])
def test_who_sees_a_part_turns_around_its_middle(base, tree, camera, event):
    camera.look(replace(camera.home, distance=8.0, target=(6.0, -6.0, 2.0)))
    base.messenger.send(event)
    pass_time(tree)
    assert camera.view.target == (6.0, -6.0, 2.0)
    assert camera.view.distance == 8.0


def test_a_held_key_moves_at_its_speed_until_it_is_let_go_in_any_window(base, tree, camera):
    start = replace(camera.home, heading_deg=0.0, distance=6.0)
    distances = []
    for dt_s in (1 / 20, 1 / 200):
        camera.look(start)
        base.messenger.send("w")
        pass_time(tree, 0.5, dt_s)
        base.messenger.send("w-up")
        pass_time(tree)
        distances.append(camera.view.target[1] - start.target[1])
    assert distances[0] > 1.0
    assert distances[0] == pytest.approx(distances[1])
    camera.look(replace(camera.home, distance=6.0))
    base.messenger.send("w")
    tree.pointer.focus_lost.emit()
    before = camera.goal
    pass_time(tree, 0.5)
    assert camera.goal == before


def test_t_f_home_and_a_drag_turn_the_map(base, tree, camera):
    before = camera.goal
    base.messenger.send("t")
    pass_time(tree)
    assert camera.view.heading_deg % 360.0 == pytest.approx(0, abs=1e-3)  # north is up
    assert camera.view.pitch_deg == pytest.approx(89.9, abs=1e-3)
    base.messenger.send("t")
    pass_time(tree)
    assert camera.view == before
    base.messenger.send("f")
    assert camera.goal == camera.home
    camera.focus_point = (3.5, -4.5, 1.0)
    base.messenger.send("f")
    pass_time(tree)
    assert camera.view.target == pytest.approx((3.5, -4.5, 1.0))
    base.messenger.send("home")
    pass_time(tree)
    assert camera.view == camera.home
    before = camera.goal
    tree.pointer.dragged.emit("left", 0.2, -0.1, "")
    assert camera.goal.heading_deg < before.heading_deg
    assert camera.goal.pitch_deg > before.pitch_deg
    assert camera.view == before
    pass_time(tree)
    assert camera.view == camera.goal
    tree.pointer.dragged.emit("left", 0.2, -0.1, "control")  # draws a box
    camera.orbit_buttons = {"right"}
    tree.pointer.dragged.emit("left", 0.2, -0.1, "")
    assert camera.goal == camera.view
    tree.pointer.dragged.emit("right", 0.2, -0.1, "")
    assert camera.goal != camera.view
