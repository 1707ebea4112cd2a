"""Paths that are kept, and what an edit makes of them."""

import numpy as np
import pytest

from ai.navigation.path import Path
from ai.navigation.path_cache import Remembered
from terrain3d import Rect

PATH = Path(np.array([[0, 0, 0, 0, 0], [0, 1, 0, 1, 0]], dtype=np.int32))


def blocks(*cells):
    remembered = Remembered(16, 16, 1)
    return sum(1 << int(remembered.block_of[row * 16 + col]) for row, col in cells)


@pytest.mark.parametrize("known", [[], [((7, 8), blocks((15, 15)))]])
def test_a_search_that_began_before_an_edit_keeps_nothing_for_afterwards(known):
    remembered = Remembered(16, 16, 1)
    for ends, looked_at in known:
        remembered.keep(remembered.paths, ends, PATH, looked_at)
    paths = remembered.paths
    remembered.forget(Rect(0, 0, 1, 1))
    remembered.keep(paths, (0, 1), PATH, blocks((0, 0)))
    assert (0, 1) not in remembered.paths


def test_an_edit_drops_the_paths_whose_search_looked_there():
    remembered = Remembered(16, 16, 1)
    remembered.keep(remembered.paths, (0, 1), PATH, blocks((0, 0), (5, 5)))
    remembered.keep(remembered.paths, (2, 3), PATH, blocks((9, 9)))
    remembered.forget(Rect(4, 2, 2, 4))
    assert list(remembered.paths) == [(2, 3)]
    remembered.forget(Rect(0, 0, 16, 16))
    assert not remembered.paths
