"""What reaches the screen: pixels that matter, what follows edits, and what is left behind."""

import numpy as np
import pytest
from panda3d.core import LMatrix4, Point3

from ai.view import Unit3D
from terrain3d import KINDS, Cell, TileMap
from terrain3d.mesh.chunks import chunk_rects
from terrain3d.view import Node3D, Pointer, Terrain3D
from tests.support.boards import one_edit
from tests.support.scenes import Mover, Pose
from tests.support.window_pictures import color_at, in_window, picture


@pytest.fixture(autouse=True)
def camera(base):
    """Put the camera above (8, -6), and everything back in its place afterwards."""
    placed, lens = LMatrix4(base.cam.get_mat()), base.camLens.make_copy()
    base.camLens.set_fov(40)
    base.camLens.set_near_far(1.0, 200.0)

    def look(x, y, high, aside=-0.5):
        base.cam.set_pos(base.render, x, y + aside * high, high)
        base.cam.look_at(base.render, Point3(x, y, 0.0))

    look(8.0, -6.0, 20.0)
    yield look
    base.cam.set_mat(placed)
    base.cam.node().set_lens(lens)
    base.camLens = lens


def flat(kind="grass", rows=12, cols=16):
    index = [entry.name for entry in KINDS].index(kind)
    return TileMap(np.zeros((rows, cols), dtype=int), np.full((rows, cols), index))


@pytest.mark.usefixtures("needs_shaders")
def test_what_is_not_given_to_the_light_casts_no_shadow(base, tree):
    tilemap = flat("sand")
    terrain = tree.root.add_child(Terrain3D(tilemap))
    before = color_at(base, terrain, picture(base, tree), (8.5, -6.5, 0.0))
    mark = terrain.add_child(Node3D("mark"))
    tower = Terrain3D(TileMap([[6]])).np.find("ground").get_child(0).copy_to(mark.np)
    tower.set_pos(7.0, -7.0, 0.0)
    after = color_at(base, terrain, picture(base, tree), (8.5, -6.5, 0.0))
    np.testing.assert_allclose(after, before, atol=0.02)
    terrain.daylight.add_subject(tower)
    assert color_at(base, terrain, picture(base, tree), (8.6, -5.9, 0.0)).sum() < 0.8 * before.sum()
    terrain.daylight.remove_subject(tower)
    after = color_at(base, terrain, picture(base, tree), (8.6, -5.9, 0.0))
    np.testing.assert_allclose(after, before, atol=0.06)


def test_an_edit_is_on_screen_in_the_next_frame_and_rebuilds_touched_chunks_only(base, tree):
    tilemap = flat("grass", 40, 40)
    terrain = tree.root.add_child(Terrain3D(tilemap))
    picture(base, tree)
    before = set(terrain.np.find("ground").get_children())

    def seen():
        return color_at(base, terrain, picture(base, tree), tilemap.surface_point((5, 5)))

    one_edit(tilemap).set_kind((5, 5), "snow")
    assert seen().min() > 0.7
    after = set(terrain.np.find("ground").get_children())
    assert len(after) == len(before) == len(chunk_rects(40, 40)) > 1
    assert len(after - before) == 1
    tilemap.undo()
    assert seen()[2] < 0.6
    tree.root.remove_child(terrain)
    tilemap.redo()  # while the terrain is out of the tree
    tree.root.add_child(terrain)
    assert seen().min() > 0.7


def test_the_hovered_tile_follows_pointer_camera_and_terrain(base, tree, monkeypatch):
    terrain = tree.root.add_child(Terrain3D(flat()))
    received = []
    terrain.tile_hovered.connect(received.append)
    base.task_mgr.step()
    assert terrain.hovered is None
    point = in_window(base, terrain, terrain.tilemap.surface_point((5, 5)))
    monkeypatch.setattr(Pointer, "scene_point", property(lambda _: point))
    tree.advance(0.0)
    tree.advance(0.0)
    assert terrain.hovered == Cell(5, 5)
    base.cam.set_x(base.cam, 2.0)
    tree.advance(0.0)
    assert terrain.hovered == Cell(5, 7)
    terrain.np.set_x(3.0)
    tree.advance(0.0)
    assert terrain.hovered == Cell(5, 4)
    monkeypatch.setattr(Pointer, "scene_point", None)
    tree.advance(0.0)
    assert received == [Cell(5, 5), Cell(5, 7), Cell(5, 4), None]


def test_a_figure_that_walks_under_a_resting_pointer_is_hovered(base, tree, camera, monkeypatch):
    camera(8.5, -6.5, 9.0, aside=-1.5)
    terrain = tree.root.add_child(Terrain3D(flat()))
    mover = Mover((1.5, -1.5, 0.0), cell=Cell(6, 8))
    terrain.add_child(Unit3D(mover))
    over_its_head = in_window(base, terrain, (8.5, -6.5, 1.0))
    monkeypatch.setattr(Pointer, "scene_point", over_its_head)
    tree.advance(0.0)
    behind = terrain.hovered
    assert behind not in (None, mover.cell)
    mover.pose = Pose((8.5, -6.5, 0.0))
    tree.advance(0.0)
    assert terrain.hovered == mover.cell


def test_a_turned_terrain_keeps_its_light_and_shadow(base, tree, camera):
    tilemap = flat("sand")
    one_edit(tilemap).set_level((6, 7), 4)
    terrain = tree.root.add_child(Terrain3D(tilemap))
    points = ((8.9, -5.4, 0.0), (6.1, -7.6, 0.0))
    before = [color_at(base, terrain, picture(base, tree), point) for point in points]
    terrain.np.set_pos_hpr_scale((6.0, 6.0, 0.5), (20.0, 0.0, 0.0), 1.1)
    x, y, _ = base.render.get_relative_point(terrain.np, Point3(8.0, -6.0, 0.0))
    camera(x, y, 20.0)
    after = [color_at(base, terrain, picture(base, tree), point) for point in points]
    np.testing.assert_allclose(after, before, atol=0.08)


@pytest.mark.usefixtures("needs_shaders")
def test_a_figure_casts_a_shadow(base, tree, camera):
    terrain = tree.root.add_child(Terrain3D(flat("sand")))
    terrain.add_child(Unit3D(Mover((8.0, -6.5, 0.0), "red")))
    camera(8.5, -6.0, 9.0)
    image = picture(base, tree)
    shaded = color_at(base, terrain, image, (8.42, -6.15, 0.0), reach=1).sum()
    lit = color_at(base, terrain, image, (7.5, -6.8, 0.0), reach=1).sum()
    assert shaded < 0.8 * lit


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a/b", "日本"])
def test_units_of_any_name_have_figures(terrain, name):
    mover = Mover((0.5, -0.5, 0.0), "red")
    mover.name = name
    first = terrain.add_child(Unit3D(mover))
    assert terrain.get_node(first.name) is first
    assert terrain.add_child(Unit3D(mover, "scout")).name == "scout"
