"""Mesh the marks at a unit's feet: team plate, selection ring, and a blob as a shadow."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.solids import flat_rings

_SPOKES = 48
_BRIGHT, _OUTLINE = (255, 244, 190, 255), (40, 30, 20, 220)
_RING = (
    (0.300, _OUTLINE),
    (0.325, _OUTLINE),
    (0.325, _BRIGHT),
    (0.385, _BRIGHT),
    (0.385, _OUTLINE),
    (0.410, _OUTLINE),
)
_PLATE = (0.0, 0.31)  # radii
_BLOB = ((0.0, (20, 16, 30, 150)), (0.16, (20, 16, 30, 130)), (0.34, (20, 16, 30, 0)))
_ROUND = (_SPOKES, 0.0)
_TIP = 1.24  # distance of the tip of plate and ring, in radii


@cache
def ring_mesh() -> MeshData:
    """Return a flat, bright ring with dark outlines and a tip at +y."""
    return _rings(_RING, _TIP)


@cache
def plate_mesh(color: Color, shape: tuple[int, float] = _ROUND) -> MeshData:
    """Return a flat plate in a team's color, with a tip at +y; `shape` as from `team_shape`."""
    red, green, blue = (round(255 * part) for part in color)
    rings = [(reach, (red, green, blue, 255)) for reach in _PLATE]
    return _rings([*rings, (_PLATE[-1], _OUTLINE), (_PLATE[-1] + 0.03, _OUTLINE)], _TIP, shape)


@cache
def blob_mesh() -> MeshData:
    """Return a flat, dark spot that fades outward, for pictures without shadows."""
    return _rings(_BLOB)


def _rings(
    rings: Sequence[tuple[float, tuple[int, int, int, int]]],
    tip: float = 1.0,
    shape: tuple[int, float] = _ROUND,
) -> MeshData:
    """Return a flat shape around (0, 0, 0) of rings of (radius, color), with a tip at +y."""
    around = np.linspace(0.0, 2.0 * np.pi, _SPOKES, endpoint=False)
    # Near the tip, the outline follows the tangents from it to the circle.
    aside = np.abs((around - np.pi / 2.0 + np.pi) % (2.0 * np.pi) - np.pi)
    touch = math.acos(1.0 / tip)
    outline = np.where(aside < touch, 1.0 / np.cos(touch - np.minimum(aside, touch)), 1.0)
    outline = np.maximum(np.where(outline > 1.0, outline, 0.0), _polygon(around, *shape))
    radius = np.array([reach for reach, _ in rings]) * outline[:, None]
    positions = np.zeros((_SPOKES, len(rings), 3), dtype=np.float32)
    positions[..., 0] = np.cos(around)[:, None] * radius
    positions[..., 1] = np.sin(around)[:, None] * radius
    return flat_rings(positions, np.array([color for _, color in rings], dtype=np.uint8))


def _polygon(around: NDArray[np.float64], corners: int, turn: float) -> NDArray[np.float64]:
    """Return the (n,) radii of a regular polygon with the area of the unit disk."""
    part = math.tau / corners
    beside = (around - turn * math.tau) % part - part / 2.0
    corner = math.sqrt(math.tau / (corners * math.sin(part)))
    return corner * math.cos(part / 2.0) / np.cos(beside)
