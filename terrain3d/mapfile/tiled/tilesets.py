"""Tilesets of a Tiled map, in it or in files beside it, and what each of their tiles tells."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from terrain3d.core.errors import MapFileError
from terrain3d.mapfile.native.fields import Fields
from terrain3d.mapfile.record import Extras, Json
from terrain3d.mapfile.tiled import properties
from terrain3d.mapfile.tiled.documents import References
from terrain3d.mapfile.tiled.notes import Notes, shown

MAX_GID = 2**28 - 1
KINDS = "kinds"
"""What a tileset holds all of whose tiles are kinds, used or not."""

_IGNORED = {
    *("firstgid", "version", "tiledversion", "type", "name", "columns", "tilecount", "tilewidth"),
    *("tileheight", "image", "imagewidth", "imageheight", "margin", "spacing", "trans"),
    *("transparentcolor", "tileoffset", "grid", "transformations", "objectalignment", "wangsets"),
    *("terrains", "editorsettings", "export", "backgroundcolor", "tilerendersize", "fillmode"),
}
_IGNORED_OF_TILE = {
    *("image", "imagewidth", "imageheight", "probability", "terrain", "x", "y", "width", "height"),
}


@dataclass(frozen=True)
class Tile:
    """What one tile of a tileset tells.

    Parameters
    ----------
    tileset : str
        Name of its tileset.
    number : int
        Its number there.
    kind : str
        Name of the kind of ground it tells; "" if it tells none.
    level : int or None
    told : dict
        Its further properties.
    """

    tileset: str
    number: int
    kind: str = ""
    level: int | None = None
    told: Extras = field(default_factory=dict)


@dataclass(frozen=True)
class _Tileset:
    first: int
    count: int | None
    name: str
    tiles: dict[int, Tile]
    names: dict[int, str]
    is_of_kinds: bool
    entry: Fields


class Tilesets:
    """All tilesets of a map.

    Parameters
    ----------
    top : Fields
        The map, out of which they are taken.
    references : References
    notes : Notes

    Raises
    ------
    MapFileError
    """

    def __init__(self, top: Fields, references: References, notes: Notes) -> None:
        self._references, self._notes = references, notes
        found = [self._read(entry) for entry in top.objects("tilesets", [])]
        self._all = sorted(found, key=lambda tileset: tileset.first)
        self._firsts = [tileset.first for tileset in self._all]
        if len(set(self._firsts)) < len(self._firsts):
            raise top.error("two of them have the same firstgid", "tilesets")

    @property
    def kinds(self) -> Iterator[int]:
        """All tiles that are kinds whether or not a layer uses them."""
        for tileset in self._all:
            if tileset.is_of_kinds:
                yield from (tileset.first + number for number in sorted(tileset.tiles))

    def tile(self, gid: int) -> Tile:
        """Give the tile of a number in a layer; `ValueError` if there is none."""
        index = bisect_right(self._firsts, gid) - 1
        if index < 0:
            raise ValueError(f"tile {gid} is in no tileset")
        tileset = self._all[index]
        number = gid - tileset.first
        known = tileset.tiles.get(number)
        if known is not None:
            return known
        if tileset.count is not None and number >= tileset.count:
            raise ValueError(
                f"tile {gid} is in no tileset: {tileset.name[:40]!r} has {tileset.count} tiles"
            )
        return Tile(tileset.name, number, tileset.names.get(number, ""))

    def error(self, gid: int, problem: str) -> MapFileError:
        """Tell what is wrong with a tile."""
        tileset = self._all[bisect_right(self._firsts, gid) - 1]
        return tileset.entry.error(f"tile {gid - tileset.first}: {problem}")

    def _read(self, entry: Fields) -> _Tileset:
        first = entry.whole("firstgid", 1, MAX_GID)
        if "source" in entry.left:
            entry = self._references.open(entry, "source", "tileset")
        name = entry.text("name", "")
        values = properties.read(entry)
        is_of_kinds = values.pop(properties.HOLDS, entry.text("class", "")) == KINDS
        count = entry.whole("tilecount", 0, MAX_GID, default=0)
        # A tileset of single pictures numbers its tiles as it likes, also past their count.
        is_sheet = "image" in entry.left and count > 0
        names = _wang_names(entry) or _terrain_names(entry)
        tiles: dict[int, Tile] = {}
        for part in entry.objects("tiles", []):
            tile = self._tile(part, name, names)
            if tile.number in tiles:
                raise part.error(f"there is a tile {tile.number} already", "id")
            tiles[tile.number] = tile
        if values:
            self._notes.add(f"tileset {shown(name)}: its properties are not kept")
        self._notes.add_left(f"tileset {shown(name)}", entry, _IGNORED)
        return _Tileset(first, count if is_sheet else None, name, tiles, names, is_of_kinds, entry)

    def _tile(self, entry: Fields, tileset: str, names: dict[int, str]) -> Tile:
        number = entry.whole("id", 0, MAX_GID)
        told = properties.read(entry)
        level = properties.level_of(told, entry)
        name = told.pop("kind", None)
        if name is None:
            name = entry.text("class", "") or entry.text("type", "") or names.get(number, "")
        if not isinstance(name, str):
            raise entry.error("the property kind must be text")
        entry.left.pop("type", None)
        if name.startswith("#"):
            raise entry.error(f"a kind's name begins with '#', which marks a tag: {name[:40]!r}")
        what = f"tiles of tileset {shown(tileset)}"
        self._notes.add_left(what, entry, _IGNORED_OF_TILE)
        return Tile(tileset, number, name, level, told)


def _wang_names(tileset: Fields) -> dict[int, str]:
    """Name the ground of tiles by the terrain that most of their corners and edges have."""
    names: dict[int, str] = {}
    for wangset in tileset.objects("wangsets", []):
        colors = [color.text("name", "") for color in wangset.objects("colors", [])]
        for tile in wangset.objects("wangtiles", []):
            number, parts = tile.whole("tileid", 0, MAX_GID), tile.take("wangid", [])
            if isinstance(parts, list):
                names.setdefault(number, _most(parts, colors, 1))
    return {number: name for number, name in names.items() if name}


def _terrain_names(tileset: Fields) -> dict[int, str]:
    """Do the same for the terrains of versions before 1.5."""
    terrains = [terrain.text("name", "") for terrain in tileset.objects("terrains", [])]
    names: dict[int, str] = {}
    tiles = tileset.left.get("tiles", [])
    for tile in tiles if terrains and isinstance(tiles, list) else []:
        if isinstance(tile, dict) and isinstance(tile.get("terrain"), list):
            number = tile.get("id")
            if isinstance(number, int):
                names[number] = _most(tile["terrain"], terrains, 0)
    return {number: name for number, name in names.items() if name}


def _most(parts: list[Json], names: list[str], first: int) -> str:
    """Give the name that most of some numbers have; of equally many the first one's."""
    numbers = [part - first for part in parts if type(part) is int]
    counts = Counter(number for number in numbers if 0 <= number < len(names))
    if not counts:
        return ""
    return names[min(counts, key=lambda number: (-counts[number], number))]
