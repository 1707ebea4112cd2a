"""Let keys and gamepads cause the commands of nodes: what is bound to each, and what works now."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from direct.showbase.DirectObject import DirectObject
from panda3d.core import InputDevice, InputDeviceManager, KeyboardButton

from terrain3d.core.checks import checked_function, instance_of, one_of, quoted, true_or_false
from terrain3d.core.signals import Signal
from terrain3d.look.settings import KEYBOARDS
from terrain3d.view.command import GAMEPAD, GAMEPAD_NAMES, Command

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
_EVENT = re.compile(r"((?:(?:shift|control|alt|meta)-)*)(.+)")
_TYPED = {"space", "backspace", "tab"}
_TAKEN = {"mouse1", "mouse2", "mouse3", "wheel_up", "wheel_down"}


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


class _Accepted(NamedTuple):
    """A command that a node has accepted."""

    owner: object
    command: Command
    heading: str
    is_on: Callable[[], bool]


class InputMap:
    """What is bound to the commands of a tree, and which of them work now: its `input`.

    Events are those of Panda3D: "j", "control-z", "mouse4", "gamepad-face_y". The directions of
    sticks are "gamepad-left_stick_up" and so on. An event causes one command, in all nodes that
    have it: of those that work now, the one that was accepted last.

    Parameters
    ----------
    base : ShowBase
    hears : callable
        Returns whether an event is for a node now.

    Examples
    --------
    ::

        tree.input.bind("undo", "j", "gamepad-face_y")
    """

    changed = Signal("name")
    """The command of this name has other events, or with "" other names are shown."""
    pressed = Signal("event", "is_used")
    """A key or a button was pressed: after what it causes, if `is_used`."""
    refused = Signal("reason")
    """A command was not carried out, as the text for the player says."""

    def __init__(self, base: ShowBase, hears: Callable[[object, str], bool]) -> None:
        self._base, self._hears = base, hears
        self._is_enabled, self._is_gamepad_used = True, False
        self.is_typing = False
        """Whether letters are typed into a node, and cause no command."""
        self._keyboard = next(iter(KEYBOARDS))
        self._bound: dict[str, tuple[str, ...]] = {}
        self._keys: dict[str, str] = {}
        """The default keys of all commands that a node has ever accepted."""
        self._ranks: dict[str, tuple[int, int]] = {}
        """The order in the help: as accepted first, one without a text after that before it."""
        self._accepted: list[_Accepted] = []
        self._heard: dict[str, list[_Accepted]] = {}
        self._held: dict[str, float] = {}
        self._held_on: list[dict[str, float]] = []  # by gamepad
        self._due_s: dict[str, float] = {}
        self._used = ""  # the last event that has caused a command
        self._events = DirectObject()
        throwers: Any = base.buttonThrowers  # NodePaths; none without a window
        for thrower in throwers or ():
            thrower.node().set_button_down_event(BUTTON_DOWN)
        self._events.accept(BUTTON_DOWN, self._note_press)
        is_asking = sys.platform == "darwin"  # for permission to monitor all input
        self._find_gamepads: Callable[[], Sequence[Gamepad]]
        self._find_gamepads = list if is_asking else connected_gamepads

    @property
    def find_gamepads(self) -> Callable[[], Sequence[Gamepad]]:
        """Returns the gamepads that are read in each frame; may be replaced. None on macOS."""
        return self._find_gamepads

    @find_gamepads.setter
    def find_gamepads(self, value: Callable[[], Sequence[Gamepad]]) -> None:
        self._find_gamepads = checked_function("find_gamepads", value, 0)

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
    def keyboard(self) -> str:
        """The layout of the keyboard, one of `KEYBOARDS`: where the default keys are."""
        return self._keyboard

    @keyboard.setter
    def keyboard(self, value: str) -> None:
        if one_of("keyboard", value, [*KEYBOARDS]) != self._keyboard:
            self._keyboard = value
            self._listen()
            self.changed.emit("")

    @property
    def bindings(self) -> tuple[tuple[str, ...], ...]:
        """What differs from the defaults: (name, event, ...) for each command; `bind` sets it."""
        return tuple((name, *events) for name, events in self._bound.items())

    @property
    def commands(self) -> dict[str, Command]:
        """The commands that work now, by name, those of the node that came first first."""
        return {each.command.name: each.command for each in self._accepted if each.is_on()}

    @property
    def groups(self) -> dict[str, list[Command]]:
        """The commands that work now, by their headings in the help, always in one order."""
        groups: dict[str, list[Command]] = {}
        for each in sorted(self._accepted, key=lambda each: self._ranks[each.command.name]):
            if each.is_on():
                groups.setdefault(each.heading, []).append(each.command)
        return groups

    def accept(
        self,
        owner: object,
        commands: Iterable[Command],
        heading: str = "",
        is_on: Callable[[], bool] = lambda: True,
    ) -> None:
        """Accept the commands of a node; see `WindowNode.accept_actions`."""
        made = [instance_of("commands", each, Command) for each in commands]
        for each in made:
            if each.call is not None and not callable(each.call):
                raise TypeError(
                    f"the call of {quoted(each.name)} must be callable, got {quoted(each.call)}"
                )
            if self._keys.get(each.name, each.keys) != each.keys:
                how = "give this one another name, or bind keys to that"
                raise ValueError(f"there is another command {quoted(each.name)}: {how}")
            for event in each.keys.split():
                _checked(event)
        self._keys.update((each.name, each.keys) for each in made if each.call)
        row = 0
        for each in made:
            count = len(self._ranks)
            row, _ = self._ranks.setdefault(each.name, (count if each.text else row, count))
        self._accepted += [_Accepted(owner, each, heading, is_on) for each in made]
        self._listen()

    def drop(self, owner: object) -> None:
        """Forget the commands of a node."""
        kept = [each for each in self._accepted if each.owner is not owner]
        if len(kept) < len(self._accepted):
            self._accepted = kept
            self._listen()

    def press(self, name: str) -> None:
        """Do what a command does, as its keys do, or emit `refused`; `ValueError` without one."""
        works = self.commands
        if instance_of("name", name, str) not in works:
            raise ValueError(f"no command {quoted(name)} works now{_nearest(name, works)}")
        self.do(works[name])

    def do(self, command: Command) -> None:
        """Carry out a command, or emit `refused` if it does nothing now."""
        if reason := command.why_not():
            self.refused.emit(reason)
        elif command.call is not None:
            command.call()

    def knows(self, event: str) -> list[Command]:
        """Return the commands that nodes have for an event, whether they work now or not."""
        return [each.command for each in self._heard.get(event, ())]

    def _press(self, event: str) -> None:
        if self.is_typing and (len(event) == 1 or event in _TYPED):
            return
        heard = (each for each in self._heard[event] if each.is_on())
        found = [each.command for each in heard if self._hears(each.owner, event)]
        if found:
            self._used = event
            self.is_gamepad_used = event.startswith(GAMEPAD)
        for command in found:
            if command.name == found[0].name:
                self.do(command)

    def _release(self, event: str) -> None:
        for each in self._heard[event]:  # the key may have been pressed before it was switched off
            if each.command.release is not None:
                each.command.release()

    def _note_press(self, event: str) -> None:
        used, self._used = self._used, ""
        if self._hears(None, BUTTON_DOWN):
            self.is_gamepad_used = event.startswith(GAMEPAD)
            n_others = len(self._base.messenger.who_accepts(event) or ()) - (event in self._heard)
            self.pressed.emit(event, event == used or n_others > 0)

    def _listen(self) -> None:
        """Listen to the events of all commands, the last accepted first."""
        before, self._heard = self._heard, {}
        for each in reversed(self._accepted):
            for event in self.heard(each.command.name):
                names = [event]
                names += [f"{event}-repeat"] if each.command.repeats else []
                names += [f"{_key_of(event)}-up"] if each.command.release else []
                for name in names:
                    self._heard.setdefault(name, []).append(each)
        for name in before.keys() - self._heard.keys():
            self._events.ignore(name)
        for name in self._heard.keys() - before.keys():
            is_release = name.endswith("-up")
            self._events.accept(name, self._release if is_release else self._press, [name])

    def close(self) -> None:
        """Stop listening to events."""
        self._events.ignore_all()

    def events_of(self, name: str) -> tuple[str, ...]:
        """Return the events that cause a command; `ValueError` if there is no such command."""
        if instance_of("command", name, str) not in {*self._keys, *self._bound}:
            hint = _nearest(name, self._keys) or "; add the node that has it first"
            raise ValueError(f"there is no command {quoted(name)}{hint}")
        return self.heard(name)

    def heard(self, name: str) -> tuple[str, ...]:
        """Return what is bound to a command, or its default events; none for an unknown one."""
        bound = self._bound.get(name)
        return self._defaults(self._keys.get(name, "")) if bound is None else bound

    def _defaults(self, keys: str) -> tuple[str, ...]:
        """Return default events for the layout of the keyboard."""
        moved = KEYBOARDS[self._keyboard]
        found = (each.rpartition("shift-") for each in keys.split())
        return tuple(before + sep + moved.get(key, key) for before, sep, key in found)

    def bind(self, name: str, *events: str) -> None:
        """Replace the events of a command, at once; without any it has no key.

        They are kept for a command that no node of the tree has brought yet.

        Raises
        ------
        TypeError
            A name is not text.
        ValueError
            There is no such event, or an event causes another command that works now, too.
        """
        instance_of("command", name, str)
        checked = tuple(dict.fromkeys(_checked(event) for event in events))
        self._rebind({**self._bound, name: checked}, [name])

    def reset(self, name: str) -> None:
        """Give a command its default events again; errors as those of `bind`."""
        self.events_of(name)
        self._rebind({each: self._bound[each] for each in self._bound if each != name}, [name])

    def load(self, bindings: Iterable[Sequence[str]]) -> None:
        """Bind what `bindings` lists, and nothing else; errors as those of `bind`."""
        wanted = {name: tuple(map(_checked, events)) for name, *events in bindings}
        both = {**self._bound, **wanted}
        self._rebind(wanted, [each for each in both if self._bound.get(each) != wanted.get(each)])

    def _rebind(self, wanted: dict[str, tuple[str, ...]], names: list[str]) -> None:
        """Bind all, or nothing if one of the named commands would collide."""
        before, self._bound = self._bound, wanted
        try:
            for name in names:
                self._check_alone(name)
        except ValueError:
            self._bound = before
            raise
        for each in self._accepted:
            if each.command.name in names and each.command.release is not None:
                each.command.release()  # the old key may be down
        self._listen()
        for name in names:
            self.changed.emit(name)

    def _check_alone(self, name: str) -> None:
        works = self.commands
        command = works.pop(name, None)
        events = () if command is None else self.heard(name)
        for other in works.values():
            if shared := {*events}.intersection(self.heard(other.name)):
                raise ValueError(
                    f"{quoted(min(shared))} cannot be bound to {name}:"
                    f" it is that of {other.name}; bind that to another one first"
                )

    def strength(self, name: str) -> float:
        """Return how strongly a command is held, 0..1: 1 by a key, less by a stick halfway out."""
        held = [self._held[event] for event in self.events_of(name) if event in self._held]
        return max(held, default=1.0)

    def poll(self, dt_s: float) -> None:
        """Read the gamepads, and send an event for each press, release and repeat.

        Events are those of buttons that the window's own devices send; a button that is held for
        `REPEAT_S` sends "gamepad-face_a-repeat".
        """
        pads, before = self.find_gamepads(), self._held
        known = [*self._held_on, *({} for _ in pads)]  # drift counts on the stick that was out
        self._held_on = [_held(pad, on_it) for pad, on_it in zip(pads, known, strict=False)]
        events = {event for held in self._held_on for event in held}
        self._held = {
            event: max(held.get(event, 0.0) for held in self._held_on) for event in events
        }
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


def _key_of(event: str) -> str:
    """Return the event of a key alone: "w" of "shift-w"."""
    return _EVENT.sub(r"\2", event)


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
    key = "" if found is None else found[2]
    if key in _TAKEN:
        raise ValueError(f"{quoted(event)} is used by the pointer; bind a key or mouse4 to mouse9")
    known = _known_keys()
    if found is None or key not in known:
        raise ValueError(f"there is no event {quoted(event)}{_nearest(key, known)}")
    held = found[1].split("-")
    return "".join(f"{each}-" for each in _MODIFIERS if each in held) + key


def _nearest(name: str, choices: Iterable[str]) -> str:
    near = get_close_matches(name, [*choices], 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _held(pad: Gamepad, before: Mapping[str, float]) -> dict[str, float]:
    """Return the events of a gamepad's buttons and sticks that are held, with how far, 0..1."""
    triggers = {"left_trigger": "ltrigger", "right_trigger": "rtrigger"}
    pulled = {name for axis, name in triggers.items() if pad.axes.get(axis, 0.0) > _TRIGGER}
    found = dict.fromkeys((GAMEPAD + name for name in pulled.union(pad.buttons)), 1.0)
    for stick in ("left", "right"):
        x, y = pad.axes.get(f"{stick}_x", 0.0), pad.axes.get(f"{stick}_y", 0.0)
        length = hypot(x, y)
        for side, along in (("up", y), ("left", -x), ("down", -y), ("right", x)):
            event = f"{GAMEPAD}{stick}_stick_{side}"
            least = _STILL if event in before else DEAD_ZONE
            if length > least and along > _DIAGONAL * length:
                out = min(1.0, (length - _STILL) / (1.0 - _STILL))
                found[event] = out * along / length
    return found
