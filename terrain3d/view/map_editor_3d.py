"""Map editing in the scene, by mouse or by keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from panda3d.core import TransparencyAttrib

from terrain3d.core.checks import checked_path, instance_of, optional, true_or_false
from terrain3d.core.signals import Signal, export
from terrain3d.core.translation import tr
from terrain3d.editor.map_editor import Kinds, MapEditor
from terrain3d.editor.tool_settings import AREAS, ToolSettings
from terrain3d.editor.tools import TOOLS, Tools, checked_tools
from terrain3d.grid.grid import Cell, Rect
from terrain3d.grid.kinds import Color
from terrain3d.grid.reason import Reason, plain_reason, register_reasons
from terrain3d.mesh.chunks import chunk_mesh
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.structures import edge_bars
from terrain3d.view.command import Command, with_keys
from terrain3d.view.geometry import redrawn, set_unlit
from terrain3d.view.scene.mark_3d import TileOverlay3D
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.scene.tile_cursor_3d import TileCursor3D
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from terrain3d.map.tilemap import TileMap

register_reasons(
    no_stroke=("There is nothing to cancel",),
    unsaved_edits=(
        "the edits are not saved: {saves} in the map editor saves them, {key} again drops them",
    ),
)

_TOOL_KEYS = "1234567890uo"
_BY_NUMBER = "choose a kind of ground, or what else the tool puts there, by its number"
_OF_TILE = "choose the kind of ground of the tile aimed at"
_SAVES = "save, load the map; F9 twice if edits are not saved"
_COPIES = "copy, cut, paste the selected part"

PREVIEW_COLOR: Color = (1.0, 0.55, 0.12)
_SELECTED_COLOR: Color = (1.0, 1.0, 1.0)
_GHOST_ALPHA = 0.75
_SORT, _LIFT = 25, 0.03

_AGAIN_S = 6.0
"""Time in which a second press of a key drops edits that are not saved."""


class MapEditor3D(Node3D):
    """Lets a player edit the map of its Terrain3D while it is active.

    F2 toggles it. While it is active, the left button draws, Ctrl + Z and Ctrl + Y undo and redo
    strokes, and Esc cancels a stroke. Other nodes that use these buttons or keys, such as a camera
    that orbits with the left button, must ignore them while `is_active`.

    Parameters
    ----------
    path : str or Path
        The file that F5 saves to and F9 loads.
    cursor : TileCursor3D, optional
        Cursor that keys aim with; Enter or Space applies the tool to its tile.
    name : str
    tools : mapping from str to callable, optional
        The tools by name, such as `TOOLS`, the default, and those of a game.

    Examples
    --------
    ::

        editor = terrain.add_child(MapEditor3D(Path("vale.tmap")))
        editor.changed.connect(lambda: setattr(hud, "tool_text", editor.advice))
    """

    changed = Signal()
    """`advice` or `is_active` may have changed."""
    message = Signal("text")
    """A stroke was undone, a file saved or a request refused, as the text says."""
    saving = Signal()
    """The map is about to be saved or replaced; a listener may still add to `TileMap.extras`."""
    loaded = Signal("tilemap")
    """F9 has loaded a map, or the map was resized; the scene should show it."""
    name_wanted = Signal()
    """F5 was pressed while `asks_name`."""

    color = export(
        PREVIEW_COLOR,
        range=(0.0, 1.0),
        doc="color of tiles under the tool: red, green and blue in 0..1",
    )

    def __init__(
        self,
        path: str | Path,
        cursor: TileCursor3D | None = None,
        name: str = "",
        tools: Tools | None = None,
    ) -> None:
        super().__init__(name)
        self._path = checked_path("path", path)
        self._tools = TOOLS if tools is None else checked_tools(tools)
        self._cursor = optional("cursor", cursor, TileCursor3D)
        self._editor: MapEditor | None = None
        self._is_active = False
        self._asked: tuple[str, int] | None = None
        self._again_s = 0.0
        self._drawing = Drawing3D(self, self._cursor)
        self.asks_name = False
        """Whether F5 emits `name_wanted` instead of saving."""

    @property
    def is_active(self) -> bool:
        """Whether mouse and keys edit the map."""
        return self._is_active

    @is_active.setter
    def is_active(self, value: bool) -> None:
        if true_or_false("is_active", value) != self._is_active:
            self._is_active = value
            if self._editor is not None and self.is_inside_tree:
                self._editor.release()
            change = self.add_child if value else self.remove_child
            change(self._drawing)
            self._update()

    @property
    def map_editor(self) -> MapEditor:
        """The editing logic behind this node.

        Raises
        ------
        RuntimeError
            The node is not inside a tree.
        """
        if self._editor is None or not self.is_inside_tree:
            raise RuntimeError(f"{self!r} is not inside a tree")
        return self._editor

    @property
    def advice(self) -> str:
        """How to use the tool; "" while it is not active."""
        return "" if self._active_settings is None else self.map_editor.advice

    def toggle(self) -> None:
        """Start or stop editing."""
        self.is_active = not self._is_active

    def may_drop_edits(self, key: str) -> bool:
        """Return whether a key may replace the map; emit `message` if not.

        With edits that are not saved it may at the second press within some seconds.
        """
        editor, key = self._editor, instance_of("key", key, str)
        if editor is None or editor.is_saved:
            return True
        asked = key, editor.tilemap.version
        is_second = asked == self._asked and self._again_s > 0
        self._asked, self._again_s = asked, _AGAIN_S
        if not is_second:
            is_there = self.is_inside_tree
            saves = with_keys("{save}", self.panda.input) if is_there else tr("the menu")
            self.message.emit(Reason("unsaved_edits", saves=saves, key=key))
        return is_second

    def _enter_tree(self) -> None:
        terrain, editor = terrain_above(self), self._editor
        if editor is None or editor.tilemap is not terrain.tilemap:
            editor = self._editor = MapEditor(terrain.tilemap, self._path, self._tools)
        self.listen(editor.changed, self._update)
        self.listen(editor.message, self.message.emit)
        self.listen(editor.saving, self.saving.emit)
        self.listen(editor.loaded, self.loaded.emit)
        toggle = Command(
            "map_editor", "f2", "open or close the map editor", self.toggle, "Map editor"
        )
        self.accept_actions([toggle], "Map")
        self.accept_actions(self._commands(editor), "Map editor", lambda: self._is_active)
        for kinds in dict.fromkeys(map(editor.kinds_of, self._tools)):
            is_on = partial(self._chooses, editor, kinds)
            self.accept_actions(_choosing(editor, kinds), "Map editor", is_on)

    def _exit_tree(self) -> None:
        if self._editor is not None:
            self._editor.cancel()

    def _chooses(self, editor: MapEditor, kinds: Kinds) -> bool:
        return self._is_active and editor.kinds == kinds

    def _commands(self, editor: MapEditor) -> list[Command]:
        """Return what a player can do while it is active."""
        choose, resize, clear = (
            editor.choose,
            editor.resize,
            "stop drawing or pasting, select nothing",
        )
        mirror = "mirror what is pasted, the selection or the map left to right / upside down"
        following = "choose the next / previous kind of ground"
        areas, sizes = "change the area: brush, rectangle or fill", "make the brush smaller, larger"
        upside_down, edit = partial(editor.mirror, "top_bottom"), "undo / redo an edit"
        keys = ", ".join(["1 to 9, 0", *_TOOL_KEYS[10 : len(self._tools)].upper()])
        tools = zip_longest(_TOOL_KEYS, self._tools, fillvalue="")

        def is_span() -> str:
            return tr("Not with this tool") if editor.tool_settings.is_span else ""

        def has_no_size() -> str:
            is_brush = editor.tool_settings.area == "brush"
            return is_span() or ("" if is_brush else tr("Only a brush has a size"))

        def unless(is_able: Callable[[], object], code: str) -> Callable[[], str]:
            return lambda: "" if is_able() else plain_reason(Reason(code))

        has_no_undo = unless(lambda: editor.has_undo or editor.is_drawing, "nothing_to_undo")
        has_no_redo = unless(lambda: editor.has_redo, "nothing_to_redo")
        has_no_part = unless(lambda: editor.selection, "no_tiles_selected")
        has_no_copy = unless(lambda: editor.clipboard, "nothing_copied")
        undo = Command("undo_stroke", "control-z gamepad-face_y", edit, editor.undo, "Undo")
        redo = Command("redo_stroke", "control-y", "", editor.redo, "Redo", why_not=has_no_redo)
        smaller = Command("smaller_brush", "j", sizes, partial(resize, -1), "Smaller", "J / L")
        copy = Command("copy", "control-c", _COPIES, editor.copy, why_not=has_no_part)
        return [
            Command("draw", text="draw", shown_keys="Left drag"),
            Command("camera_orbit", text="orbit", shown_keys="Right drag"),
            Command("choose_tool", text=", ".join(self._tools), shown_keys=keys),
            *(
                Command(f"tool_{tool}", key, call=partial(choose, tool=tool), label=tool)
                for key, tool in tools
                if tool
            ),
            Command("next_area", "b", areas, editor.next_area, "Area"),
            *(
                Command(f"area_{each}", "", "", partial(choose, area=each), each, why_not=is_span)
                for each in AREAS
            ),
            replace(smaller, why_not=has_no_size),
            Command("larger_brush", "l", "", partial(resize, 1), "Larger", why_not=has_no_size),
            Command("next_kind", "g gamepad-face_x", following, editor.next_kind),
            Command("previous_kind", "shift-g", "", partial(editor.next_kind, -1)),
            Command("take_kind", "i", _OF_TILE, editor.take_kind),
            Command("save", "f5", _SAVES, self._save, "Save", "F5 / F9"),
            Command("load", "f9", "", self._load, "Load"),
            replace(undo, shown_keys="Ctrl + Z / Y", why_not=has_no_undo),
            redo,
            replace(copy, shown_keys="Ctrl + C / X / V"),
            Command("cut", "control-x", "", editor.cut, why_not=has_no_part),
            Command("paste", "control-v", "", editor.paste, why_not=has_no_copy),
            Command("mirror", "h", mirror, editor.mirror),
            Command("mirror_down", "shift-h", "", upside_down, "Mirror upside down"),
            Command("cancel_stroke", "escape gamepad-face_b", clear, self._cancel, "Cancel"),
        ]

    def _process(self, dt_s: float) -> None:
        self._again_s -= dt_s

    def _update(self) -> None:
        if self._cursor is not None:
            self._cursor.includes_void = self.includes_void
        self.changed.emit()

    @property
    def _active_settings(self) -> ToolSettings | None:
        is_used = self._is_active and self.is_inside_tree
        return self._editor.tool_settings if self._editor is not None and is_used else None

    @property
    def includes_void(self) -> bool:
        """Whether void tiles can be aimed at, as by the paint tool, which changes them."""
        settings = self._active_settings
        return settings is not None and settings.tool in {"paint", "select"}

    def _cancel(self) -> None:
        if not self.map_editor.cancel():
            self.message.emit(Reason("no_stroke"))

    def _save(self) -> None:
        if self.asks_name:
            self.name_wanted.emit()
        else:
            self.map_editor.save()

    def _load(self) -> None:
        if self.may_drop_edits(with_keys("{load}", self.panda.input)):
            self.map_editor.load()


def _choosing(editor: MapEditor, kinds: Kinds) -> list[Command]:
    """Return the commands that choose what a tool is made of."""
    keys = (f"{modifier}-{n}" for modifier in ("shift", "control") for n in range(1, 10))
    return [
        Command("choose_kind", "", _BY_NUMBER, shown_keys="Shift + 1 to 9, Ctrl + 1 to 9"),
        *(
            Command(f"kind_{n}", key, "", partial(editor.choose, kind=kind.name), kind.name)
            for n, (key, kind) in enumerate(zip(keys, kinds, strict=False), start=1)
        ),
    ]


class Drawing3D(Node3D):
    """Aims and draws by mouse and cursor, and shows what would change; for an active editor."""

    def __init__(self, node: MapEditor3D, cursor: TileCursor3D | None) -> None:
        super().__init__("drawing")
        self._node, self._cursor = node, cursor
        self._is_stale = False
        self._version = 0
        self._overlay = self.add_child(TileOverlay3D())
        self._marquee = self.add_child(TileOverlay3D("selection"))
        self._marquee.is_dashed, self._marquee.color = True, _SELECTED_COLOR
        self._overlay.includes_void = self._marquee.includes_void = True
        self._preview = self.add_child(EditPreview3D("preview"))

    def _enter_tree(self) -> None:
        pointer, editor = self.panda.pointer, self._node.map_editor
        self.listen(terrain_above(self).tile_hovered, self._hover)
        self.listen(pointer.pressed, self._press)
        self.listen(pointer.moved, self._follow)
        self.listen(pointer.released, self._release)
        self.listen(pointer.focus_lost, editor.release)
        self.listen(editor.changed, self._mark_stale)
        if self._cursor is not None:
            self.listen(self._cursor.moved, self._aim_by_cursor)
            self.listen(self._cursor.chosen, self._choose)
        self._is_stale = True
        self._aim_first()

    def _process(self, _dt_s: float) -> None:
        editor, color = self._node.map_editor, self._node.color
        if self._is_stale or self._version != editor.tilemap.version:  # at most once a frame
            self._is_stale, self._version = False, editor.tilemap.version
            self._overlay.show(editor.cells)
            self._marquee.show(editor.selected_cells)
            self._preview.show(editor, color)
        self._overlay.color = color

    def _mark_stale(self) -> None:
        self._is_stale = True

    @property
    def _is_keyed(self) -> bool:
        return self._cursor is not None and self._cursor.is_keyed

    def _aim_first(self) -> None:
        """Aim at the cursor if keys moved it, else at the pointer."""
        if self._cursor is not None and self._is_keyed:
            self._node.map_editor.aim_at(self._cursor.cell)
        else:
            self._aim_by_pointer()

    def _aim_by_pointer(self) -> None:
        point, terrain = self.panda.pointer.scene_point, terrain_above(self)
        cell = None if point is None else terrain.cell_at(point, self._node.includes_void)
        met = None
        if point is not None and cell is not None and (ray := self.panda.ray(point, terrain.np)):
            (x, y, z), (dx, dy, dz) = ray
            part = (terrain.tilemap.surface_point(cell)[2] - z) / (dz or -1e-9)
            met = x + part * dx, y + part * dy
        self._node.map_editor.aim_at(cell, met)

    def _aim_by_cursor(self, cell: Cell | None) -> None:
        if self._is_keyed:
            self._node.map_editor.aim_at(cell)

    def _hover(self, _cell: Cell | None) -> None:
        # During a stroke only motion of the pointer aims, not motion of the ground under it.
        if not self._is_keyed and not self._node.map_editor.is_drawing:
            self._aim_by_pointer()

    def _follow(self, _point: tuple[float, float] | None) -> None:
        self._aim_by_pointer()

    def _press(self, button: str, _point: tuple[float, float], modifier: str) -> None:
        if button == "left" and not modifier:
            self._aim_by_pointer()
            self._node.map_editor.press()

    def _release(self, button: str) -> None:
        if button == "left":
            self._node.map_editor.release()

    def _choose(self, _cell: Cell) -> None:
        self._node.map_editor.act()


class EditPreview3D(Node3D):
    """Shows the edges that the wall tool would change, and the part that is moved or pasted."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._bars, self._lit = self.np.attach_new_node("bars"), self.np.attach_new_node("ghost")
        self._lit.set_transparency(TransparencyAttrib.M_alpha)
        self._lit.set_alpha_scale(_GHOST_ALPHA)
        self._ghost = self._lit.attach_new_node("none")
        self._part: TileMap | None = None

    def _enter_tree(self) -> None:
        terrain_above(self).daylight.add_subject(self._lit)

    def _exit_tree(self) -> None:
        terrain_above(self).daylight.remove_subject(self._lit)

    def show(self, editor: MapEditor, color: Color) -> None:
        """Show what an editor would change now."""
        edges, ghost = editor.edges, editor.ghost
        bars = edge_bars(editor.tilemap, edges, color) if edges else MeshData.empty()
        self._bars = redrawn(self._bars, self.np, "bars", bars)
        set_unlit(self._bars, _SORT)
        part, at = ghost or (None, Cell(0, 0))
        if part is not self._part:
            self._part = part
            mesh = MeshData.empty()
            if part is not None:
                mesh = chunk_mesh(part, Rect(0, 0, part.rows, part.cols))
            self._ghost = redrawn(self._ghost, self._lit, "ghost", mesh)
        if part is not None:
            (x, y), (own_x, own_y) = editor.tilemap.grid.center(at), part.grid.center((0, 0))
            self._ghost.set_pos(x - own_x, y - own_y, _LIFT)
