"""Godot's exported properties: node values that programs can list and set."""

import math
from typing import Generic, Self, TypeVar, cast, overload

T = TypeVar("T")


class export(Generic[T]):  # noqa: N801 - the name is Godot's annotation
    """A property of a node that programs can list and set; each new value is checked.

    Parameters
    ----------
    default : object
        The initial value. New values must have its type; an int is accepted for a float.
    range : (low, high), optional
        Limits of a number, both included.
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
        self, default: T, *, range: tuple[float, float] | None = None, doc: str = ""
    ) -> None:
        self.default = default
        self.range = range
        self.__doc__ = doc
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
        return cast(T, instance.__dict__.get(self.name, self.default))

    def __set__(self, instance: object, value: T) -> None:
        """Check and store a value."""
        wanted = type(self.default)
        fits = isinstance(value, (float, int) if isinstance(self.default, float) else wanted)
        if isinstance(value, bool) and wanted is not bool:
            fits = False  # bool is a subclass of int
        if self.default is not None and not fits:
            raise TypeError(f"{self.name} must be {wanted.__name__}, got {value!r}")
        if isinstance(value, float) and math.isnan(value):
            raise ValueError(f"{self.name} must be a number, got {value!r}")
        if self.range is not None:
            low, high = self.range
            if not low <= cast(float, value) <= high:
                raise ValueError(f"{self.name} must be in {low}..{high}, got {value!r}")
        instance.__dict__[self.name] = value
