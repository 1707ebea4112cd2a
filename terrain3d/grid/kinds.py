"""Kinds of ground: what a tile is made of, what entering it costs, how it looks."""

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from terrain3d.core.checks import check_cost, number_within, true_or_false, whole_number

Color = tuple[float, float, float]

MAX_DEPTH = 255
"""The most levels of liquid a kind may have above its bed."""

TEXTURES: dict[str, Color] = {
    "grass": (0.50, 0.66, 0.29),
    "soil": (0.61, 0.47, 0.33),
    "mud": (0.36, 0.40, 0.24),
    "sand": (0.90, 0.80, 0.58),
    "rock": (0.60, 0.58, 0.56),
    "paving": (0.72, 0.66, 0.56),
    "snow": (0.86, 0.89, 0.94),
    "planks": (0.61, 0.44, 0.28),
    "water": (0.42, 0.66, 0.68),
    "lava": (0.93, 0.38, 0.12),
}
"""The surfaces that a kind may have, and the usual color of each."""

PROPS = ("", "meadow", "stones", "rubble", "reeds", "trees")
"""What may grow or lie on a kind: nothing, tufts and flowers, pebbles, boulders, reeds by puddles,
trees."""


@dataclass(frozen=True)
class TileKind:
    """One kind of what one can stand on.

    Parameters
    ----------
    name : str
        The name by which maps, edits and movement profiles refer to it.
    cost : number or None
        What a step onto such a tile costs before heights count, 0..MAX_COST.
        None: it cannot be entered.
    color : (red, green, blue), each 0..1, optional
        Color of its top, as seen in full light; the usual one of its texture if not given.
    tags : set of str
        What it has in common with other kinds, "liquid" say. A profile prices all kinds of a tag
        at once as "#liquid". Any iterable of texts will do; it is kept as a frozenset.
    depth : int, in levels
        How much liquid stands above the bed, 0..MAX_DEPTH. Looks only: steps are measured from
        the surface of the liquid.
    can_stop : bool
        False: it may be passed, but no way ends on it.
    texture : str
        What its surface looks like, one of TEXTURES: "grass", "water", "planks", ...
    props : str
        What grows or lies on it, one of PROPS: "trees", "reeds", "stones", ..., "" for nothing.

    Raises
    ------
    TypeError, ValueError
        The name is empty or no text, the name or a tag begins with "#", the cost or the depth is
        out of its limits, a color outside 0..1, an unknown texture or unknown props.
    """

    name: str
    cost: float | None = 1
    color: Color | None = None
    tags: AbstractSet[str] = frozenset()
    depth: int = 0
    can_stop: bool = True
    texture: str = "soil"
    props: str = ""

    def __post_init__(self) -> None:
        """Refuse what could never be walked or drawn."""
        if not isinstance(self.name, str):
            raise TypeError(f"a tile kind's name must be text, got {self.name!r}")
        if not self.name:
            raise ValueError("a tile kind needs a name")
        if self.name.startswith("#"):
            raise ValueError(f"a kind's name begins with '#', which marks a tag: {self.name!r}")
        if self.cost is not None:
            check_cost(f"cost of {self.name!r}", self.cost)
        _check_choice(f"texture of {self.name!r}", self.texture, TEXTURES)
        _check_choice(f"props of {self.name!r}", self.props, PROPS)
        if self.color is None:
            object.__setattr__(self, "color", TEXTURES[self.texture])
        else:
            object.__setattr__(self, "color", _checked_color(self.name, self.color))
        object.__setattr__(self, "tags", _tag_set(self.name, self.tags))
        if not 0 <= whole_number(f"depth of {self.name!r}", self.depth) <= MAX_DEPTH:
            raise ValueError(f"depth of {self.name!r} must be in 0..{MAX_DEPTH}, got {self.depth}")
        can_stop = true_or_false(f"can_stop of {self.name!r}", self.can_stop)
        object.__setattr__(self, "can_stop", can_stop)


def _check_choice(what: str, value: str, choices: Collection[str]) -> None:
    """Refuse what is none of several texts."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be text, got {value!r}")
    if value not in choices:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, choices))}, got {value!r}")


def _checked_color(name: str, color: Color) -> Color:
    """Return a color as a tuple, after refusing what is none."""
    if isinstance(color, str) or not isinstance(color, Iterable):
        raise TypeError(f"color of {name!r} must be 3 numbers in 0..1, got {color!r}")
    parts = tuple(number_within(f"color of {name!r}", part, 0, 1) for part in color)
    if len(parts) != 3:
        raise ValueError(f"color of {name!r} must be 3 numbers in 0..1, got {color!r}")
    return parts


def _tag_set(name: str, tags: Iterable[str]) -> frozenset[str]:
    """Return a kind's tags as a set, after refusing what no profile could name."""
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise TypeError(f"tags of {name!r} must be several texts, got {tags!r}")
    given = frozenset(tags)
    for tag in given:
        if not isinstance(tag, str):
            raise TypeError(f"a tag of {name!r} must be text, got {tag!r}")
        if not tag or tag.startswith("#"):
            raise ValueError(f"a tag of {name!r} must be text without '#', got {tag!r}")
    return given


VOID = TileKind("void", cost=None, color=(0.0, 0.0, 0.0))
"""No ground at all. Every map knows this kind, whatever its own table says."""

KINDS = (
    TileKind("grass", texture="grass", props="meadow"),
    TileKind("dirt", texture="soil", props="stones"),
    TileKind("sand", texture="sand", props="stones"),
    TileKind("rock", texture="rock", props="rubble"),
    TileKind("snow", texture="snow"),
    TileKind("road", texture="paving"),
    TileKind("forest", cost=2, color=(0.35, 0.50, 0.24), texture="grass", props="trees"),
    TileKind("swamp", cost=3, texture="mud", props="reeds"),
    TileKind("shallow", cost=2, tags={"liquid"}, depth=1, texture="water"),
    TileKind(
        "deep", cost=None, color=(0.16, 0.39, 0.55), tags={"liquid"}, depth=3, texture="water"
    ),
    TileKind("lava", cost=None, tags={"liquid", "lava"}, depth=1, texture="lava"),
    TileKind("wood", texture="planks"),
    VOID,
)
"""The kinds of a map that names none of its own. What `TileMap.from_noise` grows costs 1 all over,
so that heights alone decide there."""


def kind_table(kinds: Sequence[TileKind]) -> tuple[TileKind, ...]:
    """Check a table that a caller gave, and add "void" at its end if it is missing.

    Raises
    ------
    TypeError, ValueError
        An entry is no `TileKind`, names repeat, or there are too few or too many.
    """
    table = tuple(kinds)
    for entry in table:
        if not isinstance(entry, TileKind):
            raise TypeError(f"kinds must be TileKinds, got {entry!r}")
    names = [entry.name for entry in table]
    if len(set(names)) != len(names):
        raise ValueError(f"names of kinds must differ, got {names}")
    if VOID.name not in names:
        table = (*table, VOID)
    if not 2 <= len(table) <= 256:
        raise ValueError(f"a map has 1..255 kinds besides void, got {len(table) - 1}")
    return table


def index_of(name: str, table: Sequence[TileKind]) -> int:
    """Give the place of the kind of that name in a table; `ValueError` if there is none."""
    for index, entry in enumerate(table):
        if entry.name == name:
            return index
    if isinstance(name, TileKind):
        raise TypeError(f"a kind goes by its name here: {name.name!r}, not the TileKind")
    raise ValueError(f"unknown kind {name!r}; this map has {[entry.name for entry in table]}")
