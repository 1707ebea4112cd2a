"""Fixtures that load small maps."""

import pytest

from terrain3d import TileMap, formats


@pytest.fixture
def load(tmp_path):
    """Return a function that reads a file of a text."""

    def load(text, name="map.tmx"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return TileMap.load(path)

    return load


@pytest.fixture
def record(tmp_path):
    """Return a function that reads a file of a text, notes and all."""

    def record(text, name="map.tmx"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return formats.read(path)

    return record
