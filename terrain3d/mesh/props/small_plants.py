"""Shapes of small props: tufts of grass, flowers, mushrooms and pebbles.

Each reaches at most 0.16 tiles from its point to the sides and up.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.mesh.props.scatter import Shape, ShapeBuilder

_BOTH_SIDES = [(0, 1, 2), (0, 2, 1)]
_MIDDLE = (0.96, 0.78, 0.25)
_STALK = (0.90, 0.85, 0.74)
_SPOKES = 6


def tuft(blades: Sequence[tuple[float, float, float]]) -> Shape:
    """Return a tuft of blades, each with (turn in radians, lean, height)."""
    builder = ShapeBuilder()
    for turn, lean, height in blades:
        x, y = np.cos(turn), np.sin(turn)
        left, right = (
            (x * 0.015 - y * wide, y * 0.015 + x * wide, -0.01) for wide in (0.026, -0.026)
        )
        points = [left, right, (x * lean, y * lean, height)]
        builder.add(points, _BOTH_SIDES, tint=(0.80, 0.80, 1.18))
    return builder.shape()


def flowers() -> Shape:
    """Return three flowers on stems, with five petals of the hue around a yellow center."""
    builder = ShapeBuilder()
    turn = np.arange(10) * (np.pi / 5.0)
    reach = np.where(np.arange(10) % 2, 0.024, 0.046)
    star = np.stack([np.cos(turn) * reach, np.sin(turn) * reach, 0.25 * reach], axis=1)
    petals = [(0, 1 + i, 1 + (i + 1) % 10) for i in range(10)]
    heart = np.array([(0.016, 0.0, 0.014), (-0.008, 0.014, 0.014), (-0.008, -0.014, 0.014)])
    for middle in ((0.0, 0.0, 0.125), (0.10, 0.035, 0.090), (-0.035, 0.095, 0.075)):
        x, y = middle[:2]
        stem = [(x - 0.007, y, -0.01), (x + 0.007, y, -0.01), middle]
        builder.add(stem, _BOTH_SIDES, tint=0.70)
        builder.add(np.concatenate([[middle], star + middle]), petals, wash=[0.78] + [0.9, 1.0] * 5)
        builder.add(heart + middle, [(0, 1, 2)], own=_MIDDLE)
    return builder.shape()


def mushrooms() -> Shape:
    """Return two mushrooms with caps of the hue."""
    builder = ShapeBuilder()
    for foot, size in (((0.0, 0.0, 0.0), 1.0), ((0.075, -0.03, 0.0), 0.66)):
        stalk = ((0.017, -0.01), (0.012, 0.065 * size))
        cap = ((0.048 * size, 0.052 * size), (0.034 * size, 0.082 * size))
        builder.add(*_round(stalk, foot), own=_STALK)
        builder.add(*_round(cap, foot, 0.018 * size), wash=[0.8] * _SPOKES + [1.0] * (_SPOKES + 1))
    return builder.shape()


def pebble() -> Shape:
    """Return a small stone with five sides."""
    builder = ShapeBuilder()
    ring = np.arange(5) * (2.0 * np.pi / 5.0)
    reach = np.array((0.075, 0.055, 0.08, 0.05, 0.07))
    foot = np.stack([np.cos(ring) * reach, np.sin(ring) * reach, np.full(5, -0.015)], axis=1)
    points = np.concatenate([foot, [(0.008, -0.006, 0.055)]])
    triangles = [(i, (i + 1) % 5, 5) for i in range(5)]
    builder.add_faces(points, triangles, tint=[0.74] * 5 + [1.02])
    return builder.shape()


def _round(
    profile: Sequence[tuple[float, float]], foot: Sequence[float], tip: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Return points, triangles and normals of a turned profile with a tip.

    `profile` has (radius, height) from bottom to top; the tip is `tip` above its end.
    """
    turn = np.arange(_SPOKES) * (2.0 * np.pi / _SPOKES)
    out = np.stack([np.cos(turn), np.sin(turn), np.zeros(_SPOKES)], axis=1)
    rings = [out * radius + (0.0, 0.0, height) for radius, height in profile]
    rise = np.array((0.0, 0.0, 0.6))
    points = np.concatenate([*rings, [(0.0, 0.0, profile[-1][1] + tip)]]) + foot
    normals = np.concatenate([*(out + rise * (0.4 + ring) for ring in range(len(rings))), [rise]])
    triangles = []
    for i in range(_SPOKES):
        j = (i + 1) % _SPOKES
        for a in range(0, _SPOKES * (len(rings) - 1), _SPOKES):
            triangles += [
                (a + i, a + j, a + _SPOKES + j),
                (a + i, a + _SPOKES + j, a + _SPOKES + i),
            ]
        last = _SPOKES * (len(rings) - 1)
        triangles.append((last + i, last + j, last + _SPOKES))
    return points, np.array(triangles), normals
