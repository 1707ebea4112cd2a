"""Tests of moving the tile cursor by keys from any camera heading."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.view.scene.tile_cursor_3d import TURNS_DEG, cell_toward, next_surface

maps = st.builds(
    lambda topology, rows, cols: TileMap(np.zeros((rows, cols), int), topology=topology),
    st.sampled_from(TOPOLOGIES),
    st.integers(1, 6),
    st.integers(1, 6),
)
headings = st.one_of(st.floats(-720, 720), st.integers(-24, 24).map(lambda steps: steps * 15.0))


def walked(tilemap, start, keys, heading_deg=0.0):
    cell = start
    for key in keys.split():
        cell = cell_toward(tilemap, cell, key, heading_deg)
        assert cell is not None, f"{key} leads off the map"
    return tuple(cell)


FIELD = TileMap.from_text("00000\n00000\n00000\n00000\n00000")


@pytest.mark.parametrize(
    ("heading_deg", "ends"),
    [
        (0, {"up": (1, 2), "left": (2, 1), "down": (3, 2), "right": (2, 3)}),
        (38, {"up": (1, 2), "left": (2, 1), "down": (3, 2), "right": (2, 3)}),
        (60, {"up": (2, 1), "left": (3, 2), "down": (2, 3), "right": (1, 2)}),
        (180, {"up": (3, 2), "left": (2, 3), "down": (1, 2), "right": (2, 1)}),
        (-90, {"up": (2, 3), "left": (1, 2), "down": (2, 1), "right": (3, 2)}),
    ],
)
def test_on_squares_the_keys_turn_with_the_camera(heading_deg, ends):
    for key, end in ends.items():
        assert cell_toward(FIELD, (2, 2), key, heading_deg)[:2] == end


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
    cell = (
        data.draw(st.integers(0, tilemap.rows - 1)),
        data.draw(st.integers(0, tilemap.cols - 1)),
    )
    key = data.draw(st.sampled_from(sorted(TURNS_DEG)))
    end = cell_toward(tilemap, cell, key, heading_deg)
    if end is None:
        return
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


def test_void_can_be_included():
    tilemap = TileMap.from_text("0##0#")
    assert cell_toward(tilemap, (0, 0), "right", 0.0, includes_void=True) == (0, 1, 0)
    assert cell_toward(tilemap, (0, 1), "right", 0.0, includes_void=True) == (0, 2, 0)
    assert cell_toward(tilemap, (0, 4), "right", 0.0, includes_void=True) is None


def test_keys_stay_on_the_bridge_or_below_it():
    tilemap = TileMap.from_text("30003")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1), (0, 2), (0, 3)], 3, thickness=1)
    assert walked(tilemap, (0, 0), "right right") == (0, 2, 1)
    assert walked(tilemap, (0, 2, 0), "right right left") == (0, 3, 1)
    assert walked(tilemap, (0, 2, 0), "right left left") == (0, 1, 0)
    assert next_surface(tilemap, (0, 2)) == (0, 2, 1)
    assert next_surface(tilemap, (0, 2, 1)) == (0, 2, 0)
    assert next_surface(tilemap, (0, 0)) == (0, 0, 0)


def test_a_column_without_ground_has_no_other_surface():
    assert next_surface(TileMap.from_text("0#"), (0, 1)) == (0, 1, 0)


def test_invalid_arguments_raise_errors():
    with pytest.raises(ValueError, match="direction must be one of"):
        cell_toward(FIELD, (0, 0), "north", 0.0)
    with pytest.raises(ValueError, match="heading_deg must be finite, got nan"):
        cell_toward(FIELD, (0, 0), "up", math.nan)
    with pytest.raises(IndexError, match="9"):
        cell_toward(FIELD, (0, 9), "up", 0.0)
