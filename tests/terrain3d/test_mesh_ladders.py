"""Ladders stand at the wall between the columns they join, from the lower end to the upper one."""

import numpy as np
import pytest

from terrain3d import Rect, TileMap
from terrain3d.mesh.ladders import ladders

WALL = TileMap.from_text("040\n040")


def with_link(start, end, kind="ladder"):
    tilemap = TileMap(WALL.level, step_height=0.5)
    with tilemap.edit() as edit:
        edit.add_link(start, end, cost=4, kind=kind)
    return tilemap


@pytest.mark.parametrize("ends", [((0, 0), (0, 1)), ((0, 1), (0, 0))])
def test_a_ladder_reaches_from_foot_to_head_before_the_wall(ends):
    points = np.concatenate(
        [part.positions for part in ladders(with_link(*ends), Rect(0, 0, 2, 3))]
    )
    x, y, z = points.T
    assert 0.8 < x.min() <= x.max() < 1.0
    assert -0.7 < y.min() <= y.max() < -0.3
    assert z.min() == 0
    assert 2.0 < z.max() < 2.3


def test_only_the_chunk_of_the_foot_has_it():
    tilemap = with_link((0, 0), (0, 1))
    assert ladders(tilemap, Rect(0, 0, 2, 1))
    assert not ladders(tilemap, Rect(0, 1, 2, 2))


def test_doors_and_far_ends_are_no_ladders():
    assert not ladders(with_link((0, 0), (0, 1), kind="door"), Rect(0, 0, 2, 3))
    assert not ladders(with_link((0, 0), (1, 1)), Rect(0, 0, 2, 3))
