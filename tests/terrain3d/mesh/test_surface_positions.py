"""Surfaces by number: where they are, and which way another lies."""

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.mesh.overlays.surface_positions import CHUNK, Spots


@pytest.fixture
def tilemap():
    tilemap = TileMap.from_text("012\n345")
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=9)
    return tilemap


def test_middles_are_those_of_the_surfaces_in_the_order_of_their_numbers(tilemap):
    spots = Spots.of(tilemap, [7, 5, 0, 5])
    assert spots.number.tolist() == [0, 5, 7]
    expected = [tilemap.surface_point(cell) for cell in ((0, 0), (1, 2), (0, 1, 1))]
    assert spots.middle == pytest.approx(np.array(expected))
    assert spots.places_of([7, 0]).tolist() == [2, 0]


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"])
def test_hexagons_have_their_middles_too(topology):
    tilemap = TileMap(np.arange(20).reshape(4, 5), topology=topology)
    spots = Spots.of(tilemap, range(20))
    expected = [tilemap.surface_point(divmod(number, 5)) for number in range(20)]
    assert spots.middle == pytest.approx(np.array(expected))


def test_directions_have_length_1_or_are_none(tilemap):
    spots = Spots.of(tilemap, [0, 1, 4, 5])
    toward = spots.toward(np.array([0, 1, 2, 3]), np.array([1, 1, 0, -1]))
    half = np.sqrt(0.5)
    assert toward == pytest.approx(np.array([(1, 0), (0, 0), (-half, half), (0, 0)]))


def test_chunks_hold_what_lies_near(tilemap):
    wide = TileMap(np.zeros((CHUNK + 1, 2 * CHUNK), dtype=int))
    spots = Spots.of(wide, range(wide.rows * wide.cols))
    assert spots.chunk.max() == 3
    assert np.bincount(spots.chunk).tolist() == [CHUNK**2, CHUNK**2, CHUNK, CHUNK]
    half = CHUNK / 2
    assert spots.chunk_middle[1] == pytest.approx((CHUNK + half, -half, 0))
    assert Spots.of(tilemap, [0, 7]).chunk.tolist() == [0, 0]


@pytest.mark.parametrize("number", [-1, 12])
def test_other_numbers_are_refused(tilemap, number):
    with pytest.raises(IndexError, match=r"0\.\.11"):
        Spots.of(tilemap, [0, number])
