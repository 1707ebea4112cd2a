"""Trees with cameras, lenses and regions of the window of their own."""

import itertools

import numpy as np
import pytest
from direct.gui.DirectEntry import DirectEntry
from panda3d.core import Camera, NodePath, OrthographicLens, PerspectiveLens

from ai import Board, Unit
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Hud, Node3D, OrbitCamera3D, Terrain3D, attach
from terrain3d.view.window.viewport import ScreenProjection, cameras_of
from tests.long.views import check_scene
from tests.support.scenes import Watcher
from tests.support.window_pictures import enlarged, picture


@pytest.fixture
def mouse(base, monkeypatch):
    monkeypatch.setattr(base, "mouseWatcherNode", Watcher())
    return base.mouseWatcherNode


@pytest.fixture
def second(base):
    """Return a function that attaches a tree with a camera, a scene and a region of its own."""
    made = []

    def make(box=(0.5, 1.0, 0.0, 1.0), lens=None):
        node = Camera("second", lens or PerspectiveLens())
        camera = NodePath("second scene").attach_new_node(node)
        region = base.win.make_display_region(*box)
        tree = attach(base, camera=camera, region=region)
        made.append((tree, region, camera))
        return tree

    yield make
    for tree, region, camera in made:
        tree.close()
        base.win.remove_display_region(region)
        camera.remove_node()


def shown_at(tree, terrain, cell):
    """Return the point of the window in -1..1 that shows a tile, by the engine's lens."""
    seen = tree.project(terrain.tilemap.surface_point(cell), terrain.np)
    left, right, bottom, top = tree.viewport.box
    x, y = (seen[0] + 1) / 2, (seen[1] + 1) / 2
    return 2 * (left + x * (right - left)) - 1, 2 * (bottom + y * (top - bottom)) - 1


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_tile_under_the_pointer_is_found_in_random_views(base, seed):
    assert check_scene(base, seed, n_views=6) > 0


def test_a_lens_that_is_replaced_is_used_from_then_on(base, tree, lens, camera):
    flat = OrthographicLens()
    lens(flat)
    base.task_mgr.step()
    camera.look(camera.home)
    before = flat.get_film_size()[1]
    tree.pointer.wheel_turned.emit(2, (0.0, 0.0))
    camera.look(camera.goal)
    assert flat.get_film_size()[1] == pytest.approx(before * 0.86**2)


def test_a_camera_that_is_replaced_in_its_region_is_used_from_then_on(tilemap, second):
    tree = second()
    terrain = tree.root.add_child(Terrain3D(tilemap))
    other = tree.viewport.scene.attach_new_node(Camera("other", OrthographicLens()))
    other.node().get_lens().set_film_size(24, 24)
    other.set_pos_hpr(8, -6, 30, 0, -90, 0)
    tree.viewport.region.set_camera(other)
    tree.advance(0.0)
    assert tree.viewport.camera == other
    for cell in ((0, 0), (11, 15), (6, 8)):
        seen = tree.project(tilemap.surface_point(cell), terrain.np)
        assert terrain.cell_at(seen) == (*cell, 0)


@pytest.mark.parametrize("right", [0.3, 1.0])
def test_without_perspective_home_shows_the_whole_map(second, tilemap, right):
    tree = second((0.0, right, 0.0, 1.0), OrthographicLens())
    terrain = tree.root.add_child(Terrain3D(tilemap))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    camera.look(camera.framing(20.0, 35.0))
    west, south, east, north = terrain.tilemap.extent
    top = terrain.tilemap.top_level * terrain.tilemap.step_height
    corners = itertools.product((west, east), (south, north), (terrain.tilemap.base_z, top))
    seen = [tree.project(corner, terrain.np) for corner in corners]
    assert None not in seen
    assert abs(np.array(seen)).max() == pytest.approx(0.94, abs=2e-3)


def test_without_perspective_a_drag_keeps_the_ground_under_the_pointer(tree, terrain, lens, camera):
    lens(OrthographicLens())
    camera.look(OrbitView(0.0, 89.0, 8.0, (8.0, -6.0, 0.0)))
    before = np.array(tree.project((8.0, -6.0, 0.0), terrain.np))
    aspect = tree.viewport.lens.get_aspect_ratio()
    tree.pointer.dragged.emit("middle", 0.3 * aspect, 0.2, "")
    camera.look(camera.goal)
    after = np.array(tree.project((8.0, -6.0, 0.0), terrain.np))
    assert after - before == pytest.approx((0.3, 0.2), abs=0.01)


@pytest.fixture
def beside(base):
    """Show the scene in the right half of the window, too, by a camera of the game."""
    own = base.camNode.get_display_region(0)
    own.set_dimensions(0.0, 0.5, 0.0, 1.0)
    camera = base.render.attach_new_node(Camera("beside"))
    region = base.win.make_display_region(0.5, 1.0, 0.0, 1.0)
    region.set_camera(camera)
    yield camera
    own.set_dimensions(0.0, 1.0, 0.0, 1.0)
    base.win.remove_display_region(region)
    camera.remove_node()


def test_a_plain_camera_shows_a_scene_in_another_region(base, tree, terrain, mouse, beside, camera):
    camera.look(camera.home)
    beside.node().set_lens(base.camLens)
    beside.set_transform(base.cam.get_net_transform())
    base.task_mgr.step()
    assert base.camLens.get_aspect_ratio() == pytest.approx(base.get_aspect_ratio() / 2)
    left, right = np.hsplit(picture(base, tree), 2)
    assert np.abs(left - right).mean() < 0.02
    assert left.std() > 0.05
    mouse.at = shown_at(tree, terrain, (6, 8))
    base.task_mgr.step()
    assert terrain.hovered[:2] == (6, 8)
    mouse.at = mouse.at[0] + 1.0, mouse.at[1]
    base.task_mgr.step()
    assert (terrain.hovered, tree.pointer.point) == (None, None)
    assert tree.has_keys


def test_a_window_has_one_tree(base, tree):
    nodes = len(base.render2d.children)
    for region in (None, tree.viewport.region):
        with pytest.raises(RuntimeError, match=r"has a tree already: add nodes to that one"):
            attach(base, region=region)
    assert len(base.render2d.children) == nodes
    tree.close()
    attach(base).close()


def test_the_panels_of_a_tree_stay_in_its_region(base, second):
    tree = second(box=(0.25, 0.75, 0.5, 1.0))
    hud = tree.root.add_child(Hud())
    hud.status_text = "status"
    tree.advance(0.01)
    panel = hud.boxes[0]
    width, height = tree.viewport.size_px
    assert (width, height) == (base.win.get_x_size() // 2, base.win.get_y_size() // 2)
    assert panel.left + panel.width <= width
    assert panel.top + panel.height <= height
    low, high = hud.np.get_tight_bounds(base.render2d)
    assert -0.501 < low.x < high.x < 0.501
    assert -0.001 < low.z < high.z < 1.001


@pytest.mark.parametrize(
    "box", [(0.7, 0.7, 0.0, 1.0), (0.5, 1.0, 0.3, 0.3), (0.2, 0.2, 0.2, 0.2), (0.9, 0.6, 0.0, 1.0)]
)
def test_a_region_may_be_empty_for_a_while(base, second, tilemap, box):
    tree = second((0.5, 1.0, 0.0, 1.0))
    camera = tree.root.add_child(OrbitCamera3D(tree.root.add_child(Terrain3D(tilemap))))
    tree.root.add_child(Hud()).status_text = "A status"
    camera.look(camera.home)
    wide, aspect = (camera.limits, camera.home), tree.viewport.aspect
    tree.viewport.region.set_dimensions(*box)
    for _ in range(3):
        base.task_mgr.step()
    assert (camera.limits, camera.home) == wide
    assert tree.viewport.aspect == pytest.approx(aspect)
    assert tree.viewport.from_window(0.0, 0.0) is None
    tree.viewport.region.set_dimensions(0.25, 1.0, 0.0, 0.5)
    base.task_mgr.step()
    assert tree.viewport.aspect == pytest.approx(3 * aspect)


def test_a_tree_may_begin_in_an_empty_region(second, tilemap):
    tree = second((0.5, 0.5, 0.0, 0.0))
    camera = tree.root.add_child(OrbitCamera3D(tree.root.add_child(Terrain3D(tilemap))))
    tree.viewport.region.set_dimensions(0.0, 0.5, 0.0, 1.0)
    tree.advance(0.0)
    tree.advance(0.0)
    assert camera.goal == camera.home


def test_a_mouse_that_is_limited_to_the_region_points_at_the_same_tile(base, second, mouse):
    tree = second(box=(0.3, 1.0, 0.0, 1.0))
    mouse.get_display_region = lambda: tree.viewport.region
    mouse.at = 0.25, -0.5
    base.task_mgr.step()
    assert tree.pointer.point == pytest.approx((0.25, -0.5))


def test_while_a_text_is_typed_keys_are_not_for_the_scene(tree, camera):
    camera.look(camera.near)
    tree.base.messenger.send("w")
    entry = DirectEntry(focus=1)
    try:
        before = camera.goal
        for key in ("q", "t", "home", "w-up"):
            tree.base.messenger.send(key)
        tree.advance(0.1)
        assert camera.goal == before
    finally:
        entry["focus"] = 0
        entry.destroy()
    tree.base.messenger.send("q")
    assert camera.goal != before


def test_the_enter_that_ends_a_text_is_not_for_the_scene(tree, cursor):
    """As the engine tells of it: the entry has lost the focus before the event arrives."""
    chosen = []
    cursor.chosen.connect(chosen.append)
    cursor.go_to((3, 3))
    entry = DirectEntry(focus=1)
    try:
        tree.base.task_mgr.step()
        entry["focus"] = 0
        tree.base.messenger.send("enter", taskChain="default")
        tree.base.task_mgr.step()
        assert chosen == []
    finally:
        entry.destroy()
    tree.base.task_mgr.step()
    tree.base.task_mgr.step()
    tree.base.messenger.send("enter")
    assert chosen == [(3, 3, 0)]


def test_the_view_moves_along_with_what_it_follows(tree, terrain):
    runner = terrain.add_child(Node3D("runner"))
    runner.np.set_pos(3, -3, 1)
    camera = tree.root.add_child(OrbitCamera3D(target=terrain, follow=runner))
    assert camera.goal.target == pytest.approx((3, -3, 1), abs=1e-5)
    camera.goal = camera.goal.panned(1.0, 0.0)
    before = np.array(camera.goal.target)
    runner.np.set_pos(5, -4, 1.5)
    tree.advance(0.01)
    assert np.array(camera.goal.target) - before == pytest.approx((2, -1, 0.5), abs=1e-5)
    camera.follow = None
    runner.np.set_pos(8, -8, 1)
    before = camera.goal
    tree.advance(0.01)
    assert camera.goal == before
    camera.follow = runner.np
    tree.advance(0.01)
    assert camera.goal.target == pytest.approx((8, -8, 1), abs=1e-5)
    for outside in ((900, -3, 1), (3, 70, 1), (3, -3, 50), (-8, -90, -9)):
        for place in (outside, (5, -4, 0.5), outside, (8, -8, 1)):
            runner.position = place
            tree.advance(0.01)
        assert camera.goal.target == pytest.approx((8, -8, 1), abs=1e-4)
    runner.np.remove_node()
    tree.advance(0.01)
    tree.advance(0.01)
    assert camera.goal.target == pytest.approx((8, -8, 1), abs=1e-4)


def test_a_second_camera_near_far_blocks_sees_them_in_full(base, tree, beside):
    tilemap = TileMap(np.zeros((256, 256), int))
    terrain = tree.root.add_child(Terrain3D(tilemap))
    base.camera.set_pos(250, -250, 10)
    base.camera.set_hpr(0, -40, 0)
    beside.set_pos_hpr(base.camera.get_pos(), base.camera.get_hpr())

    def full_rects():
        terrain.build_visible()
        return [chunk.rect for chunk in terrain._chunks._shown if not chunk.stride]

    assert not any(rect.row < 20 and rect.col < 20 for rect in full_rects())
    assert beside in [camera for camera, _ in cameras_of(base, terrain.np)]
    beside.set_pos(5, -12, 8)
    beside.look_at(5, -5, 0)
    assert any(rect.row < 20 and rect.col < 20 for rect in full_rects())
    beside.node().set_active(False)
    assert beside not in [camera for camera, _ in cameras_of(base, terrain.np)]


def test_projection_and_lens_agree(tree, terrain, lens):
    points = np.array([(1.0, -2.0, 0.5), (9.0, -7.0, 1.5)])
    for made in (PerspectiveLens(), OrthographicLens()):
        made.set_film_size(20, 12) if isinstance(made, OrthographicLens) else made.set_fov(50)
        made.set_film_offset(1.5 if isinstance(made, OrthographicLens) else 0.1, 0.05)
        lens(made)
        tree.viewport.camera.set_pos(terrain.np, 5, -25, 15)
        tree.viewport.camera.look_at(terrain.np, 5, -5, 0)
        made.set_near_far(0.1, 300)
        seen = [tree.project(tuple(point), terrain.np) for point in points.tolist()]
        wanted = (np.array(seen) * (1, -1) + 1) / 2 * tree.viewport.size_px
        got = ScreenProjection.of(tree.viewport, terrain.np).in_pixels(points)
        assert np.abs(got - wanted).max() < 0.01


def test_what_cannot_be_used_is_refused(base):
    removed = NodePath(Camera("removed"))
    removed.remove_node()
    with pytest.raises(TypeError, match=r"the NodePath of a Camera, got \*\*removed"):
        attach(base, camera=removed)
    loose = NodePath(Camera("loose"))
    with pytest.raises(ValueError, match=r"in no region of base\.win: pass region="):
        attach(base, camera=loose)
    region = base.win.make_display_region(0, 0.5, 0, 1)
    try:
        with pytest.raises(ValueError, match="shows no camera: pass camera="):
            attach(base, region=region)
        says = r"in no scene: use camera\.reparent_to\(base\.render\)"
        with pytest.raises(ValueError, match=says):
            attach(base, camera=loose, region=region)
        with pytest.raises(ValueError, match="shows another camera"):
            attach(base, camera=base.cam, region=region)
    finally:
        base.win.remove_display_region(region)


def test_a_camera_cannot_follow_itself(base, camera):
    for np_ in (base.cam, base.camera, base.render):
        with pytest.raises(ValueError, match="follow must not move with the camera"):
            camera.follow = np_
    assert camera.follow is None


def test_a_lens_without_a_size_ends_nothing(tree, terrain, lens):
    figure = terrain.add_child(Unit3D(Board(terrain.tilemap).add(Unit("Mira", (3, 3)))))
    figure.label = "Mira"
    flat = OrthographicLens()
    flat.set_film_size(0, 0)
    lens(flat)
    tree.advance(0.01)
    flat.set_film_size(10, 10)
    tree.advance(0.01)


def test_a_window_that_the_game_replaces_is_used_from_then_on(base, tree):
    first = tree.viewport.region
    with enlarged(base):
        assert tree.viewport.region.get_window() == base.win
        assert tree.viewport.size_px == (640, 360)
    assert tree.viewport.region != first
