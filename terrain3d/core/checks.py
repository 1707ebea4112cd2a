"""Checks of arguments, whose errors name the limit and the value, and numbers in texts."""

import functools
import inspect
import math
import operator
import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Value = TypeVar("_Value")
_Call = TypeVar("_Call", bound=Callable[..., Any])

MAX_CELLS = 2**26
"""The most tiles one map may have (8192 x 8192)."""

MIN_COST, MAX_COST = 0.000001, 1_000_000
"""The least and the most that entering a tile may cost; a level up or down may cost nothing."""


def check_cost(name: str, value: float) -> float:
    """Return a cost after checking it; `TypeError`, or `ValueError` outside MIN_COST..MAX_COST."""
    return number_within(name, value, MIN_COST, MAX_COST)


_PLAIN = (int, float)
QUOTED = 100
"""The most characters of a value that a message quotes."""


def quoted(value: object) -> str:
    """Return a value as messages quote it: its `repr`, cut at `QUOTED` characters."""
    try:
        text = repr(value)
    except Exception:  # of Python itself, for an integer of more than 4300 digits
        text = object.__repr__(value)
        if isinstance(value, int):
            text = f"an integer of {value.bit_length()} bits"
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 3]}..."


def number_within(name: str, value: float, low: float, high: float = math.inf) -> float:
    """Return a number of Python after checking it; `TypeError`, `ValueError` outside low..high."""
    if type(value) in _PLAIN and low <= value <= high and abs(value) <= sys.float_info.max:
        return value  # nearly always
    number = _number(name, value)
    if not low <= number <= high:  # also refuses NaN
        limits = f">= {low}" if high == math.inf else f"in {low}..{high}"
        limits = "a number" if math.inf == -low == high else limits
        raise ValueError(f"{name} must be {limits}, got {quoted(value)}")
    return _as_float(name, number)


def positive_number(name: str, value: float) -> float:
    """Return a finite number > 0; `TypeError` or `ValueError` for anything else."""
    number = _number(name, value)
    if not 0 < number < math.inf:
        raise ValueError(f"{name} must be finite and > 0, got {quoted(value)}")
    return _as_float(name, number)


def finite_number(name: str, value: float, low: float = -math.inf) -> float:
    """Return a finite number >= low; `TypeError` or `ValueError` for anything else."""
    if type(value) in _PLAIN and low <= value and abs(value) <= sys.float_info.max:
        return value  # nearly always
    number = _number(name, value)
    if not (low <= number and -math.inf < number < math.inf):
        limit = "" if low == -math.inf else f" and >= {low}"
        raise ValueError(f"{name} must be finite{limit}, got {quoted(value)}")
    return _as_float(name, number)


def _number(name: str, value: float) -> float:
    """Return a number of Python, or a long double, which may be beyond the range of floats."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError(f"{name} must be a number, got {quoted(value)}")
    if isinstance(value, np.longdouble) or not isinstance(value, np.generic):
        return value
    number: float = value.item()
    return number


def _as_float(name: str, number: float) -> float:
    """Return a number; `ValueError` if it is finite and beyond the range of floats."""
    if sys.float_info.max < abs(number) < math.inf:
        raise ValueError(f"{name} must be at most {sys.float_info.max:.3g}, got {quoted(number)}")
    return float(number) if isinstance(number, np.longdouble) else number


class _Checked:
    """An attribute that is checked whenever it is assigned; reading it costs nothing extra."""

    def __init__(self, check: Callable[[str, Any], object]) -> None:
        self._check, self._name = check, ""

    def __set_name__(self, _owner: type, name: str) -> None:
        """Store the name of the attribute."""
        self._name = name

    def __set__(self, instance: object, value: object) -> None:
        """Check and store a value."""
        instance.__dict__[self._name] = self._check(self._name, value)


def checked(check: Callable[[str, Any], object]) -> Any:  # noqa: ANN401 - as declared by its owner
    """Declare an attribute of a class; `check(name, value)` raises, or returns what is stored."""
    return _Checked(check)


def finite_numbers(name: str, values: Iterable[float], count: int) -> tuple[float, ...]:
    """Return `count` finite numbers as a tuple; `TypeError` or `ValueError` for anything else."""
    numbers = tuple(finite_number(name, value) for value in listed(name, values))
    if len(numbers) != count or isinstance(values, Mapping | Set):
        raise ValueError(f"{name} must be {count} finite numbers, got {quoted(values)}")
    return numbers


def finite_points(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return a copy of (n, 3) finite numbers; `TypeError` or `ValueError` for anything else."""
    try:
        with np.errstate(over="ignore"):  # the check below refuses what becomes infinite
            points = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be (n, 3) finite numbers, got {quoted(values)}") from None
    if points.size == 0:
        return np.zeros((0, 3))
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"{name} must be (n, 3) finite numbers, got shape {points.shape}")
    if not np.isfinite(points).all():
        bad = points[~np.isfinite(points).all(axis=1)][0]
        raise ValueError(f"{name} must be (n, 3) finite numbers, got {quoted(bad.tolist())}")
    return points


def true_or_false(name: str, value: bool) -> bool:
    """Return a bool or numpy bool as a bool; `TypeError` for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {quoted(value)}")
    return bool(value)


def instance_of(name: str, value: _Value, kind: type[object]) -> _Value:
    """Return a value after checking its type; `TypeError` for another type."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, got {quoted(value)}")
    return value


def optional(name: str, value: _Value, kind: type[object]) -> _Value:
    """Return None, or a value after checking its type; `TypeError` for another type."""
    return value if value is None else instance_of(name, value, kind)


def one_of(name: str, value: str, choices: Collection[str]) -> str:
    """Return a text that is one of some choices; `TypeError` or `ValueError` otherwise."""
    if instance_of(name, value, str) not in choices:
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, choices))}, got {quoted(value)}"
        )
    return value


def checked_path(name: str, value: str | os.PathLike[str]) -> Path:
    """Return a path as a `Path`; `TypeError` for what is no path, `ValueError` for no text."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{name} must be a path, got {quoted(value)}")
    if value == "":
        raise ValueError(f"{name} must be a path, got {quoted(value)}")
    return Path(value)


def named(
    what: str, value: _Value | str, kind: type[_Value], table: Mapping[str, _Value]
) -> _Value:
    """Return the entry of a table by its name, or an entry itself; refuse anything else."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, str):
        raise TypeError(
            f"a {what} must be a {kind.__name__} or the name of one, got {quoted(value)}"
        )
    if value not in table:
        raise ValueError(f"a {what} must be one of {', '.join(table)}, got {quoted(value)}")
    return table[value]


def checked_function(name: str, value: _Call, n_arguments: int, *keywords: str) -> _Call:
    """Return a function; `TypeError` if it cannot be called with such arguments.

    Some functions, as of C, do not tell their arguments: what is returned then raises when it is
    called.
    """
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {quoted(value)}")
    named_too = f" and {', '.join(keywords)}" if keywords else ""
    wanted = f"{name} must be a function of {counted(n_arguments, 'argument')}{named_too}"
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return cast(_Call, functools.partial(_called, f"{wanted}, got {quoted(value)}", value))
    try:
        signature.bind(*range(n_arguments), **dict.fromkeys(keywords))
    except TypeError:
        raise TypeError(f"{wanted}, got {quoted(value)}") from None
    return value


def _called(problem: str, call: Callable[..., Any], *values: object, **named: object) -> object:
    """Return what a call returns; if it raises `TypeError`, say which function is meant."""
    try:
        return call(*values, **named)
    except TypeError as error:
        raise TypeError(f"{problem}: {error}") from error


def listed(name: str, values: Iterable[_Value]) -> list[_Value]:
    """Return several values as a list; `TypeError` for text and for what is not iterable."""
    try:
        if isinstance(values, str | bytes):
            raise TypeError
        entries = iter(values)
    except TypeError:
        raise TypeError(f"{name} must be a sequence, got {quoted(values)}") from None
    return list(entries)


def whole_number(name: str, value: int) -> int:
    """Return any whole number as an int; `TypeError` for anything else."""
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name} must be a whole number, got {quoted(value)}")


def whole_within(name: str, value: int, low: int, high: float = math.inf) -> int:
    """Return a whole number as an int; `TypeError`, or `ValueError` outside low..high."""
    if type(value) is int and low <= value <= high < math.inf:  # nearly always
        return value
    number = whole_number(name, value)
    number_within(name, number, low, high)
    return number


def _array_2d(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return a (rows, cols) array of at most MAX_CELLS values after checking its shape."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be (rows, cols), got rows of different lengths") from None
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"{name} must be (rows, cols) with at least one tile, got {array.shape}")
    if array.size > MAX_CELLS:
        raise ValueError(f"a map has at most {MAX_CELLS} tiles, got {array.size}")
    return array


def numbers_2d(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return a copy of a (rows, cols) array of numbers; NaN where it is masked."""
    array = _array_2d(name, values)
    if not (np.issubdtype(array.dtype, np.integer) or np.issubdtype(array.dtype, np.floating)):
        raise TypeError(f"{name} must hold numbers, got {array.dtype}")
    with np.errstate(over="ignore"):  # of a long double, which becomes infinite
        numbers = array.astype(np.float64)
    if isinstance(values, np.ma.MaskedArray):
        numbers[np.ma.getmaskarray(values)] = np.nan
    return numbers


def whole_numbers(name: str, values: ArrayLike, high: int) -> NDArray[np.int64]:
    """Return a copy of a (rows, cols) array of whole numbers in 0..high after checking it."""
    array = _array_2d(name, values)
    if np.ma.is_masked(values):
        raise ValueError(f"{name} must not be masked")
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name} must hold whole numbers, got {array.dtype}")
    lowest, highest = int(array.min()), int(array.max())
    if lowest < 0 or highest > high:
        wrong = lowest if lowest < 0 else highest
        row, col = np.argwhere(array == wrong)[0]
        raise ValueError(f"{name} must be in 0..{high}, got {wrong} at ({row}, {col})")
    return array.astype(np.int64)


def check_pickle(what: str, version: object, current: int) -> None:
    """Raise `pickle.UnpicklingError` if an object was pickled in another version of its state."""
    if version != current:
        problem = f"was pickled in version {version} of its state, this program reads {current}"
        raise UnpicklingError(f"this {what} {problem}")


def plain(number: float) -> str:
    """Return a number without the rounding error of sums, such as "0.3"."""
    return f"{number:.12g}"


def counted(number: float, noun: str) -> str:
    """Return a number with a regular noun, such as "1 step" and "2 steps"."""
    return f"{plain(number)} {noun}{'s' * (number != 1)}"


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number, also if it is written as 1.0, as by Godot 4.4."""
    return type(value) is int or (type(value) is float and value.is_integer())


def with_whole_numbers(value: Any) -> Any:  # noqa: ANN401 - JSON, and of its type
    """Return a value with each whole number in it as int."""
    if isinstance(value, dict):
        return {name: with_whole_numbers(part) for name, part in value.items()}
    if isinstance(value, list):
        return [with_whole_numbers(part) for part in value]
    return int(value) if is_whole(value) else value
