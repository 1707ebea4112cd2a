"""Read Tiled's files, in XML or JSON, as fields of JSON, with their custom properties.

https://doc.mapeditor.org/en/stable/reference/tmx-map-format/
https://doc.mapeditor.org/en/stable/reference/json-map-format/

XML becomes the fields of Tiled's JSON, so that both have one reader. Files that declare entities or
defaults of attributes are refused, as are files with too many elements or values, or too deep
nesting. Only tilesets and templates are opened, and none outside of a root folder.

A custom property that no type holds, such as a list, is written as JSON in a text that begins with
JSON_MARK. Tiled does not change such texts.
"""

import json
import math
import os
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PureWindowsPath
from xml.parsers import expat

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import MapFileError, in_file, read_bytes, single_line
from terrain3d.formats import json_text
from terrain3d.formats.json_text import MAX_DEPTH, Fields
from terrain3d.map.tilemap import Extras, Json

MAX_BYTES = 2**23
"""Limit on the total size of the files that a map refers to; each reference counts."""
MAX_WORLD_BYTES = 8 * MAX_BYTES
"""The same limit for all maps of a world together, whose files are often the same."""
MAX_VALUES = 2**18
"""Approximate limit on the values in a JSON file, without the tiles of a map."""

_MAX_NAME = 500

MAX_ELEMENTS = 2**18
"""Limit on the elements of a file."""

MAX_ATTRIBUTES = 2**19
"""Limit on the attributes of a file, and on the numbers in their lists."""
MAX_OF_ELEMENT = 2**12
"""Limit on the attributes of an element."""

_BUFFER = 2**16
_TAG = re.compile(rb"<[^>]*")


@dataclass(slots=True)
class XmlElement:
    """One element of a file."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list["XmlElement"] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of the element, without that of its children."""
        return "".join(self.texts)


class _Builder:
    def __init__(self) -> None:
        self._parser = parser = expat.ParserCreate()
        self._open: list[XmlElement] = []
        self._root: XmlElement | None = None
        self._count = self._n_values = 0
        parser.buffer_text, parser.buffer_size = True, _BUFFER
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add_text
        parser.StartDoctypeDeclHandler = self._refuse_declarations
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_entity
        parser.ExternalEntityRefHandler = self._refuse_entity

    def build(self, data: bytes) -> XmlElement:
        # Counted before they are parsed: all attributes of one element are handed over at once.
        if data.count(b"=") > MAX_ATTRIBUTES:
            raise self._error(f"holds more than {MAX_ATTRIBUTES} attributes")
        tags = islice(_TAG.finditer(data), 2 * MAX_ELEMENTS)  # begin and end
        if any(tag[0].count(b"=") > MAX_OF_ELEMENT for tag in tags):
            raise self._error(f"holds more than {MAX_OF_ELEMENT} attributes in one element")
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            text = expat.errors.messages[error.code]
            raise MapFileError(f"is not XML: {text}", line=error.lineno) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, MapFileError):
                raise
            raise self._error(f"is in an encoding that cannot be read: {error}") from None
        assert self._root is not None  # expat refuses a text without any element
        return self._root

    def _error(self, problem: str) -> MapFileError:
        return MapFileError(problem, line=self._parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise self._error(f"holds more than {MAX_ELEMENTS} elements")
        if len(self._open) >= MAX_DEPTH:
            raise self._error(f"is nested deeper than {MAX_DEPTH}")
        self._n_values += sum(value.count(",") for value in attributes.values())
        if self._n_values > MAX_ATTRIBUTES:
            raise self._error(f"holds more than {MAX_ATTRIBUTES} numbers in attributes")
        node = XmlElement(name, attributes, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(node)
        else:
            self._root = node
        self._open.append(node)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _add_text(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def _refuse_declarations(
        self, _name: str, _system: str | None, _public: str | None, has_own: bool
    ) -> None:
        if has_own:  # the name of a DTD alone, as in old files, is allowed: it is not fetched
            raise self._error("declares entities or attributes, which is refused")

    def _refuse_entity(self, *_what: object) -> int:
        raise self._error("uses declared entities, which is refused")


_LAYER_TYPES = {
    "layer": "tilelayer",
    **{name: name for name in ("objectgroup", "imagelayer", "group")},
}
_LIST_OF = {
    **dict.fromkeys(_LAYER_TYPES, "layers"),
    **{name: f"{name}s" for name in ("tileset", "object", "tile", "terrain", "wangset")},
    **{"wangtile": "wangtiles", "wangcolor": "colors", "chunk": "chunks"},
    **{"wangedgecolor": "edgecolors", "wangcornercolor": "cornercolors"},
    **{"property": "properties", "item": "items", "frame": "animation"},
}
"""The JSON list that has an element."""
_WRAPPERS = ("properties", "wangsets", "terraintypes", "animation")
"""Elements without a JSON object of their own; their children are lists of the parent."""
_TEXTS = {
    *("name", "class", "type", "source", "template", "version", "tiledversion"),
    *("orientation", "staggeraxis", "staggerindex", "renderorder", "encoding", "compression"),
    *("color", "tintcolor", "backgroundcolor", "trans", "terrain", "wangid", "value"),
    *("propertytype", "objectalignment", "draworder", "mode", "fillmode", "tilerendersize"),
}
"""Attributes that are text even if they look like numbers."""
_FLAGS = {"visible", "infinite", "locked", "repeatx", "repeaty"}
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_OLD_WANG_ID = re.compile(r"0x[0-9a-fA-F]{1,8}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


def _fields(node: XmlElement) -> Extras:
    """Return the attributes and children of an element as JSON fields."""
    fields = _attributes(node)
    lists: dict[str, list[Json]] = {}
    seen: set[str] = set()
    for child in node.children:
        if child.name in _LIST_OF:
            lists.setdefault(_LIST_OF[child.name], []).append(_entry(child))
            continue
        if child.name in seen:
            problem = f"has <{child.name}> twice in one <{node.name}>"
            raise MapFileError(problem, line=child.line)
        seen.add(child.name)
        if child.name in _WRAPPERS:
            for entry in child.children:
                wanted = _LIST_OF.get(entry.name, entry.name)
                lists.setdefault(wanted, []).append(_entry(entry))
        elif child.name == "data":
            fields |= _data(child)
        elif child.name == "image":
            fields |= {f"image{name}": value for name, value in _attributes(child).items()}
            fields["image"] = fields.pop("imagesource", "")
        else:
            fields[child.name] = _single(child)
    if node.name == "template":
        fields["object"] = lists.pop("objects", [None])[0]
    return fields | lists


def _entry(node: XmlElement) -> Extras:
    if node.name in ("property", "item"):
        return _property(node)
    fields = _fields(node)
    if node.name in _LAYER_TYPES:
        fields["type"] = _LAYER_TYPES[node.name]
    if node.name == "wangtile":
        fields["wangid"] = _numbers(node, str(fields.get("wangid", "")))
    if node.name == "tile" and "layers" in fields:
        fields["objectgroup"] = fields.pop("layers")[-1]
    if node.name == "tile" and "terrain" in fields:
        parts = fields["terrain"].split(",")
        fields["terrain"] = [int(part) if _WHOLE.fullmatch(part) else -1 for part in parts]
    return fields


def _single(node: XmlElement) -> Json:
    """Return the value of an element that occurs once."""
    match node.name:
        case "point" | "ellipse" | "capsule":
            return True
        case "polygon" | "polyline":
            points = node.attributes.get("points", "").split()
            return [_point(node, point) for point in points]
    return _fields(node)


def _point(node: XmlElement, text: str) -> Extras:
    x, comma, y = text.partition(",")
    if not (comma and _NUMBER.fullmatch(x) and _NUMBER.fullmatch(y)):
        problem = f"has the point {quoted(text)}; a point must be two numbers"
        raise MapFileError(problem, line=node.line)
    return {"x": float(x), "y": float(y)}


def _numbers(node: XmlElement, text: str) -> list[int]:
    if _OLD_WANG_ID.fullmatch(text):  # of Tiled before version 1.5: a digit each, from the right
        return [int(digit, 16) for digit in reversed(text[2:].zfill(8))]
    parts = text.split(",")
    if not all(_WHOLE.fullmatch(part) for part in parts):
        raise MapFileError(f"must hold whole numbers, got {quoted(text)}", line=node.line)
    return [int(part) for part in parts]


def _data(node: XmlElement) -> Extras:
    """Return the fields of a layer's tiles: encoding, compression, and data or chunks."""
    chunks = [child for child in node.children if child.name == "chunk"]
    if chunks:
        entries = [{**_attributes(child), "data": _tiles(child)} for child in chunks]
        return {**_attributes(node), "chunks": entries}
    return {**_attributes(node), "data": _tiles(node)}


def _tiles(node: XmlElement) -> Json:
    """Return tiles as encoded text, or as a list of gids if each is an element."""
    if not node.children:
        return node.text
    return [_value("gid", child.attributes.get("gid", "0")) for child in node.children]


def _property(node: XmlElement) -> Extras:
    fields: Extras = dict(node.attributes)
    kind, text = fields.get("type", "string"), fields.get("value", node.text)
    value: Json = text
    if kind in ("int", "object"):
        value = int(text) if _WHOLE.fullmatch(text) else None
    elif kind == "float":
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
        value = value if math.isfinite(value) else None
    elif kind == "bool":
        value = {"true": True, "false": False}.get(text)
    elif kind == "class":
        entries = _fields(node).get("properties", [])
        value = {entry.get("name", ""): entry["value"] for entry in entries}
    elif kind == "list":
        value = _fields(node).get("items", [])
    if value is None:
        raise MapFileError(f"must be of type {kind}, got {quoted(text)}", line=node.line)
    return {**fields, "type": kind, "value": value}


def _attributes(node: XmlElement) -> Extras:
    return {name: _value(name, text) for name, text in node.attributes.items()}


def _value(name: str, text: str) -> Json:
    """Return an attribute as text, flag or number; a malformed one stays text, refused later."""
    if name in _TEXTS:
        return text
    if name in _FLAGS and text in ("0", "1"):
        return text == "1"
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def parse(data: bytes, max_values: int = MAX_VALUES) -> tuple[str, Extras]:
    """Return the type of a file in XML or JSON, such as "map", and its fields as in JSON."""
    start = data[:256].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith((b"{", b"[")):
        if b"<" not in start:
            raise MapFileError("is neither XML nor JSON")
        root = _Builder().build(data)
        return root.name, _fields(root)
    top = Fields(json_text.parse(data, max_values))
    return top.text("type", "map" if "layers" in top.unread else "unknown"), top.unread


class FileCache:
    """Files that were read, up to a total size; each reference to a file counts."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = self._bytes_left = max_bytes
        self._files: dict[Path, tuple[int, str, Extras]] = {}

    def read(self, path: Path) -> tuple[str, Extras] | None:
        """Return the type and the fields of a file; None if the references exceed the limit."""
        if path not in self._files:
            data = read_bytes(path, self._bytes_left)
            with in_file(str(path)):
                self._files[path] = (len(data), *parse(data))
        size, found_type, fields = self._files[path]
        self._bytes_left -= size
        return None if self._bytes_left < 0 else (found_type, fields)


class ReferencedFiles:
    """The files that a map may refer to: those in a root folder or below.

    References are relative to the map's folder, which is also the root if none is given. Maps of a
    world share a cache; another map has its own, of MAX_BYTES.
    """

    def __init__(
        self, folder: Path, root: Path | None = None, cache: FileCache | None = None
    ) -> None:
        self._folder, self._root = folder, root
        self._cache = cache or FileCache(MAX_BYTES)

    def path(self, owner: Fields, name: str) -> Path:
        """Take the field `name` out of its owner and return the path that it names."""
        reference = owner.text(name)
        path = resolve_inside(self._folder, reference, self._root)
        if path is None:
            where = f"the root {self._root}" if self._root else "the map's folder"
            hint = "" if self._root else "; root= or --root names a folder above it"
            problem = f"must name a file in {where} or below, got {reference[:80]!r}{hint}"
            raise owner.error(problem, name)
        return path

    def beside(self, path: Path) -> "ReferencedFiles":
        """Return the files that one of these may refer to, relative to its own folder."""
        return ReferencedFiles(path.parent, self._root or self._folder, self._cache)

    @staticmethod
    def has(path: Path) -> bool:
        """Return whether there is a file or a folder at a path."""
        return os.access(path, os.F_OK)  # Path.exists raises for some names

    def read(self, path: Path, owner: Fields, name: str, file_type: str) -> Fields:
        """Return the fields of the file at a path, which the field `name` of an owner names.

        `file_type` is "tileset" or "template".
        """
        found = self._cache.read(path)
        if found is None:
            limit = self._cache.max_bytes
            problem = f"the files that the map refers to have more than {limit} bytes"
            raise owner.error(problem, name)
        found_type, fields = found
        if found_type != file_type:
            problem = f"is of type {quoted(found_type)}, must be {file_type!r}"
            raise MapFileError(problem, source=str(path))
        return Fields(fields, "", str(path))


def resolve_inside(folder: Path, reference: str, root: Path | None = None) -> Path | None:
    """Return the path of a reference, links resolved; None if it is outside the root.

    The reference is relative to `folder`, which is also the root if none is given.
    """
    windows = PureWindowsPath(reference)
    is_name = 0 < len(reference) <= _MAX_NAME and reference.isprintable()
    if not is_name or windows.drive or windows.root:
        return None
    try:
        base = os.path.realpath(folder)
        top = base if root is None else os.path.realpath(root)
        path = os.path.realpath(Path(base) / reference.replace("\\", "/"))
    except (OSError, ValueError):
        return None
    return Path(path) if Path(path).is_relative_to(top) else None


MAX_NOTES = 60
_SHOWN_NAME = 60


def listed_names(names: Sequence[str]) -> str:
    """Return the first of some names from a file, each cut to one line."""
    return ", ".join(single_line(name, _SHOWN_NAME) for name in names[:9])


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
            self.add(f"{owner}: {listed_names(names)} not kept")

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


def read_properties(owner: Fields) -> Extras:
    """Take the custom properties out of their owner and return them by name."""
    if isinstance(owner.unread.get("properties"), dict):  # JSON of Tiled before version 1.2
        return dict(owner.take("properties"))
    values: Extras = {}
    for entry in owner.objects("properties", []):
        name = entry.text("name")
        if name in values:
            raise entry.error(f"the property {quoted(name)} occurs twice", "name")
        values[name] = _property_value(entry)
    return values


def _property_value(entry: Fields) -> Json:
    kind = entry.text("type", "string")
    if kind == "list":
        return [_property_value(item) for item in entry.objects("value")]
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


def write_properties(values: Mapping[str, Json]) -> list[Extras]:
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
