"""Mesh walls on the edges between tiles, and rails along the edges of planked decks.

Walls that block both directions are low masonry; one-way walls are stakes.
"""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Rect
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import SOFT, MeshData, runs
from terrain3d.mesh.ground.paint import WOOD
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.solids import facets
from terrain3d.mesh.structures.beams import beams, posts
from terrain3d.mesh.structures.doors import HALF_WIDTH, is_door
from terrain3d.mesh.structures.tile_edges import TileEdges

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
    edges: TileEdges, has_door: NDArray[np.bool_], middle: NDArray[np.float64]
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
