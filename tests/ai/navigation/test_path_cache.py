"""Cached paths, and which of them an edit drops."""

import numpy as np

from ai import MoveProfile
from ai.navigation.graph_cache import PathCache
from ai.navigation.path import Path
from ai.navigation.profile_graph import GraphChange, ProfileGraph
from terrain3d import Rect, TileMap

PATH = Path(np.array([[0, 0, 0, 0, 0], [0, 1, 0, 1, 0]], dtype=np.int32))


def test_an_edit_drops_the_paths_whose_search_visited_it():
    path_cache = PathCache(ProfileGraph(TileMap(np.zeros((16, 16), int)), MoveProfile()))

    def blocks(*cells):
        return sum(1 << int(path_cache.region_of[row * 16 + col]) for row, col in cells)

    path_cache.keep((0, 1), PATH, blocks((0, 0), (5, 5)))
    path_cache.keep((2, 3), PATH, blocks((9, 9)))
    path_cache.follow(GraphChange(touched=(Rect(4, 2, 2, 4),)))
    assert list(path_cache.paths) == [(2, 3)]
    path_cache.follow(GraphChange(touched=(Rect(0, 0, 16, 16),)))
    assert not path_cache.paths
