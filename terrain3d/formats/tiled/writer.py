"""Write maps for Tiled, as its JSON, `.tmj`, or its XML, `.tmx`.

Kinds are the tiles of one tileset. Levels are the tiles of another, so both can be painted in
Tiled. Each tileset has a picture beside the map, one PNG with a palette. Decks are further layers.
Links, walls, units and waypoints are objects.
"""

import base64
import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import quoted
from terrain3d.core.files import png, warn_of_losses
from terrain3d.formats import json_text
from terrain3d.formats.tiled.documents import JSON_MARK, resolve_inside
from terrain3d.formats.tiled.reader import (
    ALL_KINDS,
    KIND_FIELDS,
    LEVEL,
    NO_ENTRY,
    THICKNESS,
    Layout,
)
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import Color, TileKind, kind_fields, paint_of
from terrain3d.grid.links import Link, Wall
from terrain3d.map.tilemap import Extras, Json, TileMap

MAX_COLORS = 255
"""Limit on different colors of one picture; one entry of its palette is transparent."""

_VERSIONS = {"version": "1.10", "tiledversion": "1.10.0"}
_XML_TEXT = re.compile(r"[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
_ZLIB_LEVEL = 4
_SQUARE_PX, _HEX_SIDE_PX = 32, 16
_HEX_TILE_PX = {"y": (28, 32), "x": (32, 28)}
_MIN_NUMBERS = 16
"""The tileset of numbers has at least those below this one, so that they can be painted."""
_NUMBER_ALPHA = 110
"""Opacity, of 255, of the gray tiles of numbers over the ground."""
_MAP_PROPERTIES = ("step_height", "extras")


def write(tilemap: TileMap, path: Path) -> dict[str, bytes]:
    """Write a map as Tiled's JSON if the suffix of its path is .tmj, else as its XML.

    The pictures of the tilesets, beside it, are named "<map>-<tileset>.png". `ValueError` if the
    map's name is one that no file may refer to.
    """
    name = f"{path.stem}-.png"
    if resolve_inside(path.parent, name, path.parent) != path.parent.resolve() / name:
        raise ValueError(f"no map can refer to files named after {path.name!r}")
    is_json = path.suffix.lower() == ".tmj"
    writer = _MapWriter(tilemap, path.stem)
    fields = writer.fields()
    data = json.dumps(fields, allow_nan=False, indent=1).encode() if is_json else _to_xml(fields)
    if writer.lost:
        warn_of_losses(path, [f"left out: {', '.join(writer.lost)}"])
    return {**writer.pictures, path.name: data}


def _picture(colors: Sequence[str], is_inside: NDArray[np.bool_]) -> tuple[bytes, Extras]:
    """Return a PNG of tiles in reading order, and fields of a tileset about it.

    Parameters
    ----------
    colors : sequence of str
        The color of each tile, #aarrggbb, with at most MAX_COLORS different ones.
    is_inside : (height, width) bool
        The pixels of a tile that are not transparent.
    """
    palette = {color: number for number, color in enumerate(dict.fromkeys(colors), start=1)}
    columns, (height, width) = math.isqrt(len(colors) - 1) + 1, is_inside.shape
    rows = -(-len(colors) // columns)
    numbers = np.zeros(rows * columns, np.uint8)
    numbers[: len(colors)] = [palette[color] for color in colors]
    pixels = np.einsum("rc,yx->rycx", numbers.reshape(rows, columns), is_inside)
    entries = b"".join(bytes.fromhex(color[1:]) for color in ["#00000000", *palette])
    fields = {"imagewidth": columns * width, "imageheight": rows * height, "columns": columns}
    return png(pixels.reshape(rows * height, columns * width), entries), fields


def _layout_of(topology: str) -> Layout:
    """Return the layout that a topology is written in."""
    if topology == "square":
        return Layout("orthogonal", (_SQUARE_PX, _SQUARE_PX))
    axis = "y" if topology.endswith("r") else "x"
    return Layout("hexagonal", _HEX_TILE_PX[axis], axis, "odd" in topology, _HEX_SIDE_PX)


def _layout_fields(layout: Layout) -> Extras:
    """Return a layout as fields of a map."""
    width, height = layout.tile_px
    fields: Extras = {"orientation": layout.orientation, "tilewidth": width, "tileheight": height}
    if layout.axis:
        fields |= {"hexsidelength": layout.side_px, "staggeraxis": layout.axis}
        fields["staggerindex"] = "odd" if layout.is_odd else "even"
    return fields


@cache
def _is_inside(layout: Layout) -> NDArray[np.bool_]:
    """Return (height, width) whether a pixel of a tile's picture is within its outline."""
    (width, height), tile = layout.tile_px, (2, 2)  # with others around
    x, y = layout.center_px(tile)
    left, top = x - width / 2 + 0.5, y - height / 2 + 0.5
    rows = ([(left + col, top + row) for col in range(width)] for row in range(height))
    return np.array([[layout.position_at(*point) == tile for point in row] for row in rows])


class _MapWriter:
    """Makes the fields of Tiled's JSON from a map, and the pictures beside one of a name."""

    def __init__(self, tilemap: TileMap, stem: str) -> None:
        self.lost: list[str] = []
        self.pictures: dict[str, bytes] = {}
        self._tilemap, self._stem = tilemap, stem
        self._layout = _layout_of(tilemap.topology)
        self._is_inside = _is_inside(self._layout)
        self._layers: list[Extras] = []
        self._n_objects = 0
        self._first_number_gid = 1 + len(tilemap.kinds)
        decks = tilemap.decks
        found = (tilemap.level.ravel(), decks["level"], decks["thickness"], range(_MIN_NUMBERS))
        counts = np.bincount(np.concatenate([np.asarray(part, np.int64) for part in found]))
        self._numbers = np.flatnonzero(counts)
        self._gid_of = np.cumsum(counts > 0) + self._first_number_gid - 1

    def fields(self) -> Extras:
        """Return all fields of the map."""
        tilemap, (rows, cols) = self._tilemap, self._tilemap.level.shape
        extras = json_text.plain(tilemap.extras)
        json_text.check(extras)
        values: Extras = {"step_height": float(tilemap.step_height)}
        self._add_tiles("ground", {}, tilemap.kind.astype(np.int64) + 1)
        self._add_tiles(LEVEL, {}, self._gid_of[tilemap.level])
        self._add_decks()
        metadata = extras.get("metadata")
        if isinstance(metadata, dict) and metadata and _is_flat(metadata, _MAP_PROPERTIES):
            values |= extras.pop("metadata")
        for name, pairs in (("links", tilemap.links), ("walls", tilemap.walls)):
            self._add_objects(name, map(self._pair, pairs))
        for name in ("units", "waypoints"):
            entries = extras.get(name)
            if isinstance(entries, list) and all(map(self._is_point, entries)):
                points = extras.pop(name)
                self._add_objects(name, (self._point(name[:-1], entry) for entry in points))
        if extras:
            values["extras"] = extras
        tilesets = self._tilesets()
        if any(name == "decks" for name, _ in tilemap.unknown_fields):
            self.lost.append("fields of decks that this program does not know")
        return {
            **{"type": "map", **_VERSIONS, **_layout_fields(self._layout)},
            **{"renderorder": "right-down", "width": cols, "height": rows, "infinite": False},
            **{"nextlayerid": len(self._layers) + 1, "nextobjectid": self._n_objects + 1},
            "properties": _properties(values),
            "tilesets": tilesets,
            "layers": self._layers,
        }

    def _tilesets(self) -> list[Extras]:
        numbers, kinds = self._numbers, self._tilemap.kinds
        kind_tiles = [self._kind_tile(number, kind) for number, kind in enumerate(kinds)]
        number_tiles = [
            {"id": tile, "properties": _properties({"level": number})}
            for tile, number in enumerate(numbers.tolist())
            if tile != number
        ]
        lightest = MAX_COLORS - 1
        grays = np.minimum(lightest * numbers // max(1, self._tilemap.level.max()), lightest)
        faint = [f"#{_NUMBER_ALPHA:02x}" + 3 * f"{gray:02x}" for gray in grays.tolist()]
        colors = [_hex(kind.color) for kind in kinds if kind.color is not None]
        return [
            self._tileset(1, ALL_KINDS, kind_tiles, colors),
            self._tileset(self._first_number_gid, "numbers", number_tiles, faint),
        ]

    def _tileset(self, first_gid: int, name: str, tiles: list[Extras], colors: list[str]) -> Extras:
        width, height = self._layout.tile_px
        image = f"{self._stem}-{name}.png"
        self.pictures[image], size = _picture(colors, self._is_inside)
        return {
            **{"firstgid": first_gid, "name": name, "tilewidth": width, "tileheight": height},
            **{"tilecount": len(colors), "margin": 0, "spacing": 0, "image": image, **size},
            "tiles": tiles,
        }

    def _kind_tile(self, number: int, kind: TileKind) -> Extras:
        values: Extras = kind_fields(kind)
        name, color, tags = values.pop("name"), values.pop("color"), sorted(values.pop("tags"))
        is_plain = all(tag == tag.strip() and "," not in tag for tag in tags)
        values["cost"] = NO_ENTRY if kind.cost is None else kind.cost
        values["tags"] = ", ".join(tags) if is_plain else tags
        taken = (*KIND_FIELDS, "kind", "level")
        own = self._tilemap.unknown_fields.get(("kinds", name), {})
        values |= self._unless_taken(own, taken, f"the kind {quoted(name)}")
        tile: Extras = {"id": number, "type": name}
        if not _is_xml(name):
            tile, values = {"id": number}, {"kind": name, **values}
        properties = _properties(values)
        if color != paint_of(kind.texture).color:
            # Tiled rounds its colors: others are lists of numbers.
            is_exact = color == tuple(round(part * 255) / 255 for part in color)
            typed = {"type": "color", "value": _hex(color)} if is_exact else _typed(color)
            properties.append({"name": "color", **typed})
        return {**tile, "properties": properties}

    def _unless_taken(self, values: Mapping[str, Json], taken: Sequence[str], owner: str) -> Extras:
        """Return the values that can be properties of their own; the others are lost."""
        kept = {name: value for name, value in values.items() if _is_flat([name], taken)}
        self.lost += [f"{quoted(name)} of {owner}" for name in values if name not in kept]
        return dict(json_text.plain(kept))

    def _add_layer(self, layer_type: str, name: str, fields: Extras) -> None:
        number = len(self._layers) + 1
        shown = {"visible": True, "opacity": 1}
        self._layers.append({"id": number, "name": name, "type": layer_type, **shown, **fields})

    def _add_tiles(self, name: str, fields: Extras, gids: NDArray[np.integer]) -> None:
        rows, cols = gids.shape
        size: Extras = {"width": cols, "height": rows, "x": 0, "y": 0}
        packed = zlib.compress(gids.astype("<u4").tobytes(), _ZLIB_LEVEL)
        data = {"encoding": "base64", "compression": "zlib"}
        data["data"] = base64.b64encode(packed).decode("ascii")
        self._add_layer("tilelayer", name, {**size, **fields, **data})

    def _add_decks(self) -> None:
        decks = self._tilemap.decks
        for deck in np.unique(decks["deck"]).tolist():
            of_deck, values = decks[decks["deck"] == deck], _properties({"deck": deck})
            layers = {f"deck {deck}": of_deck["kind"] + 1}
            layers |= {role: self._gid_of[of_deck[role]] for role in (LEVEL, THICKNESS)}
            for name, numbers in layers.items():
                gids = np.zeros(self._tilemap.level.shape, np.int64)
                gids[of_deck["row"], of_deck["col"]] = numbers
                self._add_tiles(name, {"properties": values}, gids)

    def _add_objects(self, name: str, objects: Iterable[Extras]) -> None:
        fields: Extras = {"draworder": "topdown", "objects": [*objects]}
        self._add_layer("objectgroup", name, fields)

    def _pair(self, pair: Link | Wall) -> Extras:
        """Return the object of a link or a wall: a line."""
        role, (start, end) = type(pair).__name__.lower(), (pair.start, pair.end)
        values: Extras = {"deck": start.deck, "end_deck": end.deck, **vars(pair)}
        for name in ("start", "end", "extras"):
            del values[name]
        values |= self._unless_taken(pair.extras, tuple(values), f"the {role} {start} to {end}")
        (x, y), (end_x, end_y) = map(self._center_px, (start, end))
        line = [{"x": 0, "y": 0}, {"x": end_x - x, "y": end_y - y}]
        return self._object(role, start, values, {"polyline": line})

    def _is_point(self, entry: Json) -> bool:
        """Return whether a unit or a waypoint can be written as an object."""
        if not (isinstance(entry, dict) and isinstance(entry.get("cell"), list)):
            return False
        cell, shape = entry["cell"], (*self._tilemap.level.shape, MAX_DECKS + 1)
        is_cell = 2 <= len(cell) <= 3 and all(
            type(part) is int and 0 <= part < size for part, size in zip(cell, shape, strict=False)
        )
        return is_cell and _is_flat(entry, ("deck",))

    def _point(self, role: str, entry: Mapping[str, Json]) -> Extras:
        """Return the object of a unit or a waypoint."""
        cell = Cell(*entry["cell"])
        values = {name: value for name, value in entry.items() if name != "cell"}
        values |= {"deck": cell.deck} if len(entry["cell"]) > 2 else {}
        return self._object(role, cell, values, {"point": True})

    def _object(self, role: str, cell: Cell, values: Extras, shape: Extras) -> Extras:
        self._n_objects += 1
        x, y = self._center_px(cell)
        entry: Extras = {"id": self._n_objects, "type": role, "x": x, "y": y}
        entry |= {"width": 0, "height": 0, "rotation": 0, "visible": True, **shape}
        if values.get("name") and _is_xml(values["name"]):
            entry["name"] = values.pop("name")
        return {**entry, "properties": _properties(values)} if values else entry

    def _center_px(self, cell: Cell) -> tuple[float, float]:
        return self._layout.center_px((cell.row, cell.col))


def _hex(color: Color) -> str:
    """Return a color as #aarrggbb."""
    return "#ff" + "".join(f"{round(part * 255):02x}" for part in color)


def _is_xml(text: object) -> bool:
    """Return whether a value is a text that XML can hold."""
    return isinstance(text, str) and _XML_TEXT.fullmatch(text) is not None


def _is_flat(names: Iterable[str], taken: Sequence[str]) -> bool:
    """Return whether values can be properties of their own, with names that are not taken."""
    return all(name and _is_xml(name) and name not in taken for name in names)


def _properties(values: Mapping[str, Json]) -> list[Extras]:
    """Return values as a list of custom properties."""
    return [{"name": name, **_typed(value)} for name, value in values.items()]


def _typed(value: Json) -> Extras:
    match value:
        case bool():
            return {"type": "bool", "value": value}
        case int() if -(2**31) <= value < 2**31:
            return {"type": "int", "value": value}
        case float() if math.isfinite(value):
            return {"type": "float", "value": value}
        case str() if _is_xml(value) and not value.startswith(JSON_MARK):
            return {"type": "string", "value": value}
    return {"type": "string", "value": JSON_MARK + json.dumps(value, allow_nan=False)}


_CHILDREN = {
    **{"properties": "property", "tilesets": "tileset", "tiles": "tile", "layers": "layer"},
    "objects": "object",
}
"""The elements of XML that a list of JSON becomes."""
_ELEMENTS = (
    *("image", "imagewidth", "imageheight", "encoding", "compression", "data"),
    *("point", "polyline", *_CHILDREN),
)
"""Fields that are elements of their own."""


def _to_xml(fields: Extras) -> bytes:
    """Return a map as XML."""
    top = _element("map", fields)
    indent(top, " ")
    data: bytes = tostring(top, "utf-8", xml_declaration=True)
    return data + b"\n"


def _element(name: str, fields: Extras) -> Element:
    others = (*_ELEMENTS, "type") if name in ("map", "layer", "objectgroup") else _ELEMENTS
    element = Element(name, {key: _xml_value(fields[key]) for key in fields if key not in others})
    if name == "property" and fields["type"] == "bool":
        element.set("value", str(fields["value"]).lower())
    if fields.get("properties"):
        wrapper = SubElement(element, "properties")
        wrapper.extend([_element("property", entry) for entry in fields["properties"]])
    if "image" in fields:
        size = {key: str(fields[f"image{key}"]) for key in ("width", "height")}
        SubElement(element, "image", {"source": fields["image"], **size})
    for key, child in _CHILDREN.items():
        for entry in fields.get(key, ()) if key != "properties" else ():
            is_objects = entry.get("type") == "objectgroup"
            element.append(_element("objectgroup" if is_objects else child, entry))
    if "data" in fields:
        encoding = {key: fields[key] for key in ("encoding", "compression")}
        SubElement(element, "data", encoding).text = fields["data"]
    if "point" in fields:
        SubElement(element, "point")
    if "polyline" in fields:
        points = (f"{point['x']!r},{point['y']!r}" for point in fields["polyline"])
        SubElement(element, "polyline", {"points": " ".join(points)})
    return element


def _xml_value(value: Json) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return value if isinstance(value, str) else repr(value)
