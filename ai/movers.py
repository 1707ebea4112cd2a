"""Ready movers, as data: the movement types of the tactics games this project learned from.

References
----------
Limits of feet, floaters and flyers follow Tactics Ogre, https://gcgx.games/to/move.html.
"""

from ai.profile import MoveProfile

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
