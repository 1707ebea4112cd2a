"""Maps written for Tiled: in the words of its JSON, `.tmj`, and of its XML, `.tmx`.

Kinds are the tiles of a tileset, levels those of another one whose numbers they are, so that both
can be painted; decks are further layers; links, walls, units and waypoints are objects.
"""

import base64
import zlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import TileKind
from terrain3d.grid.links import Link, Wall
from terrain3d.mapfile import json_text
from terrain3d.mapfile.record import Entry, Extras, FileContent, Json, MapRecord
from terrain3d.mapfile.tiled import tile_kinds, tmx_writer
from terrain3d.mapfile.tiled.external_tilesets import VERSIONS, TilesetFiles, json_of
from terrain3d.mapfile.tiled.notes import quoted
from terrain3d.mapfile.tiled.orientation import Layout
from terrain3d.mapfile.tiled.properties import HOLDS, is_xml
from terrain3d.mapfile.tiled.properties import write as write_properties
from terrain3d.mapfile.tiled.swatches import swatch
from terrain3d.mapfile.tiled.tilesets import KINDS

_EFFORT = 4
_FIRST_LEVELS = 16
"""How many levels can be painted at least."""
_VEIL = 110
"""Of 255, how much of the ground is hidden by the levels over it: black the lowest, white the
highest."""
_ENDS = ("start", "end")
_OF_PAIRS = ("deck", "end_deck", "cost", "kind", "one_way")
_OWN_PROPERTIES = ("step_height", "level_height", "extras")


def write_tmj(record: MapRecord, beside: TilesetFiles | None = None) -> FileContent:
    """Write a map as Tiled's JSON, its tilesets to files beside it if they have a place there."""
    sheet = _Sheet(record)
    fields = sheet.fields()
    files = {} if beside is None else beside.set_apart(fields, sheet.pictures)
    return FileContent(json_of(fields), tuple(sheet.notes), files)


def write_tmx(record: MapRecord, beside: TilesetFiles | None = None) -> FileContent:
    """Write a map as Tiled's XML, its tilesets to files beside it if they have a place there."""
    sheet = _Sheet(record)
    fields = sheet.fields()
    files = {} if beside is None else beside.set_apart(fields, sheet.pictures)
    return FileContent(tmx_writer.render(fields, sheet.pictures), tuple(sheet.notes), files)


class _Sheet:
    """A map on its way into a file."""

    def __init__(self, record: MapRecord) -> None:
        self.notes: list[str] = []
        self.pictures: dict[int, str] = {}
        """What is seen of each tile, by its number in layers."""
        self._record = record
        self._layout = Layout.of_topology(record.topology)
        self._layers: list[Extras] = []
        self._n_objects = 0
        self._first_number = 1 + len(record.kinds)
        self._swatches: dict[str, str] = {}
        self._numbers: set[int] = set(range(_FIRST_LEVELS))

    def fields(self) -> Extras:
        """Give the whole file."""
        record, rows, cols = self._record, *self._record.level.shape
        json_text.check(record.extras)
        values: Extras = {"step_height": float(record.step_height)}
        self._add_tiles("ground", "", 0, record.kind.astype(np.int64) + 1)
        self._add_numbers("level", "level", 0, record.level, np.ones((rows, cols), bool))
        self._add_decks()
        carried = dict(record.extras)
        metadata = carried.get("metadata")
        if isinstance(metadata, dict) and metadata and _is_flat(metadata, _OWN_PROPERTIES):
            values |= carried.pop("metadata")
        self._add_pairs("link", record.links)
        self._add_pairs("wall", record.walls)
        for role in ("unit", "waypoint"):
            spots = carried.get(f"{role}s")
            if isinstance(spots, list) and all(self._is_spot(spot) for spot in spots):
                self._add_spots(role, carried.pop(f"{role}s"))
        if carried:
            values["extras"] = carried
        self._tell_lost()
        return {
            **{"type": "map", **VERSIONS},
            **self._layout.fields(),
            **{"renderorder": "right-down", "width": cols, "height": rows, "infinite": False},
            **{"nextlayerid": len(self._layers) + 1, "nextobjectid": self._n_objects + 1},
            "properties": write_properties(values),
            "tilesets": [self._kind_tileset(), self._number_tileset()],
            "layers": self._layers,
        }

    def _kind_tileset(self) -> Extras:
        tiles = [self._kind_tile(number, kind) for number, kind in enumerate(self._record.kinds)]
        told = write_properties({HOLDS: KINDS})
        return {**self._tileset(1, "kinds", tiles), "properties": told}

    def _number_tileset(self) -> Extras:
        highest = max(self._numbers)
        for number in self._numbers:
            gray = round(255 * number / highest)
            self._draw(self._first_number + number, f"#{_VEIL:02x}" + 3 * f"{gray:02x}")
        numbers = [{"id": number} for number in sorted(self._numbers)]
        return self._tileset(self._first_number, "numbers", numbers)

    def _tileset(self, first: int, name: str, tiles: list[Extras]) -> Extras:
        width, height = self._layout.tile_px
        return {
            **{"firstgid": first, "name": name, "tilewidth": width, "tileheight": height},
            **{"tilecount": len(tiles), "columns": 0, "tiles": tiles},
        }

    def _kind_tile(self, number: int, kind: TileKind) -> Extras:
        values = tile_kinds.properties_of(kind)
        values |= self._kept(("kinds", kind.name), (*tile_kinds.FIELDS, "kind", "level", "height"))
        is_plain = is_xml(kind.name)
        told = write_properties(values if is_plain else {"kind": kind.name, **values})
        color = tile_kinds.hex_color(tile_kinds.color_of(kind))
        told.append({"name": "color", "type": "color", "value": color})
        self._draw(1 + number, color)
        return {"id": number, **({"type": kind.name} if is_plain else {}), "properties": told}

    def _draw(self, gid: int, color: str) -> None:
        if color not in self._swatches:
            width, insets = self._layout.tile_px[0], self._layout.insets_px
            self._swatches[color] = swatch(color, width, insets)
        self.pictures[gid] = self._swatches[color]

    def _kept(self, entry: Entry, taken: Sequence[str]) -> Extras:
        """Give the fields of an entry that this program does not know, if they can be written."""
        values = self._record.unknown_fields.get(entry, {})
        if _is_flat(values, taken):
            return values
        self.notes.append(f"left out: fields of {quoted(entry)} that this program does not know")
        return {}

    def _add_layer(self, kind: str, name: str, told: Extras) -> None:
        number = len(self._layers) + 1
        shows = {"visible": True, "opacity": 1}
        self._layers.append({"id": number, "name": name, "type": kind, **shows, **told})

    def _add_tiles(self, name: str, holds: str, deck: int, gids: NDArray[np.integer]) -> None:
        rows, cols = gids.shape
        told = {**({HOLDS: holds} if holds else {}), **({"deck": deck} if deck else {})}
        packed = zlib.compress(gids.astype("<u4").tobytes(), _EFFORT)
        self._add_layer(
            "tilelayer",
            name,
            {
                **{"width": cols, "height": rows, "x": 0, "y": 0},
                **({"properties": write_properties(told)} if told else {}),
                **{"encoding": "base64", "compression": "zlib"},
                "data": base64.b64encode(packed).decode("ascii"),
            },
        )

    def _add_numbers(
        self,
        name: str,
        holds: str,
        deck: int,
        numbers: NDArray[np.integer],
        is_there: NDArray[np.bool_],
    ) -> None:
        self._numbers |= set(np.unique(numbers[is_there]).tolist())
        self._add_tiles(
            name, holds, deck, np.where(is_there, numbers.astype(np.int64) + self._first_number, 0)
        )

    def _add_decks(self) -> None:
        decks = self._record.decks
        for deck in np.unique(decks["deck"]).tolist():
            of_deck = decks[decks["deck"] == deck]
            laid = np.zeros(self._record.level.shape, decks.dtype)
            laid[of_deck["row"], of_deck["col"]] = of_deck
            is_there = laid["deck"] > 0
            name = f"deck {deck}"
            self._add_tiles(name, "", deck, np.where(is_there, laid["kind"] + 1, 0))
            for role in ("level", "thickness"):
                self._add_numbers(f"{name} {role}", role, deck, laid[role], is_there)

    def _add_pairs(self, role: str, pairs: Sequence[Link] | Sequence[Wall]) -> None:
        entries = []
        for pair in pairs:
            told = {"deck": pair.start.deck, "end_deck": pair.end.deck}
            told |= {name: value for name, value in vars(pair).items() if name not in _ENDS}
            told |= self._kept((f"{role}s", (pair.start, pair.end)), _OF_PAIRS)
            (x, y), (end_x, end_y) = map(self._center_px, (pair.start, pair.end))
            line = [{"x": 0, "y": 0}, {"x": end_x - x, "y": end_y - y}]
            entries.append(self._object(role, (x, y), told, {"polyline": line}))
        if entries:
            self._add_layer("objectgroup", f"{role}s", {"objects": entries})

    def _add_spots(self, role: str, spots: Iterable[Mapping[str, Json]]) -> None:
        entries = []
        for spot in spots:
            told = {name: value for name, value in spot.items() if name != "cell"}
            named = {"name": told.pop("name")} if told.get("name") and is_xml(told["name"]) else {}
            if len(spot["cell"]) > 2:
                told["deck"] = spot["cell"][2]
            place = self._center_px(Cell(*spot["cell"]))
            entries.append(self._object(role, place, told, {**named, "point": True}))
        self._add_layer("objectgroup", f"{role}s", {"objects": entries})

    def _object(self, role: str, place: tuple[float, float], told: Extras, more: Extras) -> Extras:
        self._n_objects += 1
        x, y = place
        shape = {"x": x, "y": y, "width": 0, "height": 0, "rotation": 0, "visible": True}
        entry = {"id": self._n_objects, "type": role, **shape, **more}
        return {**entry, "properties": write_properties(told)} if told else entry

    def _center_px(self, cell: Cell) -> tuple[float, float]:
        return self._layout.center_px((cell.row, cell.col))

    def _is_spot(self, spot: Json) -> bool:
        """Tell whether an object can hold a unit or a waypoint."""
        if not (isinstance(spot, dict) and isinstance(spot.get("cell"), list)):
            return False
        cell, shape = spot["cell"], (*self._record.level.shape, 2**8)
        is_cell = 2 <= len(cell) <= 3 and all(
            type(part) is int and 0 <= part < size for part, size in zip(cell, shape, strict=False)
        )
        return is_cell and _is_flat(spot, ("deck",))

    def _tell_lost(self) -> None:
        record = self._record
        rounded = [kind.name for kind in record.kinds if not tile_kinds.is_color_exact(kind)]
        if rounded:
            names = ", ".join(quoted(name)[1:-1] for name in rounded[:9])
            self.notes.append(f"colors are rounded to 1/255: {names}")
        if any(name == "decks" for name, _ in record.unknown_fields):
            self.notes.append("left out: fields of decks that this program does not know")


def _is_flat(values: Mapping[str, Json], taken: Sequence[str]) -> bool:
    """Tell whether values can be properties of their own."""
    return all(name and is_xml(name) and name not in taken for name in values)
