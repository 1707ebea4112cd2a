"""What a player can do: a name, keys, words for help and buttons, and the call that does it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import zip_longest
from typing import Protocol

from terrain3d.core.translation import capitalized, tr

KeyRow = tuple[str, str]
"""(keys, what they do): a row of the help; without keys it is the heading of the rows below."""

GAMEPAD = "gamepad-"
"""How the events of a gamepad begin."""
SIDES = ("up", "left", "down", "right")
"""The directions of arrow keys and sticks."""
GAMEPAD_NAMES = {
    "face_a": "A", "face_b": "B", "face_x": "X", "face_y": "Y",
    "lshoulder": "LB", "rshoulder": "RB", "ltrigger": "LT", "rtrigger": "RT",
    "lstick": "LS", "rstick": "RS", "back": "Back", "start": "Start", "guide": "Guide",
    **{f"dpad_{side}": f"D-pad {side}" for side in SIDES},
    **{f"left_stick_{side}": f"Left stick {side}" for side in SIDES},
    **{f"right_stick_{side}": f"Right stick {side}" for side in SIDES},
}  # fmt: skip
"""What the buttons and stick directions of a gamepad are called, by Panda3D's names of buttons."""
_STICKS = {"Left stick", "Right stick", "D-pad"}
_NAMES = {"escape": "Esc", "control": "Ctrl", "page_up": "Page Up", ",": "Comma", ".": "Period"}


@dataclass(frozen=True)
class Command:
    """One thing that a player can do; help, buttons, menus and rebinding are made of it.

    Parameters
    ----------
    name : str
        Its name in the style of Godot's actions, such as "camera_left".
    keys : str
        The events that cause it by default, as for `InputMap.bind`: "u control-z gamepad-face_y";
        none for the mouse.
    text : str
        What it does, for its row of the help; without one it belongs to the row above it.
    call : callable, optional
        Does it. None for what the mouse does, which is only listed in the help.
    label : str
        The text of its button; by default its name in words.
    shown_keys : str
        What the help calls the default keys of all commands in its row; by default their names.
    repeats : bool
        Whether a key that is held down causes it again and again.
    release : callable, optional
        Called when its key is released.
    why_not : callable
        Returns why it does nothing now, for the player; "" if it does something. Its button is
        faint meanwhile, and its key says why.
    """

    name: str
    keys: str = ""
    text: str = ""
    call: Callable[[], object] | None = None
    label: str = ""
    shown_keys: str = ""
    repeats: bool = False
    release: Callable[[], object] | None = None
    why_not: Callable[[], str] = str

    @property
    def title(self) -> str:
        """The text of its button for the player, or its name in words."""
        name, _, number = (self.label or self.name.replace("_", " ")).rpartition(" ")
        text = f"{tr(name)} {number}" if number.isdigit() else tr(f"{name} {number}".strip())
        return capitalized(text)


class Bindings(Protocol):
    """What is bound to commands: an `InputMap`."""

    is_gamepad_used: bool
    """Whether help and buttons name those of the gamepad."""

    @property
    def commands(self) -> dict[str, Command]:
        """The commands that work now, by name."""

    def heard(self, name: str) -> tuple[str, ...]:
        """Return the events that cause a command; none for an unknown one."""


def aiming_commands(
    step: Callable[[str], object], confirm: Callable[[], object], why_not: Callable[[], str] = str
) -> tuple[Command, ...]:
    """Return the commands of arrow keys and left stick, and the one that takes what is aimed at.

    `step` is called with one of `SIDES`; `why_not` is that of `confirm`.
    """
    up, *others = (
        Command(
            f"cursor_{side}",
            f"arrow_{side} {GAMEPAD}left_stick_{side}",
            call=partial(step, side),
            repeats=True,
        )
        for side in SIDES
    )
    text = "aim at the next tile in that direction on screen"
    up = replace(up, text=text, shown_keys="Arrow keys")
    keys, text = "enter space gamepad-face_a", "act on the tile aimed at, like a click"
    return up, *others, Command("confirm", keys, text, confirm, why_not=why_not)


@cache
def key_name(event: str) -> str:
    """Return what the help calls the key of an event: "Ctrl + Z" for "control-z"."""
    if event.startswith(GAMEPAD):
        return GAMEPAD_NAMES[event.removeprefix(GAMEPAD)]
    parts = re.split("(?<=.)-", event)
    return " + ".join(_NAMES.get(part, part.capitalize()) for part in parts)


def first_key(name: str, bindings: Bindings) -> str:
    """Return the name of the key that a button shows for a command; "" without one.

    While a gamepad is used only its buttons are shown.
    """
    return tr(next(iter(_shown(bindings.heard(name), bindings)), ""))


def with_keys(text: str, bindings: Bindings, /, **values: object) -> str:
    """Return a text for the player as `tr` does, with the keys of the commands that it names.

    Such as "{help} lists the keys".
    """
    names = [name for name in re.findall(r"{(\w+)}", text) if name not in values]
    keys = {name: first_key(name, bindings) or tr("the menu") for name in names}
    return tr(text, **keys, **values)


def aiming_keys(bindings: Bindings) -> str:
    """Return the names of the keys that aim now; "" if no node of the tree hears them."""
    aiming = [each for each in bindings.commands.values() if each.name[:7] == "cursor_"]
    return next((keys for keys, _ in key_rows(aiming, bindings)), "")


def help_rows(groups: Mapping[str, Iterable[Command]], bindings: Bindings) -> list[KeyRow]:
    """Return the rows of the help on groups of commands by their headings; see `key_rows`.

    Such as those of `bindings.groups`. Commands without a heading are left out.
    """
    named = {name: key_rows(group, bindings) for name, group in groups.items() if name}
    return [row for name, rows in named.items() if rows for row in (("", tr(name)), *rows)]


def key_rows(commands: Iterable[Command], bindings: Bindings) -> list[KeyRow]:
    """Return the rows of the help on some commands, with what is bound to them.

    `bindings` is the `input` of a tree. Commands that nothing is bound to have no row; while a
    gamepad is used only its buttons count.
    """
    rows: list[list[Command]] = []
    for each in commands:
        if each.text:
            rows.append([each])
        elif rows:
            rows[-1].append(each)
    named = ((_row_keys(row, bindings), tr(row[0].text)) for row in rows)
    return [(keys, text) for keys, text in named if keys]


def _shown(events: Iterable[str], bindings: Bindings) -> list[str]:
    """Return the names of keys, or of buttons while a gamepad is used."""
    is_pad = bindings.is_gamepad_used
    return [key_name(event) for event in events if event.startswith(GAMEPAD) == is_pad]


def _row_keys(row: list[Command], bindings: Bindings) -> str:
    events = [bindings.heard(each.name) for each in row]
    is_default = all(each.keys.split() == [*heard] for each, heard in zip(row, events, strict=True))
    if row[0].shown_keys and is_default and not bindings.is_gamepad_used:
        return tr(row[0].shown_keys)
    names = [_shown(each, bindings) for each in events]
    columns = zip_longest(*names, fillvalue="")  # the first key of each command, and so on
    return tr(", ").join(_joined([name for name in column if name]) for column in columns)


def _joined(names: list[str]) -> str:
    """Return names as one text: "Left stick" for all its directions."""
    starts = {name.rpartition(" ")[0] for name in names}
    is_stick = len(names) == len(SIDES) and len(starts) == 1 and starts <= _STICKS
    return tr(starts.pop()) if is_stick else " / ".join(map(tr, names))
