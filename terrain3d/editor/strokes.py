"""Strokes of a tool, from press to release; each becomes one undo entry."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from terrain3d.editor.areas import disc, line
from terrain3d.editor.brushes import Brush, Span
from terrain3d.grid.grid import Cell
from terrain3d.map.edit import Edit
from terrain3d.map.tilemap import TileMap

Area = Callable[[TileMap, Cell, Cell], list[Cell]]
"""Returns the tiles of an area between two cells."""


class ToolStroke(ABC):
    """A change that begins at a tile, is extended to others, and ends or is canceled.

    `start` is a surface or void ground, `name` that of the undo entry.
    """

    def __init__(self, tilemap: TileMap, name: str, start: Cell) -> None:
        self._tilemap, self._name, self._start = tilemap, name, start

    @property
    @abstractmethod
    def cells(self) -> list[Cell]:
        """The tiles to highlight: those under the brush, or all that will change at the end."""

    @abstractmethod
    def extend(self, cell: Cell) -> None:
        """Extend the stroke to a tile; `ValueError` with the reason if a tile cannot change."""

    @abstractmethod
    def end(self) -> bool:
        """Make an undo entry; False if nothing changed, `ValueError` if that is not possible."""

    @abstractmethod
    def cancel(self) -> None:
        """Revert the map to the state before the stroke."""


class BrushStroke(ToolStroke):
    """Changes each tile that the pointer passes, immediately and only once."""

    def __init__(
        self, tilemap: TileMap, name: str, start: Cell, brush: Brush, size: int = 1
    ) -> None:
        super().__init__(tilemap, name, start)
        self._brush, self._size = brush, size
        self._last = start
        self._done: dict[Cell, None] = {}
        tilemap.begin_stroke(name)

    @property
    def cells(self) -> list[Cell]:
        """The tiles under the brush."""
        cell = self._last._replace(deck=self._start.deck)
        return disc(self._tilemap, cell, self._size) if self._tilemap.has_cell(cell) else []

    def extend(self, cell: Cell) -> None:
        """Change the tiles around the line from the last cell, at first `start`, to this one."""
        deck = self._start.deck
        passed = [tile._replace(deck=deck) for tile in line(self._tilemap.grid, self._last, cell)]
        self._last = cell
        found: dict[Cell, None] = {}
        for tile in passed:
            if self._tilemap.has_cell(tile):
                found |= dict.fromkeys(disc(self._tilemap, tile, self._size))
        new = [tile for tile in found if tile not in self._done]
        if new:
            self._put(new)

    def end(self) -> bool:
        """Make one undo entry of all changes; return False if there are none."""
        return self._tilemap.end_stroke()

    def cancel(self) -> None:
        """Revert the changes."""
        self._tilemap.cancel_stroke()

    def _put(self, cells: Sequence[Cell]) -> None:
        """Change all tiles together; if that fails, change each tile that can change by itself."""
        try:
            self._put_at_once(cells)
        except ValueError:
            problem = None
            for cell in cells:
                try:
                    self._put_at_once([cell])
                except ValueError as error:
                    problem = error
            if problem is not None:
                raise problem from None

    def _put_at_once(self, cells: Sequence[Cell]) -> None:
        with self._tilemap.edit(self._name) as edit:
            self._brush.put(edit, self._tilemap, cells, self._start)
        self._done |= dict.fromkeys(cells)


@dataclass(frozen=True)
class BrushedArea:
    """A span that puts a brush on all tiles of an area."""

    brush: Brush
    cells: Area

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Write the change to an edit; see `Span.put`."""
        self.brush.put(edit, tilemap, self.cells(tilemap, start, end), start)


class DeferredStroke(ToolStroke):
    """Changes the map only when it ends, because the change depends on the last tile."""

    def __init__(self, tilemap: TileMap, name: str, start: Cell, span: Span) -> None:
        super().__init__(tilemap, name, start)
        self._span, self._last = span, start

    @property
    def cells(self) -> list[Cell]:
        """The tiles that will change."""
        return self._span.cells(self._tilemap, self._start, self._last)

    def extend(self, cell: Cell) -> None:
        """Set the last tile."""
        self._last = cell

    def end(self) -> bool:
        """Change the map; return False if nothing changes."""
        version = self._tilemap.version
        with self._tilemap.edit(self._name) as edit:
            self._span.put(edit, self._tilemap, self._start, self._last)
        return self._tilemap.version != version

    def cancel(self) -> None:
        """Do nothing: the map has not changed yet."""
