"""Natural mistakes in calls of a public interface, and what each of them ends in.

`public_calls` finds what a package offers by looking at it, so that a new function is covered as
soon as it is exported. `mistakes` makes wrong values from a right one. `outcome_of` calls with one
wrong value and returns a verdict: the call must succeed with a value that the annotation allows, or
raise one of our errors, from a `raise` in our code, with the parameter or the value in its message.
"""

import ast
import collections.abc
import contextlib
import functools
import inspect
import itertools
import math
import os
import re
import sys
import traceback
import types
import typing
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing

from terrain3d import TileMap

ROOT = Path(__file__).parents[2]
OUR_ERRORS = (TypeError, ValueError, IndexError, KeyError, RuntimeError, OSError)
"""The classes that a mistake may raise, with our own subclasses; `KeyError` is for node paths."""

_LONGEST = 100
"""The most characters of a value that a message quotes."""

_FREED = (types.GeneratorType, map, filter, zip, type(iter([])))
ORIGIN_OF_FUNCTIONS = typing.get_origin(Callable[[], int])


class SmallWorld:
    """A folder, and a map with a deck."""

    def __init__(self, folder):
        self.folder = folder
        self.tilemap = TileMap.from_text("00000\n01#10\n00000")
        with self.tilemap.edit() as edit:
            edit.add_deck([(1, 1)], level=4)


class Call(NamedTuple):
    """A call that is right, before one of its values is replaced by a mistake."""

    function: Callable[..., object]
    values: dict[str, object]
    hints: Mapping[str, object]
    """Annotations by parameter."""


class Outcome(NamedTuple):
    """What a mistake ended in: "refused", "accepted", or a fault."""

    verdict: str
    detail: str = ""

    @property
    def is_fault(self):
        return self.verdict not in ("refused", "accepted")


# What a package offers ---------------------------------------------------------------------------


def public_calls(*packages, beside=()):
    """Return every public function, constructor, method and setter with parameters, by name.

    An inherited method counts once, for the class that defines it if that is public there or in a
    package beside these.
    """
    exported = [getattr(package, name) for package in packages for name in package.__all__]
    known = [getattr(package, name) for package in beside for name in package.__all__]
    found: dict[str, Callable[..., object]] = {}
    for item in exported:
        if inspect.isclass(item):
            calls = calls_of(item, [*exported, *known])
            found |= {name: call for name, call in calls if _parameters(call)}
        elif callable(item) and _parameters(item):
            found[item.__name__] = item
    return found


def calls_of(kind, exported=()):
    """Yield the calls of a class by name, without those that exported classes above it define."""
    if not inspect.isabstract(kind) and not issubclass(kind, BaseException):
        yield kind.__name__, kind
    for name in dir(kind):
        owner = next(base for base in kind.__mro__ if name in vars(base) or base is object)
        is_elsewhere = owner is not kind and owner in exported
        if name.startswith("_") or is_elsewhere or not _is_ours(owner):
            continue
        raw = vars(owner)[name]
        if isinstance(raw, property):
            if raw.fset is not None:
                yield f"{kind.__name__}.{name}=", functools.partial(raw.fset, None)
        elif callable(getattr(kind, name)) and not _is_ours(type(raw)):
            is_bound = isinstance(raw, classmethod | staticmethod)
            call = getattr(kind, name)
            yield f"{kind.__name__}.{name}", call if is_bound else functools.partial(call, None)
        elif hasattr(type(raw), "__set__") and _is_ours(type(raw)):
            yield f"{kind.__name__}.{name}=", functools.partial(setattr, None, name)


def _is_ours(kind):
    return kind.__module__.partition(".")[0] in ("ai", "terrain3d")


def _parameters(call):
    try:
        return dict(inspect.signature(call).parameters)
    except (ValueError, TypeError):  # a class of Python's own
        return {}


def hints_of(call):
    function: Any = call.func if isinstance(call, functools.partial) else call
    if inspect.isclass(function):
        function = function.__init__ if "__init__" in vars(function) else function.__new__
    names = vars(sys.modules.get(getattr(function, "__module__", ""), object))
    try:
        return typing.get_type_hints(function, {**_known_names(), **names})
    except TypeError:  # a class of Python's own
        return {}


def _known_names():
    """Return what annotations name, also where it is imported for annotations alone."""
    loaded = [*sys.modules.items()]
    ours = [module for name, module in loaded if name.startswith(("ai.", "terrain3d."))]
    found = {"PathLike": os.PathLike, "Path": Path, **vars(collections.abc), **vars(typing)}
    found |= vars(numpy.typing)
    for module in ours:
        found |= {name: it for name, it in vars(module).items() if name[0].isupper()}
    return found


# Wrong values ------------------------------------------------------------------------------------


class Stranger:
    """A class that nothing expects; its instances have no properties."""


def _needs_seven(a, b, c, d, e, f, g):
    """A function that no callback can be."""


def mistakes(value):
    """Yield natural mistakes for a parameter whose right value is given."""
    yield from (None, True, False, math.nan, math.inf, -math.inf, -1, 0.5, 10**400, 1 + 1j)
    yield from (10**30, np.longdouble("1e4000"), "no such" * 30, [["no such"] * 30])
    yield from ("no such", "", b"00", object(), Stranger, _needs_seven, {}, {"a": 1}, [], ())
    yield from (item for item in [iter([]), (None for _ in range(2)), range(2), slice(1)])
    yield from ([[1, 2], [3]], (1,), (1, 2, 3, 4), [None], {None})
    yield from (np.zeros((2, 3, 4)), np.array(["a"]), np.array([[0.5, math.nan]]), np.array(None))
    yield from _variants(value)


def _variants(value):
    if isinstance(value, bool):
        yield from (0, 1, "True", np.bool_(value))
    elif isinstance(value, int | float):
        yield from (str(value), [value], np.array([value]), np.array(value), np.float32(value))
        yield from (0, -value, 2**63, 1e308, 1e-300)
    elif isinstance(value, str):
        yield from (value.upper(), f" {value}", [value], value.encode(), 0)
    elif isinstance(value, np.ndarray):
        yield from (value.astype(str), value.ravel()[:-1], value[None], value * math.nan)
        yield value.tolist()
    elif isinstance(value, Mapping):
        yield from _mappings(value)
    elif _is_cell(value):
        yield from _cells(*value[:2])
    elif isinstance(value, Collection):
        yield from _collections([*value])
    elif callable(value):
        yield from (lambda: None, lambda *, needed: needed, "print")
    elif value is not None:
        yield from (type(value), [value], str(value), value.__class__.__name__)


def _cells(row, col):
    yield from ((True, False), (row, True), (99, 99), (-1, col), (0.5, col), (math.nan, col))
    yield from (("0", "0"), "00", (None, col), (row,), (row, col, 0, 0), (row, col, 9))
    yield from ((10**30, col), {0: 0, 1: 0}, {row, 7}, np.array([0.0, 0.0]), [row, [col]])
    yield from ((row, col, True), (row, col, None), np.array([True, False]), iter((row, col)))
    yield [(row, col), None]


def _mappings(value):
    for key, item in list(value.items())[:1]:
        few = itertools.islice(_variants(item), 12)
        yield from ({key: wrong} for wrong in (None, True, math.nan, "x", -1, object(), *few))
        yield from ({wrong: item} for wrong in (None, 0, "no such", (9, 9), Stranger))
    yield from (list(value.items()), list(value), str(value))


def _collections(items):
    if not items:
        return
    for wrong in itertools.islice(_variants(items[0]), 18):
        yield [wrong, *items[1:]]
    yield from ([None, *items[1:]], [*items, None], [*items, items[0]], items[0], items[:-1])
    yield from ([*items[:-1], "no such"], [items], iter([*items[:-1], None]))
    with contextlib.suppress(TypeError):  # not all items can be in a set
        yield from ({*items}, dict.fromkeys(items))


def _is_cell(value):
    is_pair = isinstance(value, tuple | list) and 2 <= len(value) <= 3
    return is_pair and all(type(part) is int for part in value)


# What a mistake ends in --------------------------------------------------------------------------


def outcome_of(call, name, wrong):
    """Call with one wrong value; return whether the answer is one of ours."""
    hint = call.hints.get(name, object)
    is_right = fits(wrong, hint)  # before an iterator is used up
    shown = set(_shown(wrong))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call.function(**{**call.values, name: wrong})
    except Exception as error:
        return _judge(error, name, shown)
    if is_right:
        return Outcome("accepted")
    return Outcome("passes in silence", f"{wrong!r:.100} is not {hint!r:.100}")


def _judge(error, name, shown):
    frame = traceback.extract_tb(error.__traceback__, -1)[0]
    path, line = frame.filename, frame.lineno or 0
    text = str(error)
    detail = f"{type(error).__name__}: {text[:160]} ({Path(path).name}:{line})"
    if not isinstance(error, OUR_ERRORS) or not _is_raise(path, line):
        return Outcome("foreign", detail)
    is_whole = any(len(part) > _LONGEST and part in text for part in map(str, shown))
    if is_whole and name not in ("path", "root"):  # a file is named in full
        return Outcome("quotes in full", detail)
    words = {name, name.removesuffix("s"), name.replace("_", " ")}
    if not any(word in text for word in words) and not any(part in text for part in shown):
        return Outcome("names neither the parameter nor the value", detail)
    return Outcome("refused")


def _is_raise(path, line):
    ours = Path(path).is_relative_to(ROOT / "ai") or Path(path).is_relative_to(ROOT / "terrain3d")
    return ours and any(line in lines for lines in _raises(path))


@functools.cache
def _raises(path):
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return [range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in found]


def _shown(value, depth=3):
    """Yield how a message may show a value, or a part of it."""
    yield from (repr(value)[:40], str(value))
    if isinstance(value, _FREED):
        yield "None"  # all that the iterators among the mistakes hold
    elif isinstance(value, np.ndarray):
        yield from (str(value.shape), str(value.dtype), f"{value.ndim}")
        for part in (value[:1], value.reshape(-1, *value.shape[-1:])[:1]) if value.ndim else ():
            yield repr(part[0])[:40] if len(part) else str(part)
        yield from map(repr, value.ravel()[:3].tolist())
    elif depth and isinstance(value, str | bytes | range | Collection):
        yield str(len(value))
        parts = [*value, *(value.values() if isinstance(value, Mapping) else ())]
        for part in parts[:5]:
            yield from _shown(part, depth - 1)
    yield from (getattr(value, "name", None) or "\0",)


def fits(value, hint):
    """Return whether an annotation allows a value; iterators fit wherever sequences do."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if origin is type:
        return isinstance(value, type)
    if origin is ORIGIN_OF_FUNCTIONS:
        return callable(value) and _takes(value, parts[0])
    if origin is not None:
        return _fits_collection(value, origin, parts)
    if hint in (int, float):
        numbers = (int, np.integer) if hint is int else (int, float, np.integer, np.floating)
        value = value[()] if isinstance(value, np.ndarray) and not value.ndim else value
        return isinstance(value, numbers) and not isinstance(value, bool) and value == value
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if hint in (Any, object):
        return True
    if hint is None or not inspect.isclass(hint) or hint is inspect.Parameter.empty:
        return value is None if hint is None else True
    if getattr(hint, "_is_protocol", False):
        return callable(value) or not callable(hint.__dict__.get("__call__"))
    return isinstance(value, hint)


def _fits_collection(value, origin, parts):
    if origin is np.ndarray:
        return isinstance(value, np.ndarray)
    if not issubclass(origin, Iterable):
        return isinstance(value, origin)
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return False
    if isinstance(value, _FREED):
        return issubclass(list, origin)
    if issubclass(origin, Mapping):
        is_mapping = isinstance(value, Mapping)
        return is_mapping and all(fits(k, parts[0]) and fits(v, parts[1]) for k, v in value.items())
    items = value.tolist() if isinstance(value, np.ndarray) else list(value)
    if not isinstance(items, list):
        return False
    if origin is tuple and parts and parts[-1] is not Ellipsis:
        return len(items) == len(parts) and all(map(fits, items, parts))
    part = parts[0] if parts else object
    if part is int and origin is Sequence:  # a cell
        is_ordered = isinstance(value, Sequence | np.ndarray)
        return is_ordered and 2 <= len(items) <= 3 and all(fits(item, int) for item in items)
    return all(fits(item, part) for item in items)


def _takes(function, arguments):
    with contextlib.suppress(ValueError):  # unknown for functions in C
        try:
            inspect.signature(function).bind(*() if arguments is Ellipsis else arguments)
        except TypeError:
            return arguments is Ellipsis
    return True


# Right calls --------------------------------------------------------------------------------------


def right_call(name, call, world):
    """Make a call that is right, from its annotations and from what a world has.

    A world has an attribute for each class whose methods are called, and one for each parameter or
    type of which no plain value is right. `world.calls` holds what single calls need beside that:
    values by parameter, `self`, and `hints` where annotations say less.
    """
    kind, _, member = name.partition(".")
    special = dict(world.calls.get(name, lambda _: {})(world))
    hints = special.pop("hints", {})
    if not isinstance(call, functools.partial):
        return _with_values(call, hints_of(call) | hints, special, world)
    owner = special.pop("self") if "self" in special else getattr(world, snake_case(kind))
    if not member.endswith("="):
        return _with_values(getattr(owner, member), hints_of(call) | hints, special, world)
    name = member.removesuffix("=")
    hint = hints.get(name) or _hint_of_attribute(owner, name)
    current = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=getattr(owner, name))
    value = special[name] if special else _right_value(current, hint, world)
    return Call(lambda **values: setattr(owner, name, values[name]), {name: value}, {name: hint})


def snake_case(name):
    """Return the name of a variable that holds an instance of a class."""
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", name).lower()


def _with_values(function, hints, special, world):
    values = {
        name: _right_value(parameter, hints.get(name, object), world)
        for name, parameter in _parameters(function).items()
        if name not in special and parameter.kind is not parameter.VAR_KEYWORD
    }
    return Call(function, values | special, hints)


def _hint_of_attribute(owner, name):
    kind = type(owner)
    declared = getattr(kind, name, None)
    if isinstance(declared, property):
        hint = [hint for key, hint in hints_of(declared.fset).items() if key != "return"][-1]
        return hints_of(kind)[name] if hint is object else hint
    names = {**_known_names(), **vars(sys.modules[kind.__module__])}
    hints = typing.get_type_hints(kind, names)
    value = getattr(owner, name)
    if name in hints:
        return hints[name]
    return tuple[*map(type, value)] if isinstance(value, tuple) else type(value)


PLAIN = {bool: True, int: 2, float: 1.5, str: "a", object: None}


def _right_value(parameter, hint, world):
    own = getattr(world, parameter.name, parameter)
    if own is not parameter and fits(own, hint):
        return own
    default = parameter.default
    is_telling = default is not parameter.empty and default is not None and default not in ("", ())
    return default if is_telling else _of_type(hint, world)


def _of_type(hint, world):
    """Return a value of a type; of our classes, what the world has."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if origin in (typing.Union, types.UnionType):
        return _of_type(parts[0], world)
    if origin is ORIGIN_OF_FUNCTIONS:
        return lambda *_: _of_type(parts[-1], world)
    if origin is tuple:
        return tuple(_of_type(part, world) for part in parts)
    if origin is not None and issubclass(origin, Iterable):
        return [_of_type(parts[0], world)]
    return getattr(world, snake_case(hint.__name__))


def check_mistakes(name, function, make_world):
    """Make every mistake in a call; return the faults, one line each."""
    call = right_call(name, function, make_world())
    call.function(**call.values)
    make_call = functools.partial(right_call, name, function)
    found = [_faults_of(name, parameter, make_call, make_world) for parameter in call.values]
    return list(itertools.chain(*found))


def _faults_of(name, parameter, make_call, make_world):
    world = make_world()
    call = make_call(world)
    state, values, number = _state_of(world), mistakes(call.values[parameter]), 0
    while True:
        try:
            wrong, number = next(values), number + 1
        except StopIteration:
            return
        text = f"{name}({parameter}={wrong!r:.100})"
        outcome = outcome_of(call, parameter, wrong)
        is_changed = _state_of(world) != state
        if outcome.is_fault:
            yield f"{text}: {outcome.verdict}: {outcome.detail}"
        if is_changed and outcome.verdict == "refused":
            yield f"{text}: refused, but the state has changed"
        if is_changed:
            world = make_world()
        if is_changed or outcome.verdict != "refused":  # the call may work only once
            call = make_call(world)
            state = _state_of(world)
            values = itertools.islice(mistakes(call.values[parameter]), number, None)


def _state_of(world):
    try:
        return repr(world.state())
    except Exception as error:  # an accepted mistake may break it
        return f"broken: {error!r}"
