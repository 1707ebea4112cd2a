"""Write maps for Tiled, as its JSON, `.tmj`, or its XML, `.tmx`.

Kinds are the tiles of one tileset. Levels are the tiles of another, so both can be painted in
Tiled. Each tileset has a picture in a file beside the map. Decks are further layers. Links, walls,
units and waypoints are objects.
"""

import base64
import zlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell
from terrain3d.grid.links import Link, Wall
from terrain3d.mapfile import json_text
from terrain3d.mapfile.record import Entry, Extras, FileContent, Json, MapRecord
from terrain3d.mapfile.tiled import tile_kinds, tmx_writer
from terrain3d.mapfile.tiled.external_tilesets import VERSIONS, TilesetFiles, to_json
from terrain3d.mapfile.tiled.notes import quoted
from terrain3d.mapfile.tiled.orientation import Layout
from terrain3d.mapfile.tiled.properties import HOLDS, is_xml
from terrain3d.mapfile.tiled.properties import write as write_properties
from terrain3d.mapfile.tiled.tile_atlas import MAX_COLORS, columns_of, draw_atlas
from terrain3d.mapfile.tiled.tilesets import KINDS

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


def write_tmj(record: MapRecord, tileset_files: TilesetFiles) -> FileContent:
    """Write a map as Tiled's JSON, with embedded or external tilesets."""
    writer = _MapWriter(record, tileset_files, MAX_PLAIN_GIDS)
    fields = writer.fields()
    return FileContent(to_json(fields), tuple(writer.notes), writer.files)


def write_tmx(record: MapRecord, tileset_files: TilesetFiles) -> FileContent:
    """Write a map as Tiled's XML, with embedded or external tilesets."""
    writer = _MapWriter(record, tileset_files)
    fields = writer.fields()
    return FileContent(tmx_writer.write_map(fields), tuple(writer.notes), writer.files)


class _MapWriter:
    """Makes the fields of Tiled's JSON from a map."""

    def __init__(
        self, record: MapRecord, tileset_files: TilesetFiles, max_plain_gids: int = 0
    ) -> None:
        self.notes: list[str] = []
        self.files: dict[str, bytes] = {}
        """Content of the files beside the map, by name."""
        self._record, self._tileset_files = record, tileset_files
        self._layout = Layout.of_topology(record.topology)
        self._layers: list[Extras] = []
        self._n_objects = 0
        self._first_number_gid = 1 + len(record.kinds)
        decks = record.decks
        n_layers = 2 + 3 * len(np.unique(decks["deck"]))
        self._has_plain_gids = n_layers * record.level.size <= max_plain_gids
        found = (record.level.ravel(), decks["level"], decks["thickness"], range(_MIN_NUMBERS))
        self._numbers = np.unique(np.concatenate([np.asarray(part, np.int64) for part in found]))

    def fields(self) -> Extras:
        """Return all fields of the map."""
        record, rows, cols = self._record, *self._record.level.shape
        json_text.check(record.extras)
        values: Extras = {"step_height": float(record.step_height)}
        self._add_tiles("ground", "", 0, record.kind.astype(np.int64) + 1)
        self._add_tiles("level", "level", 0, self._number_gids(record.level))
        self._add_decks()
        extras = dict(record.extras)
        metadata = extras.get("metadata")
        if isinstance(metadata, dict) and metadata and _is_flat(metadata, _MAP_PROPERTIES):
            values |= extras.pop("metadata")
        self._add_pairs("link", record.links)
        self._add_pairs("wall", record.walls)
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
        kinds, numbers = self._record.kinds, self._numbers
        colors = [tile_kinds.hex_color(tile_kinds.color_of(kind)) for kind in kinds]
        lightest = MAX_COLORS - 1
        grays = np.minimum(lightest * numbers // max(1, self._record.level.max()), lightest)
        faint = [f"#{_NUMBER_ALPHA:02x}" + 3 * f"{gray:02x}" for gray in grays.tolist()]
        holds = {"properties": write_properties({HOLDS: KINDS})}
        tilesets = [
            self._tileset(1, "kinds", list(map(self._kind_tile, range(len(kinds)))), colors, holds),
            self._tileset(self._first_number_gid, "numbers", self._number_tiles(), faint, {}),
        ]
        return self._tileset_files.extract(tilesets, self.files)

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
        image = self._tileset_files.name_of(name, ".png")
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
        kind = self._record.kinds[number]
        taken = (*tile_kinds.FIELDS, "kind", "level", "height")
        values = tile_kinds.properties_of(kind)
        values |= self._unknown_fields(("kinds", kind.name), taken)
        is_plain = is_xml(kind.name)
        properties = write_properties(values if is_plain else {"kind": kind.name, **values})
        color = tile_kinds.hex_color(tile_kinds.color_of(kind))
        properties.append({"name": "color", "type": "color", "value": color})
        return {"id": number, **({"type": kind.name} if is_plain else {}), "properties": properties}

    def _unknown_fields(self, entry: Entry, taken: Sequence[str]) -> Extras:
        """Return the unknown fields of an entry; note it if they cannot be written."""
        values = self._record.unknown_fields.get(entry, {})
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
        decks = self._record.decks
        for deck in np.unique(decks["deck"]).tolist():
            of_deck, name = decks[decks["deck"] == deck], f"deck {deck}"
            layers = {name: ("", of_deck["kind"] + 1)}
            for role in ("level", "thickness"):
                layers[f"{name} {role}"] = role, self._number_gids(of_deck[role])
            for layer, (holds, values) in layers.items():
                gids = np.zeros(self._record.level.shape, np.int64)
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
        cell, shape = entry["cell"], (*self._record.level.shape, 2**8)
        is_cell = 2 <= len(cell) <= 3 and all(
            type(part) is int and 0 <= part < size for part, size in zip(cell, shape, strict=False)
        )
        return is_cell and _is_flat(entry, ("deck",))

    def _note_losses(self) -> None:
        record = self._record
        rounded = [kind.name for kind in record.kinds if not tile_kinds.is_color_exact(kind)]
        if rounded:
            names = ", ".join(quoted(name)[1:-1] for name in rounded[:9])
            self.notes.append(f"colors are rounded to 1/255: {names}")
        if any(name == "decks" for name, _ in record.unknown_fields):
            self.notes.append("left out: fields of decks that this program does not know")


def _packed(gids: NDArray[np.integer]) -> Extras:
    """Return gids as the fields of a compressed layer."""
    packed = zlib.compress(gids.astype("<u4").tobytes(), _ZLIB_LEVEL)
    data = base64.b64encode(packed).decode("ascii")
    return {"encoding": "base64", "compression": "zlib", "data": data}


def _is_flat(values: Mapping[str, Json], taken: Sequence[str]) -> bool:
    """Return whether each value can be a property of its own, with a name that is not taken."""
    return all(name and is_xml(name) and name not in taken for name in values)
