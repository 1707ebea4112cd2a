"""Explains keys that do nothing now, so that no key is without an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from terrain3d.core.signals import Signal
from terrain3d.program.scene import actions
from terrain3d.program.scene.panels import EDITING, WATCHING
from terrain3d.view import WindowNode

if TYPE_CHECKING:
    import ai

_EVENT = "button-down"
_MODIFIERS = ("shift", "control", "alt", "meta", "lshift", "rshift", "lcontrol", "rcontrol", "lalt")
_OF_UNITS = ("z", "f6", "f7", "f8", "f10", "f11")
_IDLE = {
    actions.PLAY: ((), ""),
    actions.EDIT: (("tab", "u", "y", "backspace", "r", *_OF_UNITS), EDITING),
    actions.WATCH: (_OF_UNITS, WATCHING),
}
"""Keys that nodes listen to in every mode and that do nothing in this one, and why."""
_OF_SLIDERS = (*"0123456789,.",)
_WHILE = {actions.PLAY: "", actions.EDIT: " while the map is edited", actions.WATCH: " in a search"}


class IdleKeys(WindowNode):
    """Emits why a key that was pressed does nothing; the scene sets `mode` and `has_sliders`."""

    pressed = Signal("key")
    """A key was pressed, with its modifiers: "shift-tab"."""
    explained = Signal("message")
    """A key was pressed that does nothing now."""

    def __init__(self, commander: ai.Commander) -> None:
        super().__init__()
        self._commander = commander
        self._was_selected = False
        self.mode = actions.PLAY
        self.has_sliders = False

    def _enter_tree(self) -> None:
        throwers: Any = self.panda.base.buttonThrowers  # NodePaths; none without a window
        for thrower in throwers or ():
            thrower.node().set_button_down_event(_EVENT)
        self.accept(_EVENT, self._check)

    def _process(self, _dt_s: float) -> None:
        # A key is checked after it has worked: Esc has already deselected.
        self._was_selected = self._commander.selected is not None

    def _check(self, event: str) -> None:
        key = event.rsplit("-", 1)[-1]
        if key.startswith(("mouse", "wheel")) or key in _MODIFIERS:
            return
        self.pressed.emit(event)
        is_of_sliders = self.mode == actions.PLAY and event in _OF_SLIDERS  # used while shown
        if not is_of_sliders and not self.panda.base.messenger.who_accepts(event):
            name = " + ".join(filter(None, event.split("-"))) or event
            self.explained.emit(
                f"{name.capitalize()} does nothing{_WHILE[self.mode]}; F1 lists the keys"
            )
        elif reason := self._reason(event.removeprefix("shift-")):
            self.explained.emit(reason)

    def _reason(self, key: str) -> str:
        """Return why a key that a node listens to does nothing; "" if it does something."""
        commander = self._commander
        keys, reason = _IDLE[self.mode]
        if key in keys or self.mode == actions.WATCH:
            return reason if key in keys else ""
        aim = commander.aim
        if key in {"enter", "space", "i"} and aim is None:
            return "Aim at a tile first, with the mouse or the arrow keys"
        if key == "x" and (aim is None or len(commander.board.tilemap.decks_at(aim[:2])) < 2):
            return "There is no other surface above or below"
        if self.mode == actions.EDIT:
            return ""
        if key in _OF_SLIDERS and not self.has_sliders:
            return "F6 shows the rules that this key changes"
        if key == "f" and not commander.board.units:
            return "There is no unit to look at"
        is_used = self._was_selected or self.panda.is_help_open
        is_idle = key in {"escape", "backspace"} and not is_used
        return "No unit is selected" if is_idle else ""
