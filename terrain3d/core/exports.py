"""Godot's exported properties: node values that programs can list and set."""

import math
from typing import Generic, Self, TypeVar, cast, overload

import numpy as np

from terrain3d.core.checks import instance_of, number_within

T = TypeVar("T")

_NUMBERS = (float, int, np.floating, np.integer)


class export(Generic[T]):  # noqa: N801 - the name is Godot's annotation
    """A property of a node that programs can list and set; each new value is checked.

    Parameters
    ----------
    default : object
        The initial value. New values must have its type; a whole number is accepted for a float,
        and as many numbers for a tuple of numbers.
    range : (low, high), optional
        Limits of a number, or of each of a tuple's numbers; both included.
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
        if range is not None and not (isinstance(range, tuple) and len(range) == 2):
            raise TypeError(f"range must be (low, high), got {range!r}")
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
        return cast(T, instance.__dict__.get(self.name, self.default))

    def __set__(self, instance: object, value: T) -> None:
        """Check and store a value."""
        if isinstance(self.default, tuple) and {*map(type, self.default)} & {int, float}:
            if not isinstance(value, tuple) or len(value) != len(self.default):
                raise TypeError(f"{self.name} must be {len(self.default)} numbers, got {value!r}")
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
            raise TypeError(f"{self.name} must be {wanted.__name__}, got {value!r}")
        if isinstance(value, float | np.floating) and math.isnan(value):
            raise ValueError(f"{self.name} must be a number, got {value!r}")
        if self.range is not None:
            low, high = self.range
            if not low <= cast(float, value) <= high:
                raise ValueError(f"{self.name} must be in {low}..{high}, got {value!r}")
