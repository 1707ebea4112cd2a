"""Ready movers, as data: the movement types of the tactics games this project learned from.

References
----------
Limits of feet, floaters and flyers follow Tactics Ogre, https://gcgx.games/to/move.html.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType

from ai.rules.profile import MoveProfile

LIGHT_FOOT = MoveProfile(max_climb=2, max_drop=3)
HEAVY_FOOT = MoveProfile(max_climb=1, max_drop=2)
ACROBAT = MoveProfile(max_climb=3, max_drop=4)

FLOAT = MoveProfile(max_climb=3, max_drop=3, kind_cost={"#liquid": 1, "#lava": 1}, hover=1)
"""Hovers over the ground; may stop over water and lava."""

SWIMMER = MoveProfile(max_climb=1, max_drop=3, kind_cost={"#liquid": 1, "lava": None})
"""At home in water of any depth."""

FLYER = MoveProfile(can_fly=True, hover=1)
"""Ignores heights and what the ground costs, but needs somewhere to stop."""

WARP = MoveProfile(warp=5)
"""Appears on any tile within five on which it can stop."""

LEAPER = MoveProfile(max_climb=2, max_drop=3, leap=2)
"""Jumps over up to two tiles of gap."""

BY_NAME: Mapping[str, MoveProfile] = MappingProxyType(
    {
        "light foot": LIGHT_FOOT,
        "heavy foot": HEAVY_FOOT,
        "acrobat": ACROBAT,
        "float": FLOAT,
        "swimmer": SWIMMER,
        "flyer": FLYER,
        "warp": WARP,
        "leaper": LEAPER,
    }
)
"""All of them by the names that people and map files use."""


def named(name: str, rules: MoveProfile = LIGHT_FOOT) -> MoveProfile | None:
    """Give the mover of a name, whose own limits and costs stand over those of `rules`.

    Parameters
    ----------
    name : str
        One in BY_NAME, in any case, with spaces, "-" or "_" between words.
    rules : MoveProfile
        What holds wherever the mover is like the usual foot.

    Returns
    -------
    MoveProfile or None
        None if nobody is called that.
    """
    mover = BY_NAME.get(" ".join(name.casefold().replace("_", " ").replace("-", " ").split()))
    if mover is None:
        return None
    usual = MoveProfile()
    own = {field.name: getattr(mover, field.name) for field in fields(usual) if field.init}
    return replace(rules, **{n: value for n, value in own.items() if value != getattr(usual, n)})


def figure_of(mover: MoveProfile) -> str:
    """Name the figure that shows at a glance how somebody moves, one of those of the view."""
    if mover.can_fly or mover.hover:
        return "flyer" if mover.can_fly else "mage"
    return "knight" if mover.max_climb < LIGHT_FOOT.max_climb else "scout"
