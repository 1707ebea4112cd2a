"""Flat colored shapes as vertex arrays, and the marks of a few: a tile's frame, a pin, crumbs.

Marks are drawn without light and blended over the ground in the order of their triangles.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import finite_points
from terrain3d.grid.grid import CellLike, Grid
from terrain3d.grid.kinds import PLAIN, Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import UP, MeshData, circle, fans, surface_of
from terrain3d.mesh.ground.lattice import Lattice

LIFT = 0.02
"""Height of a mark above the ground, in tiles."""

DARK: Color = (0.04, 0.05, 0.08)
"""Color of the thin lines that keep bright marks readable on snow and sand."""


def flat(
    points: NDArray[np.floating],
    triangles: NDArray[np.integer],
    color: ArrayLike,
    alpha: ArrayLike = 1.0,
    texcoords: ArrayLike = (0.0, 0.0),
) -> MeshData:
    """Return (m, 3) triangles of (n, 3) points that face up.

    `color` is (3,) or (n, 3), `alpha` one number or (n,); `texcoords` are (2,) or (n, 2), for marks
    that are drawn with a texture.
    """
    shades = np.empty((len(points), 4))
    shades[:, :3], shades[:, 3] = color, alpha
    return MeshData.of(points, UP, shades, surface_of(PLAIN), triangles, texcoords)


def joined(parts: Iterable[MeshData]) -> MeshData:
    """Join any number of marks into one; they are drawn in the given order."""
    return MeshData.join([*parts] or [MeshData.empty()])


def polygons(
    corners: NDArray[np.floating],
    color: ArrayLike,
    alpha: ArrayLike = 1.0,
    texcoords: ArrayLike = (0.0, 0.0),
) -> MeshData:
    """Return convex polygons; `texcoords` are (2,), (c, 2) or (n, c, 2).

    `corners` are (n, c, 3), in world units, counter-clockwise seen from above; `color` is (3,) or
    (n * c, 3), `alpha` one number, (c,) or (n, 1).
    """
    count, n_corners = corners.shape[:2]
    triangles = fans(count, n_corners, [(0, i, i + 1) for i in range(1, n_corners - 1)])
    uv = np.broadcast_to(texcoords, (count, n_corners, 2)).reshape(-1, 2)
    alphas = np.broadcast_to(alpha, (count, n_corners)).ravel()
    return flat(corners.reshape(-1, 3), triangles, color, alphas, uv)


def polygon(outline: NDArray[np.floating], color: Color, alpha: float = 1.0) -> MeshData:
    """Return one convex polygon of (n, 3) points, counter-clockwise seen from above."""
    return polygons(outline[None], color, alpha)


def card(sides: Sequence[float], color: Color, alpha: float = 1.0) -> MeshData:
    """Return an upright rectangle seen from the front; sides are left, right, bottom and top."""
    left, right, bottom, top = sides
    outline = [(left, 0, bottom), (right, 0, bottom), (right, 0, top), (left, 0, top)]
    return polygon(np.array(outline), color, alpha)


@dataclass(frozen=True)
class Tops:
    """The tops of `m` distinct surfaces; (m, 3) centers are in world units."""

    row: NDArray[np.int64]
    col: NDArray[np.int64]
    deck: NDArray[np.int64]
    center: NDArray[np.float64]

    @classmethod
    def of(cls, tilemap: TileMap, cells: Iterable[CellLike], includes_void: bool = False) -> "Tops":
        """Return the tops of cells, which may repeat; void is skipped unless `includes_void`.

        `IndexError` if a cell is outside the map, or its column has no such deck.
        """
        known = sorted({tilemap.cell(cell) for cell in cells})
        row, col, deck = np.array(known, np.int64).reshape(-1, 3).T
        is_there = ~tilemap.surface_void[deck, row, col] | includes_void
        row, col, deck = row[is_there], col[is_there], deck[is_there]
        return cls(row, col, deck, centers(tilemap, deck, row, col))


def centers(
    tilemap: TileMap, deck: NDArray[np.int64], row: NDArray[np.int64], col: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the (m, 3) centers of the tops of surfaces, in world units."""
    z = tilemap.surface_level[deck, row, col] * tilemap.step_height
    return np.column_stack([tilemap.grid.centers(row, col), z])


_LENGTH = 0.32
"""Length of a bracket's arm as a share of the tile's edge."""
_WIDTH = 0.085
_RIM = 0.03
_DARKEST = 0.3
_WHITE: Color = (1.0, 1.0, 1.0)


def frame(grid: Grid, color: Color) -> MeshData:
    """Return brackets in the corners of a tile of a grid, whose center is at (0, 0, 0).

    They have a dark rim, or a white one if they are dark.
    """
    outline = Lattice.of(grid).outline
    rims = _brackets(outline, -_RIM, _WIDTH + _RIM, _RIM)
    brackets = _brackets(outline, 0.0, _WIDTH, 0.0)
    rim = DARK if max(color) > _DARKEST else _WHITE
    return joined((polygons(rims, rim, 0.85), polygons(brackets, color)))


def _brackets(
    outline: NDArray[np.float64], near: float, far: float, longer: float
) -> NDArray[np.float64]:
    """Return two arms per corner, from `near` to `far` inside the edges, as (2 n, 4, 3) quads.

    The arms are mitered where they meet, so that blending shows no seam.
    """
    to_next = np.roll(outline, -1, axis=0) - outline
    edge = np.linalg.norm(to_next[0])
    to_next /= edge
    inward = np.stack([-to_next[:, 1], to_next[:, 0]], axis=1)
    # A tile's edges are half a unit away from its center.
    outer, inner = outline * (1.0 - 2.0 * near), outline * (1.0 - 2.0 * far)
    arms = []
    for along, across, order in (
        (to_next, inward, slice(None)),
        (-np.roll(to_next, 1, axis=0), np.roll(inward, 1, axis=0), slice(None, None, -1)),
    ):
        end = outline + along * (_LENGTH * edge + longer)
        arm = np.stack([outer, end + across * near, end + across * far, inner], axis=1)
        arms.append(arm[:, order])
    return np.pad(np.concatenate(arms), ((0, 0), (0, 0), (0, 1)))


PIN_HEIGHT = 1.9
"""Height of a pin, in tiles; its head is above a unit on the tile."""

_HEAD_CENTER, _POINT, _RADIUS = 1.62, 1.12, 0.23
_STEM_HALF_WIDTH = 0.022
_PIN_RIM = 0.05
_EYE = 0.085
_ARC = 24


def pin(color: Color) -> MeshData:
    """Return a pin whose tip is at (0, 0, 0), in the plane of x and z; turn it to the viewer."""
    half = _STEM_HALF_WIDTH
    stem = np.array([(-half, 0, 0), (half, 0, 0), (half, 0, _POINT), (-half, 0, _POINT)])
    return joined(
        [
            polygon(stem, DARK, 0.85),
            polygon(_drop(_RADIUS + _PIN_RIM, _POINT - 2.2 * _PIN_RIM), DARK, 0.85),
            polygon(_drop(_RADIUS, _POINT), color),
            polygon(_drop(_EYE, _HEAD_CENTER - 2.0 * _EYE), DARK, 0.85),
        ]
    )


def _drop(radius: float, bottom: float) -> NDArray[np.float64]:
    """Return the (n, 3) outline of a round head above a tip, counter-clockwise from the tip."""
    # The straight sides are tangents of the head.
    turn = math.acos(radius / (_HEAD_CENTER - bottom))
    angle = np.linspace(turn - math.pi / 2, 1.5 * math.pi - turn, _ARC)
    x = np.concatenate([[0.0], radius * np.cos(angle)])
    z = np.concatenate([[bottom], _HEAD_CENTER + radius * np.sin(angle)])
    return np.stack([x, np.zeros_like(x), z], axis=1)


_CRUMB = 0.15  # radius of the newest crumb
_OLDEST = 0.45  # size and opacity of the oldest crumb relative to the newest
_CORNERS = 12


def crumbs(points: ArrayLike, color: Color) -> MeshData:
    """Return discs on (n, 3) finite points, the newest first; older ones are smaller and paler."""
    centers = finite_points("points", points)
    parts = []
    for number in reversed(range(len(centers))):  # the newest is drawn last, on top
        share = 1.0 - (1.0 - _OLDEST) * number / max(1, len(centers) - 1)
        parts.append(polygon(_disc(centers[number], _CRUMB * share + _RIM), DARK, 0.75 * share))
        parts.append(polygon(_disc(centers[number], _CRUMB * share), color, share))
    return joined(parts)


def _disc(center: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    outline = circle(np.arange(_CORNERS) * (math.tau / _CORNERS))
    return center + (0.0, 0.0, LIFT) + radius * outline
