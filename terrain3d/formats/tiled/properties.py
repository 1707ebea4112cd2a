"""Read and write custom properties of Tiled's maps, layers, tiles and objects, and collect notes.

A value that no property type holds, such as a list, is written as JSON in a text that begins with
JSON_MARK. Tiled does not change such texts.
"""

import json
import math
import re
from collections.abc import Container, Mapping

from terrain3d.core.checks import is_whole
from terrain3d.core.errors import MapFileError
from terrain3d.formats import json_text
from terrain3d.formats.json_text import Fields
from terrain3d.map.tilemap import Extras, Json

MAX_NOTES = 60
_SHOWN = 60


def quoted(name: object) -> str:
    """Return a name from a file in quotes, cut to one line."""
    text = str(name)
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


class Notes:
    """Distinct notes in the order in which they were added, at most MAX_NOTES."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self._n_more = 0

    def add(self, line: str) -> None:
        """Add a note unless it is known."""
        if line in self._lines:
            return
        if len(self._lines) < MAX_NOTES:
            self._lines[line] = None
        else:
            self._n_more += 1

    def add_unread(self, owner: str, fields: Fields, ignored: Container[str] = ()) -> None:
        """Note the fields of an owner that were not read, except empty and ignored ones."""
        names = [name for name, value in fields.unread.items() if name not in ignored and value]
        if names:
            self.add(f"{owner}: {', '.join(quoted(name)[1:-1] for name in names[:9])} not kept")

    @property
    def lines(self) -> tuple[str, ...]:
        """The notes, and how many more there were."""
        more = (f"and {self._n_more} more notes",) if self._n_more else ()
        return (*self._lines, *more)


JSON_MARK = "json:"
HOLDS = "holds"
"""The property with the purpose of a tileset or a layer."""

_XML_TEXT = re.compile(r"[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
_INT_LIMIT = 2**31
_MAX_JSON_VALUES = 2**16
_MAX_LEVEL = 2**15


def read(owner: Fields) -> Extras:
    """Take the custom properties out of their owner and return them by name."""
    if isinstance(owner.unread.get("properties"), dict):  # JSON of Tiled before version 1.2
        return dict(owner.take("properties"))
    values: Extras = {}
    for entry in owner.objects("properties", []):
        name = entry.text("name")
        if name in values:
            raise entry.error(f"the property {quoted(name)} occurs twice", "name")
        values[name] = _value(entry)
    return values


def _value(entry: Fields) -> Json:
    kind = entry.text("type", "string")
    if kind == "list":
        return [_value(item) for item in entry.objects("value")]
    value = entry.take("value")
    if kind == "string" and isinstance(value, str) and value.startswith(JSON_MARK):
        text = value.removeprefix(JSON_MARK)
        try:
            return json_text.parse(text.encode("utf-8", "surrogatepass"), _MAX_JSON_VALUES)
        except MapFileError as error:
            raise entry.error(f"{error}", "value") from None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "float" and is_number:
        try:
            return float(value)
        except OverflowError:  # JSON may have such an integer
            problem = "must be a number within the range of floating point"
            raise entry.error(problem, "value") from None
    if kind in ("int", "object") and is_whole(value):
        return int(value)
    expected = {"int": int, "object": int, "bool": bool, "float": float, "class": dict}
    if not isinstance(value, expected.get(kind, str)) or (kind == "int" and not is_number):
        raise entry.error(f"must be of type {kind[:20]}", "value")
    return value


def write(values: Mapping[str, Json]) -> list[Extras]:
    """Return values as a list of custom properties."""
    return [{"name": name, **_typed(value)} for name, value in values.items()]


def is_xml(text: object) -> bool:
    """Return whether a value is a text that XML can hold."""
    return isinstance(text, str) and _XML_TEXT.fullmatch(text) is not None


def _typed(value: Json) -> Extras:
    match value:
        case bool():
            return {"type": "bool", "value": value}
        case int() if -_INT_LIMIT <= value < _INT_LIMIT:
            return {"type": "int", "value": value}
        case float() if math.isfinite(value):
            return {"type": "float", "value": value}
        case str() if is_xml(value) and not value.startswith(JSON_MARK):
            return {"type": "string", "value": value}
    return {"type": "string", "value": JSON_MARK + json.dumps(value, allow_nan=False)}


def level_of(values: Extras, owner: Fields) -> int | None:
    """Take the property "level" or "height" out of properties; None if there is none."""
    name = next((name for name in ("level", "height") if name in values), "")
    if not name:
        return None
    value, limit = values.pop(name), _MAX_LEVEL
    try:
        level = int(value)
        if isinstance(value, bool) or level != float(value) or abs(level) > limit:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        must = f"must be a whole number in -{limit}..{limit}"
        raise owner.error(f"the property {name} {must}, got {quoted(value)}") from None
    return level
