"""The point of a mover on a cell, and its cell at a point."""

from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile
from ai.motion.motion import cell_of, point_on
from terrain3d import Cell, TileMap
from terrain3d.grid.grid import TOPOLOGIES
from tests.support.plain_map import all_surfaces
from tests.support.reference import thoroughly
from tests.support.strategies import tilemaps


@thoroughly(100)
@given(tilemaps(), st.integers(0, 2))
def test_a_mover_is_on_the_cell_on_which_it_stands(tilemap, hover):
    profile = MoveProfile(hover=hover)
    for cell in all_surfaces(tilemap):
        assert cell_of(tilemap, point_on(tilemap, Cell(*cell), profile), profile) == cell


@thoroughly(100)
@given(tilemaps(), st.integers(0, 2))
def test_a_big_mover_at_the_point_of_a_cell_is_on_a_cell_with_that_point(tilemap, hover):
    big = MoveProfile(size=2, hover=hover)
    for cell in all_surfaces(tilemap):
        if cell[0] < tilemap.rows - 1 and cell[1] < tilemap.cols - 1:
            point = point_on(tilemap, Cell(*cell), big)
            assert point_on(tilemap, cell_of(tilemap, point, big), big) == point


def test_a_big_mover_beside_a_hill_is_not_on_a_deck_as_high_as_the_hill():
    tilemap, big = TileMap.from_text("00\n02"), MoveProfile(size=2)
    point = point_on(tilemap, Cell(0, 0), big)
    with tilemap.edit("bridge") as edit:
        edit.add_deck([(0, 0)], level=2, thickness=1)
    assert cell_of(tilemap, point, big) == (0, 0, 0)


def test_a_big_mover_is_on_its_north_west_tile_and_stands_on_the_highest():
    tilemap, big = TileMap.from_text("0000\n0200\n0000"), MoveProfile(size=2)
    for row in range(2):
        for col in range(3):
            point = point_on(tilemap, Cell(row, col), big)
            assert point == (col + 1, -row - 1, 1 if col < 2 else 0)
            assert cell_of(tilemap, point, big) == (row, col, 0)
    assert cell_of(tilemap, (9, -9, 0), big) == (1, 2, 0)
    assert point_on(tilemap, Cell(2, 3), big) == (3.5, -2.5, 0)


@given(
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 3),
    st.floats(-0.45, 0.45),
    st.floats(-0.45, 0.45),
)
def test_a_mover_less_than_half_a_tile_aside_is_on_the_same_cell(size, row, col, east, north):
    tilemap, profile = TileMap.from_text("\n".join(["000000"] * 6)), MoveProfile(size=size)
    x, y, z = point_on(tilemap, Cell(row, col), profile)
    assert cell_of(tilemap, (x + east, y + north, z), profile) == (row, col, 0)


coordinates = st.floats(-1e6, 1e6)


@thoroughly(200)
@given(
    st.sampled_from(["square", *TOPOLOGIES]),
    st.integers(1, 4),
    st.integers(1, 4),
    coordinates,
    coordinates,
    coordinates,
)
def test_beside_the_map_it_is_a_cell_of_its_border(topology, rows, cols, x, y, z):
    tilemap = TileMap([[0] * cols] * rows, topology=topology)
    row, col, _ = cell_of(tilemap, (x, y, z), MoveProfile())
    assert 0 <= row < rows
    assert 0 <= col < cols
    if tilemap.grid.cell_at(x, y) is None:
        assert row in {0, rows - 1} or col in {0, cols - 1}
