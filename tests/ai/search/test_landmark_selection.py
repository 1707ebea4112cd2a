"""The first landmarks lie on the border of the map, or of the part that they are for."""

import numpy as np
import pytest

from ai import MoveProfile
from ai.navigation.profile_graph import ProfileGraph
from ai.search.landmark_selection import choose_landmarks
from terrain3d import TileMap
from tests.support.landmark_tables import table_of

SIDE = 11


def landmarks_of(level, count):
    """(count, 2) row and column of each landmark: nothing costs less than to get there from it."""
    graph = ProfileGraph(TileMap(level), MoveProfile(max_climb=1, max_drop=1))
    table = table_of(choose_landmarks(*graph.snapshot(), count, 1.0))
    return np.stack(np.divmod(table[:count].argmin(axis=1), SIDE), axis=1)


@pytest.mark.parametrize("margin", [0, 2])
def test_landmarks_lie_on_the_border_of_the_ground_that_can_be_walked_on(margin):
    level = 9 * np.arange(SIDE * SIDE).reshape(SIDE, SIDE)  # no step leads anywhere
    inside = slice(margin, SIDE - margin)
    level[inside, inside] = 0
    cells = landmarks_of(level, 16)
    assert len(np.unique(cells, axis=0)) == 16
    assert (np.abs(cells - SIDE // 2).max(axis=1) == SIDE // 2 - margin).all()


def test_a_part_of_the_map_within_another_gets_a_landmark():
    level = np.zeros((SIDE, SIDE), dtype=int)
    level[3:8, 3:8] = 9
    cells = landmarks_of(level, 4)
    assert (level[tuple(cells.T)] == 9).any()


def test_after_32_landmarks_on_a_short_border_the_middle_follows():
    cells = landmarks_of(np.zeros((SIDE, SIDE), dtype=int), 33)
    is_outer = np.abs(cells - SIDE // 2).max(axis=1) == SIDE // 2
    assert is_outer[:32].all()
    assert not is_outer[32]
