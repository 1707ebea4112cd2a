"""A map as a small picture from above: kinds by color, heights by light and shade.

The picture covers `TileMap.extent`, north up, whatever the shape of its pixels. Units are dots on
it whose shape, beside their color, tells the team.
"""

import math

import numpy as np
from numpy.typing import NDArray

from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.figures.team import team_shape

MAX_TILES = 256
"""Along a side: of larger maps, so few rows and columns are looked at."""

_LOW, _HIGH = 0.72, 1.08
_SLOPE, _STEEPEST = 0.16, 2
"""How much brighter a level's rise to the south-east is, and how many levels count."""


def minimap(tilemap: TileMap) -> NDArray[np.uint8]:
    """Draw a map: of each column its highest surface.

    A square is a pixel. A hexagon is a block of 2 pixels along its line and 3 across the lines,
    and the next line lies half a tile aside, as its tiles do.

    Returns
    -------
    (height, width, 4) uint8
        Red, green, blue, alpha; alpha is 0 where there is no ground.
    """
    row = _looked_at(tilemap.rows)
    col = _looked_at(tilemap.cols)
    level, kind, is_void = _tops(tilemap, row, col)
    table = np.array([entry.color for entry in tilemap.kinds])
    picture = np.zeros((len(row), len(col), 4), np.uint8)
    shade = _shade(level, tilemap.top_level)[..., None]
    picture[..., :3] = np.clip(table[kind] * shade, 0.0, 1.0) * 255.0 + 0.5
    picture[..., 3] = 255
    picture[is_void] = 0
    return picture if tilemap.topology == "square" else _bricks(picture, tilemap.topology)


def team_dot(team: str) -> NDArray[np.float64]:
    """Give the shape of a team's dots: disk, square, triangle or diamond, by its name.

    Returns
    -------
    (n, 2)
        Around 0, counter-clockwise with y upwards, of about the same area as a disk of radius 1.
    """
    sides, turn = team_shape(team)
    angle = (np.arange(sides) / sides + turn) * math.tau
    radius = math.sqrt(math.tau / (sides * math.sin(math.tau / sides)))
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _looked_at(count: int) -> NDArray[np.int64]:
    """Spread at most MAX_TILES numbers over 0..count - 1."""
    few = min(count, MAX_TILES)
    return (np.arange(few) * count + count // 2) // few


def _tops(
    tilemap: TileMap, row: NDArray[np.int64], col: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.bool_]]:
    """Give level, kind and whether it is void of the highest surface in each column."""
    place = np.ix_(np.arange(tilemap.n_decks + 1), row, col)
    void = tilemap.surface_void[place]
    levels = np.where(void, -1, tilemap.surface_level[place].astype(np.int64))
    top = levels.argmax(axis=0)[None]
    level = np.take_along_axis(levels, top, 0)[0]
    kind = np.take_along_axis(tilemap.surface_kind[place], top, 0)[0]
    return np.maximum(level, 0), kind, level < 0


def _shade(level: NDArray[np.int64], top_level: int) -> NDArray[np.float64]:
    """Give (rows, cols) brightness: more with height, and where it rises from the north-west."""
    height = _LOW + (_HIGH - _LOW) * level / max(top_level, 1)
    before = np.pad(level, ((1, 0), (1, 0)), mode="edge")
    rise = np.clip(level - before[:-1, :-1], -_STEEPEST, _STEEPEST)
    shade: NDArray[np.float64] = height * (1.0 + _SLOPE * rise)
    return shade


def _bricks(picture: NDArray[np.uint8], layout: str) -> NDArray[np.uint8]:
    """Lay one pixel a hexagon out as hexagons lie: half a tile aside in every second line."""
    has_rows = layout.endswith("r")
    lines = picture if has_rows else picture.swapaxes(0, 1)
    count, places = lines.shape[:2]
    bricks = np.zeros((3 * count + 1, 2 * places + (count > 1), 4), np.uint8)
    for parity in (0, 1):
        shove = int((parity == 1) == ("odd" in layout)) if count > 1 else 0
        doubled = np.repeat(lines[parity::2], 2, axis=1)
        for part in range(3):
            bricks[1 + 3 * parity + part :: 6, shove : shove + 2 * places][: len(doubled)] = doubled
    bricks[0] = bricks[1]
    return bricks if has_rows else bricks.swapaxes(0, 1)
