"""A region of tiles: a soft fill, and a border around the region that climbs its steps."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import CellLike, Grid, Rect
from terrain3d.grid.kinds import Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.overlays.flat_shapes import DARK, LIFT, Tops, joined, polygons

PATTERN_SIZE = 128
"""Texels per tile edge."""

HATCH, FRAME, SOLID, STRIPES = range(4)
"""Parts of the pattern from left to right; stripes are a bolder hatch."""

N_PARTS = 4
"""Width of the pattern in parts; a power of two, for old renderers."""
SOLID_PLACE = (SOLID + 0.5) / N_PARTS, 0.5
"""Place in the pattern of what is filled evenly."""
_FILL_ALPHA, _GLOW_ALPHA = 0.36, 0.40
_LINE_ALPHA, _RIM_ALPHA = 1.0, 0.60
# Distances from the edge of a tile, as parts of the distance between two opposite edges.
_GLOW = 0.0, 0.34
_RIM, _LINE = (0.0, 0.022), (0.022, 0.078)
_DASHED_LINE = 0.10, 0.15
_FRAME_INSET, _ICON_RIM = 0.06, 0.025
_SHAPES = 6  # of pieces of a border on tops, for each side of a tile


def _bar(turn_deg: float, near: float, far: float) -> NDArray[np.float64]:
    """Return the (4, 2) corners of a bar that points away from the center of a tile."""
    ahead = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
    aside = 0.035 * np.array([-ahead[1], ahead[0]])
    return np.array([ahead * near - aside, ahead * far - aside, ahead * far + aside,
                     ahead * near + aside])  # fmt: skip


ICONS = MappingProxyType(
    {
        "": (),
        "crosshair": tuple(_bar(turn, 0.27, 0.42) for turn in (45, 135, 225, 315)),
        "cross": tuple(_bar(turn, 0.0, 0.2) for turn in (45, 135, 225, 315)),
        "diamond": (0.11 * np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]),),
    }
)
"""Signs in the middle of tiles by name, of convex (c, 2) polygons."""


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
    picture[:, HATCH, :, 3] = 255 * soft
    picture[:, STRIPES, :, 3] = 255 * (0.48 + 0.40 * soft)
    bright = (part > 0.085) & (part < 0.135)
    dark = (part > _FRAME_INSET) & (part < 0.16) & ~bright
    picture[:, FRAME, :, :3] = np.where(dark | (part <= _FRAME_INSET), 40.0, 255.0)[..., None]
    picture[:, FRAME, :, 3] = 255 * (0.92 * bright + 0.35 * dark)
    return picture.reshape(PATTERN_SIZE, -1, 4).astype(np.uint8)


def region(
    tilemap: TileMap,
    cells: Iterable[CellLike],
    color: Color,
    *,
    includes_void: bool = False,
    is_dashed: bool = False,
    is_hatched: bool = False,
    icon: str = "",
) -> MeshData:
    """Return marks on cells, to be drawn with the texture `pattern`, repeated vertically.

    Cells may repeat. Void ones are skipped, or with `includes_void` marked at the height of their
    level. A dashed border lies inside of where a solid one is, and dashed regions are hatched the
    other way. `icon` is one of `ICONS`. `IndexError` if a cell is outside the map, or its column
    has no such deck.
    """
    tops = Tops.of(tilemap, cells, includes_void)
    if not len(tops.row):
        return MeshData.empty()
    border = _Border.of(tilemap, tops)
    outline = border.lattice.outline
    parts = [polygons(on_tops(tops.center, outline), color, _FILL_ALPHA, SOLID_PLACE)]
    parts.append(border.band(*_GLOW, color, [_GLOW_ALPHA, _GLOW_ALPHA, 0.0, 0.0]))
    if is_hatched:
        points = on_tops(tops.center, outline)
        hatch = along_tiles(points, HATCH, -1.0 if is_dashed else 1.0)
        parts.append(polygons(points, color, texcoords=hatch))
    if is_dashed:
        parts.append(border.band(*_DASHED_LINE, color, _LINE_ALPHA, is_dashed=True))
    else:
        parts.append(border.band(*_RIM, DARK, _RIM_ALPHA))
        parts.append(border.band(*_LINE, color, _LINE_ALPHA))
    for shape in ICONS[icon]:
        aside = shape - shape.mean(axis=0)
        rim = shape + _ICON_RIM * aside / np.linalg.norm(aside, axis=1, keepdims=True)
        parts.append(polygons(on_tops(tops.center, rim), DARK, _RIM_ALPHA, SOLID_PLACE))
        parts.append(polygons(on_tops(tops.center, shape), color, 1.0, SOLID_PLACE))
    return joined(parts)


def on_tops(centers: NDArray[np.float64], shape: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the (n, c, 3) points of a flat (c, 2) shape, or one each, around each center."""
    points = np.empty((len(centers), shape.shape[-2], 3))
    points[..., :2] = centers[:, None, :2] + shape
    points[..., 2] = centers[:, 2, None] + LIFT
    return points


def along_tiles(points: NDArray[np.float64], part: int, slope: float = 1.0) -> NDArray[np.float64]:
    """Return the (n, c, 2) places of points in a part of the pattern, which runs across tiles."""
    across = points[..., 0] + points[..., 1] * slope
    across -= np.floor(across[:, :1])  # the pattern repeats, and small numbers keep precision
    return np.stack([np.full_like(across, (part + 0.5) / N_PARTS), across], axis=2)


@dataclass(frozen=True)
class _Border:
    """Where the region of m tops ends."""

    lattice: Lattice
    center: NDArray[np.float64]
    """(m, 3) middles of the tops."""
    is_edge: NDArray[np.bool_]
    """(sides, m) where it ends at an edge, by direction."""
    is_notch: NDArray[np.bool_]
    """(sides, m) where it ends only at a corner, of tiles with neighbors across corners."""
    fall: NDArray[np.float64]
    """(sides, m) how far the region goes down at an edge, along a wall; 0 where it does not."""
    is_climbed: NDArray[np.bool_]
    """(2, sides, m) whether the border goes down such a wall at its left and its right end."""

    @classmethod
    def of(cls, tilemap: TileMap, tops: Tops) -> "_Border":
        """Find the border of a region.

        The region continues across an edge if it contains the neighbor surface nearest in level.
        """
        lattice = Lattice.of(tilemap.grid)
        sides = lattice.sides
        # Only the box around the region is looked at, in a frame of one tile.
        first = int(tops.row.min()), int(tops.col.min())
        shape = int(tops.row.max()) - first[0] + 1, int(tops.col.max()) - first[1] + 1
        near = Rect(*first, *shape).grown(1, tilemap.rows, tilemap.cols)
        cut = (slice(None), *near.slices())
        size = tilemap.n_decks + 1, shape[0] + 2, shape[1] + 2
        level = np.full(size, 2 * MAX_LEVEL, np.int64)
        inside = level[(slice(None), *near.slices(first[0] - 1, first[1] - 1))]
        inside[:] = np.where(tilemap.surface_void[cut], inside, tilemap.surface_level[cut])
        own_row, own_col = tops.row - first[0] + 1, tops.col - first[1] + 1
        number = np.full(size, -1)
        number[tops.deck, own_row, own_col] = np.arange(len(tops.row))
        level[tops.deck, own_row, own_col] = tilemap.surface_level[tops.deck, tops.row, tops.col]
        steps = lattice.step_at(tops.row, tops.col)
        row, col = own_row + steps[..., 0], own_col + steps[..., 1]
        own = level[tops.deck, own_row, own_col]
        nearest = np.abs(level[:, row, col] - own).argmin(axis=0)
        beyond = number[nearest, row, col]
        continues = beyond >= 0
        is_edge = ~continues[:sides]
        is_notch = np.zeros((sides, len(tops.row)), np.bool_)
        for corner, (before, after, *across) in enumerate(lattice.at_corner):
            for other in across:
                is_notch[corner] = continues[before] & continues[after] & ~continues[other]
        depth = np.where(continues, own - level[nearest, row, col], 0)[:sides]
        body = tilemap.surface_thickness[tops.deck, tops.row, tops.col]
        fall = np.where((tops.deck == 0) | (depth <= body), depth.clip(0), 0)
        touches = np.stack([
            is_edge[lattice.turns[:, end]] | is_notch[lattice.ends[:, end]] for end in (0, 1)
        ])  # fmt: skip
        facing = np.array(tilemap.grid.opposite)[:, None]
        is_climbed = (touches | touches[::-1, facing, beyond[:sides]]) & (fall > 0)
        return cls(lattice, tops.center, is_edge, is_notch, fall * tilemap.step_height, is_climbed)

    def band(
        self, near: float, far: float, color: Color, alpha: ArrayLike, *, is_dashed: bool = False
    ) -> MeshData:
        """Return a band inside of the border, between two distances from it.

        `alpha` is one number or (4,): at the two outer and the two inner corners of each piece.
        """
        texcoords = [SOLID_PLACE] * 4
        if is_dashed:
            texcoords = [((HATCH + 0.5) / N_PARTS, along) for along in (0.0, 1.0, 1.0, 0.0)]
        flat, steep = _pieces(self.lattice.grid, near, far)
        shape, tile = self.pieces
        pieces = on_tops(self.center[tile], flat[shape])
        shape, tile = np.nonzero(self.is_climbed.reshape(2 * self.lattice.sides, -1))
        falls = on_tops(self.center[tile], steep[shape])
        falls[:, 1:3, 2] -= self.fall[shape % self.lattice.sides, tile, None]
        return polygons(np.concatenate([pieces, falls]), color, alpha, texcoords)

    @cached_property
    def pieces(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Indices into `_pieces` and of the tops of the pieces on tops."""
        is_edge, (left, right) = self.is_edge, self.lattice.turns.T
        number = 2 * is_edge[left] + is_edge[right] + _SHAPES * np.arange(len(is_edge))[:, None]
        side, tile = np.nonzero(is_edge)
        notch, notched = np.nonzero(self.is_notch[self.lattice.ends[:, 0]])
        first = _SHAPES * notch + 4
        shape = np.concatenate([number[side, tile], first, first + 1])
        return shape, np.concatenate([tile, notched, notched])


@cache
def _pieces(grid: Grid, near: float, far: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the (n, 4, 2) shapes of all pieces of a band on tops, and of those on walls.

    Where the border turns around a tile's corner, its two pieces are mitered; where it continues on
    the next tile, they end at the shared edge. On tops there are _SHAPES for each side: its piece
    by whether the border turns at its left and right end, and two at a notch of its left corner.
    On walls there is one for each side at its left end, then at its right end.
    """
    lattice, widths, flat = Lattice.of(grid), (near, far), []
    outline = lattice.outline

    def inside(corner: int) -> list[NDArray[np.float64]]:
        """Return the points that are so far inside both edges at a corner."""
        return [outline[corner] * (1.0 - 2.0 * width) for width in widths]

    def aside(side: int, end: int) -> list[NDArray[np.float64]]:
        """Return the points that are so far inside a side, on the edge that meets its end."""
        left, right = lattice.ends[side]
        edge = outline[right] - outline[left]
        inward = np.array([-edge[1], edge[0]]) / np.linalg.norm(edge)
        start = outline[right if end else left]
        offset = outline[(right + 1 if end else left - 1) % lattice.sides] - start
        return [start + offset * (width / (offset @ inward)) for width in widths]

    for side, (corners, (left, _)) in enumerate(zip(lattice.ends, lattice.turns, strict=True)):
        for first in (aside(side, 0), inside(corners[0])):
            for last in (aside(side, 1), inside(corners[1])):
                flat.append([first[0], last[0], last[1], first[1]])
        before, inner, after = aside(side, 0), inside(corners[0]), aside(left, 1)
        flat.append([before[0], inner[0], inner[1], before[1]])
        flat.append([inner[0], after[0], after[1], inner[1]])
    steep = [
        [point + LIFT * lattice.out[side] for point in (first, first, last, last)]
        for end in (0, 1)
        for side, turns in enumerate(lattice.turns)
        for first, last in [aside(turns[end], 1 - end)]
    ]
    return np.array(flat), np.array(steep)
