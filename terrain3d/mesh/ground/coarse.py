"""The mesh of a part of a map that is seen from afar: blocks of several tiles, without plants.

A block is as high as its highest surface, and its sides at the border of a mesh reach down to the
lowest ground of the blocks beyond. So there are no gaps between meshes of any two strides, nor
beside the full mesh of a chunk. Its color is that of its tiles from afar, plants included, and the
mean of the image where tops have one.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Rect
from terrain3d.grid.kinds import VOID, index_of, paint_of
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.lattice import surroundings
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.sides import plain_sides
from terrain3d.mesh.ground.tops import tops, waters

_LINE_SHADE = np.float32(0.965)
"""Share of light that the lines around tiles leave; blocks of several have fewer lines."""
_MARGIN = 2  # blocks around a mesh that are looked at; even, so that hexagons are offset alike


def coarse_mesh(tilemap: TileMap, rect: Rect, stride: int) -> MeshData:
    """Build the mesh of a rectangle, in map coordinates, in blocks of `stride` x `stride` tiles.

    The tiles around the rectangle affect its sides and shading. It must lie in the map and begin at
    multiples of `2 * stride`; blocks are smaller at the end of the map. Hexagons grow with the
    stride, and their mesh by one block, so that it overlaps those of other strides.
    """
    near = rect.grown(_MARGIN * stride, tilemap.rows, tilemap.cols)
    highest, lowest = _blocks(tilemap, near, stride)
    inner = Rect(
        (rect.row - near.row) // stride,
        (rect.col - near.col) // stride,
        -(-rect.rows // stride),
        -(-rect.cols // stride),
    )
    if tilemap.topology != "square":
        inner = inner.grown(1, highest.rows, highest.cols)
    origin = near.row // stride, near.col // stride
    patch = Patch.of(highest, inner, origin=origin)
    if not len(patch.z):
        return MeshData.empty()
    levels = replace(patch.levels, foot=_feet(patch, inner, lowest, origin))
    shade = patch.palette.afar[patch.kind] * (_LINE_SHADE if stride > 1 else 1)
    patch = replace(
        patch,
        levels=levels,
        corners=patch.corners * np.float32(stride),
        colors=patch.colors * shade[:, None],
    )
    return MeshData.join([tops(patch), *waters(patch), *plain_sides(patch)])


def _feet(patch: Patch, inner: Rect, lowest: TileMap, origin: tuple[int, int]) -> NDArray[np.int64]:
    """Return the feet of sides; those at the border of `inner` reach the lowest ground beyond."""
    row, col = patch.row - origin[0], patch.col - origin[1]
    steps = patch.lattice.step_at(row, col)[: patch.lattice.sides]
    beside_row, beside_col = row + steps[..., 0] - inner.row, col + steps[..., 1] - inner.col
    is_inside = (beside_row >= 0) & (beside_row < inner.rows)
    is_inside &= (beside_col >= 0) & (beside_col < inner.cols)
    beyond = surroundings(lowest, inner, 0, row, col).foot
    return np.where(is_inside, patch.levels.foot, beyond)


def _blocks(tilemap: TileMap, rect: Rect, stride: int) -> tuple[TileMap, TileMap]:
    """Return two maps with a tile for each block: its highest surface, and its lowest ground.

    The kind of a block is that of a tile at its center, or if that is void, of another.
    """
    cut = (slice(None), *rect.slices())
    levels, kinds, void = (
        array[cut] for array in (tilemap.surface_level, tilemap.surface_kind, tilemap.surface_void)
    )
    has_void = bool(void.any())
    if has_void:
        levels = np.where(void, np.int16(-1), levels)
    highest = _pooled(np.maximum, levels.max(axis=0) if len(levels) > 1 else levels[0], stride)
    lowest = _pooled(np.minimum, levels[0], stride)
    row, col = (
        np.minimum(np.arange(count) * stride + stride // 2, size - 1)
        for count, size in zip(highest.shape, levels.shape[1:], strict=True)
    )
    middle = (slice(None), *np.ix_(row, col))
    deck = levels[middle].argmax(axis=0)[None]
    kind = np.take_along_axis(kinds[middle], deck, 0)[0].astype(np.int64)
    if has_void:
        other = _pooled(np.maximum, np.where(void, np.int16(-1), kinds).max(axis=0), stride)
        kind = np.where(np.take_along_axis(void[middle], deck, 0)[0], other, kind)
    void_kind = index_of(VOID.name, tilemap.kinds)
    plain = tuple(
        kind if paint_of(kind.texture).image is None else replace(kind, texture="soil")
        for kind in tilemap.kinds
    )

    def as_map(level: NDArray[np.integer]) -> TileMap:
        ground = np.where(level < 0, void_kind, kind)
        level = np.maximum(level, 0)
        return TileMap(level, ground, plain, tilemap.step_height, tilemap.topology)

    return as_map(highest), as_map(lowest)


def _pooled(extreme: np.ufunc, values: NDArray[np.integer], stride: int) -> NDArray[np.integer]:
    """Return the extreme value of each block of `stride` x `stride` in a (rows, cols) array."""
    for _ in range(2):
        whole = len(values) // stride * stride
        parts = extreme.reduce(values[:whole].reshape(-1, stride, values.shape[1]), axis=1)
        if whole < len(values):
            parts = np.concatenate([parts, extreme.reduce(values[whole:], axis=0)[None]])
        values = parts.T
    return values
