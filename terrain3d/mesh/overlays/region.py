"""A set of tiles: each one framed and hatched, with a bold line around them all."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import CellLike
from terrain3d.grid.kinds import Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh import MeshData
from terrain3d.mesh.data import fans
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.overlays.flat_shapes import DARK, LIFT, Tops, flat, joined, quads

PATTERN_SIZE = 128
"""Texels along a tile's edge."""

HATCH, FRAME, SOLID, STRIPES = range(4)
"""The parts of the pattern, from left to right; stripes are a bolder hatch."""

N_PARTS = 4
"""How wide the pattern is, in parts: a power of two, for old renderers."""
_LINE = 0.095
_DARK_LINE = 0.03
_INSET = 0.06


def pattern() -> NDArray[np.uint8]:
    """Draw the texture of `region` and of `faces`: its parts side by side.

    From its first row to its last each goes on as far as a tile's edge is long: hatch and stripes
    across themselves, the frame from a tile's edge inwards.

    Returns
    -------
    (PATTERN_SIZE, 4 * PATTERN_SIZE, 4) uint8
        Red, green, blue, alpha.
    """
    part = ((np.arange(PATTERN_SIZE) + 0.5) / PATTERN_SIZE)[:, None]
    picture = np.full((PATTERN_SIZE, N_PARTS, PATTERN_SIZE, 4), 255.0)
    stripe = (part * 4.0) % 1.0
    # Stripes with soft borders.
    soft = np.clip((0.25 - np.abs(stripe - 0.5)) * PATTERN_SIZE / 4 * 0.5 + 0.5, 0, 1)
    picture[:, HATCH, :, 3] = 255 * (0.26 + 0.30 * soft)
    picture[:, STRIPES, :, 3] = 255 * (0.48 + 0.40 * soft)
    bright = (part > 0.085) & (part < 0.135)
    dark = (part > _INSET) & (part < 0.16) & ~bright
    picture[:, FRAME, :, :3] = np.where(dark | (part <= _INSET), 40.0, 255.0)[..., None]
    picture[:, FRAME, :, 3] = 255 * (0.92 * bright + 0.35 * dark)
    return picture.reshape(PATTERN_SIZE, -1, 4).astype(np.uint8)


def region(
    tilemap: TileMap, cells: Iterable[CellLike], color: Color, takes_void: bool = False
) -> MeshData:
    """Mark a set of cells; it is to be drawn with the texture `pattern`, repeated upwards.

    Parameters
    ----------
    tilemap : TileMap
    cells : iterable of cells
        May repeat.
    color : (red, green, blue) in 0..1
    takes_void : bool
        Whether void cells are marked where their ground would be; else they are left out.

    Raises
    ------
    IndexError
        A cell lies outside the map, or its column has no such deck.
    """
    tops = Tops.of(tilemap, cells, takes_void)
    lattice = Lattice.of(tilemap.grid)
    is_border, is_notch = _ends(tilemap, tops, lattice)
    red, green, blue = color
    bright = (0.5 + 0.5 * red, 0.5 + 0.5 * green, 0.5 + 0.5 * blue)
    parts = [_hatched(tops, lattice, color), _framed(tops, lattice, bright)]
    for shade, alpha, width in ((bright, 1.0, _LINE), (DARK, 0.75, _DARK_LINE)):
        for corner in range(lattice.sides):
            for at, shape in _outlines(lattice, corner, is_border, is_notch, width):
                solid = np.tile(((SOLID + 0.5) / N_PARTS, 0.5), (4, 1))
                parts.append(quads(_on(tops.middle[at], shape), shade, alpha, solid))
    return joined(parts)


def _on(middles: NDArray[np.float64], shape: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put a flat shape, (c, 2), around every middle."""
    points = np.empty((len(middles), len(shape), 3))
    points[..., :2] = middles[:, None, :2] + shape
    points[..., 2] = middles[:, 2, None] + LIFT
    return points


def _hatched(tops: Tops, lattice: Lattice, color: Color) -> MeshData:
    """Fill every tile with stripes that go on from tile to tile."""
    shape = lattice.outline * (1.0 - 2.0 * _INSET)
    points = _on(tops.middle, shape)
    across = points[..., 0] + points[..., 1]
    across -= np.floor(across[:, :1])  # the pattern repeats; small numbers are exact enough
    places = np.stack([np.full_like(across, (HATCH + 0.5) / N_PARTS), across], axis=2)
    fan = [(0, i, i + 1) for i in range(1, len(shape) - 1)]
    return _shapes(points, fan, color, places)


def _framed(tops: Tops, lattice: Lattice, color: Color) -> MeshData:
    """Frame every tile: around its center, the distance from the edge is the place in the frame."""
    sides = lattice.sides
    shape = np.concatenate([lattice.outline * (1.0 - 2.0 * _INSET), np.zeros((1, 2))])
    points = _on(tops.middle, shape)
    places = np.full((*points.shape[:2], 2), (FRAME + 0.5) / N_PARTS)
    places[:, :, 1] = [_INSET] * sides + [0.5]
    return _shapes(points, [(i, (i + 1) % sides, sides) for i in range(sides)], color, places)


def _shapes(
    points: NDArray[np.float64],
    triangles: list[tuple[int, int, int]],
    color: Color,
    places: NDArray[np.float64],
) -> MeshData:
    count, corners, _ = points.shape
    indices = fans(count, corners, triangles)
    return flat(points.reshape(-1, 3), indices.reshape(-1, 3), color, 1.0, places.reshape(-1, 2))


def _ends(
    tilemap: TileMap, tops: Tops, lattice: Lattice
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell where the region ends.

    Across an edge it goes on if it holds the surface there that is nearest in level.

    Returns
    -------
    (sides, m) bool
        Whether it ends at the edge to each direction.
    (sides, m) bool
        Whether it ends at each corner alone, where tiles have neighbors across corners.
    """
    shape = (tilemap.n_decks + 1, tilemap.rows + 2, tilemap.cols + 2)
    member = np.zeros(shape, np.bool_)
    member[tops.deck, tops.row + 1, tops.col + 1] = True
    level = np.full(shape, 2 * MAX_LEVEL, np.int64)
    level[:, 1:-1, 1:-1] = np.where(
        tilemap.surface_void, level[:, 1:-1, 1:-1], tilemap.surface_level
    )
    steps = lattice.step_at(tops.row, tops.col)
    row, col = tops.row + 1 + steps[..., 0], tops.col + 1 + steps[..., 1]
    own = level[tops.deck, tops.row + 1, tops.col + 1]
    nearest = np.abs(level[:, row, col] - own).argmin(axis=0)
    goes_on = member[nearest, row, col]
    is_notch = np.zeros((lattice.sides, len(tops.row)), np.bool_)
    for corner, (way, turn, *across) in enumerate(lattice.at_corner):
        for beyond in across:
            is_notch[corner] = goes_on[way] & goes_on[turn] & ~goes_on[beyond]
    return ~goes_on[: lattice.sides], is_notch


def _outlines(
    lattice: Lattice,
    corner: int,
    is_border: NDArray[np.bool_],
    is_notch: NDArray[np.bool_],
    width: float,
) -> list[tuple[NDArray[np.bool_], NDArray[np.float64]]]:
    """Give the quads, each with the tiles that have it, of a corner and of the edge to the next.

    Where the line turns around a tile's corner, both its bands are cut slantwise; where it goes on
    in the next tile, they end at the edge that the two tiles share.
    """
    outline, sides = lattice.outline, lattice.sides
    inner = outline * (1.0 - 2.0 * width)
    before, start, end, after = (outline[(corner + i) % sides] for i in (-1, 0, 1, 2))
    after_start = _toward(start, before, end - start, width)
    before_end = _toward(end, after, end - start, width)
    way = (sides - 2 - corner) % sides
    left, right = lattice.turns[way]
    shapes = []
    for turns_left in (False, True):
        for turns_right in (False, True):
            at = is_border[way] & (is_border[left] == turns_left)
            at &= is_border[right] == turns_right
            first = inner[corner] if turns_left else after_start
            last = inner[(corner + 1) % sides] if turns_right else before_end
            shapes.append((at, np.array([start, end, last, first])))
    notch = [start, _toward(start, end, start - before, width), inner[corner], after_start]
    return [*shapes, (is_notch[corner], np.array(notch))]


def _toward(
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    edge: NDArray[np.float64],
    width: float,
) -> NDArray[np.float64]:
    """Go from one corner towards another until `width` inside of an edge through the first."""
    inward = np.array([-edge[1], edge[0]]) / np.linalg.norm(edge)
    way = end - start
    point: NDArray[np.float64] = start + way * (width / (way @ inward))
    return point
