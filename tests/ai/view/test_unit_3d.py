"""Figures in the scene: shapes, colors, strides, and the outline of those that are hidden."""

from types import SimpleNamespace

import numpy as np
import pytest

from ai import Board, MoveProfile, Unit
from ai.view import Unit3D
from terrain3d import Cell, TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.mesh.figures import SHAPES
from terrain3d.view import OrbitCamera3D, Terrain3D
from terrain3d.view.light.shader_light import CASTER_MASK
from tests.support.window_pictures import color_at, picture


class Mover:
    cell = Cell(2, 2)

    def __init__(self, point=(2.5, -2.5, 0.0), team="blue"):
        self.team = team
        self.pose = SimpleNamespace(point=point, heading_deg=0.0, action="stand")

    def advance(self, dt_s):
        pass


@pytest.fixture
def wall(tree):
    """A field of sand with a wall across it that hides what stands at its far side."""
    tilemap = TileMap.from_text("00000\n00000\n33333\n00000\n00000")
    with tilemap.edit() as edit:
        for row in range(5):
            for col in range(5):
                edit.set_kind((row, col), "sand")
    terrain = tree.root.add_child(Terrain3D(tilemap))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    camera.look(OrbitView(0.0, 30.0, 9.0, (2.5, -2.5, 0.7)))
    return terrain


BEHIND = (2.5, -1.5, 0.0)
CHEST = (2.5, -1.5, 0.45)


def test_an_unknown_shape_is_refused():
    with pytest.raises(ValueError, match="shape must be one of 'scout', 'knight', 'mage', 'flyer'"):
        Unit3D(Mover(), shape="troll")


@pytest.mark.parametrize("shape", SHAPES)
def test_feet_stride_as_it_goes_and_are_together_when_it_stands(tree, terrain, shape):
    mover = Mover((2.5, -2.5, 0.0))
    unit = terrain.add_child(Unit3D(mover, shape=shape))
    feet = list(unit.np.find_all_matches("**/body/parts/foot"))
    if shape == "mage":
        assert feet == []  # it floats
        return
    apart = []
    for step in range(20):
        mover.pose.point, mover.pose.action = (2.5, -2.5 + 0.05 * step, 0.0), "walk"
        tree.advance(0.02)
        apart.append(feet[0].get_y() - feet[1].get_y())
    assert max(apart) > 0.15
    assert min(apart) < -0.15
    mover.pose.action = "stand"
    tree.advance(0.02)
    assert feet[0].get_y() == feet[1].get_y() == 0.0


def test_the_marks_stay_on_the_ground_while_the_unit_climbs_and_drops(tree):
    tilemap = TileMap.from_text("0031")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 0)], level=4)
    terrain = tree.root.add_child(Terrain3D(tilemap))
    unit = Unit("Mira", (0, 0), profile=MoveProfile(max_climb=9, max_drop=9))
    Board(tilemap).add(unit)
    figure = terrain.add_child(Unit3D(unit))
    unit.follow([tilemap.cell((0, col)) for col in range(4)])
    rose = 0.0
    while unit.is_moving:
        tree.advance(0.01)
        x, _, z = unit.pose.point
        ground = tilemap.surface_point((0, min(int(x), 3)))[2]
        rose = max(rose, z - ground)
        for name in ("plate", "ring", "blob"):
            mark = figure.np.find(f"**/{name}").get_pos(terrain.np)
            assert ground < mark.z < ground + 0.05
            assert (mark.x, mark.y) == pytest.approx(unit.pose.point[:2], abs=1e-5)
    assert rose > 0.3


def test_the_plate_of_a_hovering_unit_is_on_the_ground_and_rises_with_it(tree):
    tilemap = TileMap.from_text("01")
    terrain = tree.root.add_child(Terrain3D(tilemap))
    unit = Unit("Tove", (0, 1), profile=MoveProfile(hover=2))
    Board(tilemap).add(unit)
    plate = terrain.add_child(Unit3D(unit)).np.find("**/plate")
    tree.advance(0.1)
    assert 0.5 < plate.get_pos(terrain.np).z < 0.55
    with tilemap.edit() as edit:
        edit.set_level((0, 1), 3)
    tree.advance(0.1)
    assert 1.5 < plate.get_pos(terrain.np).z < 1.55


@pytest.mark.usefixtures("needs_shaders")
def test_who_is_hidden_shows_in_its_color_through_the_ground(base, tree, wall):
    before = picture(base, tree)
    unit = wall.add_child(Unit3D(Mover(BEHIND), shape="knight"))
    seen = picture(base, tree)
    added = color_at(base, wall, seen, CHEST, 6) - color_at(base, wall, before, CHEST, 6)
    assert added[2] > added[0] + 0.05
    unit.color = (1.0, 0.1, 0.1)
    seen = picture(base, tree)
    added = color_at(base, wall, seen, CHEST, 6) - color_at(base, wall, before, CHEST, 6)
    assert added[0] > added[2] + 0.05
    unit.queue_free()
    assert np.array_equal(picture(base, tree), before)


@pytest.mark.usefixtures("needs_shaders")
def test_who_is_in_plain_sight_looks_as_if_nothing_were_hidden(base, tree, wall):
    unit = wall.add_child(Unit3D(Mover((2.5, -3.5, 0.0)), shape="knight"))
    shown = picture(base, tree)
    unit.np.find("**/hidden").hide()
    assert np.array_equal(picture(base, tree), shown)


@pytest.mark.usefixtures("needs_shaders")
def test_the_outline_of_the_hidden_casts_no_shadow(wall):
    unit = wall.add_child(Unit3D(Mover(BEHIND)))
    assert not unit.np.find("**/hidden").get_hidden_ancestor(CASTER_MASK).is_empty()


def test_a_color_of_its_own_reaches_figure_and_plate(base, tree, terrain):
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    surface = terrain.tilemap.surface_point((2, 2))
    camera.look(OrbitView(180.0, 25.0, 6.0, surface))
    unit = terrain.add_child(Unit3D(Mover(surface)))
    chest = surface[0] + 0.17, surface[1] + 0.05, surface[2] + 0.49
    blue = color_at(base, terrain, picture(base, tree), chest, 1)
    assert blue[2] > blue[0] + 0.1
    unit.color = (0.9, 0.2, 0.1)
    assert unit.color == (0.9, 0.2, 0.1)
    red = color_at(base, terrain, picture(base, tree), chest, 1)
    assert red[0] > red[2] + 0.2
    assert len(unit.np.find_all_matches("**/trunk")) == len(unit.np.find_all_matches("**/parts"))
    assert len(unit.np.find_all_matches("**/plate")) == 1


def test_a_figure_can_leave_and_come_back(base, tree, wall, traces):
    unit = wall.add_child(Unit3D(Mover(BEHIND)))
    shown, there = picture(base, tree), traces()
    wall.remove_child(unit)
    assert not np.array_equal(picture(base, tree), shown)
    assert traces() != there
    wall.add_child(unit)
    again = picture(base, tree)
    assert traces() == there
    assert np.array_equal(again, shown)


def test_the_figure_of_a_removed_unit_stays_where_it_was_until_it_is_freed(tree, terrain):
    board = Board(terrain.tilemap)
    mira = board.add(Unit("Mira", (1, 1)))
    figure = terrain.add_child(Unit3D(mira))
    board.move(mira, (1, 3))
    tree.advance(0.25)
    point = figure.np.get_pos()
    assert mira.is_moving
    board.remove(mira)
    tree.advance(0.3)
    assert figure.np.get_pos() == point
    figure.queue_free()
    tree.advance(0.1)
    assert figure not in terrain.pick_targets


def test_a_figure_tells_where_its_middle_is_seen(base, tree, wall):
    figure = wall.add_child(Unit3D(Mover((2.5, -3.5, 0.0))))
    tree.advance(0.0)
    middle = (2.5, -3.5, 0.4)
    across, up = tree.project(middle, wall.np)
    assert figure.pixel == tree.pixel(middle, wall.np)
    assert figure.pixel[0] == pytest.approx((across + 1) / 2 * base.win.get_x_size(), abs=1)
    assert figure.is_within((across - 0.01, up - 0.01), (across + 0.01, up + 0.01))
    assert not figure.is_within((across + 0.01, -1.0), (1.0, 1.0))
    assert not figure.is_within((-1.0, -1.0), (1.0, up - 0.01))


def test_a_figure_behind_the_camera_is_nowhere_in_the_window(tree, wall):
    figure = wall.add_child(Unit3D(Mover((2.5, -90.0, 0.0))))
    tree.advance(0.0)
    assert figure.pixel is None
    assert not figure.is_within((-1.0, -1.0), (1.0, 1.0))
