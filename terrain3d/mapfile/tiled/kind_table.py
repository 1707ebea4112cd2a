"""Make the table of kinds, the ground and the decks of a Tiled map from its layers and tilesets."""

from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import KINDS, VOID, TileKind, kind_table
from terrain3d.mapfile.json_fields import Fields
from terrain3d.mapfile.record import DECK, NO_DECKS, Extras, UnknownFields
from terrain3d.mapfile.tiled import layer_stack, tile_kinds
from terrain3d.mapfile.tiled.layer_stack import EMPTY, KindOf, Surface
from terrain3d.mapfile.tiled.notes import Notes
from terrain3d.mapfile.tiled.orientation import Frame
from terrain3d.mapfile.tiled.tile_layers import KIND, TileLayer
from terrain3d.mapfile.tiled.tilesets import Tilesets

_MAX_KINDS = 255


@dataclass(frozen=True)
class KindTable:
    """The kinds of a map, and which tile has which.

    `unknown_fields` are properties of kinds that are not fields of `TileKind`; `unnamed` are the
    indices of kinds that are named by a tileset, since no tile or layer names them.
    """

    kinds: tuple[TileKind, ...]
    kind_of: KindOf
    unknown_fields: UnknownFields
    unnamed: frozenset[int] = frozenset()


def make_kind_table(
    top: Fields, layers: list[TileLayer], tilesets: Tilesets, notes: Notes
) -> KindTable:
    """Return the table of kinds.

    The kind of a tile is its own, else that of its layer, else a new one named by its tileset. All
    tiles of a tileset of kinds get a kind, even if no layer uses them.
    """
    _refuse_unknown_tiles(layers, tilesets)
    used = layer_stack.used_gids(layers) | {("", gid) for gid in tilesets.kind_gids}
    pairs = sorted(used, key=lambda pair: pair[::-1])
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
    own_names = {names[pair] for pair in set(pairs) - set(unnamed)}
    tileset_names = {names[pair] for pair in unnamed} - own_names
    return KindTable(table, kind_of, unknown, frozenset(numbers[name] for name in tileset_names))


def drop_unused_kinds(
    table: KindTable, kind: NDArray[np.integer], decks: NDArray[np.void], notes: Notes
) -> tuple[tuple[TileKind, ...], NDArray[np.integer], NDArray[np.void]]:
    """Return kinds, ground and decks without the unnamed kinds that only covered tiles have."""
    used = {*np.unique(kind).tolist(), *np.unique(decks["kind"]).tolist()}
    if table.unnamed & used:
        notes.add("tiles without a kind of ground get kinds named by their tileset")
    kept = [number for number in range(len(table.kinds)) if number not in table.unnamed - used]
    new_numbers = np.zeros(len(table.kinds), np.int64)
    new_numbers[kept] = np.arange(len(kept))
    decks["kind"] = new_numbers[decks["kind"]]
    return _with_ground([table.kinds[number] for number in kept]), new_numbers[kind], decks


def make_decks(
    layers: list[TileLayer], frame: Frame, tilesets: Tilesets, table: KindTable, notes: Notes
) -> tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.void]]:
    """Return levels and kinds of the ground, and the decks."""
    numbers = {layer.deck for layer in layers if layer.role == KIND} | {0}
    decks: dict[int, Surface] = {}
    for number in sorted(numbers):
        of_deck = [layer for layer in layers if layer.deck == number]
        decks[number] = layer_stack.compose(of_deck, frame, tilesets, table.kind_of, notes)
    used = (surface.level[surface.kind != EMPTY] for surface in decks.values())
    lowest = min(int(level.min(initial=0)) for level in used)
    if lowest < 0:
        notes.add(f"the lowest level is {lowest}: all levels are raised by {-lowest}")
    void, ground = [kind.name for kind in table.kinds].index(VOID.name), decks.pop(0)
    kind = np.where(ground.kind == EMPTY, void, ground.kind)
    level = np.maximum(ground.level - lowest, 0)
    surfaces = [_deck(number, surface, frame, -lowest) for number, surface in decks.items()]
    return frame.to_map(level, 0), frame.to_map(kind, void), np.concatenate([NO_DECKS, *surfaces])


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
        color = tile_kinds.default_color(tile.id)
        return tile_kinds.make_kind(name, properties, color, is_named=is_named), properties
    except (TypeError, ValueError) as error:
        raise tilesets.error(gid, str(error)) from None
