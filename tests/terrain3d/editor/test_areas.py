"""Areas of editor tools, as pictures: tiles of the area are marked x."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileMap, make_grid
from terrain3d.editor import disc, flood, line, rectangle
from tests.support.reference import thoroughly


def picture_of(tilemap, cells):
    rows = [["."] * tilemap.cols for _ in range(tilemap.rows)]
    for cell in cells:
        rows[cell.row][cell.col] = "x"
    assert len(set(cells)) == len(cells)
    return "\n".join("".join(row) for row in rows)


def flat(rows, cols, topology="square"):
    return TileMap(np.zeros((rows, cols), int), topology=topology)


every_place = st.integers(0, 12), st.integers(0, 12)


@given(st.sampled_from(sorted(TOPOLOGIES)), *every_place, st.integers(1, 5))
def test_a_brush_holds_the_tiles_whose_centers_are_near(topology, row, col, size):
    tilemap = flat(13, 13, topology)
    middle, center = tilemap.grid.center((row, col)), tilemap.grid.center
    near = {
        (r, c)
        for r in range(13)
        for c in range(13)
        if math.dist(center((r, c)), middle) < size - 0.5
    }
    assert {cell[:2] for cell in disc(tilemap, (row, col), size)} == near


@given(st.sampled_from([n for n in TOPOLOGIES if n != "square"]), *every_place, st.integers(1, 3))
def test_on_hexagons_a_small_brush_holds_whole_rings(topology, row, col, size):
    tilemap = flat(13, 13, topology)
    away = tilemap.grid.distance
    rings = {(r, c) for r in range(13) for c in range(13) if away((r, c), (row, col)) < size}
    assert {cell[:2] for cell in disc(tilemap, (row, col), size)} == rings


def test_a_brush_on_a_deck_stays_on_it():
    tilemap = flat(3, 5)
    with tilemap.edit() as edit:
        edit.add_deck([(1, col) for col in range(1, 4)], level=3)
    assert disc(tilemap, (1, 1, 1), 3) == [(1, 1, 1), (1, 2, 1), (1, 3, 1)]
    assert rectangle(tilemap, (1, 3, 1), (2, 0)) == [(1, 1, 1), (1, 2, 1), (1, 3, 1)]


@pytest.mark.parametrize(("start", "end"), [((1, 3), (2, 1)), ((2, 1), (1, 3)), ((1, 1), (2, 3))])
def test_a_rectangle_holds_what_lies_between_its_corners(start, end):
    tilemap = flat(4, 5)
    expected = ".....\n.xxx.\n.xxx.\n....."
    assert picture_of(tilemap, rectangle(tilemap, start, end)) == expected


@thoroughly(150)
@given(st.sampled_from(sorted(TOPOLOGIES)), st.data())
def test_a_fill_is_what_a_walk_over_equal_neighbors_finds(topology, data):
    level, kind = (
        np.reshape(data.draw(st.lists(numbers, min_size=30, max_size=30)), (5, 6))
        for numbers in (st.integers(0, 1), st.sampled_from([0, 0, 0, 2, 12, 12]))  # 12 is void
    )
    tilemap = TileMap(level, kind, topology=topology)
    start = tilemap.cell((data.draw(st.integers(0, 4)), data.draw(st.integers(0, 5))))
    found, left = {start}, [start]
    while left:
        for near in tilemap.grid.neighbors(left.pop()):
            is_alike = tilemap.kind_at(near) == tilemap.kind_at(start) and (
                tilemap.is_void(near) or tilemap.level_at(near) == tilemap.level_at(start)
            )
            if near not in found and is_alike:
                found.add(near)
                left.append(near)
    assert set(flood(tilemap, start)) == found


def test_a_fill_of_a_large_map_takes_all_of_it():
    assert len(flood(flat(300, 300), (150, 150))) == 90_000


def test_a_fill_beyond_the_limit_takes_the_nearest_tiles():
    tilemap = flat(40, 40)
    found = flood(tilemap, (20, 20), max_tiles=13)
    assert all(tilemap.grid.distance(cell, (20, 20)) <= 2 for cell in found)
    assert len(found) == 13


@given(st.sampled_from(sorted(TOPOLOGIES)), st.data())
def test_a_line_is_a_shortest_path_over_edges_close_to_the_straight_line(topology, data):
    grid = make_grid(topology, 9, 11)
    cells = st.tuples(st.integers(0, 8), st.integers(0, 10))
    start, end = data.draw(cells), data.draw(cells)
    path = line(grid, start, end)
    assert (path[0][:2], path[-1][:2]) == (start, end)
    assert len(path) == grid.distance(start, end) + 1
    assert all(after in grid.neighbors(before) for before, after in itertools.pairwise(path))
    first, last = np.array(grid.center(start)), np.array(grid.center(end))
    length = np.linalg.norm(last - first)
    for cell in path if length else ():
        away = np.array(grid.center(cell)) - first
        along = last - first
        assert abs(away[0] * along[1] - away[1] * along[0]) / length < 1.0


def test_a_line_goes_from_deck_to_deck_on_the_ground():
    tilemap = flat(1, 3)
    with tilemap.edit() as edit:
        edit.add_deck([(0, 0), (0, 2)], level=2)
    assert line(tilemap.grid, (0, 0, 1), (0, 2, 1)) == [(0, 0, 0), (0, 1, 0), (0, 2, 0)]
