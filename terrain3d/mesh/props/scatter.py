"""Shapes of props, and meshes of many copies of a shape, each turned, scaled and tinted."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.kinds import PROPS
from terrain3d.mesh.data import PATTERN_UNIT, SOFT, MeshData, fans, lit
from terrain3d.mesh.ground.patch import Patch

_TURNS = 16
_NO_COLOR = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shape:
    """A shape around (0, 0, 0) in each of its turns, (turns, v, 3), with `v` vertices.

    The color of a vertex is `ground * tint + hue * wash + own`, where each copy has its own ground
    color and hue.
    """

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    tint: NDArray[np.float32]
    wash: NDArray[np.float32]
    own: NDArray[np.float32]
    triangles: NDArray[np.uint32]


class ShapeBuilder:
    """Collects the parts of a shape."""

    def __init__(self) -> None:
        self._columns: list[tuple[NDArray[np.float64], ...]] = []
        self._triangles: list[NDArray[np.int64]] = []
        self._count = 0

    def add(
        self,
        points: ArrayLike,
        triangles: ArrayLike,
        normals: ArrayLike = (0.0, 0.0, 1.0),
        *,
        tint: ArrayLike = 0.0,
        wash: ArrayLike = 0.0,
        own: ArrayLike = _NO_COLOR,
    ) -> Self:
        """Add (v, 3) points, triangles of their indices, and attributes; return the builder.

        The attributes broadcast to the points.
        """
        vertices = np.asarray(points, dtype=np.float64)
        count = len(vertices)
        self._columns.append(
            (
                vertices,
                np.broadcast_to(np.asarray(normals, dtype=np.float64), vertices.shape),
                np.broadcast_to(np.asarray(tint, dtype=np.float64), count),
                np.broadcast_to(np.asarray(wash, dtype=np.float64), count),
                np.broadcast_to(np.asarray(own, dtype=np.float64), vertices.shape),
            )
        )
        self._triangles.append(np.asarray(triangles, dtype=np.int64) + self._count)
        self._count += count
        return self

    def add_faces(self, points: ArrayLike, triangles: ArrayLike, *, tint: ArrayLike = 0.0) -> None:
        """Add a body with flat faces and sharp edges; `tint` is for each point."""
        corner = np.asarray(triangles).ravel()
        vertices = np.asarray(points, dtype=np.float64)[corner]
        a, b, c = vertices.reshape(-1, 3, 3).swapaxes(0, 1)
        normals = np.repeat(np.cross(b - a, c - a), 3, axis=0)
        shade = np.broadcast_to(np.asarray(tint, dtype=np.float64), len(np.asarray(points)))
        self.add(vertices, np.arange(len(corner)).reshape(-1, 3), normals, tint=shade[corner])

    def shape(self) -> Shape:
        """Return the collected parts as one shape."""
        points, normals, tint, wash, own = (
            np.concatenate(c) for c in zip(*self._columns, strict=True)
        )
        return Shape(
            _turned(points),
            _turned(normals / np.linalg.norm(normals, axis=1, keepdims=True)),
            tint.astype(np.float32),
            wash.astype(np.float32),
            own.astype(np.float32),
            np.concatenate(self._triangles).astype(np.uint32),
        )


def _turned(vectors: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return (v, 3) vectors turned around the z axis in _TURNS steps: (_TURNS, v, 3)."""
    spin = np.arange(_TURNS) * (2.0 * np.pi / _TURNS)
    turns = np.zeros((_TURNS, 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = np.cos(spin)
    turns[:, 0, 1], turns[:, 1, 0] = np.sin(spin), -np.sin(spin)
    turns[:, 2, 2] = 1.0
    return (vectors @ turns).astype(np.float32)


def copies(
    shape: Shape,
    points: NDArray[np.float32],
    turn: NDArray[np.float32],
    scale: NDArray[np.floating],
    ground: NDArray[np.floating],
    hue: NDArray[np.floating],
) -> MeshData:
    """Return `m` copies of a shape as one mesh, at (m, 3) points; for the colors see `Shape`.

    `turn` is (m,), a part in [0, 1) of a whole turn around the z axis. `scale` is (m, 1), the same
    for all axes, or (m, 3), one each for x, y and z.
    """
    spin = (turn * _TURNS).astype(np.intp)
    positions = shape.positions.take(spin, axis=0)
    positions *= scale[:, None].astype(np.float32)
    for axis in range(3):  # numpy is slow along a last axis of three
        positions[..., axis] += points[:, axis, None]
    colors = lit(ground, np.broadcast_to(shape.tint, positions.shape[:2]))
    if shape.wash.any():
        colors += lit(hue, np.broadcast_to(shape.wash, positions.shape[:2]))
    if shape.own.any():
        colors += shape.own
    uv = 0.5, 0.5, SOFT * PATTERN_UNIT
    triangles = fans(len(points), positions.shape[1], shape.triangles)
    return MeshData.of(positions, shape.normals.take(spin, axis=0), colors, uv, triangles)


def points_around(
    patch: Patch, tile: NDArray[np.intp], angle: NDArray[np.floating], reach: NDArray[np.floating]
) -> NDArray[np.float32]:
    """Return (m, 3) points on the tops of tiles, at a distance `reach` from their centers.

    `angle` is in radians, counter-clockwise from the east.
    """
    points = np.empty((len(tile), 3), dtype=np.float32)
    points[:, 0] = patch.center[tile, 0] + np.cos(angle) * reach
    points[:, 1] = patch.center[tile, 1] + np.sin(angle) * reach
    points[:, 2] = patch.z[tile]
    return points


def open_tiles(patch: Patch, props: str) -> NDArray[np.intp]:
    """Return the indices of the tiles that have these props and no deck right above."""
    has_props = (patch.palette.props == PROPS.index(props))[patch.kind]
    roof = patch.heights.roof
    return np.nonzero(has_props if roof is None else has_props & (roof[0] == 0.0))[0]
