"""The tile cursor: steps by directions on screen, keys and the pointer."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Terrain3D, TileCursor3D
from terrain3d.view.scene.tile_cursor_3d import TURNS_DEG, cell_toward, next_surface
from tests.support.boards import one_edit

levels = arrays(int, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.just(0))
maps = st.builds(TileMap, levels, topology=st.sampled_from(TOPOLOGIES))
headings = st.one_of(st.floats(-720, 720), st.integers(-24, 24).map(lambda steps: steps * 15.0))


def walked(tilemap, start, keys, heading_deg=0.0):
    cell = start
    for key in keys.split():
        cell = cell_toward(tilemap, cell, key, heading_deg)
        assert cell is not None, f"{key} leads off the map"
    return tuple(cell)


FIELD = TileMap.from_text("00000\n00000\n00000\n00000\n00000")


@given(heading_deg=headings)
def test_on_squares_the_four_keys_lead_to_four_tiles(heading_deg):
    ends = [cell_toward(FIELD, (2, 2), key, heading_deg) for key in TURNS_DEG]
    assert len(set(ends)) == 4


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r"])
def test_across_the_tips_of_hexagons_the_cursor_goes_straight_on(topology):
    field = TileMap(np.zeros((7, 7), int), topology=topology)
    for start in ((6, 3), (5, 3)):
        x = field.surface_point(start)[0]
        cell = start
        for _ in range(2):
            cell = cell_toward(field, cell_toward(field, cell, "up", 0.0), "up", 0.0)
            assert field.surface_point(cell)[0] == x
        assert walked(field, cell, "down down down down") == (*start, 0)


@given(tilemap=maps, heading_deg=headings, data=st.data())
def test_a_key_leads_in_its_direction_of_the_picture(tilemap, heading_deg, data):
    cell = data.draw(st.sampled_from([*np.ndindex(tilemap.rows, tilemap.cols)]))
    key = data.draw(st.sampled_from(sorted(TURNS_DEG)))
    end = cell_toward(tilemap, cell, key, heading_deg)
    assume(end is not None)
    assert end in tilemap.grid.neighbors(cell)
    (x0, y0, _), (x1, y1, _) = tilemap.surface_point(cell), tilemap.surface_point(end)
    toward = math.radians(heading_deg + TURNS_DEG[key])
    ahead = (x1 - x0) * -math.sin(toward) + (y1 - y0) * math.cos(toward)
    assert ahead >= math.cos(math.radians(45.1))


@given(tilemap=maps, heading_deg=headings)
def test_every_tile_can_be_reached(tilemap, heading_deg):
    seen, to_see = {(0, 0, 0)}, [(0, 0, 0)]
    while to_see:
        cell = to_see.pop()
        for key in TURNS_DEG:
            end = cell_toward(tilemap, cell, key, heading_deg)
            if end is not None and tuple(end) not in seen:
                seen.add(tuple(end))
                to_see.append(tuple(end))
    assert len(seen) == tilemap.rows * tilemap.cols


def test_void_is_skipped_and_the_edge_is_the_end():
    tilemap = TileMap.from_text("0##0#")
    assert walked(tilemap, (0, 0), "right") == (0, 3, 0)
    assert cell_toward(tilemap, (0, 3), "right", 0.0) is None
    assert cell_toward(tilemap, (0, 3), "up", 0.0) is None


def test_keys_stay_on_the_bridge_or_below_it():
    tilemap = TileMap.from_text("30003")
    one_edit(tilemap).add_deck([(0, 1), (0, 2), (0, 3)], 3, thickness=1)
    assert walked(tilemap, (0, 0), "right right") == (0, 2, 1)
    assert walked(tilemap, (0, 2, 0), "right right left") == (0, 3, 1)
    assert walked(tilemap, (0, 2, 0), "right left left") == (0, 1, 0)
    assert next_surface(tilemap, (0, 2)) == (0, 2, 1)
    assert next_surface(tilemap, (0, 2, 1)) == (0, 2, 0)
    assert next_surface(tilemap, (0, 0)) == (0, 0, 0)


@pytest.fixture
def look(camera):
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


def test_the_first_key_begins_in_the_middle_of_the_picture_or_of_the_map(base, cursor, look):
    look(0.0, 60.0)
    press(base, "arrow_up")
    x, y, _ = cursor.parent.tilemap.surface_point(cursor.cell)
    assert max(abs(x - 8.0), abs(y + 6.0)) <= 1.5
    cursor.cell = None
    base.cam.set_p(70)  # the map is out of the picture
    press(base, "arrow_up")
    assert cursor.cell == (6, 8, 0)


def test_keys_move_it_choose_its_tile_and_surface_unless_they_are_off(base, terrain, cursor, look):
    look(0.0)
    one_edit(terrain.tilemap).add_deck([(5, 5)], 9)
    moved, chosen = [], []
    cursor.moved.connect(moved.append)
    cursor.chosen.connect(chosen.append)
    press(base, "enter", "space")
    assert (moved, chosen) == ([], [])
    cursor.cell = (5, 5)
    cursor.cell = (5, 5)
    press(base, "x", "x", "enter", "space", "arrow_up")
    cursor.has_keys = False
    press(base, "arrow_up", "enter", "x")
    cursor.cell = None
    assert moved == [(5, 5, 0), (5, 5, 1), (5, 5, 0), (4, 5, 0), None]
    assert chosen == [(5, 5, 0)] * 2


def test_a_map_without_ground_has_nothing_to_aim_at(base, tree):
    cursor = tree.root.add_child(Terrain3D(TileMap.from_text("#"))).add_child(TileCursor3D())
    press(base, "arrow_up", "enter")
    assert cursor.cell is None


def test_the_pointer_aims_unless_it_rests_or_is_on_a_panel(tree, terrain, cursor, look):
    look(0.0, 60.0)
    go(tree, (0.0, 0.0))
    aimed = terrain.hovered
    assert cursor.cell == aimed is not None
    tree.pointer._is_on_gui = True
    go(tree, (0.9, 0.0))
    go(tree, (0.95, 0.0))
    assert (terrain.hovered, cursor.cell) == (None, aimed)
    tree.pointer._is_on_gui = False
    go(tree, (0.0, 0.99))
    assert cursor.cell == terrain.hovered != aimed
    go(tree, (0.3, 0.2))
    aimed = cursor.cell
    look(90.0, 60.0)
    tree.advance(0.0)
    tree.pointer.moved.emit(None)
    assert (cursor.cell, cursor.is_keyed) == (aimed, True)
    assert terrain.hovered not in {aimed, None}
    tree.pointer.pressed.emit("left", (0.0, 0.0), "")  # a click is one on the tile below it
    assert (cursor.cell, cursor.is_keyed) == (terrain.hovered, False)


def go(tree, point):
    tree.pointer._point = point
    tree.pointer.moved.emit(point)
    tree.advance(0.0)
    tree.advance(0.0)
