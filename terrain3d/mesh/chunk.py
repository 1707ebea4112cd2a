"""Divide a map into chunks and build the mesh of each chunk."""

from terrain3d.grid.grid import Rect
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.planks import planks
from terrain3d.mesh.ground.sides import sides
from terrain3d.mesh.ground.tops import tops, undersides, waters
from terrain3d.mesh.props.props import props
from terrain3d.mesh.structures.link_meshes import links
from terrain3d.mesh.structures.walls import rails, walls

CHUNK_SIZE = 16
"""Rows and columns of a chunk."""


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
    flowers and stones are the ground cover; trees and reeds are always added.
    """
    if (
        min(rect.row, rect.col) < 0
        or rect.row + rect.rows > tilemap.rows
        or rect.col + rect.cols > tilemap.cols
    ):
        raise IndexError(f"{rect} reaches beyond a map of {tilemap.rows} x {tilemap.cols}")
    parts = []
    ground = Patch.of(tilemap, rect)
    if len(ground.z):
        parts += [tops(ground), *waters(ground), *sides(ground)]
        parts += [*planks(ground), *props(ground, has_ground_cover=has_ground_cover)]
    for number in range(1, tilemap.n_decks + 1):
        deck = Patch.of(tilemap, rect, number)
        if len(deck.z):
            parts += [tops(deck), *waters(deck), *sides(deck), undersides(deck)]
            parts += [*planks(deck), *rails(deck)]
    parts += [*walls(tilemap, rect), *links(tilemap, rect)]
    return MeshData.join(parts) if parts else MeshData.empty()
