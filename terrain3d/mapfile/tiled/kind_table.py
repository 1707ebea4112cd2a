"""The table of kinds of a Tiled map, and all of its decks as a record tells them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import KINDS, VOID, TileKind, kind_table
from terrain3d.mapfile.native.fields import Fields
from terrain3d.mapfile.record import DECK, Extras, Kept
from terrain3d.mapfile.tiled import layer_stack, tile_kinds
from terrain3d.mapfile.tiled.layer_stack import EMPTY, KindOf, Surface
from terrain3d.mapfile.tiled.notes import Notes
from terrain3d.mapfile.tiled.orientation import Frame
from terrain3d.mapfile.tiled.tile_layers import KIND, TileLayer
from terrain3d.mapfile.tiled.tilesets import Tilesets

_MAX_KINDS = 255


@dataclass(frozen=True)
class Table:
    """Kinds of ground, which tile is of which, and what else their tiles tell."""

    kinds: tuple[TileKind, ...]
    kind_of: KindOf
    kept: Kept
    unnamed: frozenset[int] = frozenset()
    """Those that only have the name of a tileset."""


def make_table(top: Fields, layers: list[TileLayer], tilesets: Tilesets, notes: Notes) -> Table:
    """Make the table of kinds.

    The kind of a tile is the one that it tells, else the one that its layer tells, else one of its
    own; those of a tileset of kinds are there even if no layer uses them.

    Raises
    ------
    MapFileError
        A tile is in no tileset, a kind is none, or there are too many.
    """
    _refuse_unknown(layers, tilesets)
    used = layer_stack.used_gids(layers)
    wanted = sorted(used | {("", gid) for gid in tilesets.kinds}, key=lambda pair: pair[::-1])
    names = {pair: _name(*pair, tilesets) for pair in wanted}
    unnamed = [pair for pair in wanted if not (tilesets.tile(pair[1]).kind or pair[0])]
    if len(set(names.values()) - {VOID.name}) > _MAX_KINDS:
        notes.add(f"more than {_MAX_KINDS} kinds: tiles that tell none have one for each tileset")
        names |= {pair: _tileset_name(pair[1], tilesets) for pair in unnamed}
    kept: Kept = {}
    made: dict[str, TileKind] = {}
    for pair, name in names.items():
        if name not in made:
            made[name], left = _kind(name, pair, tilesets)
            if left:
                kept["kinds", name] = left
    try:
        checked = _table(list(made.values()))
    except ValueError as error:
        raise top.error(str(error), "tilesets") from None
    places = {kind.name: place for place, kind in enumerate(checked)}
    own = {names[pair] for pair in unnamed} - {names[pair] for pair in set(wanted) - set(unnamed)}
    kind_of = {pair: places[name] for pair, name in names.items()}
    return Table(checked, kind_of, kept, frozenset(places[name] for name in own))


def drop_unused(
    table: Table, kind: NDArray[np.integer], decks: NDArray[np.void], notes: Notes
) -> tuple[tuple[TileKind, ...], NDArray[np.integer], NDArray[np.void]]:
    """Drop kinds without a name that only covered tiles have; give kinds, ground and decks."""
    used = {*np.unique(kind).tolist(), *np.unique(decks["kind"]).tolist()}
    if table.unnamed & used:
        notes.add("tiles that tell no kind of ground have kinds named by their tileset")
    left = [place for place in range(len(table.kinds)) if place not in table.unnamed - used]
    places = np.zeros(len(table.kinds), np.int64)
    places[left] = np.arange(len(left))
    decks["kind"] = places[decks["kind"]]
    return _table([table.kinds[place] for place in left]), places[kind], decks


def make_decks(
    layers: list[TileLayer], frame: Frame, tilesets: Tilesets, table: Table, notes: Notes
) -> tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.void]]:
    """Give levels and kinds of the ground, and the decks."""
    numbers = {layer.deck for layer in layers if layer.role == KIND} | {0}
    decks: dict[int, Surface] = {}
    for number in sorted(numbers):
        of_deck = [layer for layer in layers if layer.deck == number]
        decks[number] = layer_stack.compose(of_deck, frame, tilesets, table.kind_of, notes)
    lowest = min(
        int(surface.level[surface.kind != EMPTY].min(initial=0)) for surface in decks.values()
    )
    if lowest < 0:
        notes.add(f"levels go down to {lowest}; all were raised by {-lowest}")
    void, ground = [kind.name for kind in table.kinds].index(VOID.name), decks.pop(0)
    kind = np.where(ground.kind == EMPTY, void, ground.kind)
    level = np.maximum(ground.level - lowest, 0)
    found = [_deck(number, surface, frame, -lowest) for number, surface in decks.items()]
    return frame.spread(level, 0), frame.spread(kind, void), np.concatenate([_NONE, *found])


_NONE = np.zeros(0, DECK)


def _table(kinds_found: list[TileKind]) -> tuple[TileKind, ...]:
    """Make a table of kinds, with one to stand on even if there is none."""
    has_ground = any(kind.name != VOID.name for kind in kinds_found)
    return kind_table(kinds_found if has_ground else [*kinds_found, KINDS[0]])


def _deck(number: int, surface: Surface, frame: Frame, raised: int) -> NDArray[np.void]:
    kind = frame.spread(surface.kind, EMPTY)
    row, col = np.nonzero(kind != EMPTY)
    deck = np.zeros(len(row), DECK)
    deck["row"], deck["col"], deck["deck"] = row, col, number
    deck["kind"] = kind[row, col]
    deck["level"] = frame.spread(surface.level + raised, 0)[row, col]
    deck["thickness"] = frame.spread(surface.thickness, 1)[row, col]
    return deck


def _refuse_unknown(layers: list[TileLayer], tilesets: Tilesets) -> None:
    for layer in layers:
        for block in layer.blocks:
            for gid in block.used:
                try:
                    _ = tilesets.tile(gid) if gid else None
                except ValueError as error:
                    raise layer.entry.error(str(error), "data") from None


def _name(layer_kind: str, gid: int, tilesets: Tilesets) -> str:
    own = f"{_tileset_name(gid, tilesets)} {tilesets.tile(gid).number}"
    return tilesets.tile(gid).kind or layer_kind or own


def _tileset_name(gid: int, tilesets: Tilesets) -> str:
    return tilesets.tile(gid).tileset.lstrip("#") or "tile"


def _kind(name: str, pair: tuple[str, int], tilesets: Tilesets) -> tuple[TileKind, Extras]:
    """Make a kind as a tile and its layer tell it, and give what they tell beside."""
    layer_kind, gid = pair
    tile = tilesets.tile(gid)
    told = dict(tile.told)
    is_named = bool(tile.kind or layer_kind)
    try:
        color = tile_kinds.spread_color(tile.number)
        return tile_kinds.make(name, told, color, is_named=is_named), told
    except (TypeError, ValueError) as error:
        raise tilesets.error(gid, str(error)) from None
