"""Overlay, cursor and ribbon in a window: seen where they should be, gone when they are freed."""

import itertools

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Crumbs3D, PathRibbon3D, TileCursor3D, TileOverlay3D
from tests.support.boards import one_edit
from tests.support.window_pictures import drawn, is_drawn, pixel, shown_from
from tests.support.window_pictures import picture_255 as picture


@pytest.fixture
def camera(camera):
    camera.look(OrbitView(0.0, 89.0, 30.0, (8.0, -6.0, 0.0)))
    return camera


def difference(base, terrain, before, after, point):
    row, col = pixel(base, terrain, point)
    near = np.s_[row - 1 : row + 2, col - 1 : col + 2]
    return abs(after[near] - before[near]).max()


@pytest.mark.usefixtures("camera")
def test_an_overlay_marks_its_cells_and_no_others(base, tree, terrain):
    one_edit(terrain.tilemap).set_kind((4, 4), "void")
    overlay = terrain.add_child(TileOverlay3D())
    before = picture(base, tree)
    overlay.show([(3, 4), (3, 5), (4, 4)])
    void = terrain.tilemap.surface_point((4, 4))
    assert difference(base, terrain, before, picture(base, tree), void) == 0
    overlay.includes_void = True
    after = picture(base, tree)
    surface = terrain.tilemap.surface_point
    for cell in ((3, 4), (3, 5), (4, 4)):
        assert difference(base, terrain, before, after, surface(cell)) > 20
    for cell in ((4, 5), (2, 4), (8, 8)):
        assert difference(base, terrain, before, after, surface(cell)) == 0
    overlay.clear()
    assert np.array_equal(picture(base, tree), before)


@pytest.mark.usefixtures("camera")
def test_crumbs_are_seen_where_they_lie_and_go_with_their_deck(base, tree, terrain):
    one_edit(terrain.tilemap).add_deck((4, 4), level=terrain.tilemap.level_at((4, 4)) + 4)
    before = picture(base, tree)
    marks = terrain.add_child(Crumbs3D())
    marks.show([(3, 5), (4, 4, 1)])
    after = picture(base, tree)
    surface = terrain.tilemap.surface_point
    for cell in ((3, 5), (4, 4, 1)):
        assert difference(base, terrain, before, after, surface(cell)) > 20
    one_edit(terrain.tilemap).remove_deck((4, 4))
    picture(base, tree)
    assert marks.cells == ((3, 5, 0), (4, 4, 1))
    marks.show([])
    one_edit(terrain.tilemap).add_deck((4, 4), level=terrain.tilemap.level_at((4, 4)) + 4)
    assert np.array_equal(picture(base, tree), before)


def test_an_overlay_follows_edits_and_its_color_and_tells_costs_if_asked(tree, terrain):
    overlay = terrain.add_child(TileOverlay3D())
    overlay.show([(2, 2)])
    one_edit(terrain.tilemap).set_level((2, 2), 9)
    tree.advance(0.0)
    _, high = drawn(overlay.np).get_tight_bounds()
    assert high.z == pytest.approx(9 * terrain.tilemap.step_height, abs=0.05)
    before = overlay.np.find("**/+PGItem").node()
    overlay.color = (1.0, 0.0, 0.0)
    tree.advance(0.0)
    assert overlay.np.find("**/+PGItem").node() != before
    overlay.show([(2, 2), (2, 3)], ["1", "12"])
    tree.advance(0.0)
    assert stood_up(overlay) == {}
    overlay.shows_labels = True
    tree.advance(0.0)
    assert stood_up(overlay) == {(2, 2): "1", (2, 3): "12"}
    terrain.tilemap.undo()
    tree.advance(0.0)
    height = terrain.tilemap.surface_point((2, 2))[2]
    assert overlay.children[0].points[0][2] == height < 9 * terrain.tilemap.step_height
    overlay.show([(2, 3)], ["4"])
    tree.advance(0.0)
    assert stood_up(overlay) == {(2, 3): "4"}
    overlay.show([(2, 3)])
    tree.advance(0.0)
    assert stood_up(overlay) == {}
    with pytest.raises(ValueError, match="got 1 cells and 2 labels"):
        overlay.show([(2, 3)], ["4", "5"])


def stood_up(mark):
    """Give what labels a mark shows, by the column of the map they stand in."""
    [labels] = mark.children
    shown = zip(labels.points, labels.texts, strict=True)
    return {(int(-y), int(x)): text for (x, y, _), text in shown}


def test_a_way_tells_what_its_steps_cost_between_the_tiles(tree, terrain):
    ribbon = terrain.add_child(PathRibbon3D())
    points = [(0.5, -0.5, 0.0), (1.5, -0.5, 0.0), (2.5, -0.5, 1.0)]
    ribbon.show(points, labels=["+1", "+3"])
    assert ribbon.labels == ("+1", "+3")
    (first, _, low), (second, _, high) = ribbon.children[0].points
    assert (first, second) == pytest.approx((1.0, 2.0))
    assert high > 0.9 > low > 0.0
    with pytest.raises(ValueError, match="got 2 points and 1 texts"):
        ribbon.show(points, labels=["+1"])
    ribbon.show(points)
    assert ribbon.labels == ()
    ribbon.show(points, labels=["+1", "+3"])
    ribbon.clear()
    assert ribbon.labels == ()
    tree.advance(0.0)


def test_marks_and_labels_are_on_a_bridge_as_long_as_there_is_one(tree, terrain, cursor):
    one_edit(terrain.tilemap).add_deck([(3, 4), (3, 5)], level=8)
    overlay = terrain.add_child(TileOverlay3D())
    overlay.shows_labels, cursor.cell = True, (3, 4, 1)
    overlay.show([(3, 4, 1), (0, 0)], ["7", "8"])
    tree.advance(0.0)
    _, high = drawn(overlay.np).get_tight_bounds()
    assert high.z == pytest.approx(8 * terrain.tilemap.step_height, abs=0.05)
    assert cursor.np.get_z() == pytest.approx(8 * terrain.tilemap.step_height, abs=0.1)
    terrain.tilemap.undo()
    tree.advance(0.0)
    _, high = drawn(overlay.np).get_tight_bounds()
    assert high.z < 3.0
    assert (stood_up(overlay), cursor.cell) == ({(0, 0): "8"}, None)
    assert not is_drawn(cursor.np)
    terrain.tilemap.redo()
    tree.advance(0.0)
    assert stood_up(overlay) == {(3, 4): "7", (0, 0): "8"}


def test_the_cursor_follows_the_hovered_tile_and_its_height_and_stays_hidden(tree, terrain, cursor):
    assert cursor.cell is None
    assert not is_drawn(cursor.np)
    terrain.tile_hovered.emit(terrain.tilemap.grid.cell((3, 4)))
    assert cursor.cell == (3, 4, 0)
    assert is_drawn(cursor.np)
    one_edit(terrain.tilemap).set_level((3, 4), 8)
    tree.advance(0.1)
    x, y, z = cursor.np.get_pos()
    assert (x, y) == (4.5, -3.5)
    assert z == pytest.approx(8 * terrain.tilemap.step_height, abs=0.1)
    terrain.tile_hovered.emit(None)
    assert cursor.cell is None
    assert not is_drawn(cursor.np)
    for is_visible, cell in itertools.product((False, True, False), ((3, 4), None, (4, 4))):
        cursor.visible, cursor.cell = is_visible, cell
        tree.advance(0.1)
        assert is_drawn(cursor.np) == (is_visible and cell is not None)
        assert cursor.visible == is_visible


def test_a_way_and_the_cursor_are_seen_faintly_through_what_hides_them(base, tree):
    tilemap = TileMap.from_text("00000\n00000\n99999\n00000\n00000")  # seen from the south
    walled, _ = shown_from(tree, tilemap, 0.0, 30.0, 14.0, (2.5, -2.5, 2.0))
    ribbon = walled.add_child(PathRibbon3D())
    before = picture(base, tree)
    ribbon.show([(0.5, -3.5, 0.0), (2.5, -3.5, 0.0), (4.5, -3.5, 0.0)])
    seen = difference(base, walled, before, picture(base, tree), (1.5, -3.5, 0.06))
    ribbon.show([(0.5, -1.5, 0.0), (2.5, -1.5, 0.0), (4.5, -1.5, 0.0)])
    hidden = difference(base, walled, before, picture(base, tree), (1.5, -1.5, 0.06))
    assert 5 < hidden < 0.6 * seen
    ribbon.clear()
    assert np.array_equal(picture(base, tree), before)
    cursor = walled.add_child(TileCursor3D())
    cursor.cell = (3, 2)
    seen = abs(picture(base, tree) - before).max()
    cursor.cell = (1, 2)
    hidden = abs(picture(base, tree) - before).max()
    assert 5 < hidden < 0.6 * seen


@pytest.mark.usefixtures("camera")
@pytest.mark.parametrize("is_refused", [False, True])
def test_a_way_follows_its_color(base, tree, terrain, is_refused):
    ribbon = terrain.add_child(PathRibbon3D())
    points = [terrain.tilemap.surface_point((5, col)) for col in (3, 4, 5)]
    ribbon.show(points, is_refused=is_refused)
    before = picture(base, tree)
    setattr(ribbon, "refused_color" if is_refused else "color", (0.0, 0.2, 1.0))
    assert difference(base, terrain, before, picture(base, tree), points[-1]) > 100


def test_marks_can_leave_and_come_back(tree, terrain, cursor):
    overlay = terrain.add_child(TileOverlay3D())
    overlay.show([(1, 1)])
    cursor.cell = (1, 1)
    for mark in (overlay, cursor):
        tree.advance(0.0)
        count = len(mark.np.find_all_matches("**/+PGItem"))
        terrain.remove_child(mark)
        terrain.add_child(mark)
        tree.advance(0.0)
        assert len(mark.np.find_all_matches("**/+PGItem")) == count > 0
