"""The visible sides of tiles: one band of strata per level, and the lip above them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.mesh.data import PATTERN_UNIT, SOFT, STONE, MeshData, fans, lit, runs
from terrain3d.mesh.ground.lattice import chance
from terrain3d.mesh.ground.paint import STRATA
from terrain3d.mesh.ground.patch import Patch

MAX_BANDS = 16
"""The most bands of a side; on taller sides a band spans several levels."""

_OVERLAP = np.float32(0.002)  # of tall sides, to close gaps between bands

# Light left at a side's foot, above that, right below the lip, in an inner corner.
_FOOT, _CLEAR, _BELOW_LIP, _NOOK, _FULL = map(np.float32, (0.66, 0.94, 0.82, 0.80, 1.0))
_NEARLY = np.float32(1e-4)
_FLANK_SHARE = np.array((0.72, 0.3, 0.0, 0.0, 0.0), dtype=np.float32)  # from the top down
_ROCKY = 3  # bands below a rocky top with its pattern
_ROCK_SHARE = np.array((0.95, 0.82, 0.66, 0.48, 0.30), dtype=np.float32)
_LIQUID = (0.86, 0.13, 0.45)  # light right below the top, decrease per level, minimum
_LIP_POINTS = 4
_LIP_OUT, _TUCK = 0.022, 0.004
_MAX_LIP = 0.8  # of a side's height
_LIP_STRIP = [
    corner
    for i in range(_LIP_POINTS - 1)
    for corner in ((i, _LIP_POINTS + i, _LIP_POINTS + i + 1), (i, _LIP_POINTS + i + 1, i + 1))
]


@dataclass(frozen=True)
class _Edges:
    """The `e` edges of a patch with lower ground beyond: their tile, direction and heights."""

    tile: NDArray[np.int64]
    direction: NDArray[np.int64]
    z_top: NDArray[np.float32]
    z_foot: NDArray[np.float32]
    z_beside: NDArray[np.float32]  # (e, 2): ground in front to the left and right
    is_open: NDArray[np.bool_]  # (e, 2): the tile's side around the corner is visible too
    corner_coords: NDArray[np.int32]  # (e, 2, 2): corners at the left and right end
    xy: NDArray[np.float32]  # (e, 2, 2): (x, y) of these corners
    out: NDArray[np.float32]  # (e, 3): heading of the side


def sides(patch: Patch) -> list[MeshData]:
    """Return the meshes of the visible sides of a patch."""
    edges = _edges(patch)
    if not len(edges.tile):
        return []
    kind = patch.kind[edges.tile]
    shortest = patch.palette.lip[kind] - 0.5 * patch.palette.rag[kind]
    # The first band starts behind the lip, because surfaces in one plane flicker.
    behind = 0.5 * np.minimum(shortest, _MAX_LIP * (edges.z_top - edges.z_foot))
    return [_bands(patch, edges, behind), _lips(patch, edges)]


def plain_sides(patch: Patch) -> list[MeshData]:
    """Return the meshes of the visible sides of a patch, without lips."""
    edges = _edges(patch)
    return [_bands(patch, edges, np.zeros_like(edges.z_top))] if len(edges.tile) else []


def _edges(patch: Patch) -> _Edges:
    lattice, heights = patch.lattice, patch.heights
    direction, tile = np.nonzero(patch.drops)
    count = len(patch.z)
    # Indices into flat arrays, because numpy takes from these much faster.
    corner = tile[:, None] * lattice.sides + lattice.ends[direction]
    out = np.zeros((len(direction), 3), dtype=np.float32)
    out[:, :2] = lattice.out[direction]
    return _Edges(
        tile,
        direction,
        patch.z.take(tile),
        heights.foot.ravel().take(direction * count + tile),
        heights.around.ravel().take(lattice.beside[direction] * count + tile[:, None]),
        patch.drops.ravel().take(lattice.turns[direction] * count + tile[:, None]),
        patch.corner_coords.reshape(-1, 2).take(corner, axis=0),
        patch.corners.reshape(-1, 2).take(corner, axis=0),
        out,
    )


def _bands(patch: Patch, edges: _Edges, below_top: NDArray[np.float32]) -> MeshData:
    """Return bands of strata; the first begins as far below the top as `below_top` says."""
    step = np.float32(patch.step_height)
    levels = np.ceil((edges.z_top - edges.z_foot) / step - 1e-3).astype(np.int64)
    stride = -(-levels // MAX_BANDS)
    counts = -(-levels // stride)
    edge, index = runs(counts)
    below = (index * stride[edge]).astype(np.float32)
    high = edges.z_top[edge] - below * step
    is_last = index == counts[edge] - 1
    low = np.where(is_last, edges.z_foot[edge], high - stride[edge].astype(np.float32) * step)
    positions = np.empty((len(edge), 4, 3), dtype=np.float32)
    # Coarse bands are slightly longer, which closes gaps between them.
    longer = np.where(stride > 1, _OVERLAP, np.float32(0.0))[:, None]
    along = longer * (edges.xy[:, 1] - edges.xy[:, 0])
    ends = (edges.xy + np.stack([-along, along], axis=1)).take(edge, axis=0)
    positions[:, :2, :2] = ends
    positions[:, 3:1:-1, :2] = ends
    positions[:, :2, 2] = low[:, None]
    positions[:, 2:, 2] = (high - (index == 0) * below_top[edge])[:, None]
    tile = edges.tile[edge]
    colors = lit(
        _tones(patch, tile, index, below, low), _light(edges, edge, index, is_last, low, high)
    )
    uv = np.full((len(edge), 4, 3), 0.5, dtype=np.float32)
    kind = patch.kind[tile]
    is_stone = (index == 0) & (patch.palette.pattern[kind] == STONE)
    is_stone |= (index < _ROCKY) & patch.palette.is_rock[kind]
    uv[:, :, 2] = np.where(is_stone, STONE, SOFT)[:, None] * PATTERN_UNIT
    return MeshData.of(
        positions,
        edges.out.take(edge, axis=0)[:, None],
        colors,
        uv,
        fans(len(edge), 4, [(0, 1, 2), (0, 2, 3)]),
    )


def _tones(
    patch: Patch,
    tile: NDArray[np.int64],
    index: NDArray[np.int64],
    below: NDArray[np.float32],
    low: NDArray[np.floating],
) -> NDArray[np.float32]:
    """Return the earth tone of each band; upper bands and those of decks resemble the kind.

    Bands fewer levels `below` the top than the depth of the kind show liquid, darker downward.
    """
    kind = patch.kind.take(tile)
    flank = patch.palette.flank.take(kind, axis=0)
    if patch.deck:
        return flank
    level = np.rint(low / np.float32(patch.step_height)).astype(np.int64)
    tone: NDArray[np.float32] = STRATA.take(level % len(STRATA), axis=0)
    flank -= tone
    band = np.minimum(index, len(_FLANK_SHARE) - 1)
    is_rock = patch.palette.is_rock.take(kind)
    flank *= np.where(is_rock, _ROCK_SHARE.take(band), _FLANK_SHARE.take(band))[:, None]
    tone += flank
    tone *= (0.95 + 0.1 * chance(patch.row, patch.col, 4)).take(tile)[:, None]
    wet = np.nonzero(below < patch.palette.depth.take(kind))[0]
    if len(wet):
        dim = np.maximum(_LIQUID[0] - _LIQUID[1] * below[wet], _LIQUID[2])
        tone[wet] = patch.palette.top[kind[wet]] * dim[:, None]
    return tone


def _light(
    edges: _Edges,
    edge: NDArray[np.int64],
    index: NDArray[np.int64],
    is_last: NDArray[np.bool_],
    low: NDArray[np.floating],
    high: NDArray[np.floating],
) -> NDArray[np.float32]:
    """Return the (b, 4) light at the corners of bands, darker at the foot and in inner corners."""
    light = np.empty((len(edge), 4), dtype=np.float32)
    light[:, :2] = np.where(is_last, _FOOT, _CLEAR)[:, None]
    light[:, 2:] = np.where(index == 0, _BELOW_LIP, _FULL)[:, None]
    beside = edges.z_beside.take(edge, axis=0)
    light[:, :2] *= np.where(beside > low[:, None] + _NEARLY, _NOOK, _FULL)
    light[:, 3:1:-1] *= np.where(beside > high[:, None] - _NEARLY, _NOOK, _FULL)
    return light


def _lips(patch: Patch, edges: _Edges) -> MeshData:
    """Return lips: the ground of the top hangs over each edge, with a ragged lower end."""
    kind = patch.kind[edges.tile]
    positions = _lip_points(patch, edges)
    positions[:, 1, :, 2] -= _lip_lengths(patch, edges)
    normals = np.repeat(edges.out, 2 * _LIP_POINTS, axis=0).reshape(positions.shape)
    normals[:, 0] *= np.float32(0.6)
    normals[:, 0, :, 2] = 0.8
    shade = np.array((1.06, 0.84), dtype=np.float32)
    colors = patch.tones.take(edges.tile, axis=0)[:, None, None] * shade[:, None, None]
    uv = np.full(positions.shape, 0.5, dtype=np.float32)
    uv[..., 2] = (patch.palette.pattern[kind] * PATTERN_UNIT)[:, None, None]
    triangles = fans(len(kind), 2 * _LIP_POINTS, _LIP_STRIP)
    return MeshData.of(positions, normals, colors, uv, triangles)


def _lip_points(patch: Patch, edges: _Edges) -> NDArray[np.float32]:
    """Return the (e, 2, _LIP_POINTS, 3) upper and lower points of lips of length 0.

    They start slightly below the edge of the top, so that subdividing it opens no gaps.
    """
    part = np.linspace(0.0, 1.0, _LIP_POINTS, dtype=np.float32)
    positions = np.empty((len(edges.tile), 2, _LIP_POINTS, 3), dtype=np.float32)
    upper, lower = positions[:, 0], positions[:, 1]
    miter = patch.lattice.miter[edges.direction] * edges.is_open[:, :, None]
    miter *= np.float32(_LIP_OUT)
    for axis in (0, 1):
        start, end, out = edges.xy[:, 0, axis], edges.xy[:, 1, axis], edges.out[:, axis]
        np.multiply((end - start)[:, None], part, out=upper[..., axis])
        upper[..., axis] += (start - np.float32(_TUCK) * out)[:, None]
        push = np.float32(_TUCK + _LIP_OUT) * out
        np.add(upper[..., axis], push[:, None], out=lower[..., axis])
        lower[:, 0, axis] += miter[:, 0, axis]
        lower[:, -1, axis] += miter[:, 1, axis]
    upper[..., 2] = (edges.z_top - np.float32(0.3 * _TUCK))[:, None]
    lower[..., 2] = edges.z_top[:, None]
    return positions


def _lip_lengths(patch: Patch, edges: _Edges) -> NDArray[np.float32]:
    """Return the (e, _LIP_POINTS) lengths of lips.

    Lips that meet have the same integer coordinates there, and so the same length.
    """
    kind = patch.kind[edges.tile]
    share = np.arange(_LIP_POINTS, dtype=np.int32)
    east, north = (
        edges.corner_coords[:, :1, axis] * share[::-1] + edges.corner_coords[:, 1:, axis] * share
        for axis in (0, 1)
    )
    length = chance(north, east, 5)
    length -= np.float32(0.5)
    length *= patch.palette.rag[kind][:, None]
    length += patch.palette.lip[kind][:, None]
    np.minimum(length, (_MAX_LIP * (edges.z_top - edges.z_foot))[:, None], out=length)
    return length
