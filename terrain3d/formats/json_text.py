"""Read untrusted JSON, write JSON that can be compared line by line, and check fields of objects.

Reading is strict: numbers are finite, names in an object are unique, and the number of values and
the depth of nesting have limits. `Fields` takes the fields out of an object one by one and checks
the type of each.
"""

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import MapFileError
from terrain3d.grid.grid import Cell
from terrain3d.map.tilemap import Extras, Json

MAX_DEPTH = 64
"""How deep lists and objects may be nested."""

_SHOWN = 40


def parse(data: bytes, max_values: int) -> Json:
    """Return the value of JSON in UTF-8, which may hold about `max_values` values."""
    values = data.count(b",") + data.count(b"[") + data.count(b"{")
    if values > max_values:
        raise MapFileError(f"holds about {values} values, the limit is {max_values}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MapFileError("is not UTF-8", line=data.count(b"\n", 0, error.start) + 1) from None
    try:
        parsed = json.loads(
            text, object_pairs_hook=_object, parse_float=_finite, parse_constant=_finite
        )
        check(parsed)
    except json.JSONDecodeError as error:
        raise MapFileError(f"is not JSON: {error.msg}", line=error.lineno) from None
    except RecursionError:
        raise MapFileError(f"is nested deeper than {MAX_DEPTH}") from None
    except ValueError as error:
        raise MapFileError(str(error)) from None
    return parsed


def serialize(fields: Mapping[str, Json]) -> bytes:
    """Return an object as JSON, with each entry of its lists and objects on a line of its own."""
    check(fields)
    lines = [f" {_line(name)}: {_block(value)}" for name, value in fields.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    # Half of a surrogate pair, which UTF-8 cannot hold, becomes an escape that JSON reads.
    return text.encode("utf-8", "backslashreplace")


def check(value: Json, path: str = "", depth: int = 0) -> None:
    """Raise `TypeError` or `ValueError` if a value is not JSON-like, or nested too deep."""
    if depth > MAX_DEPTH:
        raise ValueError(f"{path} is nested deeper than {MAX_DEPTH}")
    match value:
        case None | bool() | int() | str():
            return
        case float():
            if not math.isfinite(value):
                raise ValueError(f"{path} must be finite, got {value!r}".strip())
        case list() | tuple():
            for index, part in enumerate(value):
                check(part, f"{path}[{index}]", depth + 1)
        case dict():
            for name, part in value.items():
                if not isinstance(name, str):
                    raise TypeError(f"{path} must have text as keys, got {name!r}".strip())
                check(part, f"{path}.{name[:_SHOWN]}".lstrip("."), depth + 1)
        case _:
            what = type(value).__name__
            raise TypeError(f"{path} must be JSON-like, got {what}".strip())


def plain(value: Json, depth: int = 0) -> Json:
    """Return a value with Python's numbers and lists in place of numpy's."""
    match value:
        case np.generic() | np.ndarray():
            return value.tolist()
        case dict() if depth <= MAX_DEPTH:
            return {name: plain(part, depth + 1) for name, part in value.items()}
        case list() | tuple() if depth <= MAX_DEPTH:
            return [plain(part, depth + 1) for part in value]
    return value


def _block(value: Json) -> str:
    """Return a field of the outermost object as text."""
    if isinstance(value, dict) and value:
        lines = [f"  {_line(name)}: {_line(part)}" for name, part in value.items()]
        return "{\n" + ",\n".join(lines) + "\n }"
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(f"  {_line(part)}" for part in value) + "\n ]"
    return _line(value)


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _object(pairs: list[tuple[str, Json]]) -> Extras:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = counts.most_common(1)[0][0]
        raise ValueError(f"has the field {twice[:_SHOWN]!r} twice in one object")
    return fields


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"holds {text[:_SHOWN]}, which is not a finite number")
    return number


_REQUIRED = object()
_SHOWN_PROBLEM = 200


class Fields:
    """One object of a file, whose fields are taken one by one.

    `path` is the path of the object in the file, such as "kinds[2]", or "" for the outermost
    object; errors name it, and `source`, the name of a file beside the one that is read, and the
    line in a file of XML.
    """

    def __init__(
        self, value: Json, path: str = "", source: str = "", line: int | None = None
    ) -> None:
        self._path, self.source, self._line = path, source, getattr(value, "line", line)
        if not isinstance(value, dict):
            raise self.error(f"must be an object, got {shown(value)}")
        self.given: Extras = value
        self._taken: set[str] = set()

    @property
    def unread(self) -> Extras:
        """The fields that have not been taken yet."""
        return {name: value for name, value in self.given.items() if name not in self._taken}

    def error(self, problem: str, name: str = "") -> MapFileError:
        """Return an error about this object, or about one of its fields."""
        cut = problem if len(problem) <= _SHOWN_PROBLEM else f"{problem[:_SHOWN_PROBLEM]}..."
        return MapFileError(cut, line=self._line, field=self._path_of(name), source=self.source)

    def _path_of(self, name: str) -> str:
        return ".".join(part for part in (self._path, name) if part)

    @contextmanager
    def naming(self, name: str = "") -> Iterator[None]:
        """Let errors in the values of a `with` block be about this object, or one of its fields."""
        try:
            yield
        except MapFileError:
            raise
        except (TypeError, ValueError) as error:
            raise self.error(str(error), name) from None

    def take(self, name: str, default: Json = _REQUIRED) -> Json:
        """Take a field of any type."""
        if name not in self.given and default is _REQUIRED:
            raise self.error("is missing", name)
        self._taken.add(name)
        return self.given.get(name, default)

    def whole(self, name: str, low: int, high: int, default: Json = _REQUIRED) -> int:
        """Take a whole number within low..high."""
        value = self.take(name, default)
        if not is_whole(value) or not low <= value <= high:
            raise self.error(f"must be a whole number in {low}..{high}, got {shown(value)}", name)
        return int(value)

    def number(
        self, name: str, default: Json = _REQUIRED, limit: float = sys.float_info.max
    ) -> float:
        """Take a number of at most a size."""
        value = self.take(name, default)
        if type(value) not in (int, float) or abs(value) > limit:
            within = f" in -{limit}..{limit}" if limit < sys.float_info.max else ""
            raise self.error(f"must be a number{within}, got {shown(value)}", name)
        number: float = value
        return number

    def text(self, name: str, default: Json = _REQUIRED) -> str:
        """Take a text."""
        value = self.take(name, default)
        if not isinstance(value, str):
            raise self.error(f"must be text, got {shown(value)}", name)
        return value

    def one_of(self, name: str, choices: Sequence[str], default: Json = _REQUIRED) -> str:
        """Take one of a few texts."""
        value = self.text(name, default)
        if value not in choices:
            raise self.error(f"must be one of {', '.join(choices)}, got {quoted(value)}", name)
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """Take true or false."""
        value = self.take(name, default)
        if not isinstance(value, bool):
            raise self.error(f"must be true or false, got {shown(value)}", name)
        return value

    def cell(self, name: str) -> Cell:
        """Take a cell, [row, col] or [row, col, deck]."""
        value = self.take(name)
        if not (isinstance(value, list) and 2 <= len(value) <= 3 and all(map(is_whole, value))):
            raise self.error(f"must be [row, col] or [row, col, deck], got {shown(value)}", name)
        return Cell(*map(int, value))

    def objects(self, name: str, default: Json = _REQUIRED) -> Iterator["Fields"]:
        """Take a list of objects."""
        value = self.take(name, default)
        if not isinstance(value, list):
            raise self.error(f"must be a list, got {shown(value)}", name)
        return (self.part(f"{name}[{index}]", entry) for index, entry in enumerate(value))

    def object(self, name: str, default: Json = _REQUIRED) -> "Fields":
        """Take an object."""
        return self.part(name, self.take(name, default))

    def part(self, name: str, value: Json) -> "Fields":
        """Return an object that was found in this one."""
        return Fields(value, self._path_of(name), self.source, self._line)


def shown(value: Json) -> str:
    """Return a value as text, cut to one line."""
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    return quoted(value)
