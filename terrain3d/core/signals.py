"""Godot's signals: an object emits them, and connected functions are called."""

from collections.abc import Callable
from typing import Any

from terrain3d.core.checks import instance_of, true_or_false

Listener = Callable[..., object]


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
        self._listeners: list[tuple[Listener, bool]] = []

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

    def connect(self, listener: Listener, *, once: bool = False) -> None:
        """Call a listener at every emission, or only at the next with `once`.

        Raises
        ------
        TypeError
            `listener` cannot be called.
        ValueError
            `listener` is connected already.
        """
        if self.is_connected(listener):
            raise ValueError(f"{self.name}: {listener!r} is connected already")
        self._listeners.append((listener, true_or_false("once", once)))

    def disconnect(self, listener: Listener) -> None:
        """Disconnect a listener; `ValueError` if it was not connected."""
        self._check(listener)
        for entry in self._listeners:
            if entry[0] == listener:
                self._listeners.remove(entry)
                return
        raise ValueError(f"{self.name}: {listener!r} is not connected")

    def is_connected(self, listener: Listener) -> bool:
        """Return whether a listener is connected."""
        self._check(listener)
        return any(known == listener for known, _ in self._listeners)

    def _check(self, listener: Listener) -> None:
        if not callable(listener):
            raise TypeError(f"{self.name}: a listener must be callable, got {listener!r}")

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
        for entry in tuple(self._listeners):
            if entry not in self._listeners:
                continue  # an earlier listener disconnected it
            listener, once = entry
            is_freed = getattr(getattr(listener, "__self__", None), "is_freed", False)
            if once or is_freed:
                self._listeners.remove(entry)
            if is_freed:
                continue
            try:
                listener(*values)
            except Exception as error:
                errors.append(error)
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup(f"{len(errors)} listeners of {self.name} failed", errors)
