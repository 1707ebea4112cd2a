"""The state of a search drawn on tiles: open or closed, with an arrow to the parent."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.grid import Grid
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.overlays.flat_shapes import DARK, joined, polygons
from terrain3d.mesh.overlays.region import (
    FRAME,
    N_PARTS,
    SOLID_PLACE,
    STRIPES,
    along_tiles,
    on_tops,
)

OPEN, CLOSED, OPEN_NOW, CLOSED_NOW = range(4)
"""Looks of a tile: open; closed; opened or made cheaper just now; closed just now."""

_SHADES = np.array(
    [
        [(0.98, 0.70, 0.24, 0.95), (1.0, 0.84, 0.50, 1.0), (1.0, 0.97, 0.90, 0.95)],
        [(0.33, 0.22, 0.60, 0.66), (0.72, 0.62, 1.0, 0.40), (0.90, 0.86, 1.0, 0.95)],
        [(1.0, 0.90, 0.55, 1.0), (1.0, 0.97, 0.85, 1.0), (1.0, 1.0, 1.0, 0.95)],
        [(0.93, 0.90, 1.0, 0.80), (1.0, 1.0, 1.0, 1.0), (0.33, 0.22, 0.60, 0.95)],
    ]
)
"""Fill, frame and arrow of each look: red, green, blue and alpha."""
FILLS = [(red, green, blue) for red, green, blue, _ in _SHADES[:, 0].tolist()]
"""The color of each look."""
_RIM_ALPHA = 0.55

_INSET, _FILL_INSET = 0.06, 0.012
_RIM = 0.028
# Tail, neck and tip toward the parent, from the tile's center; half widths of stem and head.
_LONG = (-0.27, 0.06, 0.34, 0.035, 0.15)
_SHORT = (0.35, 0.35, 0.48, 0.0, 0.11)

Reals = NDArray[np.float64]


def search_tiles(
    grid: Grid, center: Reals, look: ArrayLike, parent: Reals, *, is_near: bool = False
) -> MeshData:
    """Return the tiles that a search has met, to be drawn with the texture `region.pattern`.

    Parameters
    ----------
    center, parent : (m, 3), in world units
        Centers of the tops of the tiles, and of those before them; the same without one.
    look : (m,)
        `OPEN`, `CLOSED`, `OPEN_NOW` or `CLOSED_NOW`.
    is_near : bool
        Whether the arrows leave the centers free for numbers.
    """
    looks, outline = np.asarray(look, np.intp), Lattice.of(grid).outline
    fill, frame, arrow = (_SHADES[looks, part] for part in range(3))
    tops = on_tops(center, outline * (1.0 - 2.0 * _FILL_INSET))
    texcoords = np.empty((*tops.shape[:2], 2))
    texcoords[...] = SOLID_PLACE
    is_striped = (looks == OPEN) | (looks == OPEN_NOW)
    texcoords[is_striped] = along_tiles(tops, STRIPES)[is_striped]
    border = np.stack([outline, np.roll(outline, -1, axis=0), np.zeros_like(outline)], axis=1)
    sides = on_tops(
        np.repeat(center, len(border), axis=0),
        np.tile(border * (1.0 - 2.0 * _INSET), (len(center), 1, 1)),
    )
    framed = [((FRAME + 0.5) / N_PARTS, at) for at in (_INSET, _INSET, 0.5)]
    away = parent[:, :2] - center[:, :2]
    length = np.linalg.norm(away, axis=1)
    is_led = length > 0
    tail, ahead = center[is_led], away[is_led] / length[is_led, None]
    rims, arrows = (_arrow(tail, ahead, rim, is_near=is_near) for rim in (_RIM, 0.0))
    return joined(
        [
            _painted(tops, fill, texcoords),
            _painted(sides, np.repeat(frame, len(border), axis=0), framed),
            *(polygons(part, DARK, _RIM_ALPHA, SOLID_PLACE) for part in rims),
            *(_painted(part, arrow[is_led], SOLID_PLACE) for part in arrows),
        ]
    )


def _painted(points: Reals, shade: Reals, texcoords: ArrayLike) -> MeshData:
    """Return (m, c, 3) shapes, each of which has its (m, 4) color."""
    colors = np.repeat(shade[:, :3], points.shape[1], axis=0)
    return polygons(points, colors, shade[:, 3:], texcoords)


def _arrow(center: Reals, ahead: Reals, rim: float, *, is_near: bool) -> tuple[Reals, Reals]:
    """Return the stems and the heads of arrows along unit vectors, wider by a rim."""
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    tail, neck, tip, stem, head = _SHORT if is_near else _LONG
    stem, head = stem + rim if stem else 0.0, head + 1.6 * rim
    shapes = (
        [(tail - rim, -stem), (neck, -stem), (neck, stem), (tail - rim, stem)],
        [(neck - rim, -head), (tip + 2 * rim, 0.0), (neck - rim, head)],
    )
    stems, heads = (
        np.stack([along * ahead + across * aside for along, across in shape], axis=1)
        for shape in shapes
    )
    return on_tops(center, stems), on_tops(center, heads)
