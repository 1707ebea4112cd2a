"""The visible sides of tiles, such as cliffs: one band of strata per level, and the lip above them.

Tops, bands and collars, which close the sides behind the lips, are one surface without gaps: faces
that meet share whole edges.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import SOFT, STONE
from terrain3d.mesh.data import MeshData, fans, lit, runs, surface_of
from terrain3d.mesh.ground.lattice import base_level, chance
from terrain3d.mesh.ground.paint import STONE_STRATA, STRATA
from terrain3d.mesh.ground.patch import Patch

MAX_BANDS = 16
"""The most bands of a side; on taller sides a band spans several levels."""

# Light left at a side's foot, above that, right below the lip, in an inner corner.
_FOOT, _CLEAR, _BELOW_LIP, _NOOK, _FULL = map(np.float32, (0.66, 0.94, 0.82, 0.80, 1.0))
_FLANK_SHARE = np.array((0.72, 0.3, 0.0), dtype=np.float32)  # from the top down
_TONES = np.concatenate([STRATA, STONE_STRATA])
_LIQUID = (0.86, 0.13, 0.45)  # light right below the top, decrease per level, minimum
_FOAM = np.array((0.86, 0.93, 0.95), dtype=np.float32)
_FOAMING = 1.2  # levels above the foot of a fall
_TO_BREAKS = ((0, 0), (0, MAX_BANDS - 1))  # from two levels to as many as bands end at
_LIP_POINTS = 4
_LIP_OUT = 0.022
_MAX_LIP = 0.8  # of the height of a tile's lowest side
_COLLAR, _MOST_COLLAR = 0.02, 0.2  # depth, and the most of it in steps
_COLLAR_FAN = [(0, 2, 3), (0, 3, 1)]
_LIP_FANS = np.array(
    [
        [*_COLLAR_FAN, (0, 4, 5), (0, 5, 6), (0, 6, 1), (1, 6, 7)],
        [*_COLLAR_FAN, (0, 4, 5), (0, 5, 1), (1, 5, 6), (1, 6, 7)],
    ],
    dtype=np.uint32,
)
"""Triangles between the two ends of an edge, the two lower points of the collar and the four of the
lip, by the lower of the middle ones."""


@dataclass(frozen=True)
class _Edges:
    """The `e` edges of a patch with lower ground beyond: their tile, direction and levels."""

    tile: NDArray[np.int64]
    direction: NDArray[np.int64]
    top: NDArray[np.int64]
    foot: NDArray[np.int64]
    beside: NDArray[np.int64]  # (e, 2): ground in front to the left and right
    is_open: NDArray[np.bool_]  # (e, 2): the tile's side around the corner is visible too
    corner_coords: NDArray[np.int32]  # (e, 2, 2): corners at the left and right end
    xy: NDArray[np.float32]  # (e, 2, 2): (x, y) of these corners
    out: NDArray[np.float32]  # (e, 3): heading of the side
    is_fall: NDArray[np.bool_]  # (e,): liquid falls here to lower ground of the map

    @property
    def stride(self) -> NDArray[np.int64]:
        """Levels of a band; the last one of a side may have fewer."""
        return -(-(self.top - self.foot) // MAX_BANDS)


def sides(patch: Patch) -> list[MeshData]:
    """Return the meshes of the visible sides of a patch: bands of strata, and lips over them."""
    edges = _edges(patch)
    if not len(edges.tile):
        return []
    collars = _collars(patch, edges)
    return [_bands(patch, edges, collars), _lips(patch, edges, collars)]


def plain_sides(patch: Patch) -> list[MeshData]:
    """Return the meshes of the visible sides of a patch, without lips."""
    edges = _edges(patch)
    return [_bands(patch, edges)] if len(edges.tile) else []


def _edges(patch: Patch) -> _Edges:
    lattice, levels = patch.lattice, patch.levels
    direction, tile = np.nonzero(patch.drops)
    count = len(patch.z)
    # Indices into flat arrays, because numpy takes from these much faster.
    corner = tile[:, None] * lattice.sides + lattice.ends[direction]
    out = np.zeros((len(direction), 3), dtype=np.float32)
    out[:, :2] = lattice.out[direction]
    foot = levels.foot.ravel().take(direction * count + tile)
    is_fall = patch.palette.is_liquid.take(patch.kind.take(tile))
    is_fall &= (foot > base_level(patch.tilemap.step_height)) & (patch.deck == 0)
    return _Edges(
        tile,
        direction,
        levels.level.take(tile),
        foot,
        levels.around.ravel().take(lattice.beside[direction] * count + tile[:, None]),
        patch.drops.ravel().take(lattice.turns[direction] * count + tile[:, None]),
        patch.corner_coords.reshape(-1, 2).take(corner, axis=0),
        patch.corners.reshape(-1, 2).take(corner, axis=0),
        out,
        is_fall,
    )


def _collars(patch: Patch, edges: _Edges) -> NDArray[np.float32]:
    """Return the (e, 2, 3) lower points, left and right, of a side's strip right below the top.

    The strip has the look of the lip before it, because there both are too near to each other for
    renderers to tell which is in front.
    """
    part = np.array((1.0, 2.0), dtype=np.float32)[:, None] / np.float32(3.0)
    points = np.empty((len(edges.tile), 2, 3), dtype=np.float32)
    points[..., :2] = edges.xy[:, :1] + part * (edges.xy[:, 1:] - edges.xy[:, :1])
    depth = min(_COLLAR, _MOST_COLLAR * patch.tilemap.step_height)
    points[..., 2] = patch.z.take(edges.tile)[:, None] - np.float32(depth)
    return points


def _bands(patch: Patch, edges: _Edges, collars: NDArray[np.float32] | None = None) -> MeshData:
    """Return the bands of strata of all edges, below the collars if there are any.

    Bands of one level are quads. Others are cut where the sides that they meet have corners.
    """
    stride = edges.stride
    edge, index = runs(-(-(edges.top - edges.foot) // stride))
    high = edges.top[edge] - index * stride[edge]
    low = np.maximum(edges.foot[edge], high - stride[edge])
    tone = _tones(patch, edges.tile[edge], index, edges.top[edge] - high, low)
    light = _light(edges, edge, index, low, high)
    kind, is_fall = patch.kind[edges.tile[edge]], edges.is_fall[edge]
    own = patch.palette.pattern[kind]
    is_stone = patch.palette.is_rock[kind] | ((index == 0) & (own == STONE))
    surface = surface_of(np.where(is_fall, own, np.where(is_stone, STONE, SOFT)))[:, None]
    tone[is_fall], light[is_fall] = patch.palette.top[kind[is_fall]], _FULL
    is_tall = stride > 1
    at = np.nonzero(~is_tall[edge])[0]
    side = np.array((0, 1, 1, 0))
    level = np.stack([low[at], low[at], high[at], high[at]], axis=1)
    shades = lit(tone[at], light[at])
    parts = _faces(patch, edges, edge[at], side, level, shades, surface[at], collars)
    if is_tall.any():
        number, side, level = _cuts(patch, edges, np.nonzero(is_tall)[0])
        first = np.searchsorted(edge, number)
        at = first + (edges.top[number] - level.max(axis=1)) // stride[number]
        part = (level - low[at, None]) / (high - low)[at, None]
        rows = np.arange(len(at))[:, None]
        below, above = light[at][rows, side], light[at][rows, 3 - side]
        shades = lit(tone[at], below + (above - below) * part.astype(np.float32))
        parts += _faces(patch, edges, number, side, level, shades, surface[at], collars)
    return MeshData.join(parts)


def _faces(
    patch: Patch,
    edges: _Edges,
    edge: NDArray[np.int64],
    side: NDArray[np.int64],
    level: NDArray[np.int64],
    colors: NDArray[np.float32],
    surface: NDArray[np.void],
    collars: NDArray[np.float32] | None,
) -> list[MeshData]:
    """Return faces in sides; (b, c) corners are at levels on the left (0) or right (1).

    The last two are the ends of the upper edge, if the face has it; the collar is cut out there.
    """
    positions = np.empty((*level.shape, 3), dtype=np.float32)
    positions[..., :2] = edges.xy[edge[:, None], side]
    positions[..., 2] = patch.z_at(level)
    falls = np.nonzero(edges.is_fall[edge])[0]
    above = (level[falls] - edges.foot[edge[falls], None]) / np.float32(_FOAMING)
    colors[falls] += (_FOAM - colors[falls]) * np.maximum(1.0 - above, 0.0)[..., None]
    is_upper = (level[:, -2:] == edges.top[edge, None]).all(axis=1) & (collars is not None)
    parts = []
    for at, is_cut in ((~is_upper, False), (is_upper, True)):
        points, shades = positions[at], colors[at]
        if is_cut and collars is not None:
            middles = collars[edge[at], ::-1]
            points = np.concatenate([points[:, :-1], middles, points[:, -1:]], axis=1)
            shades = shades[:, [*range(shades.shape[1] - 1), -2, -1, -1]]
        fan = [(0, i, i + 1) for i in range(1, points.shape[1] - 1)]
        triangles = fans(len(points), points.shape[1], fan)
        out = edges.out.take(edge[at], axis=0)[:, None]
        parts.append(MeshData.of(points, out, shades, surface[at], triangles))
    return parts


def _cuts(
    patch: Patch, edges: _Edges, tall: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Cut tall sides into triangles with a corner wherever one of the sides that meet there has.

    Returns their (t,) edges, and of their (t, 3) corners the ends of these, and the levels.
    """
    meeting = [_breaks(edges)]
    for near in patch.around():
        meeting.append(_breaks(_edges(near)))
        if near.deck:
            flat = np.stack([near.levels.level, near.levels.under], axis=1)
            level = np.repeat(flat, near.lattice.sides, axis=0)
            meeting.append((_places(near.corner_coords), np.pad(level, _TO_BREAKS, mode="edge")))
    place, every = (np.concatenate(each) for each in zip(*meeting, strict=True))
    order = np.argsort(place, kind="stable")
    own = _places(edges.corner_coords[tall])
    first, last = (np.searchsorted(place[order], own, side) for side in ("left", "right"))
    group, index = runs(last - first)
    foot, height = edges.foot[tall].repeat(2), (edges.top - edges.foot)[tall].repeat(2)
    found = every[order[first[group] + index]] - foot[group, None]
    # Numbers of end and level in one, sorted: a piece of an end lies between two of the same end.
    span = int(height.max()) + 1
    start = np.arange(len(foot)) * span
    inner = (start[group, None] + found)[(found > 0) & (found < height[group, None])]
    line, level = np.divmod(np.sort(np.concatenate([start, start + height, inner])), span)
    is_piece = (line[1:] == line[:-1]) & (level[1:] > level[:-1])
    line, low, high = line[1:][is_piece], level[:-1][is_piece], level[1:][is_piece]
    order = np.lexsort((high, line // 2))
    line, low, high = line[order], low[order], high[order]
    # Opposite of each piece is the end of the last piece before it on the other side.
    pair, side = np.divmod(line, 2)
    ends = [
        np.maximum.accumulate(pair * span + np.where(side == each, high, 0)) - pair * span
        for each in (1, 0)
    ]
    opposite = np.where(side == 0, *ends)
    across = np.stack([side, 1 - side, side], axis=1)
    up = np.stack([low, opposite, high], axis=1)
    for corners in (across, up):  # counter-clockwise as seen from outside
        corners[side == 1, 1:] = corners[side == 1, :0:-1]
    number = tall[pair]
    return number, across, up + edges.foot[number, None]


def _places(corner_coords: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return (n,) corners as single numbers."""
    east, north = corner_coords.astype(np.int64).reshape(-1, 2).T
    return (east << 32) + north


def _breaks(edges: _Edges) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the (2 e,) ends of edges, and (2 e, MAX_BANDS + 1) levels where bands end there.

    Levels may repeat.
    """
    below = edges.stride[:, None] * np.arange(MAX_BANDS + 1)
    level = np.maximum(edges.top[:, None] - below, edges.foot[:, None])
    return _places(edges.corner_coords), np.repeat(level, 2, axis=0)


def _tones(
    patch: Patch,
    tile: NDArray[np.int64],
    index: NDArray[np.int64],
    below: NDArray[np.int64],
    low: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the earth tone of each band; upper bands and those of decks resemble the kind.

    Bands fewer levels `below` the top than the depth of the kind show liquid, darker downward.
    """
    kind = patch.kind.take(tile)
    flank = patch.palette.flank.take(kind, axis=0)
    if patch.deck:
        return flank
    is_rock = patch.palette.is_rock.take(kind)
    tone = _TONES.take(low % len(STRATA) + len(STRATA) * is_rock, axis=0)
    flank -= tone
    flank *= _FLANK_SHARE.take(np.minimum(index, len(_FLANK_SHARE) - 1))[:, None]
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
    low: NDArray[np.int64],
    high: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the (b, 4) light at the corners of bands, darker at the foot and in inner corners."""
    light = np.empty((len(edge), 4), dtype=np.float32)
    light[:, :2] = np.where(low == edges.foot[edge], _FOOT, _CLEAR)[:, None]
    light[:, 2:] = np.where(index == 0, _BELOW_LIP, _FULL)[:, None]
    beside = edges.beside.take(edge, axis=0)
    light[:, :2] *= np.where(beside > low[:, None], _NOOK, _FULL)
    light[:, 3:1:-1] *= np.where(beside >= high[:, None], _NOOK, _FULL)
    return light


def _lips(patch: Patch, edges: _Edges, collars: NDArray[np.float32]) -> MeshData:
    """Return lips and collars: the ground of the top hangs from each edge, with a ragged end.

    An upper edge has no corners but those of the top, which it shares.
    """
    kind, count = patch.kind[edges.tile], 4 + _LIP_POINTS
    positions = np.empty((len(kind), count, 3), dtype=np.float32)
    positions[:, :2, :2] = edges.xy
    positions[..., 2] = patch.z.take(edges.tile)[:, None]
    positions[:, 2:4] = collars
    positions[:, 4:, :2] = _lip_points(patch, edges)
    lengths = _lip_lengths(patch, edges)
    positions[:, 4:, 2] -= lengths
    normals = np.repeat(edges.out, count, axis=0).reshape(positions.shape)
    normals[:, :4] *= np.float32(0.6)
    normals[:, :4, 2] = 0.8
    shade = np.array([1.06] * 4 + [0.84] * _LIP_POINTS, dtype=np.float32)
    colors = patch.tones.take(edges.tile, axis=0)[:, None] * shade[:, None]
    surface = surface_of(patch.palette.pattern[kind])[:, None]
    first = np.arange(len(kind), dtype=np.uint32) * np.uint32(count)
    triangles = _LIP_FANS[(lengths[:, 2] > lengths[:, 1]).astype(np.intp)] + first[:, None, None]
    return MeshData.of(positions, normals, colors, surface, triangles)


def _lip_points(patch: Patch, edges: _Edges) -> NDArray[np.float32]:
    """Return the (e, _LIP_POINTS, 2) x and y of the lower points of lips."""
    part = np.linspace(0.0, 1.0, _LIP_POINTS, dtype=np.float32)
    lower = np.empty((len(edges.tile), _LIP_POINTS, 2), dtype=np.float32)
    miter = patch.lattice.miter[edges.direction] * edges.is_open[:, :, None]
    miter *= np.float32(_LIP_OUT)
    for axis in (0, 1):
        start, end, out = edges.xy[:, 0, axis], edges.xy[:, 1, axis], edges.out[:, axis]
        np.multiply((end - start)[:, None], part, out=lower[..., axis])
        lower[..., axis] += (start + np.float32(_LIP_OUT) * out)[:, None]
        lower[:, 0, axis] += miter[:, 0, axis]
        lower[:, -1, axis] += miter[:, 1, axis]
    return lower


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
    depth = np.where(patch.drops, patch.z - patch.z_at(patch.levels.foot), np.inf).min(axis=0)
    np.minimum(length, _MAX_LIP * depth.take(edges.tile)[:, None], out=length)
    return length
