"""Write maps for Tiled, as its XML, `.tmx`, or as the JSON, `.tmj`, that its reader makes of that.

Kinds are the tiles of one tileset. Levels are the tiles of another, so both can be painted in
Tiled. Each tileset has a picture beside the map. Decks are further layers. Links, walls, units and
waypoints are objects.
"""

import base64
import json
import math
import re
import sys
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element, indent, tostring

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import quoted
from terrain3d.core.files import png, resolve_inside, warn_of_losses
from terrain3d.formats import json_text
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled.objects import Layout
from terrain3d.formats.tiled.reader import (
    ALL_KINDS,
    JSON_MARK,
    KIND_FIELDS,
    LEVEL,
    NO_ENTRY,
    THICKNESS,
    XmlReader,
    layout_of,
)
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import TileKind, kind_fields, paint_of
from terrain3d.grid.links import Link, Wall
from terrain3d.map.tilemap import Extras, Json, TileMap

_VERSIONS = {"version": "1.10", "tiledversion": "1.10.0"}
_XML_TEXT = re.compile(r"[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
_COLOR = re.compile(r"#[0-9a-f]{8}")
_ZLIB_LEVEL = 4
_HEXAGONS: Extras = {"orientation": "hexagonal", "hexsidelength": 16}
_LAYOUTS: Mapping[str, Extras] = {
    "square": {"orientation": "orthogonal", "tilewidth": 32, "tileheight": 32},
    "r": {**_HEXAGONS, "tilewidth": 28, "tileheight": 32, "staggeraxis": "y"},
    "q": {**_HEXAGONS, "tilewidth": 32, "tileheight": 28, "staggeraxis": "x"},
}
"""Fields of a map by its topology, hexagonal ones by their last letter."""
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
    writer = _MapWriter(tilemap, path.stem)
    top = writer.top()
    indent(top, " ")
    data: bytes = tostring(top, "utf-8", xml_declaration=True) + b"\n"
    if path.suffix.lower() == ".tmj":
        kind, fields = XmlReader(sys.maxsize).read(data)
        data = json.dumps({"type": kind, **fields}, allow_nan=False, indent=1).encode()
    if writer.lost:
        warn_of_losses(path, [f"left out: {', '.join(writer.lost)}"])
    return {**writer.pictures, path.name: data}


@cache
def _is_inside(layout: Layout) -> NDArray[np.bool_]:
    """Return (height, width) whether a pixel of a tile's picture is within its outline."""
    (width, height), tile = layout.tile_px, (2, 2)  # with others around
    x, y = layout.center_px(tile)
    left, top = x - width / 2 + 0.5, y - height / 2 + 0.5
    rows = ([(left + col, top + row) for col in range(width)] for row in range(height))
    return np.array([[layout.position_at(*point) == tile for point in row] for row in rows])


class _MapWriter:
    """Makes the XML of a map, and the pictures beside one of a name."""

    def __init__(self, tilemap: TileMap, stem: str) -> None:
        self.lost: list[str] = []
        self.pictures: dict[str, bytes] = {}
        self._tilemap, self._stem = tilemap, stem
        topology = tilemap.topology
        index = {} if topology == "square" else {"staggerindex": topology.split("_")[1]}
        self._layout_fields = _LAYOUTS[topology.split("_")[-1]] | index
        self._layout = layout_of(Fields(self._layout_fields))
        self._layers: list[Element] = []
        self._n_objects = 0
        self._first_number_gid = 1 + len(tilemap.kinds)
        decks = tilemap.decks
        found = (tilemap.level.ravel(), decks["level"], decks["thickness"], range(_MIN_NUMBERS))
        counts = np.bincount(np.concatenate([np.asarray(part, np.int64) for part in found]))
        self._numbers = np.flatnonzero(counts)
        self._gid_of = np.cumsum(counts > 0) + self._first_number_gid - 1

    def top(self) -> Element:
        """Return the outermost element."""
        tilemap, (rows, cols) = self._tilemap, self._tilemap.level.shape
        extras = json_text.plain(tilemap.extras)
        json_text.check(extras)
        values: Extras = {"step_height": float(tilemap.step_height)}
        self._add_tiles("ground", tilemap.kind.astype(np.int64) + 1)
        self._add_tiles(LEVEL, self._gid_of[tilemap.level])
        self._add_decks()
        metadata = extras.get("metadata")
        if isinstance(metadata, dict) and metadata and metadata.keys().isdisjoint(_MAP_PROPERTIES):
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
        if any(name == "decks" for name, _ in tilemap.unknown_fields):
            self.lost.append("fields of decks that this program does not know")
        fields = {
            **{**_VERSIONS, **self._layout_fields, "renderorder": "right-down"},
            **{"width": cols, "height": rows, "infinite": 0},
            **{"nextlayerid": len(self._layers) + 1, "nextobjectid": self._n_objects + 1},
        }
        return _element("map", fields, values, *self._tilesets(), *self._layers)

    def _tilesets(self) -> list[Element]:
        numbers, kinds = self._numbers, self._tilemap.kinds
        kind_tiles = [self._kind_tile(number, kind) for number, kind in enumerate(kinds)]
        number_tiles = [
            _element("tile", {"id": tile}, {"level": number})
            for tile, number in enumerate(numbers.tolist())
            if tile != number
        ]
        grays = np.minimum(255 * numbers // max(1, self._tilemap.level.max()), 255)
        faint = np.stack((grays, np.full_like(grays, _NUMBER_ALPHA)), axis=1)
        colors = np.rint([np.multiply((*kind.color, 1), 255) for kind in kinds if kind.color])
        return [
            self._tileset(1, ALL_KINDS, kind_tiles, colors),
            self._tileset(self._first_number_gid, "numbers", number_tiles, faint),
        ]

    def _tileset(
        self, first_gid: int, name: str, tiles: Iterable[Element], colors: ArrayLike
    ) -> Element:
        """Return a tileset, and draw its picture, of (n, 2 or 4) colors with their opacity."""
        shown = np.asarray(colors, np.uint8)
        whole = shown.view(f"u{shown.shape[1]}").ravel()  # a color as one number
        count, (width, height) = len(shown), self._layout.tile_px
        columns = math.isqrt(count - 1) + 1
        rows = -(-count // columns)
        grid = np.pad(whole, (0, rows * columns - count)).reshape(rows, columns)
        pixels = np.einsum("rc,yx->rycx", grid, _is_inside(self._layout)).view(np.uint8)
        source = f"{self._stem}-{name}.png"
        self.pictures[source] = png(pixels.reshape(rows * height, columns * width, -1))
        fields = {
            **{"firstgid": first_gid, "name": name, "tilewidth": width, "tileheight": height},
            **{"tilecount": count, "columns": columns, "margin": 0, "spacing": 0},
        }
        size = {"width": columns * width, "height": rows * height}
        image = _element("image", {"source": source, **size})
        return _element("tileset", fields, None, image, *tiles)

    def _kind_tile(self, number: int, kind: TileKind) -> Element:
        values: Extras = kind_fields(kind)
        name, color, tags = values.pop("name"), values.pop("color"), sorted(values.pop("tags"))
        is_plain = all(tag == tag.strip() and "," not in tag for tag in tags)
        values["cost"] = NO_ENTRY if kind.cost is None else kind.cost
        values["tags"] = ", ".join(tags) if is_plain else tags
        if color != paint_of(kind.texture).color:
            # Tiled rounds its colors: others are lists of numbers.
            parts = bytes(round(part * 255) for part in color)
            is_exact = color == tuple(part / 255 for part in parts)
            values["color"] = f"#ff{parts.hex()}" if is_exact else color
        own = self._tilemap.unknown_fields.get(("kinds", name), {})
        taken = (*KIND_FIELDS, "kind", "level")
        values |= self._unless_taken(own, taken, f"the kind {quoted(name)}")
        return _element("tile", {"id": number, "type": _text(name)}, values)

    def _unless_taken(self, values: Mapping[str, Json], taken: Sequence[str], owner: str) -> Extras:
        """Return the values whose names are not those of properties of the format."""
        self.lost += [f"{quoted(name)} of {owner}" for name in values if name in taken]
        return {name: json_text.plain(values[name]) for name in values if name not in taken}

    def _add_layer(
        self, layer_type: str, fields: Extras, values: Extras | None, *inside: Element
    ) -> None:
        """Add a layer; Tiled's JSON has no defaults for whether and how it is shown."""
        shown = {"id": len(self._layers) + 1, "visible": 1, "opacity": 1}
        self._layers.append(_element(layer_type, {**shown, **fields}, values, *inside))

    def _add_tiles(
        self, name: str, gids: NDArray[np.integer], values: Extras | None = None
    ) -> None:
        rows, cols = gids.shape
        data = _element("data", {"encoding": "base64", "compression": "zlib"})
        packed = zlib.compress(gids.astype("<u4").tobytes(), _ZLIB_LEVEL)
        data.text = base64.b64encode(packed).decode("ascii")
        fields = {"name": name, "x": 0, "y": 0, "width": cols, "height": rows}
        self._add_layer("layer", fields, values, data)

    def _add_decks(self) -> None:
        decks = self._tilemap.decks
        for deck in np.unique(decks["deck"]).tolist():
            of_deck = decks[decks["deck"] == deck]
            layers = {f"deck {deck}": of_deck["kind"] + 1}
            layers |= {role: self._gid_of[of_deck[role]] for role in (LEVEL, THICKNESS)}
            for name, numbers in layers.items():
                gids = np.zeros(self._tilemap.level.shape, np.int64)
                gids[of_deck["row"], of_deck["col"]] = numbers
                self._add_tiles(name, gids, {"deck": deck})

    def _add_objects(self, name: str, objects: Iterable[Element]) -> None:
        self._add_layer("objectgroup", {"name": name, "draworder": "topdown"}, None, *objects)

    def _pair(self, pair: Link | Wall) -> Element:
        """Return the object of a link or a wall: a line."""
        role, (start, end) = type(pair).__name__.lower(), (pair.start, pair.end)
        values: Extras = {"deck": start.deck, "end_deck": end.deck, **vars(pair)}
        for name in ("start", "end", "extras"):
            del values[name]
        values |= self._unless_taken(pair.extras, tuple(values), f"the {role} {start} to {end}")
        (x, y), (end_x, end_y) = (self._layout.center_px(cell[:2]) for cell in (start, end))
        line = {"points": f"0,0 {end_x - x!r},{end_y - y!r}"}
        return self._object(role, start, values, _element("polyline", line))

    def _is_point(self, entry: Json) -> bool:
        """Return whether a unit or a waypoint can be written as an object."""
        if not (isinstance(entry, dict) and isinstance(entry.get("cell"), list)):
            return False
        cell, shape = entry["cell"], (*self._tilemap.level.shape, MAX_DECKS + 1)
        return (2 <= len(cell) <= 3 and "deck" not in entry) and all(
            type(part) is int and 0 <= part < size for part, size in zip(cell, shape, strict=False)
        )

    def _point(self, role: str, entry: Mapping[str, Json]) -> Element:
        """Return the object of a unit or a waypoint."""
        cell = Cell(*entry["cell"])
        values = {name: value for name, value in entry.items() if name != "cell"}
        values |= {"deck": cell.deck} if len(entry["cell"]) > 2 else {}
        return self._object(role, cell, values, _element("point", {}))

    def _object(self, role: str, cell: Cell, values: Extras, shape: Element) -> Element:
        self._n_objects += 1
        x, y = self._layout.center_px(cell[:2])
        fields: Extras = {"id": self._n_objects, "type": role, "x": x, "y": y}
        fields |= {"width": 0, "height": 0, "rotation": 0, "visible": 1}
        if values.get("name"):
            fields["name"] = _text(values.pop("name"))
        return _element("object", fields, values, shape)


def _element(name: str, fields: Extras, values: Extras | None = None, *inside: Element) -> Element:
    """Return an element with attributes, and in it custom properties and other elements."""
    element = Element(name)
    for key, value in fields.items():
        element.set(key, value if isinstance(value, str) else json.dumps(value))
    if values:
        properties = (_element("property", _property(*item)) for item in values.items())
        element.append(_element("properties", {}, None, *properties))
    element.extend(inside)
    return element


def _property(name: str, value: Json) -> Extras:
    """Return a custom property, of a type of Tiled."""
    fields: Extras = {"name": _text(name), "type": "string", "value": value}
    match value:
        case bool():
            return fields | {"type": "bool"}
        case int() if -(2**31) <= value < 2**31:
            return fields | {"type": "int"}
        case float() if math.isfinite(value):
            return fields | {"type": "float"}
        case str() if _COLOR.fullmatch(value):
            return fields | {"type": "color"}
    return fields | {"value": _text(value)}


def _text(value: Json) -> str:
    """Return a text that XML can hold; any other value is JSON after JSON_MARK."""
    if isinstance(value, str) and _XML_TEXT.fullmatch(value) and not value.startswith(JSON_MARK):
        return value
    return JSON_MARK + json.dumps(value, allow_nan=False)
