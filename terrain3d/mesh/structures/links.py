"""Mesh links: a structure on the edge that a link crosses, else a mark at each end.

Mesh round marks on tiles: glowing pads of teleporters, and plain rings for other links.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.grid import Cell, Rect
from terrain3d.grid.links import Link
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import GLOW, SOFT, STONE, MeshData, runs
from terrain3d.mesh.ground.lattice import chance
from terrain3d.mesh.ground.paint import MASONRY, WOOD
from terrain3d.mesh.solids import facets
from terrain3d.mesh.structures.walls import DOOR_KIND, TileEdges, beams, doors, posts

HUES = np.array(
    [
        (0.62, 0.42, 1.00),
        (0.25, 0.85, 0.95),
        (1.00, 0.55, 0.25),
        (0.98, 0.40, 0.70),
        (0.55, 0.95, 0.40),
        (1.00, 0.85, 0.30),
    ],
    dtype=np.float32,
)
"""Both ends of a link have the same hue."""

_SEGMENTS = 18
_RIM_IN, _RIM_OUT, _RIM_HEIGHT = 0.395, 0.465, 0.05
_DISC_LIFT = 0.012
_WHIRL, _ARMS = (0.0, 0.13, 0.26, _RIM_IN), 3
_DIM = 0.8
_SHARDS = (
    (0.40, 0.30),
    (0.38, 0.52),
    (0.41, 0.40),
)  # distance from the center, and height above the top
_SHARD_HALF, _SHARD_TALL = 0.032, 0.075
_MARK_IN, _MARK_OUT, _MARK_HEIGHT = 0.29, 0.36, 0.03
_PALE = np.array((0.86, 0.82, 0.74), dtype=np.float32)

Points = NDArray[np.float64]


@dataclass(frozen=True)
class LinkEnds:
    """The ends of `m` links: (m, 3) centers of their tiles' tops, and sizes, 1 for a full mark.

    `hue` is an index into HUES; `leads` is whether the link can be entered at this end.
    """

    centers: Points
    size: NDArray[np.float64]
    hue: NDArray[np.intp]
    leads: NDArray[np.bool_]


def teleporters(ends: LinkEnds) -> list[MeshData]:
    """Return pads of teleporters; shards float over those that can be entered."""
    rim = _ring(ends, _RIM_IN, _RIM_OUT, _RIM_HEIGHT)
    parts = [facets(rim, MASONRY * _DIM, STONE), *_disc(ends)]
    if ends.leads.any():
        parts.append(_shards(ends.centers[ends.leads], HUES[ends.hue[ends.leads]]))
    return parts


def marks(ends: LinkEnds) -> list[MeshData]:
    """Return plain rings."""
    colors = 0.5 * _PALE + 0.5 * HUES[ends.hue]
    ring = _ring(ends, _MARK_IN, _MARK_OUT, _MARK_HEIGHT)
    return [facets(ring, colors[:, None, None, None], SOFT)]


def _circle(ends: LinkEnds, reach: float, z: float) -> Points:
    """Return (m, _SEGMENTS + 1, 3) points around the ends, counter-clockwise and closed."""
    turn = np.arange(_SEGMENTS + 1) * (2.0 * np.pi / _SEGMENTS)
    unit = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)])
    wide = reach * ends.size[:, None, None]
    return ends.centers[:, None] + unit * wide + (0.0, 0.0, z)


def _ring(ends: LinkEnds, inner: float, outer: float, height: float) -> Points:
    """Return the (m, 3, _SEGMENTS, 4, 3) faces of flat rings: outside, top, inside."""
    low_out, high_out, high_in, low_in = (
        _circle(ends, reach, z)
        for reach, z in ((outer, -0.01), (outer, height), (inner, height), (inner, -0.01))
    )
    bands = ((high_out, low_out), (high_in, high_out), (low_in, high_in))
    return np.stack([_quads(a, b) for a, b in bands], axis=1)


def _quads(a: Points, b: Points) -> Points:
    """Return the (m, _SEGMENTS, 4, 3) faces between circles `a` and circles `b` around them."""
    return np.stack([a[:, 1:], a[:, :-1], b[:, :-1], b[:, 1:]], axis=2)


def _disc(ends: LinkEnds) -> list[MeshData]:
    """Return the whirl of light in a pad: a bright center with curved arms."""
    rings = [_circle(ends, reach, _DISC_LIFT) for reach in _WHIRL]
    colors = [_whirl(HUES[ends.hue], reach) for reach in _WHIRL]
    quads, shades = (
        np.stack([_quads(a, b) for a, b in pairwise(around)], axis=1) for around in (rings, colors)
    )
    return [
        facets(quads[:, 0, :, 1:], shades[:, 0, :, 1:], GLOW),  # the innermost faces are triangles
        facets(quads[:, 1:], shades[:, 1:], GLOW),
    ]


def _whirl(hue: NDArray[np.float32], reach: float) -> Points:
    """Return the (m, _SEGMENTS + 1, 3) colors of a whirl at a distance from its center."""
    turn = np.arange(_SEGMENTS + 1) * (2.0 * np.pi / _SEGMENTS)
    arm = 0.62 + 0.38 * np.cos(_ARMS * turn - 9.0 * reach)
    white = (1.0 - reach / _WHIRL[-1]) ** 2
    colors: Points = hue[:, None] * ((1.0 - white) * arm)[:, None] + white
    return colors


def _shards(centers: Points, hue: NDArray[np.float32]) -> MeshData:
    """Return slim octahedra over the rims of pads."""
    faces = []
    up = np.array((0.0, 0.0, _SHARD_TALL))
    for number, (reach, z) in enumerate(_SHARDS):
        turn = 2.0 * np.pi * (number + 0.2) / len(_SHARDS)
        middle = centers + np.array((reach * np.cos(turn), reach * np.sin(turn), z))
        around = [
            middle + _SHARD_HALF * np.array((np.cos(side), np.sin(side), 0.0))
            for side in turn + np.arange(5) * (np.pi / 2.0)
        ]
        faces += [np.stack([a, b, middle + up], axis=1) for a, b in pairwise(around)]
        faces += [np.stack([b, a, middle - up], axis=1) for a, b in pairwise(around)]
    colors = 0.35 + 0.65 * hue
    return facets(np.stack(faces, axis=1), colors[:, None, None], GLOW)


TELEPORTER = "teleporter"

_POLE_HALF, _RUNG_HALF, _RUNG_HEIGHT = 0.024, 0.016, 0.028
_LADDER_HALF_WIDTH, _LADDER_GAP = 0.17, 0.05  # the gap is that to the cliff
_RUNG_SPACING, _POLE_OVERHANG = 0.13, 0.16  # poles end above the higher surface

_STAIR_RISE, _MAX_STEPS = 0.11, 24
_STAIR_RUN = 0.36  # length on the lower tile, so that a figure at its center has room
_STAIR_WIDTH = 0.62  # as a part of the edge
_STAIR_SUNK = 0.02  # depth in the ground
_EVEN_LIGHT = 0.94  # brightness of every other step, so that steps differ from afar
# Of the arrow that marks a ledge, bent over the edge of the higher tile:
_TAIL, _NECK, _TIP = -0.34, 0.10, 0.30  # along the arrow, measured from the edge
_SHAFT, _HEAD = 0.065, 0.17  # half of the widths
_OFF, _LIFT = 0.026, 0.006  # distance from the cliff, clear of its lip, and from the top
_OUTLINE_GAP = 0.004
_LAYERS = (((0.24, 0.17, 0.12), 0.03, 0.0), ((0.98, 0.90, 0.62), 0.0, _OUTLINE_GAP))
"""Color, extra width and extra distance of the outline and of the arrow."""

_SHRINK = 0.8  # size of a mark relative to the one before on the same tile
_SALT = 200


def ladders(edges: TileEdges) -> list[MeshData]:
    """Return ladders from the lower surface of each pair to the higher one."""
    middle = edges.middle - edges.uphill * _LADDER_GAP
    aside = edges.aside * _LADDER_HALF_WIDTH
    foot, head = edges.low_z, edges.high_z
    wood = np.tile(WOOD, (len(foot), 1))
    parts = [
        posts(middle + side * aside, edges.ahead, _POLE_HALF, foot, head + _POLE_OVERHANG, wood)
        for side in (-1.0, 1.0)
    ]
    count = np.ceil((head - foot + 0.5 * _POLE_OVERHANG) / _RUNG_SPACING - 1.0).astype(np.int64)
    ladder, rung = runs(count)
    low = foot[ladder] + _RUNG_SPACING * (1 + rung)
    start, along = (middle - aside)[ladder], 2.0 * aside[ladder]
    return [*parts, beams(start, along, _RUNG_HALF, low, low + _RUNG_HEIGHT, wood[ladder])]


def stairs(edges: TileEdges) -> list[MeshData]:
    """Return stairs from the lower surface of each pair to the higher one: 24 steps at most."""
    foot, head = edges.low_z, edges.high_z
    count = np.clip(np.rint((head - foot) / _STAIR_RISE).astype(np.int64) - 1, 1, _MAX_STEPS)
    flight, step = runs(count)
    tread = (_STAIR_RUN / count)[flight, None] * edges.uphill[flight]
    # Each step is a beam as deep as its tread, from the ground up.
    start = (edges.middle - _STAIR_RUN * edges.uphill)[flight] + tread * step[:, None]
    high = foot[flight] + ((head - foot) / (count + 1))[flight] * (step + 1)
    light = np.where(step % 2 == 0, 1.0, _EVEN_LIGHT).astype(np.float32)
    return [
        beams(
            start,
            tread,
            0.5 * _STAIR_WIDTH * edges.length,
            foot[flight] - _STAIR_SUNK,
            high,
            edges.built[flight] * light[:, None],
            edges.pattern[flight],
        )
    ]


def ledges(edges: TileEdges) -> list[MeshData]:
    """Return arrows over the edges of the higher surface of each pair."""
    # The arrow is shorter on a low cliff.
    neck, tip = np.minimum(1.0, 0.8 * (edges.high_z - edges.low_z) / _TIP) * [[_NECK], [_TIP]]
    edge = np.zeros_like(neck)
    parts = []
    for color, wider, gap in _LAYERS:
        shaft, head = _SHAFT + wider, _HEAD + 1.7 * wider
        tail = edge + _TAIL - wider
        throat, point = neck * (1.0 - wider / _NECK), tip * (1.0 + 1.5 * wider / _TIP)
        for right, along in (
            ((-shaft, shaft, shaft, -shaft), (tail, tail, edge, edge)),
            ((-shaft, shaft, shaft, -shaft), (edge, edge, throat, throat)),
            ((-head, head, 0.0), (throat, throat, point)),
        ):
            corners = _bent(edges, right, np.stack(along, axis=1), gap)
            parts.append(facets(corners, color, SOFT))
    return parts


def _bent(
    edges: TileEdges, right: ArrayLike, along: NDArray[np.float64], gap: float
) -> NDArray[np.float64]:
    """Return the (m, c, 3) corners of flat outlines, bent over the edges.

    `right` is (c,) and `along` (m, c), both measured from the edge; `along` > 0 is down the cliff.
    """
    downhill = -edges.uphill
    aside = np.stack([downhill[:, 1], -downhill[:, 0]], axis=1)
    out = np.where(along < 0.0, along, _OFF + gap)
    corners = np.empty((*along.shape, 3))
    corners[..., :2] = (
        edges.middle[:, None]
        + downhill[:, None] * out[..., None]
        + aside[:, None] * np.asarray(right)[:, None]
    )
    corners[..., 2] = edges.high_z[:, None] + _LIFT + gap - np.maximum(along, 0.0)
    return corners


_STRUCTURES: dict[str, Callable[[TileEdges], list[MeshData]]] = {
    "ladder": ladders,
    "stairs": stairs,
    "ledge": ledges,
    DOOR_KIND: doors,
}


def links(tilemap: TileMap, rect: Rect) -> list[MeshData]:
    """Return the structures of links that start in a rectangle, and the marks of other links."""
    built: defaultdict[str, list[Link]] = defaultdict(list)
    marked: defaultdict[bool, list[Link]] = defaultdict(list)
    for link in tilemap.links_in(rect):
        if not _is_built(tilemap, link):
            marked[link.kind == TELEPORTER].append(link)
        elif rect.holds(link.start):
            built[link.kind].append(link)
    parts: list[MeshData] = []
    for kind, found in built.items():
        parts += _STRUCTURES[kind](
            TileEdges.between(tilemap, [(link.start, link.end) for link in found])
        )
    for is_teleporter, found in marked.items():
        ends = _ends(tilemap, rect, found)
        parts += teleporters(ends) if is_teleporter else marks(ends)
    return parts


def _is_built(tilemap: TileMap, link: Link) -> bool:
    """Return whether the link's kind has a structure that fits on the edge between its ends."""
    start, end = link.start, link.end
    if link.kind not in _STRUCTURES:
        return False
    step = end.row - start.row, end.col - start.col
    if step not in tilemap.grid.steps_from(start.row, start.col):
        return link.kind == "ladder" and step == (0, 0)
    return link.kind == DOOR_KIND or tilemap.level_at(start) != tilemap.level_at(end)


def _ends(tilemap: TileMap, rect: Rect, found: list[Link]) -> LinkEnds:
    """Return the ends of links in a rectangle; each further mark on a tile is smaller."""
    count: Counter[Cell] = Counter()
    centers, sizes, hues, leads = [], [], [], []
    for link in found:
        for end, leads_on in ((link.start, True), (link.end, not link.one_way)):
            if rect.holds(end):
                centers.append(tilemap.surface_point(end))
                sizes.append(_SHRINK ** count[end])
                hues.append(_hue(link))
                leads.append(leads_on)
                count[end] += 1
    return LinkEnds(np.array(centers), np.array(sizes), np.array(hues), np.array(leads))


def _hue(link: Link) -> int:
    """Return the hue of both ends of a link, which depends on their cells."""
    start, end = link.start, link.end
    row, col = start.row * 31 + end.row, start.col * 31 + end.col
    return int(chance(row, col, _SALT + start.deck + 8 * end.deck)[0] * len(HUES))
