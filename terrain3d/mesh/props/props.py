"""Choose and mesh the props of tiles: tufts, flowers, pebbles, rubble, trees and reeds."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import PROPS
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.variation import chance
from terrain3d.mesh.props.reeds import reeds
from terrain3d.mesh.props.rubble import rubble
from terrain3d.mesh.props.scatter import Shape, copies, points_around
from terrain3d.mesh.props.small_plants import flowers, mushrooms, pebble, tuft
from terrain3d.mesh.props.trees import trees

_PETALS = np.array(
    [(0.98, 0.95, 0.86), (0.97, 0.80, 0.26), (0.93, 0.56, 0.62), (0.70, 0.58, 0.90)],
    dtype=np.float32,
)
_CAPS = np.array([(0.80, 0.24, 0.16), (0.70, 0.46, 0.26)], dtype=np.float32)
_PATCH = 3
"""Side of the squares of tiles that have props in patches or none."""
_PATCH_SHARE = 0.34  # part of the squares that have them


@dataclass(frozen=True)
class _Prop:
    """A shape, and the part of the tiles that have it, by the tiles' props.

    A prop in patches is on that part of the tiles of some squares, and not elsewhere.
    """

    share: dict[str, float]
    shape: Shape
    hues: NDArray[np.float32] = field(default_factory=lambda: _PETALS)
    in_patches: bool = False


_SMALL = (
    _Prop(
        {"meadow": 0.72, "trees": 0.45, "reeds": 0.35},
        tuft(((0.3, 0.05, 0.15), (2.6, 0.07, 0.12), (4.4, 0.06, 0.13))),
    ),
    _Prop({"meadow": 0.36}, flowers(), in_patches=True),
    _Prop({"stones": 0.28, "rubble": 0.50, "trees": 0.06, "meadow": 0.05}, pebble()),
    _Prop(
        {"meadow": 0.25, "trees": 0.15},
        tuft(((0.9, 0.05, 0.08), (2.9, 0.04, 0.10), (5.0, 0.05, 0.07))),
    ),
    _Prop({"trees": 0.30}, mushrooms(), _CAPS, in_patches=True),
)
_SHARE = np.array([[prop.share.get(name, 0.0) for name in PROPS] for prop in _SMALL])
_IN_PATCHES = np.array([prop.in_patches for prop in _SMALL])[:, None]
_NUMBERS = np.arange(len(_SMALL))
_SALTS = 16 + 8 * _NUMBERS
_PATCH_SALT = 8


def props(patch: Patch, *, has_ground_cover: bool = True) -> list[MeshData]:
    """Return the props of a patch, away from the centers of tiles; small props are optional."""
    small = [*_ground_cover(patch), *rubble(patch)] if has_ground_cover else []
    return [*small, *trees(patch), *reeds(patch)]


def _ground_cover(patch: Patch) -> list[MeshData]:
    share = _SHARE[:, patch.palette.props]
    occurs = chance(patch.row, patch.col, _SALTS[:, None]) < share[:, patch.kind]
    salts = _PATCH_SALT + _NUMBERS[:, None]
    in_patch = chance(patch.row // _PATCH, patch.col // _PATCH, salts) < _PATCH_SHARE
    occurs &= in_patch | ~_IN_PATCHES
    number, tile = np.nonzero(occurs)
    salt = _SALTS[number] + np.arange(1, 6)[:, None]
    angle, far, turn, size, petal = chance(patch.row[tile], patch.col[tile], salt)
    points = points_around(patch, tile, angle * np.float32(2.0 * np.pi), 0.28 + 0.14 * far)
    scale, ground = 0.7 + 0.6 * size[:, None], patch.tones.take(tile, axis=0)
    small = []
    for prop, start, stop in zip(
        _SMALL, *np.searchsorted(number, [_NUMBERS, _NUMBERS + 1]), strict=True
    ):
        if start < stop:
            chosen = slice(start, stop)
            hue = prop.hues[(petal[chosen] * len(prop.hues)).astype(np.intp)]
            small.append(
                copies(prop.shape, points[chosen], turn[chosen], scale[chosen], ground[chosen], hue)
            )
    return small
