"""Read untrusted JSON, and write JSON that can be compared line by line.

Reading is strict: numbers are finite, names in an object are unique, and the number of values and
the depth of nesting have limits.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping

import numpy as np

from terrain3d.core.errors import MapFileError
from terrain3d.mapfile.record import Extras, Json

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


def check(value: Json) -> None:
    """Raise `TypeError` or `ValueError` if a value is not JSON-like, or nested too deep."""
    found = _problem(value, 0)
    if found is not None:
        error, problem, path = found
        raise error(f"{''.join(reversed(path)).lstrip('.')} {problem}".strip())


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


_Problem = tuple[type[TypeError] | type[ValueError], str, list[str]]


def _problem(value: Json, depth: int) -> _Problem | None:
    """Return error type, text and path (innermost name first) of a value that is not JSON-like."""
    if depth > MAX_DEPTH:
        return ValueError, f"is nested deeper than {MAX_DEPTH}", []
    match value:
        case None | bool() | int() | str():
            return None
        case float():
            is_finite = math.isfinite(value)
            return None if is_finite else (ValueError, f"must be finite, got {value!r}", [])
        case list() | tuple():
            parts = ((f"[{index}]", part) for index, part in enumerate(value))
        case dict():
            for name in value:
                if not isinstance(name, str):
                    return TypeError, f"must have text as keys, got {name!r}", []
            parts = ((f".{name[:_SHOWN]}", part) for name, part in value.items())
        case _:
            return TypeError, f"must be JSON-like, got {type(value).__name__}", []
    for name, part in parts:
        found = _problem(part, depth + 1)
        if found is not None:
            found[2].append(name)
            return found
    return None


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
