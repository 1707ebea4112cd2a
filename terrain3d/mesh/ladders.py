"""Ladders: two poles and rungs where a link of that kind leads up to a neighboring column."""

import numpy as np

from terrain3d.grid import Cell, Rect
from terrain3d.mesh.beams import beams
from terrain3d.mesh.data import MeshData
from terrain3d.tilemap import TileMap

KIND = "ladder"
_HALF_WIDTH, _POLE_HALF, _RUNG_HALF, _RUNG_HEIGHT = 0.17, 0.024, 0.016, 0.028
_OFF_THE_WALL = 0.05
_RUNG_STEP, _ABOVE = 0.13, 0.16  # world units between rungs, and of pole above the upper end
_COLOR = (0.40, 0.28, 0.17)


def ladders(tilemap: TileMap, rect: Rect) -> list[MeshData]:
    """Mesh the ladders whose lower end stands in a rectangle."""
    parts: list[MeshData] = []
    for link in tilemap.links:
        low, high = sorted((link.start, link.end), key=tilemap.level_at)
        is_inside = 0 <= low.row - rect.row < rect.rows and 0 <= low.col - rect.col < rect.cols
        is_beside = (high.row - low.row, high.col - low.col) in tilemap.grid.steps_from(
            low.row, low.col
        )
        if link.kind == KIND and is_inside and is_beside:
            parts += _ladder(tilemap, low, high)
    return parts


def _ladder(tilemap: TileMap, low: Cell, high: Cell) -> list[MeshData]:
    x, y, foot = tilemap.surface_point(low)
    end_x, end_y, head = tilemap.surface_point(high)
    ahead = np.array([end_x - x, end_y - y]) / np.hypot(end_x - x, end_y - y)
    aside = np.array([-ahead[1], ahead[0]])
    middle = np.array([(x + end_x) / 2, (y + end_y) / 2]) - ahead * _OFF_THE_WALL
    poles = middle + np.array([[-_HALF_WIDTH], [_HALF_WIDTH]]) * aside
    thick = np.repeat(ahead[None] * 2 * _POLE_HALF, 2, axis=0)
    rungs = np.arange(foot + _RUNG_STEP, head + _ABOVE / 2, _RUNG_STEP, dtype=np.float32)
    count = len(rungs)
    start = np.repeat((middle - _HALF_WIDTH * aside)[None], count, axis=0)
    along = np.repeat((2 * _HALF_WIDTH * aside)[None], count, axis=0)
    color = np.array(_COLOR, dtype=np.float32)
    bottom, top = np.full(2, foot, np.float32), np.full(2, head + _ABOVE, np.float32)
    return [
        beams(poles - thick / 2, thick, _POLE_HALF, bottom, top, np.tile(color, (2, 1))),
        beams(start, along, _RUNG_HALF, rungs, rungs + _RUNG_HEIGHT, np.tile(color, (count, 1))),
    ]
