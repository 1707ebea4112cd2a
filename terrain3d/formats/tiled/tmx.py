"""Convert Tiled's XML to and from the fields of its JSON, so that both formats share one reader.

https://doc.mapeditor.org/en/stable/reference/tmx-map-format/
https://doc.mapeditor.org/en/stable/reference/json-map-format/

Files that declare entities or defaults of attributes are refused, as are files with too many
elements or values, or too deep nesting. Nothing that a file refers to is fetched.
"""

import math
import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from xml.parsers import expat

from terrain3d.core.errors import MapFileError
from terrain3d.formats.json_text import MAX_DEPTH
from terrain3d.formats.tiled.properties import quoted
from terrain3d.map.tilemap import Extras, Json

MAX_NODES = 2**18
"""Limit on the elements of a file."""

MAX_VALUES = 2**20
"""Limit on the attributes of a file, and on the numbers in their lists."""

_BUFFER = 2**16


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


def parse(data: bytes) -> XmlElement:
    """Return the outermost element; `MapFileError` if it is not XML, or breaks a limit."""
    return _Builder().build(data)


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
        if data.count(b"=") > MAX_VALUES:
            raise self._error(f"holds more than {MAX_VALUES} attributes")
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
        if self._count > MAX_NODES:
            raise self._error(f"holds more than {MAX_NODES} elements")
        if len(self._open) >= MAX_DEPTH:
            raise self._error(f"is nested deeper than {MAX_DEPTH}")
        self._n_values += sum(value.count(",") for value in attributes.values())
        if self._n_values > MAX_VALUES:
            raise self._error(f"holds more than {MAX_VALUES} numbers in attributes")
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


def read(data: bytes) -> tuple[str, Extras]:
    """Return type ("map" or "tileset") and fields of a `.tmx` or `.tsx` file."""
    root = parse(data)
    return root.name, _fields(root)


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
        case "image":
            return node.attributes.get("source", "")
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


_LAYERS = {"tilelayer": "layer", "objectgroup": "objectgroup"}
_ELEMENTS = (
    *("properties", "tilesets", "layers", "tiles", "objects", "data", "polyline", "point"),
    *("image", "imagewidth", "imageheight"),
)
"""Fields that become elements; all others become attributes."""
_DATA_FIELDS = ("encoding", "compression")
_LAYER_DEFAULTS = ("type", "x", "y", "opacity", "visible")
_OBJECT_DEFAULTS = ("width", "height", "rotation", "visible")


def write_map(fields: Extras) -> bytes:
    """Return a map as XML."""
    top = Element("map", _attribute_texts(fields, "type"))
    _add_properties(top, fields)
    for tileset in fields["tilesets"]:
        top.append(_tileset(tileset))
    for layer in fields["layers"]:
        _add_layer(top, layer)
    return _document(top)


def write_tileset(fields: Extras) -> bytes:
    """Return an external tileset as XML."""
    return _document(_tileset(fields, "type"))


def _document(top: Element) -> bytes:
    indent(top, " ")
    data: bytes = tostring(top, "utf-8", xml_declaration=True)
    return data + b"\n"


def _tileset(fields: Extras, *others: str) -> Element:
    element = Element("tileset", _attribute_texts(fields, *others))
    _add_properties(element, fields)
    if "image" in fields:
        size = {name: str(fields[f"image{name}"]) for name in ("width", "height")}
        SubElement(element, "image", {"source": fields["image"], **size})
    for entry in fields.get("tiles", ()):
        _add_properties(SubElement(element, "tile", _attribute_texts(entry)), entry)
    return element


def _add_layer(top: Element, layer: Extras) -> None:
    attributes = _attribute_texts(layer, *_DATA_FIELDS, *_LAYER_DEFAULTS)
    element = SubElement(top, _LAYERS[layer["type"]], attributes)
    _add_properties(element, layer)
    if "data" in layer:
        encoding = {name: layer[name] for name in _DATA_FIELDS}
        SubElement(element, "data", encoding).text = layer["data"]
    for entry in layer.get("objects", ()):
        shape = SubElement(element, "object", _attribute_texts(entry, *_OBJECT_DEFAULTS))
        _add_properties(shape, entry)
        if "point" in entry:
            SubElement(shape, "point")
        else:
            points = " ".join(f"{point['x']!r},{point['y']!r}" for point in entry["polyline"])
            SubElement(shape, "polyline", {"points": points})


def _add_properties(owner: Element, fields: Extras) -> None:
    if not fields.get("properties"):
        return
    element = SubElement(owner, "properties")
    for entry in fields["properties"]:
        SubElement(element, "property", _texts(entry))


def _attribute_texts(fields: Extras, *others: str) -> dict[str, str]:
    return _texts({name: fields[name] for name in fields if name not in (*_ELEMENTS, *others)})


def _texts(fields: Extras) -> dict[str, str]:
    return {name: _text(name, value) for name, value in fields.items()}


def _text(name: str, value: Json) -> str:
    if isinstance(value, bool):
        return str(value).lower() if name == "value" else str(int(value))
    return value if isinstance(value, str) else repr(value)
