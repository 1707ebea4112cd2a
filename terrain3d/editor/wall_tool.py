"""What the wall tool of a map maker does: which edges a wall between two tiles stands on."""

from dataclasses import dataclass

from terrain3d.grid.grid import Cell
from terrain3d.grid.links import Wall
from terrain3d.map.edit import Edit
from terrain3d.map.tilemap import TileMap

Edge = tuple[Cell, Cell]


@dataclass(frozen=True)
class WallTool:
    """Puts walls between tiles; takes them away where all edges have one.

    Between neighbors that is the edge they share. From a tile to one in the next row it is the
    border of both rows, in the columns from one to the other; so it is with columns.
    """

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """List the tiles on both sides."""
        edges = _edges(tilemap, start, end)
        return list(dict.fromkeys(cell for edge in edges or [(start, end)] for cell in edge))

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Order the change; see `Span.put`."""
        edges = _edges(tilemap, start, end)
        voids = [cell for cell in (start, end) if not _is_ground(tilemap, cell)]
        if voids:
            raise ValueError(f"no wall stands beside {voids[0]}: there is no ground")
        if not edges:
            raise ValueError(
                f"no wall runs from {start} to {end}: end beside the first tile, "
                "or in the row or column next to it"
            )
        known = _walls_on(tilemap, edges)
        for edge, walls in known.items():
            if not walls:
                edit.add_wall(*edge)
        if all(known.values()):
            for wall in dict.fromkeys(wall for walls in known.values() for wall in walls):
                edit.remove_wall(wall.start, wall.end)


def _edges(tilemap: TileMap, start: Cell, end: Cell) -> list[Edge]:
    """List the edges between surfaces of both sides, all of them where there is ground."""
    grid = tilemap.grid
    if end[:2] in {near[:2] for near in grid.neighbors(start[:2])}:
        pairs = [(start, end)]
    elif 1 in (abs(end.row - start.row), abs(end.col - start.col)):
        along_rows = abs(end.row - start.row) == 1
        others = {cell[:2]: cell for cell in _strip(end, start, along_rows)}
        pairs = [
            (one, others[near[:2]])
            for one in _strip(start, end, along_rows)
            for near in grid.neighbors(one[:2])
            if near[:2] in others
        ]
    else:
        return []
    return [pair for pair in pairs if all(_is_ground(tilemap, cell) for cell in pair)]


def _strip(start: Cell, end: Cell, along_rows: bool) -> list[Cell]:
    """List the cells in the row, or else in the column, of one tile, as far as another lies."""
    if along_rows:
        low, high = sorted((start.col, end.col))
        return [start._replace(col=col) for col in range(low, high + 1)]
    low, high = sorted((start.row, end.row))
    return [start._replace(row=row) for row in range(low, high + 1)]


def _is_ground(tilemap: TileMap, cell: Cell) -> bool:
    return tilemap.has_surface(cell)


def _walls_on(tilemap: TileMap, edges: list[Edge]) -> dict[Edge, list[Wall]]:
    """Give the walls that stand on each edge, whichever way they stop."""
    found: dict[frozenset[Cell], list[Wall]] = {}
    for wall in tilemap.walls:
        found.setdefault(frozenset((wall.start, wall.end)), []).append(wall)
    return {edge: found.get(frozenset(edge), []) for edge in edges}
