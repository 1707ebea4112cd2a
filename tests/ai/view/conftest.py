"""A map and its terrain for the tests of units and searches in a scene."""

from tests.terrain3d.view.conftest import terrain, tilemap

__all__ = ["terrain", "tilemap"]
