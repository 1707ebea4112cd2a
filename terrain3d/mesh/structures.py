"""Structures on the edges between tiles: walls, rails, doors, ladders, stairs; marks of links.

Walls that block both directions are low masonry, one-way walls are stakes. A link without a
structure on an edge has a mark at each end: the pad of a teleporter, or a plain ring.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.grid import Cell, Rect
from terrain3d.grid.kinds import GLOW, SOFT, STONE
from terrain3d.grid.links import Link
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData, circle, fans, runs, surface_of
from terrain3d.mesh.ground.lattice import Lattice, chance
from terrain3d.mesh.ground.paint import MASONRY, WOOD, KindPalette
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.solids import facets

_LIGHT = np.array([1.55, 0.7, 1.2, 1.2, 1.2, 1.2], dtype=np.float32)  # brightness of each face

# Bits of a corner's index: 4 at the end, 2 to the right, 1 above.
_FACES = np.array(
    [(3, 7, 5, 1), (0, 4, 6, 2), (4, 0, 1, 5), (2, 6, 7, 3), (0, 2, 3, 1), (6, 4, 5, 7)]
)
"""Above, below, to the left, to the right, at the start, at the end."""

_INSET = 0.10  # distance from the edge of a cliff

Vectors = NDArray[np.floating]


def beams(
    start: Vectors,
    along: Vectors,
    half: float,
    low: NDArray[np.floating],
    high: NDArray[np.floating],
    color: ArrayLike,
    pattern: ArrayLike = SOFT,
) -> MeshData:
    """Return `m` level beams from `start` to `start + along`, (m, 2) in world units.

    `half` is half of their width, `low` and `high` are the heights of their bottoms and tops.
    `color` is one for all or (m, 3), and so is `pattern`, a surface pattern of `mesh.data`.
    """
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    left = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    count = len(start)
    corners = np.empty((count, 2, 2, 2, 3), dtype=np.float32)
    for end in range(2):
        for right in range(2):
            xy = start + end * along + (half - 2.0 * half * right) * left
            corners[:, end, right, :, :2] = xy[:, None]
    corners[..., 0, 2], corners[..., 1, 2] = low[:, None, None], high[:, None, None]
    positions = corners.reshape(count, 8, 3)[:, _FACES]
    normals = np.zeros((count, 6, 3), dtype=np.float32)
    normals[:, 0, 2], normals[:, 1, 2] = 1.0, -1.0
    normals[:, 2, :2], normals[:, 3, :2] = left, -left
    normals[:, 4, :2], normals[:, 5, :2] = -unit, unit
    colors = np.asarray(color, np.float32)[..., None, :] * _LIGHT[:, None]
    return MeshData.of(
        positions,
        normals[:, :, None],
        colors[..., None, :],
        surface_of(np.reshape(pattern, (-1, 1, 1))),
        fans(6 * count, 4, [(0, 1, 2), (0, 2, 3)]),
    )


def posts(
    foot: Vectors,
    unit: Vectors,
    half: float,
    low: NDArray[np.floating],
    high: NDArray[np.floating],
    color: ArrayLike,
    pattern: ArrayLike = SOFT,
) -> MeshData:
    """Return square posts around (m, 2) points, a side facing a unit vector; see `beams`."""
    thick = unit * (2.0 * half)
    return beams(foot - 0.5 * thick, thick, half, low, high, color, pattern)


@dataclass(frozen=True)
class TileEdges:
    """Edges between `m` pairs of surfaces in neighboring columns.

    For two surfaces of one column, the edge is that of the column in the first direction.
    """

    middle: Vectors
    """(m, 2) midpoints of the edges."""
    ahead: Vectors
    """(m, 2) unit vectors from the first surface to the second."""
    aside: Vectors
    """(m, 2) unit vectors to the left of these."""
    length: float
    z: Vectors
    """(2, m) heights of the first and the second surface."""
    built: NDArray[np.float32]
    """(m, 3) colors of structures on the higher surface."""
    pattern: NDArray[np.float32]
    """(m,) their surface patterns."""

    @classmethod
    def between(cls, tilemap: TileMap, pairs: Sequence[tuple[Cell, Cell]]) -> Self:
        """Return the edges between at least one pair of surfaces."""
        lattice, palette = Lattice.of(tilemap.grid), KindPalette.of(tilemap.kinds)
        row, col, deck = np.array(pairs, dtype=np.int64).transpose(2, 1, 0)
        start, end = (tilemap.grid.centers(row[side], col[side]) for side in (0, 1))
        ahead = end - start
        ahead[(ahead == 0.0).all(axis=1)] = lattice.out[0]
        level = tilemap.surface_level[deck, row, col]
        higher = np.where(level[1] > level[0], 1, 0), np.arange(len(pairs))
        kind = tilemap.surface_kind[deck, row, col][higher]
        return cls(
            middle=start + 0.5 * ahead,
            ahead=ahead,
            aside=np.stack([-ahead[:, 1], ahead[:, 0]], axis=1),
            length=lattice.edge,
            z=level * tilemap.step_height,
            built=palette.built[kind],
            pattern=palette.built_pattern[kind],
        )

    @property
    def uphill(self) -> Vectors:
        """(m, 2) unit vectors from the lower surface to the higher one; `ahead` on level ground."""
        return self.ahead * np.where(self.z[1] < self.z[0], -1.0, 1.0)[:, None]

    @property
    def low_z(self) -> NDArray[np.float64]:
        """(m,) heights of the lower surfaces."""
        low: NDArray[np.float64] = self.z.min(axis=0)
        return low

    @property
    def high_z(self) -> NDArray[np.float64]:
        """(m,) heights of the higher surfaces."""
        high: NDArray[np.float64] = self.z.max(axis=0)
        return high

    @property
    def standing_points(self) -> Vectors:
        """(m, 2) points at the middle of each edge that a structure can stand on.

        On level ground they are on the edge, else _INSET from it on the higher surface.
        """
        step = np.where(self.z[0] == self.z[1], 0.0, _INSET)
        return self.middle + self.uphill * step[:, None]


DOOR_KIND, TELEPORTER = "door", "teleporter"
HALF_WIDTH = 0.27
"""Distance from the middle of the edge to the center of a door's post."""

_SUNK = 0.02  # depth in the ground, so that no gap shows below
_DOOR_POST_HALF, _DOOR_HEIGHT = 0.035, 0.98
_LINTEL_HALF, _LINTEL_LOW, _LINTEL_OVERHANG = 0.045, 0.88, 0.06
_LEAF_HALF, _LEAF_LOW, _LEAF_HIGH = 0.02, 0.02, 0.87
_AJAR = np.radians(38.0)
_FRAME, _LEAF, _KNOB = (0.30, 0.20, 0.13), (0.52, 0.28, 0.15), (0.85, 0.68, 0.30)
_KNOB_HALF, _KNOB_Z = 0.024, 0.43


def doors(edges: TileEdges) -> list[MeshData]:
    """Return doors that open from the first surface of each pair to the second: a leaf ajar."""
    middle, z, top = edges.standing_points, edges.high_z, edges.high_z + _DOOR_HEIGHT
    hinge, latch = (middle + edges.aside * (side * HALF_WIDTH) for side in (1.0, -1.0))
    frame = [
        posts(foot, edges.ahead, _DOOR_POST_HALF, z - _SUNK, top, _FRAME) for foot in (hinge, latch)
    ]
    overhang = edges.aside * _LINTEL_OVERHANG
    start, across = latch - overhang, hinge - latch + 2.0 * overhang
    along = -edges.aside * np.cos(_AJAR) + edges.ahead * np.sin(_AJAR)
    width = 2.0 * (HALF_WIDTH - _DOOR_POST_HALF)
    leaf = hinge - edges.aside * _DOOR_POST_HALF
    knob = leaf + along * (0.86 * width)
    return [
        *frame,
        beams(start, across, _LINTEL_HALF, z + _LINTEL_LOW, top + 0.02, _FRAME),
        beams(leaf, along * width, _LEAF_HALF, z + _LEAF_LOW, z + _LEAF_HIGH, _LEAF),
        posts(knob, along, _KNOB_HALF, z + _KNOB_Z, z + _KNOB_Z + 0.05, _KNOB),
    ]


_HALF, _HEIGHT = 0.055, 0.25
_CAP_HALF, _CAP_HEIGHT = 0.075, 0.30
_POST_HALF, _POST_HEIGHT = 0.09, 0.36
_MARK_HEIGHT, _MARK_HALF = 0.22, 0.07
_BRIGHT = np.float32(1.12)  # coping and posts
_STAKES_PER_UNIT = 5
_STAKE_HALF, _STAKE_HEIGHT, _LEAN = 0.055, 0.40, 0.24
_RAIL_HALF, _RAIL_LOW, _RAIL_HIGH = 0.035, 0.05, 0.13

_MIN_FALL = 2  # the lowest drop, in levels, that gets a rail
_DECK_INSET = 0.06
_DECK_POSTS = (1.0 / 6.0, 5.0 / 6.0)  # as parts of the edge
_DECK_POST_HALF, _DECK_POST_HEIGHT = 0.028, 0.27
_BAR_HALF, _BAR_LOW, _BAR_HIGH = 0.02, 0.185, 0.23


def walls(tilemap: TileMap, rect: Rect) -> list[MeshData]:
    """Return the walls that start in a rectangle, at the height of their higher side."""
    found = [wall for wall in tilemap.walls_in(rect) if rect.holds(wall.start)]
    parts: list[MeshData] = []
    for build, is_one_way in ((_masonry, False), (_stakes, True)):
        pairs = [(wall.start, wall.end) for wall in found if wall.one_way == is_one_way]
        if pairs:
            has_door = np.array([_has_door(tilemap, *pair) for pair in pairs])
            parts += build(TileEdges.between(tilemap, pairs), has_door)
    return parts


def edge_bars(tilemap: TileMap, pairs: Sequence[tuple[Cell, Cell]], color: ArrayLike) -> MeshData:
    """Return bars of one color on the edges between at least one pair of surfaces."""
    edges = TileEdges.between(tilemap, pairs)
    along = edges.aside * edges.length
    start, high = edges.middle - 0.5 * along, edges.high_z + _MARK_HEIGHT
    return beams(start, along, _MARK_HALF, edges.high_z, high, color)


def _has_door(tilemap: TileMap, start: Cell, end: Cell) -> bool:
    """Return whether a door joins two surfaces, in either direction."""
    return any(
        link.kind == DOOR_KIND and {link.start, link.end} == {start, end}
        for link in tilemap.links_in(Rect(start.row, start.col, 1, 1))
    )


def rails(patch: Patch) -> list[MeshData]:
    """Return rails on the deep edges of a deck's planked tiles."""
    lattice, levels = patch.lattice, patch.levels
    is_deep = levels.around[: lattice.sides] <= levels.level - _MIN_FALL
    side, tile = np.nonzero(is_deep & patch.palette.has_boards[patch.kind])
    if not len(tile):
        return []
    edges = lattice.outline[lattice.ends[side]] - lattice.out[side, None] * _DECK_INSET
    start, along = edges[:, 0] + patch.center[tile], edges[:, 1] - edges[:, 0]
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    color, z = patch.palette.flank[patch.kind[tile]], patch.z[tile]
    parts = [
        posts(start + along * part, unit, _DECK_POST_HALF, z, z + _DECK_POST_HEIGHT, color)
        for part in _DECK_POSTS
    ]
    return [*parts, beams(start, along, _BAR_HALF, z + _BAR_LOW, z + _BAR_HIGH, color)]


def _spans(
    edges: TileEdges, has_door: NDArray[np.bool_], middle: Vectors
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Return the closed parts of the edges: index of the edge, start, and vector to the end.

    An edge with a door has two closed parts.
    """
    half, door = 0.5 * edges.length, np.nonzero(has_door)[0]
    edge = np.concatenate([np.arange(len(has_door)), door])
    low = np.concatenate([np.full(len(has_door), -half), np.full(len(door), HALF_WIDTH)])
    high = np.concatenate([np.where(has_door, -HALF_WIDTH, half), np.full(len(door), half)])
    start = middle[edge] + edges.aside[edge] * low[:, None]
    return edge, start, edges.aside[edge] * (high - low)[:, None]


def _masonry(edges: TileEdges, has_door: NDArray[np.bool_]) -> list[MeshData]:
    """Return walls with a coping between two posts."""
    middle, z = edges.standing_points, edges.high_z
    bright, ahead = _BRIGHT * edges.built, edges.ahead
    edge, start, along = _spans(edges, has_door, middle)
    color, cap, pattern, low = edges.built[edge], bright[edge], edges.pattern[edge], z[edge]
    to_end, top = edges.aside * (0.5 * edges.length), z + _POST_HEIGHT
    return [
        beams(start, along, _HALF, low - _SUNK, low + _HEIGHT, color, pattern),
        beams(start, along, _CAP_HALF, low + _HEIGHT, low + _CAP_HEIGHT, cap, pattern),
        *(
            posts(middle + side * to_end, ahead, _POST_HALF, z - _SUNK, top, bright, edges.pattern)
            for side in (-1.0, 1.0)
        ),
    ]


def _stakes(edges: TileEdges, has_door: NDArray[np.bool_]) -> list[MeshData]:
    """Return a rail and pointed stakes, which lean toward the side that the wall keeps out."""
    middle, z = edges.standing_points, edges.high_z
    edge, start, along = _spans(edges, has_door, middle)
    rail = beams(start, along, _RAIL_HALF, z[edge] + _RAIL_LOW, z[edge] + _RAIL_HIGH, WOOD)
    count = np.rint(_STAKES_PER_UNIT * np.hypot(*along.T)).astype(np.int64)
    span, part = runs(count)
    share = (part + 0.5) / count[span]
    foot = np.column_stack([start[span] + along[span] * share[:, None], z[edge[span]] - _SUNK])
    ahead, aside = (
        np.pad(vectors[edge[span]], ((0, 0), (0, 1))) for vectors in (edges.ahead, edges.aside)
    )
    tip = foot - ahead * _LEAN + (0.0, 0.0, _STAKE_HEIGHT)
    around = [foot + _STAKE_HALF * side for side in (ahead, aside, -ahead, -aside, ahead)]
    sides = [np.stack([a, b, tip], axis=1) for a, b in pairwise(around)]
    colors = np.array([(1.0,), (1.0,), (1.9,)]) * WOOD
    return [rail, facets(np.stack(sides, axis=1), colors, SOFT)]


_POLE_HALF, _RUNG_HALF, _RUNG_HEIGHT = 0.024, 0.016, 0.028
_LADDER_HALF_WIDTH, _LADDER_GAP = 0.17, 0.05  # the gap is that to the cliff
_RUNG_SPACING, _POLE_OVERHANG = 0.13, 0.16  # poles end above the higher surface

_STAIR_RISE, _MAX_STEPS = 0.11, 24
_STAIR_RUN = 0.36  # length on the lower tile, so that a figure at its center has room
_STAIR_WIDTH = 0.62  # as a part of the edge
_EVEN_LIGHT = 0.94  # brightness of every other step, so that steps differ from afar
# Of the arrow that marks a ledge, bent over the edge of the higher tile:
_TAIL, _NECK, _TIP = -0.34, 0.10, 0.30  # along the arrow, measured from the edge
_SHAFT, _HEAD = 0.065, 0.17  # half of the widths
_OFF, _LIFT = 0.026, 0.006  # distance from the cliff, clear of its lip, and from the top
_OUTLINE_GAP = 0.004
_LAYERS = (((0.24, 0.17, 0.12), 0.03, 0.0), ((0.98, 0.90, 0.62), 0.0, _OUTLINE_GAP))
"""Color, extra width and extra distance of the outline and of the arrow."""


def ladders(edges: TileEdges) -> list[MeshData]:
    """Return ladders from the lower surface of each pair to the higher one."""
    middle = edges.middle - edges.uphill * _LADDER_GAP
    aside = edges.aside * _LADDER_HALF_WIDTH
    foot, head = edges.low_z, edges.high_z
    parts = [
        posts(middle + side * aside, edges.ahead, _POLE_HALF, foot, head + _POLE_OVERHANG, WOOD)
        for side in (-1.0, 1.0)
    ]
    count = np.ceil((head - foot + 0.5 * _POLE_OVERHANG) / _RUNG_SPACING - 1.0).astype(np.int64)
    ladder, rung = runs(count)
    low = foot[ladder] + _RUNG_SPACING * (1 + rung)
    start, along = (middle - aside)[ladder], 2.0 * aside[ladder]
    return [*parts, beams(start, along, _RUNG_HALF, low, low + _RUNG_HEIGHT, WOOD)]


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
    color, half = edges.built[flight] * light[:, None], 0.5 * _STAIR_WIDTH * edges.length
    return [beams(start, tread, half, foot[flight] - _SUNK, high, color, edges.pattern[flight])]


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
    built: defaultdict[str, list[tuple[Cell, Cell]]] = defaultdict(list)
    marked: defaultdict[bool, list[Link]] = defaultdict(list)
    for link in tilemap.links_in(rect):
        if not _is_built(tilemap, link):
            marked[link.kind == TELEPORTER].append(link)
        elif rect.holds(link.start):
            built[link.kind].append((link.start, link.end))
    edges = {kind: TileEdges.between(tilemap, pairs) for kind, pairs in built.items()}
    parts = [part for kind in edges for part in _STRUCTURES[kind](edges[kind])]
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


_HUES = np.array(
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
_SHARDS = ((0.40, 0.30), (0.38, 0.52), (0.41, 0.40))  # reach from the center, height above the top
_SHARD_HALF, _SHARD_TALL = 0.032, 0.075
_MARK_IN, _MARK_OUT, _MARK_HEIGHT = 0.29, 0.36, 0.03
_PALE = np.array((0.86, 0.82, 0.74), dtype=np.float32)
_SHRINK = 0.8  # size of a mark relative to the one before on the same tile
_SALT = 200

Points = NDArray[np.float64]


@dataclass(frozen=True)
class LinkEnds:
    """The ends of `m` links: (m, 3) centers of their tiles' tops, and sizes, 1 for a full mark.

    `hue` is the (m, 3) color of a link, `leads` whether it can be entered at this end.
    """

    centers: Points
    size: NDArray[np.float64]
    hue: NDArray[np.float32]
    leads: NDArray[np.bool_]


def teleporters(ends: LinkEnds) -> list[MeshData]:
    """Return pads of teleporters; shards float over those that can be entered."""
    rim = _ring(ends, _RIM_IN, _RIM_OUT, _RIM_HEIGHT)
    parts = [facets(rim, MASONRY * _DIM, STONE), *_disc(ends)]
    if ends.leads.any():
        parts.append(_shards(ends.centers[ends.leads], ends.hue[ends.leads]))
    return parts


def marks(ends: LinkEnds) -> list[MeshData]:
    """Return plain rings."""
    colors = 0.5 * _PALE + 0.5 * ends.hue
    ring = _ring(ends, _MARK_IN, _MARK_OUT, _MARK_HEIGHT)
    return [facets(ring, colors[:, None, None, None], SOFT)]


def _circle(ends: LinkEnds, reach: float, z: float) -> Points:
    """Return (m, _SEGMENTS + 1, 3) points around the ends, counter-clockwise and closed."""
    unit = circle(np.arange(_SEGMENTS + 1) * (2.0 * np.pi / _SEGMENTS))
    wide = reach * ends.size[:, None, None]
    return ends.centers[:, None] + unit * wide + (0.0, 0.0, z)


def _ring(ends: LinkEnds, inner: float, outer: float, height: float) -> Points:
    """Return the (m, 3, _SEGMENTS, 4, 3) faces of flat rings: outside, top, inside."""
    around = ((outer, -0.01), (outer, height), (inner, height), (inner, -0.01))
    circles = [_circle(ends, reach, z) for reach, z in around]
    return np.stack([_quads(b, a) for a, b in pairwise(circles)], axis=1)


def _quads(a: Points, b: Points) -> Points:
    """Return the (m, _SEGMENTS, 4, 3) faces between circles `a` and circles `b` around them."""
    return np.stack([a[:, 1:], a[:, :-1], b[:, :-1], b[:, 1:]], axis=2)


def _disc(ends: LinkEnds) -> list[MeshData]:
    """Return the whirl of light in a pad: a bright center with curved arms."""
    rings, colors = [], []
    turn = np.arange(_SEGMENTS + 1) * (2.0 * np.pi / _SEGMENTS)
    for reach in _WHIRL:
        rings.append(_circle(ends, reach, _DISC_LIFT))
        arm = 0.62 + 0.38 * np.cos(_ARMS * turn - 9.0 * reach)
        white = (1.0 - reach / _WHIRL[-1]) ** 2
        colors.append(ends.hue[:, None] * ((1.0 - white) * arm)[:, None] + white)
    quads, shades = (
        np.stack([_quads(a, b) for a, b in pairwise(around)], axis=1) for around in (rings, colors)
    )
    return [
        facets(quads[:, 0, :, 1:], shades[:, 0, :, 1:], GLOW),  # the innermost faces are triangles
        facets(quads[:, 1:], shades[:, 1:], GLOW),
    ]


def _shards(centers: Points, hue: NDArray[np.float32]) -> MeshData:
    """Return slim octahedra over the rims of pads."""
    faces = []
    up = np.array((0.0, 0.0, _SHARD_TALL))
    for number, (reach, z) in enumerate(_SHARDS):
        turn = 2.0 * np.pi * (number + 0.2) / len(_SHARDS)
        middle = centers + np.array((reach * np.cos(turn), reach * np.sin(turn), z))
        corners = circle(turn + np.arange(5) * (np.pi / 2.0))
        around = [middle + _SHARD_HALF * corner for corner in corners]
        faces += [np.stack([a, b, middle + up], axis=1) for a, b in pairwise(around)]
        faces += [np.stack([b, a, middle - up], axis=1) for a, b in pairwise(around)]
    colors = 0.35 + 0.65 * hue
    return facets(np.stack(faces, axis=1), colors[:, None, None], GLOW)


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
    return LinkEnds(np.array(centers), np.array(sizes), _HUES[hues], np.array(leads))


def _hue(link: Link) -> int:
    """Return the index of the hue of both ends of a link, which depends on their cells."""
    start, end = link.start, link.end
    row, col = start.row * 31 + end.row, start.col * 31 + end.col
    return int(chance(row, col, _SALT + start.deck + 8 * end.deck)[0] * len(_HUES))
