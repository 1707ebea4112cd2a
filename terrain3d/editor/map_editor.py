"""The map editor without a window: aim, strokes, selection, undo, saving and loading."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from terrain3d.core.checks import (
    checked_path,
    finite_numbers,
    instance_of,
    one_of,
    whole_number,
)
from terrain3d.core.signals import Signal
from terrain3d.core.translation import capitalized
from terrain3d.editor.areas import CellArray, as_cells, rectangle_array
from terrain3d.editor.strokes import Ghost, Lifted, Stroke, empty_like, fitting, put_parts, rect_of
from terrain3d.editor.tool_settings import AREAS, MAX_SIZE, ToolSettings
from terrain3d.editor.tools import TOOLS, Choice, Tools, wall_edges
from terrain3d.grid.grid import Cell, CellLike, Rect
from terrain3d.grid.kinds import VOID, TileKind, index_of
from terrain3d.grid.reason import Reason, plain_reason
from terrain3d.map.placement import MIRRORS
from terrain3d.map.tilemap import TileMap

MAX_SHOWN_TILES = 4096
"""The most tiles that a preview shows one by one."""

Kinds = tuple[TileKind | Choice, ...]

_DECK_KIND = "wood"

CHANGES = "cut", "paste", "move", "mirror", "resize"
"""The names of changes of whole parts and of the map."""


class MapEditor:
    """Edits a map by strokes of one tool at a time, and parts of it by copies.

    A change of the whole map makes another map and emits it by `loaded`. The scene shows that map
    with an editor that continues from this one.

    Parameters
    ----------
    tilemap : TileMap
    path : str or path
        File of `save` and `load`.
    tools : mapping from str to callable
        The tools by name, such as `TOOLS` and those of a game.
    """

    changed = Signal()
    """Emitted when settings, aim or stroke change."""
    message = Signal("text")
    """Emitted with a text for the player when something was undone, saved or refused."""
    saving = Signal()
    """Emitted before the map is written or replaced; listeners may add to its `extras`."""
    loaded = Signal("tilemap")
    """Emitted with a map to show in place of the current one: read, resized, or before that."""

    def __init__(self, tilemap: TileMap, path: str | PathLike[str], tools: Tools = TOOLS) -> None:
        self.tilemap = instance_of("tilemap", tilemap, TileMap)
        self.path = checked_path("path", path)
        self._kinds: Kinds = tuple(kind for kind in tilemap.kinds if kind.name != VOID.name)
        names = [kind.name for kind in self._kinds]
        self._tool_settings = ToolSettings(names[0], tools=tools)
        self._last_kinds = {"": names[0]}
        """The kinds chosen last with the tools that share theirs, and with each other tool."""
        if _DECK_KIND in names:
            self._last_kinds["bridge"] = _DECK_KIND
        self._aim: Cell | None = None
        self._beside: Cell | None = None  # the tile across the edge that a wall is aimed at
        self._stroke: Stroke | None = None
        self.selection: Rect | None = None
        """The selected tiles."""
        self.clipboard: TileMap | None = None
        """The copied part."""
        self._lifted: Lifted | None = None
        self._saved = tilemap, tilemap.revision
        self._said: tuple[object, ...] = ()
        """The state after the map was saved, of which the advice is what was said then."""
        self._maps = [("", tilemap)]  # each with the change that made it of the one before
        self._n_edits = 0
        tilemap.edited.connect(self._count_edit, weak=True)

    def continue_from(self, other: "MapEditor") -> None:
        """Take over what another editor had chosen and copied, and its history of this map.

        For the editor of a map that `loaded` has brought.
        """
        if instance_of("other", other, MapEditor)._kinds == self._kinds:
            self._tool_settings, self._last_kinds = other._tool_settings, other._last_kinds
        self.clipboard = other.clipboard
        if any(tilemap is self.tilemap for _, tilemap in other._maps):
            self._maps, self._saved = other._maps, other._saved
        self.changed.emit()

    @property
    def is_saved(self) -> bool:
        """Whether the map is as it was saved, or as it was when the editor was made."""
        return self._saved[0] is self.tilemap and self._saved[1] == self.tilemap.revision

    @property
    def has_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self.tilemap.undo_name or self._number)

    @property
    def has_redo(self) -> bool:
        """Whether there is something to redo."""
        return bool(self.tilemap.redo_name or self._maps[self._number + 1 :])

    @property
    def _number(self) -> int:
        return [tilemap is self.tilemap for _, tilemap in self._maps].index(True)

    @property
    def selected_cells(self) -> list[Cell]:
        """The selected tiles, or their border if they are too many to show."""
        return [] if self.selection is None else self._within(self.selection)

    def _within(self, rect: Rect) -> list[Cell]:
        last = rect.row + rect.rows - 1, rect.col + rect.cols - 1
        return _to_show(rectangle_array(self.tilemap, rect[:2], last))

    @property
    def ghost(self) -> Ghost | None:
        """The part that is moved or pasted, and the tile where its first one would come to lie."""
        if self._lifted is None or self._aim is None:
            return None
        return self._lifted.at(self.tilemap, self._aim)

    @property
    def edges(self) -> list[tuple[Cell, Cell]]:
        """The edges at which the wall tool would add or remove walls."""
        if self._stroke is not None:
            return self._stroke.edges
        aim, beside = self.aim, self._beside
        return [] if aim is None or beside is None else wall_edges(self.tilemap, aim, beside)

    @property
    def advice(self) -> str:
        """A hint on what the pointer does now."""
        if self._lifted is not None and not self._is_moving:
            return plain_reason(Reason("pasting"))
        if self._state == self._said:
            return capitalized(plain_reason(Reason("saved", path=self.path)))
        return self._tool_settings.advice

    @property
    def _state(self) -> tuple[object, ...]:
        """What each act but a move of the aim changes."""
        settings = self._tool_settings
        return self.tilemap.version, settings, self.selection, id(self.clipboard), self._stroke

    @property
    def kinds(self) -> Kinds:
        """What the tool can be made of; see `kinds_of`."""
        return self.kinds_of(self._tool_settings.tool)

    def kinds_of(self, tool: str) -> Kinds:
        """Return the choices of a tool by name, or else the kinds of ground in the map's order."""
        return replace(self._tool_settings, tool=tool).choices or self._kinds

    @property
    def tool_settings(self) -> ToolSettings:
        """The chosen tool and its settings."""
        return self._tool_settings

    def choose(self, **values: Any) -> None:  # noqa: ANN401 - fields of ToolSettings
        """Replace fields of the tool settings; cancel an open stroke.

        Bridges, and tools with other choices than ground, keep a kind of their own.

        Raises
        ------
        TypeError, ValueError
            There is no such tool, area, size or kind.
        """
        before = self._tool_settings
        settings = replace(before, **values)
        group = _sharing(settings)
        if group != _sharing(before) and "kind" not in values:
            usual = settings.choices[0].name if settings.choices else self._ground
            settings = replace(settings, kind=self._last_kinds.get(group, usual))
        if settings.choices:
            one_of("kind", settings.kind, tuple(each.name for each in settings.choices))
        elif settings.kind == VOID.name:
            raise ValueError("void cannot be painted; use the erase tool")
        else:
            index_of(settings.kind, self.tilemap.kinds)
        self._abort()
        self._last_kinds[group] = settings.kind
        self._tool_settings, self._beside = settings, None
        self.changed.emit()

    @property
    def _ground(self) -> str:
        """The chosen kind of ground, or the one chosen last."""
        settings = self._tool_settings
        return self._last_kinds[""] if settings.choices else settings.kind

    @property
    def aim(self) -> Cell | None:
        """The tile under the pointer; None if there is none or an edit removed it."""
        if self._aim is None or not self.tilemap.has_cell(self._aim):
            return None
        return self._aim

    @property
    def is_drawing(self) -> bool:
        """Whether a stroke is open, or a part is moved."""
        return self._stroke is not None or self._is_moving

    @property
    def _is_moving(self) -> bool:
        return self._lifted is not None and self._lifted.origin is not None

    @property
    def cells(self) -> list[Cell]:
        """The tiles of the open stroke, or of one that would begin at the aim.

        While a part is moved or pasted, those where it would lie; none where edges are shown. If
        they are too many to show, only their border or the nearest ones.
        """
        if self._lifted is not None:
            ghost = self.ghost
            return [] if ghost is None else self._within(rect_of(*ghost))
        if self.edges:
            return []
        if self._stroke is not None:
            return _to_show(self._stroke.cells)
        if (aim := self.aim) is None:
            return []
        return _to_show(self._tool_settings.cells(self.tilemap, aim, aim, MAX_SHOWN_TILES))

    def next_area(self) -> None:
        """Choose the next area."""
        self.choose(area=AREAS[(AREAS.index(self._tool_settings.area) + 1) % len(AREAS)])

    def next_kind(self, step: int = 1) -> None:
        """Choose the kind `step` entries further in the map's table, wrapping around."""
        names = [kind.name for kind in self.kinds]
        index = names.index(self._tool_settings.kind) + whole_number("step", step)
        self.choose(kind=names[index % len(names)])

    def resize(self, step: int) -> None:
        """Change the size of the brush, within 1..MAX_SIZE."""
        size = self._tool_settings.size + whole_number("step", step)
        self.choose(size=min(max(size, 1), MAX_SIZE))

    def take_kind(self) -> None:
        """Choose the kind of the tile at the aim."""
        aim = self.aim
        if aim is not None and not self.tilemap.is_void(aim):
            tool = "paint" if self._tool_settings.choices else self._tool_settings.tool
            self.choose(tool=tool, kind=self.tilemap.kind_at(aim).name)

    def aim_at(self, cell: CellLike | None, point: Sequence[float] | None = None) -> None:
        """Aim at a surface, at void ground or at nothing; extend an open stroke there.

        The wall tool aims at the edge of the tile that is nearest to `point`, (x, y) in world
        units; without one, at the tile alone.

        Raises
        ------
        IndexError, TypeError, ValueError
            The cell is outside the map or its deck does not exist, or the point is none.
        """
        aim = None if cell is None else self.tilemap.cell(cell)
        at = None if point is None else finite_numbers("point", point, 2)
        beside = None
        if aim is not None and at is not None and self._tool_settings.tool == "wall":
            beside = self._neighbor(aim, at)
        before = self._aim
        if (aim, beside) == (before, self._beside):
            return
        self._aim, self._beside = aim, beside
        if self._stroke is not None and aim is not None and aim != before:
            self._try(self._stroke.extend, aim)
        self.changed.emit()

    def _neighbor(self, aim: Cell, point: Sequence[float]) -> Cell | None:
        """Return the surface across the edge nearest to a point: that of the nearest level."""
        grid, tilemap = self.tilemap.grid, self.tilemap
        cells = grid.neighbors(aim[:2])
        if not cells:  # a map of one tile
            return None
        near = min(cells, key=lambda cell: math.dist(grid.center(cell), point))
        surfaces = [near._replace(deck=deck) for deck in tilemap.decks_at(near)] or [near]
        level = tilemap.level_at(aim)
        return min(surfaces, key=lambda cell: abs(tilemap.level_at(cell) - level))

    def press(self) -> None:
        """Begin a stroke at the aim, or put the part down that is being pasted."""
        aim = self.aim
        if aim is None or self.is_drawing:
            return
        selection, tool = self.selection, self._tool_settings.tool
        if self._lifted is not None:
            self._put_down(self._lifted)
        elif tool == "select" and selection is not None and selection.holds(aim):
            grip = aim.row - selection.row, aim.col - selection.col
            self._lifted = Lifted(self.tilemap.crop(selection), grip, selection)
        else:
            self._stroke = Stroke(self.tilemap, self._tool_settings, aim, self._beside)
            self._try(self._stroke.extend, aim)
        self.changed.emit()

    def _put_down(self, lifted: Lifted) -> None:
        def put(aim: Cell) -> None:
            self.selection = lifted.put(self.tilemap, aim)

        self._lifted = None
        if self._aim is not None and not self._edit(put, self._aim) and lifted.origin is None:
            self._lifted = lifted

    def release(self) -> None:
        """End the open stroke."""
        if self._stroke is not None:
            stroke, self._stroke = self._stroke, None
            self.selection = stroke.selected or self.selection
            self._edit(stroke.end)
            self.changed.emit()
        elif self._lifted is not None and self._is_moving:
            self._put_down(self._lifted)
            self.changed.emit()

    def act(self) -> None:
        """Use the tool at the aim; if it needs two tiles, call again at the second one."""
        if not self.is_drawing:
            self.press()
            if self._tool_settings.needs_second_tile:
                return
        self.release()

    def cancel(self) -> bool:
        """Revert the open stroke, or paste no more, or select nothing; False if nothing is left."""
        if self._abort():
            return True
        if self.selection is None:
            return False
        self.selection = None
        self.changed.emit()
        return True

    def _abort(self) -> bool:
        """Revert the open stroke, or paste no more; return False if there is neither."""
        if self._stroke is None and self._lifted is None:
            return False
        stroke, self._stroke, self._lifted = self._stroke, None, None
        if stroke is not None:
            stroke.cancel()
        self.changed.emit()
        return True

    def copy(self) -> bool:
        """Copy the selected part; with nothing selected emit a message and return False."""
        self.release()
        if self.selection is None:
            self.message.emit(Reason("no_tiles_selected"))
            return False
        self.clipboard = self.tilemap.crop(self.selection)
        self.message.emit(Reason("copied", rows=self.selection.rows, cols=self.selection.cols))
        self.changed.emit()
        return True

    def cut(self) -> None:
        """Copy the selected part, and leave void in its place."""
        if self.copy() and self.selection is not None and self.clipboard is not None:
            emptied = empty_like(self.clipboard), Cell(*self.selection[:2])
            self._edit(put_parts, self.tilemap, "cut", emptied)

    def paste(self) -> None:
        """Let the copied part follow the aim until `press` or `act` puts it down there."""
        if self.clipboard is None:
            self.message.emit(Reason("nothing_copied"))
        else:
            self._lift(self.clipboard)

    def _lift(self, part: TileMap) -> None:
        if self._try(fitting, self.tilemap, part, 0, 0):
            self.choose(tool="select")
            self.clipboard = part
            self._lifted = Lifted(part, (part.rows // 2, part.cols // 2))
            self.message.emit(Reason("pasting"))
            self.changed.emit()

    def mirror(self, axis: str = "left_right") -> None:
        """Mirror the part that is being pasted, or else the selected part, or else the map.

        `ValueError` unless the axis is "left_right" or "top_bottom".
        """
        one_of("axis", axis, MIRRORS)
        self.release()
        if self._lifted is not None:
            self._lift(self._lifted.part.mirror(axis))
        elif self.selection is not None:
            part = self.tilemap.crop(self.selection).mirror(axis)
            self._edit(put_parts, self.tilemap, "mirror", (part, Cell(*self.selection[:2])))
        else:
            self._replace_map("mirror", lambda: self.tilemap.mirror(axis))

    def resize_map(self, *, north: int = 0, east: int = 0, south: int = 0, west: int = 0) -> None:
        """Add lines of tiles at the sides of the map, or remove as many if negative; see `loaded`.

        New tiles are of the chosen kind, at the middle one of all levels. A size that no map has is
        refused.
        """
        old = self.tilemap
        for name, number in (("north", north), ("east", east), ("south", south), ("west", west)):
            whole_number(name, number)
        size = old.rows + north + south, old.cols + west + east
        level, kind = int(np.median(old.level)), self._ground
        self._replace_map("resize", lambda: old.resize(*size, (north, west), level, kind))

    def _replace_map(self, name: str, make: Callable[[], TileMap]) -> None:
        """Announce a changed copy of the map, or emit why it cannot be made."""
        self.release()
        self.saving.emit()
        try:
            tilemap = make()
        except ValueError as error:
            self.message.emit(str(error))
            return
        self.tilemap.clear_redo()
        self._maps[self._number + 1 :] = [(name, tilemap)]
        size = Reason("map_size", change=name, rows=tilemap.rows, cols=tilemap.cols)
        self._show(tilemap, size)

    def _show(self, tilemap: TileMap, text: Reason) -> None:
        self.saving.emit()
        self.message.emit(text)
        self.loaded.emit(tilemap)

    def undo(self) -> None:
        """Cancel the open stroke, or else undo the latest change."""
        name = self.tilemap.undo_name
        if self._abort():
            self.message.emit(Reason("stroke_canceled"))
        elif self.tilemap.undo():
            self.message.emit(Reason("undone", change=name))
        elif number := self._number:
            name = self._maps[number][0]
            self._show(self._maps[number - 1][1], Reason("undone", change=name))
        else:
            self.message.emit(Reason("nothing_to_undo"))

    def redo(self) -> None:
        """Redo the latest undone change, unless a stroke is open."""
        name = self.tilemap.redo_name
        if self.is_drawing:
            return
        if self.tilemap.redo():
            self.message.emit(Reason("redone", change=name))
        elif self.has_redo:
            name, tilemap = self._maps[self._number + 1]
            self._show(tilemap, Reason("redone", change=name))
        else:
            self.message.emit(Reason("nothing_to_redo"))

    def save(self, path: str | PathLike[str] | None = None) -> bool:
        """Write the map to `path`, or to another file, which then is `path`.

        The folder is made if there is none. On failure emit a message and return False.
        """
        target = self.path if path is None else checked_path("path", path)
        self.release()
        self.saving.emit()
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self.tilemap.save(target)
        except (OSError, TypeError, ValueError) as error:
            self.message.emit(Reason("not_saved", error=str(error)))
            return False
        self.path, self._saved = target, (self.tilemap, self.tilemap.revision)
        self._said = self._state
        self.message.emit(Reason("saved", path=target))
        self.changed.emit()
        return True

    def load(self) -> TileMap | None:
        """Read the map at `path` and emit `loaded`; on failure emit a message and return None."""
        self._abort()
        try:
            tilemap = TileMap.load(self.path)
        except ValueError as error:
            self.message.emit(Reason("not_loaded", error=str(error)))
            return None
        self.message.emit(Reason("loaded", path=self.path))
        self.path = self.path.absolute()
        self.loaded.emit(tilemap)
        return tilemap

    def _count_edit(self, _change: object) -> None:
        self._n_edits += 1

    def _edit(self, call: Callable[..., object], *values: object) -> bool:
        """Change the map; if that is an entry to undo, no undone change can be redone."""
        before = self._n_edits
        is_done = self._try(call, *values)
        if self._n_edits != before:
            del self._maps[self._number + 1 :]
        return is_done

    def _try(self, call: Callable[..., object], *values: object) -> bool:
        """Call a function; if it raises, emit the reason and return False."""
        try:
            call(*values)
        except (IndexError, ValueError) as error:
            self.message.emit(str(error))
            return False
        return True


def _sharing(settings: ToolSettings) -> str:
    """Return "" for the tools that share a kind of ground, else the tool's name."""
    return settings.tool if settings.choices or settings.tool == "bridge" else ""


def _to_show(cells: list[Cell] | CellArray) -> list[Cell]:
    """Return tiles, or if they are too many those in the outermost rows and columns."""
    array = np.reshape(cells, (-1, 3))
    if len(array) > MAX_SHOWN_TILES:
        ground = array[:, :2]
        is_outer = (ground == ground.min(axis=0)) | (ground == ground.max(axis=0))
        array = array[is_outer.any(axis=1)]
    return as_cells(array)
