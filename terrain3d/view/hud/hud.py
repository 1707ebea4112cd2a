"""Show a game's texts, buttons and keys on the window, and captions over a box in the scene."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

import numpy as np

from terrain3d.core.checks import checked, instance_of, listed, one_of, quoted
from terrain3d.core.signals import export
from terrain3d.core.translation import tr, translation_server
from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Box, move_clear, split_columns
from terrain3d.look.orbit import Point
from terrain3d.look.palettes import PAINTED
from terrain3d.view.command import Command, KeyRow, first_key, key_rows
from terrain3d.view.hud.ui import Front, Ui, Version
from terrain3d.view.hud.widgets import (
    COLUMN_GAP,
    LEAST_TEXT_PX,
    Button,
    Call,
    Group,
    Panel,
    Space,
    Text,
    Widget,
    fit_to_pixels,
    heading,
    plate,
    row,
    size_of,
    space_of,
    titled,
)
from terrain3d.view.window.input_map import InputMap
from terrain3d.view.window.panda_tree import Control, Node3D, WindowNode
from terrain3d.view.window.viewport import ScreenProjection

_LOW_PX = 480
_MOST_WHAT = 22.0  # width of a text of the help, in heights of the text
_NOTE_LINES = 2
_BUTTON_PART, _BUTTON_GAP = 0.85, 0.25  # of the height of other texts, and in heights of its own
_CAPTION_PART = 0.3  # of the window's height, at most, for all of a caption
_GROUP_GAP = 0.85
"""Between groups of buttons."""
_WIDTHS = (1.0, 0.85, 0.7, 0.5)
"""Parts of the window's width at which rows of buttons begin anew."""
_DOCKS = {
    "short": ("bottom left", 3),
    "tools": ("top left", 2),
    "tool": ("top left", 7),
    "unit": ("top left", 4),
    "tile": ("top left", 5),
    "status": ("bottom left", 6),
}
"""Corners and ranks of the docks, those of one corner from the window's edge inward."""


def note(text: str, part: float, bar: Color | None, runs_on: bool, space: Space) -> list[Version]:
    """Return versions of a text whose first line is brighter: whole, smaller, its first line.

    `part` is the part of the window's width at which it is wrapped. In a low window one that
    `runs_on` is as many of its lines as fit on two.
    """
    lines = space.wrapped(text, part) if text else []
    parts = text.split("\n") if runs_on else []
    while space.window[1] < _LOW_PX and len(lines) > 2 and parts:
        lines = space.wrapped(tr(", ").join(parts), part)
        parts.pop()
    whole, first = (plate(*titled(shown), bar=bar) for shown in (lines, lines[:1]))
    spaces = space.and_smaller if lines else []
    shorter = [(first, spaces[-1])] if len(lines) > 1 else []
    return [*((whole, each) for each in spaces), *shorter]


def key_line(rows: tuple[KeyRow, ...], space: Space) -> list[Version]:
    """Return versions of a line of keys: as many as there is room for, smaller, then one less."""
    texts = [tr("{keys}: {what}", keys=keys, what=what) for keys, what in rows]
    counts = range(len(texts), 0, -1)
    lines = [plate(Text("   |   ".join(texts[:count]))) for count in counts]
    most_px, spaces = space.window[0] - 2 * space.px, space.and_smaller
    shown = [line for line in lines[:-1] if size_of(line, space)[0] <= most_px] + lines[-1:]
    return [*((shown[0], each) for each in spaces), *((line, spaces[-1]) for line in shown[1:])]


def toolbar(buttons: tuple[Button, ...], space: Space) -> list[Version]:
    """Return versions of rows of buttons: with keys, without, smaller, and with keys alone.

    Each is in rows of several widths. Buttons with a color keep their texts, those of a group stay
    together.
    """
    if not buttons:
        return []
    space = space.sized(max(LEAST_TEXT_PX, _BUTTON_PART * space.px))
    keys = [each.key.replace(" ", "") for each in buttons]
    words = [each.text for each in buttons]
    labels = [f"{word} ({key})" if key else word for word, key in zip(words, keys, strict=True)]
    short = [each.text if each.color or not each.key else each.key for each in buttons]
    last = space.sized(LEAST_TEXT_PX) if any(each.icon for each in buttons) else space
    smaller = [(words, each) for each in space.and_smaller]
    looks = [(labels, space), *smaller, (short, last)]
    versions: list[Version] = []
    for texts, used in looks:
        named = [
            each if each.icon else replace(each, text=text, key="")
            for each, text in zip(buttons, texts, strict=True)
        ]
        for part in _WIDTHS:
            groups = groupby(named, lambda each: each.group)
            blocks = (row(*group, most=part, gap=_BUTTON_GAP) for _, group in groups)
            versions.append((row(*blocks, most=part, gap=_GROUP_GAP), used))
    return versions


def buttons_of(names: str, bindings: InputMap) -> tuple[Button, ...]:
    """Return the buttons of the commands that a text names, of those that work now.

    `bindings` is the `input` of a tree. A button shows the first key that is bound to its command,
    and does the same whatever its keys are. `ValueError` for any other name.
    """
    works = bindings.commands
    wanted = [one_of("a name", name, [*works]) for name in instance_of("names", names, str).split()]
    return tuple(
        Button(
            works[name].title,
            Call(bindings.do, (works[name],)),
            first_key(name, bindings),
            is_enabled=works[name].is_enabled,
            name=name,
        )
        for name in wanted
    )


def help_sheet(rows: tuple[KeyRow, ...], key: str, number: int, space: Space) -> list[Version]:
    """Return one of the sheets of keys, or the last one if there are less."""
    sheets = help_sheets(rows, key, space)
    return [(_sheet(sheets[min(number, len(sheets) - 1)]), space)]


def _sheet(columns: Iterable[str]) -> Group:
    return plate(row(*map(Text, columns), gap=COLUMN_GAP))


@lru_cache(8)
def help_sheets(rows: tuple[KeyRow, ...], key: str, space: Space) -> list[list[str]]:
    """Return the columns of each sheet of keys: keys and what they do, alternating."""
    letters, (width, height) = space.letters, space.window
    edge = space.edge_px
    # Headings, and the note of a sheet, stand in the first column.
    first = [keys or heading(text) for keys, text in rows]
    keys_px = max(letters.width_px(text) for text in (*first, _note(99, 99, key)))
    free_px, (around_px, frame_px) = width - 2 * edge, size_of(_sheet(["", ""]), space)
    most_px = max(space.px, min(_MOST_WHAT * space.px, free_px - around_px - keys_px))
    free_lines = int((height - 2 * edge - frame_px) / letters.line_px) + 1 - _NOTE_LINES
    groups: list[list[tuple[list[str], list[str]]]] = [[]]
    above: tuple[str, ...] = ()
    for (keys, text), name in zip(rows, first, strict=True):
        if not keys:  # it goes with the row below it, in one column
            above = ("", name)
            continue
        groups += [[]] if above else []
        lines = space.wrapped(text, most_px / width)
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
        if sheets[-1] and size_of(_sheet(longer), space)[0] > free_px:
            sheets.append(pair)
        else:
            sheets[-1] = longer
    if len(sheets) > 1:
        for number, sheet in enumerate(sheets, start=1):
            sheet[0] += f"\n\n{_note(number, len(sheets), key)}"
    return sheets


def _note(number: int, count: int, key: str) -> str:
    return tr("{number} of {count}: {key}", number=number, count=count, key=key)


def _checked_rows(name: str, rows: Sequence[KeyRow]) -> tuple[KeyRow, ...]:
    """Return rows of (keys, what they do); `TypeError` if they are not pairs of text."""
    pairs = [tuple(listed(name, row)) for row in listed(name, rows)]
    if not all(len(pair) == 2 and {*map(type, pair)} == {str} for pair in pairs):
        raise TypeError(f"{name} must be pairs of text, got {quoted(rows)}")
    return tuple((keys, what) for keys, what in pairs)


def _checked_buttons(name: str, buttons: Sequence[Button]) -> tuple[Button, ...]:
    return tuple(instance_of(name, each, Button) for each in listed(name, buttons))


class Hud(Ui):
    """Shows texts and buttons over the scene, and all keys; each is hidden while it is empty.

    They never overlap: without room for all, the less important ones show only their first line,
    or nothing. Text scales with the window and is rendered for its size. Setting an unchanged text
    costs nothing.
    """

    tool_text = export("", doc="about the current tool; top left")
    unit_text = export("", doc="about the selected unit; below that")
    tile_text = export("", doc="about the tile aimed at; below that")
    status_text = export("", doc="the latest message; bottom left")
    pointer_text = export("", doc="a line beside the pointer, inside the window, over no panel")
    keys: Sequence[KeyRow] = checked(_checked_rows)
    """Rows of the help, which adds its own; a row with "" for keys is a heading."""
    hints: Sequence[KeyRow] = checked(_checked_rows)
    """Rows of the line at the bottom; without any it shows those of the help."""
    buttons: Sequence[Button] = checked(_checked_buttons)
    """The buttons in the top left corner."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.unit_color: Color | None = None
        """Color of the bar beside the text about the unit."""
        self.pointer_color: Color = PAINTED.path
        """Color of the bar of the line beside the pointer."""
        self.keys = self.hints = self.buttons = ()
        self._sheet: int | None = None
        keys, text = "f1 gamepad-back", "show or hide the keys"
        self._help_command = Command("help", keys, text, self.toggle_help, label="Help")
        self._filled: tuple[object, ...] = ()
        for dock, (corner, rank) in _DOCKS.items():
            self.show(dock, None, corner, rank)

    @property
    def is_help_open(self) -> bool:
        """Whether all keys are shown, and no other panel; `toggle_help` changes it."""
        return self._sheet is not None

    def close_help(self) -> None:
        """Hide the help."""
        self._sheet = None
        self.close_front(self.close_help)

    def toggle_help(self) -> None:
        """Show the next sheet of keys; after the last one, show the panels again."""
        number = 0 if self._sheet is None else self._sheet + 1
        sheets = help_sheets(self._rows, self._help_key, self.space)
        if number and number >= len(sheets):
            self.close_help()
        else:
            self._sheet = number
            self._show_help()

    def _show_help(self) -> None:
        sheet = Call(help_sheet, (self._rows, self._help_key, self._sheet))
        self.front = Front(sheet, self.close_help, self.toggle_help, is_shaded=False)

    @property
    def _help_key(self) -> str:
        return first_key("help", self.panda.input)

    @property
    def _rows(self) -> tuple[KeyRow, ...]:
        return *key_rows([self._help_command], self.panda.input), *self.keys

    def _enter_tree(self) -> None:
        super()._enter_tree()
        self.accept_actions([self._help_command])
        self.listen(self.panda.input.changed, self._forget)

    def _forget(self, _name: str) -> None:
        """Name other keys, since something else is bound."""
        self._filled = ()

    def _process(self, dt_s: float) -> None:
        is_gamepad_used, language = self.panda.input.is_gamepad_used, translation_server.language
        wanted = (
            (self.tool_text, self.unit_text, self.tile_text, self.status_text, self.pointer_text),
            (self.unit_color, self.pointer_color, self.keys, self.hints, self.buttons),
            (is_gamepad_used, language),
        )
        if wanted != self._filled:
            self._filled = wanted
            self._fill()
        super()._process(dt_s)

    def _fill(self) -> None:
        """Show all texts and buttons as they are now."""
        rows = self.hints or [row for row in self._rows if row[0]]
        self.show("short", Call(key_line, (tuple(rows),)))
        self.show("tools", Call(toolbar, (self.buttons,)))
        # Those on top leave the middle of the window free.
        self.show("tool", Call(note, (self.tool_text, 0.38, None, False)))
        self.show("unit", Call(note, (self.unit_text, 0.38, self.unit_color, True)))
        self.show("tile", Call(note, (self.tile_text, 0.38, None, True)))
        self.show("status", Call(note, (self.status_text, 0.62, None, False)))
        self.beside = self.pointer_text, self.pointer_color
        if self.is_help_open:
            self._show_help()


def hud_of(node: WindowNode) -> Hud:
    """Return the Hud above a node; `RuntimeError` if there is none."""
    hud = node.find_ancestor(Hud)
    if hud is None:
        raise RuntimeError(f"{node!r} must be below a Hud")
    return hud


class Caption3D(Control):
    """Shows lines over a box of the map, inside the window and clear of all panels.

    `box` is the lowest and the highest corner of the box, in the coordinates of the parent node.
    """

    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of the text")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.box: tuple[Point, Point] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        self._panel = Panel(self.np, "caption")
        self._lines: tuple[str, ...] = ()
        self._below: tuple[Widget, ...] = ()
        self.boxes: list[Box] = []
        """Where it is, in pixels."""
        self.kept_clear: Sequence[Box] = ()
        """Boxes in pixels that it does not cover, where there is room beside them."""

    def _enter_tree(self) -> None:
        self.panda.panels.append(self)

    def _exit_tree(self) -> None:
        self.panda.panels.remove(self)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines shown; without lines, and while the help is open, the caption is hidden."""
        return self._lines

    def show(self, lines: Sequence[str], *below: Widget) -> None:
        """Replace the lines, the first of which is brighter, and what is below if there is room."""
        self._lines, self._below = tuple(lines), below

    def _process(self, _dt_s: float) -> None:
        if not self.panda.has_camera:
            return
        above = self.find_ancestor(Node3D)
        scene = self.panda.viewport.scene if above is None else above.np
        projection = ScreenProjection.of(self.panda.viewport, scene)
        space = space_of(projection.size_px, self.text_scale)
        fit_to_pixels(self.np, projection.size_px)
        is_hidden = self.panda.is_help_open or not any(self._lines)
        shown = plate(*titled(self._lines), *self._below)
        if size_of(shown, space)[1] > _CAPTION_PART * projection.size_px[1]:
            shown = plate(*titled(self._lines))
        self._panel.show(None if is_hidden else shown, space)
        corners = np.array(np.meshgrid(*zip(*self.box, strict=True))).reshape(3, -1).T
        seen = projection.in_pixels(corners)
        (west, top), (east, _) = seen.min(axis=0).tolist(), seen.max(axis=0).tolist()
        wide, high = self._panel.size
        wanted = Box((west + east - wide) / 2, top - high, wide, high)
        self.boxes = []
        taken = [box for panel in self.panda.panels for box in panel.boxes]
        taken += self.kept_clear
        place = move_clear(wanted, taken, projection.size_px, space.px)
        self._panel.place(place.left, place.top)
        self.boxes = [] if is_hidden else [place]
