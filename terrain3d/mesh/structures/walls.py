"""Walls on the edges between tiles: low masonry against both sides, stakes against one alone."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Rect
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import SOFT, MeshData, runs
from terrain3d.mesh.ground.paint import WOOD
from terrain3d.mesh.solids import facets
from terrain3d.mesh.structures.beams import beams, posts
from terrain3d.mesh.structures.doors import HALF_WIDTH, is_door
from terrain3d.mesh.structures.tile_edges import Borders

_SUNK = 0.02  # into the ground, so that no light shines through below
_INSET = 0.10  # from the edge of a cliff
_HALF, _HEIGHT = 0.055, 0.25
_CAP_HALF, _CAP_HEIGHT = 0.075, 0.30
_POST_HALF, _POST_HEIGHT = 0.09, 0.36
_BRIGHT = np.float32(1.12)  # coping and posts
_STAKES_A_UNIT = 5
_STAKE_HALF, _STAKE_HEIGHT, _LEAN = 0.055, 0.40, 0.24
_RAIL_HALF, _RAIL_LOW, _RAIL_HIGH = 0.035, 0.05, 0.13


def walls(tilemap: TileMap, rect: Rect) -> list[MeshData]:
    """Mesh the walls that start in a rectangle, at the height of the higher of their sides."""
    found = [wall for wall in tilemap.walls_in(rect) if rect.holds(wall.start)]
    parts: list[MeshData] = []
    for build, is_one_way in ((_masonry, False), (_stakes, True)):
        chosen = [wall for wall in found if wall.one_way == is_one_way]
        if not chosen:
            continue
        has_door = np.array([is_door(tilemap, wall.start, wall.end) for wall in chosen])
        pairs = [(wall.start, wall.end) for wall in chosen]
        parts += build(Borders.of(tilemap, pairs), has_door)
    return parts


def _spans(
    borders: Borders, has_door: NDArray[np.bool_], middle: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Give what of the edges is closed: which edge, where it starts, how far it goes along.

    Around a door two spans are closed.
    """
    half, door = 0.5 * borders.length, np.nonzero(has_door)[0]
    edge = np.concatenate([np.arange(len(has_door)), door])
    low = np.concatenate([np.full(len(has_door), -half), np.full(len(door), HALF_WIDTH)])
    high = np.concatenate([np.where(has_door, -HALF_WIDTH, half), np.full(len(door), half)])
    start = middle[edge] + borders.aside[edge] * low[:, None]
    return edge, start, borders.aside[edge] * (high - low)[:, None]


def _masonry(borders: Borders, has_door: NDArray[np.bool_]) -> list[MeshData]:
    """Build a wall with a coping between two posts."""
    middle, z = borders.on_top(_INSET), borders.head
    bright, ahead = _BRIGHT * borders.built, borders.ahead
    edge, start, along = _spans(borders, has_door, middle)
    color, cap, pattern, low = borders.built[edge], bright[edge], borders.pattern[edge], z[edge]
    to_ends = borders.aside * (0.5 * borders.length)
    top = z + _POST_HEIGHT
    return [
        beams(start, along, _HALF, low - _SUNK, low + _HEIGHT, color, pattern),
        beams(start, along, _CAP_HALF, low + _HEIGHT, low + _CAP_HEIGHT, cap, pattern),
        posts(middle - to_ends, ahead, _POST_HALF, z - _SUNK, top, bright, borders.pattern),
        posts(middle + to_ends, ahead, _POST_HALF, z - _SUNK, top, bright, borders.pattern),
    ]


def _stakes(borders: Borders, has_door: NDArray[np.bool_]) -> list[MeshData]:
    """Ram in a rail and pointed stakes, which lean towards those whom they stop."""
    middle, z = borders.on_top(_INSET), borders.head
    edge, start, along = _spans(borders, has_door, middle)
    wood = np.tile(WOOD, (len(edge), 1))
    rail = beams(start, along, _RAIL_HALF, z[edge] + _RAIL_LOW, z[edge] + _RAIL_HIGH, wood)
    count = np.rint(_STAKES_A_UNIT * np.hypot(*along.T)).astype(np.int64)
    span, part = runs(count)
    share = (part + 0.5) / count[span]
    foot = np.column_stack([start[span] + along[span] * share[:, None], z[edge[span]] - _SUNK])
    ahead = np.pad(borders.ahead[edge[span]], ((0, 0), (0, 1)))
    aside = np.pad(borders.aside[edge[span]], ((0, 0), (0, 1)))
    tip = foot - ahead * _LEAN + (0.0, 0.0, _STAKE_HEIGHT)
    around = [foot + _STAKE_HALF * side for side in (ahead, aside, -ahead, -aside)]
    sides = [np.stack([around[i], around[(i + 1) % 4], tip], axis=1) for i in range(4)]
    colors = np.array([(1.0,), (1.0,), (1.9,)]) * WOOD
    return [rail, facets(np.stack(sides, axis=1), colors, SOFT)]
