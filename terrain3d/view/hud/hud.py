"""Show text on panels on the window, clear of each other, and captions over a box in the scene."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    CardMaker,
    NodePath,
    Point3,
    SamplerState,
    TextProperties,
    TextPropertiesManager,
    Texture,
)

from terrain3d.core.checks import checked, listed, one_of, quoted
from terrain3d.core.signals import export
from terrain3d.core.translation import tr
from terrain3d.grid.kinds import Color
from terrain3d.look.icons import icon_alpha
from terrain3d.look.layout import (
    Box,
    Item,
    Size,
    arrange,
    move_clear,
    place_beside,
    split_columns,
    wrap_text,
)
from terrain3d.look.orbit import Point
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import joined, polygon
from terrain3d.view.command import Command, KeyRow, first_key, key_rows
from terrain3d.view.font import drawable, font_file, make_font, text_node, text_width
from terrain3d.view.geometry import make_geom_node, make_texture
from terrain3d.view.window.panda_tree import Control, Node3D
from terrain3d.view.window.viewport import WHOLE, ScreenProjection

POINTER_KINDS = ("ok", "refused")

_LABEL_PART = 0.5
_LOW_PX, _RUN_ON = 480, {"unit", "tile"}
_AWAY, _AWAY_FROM_TILE = 1.3, 2.6  # from pointer or tile, in heights of the text
_MOST_WHAT = 22.0  # width of a text of the help, in heights of the text
_NOTE_LINES = 2
_TEXTS = {
    "tool": ("top left", 7, 0.38),
    "unit": ("top left", 4, 0.38),
    "tile": ("top left", 5, 0.38),
    "status": ("bottom left", 6, 0.62),
}
"""Corners, ranks and parts of the window's width at which texts are wrapped; those on top leave its
middle free."""

PLATE: Color = (0.055, 0.065, 0.09)
INK: Color = (0.96, 0.965, 0.98)
FAINT_INK: Color = (0.80, 0.825, 0.86)
HEADING_INK: Color = (1.0, 0.84, 0.42)
_PLATE_ALPHA = 0.82
# In heights of the text:
_PADDING = 0.6
_COLUMN_GAP = 1.4
_ROUNDNESS = 0.4
_ICON_EDGE = 0.16  # of the plate, around an icon
_BAR = 0.26
_LINE_HEIGHT = 1.3
_BASE_LINE = 0.98
_TEXT_PART = 1 / 44
_WIDEST_ASPECT = 16 / 9
LEAST_TEXT_PX = 12


def usual_text_px(window: Size) -> float:
    """Return a height of text in proportion to the window's size."""
    width, height = window
    return max(LEAST_TEXT_PX, min(height, width / _WIDEST_ASPECT) * _TEXT_PART)


def heading(text: str) -> str:
    """Return a text that panels show in the color of headings."""
    return f"\1heading\1{text}\2"


class Letters:
    """The font of all text, rendered for one size."""

    def __init__(self, size_px: int, file: Path) -> None:
        self.size_px = size_px
        self.line_px = _LINE_HEIGHT * size_px
        """Height of a line."""
        self.padding_px = round(_PADDING * size_px)
        """Distance of the text from the edge of its plate."""
        self.gap_px = round(_COLUMN_GAP * size_px)
        """Distance between two columns."""
        self.font = make_font(file, size_px)
        self.font.set_line_height(_LINE_HEIGHT)
        self._ruler = text_node("ruler")
        self._ruler.set_font(self.font)
        self.width_px = lru_cache(1024)(self._width_px)
        """Returns the width of a line."""
        properties = TextProperties()
        properties.set_text_color(*HEADING_INK, 1.0)
        TextPropertiesManager.get_global_ptr().set_properties("heading", properties)

    def _width_px(self, line: str) -> float:
        return text_width(self._ruler, line) * self.size_px

    def plate_size(self, columns: Sequence[str], *, has_bar: bool = False) -> Size:
        """Return the size of a panel with these texts; 0 without any."""
        if not any(columns):
            return 0.0, 0.0
        widths = [self.column_width(text) for text in columns]
        gaps = self.gap_px * (len(columns) - 1)
        left, padding = self.left_px(has_bar=has_bar), self.padding_px
        lines = max(text.count("\n") + 1 for text in columns)
        return left + sum(widths) + gaps + padding, round(lines * self.line_px) + 2 * padding

    def column_width(self, text: str) -> int:
        """Return the width of a text of several lines, in whole pixels."""
        return round(max(map(self.width_px, text.split("\n"))))

    def left_px(self, *, has_bar: bool) -> int:
        """Return the left edge of the text on a panel."""
        return self.padding_px + (round(_BAR * self.size_px) if has_bar else 0)


def letters_of(size_px: int) -> Letters:
    """Return the shared letters of a size, in the font of all text now."""
    return _letters_of(size_px, font_file())


@cache
def _letters_of(size_px: int, file: Path) -> Letters:
    return Letters(size_px, file)  # Panda3D never frees a font that was drawn


def smaller_letters(letters: Letters, window: Size) -> list[Letters]:
    """Return letters, and the usual ones of the window if these are smaller."""
    usual = round(usual_text_px(window))
    return [letters, letters_of(usual)] if letters.size_px > usual else [letters]


def fit_to_pixels(np_: NodePath, window: Size, scale: float) -> Letters:
    """Make one unit of a child of `render2d` one pixel; return letters for the window's size."""
    width, height = window
    np_.set_pos(-1, 0, 1)
    np_.set_scale(2 / width, 1, 2 / height)
    return letters_of(max(1, round(usual_text_px(window) * scale)))


class Panel:
    """Text in one or more columns on a dark plate; hidden while it has no text.

    The units of its parent are pixels, x to the right and z up.
    """

    def __init__(self, parent: NodePath, name: str) -> None:
        self.np = parent.attach_new_node(name)
        self.np.hide()
        self._plate = self.np.attach_new_node("plate")
        self._nodes: list[NodePath] = []
        self._built: tuple[object, ...] = ()
        self.size: Size = (0.0, 0.0)
        """Width and height in pixels; 0 without text."""

    def write(
        self,
        letters: Letters,
        columns: Sequence[str],
        *,
        bar: Color | None = None,
        plate: Color = PLATE,
        has_heading: bool = False,
        least_px: float = 0.0,
    ) -> None:
        """Show texts side by side; nothing is rebuilt if they are unchanged.

        `bar` is the color of a bar at the left edge, `plate` that of the plate, which is at least
        `least_px` wide. With `has_heading`, all lines after the first are fainter.
        """
        if not self._begin(letters, tuple(columns), bar, plate, has_heading, least_px):
            return
        width, height = letters.plate_size(columns, has_bar=bar is not None)
        self.size = max(width, least_px), height
        if not any(columns):
            self.np.hide()
            return
        left, top = letters.left_px(has_bar=bar is not None), letters.padding_px
        for text in columns:
            heading, _, body = text.partition("\n") if has_heading else (text, "", "")
            self._add(letters, heading, left, top, INK)
            if body:
                self._add(letters, body, left, top + letters.line_px, FAINT_INK)
            left += letters.column_width(text) + letters.gap_px
        mesh = plate_mesh(self.size, letters.size_px, bar, plate)
        self._plate = self.np.attach_new_node(make_geom_node("plate", mesh), -1)
        self.np.show()

    def write_icon(self, size_px: int, icon: str, color: Color | None, plate: Color) -> None:
        """Show an icon, or a color without one, on a square plate instead of texts."""
        if not self._begin(size_px, icon, color, plate):
            return
        self.size = size_px, size_px
        edge = round(_ICON_EDGE * size_px)
        inner = size_px - 2 * edge
        if color is None:
            card = CardMaker("icon")
            card.set_frame(0, inner, -inner, 0)
            self._nodes.append(self.np.attach_new_node(card.generate()))
            self._nodes[0].set_texture(_icon_texture(icon, inner))
        else:
            swatch = polygon(_rounded(inner, inner, inner / 5), color)
            self._nodes.append(self.np.attach_new_node(make_geom_node("color", swatch)))
        self._nodes[0].set_pos(edge, 0, -edge)
        mesh = plate_mesh(self.size, size_px // 2, None, plate)
        self._plate = self.np.attach_new_node(make_geom_node("plate", mesh), -1)
        self.np.show()

    def _begin(self, *wanted: object) -> bool:
        """Remove what is shown; return False if it is what is wanted."""
        if wanted == self._built:
            return False
        self._built = wanted
        for node in (*self._nodes, self._plate):
            node.remove_node()
        self._nodes = []
        return True

    def place(self, left: float, top: float) -> None:
        """Put its top left corner at a whole pixel, so that letters stay crisp."""
        self.np.set_pos(round(left), 0, -round(top))

    def _add(self, letters: Letters, text: str, left: float, top: float, ink: Color) -> None:
        node = text_node("text")
        node.set_font(letters.font)
        node.set_text_color(*ink, 1.0)
        node.set_text(drawable(text))
        column = self.np.attach_new_node(node.generate())
        # The font's unit is the height of a line, the first base line is at 0.
        column.set_scale(letters.size_px)
        column.set_pos(left, 0, -round(top + _BASE_LINE * letters.size_px))
        self._nodes.append(column)


@cache
def _icon_texture(icon: str, size_px: int) -> Texture:
    pixels = np.full((size_px, size_px, 4), 255, np.uint8)
    pixels[..., 3] = icon_alpha(icon, size_px)[::-1]
    texture = make_texture(icon, pixels)
    texture.set_minfilter(SamplerState.FT_linear)
    return texture


@lru_cache(64)
def plate_mesh(
    size: Size, letters_px: int, bar: Color | None = None, color: Color = PLATE
) -> MeshData:
    """Return a plate for text of a height, its top left corner at 0."""
    width, height = size
    radius = _ROUNDNESS * letters_px
    shapes = [polygon(_rounded(width, height, radius), color, _PLATE_ALPHA)]
    if bar is not None:
        shapes.append(polygon(_rounded(_BAR * letters_px, height, radius / 4), bar))
    return joined(shapes)


def _rounded(width: float, height: float, radius: float) -> NDArray[np.float64]:
    """Return the outline of a plate, (n, 3) with y at 0, counter-clockwise from its top right."""
    angle = np.linspace(0.0, np.pi / 2, 7) + np.arange(4)[:, None] * (np.pi / 2)
    right, bottom = width - radius, radius - height
    middle_x = np.array([right, radius, radius, right])[:, None]
    middle_z = np.array([-radius, -radius, bottom, bottom])[:, None]
    x = middle_x + radius * np.cos(angle)
    z = middle_z + radius * np.sin(angle)
    return np.stack([x.ravel(), np.zeros(x.size), z.ravel()], axis=1)


class TextPanel:
    """A text in a corner; where there is little room in smaller letters, or a shorter version."""

    is_first = False

    def __init__(self, parent: NodePath, name: str, corner: str, rank: int) -> None:
        self._panel, self._letters = Panel(parent, name), letters_of(1)
        self._alternatives: list[tuple[str, Letters]] = []
        self.np, self.corner, self.rank = self._panel.np, corner, rank
        self.versions: list[str] = []
        """The whole text, then shorter ones."""
        self.color: Color | None = None
        """Color of a bar beside the text; None for no bar."""

    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Return the sizes of all versions."""
        self._letters, smaller = letters, smaller_letters(letters, window)
        self._alternatives = [(text, each) for text in self.versions[:1] for each in smaller]
        self._alternatives += [(text, smaller[-1]) for text in self.versions[1:]]
        bar = self.color is not None
        return [each.plate_size([text], has_bar=bar) for text, each in self._alternatives]

    def show_as(self, choice: int | None) -> None:
        """Show one of the versions, or nothing."""
        text, letters = ("", self._letters) if choice is None else self._alternatives[choice]
        self._panel.write(letters, [text], bar=self.color, has_heading=True)


def _checked_rows(name: str, rows: Sequence[KeyRow]) -> tuple[KeyRow, ...]:
    """Return rows of (keys, what they do); `TypeError` if they are not pairs of text."""
    pairs = [tuple(listed(name, row)) for row in listed(name, rows)]
    if not all(len(pair) == 2 and {*map(type, pair)} == {str} for pair in pairs):
        raise TypeError(f"{name} must be pairs of text, got {quoted(rows)}")
    return tuple((keys, what) for keys, what in pairs)


class Hud(Control):
    """Shows panels of text over the scene; each is hidden while its text is empty.

    Panels never overlap: without room for all, the less important ones show only their first line,
    or nothing. Text scales with the window and is rendered for its size. Setting an
    unchanged text costs nothing.
    """

    tool_text = export("", doc="about the current tool; top left")
    unit_text = export("", doc="about the selected unit; below that")
    tile_text = export("", doc="about the tile aimed at; below that")
    status_text = export("", doc="the latest message; bottom left")
    pointer_text = export("", doc="a line beside the pointer, inside the window, over no panel")
    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of all text")
    ok_color = export(
        PAINTED.path, range=(0.0, 1.0), doc="color of that line's bar: red, green and blue in 0..1"
    )
    refused_color = export(
        PAINTED.refused, range=(0.0, 1.0), doc="color of that bar for a refused order"
    )

    pointer_kind: str = checked(partial(one_of, choices=POINTER_KINDS))
    """Kind of the line beside the pointer: "ok" or "refused"."""
    keys: Sequence[KeyRow] = checked(_checked_rows)
    """Rows of the help, which adds its own; a row with "" for keys is a heading."""
    hints: Sequence[KeyRow] = checked(_checked_rows)
    """Rows of the line at the bottom; without any it shows those of the help."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.unit_color: Color | None = None
        """Color of the bar beside the text about the unit."""
        self.pointer_place: tuple[float, float] | None = None
        """Point beside which `pointer_text` is shown, (x, y) in -1..1; None for the pointer."""
        self.tip: tuple[str, tuple[float, float]] | None = None
        """A text about a button, and where that is in pixels; shown in place of `pointer_text`."""
        self.kept_clear: Sequence[Box] = ()
        """Boxes in pixels that `pointer_text` does not cover, where there is room beside them."""
        self.is_bare = False
        """Whether its panels and texts are hidden, as while something else needs the window."""
        self.pointer_kind = "ok"
        self.keys = self.hints = ()
        self._key_line = TextPanel(self.np, "short", "bottom left", 3)
        self._texts = {
            name: TextPanel(self.np, name, corner, rank)
            for name, (corner, rank, _) in _TEXTS.items()
        }
        self.panels: list[HudPanel | TextPanel] = [self._key_line, *self._texts.values()]
        """The panels in its corners; those of one corner from the window's edge inward."""
        self._help = HelpSheets(self.np)
        keys, text = "f1 gamepad-back", "show or hide the keys"
        self._help_command = Command("help", keys, text, self.toggle_help, label="Help")
        self._label = Panel(self.np, "pointer")
        self._boxes: list[Box] = []
        self._letters = letters_of(1)
        self._laid_out: tuple[object, ...] = ()
        self._label_place: tuple[object, ...] = ()
        self._label_box: Box | None = None

    @property
    def is_help_open(self) -> bool:
        """Whether all keys are shown, and no other panel; `toggle_help` changes it."""
        return self._help.shown is not None

    def close_help(self) -> None:
        """Hide the help."""
        self._help.shown = None

    def toggle_help(self) -> None:
        """Show the next sheet of keys; after the last one, show the panels again."""
        self._help.turn()

    def rearrange(self) -> None:
        """Arrange all panels again, after a change of their sizes."""
        self._laid_out = ()

    def covers(self, point: tuple[float, float]) -> bool:
        """Return whether a panel lies at a point of the window; the open help takes all clicks."""
        x, y = self.in_pixels(point)
        return self.is_help_open or any(
            box.contains(x, y) for box in self.boxes if box is not self._label_box
        )

    def press(self, button: str, point: tuple[float, float]) -> None:  # noqa: ARG002 - PointerOverlay
        """Turn the help's sheet, as F1 does; other panels take no clicks."""
        if button == "left" and self.is_help_open:
            self.toggle_help()

    def drag(self, button: str, point: tuple[float, float]) -> None:
        """Do nothing: only presses turn the help."""

    def _enter_tree(self) -> None:
        self.panda.pointer.overlays.append(self)
        self.accept_actions([self._help_command])
        self._laid_out = ()

    def _exit_tree(self) -> None:
        self.panda.pointer.remove_overlay(self)

    def _process(self, _dt_s: float) -> None:
        wanted = (
            self._window,
            tuple(self.exports.values()),
            (self.unit_color, self.pointer_kind, self._rows, self.hints, self._help.shown),
            self.is_bare,
            self.tip,
            font_file(),
        )
        if wanted != self._laid_out:
            self._laid_out = wanted
            self._lay_out(self._window)
        self._follow_pointer(self._window)

    @property
    def _window(self) -> Size:
        return self.panda.viewport.size_px

    @property
    def boxes(self) -> list[Box]:
        """The boxes of all visible panels and of `pointer_text`, in pixels."""
        boxes = [self._help.box] if self.is_help_open else self._boxes
        return boxes if self._label_box is None else [*boxes, self._label_box]

    def _lay_out(self, window: Size) -> None:
        """Write every text on its panel and arrange the panels."""
        letters = self._letters = fit_to_pixels(self.np, window, self.text_scale)
        edge = min(letters.size_px, 0.05 * min(window))
        self._help.fill(self._rows, letters, window, edge, self._help_key)
        self._texts["unit"].color = self.unit_color
        self._key_line.versions = self._key_lines(letters, window)
        for name, text in self._texts.items():
            text.versions = self._text_versions(name, letters, window)
        items = []
        for panel in self.panels:
            is_hidden = self.is_help_open or self.is_bare
            sizes = () if is_hidden else panel.sizes(letters, window)
            items.append(Item(panel.corner, sizes, panel.rank))
        places = arrange(window, items, edge, edge / 2)
        self._boxes = [place.box for place in places if place is not None]
        for panel, place in zip(self.panels, places, strict=True):
            panel.show_as(None if place is None else place.choice)
            if place is not None:
                panel.np.set_pos(round(place.box.left), 0, -round(place.box.top))
        color = self.ok_color if self.pointer_kind == "ok" else self.refused_color
        beside = self.pointer_text if self.tip is None else self.tip[0]
        beside = "" if self.is_bare else beside
        line = "\n".join(wrap_text(beside, _LABEL_PART * window[0], letters.width_px))
        self._label.write(letters, [line], bar=color if self.tip is None else None)
        self._label_place = ()

    @property
    def _help_key(self) -> str:
        return first_key("help", self.panda.input)

    @property
    def _rows(self) -> tuple[KeyRow, ...]:
        return *key_rows([self._help_command], self.panda.input), *self.keys

    def _key_lines(self, letters: Letters, window: Size) -> list[str]:
        """Return a line of the first keys, as many as there is room for, then one less each."""
        rows = self.hints or [row for row in self._rows if row[0]]
        texts = [tr("{keys}: {what}", keys=keys, what=what) for keys, what in rows]
        lines = ["   |   ".join(texts[:count]) for count in range(len(texts), 0, -1)]
        most_px = window[0] - 2 * letters.size_px
        fitting = [line for line in lines[:-1] if letters.plate_size([line])[0] <= most_px]
        return [*fitting, *lines[-1:]]

    def _text_versions(self, name: str, letters: Letters, window: Size) -> list[str]:
        """Return a text, wrapped, and its first line; in a low window what of it fits on two."""
        text, most_px = getattr(self, f"{name}_text"), _TEXTS[name][2] * window[0]
        lines = wrap_text(text, most_px, letters.width_px) if text else []
        parts = text.split("\n") if name in _RUN_ON else []
        while window[1] < _LOW_PX and len(lines) > 2 and parts:
            lines = wrap_text(tr(", ").join(parts), most_px, letters.width_px)
            parts.pop()
        return ["\n".join(lines), lines[0]] if len(lines) > 1 else lines

    def _follow_pointer(self, window: Size) -> None:
        """Place `pointer_text` beside the pointer, or the tip beside its button."""
        point = self.pointer_place or self.panda.pointer.scene_point
        at = None if point is None else self.in_pixels(point)
        at = at if self.tip is None else self.tip[1]
        size, clear = self._label.size, [*self.kept_clear]
        if (at, size, clear) == self._label_place:
            return
        self._label_place = at, size, clear
        box = self._label_box = None
        if at is not None and size[0] and not self.is_help_open:
            away = _AWAY if self.tip or self.pointer_place is None else _AWAY_FROM_TILE
            away *= self._letters.size_px
            boxes = self.boxes
            box = place_beside(at, size, window, [*boxes, *clear], away)
            box = box or place_beside(at, size, window, boxes, away)
        self._label_box = box
        if box is None:
            self._label.np.hide()
        else:
            self._label.place(box.left, box.top)
            self._label.np.show()

    def in_pixels(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return a point of the window in pixels from its top left corner."""
        width, height = self._window
        return (point[0] + 1) / 2 * width, (1 - point[1]) / 2 * height


class HelpSheets:
    """Shows all keys in columns, on as many sheets as needed, one sheet at a time."""

    def __init__(self, parent: NodePath) -> None:
        self._panel = Panel(parent, "help")
        self._sheets: list[list[str]] = []
        self._laid_out: tuple[object, ...] = ()
        self.shown: int | None = None
        """The number of the sheet shown, from 0; None while no sheet is shown."""
        self.box = Box(0.0, 0.0, 0.0, 0.0)
        """The box of the sheet shown, in pixels."""

    def turn(self) -> None:
        """Show the first sheet, then the next one, and after the last one none."""
        following = 0 if self.shown is None else self.shown + 1
        self.shown = following if following < max(1, len(self._sheets)) else None

    def fill(
        self, rows: Sequence[KeyRow], letters: Letters, window: Size, edge: float, key: str
    ) -> None:
        """Lay the rows out for a window, and show the current sheet; the key turns sheets."""
        wanted = (tuple(rows), letters, window, edge, key)
        if wanted != self._laid_out:  # every new text of the Hud comes here
            self._laid_out, self._sheets = wanted, _laid_out(rows, letters, window, edge, key)
        if self.shown is not None:
            self.shown = min(self.shown, len(self._sheets) - 1)
        self._panel.write(letters, [] if self.shown is None else self._sheets[self.shown])
        width, height = self._panel.size
        left, top = (window[0] - width) / 2, (window[1] - height) / 2
        self._panel.place(left, top)
        self.box = Box(left, top, width, height)


def _laid_out(
    rows: Sequence[KeyRow], letters: Letters, window: Size, edge: float, key: str
) -> list[list[str]]:
    """Return the columns of each sheet: keys and what they do, alternating."""
    free_px = window[0] - 2 * edge
    # Headings, and the note of a sheet, stand in the first column.
    first = [keys or heading(text) for keys, text in rows]
    keys_px = max(letters.width_px(text) for text in (*first, _note(99, 99, key)))
    around_px = letters.plate_size(["", "x"])[0] - letters.width_px("x")
    most_px = max(letters.size_px, min(_MOST_WHAT * letters.size_px, free_px - around_px - keys_px))
    frame_px = letters.plate_size(["x"])[1] - letters.line_px
    free_lines = int((window[1] - 2 * edge - frame_px) / letters.line_px) - _NOTE_LINES
    groups: list[list[tuple[list[str], list[str]]]] = [[]]
    above: tuple[str, ...] = ()
    for (keys, text), name in zip(rows, first, strict=True):
        if not keys:  # it goes with the row below it, in one column
            above = ("", name)
            continue
        groups += [[]] if above else []
        lines = wrap_text(text, most_px, letters.width_px)
        names = [*above, keys, *[""] * (len(lines) - 1)]
        groups[-1].append((names, [*[""] * len(above), *lines]))
        above = ()
    blocks: list[tuple[list[str], list[str]]] = []
    for group in groups:  # it stays in one column if it fits, else it begins where there is room
        is_joined = sum(len(names) for names, _ in group) > free_lines
        for names, lines in group:
            if blocks and is_joined and len(blocks[-1][0]) + len(names) <= free_lines:
                blocks[-1][0].extend(names)
                blocks[-1][1].extend(lines)
            else:
                blocks.append(([*names], [*lines]))
            is_joined = True
    sheets: list[list[str]] = [[]]
    for column in split_columns([len(names) for names, _ in blocks], max(1, free_lines)):
        chosen = [blocks[block] for block in column]
        top = 1 if chosen and not chosen[0][0][0] else 0  # no empty line above a heading
        sides = ([line for block in chosen for line in block[side]] for side in (0, 1))
        pair = ["\n".join(side[top:]) for side in sides]
        longer = [*sheets[-1], *pair]
        if sheets[-1] and letters.plate_size(longer)[0] > free_px:
            sheets.append([*pair])
        else:
            sheets[-1] = longer
    if len(sheets) > 1:
        for number, sheet in enumerate(sheets, start=1):
            sheet[0] += f"\n\n{_note(number, len(sheets), key)}"
    return sheets


def _note(number: int, count: int, key: str) -> str:
    return tr("{number} of {count}: {key}", number=number, count=count, key=key)


class Caption3D(Control):
    """Shows lines over a box of the map, inside the window and clear of all panels.

    `box` is the lowest and the highest corner of the box, in the coordinates of the parent node.
    """

    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of the text")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.box: tuple[Point, Point] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        self.part = WHOLE
        """The part of the window that it stays in."""
        self._panel = Panel(self.np, "caption")
        self._lines: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines shown; without lines, and while the help is open, the caption is hidden."""
        return self._lines

    def show(self, lines: Sequence[str]) -> None:
        """Replace the lines; the first is brighter than the others."""
        self._lines = tuple(lines)

    def _process(self, _dt_s: float) -> None:
        if not self.panda.has_camera:
            return
        above = self.find_ancestor(Node3D)
        scene = self.panda.viewport.scene if above is None else above.np
        projection = ScreenProjection.of(self.panda.viewport, scene, self.part)
        width, height = projection.size_px
        letters = fit_to_pixels(self.np, projection.size_px, self.text_scale)
        lines = () if self.panda.is_help_open else self._lines
        self._panel.write(letters, ["\n".join(lines)], has_heading=True)
        corners = np.array(np.meshgrid(*zip(*self.box, strict=True))).reshape(3, -1).T
        seen = projection.in_pixels(corners)
        (west, top), (east, _) = seen.min(axis=0).tolist(), seen.max(axis=0).tolist()
        wide, high = self._panel.size
        start, share = self.part[0] * width, self.part[1] * width
        wanted = Box((west + east - wide) / 2 - start, top - high, wide, high)
        taken = [
            box._replace(left=box.left - start)
            for overlay in self.panda.pointer.overlays
            for box in overlay.boxes
        ]
        place = move_clear(wanted, taken, (share, height), letters.size_px)
        self._panel.place(start + place.left, place.top)


class HudPanel(Control, ABC):
    """A panel in a corner of the window that receives clicks; a child of a `Hud`."""

    corner = "top right"
    rank = 1
    """The Hud shrinks or hides panels of a lower rank first."""
    is_first = False
    """Whether it is nearer to its corner than the panels there."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._size: Size | None = None  # while it is shown as one rectangle

    @abstractmethod
    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Return its possible sizes in pixels, the best first; empty if it is not shown."""

    @abstractmethod
    def show_as(self, choice: int | None) -> None:
        """Take one of the sizes returned last; hide the panel if None."""

    def covers(self, point: tuple[float, float]) -> bool:
        """Return whether it lies at a point of the window."""
        if self._size is None or self.np.is_hidden():
            return False
        x, y = self._on_plate(point)
        return 0 <= x < self._size[0] and 0 <= y < self._size[1]

    @abstractmethod
    def press(self, button: str, point: tuple[float, float]) -> None:
        """Handle a press on it."""

    def drag(self, button: str, point: tuple[float, float]) -> None:
        """Handle a move of the pointer while a button that was pressed on it is down."""

    @property
    def boxes(self) -> Sequence[Box]:
        """Empty: the Hud lists the panel's box."""
        return ()

    def _rearrange(self) -> None:
        """Have the Hud arrange its panels again, after a change of size."""
        hud = self.find_ancestor(Hud)
        if hud is not None:
            hud.rearrange()

    def _on_plate(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return a point of the window in pixels right of and below the panel's corner."""
        place = self.np.get_relative_point(
            self.panda.viewport.render2d, Point3(point[0], 0, point[1])
        )
        return place.x, -place.z

    def _enter_tree(self) -> None:
        hud = self.find_ancestor(Hud)
        if hud is None:
            raise RuntimeError(f"{self!r} must be below a Hud")
        hud.panels.insert(0 if self.is_first else len(hud.panels), self)
        hud.rearrange()
        self.panda.pointer.overlays.insert(0, self)  # before the Hud, which takes no clicks

    def _exit_tree(self) -> None:
        hud = self.find_ancestor(Hud)
        if hud is not None:
            hud.panels.remove(self)
            hud.rearrange()
        self.panda.pointer.remove_overlay(self)
        self._size = None
