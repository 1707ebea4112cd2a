"""Read Tiled's files, in XML or JSON, as the same plain dictionaries.

https://doc.mapeditor.org/en/stable/reference/tmx-map-format/
https://doc.mapeditor.org/en/stable/reference/json-map-format/

An `Entry` has the fields of an object in Tiled's JSON that a map is made of, each of the type in
_FIELDS; all others are left out. Files that declare entities or defaults of attributes are refused,
as are files with too many elements or values, or too deep nesting. Only tilesets and templates are
opened, and none outside of the map's folder.

A custom property that no type holds, such as a list, is written as JSON in a text that begins with
JSON_MARK. Tiled does not change such texts.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PureWindowsPath
from typing import Any
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import MapFileError, in_file, read_bytes, unpack
from terrain3d.formats import json_text
from terrain3d.formats.json_text import shown
from terrain3d.map.tilemap import Extras, Json

MAX_BYTES = 2**23
"""Limit on the total size of the files that a map refers to; each reference counts."""
MAX_VALUES = 2**18
"""Approximate limit on the values in a JSON file, without the tiles of a map."""
MAX_ELEMENTS = 2**18
"""Limit on the elements of an XML file."""
MAX_ATTRIBUTES = 2**19
"""Limit on the attributes of an XML file, and on the numbers in their lists."""
MAX_GID = 2**28 - 1
JSON_MARK = "json:"

_MAX_JSON_VALUES = 2**16
_MAX_NAME = 500
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
_OLD_WANG_ID = re.compile(r"0x[0-9a-fA-F]{1,8}")

_Check = Callable[[Json], Json]
"""Returns a value of a field, `ValueError` if it has another type or is beyond a limit."""


def _whole(low: int, high: int) -> _Check:
    def check(value: Json) -> int:
        value = _from_text(value)
        if not is_whole(value) or not low <= value <= high:
            raise ValueError(f"must be a whole number in {low}..{high}, got {shown(value)}")
        return int(value)

    return check


def _one_of(*choices: str) -> _Check:
    def check(value: Json) -> Json:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}, got {shown(value)}")
        return value

    return check


def _px(value: Json) -> Json:
    value, limit = _from_text(value), 2**30
    if type(value) not in (int, float) or not abs(value) <= limit:
        raise ValueError(f"must be a number in -{limit}..{limit}, got {shown(value)}")
    return value


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be text, got {shown(value)}")
    return value


def _flag(value: Json) -> bool:
    value = _from_text(value)
    if value not in (0, 1):  # XML has numbers
        raise ValueError(f"must be true or false, got {shown(value)}")
    return bool(value)


def _any(value: Json) -> Json:
    return value


def _numbers(value: Json) -> list[Json]:
    """Return numbers as JSON lists them, and XML by commas; -1 in place of others."""
    if isinstance(value, str) and _OLD_WANG_ID.fullmatch(value):
        # Of Tiled before version 1.5: a digit for each edge and corner in turn, here the corners.
        return [int(digit, 16) for digit in value[2:].zfill(8)[::2]]
    numbers = map(_from_text, value if isinstance(value, list) else str(value).split(","))
    return [int(number) if is_whole(number) else -1 for number in numbers]


_SIDE, _PLACE, _TILE_PX = _whole(1, 2**30), _whole(-(2**30), 2**30), _whole(1, 2**16)
_LISTS = (
    *("layers", "chunks", "objects", "polygon", "polyline", "properties", "items"),
    *("tilesets", "tiles", "wangsets", "colors", "wangtiles"),
)
_FIELDS: dict[str, Any] = {
    **dict.fromkeys(("name", "class", "type", "source", "template", "objectalignment"), _text),
    **dict.fromkeys(("encoding", "compression", "image"), _text),
    **dict.fromkeys(("infinite", "visible"), _flag),
    **dict.fromkeys(("width", "height"), _SIDE),
    **dict.fromkeys(("x", "y", "offsetx", "offsety", "rotation"), _px),
    **dict.fromkeys(
        ("tilewidth", "tileheight", "imagewidth", "imageheight", "hexsidelength"), _whole(0, 2**16)
    ),
    **dict.fromkeys(("id", "tileid", "tilecount"), _whole(0, MAX_GID)),
    **{"firstgid": _whole(1, MAX_GID), "gid": _whole(0, 2**32 - 1)},
    **{"orientation": _one_of("orthogonal", "isometric", "hexagonal")},
    **{"staggeraxis": _one_of("x", "y"), "staggerindex": _one_of("odd", "even")},
    **{"wangid": _numbers, "data": _any, "value": _any},
    **dict.fromkeys(("tileoffset", "tileset", "object"), dict),
    **dict.fromkeys(_LISTS, list),
}
"""The fields that a map is made of: a check, `list` for objects, or `dict` for one object."""
_OBJECT_PX = {"width": _px, "height": _px, "id": _any}
_FIELDS_OF: dict[str, dict[str, Any]] = {
    "map": {"tilewidth": _TILE_PX, "tileheight": _TILE_PX},
    "chunks": {"x": _PLACE, "y": _PLACE},
    **{"objects": _OBJECT_PX, "object": _OBJECT_PX},
}
"""What is checked in another way for one kind of objects."""


class Entry(dict[str, Json]):
    """One object of a file; `kind` is "map", "tileset", "template", or the field that has it.

    `source` is the name of the file if it is not the map's. Its custom properties are a dictionary
    of values. A field that is asked for and missing raises `MapFileError`.
    """

    def __init__(
        self, kind: str, source: str = "", label: str = "", line: int | None = None
    ) -> None:
        super().__init__()
        self.kind, self.source, self._label, self._line = kind, source, label, line

    def __missing__(self, name: str) -> Json:
        """Raise the error about a field that the file lacks."""
        raise self.error("is missing", name)

    def error(self, problem: str, name: str = "") -> MapFileError:
        """Return an error about this object, or about one of its fields."""
        field = ".".join(part for part in (self._label, name) if part)
        return MapFileError(problem, line=self._line, field=field, source=self.source)

    def fill(self, fields: Json) -> None:
        """Set the fields that a map is made of after checking them."""
        if not isinstance(fields, dict):
            raise self.error(f"must be an object, got {shown(fields)}")
        if self.kind in ("properties", "items") and fields.get("type") == "list":
            fields = {**fields, "items": fields.get("value")}
        for name, value in fields.items():
            check = _FIELDS_OF.get(self.kind, {}).get(name) or _FIELDS.get(name)
            if check is list and not isinstance(value, list):
                raise self.error(f"must be a list, got {shown(value)}", name)
            if check is list:
                self[name] = [
                    self._part(name, f"{name}[{index}]", part) for index, part in enumerate(value)
                ]
            elif check is dict:
                self[name] = self._part(name, name, value)
            elif check is not None:
                try:
                    self[name] = check(value)
                except ValueError as error:
                    raise self.error(str(error), name) from None
        self["properties"] = _property_values(self.get("properties", ()))

    def _part(self, kind: str, label: str, fields: Json) -> "Entry":
        path, line = f"{self._label}.{label}".lstrip("."), getattr(fields, "line", None)
        part = Entry(kind, self.source, path, line)
        part.fill(fields)
        return part


def _from_text(value: Json) -> Json:
    """Return the number in a text of XML; any other value as it is, to be refused by a check."""
    if not isinstance(value, str):
        return value
    if _WHOLE.fullmatch(value):
        return int(value)
    return float(value) if _NUMBER.fullmatch(value) else value


def _property_values(entries: Iterable[Entry]) -> Extras:
    values: Extras = {}
    for entry in entries:
        name = entry["name"]
        if name in values:
            raise entry.error(f"the property {quoted(name)} occurs twice", "name")
        values[name] = _property_value(entry)
    return values


def _property_value(entry: Entry) -> Json:
    kind = entry.get("type", "string")
    if kind == "list":
        return [_property_value(item) for item in entry["items"]]
    value = entry["value"]
    if kind == "string" and isinstance(value, str) and value.startswith(JSON_MARK):
        text = value.removeprefix(JSON_MARK)
        try:
            return json_text.parse(text.encode("utf-8", "surrogatepass"), _MAX_JSON_VALUES)
        except MapFileError as error:
            raise entry.error(f"{error}", "value") from None
    if kind == "float" and type(value) in (int, float) and abs(value) <= sys.float_info.max:
        return float(value)
    if kind in ("int", "object") and is_whole(value):
        return int(value)
    is_number = kind in ("int", "object", "float")
    if is_number or not isinstance(value, {"bool": bool, "class": dict}.get(kind, str)):
        raise entry.error(f"must be of type {kind[:20]}, got {shown(value)}", "value")
    return value


def parse(data: bytes, max_values: int = MAX_VALUES, source: str = "") -> Entry:
    """Return the outermost object of a file in XML or JSON."""
    start = data[:256].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"{", b"[")):
        fields = json_text.parse(data, max_values)
        if not isinstance(fields, dict):
            raise MapFileError(f"must be an object, got {shown(fields)}")
        kind = str(fields.get("type", "map" if "layers" in fields else "unknown"))
    elif b"<" in start:
        kind, fields = _XmlReader().read(data)
    else:
        raise MapFileError("is neither XML nor JSON")
    top = Entry(kind, source, line=getattr(fields, "line", None))
    top.fill(fields)
    return top


_LAYER_TYPES = {
    "layer": "tilelayer",
    **{name: name for name in ("objectgroup", "imagelayer", "group")},
}
_LIST_OF = {
    **dict.fromkeys(_LAYER_TYPES, "layers"),
    **{name: f"{name}s" for name in ("tileset", "object", "tile", "wangset", "chunk")},
    **{"wangtile": "wangtiles", "wangcolor": "colors", "wangcornercolor": "colors"},
    **{"property": "properties", "item": "items"},
}
"""The JSON list that has an element of XML."""
_WRAPPERS = ("properties", "wangsets")
"""Elements without a JSON object of their own; their children are lists of the parent."""


_MADE = {*_LISTS, "data"}
"""Fields that elements alone make, and no attributes."""


class _Element(dict[str, Json]):
    """The fields of JSON that an element of XML has; its numbers are texts."""

    def __init__(self, attributes: Mapping[str, str], line: int) -> None:
        super().__init__((name, attributes[name]) for name in attributes if name not in _MADE)
        self.line = line


class _XmlReader:
    def __init__(self) -> None:
        self._parser = parser = expat.ParserCreate()
        self._open: list[tuple[str, _Element, list[str]]] = []
        """Name, fields and texts of the elements around the place where the parser is."""
        self._top: tuple[str, _Element] | None = None
        self._n_elements = self._n_numbers = 0
        parser.buffer_text, parser.buffer_size = True, 2**16
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = lambda text: self._open[-1][2].append(text)
        parser.StartDoctypeDeclHandler = self._refuse_declarations
        parser.SkippedEntityHandler = self._refuse_entity

    def read(self, data: bytes) -> tuple[str, _Element]:
        """Return the name and the fields of the outermost element."""
        # Counted before they are parsed: all attributes of one element are handed over at once.
        if data.count(b"=") > MAX_ATTRIBUTES:
            raise self._error(f"holds more than {MAX_ATTRIBUTES} attributes")
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            text = expat.errors.messages[error.code]
            raise MapFileError(f"is not XML: {text}", line=error.lineno) from None
        except MapFileError:
            raise
        except (LookupError, ValueError) as error:
            raise self._error(f"is in an encoding that cannot be read: {error}") from None
        assert self._top is not None  # expat refuses a text without any element
        return self._top

    def _error(self, problem: str) -> MapFileError:
        return MapFileError(problem, line=self._parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._n_elements += 1
        if self._n_elements > MAX_ELEMENTS:
            raise self._error(f"holds more than {MAX_ELEMENTS} elements")
        if len(self._open) >= json_text.MAX_DEPTH:
            raise self._error(f"is nested deeper than {json_text.MAX_DEPTH}")
        self._n_numbers += sum(text.count(",") for text in attributes.values())
        if self._n_numbers > MAX_ATTRIBUTES:
            raise self._error(f"holds more than {MAX_ATTRIBUTES} numbers in attributes")
        if name == "data" and self._open and "data" in self._open[-1][1]:
            raise self._error("has <data> twice in one <layer>")
        self._open.append((name, _Element(attributes, self._parser.CurrentLineNumber), []))

    def _end(self, name: str) -> None:
        """Give the fields of an element, whose children are complete, to the one around it."""
        _, fields, texts = self._open.pop()
        if not self._open:
            self._top = name, fields
            return
        around, owner, _ = self._open[-1]
        if name in ("data", "chunk"):
            fields.setdefault("data", "".join(texts))
        if name in _WRAPPERS or name == "data":
            owner |= fields
        elif name == "tile" and around in ("data", "chunk"):
            owner.setdefault("data", []).append(_from_text(fields.get("gid", "0")))
        elif name == "image":
            owner |= {f"image{key}": value for key, value in fields.items()} | {"image": ""}
        elif name in ("polygon", "polyline"):
            points = (point.partition(",") for point in fields.get("points", "").split())
            owner[name] = [{"x": x, "y": y} for x, _, y in points]
        elif name == "tileoffset" or around == "template":
            owner[name] = fields
        elif name in _LIST_OF:
            if name in ("property", "item"):
                _set_value(fields, "".join(texts))
            fields |= {"type": _LAYER_TYPES[name]} if name in _LAYER_TYPES else {}
            owner.setdefault(_LIST_OF[name], []).append(fields)

    def _refuse_declarations(
        self, _name: str, _system: str | None, _public: str | None, has_own: bool
    ) -> None:
        if has_own:  # the name of a DTD alone, as in old files, is allowed: it is not fetched
            raise self._error("declares entities or attributes, which is refused")

    def _refuse_entity(self, *_what: object) -> int:
        raise self._error("uses declared entities, which is refused")


def _set_value(fields: _Element, text: str) -> None:
    """Give a property of XML the value that JSON has."""
    match fields.get("type", "string"), fields.get("value", text):
        case "bool", ("true" | "false") as value:
            fields["value"] = value == "true"
        case "int" | "object" | "float", value:
            fields["value"] = _from_text(value)
        case "class", _:
            members = Entry("value", line=fields.line)
            members.fill({"properties": fields.get("properties", [])})
            fields["value"] = members["properties"]
        case "list", _:
            fields["value"] = fields.get("items", [])
        case _, value:
            fields["value"] = value


class ReferencedFiles:
    """The files that a map refers to, in its folder or below: tilesets and templates."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._bytes_left = folder, MAX_BYTES
        self._files: dict[Path, tuple[int, Entry]] = {}
        self.missing: dict[str, None] = {}
        """Names of files that do not exist."""

    def read(self, owner: Entry, name: str, kind: str) -> Entry | None:
        """Return the file, a "tileset" or a "template", that an owner's field names; None without.

        References are relative to the folder of the owner's file.
        """
        folder = Path(owner.source).parent if owner.source else self._folder
        path = resolve_inside(folder, owner[name], self._folder)
        if path is None:
            problem = f"must name a file in the map's folder or below, got {quoted(owner[name])}"
            raise owner.error(problem, name)
        if not os.access(path, os.F_OK):  # Path.exists raises for some names
            self.missing[path.name] = None
            return None
        if path not in self._files:
            data = read_bytes(path, self._bytes_left)
            with in_file(str(path)):
                self._files[path] = len(data), parse(data, source=str(path))
        size, entry = self._files[path]
        self._bytes_left -= size
        if self._bytes_left < 0:
            problem = f"the files that the map refers to have more than {MAX_BYTES} bytes"
            raise owner.error(problem, name)
        if entry.kind != kind:
            raise entry.error(f"is of type {quoted(entry.kind)}, must be {kind!r}")
        return entry


def resolve_inside(folder: Path, reference: str, root: Path) -> Path | None:
    """Return the path of a reference relative to a folder; None if it is outside the root.

    Links are resolved.
    """
    windows = PureWindowsPath(reference)
    is_name = 0 < len(reference) <= _MAX_NAME and reference.isprintable()
    if not is_name or windows.drive or windows.root:
        return None
    try:
        path = os.path.realpath(Path(os.path.realpath(folder)) / reference.replace("\\", "/"))
        return Path(path) if Path(path).is_relative_to(os.path.realpath(root)) else None
    except (OSError, ValueError):
        return None


def decode_gids(value: Json, encoding: str, compression: str, count: int) -> NDArray[np.uint32]:
    """Return `count` gids with their flags for flipped and rotated tiles.

    `encoding` is "csv" or "base64", `compression` one of COMPRESSIONS for "base64". A list needs
    neither. `ValueError` if the data is malformed, of unknown encoding or of another length.
    """
    if isinstance(value, str) and encoding == "base64":
        return unpack(value, "<u4", count, compression)
    if isinstance(value, str) and encoding == "csv":
        if value.count(",") > count:
            raise ValueError(f"holds more than {count} tiles")
        try:
            value = json.loads(f"[{value.strip().removesuffix(',')}]")
        except (ValueError, RecursionError):
            value = [None]
    elif isinstance(value, str):
        raise ValueError(f"encoding must be csv or base64, got {quoted(encoding)}")
    if not isinstance(value, list):
        raise ValueError("must be a list of gids or text")
    is_number = set(map(type, value)) <= {int, float}
    if value and not (is_number and min(value) >= 0 and max(value) < 2**32):
        raise ValueError(f"must hold whole numbers in 0..{2**32 - 1}")
    numbers = np.array(value, np.float64)
    if (numbers % 1).any():
        raise ValueError(f"must hold whole numbers in 0..{2**32 - 1}")
    if len(numbers) != count:
        raise ValueError(f"holds {len(numbers)} tiles, must be {count}")
    return numbers.astype(np.uint32)
