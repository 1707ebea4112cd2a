"""Bind keys, mouse buttons and gamepad buttons to the actions of a player, and read gamepads."""

from __future__ import annotations

import re
import sys
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import import_module
from math import hypot
from typing import TYPE_CHECKING, Protocol

from panda3d.core import ButtonMap, GraphicsWindow, InputDevice, InputDeviceManager, KeyboardButton

from terrain3d.core.checks import (
    checked,
    checked_function,
    instance_of,
    quoted,
    true_or_false,
)
from terrain3d.core.signals import Signal
from terrain3d.view.actions import GAMEPAD, GAMEPAD_NAMES, KNOWN, Action

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase

DEAD_ZONE = 0.3
"""How far a stick must leave its middle, 0..1."""
BUTTON_DOWN = "button-down"
"""The event of each press of any key or button, with its own event."""
REPEAT_S = 0.4, 0.12
"""After which time a held button or stick repeats, and how often then."""
_STILL = 0.2  # a stick that is out counts as long as it is farther than that
_DIAGONAL = 0.5  # of a stick's way, the least part along an axis that counts
_TRIGGER = 0.5
_MODIFIERS = "shift", "control", "alt", "meta"  # in Panda3D's order
_EVENT = re.compile(r"((?:(?:shift|control|alt|meta)-)*)(raw-)?(.+)")
_TAKEN = {"mouse1", "mouse2", "mouse3", "wheel_up", "wheel_down"}


def _checked_call(name: str, value: Callable[[], object]) -> Callable[[], object]:
    """Return a function without arguments; `TypeError` for anything else."""
    return checked_function(name, value, 0)


def are_together(one: Action, other: Action) -> bool:
    """Return whether there is a mode in which both actions work."""
    modes, others = one.modes.split(), other.modes.split()
    return not modes or not others or not set(modes).isdisjoint(others)


def without_modifiers(event: str) -> str:
    """Return the event of a key alone: "w" of "shift-w"."""
    found = _EVENT.fullmatch(event)
    return event if found is None else (found[2] or "") + found[3]


class Gamepad(Protocol):
    """A gamepad, as it is read in each frame."""

    @property
    def buttons(self) -> Collection[str]:
        """The buttons that are down, by Panda3D's names: "face_a", "lshoulder", "dpad_up"."""

    @property
    def axes(self) -> Mapping[str, float]:
        """Where sticks and triggers are: "left_x", "right_y" in -1..1, "left_trigger" in 0..1."""


class _Device:
    """A gamepad of Panda3D."""

    def __init__(self, device: InputDevice) -> None:
        device.poll()
        self.buttons = {each.handle.name for each in device.buttons if each.pressed}
        self.axes = {each.axis.name: each.value for each in device.axes}


def connected_gamepads() -> list[Gamepad]:
    """Return the gamepads that are plugged in now."""
    devices = InputDeviceManager.get_global_ptr().get_devices()
    return [_Device(each) for each in devices if each.device_class.name == "gamepad"]


class InputMap:
    """What is bound to the actions of a tree: its `input`.

    Events are those of Panda3D: "j", "control-z", "mouse4", "gamepad-face_y". The directions of
    sticks are "gamepad-left_stick_up" and so on. "raw-w" is the key that is at the place of W on a
    US keyboard.

    Examples
    --------
    ::

        tree.input.bind("undo", "j", "gamepad-face_y")
    """

    changed = Signal("name")
    """The action of this name has other events, or with "" other names are shown."""

    find_gamepads: Callable[[], Sequence[Gamepad]] = checked(_checked_call)
    """Returns the gamepads that are read in each frame; may be replaced. None on macOS."""
    find_keyboard: Callable[[], ButtonMap | None] = checked(_checked_call)
    """Returns what the keys of the keyboard type; None if that is not known."""

    def __init__(self, base: ShowBase) -> None:
        self._base = base
        self._is_enabled, self._is_gamepad_used = True, False
        self._bound: dict[str, tuple[str, ...]] = {}
        self._actions = ChainMap[str, Action]({}, KNOWN)
        self._held: dict[str, float] = {}
        self._due_s: dict[str, float] = {}
        is_asking = sys.platform == "darwin"  # for permission to monitor all input
        self.find_gamepads = list if is_asking else connected_gamepads
        self.find_keyboard = self._keyboard

    @property
    def is_enabled(self) -> bool:
        """Whether keys and gamepads do anything in the nodes of the tree; the mouse always does."""
        return self._is_enabled

    @is_enabled.setter
    def is_enabled(self, value: bool) -> None:
        self._is_enabled = true_or_false("is_enabled", value)

    @property
    def is_gamepad_used(self) -> bool:
        """Whether the last input was that of a gamepad; help and buttons then name its buttons."""
        return self._is_gamepad_used

    @is_gamepad_used.setter
    def is_gamepad_used(self, value: bool) -> None:
        if true_or_false("is_gamepad_used", value) != self._is_gamepad_used:
            self._is_gamepad_used = value
            self.changed.emit("")

    @property
    def bindings(self) -> tuple[tuple[str, ...], ...]:
        """What differs from the defaults: (name, event, ...) for each action; `bind` sets it."""
        return tuple((name, *events) for name, events in self._bound.items())

    def events_of(self, name: str) -> tuple[str, ...]:
        """Return the events of an action as they were bound; `ValueError` for an unknown one."""
        return self._bound.get(name, self._action(name).events)

    def bind(self, name: str, *events: str) -> None:
        """Replace the events of an action, at once; without any it has no key.

        Raises
        ------
        TypeError
            A name is not text.
        ValueError
            There is no such action or event, or an event already causes another action of the same
            mode. An action of a game counts beside those that nodes of its tree have accepted.
        """
        action = self._action(name)
        checked = tuple(dict.fromkeys(_checked(event) for event in events))
        self._rebind({**self._bound, action.name: checked}, [action.name])

    def reset(self, name: str) -> None:
        """Give an action its default events again; errors as those of `bind`."""
        name = self._action(name).name
        self._rebind({each: self._bound[each] for each in self._bound if each != name}, [name])

    def load(self, bindings: Iterable[Sequence[str]]) -> None:
        """Replace everything that was bound by `bindings`; errors as those of `bind`.

        Actions that no imported node has are kept for later.
        """
        wanted = {name: tuple(map(_checked, events)) for name, *events in bindings}
        names = [
            name
            for name in {**self._bound, **wanted}
            if self._bound.get(name) != wanted.get(name) and name in self._actions
        ]
        self._rebind(wanted, names)

    def know(self, actions: Iterable[Action]) -> None:
        """Let actions of a game's own nodes be bound, too.

        `ValueError` for an unknown event, and for the name of an action with other keys.
        """
        for each in actions:
            if self._actions.get(each.name, each).keys != each.keys:
                how = "give this one another name, or bind keys to that"
                raise ValueError(f"there is another action {quoted(each.name)}: {how}")
            for event in each.events:
                _checked(event)
            self._actions.maps[0][each.name] = each

    def heard(self, action: Action) -> tuple[str, ...]:
        """Return the events that cause an action on this keyboard."""
        bound = self._bound.get(action.name)
        if bound is not None:
            return tuple(map(self._here, bound))
        return tuple(self._displaced.get(each, self._here(each)) for each in action.events)

    def strength(self, name: str) -> float:
        """Return how strongly an action is held, 0..1: 1 by a key, less by a stick halfway out."""
        held = [self._held[event] for event in self.events_of(name) if event in self._held]
        return max(held, default=1.0)

    def poll(self, dt_s: float) -> None:
        """Read the gamepads, and send an event for each press, release and repeat.

        Events are those of buttons that the window's own devices send; a button that is held for
        `REPEAT_S` sends "gamepad-face_a-repeat".
        """
        pads = self.find_gamepads()
        before, self._held = self._held, {}
        for pad in pads:
            self._held |= dict.fromkeys(self._buttons(pad), 1.0)
            self._held |= _directions(pad.axes, before)
        send = self._base.messenger.send
        for event in before.keys() - self._held.keys():
            self._due_s.pop(event, None)
            send(f"{event}-up")
        for event in list(self._held):
            if event not in before:
                self._due_s[event] = REPEAT_S[0]
                self.is_gamepad_used = True
                send(event)
                send(BUTTON_DOWN, [event])
            elif (due_s := self._due_s[event] - dt_s) <= 0.0:
                self._due_s[event] = REPEAT_S[1]
                send(f"{event}-repeat")
            else:
                self._due_s[event] = due_s

    @staticmethod
    def _buttons(pad: Gamepad) -> set[str]:
        triggers = {"left_trigger": "ltrigger", "right_trigger": "rtrigger"}
        pulled = {name for axis, name in triggers.items() if pad.axes.get(axis, 0.0) > _TRIGGER}
        return {GAMEPAD + name for name in pulled.union(pad.buttons)}

    def _action(self, name: str) -> Action:
        if instance_of("action", name, str) not in self._actions:
            view = import_module("terrain3d.view")  # whose tables are loaded when they are used
            for table in filter(re.compile(r"\w+_ACTIONS").fullmatch, view.__all__):
                getattr(view, table)
        bindable = {each: action for each, action in self._actions.items() if action.events}
        if name not in bindable:
            hint = _nearest(name, bindable) or "; or the module of its node is not imported yet"
            raise ValueError(f"there is no action {quoted(name)}{hint}")
        return bindable[name]

    def _rebind(self, wanted: dict[str, tuple[str, ...]], names: list[str]) -> None:
        """Bind all, or nothing if one of the named actions would collide."""
        before, self._bound = self._bound, wanted
        try:
            for name in names:
                self._check_alone(self._actions[name])
        except ValueError:
            self._bound = before
            raise
        for name in names:
            self.changed.emit(name)

    def _check_alone(self, action: Action) -> None:
        events, accepted = self.heard(action), self._actions.maps[0].keys()
        for other in self._actions.values():
            names = {action.name, other.name}
            if not (names <= KNOWN.keys() or names <= accepted):
                continue  # of a game, and of a node that its tree never had
            shared = {*events}.intersection(self.heard(other))
            if other.name != action.name and shared and are_together(other, action):
                raise ValueError(
                    f"{quoted(min(shared))} cannot be bound to {action.name}:"
                    f" it is that of {other.name}; bind that to another one first"
                )

    def _keyboard(self) -> ButtonMap | None:
        window = self._base.win
        return window.get_keyboard_map() if isinstance(window, GraphicsWindow) else None

    @cached_property
    def _layout(self) -> dict[str, str]:
        """What the keys of the actions that go by place type on this keyboard."""
        keyboard = self.find_keyboard()
        if keyboard is None:
            return {}
        typed = {key: keyboard.get_mapped_button(key).name for key in _US_KEYS}
        return {key: name for key, name in typed.items() if name not in ("none", key)}

    def _here(self, event: str) -> str:
        """Return the event of this keyboard for one that goes by place."""
        found = _EVENT.fullmatch(event)
        if found is None or not found[2]:
            return event
        return found[1] + self._layout.get(found[3], found[3])

    @property
    def _displaced(self) -> dict[str, str]:
        """Where default keys went whose letters are at places that are taken: an exchange."""
        if not self._layout:
            return {}
        defaults = [event for action in self._actions.values() for event in action.events]
        places = [each.replace("raw-", "") for each in defaults if "raw-" in each]
        here = [self._here(each) for each in defaults if "raw-" in each]
        taken = [event for event in here if event not in places]
        return dict(zip(taken, [each for each in places if each not in here], strict=False))


_US_KEYS = "1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./`"


@cache
def _known_keys() -> set[str]:
    names = {each for each in vars(KeyboardButton) if each[0].islower()}
    named = {getattr(KeyboardButton, each)().name for each in names - {"ascii_key", "asciiKey"}}
    mouse = {f"mouse{number}" for number in range(4, 10)} | {"wheel_left", "wheel_right"}
    return named | mouse | {chr(code) for code in range(33, 127) if not chr(code).isupper()}


def _checked(event: str) -> str:
    """Return an event with its modifiers in Panda3D's order; `ValueError` for one of no key."""
    instance_of("event", event, str)
    if event.startswith(GAMEPAD):
        if event.removeprefix(GAMEPAD) not in GAMEPAD_NAMES:
            nearest = _nearest(event, [GAMEPAD + each for each in GAMEPAD_NAMES])
            raise ValueError(f"there is no event {quoted(event)}{nearest}")
        return event
    found = _EVENT.fullmatch(event)
    key = "" if found is None else found[3]
    if key in _TAKEN:
        raise ValueError(f"{quoted(event)} is used by the pointer; bind a key or mouse4 to mouse9")
    known = _known_keys()
    if found is None or key not in known or (found[2] and key not in _US_KEYS):
        raise ValueError(f"there is no event {quoted(event)}{_nearest(key, known)}")
    held = found[1].split("-")
    return "".join(f"{each}-" for each in _MODIFIERS if each in held) + (found[2] or "") + key


def _nearest(name: str, choices: Iterable[str]) -> str:
    near = get_close_matches(name, [*choices], 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _directions(axes: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    """Return the directions in which sticks are pushed, with how far, 0..1."""
    found = {}
    for stick in ("left", "right"):
        x, y = axes.get(f"{stick}_x", 0.0), axes.get(f"{stick}_y", 0.0)
        length = hypot(x, y)
        for side, along in (("up", y), ("left", -x), ("down", -y), ("right", x)):
            event = f"{GAMEPAD}{stick}_stick_{side}"
            least = _STILL if event in before else DEAD_ZONE
            if length > least and along > _DIAGONAL * length:
                out = min(1.0, (length - _STILL) / (1.0 - _STILL))
                found[event] = out * along / length
    return found
