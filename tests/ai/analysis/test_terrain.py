"""Height over neighbors and cover against plain loops over their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import cover, height_over_neighbors
from terrain3d import TOPOLOGIES, TileMap
from tests.support import mixed_maps
from tests.support.plain_map import (
    all_surfaces,
    column_ahead,
    directions,
    exists,
    level,
    surfaces,
)
from tests.support.reference import thoroughly


def in_shape(tilemap, values):
    """Make an array of a value for some surfaces, 0 for the others."""
    array = np.zeros((tilemap.n_decks + 1, tilemap.rows, tilemap.cols))
    for (row, col, deck), value in values.items():
        array[deck, row, col] = value
    return array if tilemap.n_decks else array[0]


def height_one_by_one(tilemap, cell):
    near = [column_ahead(tilemap, cell[:2], direction) for direction in directions(tilemap)]
    stacks = [surfaces(tilemap, column) for column in near if column]
    stacks = [[end for end in stack if exists(tilemap, end)] for stack in stacks]
    tops = [max(level(tilemap, end) for end in stack) for stack in stacks if stack]
    return level(tilemap, cell) - sum(tops) / len(tops) if tops else 0.0


def cover_one_by_one(tilemap, cell, from_deg, within_tiles):
    (x, y), angle, highest = tilemap.grid.center(cell[:2]), math.radians(from_deg), 0.0
    for away in range(1, within_tiles + 1):
        there = tilemap.grid.cell_at(
            round(x - math.sin(angle) * away, 9), round(y + math.cos(angle) * away, 9)
        )
        if there is not None and exists(tilemap, there):
            rise = (level(tilemap, there) - level(tilemap, cell)) * tilemap.step_height
            highest = max(highest, math.degrees(math.atan2(rise, away)))
    return highest / 90


@thoroughly(80)
@given(st.data())
def test_heights_are_those_over_each_neighbor(data):
    tilemap = data.draw(mixed_maps.tilemaps())
    each = {cell: height_one_by_one(tilemap, cell) for cell in all_surfaces(tilemap)}
    found = height_over_neighbors(tilemap)
    assert found == pytest.approx(in_shape(tilemap, each))
    assert not found.flags.writeable


@thoroughly(80)
@given(st.data(), st.floats(-720, 720), st.integers(1, 6))
def test_cover_is_the_angle_of_the_highest_ground(data, from_deg, within_tiles):
    tilemap = data.draw(mixed_maps.tilemaps(topologies=TOPOLOGIES))
    each = {
        cell: cover_one_by_one(tilemap, cell, from_deg, within_tiles)
        for cell in all_surfaces(tilemap)
    }
    found = cover(tilemap, from_deg, within_tiles=within_tiles)
    assert found == pytest.approx(in_shape(tilemap, each))
    assert not found.flags.writeable
    assert ((found >= 0) & (found < 1)).all()


def test_a_wall_covers_only_from_its_side():
    tilemap = TileMap.from_text("000\n020\n000", step_height=0.5)
    north, west = cover(tilemap, 0), cover(tilemap, 90)
    assert north[2, 1] == pytest.approx(0.5)  # a wall as high as it is far: 45 of 90 degrees
    assert west[1, 2] == pytest.approx(0.5)
    assert np.count_nonzero(north) == np.count_nonzero(west) == 1


def test_cover_ends_where_ground_no_longer_counts():
    tilemap = TileMap.from_text("0009")
    assert cover(tilemap, -90, within_tiles=2)[0].tolist() == [0, *cover(tilemap, -90)[0, 1:]]
    assert cover(tilemap, -90, within_tiles=3)[0, 0] > 0


@pytest.mark.parametrize("topology", TOPOLOGIES[1:])
def test_the_steps_of_hexagons_are_toward_the_direction(topology):
    level = np.zeros((5, 5), int)
    level[2, 2] = 4
    tilemap = TileMap(level, topology=topology)
    for direction in directions(tilemap):
        row, col = column_ahead(tilemap, (2, 2), direction)
        (x, y), (to_x, to_y) = tilemap.grid.center((row, col)), tilemap.grid.center((2, 2))
        from_deg = math.degrees(math.atan2(x - to_x, to_y - y))
        found = cover(tilemap, from_deg, within_tiles=1)
        assert np.argwhere(found).tolist() == [[row, col]]
