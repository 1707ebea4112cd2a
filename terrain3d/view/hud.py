"""Text on the window: what is under the pointer, who is selected, what the keys do."""

from __future__ import annotations

from collections.abc import Sequence

from panda3d.core import NodePath, TransparencyAttrib

from terrain3d.kinds import Color
from terrain3d.palettes import PAINTED
from terrain3d.view.panel import Panel, crisp_font
from terrain3d.view.tree import WindowNode

KEYS = (("F1", "show or hide the keys"),)
"""(keys, what they do): the row the help adds by itself."""

BAR_COLORS: dict[str, Color] = {"ok": PAINTED.way, "refused": PAINTED.refused}
"""Kinds of lines beside the pointer, and the color of the bar before them."""

_TEXT_PART = 1 / 44
_WIDEST = 16 / 9
_LEAST_TEXT_PX = 12


class Hud(WindowNode):
    """Panels of text over the scene; each is hidden while its text is empty.

    Text takes the same part of the window at every size of window, and is drawn for that size.
    Setting a text that is shown already costs nothing.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._np = NodePath(self.name)
        self._np.set_bin("fixed", 0)
        self._np.set_transparency(TransparencyAttrib.M_alpha)
        self._tile = Panel(self._np, "tile")
        self._unit = Panel(self._np, "unit")
        self._status = Panel(self._np, "status")
        self._short = Panel(self._np, "short")
        self._help = Panel(self._np, "help")
        self._pointer = Panel(self._np, "pointer")
        self._texts = dict.fromkeys(("tile", "unit", "status", "pointer"), "")
        self._pointer_kind = "ok"
        self._keys: tuple[tuple[str, str], ...] = ()
        self._is_help_open = False
        self._is_stale = self._is_help_stale = True
        self._window = (0, 0)
        self._size_px = 0

    @property
    def tile_text(self) -> str:
        """About the tile under the pointer; top left."""
        return self._texts["tile"]

    @tile_text.setter
    def tile_text(self, text: str) -> None:
        self._set("tile", text)

    @property
    def unit_text(self) -> str:
        """About the selected unit; under the text about the tile."""
        return self._texts["unit"]

    @unit_text.setter
    def unit_text(self, text: str) -> None:
        self._set("unit", text)

    @property
    def status_text(self) -> str:
        """What has just happened; bottom left."""
        return self._texts["status"]

    @status_text.setter
    def status_text(self, text: str) -> None:
        self._set("status", text)

    @property
    def pointer_text(self) -> str:
        """A line beside the pointer, that never leaves the window."""
        return self._texts["pointer"]

    @pointer_text.setter
    def pointer_text(self, text: str) -> None:
        self._set("pointer", text)

    @property
    def pointer_kind(self) -> str:
        """What the line beside the pointer is: "ok" or "refused"."""
        return self._pointer_kind

    @pointer_kind.setter
    def pointer_kind(self, kind: str) -> None:
        if kind not in BAR_COLORS:
            raise ValueError(f"pointer_kind must be one of {tuple(BAR_COLORS)}, got {kind!r}")
        self._is_stale |= kind != self._pointer_kind
        self._pointer_kind = kind

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """(keys, what they do) rows of the help, the most important first; it adds its own."""
        return self._keys

    @keys.setter
    def keys(self, rows: Sequence[tuple[str, str]]) -> None:
        wanted = tuple((keys, what) for keys, what in rows)
        self._is_help_stale |= wanted != self._keys
        self._keys = wanted

    @property
    def is_help_open(self) -> bool:
        """Whether all keys are shown, else their short form."""
        return self._is_help_open

    def toggle_help(self) -> None:
        """Show all keys, or their short form again."""
        self._is_help_open = not self._is_help_open
        self._is_help_stale = True

    def _enter_tree(self) -> None:
        self._np.reparent_to(self.panda.base.render2d)
        self.accept("f1", self.toggle_help)
        self._window = (0, 0)

    def _exit_tree(self) -> None:
        self._np.detach_node()

    def _freed(self) -> None:
        self._np.remove_node()

    def _process(self, _dt_s: float) -> None:
        window = self.panda.base.win
        size = (max(1, window.get_x_size()), max(1, window.get_y_size()))
        if size != self._window:
            self._fit(*size)
        if self._is_help_stale:
            self._write_help(*size)
        if self._is_stale or self._is_help_stale:
            self._write()
        self._is_stale = self._is_help_stale = False
        self._follow_pointer()

    def _set(self, which: str, text: str) -> None:
        self._is_stale |= text != self._texts[which]
        self._texts[which] = text

    def _fit(self, width: int, height: int) -> None:
        """Make one unit one pixel, and letters as large as the window asks for."""
        self._window = (width, height)
        self._np.set_pos(-1, 0, 1)
        self._np.set_scale(2 / width, 1, 2 / height)
        visible = min(height, width / _WIDEST)
        self._is_stale = self._is_help_stale = True
        size_px = max(_LEAST_TEXT_PX, round(visible * _TEXT_PART))
        if size_px == self._size_px:
            return
        self._size_px = size_px
        font = crisp_font(size_px)
        for panel in (
            self._tile,
            self._unit,
            self._status,
            self._short,
            self._help,
            self._pointer,
        ):
            panel.set_font(font, size_px)

    def _write(self) -> None:
        """Put every text on its panel and every panel into its place."""
        _, height = self._window
        edge = self._size_px
        self._tile.set_texts([self._texts["tile"]])
        self._tile.place(edge, edge)
        self._unit.set_texts([self._texts["unit"]])
        self._unit.place(edge, edge + (self._tile.size[1] and self._tile.size[1] + edge / 2))
        self._status.set_texts([self._texts["status"]])
        below = self._short.size[1] and self._short.size[1] + edge / 2
        self._status.place(edge, height - edge - below - self._status.size[1])
        self._pointer.set_texts([self._texts["pointer"]], BAR_COLORS[self._pointer_kind])

    def _write_help(self, width: int, height: int) -> None:
        """Show all keys in the middle, or as many as fit into one line at the bottom."""
        edge = self._size_px
        if self._is_help_open:
            self._short.set_texts([])
            columns = zip(*KEYS, *self._keys, strict=True)
            self._help.set_texts(["\n".join(column) for column in columns])
            wide, high = self._help.size
            self._help.place((width - wide) / 2, (height - high) / 2)
            return
        self._help.set_texts([])
        rows = KEYS + self._keys
        for count in range(len(rows), 0, -1):
            self._short.set_texts(["   |   ".join(f"{k}: {what}" for k, what in rows[:count])])
            if self._short.size[0] <= width - 2 * edge:
                break
        self._short.place(edge, height - edge - self._short.size[1])

    def _follow_pointer(self) -> None:
        """Keep the line beside the pointer, on the side where there is room."""
        wide, high = self._pointer.size
        point = self.panda.pointer.point
        if not wide:
            return
        if point is None:
            self._pointer.np.hide()
            return
        width, height = self._window
        x, y = (point[0] + 1) / 2 * width, (1 - point[1]) / 2 * height
        away = 1.3 * self._size_px
        left = x + away if x + away + wide <= width else x - away - wide
        top = y + away if y + away + high <= height else y - away - high
        self._pointer.place(
            min(max(left, 0.0), max(width - wide, 0.0)), min(max(top, 0.0), max(height - high, 0.0))
        )
        self._pointer.np.show()
