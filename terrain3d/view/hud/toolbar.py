"""Buttons on the window: each does the same as the key of its command; a menu of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Self

from panda3d.core import TransparencyAttrib

from terrain3d.core.checks import instance_of, listed, one_of, optional, true_or_false
from terrain3d.core.signals import Signal
from terrain3d.core.translation import tr
from terrain3d.grid.kinds import Color, checked_color
from terrain3d.look.icons import ICONS
from terrain3d.look.layout import Box, Size, flow
from terrain3d.view.command import Command, aiming_commands, first_key
from terrain3d.view.hud.hud import (
    INK,
    LEAST_TEXT_PX,
    PLATE,
    Hud,
    HudPanel,
    Letters,
    Panel,
    letters_of,
    smaller_letters,
)
from terrain3d.view.hud.menu import back_command
from terrain3d.view.window.input_map import InputMap

_PART = 0.85  # of the height of other texts
_GAP = 0.25  # in heights of the text
_WIDTHS = (1.0, 0.85, 0.7, 0.5)  # parts of the window's width
_CHOSEN: Color = (0.16, 0.36, 0.66)
_LIGHTER = {"": 0.0, "hover": 0.12, "held": 0.28}
"""Parts of white in the plate of a button, by whether the pointer is on it or holds it."""
_DISABLED_ALPHA = 0.45
SWATCH = "swatch"
"""In place of an icon: the color of the button."""
_ICON = 1.85  # its plate, in heights of the text
_GROUP_GAP = 3
"""Between groups, in gaps."""


@dataclass(frozen=True)
class Button:
    """A button: its label, its key, and the command that a press causes.

    `color` is that of a bar at its left edge; a chosen button has a bright plate. One that is not
    enabled is faint, and a press on it does nothing. `icon`, one of `look.icons.ICONS`, is shown
    in place of the label, and of a "swatch" its color; the pointer on it shows label, key and
    `tip`. Buttons of one `group` stay together. `TypeError` or `ValueError` if a value is of the
    wrong type, a color not three numbers in 0..1, or there is no such icon.
    """

    label: str
    key: str
    command: Command | None = None
    color: Color | None = None
    is_chosen: bool = False
    is_enabled: bool = True
    icon: str = ""
    group: str = ""
    tip: str = ""

    @classmethod
    def of(cls, command: Command, bindings: InputMap, label: str = "") -> Self:
        """Return the button of a command, with the first key that is bound to it.

        `bindings` is the `input` of a tree. A press causes the command whatever its keys are.
        """
        key, is_enabled = first_key(command.name, bindings), command.is_enabled
        return cls(label or command.title, key, command, is_enabled=is_enabled)

    @property
    def name(self) -> str:
        """The name of its command; "" without one."""
        return "" if self.command is None else self.command.name

    def __post_init__(self) -> None:
        """Check the fields."""
        one_of("icon", self.icon, ("", SWATCH, *ICONS))
        for name in ("label", "key", "group", "tip"):
            instance_of(name, getattr(self, name), str)
        optional("command", self.command, Command)
        for name in ("is_chosen", "is_enabled"):
            true_or_false(name, getattr(self, name))
        if self.color is not None:
            checked_color("color", self.color)


def buttons_of(names: str, bindings: InputMap) -> tuple[Button, ...]:
    """Return the buttons of the commands that a text names, of those that work now.

    `bindings` is the `input` of a tree: see `Button.of`. `ValueError` for any other name.
    """
    works = bindings.commands
    wanted = [one_of("a name", name, [*works]) for name in instance_of("names", names, str).split()]
    return tuple(Button.of(works[name], bindings) for name in wanted)


def _size(boxes: Sequence[Box]) -> Size:
    return max(box.left + box.width for box in boxes), max(box.top + box.height for box in boxes)


class Toolbar(HudPanel):
    """Shows buttons in rows; a child of a `Hud`, which arranges it.

    Without room for label and key, buttons show only their keys, and those with a color only their
    labels.
    """

    pressed = Signal("button")
    """A button was pressed, before its command is done."""

    corner, rank, is_first = "top left", 2, True

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._buttons: tuple[Button, ...] = ()
        self._panels: list[Panel] = []
        self._alternatives: list[tuple[list[str], list[Box], Letters]] = []
        self._letters = letters_of(1)
        self._boxes: list[Box] = []
        self._texts: list[str] = []
        self._pointed: int | None = None
        self._is_held = False
        self._tip: tuple[str, tuple[float, float]] | None = None

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The buttons, in the order in which they are shown."""
        return self._buttons

    @buttons.setter
    def buttons(self, buttons: Sequence[Button]) -> None:
        wanted = tuple(instance_of("buttons", each, Button) for each in listed("buttons", buttons))
        if wanted != self._buttons:
            self._buttons = wanted
            self._rearrange()

    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Return the sizes in rows: with keys, without, in smaller letters, and with keys alone."""
        letters = letters_of(max(LEAST_TEXT_PX, round(_PART * letters.size_px)))
        self._alternatives = []
        keys = [each.key.replace(" ", "") for each in self.buttons]
        labels = [
            f"{each.label} ({key})" if key else each.label
            for each, key in zip(self.buttons, keys, strict=True)
        ]
        short = [each.label if each.color or not each.key else each.key for each in self.buttons]
        words = [each.label for each in self.buttons]
        smaller = [(words, each) for each in smaller_letters(letters, window)]
        has_icons = any(each.icon for each in self.buttons)
        last = letters_of(LEAST_TEXT_PX) if has_icons else letters
        for texts, used in ((labels, letters), *smaller, (short, last)):
            plates = [
                self._plate_size(*each, used) for each in zip(self.buttons, texts, strict=True)
            ]
            for part in _WIDTHS:
                boxes = self._placed(plates, part * window[0], round(_GAP * used.size_px))
                self._alternatives.append((texts, boxes, used))
        return [_size(boxes) for _, boxes, _ in self._alternatives if boxes]

    @staticmethod
    def _plate_size(button: Button, text: str, letters: Letters) -> Size:
        side = round(_ICON * letters.size_px)
        has_bar = button.color is not None
        return (side, side) if button.icon else letters.plate_size([text], has_bar=has_bar)

    def _placed(self, plates: Sequence[Size], most: float, gap: int) -> list[Box]:
        """Return the places of plates in rows, those of a group together."""
        pairs = zip(self.buttons, plates, strict=True)
        groups = groupby(pairs, lambda pair: pair[0].group)
        blocks = [flow([plate for _, plate in group], most, gap) for _, group in groups]
        corners = flow([_size(block) for block in blocks], most, _GROUP_GAP * gap)
        return [
            box._replace(left=box.left + corner.left, top=box.top + corner.top)
            for block, corner in zip(blocks, corners, strict=True)
            for box in block
        ]

    def show_as(self, choice: int | None) -> None:
        """Show the buttons in one of the sizes; hide them if None."""
        self._texts, self._boxes = [], []
        if choice is not None:
            self._texts, self._boxes, self._letters = self._alternatives[choice]
        while len(self._panels) < len(self._texts):
            self._panels.append(Panel(self.np, "button"))
            self._panels[-1].np.set_transparency(TransparencyAttrib.M_alpha)
        for panel in self._panels[len(self._texts) :]:
            panel.np.hide()
        self._write()

    def _write(self) -> None:
        """Show all buttons as they are now: chosen, under the pointer, held or not enabled."""
        shown = zip(self._panels, self.buttons, self._texts, self._boxes, strict=False)
        for number, (panel, button, text, box) in enumerate(shown):
            state = ("held" if self._is_held else "hover") if number == self._pointed else ""
            white = _LIGHTER[state if button.is_enabled else ""]
            bright = INK if button.icon == SWATCH else _CHOSEN
            plain = bright if button.is_chosen else PLATE
            red, green, blue = (part + (1.0 - part) * white for part in plain)
            plate = red, green, blue
            if button.icon:
                panel.write_icon(round(box.width), button.icon, button.color, plate)
            else:
                panel.write(self._letters, [text], bar=button.color, plate=plate)
            panel.np.set_alpha_scale(1.0 if button.is_enabled else _DISABLED_ALPHA)
            panel.place(box.left, box.top)
            panel.np.show()
        self._show_tip()

    def _show_tip(self) -> None:
        """Tell what the icon under the pointer does."""
        hud, number, tip = self.find_ancestor(Hud), self._pointed, None
        if number is not None and number < len(self._boxes) and self._buttons[number].icon:
            button, box = self._buttons[number], self._boxes[number]
            text = f"{button.label} ({button.key})" if button.key else button.label
            x, y = self.np.get_x() + box.left, -self.np.get_z() + box.top
            center = x + box.width / 2, y + box.height / 2
            tip = "\n".join(filter(None, (text, button.tip))), center
        if hud is not None and tip != self._tip:
            self._tip = hud.tip = tip

    def _point_at(self, point: tuple[float, float] | None) -> None:
        pointed = None if point is None else self._number_at(point)
        if pointed != self._pointed:
            self._pointed = pointed
            self._write()

    def _let_go(self, _button: str = "") -> None:
        if self._is_held:
            self._is_held = False
            self._write()

    def covers(self, point: tuple[float, float]) -> bool:
        """Return whether a button lies at a point of the window."""
        return self._number_at(point) is not None

    def press(self, button: str, point: tuple[float, float]) -> None:
        """Press the button at a point."""
        number = self._number_at(point)
        if button == "left" and number is not None and self._buttons[number].is_enabled:
            self._pointed, self._is_held = number, True
            self._write()
            self._send(self._buttons[number])

    def _send(self, button: Button) -> None:
        self.pressed.emit(button)
        if button.command is not None:
            self.panda.input.do(button.command)

    def _number_at(self, point: tuple[float, float]) -> int | None:
        x, y = self._on_plate(point)
        return next((n for n, box in enumerate(self._boxes) if box.contains(x, y)), None)

    def _enter_tree(self) -> None:
        super()._enter_tree()
        pointer = self.panda.pointer
        self.listen(pointer.moved, self._point_at)
        self.listen(pointer.released, self._let_go)
        self.listen(pointer.focus_lost, self._let_go)

    def _exit_tree(self) -> None:
        super()._exit_tree()
        self._boxes, self._pointed, self._is_held = [], None, False


_PAGE = 24  # entries at the usual size of text
_TURNING = "page"
"""The group of the button that says which page is shown, and turns it."""


class ActionMenu(Toolbar):
    """Lists all commands that work now, so that a gamepad can do everything.

    Those that buttons show come first. A child of a `Hud`. Start opens and closes it. While it is
    open, it alone receives keys and gamepad: arrow keys and stick choose a button, Enter and A
    press it. The last button of several pages says which one is shown; a press turns it.
    """

    rank, is_first = 8, False

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._entries: list[Button] = []
        self._page: list[Button] = []  # those shown
        self._chosen = self._first = 0
        self._own: set[str] = set()  # commands that it does not list

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return bool(self.buttons)

    def toggle(self) -> None:
        """Show all that can be done now, or close it."""
        if self.is_open:
            self.close()
            return
        works = {
            name: each
            for name, each in self.panda.input.commands.items()
            if each.call is not None and name not in self._own
        }
        panels = () if (hud := self.find_ancestor(Hud)) is None else hud.panels
        bars = [each for each in panels if isinstance(each, Toolbar)]
        shown = [button.name for bar in bars for button in bar.buttons]
        names = filter(works.__contains__, dict.fromkeys([*shown, *works]))
        self._entries = [
            Button(works[each].title, "", works[each], is_enabled=works[each].is_enabled)
            for each in names
        ]
        if self._entries:
            self._choose(0)
            if hud is not None:
                hud.close_help()
            self.panda.modal = self

    def close(self) -> None:
        """Close it; does nothing if it is closed."""
        self.buttons = ()
        if self.panda.modal is self:
            self.panda.modal = None

    def _enter_tree(self) -> None:
        super()._enter_tree()
        text = "list all that can be done now"
        menu = Command("menu", "gamepad-start", text, self.toggle, label="Menu")
        steps = *aiming_commands(self._step, self._confirm), back_command(self.close)
        self._own = {menu.name, *(each.name for each in steps)}
        self.accept_actions([menu], "Display")
        self.accept_actions(steps, is_on=lambda: self.is_open)

    def _exit_tree(self) -> None:
        self.close()
        super()._exit_tree()

    def _choose(self, number: int) -> None:
        """Choose an entry, and show the page that it is on."""
        self._chosen = number % len(self._entries)
        hud = self.find_ancestor(Hud)
        scale = 1.0 if hud is None else max(1.0, hud.text_scale)
        count = max(4, round(_PAGE / scale**2))
        number, n_pages = self._chosen // count, -(-len(self._entries) // count)
        self._first = number * count
        self._page = self._entries[self._first : self._first + count]
        buttons = [
            replace(each, is_chosen=place == self._chosen)
            for place, each in enumerate(self._page, start=self._first)
        ]
        page = tr("Page {number} of {count}", number=number + 1, count=n_pages)
        self.buttons = buttons + [Button(page, "", group=_TURNING)] * (n_pages > 1)

    def _confirm(self) -> None:
        self._send(self._entries[self._chosen])

    def _send(self, button: Button) -> None:
        if button.group == _TURNING:
            self._choose(self._first + len(self._page))
        else:
            self.close()
            super()._send(button)

    def _step(self, side: str) -> None:
        """Choose the next entry, or the nearest one in the next row; behind the last, the first."""
        step = -1 if side in {"left", "up"} else 1
        if side in {"up", "down"} and self._boxes:
            here = self._boxes[self._chosen - self._first]
            rows = [
                (step * (box.top - here.top), abs(box.left - here.left), number)
                for number, box in enumerate(self._boxes[: len(self._page)], start=self._first)
                if step * (box.top - here.top) > 0
            ]
            ends = self._first - 1, self._first + len(self._page)
            self._choose(min(rows)[2] if rows else ends[step > 0])
        else:
            self._choose(self._chosen + step)
