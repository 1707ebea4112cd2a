"""Godot's exported properties: values of a node that tools may list and set, checked when set."""

import math
from typing import Generic, Self, TypeVar, cast, overload

T = TypeVar("T")


class export(Generic[T]):  # noqa: N801 - the name is Godot's annotation
    """A property of a node that tools may list and set, checked whenever it is set.

    Parameters
    ----------
    default : object
        Its value until it is set. Values must be of the same type; an int serves as a float.
    range : (low, high), optional
        Limits of a number, both included.
    doc : str, optional
        One line for people.

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
        """Take the name of the attribute it is declared as."""
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> T | Self:
        """Read the instance's value; the class itself gives the declaration."""
        if instance is None:
            return self
        return cast(T, instance.__dict__.get(self.name, self.default))

    def __set__(self, instance: object, value: T) -> None:
        """Check and keep a value."""
        wanted = type(self.default)
        fits = isinstance(value, (float, int) if isinstance(self.default, float) else wanted)
        if isinstance(value, bool) and wanted is not bool:
            fits = False  # Python calls True a whole number
        if self.default is not None and not fits:
            raise TypeError(f"{self.name} must be {wanted.__name__}, got {value!r}")
        if isinstance(value, float) and math.isnan(value):
            raise ValueError(f"{self.name} must be a number, got {value!r}")
        if self.range is not None:
            low, high = self.range
            if not low <= cast(float, value) <= high:
                raise ValueError(f"{self.name} must be in {low}..{high}, got {value!r}")
        instance.__dict__[self.name] = value
