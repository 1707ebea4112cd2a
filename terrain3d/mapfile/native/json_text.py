"""JSON that is read without trust and written to be compared line by line.

Read strictly: finite numbers only, no name twice in an object, a limit on how much and how deep.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping

from terrain3d.core.errors import MapFileError
from terrain3d.mapfile.record import Extras, Json

MAX_DEPTH = 64
"""How deep lists and objects may lie in each other."""

_SHOWN = 40


def parse(data: bytes, max_values: int, source: str = "") -> Json:
    """Read JSON in UTF-8.

    Parameters
    ----------
    data : bytes
    max_values : int
        About the most values it may hold; counted before any is made.
    source : str
        Where it comes from, for the text of errors.

    Raises
    ------
    MapFileError
        It is no such JSON.
    """
    values = data.count(b",") + data.count(b"[") + data.count(b"{")
    if values > max_values:
        raise MapFileError(f"holds about {values} values, the limit is {max_values}", source=source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MapFileError("is not UTF-8", line=line, source=source) from None
    try:
        parsed = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_finite,
            parse_constant=_finite,
        )
    except json.JSONDecodeError as error:
        raise MapFileError(f"is no JSON: {error.msg}", line=error.lineno, source=source) from None
    except RecursionError:
        raise MapFileError(f"is nested deeper than {MAX_DEPTH}", source=source) from None
    except ValueError as error:
        raise MapFileError(str(error), source=source) from None
    try:
        check(parsed)
    except ValueError as error:
        raise MapFileError(str(error), source=source) from None
    return parsed


def render(fields: Mapping[str, Json]) -> bytes:
    """Write an object, each entry of a list or an object in it on a line of its own.

    Raises
    ------
    TypeError, ValueError
        Something in it is not JSON-like; see `check`.
    """
    check(fields)
    lines = [f" {_line(name)}: {_block(value)}" for name, value in fields.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    # What UTF-8 cannot hold, half a surrogate pair, is written as Python shows it and JSON reads.
    return text.encode("utf-8", "backslashreplace")


def check(value: Json) -> None:
    """Refuse what is not JSON-like.

    Raises
    ------
    TypeError
        Something has another type, or an object another key than text.
    ValueError
        A number is not finite, or it is nested deeper than MAX_DEPTH.
    """
    fault = _fault(value, 0)
    if fault is not None:
        kind, problem, place = fault
        raise kind(f"{''.join(reversed(place)).lstrip('.')} {problem}".strip())


_Fault = tuple[type[TypeError] | type[ValueError], str, list[str]]


def _fault(value: Json, depth: int) -> _Fault | None:
    """Find what is not JSON-like, and where it lies, from the inside out."""
    if depth > MAX_DEPTH:
        return ValueError, f"is nested deeper than {MAX_DEPTH}", []
    match value:
        case None | bool() | int() | str():
            return None
        case float():
            is_fine = math.isfinite(value)
            return None if is_fine else (ValueError, f"must be finite, got {value!r}", [])
        case list() | tuple():
            parts = ((f"[{index}]", part) for index, part in enumerate(value))
        case dict():
            for name in value:
                if not isinstance(name, str):
                    return TypeError, f"must have texts as keys, got {name!r}", []
            parts = ((f".{name[:_SHOWN]}", part) for name, part in value.items())
        case _:
            return TypeError, f"must be JSON-like, got {type(value).__name__}", []
    for name, part in parts:
        fault = _fault(part, depth + 1)
        if fault is not None:
            fault[2].append(name)
            return fault
    return None


def _block(value: Json) -> str:
    """Write a field of the outermost object."""
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
        raise ValueError(f"holds {text[:_SHOWN]}, which is no finite number")
    return number
