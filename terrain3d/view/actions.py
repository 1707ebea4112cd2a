"""What a player can do: names, default keys, and words for the help, buttons and pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

KeyRow = tuple[str, str]
"""(keys, what they do): a row of the help; without keys it is the heading of the rows below."""

_NAMES = {"escape": "Esc", "control": "Ctrl", "page_up": "Page Up", ",": "Comma", ".": "Period"}


@dataclass(frozen=True)
class Action:
    """One thing that a player can do in some mode.

    Parameters
    ----------
    name : str
        Its name in the style of Godot's actions, such as "camera_left".
    keys : str
        The events of Panda3D that cause it by default: "u control-z"; none for the mouse.
    text : str
        What it does, for its row of the help; "" if it has no row of its own.
    shown_keys : str
        What that row calls its keys; by default their names.
    label : str
        The text of its button.
    repeats : bool
        Whether a key that is held down causes it again and again.
    """

    name: str
    keys: str = ""
    text: str = ""
    shown_keys: str = ""
    label: str = ""
    repeats: bool = False

    @property
    def events(self) -> tuple[str, ...]:
        """The events of its keys when they are pressed, the first one for its button."""
        return tuple(self.keys.split())

    @property
    def all_events(self) -> tuple[str, ...]:
        """The events of its keys, also of those that are held down."""
        held = (f"{event}-repeat" for event in self.events if self.repeats)
        return *self.events, *held


def key_name(event: str) -> str:
    """Return what the help calls the key of an event: "Ctrl + Z" for "control-z"."""
    parts = re.split("(?<=.)-", event)
    return " + ".join(_NAMES.get(part, part.capitalize()) for part in parts)


def key_rows(actions: Iterable[Action]) -> list[KeyRow]:
    """Return the rows of the help on some actions."""
    return [
        (each.shown_keys or ", ".join(map(key_name, each.events)), each.text)
        for each in actions
        if each.text
    ]


def help_rows(groups: Mapping[str, Iterable[Action]]) -> list[KeyRow]:
    """Return the rows of the help on groups of actions by their headings."""
    return [row for name, group in groups.items() for row in (("", name), *key_rows(group))]
