"""Show a menu in the middle of the window that alone takes input, and banners that pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from panda3d.core import Point3

from terrain3d.core.checks import finite_number, instance_of, listed
from terrain3d.core.translation import tr
from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Box, Size, wrap_text
from terrain3d.mesh.overlays.flat_shapes import card
from terrain3d.view.command import Command, aiming_commands
from terrain3d.view.geometry import make_geom_node
from terrain3d.view.hud.hud import (
    HEADING_INK,
    INK,
    PLATE,
    Hud,
    Letters,
    Panel,
    heading,
    letters_of,
    usual_text_px,
)
from terrain3d.view.window.panda_tree import Control

Entry = tuple[str, Callable[[], object]]
"""(label, what a choice of it does)."""

_CHOSEN: Color = (0.16, 0.30, 0.52)
_TYPED = "keystroke"
"""The event of a letter that is typed."""
_ERASING = "backspace", "backspace-repeat"
_TAIL = 28
"""So many of the last letters of a text that is typed are shown."""
_WIDE = 0.6  # of the window, at most, for a line of text
_GAP = 0.35  # in heights of the text
_SCALES = (1.2, 1.0, 0.8, 0.65, 0.5, 0.4)
_TITLE = 1.6
_FADE_S, _BANNER_TOP = 0.25, 0.62  # the latter of the window: units are above it
_SHADE = 0.55  # how dark the scene is behind a menu


def back_command(call: Callable[[], object]) -> Command:
    """Return the command that goes back in a menu."""
    return Command("menu_back", "escape gamepad-face_b backspace", call=call, label="Back")


def _letters(node: Control, window: Size, scale: float) -> Letters:
    """Return the letters of a node below a Hud, whose units are pixels."""
    hud = node.find_ancestor(Hud)
    if hud is None:
        raise RuntimeError(f"{node!r} must be below a Hud")
    return letters_of(max(1, round(usual_text_px(window) * scale * hud.text_scale)))


class Menu(Control):
    """Lists things to choose in the middle of the window; a child of a `Hud`.

    While it is open it alone receives keys, gamepad and mouse: the cursor's actions or the pointer
    choose an entry, `confirm` or a click takes it, Esc goes back. Left and right change the values
    of entries that have some.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._entries: tuple[Entry, ...] = ()
        self._chosen = 0
        self._back: Callable[[], object] = self.close
        self._change: Callable[[int, int], object] | None = None
        self._n_typed = 0  # so many of the first entries are texts that are typed
        self._texts: tuple[str, str] = "", ""
        shade = make_geom_node("shade", card((0, 1, -1, 0), PLATE, _SHADE))
        self._shade = self.np.attach_new_node(shade, -1)
        self._head, self._body = Panel(self.np, "title"), Panel(self.np, "text")
        self._panels: list[Panel] = []
        self._boxes: list[Box] = []
        self._pointer: tuple[float, float] | None = None
        self.np.set_bin("fixed", 10)
        self.np.hide()

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
        self._chosen, self._back = chosen % len(self._entries), back or self.close
        self._change, self._n_typed = change, 0
        self.panda.modal, self.panda.input.is_typing = self, False
        if self not in self.panda.pointer.overlays:
            self.panda.pointer.overlays.insert(0, self)
        self._pointer = self.panda.pointer.point
        self.np.show()

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
        done = partial(take, texts)
        shown = (
            f"{label}: {text if len(text) <= _TAIL else '…' + text[-_TAIL:]}"
            for label, text in texts.items()
        )
        last = (title, done), (tr("Back"), self.close)
        self.open(title, [*((text, done) for text in shown), *last], note, chosen=chosen)
        self._n_typed = len(texts)
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
        self._entries, self._texts, self._boxes = (), ("", ""), []
        self.np.hide()
        if not self.is_inside_tree:
            return
        for event in (*_ERASING, _TYPED, "tab"):
            self.ignore(event)
        self.panda.pointer.remove_overlay(self)
        if self.panda.modal is self:
            self.panda.modal, self.panda.input.is_typing = None, False

    def covers(self, point: tuple[float, float]) -> bool:  # noqa: ARG002 - PointerOverlay
        """Return whether it takes the mouse: all of the window while it is open."""
        return self.is_open

    @property
    def boxes(self) -> Sequence[Box]:
        """The boxes of its entries, in pixels."""
        return self._boxes

    def press(self, button: str, point: tuple[float, float]) -> None:
        """Take the entry at a point; the right button changes its value back."""
        number = self._entry_at(point)
        if number is None:
            return
        self._chosen = number
        if button == "left":
            self._confirm()
        elif button == "right":
            self._turn(-1)

    def drag(self, button: str, point: tuple[float, float]) -> None:
        """Do nothing."""

    def _enter_tree(self) -> None:
        throwers: Any = self.panda.base.buttonThrowers  # NodePaths; none without a window
        for thrower in throwers or ():
            thrower.node().set_keystroke_event(_TYPED)
        commands = *aiming_commands(self._aim, self._confirm), back_command(lambda: self._back())
        self.accept_actions(commands, is_on=lambda: self.is_open)

    def _exit_tree(self) -> None:
        self.close()

    def _confirm(self) -> None:
        if self._entries:
            self._entries[self._chosen][1]()

    def _aim(self, side: str) -> None:
        step = -1 if side in {"up", "left"} else 1
        self._step(step) if side in {"up", "down"} else self._turn(step)

    def _step(self, step: int) -> None:
        self._chosen = (self._chosen + step) % len(self._entries)

    def _turn(self, step: int) -> None:
        if self._change is not None:
            self._change(self._chosen, step)

    def _entry_at(self, point: tuple[float, float]) -> int | None:
        place = self.np.get_relative_point(
            self.panda.viewport.render2d, Point3(point[0], 0, point[1])
        )
        found = enumerate(self._boxes)
        return next((n for n, box in found if box.contains(place.x, -place.z)), None)

    def _process(self, _dt_s: float) -> None:
        if not self.is_open:
            return
        pointer = self.panda.pointer.point
        if pointer is not None and pointer != self._pointer:
            self._pointer = pointer
            number = self._entry_at(pointer)
            self._chosen = self._chosen if number is None else number
        self._lay_out()

    def _lay_out(self) -> None:
        """Stack title, text and entries in the middle, as large as they fit."""
        width, height = window = self.panda.viewport.size_px
        title, text = self._texts
        labels = [
            label + "|" * (number == self._chosen < self._n_typed)
            for number, label in enumerate(self.labels)
        ]
        self._shade.set_scale(width, 1, height)
        for scale in _SCALES:
            letters = _letters(self, window, scale)
            large = letters_of(round(_TITLE * letters.size_px))
            lines = wrap_text(text, _WIDE * width, letters.width_px) if text else []
            body = "\n".join(lines)
            gap = round(_GAP * letters.size_px)
            sizes = [large.plate_size([title]), letters.plate_size([body])]
            sizes += [letters.plate_size([label], has_bar=True) for label in labels]
            total = sum(size[1] + gap for size in sizes if size[1])
            if total < height:
                break
        wide = max(size[0] for size in sizes[2:])
        self._head.write(large, [heading(title)], plate=PLATE)
        self._body.write(letters, [body])
        while len(self._panels) < len(self._entries):
            self._panels.append(Panel(self.np, "entry"))
        for panel in self._panels[len(self._entries) :]:
            panel.np.hide()
        top, self._boxes = max(0.0, (height - total) / 2), []
        for number, (panel, size) in enumerate(
            zip((self._head, self._body, *self._panels), sizes, strict=False), start=-2
        ):
            if not size[1]:
                continue
            if number >= 0:
                is_chosen = number == self._chosen
                plate, bar = (_CHOSEN, HEADING_INK) if is_chosen else (PLATE, PLATE)
                panel.write(letters, [labels[number]], bar=bar, plate=plate, least_px=wide)
                panel.np.show()
                self._boxes.append(Box((width - wide) / 2, top, wide, size[1]))
            panel.place((width - (size[0] if number < 0 else wide)) / 2, top)
            top += size[1] + gap


class Banner(Control):
    """Shows a line in large letters, and one below, for a while; a child of a `Hud`."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._panels = Panel(self.np, "banner"), Panel(self.np, "line")
        self._lines: tuple[str, str] = "", ""
        self._color: Color = INK
        self._left_s = 0.0

    @property
    def text(self) -> str:
        """The line in large letters; "" while nothing is shown."""
        return self._lines[0] if self._left_s > 0 else ""

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
        width, height = window = self.panda.viewport.size_px
        letters = _letters(self, window, 1.0)
        large = letters_of(round(2 * letters.size_px))
        top = _BANNER_TOP * height
        for panel, text, font in zip(self._panels, self._lines, (large, letters), strict=True):
            most = _WIDE * width
            panel.write(font, ["\n".join(wrap_text(text, most, font.width_px))], bar=self._color)
            panel.place((width - panel.size[0]) / 2, top)
            top += panel.size[1] + _GAP * letters.size_px
        self.np.set_alpha_scale(min(1.0, self._left_s / _FADE_S))
        self.np.show()
