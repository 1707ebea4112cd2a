"""Godot's signals: an object announces what happened, whoever connected hears it."""

from collections.abc import Callable
from typing import Any, Self, overload

Listener = Callable[..., object]


class Signal:
    """A named announcement with listeners, declared on a class and bound to each instance.

    Declared as a class attribute, every instance gets a signal of its own on first use.

    Parameters
    ----------
    *arguments : str
        Names of the values that every emission carries. Only their number is checked.

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
        self.arguments = arguments
        self.name = "signal"
        self._listeners: list[tuple[Listener, bool]] = []

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name of the attribute it is declared as."""
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> "Signal": ...

    def __get__(self, instance: object | None, owner: type) -> "Signal":
        """Give the instance its own signal; the class itself gives the declaration."""
        if instance is None:
            return self
        # Signal has no __set__, so from now on the instance's own entry is found first.
        bound: Signal = instance.__dict__.setdefault(self.name, Signal(*self.arguments))
        bound.name = self.name
        return bound

    def connect(self, listener: Listener, *, once: bool = False) -> None:
        """Call `listener` at every emission, or only at the next one with `once`.

        Raises
        ------
        TypeError
            `listener` cannot be called.
        ValueError
            `listener` is connected already.
        """
        if not callable(listener):
            raise TypeError(f"{self.name}: a listener must be callable, got {listener!r}")
        if self.is_connected(listener):
            raise ValueError(f"{self.name}: {listener!r} is connected already")
        self._listeners.append((listener, once))

    def disconnect(self, listener: Listener) -> None:
        """Stop calling `listener`; `ValueError` if it was not connected."""
        for entry in self._listeners:
            if entry[0] == listener:
                self._listeners.remove(entry)
                return
        raise ValueError(f"{self.name}: {listener!r} is not connected")

    def is_connected(self, listener: Listener) -> bool:
        """Tell whether `listener` would hear the next emission."""
        return any(known == listener for known, _ in self._listeners)

    def emit(self, *values: Any) -> None:  # noqa: ANN401 - a signal carries whatever its owner says
        """Call every listener that is connected now, in the order they connected.

        A listener may connect, disconnect and emit again. Methods of what was freed (whose
        `is_freed` says so, as that of a `Node`) are dropped. All others are called even if one
        raises; what was raised is passed on afterwards.

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
