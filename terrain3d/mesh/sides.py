"""The visible sides of tiles: strata, one band a level, and the lip that hangs over them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.mesh.data import PATTERN_UNIT, SOFT, STONE, MeshData, fans
from terrain3d.mesh.paint import STRATA
from terrain3d.mesh.patch import Patch
from terrain3d.mesh.variation import chance

MAX_BANDS = 16
"""The most bands a side has; on higher ones a band spans several levels."""

_FOOT, _NOOK = 0.66, 0.80  # light left at a side's foot and in an inner corner
_LIQUID = (0.86, 0.13, 0.45)  # light in it right below the top, less a level, and at least
_LIP_POINTS = 4
_LIP_OUT, _TUCK = 0.022, 0.004
_MOST_LIP = 0.8  # of a side's height
_LIP_STRIP = [
    corner
    for i in range(_LIP_POINTS - 1)
    for corner in ((i, _LIP_POINTS + i, _LIP_POINTS + i + 1), (i, _LIP_POINTS + i + 1, i + 1))
]


@dataclass(frozen=True)
class _Edges:
    """The `e` edges of a patch with lower ground beyond: their tile, direction and heights."""

    tile: NDArray[np.int64]
    way: NDArray[np.int64]
    z_top: NDArray[np.float32]
    z_foot: NDArray[np.float32]
    z_beside: NDArray[np.float32]  # (e, 2): ground in front to the left and right
    is_open: NDArray[np.bool_]  # (e, 2): the tile's side around the corner is visible too
    ends: NDArray[np.int64]  # (e, 2): corner at the left and right end
    xy: NDArray[np.float32]  # (e, 2, 2): where these are
    out: NDArray[np.float32]  # (e, 3): where the side faces


def sides(patch: Patch) -> list[MeshData]:
    """Mesh the visible sides of a patch."""
    edges = _edges(patch)
    if not len(edges.tile):
        return []
    return [_bands(patch, edges), _lips(patch, edges)]


def _edges(patch: Patch) -> _Edges:
    lattice, heights = patch.lattice, patch.around
    way, tile = np.nonzero(patch.drops)
    ends = lattice.ends[way]
    out = np.zeros((len(way), 3), dtype=np.float32)
    out[:, :2] = lattice.out[way]
    return _Edges(
        tile,
        way,
        patch.z[tile],
        heights.foot[way, tile],
        heights.around[lattice.beside[way], tile[:, None]],
        patch.drops[lattice.turns[way], tile[:, None]],
        ends,
        patch.corners[tile[:, None], ends].astype(np.float32),
        out,
    )


def _bands(patch: Patch, edges: _Edges) -> MeshData:
    step = patch.step_height
    levels = np.ceil((edges.z_top - edges.z_foot) / step - 1e-3).astype(np.int64)
    stride = -(-levels // MAX_BANDS)
    counts = -(-levels // stride)
    edge = np.repeat(np.arange(len(counts)), counts)
    index = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts)
    high = edges.z_top[edge] - index * stride[edge] * step
    is_last = index == counts[edge] - 1
    low = np.where(is_last, edges.z_foot[edge], high - stride[edge] * step)
    positions = np.empty((len(edge), 4, 3), dtype=np.float32)
    positions[:, 0, :2] = positions[:, 3, :2] = edges.xy[edge, 0]
    positions[:, 1, :2] = positions[:, 2, :2] = edges.xy[edge, 1]
    positions[:, :2, 2] = low[:, None]
    # The first band starts behind the lip: side by side in one plane they would flicker.
    behind = np.where(index == 0, 0.5 * _shortest_lip(patch, edges)[edge], 0.0)
    positions[:, 2:, 2] = (high - behind)[:, None]
    normals = np.repeat(edges.out[edge][:, None], 4, axis=1)
    tile = edges.tile[edge]
    tone = _tones(patch, tile, index, index * stride[edge], low)
    colors = tone[:, None, :] * _light(edges, edge, index, is_last, low, high)[:, :, None]
    uv = np.full((len(edge), 4, 3), 0.5, dtype=np.float32)
    is_stone = (index == 0) & (patch.palette.pattern[patch.kind[tile]] == STONE)
    uv[:, :, 2] = np.where(is_stone, STONE, SOFT)[:, None] * PATTERN_UNIT
    return MeshData.of(positions, normals, colors, uv, fans(len(edge), 4, [(0, 1, 2), (0, 2, 3)]))


def _shortest_lip(patch: Patch, edges: _Edges) -> NDArray[np.float32]:
    kind = patch.kind[edges.tile]
    length = patch.palette.lip[kind] - 0.5 * patch.palette.rag[kind]
    shortest: NDArray[np.float32] = np.minimum(length, _MOST_LIP * (edges.z_top - edges.z_foot))
    return shortest


def _tones(
    patch: Patch,
    tile: NDArray[np.int64],
    index: NDArray[np.int64],
    below: NDArray[np.int64],
    low: NDArray[np.floating],
) -> NDArray[np.float32]:
    """Give each band its earth tone; the upper ones, and those of decks, take after the kind.

    What lies fewer levels `below` its top than the kind is deep shows the liquid, darker downwards.
    """
    if patch.deck:
        return patch.palette.flank[patch.kind[tile]]
    level = np.rint(low / patch.step_height).astype(np.int64)
    earth = STRATA[level % len(STRATA)]
    share = np.where(index == 0, 0.72, np.where(index == 1, 0.3, 0.0)).astype(np.float32)[:, None]
    tone = earth * (1.0 - share) + patch.palette.flank[patch.kind[tile]] * share
    bright = 0.95 + 0.1 * chance(patch.row[tile], patch.col[tile], 4)
    shaded: NDArray[np.float32] = (tone * bright[:, None]).astype(np.float32)
    wet = np.nonzero(below < patch.palette.depth[patch.kind[tile]])[0]
    if len(wet):
        dim = np.maximum(_LIQUID[0] - _LIQUID[1] * below[wet], _LIQUID[2]).astype(np.float32)
        shaded[wet] = patch.palette.top[patch.kind[tile[wet]]] * dim[:, None]
    return shaded


def _light(
    edges: _Edges,
    edge: NDArray[np.int64],
    index: NDArray[np.int64],
    is_last: NDArray[np.bool_],
    low: NDArray[np.floating],
    high: NDArray[np.floating],
) -> NDArray[np.float32]:
    """Give the light, (b, 4), at the corners of bands: darker at the foot and in nooks."""
    light = np.empty((len(edge), 4), dtype=np.float32)
    light[:, :2] = np.where(is_last, _FOOT, 0.94)[:, None]
    light[:, 2:] = np.where(index == 0, 0.82, 1.0)[:, None]  # the lip's own small shadow
    beside = edges.z_beside[edge]
    light[:, (0, 1)] *= np.where(beside > low[:, None] + 1e-4, _NOOK, 1.0)
    light[:, (3, 2)] *= np.where(beside > high[:, None] - 1e-4, _NOOK, 1.0)
    return light


def _lips(patch: Patch, edges: _Edges) -> MeshData:
    """Let the top's own ground hang over each edge, with a ragged lower end."""
    kind = patch.kind[edges.tile]
    part = np.linspace(0.0, 1.0, _LIP_POINTS, dtype=np.float32)
    left, right = edges.xy[:, None, 0], edges.xy[:, None, 1]
    along = left + (right - left) * part[None, :, None]
    # Two lips that meet name the point where they do by the same whole numbers, so their lengths
    # agree there.
    knots = patch.knots[edges.tile[:, None], edges.ends]
    share = np.arange(_LIP_POINTS)
    east, north = (
        knots[:, :1, axis] * (_LIP_POINTS - 1 - share) + knots[:, 1:, axis] * share
        for axis in (0, 1)
    )
    rag = chance(north, east, 5) - 0.5
    length = patch.palette.lip[kind][:, None] + patch.palette.rag[kind][:, None] * rag
    length = np.minimum(length, _MOST_LIP * (edges.z_top - edges.z_foot)[:, None])
    push = np.repeat(edges.out[:, None, :], _LIP_POINTS, axis=1)
    miter = patch.lattice.miter[edges.way]
    push[:, 0, :2] += edges.is_open[:, :1] * miter[:, 0]
    push[:, -1, :2] += edges.is_open[:, 1:] * miter[:, 1]
    count = len(kind)
    positions = np.empty((count, 2, _LIP_POINTS, 3), dtype=np.float32)
    positions[:, :, :, :2] = along[:, None]
    positions[:, :, :, 2] = edges.z_top[:, None, None]
    # It starts a little below the top's own edge, which it subdivides: no crack can open there.
    positions[:, 0] -= edges.out[:, None] * np.float32(_TUCK)
    positions[:, 0, :, 2] -= np.float32(0.3 * _TUCK)
    positions[:, 1] += push * np.float32(_LIP_OUT)
    positions[:, 1, :, 2] -= length
    normals = np.empty_like(positions)
    normals[:, 0] = (edges.out * 0.6 + np.array((0.0, 0.0, 0.8), dtype=np.float32))[:, None]
    normals[:, 1] = edges.out[:, None]
    color = patch.tones[edges.tile]
    shade = np.array((1.06, 0.84), dtype=np.float32)
    colors = color[:, None, None] * shade[:, None, None]
    uv = np.full(positions.shape, 0.5, dtype=np.float32)
    uv[..., 2] = (patch.palette.pattern[kind] * PATTERN_UNIT)[:, None, None]
    return MeshData.of(positions, normals, colors, uv, fans(count, 2 * _LIP_POINTS, _LIP_STRIP))
