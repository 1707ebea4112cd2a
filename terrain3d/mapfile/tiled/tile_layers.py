"""Tile layers of a Tiled map: their tiles, and what each layer holds.

A layer holds kinds of ground, or numbers: levels or thicknesses, if its property "holds", its class
or its name says so. The property "deck" tells of which deck; the ground is deck 0.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from terrain3d.mapfile.json_fields import Fields
from terrain3d.mapfile.tiled import properties, tile_data
from terrain3d.mapfile.tiled.layer_tree import Layer, added, flat
from terrain3d.mapfile.tiled.notes import Notes, quoted
from terrain3d.mapfile.tiled.orientation import Position

KIND, LEVEL, THICKNESS = "kind", "level", "thickness"
ROLES = {
    **dict.fromkeys(("level", "levels", "height", "heights", "elevation"), LEVEL),
    "thickness": THICKNESS,
}
"""What says that a layer holds numbers, and of what."""

MAX_LAYERS = 4096
MAX_USED = 2**16
"""The most different tiles that one layer may use."""

_MAX_PLACE = 2**30
_MAX_DECK = 63
_FLIP_FLAGS_FROM = 2**28
"""What is added to a tile's number tells how it is turned."""
_MAX_TABLE = 2**20


@dataclass(frozen=True)
class Chunk:
    """Tiles of a layer that lie side by side; 0 where there is none.

    Parameters
    ----------
    first : (row, col)
        Where they begin.
    gids : (rows, cols) uint32
    used : list of int
        The different ones, in order.
    """

    first: Position
    gids: NDArray[np.uint32]
    used: list[int]

    def look_up(self, values: Mapping[int, int]) -> NDArray[np.int32]:
        """Give a value for each tile, by its number; 0 where there is none."""
        told = np.array([values[gid] if gid else 0 for gid in self.used], np.int32)
        if self.used[-1] >= _MAX_TABLE:
            found: NDArray[np.int32] = told[np.searchsorted(self.used, self.gids)]
            return found
        table = np.zeros(self.used[-1] + 1, np.int32)
        table[self.used] = told
        laid: NDArray[np.int32] = table[self.gids]
        return laid


@dataclass(frozen=True)
class TileLayer:
    """One tile layer.

    Parameters
    ----------
    entry : Fields
        Where it stands in the file.
    role : str
        KIND, LEVEL or THICKNESS.
    is_named : bool
        Whether only its name tells the role.
    deck : int
    level : int or None
        How many levels its tiles lie higher, if it tells.
    kind : str
        Kind of those of its tiles that tell none; "" if it tells none.
    chunks : list of Chunk
    """

    entry: Fields
    role: str
    is_named: bool
    deck: int
    level: int | None
    kind: str
    chunks: list[Chunk]


@dataclass(frozen=True)
class LayerReader:
    """Reads the layers of one map.

    Parameters
    ----------
    shape : (rows, cols)
        The size of the map; 0 where the map is infinite.
    level_px : float
        How much higher in the picture the next level lies.
    max_tiles : int
        The most tiles on all layers together.
    notes : Notes
    """

    shape: tuple[int, int]
    level_px: float
    max_tiles: int
    notes: Notes

    def read(self, top: Fields) -> tuple[list[TileLayer], list[Layer]]:
        """Read all layers.

        Returns
        -------
        tile_layers : list
            From the lowest to the topmost.
        object_layers : list
            Not read yet.
        """
        tile_layers: list[TileLayer] = []
        object_layers: list[Layer] = []
        n_tiles = 0
        for number, layer in enumerate(flat(top, self.notes)):
            if number >= MAX_LAYERS:
                raise top.error(f"are more than {MAX_LAYERS}", "layers")
            kind = layer.entry.text("type")
            if kind == "objectgroup":
                object_layers.append(layer)
            elif kind == "tilelayer":
                made = self._tile_layer(layer, n_tiles)
                n_tiles += sum(chunk.gids.size for chunk in made.chunks)
                if layer.is_visible or made.role != KIND:
                    tile_layers.append(made)
                else:
                    self.notes.add(f"layer {quoted(layer.path)} is hidden and not kept")
            else:
                self.notes.add(f"layer {quoted(layer.path)}: of type {quoted(kind)}, is not kept")
        if not any(layer.role == KIND for layer in tile_layers):
            # A map of one layer may well be called "Level".
            tile_layers = [
                replace(layer, role=KIND) if layer.is_named else layer for layer in tile_layers
            ]
        return tile_layers, object_layers

    def _tile_layer(self, layer: Layer, n_before: int) -> TileLayer:
        entry, values = layer.entry, properties.read(layer.entry)
        told = str(values.pop(properties.HOLDS, "") or entry.text("class", "")).casefold()
        named = ROLES.get(layer.name.casefold(), KIND)
        kind, deck = values.pop("kind", ""), values.pop("deck", 0)
        if type(deck) is not int or not 0 <= deck <= _MAX_DECK:
            raise entry.error(f"the property deck must be in 0..{_MAX_DECK}, got {quoted(deck)}")
        if not isinstance(kind, str) or kind.startswith("#"):
            raise entry.error("the property kind must be a text that does not begin with '#'")
        level = self._level(layer, added(layer.level, properties.level_of(values, entry)))
        found = list(self._chunks(layer, n_before))
        layer.note_unread(values, self.notes)
        is_named = told not in ROLES and named != KIND
        return TileLayer(entry, ROLES.get(told, named), is_named, deck, level, kind, found)

    def _level(self, layer: Layer, level: int | None) -> int | None:
        """Give the level that a layer tells, or its shift in the picture where it tells none."""
        if level is not None or not layer.offset_px:
            return level
        level = round(-layer.offset_px / self.level_px)
        self.notes.add(
            f"layer {quoted(layer.path)}: shifted by {layer.offset_px:g} pixels, "
            f"read as {level} levels of {self.level_px:g}"
        )
        return level

    def _chunks(self, layer: Layer, n_before: int) -> Iterator[Chunk]:
        entry = layer.entry
        encoding, compression = entry.text("encoding", "csv"), entry.text("compression", "")
        rows, cols = self.shape
        is_infinite = rows == 0
        if is_infinite and "chunks" in entry.unread:
            for chunk in entry.objects("chunks"):
                row, col = (chunk.whole(name, -_MAX_PLACE, _MAX_PLACE) for name in "yx")
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

    def _chunk(self, layer: Layer, first: Position, gids: NDArray[np.uint32]) -> Chunk:
        """Take off how tiles are turned, and list the different ones."""
        if gids.max() >= _FLIP_FLAGS_FROM:
            self.notes.add(f"layer {quoted(layer.path)}: tiles that are turned there are not here")
            gids = gids & np.uint32(_FLIP_FLAGS_FROM - 1)
        used = _distinct(gids)
        if len(used) > MAX_USED:
            raise layer.entry.error(
                f"uses {len(used)} different tiles; the limit is {MAX_USED}", "data"
            )
        return Chunk(first, gids, used.tolist())

    def _shape(self, entry: Fields, n_before: int) -> tuple[int, int]:
        rows, cols = (entry.whole(name, 1, self.max_tiles) for name in ("height", "width"))
        count = n_before + rows * cols
        if count > self.max_tiles:
            raise entry.error(f"makes {count} tiles on all layers; the limit is {self.max_tiles}")
        return rows, cols


def _gids(
    entry: Fields, shape: tuple[int, int], encoding: str, compression: str
) -> NDArray[np.uint32]:
    """Read the tiles of a layer or a chunk."""
    value = entry.take("data")
    try:
        return tile_data.tiles(value, encoding, compression, shape[0] * shape[1]).reshape(shape)
    except ValueError as error:
        raise entry.error(str(error), "data") from None


def _distinct(gids: NDArray[np.uint32]) -> NDArray[np.integer]:
    """List the different ones, in order."""
    if gids.max() < _MAX_TABLE:
        return np.flatnonzero(np.bincount(gids.ravel()))
    ordered = np.sort(gids, axis=None)  # np.unique takes much longer where all differ
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[0] + 1))]
