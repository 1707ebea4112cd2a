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

import base64
import os
import re
import string
import sys
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path, PureWindowsPath
from typing import Any
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import MapFileError, in_file, read_bytes
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
COMPRESSIONS = ("", "zlib", "gzip", "zstd")
NEEDS_ZSTD = 'is compressed with zstd, which needs: pip install "terrain3d-tactics[tiled]"'

_MAX_JSON_VALUES = 2**16
_MAX_NAME = 500
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
_OLD_WANG_ID = re.compile(r"0x[0-9a-fA-F]{1,8}")

_Check = Callable[[Json], Json]
"""Returns a value of a field, `ValueError` if it has another type or is beyond a limit."""


def _whole(low: int, high: int) -> _Check:
    def check(value: Json) -> int:
        if not is_whole(value) or not low <= value <= high:
            raise ValueError(f"must be a whole number in {low}..{high}, got {shown(value)}")
        return int(value)

    return check


def _number(limit: float) -> _Check:
    def check(value: Json) -> Json:
        if type(value) not in (int, float) or not abs(value) <= limit:
            raise ValueError(f"must be a number in -{limit:.0f}..{limit:.0f}, got {shown(value)}")
        return value

    return check


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be text, got {shown(value)}")
    return value


def _flag(value: Json) -> bool:
    if value not in (0, 1):  # XML has numbers
        raise ValueError(f"must be true or false, got {shown(value)}")
    return bool(value)


def _any(value: Json) -> Json:
    return value


def _numbers(value: Json) -> list[Json]:
    """Return numbers as JSON lists them, and XML by commas; -1 in place of others."""
    if isinstance(value, str) and _OLD_WANG_ID.fullmatch(value):
        # Of Tiled before version 1.5: a digit each, from the right.
        return [int(digit, 16) for digit in reversed(value[2:].zfill(8))]
    parts = str(value).split(",") if not isinstance(value, list) else value
    numbers = (_from_text(part) if isinstance(part, str) else part for part in parts)
    return [int(number) if is_whole(number) else -1 for number in numbers]


_PX, _SIDE, _PLACE = _number(2.0**30), _whole(1, 2**30), _whole(-(2**30), 2**30)
_PICTURE_PX, _TILE_PX, _ID = _whole(0, 2**16), _whole(1, 2**16), _whole(0, MAX_GID)
_FIELDS: dict[str, dict[str, Any]] = {
    "map": {
        **{"orientation": _text, "staggeraxis": _text, "staggerindex": _text, "infinite": _flag},
        **{"width": _SIDE, "height": _SIDE, "tilewidth": _TILE_PX, "tileheight": _TILE_PX},
        **{"hexsidelength": _PICTURE_PX, "properties": list, "tilesets": list, "layers": list},
    },
    "layers": {
        **{"name": _text, "class": _text, "type": _text, "visible": _flag},
        **{"width": _SIDE, "height": _SIDE, "offsetx": _PX, "offsety": _PX},
        **{"encoding": _text, "compression": _text, "data": _any},
        **{"properties": list, "chunks": list, "layers": list, "objects": list},
    },
    "chunks": {"x": _PLACE, "y": _PLACE, "width": _SIDE, "height": _SIDE, "data": _any},
    "tilesets": {
        **{"firstgid": _whole(1, MAX_GID), "source": _text, "name": _text, "class": _text},
        **{"tilecount": _ID, "tilewidth": _PICTURE_PX, "tileheight": _PICTURE_PX},
        **{"image": _text, "objectalignment": _text, "tileoffset": dict},
        **{"properties": list, "tiles": list, "terrains": list, "wangsets": list},
    },
    "tiles": {
        **{"id": _ID, "class": _text, "type": _text, "terrain": _numbers},
        **{"imagewidth": _PICTURE_PX, "imageheight": _PICTURE_PX, "properties": list},
    },
    "tileoffset": {"x": _PX, "y": _PX},
    "wangsets": {"colors": list, "edgecolors": list, "cornercolors": list, "wangtiles": list},
    "wangtiles": {"tileid": _ID, "wangid": _numbers},
    "objects": {
        **{"id": _any, "name": _text, "class": _text, "type": _text, "template": _text},
        **{"x": _PX, "y": _PX, "width": _PX, "height": _PX, "rotation": _PX},
        **{"gid": _whole(0, 2**32 - 1), "properties": list, "polygon": list, "polyline": list},
    },
    "properties": {"name": _text, "type": _text, "value": _any, "properties": list, "items": list},
    "template": {"object": dict, "tileset": dict},
    **{name: {"name": _text} for name in ("colors", "edgecolors", "cornercolors", "terrains")},
    **{name: {"x": _PX, "y": _PX} for name in ("polygon", "polyline")},
}
"""The fields of each kind of object: a check, `list` for objects of the kind that has the field's
name, or `dict` for one such object."""
_SAME_FIELDS = {"tileset": "tilesets", "object": "objects", "items": "properties"}
_FIELDS |= {name: _FIELDS[same] for name, same in _SAME_FIELDS.items()}

_LAYER_TYPES = {
    "layer": "tilelayer",
    **{name: name for name in ("objectgroup", "imagelayer", "group")},
}
_LIST_OF = {
    **dict.fromkeys(_LAYER_TYPES, "layers"),
    **{name: f"{name}s" for name in ("tileset", "object", "tile", "terrain", "wangset", "chunk")},
    **{"wangtile": "wangtiles", "wangcolor": "colors", "property": "properties", "item": "items"},
    **{"wangedgecolor": "edgecolors", "wangcornercolor": "cornercolors"},
}
"""The JSON list that has an element of XML."""
_WRAPPERS = ("properties", "wangsets", "terraintypes")
"""Elements without a JSON object of their own; their children are lists of the parent."""


class Entry(dict[str, Json]):
    """One object of a file; `kind` is "map", "tileset", "template", or the list that has it.

    `source` is the name of the file if it is not the map's. A field that is asked for and missing
    raises `MapFileError`.
    """

    def __init__(
        self, kind: str, owner: "Entry | None" = None, label: str = "", line: int | None = None
    ) -> None:
        super().__init__()
        self.kind, self._owner, self._label, self._line = kind, owner, label, line
        self.source: str = "" if owner is None else owner.source

    def __missing__(self, name: str) -> Json:
        """Raise the error about a field that the file lacks."""
        raise self.error("is missing", name)

    def error(self, problem: str, name: str = "") -> MapFileError:
        """Return an error about this object, or about one of its fields."""
        parts, entry = [name] if name else [], self
        while entry._owner is not None:
            parts.append(entry._label)
            entry = entry._owner
        field = ".".join(reversed(parts))
        return MapFileError(problem, line=self._line, field=field, source=self.source)

    def put(self, fields: Mapping[str, Json]) -> None:
        """Set fields after checking them; those that no map is made of are left out."""
        for name, value in fields.items():
            check = _FIELDS.get(self.kind, {}).get(name, list)
            if check not in (list, dict):
                try:
                    is_number = isinstance(value, str) and check not in (_text, _any)
                    self[name] = check(_from_text(value) if is_number else value)
                except ValueError as error:
                    raise self.error(str(error), name) from None

    def add(self, name: str, line: int | None = None) -> "Entry | None":
        """Return a new object in a field for one or more; None if no map is made of them."""
        holds = _FIELDS.get(self.kind, {}).get(name)
        if holds not in (list, dict):
            return None
        entries = self.setdefault(name, []) if holds is list else []
        label = f"{name}[{len(entries)}]" if holds is list else name
        entries.append(Entry(name, self, label, line))
        self[name] = entries if holds is list else entries[0]
        added: Entry = entries[-1]
        return added

    def close(self) -> None:
        """Turn the list of custom properties, if there is one, into a dictionary of values."""
        values: Extras = {}
        for entry in self.get("properties", ()):
            name = entry["name"]
            if name in values:
                raise entry.error(f"the property {quoted(name)} occurs twice", "name")
            values[name] = _property_value(entry)
        self["properties"] = values


def _from_text(text: str) -> Json:
    """Return the number in a text of XML; any other text as it is, to be refused by a check."""
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def _property_value(entry: Entry) -> Json:
    kind = entry.get("type", "string")
    if kind == "list":
        return [_property_value(item) for item in entry.get("items", ())]
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
    if not start.startswith((b"{", b"[")):
        if b"<" not in start:
            raise MapFileError("is neither XML nor JSON")
        return _XmlReader(source).read(data)
    fields = json_text.parse(data, max_values)
    if not isinstance(fields, dict):
        raise MapFileError(f"must be an object, got {shown(fields)}")
    top = Entry(str(fields.get("type", "map" if "layers" in fields else "unknown")))
    top.source = source
    _fill(top, fields)
    return top


def _fill(entry: Entry, fields: Json) -> None:
    """Set the fields of an object of JSON."""
    if not isinstance(fields, dict):
        raise entry.error(f"must be an object, got {shown(fields)}")
    if fields.get("type") == "list":  # a property
        fields = fields | {"items": fields.get("value")}
    for name, value in fields.items():
        holds = _FIELDS.get(entry.kind, {}).get(name)
        if holds is list and not isinstance(value, list):
            raise entry.error(f"must be a list, got {shown(value)}", name)
        for part_fields in value if holds is list else [value] if holds is dict else ():
            part = entry.add(name)
            assert part is not None
            _fill(part, part_fields)
    entry.put(fields)
    entry.close()


class _XmlReader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._parser = parser = expat.ParserCreate()
        self._open: list[tuple[str, Entry | None, list[str]]] = []
        """Name, object and texts of the elements around the place where the parser is."""
        self._top: Entry | None = None
        self._n_elements = self._n_numbers = 0
        parser.buffer_text, parser.buffer_size = True, 2**16
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = lambda text: self._open[-1][2].append(text)
        parser.StartDoctypeDeclHandler = self._refuse_declarations
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_entity
        parser.ExternalEntityRefHandler = self._refuse_entity

    def read(self, data: bytes) -> Entry:
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
        if self._open:
            entry = self._begin(name, attributes)
        else:
            entry = self._top = Entry(name, line=self._parser.CurrentLineNumber)
            entry.source = self._source
            entry.put(attributes)
        self._open.append((name, entry, []))

    def _begin(self, name: str, attributes: dict[str, str]) -> Entry | None:
        """Return the object that an element belongs to; None if it is not read."""
        around, owner, _ = self._open[-1]
        if owner is None or name in _WRAPPERS:
            return owner
        if name == "data" and owner.kind == "layers":
            if "data" in owner:
                raise self._error("has <data> twice in one <layer>")
            owner.put({**attributes, "data": ""})
            return owner
        if name == "tile" and around in ("data", "chunk"):
            owner["data"] = owner["data"] or []
            owner["data"].append(_from_text(attributes.get("gid", "0")))
            return None
        if name == "image":
            owner.put({f"image{name}": text for name, text in attributes.items()} | {"image": ""})
            return None
        line = self._parser.CurrentLineNumber
        if name in ("polygon", "polyline") and owner.kind in ("object", "objects"):
            owner[name] = []
            for point in attributes.get("points", "").split():
                x, _, y = point.partition(",")
                entry = owner.add(name, line)
                assert entry is not None
                entry.put({"x": x, "y": y})
            return None
        entry = owner.add(name if owner.kind == "template" else _LIST_OF.get(name, name), line)
        if entry is not None:
            given = {"data": ""} if name == "chunk" else {}
            given |= {"type": _LAYER_TYPES[name]} if name in _LAYER_TYPES else {}
            entry.put({**attributes, **given})
        return entry

    def _end(self, name: str) -> None:
        _, entry, texts = self._open.pop()
        if entry is None or name in _WRAPPERS:
            return
        text = "".join(texts)
        if name in ("data", "chunk"):
            entry["data"] = entry["data"] or text
            return
        entry.close()
        if name in ("property", "item"):
            text, kind = entry.get("value", text), entry.get("type", "string")
            values = {"bool": {"true": True, "false": False}.get(text, text)}
            values |= {"class": entry["properties"]}
            values |= dict.fromkeys(("int", "object", "float"), _from_text(text))
            entry["value"] = values.get(kind, text)

    def _refuse_declarations(
        self, _name: str, _system: str | None, _public: str | None, has_own: bool
    ) -> None:
        if has_own:  # the name of a DTD alone, as in old files, is allowed: it is not fetched
            raise self._error("declares entities or attributes, which is refused")

    def _refuse_entity(self, *_what: object) -> int:
        raise self._error("uses declared entities, which is refused")


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


_LARGEST = 2**32 - 1
_NO_CSV = re.compile(r"[^0-9,\s]|[0-9]{11}|[0-9]\s+[0-9]|,\s*,|\A,|,\Z")
_SPACES = string.whitespace.encode("ascii")
_WINDOW_LOG = 25
"""Limit of the memory that zstd takes in addition to the unpacked data, as a power of 2."""


def decode_gids(value: Json, encoding: str, compression: str, count: int) -> NDArray[np.uint32]:
    """Return `count` gids with their flags for flipped and rotated tiles.

    `encoding` is "csv" or "base64", `compression` one of COMPRESSIONS for "base64". A list needs
    neither. `ValueError` if the data is malformed, of unknown encoding or of another length.
    """
    numbers: NDArray[Any]
    if isinstance(value, list):
        whole = f"must hold whole numbers in 0..{_LARGEST}"
        is_number = set(map(type, value)) <= {int, float}
        if value and not (is_number and min(value) >= 0 and max(value) <= _LARGEST):
            raise ValueError(whole)
        numbers = np.array(value, np.float64)
        if (numbers % 1).any():
            raise ValueError(whole)
    elif not isinstance(value, str):
        raise ValueError("must be a list of gids or text")
    elif encoding == "csv":
        text = value.strip().removesuffix(",")
        if _NO_CSV.search(text):
            raise ValueError(f"must be whole numbers in 0..{_LARGEST} with commas between")
        numbers = np.fromstring(text, np.int64, sep=",")
        if numbers.max(initial=0) > _LARGEST:
            raise ValueError(f"must be whole numbers in 0..{_LARGEST}, got {numbers.max()}")
    elif encoding == "base64":
        numbers = np.frombuffer(_unpacked(value, compression, 4 * count), "<u4")
    else:
        raise ValueError(f"encoding must be csv or base64, got {quoted(encoding)}")
    if len(numbers) != count:
        raise ValueError(f"holds {len(numbers)} tiles, must be {count}")
    return numbers.astype(np.uint32, copy=False)


def _unpacked(text: str, compression: str, size: int) -> bytes:
    """Return the `size` bytes that base64 holds; more are never unpacked."""
    try:
        data = base64.b64decode(text.encode("ascii").translate(None, _SPACES), validate=True)
    except ValueError as error:
        raise ValueError(f"is not base64: {error}") from None
    if compression not in COMPRESSIONS:
        known = ", ".join(COMPRESSIONS[1:])
        raise ValueError(f"compression must be one of {known}, got {quoted(compression)}")
    is_whole_stream = True
    if compression:
        stream, errors = _stream(compression)
        try:
            data = stream.decompress(data, size + 1)
        except errors as error:
            raise ValueError(f"cannot be unpacked: {error}") from None
        is_whole_stream = stream.eof and not stream.unused_data
    if len(data) != size:
        found = "more" if len(data) > size else "less"
        raise ValueError(f"holds {found} than {size // 4} tiles")
    if not is_whole_stream:
        raise ValueError("cannot be unpacked: it is cut short or too long")
    return data


def _stream(compression: str) -> tuple[Any, type[Exception]]:
    """Return a decompressor, for zstd of Python or before 3.14 of its backport, and its error."""
    if compression != "zstd":
        wbits = zlib.MAX_WBITS + (16 if compression == "gzip" else 0)
        return zlib.decompressobj(wbits), zlib.error
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ValueError(NEEDS_ZSTD) from None
    options: dict[Any, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
    return zstd.ZstdDecompressor(options=options), zstd.ZstdError
