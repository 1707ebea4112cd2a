"""The image of the minimap: kinds as colors, heights as shading, teams as shapes of dots.

The image covers `TileMap.extent`, north up; its pixels need not be square.
"""

import math

import numpy as np
from numpy.typing import NDArray

from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.figures.team import team_shape

MAX_TILES = 256
"""Limit on rows and columns that are drawn; larger maps are sampled."""

_LOW, _HIGH = 0.72, 1.08
_SLOPE, _STEEPEST = 0.16, 2
"""Change of brightness per level of rise toward the south-east, and the most levels counted."""


def minimap(tilemap: TileMap) -> NDArray[np.uint8]:
    """Return the (height, width, 4) image of a map; each column shows its highest surface.

    A square tile is one pixel. A hexagon is a block of 2 pixels along its line and 3 across;
    alternate lines are offset by half a tile, like the tiles. Alpha is 0 without ground.
    """
    row = _sampled(tilemap.rows)
    col = _sampled(tilemap.cols)
    level, kind, is_void = _top_surfaces(tilemap, row, col)
    table = 255.0 * np.array([entry.color for entry in tilemap.kinds], np.float32)
    picture = np.empty((len(row), len(col), 4), np.uint8)
    shade = _shade(level, tilemap.top_level)
    for channel in range(3):  # numpy is slow along a last axis of three
        color = table[:, channel].take(kind) * shade
        picture[..., channel] = np.minimum(color + np.float32(0.5), np.float32(255.0))
    picture[..., 3] = 255
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


def _sampled(count: int) -> NDArray[np.int64]:
    """Return at most MAX_TILES numbers spread over 0..count - 1."""
    n_samples = min(count, MAX_TILES)
    return (np.arange(n_samples) * count + count // 2) // n_samples


def _top_surfaces(
    tilemap: TileMap, row: NDArray[np.int64], col: NDArray[np.int64]
) -> tuple[NDArray[np.int16], NDArray[np.uint8], NDArray[np.bool_]]:
    """Return level, kind and is-void of the highest surface in each column."""
    at = np.ix_(row, col)
    level, kind = np.full((len(row), len(col)), np.int16(-1)), tilemap.surface_kind[0][at]
    for deck in range(tilemap.n_decks + 1):
        there = np.where(tilemap.surface_void[deck][at], -1, tilemap.surface_level[deck][at])
        is_higher = there > level
        np.copyto(level, there, where=is_higher)
        np.copyto(kind, tilemap.surface_kind[deck][at], where=is_higher)
    return np.maximum(level, 0), kind, level < 0


def _shade(level: NDArray[np.int16], top_level: int) -> NDArray[np.float32]:
    """Return (rows, cols) brightness, by height and by the rise from the north-west.

    Level ground has 0.72 of its kind's color at level 0 and 1.08 at the highest level.
    """
    shade = np.float32(_LOW) + np.float32((_HIGH - _LOW) / max(top_level, 1)) * level
    before = np.pad(level, ((1, 0), (1, 0)), mode="edge")
    rise = np.clip(level - before[:-1, :-1], -_STEEPEST, _STEEPEST)
    shade *= np.float32(1.0) + np.float32(_SLOPE) * rise
    return shade


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
