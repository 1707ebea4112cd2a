"""Show a game's texts, buttons and keys on the window, and captions over a box in the scene."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from terrain3d.core.checks import checked, instance_of, listed, one_of, quoted
from terrain3d.core.signals import export
from terrain3d.core.translation import capitalized, tr, translation_server
from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Box, move_clear
from terrain3d.look.orbit import Point
from terrain3d.look.palettes import PAINTED
from terrain3d.view.command import Command, KeyRow, first_key, key_rows
from terrain3d.view.hud.ui import Front, Ui, Version
from terrain3d.view.hud.widgets import (
    COLUMN_GAP,
    HEADING_INK,
    LEAST_TEXT_PX,
    Button,
    Call,
    Group,
    Panel,
    Space,
    Text,
    Widget,
    column,
    fit_to_pixels,
    plate,
    row,
    size_of,
    space_of,
    titled,
)
from terrain3d.view.window.input_map import InputMap
from terrain3d.view.window.panda_tree import Control, Node3D, WindowNode
from terrain3d.view.window.viewport import ScreenProjection

LOW_PX = 480
"""In a window that is lower, panels say less."""
_HELP_SCALES, _HELP_PART = (1.0, 0.85, 0.7, 0.55, 0.4, 0.25), 0.55
"""Sizes of the letters of the help, and the part of the window's width of what keys do."""
_BUTTON_PART, _BUTTON_GAP = 0.85, 0.25  # of the height of other texts, and in heights of its own
_CAPTION_PART = 0.3  # of the window's height, at most, for all of a caption
_GROUP_GAP = 0.85
"""Between groups of buttons."""
_WIDTHS = (1.0, 0.85, 0.7, 0.5)
"""Parts of the window's width at which rows of buttons begin anew."""
_DOCKS = {
    "short": ("bottom left", 3),
    "goal": ("top left", 9),
    "tools": ("top left", 2),
    "tool": ("top left", 7),
    "card": ("top left", 4),
    "unit": ("top left", 4),
    "tile": ("top left", 5),
    "status": ("bottom left", 6),
}
"""Corners and ranks of the docks, those of one corner from the window's edge inward.

Those of the goal and of a unit's card are for the game to fill, by `Ui.show`.
"""


def note(text: str, part: float, bar: Color | None, runs_on: bool, space: Space) -> list[Version]:
    """Return versions of a text whose first line is brighter: whole, smaller, its first line.

    `part` is the part of the window's width at which it is wrapped. In a low window one that
    `runs_on` is as many of its lines as fit on two.
    """
    lines = space.wrapped(text, part) if text else []
    parts = text.split("\n") if runs_on else []
    while space.window[1] < LOW_PX and len(lines) > 2 and parts:
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
            groups = itertools.groupby(named, lambda each: each.group)
            blocks = (row(*group, most=part, gap=_BUTTON_GAP) for _, group in groups)
            versions.append((row(*blocks, most=part, gap=_GROUP_GAP), used))
    return versions


def buttons_of(names: str, bindings: InputMap) -> tuple[Button, ...]:
    """Return the buttons of the commands that a text names, of those that work now.

    `bindings` is the `input` of a tree. A button shows the first key that is bound to its command,
    and does the same whatever its keys are. Its tip says what the command does, and why not now.
    `ValueError` for any other name.
    """
    works = bindings.commands
    wanted = [one_of("a name", name, [*works]) for name in instance_of("names", names, str).split()]
    return tuple(
        Button(
            works[name].title,
            Call(bindings.do, (works[name],)),
            first_key(name, bindings),
            "\n".join(map(capitalized, filter(None, (tr(works[name].text), why)))),
            is_enabled=not why,
            name=name,
        )
        for name in wanted
        for why in [works[name].why_not()]
    )


def help_page(rows: tuple[KeyRow, ...], space: Space) -> list[Version]:
    """Return versions of a page of keys and what they do, in letters and columns that get less."""
    versions: list[Version] = []
    for scale, count in itertools.product(_HELP_SCALES, (1, 2, 3)):
        each, n_rows = space.sized(scale * space.px), -(-len(rows) // count)
        starts = range(0, len(rows), n_rows)
        columns = (_help_column(rows[at : at + n_rows], _HELP_PART / count, each) for at in starts)
        versions.append((plate(row(*columns, gap=COLUMN_GAP)), each))
    return versions


def _help_column(rows: tuple[KeyRow, ...], part: float, space: Space) -> Group:
    """Return rows of the help below each other: headings, and keys with what they do."""
    widths = [space.letters.width_px(keys) for keys, _ in rows]
    parts: list[Widget] = []
    for (keys, what), width in zip(rows, widths, strict=True):
        text = "\n".join(space.wrapped(what, part))
        gap = COLUMN_GAP + (max(widths) - width) / space.px
        parts += [Text("")] * (not keys and parts != [])
        parts.append(row(Text(keys), Text(text), gap=gap) if keys else Text(text, HEADING_INK))
    return column(*parts)


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
    """Rows of the help, one page, which adds its own; one with "" for keys is a heading."""
    hints: Sequence[KeyRow] = checked(_checked_rows)
    """Rows of the line at the bottom, if there are any."""
    buttons: Sequence[Button] = checked(_checked_buttons)
    """The buttons in the top left corner."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.unit_color: Color | None = None
        """Color of the bar beside the text about the unit."""
        self.pointer_color: Color = PAINTED.path
        """Color of the bar of the line beside the pointer."""
        self.keys = self.hints = self.buttons = ()
        keys, text = "f1 gamepad-back", "show or hide this page"
        self._help_command = Command("help", keys, text, self.toggle_help, label="Help")
        self._filled: tuple[object, ...] = ()
        for dock, (corner, rank) in _DOCKS.items():
            self.show(dock, None, corner, rank)

    @property
    def is_help_open(self) -> bool:
        """Whether the keys are shown, and no other panel; `toggle_help` changes it."""
        return self.front is not None and self.front.close == self.close_help

    def close_help(self) -> None:
        """Hide the help."""
        if self.is_inside_tree:
            self.panda.is_help_open = False
        self.close_front(self.close_help)

    def toggle_help(self) -> None:
        """Show the keys, or the panels again."""
        if self.is_help_open:
            self.close_help()
        else:
            self._show_help()

    def _show_help(self) -> None:
        """Show the page of the help, which Esc closes from now on."""
        rows = *self.keys, *key_rows([self._help_command], self.panda.input)
        self.front = Front(Call(help_page, (rows,)), self.close_help, self.toggle_help)
        self.panda.is_help_open = True

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
        self.show("short", Call(key_line, (tuple(self.hints),)) if self.hints else None)
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
