"""Write maps for Tiled, as its JSON, `.tmj`, or its XML, `.tmx`.

Kinds are the tiles of one tileset. Levels are the tiles of another, so both can be painted in
Tiled. Each tileset has a picture beside the map, one PNG with a palette, and may have a file of its
own. Decks are further layers. Links, walls, units and waypoints are objects.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import quoted
from terrain3d.formats import json_text
from terrain3d.formats.format import png, warn_of_losses
from terrain3d.formats.tiled.files import (
    HOLDS,
    MAX_BYTES,
    is_xml,
    listed_names,
    resolve_inside,
    write_properties,
)
from terrain3d.formats.tiled.orientation import Layout
from terrain3d.formats.tiled.tilesets import (
    FIELDS,
    KINDS,
    color_of,
    hex_color,
    is_color_exact,
    properties_of,
)
from terrain3d.grid.grid import Cell
from terrain3d.grid.links import Link, Wall
from terrain3d.map.tilemap import Entry, Extras, Json, TileMap

SUFFIXES = (".tsx", ".tsj")
"""Tiled's XML and its JSON."""

_LINE_OF_A_NUMBER = re.compile(r"\n *(?=[0-9]+,?\n)")

VERSIONS = {"version": "1.10", "tiledversion": "1.10.0"}
"""The format version in written files."""


MAX_PLAIN_GIDS = 2**17
"""So many gids on all layers together are plain numbers in JSON: not all programs unpack them."""

_ZLIB_LEVEL = 4
_MIN_NUMBERS = 16
"""The tileset of numbers has at least those below this one, so that they can be painted."""
_NUMBER_ALPHA = 110
"""Opacity, of 255, of the gray tiles of numbers over the ground."""
_ENDS = ("start", "end")
_PAIR_PROPERTIES = ("deck", "end_deck", "cost", "kind", "one_way")
_MAP_PROPERTIES = ("step_height", "level_height", "extras")
MAX_COLORS = 255
"""Limit on different colors of one picture; one entry of its palette is transparent."""


def to_json(fields: Extras) -> bytes:
    """Return a map or a tileset as Tiled's JSON, each list of numbers in one line."""
    text = json.dumps(fields, allow_nan=False, indent=1)
    return _LINE_OF_A_NUMBER.sub(" ", text).encode("ascii") + b"\n"


def columns_of(n_tiles: int) -> int:
    """Return the number of columns of the picture of some tiles."""
    return int(np.ceil(np.sqrt(n_tiles)))


def draw_atlas(
    colors: Sequence[str], size_px: tuple[int, int], insets_px: Sequence[int]
) -> tuple[bytes, tuple[int, int]]:
    """Return a PNG of tiles in reading order, and its (width, height).

    Parameters
    ----------
    colors : sequence of str
        The color of each tile, #aarrggbb or #rrggbb, with at most MAX_COLORS different ones.
    size_px : (width, height)
        Of one tile.
    insets_px : sequence of int
        The transparent pixels at each end of each line of a tile.
    """
    palette = {color: number for number, color in enumerate(dict.fromkeys(colors), start=1)}
    columns, (width, height) = columns_of(len(colors)), size_px
    rows = -(-len(colors) // columns)
    numbers = np.zeros(rows * columns, np.uint8)
    numbers[: len(colors)] = [palette[color] for color in colors]
    x, inset = np.arange(width), np.array(insets_px)[:, None]
    is_inside = (x >= inset) & (x < width - inset)
    pixels = np.einsum("rc,yx->rycx", numbers.reshape(rows, columns), is_inside)
    entries = (bytes.fromhex(color[1:].rjust(8, "f")) for color in ["#00000000", *palette])
    size = columns * width, rows * height
    return png(pixels.reshape(size[::-1]), b"".join(entries)), size


def write(tilemap: TileMap, path: Path) -> dict[str, bytes]:
    """Write a map as Tiled's JSON if the suffix of its path is .tmj, else as its XML.

    The pictures of the tilesets, beside it, are named "<map>-<tileset>.png".

    `ValueError` if the map's name is one that no file may refer to.
    """
    name = f"{path.stem}-.png"
    if resolve_inside(path.parent, name) != path.parent.resolve() / name:
        raise ValueError(f"no map can refer to files named after {path.name!r}")
    is_json = path.suffix.lower() == ".tmj"
    writer = _MapWriter(tilemap, path.stem, "", MAX_PLAIN_GIDS if is_json else 0)
    fields = writer.fields()
    data = to_json(fields) if is_json else write_map(fields)
    warn_of_losses(path, writer.notes)
    return {**writer.files, path.name: data}


class _MapWriter:
    """Makes the fields of Tiled's JSON from a map, and the files beside one of the name `stem`."""

    def __init__(self, tilemap: TileMap, stem: str, suffix: str, max_plain_gids: int) -> None:
        self.notes: list[str] = []
        self.files: dict[str, bytes] = {}
        """Content of the files beside the map, by name."""
        self._tilemap, self._stem, self._suffix = tilemap, stem, suffix
        self._layout = Layout.of_topology(tilemap.topology)
        self._layers: list[Extras] = []
        self._n_objects = 0
        self._first_number_gid = 1 + len(tilemap.kinds)
        decks = tilemap.decks
        n_layers = 2 + 3 * len(np.unique(decks["deck"]))
        self._has_plain_gids = n_layers * tilemap.level.size <= max_plain_gids
        found = (tilemap.level.ravel(), decks["level"], decks["thickness"], range(_MIN_NUMBERS))
        self._numbers = np.unique(np.concatenate([np.asarray(part, np.int64) for part in found]))

    def fields(self) -> Extras:
        """Return all fields of the map."""
        tilemap, rows, cols = self._tilemap, *self._tilemap.level.shape
        extras = json_text.plain(tilemap.extras)
        json_text.check(extras)
        values: Extras = {"step_height": float(tilemap.step_height)}
        self._add_tiles("ground", "", 0, tilemap.kind.astype(np.int64) + 1)
        self._add_tiles("level", "level", 0, self._number_gids(tilemap.level))
        self._add_decks()
        metadata = extras.get("metadata")
        if isinstance(metadata, dict) and metadata and _is_flat(metadata, _MAP_PROPERTIES):
            values |= extras.pop("metadata")
        self._add_pairs("link", tilemap.links)
        self._add_pairs("wall", tilemap.walls)
        for role in ("unit", "waypoint"):
            entries = extras.get(f"{role}s")
            if isinstance(entries, list) and all(map(self._is_point, entries)):
                self._add_points(role, extras.pop(f"{role}s"))
        if extras:
            values["extras"] = extras
        self._note_losses()
        return {
            **{"type": "map", **VERSIONS},
            **self._layout.fields(),
            **{"renderorder": "right-down", "width": cols, "height": rows, "infinite": False},
            **{"nextlayerid": len(self._layers) + 1, "nextobjectid": self._n_objects + 1},
            "properties": write_properties(values),
            "tilesets": self._tilesets(),
            "layers": self._layers,
        }

    def _tilesets(self) -> list[Extras]:
        kinds, numbers = self._tilemap.kinds, self._numbers
        colors = [hex_color(color_of(kind)) for kind in kinds]
        lightest = MAX_COLORS - 1
        grays = np.minimum(lightest * numbers // max(1, self._tilemap.level.max()), lightest)
        faint = [f"#{_NUMBER_ALPHA:02x}" + 3 * f"{gray:02x}" for gray in grays.tolist()]
        holds = {"properties": write_properties({HOLDS: KINDS})}
        tilesets = [
            self._tileset(1, "kinds", list(map(self._kind_tile, range(len(kinds)))), colors, holds),
            self._tileset(self._first_number_gid, "numbers", self._number_tiles(), faint, {}),
        ]
        return tilesets if not self._suffix else list(map(self._reference, tilesets))

    def _reference(self, tileset: Extras) -> Extras:
        """Make a file of a tileset, and return what refers to it."""
        own = {"type": "tileset", **VERSIONS, **tileset}
        name = f"{self._stem}-{tileset['name']}{self._suffix}"
        write = write_tileset if self._suffix == SUFFIXES[0] else to_json
        reference = {"firstgid": own.pop("firstgid"), "source": name}
        self.files[name] = write(own)
        size = sum(len(data) for name, data in self.files.items() if name.endswith(self._suffix))
        if size > MAX_BYTES:
            raise ValueError(f"external tilesets have at most {MAX_BYTES} bytes, got {size}")
        return reference

    def _number_tiles(self) -> list[Extras]:
        """Return tiles with the property "level" where it is not the number of the tile."""
        return [
            {"id": tile, "properties": write_properties({"level": number})}
            for tile, number in enumerate(self._numbers.tolist())
            if tile != number
        ]

    def _tileset(
        self, first_gid: int, name: str, tiles: list[Extras], colors: list[str], more: Extras
    ) -> Extras:
        width, height = self._layout.tile_px
        image = f"{self._stem}-{name}.png"
        self.files[image], size = draw_atlas(colors, (width, height), self._layout.insets_px)
        return {
            **{"firstgid": first_gid, "name": name, "tilewidth": width, "tileheight": height},
            **{"tilecount": len(colors), "columns": columns_of(len(colors))},
            **{"margin": 0, "spacing": 0},
            **{"image": image, "imagewidth": size[0], "imageheight": size[1]},
            **({"tiles": tiles} if tiles else {}),
            **more,
        }

    def _kind_tile(self, number: int) -> Extras:
        kind = self._tilemap.kinds[number]
        taken = (*FIELDS, "kind", "level", "height")
        values = properties_of(kind)
        values |= self._unknown_fields(("kinds", kind.name), taken)
        is_plain = is_xml(kind.name)
        properties = write_properties(values if is_plain else {"kind": kind.name, **values})
        color = hex_color(color_of(kind))
        properties.append({"name": "color", "type": "color", "value": color})
        return {"id": number, **({"type": kind.name} if is_plain else {}), "properties": properties}

    def _unknown_fields(self, entry: Entry, taken: Sequence[str]) -> Extras:
        """Return the unknown fields of an entry; note it if they cannot be written."""
        values = self._tilemap.unknown_fields.get(entry, {})
        if _is_flat(values, taken):
            return values
        self.notes.append(f"left out: fields of {quoted(entry)} that this program does not know")
        return {}

    def _add_layer(self, layer_type: str, name: str, fields: Extras) -> None:
        number = len(self._layers) + 1
        shown = {"visible": True, "opacity": 1}
        self._layers.append({"id": number, "name": name, "type": layer_type, **shown, **fields})

    def _add_tiles(self, name: str, holds: str, deck: int, gids: NDArray[np.integer]) -> None:
        rows, cols = gids.shape
        values = {**({HOLDS: holds} if holds else {}), **({"deck": deck} if deck else {})}
        fields = {
            **{"width": cols, "height": rows, "x": 0, "y": 0},
            **({"properties": write_properties(values)} if values else {}),
            **({"data": gids.ravel().tolist()} if self._has_plain_gids else _packed(gids)),
        }
        self._add_layer("tilelayer", name, fields)

    def _number_gids(self, numbers: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the gids of the tiles of some numbers."""
        return np.searchsorted(self._numbers, numbers) + self._first_number_gid

    def _add_decks(self) -> None:
        decks = self._tilemap.decks
        for deck in np.unique(decks["deck"]).tolist():
            of_deck, name = decks[decks["deck"] == deck], f"deck {deck}"
            layers = {name: ("", of_deck["kind"] + 1)}
            for role in ("level", "thickness"):
                layers[f"{name} {role}"] = role, self._number_gids(of_deck[role])
            for layer, (holds, values) in layers.items():
                gids = np.zeros(self._tilemap.level.shape, np.int64)
                gids[of_deck["row"], of_deck["col"]] = values
                self._add_tiles(layer, holds, deck, gids)

    def _add_pairs(self, role: str, pairs: Sequence[Link] | Sequence[Wall]) -> None:
        entries = []
        for pair in pairs:
            properties = {"deck": pair.start.deck, "end_deck": pair.end.deck}
            properties |= {name: value for name, value in vars(pair).items() if name not in _ENDS}
            entry = f"{role}s", (pair.start, pair.end)
            properties |= self._unknown_fields(entry, _PAIR_PROPERTIES)
            (x, y), (end_x, end_y) = map(self._center_px, (pair.start, pair.end))
            line = [{"x": 0, "y": 0}, {"x": end_x - x, "y": end_y - y}]
            entries.append(self._object(role, (x, y), properties, {"polyline": line}))
        if entries:
            self._add_layer("objectgroup", f"{role}s", {"objects": entries})

    def _add_points(self, role: str, points: Iterable[Mapping[str, Json]]) -> None:
        entries = []
        for point in points:
            properties = {name: value for name, value in point.items() if name != "cell"}
            fields: Extras = {"point": True}
            if properties.get("name") and is_xml(properties["name"]):
                fields = {"name": properties.pop("name"), "point": True}
            if len(point["cell"]) > 2:
                properties["deck"] = point["cell"][2]
            center_px = self._center_px(Cell(*point["cell"]))
            entries.append(self._object(role, center_px, properties, fields))
        self._add_layer("objectgroup", f"{role}s", {"objects": entries})

    def _object(
        self, role: str, point_px: tuple[float, float], properties: Extras, fields: Extras
    ) -> Extras:
        self._n_objects += 1
        x, y = point_px
        shape = {"x": x, "y": y, "width": 0, "height": 0, "rotation": 0, "visible": True}
        entry = {"id": self._n_objects, "type": role, **shape, **fields}
        return {**entry, "properties": write_properties(properties)} if properties else entry

    def _center_px(self, cell: Cell) -> tuple[float, float]:
        return self._layout.center_px((cell.row, cell.col))

    def _is_point(self, entry: Json) -> bool:
        """Return whether a unit or a waypoint can be written as an object."""
        if not (isinstance(entry, dict) and isinstance(entry.get("cell"), list)):
            return False
        cell, shape = entry["cell"], (*self._tilemap.level.shape, 2**8)
        is_cell = 2 <= len(cell) <= 3 and all(
            type(part) is int and 0 <= part < size for part, size in zip(cell, shape, strict=False)
        )
        return is_cell and _is_flat(entry, ("deck",))

    def _note_losses(self) -> None:
        tilemap = self._tilemap
        rounded = [kind.name for kind in tilemap.kinds if not is_color_exact(kind)]
        if rounded:
            names = listed_names(rounded)
            self.notes.append(f"colors are rounded to 1/255: {names}")
        if any(name == "decks" for name, _ in tilemap.unknown_fields):
            self.notes.append("left out: fields of decks that this program does not know")


def _packed(gids: NDArray[np.integer]) -> Extras:
    """Return gids as the fields of a compressed layer."""
    packed = zlib.compress(gids.astype("<u4").tobytes(), _ZLIB_LEVEL)
    data = base64.b64encode(packed).decode("ascii")
    return {"encoding": "base64", "compression": "zlib", "data": data}


def _is_flat(values: Mapping[str, Json], taken: Sequence[str]) -> bool:
    """Return whether each value can be a property of its own, with a name that is not taken."""
    return all(name and is_xml(name) and name not in taken for name in values)


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
