"""Convert kinds of ground to and from classes and custom properties of Tiled's tiles.

A kind keeps its name in the file. Properties with the name of a field of `TileKind` set that field.
Other fields come from the built-in kind of the same name, or of the last word in the name that is a
synonym of one. If there is none, the kind costs 1 and has a color of its own.
"""

import re
from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import replace

from terrain3d.grid.kinds import KINDS, TEXTURES, VOID, Color, TileKind
from terrain3d.mapfile.record import Extras, Json

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
