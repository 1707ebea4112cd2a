"""A map maker without a window: what is chosen, aimed at, drawn, saved and told."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from terrain3d.core.signals import Signal
from terrain3d.editor.areas import rim
from terrain3d.editor.strokes import Gesture
from terrain3d.editor.tools import AREAS, MAX_SIZE, MOST_SHOWN, Choice
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.kinds import VOID, index_of
from terrain3d.map.tilemap import TileMap


class MapMaker:
    """Draws on a map with one tool after the other.

    Parameters
    ----------
    tilemap : TileMap
    path : Path
        Where `save` writes to and `load` reads from.
    """

    changed = Signal()
    """Something that is shown of it is different."""
    told = Signal("message")
    """Something was undone, saved or refused, and this says so."""
    saving = Signal()
    """The map is about to be written; who carries something with it may tell that now."""
    loaded = Signal("tilemap")
    """A map was read; whoever shows maps is to show that one."""

    def __init__(self, tilemap: TileMap, path: Path) -> None:
        self.tilemap = tilemap
        self.path = path
        self._kinds = [kind.name for kind in tilemap.kinds if kind.name != VOID.name]
        self._choice = Choice(self._kinds[0])
        self._aim: Cell | None = None
        self._gesture: Gesture | None = None

    @property
    def choice(self) -> Choice:
        """Which tool is in hand, and how it works."""
        return self._choice

    def choose(self, **values: Any) -> None:  # noqa: ANN401 - those of a Choice
        """Choose another tool, area, size or kind, as fields of a `Choice`; gives up what is drawn.

        Raises
        ------
        TypeError, ValueError
            There is no such tool, area, size or kind.
        """
        choice = replace(self._choice, **values)
        index_of(choice.kind, self.tilemap.kinds)
        if choice.kind == VOID.name:
            raise ValueError("void is not painted; erase makes it")
        self.cancel()
        self._choice = choice
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
        return self._gesture is not None

    @property
    def cells(self) -> list[Cell]:
        """The tiles that what was begun is about, or would be about if it began at the aim.

        Of very many only some, as those at the edge of a rectangle.
        """
        if self._gesture is not None:
            cells = self._gesture.cells
            return cells if len(cells) <= MOST_SHOWN else rim(cells)
        aim = self.aim
        return [] if aim is None else self._choice.preview(self.tilemap, aim)

    def next_area(self) -> None:
        """Choose the area after the chosen one."""
        self.choose(area=AREAS[(AREAS.index(self._choice.area) + 1) % len(AREAS)])

    def next_kind(self, step: int = 1) -> None:
        """Choose the kind so many places further in the map's table, around its end."""
        place = self._kinds.index(self._choice.kind) + step
        self.choose(kind=self._kinds[place % len(self._kinds)])

    def resize(self, step: int) -> None:
        """Make the brush larger or smaller, as far as its sizes go."""
        self.choose(size=min(max(self._choice.size + step, 1), MAX_SIZE))

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
        if self._gesture is not None and aim is not None:
            self._try(self._gesture.extend, aim)
        self.changed.emit()

    def press(self) -> None:
        """Begin where one aims."""
        aim = self.aim
        if aim is None or self._gesture is not None:
            return
        self._gesture = self._choice.begin(self.tilemap, aim)
        self._try(self._gesture.extend, aim)
        self.changed.emit()

    def release(self) -> None:
        """End what was begun."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            self._try(gesture.end)
            self.changed.emit()

    def act(self) -> None:
        """Work on the tile aimed at, as a key does: what takes two tiles begins, then ends."""
        if self._gesture is None:
            self.press()
            if self._choice.takes_two:
                return
        self.release()

    def cancel(self) -> bool:
        """Take back what was begun; False if nothing was."""
        if self._gesture is None:
            return False
        gesture, self._gesture = self._gesture, None
        gesture.cancel()
        self.changed.emit()
        return True

    def undo(self) -> None:
        """Give up what was begun, or else take the latest change of the map back."""
        name = self.tilemap.undo_name
        if self.cancel():
            self.told.emit("given up")
        else:
            self.told.emit(f"undone: {name}" if self.tilemap.undo() else "nothing to undo")

    def redo(self) -> None:
        """Make the latest change that was taken back again."""
        name = self.tilemap.redo_name
        if not self.is_drawing:
            self.told.emit(f"redone: {name}" if self.tilemap.redo() else "nothing to redo")

    def save(self) -> bool:
        """Write the map to `path`; False if that fails, which is told."""
        self.release()
        self.saving.emit()
        try:
            self.tilemap.save(self.path)
        except (OSError, TypeError, ValueError) as error:
            self.told.emit(f"not saved: {error}")
            return False
        self.told.emit(f"saved {self.path}")
        return True

    def load(self) -> TileMap | None:
        """Read the map at `path` and report it by `loaded`; None if that fails, which is told."""
        self.cancel()
        try:
            tilemap = TileMap.load(self.path)
        except ValueError as error:
            self.told.emit(f"not loaded: {error}")
            return None
        self.told.emit(f"loaded {self.path}")
        self.loaded.emit(tilemap)
        return tilemap

    def _try(self, call: Callable[..., object], *values: object) -> None:
        """Call what may be refused, and tell the reason."""
        try:
            call(*values)
        except (IndexError, ValueError) as error:
            self.told.emit(str(error))
