"""A set of tiles: each one framed and hatched, with a bold line around them all."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import CellLike
from terrain3d.kinds import Color
from terrain3d.marks.shapes import DARK, LIFT, joined, quads, tops
from terrain3d.mesh import MeshData
from terrain3d.tilemap import TileMap

PATTERN_SIZE = 128
"""Texels along a tile's edge."""

_HATCH, _FRAME, _SOLID = range(3)
_PARTS = 4  # a power of two, for old renderers
_LINE = 0.095
_DARK_LINE = 0.03
_SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))
_UNIT = np.array([(0.0, -1.0), (1.0, -1.0), (1.0, 0.0), (0.0, 0.0)])


def pattern() -> NDArray[np.uint8]:
    """Draw the texture of `region`: hatch, frame and a solid part, side by side.

    Returns
    -------
    (PATTERN_SIZE, 4 * PATTERN_SIZE, 4) uint8
        Red, green, blue, alpha.
    """
    middle = (np.arange(PATTERN_SIZE) + 0.5) / PATTERN_SIZE
    u, v = np.meshgrid(middle, middle)
    to_edge = np.minimum(np.minimum(u, 1 - u), np.minimum(v, 1 - v))
    picture = np.full((PATTERN_SIZE, _PARTS, PATTERN_SIZE, 4), 255.0)
    stripe = ((u + v) * 4.0) % 1.0
    # Stripes with soft borders, four to a tile, so that they go on from tile to tile.
    soft = np.clip((0.25 - np.abs(stripe - 0.5)) * PATTERN_SIZE / 4 * 0.5 + 0.5, 0, 1)
    picture[:, _HATCH, :, 3] = 255 * (0.26 + 0.30 * soft)
    bright = (to_edge > 0.085) & (to_edge < 0.135)
    dark = (to_edge > 0.06) & (to_edge < 0.16) & ~bright
    picture[:, _FRAME, :, :3] = np.where(dark | (to_edge <= 0.06), 40.0, 255.0)[..., None]
    picture[:, _FRAME, :, 3] = 255 * (0.92 * bright + 0.35 * dark)
    return picture.reshape(PATTERN_SIZE, -1, 4).astype(np.uint8)


def _part(index: int, inset: float = 0.0) -> NDArray[np.float64]:
    """Give the texture coordinates of a quad that shows one part of the pattern."""
    corners = np.clip(_UNIT + np.array([0.0, 1.0]), inset, 1.0 - inset)
    shown: NDArray[np.float64] = (corners + np.array([index, 0.0])) / np.array([_PARTS, 1.0])
    return shown


def _flat(
    places: NDArray[np.float64], west: float, south: float, east: float, north: float
) -> NDArray[np.float64]:
    """Give quads on tops; edges count from each tile's north-west corner, north is up."""
    flat = np.array([(west, south), (east, south), (east, north), (west, north)])
    corners = np.empty((len(places), 4, 3))
    corners[..., 0] = places[:, 1, None] + flat[:, 0]
    corners[..., 1] = -places[:, 0, None] + flat[:, 1]
    corners[..., 2] = places[:, 2, None] + LIFT
    return corners


def _border(side: tuple[int, int], near: float, far: float) -> tuple[float, float, float, float]:
    """Give a band along one side of a tile, from `near` to `far` inside of it."""
    bands = {
        (-1, 0): (0.0, -far, 1.0, -near),
        (1, 0): (0.0, near - 1.0, 1.0, far - 1.0),
        (0, -1): (near, -1.0, far, 0.0),
        (0, 1): (1.0 - far, -1.0, 1.0 - near, 0.0),
    }
    return bands[side]


def _corner(drow: int, dcol: int, near: float, far: float) -> tuple[float, float, float, float]:
    """Give a square at one corner of a tile."""
    west, _, east, _ = _border((0, dcol), near, far)
    _, south, _, north = _border((drow, 0), near, far)
    return west, south, east, north


def region(tilemap: TileMap, cells: Iterable[CellLike], color: Color) -> MeshData:
    """Mark a set of cells; it is to be drawn with the texture `pattern`.

    Parameters
    ----------
    tilemap : TileMap
    cells : iterable of cells
        May repeat. Void cells are left out.
    color : (red, green, blue) in 0..1

    Raises
    ------
    IndexError
        A cell lies outside the map.
    """
    places = tops(tilemap, cells)
    row, col = places[:, 0].astype(np.int64), places[:, 1].astype(np.int64)
    is_ground = ~tilemap.void[row, col]
    places, row, col = places[is_ground], row[is_ground], col[is_ground]
    member = np.zeros((tilemap.rows + 2, tilemap.cols + 2), np.bool_)
    member[row + 1, col + 1] = True
    red, green, blue = color
    bright = (0.5 + 0.5 * red, 0.5 + 0.5 * green, 0.5 + 0.5 * blue)
    solid = np.tile(((_SOLID + 0.5) / _PARTS, 0.5), (4, 1))
    inner = _flat(places, 0.06, -0.94, 0.94, -0.06)
    parts = [
        quads(inner, color, 1.0, _part(_HATCH, inset=0.06)),
        quads(inner, bright, 1.0, _part(_FRAME, inset=0.06)),
    ]
    bands = ((bright, 1.0, 0.0, _LINE), (DARK, 0.75, 0.0, _DARK_LINE))
    for shade, alpha, near, far in bands:
        for drow, dcol in _SIDES:
            at = places[~member[row + 1 + drow, col + 1 + dcol]]
            parts.append(quads(_flat(at, *_border((drow, dcol), near, far)), shade, alpha, solid))
        for drow, dcol in ((-1, -1), (-1, 1), (1, 1), (1, -1)):
            is_notch = (
                member[row + 1 + drow, col + 1]
                & member[row + 1, col + 1 + dcol]
                & ~member[row + 1 + drow, col + 1 + dcol]
            )
            square = _corner(drow, dcol, 0.0, far)
            parts.append(quads(_flat(places[is_notch], *square), shade, alpha, solid))
    return joined(parts)
