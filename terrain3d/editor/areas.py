"""Sets of tiles for editor tools: discs, rectangles, flood fills and lines."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import instance_of, whole_within
from terrain3d.grid.grid import Cell, CellLike, Grid
from terrain3d.map.tilemap import TileMap

CellArray = NDArray[np.intp]
"""Cells as an (n, 3) array of rows, columns and decks."""


def as_cells(array: CellArray) -> list[Cell]:
    """Return cells of an array, one by one."""
    return list(map(Cell, *array.T.tolist()))


def disc(tilemap: TileMap, cell: CellLike, size: int) -> list[Cell]:
    """Return the tiles whose centers are closer than `size` - 0.5 to a cell's center, row by row.

    Size 1 is the tile alone, size 2 adds the tiles that touch it. If the cell is on a deck, only
    tiles with a deck of the same number are returned.

    Raises
    ------
    IndexError, TypeError
        The cell is outside the map, its deck does not exist, or it is not a cell.
    """
    row, col, deck = instance_of("tilemap", tilemap, TileMap).cell(cell)
    size = whole_within("size", size, 0)
    grid = tilemap.grid
    reach = size + size // 2  # rows of hexagons are less than 1 apart
    rows = np.arange(max(0, row - reach), min(grid.rows, row + reach + 1))
    cols = np.arange(max(0, col - reach), min(grid.cols, col + reach + 1))
    near_row, near_col = (part.ravel() for part in np.meshgrid(rows, cols, indexing="ij"))
    away = np.linalg.norm(grid.centers(near_row, near_col) - grid.center((row, col)), axis=1)
    chosen = away < size - 0.5
    return as_cells(_on_deck(tilemap, near_row[chosen], near_col[chosen], deck))


def rectangle(tilemap: TileMap, start: CellLike, end: CellLike) -> list[Cell]:
    """Return the tiles in the rows and columns between two cells, both included, row by row.

    If `start` is on a deck, only tiles with a deck of the same number are returned.

    Raises
    ------
    IndexError, TypeError
        A cell is outside the map, its deck does not exist, or it is not a cell.
    """
    return as_cells(rectangle_array(tilemap, start, end))


def rectangle_array(tilemap: TileMap, start: CellLike, end: CellLike) -> CellArray:
    """Return the tiles of `rectangle` as an array."""
    instance_of("tilemap", tilemap, TileMap)
    first, last = tilemap.cell(start), tilemap.cell(end)
    rows = np.arange(min(first.row, last.row), max(first.row, last.row) + 1)
    cols = np.arange(min(first.col, last.col), max(first.col, last.col) + 1)
    row, col = (part.ravel() for part in np.meshgrid(rows, cols, indexing="ij"))
    return _on_deck(tilemap, row, col, first.deck)


def flood(tilemap: TileMap, cell: CellLike, max_tiles: int | None = None) -> list[Cell]:
    """Return the connected tiles that have the level and kind of a cell.

    Tiles are connected by edges. Levels of void ground are ignored. If the cell is on a deck, only
    tiles with a deck of the same number are returned.

    Parameters
    ----------
    tilemap : TileMap
    cell : cell
    max_tiles : int, optional
        Stop growing once this number is reached; the result may be larger.

    Raises
    ------
    IndexError, TypeError
        The cell is outside the map, its deck does not exist, or it is not a cell.
    """
    return as_cells(flood_array(tilemap, cell, max_tiles))


def flood_array(tilemap: TileMap, cell: CellLike, max_tiles: int | None = None) -> CellArray:
    """Return the tiles of `flood` as an array."""
    row, col, deck = instance_of("tilemap", tilemap, TileMap).cell(cell)
    if max_tiles is not None:
        whole_within("max_tiles", max_tiles, 0)
    level, kind, void = (
        surfaces[deck]
        for surfaces in (tilemap.surface_level, tilemap.surface_kind, tilemap.surface_void)
    )
    is_alike = void == void[row, col]
    if not void[row, col]:
        is_alike &= (level == level[row, col]) & (kind == kind[row, col])
    # In flat arrays with a border around the map, a neighbor lies at a fixed distance.
    width = tilemap.cols + 2
    is_new, classes = (np.pad(part, 1).ravel() for part in (is_alike, tilemap.grid.cell_class()))
    steps = np.array(tilemap.grid.directions) @ (width, 1)
    front = np.array([(row + 1) * width + col + 1])
    is_new[front] = False
    fronts, count, last = [front], 1, np.zeros(is_new.size, np.intp)
    while front.size and (max_tiles is None or count < max_tiles):
        around = (front[:, None] + steps[classes[front]]).ravel()
        around = around[is_new[around]]
        last[around] = number = np.arange(around.size)
        front = around[last[around] == number]  # each once
        is_new[front] = False
        fronts.append(front)
        count += front.size
    found_row, found_col = np.divmod(np.sort(np.concatenate(fronts)), width)
    return _array(found_row - 1, found_col - 1, deck)


def line(grid: Grid, start: CellLike, end: CellLike) -> list[Cell]:
    """Return the tiles of a shortest line between two cells, as straight as possible.

    Each tile shares an edge with the next. Decks are ignored: all tiles are on the ground.

    Raises
    ------
    IndexError, TypeError
        A cell is outside the grid or is not a cell.
    """
    instance_of("grid", grid, Grid)
    current, goal = grid.within(start)._replace(deck=0), grid.within(end)._replace(deck=0)
    x, y = grid.center(current)
    dx, dy = (after - before for before, after in zip((x, y), grid.center(goal), strict=True))

    def offset(cell: Cell) -> float:
        at_x, at_y = grid.center(cell)
        return abs((at_x - x) * dy - (at_y - y) * dx)

    cells = [current]
    while current != goal:
        left = grid.distance(current, goal)
        ahead = [cell for cell in grid.neighbors(current) if grid.distance(cell, goal) < left]
        current = min(ahead, key=offset)
        cells.append(current)
    return cells


def _on_deck(
    tilemap: TileMap, row: NDArray[np.integer], col: NDArray[np.integer], deck: int
) -> CellArray:
    """Return the cells of columns that have the deck; ground counts even where it is void."""
    exists = ~tilemap.surface_void[deck, row, col] | (deck == 0)
    return _array(row[exists], col[exists], deck)


def _array(row: NDArray[np.integer], col: NDArray[np.integer], deck: int) -> CellArray:
    return np.stack([row, col, np.full(row.shape, deck)], axis=1)
