"""Small things that grow and lie on tops, and what of them: tufts, flowers, pebbles, and more."""

from dataclasses import dataclass

import numpy as np

from terrain3d.kinds import PROPS
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.patch import Patch
from terrain3d.mesh.reeds import reeds
from terrain3d.mesh.shape import Shape, copies, places_beside
from terrain3d.mesh.trees import trees
from terrain3d.mesh.variation import chance

_PETALS = np.array(
    [(0.98, 0.95, 0.86), (0.97, 0.80, 0.26), (0.93, 0.56, 0.62), (0.70, 0.58, 0.90)],
    dtype=np.float32,
)


@dataclass(frozen=True)
class _Prop:
    """A shape, and the part of tiles that have one of it, by their props."""

    share: dict[str, float]
    shape: Shape


def _tuft() -> _Prop:
    points, tint, triangles = [], [], []
    for blade, (turn, lean, height) in enumerate(
        ((0.3, 0.05, 0.15), (2.3, 0.07, 0.11), (4.4, 0.06, 0.13))
    ):
        x, y = np.cos(turn), np.sin(turn)
        points += [
            (x * 0.015 - y * 0.028, y * 0.015 + x * 0.028, -0.01),
            (x * 0.015 + y * 0.028, y * 0.015 - x * 0.028, -0.01),
            (x * lean, y * lean, height),
        ]
        tint += [0.80, 0.80, 1.18]
        first = 3 * blade
        triangles += [(first, first + 1, first + 2), (first, first + 2, first + 1)]
    return _Prop(
        {"meadow": 0.72, "trees": 0.45, "reeds": 0.35},
        Shape.of(points, (0.0, 0.0, 1.0), triangles, tint),
    )


def _flower() -> _Prop:
    points, triangles = [], []
    for bloom, (x, y, z) in enumerate(((0.0, 0.0, 0.10), (0.09, 0.03, 0.07), (-0.03, 0.09, 0.06))):
        size = 0.034
        points += [(x + size, y, z), (x, y + size, z), (x - size, y, z), (x, y - size, z)]
        points.append((x, y, z + 0.03))
        first = 5 * bloom
        triangles += [(first + i, first + (i + 1) % 4, first + 4) for i in range(4)]
    return _Prop({"meadow": 0.09}, Shape.of(points, (0.0, 0.0, 1.0), triangles, wash=1.0))


def _pebble() -> _Prop:
    ring = np.arange(5) * (2.0 * np.pi / 5.0)
    reach = np.array((0.075, 0.055, 0.08, 0.05, 0.07))
    foot = np.stack([np.cos(ring) * reach, np.sin(ring) * reach, np.full(5, -0.015)], axis=1)
    points = np.concatenate([foot, [(0.008, -0.006, 0.055)]])
    normals = points * (1.0, 1.0, 0.0) + (0.0, 0.0, 0.04)
    triangles = [(i, (i + 1) % 5, 5) for i in range(5)]
    return _Prop(
        {"stones": 0.28, "trees": 0.06, "meadow": 0.05},
        Shape.of(points, normals, triangles, [0.74] * 5 + [1.02]),
    )


_SMALL = (_tuft(), _flower(), _pebble())
_SHARE = np.array([[prop.share.get(name, 0.0) for name in PROPS] for prop in _SMALL])
_NUMBERS = np.arange(len(_SMALL))
_SALTS = 16 + 8 * _NUMBERS


def props(patch: Patch) -> list[MeshData]:
    """Scatter small things over the tops of a patch, clear of the tiles' centers."""
    share = _SHARE[:, patch.palette.props]
    occurs = chance(patch.row, patch.col, _SALTS[:, None]) < share[:, patch.kind]
    number, tile = np.nonzero(occurs)
    salt = _SALTS[number] + np.arange(1, 6)[:, None]
    angle, far, turn, size, petal = chance(patch.row[tile], patch.col[tile], salt)
    places = places_beside(patch, tile, angle * np.float32(2.0 * np.pi), 0.28 + 0.14 * far)
    scale, ground = 0.7 + 0.6 * size[:, None], patch.tones.take(tile, axis=0)
    hue = _PETALS[(petal * len(_PETALS)).astype(np.intp)]
    small = []
    for prop, start, stop in zip(
        _SMALL, *np.searchsorted(number, [_NUMBERS, _NUMBERS + 1]), strict=True
    ):
        if start < stop:
            of = slice(start, stop)
            small.append(copies(prop.shape, places[of], turn[of], scale[of], ground[of], hue[of]))
    return [*small, *trees(patch), *reeds(patch)]
