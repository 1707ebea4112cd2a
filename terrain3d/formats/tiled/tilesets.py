"""Read the tilesets of a Tiled map, embedded or external, and turn tiles into kinds and back.

A kind keeps its name in the file. Properties with the name of a field of `TileKind` set that field.
Other fields come from the built-in kind of the same name, or of the last word in the name that is a
synonym of one. If there is none, the kind costs 1 and has a color of its own.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from typing import NamedTuple

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import MapFileError
from terrain3d.formats.format import kind_fields, kind_values
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled.files import HOLDS, Notes, ReferencedFiles, level_of, read_properties
from terrain3d.grid.kinds import KINDS as BUILT_IN_KINDS
from terrain3d.grid.kinds import VOID, Color, TileKind, paint_of
from terrain3d.map.tilemap import Extras, Json

MAX_GID = 2**28 - 1
KINDS = "kinds"
"""The property "holds" of a tileset whose tiles all are kinds, used by a layer or not."""

_IGNORED = {
    *("firstgid", "version", "tiledversion", "type", "name", "columns", "tilecount", "tilewidth"),
    *("tileheight", "image", "imagewidth", "imageheight", "margin", "spacing", "trans"),
    *("transparentcolor", "tileoffset", "grid", "transformations", "objectalignment", "wangsets"),
    *("terrains", "editorsettings", "export", "backgroundcolor", "tilerendersize", "fillmode"),
    "tilepropertytypes",
}
_IGNORED_OF_TILE = {
    *("image", "imagewidth", "imageheight", "probability", "terrain", "x", "y", "width", "height")
}


_MAX_PX = 2**16
_ANCHORS: Mapping[str, tuple[float, float] | None] = {
    **{"unspecified": None, "topleft": (0, 0), "top": (0.5, 0), "topright": (1, 0)},
    **{"left": (0, 0.5), "center": (0.5, 0.5), "right": (1, 0.5)},
    **{"bottomleft": (0, 1), "bottom": (0.5, 1), "bottomright": (1, 1)},
}
"""The values of a tileset's objectalignment."""
_TILE_ID = re.compile("[0-9]{1,9}")


@dataclass(frozen=True)
class Tile:
    """One tile of a tileset, by its local id; `kind` is the name of its kind, "" without one."""

    tileset: str
    id: int
    kind: str = ""
    level: int | None = None
    properties: Extras = field(default_factory=dict)
    size_px: tuple[int, int] = (0, 0)


class TilePicture(NamedTuple):
    """How a tileset is drawn where objects show its tiles.

    `size_px` is (width, height), (0, 0) if it is not known. `anchor` is the point of the picture
    that is the (x, y) of an object, in parts of its size from the left and the top; None if the
    tileset does not say. The picture is moved by `offset_px`, across and down.
    """

    size_px: tuple[int, int] = (0, 0)
    anchor: tuple[float, float] | None = None
    offset_px: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class _Tileset:
    first_gid: int
    tile_count: int | None  # None: ids have no limit
    name: str
    tiles: dict[int, Tile]
    terrains: dict[int, str]
    has_kinds: bool
    entry: Fields
    picture: TilePicture


class Tilesets:
    """All tilesets of a map, taken out of its fields `top`; `files` are those of external ones."""

    def __init__(self, top: Fields, files: ReferencedFiles, notes: Notes) -> None:
        self._files, self._notes = files, notes
        tilesets = [self._read(entry) for entry in top.objects("tilesets", [])]
        self._all = sorted(tilesets, key=lambda tileset: tileset.first_gid)
        self._first_gids = [tileset.first_gid for tileset in self._all]
        if len(set(self._first_gids)) < len(self._first_gids):
            raise top.error("two of them have the same firstgid", "tilesets")

    @property
    def kind_gids(self) -> Iterator[int]:
        """The gids of all tiles in tilesets of kinds."""
        for tileset, end in zip(self._all, [*self._first_gids, MAX_GID + 1][1:], strict=True):
            if tileset.has_kinds:
                gids = (tileset.first_gid + tile_id for tile_id in sorted(tileset.tiles))
                yield from (gid for gid in gids if gid < end)

    def tile(self, gid: int, *, is_number: bool = False) -> Tile:
        """Return the tile with a gid, of a layer of kinds or of numbers; `ValueError` without one.

        A tileset may have lost tiles since the map was painted: they are kinds by number, but what
        numbers they stood for is not known.
        """
        index = bisect_right(self._first_gids, gid) - 1
        if index < 0:
            raise ValueError(f"tile {gid} is in no tileset")
        tileset = self._all[index]
        tile_id, count = gid - tileset.first_gid, tileset.tile_count
        known = tileset.tiles.get(tile_id)
        if known is not None:
            return known
        if count is not None and tile_id >= count:
            has = f"{quoted(tileset.name)} has {count} tiles"
            if is_number:
                raise ValueError(f"tile {gid} is in no tileset: {has}")
            self._notes.add(f"tileset {has}: tiles beyond these are kinds by number")
        return Tile(tileset.name, tile_id, tileset.terrains.get(tile_id, ""))

    def picture(self, gid: int) -> TilePicture:
        """Return how an object shows the tile with a gid."""
        index = bisect_right(self._first_gids, gid) - 1
        if index < 0:
            return TilePicture()
        tileset = self._all[index]
        tile = tileset.tiles.get(gid - tileset.first_gid)
        size_px = tile.size_px if tile and any(tile.size_px) else tileset.picture.size_px
        return tileset.picture._replace(size_px=size_px)

    def error(self, gid: int, problem: str) -> MapFileError:
        """Return an error about a tile."""
        tileset = self._all[bisect_right(self._first_gids, gid) - 1]
        return tileset.entry.error(f"tile {gid - tileset.first_gid}: {problem}")

    def _read(self, entry: Fields) -> _Tileset:
        first_gid = entry.whole("firstgid", 1, MAX_GID)
        if "source" in entry.unread:
            path = self._files.path(entry, "source")
            if not self._files.has(path):
                missing = quoted(path.name)
                self._notes.add(f"there is no tileset {missing}: its tiles are kinds by number")
                return _Tileset(first_gid, None, path.stem, {}, {}, False, entry, TilePicture())
            entry = self._files.read(path, entry, "source", "tileset")
        name = entry.text("name", "")
        values = read_properties(entry)
        has_kinds = values.pop(HOLDS, entry.text("class", "")) == KINDS
        count = entry.whole("tilecount", 0, MAX_GID, default=0)
        # In a collection of images, ids may be larger than the number of tiles.
        has_one_image = "image" in entry.unread and count > 0
        limit = count if has_one_image else None
        _list_tiles(entry)
        alignment = entry.text("objectalignment", "unspecified")
        if alignment not in _ANCHORS:
            self._notes.add(f"tileset {quoted(name)}: objectalignment {quoted(alignment)} not kept")
        picture = TilePicture(
            _pixels(entry.unread, "tilewidth", "tileheight"),
            _ANCHORS.get(alignment),
            _pixels(entry.unread.get("tileoffset"), "x", "y"),
        )
        terrains = _wang_terrains(entry) or _old_terrains(entry)
        tiles: dict[int, Tile] = {}
        for tile_entry in entry.objects("tiles", []):
            tile = self._tile(tile_entry, name, terrains)
            if tile.id in tiles:
                raise tile_entry.error(f"there is a tile {tile.id} already", "id")
            tiles[tile.id] = tile
        if values:
            self._notes.add(f"tileset {quoted(name)}: its properties are not kept")
        self._notes.add_unread(f"tileset {quoted(name)}", entry, _IGNORED)
        return _Tileset(first_gid, limit, name, tiles, terrains, has_kinds, entry, picture)

    def _tile(self, entry: Fields, tileset: str, terrains: dict[int, str]) -> Tile:
        tile_id = entry.whole("id", 0, MAX_GID)
        values = read_properties(entry)
        level = level_of(values, entry)
        kind = values.pop("kind", None)
        if kind is None:
            kind = entry.text("class", "") or entry.text("type", "") or terrains.get(tile_id, "")
        if not isinstance(kind, str):
            raise entry.error("the property kind must be text")
        entry.unread.pop("type", None)
        if kind.startswith("#"):
            raise entry.error(f"a kind's name begins with '#', which marks a tag: {quoted(kind)}")
        self._notes.add_unread(f"tiles of tileset {quoted(tileset)}", entry, _IGNORED_OF_TILE)
        size_px = _pixels(entry.unread, "imagewidth", "imageheight")
        return Tile(tileset, tile_id, kind, level, values, size_px)


def _pixels(fields: Json, *names: str) -> tuple[int, int]:
    """Return two numbers of pixels; they are 0 if the file does not say, or has something else."""
    values: list[Json] = [fields.get(name) if isinstance(fields, dict) else 0 for name in names]
    width, height = (
        int(value) if is_whole(value) and abs(value) <= _MAX_PX else 0 for value in values
    )
    return width, height


def _list_tiles(tileset: Fields) -> None:
    """Make a list of the tiles that Tiled before version 1.2 wrote by their id in JSON."""
    tiles, values = tileset.unread.get("tiles", {}), tileset.unread.get("tileproperties", {})
    if not (isinstance(tiles, dict) and isinstance(values, dict)):
        return
    tileset.unread.pop("tileproperties", None)
    tiles = dict(tiles)
    for number, properties_of_tile in values.items():
        tile = tiles.get(number, {})
        if isinstance(tile, dict):
            tiles[number] = {**tile, "properties": properties_of_tile}
    tileset.unread["tiles"] = [
        {**tile, "id": int(number) if _TILE_ID.fullmatch(number) else number}
        if isinstance(tile, dict)
        else tile
        for number, tile in tiles.items()
    ]


def _wang_terrains(tileset: Fields) -> dict[int, str]:
    """Return the terrain that most corners and edges of each tile have in a wang set."""
    terrains: dict[int, str] = {}
    for wangset in tileset.objects("wangsets", []):
        colors, edges, corners = (
            [color.text("name", "") for color in wangset.objects(name, [])]
            for name in ("colors", "edgecolors", "cornercolors")
        )
        n_edges = len(edges)  # before version 1.5 edges and corners had colors of their own
        for tile in wangset.objects("wangtiles", []):
            tile_id, wang_id = tile.whole("tileid", 0, MAX_GID), tile.take("wangid", [])
            if isinstance(wang_id, list):
                numbers = [
                    color + n_edges if place % 2 and is_whole(color) and color > 0 else color
                    for place, color in enumerate(wang_id)
                ]
                names = colors or edges + corners
                terrains.setdefault(tile_id, _most_common(numbers, names, 1))
    return {tile_id: name for tile_id, name in terrains.items() if name}


def _old_terrains(tileset: Fields) -> dict[int, str]:
    """Return the terrain of each tile as Tiled stored it before version 1.5."""
    names = [terrain.text("name", "") for terrain in tileset.objects("terrains", [])]
    terrains: dict[int, str] = {}
    tiles = tileset.unread.get("tiles", [])
    for tile in tiles if names and isinstance(tiles, list) else []:
        if isinstance(tile, dict) and isinstance(tile.get("terrain"), list):
            tile_id: Json = tile.get("id")
            if is_whole(tile_id):
                terrains[int(tile_id)] = _most_common(tile["terrain"], names, 0)
    return {tile_id: name for tile_id, name in terrains.items() if name}


def _most_common(numbers: list[Json], names: list[str], first: int) -> str:
    """Return the name of the most common number, counted from `first`; ties go to the lowest."""
    indices = [int(number) - first for number in numbers if is_whole(number)]
    counts = Counter(index for index in indices if 0 <= index < len(names))
    if not counts:
        return ""
    return names[min(counts, key=lambda index: (-counts[index], index))]


NO_ENTRY = "none"
"""The property "cost" of a kind that cannot be entered."""

FIELDS = tuple(field.name for field in dataclass_fields(TileKind) if field.name != "name")

_SYNONYMS = {
    "road": "brick bricks cobble cobbles cobblestone floor path paved paving pavement street tiles",
    "dirt": "earth farmland field ground mud soil",
    "sand": "beach desert dune dunes",
    "rock": "cliff cliffs gravel mountain mountains rocks stone stones wall walls",
    "snow": "ice icy",
    "grass": "lawn meadow grassland plains",
    "forest": "forests jungle tree trees woods",
    "swamp": "bog marsh",
    "shallow": "ford shallows",
    "deep": "lake ocean river sea water",
    "lava": "magma",
    "wood": "bridge deck planks wooden",
    "void": "abyss chasm hole pit",
}
_BUILT_IN: Mapping[str, TileKind] = {
    **{word: kind for kind in BUILT_IN_KINDS for word in _SYNONYMS.get(kind.name, "").split()},
    **{kind.name: kind for kind in BUILT_IN_KINDS},
}
_GROUNDS = ("grass", "soil", "paving", "sand", "rock", "planks", "mud", "snow")
_SHADES = (1.0, 0.88, 0.94, 0.82)
_WORD = re.compile(r"[^\W\d_]+")
_COLOR = re.compile(r"#?([0-9a-fA-F]{2})?([0-9a-fA-F]{6})")


def make_kind(
    name: str, properties: Extras, own_color: Color, *, is_named: bool = True
) -> TileKind:
    """Return the kind of a tile; a kind's fields are taken out of its custom properties.

    `own_color` is the color of a kind whose name is not that of a built-in kind. `is_named` is
    whether the name is that of a kind, not that of a tileset. `TypeError` or `ValueError` if a
    field is malformed or out of its limits.
    """
    built_in = _built_in(name) if is_named else None
    base = replace(built_in, name=name) if built_in else TileKind(name, color=own_color)
    given = [field for field in FIELDS if field in properties]
    values = kind_values({field: _field(field, properties.pop(field)) for field in given})
    if "texture" in values and "color" not in values:
        values["color"] = None
    kind = replace(base, **values)
    if "color" not in values:
        return kind
    return replace(kind, color=_exact(color_of(kind), kind))


def properties_of(kind: TileKind) -> Extras:
    """Return the fields of a kind as custom properties, without its color."""
    properties: Extras = kind_fields(kind)
    if kind.cost is None:
        properties["cost"] = NO_ENTRY
    else:
        properties["cost"] = float(kind.cost) if kind.cost % 1 else int(kind.cost)
    tags = sorted(kind.tags)
    is_plain = all(tag == tag.strip() and "," not in tag for tag in tags)
    properties["tags"] = ", ".join(tags) if is_plain else tags
    del properties["name"], properties["color"]
    return properties


def hex_color(color: Color) -> str:
    """Return a color as #aarrggbb."""
    return "#ff" + "".join(f"{round(part * 255):02x}" for part in color)


def is_color_exact(kind: TileKind) -> bool:
    """Return whether a kind's color can be read back from `hex_color` without rounding."""
    color = color_of(kind)
    read = bytes.fromhex(hex_color(color)[3:])
    return _exact((read[0] / 255, read[1] / 255, read[2] / 255), kind) == color


def default_color(index: int) -> Color:
    """Return a color for the kind with an index: a shade of the color of a texture."""
    ground, shade = divmod(index, len(_SHADES))
    red, green, blue = (
        round(part * _SHADES[shade] * 255) / 255
        for part in paint_of(_GROUNDS[ground % len(_GROUNDS)]).color
    )
    return red, green, blue


def _built_in(name: str) -> TileKind | None:
    if name == VOID.name:
        return VOID
    words = [word.casefold() for word in _WORD.findall(name)]
    return next((_BUILT_IN[word] for word in reversed(words) if word in _BUILT_IN), None)


def _exact(color: Color, kind: TileKind) -> Color:
    """Return the color of the built-in kind or the texture if it is written as `color` is."""
    built_in = _built_in(kind.name)
    candidates = (color_of(built_in) if built_in else color, paint_of(kind.texture).color)
    return next((known for known in candidates if hex_color(known) == hex_color(color)), color)


def color_of(kind: TileKind) -> Color:
    """Return the color of a kind."""
    assert kind.color is not None  # TileKind sets it when it is made
    return kind.color


def _field(name: str, value: Json) -> Json:
    match name, value:
        case "cost", str() if value.strip().casefold() in (NO_ENTRY, ""):
            return None
        case "tags", str():
            return frozenset(tag.strip() for tag in value.split(",") if tag.strip())
        case "tags", list():
            return frozenset(map(str, value))
        case "color", str():
            match = _COLOR.fullmatch(value)
            if not match:
                raise ValueError(f"color must be #rrggbb or #aarrggbb, got {value[:20]!r}")
            return tuple(part / 255 for part in bytes.fromhex(match[2]))
    return value
