"""A map maker's tools without a window: what is chosen, aimed at, drawn, saved and told.

Tools change all tiles of an area, or what lies between two tiles. An area is what a brush is led
over, a rectangle, or all tiles that hang together with one and are like it.
"""

from collections.abc import Callable
from pathlib import Path

from terrain3d import areas
from terrain3d.brushes import Bridge, Brush, Connect, Erase, Level, Paint, Raise, Ramp, Span
from terrain3d.gestures import AtEnd, Dabs, Gesture
from terrain3d.grid import Cell, CellLike
from terrain3d.kinds import VOID, index_of
from terrain3d.signals import Signal
from terrain3d.tilemap import TileMap

TOOLS = ("raise", "lower", "level", "paint", "erase", "ramp", "bridge", "ladder")
AREAS = ("brush", "rectangle", "fill")
MAX_SIZE = 9
"""The largest brush."""

_BETWEEN = TOOLS[5:]


class MapMaker:
    """Draws on a map by one tool after the other.

    Parameters
    ----------
    tilemap : TileMap
    path : Path
        Where `save` writes to and `load` reads from.
    """

    changed = Signal()
    """Something that is shown of it is different."""
    loaded = Signal("tilemap")
    """A map was read; whoever shows maps is to show that one."""

    def __init__(self, tilemap: TileMap, path: Path) -> None:
        self.tilemap = tilemap
        self.path = path
        self._tool, self._area, self._size = TOOLS[0], AREAS[0], 1
        self._kinds = [kind.name for kind in tilemap.kinds if kind.name != VOID.name]
        self._kind = self._kinds[0]
        self._aim: Cell | None = None
        self._gesture: Gesture | None = None
        self._message = ""

    @property
    def tool(self) -> str:
        """What is done to tiles, one of TOOLS."""
        return self._tool

    @tool.setter
    def tool(self, name: str) -> None:
        if name not in TOOLS:
            raise ValueError(f"tool must be one of {TOOLS}, got {name!r}")
        self.cancel()
        self._tool = name
        self._tell("")

    @property
    def area(self) -> str:
        """Which tiles that is done to, one of AREAS; some tools know their tiles themselves."""
        return self._area

    @area.setter
    def area(self, name: str) -> None:
        if name not in AREAS:
            raise ValueError(f"area must be one of {AREAS}, got {name!r}")
        self.cancel()
        self._area = name
        self._tell("")

    @property
    def size(self) -> int:
        """How large the brush is, 1..MAX_SIZE."""
        return self._size

    @size.setter
    def size(self, size: int) -> None:
        self.cancel()
        self._size = min(max(size, 1), MAX_SIZE)
        self._tell("")

    @property
    def kind(self) -> str:
        """Name of the kind that is painted and of which bridges are made."""
        return self._kind

    @kind.setter
    def kind(self, name: str) -> None:
        index_of(name, self.tilemap.kinds)
        if name == VOID.name:
            raise ValueError("void is not painted; erase makes it")
        self.cancel()
        self._kind = name
        self._tell("")

    @property
    def aim(self) -> Cell | None:
        """The tile that is aimed at; None too once it is no longer there."""
        if self._aim is None or not self.tilemap.is_there(self._aim):
            return None
        return self._aim

    @property
    def is_drawing(self) -> bool:
        """Whether something was begun that has not ended."""
        return self._gesture is not None

    @property
    def message(self) -> str:
        """What the latest action came to, if that is worth telling."""
        return self._message

    @property
    def cells(self) -> list[Cell]:
        """The tiles that what was begun is about, or would be about if it began at the aim."""
        if self._gesture is not None:
            return self._gesture.cells
        aim = self.aim
        if aim is None:
            return []
        if self._tool in _BETWEEN or self._area == "rectangle":
            return [aim]
        if self._area == "fill":
            return areas.flood(self.tilemap, aim)
        return areas.disc(self.tilemap, aim, self._size)

    @property
    def text(self) -> str:
        """What is chosen, in lines."""
        lines = [f"tool: {self._tool}"]
        if self._tool not in _BETWEEN:
            size = f" of size {self._size}" if self._area == "brush" else ""
            lines.append(f"area: {self._area}{size}")
        if self._tool in {"paint", "bridge"}:
            lines.append(f"kind: {self._kind}")
        return "\n".join(lines)

    def next_area(self) -> None:
        """Choose the area after the chosen one."""
        self.area = AREAS[(AREAS.index(self._area) + 1) % len(AREAS)]

    def next_kind(self, step: int = 1) -> None:
        """Choose the kind so many places further in the map's table, around its end."""
        place = self._kinds.index(self._kind) + step
        self.kind = self._kinds[place % len(self._kinds)]

    def take_kind(self) -> None:
        """Choose the kind of the tile that is aimed at."""
        aim = self.aim
        if aim is not None and not self.tilemap.is_void(aim):
            self.kind = self.tilemap.kind_at(aim).name

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
        self._message = ""
        self._gesture = self._begin(aim)
        self._try(self._gesture.extend, aim)
        self.changed.emit()

    def release(self) -> None:
        """End what was begun."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            self._try(gesture.end)
            self.changed.emit()

    def choose(self) -> None:
        """Act on the tile aimed at, as a key does: begin or end what takes two tiles."""
        if self._gesture is None:
            self.press()
            if self._tool in _BETWEEN or self._area == "rectangle":
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
            self._tell("given up")
        else:
            self._tell(f"undone: {name}" if self.tilemap.undo() else "nothing to undo")

    def redo(self) -> None:
        """Make the latest change that was taken back again."""
        name = self.tilemap.redo_name
        if not self.is_drawing:
            self._tell(f"redone: {name}" if self.tilemap.redo() else "nothing to redo")

    def save(self) -> bool:
        """Write the map to `path`; False, and a message, if that fails."""
        self.release()
        try:
            self.tilemap.save(self.path)
        except (OSError, TypeError, ValueError) as error:
            self._tell(f"not saved: {error}")
            return False
        self._tell(f"saved {self.path}")
        return True

    def load(self) -> TileMap | None:
        """Read the map at `path` and report it by `loaded`; None, and a message, if that fails."""
        self.cancel()
        try:
            tilemap = TileMap.load(self.path)
        except ValueError as error:
            self._tell(f"not loaded: {error}")
            return None
        self._tell(f"loaded {self.path}")
        self.loaded.emit(tilemap)
        return tilemap

    def _begin(self, start: Cell) -> Gesture:
        tool = self._tool
        name = f"{tool} {self._kind}" if tool == "paint" else tool
        spans: dict[str, Span] = {
            "ramp": Ramp(),
            "bridge": Bridge(self._kind),
            "ladder": Connect(),
        }
        if tool in spans:
            return AtEnd.between(self.tilemap, name, start, spans[tool])
        brushes: dict[str, Brush] = {
            "raise": Raise(1),
            "lower": Raise(-1),
            "level": Level(),
            "paint": Paint(self._kind),
            "erase": Erase(),
        }
        if self._area == "brush":
            return Dabs(self.tilemap, name, start, brushes[tool], self._size)
        area = areas.rectangle if self._area == "rectangle" else _alike
        return AtEnd.over(self.tilemap, name, start, brushes[tool], area)

    def _try(self, call: Callable[..., object], *values: object) -> None:
        """Call what may be refused, and tell the reason."""
        try:
            call(*values)
        except (IndexError, ValueError) as error:
            self._message = str(error)

    def _tell(self, message: str) -> None:
        self._message = message
        self.changed.emit()


def _alike(tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
    del end
    return areas.flood(tilemap, start)
