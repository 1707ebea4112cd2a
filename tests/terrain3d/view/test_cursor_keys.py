"""The cursor by keys: it goes as the picture lies, and the pointer takes over when it moves."""

from types import SimpleNamespace

import pytest

from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D, TileCursor3D


@pytest.fixture
def cursor(terrain):
    return terrain.add_child(TileCursor3D())


@pytest.fixture
def look(tree, terrain):
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))

    def look(heading_deg, pitch_deg=30.0):
        camera.look(OrbitView(heading_deg, pitch_deg, 20.0, (8.0, -6.0, 0.0)))

    return look


def press(base, *keys):
    for key in keys:
        base.messenger.send(key)


@pytest.mark.parametrize("pitch_deg", [10.0, 30.0, 89.9])
@pytest.mark.parametrize(
    ("heading_deg", "end"), [(0, (4, 5)), (30, (4, 5)), (90, (5, 4)), (180, (6, 5)), (-80, (5, 6))]
)
def test_up_leads_away_from_the_viewer(base, cursor, look, heading_deg, pitch_deg, end):
    look(heading_deg, pitch_deg)
    cursor.cell = (5, 5)
    press(base, "arrow_up")
    assert cursor.cell[:2] == end
    press(base, "arrow_down-repeat", "arrow_left", "arrow_right")
    assert cursor.cell[:2] == (5, 5)


def test_the_first_key_begins_in_the_middle_of_the_picture(base, terrain, cursor, look):
    look(0.0, 60.0)
    press(base, "arrow_up")
    x, y, _ = terrain.tilemap.surface_point(cursor.cell)
    assert abs(x - 8.0) <= 1.5
    assert abs(y + 6.0) <= 1.5


def test_beside_a_map_that_is_out_of_the_picture_the_keys_begin_in_its_middle(base, cursor, look):
    look(0.0)
    base.cam.set_p(70)
    try:
        press(base, "arrow_up")
    finally:
        base.cam.set_p(0)
    assert cursor.cell == (6, 8, 0)


def test_enter_and_space_choose_the_tile(base, cursor):
    chosen = []
    cursor.chosen.connect(chosen.append)
    press(base, "enter", "space")
    assert chosen == []
    cursor.cell = (2, 3)
    press(base, "enter", "space")
    assert chosen == [(2, 3, 0)] * 2


def test_each_other_cell_is_announced(base, cursor, look):
    look(0.0)
    received = []
    cursor.moved.connect(received.append)
    cursor.cell = (5, 5)
    cursor.cell = (5, 5)
    press(base, "arrow_up")
    cursor.cell = None
    assert received == [(5, 5, 0), (4, 5, 0), None]


def test_a_resting_pointer_does_not_move_it_and_a_moving_one_does(
    base, tree, terrain, cursor, look
):
    look(0.0)
    cell = terrain.tilemap.grid.cell
    terrain.tile_hovered.emit(cell((3, 3)))
    press(base, "arrow_up")
    assert (cursor.cell, cursor.is_keyed) == ((2, 3, 0), True)
    terrain.tile_hovered.emit(cell((9, 9)))  # the picture moved below the pointer
    tree.pointer.moved.emit(None)
    assert cursor.cell == (2, 3, 0)
    tree.pointer.moved.emit((0.1, 0.1))
    assert (cursor.cell, cursor.is_keyed) == (terrain.hovered, False)
    terrain.tile_hovered.emit(cell((9, 9)))
    assert cursor.cell == (9, 9, 0)


def test_x_changes_between_a_bridge_and_what_is_below(base, terrain, cursor):
    with terrain.tilemap.edit() as edit:
        edit.add_deck([(5, 5)], 9)
    cursor.cell = (5, 5)
    press(base, "x")
    assert cursor.cell == (5, 5, 1)
    press(base, "x")
    assert cursor.cell == (5, 5, 0)


def test_without_keys_it_ignores_them(base, cursor):
    cursor.has_keys = False
    chosen = []
    cursor.chosen.connect(chosen.append)
    cursor.cell = (5, 5)
    press(base, "arrow_up", "enter", "x")
    assert (cursor.cell, chosen) == ((5, 5, 0), [])


def test_a_map_without_ground_has_nothing_to_aim_at(base, tree):
    cursor = tree.root.add_child(Terrain3D(TileMap.from_text("#"))).add_child(TileCursor3D())
    press(base, "arrow_up", "enter")
    assert cursor.cell is None


def test_it_takes_another_color_at_once(tree, cursor):
    cursor.cell = (5, 5)
    tree.advance(0.0)
    before = cursor.np.find("**/+GeomNode").node()
    cursor.color = (1.0, 0.0, 0.0)
    tree.advance(0.0)
    assert cursor.np.find("**/+GeomNode").node() != before


def test_on_a_panel_the_pointer_leaves_the_aim_until_it_is_back_in_the_scene(
    tree, terrain, cursor, look
):
    look(0.0, 60.0)
    plate = SimpleNamespace(covers=lambda point: point[0] > 0.5, boxes=(), press=print)
    tree.pointer.overlays.append(plate)
    try:
        go(tree, (0.0, 0.0))
        aimed = terrain.hovered
        assert cursor.cell == aimed is not None
        go(tree, (0.9, 0.0))
        go(tree, (0.95, 0.0))
        assert (terrain.hovered, cursor.cell) == (None, aimed)
        go(tree, (0.0, 0.99))
        assert cursor.cell == terrain.hovered != aimed
    finally:
        tree.pointer.overlays.remove(plate)
        go(tree, None)


def go(tree, point):
    tree.pointer._point = point
    tree.pointer.moved.emit(point)
    tree.advance(0.0)
    tree.advance(0.0)
