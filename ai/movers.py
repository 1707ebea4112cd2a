"""Preset profiles: the movement types of classic tactics games, as data.

References
----------
Limits of feet, floaters and flyers follow Tactics Ogre, https://gcgx.games/to/move.html.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType

from ai.rules.profile import MoveProfile

__all__ = [
    "ACROBAT",
    "BY_NAME",
    "FLOAT",
    "FLYER",
    "HEAVY_FOOT",
    "LIGHT_FOOT",
    "SWIMMER",
    "WARP",
    "figures_of",
    "named",
]

LIGHT_FOOT = MoveProfile(max_climb=2, max_drop=3)
"""Walks; climbs up to 2 levels and drops up to 3."""

HEAVY_FOOT = MoveProfile(max_climb=1, max_drop=2)
"""Walks in heavy armor; climbs 1 level and drops up to 2."""

ACROBAT = MoveProfile(max_climb=3, max_drop=4)
"""Climbs up to 3 levels and drops up to 4."""

FLOAT = MoveProfile(max_climb=3, max_drop=3, kind_cost={"#liquid": 1, "#lava": 1}, hover=1)
"""Hovers over the ground; may stop over water and lava."""

SWIMMER = MoveProfile(max_climb=1, max_drop=3, kind_cost={"#liquid": 1, "lava": None})
"""Swims in water of any depth."""

FLYER = MoveProfile(can_fly=True, hover=1)
"""Ignores heights and kinds of ground, but needs a tile on which it can stop."""

WARP = MoveProfile(warp=5)
"""Appears on any tile within five on which it can stop."""

BY_NAME: Mapping[str, MoveProfile] = MappingProxyType(
    {
        "light foot": LIGHT_FOOT,
        "heavy foot": HEAVY_FOOT,
        "acrobat": ACROBAT,
        "float": FLOAT,
        "swimmer": SWIMMER,
        "flyer": FLYER,
        "warp": WARP,
    }
)
"""All presets by the names that players and map files use."""


def named(name: str, rules: MoveProfile = LIGHT_FOOT) -> MoveProfile | None:
    """Return the preset of a name; its own limits and costs override those of `rules`.

    Parameters
    ----------
    name : str
        One in BY_NAME, in any case, with spaces, "-" or "_" between words.
    rules : MoveProfile
        The values of all fields in which the preset equals the default profile.

    Returns
    -------
    MoveProfile or None
        None if no preset has the name.
    """
    mover = BY_NAME.get(" ".join(name.casefold().replace("_", " ").replace("-", " ").split()))
    if mover is None:
        return None
    usual = MoveProfile()
    own = {field.name: getattr(mover, field.name) for field in fields(usual) if field.init}
    return replace(rules, **{n: value for n, value in own.items() if value != getattr(usual, n)})


def figures_of(mover: MoveProfile) -> tuple[str, ...]:
    """Return the names of figures in the view that show how the mover moves, the best one first."""
    if mover.can_fly or mover.hover:
        return ("flyer",) if mover.can_fly else ("mage",)
    if mover.max_climb < LIGHT_FOOT.max_climb:
        return "knight", "raider"
    return ("acrobat", "scout") if mover.max_climb > LIGHT_FOOT.max_climb else ("scout", "acrobat")
