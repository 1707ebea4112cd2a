"""Mesh data: vertex arrays of equal length that a renderer uploads unchanged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

UP = (0.0, 0.0, 1.0)
"""The normal of what is level."""

SURFACE = np.dtype(
    [
        ("edges", np.int8, (2, 4)),
        ("pattern", np.uint8),
        ("is_cut", np.uint8),
        ("part", np.uint8),
        ("look", np.uint8),
    ]
)
"""The data type of the surface at a vertex, which the shaders read.

`edges` are 1 where the ground of a top drops and -1 where it rises, for the first half of the
grid's directions and for the opposite ones; on liquids they are -1 at a shore, whether the ground
rises there or not. `pattern` is the surface pattern of `grid.kinds`, `is_cut` whether a shore cuts
this corner of a liquid tile. `part` is PROP for a plant or stone, which may hide a figure, and
LEFT_FOOT or RIGHT_FOOT for what moves in a figure's stride. `look` is the number of a look that
vertices do not hold; see `KindPalette.looks`.
"""

PROP, LEFT_FOOT, RIGHT_FOOT = 1, 2, 3
"""Parts of plants, stones and figures; 0 is any other."""

BYTES = np.dtype((np.void, SURFACE.itemsize))
"""A `SURFACE` as bytes, which numpy copies many times faster."""


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
    """(n, 2) position in the tile: (0.5, 0.5) at the center and everywhere but on tops; of plants
    and stones their root in the map. Of marks it is that in their texture."""
    surface: NDArray[np.void]
    """(n,) of `SURFACE`."""
    triangles: NDArray[np.uint32]
    """(m, 3) vertex indices, counter-clockwise as seen from outside."""

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in vars(self).values():
            array.flags.writeable = False

    @classmethod
    def of(
        cls,
        positions: NDArray[np.floating],
        normals: ArrayLike,
        colors: ArrayLike,
        surface: NDArray[np.void],
        triangles: NDArray[np.integer],
        uv: ArrayLike = (0.5, 0.5),
    ) -> Self:
        """Return mesh data from arrays of any leading shape, flattened.

        Normals, colors (..., 3 or 4) from 0 to 1, surface and uv broadcast to the positions.
        """
        shape = positions.shape[:-1]
        rgb = np.asarray(colors, dtype=np.float32) * np.float32(255.0)
        rgb += np.float32(0.5)
        np.minimum(rgb, np.float32(255.0), out=rgb)
        rgba = np.full((*shape, 4), 255, dtype=np.uint8)
        for channel in range(rgb.shape[-1]):  # numpy is slow along a last axis of three
            rgba[..., channel] = rgb[..., channel]
        return cls(
            np.ascontiguousarray(positions, dtype=np.float32).reshape(-1, 3),
            _broadcast(normals, (*shape, 3)),
            rgba.reshape(-1, 4),
            _broadcast(uv, (*shape, 2)),
            np.broadcast_to(surface.view(BYTES), shape).reshape(-1).view(SURFACE),
            np.ascontiguousarray(triangles, dtype=np.uint32).reshape(-1, 3),
        )

    @classmethod
    def empty(cls) -> Self:
        """Return a mesh without vertices."""
        nothing = np.empty((0, 3), dtype=np.float32)
        return cls.of(nothing, UP, nothing, surface_of(0), np.empty((0, 3), dtype=np.uint32))

    def by_look(self) -> dict[int, NDArray[np.uint32]]:
        """Return the triangles of each number of a look; 0 is that of triangles without one."""
        number = self.surface["look"][self.triangles[:, 0]]
        return {each: self.triangles[number == each] for each in np.unique(number).tolist()}

    @classmethod
    def join(cls, parts: Sequence["MeshData"]) -> Self:
        """Return one mesh of all parts; there must be at least one."""
        starts = np.cumsum([0] + [len(part.positions) for part in parts[:-1]], dtype=np.uint32)
        triangles = [part.triangles + start for part, start in zip(parts, starts, strict=True)]
        return cls(
            np.concatenate([part.positions for part in parts]),
            np.concatenate([part.normals for part in parts]),
            np.concatenate([part.colors for part in parts]),
            np.concatenate([part.uv for part in parts]),
            np.concatenate([part.surface.view(BYTES) for part in parts]).view(SURFACE),
            np.concatenate(triangles),
        )


def _broadcast(values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return values broadcast to a shape, flattened to (n, parts)."""
    wide = np.broadcast_to(np.asarray(values, np.float32), shape)
    return np.ascontiguousarray(wide).reshape(-1, shape[-1])


def surface_of(pattern: ArrayLike) -> NDArray[np.void]:
    """Return a `SURFACE` for each pattern, of vertices that are on no top."""
    surface = np.zeros(np.shape(pattern), SURFACE)
    surface["pattern"] = pattern
    return surface


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
