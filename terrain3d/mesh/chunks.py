"""Divide a map into chunks, mesh them, and choose those to show: full nearby, coarse far away.

Chunks form a tree, whose root covers the whole map. Those of a coarse chunk have blocks of half the
size, and those of one whose blocks are tiles are full meshes.
"""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid, Rect
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.sides import plain_sides, sides
from terrain3d.mesh.ground.tops import planks, tops, undersides, waters
from terrain3d.mesh.props import props, scree
from terrain3d.mesh.structures import links, rails, walls

Point = tuple[float, float, float]

CHUNK_SIZE = 16
"""Rows and columns of a chunk."""
BLOCKS = 64
"""Blocks along an edge of a coarse chunk. If they span more than half the picture's height, finer
ones are shown."""
MAX_WHOLE = 128 * 128
"""Maps of at most so many tiles are always shown in full."""
_PLAIN_SIZE = 32  # tiles along an edge of a chunk whose blocks are tiles, so that few are divided
_MARGIN = 8.0  # chunks this near to the picture count as seen, because their shadows may be


def chunk_rects(rows: int, cols: int) -> list[Rect]:
    """Return the chunks that cover a map of rows x cols, row by row."""
    return [
        Rect(row, col, min(CHUNK_SIZE, rows - row), min(CHUNK_SIZE, cols - col))
        for row in range(0, rows, CHUNK_SIZE)
        for col in range(0, cols, CHUNK_SIZE)
    ]


def chunk_mesh(tilemap: TileMap, rect: Rect, *, has_ground_cover: bool = True) -> MeshData:
    """Build the mesh of a rectangle, in map coordinates: tops, sides, plants, decks, walls, links.

    The tiles around the rectangle, which must lie in the map, affect its sides and shading. Tufts,
    flowers and stones are the ground cover; without it trees are simple ones, and sides have no
    lips.
    """
    if (
        min(rect.row, rect.col) < 0
        or rect.row + rect.rows > tilemap.rows
        or rect.col + rect.cols > tilemap.cols
    ):
        raise IndexError(f"{rect} reaches beyond a map of {tilemap.rows} x {tilemap.cols}")
    parts, faces = [], sides if has_ground_cover else plain_sides
    ground = Patch.of(tilemap, rect)
    if len(ground.z):
        parts += [tops(ground), *waters(ground), *faces(ground)]
        parts += [*planks(ground), *props(ground, has_ground_cover=has_ground_cover)]
        parts += scree(ground) if has_ground_cover else []
    for number in range(1, tilemap.n_decks + 1):
        deck = Patch.of(tilemap, rect, number)
        if len(deck.z):
            parts += [tops(deck), *waters(deck), *faces(deck), undersides(deck)]
            parts += [*planks(deck), *rails(deck)]
    parts += [*walls(tilemap, rect), *links(tilemap, rect)]
    return MeshData.join(parts) if parts else MeshData.empty()


@dataclass(frozen=True)
class Sight:
    """What a camera sees, in map coordinates."""

    eye: Point
    planes: tuple[tuple[float, float, float, float], ...]
    """(a, b, c, d) of the sides of the picture, and of its near plane: a point is inside if
    a x + b y + c z + d >= 0. (a, b, c) has length 1."""
    half_height: float
    """Half the height of the picture at the eye: 0 in perspective."""
    slope: float
    """Growth of that with the distance from the eye: 0 without perspective."""

    @classmethod
    def of(cls, eye: Point, matrix: NDArray[np.floating]) -> "Sight":
        """Return the sight of a camera by the (4, 4) matrix from the map to its picture.

        The matrix turns rows (x, y, z, 1) into homogeneous coordinates in which the sides of the
        picture and its near plane are at -1 or 1.
        """
        across, up, away, weight = matrix.T
        sides = weight + np.array([across, -across, up, -up, away])
        sides /= np.linalg.norm(sides[:, :3], axis=1, keepdims=True)
        unit = float(np.linalg.norm(up[:3]))  # of the map, in half heights of the picture
        return cls(
            eye,
            tuple((a, b, c, d) for a, b, c, d in sides.tolist()),
            float(np.array([*eye, 1.0]) @ weight) / unit,
            float(np.linalg.norm(weight[:3])) / unit,
        )

    def look(self, chunk: "Chunk", height: float) -> tuple[float, bool]:
        """Return the distance of a chunk of some height, and whether it is in sight and too wide.

        Both are in map coordinates.
        """
        x, y = chunk.middle
        half_x, half_y = chunk.half
        z = half_z = height / 2
        eye_x, eye_y, eye_z = self.eye
        distance = math.hypot(
            max(0.0, abs(eye_x - x) - half_x),
            max(0.0, abs(eye_y - y) - half_y),
            max(0.0, abs(eye_z - z) - half_z),
        )
        if chunk.stride * BLOCKS <= self.half_height + self.slope * distance:
            return distance, False
        return distance, all(
            a * x + b * y + c * z + d + abs(a) * half_x + abs(b) * half_y + abs(c) * half_z
            > -_MARGIN
            for a, b, c, d in self.planes
        )


class Chunk:
    """A part of a map with a mesh of its own: full with `stride` 0, else in blocks of that size."""

    def __init__(self, grid: Grid, rect: Rect, stride: int) -> None:
        self.rect, self.stride = rect, stride
        self._grid = grid
        x0, y0 = grid.center((rect.row, rect.col))
        x1, y1 = grid.center((rect.row + rect.rows - 1, rect.col + rect.cols - 1))
        self.middle = (x0 + x1) / 2, (y0 + y1) / 2
        self.half = abs(x1 - x0) / 2 + 1.0, abs(y1 - y0) / 2 + 1.0

    @cached_property
    def children(self) -> tuple["Chunk", ...]:
        """The chunks that it is divided into; none if it is full."""
        rect, stride = self.rect, self.stride // 2
        size = stride * BLOCKS if stride > 1 else _PLAIN_SIZE if stride else CHUNK_SIZE
        ends = rect.row + rect.rows, rect.col + rect.cols
        return tuple(
            Chunk(
                self._grid,
                Rect(row, col, min(size, ends[0] - row), min(size, ends[1] - col)),
                stride,
            )
            for row in range(rect.row, ends[0] if self.stride else rect.row, size)
            for col in range(rect.col, ends[1], size)
        )

    def touches(self, changed: Rect) -> bool:
        """Return whether its mesh may differ after an edit of the cells in `changed`.

        Blocks affect the sides and the corner shading of those around them; meshes of hexagons
        have a block more on each side.
        """
        margin = 2 * self.stride or 1
        rect = self.rect
        return (
            rect.row - margin < changed.row + changed.rows
            and changed.row < rect.row + rect.rows + margin
            and rect.col - margin < changed.col + changed.cols
            and changed.col < rect.col + rect.cols + margin
        )


class ChunkTree:
    """The chunks of one map at all distances."""

    def __init__(self, grid: Grid) -> None:
        stride = 1
        while stride * BLOCKS < max(grid.rows, grid.cols):
            stride *= 2
        self.root = Chunk(grid, Rect(0, 0, grid.rows, grid.cols), stride)
        self.is_whole = grid.rows * grid.cols <= MAX_WHOLE
        """Whether all of the map is always shown in full."""


class ChunkPlan:
    """Which chunks of a map of some height, in world units, to show, to build and to keep.

    Those that are built stand in for finer ones that are not, and finer ones for them. Without
    sights, a map that is too large to be whole is shown as coarse as possible.
    """

    def __init__(
        self, tree: ChunkTree, sights: Sequence[Sight], height: float, built: Container[Chunk]
    ) -> None:
        self._sights = sights
        self._is_whole, self._height, self._built = tree.is_whole, height, built
        self._distance: dict[Chunk, float] = {}  # of those that are missing
        self.wanted: set[Chunk] = set()
        """All that are to be shown once they are built."""
        self.divided: set[Chunk] = set()
        """Those above them in the tree, which stand in for them."""
        self.shown = {*(self._cover(tree.root, 0.0) or ())}
        """They are built and cover the map without overlap; empty if there are too few for that."""
        self.missing = sorted(
            self._distance, key=lambda chunk: (-chunk.stride, self._distance[chunk])
        )
        """Not built yet, the most urgent first."""

    def _cover(self, chunk: Chunk, distance: float) -> list[Chunk] | None:
        """Return built chunks that cover a chunk's area; None if there are too few."""
        is_divided = False
        if chunk.stride:  # full chunks of one parent have its distance, so that none comes late
            distance, is_divided = self._look(chunk)
        if is_divided:
            self.divided.add(chunk)
            covers = [self._cover(child, distance) for child in chunk.children]
            if None not in covers:
                return [part for cover in covers if cover for part in cover]
        else:
            self.wanted.add(chunk)
        if chunk in self._built:
            return [chunk]
        self._distance[chunk] = distance
        return _finer(chunk, self._built)

    def _look(self, chunk: Chunk) -> tuple[float, bool]:
        """Return a chunk's distance, and whether it is divided: too wide for its distance."""
        if not self._sights or self._is_whole:
            return 0.0, self._is_whole
        looks = [sight.look(chunk, self._height) for sight in self._sights]
        return min(distance for distance, _ in looks), any(is_divided for _, is_divided in looks)


def _finer(chunk: Chunk, built: Container[Chunk]) -> list[Chunk] | None:
    """Return built descendants that cover a chunk's area; None if there are too few."""
    if not chunk.stride:
        return None
    found: list[Chunk] = []
    for child in chunk.children:
        part = [child] if child in built else _finer(child, built)
        if part is None:
            return None
        found += part
    return found
