"""Read the tile layers of a Tiled map, and compose those of a deck to kind, level and thickness.

Layers inherit level, offset and visibility from their groups. A tile layer holds kinds of ground,
or, if its property "holds", its class or its name says so, numbers: levels or thicknesses. The
property "deck" is the number of its deck; the ground is deck 0. Nothing is unpacked beyond the size
that a layer or chunk must have.

Layers cover those below them. A tile without a kind does not replace a kind below it. The level at
a position is that of its topmost tile with a level: its own, that of its layer, or their sum. A
layer of numbers overrides all other levels.
"""

import base64
import re
import string
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import is_whole, quoted
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled.files import HOLDS, Notes, level_of, read_properties
from terrain3d.formats.tiled.orientation import Frame, Position
from terrain3d.formats.tiled.tilesets import Tile, Tilesets, default_color, make_kind
from terrain3d.grid.kinds import KINDS, VOID, TileKind, kind_table
from terrain3d.map.surfaces import DECK, NO_DECKS
from terrain3d.map.tilemap import Extras, Json, UnknownFields

COMPRESSIONS = ("", "zlib", "gzip", "zstd")
NEEDS_ZSTD = 'is compressed with zstd, which needs: pip install "terrain3d-tactics[tiled]"'

_LARGEST = 2**32 - 1
_SPACES = string.whitespace.encode("ascii")
_CSV = re.compile(r"[0-9,\s]*")
_GZIP = 16 + zlib.MAX_WBITS
_WINDOW_LOG = 25
"""Limit of the memory that zstd takes in addition to the unpacked data, as a power of 2."""


def decode_gids(value: Json, encoding: str, compression: str, count: int) -> NDArray[np.uint32]:
    """Return `count` gids with their flags for flipped and rotated tiles.

    `encoding` is "csv" or "base64", `compression` one of COMPRESSIONS for "base64". A list needs
    neither. `ValueError` if the data is malformed, of unknown encoding or of another length.
    """
    if isinstance(value, list):
        return _from_list(value, count)
    if not isinstance(value, str):
        raise ValueError("must be a list of gids or text")
    if encoding == "csv":
        return _from_csv(value, count)
    if encoding != "base64":
        raise ValueError(f"encoding must be csv or base64, got {encoding[:20]!r}")
    try:
        packed = base64.b64decode(value.encode("ascii").translate(None, _SPACES), validate=True)
    except ValueError as error:
        raise ValueError(f"is not base64: {error}") from None
    data = _decompress(packed, compression, 4 * count)
    if len(data) != 4 * count:
        found = "more" if len(data) > 4 * count else "less"
        raise ValueError(f"holds {found} than {count} tiles")
    return np.frombuffer(data, "<u4")


def _from_list(values: list[Json], count: int) -> NDArray[np.uint32]:
    _check_count(len(values), count)
    for value in values:
        if not is_whole(value) or not 0 <= value <= _LARGEST:
            raise ValueError(f"must hold whole numbers in 0..{_LARGEST}")
    return np.array(values, np.uint32)


def _from_csv(text: str, count: int) -> NDArray[np.uint32]:
    text = text.strip().removesuffix(",")
    _check_count(text.count(",") + 1 if text else 0, count)
    if not _CSV.fullmatch(text):
        raise ValueError("must hold whole numbers with commas between")
    try:
        return _from_list([int(part) for part in text.split(",")], count)
    except ValueError:
        raise ValueError(f"must hold whole numbers in 0..{_LARGEST} with commas between") from None


def _check_count(found: int, count: int) -> None:
    if found != count:
        raise ValueError(f"holds {found} tiles, must be {count}")


def _decompress(packed: bytes, compression: str, size: int) -> bytes:
    """Return unpacked data, at most one byte more than `size`."""
    if compression == "":
        return packed
    if compression not in COMPRESSIONS:
        known = ", ".join(COMPRESSIONS[1:])
        raise ValueError(f"compression must be one of {known}, got {compression[:20]!r}")
    stream, errors = _zstd_stream() if compression == "zstd" else _zlib_stream(compression)
    try:
        data: bytes = stream.decompress(packed, size + 1)
    except errors as error:
        raise ValueError(f"cannot be unpacked: {error}") from None
    if len(data) <= size and (not stream.eof or stream.unused_data):
        raise ValueError("cannot be unpacked: it is cut short or too long")
    return data


def _zlib_stream(compression: str) -> tuple[Any, type[Exception]]:
    """Return a decompressor for "zlib" or "gzip", and its error."""
    return zlib.decompressobj(_GZIP if compression == "gzip" else zlib.MAX_WBITS), zlib.error


def _zstd_stream() -> tuple[Any, type[Exception]]:
    """Return a decompressor of Python's own zstd, before 3.14 of its backport, and its error."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ValueError(NEEDS_ZSTD) from None
    options: dict[Any, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
    return zstd.ZstdDecompressor(options=options), zstd.ZstdError


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

    `offset_px` is its offset, across and down, with those of its groups. `level` is the sum of the
    levels of its groups, None if no group has one.
    """

    entry: Fields
    path: str = ""
    name: str = ""
    offset_px: tuple[float, float] = (0.0, 0.0)
    level: int | None = None
    is_visible: bool = True

    def note_unread(self, values: Mapping[str, Json], notes: Notes) -> None:
        """Note what was not read of the layer and of its properties."""
        owner = f"layer {quoted(self.path)}"
        for value in values:
            notes.add(f"{owner}: the property {quoted(value)} is not kept")
        if self.entry.unread.get("opacity", 1) != 1:
            notes.add(f"{owner}: its opacity is not kept")
        notes.add_unread(owner, self.entry, _IGNORED)


def layers_of(owner: Fields, notes: Notes, parent: Layer | None = None) -> Iterator[Layer]:
    """Yield the layers of a map or a group, from the lowest to the topmost."""
    parent = parent or Layer(owner)
    for entry in owner.objects("layers", []):
        name = entry.text("name", "")
        is_visible = parent.is_visible and entry.flag("visible", default=True)
        across, down = (_offset_px(entry, f"offset{axis}") for axis in "xy")
        offset = parent.offset_px[0] + across, parent.offset_px[1] + down
        path = f"{parent.path}/{name}" if parent.path else name
        if entry.unread.get("type") != "group":
            yield Layer(entry, path, name, offset, parent.level, is_visible)
            continue
        values = read_properties(entry)
        level = add_levels(parent.level, level_of(values, entry))
        group = Layer(entry, path, name, offset, level, is_visible)
        entry.take("type")
        yield from layers_of(entry, notes, group)
        group.note_unread(values, notes)


def _offset_px(entry: Fields, name: str) -> float:
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
        entry, values = layer.entry, read_properties(layer.entry)
        content = str(values.pop(HOLDS, "") or entry.text("class", "")).casefold()
        role_from_name = ROLES.get(layer.name.casefold(), KIND)
        kind, deck = values.pop("kind", ""), values.pop("deck", 0)
        if not is_whole(deck) or not 0 <= deck <= _MAX_DECK:
            raise entry.error(f"the property deck must be in 0..{_MAX_DECK}, got {quoted(deck)}")
        if not isinstance(kind, str) or kind.startswith("#"):
            raise entry.error("the property kind must be a text that does not begin with '#'")
        level = self._level(layer, add_levels(layer.level, level_of(values, entry)))
        chunks = list(self._chunks(layer, n_before))
        layer.note_unread(values, self.notes)
        role = ROLES.get(content, role_from_name)
        is_role_from_name = content not in ROLES and role != KIND
        return TileLayer(entry, role, is_role_from_name, deck, level, kind, chunks)

    def _level(self, layer: Layer, level: int | None) -> int | None:
        """Return the level of a layer; if it has none, the level that matches its offset."""
        across, down = layer.offset_px
        if across:
            self.notes.add(f"layer {quoted(layer.path)}: its offsetx is not kept")
        if level is not None or not down:
            return level
        level = round(-down / self.level_px)
        self.notes.add(
            f"layer {quoted(layer.path)}: its offset of {down:g} pixels "
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
        return decode_gids(value, encoding, compression, count).reshape(shape)


def _distinct(gids: NDArray[np.uint32]) -> NDArray[np.integer]:
    """Return the distinct gids, sorted."""
    if gids.max() < _MAX_TABLE:
        return np.flatnonzero(np.bincount(gids.ravel()))
    ordered = np.sort(gids, axis=None)  # np.unique is much slower if all differ
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[0] + 1))]


EMPTY = -1

Region = tuple[slice, slice]


@dataclass(frozen=True)
class Surface:
    """One composed deck: (rows, cols) arrays; `kind` has indices of kinds, EMPTY without a tile."""

    kind: NDArray[np.int32]
    level: NDArray[np.int32]
    thickness: NDArray[np.int32]


KindOf = Mapping[tuple[str, int], int]
"""Index of the kind of a tile, by the kind of its layer and its gid."""


def compose(
    layers: Iterable[TileLayer], frame: Frame, tilesets: Tilesets, kind_of: KindOf, notes: Notes
) -> Surface:
    """Return the surface that the layers of one deck make."""
    shape = frame.shape
    kind, level = np.full(shape, EMPTY, np.int32), np.zeros(shape, np.int32)
    thickness, has_own_kind = np.ones(shape, np.int32), np.zeros(shape, bool)
    number_layers: list[tuple[NDArray[np.int32], TileLayer]] = []
    n_covered = 0
    for layer in layers:
        if layer.role != "kind":
            number_layers.append((thickness if layer.role == "thickness" else level, layer))
            continue
        for region, chunk in _cut_to_frame(layer.chunks, frame):
            tiles = {gid: tilesets.tile(gid) for gid in chunk.used if gid}
            is_tile = chunk.gids != 0
            named = {gid: bool(tile.kind or layer.kind) for gid, tile in tiles.items()}
            has_kind = chunk.look_up(named).astype(bool)
            kinds = chunk.look_up({gid: kind_of[layer.kind, gid] for gid in tiles})
            n_covered += int(np.count_nonzero(is_tile & (kind[region] != EMPTY)))
            np.copyto(kind[region], kinds, where=is_tile & (has_kind | ~has_own_kind[region]))
            has_own_kind[region] |= has_kind
            has_level = is_tile
            if layer.level is None:
                leveled = {gid: tile.level is not None for gid, tile in tiles.items()}
                has_level = chunk.look_up(leveled).astype(bool)
            base = layer.level or 0
            levels = chunk.look_up({gid: base + (tile.level or 0) for gid, tile in tiles.items()})
            np.copyto(level[region], levels, where=has_level)
    for target, layer in number_layers:
        for region, chunk in _cut_to_frame(layer.chunks, frame):
            values = {gid: _number(tilesets.tile(gid)) for gid in chunk.used if gid}
            np.copyto(target[region], chunk.look_up(values), where=chunk.gids != 0)
    if n_covered:
        notes.add(f"where tiles cover each other, one is kept; tiles lost: {n_covered}")
    return Surface(kind, level, thickness)


def used_gids(layers: Sequence[TileLayer]) -> set[tuple[str, int]]:
    """Return the gids in layers of kinds, each with the kind of its layer."""
    return {
        (layer.kind, gid)
        for layer in layers
        if layer.role == "kind"
        for chunk in layer.chunks
        for gid in chunk.used
        if gid
    }


def bounds(layers: Sequence[TileLayer]) -> tuple[Position, tuple[int, int]] | None:
    """Return position and size of the rectangle around all tiles of kinds; None without tiles."""
    corners = []
    for layer in layers:
        for chunk in layer.chunks if layer.role == "kind" else ():
            positions = np.argwhere(chunk.gids)
            if len(positions):
                corners += [positions.min(0) + chunk.origin, positions.max(0) + chunk.origin]
    if not corners:
        return None
    (row, col), (last_row, last_col) = np.min(corners, 0).tolist(), np.max(corners, 0).tolist()
    return (row, col), (last_row - row + 1, last_col - col + 1)


def _cut_to_frame(chunks: Iterable[Chunk], frame: Frame) -> Iterator[tuple[Region, Chunk]]:
    """Yield the part of each chunk that is in the frame, with its region there."""
    for chunk in chunks:
        down, right = chunk.origin[0] - frame.origin[0], chunk.origin[1] - frame.origin[1]
        rows, cols = chunk.gids.shape
        top, left = max(0, down), max(0, right)
        bottom, end = min(frame.shape[0], down + rows), min(frame.shape[1], right + cols)
        if top < bottom and left < end:
            inside = chunk.gids[top - down : bottom - down, left - right : end - right]
            yield (slice(top, bottom), slice(left, end)), replace(chunk, gids=inside)


def _number(tile: Tile) -> int:
    """Return the number that a tile stands for in a layer of numbers."""
    return tile.id if tile.level is None else tile.level


_MAX_KINDS = 255


def read_ground(
    top: Fields, layers: list[TileLayer], frame: Frame, tilesets: Tilesets, notes: Notes
) -> dict[str, Any]:
    """Return what layers make of a map: its levels, kinds, decks and unknown fields, by name.

    The kind of a tile is its own, else that of its layer, else a new one named by its tileset. All
    tiles of a tileset of kinds get a kind, even if no layer uses them.
    """
    _refuse_unknown_tiles(layers, tilesets)
    used = used_gids(layers) | {("", gid) for gid in tilesets.kind_gids}
    pairs = sorted(used, key=lambda pair: pair[::-1])
    with top.naming("tilesets"):  # the last tiles of one may have the numbers of the next
        names = {pair: _name(*pair, tilesets) for pair in pairs}
    unnamed = [pair for pair in pairs if not (tilesets.tile(pair[1]).kind or pair[0])]
    if len(set(names.values()) - {VOID.name}) > _MAX_KINDS:
        notes.add(f"more than {_MAX_KINDS} kinds: tiles without a kind get one for each tileset")
        names |= {pair: _tileset_name(pair[1], tilesets) for pair in unnamed}
    unknown: UnknownFields = {}
    kinds: dict[str, TileKind] = {}
    for pair, name in names.items():
        if name not in kinds:
            kinds[name], other_properties = _kind(name, pair, tilesets)
            if other_properties:
                unknown["kinds", name] = other_properties
    with top.naming("tilesets"):
        table = _with_ground(list(kinds.values()))
    numbers = {kind.name: number for number, kind in enumerate(table)}
    kind_of = {pair: numbers[name] for pair, name in names.items()}
    level, kind, decks = _surfaces(layers, frame, tilesets, kind_of, notes)
    kind[kind == EMPTY] = numbers[VOID.name]
    # Kinds that only covered tiles have, and no tile or layer names, are left out.
    named_kinds = {kind_of[pair] for pair in set(pairs) - set(unnamed)}
    unnamed_kinds = {kind_of[pair] for pair in unnamed} - named_kinds
    visible = {*np.unique(kind).tolist(), *np.unique(decks["kind"]).tolist()}
    if unnamed_kinds & visible:
        notes.add("tiles without a kind of ground get kinds named by their tileset")
    kept = [number for number in range(len(table)) if number not in unnamed_kinds - visible]
    new_numbers = np.zeros(len(table), np.int64)
    new_numbers[kept] = np.arange(len(kept))
    decks["kind"] = new_numbers[decks["kind"]]
    kept_kinds = _with_ground([table[number] for number in kept])
    return {
        **{"level": level, "kind": new_numbers[kind], "kinds": kept_kinds},
        **{"decks": decks, "unknown_fields": unknown},
    }


def _surfaces(
    layers: list[TileLayer], frame: Frame, tilesets: Tilesets, kind_of: KindOf, notes: Notes
) -> tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.void]]:
    """Return levels and kinds of the ground, which may be EMPTY, and the decks."""
    numbers = {layer.deck for layer in layers if layer.role == KIND} | {0}
    decks: dict[int, Surface] = {}
    for number in sorted(numbers):
        of_deck = [layer for layer in layers if layer.deck == number]
        decks[number] = compose(of_deck, frame, tilesets, kind_of, notes)
    used = (surface.level[surface.kind != EMPTY] for surface in decks.values())
    lowest = min(int(level.min(initial=0)) for level in used)
    if lowest < 0:
        notes.add(f"the lowest level is {lowest}: all levels are raised by {-lowest}")
    ground = decks.pop(0)
    level = np.maximum(ground.level - lowest, 0)
    surfaces = [_deck(number, surface, frame, -lowest) for number, surface in decks.items()]
    table = np.concatenate([NO_DECKS, *surfaces])
    return frame.to_map(level, 0), frame.to_map(ground.kind, EMPTY), table


def _with_ground(kinds: list[TileKind]) -> tuple[TileKind, ...]:
    """Return a table of kinds, with a kind of ground if all of them are void."""
    has_ground = any(kind.name != VOID.name for kind in kinds)
    return kind_table(kinds if has_ground else [*kinds, KINDS[0]])


def _deck(number: int, surface: Surface, frame: Frame, raised: int) -> NDArray[np.void]:
    kind = frame.to_map(surface.kind, EMPTY)
    row, col = np.nonzero(kind != EMPTY)
    deck = np.zeros(len(row), DECK)
    deck["row"], deck["col"], deck["deck"] = row, col, number
    deck["kind"] = kind[row, col]
    deck["level"] = frame.to_map(surface.level + raised, 0)[row, col]
    deck["thickness"] = frame.to_map(surface.thickness, 1)[row, col]
    return deck


def _refuse_unknown_tiles(layers: list[TileLayer], tilesets: Tilesets) -> None:
    for layer in layers:
        with layer.entry.naming("data"):
            for gid in chain.from_iterable(chunk.used for chunk in layer.chunks):
                if gid:
                    tilesets.tile(gid, is_number=layer.role != "kind")


def _name(layer_kind: str, gid: int, tilesets: Tilesets) -> str:
    tile = tilesets.tile(gid)
    return tile.kind or layer_kind or f"{_tileset_name(gid, tilesets)} {tile.id}"


def _tileset_name(gid: int, tilesets: Tilesets) -> str:
    return tilesets.tile(gid).tileset.lstrip("#") or "tile"


def _kind(name: str, pair: tuple[str, int], tilesets: Tilesets) -> tuple[TileKind, Extras]:
    """Return the kind of a tile, and the properties of the tile that are not fields of a kind."""
    layer_kind, gid = pair
    tile = tilesets.tile(gid)
    properties = dict(tile.properties)
    is_named = bool(tile.kind or layer_kind)
    try:
        color = default_color(tile.id)
        return make_kind(name, properties, color, is_named=is_named), properties
    except (TypeError, ValueError) as error:
        raise tilesets.error(gid, str(error)) from None
