"""Small things that grow and lie on tops: tufts, flowers, pebbles."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.kinds import TileKind
from terrain3d.mesh.data import PATTERN_UNIT, SOFT, MeshData
from terrain3d.mesh.patch import Patch
from terrain3d.mesh.variation import chance

_PETALS = np.array(
    [(0.98, 0.95, 0.86), (0.97, 0.80, 0.26), (0.93, 0.56, 0.62), (0.70, 0.58, 0.90)],
    dtype=np.float32,
)


_TURNS = 16


def _turned(vectors: ArrayLike) -> NDArray[np.float32]:
    """Turn (v, 3) vectors around the z axis, once for each of (_TURNS, v, 3)."""
    spin = np.arange(_TURNS) * (2.0 * np.pi / _TURNS)
    turns = np.zeros((_TURNS, 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = np.cos(spin)
    turns[:, 0, 1], turns[:, 1, 0] = np.sin(spin), -np.sin(spin)
    turns[:, 2, 2] = 1.0
    return (np.asarray(vectors, dtype=np.float64) @ turns).astype(np.float32)


@dataclass(frozen=True)
class _Prop:
    """A shape around (0, 0, 0), in every turn it may stand in, and where it occurs.

    `share` is the part of tiles that have one, by kind; `tint` how much of the tile's color is
    taken over, vertex by vertex; `colors` fill the rest.
    """

    share: dict[str, float]
    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    tint: NDArray[np.float32]
    triangles: NDArray[np.uint32]
    is_flower: bool = False


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
    normals = np.tile(np.array((0.0, 0.0, 1.0), np.float32), (len(points), 1))
    return _Prop(
        {"grass": 0.72, "dirt": 0.08},
        _turned(points),
        _turned(normals),
        np.array(tint, np.float32),
        np.array(triangles, np.uint32),
    )


def _flower() -> _Prop:
    points, triangles = [], []
    for bloom, (x, y, z) in enumerate(((0.0, 0.0, 0.10), (0.09, 0.03, 0.07), (-0.03, 0.09, 0.06))):
        size = 0.034
        points += [(x + size, y, z), (x, y + size, z), (x - size, y, z), (x, y - size, z)]
        points.append((x, y, z + 0.03))
        first = 5 * bloom
        triangles += [(first + i, first + (i + 1) % 4, first + 4) for i in range(4)]
    normals = np.tile(np.array((0.0, 0.0, 1.0), np.float32), (len(points), 1))
    return _Prop(
        {"grass": 0.09},
        _turned(points),
        _turned(normals),
        np.zeros(len(points), np.float32),
        np.array(triangles, np.uint32),
        is_flower=True,
    )


def _pebble() -> _Prop:
    ring = np.arange(5) * (2.0 * np.pi / 5.0)
    reach = np.array((0.075, 0.055, 0.08, 0.05, 0.07))
    foot = np.stack([np.cos(ring) * reach, np.sin(ring) * reach, np.full(5, -0.015)], axis=1)
    points = np.concatenate([foot, [(0.008, -0.006, 0.055)]])
    normals = points * (1.0, 1.0, 0.0) + (0.0, 0.0, 0.04)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    triangles = [(i, (i + 1) % 5, 5) for i in range(5)]
    return _Prop(
        {"rock": 0.34, "dirt": 0.28, "sand": 0.14, "road": 0.10, "grass": 0.05, "snow": 0.03},
        _turned(points),
        _turned(normals),
        np.array([0.74] * 5 + [1.02], np.float32),
        np.array(triangles, np.uint32),
    )


_PROPS = (_tuft(), _flower(), _pebble())


def props(patch: Patch, kinds: tuple[TileKind, ...]) -> list[MeshData]:
    """Scatter small things over the tops of a patch, clear of the tiles' centers."""
    share = np.array([[prop.share.get(kind.name, 0.0) for kind in kinds] for prop in _PROPS])
    salts = 16 + 8 * np.arange(len(_PROPS))
    occurs = chance(patch.row, patch.col, salts[:, None]) < share[:, patch.kind]
    return [
        _scatter(patch, prop, np.nonzero(where)[0], int(salt))
        for prop, where, salt in zip(_PROPS, occurs, salts, strict=True)
        if where.any()
    ]


def _scatter(patch: Patch, prop: _Prop, tile: NDArray[np.intp], salt: int) -> MeshData:
    row, col = patch.row[tile], patch.col[tile]
    angle, far, turn, size, petal = chance(row, col, salt + np.arange(1, 6)[:, None])
    around, reach = angle * np.float32(2.0 * np.pi), 0.28 + 0.14 * far
    place = np.empty((len(tile), 3), dtype=np.float32)
    place[:, 0] = patch.center[tile, 0] + np.cos(around) * reach
    place[:, 1] = patch.center[tile, 1] + np.sin(around) * reach
    place[:, 2] = patch.z[tile]
    spin = (turn * _TURNS).astype(np.intp)
    positions = prop.positions[spin] * (0.7 + 0.6 * size)[:, None, None] + place[:, None]
    normals = prop.normals[spin]
    if prop.is_flower:
        hue = _PETALS[(petal * len(_PETALS)).astype(np.intp)]
        colors = np.broadcast_to(hue[:, None], positions.shape)
    else:
        colors = patch.tones[tile][:, None] * prop.tint[None, :, None]
    uv = np.full(positions.shape, 0.5, dtype=np.float32)
    uv[..., 2] = SOFT * PATTERN_UNIT
    starts = np.arange(len(tile), dtype=np.uint32) * np.uint32(positions.shape[1])
    return MeshData.of(positions, normals, colors, uv, starts[:, None, None] + prop.triangles[None])
