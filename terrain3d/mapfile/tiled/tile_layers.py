"""List the layers of a Tiled map without groups, and read its tile layers.

Layers inherit level, offset and visibility from their groups. A tile layer holds kinds of ground,
or, if its property "holds", its class or its name says so, numbers: levels or thicknesses. The
property "deck" is the number of its deck; the ground is deck 0.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from terrain3d.mapfile.json_fields import Fields
from terrain3d.mapfile.record import Json
from terrain3d.mapfile.tiled import properties, tile_data
from terrain3d.mapfile.tiled.notes import Notes, quoted
from terrain3d.mapfile.tiled.orientation import Position

KIND, LEVEL, THICKNESS = "kind", "level", "thickness"
ROLES = {
    **dict.fromkeys(("level", "levels", "height", "heights", "elevation"), LEVEL),
    "thickness": THICKNESS,
}
"""Names and classes of layers that hold numbers, with the role of the layer."""

MAX_LAYERS = 4096
MAX_CHUNKS = 2**16
"""The most chunks on all layers: in Tiled's usual size, 16 x 16, twice the tiles of a map."""
MAX_USED = 2**16
"""The most distinct tiles in one layer."""

_MAX_POSITION = 2**30
_MAX_DECK = 63
_FLIP_FLAGS_FROM = 2**28  # from this bit on, a gid has flags for flipped and rotated tiles
_MAX_TABLE = 2**20
_MAX_OFFSET_PX = 2.0**30
_IGNORED = {
    *("id", "opacity", "x", "y", "width", "height", "startx", "starty"),
    *("locked", "color", "draworder"),
}


@dataclass(frozen=True)
class Layer:
    """One layer that is not a group; `path` joins the names of its groups and its own by "/".

    `offset_px` is its vertical offset, downward, with those of its groups. `level` is the sum of
    the levels of its groups, None if no group has one.
    """

    entry: Fields
    path: str = ""
    name: str = ""
    offset_px: float = 0.0
    level: int | None = None
    is_visible: bool = True

    def note_unread(self, values: Mapping[str, Json], notes: Notes) -> None:
        """Note what was not read of the layer and of its properties."""
        owner = f"layer {quoted(self.path)}"
        for value in values:
            notes.add(f"{owner}: the property {quoted(value)} is not kept")
        for name in ("offsetx", "offsety"):
            if offset_px(self.entry, name):
                notes.add(f"{owner}: its {name} is not kept")
        if self.entry.unread.get("opacity", 1) != 1:
            notes.add(f"{owner}: its opacity is not kept")
        notes.add_unread(owner, self.entry, _IGNORED)


def layers_of(owner: Fields, notes: Notes, parent: Layer | None = None) -> Iterator[Layer]:
    """Yield the layers of a map or a group, from the lowest to the topmost."""
    parent = parent or Layer(owner)
    for entry in owner.objects("layers", []):
        name = entry.text("name", "")
        is_visible = parent.is_visible and entry.flag("visible", default=True)
        offset = parent.offset_px + offset_px(entry, "offsety")
        path = f"{parent.path}/{name}" if parent.path else name
        if entry.unread.get("type") != "group":
            yield Layer(entry, path, name, offset, parent.level, is_visible)
            continue
        values = properties.read(entry)
        level = add_levels(parent.level, properties.level_of(values, entry))
        group = Layer(entry, path, name, offset, level, is_visible)
        entry.take("type")
        yield from layers_of(entry, notes, group)
        group.note_unread(values, notes)


def offset_px(entry: Fields, name: str) -> float:
    """Take an offset of a layer."""
    value = entry.number(name, 0)
    if abs(value) > _MAX_OFFSET_PX:
        raise entry.error(f"must be at most {_MAX_OFFSET_PX:.0f} pixels, got {value:.4g}", name)
    return value


def add_levels(first: int | None, second: int | None) -> int | None:
    """Return the sum of two levels, either of which may be None."""
    return first if second is None else second + (first or 0)


@dataclass(frozen=True)
class Chunk:
    """A rectangle of tiles of a layer: (row, col) of its first tile, and its (rows, cols) gids.

    A gid of 0 means no tile; `used` are the distinct gids, sorted.
    """

    origin: Position
    gids: NDArray[np.uint32]
    used: list[int]

    def look_up(self, values: Mapping[int, int]) -> NDArray[np.int32]:
        """Return the value of each tile, by gid; 0 where there is no tile."""
        used_values = np.array([values[gid] if gid else 0 for gid in self.used], np.int32)
        if self.used[-1] >= _MAX_TABLE:
            searched: NDArray[np.int32] = used_values[np.searchsorted(self.used, self.gids)]
            return searched
        table = np.zeros(self.used[-1] + 1, np.int32)
        table[self.used] = used_values
        looked_up: NDArray[np.int32] = table[self.gids]
        return looked_up


@dataclass(frozen=True)
class TileLayer:
    """One tile layer; `entry` is the layer in the file, for errors.

    `role` is KIND, LEVEL or THICKNESS; `is_role_from_name` is True if only the layer's name set it.
    `level` is added to the levels of its tiles. `kind` is used for tiles that have no kind, or "".
    """

    entry: Fields
    role: str
    is_role_from_name: bool
    deck: int
    level: int | None
    kind: str
    chunks: list[Chunk]


@dataclass(frozen=True)
class LayerReader:
    """Reads the layers of one map of `shape` (rows, cols), 0 where the map is infinite.

    `level_px` is the height of a level in the picture; all layers have at most `max_tiles`.
    """

    shape: tuple[int, int]
    level_px: float
    max_tiles: int
    notes: Notes

    def read(self, top: Fields) -> tuple[list[TileLayer], list[Layer]]:
        """Return the tile layers from the lowest up, and the object layers, not read yet."""
        tile_layers: list[TileLayer] = []
        object_layers: list[Layer] = []
        n_tiles = n_chunks = 0
        for number, layer in enumerate(layers_of(top, self.notes)):
            if number >= MAX_LAYERS:
                raise top.error(f"are more than {MAX_LAYERS}", "layers")
            kind = layer.entry.text("type")
            if kind == "objectgroup":
                object_layers.append(layer)
            elif kind == "tilelayer":
                chunks = layer.entry.unread.get("chunks")
                n_chunks += len(chunks) if isinstance(chunks, list) else 0
                if n_chunks > MAX_CHUNKS:
                    problem = f"make {n_chunks} chunks on all layers; the limit is {MAX_CHUNKS}"
                    raise layer.entry.error(problem, "chunks")
                tile_layer = self._tile_layer(layer, n_tiles)
                n_tiles += sum(chunk.gids.size for chunk in tile_layer.chunks)
                if layer.is_visible or tile_layer.role != KIND:
                    tile_layers.append(tile_layer)
                else:
                    self.notes.add(f"layer {quoted(layer.path)} is hidden and not kept")
            else:
                self.notes.add(f"layer {quoted(layer.path)} of type {quoted(kind)} is not kept")
        if not any(layer.role == KIND for layer in tile_layers):
            # The only layer of a map may have the name "Level" and still hold kinds.
            tile_layers = [
                replace(layer, role=KIND) if layer.is_role_from_name else layer
                for layer in tile_layers
            ]
        return tile_layers, object_layers

    def _tile_layer(self, layer: Layer, n_before: int) -> TileLayer:
        entry, values = layer.entry, properties.read(layer.entry)
        content = str(values.pop(properties.HOLDS, "") or entry.text("class", "")).casefold()
        role_from_name = ROLES.get(layer.name.casefold(), KIND)
        kind, deck = values.pop("kind", ""), values.pop("deck", 0)
        if type(deck) is not int or not 0 <= deck <= _MAX_DECK:
            raise entry.error(f"the property deck must be in 0..{_MAX_DECK}, got {quoted(deck)}")
        if not isinstance(kind, str) or kind.startswith("#"):
            raise entry.error("the property kind must be a text that does not begin with '#'")
        level = self._level(layer, add_levels(layer.level, properties.level_of(values, entry)))
        chunks = list(self._chunks(layer, n_before))
        layer.note_unread(values, self.notes)
        role = ROLES.get(content, role_from_name)
        is_role_from_name = content not in ROLES and role != KIND
        return TileLayer(entry, role, is_role_from_name, deck, level, kind, chunks)

    def _level(self, layer: Layer, level: int | None) -> int | None:
        """Return the level of a layer; if it has none, the level that matches its offset."""
        if level is not None or not layer.offset_px:
            return level
        level = round(-layer.offset_px / self.level_px)
        self.notes.add(
            f"layer {quoted(layer.path)}: its offset of {layer.offset_px:g} pixels "
            f"is read as {level} levels of {self.level_px:g}"
        )
        return level

    def _chunks(self, layer: Layer, n_before: int) -> Iterator[Chunk]:
        entry = layer.entry
        encoding, compression = entry.text("encoding", "csv"), entry.text("compression", "")
        rows, cols = self.shape
        is_infinite = rows == 0
        if is_infinite and "chunks" in entry.unread:
            for chunk in entry.objects("chunks"):
                row, col = (chunk.whole(name, -_MAX_POSITION, _MAX_POSITION) for name in "yx")
                shape = self._shape(chunk, n_before)
                n_before += shape[0] * shape[1]
                gids = _gids(chunk, shape, encoding, compression)
                yield self._chunk(layer, (row, col), gids)
            entry.unread.pop("data", None)
            return
        value = entry.unread.get("data")
        if is_infinite and (not value or (isinstance(value, str) and not value.strip())):
            entry.unread.pop("data", None)
            return
        shape = self._shape(entry, n_before)
        if not is_infinite and shape != self.shape:
            raise entry.error(f"is {shape[0]} x {shape[1]}, the map is {rows} x {cols}")
        yield self._chunk(layer, (0, 0), _gids(entry, shape, encoding, compression))

    def _chunk(self, layer: Layer, origin: Position, gids: NDArray[np.uint32]) -> Chunk:
        """Return a chunk without the flags of flipped and rotated tiles."""
        if gids.max() >= _FLIP_FLAGS_FROM:
            what = f"layer {quoted(layer.path)}"
            self.notes.add(f"{what}: flipped or rotated tiles are read as plain tiles")
            gids = gids & np.uint32(_FLIP_FLAGS_FROM - 1)
        used = _distinct(gids)
        if len(used) > MAX_USED:
            problem = f"uses {len(used)} distinct tiles; the limit is {MAX_USED}"
            raise layer.entry.error(problem, "data")
        return Chunk(origin, gids, used.tolist())

    def _shape(self, entry: Fields, n_before: int) -> tuple[int, int]:
        rows, cols = (entry.whole(name, 1, self.max_tiles) for name in ("height", "width"))
        count = n_before + rows * cols
        if count > self.max_tiles:
            raise entry.error(f"makes {count} tiles on all layers; the limit is {self.max_tiles}")
        return rows, cols


def _gids(
    entry: Fields, shape: tuple[int, int], encoding: str, compression: str
) -> NDArray[np.uint32]:
    """Return the gids of a layer or a chunk."""
    value, count = entry.take("data"), shape[0] * shape[1]
    with entry.naming("data"):
        return tile_data.decode_gids(value, encoding, compression, count).reshape(shape)


def _distinct(gids: NDArray[np.uint32]) -> NDArray[np.integer]:
    """Return the distinct gids, sorted."""
    if gids.max() < _MAX_TABLE:
        return np.flatnonzero(np.bincount(gids.ravel()))
    ordered = np.sort(gids, axis=None)  # np.unique is much slower if all differ
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[0] + 1))]
