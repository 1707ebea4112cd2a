"""Read Tiled maps, `.tmx` and `.tmj`, by the rules of docs/tiled.md.

The files are plain dictionaries by `documents`. Layers inherit level, offset and visibility from
their groups. A tile layer holds kinds of ground, or, if its class or its name says so, numbers:
levels or thicknesses. Layers cover those below them: a tile without a kind, or without a level,
does not replace that of a tile below it. A layer of numbers overrides all other levels. Nothing is
unpacked beyond the size that a layer or chunk must have.

Orthogonal and isometric maps are square, row by row. A hexagonal map is the topology that offsets
the same rows or columns.
"""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from itertools import islice
from pathlib import PurePath
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import MapFileError, check_tile_count, warn_of_losses
from terrain3d.formats.registry import SourceFile
from terrain3d.formats.tiled.documents import (
    MAX_GID,
    MAX_VALUES,
    Entry,
    ReferencedFiles,
    decode_gids,
    parse,
)
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import (
    KINDS,
    VOID,
    TileKind,
    built_in_kind,
    kind_table,
    kind_values,
    paint_of,
)
from terrain3d.grid.links import Link, Wall
from terrain3d.map.surfaces import DECK, NO_DECKS
from terrain3d.map.tilemap import DEFAULT_STEP_HEIGHT, Extras, Json, TileMap, UnknownFields

ALL_KINDS = "kinds"
"""The class or the name of a tileset whose tiles all are kinds, used by a layer or not."""
NO_ENTRY = "none"
"""The property "cost" of a kind that cannot be entered."""
KIND_FIELDS = tuple(field.name for field in dataclass_fields(TileKind) if field.name != "name")
ROLES = ("unit", "waypoint", "link", "wall")
"""Classes of objects; classes and names of layers may be plurals."""

MAX_LAYERS = 4096
MAX_LAYER_TILES = 4
"""All layers together may have this many times the tiles that a map may have."""
MAX_CHUNKS = 2**16
"""The most chunks on all layers: in Tiled's usual size, 16 x 16, twice the tiles of a map."""
MAX_USED = 2**17
"""The most distinct tiles on all layers."""
MAX_OBJECTS = 2**16
MAX_LEVEL = 2**15
"""Limit on the property "level" in size."""

_Number = TypeVar("_Number", int, float)
Position = tuple[int, int]
"""Row and column in the file; they may be negative in infinite maps."""

_DIGITS = 6
"""Of pixels: a point that is turned onto the border of a tile stays there."""


@dataclass(frozen=True)
class Layout:
    """The layout of tiles in the picture of a map.

    `orientation` is "orthogonal", "isometric" or "hexagonal", `tile_px` (width, height). `axis`,
    the stagger axis, is "y" if rows are offset, "x" if columns are, else "". `is_odd`: odd rows or
    columns are offset. `side_px` is the length of the edges of a hexagon along the axis.
    """

    orientation: str
    tile_px: tuple[int, int]
    axis: str = ""
    is_odd: bool = True
    side_px: int = 0

    @classmethod
    def read(cls, top: Entry) -> "Layout":
        """Return the layout of a map."""
        orientation, tile_px = top["orientation"], (top["tilewidth"], top["tileheight"])
        if orientation != "hexagonal":
            return cls(orientation, tile_px)
        is_odd = top.get("staggerindex", "odd") == "odd"
        side_px = top.get("hexsidelength", 0)
        return cls(orientation, tile_px, top.get("staggeraxis", "y"), is_odd, side_px)

    def topology(self, origin: Position) -> str:
        """Return the topology of a map whose first tile is at `origin`."""
        if self.axis == "":
            return "square"
        is_shifted = bool(origin[0 if self.axis == "y" else 1] % 2)
        parity = "odd" if self.is_odd != is_shifted else "even"
        return f"hex_{parity}_{'r' if self.axis == 'y' else 'q'}"

    def center_px(self, position: Position) -> tuple[float, float]:
        """Return the center of a tile in the coordinates of objects; not for isometric maps."""
        if self.axis == "":
            return (position[1] + 0.5) * self.tile_px[0], (position[0] + 0.5) * self.tile_px[1]
        (line, place), ((wide, tall), pitch) = self._swapped(*position), self._pitches_px
        shift = line % 2 == self.is_odd
        aside, ahead = (2 * place + shift) * (wide // 2) + wide / 2, line * pitch + tall / 2
        return (aside, ahead) if self.axis == "y" else (ahead, aside)

    def position_at(self, x_px: float, y_px: float) -> Position:
        """Return the position of the tile at a point of objects, also outside the map."""
        width, height = self.tile_px
        if self.axis == "":
            wide = height if self.orientation == "isometric" else width
            return math.floor(y_px / height), math.floor(x_px / wide)
        (wide, _), pitch = self._pitches_px
        ahead, aside = self._swapped(y_px, x_px)
        row, col = self._swapped(math.floor(ahead / pitch), math.floor(aside / wide))
        near = ((row + i, col + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return min(near, key=lambda position: self._distance(position, x_px, y_px))

    def to_picture(self, x_px: float, y_px: float) -> tuple[float, float]:
        """Return how far across and down the picture a step in the coordinates of objects leads."""
        if self.orientation != "isometric":
            return x_px, y_px
        width, height = self.tile_px
        return (x_px - y_px) * width / (2 * height), (x_px + y_px) / 2

    def from_picture(self, across_px: float, down_px: float) -> tuple[float, float]:
        """Return a step in the picture in the coordinates of objects; undoes `to_picture`."""
        if self.orientation == "isometric":
            aside = across_px * self.tile_px[1] / self.tile_px[0]
            across_px, down_px = down_px + aside, down_px - aside
        return round(across_px, _DIGITS), round(down_px, _DIGITS)

    def _swapped(self, down: _Number, across: _Number) -> tuple[_Number, _Number]:
        """Return two parts as those along the axis and across it, and back."""
        return (down, across) if self.axis == "y" else (across, down)

    @property
    def _pitches_px(self) -> tuple[tuple[int, int], int]:
        """The size of a tile across the axis and along it, and the distance to the next line.

        The size is in even numbers, in which Tiled draws tiles that are offset.
        """
        tall, wide = self._swapped(*(max(size // 2, 1) * 2 for size in self.tile_px[::-1]))
        return (wide, tall), (tall + self.side_px) // 2

    def _distance(self, position: Position, x_px: float, y_px: float) -> float:
        """Return how far a point is from the center of a tile, whose outline is at 1."""
        x, y = self.center_px(position)
        (wide, tall), _ = self._pitches_px
        ahead, aside = self._swapped(abs(y - y_px), abs(x - x_px))
        return max(aside / wide, (ahead + aside * (tall - self.side_px) / wide) / tall) * 2


def turned(step_px: tuple[float, float], angle_deg: float) -> tuple[float, float]:
    """Return a step across and down the picture, turned clockwise."""
    (across, down), turn = step_px, math.radians(angle_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    return across * cos - down * sin, across * sin + down * cos


_ANCHORS: Mapping[str, tuple[float, float]] = {
    **{"topleft": (0, 0), "top": (0.5, 0), "topright": (1, 0), "left": (0, 0.5)},
    **{"center": (0.5, 0.5), "right": (1, 0.5)},
    **{"bottomleft": (0, 1), "bottom": (0.5, 1), "bottomright": (1, 1)},
}
"""The values of a tileset's objectalignment: the point of a picture that is the (x, y) of an
object, in parts of its size from the left and the top."""


@dataclass(frozen=True)
class Tile:
    """One tile of a tileset, by its local id; `kind` is the name of its kind, "" without one.

    `is_lost`: the tileset does not have it any more. `size_px` is (width, height) of its picture,
    (0, 0) if it is not known.
    """

    tileset: Entry
    id: int
    kind: str = ""
    level: int | None = None
    properties: Extras = field(default_factory=dict)
    size_px: tuple[int, int] = (0, 0)
    is_lost: bool = False

    @property
    def tileset_name(self) -> str:
        """The name of its tileset, as part of the name of a kind."""
        return self.tileset.get("name", "").lstrip("#") or "tile"


class Tilesets:
    """The tilesets of a map or a template, embedded or external."""

    def __init__(self, entries: Iterable[Entry], files: ReferencedFiles) -> None:
        entries = sorted(entries, key=lambda entry: entry["firstgid"])
        self._first_gids = [entry["firstgid"] for entry in entries]
        self._all = [self._read(entry, files) for entry in entries]
        if len(set(self._first_gids)) < len(self._first_gids):
            raise MapFileError("two of them have the same firstgid", field="tilesets")

    def tile(self, gid: int) -> Tile | None:
        """Return the tile with a gid; None if it is in no tileset."""
        index = bisect_right(self._first_gids, gid) - 1
        if index < 0:
            return None
        (tileset, tiles), tile_id = self._all[index], gid - self._first_gids[index]
        # In a collection of images, ids may be larger than the number of tiles.
        count = tileset.get("tilecount", 0) if "image" in tileset else 0
        size_px = tileset.get("tilewidth", 0), tileset.get("tileheight", 0)
        tile = tiles.get(tile_id) or Tile(tileset, tile_id, is_lost=0 < count <= tile_id)
        return tile if any(tile.size_px) else replace(tile, size_px=size_px)

    def kinds(self) -> Iterator[tuple[int, Tile]]:
        """Yield the tiles, with their gids, of tilesets whose tiles all are kinds."""
        for first, (tileset, tiles) in zip(self._first_gids, self._all, strict=True):
            is_of_kinds = ALL_KINDS in (tileset.get("class"), tileset.get("name"))
            for gid in (first + tile_id for tile_id in tiles if is_of_kinds):
                tile = self.tile(gid)
                if tile is not None and tile.tileset is tileset:  # not one of the next tileset
                    yield gid, tile

    def _read(self, entry: Entry, files: ReferencedFiles) -> tuple[Entry, dict[int, Tile]]:
        """Return a tileset, and by id those of its tiles that its file describes."""
        if "source" in entry:
            missing = Entry("tileset")
            missing["name"] = PurePath(entry["source"]).stem
            entry = files.read(entry, "source", "tileset") or missing
        terrains = _terrains(entry)
        tiles = {tile_id: Tile(entry, tile_id, name) for tile_id, name in terrains.items()}
        described = [tile["id"] for tile in entry.get("tiles", ())]
        for tile_id, count in Counter(described).items():
            if count > 1:
                raise entry.error(f"has {count} tiles {tile_id}", "tiles")
        for tile in entry.get("tiles", ()):
            tile_id, values = tile["id"], dict(tile["properties"])  # of a file that is used again
            level = _whole(tile, values, "level", -MAX_LEVEL, MAX_LEVEL)
            by_class = tile.get("class") or tile.get("type") or terrains.get(tile_id, "")
            kind = values.pop("kind", by_class)
            if not isinstance(kind, str) or kind.startswith("#"):
                must = f"must be text that does not begin with '#', got {quoted(kind)}"
                raise tile.error(f"the property kind {must}")
            size_px = tile.get("imagewidth", 0), tile.get("imageheight", 0)
            tiles[tile_id] = Tile(entry, tile_id, kind, level, values, size_px)
        return entry, tiles


def _whole(owner: Entry, values: Extras, name: str, low: int, high: int) -> int | None:
    """Take a whole number out of the custom properties of an owner; None if there is none."""
    value = values.pop(name, None)
    if value is not None and not (is_whole(value) and low <= value <= high):
        must = f"must be a whole number in {low}..{high}, got {quoted(value)}"
        raise owner.error(f"the property {name} {must}")
    return None if value is None else int(value)


def _terrains(tileset: Entry) -> dict[int, str]:
    """Return the terrain that most corners and edges of each tile have, ties go to the first."""
    terrains: dict[int, str] = {}
    for wangset in tileset.get("wangsets", ()):
        names = [color.get("name", "") for color in wangset.get("colors", ())]
        for tile in wangset.get("wangtiles", ()):
            counts = Counter(number for number in tile.get("wangid", ()) if number > 0)
            known = [number for number in sorted(counts) if number <= len(names)]
            most = max(known, key=counts.__getitem__, default=0)
            terrains.setdefault(tile["tileid"], names[most - 1] if most else "")
    return {tile_id: name for tile_id, name in terrains.items() if name}


_GROUNDS = ("grass", "soil", "paving", "sand", "rock", "planks", "mud", "snow")
_SHADES = (1.0, 0.88, 0.94, 0.82)
_COLOR = re.compile(r"#?([0-9a-fA-F]{2})?([0-9a-fA-F]{6})")


def make_kind(name: str, tile: Tile) -> tuple[TileKind, Extras]:
    """Return the kind of a tile, and the properties of the tile that are not fields of a kind.

    Properties with the name of a field of `TileKind` set that field. Other fields come from the
    built-in kind of the same name, or of the last word in the name that is a synonym of one, if the
    name is that of a kind and not that of a tileset. If there is none, the kind costs 1 and has a
    shade of the color of a texture. `TypeError` or `ValueError` if a field is out of its limits.
    """
    built_in = built_in_kind(name) if tile.kind else None
    ground, shade = divmod(tile.id, len(_SHADES))
    red, green, blue = (
        round(part * _SHADES[shade] * 255) / 255
        for part in paint_of(_GROUNDS[ground % len(_GROUNDS)]).color
    )
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


_FLIP_FLAGS_FROM = 2**28
"""From this bit on, a gid has flags for flipped and rotated tiles."""
_FLIPPED_DIAGONALLY, _TURNED_BY_120 = 2**29, 2**28
"""Flags in a gid; on hexagonal maps the first one turns by 60 degrees."""
_MAX_TABLE = 2**20
_MAX_KINDS = 255
_MAX_SHOWN = 9
KIND, LEVEL, THICKNESS = "kind", "level", "thickness"

IntArray = NDArray[np.integer]


@dataclass
class _TileLayer:
    """One tile layer; `role` is KIND, LEVEL or THICKNESS.

    `level` is added to the levels of its tiles. `chunks` are rectangles of gids, each with the
    (row, col) of its first tile. `numbers` has the shape of the map: gids, which become the
    numbers of tiles in a list.
    """

    entry: Entry
    role: str
    deck: int
    level: int | None
    chunks: list[tuple[Position, IntArray]]
    numbers: IntArray = field(default_factory=lambda: np.zeros(0, np.int32))


def read(data: bytes, file: SourceFile) -> TileMap:
    """Read a map from the bytes of a file, and from the files that it refers to."""
    top = parse(data, MAX_VALUES + file.max_surfaces // 4)
    if top.kind != "map":
        raise MapFileError(f"is of type {quoted(top.kind)}, must be 'map'")
    reader = _MapReader(top, file)
    tilemap = reader.read()
    lost = [*reader.lost, *(f"the missing file {quoted(name)}" for name in reader.files.missing)]
    if lost:
        more = f" and {len(lost) - _MAX_SHOWN} more" if len(lost) > _MAX_SHOWN else ""
        warn_of_losses(file.path, [f"left out: {', '.join(lost[:_MAX_SHOWN])}{more}"])
    return tilemap


class _MapReader:
    """Reads one map; `lost` has what the map cannot hold, in words, each once.

    The class of an object is its role; without one, the class or the name of its layer is. Without
    any, tile objects are units and all others waypoints. A link is a line between two tiles, and so
    is a wall, between tiles that share an edge.
    """

    def __init__(self, top: Entry, file: SourceFile) -> None:
        self._top, self._file = top, file
        self.lost: dict[str, None] = {}
        self._layout = Layout.read(top)
        self._values = dict(top["properties"])
        self._is_infinite = top.get("infinite", False)
        self._origin, self._shape = (0, 0), (top["height"], top["width"])
        if not self._is_infinite:
            check_tile_count(self._shape[0] * self._shape[1], file.max_surfaces)
        self._n_tiles = self._n_chunks = self._n_objects = 0
        self.files = ReferencedFiles(file.path.parent)
        self._tilesets = Tilesets(top.get("tilesets", ()), self.files)
        self._templates: dict[int, Tilesets] = {}
        self._points: dict[str, list[Json]] = {}
        self._links: list[Link] = []
        self._walls: list[Wall] = []

    def read(self) -> TileMap:
        """Return the map."""
        layers = list(islice(self._layers_of(self._top), MAX_LAYERS + 1))
        if len(layers) > MAX_LAYERS:
            raise self._top.error(f"are more than {MAX_LAYERS}", "layers")
        tile_layers = [self._tile_layer(entry) for entry in layers if entry["type"] == "tilelayer"]
        if not all(layer.entry["visible"] or layer.role != KIND for layer in tile_layers):
            self.lost["hidden layers"] = None
        shown = [layer for layer in tile_layers if layer.entry["visible"] or layer.role != KIND]
        if not any(layer.role == KIND for layer in shown):  # one of the name "Level", say
            shown = [replace(layer, role=KIND) for layer in shown]
        self._place(shown)
        ground = self._ground(shown)
        for entry in layers:
            if entry["type"] == "objectgroup":
                self._read_objects(entry)
            elif entry["type"] != "tilelayer":
                self.lost[f"layers of type {quoted(entry['type'])}"] = None
        step_height = self._values.pop("step_height", DEFAULT_STEP_HEIGHT)
        stored = self._values.get("extras")
        extras: Extras = self._values.pop("extras") if isinstance(stored, dict) else {}
        extras |= {"metadata": self._values} if self._values else {}
        return self._file.build(
            **ground,
            step_height=step_height,
            topology=self._layout.topology(self._origin),
            links=self._links,
            walls=self._walls,
            extras=extras | self._points,
        )

    def _layers_of(self, owner: Entry) -> Iterator[Entry]:
        """Yield the layers of a map or a group, from the lowest to the topmost.

        Each gets the sums of its offsets, across and down the picture, and of its levels with those
        of the groups around it, and whether all of these are visible.
        """
        for entry in owner.get("layers", ()):
            entry["visible"] = owner.get("visible", True) and entry.get("visible", True)
            for name in ("offsetx", "offsety"):
                entry[name] = owner.get(name, 0) + entry.get(name, 0)
            has_level = entry["type"] in ("group", "tilelayer")
            level = (
                _whole(entry, entry["properties"], "level", -MAX_LEVEL, MAX_LEVEL)
                if has_level
                else None
            )
            above = owner.get("level")
            entry["level"] = above if level is None else level + (above or 0)
            if entry["type"] == "group":
                yield from self._layers_of(entry)
            else:
                yield entry

    def _tile_layer(self, entry: Entry) -> _TileLayer:
        deck = _whole(entry, entry["properties"], "deck", 0, MAX_DECKS) or 0
        level = entry["level"]
        if level is None and entry["offsety"]:
            level = round(-entry["offsety"] / (self._layout.tile_px[1] / 2))
        role = _role_of(entry, (LEVEL, THICKNESS)) or KIND
        return _TileLayer(entry, role, deck, level, list(self._chunks(entry)))

    def _chunks(self, entry: Entry) -> Iterator[tuple[Position, IntArray]]:
        data = entry.get("data")
        if self._is_infinite and "chunks" in entry:
            self._n_chunks += len(entry["chunks"])
            if self._n_chunks > MAX_CHUNKS:
                problem = f"make {self._n_chunks} chunks on all layers; the limit is {MAX_CHUNKS}"
                raise entry.error(problem, "chunks")
            for chunk in entry["chunks"]:
                yield (chunk["y"], chunk["x"]), self._gids(chunk, entry)
        elif not self._is_infinite or (data.strip() if isinstance(data, str) else data):
            rows, cols = entry["height"], entry["width"]
            if not self._is_infinite and (rows, cols) != self._shape:
                size = "{} x {}".format(*self._shape)
                raise entry.error(f"is {rows} x {cols}, the map is {size}")
            yield (0, 0), self._gids(entry, entry)

    def _gids(self, entry: Entry, layer: Entry) -> IntArray:
        """Return the gids of a layer or a chunk, without flags for flipped and rotated tiles."""
        shape = entry["height"], entry["width"]
        self._count_tiles(shape[0] * shape[1], entry)
        encoding, compression = layer.get("encoding", "csv"), layer.get("compression", "")
        value = entry["data"]
        try:
            gids = decode_gids(value, encoding, compression, shape[0] * shape[1])
        except ValueError as error:
            raise entry.error(str(error), "data") from None
        if gids.max() >= _FLIP_FLAGS_FROM:
            self.lost["flips and rotations of tiles"] = None
            gids = gids & np.uint32(_FLIP_FLAGS_FROM - 1)
        return gids.reshape(shape)

    def _count_tiles(self, count: int, entry: Entry) -> None:
        """Refuse more tiles on all layers than a map may have several times."""
        self._n_tiles += count
        limit = MAX_LAYER_TILES * self._file.max_surfaces
        if self._n_tiles > limit:
            problem = f"makes {self._n_tiles} tiles on all layers; the limit is {limit}"
            raise entry.error(problem)

    def _place(self, layers: Sequence[_TileLayer]) -> None:
        """Put the chunks of layers together; an infinite map is the box around all its tiles."""
        of_kinds = [layer for layer in layers if layer.role == KIND]
        if self._is_infinite:
            corners = [
                np.array(corner) + origin
                for layer in of_kinds
                for origin, gids in layer.chunks
                if gids.any()
                for places in [np.argwhere(gids)]
                for corner in (places.min(0), places.max(0) + 1)
            ]
            if corners:
                (top, left), (end, right) = np.min(corners, 0).tolist(), np.max(corners, 0).tolist()
                self._origin, self._shape = (top, left), (end - top, right - left)
        n_decks = max((layer.deck for layer in of_kinds), default=0) + 1
        rows, cols = self._shape
        check_tile_count(n_decks * rows * cols, self._file.max_surfaces)
        self._n_tiles = 0
        for layer in layers:
            self._count_tiles(rows * cols, layer.entry)
            layer.numbers = np.zeros(self._shape, np.uint32)
            for (row, col), gids in layer.chunks:
                top, left = row - self._origin[0], col - self._origin[1]
                inside = gids[
                    max(0, -top) : max(0, rows - top), max(0, -left) : max(0, cols - left)
                ]
                top, left = max(0, top), max(0, left)
                layer.numbers[top : top + inside.shape[0], left : left + inside.shape[1]] = inside
            layer.chunks = []

    def _ground(self, layers: Sequence[_TileLayer]) -> dict[str, Any]:
        """Return levels, kinds, decks and unknown fields of kinds as parameters of a map."""
        tiles = self._number_tiles(layers)
        decks = sorted({layer.deck for layer in layers if layer.role == KIND} | {0})
        surfaces = [
            self._compose([layer for layer in layers if layer.deck == deck], tiles)
            for deck in decks
        ]
        visible = {part for number, *_ in surfaces for part in _distinct(number)}
        kinds, kind_of, unknown = self._kinds(tiles, visible)
        # Levels below 0 raise all.
        lowest = min(int(level[number > 0].min(initial=0)) for number, level, _ in surfaces)
        table = [NO_DECKS]
        for deck, (number, level, thickness) in zip(decks[1:], surfaces[1:], strict=True):
            row, col = np.nonzero(number)
            part = np.zeros(len(row), DECK)
            part["row"], part["col"], part["deck"] = row, col, deck
            part["kind"], part["level"] = kind_of[number[row, col]], level[row, col] - lowest
            part["thickness"] = thickness[row, col]
            table.append(part)
        number, level, _ = surfaces[0]
        fields = {"level": np.maximum(level - lowest, 0), "kind": kind_of[number], "kinds": kinds}
        return {**fields, "decks": np.concatenate(table), "unknown_fields": unknown}

    def _number_tiles(self, layers: Sequence[_TileLayer]) -> list[Tile]:
        """Return the tiles of layers by the numbers that replace their gids; 0 is none.

        All tiles of a tileset of kinds have one, even if no layer uses them. A tileset may have
        lost tiles since the map was painted: they are kinds by number, but what numbers they stood
        for is not known.
        """
        used = dict(self._tilesets.kinds())
        for layer in sorted(layers, key=lambda layer: layer.role != KIND):
            for gid in _distinct(layer.numbers):
                tile = self._tilesets.tile(gid)
                if gid and (tile is None or (tile.is_lost and layer.role != KIND)):
                    raise layer.entry.error(f"tile {gid} is in no tileset", "data")
                if gid and tile is not None:  # one that layers of numbers alone use is no kind
                    used.setdefault(gid, tile if layer.role == KIND else replace(tile, kind=""))
            if len(used) > MAX_USED:
                raise layer.entry.error(f"uses more than {MAX_USED} distinct tiles", "data")
        gids = sorted(used)
        tiles = [Tile(Entry("tileset"), 0, VOID.name), *(used[gid] for gid in gids)]
        for layer in layers:
            layer.numbers = _places(layer.numbers, [0, *gids])
        lost = [quoted(tile.tileset_name) for tile in tiles if tile.is_lost]
        self.lost |= {f"tiles that {name} has lost": None for name in lost}
        return tiles

    def _compose(
        self, layers: Sequence[_TileLayer], tiles: Sequence[Tile]
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return (rows, cols) numbers of tiles, levels and thicknesses of one deck."""
        has_kind = np.array([bool(tile.kind) for tile in tiles])
        has_level = np.array([tile.level is not None for tile in tiles])
        own_level = np.array([tile.level or 0 for tile in tiles], np.int32)
        numbers = [tile.id if tile.level is None else tile.level for tile in tiles]
        number, is_named = np.zeros(self._shape, np.int32), np.zeros(self._shape, bool)
        level, thickness = np.zeros(self._shape, np.int32), np.ones(self._shape, np.int32)
        for layer in (layer for layer in layers if layer.role == KIND):
            above, is_tile = layer.numbers, layer.numbers > 0
            if (is_tile & (number > 0)).any():
                self.lost["tiles under others"] = None
            names = is_tile & has_kind[above]
            np.copyto(number, above, where=is_tile & (names | ~is_named))
            is_named |= names
            sets_level = has_level[above] if layer.level is None else is_tile
            np.copyto(level, own_level[above] + np.int32(layer.level or 0), where=sets_level)
        for layer in (layer for layer in layers if layer.role != KIND):
            target = level if layer.role == LEVEL else thickness
            np.copyto(target, np.array(numbers, np.int32)[layer.numbers], where=layer.numbers > 0)
        return number, level, thickness

    def _kinds(
        self, tiles: Sequence[Tile], visible: set[int]
    ) -> tuple[tuple[TileKind, ...], IntArray, UnknownFields]:
        """Return the table of kinds, the kind of each tile, and unknown fields of kinds."""
        # Kinds that only covered tiles have, and no tile names, are left out.
        places = [n for n, tile in enumerate(tiles) if n and (tile.kind or n in visible)]
        names = {n: tiles[n].kind or f"{tiles[n].tileset_name} {tiles[n].id}" for n in places}
        if len({*names.values()} - {VOID.name}) > _MAX_KINDS:
            more = f"kinds beyond {_MAX_KINDS}: tiles without one share that of a tileset"
            self.lost[more] = None
            names = {n: tiles[n].kind or tiles[n].tileset_name for n in places}
        kinds: dict[str, TileKind] = {}
        unknown: UnknownFields = {}
        for place, name in names.items():
            if name not in kinds:
                tile = tiles[place]
                try:
                    kinds[name], others = make_kind(name, tile)
                except (TypeError, ValueError) as error:
                    raise tile.tileset.error(f"tile {tile.id}: {error}") from None
                unknown |= {("kinds", name): others} if others else {}
        is_void = kinds.keys() <= {VOID.name}
        try:
            table = kind_table([*kinds.values(), *KINDS[:is_void]])
        except ValueError as error:
            raise self._top.error(str(error), "tilesets") from None
        index = {kind.name: place for place, kind in enumerate(table)}
        kind_of = [index[names.get(place, VOID.name)] for place in range(len(tiles))]
        return table, np.array(kind_of), unknown

    def _read_objects(self, layer: Entry) -> None:
        """Read the objects of an object layer."""
        role = _role_of(layer, ROLES)
        if role in ("unit", "waypoint"):
            self._points.setdefault(f"{role}s", [])
        for entry in layer.get("objects", ()):
            self._n_objects += 1
            if self._n_objects > MAX_OBJECTS:
                raise entry.error(f"is beyond the limit of {MAX_OBJECTS} objects")
            self._read_object(entry, role, layer)

    def _read_object(self, entry: Entry, role: str, layer: Entry) -> None:
        tilesets = self._with_template(entry)
        if "gid" in entry and not entry["gid"] & MAX_GID:
            del entry["gid"]
            self.lost["tiles of objects that are lost"] = None
        own_class = entry.get("class") or entry.get("type", "")
        if own_class.casefold() in ROLES:
            role, own_class = own_class.casefold(), ""
        role = role or ("unit" if "gid" in entry else "waypoint")
        if role in ("link", "wall"):
            self._read_pair(entry, role, own_class, layer)
            return
        if "polyline" in entry:
            self.lost["lines that are neither link nor wall"] = None
            return
        cell = self._cell(entry, self._step_px(entry, tilesets), layer)
        if cell is None:
            self.lost["objects outside the map"] = None
            return
        point: Extras = {"name": entry["name"]} if entry.get("name") else {}
        point["cell"] = list(cell)
        values = entry["properties"]
        deck = _whole(entry, values, "deck", 0, MAX_DECKS)
        point["cell"] += [] if deck is None else [deck]
        point |= {"class": own_class} if own_class else {}
        self._points.setdefault(f"{role}s", []).append({**values, **point})

    def _with_template(self, entry: Entry) -> Tilesets:
        """Add what an object has from its template, and return the tilesets that have its tile."""
        top = self.files.read(entry, "template", "template") if "template" in entry else None
        if top is None:
            return self._tilesets
        if id(top) not in self._templates:
            listed = [top["tileset"]] if "tileset" in top else []
            self._templates[id(top)] = Tilesets(listed, self.files)
        tilesets = self._tilesets if "gid" in entry else self._templates[id(top)]
        base = top["object"]
        properties = {**base["properties"], **entry["properties"]}
        entry.update({**base, **entry, "properties": properties})
        return tilesets

    def _read_pair(self, entry: Entry, role: str, own_class: str, layer: Entry) -> None:
        """Read a link or a wall, which has two ends."""
        values, name, line = entry["properties"], entry.get("name", ""), entry.get("polyline", ())
        if len(line) < 2:
            raise entry.error(f"a {role} must be a line from one tile to another", "polyline")
        ends = []
        for point, deck in ((line[0], "deck"), (line[-1], "end_deck")):
            step_px = self._layout.to_picture(point["x"], point["y"])
            cell = self._cell(entry, step_px, layer)
            if cell is None:
                raise entry.error(f"a {role} must begin and end on tiles of the map", "polyline")
            ends.append(Cell(*cell, _whole(entry, values, deck, 0, MAX_DECKS) or 0))
        given: Extras = {"start": ends[0], "end": ends[1], "one_way": values.pop("one_way", False)}
        if role == "link":
            kind = values.pop("kind", own_class or name or "link")
            given |= {"cost": values.pop("cost", 1), "kind": kind}
        elif own_class:
            values.setdefault("kind", own_class)
        clashes = [field for field in given if field in values]
        clashes += ["name"] if name and "name" in values else []
        for clash in clashes:
            del values[clash]
            self.lost[f"the property {clash} of the {role} {quoted(name)}"] = None
        given["extras"] = values | ({"name": name} if name else {})
        try:
            if role == "wall":
                self._walls.append(Wall(**given))
            else:
                self._links.append(Link(**given))
        except (TypeError, ValueError) as error:
            raise entry.error(str(error)) from None

    def _step_px(self, entry: Entry, tilesets: Tilesets) -> tuple[float, float]:
        """Return the step in the picture from the anchor of an object to where it is.

        A tile object stands above the middle of its lower edge: half a tile of the map, or half of
        its own height if that is less. A shape is where its center is.
        """
        layout, width, height = self._layout, entry.get("width", 0), entry.get("height", 0)
        if "gid" not in entry:
            corners = [(point["x"], point["y"]) for point in entry.get("polygon", ())]
            corners = corners or [(0, 0), (width, height)]
            x, y = (sum(part) / len(corners) for part in zip(*corners, strict=True))
            return layout.to_picture(x, y)
        gid = entry["gid"]
        tile = tilesets.tile(gid & MAX_GID) or Tile(Entry("tileset"), 0)
        if not (width or height):
            width, height = tile.size_px if any(tile.size_px) else layout.tile_px
        default = (0.5, 1.0) if layout.orientation == "isometric" else (0.0, 1.0)
        from_left, from_top = _ANCHORS.get(tile.tileset.get("objectalignment", ""), default)
        offset_px, (own_width, own_height) = tile.tileset.get("tileoffset", {}), tile.size_px
        across = offset_px.get("x", 0) * (width / own_width if own_width else 1)
        down = offset_px.get("y", 0) * (height / own_height if own_height else 1)
        across, down = across - from_left * width, down + (1 - from_top) * height
        turn_deg = 60 * bool(gid & _FLIPPED_DIAGONALLY) + 120 * bool(gid & _TURNED_BY_120)
        if layout.orientation != "hexagonal":
            turn_deg = 0
            if gid & _FLIPPED_DIAGONALLY:  # about the lower left corner
                width, height = height, width
        lower = height / 2 - min(height, layout.tile_px[1]) / 2
        aside, below = turned((0, lower), turn_deg)
        return across + width / 2 + aside, down - height / 2 + below

    def _cell(
        self, entry: Entry, step_px: tuple[float, float], layer: Entry
    ) -> tuple[int, int] | None:
        """Return the cell at a step from an object, which turns with it; None outside the map."""
        across, down = turned(step_px, entry.get("rotation", 0) % 360)
        x, y = self._layout.from_picture(across + layer["offsetx"], down + layer["offsety"])
        place = self._layout.position_at(entry.get("x", 0) + x, entry.get("y", 0) + y)
        row, col = place[0] - self._origin[0], place[1] - self._origin[1]
        is_inside = 0 <= row < self._shape[0] and 0 <= col < self._shape[1]
        return (row, col) if is_inside else None


def _distinct(values: IntArray) -> list[int]:
    """Return the distinct values of an array, sorted."""
    is_small = values.max(initial=0) < _MAX_TABLE
    found = np.flatnonzero(np.bincount(values.ravel())) if is_small else np.unique(values)
    distinct: list[int] = found.tolist()
    return distinct


def _places(gids: IntArray, known: list[int]) -> IntArray:
    """Return the places of gids in the sorted list of all of them."""
    if known[-1] >= _MAX_TABLE:
        return np.searchsorted(known, gids)
    table = np.zeros(known[-1] + 1, np.int32)
    table[known] = np.arange(len(known))
    return table[gids]


def _role_of(layer: Entry, roles: Sequence[str]) -> str:
    """Return the role that the class or the name of a layer says, "" for none."""
    words = [layer.get(name, "").casefold() for name in ("class", "name")]
    found = (role for word in words for role in roles if word in (role, f"{role}s"))
    return next(found, "")
