"""A map maker without a window: what is chosen, aimed at, drawn, saved and told."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from terrain3d.core.signals import Signal
from terrain3d.editor.areas import rim
from terrain3d.editor.strokes import ToolStroke
from terrain3d.editor.tool_settings import AREAS, MAX_SHOWN_TILES, MAX_SIZE, ToolSettings
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.kinds import VOID, index_of
from terrain3d.map.tilemap import TileMap


class MapEditor:
    """Draws on a map with one tool after the other.

    Parameters
    ----------
    tilemap : TileMap
    path : Path
        Where `save` writes to and `load` reads from.
    """

    changed = Signal()
    """Something that is shown of it is different."""
    message = Signal("text")
    """Something was undone, saved or refused, and this says so."""
    saving = Signal()
    """The map is about to be written; who carries something with it may tell that now."""
    loaded = Signal("tilemap")
    """A map was read; whoever shows maps is to show that one."""

    def __init__(self, tilemap: TileMap, path: Path) -> None:
        self.tilemap = tilemap
        self.path = path
        self._kinds = [kind.name for kind in tilemap.kinds if kind.name != VOID.name]
        self._tool_settings = ToolSettings(self._kinds[0])
        self._aim: Cell | None = None
        self._stroke: ToolStroke | None = None

    @property
    def tool_settings(self) -> ToolSettings:
        """Which tool is in hand, and how it works."""
        return self._tool_settings

    def choose(self, **values: Any) -> None:  # noqa: ANN401 - fields of ToolSettings
        """Replace fields of the tool settings; cancels an open stroke.

        Raises
        ------
        TypeError, ValueError
            There is no such tool, area, size or kind.
        """
        settings = replace(self._tool_settings, **values)
        index_of(settings.kind, self.tilemap.kinds)
        if settings.kind == VOID.name:
            raise ValueError("void is not painted; erase makes it")
        self.cancel()
        self._tool_settings = settings
        self.changed.emit()

    @property
    def aim(self) -> Cell | None:
        """The tile that is aimed at; None too once it is no longer there."""
        if self._aim is None or not self.tilemap.has_cell(self._aim):
            return None
        return self._aim

    @property
    def is_drawing(self) -> bool:
        """Whether something was begun that has not ended."""
        return self._stroke is not None

    @property
    def cells(self) -> list[Cell]:
        """The tiles that what was begun is about, or would be about if it began at the aim.

        Of very many only some, as those at the edge of a rectangle.
        """
        if self._stroke is not None:
            cells = self._stroke.cells
            return cells if len(cells) <= MAX_SHOWN_TILES else rim(cells)
        aim = self.aim
        return [] if aim is None else self._tool_settings.preview(self.tilemap, aim)

    def next_area(self) -> None:
        """Choose the area after the chosen one."""
        self.choose(area=AREAS[(AREAS.index(self._tool_settings.area) + 1) % len(AREAS)])

    def next_kind(self, step: int = 1) -> None:
        """Choose the kind so many places further in the map's table, around its end."""
        place = self._kinds.index(self._tool_settings.kind) + step
        self.choose(kind=self._kinds[place % len(self._kinds)])

    def resize(self, step: int) -> None:
        """Make the brush larger or smaller, as far as its sizes go."""
        self.choose(size=min(max(self._tool_settings.size + step, 1), MAX_SIZE))

    def take_kind(self) -> None:
        """Choose the kind of the tile that is aimed at."""
        aim = self.aim
        if aim is not None and not self.tilemap.is_void(aim):
            self.choose(kind=self.tilemap.kind_at(aim).name)

    def aim_at(self, cell: CellLike | None) -> None:
        """Aim at a surface, at void ground or at nothing; what was begun follows there.

        Raises
        ------
        IndexError
            The cell is outside the map or on no deck.
        """
        aim = None if cell is None else self.tilemap.cell(cell)
        if aim == self._aim:
            return
        self._aim = aim
        if self._stroke is not None and aim is not None:
            self._try(self._stroke.extend, aim)
        self.changed.emit()

    def press(self) -> None:
        """Begin where one aims."""
        aim = self.aim
        if aim is None or self._stroke is not None:
            return
        self._stroke = self._tool_settings.begin(self.tilemap, aim)
        self._try(self._stroke.extend, aim)
        self.changed.emit()

    def release(self) -> None:
        """End what was begun."""
        if self._stroke is not None:
            stroke, self._stroke = self._stroke, None
            self._try(stroke.end)
            self.changed.emit()

    def act(self) -> None:
        """Work on the tile aimed at, as a key does: what takes two tiles begins, then ends."""
        if self._stroke is None:
            self.press()
            if self._tool_settings.needs_second_tile:
                return
        self.release()

    def cancel(self) -> bool:
        """Take back what was begun; False if nothing was."""
        if self._stroke is None:
            return False
        stroke, self._stroke = self._stroke, None
        stroke.cancel()
        self.changed.emit()
        return True

    def undo(self) -> None:
        """Give up what was begun, or else take the latest change of the map back."""
        name = self.tilemap.undo_name
        if self.cancel():
            self.message.emit("given up")
        else:
            self.message.emit(f"undone: {name}" if self.tilemap.undo() else "nothing to undo")

    def redo(self) -> None:
        """Make the latest change that was taken back again."""
        name = self.tilemap.redo_name
        if not self.is_drawing:
            self.message.emit(f"redone: {name}" if self.tilemap.redo() else "nothing to redo")

    def save(self) -> bool:
        """Write the map to `path`; False if that fails, which is told."""
        self.release()
        self.saving.emit()
        try:
            self.tilemap.save(self.path)
        except (OSError, TypeError, ValueError) as error:
            self.message.emit(f"not saved: {error}")
            return False
        self.message.emit(f"saved {self.path}")
        return True

    def load(self) -> TileMap | None:
        """Read the map at `path` and report it by `loaded`; None if that fails, which is told."""
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
        """Call what may be refused, and tell the reason."""
        try:
            call(*values)
        except (IndexError, ValueError) as error:
            self.message.emit(str(error))
