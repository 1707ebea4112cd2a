"""Show a menu in the middle of the window that alone takes input, and banners that pass."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from terrain3d.core.checks import finite_number, instance_of, listed
from terrain3d.core.translation import tr
from terrain3d.grid.kinds import Color
from terrain3d.view.command import Command, aiming_commands
from terrain3d.view.hud.hud import hud_of
from terrain3d.view.hud.ui import Front, Version
from terrain3d.view.hud.widgets import (
    HEADING_INK,
    INK,
    PLATE,
    Button,
    Call,
    Panel,
    Space,
    Text,
    column,
    plate,
    row,
)
from terrain3d.view.window.panda_tree import Control, WindowNode

Entry = tuple[str, Callable[[], object]]
"""(label, what a choice of it does)."""

_TYPED = "keystroke"
"""The event of a letter that is typed."""
_ERASING = "backspace", "backspace-repeat"
_TAIL = 28
"""So many of the last letters of a text that is typed are shown."""
_FEW, _PAGE = 14, 27
"""So many entries have no pages, and so many are on a page of more."""
_WIDE = 0.6  # of the window, at most, for a line of text
_GAP = 0.35  # in heights of the text
_SCALES, _SMALL = (1.2, 1.0, 0.8, 0.65, 0.5, 0.4), 0.8
_TITLE = 1.6
_FADE_S, _BANNER_TOP = 0.25, 0.62  # the latter of the window: units are above it


def menu_page(title: str, text: str, entries: tuple[Button, ...], space: Space) -> list[Version]:
    """Return title, text and entries of a menu, in letters of several sizes.

    They are in one column; in more where the letters would be small.
    """
    versions: list[Version] = []
    looks = [(scale, 1) for scale in _SCALES if scale >= _SMALL]
    for scale, count in (*looks, *itertools.product(_SCALES, (2, 3, 4))):
        each, n_rows = space.sized(scale * space.px), -(-len(entries) // count)
        starts = range(0, len(entries), n_rows)
        columns = (entries[start : start + n_rows] for start in starts)
        lists = row(*(column(*part, gap=_GAP, align="fill") for part in columns), gap=_GAP)
        parts = [plate(Text(title, HEADING_INK), scale=_TITLE), lists]
        parts[1:1] = [plate(Text("\n".join(each.wrapped(text, _WIDE))))] if text else []
        versions.append((column(*parts, gap=_GAP, align="center"), each))
    return versions


class Menu(WindowNode):
    """Lists things to choose in the middle of the window; a child of a `Hud`.

    While it is open it alone receives keys, gamepad and mouse: the cursor's actions or the pointer
    choose an entry, `confirm` or a click takes it, Esc goes back. Left and right change the values
    of entries that have some. Many entries have several pages; the last entry of one turns it.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._entries: tuple[Entry, ...] = ()
        self._chosen = 0
        self._back: Callable[[], object] = self.close
        self._change: Callable[[int, int], object] | None = None
        self._n_typed = 0  # so many of the first entries are texts that are typed
        self._texts: tuple[str, str] = "", ""
        self._own: set[str] = set()  # its own commands

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return bool(self._entries)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of its entries."""
        return tuple(label for label, _ in self._entries)

    @property
    def title(self) -> str:
        """Its title; "" while it is closed."""
        return self._texts[0]

    @property
    def text(self) -> str:
        """The text below the title."""
        return self._texts[1]

    @property
    def chosen(self) -> int:
        """The number of the chosen entry."""
        return self._chosen

    def open(
        self,
        title: str,
        entries: Sequence[Entry],
        text: str = "",
        back: Callable[[], object] | None = None,
        chosen: int = 0,
        change: Callable[[int, int], object] | None = None,
    ) -> None:
        """Show it, in place of what it shows; Esc calls `back`, which by default closes it.

        `chosen` is the number of the entry to begin with. Left and right call `change` with the
        number of the chosen entry and -1 or 1. `ValueError` without entries.
        """
        self._texts = instance_of("title", title, str), instance_of("text", text, str)
        self._entries = tuple(listed("entries", entries))
        if not self._entries:
            raise ValueError("entries must be at least one, got []")
        self._back, self._change, self._n_typed = back or self.close, change, 0
        self.panda.modal, self.panda.input.is_typing = self, False
        self._choose(chosen % len(self._entries))

    def ask(
        self,
        title: str,
        texts: Mapping[str, str],
        take: Callable[[Mapping[str, str]], object],
        note: str = "",
        chosen: int = 0,
    ) -> None:
        """Show it with texts to type, by their labels; a choice calls `take` with all of them.

        What is typed goes to the chosen text, or else to the first one.
        """

        def done() -> object:
            return take(texts)

        shown = (
            f"{label}: {text if len(text) <= _TAIL else '…' + text[-_TAIL:]}"
            for label, text in texts.items()
        )
        last = (title, done), (tr("Back"), self.close)
        self.open(title, [*((text, done) for text in shown), *last], note, chosen=chosen)
        self._n_typed = len(texts)
        self._choose(self._chosen)
        self.panda.input.is_typing = True

        def edit(typed: str) -> None:
            number = self._chosen if self._chosen < len(texts) else 0
            name, text = [*texts.items()][number]
            text = text + typed if typed.isprintable() else text
            self.ask(title, {**texts, name: text if typed else text[:-1]}, take, note, number)

        for event in _ERASING:
            self.accept(event, edit, "")
        self.accept(_TYPED, edit)
        self.accept("tab", self._step, 1)

    def close(self) -> None:
        """Close it; does nothing if it is closed."""
        self._entries, self._texts = (), ("", "")
        if not self.is_inside_tree:
            return
        for event in (*_ERASING, _TYPED, "tab"):
            self.ignore(event)
        if self.panda.modal is self:
            self.panda.modal, self.panda.input.is_typing = None, False
        hud_of(self).close_front(self.close)

    def _enter_tree(self) -> None:
        hud_of(self)
        throwers: Any = self.panda.base.buttonThrowers  # NodePaths; none without a window
        for thrower in throwers or ():
            thrower.node().set_keystroke_event(_TYPED)
        keys = "escape gamepad-face_b backspace"
        commands = aiming_commands(self._aim, self._confirm)
        leave = Command("menu_back", keys, call=lambda: self._back(), label="Back")
        self._own = {each.name for each in (*commands, leave)}
        self.accept_actions([*commands, leave], is_on=lambda: self.is_open)

    def _aim(self, side: str) -> None:
        step = -1 if side in {"up", "left"} else 1
        self._step(step) if side in {"up", "down"} else self._turn(step)

    def _exit_tree(self) -> None:
        self.close()

    @property
    def _page_size(self) -> int:
        """How many entries are shown at once."""
        count = len(self._entries)
        return count if count <= _FEW else _PAGE

    def _choose(self, number: int) -> None:
        """Choose an entry, and show the page that it is on."""
        self._chosen = number
        start = number // self._page_size * self._page_size
        entries = [
            Button(
                label + "|" * (number == self._chosen < self._n_typed),
                Call(self._take, (number,)),
                color=HEADING_INK if number == self._chosen else PLATE,
                is_chosen=number == self._chosen,
                on_right_press=Call(self._turn_back, (number,)),
                on_hover=Call(self._choose, (number,)),
            )
            for number, label in [*enumerate(self.labels)][start : start + self._page_size]
        ]
        if len(entries) < len(self._entries):
            count = -(-len(self._entries) // self._page_size)
            text = tr("Page {number} of {count}", number=start // self._page_size + 1, count=count)
            after = (start + len(entries)) % len(self._entries)
            entries.append(Button(text, Call(self._choose, (after,)), color=PLATE))
        page = Call(menu_page, (*self._texts, tuple(entries)))
        hud_of(self).front = Front(page, self.close)

    def _take(self, number: int) -> None:
        self._choose(number)
        self._confirm()

    def _confirm(self) -> None:
        if self._entries:
            self._entries[self._chosen][1]()

    def _step(self, step: int) -> None:
        self._choose((self._chosen + step) % len(self._entries))

    def _turn(self, step: int) -> None:
        """Change the value of the chosen entry, or choose the one beside it in another column."""
        if self._change is not None:
            self._change(self._chosen, step)
            return
        boxes, start = hud_of(self).front_boxes, self._chosen // self._page_size * self._page_size
        if self._chosen - start >= len(boxes):
            return  # it is not drawn yet
        here = boxes[self._chosen - start]
        beside = [
            (abs(box.left - here.left), number)
            for number, box in enumerate(boxes, start)
            if box.top == here.top and (box.left - here.left) * step > 0
        ]
        if beside and min(beside)[1] < len(self._entries):
            self._choose(min(beside)[1])

    def _turn_back(self, number: int) -> None:
        self._choose(number)
        self._turn(-1)


class ActionMenu(Menu):
    """Lists all commands that work now, so that a gamepad can do everything.

    Those that buttons show come first. A child of a `Hud`. Start opens and closes it.
    """

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
        shown = [button.name for button in hud_of(self).buttons]
        names = filter(works.__contains__, dict.fromkeys([*shown, *works]))
        entries = [(works[name].title, Call(self._do, (works[name],))) for name in names]
        if entries:
            self.open(tr("Menu"), entries)

    def _do(self, command: Command) -> None:
        self.close()
        self.panda.input.do(command)

    def _enter_tree(self) -> None:
        super()._enter_tree()
        text = "list all that can be done now"
        menu = Command("menu", "gamepad-start", text, self.toggle, label="Menu")
        self._own.add(menu.name)
        self.accept_actions([menu], "Display")


class Banner(Control):
    """Shows a line in large letters, and one below, for a while; a child of a `Hud`."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._panel = Panel(self.np, "banner")
        self._lines: tuple[str, str] = "", ""
        self._color: Color = INK
        self._left_s = 0.0

    @property
    def text(self) -> str:
        """The line in large letters; "" while nothing is shown."""
        return self._lines[0] if self._left_s > 0 else ""

    @property
    def line(self) -> str:
        """The line below it."""
        return self._lines[1]

    def show(self, text: str, line: str = "", color: Color = INK, seconds: float = 1.2) -> None:
        """Show a text, with a bar of a color, for some seconds."""
        self._lines = instance_of("text", text, str), instance_of("line", line, str)
        self._color, self._left_s = color, finite_number("seconds", seconds, 0)

    def dismiss(self) -> None:
        """Let it fade now."""
        self._left_s = min(self._left_s, _FADE_S)

    def _process(self, dt_s: float) -> None:
        self._left_s -= dt_s
        if self._left_s <= 0 or self.panda.modal is not None:
            self.np.hide()
            return
        space = hud_of(self).space
        lines = (
            plate(Text("\n".join(space.wrapped(text, _WIDE / scale))), bar=self._color, scale=scale)
            for text, scale in zip(self._lines, (2.0, 1.0), strict=True)
            if text
        )
        self._panel.show(column(*lines, gap=_GAP, align="center"), space)
        width, height = space.window
        self._panel.place((width - self._panel.size[0]) / 2, _BANNER_TOP * height)
        self.np.set_alpha_scale(min(1.0, self._left_s / _FADE_S))
        self.np.show()
