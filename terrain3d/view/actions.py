"""What a player can do: names, default keys, and words for the help, buttons and pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Protocol

from terrain3d.core.translation import tr

KeyRow = tuple[str, str]
"""(keys, what they do): a row of the help; without keys it is the heading of the rows below."""

GAMEPAD = "gamepad-"
"""How the events of a gamepad begin."""
_SIDES = ("up", "left", "down", "right")
GAMEPAD_NAMES = {
    "face_a": "A", "face_b": "B", "face_x": "X", "face_y": "Y",
    "lshoulder": "LB", "rshoulder": "RB", "ltrigger": "LT", "rtrigger": "RT",
    "lstick": "LS", "rstick": "RS", "back": "Back", "start": "Start", "guide": "Guide",
    **{f"dpad_{side}": f"D-pad {side}" for side in _SIDES},
    **{f"left_stick_{side}": f"Left stick {side}" for side in _SIDES},
    **{f"right_stick_{side}": f"Right stick {side}" for side in _SIDES},
}  # fmt: skip
"""What the buttons and stick directions of a gamepad are called, by Panda3D's names of buttons."""
_STICKS = {"Left stick", "Right stick", "D-pad"}
_NAMES = {"escape": "Esc", "control": "Ctrl", "page_up": "Page Up", ",": "Comma", ".": "Period"}


@dataclass(frozen=True)
class Action:
    """One thing that a player can do in some mode.

    Parameters
    ----------
    name : str
        Its name in the style of Godot's actions, such as "camera_left".
    keys : str
        The events that cause it by default, as for `InputMap.bind`: "u control-z gamepad-face_y";
        none for the mouse.
    text : str
        What it does, for its row of the help; without one it belongs to the row above it.
    shown_keys : str
        What that row calls the default keys of all its actions; by default their names.
    label : str
        The text of its button.
    repeats : bool
        Whether a key that is held down causes it again and again.
    modes : str
        The modes in which it works, such as "play edit"; all, if there are none. A node hears its
        actions in any mode: modes say which of them may have the same key.
    """

    name: str
    keys: str = ""
    text: str = ""
    shown_keys: str = ""
    label: str = ""
    repeats: bool = False
    modes: str = ""

    @property
    def events(self) -> tuple[str, ...]:
        """Its default events, when keys and buttons are pressed."""
        return tuple(self.keys.split())

    @property
    def title(self) -> str:
        """The text of its button for the player, or its name in words."""
        name, _, number = (self.label or self.name.replace("_", " ")).rpartition(" ")
        text = f"{tr(name)} {number}" if number.isdigit() else tr(f"{name} {number}".strip())
        return text[:1].upper() + text[1:]

    @property
    def event(self) -> str:
        """The event that causes it whatever is bound: "action-undo"."""
        return f"action-{self.name}"


class Bindings(Protocol):
    """What is bound to actions: an `InputMap`."""

    is_gamepad_used: bool
    """Whether help and buttons name those of the gamepad."""

    def heard(self, action: Action) -> tuple[str, ...]:
        """Return the events that cause an action on this keyboard."""


KNOWN: dict[str, Action] = {}
"""The actions of all tables, by name."""


def table(*actions: Action, modes: str = "") -> tuple[Action, ...]:
    """Return actions as a table of some modes, which every `InputMap` knows."""
    made = tuple(replace(action, modes=action.modes or modes) for action in actions)
    KNOWN.update((action.name, action) for action in made)
    return made


@cache
def key_name(event: str) -> str:
    """Return what the help calls the key of an event: "Ctrl + Z" for "control-z"."""
    if event.startswith(GAMEPAD):
        return GAMEPAD_NAMES[event.removeprefix(GAMEPAD)]
    parts = re.split("(?<=.)-", event.replace("raw-", ""))
    return " + ".join(_NAMES.get(part, part.capitalize()) for part in parts)


def _shown(actions: Iterable[Action], bindings: Bindings | None) -> list[list[str]]:
    """Return names for each action: of its keys, or of its buttons while a gamepad is used."""
    is_pad = bindings is not None and bindings.is_gamepad_used
    events = [each.events if bindings is None else bindings.heard(each) for each in actions]
    return [
        [key_name(event) for event in each if event.startswith(GAMEPAD) == is_pad]
        for each in events
    ]


def first_key(action: Action, bindings: Bindings | None = None) -> str:
    """Return the name of the key that a button shows for an action; "" without one.

    While a gamepad is used only its buttons are shown.
    """
    return tr(next(iter(_shown([action], bindings)[0]), ""))


def with_keys(text: str, bindings: Bindings | None, /, **values: object) -> str:
    """Return a text for the player as `tr` does, with the keys of the actions that it names.

    Such as "{help} lists the keys".
    """
    named = [KNOWN[name] for name in re.findall(r"{(\w+)}", text) if name not in values]
    keys = {each.name: first_key(each, bindings) or tr("the menu") for each in named}
    return tr(text, **keys, **values)


def key_rows(actions: Iterable[Action], bindings: Bindings | None = None) -> list[KeyRow]:
    """Return the rows of the help on some actions: with their default keys, or with what is bound.

    `bindings` is the `input` of a tree. Actions that nothing is bound to have no row; while a
    gamepad is used only its buttons count.
    """
    rows: list[list[Action]] = []
    for each in actions:
        if each.text:
            rows.append([each])
        elif rows:
            rows[-1].append(each)
    named = ((_row_keys(row, bindings), tr(row[0].text)) for row in rows)
    return [(keys, text) for keys, text in named if keys]


def _row_keys(row: list[Action], bindings: Bindings | None) -> str:
    names = _shown(row, bindings)
    is_pad = bindings is not None and bindings.is_gamepad_used
    if row[0].shown_keys and not is_pad and names == _shown(row, None):
        return tr(row[0].shown_keys)
    columns = zip_longest(*names, fillvalue="")  # the first key of each action, and so on
    return tr(", ").join(_joined([name for name in column if name]) for column in columns)


def _joined(names: list[str]) -> str:
    """Return names as one text: "Left stick" for all its directions."""
    starts = {name.rpartition(" ")[0] for name in names}
    is_stick = len(names) == len(_SIDES) and len(starts) == 1 and starts <= _STICKS
    return tr(starts.pop()) if is_stick else " / ".join(map(tr, names))


def help_rows(
    groups: Mapping[str, Iterable[Action]], bindings: Bindings | None = None
) -> list[KeyRow]:
    """Return the rows of the help on groups of actions by their headings; see `key_rows`."""
    named = {name: key_rows(group, bindings) for name, group in groups.items()}
    return [row for name, rows in named.items() if rows for row in (("", tr(name)), *rows)]
