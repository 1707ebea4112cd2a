"""Kinds of ground: cost to enter, tags and look."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace

from terrain3d.core.checks import (
    check_cost,
    instance_of,
    listed,
    number_within,
    one_of,
    quoted,
    true_or_false,
    whole_within,
)
from terrain3d.grid.looks import (
    PROPS,
    TEXTURES,
    Color,
    Unregistered,
    Water,
    checked_color,
    paint_of,
)

MAX_DEPTH = 255
"""The most levels of liquid a kind may have above its bed."""


@dataclass(frozen=True, repr=False)
class TileKind:
    """A kind of ground.

    Parameters
    ----------
    name : str
        The name by which maps, edits and movement profiles refer to it.
    cost : number or None
        Cost to enter such a tile on level ground, 0..MAX_COST. None: it cannot be entered.
    color : (red, green, blue), each 0..1, optional
        Color of its top in full light; default: the color of its texture.
    tags : set of str
        Properties shared with other kinds, such as "liquid". A profile sets the cost of all kinds
        with a tag as "#liquid". Any iterable of str; stored as a frozenset.
    depth : int, in levels
        Depth of liquid above the bed, 0..MAX_DEPTH. It affects the look only: steps are measured
        from the surface of the liquid.
    can_stop : bool
        False: units may pass, but no path may end on it.
    texture : str
        One of TEXTURES: "grass", "water", "planks", ...; or of `register_texture`.
    props : str
        One of PROPS: "trees", "reeds", "stones", ..., or "" for none; or of `register_prop`.
    glow : float
        Part of the top's light that is its own and shows at night, too, 0..1.
    water : Water, optional
        The look of water; the texture is "water" then.

    Raises
    ------
    TypeError, ValueError
        The name is empty or not text, or the name or a tag begins with "#". The cost, the depth or
        a color is out of its limits. The texture or the props are unknown. It has the look of
        water and another texture.
    """

    name: str
    cost: float | None = 1
    color: Color | None = None
    tags: AbstractSet[str] = frozenset()
    depth: int = 0
    can_stop: bool = True
    texture: str = "soil"
    props: str = ""
    glow: float = 0.0
    water: Water | None = None

    def __post_init__(self) -> None:
        """Check the fields and fill in derived ones."""
        if not isinstance(self.name, str):
            raise TypeError(f"a tile kind's name must be text, got {quoted(self.name)}")
        if not self.name:
            raise ValueError("a tile kind needs a name")
        if self.name.startswith("#"):
            raise ValueError(
                f"a kind's name begins with '#', which marks a tag: {quoted(self.name)}"
            )
        if self.cost is not None:
            object.__setattr__(self, "cost", check_cost(f"cost of {self.name!r}", self.cost))
        self._check_look()
        color = paint_of(self.texture).color if self.color is None else self.color
        object.__setattr__(self, "color", checked_color(f"color of {self.name!r}", color))
        object.__setattr__(self, "tags", _tag_set(self.name, self.tags))
        depth = whole_within(f"depth of {self.name!r}", self.depth, 0, MAX_DEPTH)
        object.__setattr__(self, "depth", depth)
        can_stop = true_or_false(f"can_stop of {self.name!r}", self.can_stop)
        object.__setattr__(self, "can_stop", can_stop)

    def _check_look(self) -> None:
        """Check texture, props, glow and water; water gives the kind its texture and color."""
        if self.water is not None:
            water = instance_of(f"water of {self.name!r}", self.water, Water)
            texture = instance_of(f"texture of {self.name!r}", self.texture, str)
            if texture not in (TileKind.texture, "water"):
                problem = f"texture of {self.name!r} must be 'water', since it has the look of it"
                raise ValueError(f"{problem}, got {quoted(texture)}")
            object.__setattr__(self, "texture", "water")
            if water.color is not None:
                object.__setattr__(self, "color", water.color)
                object.__setattr__(self, "water", replace(water, color=None))
        for field, table in (("texture", TEXTURES), ("props", PROPS)):
            if not isinstance(getattr(self, field), Unregistered):
                one_of(f"{field} of {self.name!r}", getattr(self, field), table)
        glow = number_within(f"glow of {self.name!r}", self.glow, 0, 1)
        object.__setattr__(self, "glow", glow)

    def __repr__(self) -> str:
        """Return the call that makes this kind, with what differs from the defaults."""
        usual = {each.name: each.default for each in fields(self)}
        usual["color"] = checked_color("color", paint_of(self.texture).color)
        shown = {name: getattr(self, name) for name in usual}
        shown.pop("name")
        tags = f"{{{', '.join(map(repr, sorted(self.tags)))}}}"  # in the same order everywhere
        more = [
            f", {name}={tags if name == 'tags' else repr(value)}"
            for name, value in shown.items()
            if value != usual[name]
        ]
        return f"TileKind({self.name!r}{''.join(more)})"


def _tag_set(name: str, tags: Iterable[str]) -> frozenset[str]:
    """Return a kind's tags as a frozenset after checking them."""
    given = listed(f"tags of {name!r}", tags)
    for tag in given:
        if not isinstance(tag, str):
            raise TypeError(f"a tag of {name!r} must be text, got {quoted(tag)}")
        if not tag or tag.startswith("#"):
            raise ValueError(f"a tag of {name!r} must be text without '#', got {quoted(tag)}")
    return frozenset(given)


VOID = TileKind("void", cost=None, color=(0.0, 0.0, 0.0))
"""No ground. Every map has this kind, even if its own table lacks it."""


class _Kinds(tuple[TileKind, ...]):
    """The default kinds; they print as their name, so that signatures are short."""

    def __repr__(self) -> str:
        return "KINDS"

    def __str__(self) -> str:
        return tuple.__repr__(self)


KINDS: tuple[TileKind, ...] = _Kinds(
    (
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
)
"""The default kinds of a map. All kinds that `TileMap.from_noise` uses cost 1."""


def kind_table(kinds: Sequence[TileKind]) -> tuple[TileKind, ...]:
    """Check a table of kinds and append "void" if it is missing."""
    table = tuple(listed("kinds", kinds))
    for entry in table:
        if not isinstance(entry, TileKind):
            raise TypeError(f"kinds must be TileKinds, got {quoted(entry)}")
    names = [entry.name for entry in table]
    if len(set(names)) != len(names):
        raise ValueError(f"names of kinds must differ, got {quoted(names)}")
    if VOID.name not in names:
        table = (*table, VOID)
    if not 2 <= len(table) <= 256:
        raise ValueError(f"a map has 1..255 kinds besides void, got {len(table) - 1}")
    return table


def index_of(name: str, table: Sequence[TileKind]) -> int:
    """Return the index of the kind of that name in a table; `ValueError` if there is none."""
    if isinstance(name, TileKind):
        raise TypeError(f"give the name of a kind, {name.name!r}, not the TileKind")
    instance_of("the name of a kind", name, str)
    for index, entry in enumerate(table):
        if entry.name == name:
            return index
    raise ValueError(f"unknown kind {quoted(name)}; this map has {[entry.name for entry in table]}")
