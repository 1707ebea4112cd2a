"""Read Tiled maps, `.tmx` and `.tmj`, by the rules of docs/formats.md.

https://doc.mapeditor.org/en/stable/reference/tmx-map-format/
https://doc.mapeditor.org/en/stable/reference/json-map-format/

Elements of XML become the objects that Tiled's JSON has for them. Files that declare entities or
defaults of attributes are refused, as are files with too many values, or too deep nesting. Only
tilesets and templates are opened, and none outside of the map's folder. A custom property that no
type holds, such as a list, is JSON in a text that begins with JSON_MARK, which Tiled keeps.

Layers inherit level, offset and visibility from their groups. A tile layer holds kinds of ground,
or, if its class or its name says so, numbers: levels or thicknesses. Layers cover those below them:
a tile without a kind, or without a level, does not replace that of a tile below it. A layer of
numbers overrides all other levels. Nothing is unpacked beyond the size that a layer or chunk must
have.

Orthogonal and isometric maps are square, row by row. A hexagonal map is the topology that offsets
the same rows or columns.
"""

import json
import math
import os
import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from colorsys import hsv_to_rgb
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from pathlib import Path, PurePath
from typing import Any
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import (
    MapFileError,
    check_tile_count,
    in_file,
    read_bytes,
    resolve_inside,
    unpack,
    warn_of_losses,
)
from terrain3d.formats import json_text
from terrain3d.formats.json_text import Fields, shown
from terrain3d.formats.registry import SourceFile
from terrain3d.formats.tiled.objects import GID_BITS, MAX_PX, ROLES, Layout, MapObject, Objects
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.kinds import (
    KINDS,
    VOID,
    TileKind,
    built_in_kind,
    kind_table,
    kind_values,
)
from terrain3d.map.surfaces import DECK, NO_DECKS
from terrain3d.map.tilemap import DEFAULT_STEP_HEIGHT, Extras, Json, TileMap, UnknownFields

MAX_BYTES = 2**23
"""Limit on the total size of the files that a map refers to; each reference counts."""
MAX_VALUES = 2**19
"""Limit on the elements and points of an XML file, and on its attributes; also, about, on the
values of a JSON file, without the tiles of a map."""
JSON_MARK = "json:"

_MAX_JSON_VALUES = 2**16
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


def properties(owner: Fields) -> Fields:
    """Return the custom properties of an object."""
    values: Extras = {}
    for entry in owner.objects("properties", []):
        name = str(text_or_json(entry, "name"))
        if name in values:
            raise entry.error(f"the property {quoted(name)} occurs twice", "name")
        values[name] = _property_value(entry)
    return owner.part("properties", values)


def _property_value(entry: Fields) -> Json:
    kind = entry.text("type", "string")
    if kind == "list":
        return [_property_value(item) for item in entry.objects("value")]
    if kind == "class" and "value" not in entry.given:  # of XML
        return properties(entry).given
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
        parser.StartDoctypeDeclHandler = self._refuse
        parser.SkippedEntityHandler = self._refuse

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

    def _refuse(
        self, _name: str, _what: object = None, _public: object = None, has_own: bool = True
    ) -> int:
        """Refuse entities that are used, and declarations, but not the name of a DTD alone."""
        if has_own:
            raise self._error("declares or uses entities or attributes, which is refused")
        return 0


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
    """The files that a map refers to, in its folder or below: tilesets and templates.

    Those that do not exist are noted in `lost`.
    """

    def __init__(self, folder: Path, lost: dict[str, None]) -> None:
        self._folder, self._bytes_left, self._lost = folder, MAX_BYTES, lost
        self._files: dict[Path, tuple[int, str, Fields]] = {}

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
            self._lost[f"the missing file {quoted(path.name)}"] = None
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


ALL_KINDS = "kinds"
"""The class or the name of a tileset whose tiles all are kinds, used by a layer or not."""
NO_ENTRY = "none"
"""The property "cost" of a kind that cannot be entered."""
KIND_FIELDS = tuple(field.name for field in dataclass_fields(TileKind) if field.name != "name")

MAX_LAYER_TILES = 4
"""All layers together may have this many times the tiles that a map may have."""
MAX_PARTS = 2**16
"""The most layers, chunks and objects together, and the most distinct tiles."""
MAX_GID = 2**22 - 1
MAX_LEVEL = 2**15
"""Limit on the property "level" in size."""

_MAX_TILE_PX = 2**16


def _size_px(entry: Fields, prefix: str, low: int = 0) -> tuple[int, int]:
    """Return a width and a height in whole pixels, each 0 without one."""
    width, height = (
        entry.whole(f"{prefix}{name}", low, _MAX_TILE_PX, 0) for name in ("width", "height")
    )
    return width, height


def layout_of(top: Fields) -> Layout:
    """Return the layout of a map."""
    orientation = top.one_of("orientation", ("orthogonal", "isometric", "hexagonal"))
    tile_px = _size_px(top, "tile", 1)
    if orientation != "hexagonal":
        return Layout(orientation, tile_px)
    axis = top.one_of("staggeraxis", ("x", "y"), "y")
    is_odd = top.one_of("staggerindex", ("odd", "even"), "odd") == "odd"
    side_px = top.whole("hexsidelength", 0, _MAX_TILE_PX, 0)
    return Layout(orientation, tile_px, axis, is_odd, side_px)


def _topology(layout: Layout, origin: tuple[int, int]) -> str:
    """Return the topology of a map whose first tile is at `origin`."""
    if layout.axis == "":
        return "square"
    is_shifted = bool(origin[0 if layout.axis == "y" else 1] % 2)
    parity = "odd" if layout.is_odd != is_shifted else "even"
    return f"hex_{parity}_{'r' if layout.axis == 'y' else 'q'}"


@dataclass(frozen=True)
class Tile:
    """One tile of a tileset, by its local id; `kind` is the name of its kind, "" without one.

    `is_lost`: the tileset does not have it any more. `size_px` is (width, height) of its picture,
    (0, 0) if it is not known.
    """

    tileset: Fields
    id: int
    kind: str = ""
    level: int | None = None
    properties: Extras = field(default_factory=dict)
    size_px: tuple[int, int] = (0, 0)
    is_lost: bool = False

    @property
    def tileset_name(self) -> str:
        """The name of its tileset, as part of the name of a kind."""
        return self.tileset.text("name", "").lstrip("#") or "tile"


class Tilesets:
    """The tilesets of a map or a template, embedded or external."""

    def __init__(self, entries: Iterable[Fields], files: ReferencedFiles) -> None:
        numbered = [(entry.whole("firstgid", 1, MAX_GID), entry) for entry in entries]
        numbered.sort(key=lambda pair: pair[0])
        self._first_gids = [first for first, _ in numbered]
        self._all = [self._read(entry, files) for _, entry in numbered]
        if len(set(self._first_gids)) < len(self._first_gids):
            raise MapFileError("two of them have the same firstgid", field="tilesets")

    def tile(self, gid: int) -> Tile | None:
        """Return the tile with a gid; None if it is in no tileset."""
        index = bisect_right(self._first_gids, gid) - 1
        if index < 0:
            return None
        (tileset, tiles), tile_id = self._all[index], gid - self._first_gids[index]
        return tiles.get(tile_id) or _plain_tile(tileset, tile_id)

    def kinds(self) -> Iterator[tuple[int, Tile]]:
        """Yield the tiles, with their gids, of tilesets whose tiles all are kinds."""
        ends = [*self._first_gids, MAX_GID + 1][1:]
        for first, end, (tileset, tiles) in zip(self._first_gids, ends, self._all, strict=True):
            is_of_kinds = ALL_KINDS in (tileset.text("class", ""), tileset.text("name", ""))
            for tile in tiles.values() if is_of_kinds else ():
                if first + tile.id < end:
                    yield first + tile.id, tile

    def _read(self, entry: Fields, files: ReferencedFiles) -> tuple[Fields, dict[int, Tile]]:
        """Return a tileset, and by id those of its tiles that its file describes."""
        if "source" in entry.given:
            missing = Fields({"name": PurePath(entry.text("source")).stem})
            entry = files.read(entry, "source", "tileset") or missing
        terrains, tiles = _terrains(entry), dict[int, Tile]()
        for part in entry.objects("tiles", []):
            tile_id, values = part.whole("id", 0, MAX_GID), properties(part)
            if tile_id in tiles:
                raise entry.error(f"has two tiles {tile_id}", "tiles")
            by_class = text_or_json(part, "class", "") or text_or_json(part, "type", "")
            kind = values.text("kind", by_class or terrains.get(tile_id, ""))
            if kind.startswith("#"):
                raise values.error(f"must not begin with '#', got {quoted(kind)}", "kind")
            own_px = _size_px(part, "image")
            size_px = own_px if any(own_px) else _size_px(entry, "tile")
            tiles[tile_id] = Tile(entry, tile_id, kind, _level(values), values.unread, size_px)
        for tile_id, name in terrains.items():
            tiles.setdefault(tile_id, replace(_plain_tile(entry, tile_id), kind=name))
        return entry, tiles


def _plain_tile(tileset: Fields, tile_id: int) -> Tile:
    """Return a tile of which a tileset says nothing by its id."""
    # In a collection of images, ids may be larger than the number of tiles.
    count = tileset.whole("tilecount", 0, MAX_GID, 0) if "image" in tileset.given else 0
    size_px = _size_px(tileset, "tile")
    return Tile(tileset, tile_id, size_px=size_px, is_lost=0 < count <= tile_id)


def _level(values: Fields) -> int | None:
    """Take the level out of custom properties; None without one."""
    return values.whole("level", -MAX_LEVEL, MAX_LEVEL) if "level" in values.given else None


def _terrains(tileset: Fields) -> dict[int, str]:
    """Return the terrain that most corners and edges of each tile have, ties go to the first."""
    terrains: dict[int, str] = {}
    for wangset in tileset.objects("wangsets", []):
        names = ["", *(color.text("name", "") for color in wangset.objects("colors", []))]
        for tile in wangset.objects("wangtiles", []):
            counts = Counter(_wang_numbers(str(tile.take("wangid", ""))[:_MAX_WANG_ID]))
            known = [number for number in sorted(counts) if 0 < number < len(names)]
            most = max(known, key=counts.__getitem__, default=0)
            terrains.setdefault(tile.whole("tileid", 0, MAX_GID), names[most])
    return {tile_id: name for tile_id, name in terrains.items() if name}


def _wang_numbers(wang_id: str) -> list[int]:
    """Return the numbers of a Wang id."""
    if _OLD_WANG_ID.fullmatch(wang_id):
        # Of Tiled before version 1.5: a digit for each edge and corner in turn, here the corners.
        return [int(digit, 16) for digit in wang_id[2:].zfill(8)[::2]]
    return [int(number) for number in re.findall("[0-9]+", wang_id)]


_OLD_WANG_ID = re.compile(r"0x[0-9a-fA-F]{1,8}")
_MAX_WANG_ID = 100
"""Limit on the length of a Wang id as text, of 8 numbers."""
_HUE_STEP = (math.sqrt(5) - 1) / 2
"""From a tile to the next, as a part of all hues: tiles of near numbers differ clearly."""
_COLOR = re.compile(r"#?([0-9a-fA-F]{2})?([0-9a-fA-F]{6})")


def make_kind(name: str, tile: Tile) -> tuple[TileKind, Extras]:
    """Return the kind of a tile, and the properties of the tile that are not fields of a kind.

    Properties with the name of a field of `TileKind` set that field. Other fields come from the
    built-in kind of the same name, or of the last word in the name that is a synonym of one, if the
    name is that of a kind and not that of a tileset. If there is none, the kind costs 1 and has a
    color by the number of the tile. `TypeError` or `ValueError` if a field is out of its limits.
    """
    built_in = built_in_kind(name) if tile.kind else None
    shade = hsv_to_rgb(tile.id * _HUE_STEP % 1, 0.4, 0.7)
    red, green, blue = (round(part * 255) / 255 for part in shade)
    base = replace(built_in or TileKind(name, color=(red, green, blue)), name=name)
    given = {name: tile.properties[name] for name in KIND_FIELDS if name in tile.properties}
    values = kind_values({name: _kind_field(name, value) for name, value in given.items()})
    if "texture" in values:
        values.setdefault("color", None)
    others = {name: value for name, value in tile.properties.items() if name not in given}
    return replace(base, **values), others


def _kind_field(name: str, value: Json) -> Json:
    """Return a property of a tile as `TileKind` takes it."""
    match name, value:
        case "cost", str() if value.strip().casefold() == NO_ENTRY:
            return None
        case "tags", str():
            return frozenset(tag.strip() for tag in value.split(",") if tag.strip())
        case "tags", list():
            return frozenset(map(str, value))
        case "color", str():
            match = _COLOR.fullmatch(value)
            if not match:
                raise ValueError(f"color must be #rrggbb or #aarrggbb, got {quoted(value)}")
            return tuple(part / 255 for part in bytes.fromhex(match[2]))
    return value


_MAX_KINDS = 255
_MAX_SHOWN = 9
KIND, LEVEL, THICKNESS = "kind", "level", "thickness"

_TILE = np.dtype(
    [("is_named", "?"), ("has_level", "?"), ("level", "i4"), ("number", "i4")], align=True
)
"""What layers take from a tile; `number` is what it means in a layer of numbers."""
IntArray = NDArray[np.integer]


@dataclass(frozen=True)
class _Layer:
    """One layer or group, with what it has of the groups around it.

    `type` is that of Tiled's JSON, `values` are the custom properties. `offset` is a step in the
    picture. `level` is added to the levels of its tiles. `role` is KIND, LEVEL or THICKNESS.
    `chunks` are rectangles of gids, each with the (row, col) of its first tile. `gids` has the
    shape of the map.
    """

    entry: Fields
    type: str = "group"
    values: Fields = field(default_factory=lambda: Fields({}))
    offset: complex = 0
    level: int | None = None
    is_visible: bool = True
    role: str = ""
    deck: int = 0
    chunks: Sequence[tuple[tuple[int, int], IntArray]] = ()
    gids: IntArray = field(default_factory=lambda: np.zeros(0, np.uint32))


def read(data: bytes, file: SourceFile) -> TileMap:
    """Read a map from the bytes of a file, and from the files that it refers to."""
    found, top = parse(data, MAX_VALUES + file.max_surfaces // 4)
    if found != "map":
        raise MapFileError(f"is of type {quoted(found)}, must be 'map'")
    return _MapReader(top, file).read()


class _MapReader:
    """Reads one map; `_lost` has what the map cannot hold, in words, each once."""

    def __init__(self, top: Fields, file: SourceFile) -> None:
        self._top, self._file = top, file
        self._lost: dict[str, None] = {}
        self._layout = layout_of(top)
        self._is_infinite = top.flag("infinite", default=False)
        self._origin, self._shape = (0, 0), self._shape_of(top)
        if not self._is_infinite:
            check_tile_count(self._shape[0] * self._shape[1], file.max_surfaces)
        self._n_tiles = self._n_parts = 0
        self._files = ReferencedFiles(file.path.parent, self._lost)
        self._tilesets = Tilesets(top.objects("tilesets", []), self._files)
        self._templates: dict[int, Tilesets] = {}

    def read(self) -> TileMap:
        """Return the map."""
        layers = list(self._layers_of(_Layer(self._top)))
        of_tiles = [self._tile_layer(layer) for layer in layers if layer.type == "tilelayer"]
        shown = [layer for layer in of_tiles if layer.is_visible or layer.role != KIND]
        if len(shown) < len(of_tiles):
            self._lost["hidden layers"] = None
        if not any(layer.role == KIND for layer in shown):  # one of the name "Level", say
            shown = [replace(layer, role=KIND) for layer in shown]
        ground = self._ground(self._placed(shown))
        found = Objects(self._layout, self._origin, self._shape, self._lost)
        for layer in layers:
            if layer.type == "objectgroup":
                found.add_layer(_role_of(layer.entry, ROLES), self._objects_of(layer))
        for layer in layers:
            if layer.type not in ("tilelayer", "objectgroup"):
                self._lost[f"layers of type {quoted(layer.type)}"] = None
        values = properties(self._top)
        step_height = values.take("step_height", DEFAULT_STEP_HEIGHT)
        has_extras = isinstance(values.given.get("extras"), dict)
        extras: Extras = values.take("extras") if has_extras else {}
        extras |= {"metadata": values.unread} if values.unread else {}
        tilemap = self._file.build(
            **ground,
            step_height=step_height,
            topology=_topology(self._layout, self._origin),
            links=found.links,
            walls=found.walls,
            extras=extras | found.points,
        )
        lost, more = [*self._lost][:_MAX_SHOWN], len(self._lost) - _MAX_SHOWN
        if lost:
            end = f" and {more} more" if more > 0 else ""
            warn_of_losses(self._file.path, [f"left out: {', '.join(lost)}{end}"])
        return tilemap

    def _count_part(self, entry: Fields) -> None:
        """Refuse more layers, chunks and objects than a map may have."""
        self._n_parts += 1
        if self._n_parts > MAX_PARTS:
            raise entry.error(f"is beyond the limit of {MAX_PARTS} layers, chunks and objects")

    def _layers_of(self, group: _Layer) -> Iterator[_Layer]:
        """Yield the layers of a map or a group, from the lowest to the topmost."""
        for entry in group.entry.objects("layers", []):
            self._count_part(entry)
            layer_type, values, level = entry.text("type"), properties(entry), group.level
            if layer_type in ("group", "tilelayer"):
                own_level = _level(values)
                level = level if own_level is None else own_level + (level or 0)
            across, down = (entry.number(name, 0, MAX_PX) for name in ("offsetx", "offsety"))
            layer = replace(
                group,
                entry=entry,
                type=layer_type,
                values=values,
                offset=group.offset + complex(across, down),
                level=level,
                is_visible=entry.flag("visible", default=True) and group.is_visible,
            )
            if layer_type == "group":
                yield from self._layers_of(layer)
            else:
                yield layer

    def _tile_layer(self, layer: _Layer) -> _Layer:
        """Return a tile layer with its role, its deck and its chunks."""
        deck = layer.values.whole("deck", 0, MAX_DECKS, 0)
        level, down_px = layer.level, layer.offset.imag
        if level is None and down_px:
            level = round(-down_px / (self._layout.tile_px[1] / 2))
        role = _role_of(layer.entry, (LEVEL, THICKNESS)) or KIND
        chunks = list(self._chunks(layer.entry))
        return replace(layer, role=role, deck=deck, level=level, chunks=chunks)

    def _chunks(self, entry: Fields) -> Iterator[tuple[tuple[int, int], IntArray]]:
        if not self._is_infinite:
            shape = self._shape_of(entry)
            if shape != self._shape:
                size = "{} x {}, the map is {} x {}".format(*shape, *self._shape)
                raise entry.error(f"is {size}")
            yield (0, 0), self._gids(entry, entry)
        for chunk in entry.objects("chunks", []) if self._is_infinite else ():
            self._count_part(chunk)
            row, col = (chunk.whole(name, -MAX_PX, MAX_PX) for name in ("y", "x"))
            gids = self._gids(chunk, entry)
            rows, cols = (np.flatnonzero(gids.any(axis)) for axis in (1, 0))
            if len(rows):
                top, left = int(rows[0]), int(cols[0])
                yield (row + top, col + left), gids[top : rows[-1] + 1, left : cols[-1] + 1]

    def _shape_of(self, entry: Fields) -> tuple[int, int]:
        """Return the number of rows and columns."""
        return entry.whole("height", 1, MAX_PX), entry.whole("width", 1, MAX_PX)

    def _gids(self, entry: Fields, layer: Fields) -> IntArray:
        """Return the gids of a layer or a chunk, without flags for flipped and rotated tiles."""
        rows, cols = self._shape_of(entry)
        self._count_tiles(rows * cols, entry)
        encoding, compression = layer.text("encoding", "csv"), layer.text("compression", "")
        with entry.naming("data"):
            gids = _decoded(entry.take("data"), encoding, compression, rows * cols)
        if gids.max() > GID_BITS:
            self._lost["flips and rotations of tiles"] = None
            gids = gids & np.uint32(GID_BITS)
        if gids.max() > MAX_GID:
            raise entry.error(f"holds tile {gids.max()}; the last one is {MAX_GID}", "data")
        return gids.reshape(rows, cols)

    def _count_tiles(self, count: int, entry: Fields) -> None:
        """Refuse more tiles on all layers than a map may have several times."""
        self._n_tiles += count
        limit = MAX_LAYER_TILES * self._file.max_surfaces
        if self._n_tiles > limit:
            problem = f"makes {self._n_tiles} tiles on all layers; the limit is {limit}"
            raise entry.error(problem)

    def _placed(self, layers: Sequence[_Layer]) -> list[_Layer]:
        """Return layers with their gids; an infinite map is the box around all its tiles."""
        of_kinds = (each for each in layers if each.role == KIND)
        boxes = [(*at, *np.add(at, gids.shape)) for each in of_kinds for at, gids in each.chunks]
        if self._is_infinite and boxes:
            top, left = np.min(boxes, 0)[:2].tolist()
            end, right = np.max(boxes, 0)[2:].tolist()
            self._origin, self._shape = (top, left), (end - top, right - left)
        n_decks = max((layer.deck for layer in layers if layer.role == KIND), default=0) + 1
        n_tiles = self._shape[0] * self._shape[1]
        check_tile_count(n_decks * n_tiles, self._file.max_surfaces)
        self._n_tiles, placed = 0, []
        for layer in layers:
            self._count_tiles(n_tiles, layer.entry)
            gids = np.zeros(self._shape, np.uint32)
            for (row, col), part in layer.chunks:
                top, left = row - self._origin[0], col - self._origin[1]
                inside = part[max(0, -top) :, max(0, -left) :]
                top, left = max(0, top), max(0, left)
                place = gids[top : top + inside.shape[0], left : left + inside.shape[1]]
                place[:] = inside[: place.shape[0], : place.shape[1]]
            placed.append(replace(layer, gids=gids, chunks=()))
        return placed

    def _ground(self, layers: Sequence[_Layer]) -> dict[str, Any]:
        """Return levels, kinds, decks and unknown fields of kinds as parameters of a map."""
        tiles = self._tiles(layers)
        table = np.zeros(max(tiles, default=0) + 1, _TILE)
        for gid, tile in tiles.items():
            number = tile.id if tile.level is None else tile.level
            table[gid] = bool(tile.kind), tile.level is not None, tile.level or 0, number
        decks = sorted({layer.deck for layer in layers if layer.role == KIND} | {0})
        surfaces = [
            self._surface([layer for layer in layers if layer.deck == deck], table)
            for deck in decks
        ]
        visible = {gid for gids, *_ in surfaces for gid in _distinct(gids)}
        kinds, kind_of, unknown = self._kinds(tiles, visible)
        # Levels below 0 raise all.
        lowest = min(int(level[gids > 0].min(initial=0)) for gids, level, _ in surfaces)
        parts = [NO_DECKS]
        for deck, (gids, level, thickness) in zip(decks[1:], surfaces[1:], strict=True):
            row, col = at = np.nonzero(gids)
            part = np.zeros(len(row), DECK)
            part["row"], part["col"], part["deck"] = row, col, deck
            part["kind"], part["level"] = kind_of[gids[at]], level[at] - lowest
            part["thickness"] = thickness[at]
            parts.append(part)
        gids, level, _ = surfaces[0]
        fields = {"level": np.maximum(level - lowest, 0), "kind": kind_of[gids], "kinds": kinds}
        return {**fields, "decks": np.concatenate(parts), "unknown_fields": unknown}

    def _tiles(self, layers: Sequence[_Layer]) -> dict[int, Tile]:
        """Return the tiles of layers by their gids, and all tiles of a tileset of kinds.

        A tileset may have lost tiles since the map was painted: they are kinds by number, but what
        numbers they stood for is not known.
        """
        tiles = dict(self._tilesets.kinds())
        for layer in sorted(layers, key=lambda layer: layer.role != KIND):
            for gid in _distinct(layer.gids):
                tile = self._tilesets.tile(gid)
                if tile is None or (tile.is_lost and layer.role != KIND):
                    raise layer.entry.error(f"tile {gid} is in no tileset", "data")
                if tile.is_lost:
                    self._lost[f"tiles that {quoted(tile.tileset_name)} has lost"] = None
                # One that layers of numbers alone use is no kind.
                tiles.setdefault(gid, tile if layer.role == KIND else replace(tile, kind=""))
            if len(tiles) > MAX_PARTS:
                raise layer.entry.error(f"uses more than {MAX_PARTS} distinct tiles", "data")
        return dict(sorted(tiles.items(), key=lambda pair: pair[0]))

    def _surface(
        self, layers: Sequence[_Layer], table: NDArray[np.void]
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return (rows, cols) gids, levels and thicknesses of one deck."""
        gids, is_named = np.zeros(self._shape, np.uint32), np.zeros(self._shape, bool)
        level, thickness = np.zeros(self._shape, np.int32), np.ones(self._shape, np.int32)
        for layer in (layer for layer in layers if layer.role == KIND):
            above, is_tile = layer.gids, layer.gids > 0
            if (is_tile & (gids > 0)).any():
                self._lost["tiles under others"] = None
            names = is_tile & table["is_named"][above]
            np.copyto(gids, above, where=is_tile & (names | ~is_named))
            is_named |= names
            sets_level = table["has_level"][above] if layer.level is None else is_tile
            own_level = table["level"][above] + np.int32(layer.level or 0)
            np.copyto(level, own_level, where=sets_level)
        for layer in (layer for layer in layers if layer.role != KIND):
            target = level if layer.role == LEVEL else thickness
            np.copyto(target, table["number"][layer.gids], where=layer.gids > 0)
        return gids, level, thickness

    def _kinds(
        self, tiles: Mapping[int, Tile], visible: set[int]
    ) -> tuple[tuple[TileKind, ...], IntArray, UnknownFields]:
        """Return the table of kinds, the kind of each gid, and unknown fields of kinds."""
        # Kinds that only covered tiles have, and no tile names, are left out.
        shown = {gid: tile for gid, tile in tiles.items() if tile.kind or gid in visible}
        names = {gid: each.kind or f"{each.tileset_name} {each.id}" for gid, each in shown.items()}
        if len({*names.values()} - {VOID.name}) > _MAX_KINDS:
            more = f"kinds beyond {_MAX_KINDS}: tiles without one share that of a tileset"
            self._lost[more] = None
            names = {gid: tile.kind or tile.tileset_name for gid, tile in shown.items()}
        kinds: dict[str, TileKind] = {}
        unknown: UnknownFields = {}
        for gid, name in names.items():
            if name not in kinds:
                tile = tiles[gid]
                try:
                    kinds[name], others = make_kind(name, tile)
                except (TypeError, ValueError) as error:
                    raise tile.tileset.error(f"tile {tile.id}: {error}") from None
                unknown |= {("kinds", name): others} if others else {}
        is_void = kinds.keys() <= {VOID.name}
        with self._top.naming("tilesets"):
            table = kind_table([*kinds.values(), *KINDS[:is_void]])
        index = {kind.name: place for place, kind in enumerate(table)}
        kind_of = np.full(max(tiles, default=0) + 1, index[VOID.name])
        for gid, name in names.items():
            kind_of[gid] = index[name]
        return table, kind_of, unknown

    def _objects_of(self, layer: _Layer) -> Iterator[MapObject]:
        """Yield the objects of a layer, with what they have of their templates."""
        for entry in layer.entry.objects("objects", []):
            self._count_part(entry)
            values, tilesets, template = properties(entry), self._tilesets, None
            if "template" in entry.given:
                template = self._files.read(entry, "template", "template")
            if template is not None:
                if "gid" not in entry.given:
                    tilesets = self._tilesets_of(template)
                base = template.object("object")
                values.given = {**properties(base).given, **values.given}
                entry.given = {**base.given, **entry.given}
            gid = entry.whole("gid", 0, 2**32 - 1, 0)
            if "gid" in entry.given and not gid & GID_BITS:
                gid = 0
                self._lost["tiles of objects that are lost"] = None
            tile = tilesets.tile(gid & GID_BITS) or Tile(Fields({}), 0)
            name = text_or_json(entry, "name", "")
            yield MapObject(entry, name, values, layer.offset, gid, tile.tileset, tile.size_px)

    def _tilesets_of(self, template: Fields) -> Tilesets:
        """Return the tilesets of a template: one, or none."""
        if id(template) not in self._templates:
            listed = [template.object("tileset")] if "tileset" in template.given else []
            self._templates[id(template)] = Tilesets(listed, self._files)
        return self._templates[id(template)]


def _distinct(gids: IntArray) -> list[int]:
    """Return the distinct gids of an array but 0, sorted."""
    counts = np.bincount(gids.ravel())
    distinct: list[int] = (np.flatnonzero(counts[1:]) + 1).tolist()
    return distinct


def _role_of(layer: Fields, roles: Sequence[str]) -> str:
    """Return the role that the class or the name of a layer says, "" for none."""
    words = [layer.text(name, "").casefold() for name in ("class", "name")]
    found = (role for word in words for role in roles if word in (role, f"{role}s"))
    return next(found, "")


def _decoded(value: Json, encoding: str, compression: str, count: int) -> NDArray[Any]:
    """Return `count` gids with their flags; `ValueError` if the data of a layer is something else.

    The encoding is that of a text; a list needs none.
    """
    if isinstance(value, str):
        if encoding == "base64":
            return unpack(value, "<u4", count, compression)
        if encoding != "csv":
            raise ValueError(f"encoding must be csv or base64, got {quoted(encoding)}")
        if value.count(",") > count:
            raise ValueError(f"holds more than {count} tiles")
        try:
            value = json.loads(f"[{value.strip().removesuffix(',')}]")
        except (ValueError, RecursionError):
            value = [None]
    if not isinstance(value, list):
        raise ValueError("must be a list of gids or text")
    is_number = set(map(type, value)) <= {int}
    if value and not (is_number and min(value) >= 0 and max(value) < 2**32):
        raise ValueError(f"must hold whole numbers in 0..{2**32 - 1}")
    if len(value) != count:
        raise ValueError(f"holds {len(value)} tiles, must be {count}")
    return np.array(value, np.uint32)
