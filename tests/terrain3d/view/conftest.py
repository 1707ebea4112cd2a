"""A map and its terrain for the tests of the view."""

import pytest

from terrain3d import TileMap
from terrain3d.view import Terrain3D


@pytest.fixture
def tilemap():
    return TileMap.from_noise(12, 16, seed=7, levels=5)


@pytest.fixture
def terrain(tree, tilemap):
    return tree.root.add_child(Terrain3D(tilemap))
