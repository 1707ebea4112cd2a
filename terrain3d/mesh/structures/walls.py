"""Mesh walls on the edges between tiles, and rails along the edges of planked decks.

Walls that block both directions are low masonry; one-way walls are stakes.

Mesh level beams and upright posts, the parts of rails, ladders, stairs, walls and doors.

The edges between tiles that walls, doors, ladders and stairs are built on.

Mesh doors on the edge between two tiles: a frame, and a leaf that is ajar.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.grid import Cell, Rect
from terrain3d.grid.kinds import Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import PATTERN_UNIT, SOFT, MeshData, fans, runs
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.ground.paint import WOOD, KindPalette
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.solids import facets

_LIGHT = np.array([1.55, 0.7, 1.2, 1.2, 1.2, 1.2], dtype=np.float32)  # brightness of each face

# Bits of a corner's index: 4 at the end, 2 to the right, 1 above.
_FACES = np.array(
    [(3, 7, 5, 1), (0, 4, 6, 2), (4, 0, 1, 5), (2, 6, 7, 3), (0, 2, 3, 1), (6, 4, 5, 7)]
)
"""Above, below, to the left, to the right, at the start, at the end."""

Vectors = NDArray[np.floating]


def beams(
    start: Vectors,
    along: Vectors,
    half: float,
    low: NDArray[np.floating],
    high: NDArray[np.floating],
    color: NDArray[np.float32],
    pattern: ArrayLike = SOFT,
) -> MeshData:
    """Return `m` level beams from `start` to `start + along`, (m, 2) in world units.

    `half` is half of their width, `low` and `high` are the heights of their bottoms and tops, and
    `pattern` is a surface pattern; see `mesh.data`.
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
    colors = color[:, None] * _LIGHT[:, None]
    uv = np.full(positions.shape, 0.5, dtype=np.float32)
    uv[..., 2] = np.reshape(pattern, (-1, 1, 1)) * np.float32(PATTERN_UNIT)
    return MeshData.of(
        positions,
        normals[:, :, None],
        colors[:, :, None],
        uv,
        fans(6 * count, 4, [(0, 1, 2), (0, 2, 3)]),
    )


def posts(
    foot: Vectors,
    unit: Vectors,
    half: float,
    low: NDArray[np.floating],
    high: NDArray[np.floating],
    color: NDArray[np.float32],
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

    def standing_points(self, inset: float) -> Vectors:
        """Return (m, 2) points at the middle of each edge that a structure can stand on.

        On level ground they are on the edge, else `inset` from it on the higher surface.
        """
        step = np.where(self.z[0] == self.z[1], 0.0, inset)
        return self.middle + self.uphill * step[:, None]


DOOR_KIND = "door"
HALF_WIDTH = 0.27
"""Distance from the middle of the edge to the center of a post."""

_DOOR_POST_HALF, _DOOR_HEIGHT = 0.035, 0.98
_LINTEL_HALF, _LINTEL_LOW, _LINTEL_OVERHANG = 0.045, 0.88, 0.06
_LEAF_HALF, _LEAF_LOW, _LEAF_HIGH = 0.02, 0.02, 0.87
_AJAR = np.radians(38.0)
_FRAME, _LEAF, _KNOB = (0.30, 0.20, 0.13), (0.52, 0.28, 0.15), (0.85, 0.68, 0.30)
_KNOB_HALF, _KNOB_Z = 0.024, 0.43


def is_door(tilemap: TileMap, start: Cell, end: Cell) -> bool:
    """Return whether a door joins two surfaces, in either direction."""
    tile = Rect(start.row, start.col, 1, 1)
    return any(
        link.kind == DOOR_KIND and {link.start, link.end} == {start, end}
        for link in tilemap.links_in(tile)
    )


def doors(edges: TileEdges) -> list[MeshData]:
    """Return doors that open from the first surface of each pair to the second."""
    middle, z = edges.standing_points(_INSET), edges.high_z

    def tinted(color: Color) -> NDArray[np.float32]:
        return np.tile(np.array(color, dtype=np.float32), (len(z), 1))

    hinge, latch = (middle + edges.aside * (side * HALF_WIDTH) for side in (1.0, -1.0))
    overhang = edges.aside * _LINTEL_OVERHANG
    along = -edges.aside * np.cos(_AJAR) + edges.ahead * np.sin(_AJAR)
    width = 2.0 * (HALF_WIDTH - _DOOR_POST_HALF)
    leaf = hinge - edges.aside * _DOOR_POST_HALF
    knob = leaf + along * (0.86 * width)
    return [
        posts(hinge, edges.ahead, _DOOR_POST_HALF, z - _SUNK, z + _DOOR_HEIGHT, tinted(_FRAME)),
        posts(latch, edges.ahead, _DOOR_POST_HALF, z - _SUNK, z + _DOOR_HEIGHT, tinted(_FRAME)),
        beams(
            latch - overhang,
            hinge - latch + 2.0 * overhang,
            _LINTEL_HALF,
            z + _LINTEL_LOW,
            z + _DOOR_HEIGHT + 0.02,
            tinted(_FRAME),
        ),
        beams(leaf, along * width, _LEAF_HALF, z + _LEAF_LOW, z + _LEAF_HIGH, tinted(_LEAF)),
        posts(knob, along, _KNOB_HALF, z + _KNOB_Z, z + _KNOB_Z + 0.05, tinted(_KNOB)),
    ]


_SUNK = 0.02  # depth in the ground, so that no gap shows below
_INSET = 0.10  # distance from the edge of a cliff
_HALF, _HEIGHT = 0.055, 0.25
_CAP_HALF, _CAP_HEIGHT = 0.075, 0.30
_POST_HALF, _POST_HEIGHT = 0.09, 0.36
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
        chosen = [wall for wall in found if wall.one_way == is_one_way]
        if not chosen:
            continue
        has_door = np.array([is_door(tilemap, wall.start, wall.end) for wall in chosen])
        pairs = [(wall.start, wall.end) for wall in chosen]
        parts += build(TileEdges.between(tilemap, pairs), has_door)
    return parts


def rails(patch: Patch) -> list[MeshData]:
    """Return rails on the deep edges of a deck's planked tiles."""
    lattice, around = patch.lattice, patch.heights.around
    is_deep = around[: lattice.sides] < patch.z - (_MIN_FALL - 0.5) * patch.step_height
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
    middle, z = edges.standing_points(_INSET), edges.high_z
    bright, ahead = _BRIGHT * edges.built, edges.ahead
    edge, start, along = _spans(edges, has_door, middle)
    color, cap, pattern, low = edges.built[edge], bright[edge], edges.pattern[edge], z[edge]
    to_ends = edges.aside * (0.5 * edges.length)
    top = z + _POST_HEIGHT
    return [
        beams(start, along, _HALF, low - _SUNK, low + _HEIGHT, color, pattern),
        beams(start, along, _CAP_HALF, low + _HEIGHT, low + _CAP_HEIGHT, cap, pattern),
        posts(middle - to_ends, ahead, _POST_HALF, z - _SUNK, top, bright, edges.pattern),
        posts(middle + to_ends, ahead, _POST_HALF, z - _SUNK, top, bright, edges.pattern),
    ]


def _stakes(edges: TileEdges, has_door: NDArray[np.bool_]) -> list[MeshData]:
    """Return a rail and pointed stakes, which lean toward the side that the wall keeps out."""
    middle, z = edges.standing_points(_INSET), edges.high_z
    edge, start, along = _spans(edges, has_door, middle)
    wood = np.tile(WOOD, (len(edge), 1))
    rail = beams(start, along, _RAIL_HALF, z[edge] + _RAIL_LOW, z[edge] + _RAIL_HIGH, wood)
    count = np.rint(_STAKES_PER_UNIT * np.hypot(*along.T)).astype(np.int64)
    span, part = runs(count)
    share = (part + 0.5) / count[span]
    foot = np.column_stack([start[span] + along[span] * share[:, None], z[edge[span]] - _SUNK])
    ahead = np.pad(edges.ahead[edge[span]], ((0, 0), (0, 1)))
    aside = np.pad(edges.aside[edge[span]], ((0, 0), (0, 1)))
    tip = foot - ahead * _LEAN + (0.0, 0.0, _STAKE_HEIGHT)
    around = [foot + _STAKE_HALF * side for side in (ahead, aside, -ahead, -aside)]
    sides = [np.stack([around[i], around[(i + 1) % 4], tip], axis=1) for i in range(4)]
    colors = np.array([(1.0,), (1.0,), (1.9,)]) * WOOD
    return [rail, facets(np.stack(sides, axis=1), colors, SOFT)]
