"""The map editor without a window: settings, aim, strokes, undo, saving and loading."""

from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from typing import Any

from terrain3d.core.checks import checked_path, instance_of, whole_number
from terrain3d.core.signals import Signal
from terrain3d.editor.areas import border
from terrain3d.editor.strokes import ToolStroke
from terrain3d.editor.tool_settings import AREAS, MAX_SHOWN_TILES, MAX_SIZE, ToolSettings
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.kinds import VOID, TileKind, index_of
from terrain3d.map.tilemap import TileMap

_DECK_KIND = "wood"


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
        self._stroke: ToolStroke | None = None
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
            return cells if len(cells) <= MAX_SHOWN_TILES else border(cells)
        aim = self.aim
        return [] if aim is None else self._tool_settings.preview(self.tilemap, aim)

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
        self._stroke = self._tool_settings.begin(self.tilemap, aim)
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
            self.message.emit("stroke canceled")
        else:
            self.message.emit(f"undone: {name}" if self.tilemap.undo() else "nothing to undo")

    def redo(self) -> None:
        """Redo the latest undone change, unless a stroke is open."""
        name = self.tilemap.redo_name
        if not self.is_drawing:
            self.message.emit(f"redone: {name}" if self.tilemap.redo() else "nothing to redo")

    def save(self) -> bool:
        """Write the map to `path`; on failure emit a message and return False."""
        self.release()
        self.saving.emit()
        try:
            self.tilemap.save(self.path)
        except (OSError, TypeError, ValueError) as error:
            self.message.emit(f"not saved: {error}")
            return False
        self._saved_version = self.tilemap.version
        self.message.emit(f"saved {self.path}")
        return True

    def load(self) -> TileMap | None:
        """Read the map at `path` and emit `loaded`; on failure emit a message and return None."""
        self.cancel()
        try:
            tilemap = TileMap.load(self.path)
        except ValueError as error:
            self.message.emit(f"not loaded: {error}")
            return None
        self.message.emit(f"loaded {self.path}")
        self.loaded.emit(tilemap)
        return tilemap

    def _try(self, call: Callable[..., object], *values: object) -> None:
        """Call a function and emit the reason if it raises."""
        try:
            call(*values)
        except (IndexError, ValueError) as error:
            self.message.emit(str(error))
