"""The shadow map: drawn when what casts shadows changes, kept while all stands still."""

from types import SimpleNamespace

import pytest
from panda3d.core import CardMaker

from ai.view import Unit3D
from terrain3d import Cell, TileMap
from terrain3d.view import Terrain3D


class Mover:
    team, cell = "blue", Cell(2, 2)

    def __init__(self):
        self.pose = SimpleNamespace(point=(2.5, -2.5, 0.0), heading_deg=0.0, action="stand")

    def advance(self, dt_s):
        pass


@pytest.fixture
def terrain(tree, request):
    request.getfixturevalue("needs_shaders")
    terrain = tree.root.add_child(Terrain3D(TileMap.from_text("0000\n0000\n0000\n0000")))
    tree.advance(0.05)
    return terrain


@pytest.fixture
def frames_drawn(base, tree):
    """Give the count of those of the next frames that draw the shadow map."""

    def count(frames=3):
        drawn = 0
        for _ in range(frames):
            tree.advance(0.05)
            (shadow,) = [
                window
                for window in base.graphics_engine.get_windows()
                if window.get_name() == "shadow"
            ]
            drawn += shadow.is_active()
        return drawn

    return count


def test_who_stands_and_breathes_keeps_the_shadows(terrain, frames_drawn):
    terrain.add_child(Unit3D(Mover()))
    assert frames_drawn(2) == 1
    assert frames_drawn(100) == 0


def test_a_terrain_takes_over_the_memory_of_one_that_leaves_in_the_same_frame(base, tree, terrain):
    def shadows():
        windows = base.graphics_engine.get_windows()
        return [window for window in windows if window.get_name() == "shadow"]

    (before,) = shadows()
    tree.root.remove_child(terrain)
    terrain.queue_free()
    other = tree.root.add_child(Terrain3D(TileMap.from_text("01\n10")))
    tree.advance(0.05)
    assert shadows() == [before]
    assert before.is_active()  # it shows the other map's shadows from now on
    other.quality = "low"
    tree.advance(0.05)
    (smaller,) = shadows()
    assert smaller.get_x_size() < before.get_x_size()
    tree.root.remove_child(other)
    tree.advance(0.05)
    assert shadows() == []


@pytest.mark.parametrize("what", ["edit", "walk", "leave", "hide", "below"])
def test_each_change_of_what_casts_them_draws_them_once(terrain, frames_drawn, what):
    mover = Mover()
    figure = terrain.add_child(Unit3D(mover))
    frames_drawn()
    if what == "edit":
        with terrain.tilemap.edit() as edit:
            edit.set_level((1, 1), 3)
    elif what == "walk":
        mover.pose.point = (2.6, -2.5, 0.0)
    elif what == "leave":
        terrain.remove_child(figure)
    elif what == "hide":
        figure.np.hide()
    else:
        terrain.np.find("ground").attach_new_node(CardMaker("wall").generate())
    assert frames_drawn() == 1


def test_shadows_are_drawn_in_the_frame_in_which_a_figure_moves(terrain, frames_drawn):
    mover = Mover()
    terrain.add_child(Unit3D(mover))
    frames_drawn()
    mover.pose.point = (2.9, -2.5, 0.0)
    assert frames_drawn(1) == 1


def test_who_creeps_takes_the_shadow_along(terrain, frames_drawn):
    mover = Mover()
    terrain.add_child(Unit3D(mover))
    frames_drawn()
    drawn = 0
    for step in range(50):
        mover.pose.point = (2.5 + 0.01 * step, -2.5, 0.0)
        drawn += frames_drawn(1)
    assert 10 <= drawn <= 25


def test_a_terrain_that_moves_as_a_whole_keeps_them(terrain, frames_drawn):
    frames_drawn()
    terrain.np.set_pos_hpr(5.0, 3.0, 1.0, 40.0, 0.0, 0.0)
    assert frames_drawn() == 0


def test_the_shader_is_told_again_only_what_has_changed(base, tree, terrain):
    tree.advance(0.0)
    before = terrain.np.get_state()
    tree.advance(0.0)
    assert terrain.np.get_state() == before
    base.cam.set_x(base.cam, 1.0)
    tree.advance(0.0)
    assert terrain.np.get_state() != before


def test_freed_terrains_keep_no_shadow_map_in_graphics_memory(base, tree, request):
    request.getfixturevalue("needs_shaders")

    def in_graphics_memory():
        base.task_mgr.step()
        prepared = base.win.get_gsg().get_prepared_objects()
        return prepared.get_num_prepared_textures()

    def come_and_go():
        terrain = tree.root.add_child(Terrain3D(TileMap.from_text("00\n00")))
        base.task_mgr.step()
        terrain.queue_free()
        base.task_mgr.step()
        return in_graphics_memory()

    before = come_and_go()
    assert [come_and_go() for _ in range(4)] == [before] * 4
