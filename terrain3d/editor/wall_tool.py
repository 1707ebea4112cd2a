"""The wall tool: adds or removes walls on the edges between two tiles."""

from collections import defaultdict
from dataclasses import dataclass

from terrain3d.grid.grid import Cell
from terrain3d.grid.links import Wall
from terrain3d.grid.reason import Reason
from terrain3d.map.edit import Edit
from terrain3d.map.tilemap import TileMap

Edge = tuple[Cell, Cell]


@dataclass(frozen=True)
class WallTool:
    """Adds walls between tiles, or removes them if all edges have one.

    Two neighbors have one edge. From a tile to one in the next row, the edges are the border
    between the rows, in the columns from one tile to the other. The same holds for columns.
    """

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles on both sides of the edges."""
        edges = _edges(tilemap, start, end)
        return list(dict.fromkeys(cell for edge in edges or [(start, end)] for cell in edge))

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Write the change to an edit; see `Span.put`."""
        edges = _edges(tilemap, start, end)
        voids = [cell for cell in (start, end) if not tilemap.has_surface(cell)]
        if voids:
            raise ValueError(Reason("there is no ground for a wall at {}", voids[0]))
        if not edges:
            why = (
                "a wall cannot run from {} to {}: end at a neighbor of the first tile, "
                "or in the next row or column"
            )
            raise ValueError(Reason(why, start, end))
        found: defaultdict[frozenset[Cell], list[Wall]] = defaultdict(list)
        for wall in tilemap.walls:
            found[frozenset((wall.start, wall.end))].append(wall)
        known = {edge: found[frozenset(edge)] for edge in edges}
        for edge, walls in known.items():
            if not walls:
                edit.add_wall(*edge)
        if all(known.values()):
            for wall in dict.fromkeys(wall for walls in known.values() for wall in walls):
                edit.remove_wall(wall.start, wall.end)


def _edges(tilemap: TileMap, start: Cell, end: Cell) -> list[Edge]:
    """Return the edges that have surfaces on both sides."""
    grid = tilemap.grid
    if end[:2] in {neighbor[:2] for neighbor in grid.neighbors(start[:2])}:
        pairs = [(start, end)]
    elif 1 in (abs(end.row - start.row), abs(end.col - start.col)):
        along_rows = abs(end.row - start.row) == 1
        others = {cell[:2]: cell for cell in _strip(end, start, along_rows)}
        pairs = [
            (cell, others[neighbor[:2]])
            for cell in _strip(start, end, along_rows)
            for neighbor in grid.neighbors(cell[:2])
            if neighbor[:2] in others
        ]
    else:
        return []
    return [pair for pair in pairs if all(map(tilemap.has_surface, pair))]


def _strip(start: Cell, end: Cell, along_rows: bool) -> list[Cell]:
    """Return the cells in the row or column of `start`, as far as `end`."""
    if along_rows:
        low, high = sorted((start.col, end.col))
        return [start._replace(col=col) for col in range(low, high + 1)]
    low, high = sorted((start.row, end.row))
    return [start._replace(row=row) for row in range(low, high + 1)]
