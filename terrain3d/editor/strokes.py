"""From press to release: how the tiles a hand goes over become one undo entry of a map."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from terrain3d.editor.areas import disc, line
from terrain3d.editor.brushes import Brush, Span
from terrain3d.grid.grid import Cell
from terrain3d.map.edit import Edit
from terrain3d.map.tilemap import TileMap

Area = Callable[[TileMap, Cell, Cell], list[Cell]]
"""Which tiles are taken from one tile to another."""


class ToolStroke(ABC):
    """Begins at a tile, is led on to others, and ends or is given up.

    Parameters
    ----------
    tilemap : TileMap
    name : str
        What the undo entry is called.
    start : Cell
        A surface, or void ground.
    """

    def __init__(self, tilemap: TileMap, name: str, start: Cell) -> None:
        self._tilemap, self._name, self._start = tilemap, name, start

    @property
    @abstractmethod
    def cells(self) -> list[Cell]:
        """The tiles that it is about: those under the brush, or all that will change at its end."""

    @abstractmethod
    def extend(self, cell: Cell) -> None:
        """Lead on to a tile; `ValueError` with the reason if not all could be done there."""

    @abstractmethod
    def end(self) -> bool:
        """Make an undo entry; False if nothing has changed.

        Raises
        ------
        ValueError
            What was to be done at the end is not possible; nothing has changed.
        """

    @abstractmethod
    def cancel(self) -> None:
        """Leave the map as it was before."""


class BrushStroke(ToolStroke):
    """Changes tiles as the hand goes over them, each of them once; the map follows at once."""

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
        place = self._last._replace(deck=self._start.deck)
        return disc(self._tilemap, place, self._size) if self._tilemap.has_cell(place) else []

    def extend(self, cell: Cell) -> None:
        """Change the tiles around those from the last one to `cell`; `ValueError` if some refuse.

        The first is `start` itself.
        """
        deck = self._start.deck
        way = [place._replace(deck=deck) for place in line(self._tilemap.grid, self._last, cell)]
        self._last = cell
        found: dict[Cell, None] = {}
        for place in way:
            if self._tilemap.has_cell(place):
                found |= dict.fromkeys(disc(self._tilemap, place, self._size))
        new = [place for place in found if place not in self._done]
        if new:
            self._put(new)

    def end(self) -> bool:
        """Make one undo entry of all that was changed; False if nothing was."""
        return self._tilemap.end_stroke()

    def cancel(self) -> None:
        """Take back what was changed."""
        self._tilemap.cancel_stroke()

    def _put(self, cells: Sequence[Cell]) -> None:
        """Change all tiles, or else those that can be changed alone."""
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


class DeferredStroke(ToolStroke):
    """Changes nothing before its end, as what lies between two tiles is known only then.

    Parameters
    ----------
    put : callable
        Orders the change in an edit, from one tile to another.
    area : callable
        Which tiles that is about.
    """

    def __init__(
        self,
        tilemap: TileMap,
        name: str,
        start: Cell,
        put: Callable[[Edit, Cell, Cell], None],
        area: Area,
    ) -> None:
        super().__init__(tilemap, name, start)
        self._put, self._area = put, area
        self._last = start

    @classmethod
    def over(
        cls, tilemap: TileMap, name: str, start: Cell, brush: Brush, area: Area
    ) -> "DeferredStroke":
        """Change all tiles of an area."""

        def put(edit: Edit, start: Cell, end: Cell) -> None:
            brush.put(edit, tilemap, area(tilemap, start, end), start)

        return cls(tilemap, name, start, put, area)

    @classmethod
    def between(cls, tilemap: TileMap, name: str, start: Cell, span: Span) -> "DeferredStroke":
        """Change what lies between two tiles."""

        def put(edit: Edit, start: Cell, end: Cell) -> None:
            span.put(edit, tilemap, start, end)

        return cls(tilemap, name, start, put, span.cells)

    @property
    def cells(self) -> list[Cell]:
        """The tiles that it will change."""
        return self._area(self._tilemap, self._start, self._last)

    def extend(self, cell: Cell) -> None:
        """Take another tile as the last one."""
        self._last = cell

    def end(self) -> bool:
        """Change the map; False if that comes to nothing."""
        version = self._tilemap.version
        with self._tilemap.edit(self._name) as edit:
            self._put(edit, self._start, self._last)
        return self._tilemap.version != version

    def cancel(self) -> None:
        """Change nothing."""
