"""Fixtures that load small maps."""

import pytest

from terrain3d import formats


@pytest.fixture
def record(tmp_path):
    """Return a function that reads a file of a text, notes and all."""

    def record(text, name="map.tmx"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return formats.read(path)

    return record


@pytest.fixture
def load(record):
    """Return a function that reads the map in a file of a text."""
    return lambda *file: record(*file).tilemap
