"""Kinds of ground told by Tiled's classes, properties and names, and told to them.

A kind keeps the name it has in the file. What it costs and looks like is told by properties of its
tile that are named as the fields of `TileKind`; what they leave open is that of the usual kind of
this name, or of the last word in it that names one; else it costs 1, and has a color of its own.
"""

import re
from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import replace

from terrain3d.grid.kinds import KINDS, TEXTURES, VOID, Color, TileKind
from terrain3d.mapfile.record import Extras, Json

NO_ENTRY = "none"
"""How a property says that a kind cannot be entered."""

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
_USUAL: Mapping[str, TileKind] = {
    **{word: kind for kind in KINDS for word in _SYNONYMS.get(kind.name, "").split()},
    **{kind.name: kind for kind in KINDS},
}
_GROUNDS = ("grass", "soil", "paving", "sand", "rock", "planks", "mud", "snow")
_SHADES = (1.0, 0.88, 0.94, 0.82)
_WORD = re.compile(r"[^\W\d_]+")
_COLOR = re.compile(r"#?([0-9a-fA-F]{2})?([0-9a-fA-F]{6})")


def make(name: str, told: Extras, own_color: Color, *, is_named: bool = True) -> TileKind:
    """Make a kind.

    Parameters
    ----------
    name : str
    told : dict
        Properties; those that are a kind's fields are taken out.
    own_color : Color
        What it has if nothing tells its looks.
    is_named : bool
        Whether the name says what it is.

    Raises
    ------
    TypeError, ValueError
        It could never be walked or drawn.
    """
    usual = _usual(name) if is_named else None
    base = replace(usual, name=name) if usual else TileKind(name, color=own_color)
    values = {field: _field(field, told.pop(field)) for field in FIELDS if field in told}
    if "texture" in values and "color" not in values:
        values["color"] = None
    kind = replace(base, **values)
    if "color" not in values:
        return kind
    return replace(kind, color=_exact(color_of(kind), kind))


def properties_of(kind: TileKind) -> Extras:
    """Tell a kind's fields as properties; its color as Tiled does, in parts of 255."""
    told: Extras = {field: getattr(kind, field) for field in FIELDS}
    if kind.cost is None:
        told["cost"] = NO_ENTRY
    else:
        told["cost"] = float(kind.cost) if kind.cost % 1 else int(kind.cost)
    tags = sorted(kind.tags)
    is_plain = all(tag == tag.strip() and "," not in tag for tag in tags)
    told["tags"] = ", ".join(tags) if is_plain else tags
    del told["color"]
    return told


def hex_color(color: Color) -> str:
    """Write a color as Tiled does."""
    return "#ff" + "".join(f"{round(part * 255):02x}" for part in color)


def keeps_color(kind: TileKind) -> bool:
    """Tell whether a kind's color comes back from the text that `hex_color` writes."""
    color = color_of(kind)
    read = bytes.fromhex(hex_color(color)[3:])
    return _exact((read[0] / 255, read[1] / 255, read[2] / 255), kind) == color


def spread_color(place: int) -> Color:
    """Give the color of one of many things that lie in an order: of some ground."""
    ground, shade = divmod(place, len(_SHADES))
    red, green, blue = (
        round(part * _SHADES[shade] * 255) / 255
        for part in TEXTURES[_GROUNDS[ground % len(_GROUNDS)]]
    )
    return red, green, blue


def _usual(name: str) -> TileKind | None:
    if name == VOID.name:
        return VOID
    words = [word.casefold() for word in _WORD.findall(name)]
    return next((_USUAL[word] for word in reversed(words) if word in _USUAL), None)


def _exact(color: Color, kind: TileKind) -> Color:
    """Give the usual color of such a kind where it is written as the one that was read."""
    usual = _usual(kind.name)
    guesses = (color_of(usual) if usual else color, TEXTURES[kind.texture])
    return next((guess for guess in guesses if hex_color(guess) == hex_color(color)), color)


def color_of(kind: TileKind) -> Color:
    """Give a kind's color."""
    assert kind.color is not None  # a kind always has one once it is made
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
            found = _COLOR.fullmatch(value)
            if not found:
                raise ValueError(f"color must be #rrggbb or #aarrggbb, got {value[:20]!r}")
            return tuple(part / 255 for part in bytes.fromhex(found[2]))
    return value
