"""Strokes: what a press, a drag and a release do to a map, as one undo entry each."""

from typing import NamedTuple

from terrain3d.editor.areas import CellArray, line
from terrain3d.editor.tool_settings import ToolSettings
from terrain3d.editor.tools import WallTool, wall_edges
from terrain3d.grid.grid import Cell, Rect, as_cell
from terrain3d.grid.reason import Reason
from terrain3d.map.placement import Placement
from terrain3d.map.tilemap import TileMap

Ghost = tuple[TileMap, Cell]
"""A part of a map, and the tile where its first one would come to lie."""


class Stroke:
    """What one tool changes from press to release.

    A brush changes each tile that the pointer passes, at once and only once. Other areas, and what
    lies between two ends, depend on the last tile and change when the stroke ends. With `beside`, a
    wall begins at the edge between the first tile and that one.
    """

    def __init__(
        self, tilemap: TileMap, settings: ToolSettings, start: Cell, beside: Cell | None = None
    ) -> None:
        self._tilemap, self._settings = tilemap, settings
        self._start = self._last = start
        self._beside, self._tool = beside, settings.make_tool()
        if beside is not None:
            self._tool = WallTool("col" if beside.row != start.row else "row")
        is_paint = settings.tool == "paint"
        self._name = Reason("paint_kind", kind=settings.kind) if is_paint else settings.tool
        self._is_brush = settings.area == "brush" and not settings.is_span
        self._done: set[Cell] = set()
        if self._is_brush:
            tilemap.begin_stroke(self._name, by=self)

    @property
    def cells(self) -> list[Cell] | CellArray:
        """The tiles to highlight: those under the brush, or all that will change at the end."""
        return self._settings.cells(self._tilemap, self._start, self._end)

    @property
    def edges(self) -> list[tuple[Cell, Cell]]:
        """The edges at which a wall will change."""
        if not isinstance(self._tool, WallTool):
            return []
        return wall_edges(self._tilemap, self._start, self._end, self._tool.along)

    @property
    def selected(self) -> Rect | None:
        """The rectangle that is selected when the stroke ends."""
        if self._settings.tool != "select":
            return None
        first, last = (Rect(cell.row, cell.col, 1, 1) for cell in (self._start, self._last))
        return first.union(last)

    def extend(self, cell: Cell) -> None:
        """Extend the stroke to a tile; `ValueError` with the reason if a tile cannot change."""
        passed, self._last = line(self._tilemap.grid, self._last, cell), cell
        if not self._is_brush:
            return
        found: dict[Cell, None] = {}
        for tile in passed:
            around = self._settings.cells(self._tilemap, self._start, tile)
            found |= dict.fromkeys(map(as_cell, around))
        new = [tile for tile in found if tile not in self._done]
        if new:
            self._put_each(new)

    def end(self) -> None:
        """Make an undo entry, unless nothing changed; `ValueError` if that is not possible."""
        if self._is_brush:
            self._tilemap.end_stroke()
        else:
            self._put([self._start, self._end] if self._settings.is_span else self.cells)

    def cancel(self) -> None:
        """Revert the map to the state before the stroke."""
        if self._is_brush:
            self._tilemap.cancel_stroke()

    @property
    def _end(self) -> Cell:
        """The last tile, or of a wall along an edge the one across it."""
        start, last, beside = self._start, self._last, self._beside
        if beside is None or last == start:
            return beside or last
        axis = "row" if beside.row != start.row else "col"
        is_along = getattr(last, axis) == getattr(start, axis)
        return last._replace(**{axis: getattr(beside, axis)}) if is_along else last

    def _put_each(self, cells: list[Cell]) -> None:
        """Change all tiles together; if that fails, change each tile that can change by itself."""
        try:
            self._put(cells)
            self._done.update(cells)
        except ValueError:
            problem = None
            for cell in cells:
                try:
                    self._put([cell])
                    self._done.add(cell)
                except ValueError as error:
                    problem = error
            if problem is not None:
                raise problem from None

    def _put(self, cells: list[Cell] | CellArray) -> None:
        with self._tilemap.edit(self._name, by=self) as edit:
            self._tool.put(edit, self._tilemap, cells, self._start)


class Lifted(NamedTuple):
    """A part of a map that follows the aim until it is put down."""

    part: TileMap
    grip: tuple[int, int]
    """How far the tile at the aim lies from its first one: rows and columns."""
    origin: Rect | None = None
    """Where it is taken away from."""

    def at(self, tilemap: TileMap, aim: Cell) -> Ghost:
        """Return the part, and the tile of a map where its first one would come to lie."""
        row, col = aim.row - self.grip[0], aim.col - self.grip[1]
        return self.part, fitting(tilemap, self.part, row, col)

    def put(self, tilemap: TileMap, aim: Cell) -> Rect:
        """Paste it as one undo entry, and leave void where it was; return where it lies now."""
        part, at = self.at(tilemap, aim)
        if self.origin is None:
            put_parts(tilemap, "paste", (part, at))
        elif at[:2] != self.origin[:2]:
            put_parts(tilemap, "move", (empty_like(part), Cell(*self.origin[:2])), (part, at))
        return rect_of(part, at)


def rect_of(part: TileMap, at: Cell) -> Rect:
    """Return the tiles of a map on which a part lies."""
    return Rect(at.row, at.col, part.rows, part.cols)


def empty_like(part: TileMap) -> TileMap:
    """Return a map of void of the same size."""
    return part.resize(part.rows, part.cols, (2 * part.rows, 0))  # hexagons stay where they are


def fitting(tilemap: TileMap, part: TileMap, row: int, col: int) -> Cell:
    """Return the nearest tile of a map from which a part fits into it, hexagons among hexagons.

    `ValueError` if there is none, as of a part that is larger than the map.
    """
    most_row, most_col = tilemap.rows - part.rows, tilemap.cols - part.cols
    row, col = max(0, min(row, most_row)), max(0, min(col, most_col))
    for at in ((row, col), (row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
        is_inside = 0 <= at[0] <= most_row and 0 <= at[1] <= most_col
        placement = Placement(tilemap.rows, tilemap.cols, at)
        if is_inside and placement.topology(part.topology) == tilemap.topology:
            return Cell(*at)
    raise ValueError(Reason("part_does_not_fit"))


def put_parts(tilemap: TileMap, name: str, *parts: Ghost) -> None:
    """Paste parts into a map, one after the other, as one undo entry; all or none of them."""
    tilemap.begin_stroke(name, by=parts)
    try:
        for part, at in parts:
            if fitting(tilemap, part, at.row, at.col) != at:  # a mirrored part of hexagons
                raise ValueError(Reason("part_does_not_fit"))
            tilemap.paste(part, at, by=parts)
    except ValueError:
        tilemap.cancel_stroke()
        raise
    tilemap.end_stroke()
