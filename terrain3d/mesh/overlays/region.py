"""A region of tiles: each tile framed and hatched, with a bold outline around the region."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import CellLike, Rect
from terrain3d.grid.kinds import Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData, fans
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.overlays.flat_shapes import DARK, LIFT, Tops, flat, joined, polygons

PATTERN_SIZE = 128
"""Texels per tile edge."""

HATCH, FRAME, SOLID, STRIPES = range(4)
"""Parts of the pattern from left to right; stripes are a bolder hatch."""

N_PARTS = 4
"""Width of the pattern in parts; a power of two, for old renderers."""
_LINE = 0.095
_DARK_LINE = 0.03
_INSET = 0.06


def pattern() -> NDArray[np.uint8]:
    """Return the texture of `region` and of search tiles, with its parts side by side.

    The height of the texture is one tile edge: hatch and stripes run across it, the frame goes from
    the edge of a tile (first row) inward. Its shape is (PATTERN_SIZE, 4 * PATTERN_SIZE, 4).
    """
    part = ((np.arange(PATTERN_SIZE) + 0.5) / PATTERN_SIZE)[:, None]
    picture = np.full((PATTERN_SIZE, N_PARTS, PATTERN_SIZE, 4), 255.0)
    stripe = (part * 4.0) % 1.0
    # Stripes have soft borders.
    soft = np.clip((0.21 - np.abs(stripe - 0.5)) * PATTERN_SIZE / 4 * 0.5 + 0.5, 0, 1)
    picture[:, HATCH, :, 3] = 255 * (0.16 + 0.84 * soft)
    picture[:, STRIPES, :, 3] = 255 * (0.48 + 0.40 * soft)
    bright = (part > 0.085) & (part < 0.135)
    dark = (part > _INSET) & (part < 0.16) & ~bright
    picture[:, FRAME, :, :3] = np.where(dark | (part <= _INSET), 40.0, 255.0)[..., None]
    picture[:, FRAME, :, 3] = 255 * (0.92 * bright + 0.35 * dark)
    return picture.reshape(PATTERN_SIZE, -1, 4).astype(np.uint8)


def region(
    tilemap: TileMap, cells: Iterable[CellLike], color: Color, includes_void: bool = False
) -> MeshData:
    """Return marks on cells, to be drawn with the texture `pattern`, repeated vertically.

    Cells may repeat. Void ones are skipped, or with `includes_void` marked at the height of their
    level. `IndexError` if a cell is outside the map, or its column has no such deck.
    """
    tops = Tops.of(tilemap, cells, includes_void)
    if not len(tops.row):
        return MeshData.empty()
    lattice = Lattice.of(tilemap.grid)
    is_border, is_notch = _ends(tilemap, tops, lattice)
    parts = [_hatched(tops, lattice, color), _framed(tops, lattice, color)]
    for shade, alpha, width in ((color, 1.0, _LINE), (DARK, 0.75, _DARK_LINE)):
        lines = [
            _on(tops.center[at], shape)
            for corner in range(lattice.sides)
            for at, shape in _outlines(lattice, corner, is_border, is_notch, width)
        ]
        solid = (SOLID + 0.5) / N_PARTS, 0.5
        parts.append(polygons(np.concatenate(lines), shade, alpha, solid))
    return joined(parts)


def _on(centers: NDArray[np.float64], shape: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the (n, c, 3) points of a flat (c, 2) shape around each center."""
    points = np.empty((len(centers), len(shape), 3))
    points[..., :2] = centers[:, None, :2] + shape
    points[..., 2] = centers[:, 2, None] + LIFT
    return points


def _hatched(tops: Tops, lattice: Lattice, color: Color) -> MeshData:
    """Return tiles filled with stripes that continue from tile to tile."""
    shape = lattice.outline * (1.0 - 2.0 * _INSET)
    points = _on(tops.center, shape)
    across = points[..., 0] + points[..., 1]
    across -= np.floor(across[:, :1])  # the pattern repeats, and small numbers keep precision
    texcoords = np.stack([np.full_like(across, (HATCH + 0.5) / N_PARTS), across], axis=2)
    return polygons(points, color, texcoords=texcoords)


def _framed(tops: Tops, lattice: Lattice, color: Color) -> MeshData:
    """Return a frame for each tile; the texture coordinate is the distance from its edge."""
    sides = lattice.sides
    shape = np.concatenate([lattice.outline * (1.0 - 2.0 * _INSET), np.zeros((1, 2))])
    points = _on(tops.center, shape)
    texcoords = np.full((*points.shape[:2], 2), (FRAME + 0.5) / N_PARTS)
    texcoords[:, :, 1] = [_INSET] * sides + [0.5]
    spokes = [(i, (i + 1) % sides, sides) for i in range(sides)]
    triangles = fans(len(points), sides + 1, spokes).reshape(-1, 3)
    return flat(points.reshape(-1, 3), triangles, color, texcoords=texcoords.reshape(-1, 2))


def _ends(
    tilemap: TileMap, tops: Tops, lattice: Lattice
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return two (sides, m) masks: where the region ends at an edge, and where only at a corner.

    The region continues across an edge if it contains the neighbor surface nearest in level. The
    second array is for tiles with neighbors across corners.
    """
    # Only the box around the region is looked at, in a frame of one tile.
    first = int(tops.row.min()), int(tops.col.min())
    shape = int(tops.row.max()) - first[0] + 1, int(tops.col.max()) - first[1] + 1
    near = Rect(*first, *shape).grown(1, tilemap.rows, tilemap.cols)
    cut = (slice(None), *near.slices())
    level = np.full((tilemap.n_decks + 1, shape[0] + 2, shape[1] + 2), 2 * MAX_LEVEL, np.int64)
    inside = level[(slice(None), *near.slices(first[0] - 1, first[1] - 1))]
    inside[:] = np.where(tilemap.surface_void[cut], inside, tilemap.surface_level[cut])
    own_row, own_col = tops.row - first[0] + 1, tops.col - first[1] + 1
    member = np.zeros(level.shape, np.bool_)
    member[tops.deck, own_row, own_col] = True
    steps = lattice.step_at(tops.row, tops.col)
    row, col = own_row + steps[..., 0], own_col + steps[..., 1]
    own = level[tops.deck, own_row, own_col]
    nearest = np.abs(level[:, row, col] - own).argmin(axis=0)
    continues = member[nearest, row, col]
    is_notch = np.zeros((lattice.sides, len(tops.row)), np.bool_)
    for corner, (before, after, *across) in enumerate(lattice.at_corner):
        for beyond in across:
            is_notch[corner] = continues[before] & continues[after] & ~continues[beyond]
    return ~continues[: lattice.sides], is_notch


def _outlines(
    lattice: Lattice,
    corner: int,
    is_border: NDArray[np.bool_],
    is_notch: NDArray[np.bool_],
    width: float,
) -> list[tuple[NDArray[np.bool_], NDArray[np.float64]]]:
    """Return quads for a corner and the edge after it, each with a mask of the tiles that need it.

    Where the outline turns around a tile's corner, its two bands are mitered; where it continues
    on the next tile, they end at the shared edge.
    """
    outline, sides = lattice.outline, lattice.sides
    inner = outline * (1.0 - 2.0 * width)
    before, start, end, after = (outline[(corner + i) % sides] for i in (-1, 0, 1, 2))
    after_start = _toward(start, before, end - start, width)
    before_end = _toward(end, after, end - start, width)
    direction = (sides - 2 - corner) % sides
    left, right = lattice.turns[direction]
    shapes = []
    for turns_left in (False, True):
        for turns_right in (False, True):
            at = is_border[direction] & (is_border[left] == turns_left)
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
    """Return the point on the line to another corner that is `width` inside an edge."""
    inward = np.array([-edge[1], edge[0]]) / np.linalg.norm(edge)
    offset = end - start
    point: NDArray[np.float64] = start + offset * (width / (offset @ inward))
    return point
