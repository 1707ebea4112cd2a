"""Kinds of ground: cost to enter, tags and look."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import (
    check_cost,
    checked_path,
    instance_of,
    listed,
    number_within,
    one_of,
    quoted,
    true_or_false,
    whole_within,
)

Color = tuple[float, float, float]

PLAIN, SOFT, STONE, DRIFT, LIQUID, GLOW, MOLTEN, IMAGE = range(8)
"""Surface patterns: none, grass and earth, rock and paving, sand and snow, water, what glows by
itself, lava, and the image of a texture."""
MAX_IMAGE_SIZE = 4096
"""Largest width and height of an image, in pixels."""
MAX_SPEED = 10.0


@dataclass(frozen=True, eq=False)
class Paint:
    """The look of a texture; lengths are in world units."""

    color: Color
    """Color of a kind that has none of its own."""
    pattern: int = SOFT
    """Surface pattern."""
    lip: float = 0.06
    """Overhang of the top at an edge, at most 0.15."""
    rag: float = 0.015
    """Height variation of the lip's lower edge, at most `lip`."""
    jitter: float = 0.05
    """Largest relative change of brightness from tile to tile, at most 0.1."""
    shift: Color = (0.06, 0.01, -0.05)
    """Relative change of color where the slow noise is 1, at most 0.25 in size."""
    flank: Color | None = None
    """Color of the sides right below the top; default: a darker shade of the top."""
    has_boards: bool = False
    """Whether tops have boards, drops have rails, and other structures are of wood, not stone."""
    is_rock: bool = False
    """Whether the sides are of stone, and the tops have spots and differ clearly by level."""
    spots: Color = (1.0, 1.0, 1.0)
    """Color of the spots of rock, such as moss, as a share of that of the top."""
    image: NDArray[np.uint8] | None = None
    """(height, width, 3) pixels of a tile's top, the northern row first; their mean is `color`."""


TEXTURES: dict[str, Paint] = {
    "grass": Paint(
        *((0.50, 0.66, 0.29), SOFT, 0.13, 0.10, 0.04, (0.24, 0.06, -0.10)), flank=(0.51, 0.38, 0.27)
    ),
    "soil": Paint((0.61, 0.47, 0.33), shift=(0.05, -0.01, -0.06)),
    "mud": Paint(
        *((0.36, 0.40, 0.24), SOFT, 0.08, 0.07, 0.06, (0.10, 0.04, -0.08)), flank=(0.36, 0.30, 0.22)
    ),
    "sand": Paint(
        *((0.90, 0.80, 0.58), DRIFT, 0.07, 0.03, 0.03, (0.02, -0.02, -0.07)),
        flank=(0.76, 0.62, 0.42),
    ),
    "rock": Paint(
        *((0.60, 0.58, 0.56), STONE, 0.06, 0.05, 0.10, (0.11, 0.04, -0.11)),
        flank=(0.49, 0.46, 0.43),
        is_rock=True,
        spots=(0.74, 0.86, 0.50),
    ),
    "paving": Paint(
        *((0.72, 0.66, 0.56), STONE, 0.06, 0.0, 0.07, (0.04, 0.0, -0.05)), flank=(0.56, 0.47, 0.37)
    ),
    "snow": Paint(
        *((0.86, 0.89, 0.94), DRIFT, 0.15, 0.09, 0.02, (-0.03, -0.01, 0.02)),
        flank=(0.50, 0.49, 0.50),
        is_rock=True,
        spots=(0.88, 0.92, 0.96),
    ),
    "planks": Paint(
        *((0.61, 0.44, 0.28), SOFT, 0.05, 0.0, 0.08, (0.04, 0.0, -0.05)),
        flank=(0.40, 0.28, 0.18),
        has_boards=True,
    ),
    "water": Paint(
        *((0.42, 0.66, 0.68), LIQUID, 0.03, 0.0, 0.01, (-0.05, 0.0, 0.03)), flank=(0.56, 0.50, 0.39)
    ),
    "lava": Paint(
        *((0.93, 0.38, 0.12), MOLTEN, 0.03, 0.0, 0.05, (0.03, 0.16, 0.02)), flank=(0.30, 0.20, 0.18)
    ),
}
"""The textures of kinds."""


@dataclass(frozen=True)
class Prop:
    """The look of props."""

    afar: Color = (1.0, 1.0, 1.0)
    """Color of the ground with them, as seen from afar, as a share of that without."""
    draw: Callable[..., Any] | None = None
    """Returns the meshes of a patch; None for those of `mesh.props` itself."""


PROPS: dict[str, Prop] = {
    **dict.fromkeys(("", "meadow", "stones", "rubble"), Prop()),
    "reeds": Prop((0.96, 0.98, 1.01)),
    "trees": Prop((0.84, 0.83, 0.90)),
}
"""The props of kinds: none, tufts and flowers, pebbles, boulders, reeds by puddles, trees."""

BUILT_IN = frozenset((*TEXTURES, *PROPS))
"""The names that games cannot register again."""
_UNKNOWN = Paint((0.62, 0.60, 0.58), jitter=0.02, shift=(0.0, 0.0, 0.0))


class Unregistered(str):
    """A name in a file under which nothing is registered: it is kept, and its look is plain."""

    __slots__ = ()


def paint_of(texture: str) -> Paint:
    """Return the look of a texture; a plain one if it is not registered."""
    return TEXTURES.get(texture, _UNKNOWN)


@dataclass(frozen=True)
class Water:
    """The look of water.

    Parameters
    ----------
    color : (red, green, blue), each 0..1, optional
        It becomes the color of the kind and is not kept here; default: that of the kind.
    foam : float
        Strength of the foam at shores, 0..1.
    speed : float
        Speed of waves and foam, 0..10, in steps of 0.1; 0 is still.
    clarity : float
        0..1: with 0 nothing is seen below the surface, with 1 the bed of shallow water.

    Raises
    ------
    TypeError, ValueError
        A value is out of its limits.
    """

    color: Color | None = None
    foam: float = 1.0
    speed: float = 1.0
    clarity: float = 0.0

    def __post_init__(self) -> None:
        """Check the values."""
        if self.color is not None:
            object.__setattr__(self, "color", checked_color("color of water", self.color))
        limits = {"foam": 1.0, "speed": MAX_SPEED, "clarity": 1.0}
        for name, limit in limits.items():
            value = number_within(f"{name} of water", getattr(self, name), 0, limit)
            object.__setattr__(self, name, round(value, 1) if name == "speed" else value)


def checked_color(what: str, color: Color) -> Color:
    """Return a color as a tuple; `TypeError` or `ValueError` unless it is 3 numbers in 0..1."""
    parts = tuple(number_within(what, part, 0, 1) for part in listed(what, color))
    if len(parts) != 3:
        raise ValueError(f"{what} must be 3 numbers in 0..1, got {quoted(color)}")
    return parts


def checked_name(what: str, name: str) -> str:
    """Return a name to register; `TypeError`, `ValueError` if it is empty or one of ours."""
    if not instance_of(f"name of a {what}", name, str) or name in BUILT_IN:
        raise ValueError(
            f"the name of a {what} must be text that terrain3d does not use itself, "
            f"got {quoted(name)}"
        )
    return name


def register_texture(name: str, image: str | os.PathLike[str] | NDArray[np.uint8]) -> None:
    """Draw the tops of kinds with `texture=name` as an image, its upper edge to the north.

    The image covers one tile. It is multiplied by a color such that its mean is the color of the
    kind; a kind without one has the mean of the image, so the image is shown as it is. Pixels of
    images up to 64 x 64 stay sharp. A later call replaces an earlier one; maps that are shown
    already do not change.

    Parameters
    ----------
    name : str
        Any that is not the name of a texture or of props of terrain3d.
    image : path or (height, width, 3 or 4) uint8 array
        An image file, which Pillow reads, or pixels with the top row first. Clear pixels get the
        mean color of the others.

    Raises
    ------
    ImportError
        A file is given, and Pillow is not installed.
    TypeError, ValueError
        The name is empty or one of ours; the file is no image, or the image has no pixels or more
        than 4096 x 4096.
    """
    checked_name("texture", name)
    pixels = image if isinstance(image, np.ndarray) else _read(name, image)
    shape = pixels.shape
    is_image = pixels.dtype == np.uint8 and len(shape) == 3 and shape[2] in (3, 4)
    if not is_image or not 1 <= min(shape) <= max(shape) <= MAX_IMAGE_SIZE:
        raise ValueError(
            f"image of {name!r} must be a uint8 array (height, width, 3 or 4) of at most "
            f"{MAX_IMAGE_SIZE} x {MAX_IMAGE_SIZE} pixels, got {pixels.dtype} {shape}"
        )
    shown = pixels[..., :3].astype(np.float64)
    alpha = pixels[..., 3:] / 255.0 if shape[2] == 4 else np.ones((*shape[:2], 1))
    mean = (shown * alpha).sum(axis=(0, 1)) / max(float(alpha.sum()), 1e-9)
    opaque = np.rint(shown * alpha + mean * (1.0 - alpha)).astype(np.uint8)
    opaque.flags.writeable = False
    red, green, blue = (mean / 255.0).tolist()
    TEXTURES[name] = Paint((red, green, blue), jitter=0.02, shift=(0.0, 0.0, 0.0), image=opaque)


def _read(name: str, source: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """Return the (height, width, 4) pixels of an image file."""
    path = checked_path(f"image of {name!r}", source)
    if find_spec("PIL") is None:
        problem = "a texture from a file needs Pillow, which is not installed"
        raise ImportError(f'{problem}: pip install "pillow>=10.3"')
    from PIL import Image

    problem = ""
    try:
        with Image.open(path) as image:
            wide, high = image.size
            if max(wide, high) <= MAX_IMAGE_SIZE:
                return np.asarray(image.convert("RGBA"))
            problem = f", of {wide} x {high} pixels"
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        problem = f": {getattr(error, 'strerror', None) or 'it cannot be read'}"
    raise ValueError(
        f"image of {name!r} must be an image file such as PNG or JPEG of at most "
        f"{MAX_IMAGE_SIZE} x {MAX_IMAGE_SIZE} pixels, got {quoted(str(path))}{problem}"
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
        Cost to enter such a tile on level ground, MIN_COST..MAX_COST. None: it cannot be entered.
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


def kind_fields(kind: TileKind) -> dict[str, Any]:
    """Return the fields of a kind as JSON holds them; glow and water only if it has them."""
    values = {field.name: getattr(kind, field.name) for field in fields(kind)}
    if kind.water is not None:
        values["water"] = {
            name: value for name, value in vars(kind.water).items() if name != "color"
        }
    return {name: value for name, value in values.items() if value or name not in ("glow", "water")}


def kind_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of a kind in a file as `TileKind` takes them; `ValueError` for wrong water.

    The name of a texture or of props may be one that is not registered.
    """
    tables: dict[str, Mapping[str, object]] = {"texture": TEXTURES, "props": PROPS}
    values = dict(given)
    for field in values.keys() & tables.keys():
        name = values[field]
        if isinstance(name, str) and name not in tables[field]:
            values[field] = Unregistered(name)
    if isinstance(water := values.get("water"), dict):
        known = [field.name for field in fields(Water)]
        if unknown := [name for name in water if name not in known]:
            raise ValueError(f"water has {', '.join(known)}, got {quoted(unknown[0])}")
        values["water"] = Water(**water)
    return values


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
_BY_WORD: Mapping[str, TileKind] = {
    **{word: kind for kind in KINDS for word in _SYNONYMS.get(kind.name, "").split()},
    **{kind.name: kind for kind in KINDS},
}
_WORD = re.compile(r"[^\W\d_]+")


def built_in_kind(name: str) -> TileKind | None:
    """Return the built-in kind that a name means, by its last word that is one or a synonym."""
    if name == VOID.name:
        return VOID
    words = [word.casefold() for word in _WORD.findall(name)]
    return next((_BY_WORD[word] for word in reversed(words) if word in _BY_WORD), None)


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
