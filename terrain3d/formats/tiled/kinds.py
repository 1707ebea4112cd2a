"""Turn the layers and tilesets of a Tiled map into kinds, ground and decks, and kinds into tiles.

A kind keeps its name in the file. Properties with the name of a field of `TileKind` set that field.
Other fields come from the built-in kind of the same name, or of the last word in the name that is a
synonym of one. If there is none, the kind costs 1 and has a color of its own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled.orientation import Frame
from terrain3d.formats.tiled.properties import Notes
from terrain3d.formats.tiled.tile_layers import (
    EMPTY,
    KIND,
    KindOf,
    Surface,
    TileLayer,
    compose,
    used_gids,
)
from terrain3d.formats.tiled.tilesets import Tilesets
from terrain3d.grid.kinds import KINDS, TEXTURES, VOID, Color, TileKind, kind_table
from terrain3d.map.surfaces import DECK, NO_DECKS
from terrain3d.map.tilemap import Extras, Json, UnknownFields

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
    **{word: kind for kind in KINDS for word in _SYNONYMS.get(kind.name, "").split()},
    **{kind.name: kind for kind in KINDS},
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
    values = {field: _field(field, properties.pop(field)) for field in given}
    if "texture" in values and "color" not in values:
        values["color"] = None
    kind = replace(base, **values)
    if "color" not in values:
        return kind
    return replace(kind, color=_exact(color_of(kind), kind))


def properties_of(kind: TileKind) -> Extras:
    """Return the fields of a kind as custom properties, without its color."""
    properties: Extras = {field: getattr(kind, field) for field in FIELDS}
    if kind.cost is None:
        properties["cost"] = NO_ENTRY
    else:
        properties["cost"] = float(kind.cost) if kind.cost % 1 else int(kind.cost)
    tags = sorted(kind.tags)
    is_plain = all(tag == tag.strip() and "," not in tag for tag in tags)
    properties["tags"] = ", ".join(tags) if is_plain else tags
    del properties["color"]
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
        for part in TEXTURES[_GROUNDS[ground % len(_GROUNDS)]]
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
    candidates = (color_of(built_in) if built_in else color, TEXTURES[kind.texture])
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
        decks[number] = compose(of_deck, frame, tilesets, table.kind_of, notes)
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
        color = default_color(tile.id)
        return make_kind(name, properties, color, is_named=is_named), properties
    except (TypeError, ValueError) as error:
        raise tilesets.error(gid, str(error)) from None
