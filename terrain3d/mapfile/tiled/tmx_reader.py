"""Convert Tiled's XML to the fields of its JSON, so that both formats share one reader.

https://doc.mapeditor.org/en/stable/reference/tmx-map-format/
https://doc.mapeditor.org/en/stable/reference/json-map-format/
"""

import math
import re

from terrain3d.core.errors import MapFileError
from terrain3d.mapfile.record import Extras, Json
from terrain3d.mapfile.tiled.notes import quoted
from terrain3d.mapfile.tiled.xml_elements import XmlElement, parse

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
