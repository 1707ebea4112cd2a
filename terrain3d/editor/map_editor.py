"""The map editor without a window: tool settings, aim, strokes, undo, saving and loading."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from terrain3d.core.checks import checked_path, instance_of, one_of, whole_number, whole_within
from terrain3d.core.signals import Signal
from terrain3d.core.translation import tr
from terrain3d.editor.areas import disc, flood, line, rectangle
from terrain3d.editor.tools import TOOLS, Span, Tool
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.kinds import VOID, TileKind, index_of
from terrain3d.grid.reason import Reason
from terrain3d.map.tilemap import TileMap

AREAS = ("brush", "rectangle", "fill")
MAX_SIZE = 9

MAX_SHOWN_TILES = 4096
"""The most tiles that a preview shows one by one."""

_DECK_KIND = "wood"


@dataclass(frozen=True)
class ToolSettings:
    """A tool and its settings.

    Parameters
    ----------
    kind : str
        Name of the kind for paint and for bridges.
    tool : str
        One of TOOLS.
    area : str
        One of AREAS; ignored by the tools between two ends.
    size : int
        Size of the brush, 1..MAX_SIZE.

    Raises
    ------
    TypeError, ValueError
        The tool or area is unknown, or the size is out of its limits.
    """

    kind: str
    tool: str = "raise"
    area: str = "brush"
    size: int = 1

    def __post_init__(self) -> None:
        """Check the fields."""
        instance_of("kind", self.kind, str)
        one_of("tool", self.tool, tuple(TOOLS))
        one_of("area", self.area, AREAS)
        whole_within("size", self.size, 1, MAX_SIZE)

    @property
    def is_span(self) -> bool:
        """Whether the tool changes what lies between two ends."""
        return isinstance(self.make_tool(), Span)

    @property
    def needs_second_tile(self) -> bool:
        """Whether the tool needs a second tile."""
        return self.is_span or self.area == "rectangle"

    @property
    def text(self) -> str:
        """The settings, in lines."""
        lines = [tr("Tool: {tool}", tool=tr(self.tool))]
        if not self.is_span:
            text = "area: {area} of size {size}" if self.area == "brush" else "area: {area}"
            lines.append(tr(text, area=tr(self.area), size=self.size))
        if self.tool in {"paint", "bridge"}:
            lines.append(tr("kind: {kind}", kind=tr(self.kind)))
        return "\n".join(lines)

    @property
    def advice(self) -> str:
        """A hint on how to use the tool with the pointer."""
        text = "Click to {tool} all connected tiles of the same level and kind"  # of a fill
        if self.tool == "wall":
            text = "Drag across an edge to add or remove its wall, then along it for a longer wall"
        elif self.is_span:
            text = "Drag from one end of the {tool} to the other"
        elif self.area == "brush":
            text = "Drag to {tool}"
        elif self.area == "rectangle":
            text = "Drag from corner to corner to {tool}"
        return tr(text, tool=tr(self.tool))

    def make_tool(self) -> Tool:
        """Return the tool as a value that can be put on tiles."""
        return TOOLS[self.tool](self.kind)

    def cells(
        self, tilemap: TileMap, start: Cell, end: Cell, max_tiles: int | None = None
    ) -> list[Cell]:
        """Return the tiles that a stroke from one cell to another changes at its end.

        Those of a brush lie around `end`, on the deck of `start`; of more than `max_tiles` in a
        fill, only the nearest are returned.
        """
        tool = self.make_tool()
        if isinstance(tool, Span):
            return tool.cells(tilemap, start, end)
        if self.area == "rectangle":
            return rectangle(tilemap, start, end)
        if self.area == "fill":
            return flood(tilemap, start, max_tiles)
        center = end._replace(deck=start.deck)
        return disc(tilemap, center, self.size) if tilemap.has_cell(center) else []


class _Stroke:
    """What one tool changes from press to release: one undo entry.

    A brush changes each tile that the pointer passes, at once and only once. Other areas, and what
    lies between two ends, depend on the last tile and change when the stroke ends.
    """

    def __init__(self, tilemap: TileMap, settings: ToolSettings, start: Cell) -> None:
        self._tilemap, self._settings = tilemap, settings
        self._start = self._last = start
        is_paint = settings.tool == "paint"
        self._name = Reason("paint_kind", kind=settings.kind) if is_paint else settings.tool
        self._is_brush = settings.area == "brush" and not settings.is_span
        self._done: set[Cell] = set()
        if self._is_brush:
            tilemap.begin_stroke(self._name)

    @property
    def cells(self) -> list[Cell]:
        """The tiles to highlight: those under the brush, or all that will change at the end."""
        return self._settings.cells(self._tilemap, self._start, self._last)

    def extend(self, cell: Cell) -> None:
        """Extend the stroke to a tile; `ValueError` with the reason if a tile cannot change."""
        passed, self._last = line(self._tilemap.grid, self._last, cell), cell
        if not self._is_brush:
            return
        found: dict[Cell, None] = {}
        for tile in passed:
            found |= dict.fromkeys(self._settings.cells(self._tilemap, self._start, tile))
        new = [tile for tile in found if tile not in self._done]
        if new:
            self._put_each(new)

    def end(self) -> None:
        """Make an undo entry, unless nothing changed; `ValueError` if that is not possible."""
        if self._is_brush:
            self._tilemap.end_stroke()
        else:
            self._put([self._start, self._last] if self._settings.is_span else self.cells)

    def cancel(self) -> None:
        """Revert the map to the state before the stroke."""
        if self._is_brush:
            self._tilemap.cancel_stroke()

    def _put_each(self, cells: list[Cell]) -> None:
        """Change all tiles together; if that fails, change each tile that can change by itself."""
        try:
            self._put(cells)
        except ValueError:
            problem = None
            for cell in cells:
                try:
                    self._put([cell])
                except ValueError as error:
                    problem = error
            if problem is not None:
                raise problem from None

    def _put(self, cells: list[Cell]) -> None:
        with self._tilemap.edit(self._name) as edit:
            self._settings.make_tool().put(edit, self._tilemap, cells, self._start)
        self._done.update(cells)


class MapEditor:
    """Edits a map by strokes of one tool at a time.

    Parameters
    ----------
    tilemap : TileMap
    path : str or path
        File of `save` and `load`.
    """

    changed = Signal()
    """Emitted when settings, aim or stroke change."""
    message = Signal("text")
    """Emitted with a text for the player when something was undone, saved or refused."""
    saving = Signal()
    """Emitted before the map is written; listeners may add to its `extras`."""
    loaded = Signal("tilemap")
    """Emitted with a map that was read, to replace the current one."""

    def __init__(self, tilemap: TileMap, path: str | PathLike[str]) -> None:
        self.tilemap = instance_of("tilemap", tilemap, TileMap)
        self.path = checked_path("path", path)
        self._kinds = tuple(kind for kind in tilemap.kinds if kind.name != VOID.name)
        names = [kind.name for kind in self._kinds]
        self._tool_settings = ToolSettings(names[0])
        self._other_kind = _DECK_KIND if _DECK_KIND in names else None
        self._aim: Cell | None = None
        self._stroke: _Stroke | None = None
        self._saved_version = tilemap.version

    @property
    def is_saved(self) -> bool:
        """Whether the map has not changed since it was saved, or since the editor was made."""
        return self.tilemap.version == self._saved_version

    @property
    def kinds(self) -> tuple[TileKind, ...]:
        """The kinds of ground that can be painted, in the order of the map's table."""
        return self._kinds

    @property
    def tool_settings(self) -> ToolSettings:
        """The chosen tool and its settings."""
        return self._tool_settings

    def choose(self, **values: Any) -> None:  # noqa: ANN401 - fields of ToolSettings
        """Replace fields of the tool settings; cancel an open stroke.

        Bridges keep a kind of their own.

        Raises
        ------
        TypeError, ValueError
            There is no such tool, area, size or kind.
        """
        before = self._tool_settings
        settings = replace(before, **values)
        is_swapped = (settings.tool == "bridge") != (before.tool == "bridge")
        if is_swapped and "kind" not in values and self._other_kind is not None:
            settings = replace(settings, kind=self._other_kind)
        index_of(settings.kind, self.tilemap.kinds)
        if settings.kind == VOID.name:
            raise ValueError("void cannot be painted; use the erase tool")
        self.cancel()
        if is_swapped:
            self._other_kind = before.kind
        self._tool_settings = settings
        self.changed.emit()

    @property
    def aim(self) -> Cell | None:
        """The tile under the pointer; None if there is none or an edit removed it."""
        if self._aim is None or not self.tilemap.has_cell(self._aim):
            return None
        return self._aim

    @property
    def is_drawing(self) -> bool:
        """Whether a stroke is open."""
        return self._stroke is not None

    @property
    def cells(self) -> list[Cell]:
        """The tiles of the open stroke, or of one that would begin at the aim.

        If they are too many to show, only their border or the nearest ones.
        """
        if self._stroke is not None:
            cells = self._stroke.cells
            return cells if len(cells) <= MAX_SHOWN_TILES else _border(cells)
        if (aim := self.aim) is None:
            return []
        return self._tool_settings.cells(self.tilemap, aim, aim, MAX_SHOWN_TILES)

    def next_area(self) -> None:
        """Choose the next area."""
        self.choose(area=AREAS[(AREAS.index(self._tool_settings.area) + 1) % len(AREAS)])

    def next_kind(self, step: int = 1) -> None:
        """Choose the kind `step` entries further in the map's table, wrapping around."""
        index = index_of(self._tool_settings.kind, self._kinds) + whole_number("step", step)
        self.choose(kind=self._kinds[index % len(self._kinds)].name)

    def resize(self, step: int) -> None:
        """Change the size of the brush, within 1..MAX_SIZE."""
        size = self._tool_settings.size + whole_number("step", step)
        self.choose(size=min(max(size, 1), MAX_SIZE))

    def take_kind(self) -> None:
        """Choose the kind of the tile at the aim."""
        aim = self.aim
        if aim is not None and not self.tilemap.is_void(aim):
            self.choose(kind=self.tilemap.kind_at(aim).name)

    def aim_at(self, cell: CellLike | None) -> None:
        """Aim at a surface, at void ground or at nothing; extend an open stroke there.

        Raises
        ------
        IndexError
            The cell is outside the map or its deck does not exist.
        """
        aim = None if cell is None else self.tilemap.cell(cell)
        if aim == self._aim:
            return
        self._aim = aim
        if self._stroke is not None and aim is not None:
            self._try(self._stroke.extend, aim)
        self.changed.emit()

    def press(self) -> None:
        """Begin a stroke at the aim."""
        aim = self.aim
        if aim is None or self._stroke is not None:
            return
        self._stroke = _Stroke(self.tilemap, self._tool_settings, aim)
        self._try(self._stroke.extend, aim)
        self.changed.emit()

    def release(self) -> None:
        """End the open stroke."""
        if self._stroke is not None:
            stroke, self._stroke = self._stroke, None
            self._try(stroke.end)
            self.changed.emit()

    def act(self) -> None:
        """Use the tool at the aim; if it needs two tiles, call again at the second one."""
        if self._stroke is None:
            self.press()
            if self._tool_settings.needs_second_tile:
                return
        self.release()

    def cancel(self) -> bool:
        """Revert the open stroke; return False if there is none."""
        if self._stroke is None:
            return False
        stroke, self._stroke = self._stroke, None
        stroke.cancel()
        self.changed.emit()
        return True

    def undo(self) -> None:
        """Cancel the open stroke, or else undo the latest change of the map."""
        name = self.tilemap.undo_name
        if self.cancel():
            self.message.emit(Reason("stroke_canceled"))
        elif self.tilemap.undo():
            self.message.emit(Reason("undone", change=name))
        else:
            self.message.emit(Reason("nothing_to_undo"))

    def redo(self) -> None:
        """Redo the latest undone change, unless a stroke is open."""
        name = self.tilemap.redo_name
        if self.is_drawing:
            return
        is_done = self.tilemap.redo()
        self.message.emit(Reason("redone", change=name) if is_done else Reason("nothing_to_redo"))

    def save(self) -> bool:
        """Write the map to `path`; on failure emit a message and return False."""
        self.release()
        self.saving.emit()
        try:
            self.tilemap.save(self.path)
        except (OSError, TypeError, ValueError) as error:
            self.message.emit(Reason("not_saved", error=str(error)))
            return False
        self._saved_version = self.tilemap.version
        self.message.emit(Reason("saved", path=self.path))
        return True

    def load(self) -> TileMap | None:
        """Read the map at `path` and emit `loaded`; on failure emit a message and return None."""
        self.cancel()
        try:
            tilemap = TileMap.load(self.path)
        except ValueError as error:
            self.message.emit(Reason("not_loaded", error=str(error)))
            return None
        self.message.emit(Reason("loaded", path=self.path))
        self.loaded.emit(tilemap)
        return tilemap

    def _try(self, call: Callable[..., object], *values: object) -> None:
        """Call a function and emit the reason if it raises."""
        try:
            call(*values)
        except (IndexError, ValueError) as error:
            self.message.emit(str(error))


def _border(cells: list[Cell]) -> list[Cell]:
    """Return the tiles in the first and last row and the first and last column of a set."""
    rows, cols, _ = zip(*cells, strict=True)
    edge_rows, edge_cols = {min(rows), max(rows)}, {min(cols), max(cols)}
    return [cell for cell in cells if cell.row in edge_rows or cell.col in edge_cols]
