"""Read Tiled's files, in XML or JSON, as the same objects.

https://doc.mapeditor.org/en/stable/reference/tmx-map-format/
https://doc.mapeditor.org/en/stable/reference/json-map-format/

Elements of XML become the objects that Tiled's JSON has for them. Files that declare entities or
defaults of attributes are refused, as are files with too many values, or too deep nesting. Only
tilesets and templates are opened, and none outside of the map's folder.

A custom property that no type holds, such as a list, is written as JSON in a text that begins with
JSON_MARK. Tiled does not change such texts.
"""

import json
import os
import re
import sys
from pathlib import Path, PureWindowsPath
from typing import Any
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import MapFileError, in_file, read_bytes, unpack
from terrain3d.formats import json_text
from terrain3d.formats.json_text import Fields, shown
from terrain3d.map.tilemap import Extras, Json

MAX_BYTES = 2**23
"""Limit on the total size of the files that a map refers to; each reference counts."""
MAX_VALUES = 2**19
"""Limit on the elements and points of an XML file, and on its attributes; also, about, on the
values of a JSON file, without the tiles of a map."""
JSON_MARK = "json:"

_MAX_JSON_VALUES = 2**16
_MAX_NAME = 500
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


def properties(owner: Fields) -> Extras:
    """Return the custom properties of an object."""
    values: Extras = {}
    for entry in owner.objects("properties", []):
        name = str(text_or_json(entry, "name"))
        if name in values:
            raise entry.error(f"the property {quoted(name)} occurs twice", "name")
        values[name] = _property_value(entry)
    return values


def _property_value(entry: Fields) -> Json:
    kind = entry.text("type", "string")
    if kind == "list":
        return [_property_value(item) for item in entry.objects("value")]
    if kind == "class" and "value" not in entry.given:  # of XML
        return properties(entry)
    value = entry.take("value")
    if kind == "string" and isinstance(value, str):
        return text_or_json(entry, "value")
    if kind == "float" and type(value) in (int, float) and abs(value) <= sys.float_info.max:
        return float(value)
    if kind in ("int", "object") and is_whole(value):
        return int(value)
    is_number = kind in ("int", "object", "float")
    if is_number or not isinstance(value, {"bool": bool, "class": dict}.get(kind, str)):
        raise entry.error(f"must be of type {kind[:20]}, got {shown(value)}", "value")
    return value


def text_or_json(entry: Fields, name: str, *default: Json) -> Json:
    """Take a text, or the value that is in it as JSON after JSON_MARK."""
    text = entry.text(name, *default)
    if not text.startswith(JSON_MARK):
        return text
    data = text.removeprefix(JSON_MARK).encode("utf-8", "surrogatepass")
    try:
        return json_text.parse(data, _MAX_JSON_VALUES)
    except MapFileError as error:
        raise entry.error(f"{error}", name) from None


def parse(data: bytes, max_values: int = MAX_VALUES, source: str = "") -> tuple[str, Fields]:
    """Return what a file in XML or JSON has, such as "map", and its outermost object."""
    start = data[:256].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"{", b"[")):
        top = Fields(json_text.parse(data, max_values), source=source)
        return str(top.take("type", "map" if "layers" in top.given else "unknown")), top
    if b"<" not in start:
        raise MapFileError("is neither XML nor JSON")
    kind, element = XmlReader(MAX_VALUES).read(data)
    return kind, Fields(element, source=source)


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
_WRAPPERS = ("properties", "wangsets", "data")
"""Elements without a JSON object of their own: all that they have is the parent's."""
_TEXTS = (
    *("name", "class", "type", "value", "source", "template", "points", "wangid"),
    *("version", "tiledversion"),
)
"""Attributes that stay texts, even if they look like numbers."""
_FLAGS = ("infinite", "visible")


class _Element(dict[str, Json]):
    """The fields of JSON that an element of XML has."""

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        super().__init__({key: _from_text(key, text) for key, text in attributes.items()})
        self.name, self.line = name, line
        self.made: Extras = {"objects": []} if name == "objectgroup" else {}
        """The fields that elements inside make; attributes of their names do not count."""
        self.texts: list[str] = []


def _from_text(name: str, text: str) -> Json:
    """Return the value of an attribute; a text that is none is left to be refused by a check."""
    if name in _FLAGS:
        return {"0": False, "1": True}.get(text, text)
    return text if name in _TEXTS else _number(text)


def _number(text: str) -> Json:
    """Return the number in a text, or else the text."""
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


class XmlReader:
    """Reads XML with at most `max_values` elements and points, and as many attributes."""

    def __init__(self, max_values: int) -> None:
        self._parser = parser = expat.ParserCreate()
        self._open: list[_Element] = []
        """The elements around the place where the parser is, after one around the outermost."""
        self._n_values, self._max_values = 0, max_values
        parser.buffer_text, parser.buffer_size = True, 2**16
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = lambda text: self._open[-1].texts.append(text)
        parser.StartDoctypeDeclHandler = self._refuse_declarations
        parser.SkippedEntityHandler = self._refuse_entity

    def read(self, data: bytes) -> tuple[str, _Element]:
        """Return the name and the fields of the outermost element."""
        # Counted before they are parsed: all attributes of one element are handed over at once.
        if data.count(b"=") > self._max_values:
            raise self._error(f"holds more than {self._max_values} attributes")
        top = _Element("", {}, 1)
        self._open.append(top)
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            text = expat.errors.messages[error.code]
            raise MapFileError(f"is not XML: {text}", line=error.lineno) from None
        except MapFileError:
            raise
        except (LookupError, ValueError) as error:
            raise self._error(f"is in an encoding that cannot be read: {error}") from None
        ((name, element),) = top.made.items()  # expat refuses a text with none or several
        return name, element

    def _error(self, problem: str) -> MapFileError:
        return MapFileError(problem, line=self._parser.CurrentLineNumber)

    def _count(self, n_values: int) -> None:
        self._n_values += n_values
        if self._n_values > self._max_values:
            raise self._error(f"holds more than {self._max_values} elements and points")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count(1)
        if len(self._open) > json_text.MAX_DEPTH:
            raise self._error(f"is nested deeper than {json_text.MAX_DEPTH}")
        if name == "data" and "data" in self._open[-1].made:
            raise self._error("has <data> twice in one <layer>")
        self._open.append(_Element(name, attributes, self._parser.CurrentLineNumber))

    def _end(self, name: str) -> None:
        """Give the fields of an element, whose children are complete, to the one around it."""
        fields = self._open.pop()
        fields |= fields.made
        owner, text = self._open[-1], "".join(fields.texts)
        if name in ("data", "chunk"):
            fields |= {"data": fields.made.get("data", text)}
        if name in ("tileoffset", "point") or owner.name in ("", "template"):
            owner.made[name] = True if name == "point" else fields
        elif name in _WRAPPERS:
            owner.made |= fields
        elif name == "tile" and owner.name in ("data", "chunk"):
            owner.made.setdefault("data", []).append(fields.get("gid", 0))
        elif name == "image":
            size = {f"image{key}": value for key, value in fields.items()}
            owner.made |= {"image": size.pop("imagesource", ""), **size}
        elif name in ("polygon", "polyline"):
            points = fields.get("points", "").split(None, self._max_values)
            self._count(len(points))
            parts = (point.partition(",") for point in points)
            owner.made[name] = [{"x": _number(x), "y": _number(y)} for x, _, y in parts]
        elif name in _LIST_OF:
            if name in ("property", "item"):
                _set_value(fields, text)
            fields |= {"type": _LAYER_TYPES[name]} if name in _LAYER_TYPES else {}
            owner.made.setdefault(_LIST_OF[name], []).append(fields)

    def _refuse_declarations(
        self, _name: str, _system: str | None, _public: str | None, has_own: bool
    ) -> None:
        if has_own:  # the name of a DTD alone, as in old files, is allowed: it is not fetched
            raise self._error("declares entities or attributes, which is refused")

    def _refuse_entity(self, *_what: object) -> int:
        raise self._error("uses declared entities, which is refused")


def _set_value(fields: _Element, text: str) -> None:
    """Give a property of XML the value that JSON has; classes have properties in its place."""
    kind, value = fields.get("type", "string"), fields.get("value", text)
    if kind == "list":
        fields["value"] = fields.pop("items", [])
    elif kind in ("bool", "int", "object", "float"):
        fields["value"] = {"true": True, "false": False}.get(value, _number(value))
    elif kind != "class":
        fields["value"] = value


class ReferencedFiles:
    """The files that a map refers to, in its folder or below: tilesets and templates."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._bytes_left = folder, MAX_BYTES
        self._files: dict[Path, tuple[int, str, Fields]] = {}
        self.missing: dict[str, None] = {}
        """Names of files that do not exist."""

    def read(self, owner: Fields, name: str, kind: str) -> Fields | None:
        """Return the file, a "tileset" or a "template", that an owner's field names; None without.

        References are relative to the folder of the owner's file.
        """
        reference = owner.text(name)
        folder = Path(owner.source).parent if owner.source else self._folder
        path = resolve_inside(folder, reference, self._folder)
        if path is None:
            problem = f"must name a file in the map's folder or below, got {quoted(reference)}"
            raise owner.error(problem, name)
        if not os.access(path, os.F_OK):  # Path.exists raises for some names
            self.missing[path.name] = None
            return None
        if path not in self._files:
            data = read_bytes(path, self._bytes_left)
            with in_file(str(path)):
                self._files[path] = len(data), *parse(data, source=str(path))
        size, found, top = self._files[path]
        self._bytes_left -= size
        if self._bytes_left < 0:
            problem = f"the files that the map refers to have more than {MAX_BYTES} bytes"
            raise owner.error(problem, name)
        if found != kind:
            raise top.error(f"is of type {quoted(found)}, must be {kind!r}")
        return top


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


def decode_gids(value: Json, encoding: str, compression: str, count: int) -> NDArray[Any]:
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
    is_number = set(map(type, value)) <= {int}
    if value and not (is_number and min(value) >= 0 and max(value) < 2**32):
        raise ValueError(f"must hold whole numbers in 0..{2**32 - 1}")
    if len(value) != count:
        raise ValueError(f"holds {len(value)} tiles, must be {count}")
    return np.array(value, np.uint32)
