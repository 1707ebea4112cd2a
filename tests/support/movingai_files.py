"""MovingAI maps and scenarios for tests."""

import pytest

from terrain3d.core.checks import MAX_CELLS
from terrain3d.formats.format import ReadOptions
from terrain3d.formats.movingai import read
from tests.support.paths import SAMPLES

MOVINGAI = SAMPLES / "movingai"


HEADER = "type octile\nheight 2\nwidth 3\nmap\n"


def written(tilemap, tmp_path):
    path = tmp_path / "out.map"
    notes = tilemap.export(path)
    return path.read_text(), notes


lines_apart = pytest.mark.parametrize("end", ["\n", "\r\n"])


def parse_map(text):
    return read(text.encode(), ReadOptions(max_surfaces=MAX_CELLS)).tilemap


def kinds_by_name(arrays):
    return [[arrays.kinds[index].name for index in row] for row in arrays.kind]
