"""Mesh data: vertex arrays of equal length that a renderer uploads unchanged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

RISE_UNIT = 64
"""Unit of the edge bits for rising ground; the lower six bits are for dropping ground.

On liquids they mark the edges at a shore, whether the ground rises there or not.
"""

UP = (0.0, 0.0, 1.0)
"""The normal of what is level."""

PATTERN_UNIT = 4096
"""Unit of the surface pattern; the lower twelve bits are edge bits."""

PROP_AT = 4096.0
"""What is added to the root of a plant or stone, which is their position instead of one in a tile:
they may hide a figure."""

CUT_UNIT = 32768
"""Bit of a vertex where a shore cuts the corner of a liquid tile."""

LOOK_UNIT = 65536
"""Unit of the number of a look that vertices do not hold; see `KindPalette.looks`."""


@dataclass(frozen=True)
class MeshData:
    """Triangles and their vertices, in map coordinates; every array is read-only."""

    positions: NDArray[np.float32]
    """(n, 3)."""
    normals: NDArray[np.float32]
    """(n, 3), of length 1."""
    colors: NDArray[np.uint8]
    """(n, 4) red, green, blue, with variation and baked ambient occlusion, and alpha: 255, but less
    where the bed of clear water is seen."""
    uv: NDArray[np.float32]
    """(n, 3) position in the tile, and flags. The position is (0.5, 0.5) at the center and
    everywhere but on tops; of plants and stones it is their root in the map plus PROP_AT.
    The flags are a sum: one bit for each direction where the ground drops,
    RISE_UNIT times that bit where it rises, PATTERN_UNIT times the surface pattern of `grid.looks`,
    CUT_UNIT where a shore cuts a corner, and LOOK_UNIT times the number of a look. The bits are
    1, 2, 4 for the first half of the grid's directions and 8, 16, 32 for the opposite ones."""
    triangles: NDArray[np.uint32]
    """(m, 3) vertex indices, counter-clockwise as seen from outside."""

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.positions, self.normals, self.colors, self.uv, self.triangles):
            array.flags.writeable = False

    @classmethod
    def of(
        cls,
        positions: NDArray[np.floating],
        normals: ArrayLike,
        colors: ArrayLike,
        uv: ArrayLike,
        triangles: NDArray[np.integer],
    ) -> Self:
        """Return mesh data from arrays of any leading shape, flattened.

        Normals, colors (..., 3 or 4) from 0 to 1, and uv broadcast to the positions.
        """
        rgb = np.asarray(colors, dtype=np.float32) * np.float32(255.0)
        rgb += np.float32(0.5)
        np.minimum(rgb, np.float32(255.0), out=rgb)
        rgba = np.full((*positions.shape[:-1], 4), 255, dtype=np.uint8)
        for channel in range(rgb.shape[-1]):  # numpy is slow along a last axis of three
            rgba[..., channel] = rgb[..., channel]
        return cls(
            np.ascontiguousarray(positions, dtype=np.float32).reshape(-1, 3),
            _broadcast(normals, positions),
            rgba.reshape(-1, 4),
            _broadcast(uv, positions),
            np.ascontiguousarray(triangles, dtype=np.uint32).reshape(-1, 3),
        )

    @classmethod
    def empty(cls) -> Self:
        """Return a mesh without vertices."""
        nothing = np.empty((0, 3), dtype=np.float32)
        return cls.of(nothing, nothing, nothing, nothing, np.empty((0, 3), dtype=np.uint32))

    def by_look(self) -> dict[int, NDArray[np.uint32]]:
        """Return the triangles of each number of a look; 0 is that of triangles without one."""
        number = (self.uv[self.triangles[:, 0], 2] // LOOK_UNIT).astype(np.intp)
        return {each: self.triangles[number == each] for each in np.unique(number).tolist()}

    @classmethod
    def join(cls, parts: Sequence["MeshData"]) -> Self:
        """Return one mesh of all parts; there must be at least one."""
        starts = np.cumsum([0] + [len(part.positions) for part in parts[:-1]])
        return cls(
            np.concatenate([part.positions for part in parts]),
            np.concatenate([part.normals for part in parts]),
            np.concatenate([part.colors for part in parts]),
            np.concatenate([part.uv for part in parts]),
            np.concatenate(
                [
                    part.triangles + np.uint32(start)
                    for part, start in zip(parts, starts, strict=True)
                ]
            ),
        )


def _broadcast(values: ArrayLike, positions: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return (n, 3) values, as many as positions of any leading shape."""
    wide = np.broadcast_to(np.asarray(values, np.float32), positions.shape)
    return np.ascontiguousarray(wide).reshape(-1, 3)


def fans(count: int, vertices: int, triangles: ArrayLike) -> NDArray[np.uint32]:
    """Return a pattern of (t, 3) triangles for `count` shapes of `vertices` each: (count, t, 3)."""
    pattern = np.array(triangles, dtype=np.uint32)
    starts = np.arange(count, dtype=np.uint32) * np.uint32(vertices)
    return (starts[:, None] + pattern.ravel()).reshape(count, *pattern.shape)


def circle(
    turn: NDArray[np.floating], radius: ArrayLike = 1.0, z: ArrayLike = 0.0
) -> NDArray[np.float64]:
    """Return the (n, 3) points at angles, counter-clockwise from +x, around the z axis."""
    parts = np.broadcast_arrays(np.cos(turn) * radius, np.sin(turn) * radius, z)
    return np.stack(parts, axis=-1)


def tube_sides(n: int) -> list[tuple[int, int, int]]:
    """Return the triangles between a ring of n points and the ring above it."""
    edges = [(i, (i + 1) % n) for i in range(n)]
    return [side for i, j in edges for side in ((i, j, n + j), (i, n + j, n + i))]


def runs(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return two (counts.sum(),) arrays: the group of each member, and its index in the group."""
    group = np.repeat(np.arange(len(counts)), counts)
    return group, np.arange(len(group)) - np.repeat(np.cumsum(counts) - counts, counts)


def lit(colors: NDArray[np.float32], light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n, k, 3) colors: (n, 3) colors multiplied by the (n, k) light at k points."""
    shades = np.empty((*light.shape, 3), dtype=np.float32)
    for channel in range(3):  # numpy is slow along a last axis of three
        np.multiply(colors[:, channel, None], light, out=shades[..., channel])
    return shades
