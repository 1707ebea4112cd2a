"""Godot's signals and exported properties.

An object emits signals, and connected functions are called. Programs list and set the exported
properties of nodes.
"""

import math
from collections.abc import Callable, Collection
from functools import partial
from inspect import getattr_static
from typing import Any, Generic, Protocol, Self, TypeVar, cast, overload
from weakref import WeakMethod

import numpy as np

from terrain3d.core.checks import instance_of, listed, number_within, one_of, quoted, true_or_false

T = TypeVar("T")
Listener = Callable[..., object]

_NUMBERS = (float, int, np.floating, np.integer)


class Signal:
    """A named event with listeners, declared on a class.

    Each instance of the class gets its own signal on first use.

    Parameters
    ----------
    *arguments : str
        Names of the values that each emission passes. Only their number is checked.

    Examples
    --------
    >>> class Door:
    ...     opened = Signal("by")
    >>> door = Door()
    >>> door.opened.connect(lambda by: print(by, "came in"))
    >>> door.opened.emit("Mira")
    Mira came in
    """

    def __init__(self, *arguments: str) -> None:
        self.arguments = tuple(instance_of("an argument", name, str) for name in arguments)
        self.name = "signal"
        self._listeners: list[tuple[Listener | WeakMethod[Listener], bool]] = []

    def __repr__(self) -> str:
        """Return the name and the arguments."""
        return f"<Signal {self.name}({', '.join(self.arguments)})>"

    def __set_name__(self, owner: type, name: str) -> None:
        """Store the name of the attribute."""
        self.name = name

    def __get__(self, instance: object | None, owner: type) -> "Signal":
        """Return the signal of an instance; on the class, the declaration."""
        if instance is None:
            return self
        # Signal has no __set__, so the instance's own entry is found first from now on.
        bound: Signal = instance.__dict__.setdefault(self.name, Signal(*self.arguments))
        bound.name = self.name
        return bound

    def connect(self, listener: Listener, *, once: bool = False, weak: bool = False) -> None:
        """Call a listener at every emission, or only at the next with `once`.

        A listener is kept alive, except with `weak`: a method of an object is then called as long
        as something else keeps that object.

        Raises
        ------
        TypeError
            `listener` cannot be called, or with `weak` is not a method.
        ValueError
            `listener` is connected already.
        """
        if self.is_connected(listener):
            raise ValueError(f"{self.name}: {quoted(listener)} is connected already")
        kept: Listener | WeakMethod[Listener] = listener
        if true_or_false("weak", weak):
            try:
                kept = WeakMethod(listener, self._drop)
            except TypeError:
                problem = f"with weak=True a listener must be a method, got {quoted(listener)}"
                raise TypeError(f"{self.name}: {problem}") from None
        self._listeners.append((kept, true_or_false("once", once)))

    def disconnect(self, listener: Listener) -> None:
        """Disconnect a listener; `ValueError` if it was not connected."""
        known = self._find(listener)
        if known is None:
            raise ValueError(f"{self.name}: {quoted(listener)} is not connected")
        self._drop(known)

    def is_connected(self, listener: Listener) -> bool:
        """Return whether a listener is connected."""
        return self._find(listener) is not None

    def _find(self, listener: Listener) -> Listener | WeakMethod[Listener] | None:
        """Return what is kept of a listener; None if it is not connected."""
        if not callable(listener):
            raise TypeError(f"{self.name}: a listener must be callable, got {quoted(listener)}")
        every = (known for known, _ in self._listeners)
        return next((known for known in every if _alive(known) == listener), None)

    def _drop(self, known: Listener | WeakMethod[Listener]) -> None:
        """Disconnect a listener; it is a new list, by which `emit` notices."""
        self._listeners = [entry for entry in self._listeners if entry[0] is not known]

    def __getstate__(self) -> dict[str, object]:
        """Return the state to copy or pickle: without listeners, which follow the original."""
        return {**vars(self), "_listeners": []}

    def emit(self, *values: Any) -> None:  # noqa: ANN401 - the owner decides the types
        """Call all connected listeners in the order in which they were connected.

        A listener may connect, disconnect and emit again. Methods of objects whose `is_freed` is
        true, such as freed nodes, are dropped. If a listener raises, the others are still called,
        and the exception is raised afterward.

        Raises
        ------
        TypeError
            The number of values differs from the declaration.
        """
        if len(values) != len(self.arguments):
            raise TypeError(
                f"{self.name} carries {len(self.arguments)} values {self.arguments}, "
                f"got {len(values)}"
            )
        errors: list[Exception] = []
        every = self._listeners
        for entry in tuple(every):
            if self._listeners is not every and entry not in self._listeners:
                continue  # an earlier listener disconnected it
            listener, once = _alive(entry[0]), entry[1]
            is_freed = getattr(getattr(listener, "__self__", None), "is_freed", False)
            if once or is_freed:
                self._drop(entry[0])
            if is_freed or listener is None:
                continue
            try:
                listener(*values)
            except Exception as error:
                errors.append(error)
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup(f"{len(errors)} listeners of {self.name} failed", errors)


def _alive(known: Listener | WeakMethod[Listener]) -> Listener | None:
    """Return a connected listener; None if it was weak and its object is gone."""
    return known() if isinstance(known, WeakMethod) else known


class export(Generic[T]):  # noqa: N801 - the name is Godot's annotation
    """A property of a node that programs can list and set; each new value is checked.

    Parameters
    ----------
    default : object
        The initial value. New values must have its type; a whole number is accepted for a float,
        and as many numbers for a tuple of numbers.
    range : (low, high), optional
        Limits of a number, or of each of a tuple's numbers; both included.
    choices : collection of str, optional
        The texts that are allowed.
    doc : str, optional
        One line of documentation.

    Examples
    --------
    >>> class Door:
    ...     width = export(1.0, range=(0.5, 2.0), doc="in tiles")
    >>> Door().width
    1.0
    >>> Door().width = 3
    Traceback (most recent call last):
        ...
    ValueError: width must be in 0.5..2.0, got 3
    """

    def __init__(
        self,
        default: T,
        *,
        range: tuple[float, float] | None = None,
        choices: Collection[str] = (),
        doc: str = "",
    ) -> None:
        self.default = default
        self.range = range
        self.choices = tuple(instance_of("choices", e, str) for e in listed("choices", choices))
        if range is not None and not (isinstance(range, tuple) and len(range) == 2):
            raise TypeError(f"range must be (low, high), got {quoted(range)}")
        for limit in range or ():
            number_within("range", limit, -math.inf)
        self.__doc__ = instance_of("doc", doc, str)
        self.name = "export"

    def __set_name__(self, owner: type, name: str) -> None:
        """Store the name of the attribute."""
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> T | Self:
        """Return the value of an instance; on the class, the declaration."""
        if instance is None:
            return self
        value: T = instance.__dict__.get(self.name, self.default)
        return value

    def __set__(self, instance: object, value: T) -> None:
        """Check and store a value."""
        if isinstance(self.default, tuple) and {*map(type, self.default)} & {int, float}:
            if not isinstance(value, tuple) or len(value) != len(self.default):
                raise TypeError(
                    f"{self.name} must be {len(self.default)} numbers, got {quoted(value)}"
                )
            for part, default in zip(value, self.default, strict=True):
                self._check(part, default)
        else:
            self._check(value, self.default)
        instance.__dict__[self.name] = value

    def _check(self, value: object, default: object) -> None:
        wanted = type(default)
        fits = isinstance(value, _NUMBERS if isinstance(default, float) else wanted)
        if isinstance(value, bool) and wanted is not bool:
            fits = False  # bool is a subclass of int
        if default is not None and not fits:
            raise TypeError(f"{self.name} must be {wanted.__name__}, got {quoted(value)}")
        if isinstance(value, float | np.floating) and math.isnan(value):
            raise ValueError(f"{self.name} must be a number, got {quoted(value)}")
        if self.choices:
            one_of(self.name, cast(str, value), self.choices)
        if self.range is not None:
            low, high = self.range
            if not low <= cast(float, value) <= high:
                raise ValueError(f"{self.name} must be in {low}..{high}, got {quoted(value)}")


class Messenger(Protocol):
    """Panda3D's messenger, or another object that sends events with values."""

    def send(self, event: str, values: list[Any], /) -> object:
        """Send an event."""


def forward_signals(source: object, messenger: Messenger, prefix: str) -> list[str]:
    """Send an event for each emission of any signal of an object, with the signal's values.

    Parameters
    ----------
    source : object
        One with signals: a terrain, a cursor, a map, a board, a commander.
    messenger : Messenger
        Such as `base.messenger`.
    prefix : str
        The event of the signal `tile_clicked` is "<prefix>-tile_clicked".

    Returns
    -------
    list of str
        The names of the events.

    Raises
    ------
    TypeError
        The prefix is not text.
    ValueError
        The object has no signals.

    Examples
    --------
    ::

        forward_signals(terrain, base.messenger, "terrain")
        base.accept("terrain-tile_clicked", lambda cell, button: print(cell))
    """
    instance_of("prefix", prefix, str)
    kind = type(source)
    names = [name for name in dir(kind) if isinstance(getattr_static(kind, name), Signal)]
    if not names:
        raise ValueError(f"source must have signals, got {quoted(source)}")
    for name in names:
        getattr(source, name).connect(partial(_send, messenger, f"{prefix}-{name}"))
    return [f"{prefix}-{name}" for name in names]


def _send(messenger: Messenger, event: str, *values: object) -> None:
    messenger.send(event, list(values))
