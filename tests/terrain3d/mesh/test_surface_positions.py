"""Tests of the positions of numbered surfaces, and of directions between them."""

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.mesh.overlays.search_tiles import CHUNK, SurfacePositions


@pytest.fixture
def tilemap():
    tilemap = TileMap.from_text("012\n345")
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=9)
    return tilemap


def test_positions_are_the_centers_of_the_surfaces_sorted_by_number(tilemap):
    positions = SurfacePositions.of(tilemap, [7, 5, 0, 5])
    assert positions.number.tolist() == [0, 5, 7]
    expected = [tilemap.surface_point(cell) for cell in ((0, 0), (1, 2), (0, 1, 1))]
    assert positions.center == pytest.approx(np.array(expected))
    assert positions.indices_of([7, 0]).tolist() == [2, 0]


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"])
def test_positions_are_the_centers_of_hexagons(topology):
    tilemap = TileMap(np.arange(20).reshape(4, 5), topology=topology)
    positions = SurfacePositions.of(tilemap, range(20))
    expected = [tilemap.surface_point(divmod(number, 5)) for number in range(20)]
    assert positions.center == pytest.approx(np.array(expected))


def test_directions_are_unit_vectors_or_zero(tilemap):
    positions = SurfacePositions.of(tilemap, [0, 1, 4, 5])
    toward = positions.directions(np.array([0, 1, 2, 3]), np.array([1, 1, 0, -1]))
    half = np.sqrt(0.5)
    assert toward == pytest.approx(np.array([(1, 0), (0, 0), (-half, half), (0, 0)]))


def test_chunks_contain_near_surfaces(tilemap):
    wide = TileMap(np.zeros((CHUNK + 1, 2 * CHUNK), dtype=int))
    positions = SurfacePositions.of(wide, range(wide.rows * wide.cols))
    assert positions.chunk.max() == 3
    assert np.bincount(positions.chunk).tolist() == [CHUNK**2, CHUNK**2, CHUNK, CHUNK]
    half = CHUNK / 2
    assert positions.chunk_center[1] == pytest.approx((CHUNK + half, -half, 0))
    assert SurfacePositions.of(tilemap, [0, 7]).chunk.tolist() == [0, 0]


@pytest.mark.parametrize("number", [-1, 12])
def test_unknown_numbers_raise_an_error(tilemap, number):
    with pytest.raises(IndexError, match=r"0\.\.11"):
        SurfacePositions.of(tilemap, [0, number])
