"""Cached paths, and which of them an edit drops."""

import numpy as np
import pytest

from ai.navigation.graph_cache import PathCache
from ai.navigation.path import Path
from terrain3d import Rect

PATH = Path(np.array([[0, 0, 0, 0, 0], [0, 1, 0, 1, 0]], dtype=np.int32))


def blocks(*cells):
    path_cache = PathCache(16, 16, 1)
    return sum(1 << int(path_cache.region_of[row * 16 + col]) for row, col in cells)


@pytest.mark.parametrize("known", [[], [((7, 8), blocks((15, 15)))]])
def test_a_search_that_began_before_an_edit_adds_no_path(known):
    path_cache = PathCache(16, 16, 1)
    for ends, looked_at in known:
        path_cache.keep(path_cache.paths, ends, PATH, looked_at)
    paths = path_cache.paths
    path_cache.forget([Rect(0, 0, 1, 1)])
    path_cache.keep(paths, (0, 1), PATH, blocks((0, 0)))
    assert (0, 1) not in path_cache.paths


def test_an_edit_drops_the_paths_whose_search_visited_it():
    path_cache = PathCache(16, 16, 1)
    path_cache.keep(path_cache.paths, (0, 1), PATH, blocks((0, 0), (5, 5)))
    path_cache.keep(path_cache.paths, (2, 3), PATH, blocks((9, 9)))
    path_cache.forget([Rect(4, 2, 2, 4)])
    assert list(path_cache.paths) == [(2, 3)]
    path_cache.forget([Rect(0, 0, 16, 16)])
    assert not path_cache.paths
