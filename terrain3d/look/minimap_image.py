"""The image of the minimap: kinds as colors, heights as shading, teams as shapes of dots.

The image covers `TileMap.extent`, north up; its pixels need not be square.
"""

import math

import numpy as np
from numpy.typing import NDArray

from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.figures.team import team_shape
from terrain3d.picture.surface_colors import sampled, shaded_colors, top_surfaces

MAX_TILES = 256
"""Limit on rows and columns that are drawn; larger maps are sampled."""


def minimap(tilemap: TileMap) -> NDArray[np.uint8]:
    """Return the (height, width, 4) image of a map; each column shows its highest surface.

    A square tile is one pixel. A hexagon is a block of 2 pixels along its line and 3 across;
    alternate lines are offset by half a tile, like the tiles. Alpha is 0 without ground.
    """
    row, col = sampled(tilemap.rows, MAX_TILES), sampled(tilemap.cols, MAX_TILES)
    level, kind, is_void = top_surfaces(tilemap, row, col)
    picture = np.full((len(row), len(col), 4), 255, np.uint8)
    picture[..., :3] = shaded_colors(level, kind, tilemap.kinds, tilemap.top_level)
    picture[is_void] = 0
    return picture if tilemap.topology == "square" else _hexagon_blocks(picture, tilemap.topology)


def team_dot(team: str) -> NDArray[np.float64]:
    """Return the outline of a team's dots: a disk, square, triangle or diamond by the team's name.

    It is (n, 2), around 0, counter-clockwise with y upward, with the area of a disk of radius 1.
    """
    sides, turn = team_shape(team)
    angle = (np.arange(sides) / sides + turn) * math.tau
    radius = math.sqrt(math.tau / (sides * math.sin(math.tau / sides)))
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _hexagon_blocks(picture: NDArray[np.uint8], layout: str) -> NDArray[np.uint8]:
    """Enlarge one pixel per hexagon to blocks, alternate lines offset by half a tile."""
    has_rows = layout.endswith("r")
    lines = picture if has_rows else picture.swapaxes(0, 1)
    count, length = lines.shape[:2]
    blocks = np.zeros((3 * count + 1, 2 * length + (count > 1), 4), np.uint8)
    for parity in (0, 1):
        offset = int((parity == 1) == ("odd" in layout)) if count > 1 else 0
        doubled = np.repeat(lines[parity::2], 2, axis=1)
        for part in range(3):
            rows = blocks[1 + 3 * parity + part :: 6, offset : offset + 2 * length]
            rows[: len(doubled)] = doubled
    blocks[0] = blocks[1]
    return blocks if has_rows else blocks.swapaxes(0, 1)
