"""Fixtures that load small maps."""

import warnings
from types import SimpleNamespace

import pytest

from terrain3d import TileMap
from terrain3d.formats import MapFileWarning


@pytest.fixture
def record(tmp_path):
    """Return a function that reads a file of a text: the map, and notes on what it lacks."""

    def record(text, name="map.tmx"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", MapFileWarning)
            tilemap = TileMap.load(path)
        lines = [str(each.message).removeprefix(f"{path}: ") for each in caught]
        notes = tuple(note for line in lines for note in line.split("; "))
        return SimpleNamespace(tilemap=tilemap, notes=notes)

    return record


@pytest.fixture
def load(record):
    """Return a function that reads the map in a file of a text."""
    return lambda *file: record(*file).tilemap
