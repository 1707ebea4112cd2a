"""Rules of a game: nobody on foot enters tiles beside lava, and rain makes a marsh deep."""

import numpy as np

from ai import MoveProfile, Navigation, movers
from terrain3d import TileKind, TileMap

KINDS = (TileKind("grass"), TileKind("lava", cost=None), TileKind("marsh", cost=2))


def is_kind(tilemap, name):
    """Return (rows, cols) bool, where the ground is of a kind."""
    return tilemap.kind == [kind.name for kind in tilemap.kinds].index(name)


def too_hot_beside_lava(tilemap, profile):
    lava = np.pad(is_kind(tilemap, "lava"), 1)
    is_beside = lava[:-2, 1:-1] | lava[2:, 1:-1] | lava[1:-1, :-2] | lava[1:-1, 2:]
    return is_beside & (profile.hover == 0)


def rain_in_the_marsh(tilemap, profile):
    return np.where(is_kind(tilemap, "marsh"), 3 * profile.size, 0)


tilemap = TileMap.from_text("00000\n00000\n00000\n00000", KINDS)
nav = Navigation(tilemap, rules=[too_hot_beside_lava, rain_in_the_marsh])
print("a step:", nav.explain_step((1, 0), (1, 1)).cost)
with tilemap.edit("lava and a marsh") as edit:
    edit.set_kind((1, 2), "lava")
    edit.set_kind((3, 2), "marsh")

print("beside lava:", nav.explain_step((1, 0), (1, 1)).reason)
path = nav.find_path((1, 0), (1, 4))
print("around it:", [tuple(cell[:2]) for cell in path.cells], "for", path.cost)
print("of size 2:", nav.find_path((0, 0), (0, 3), MoveProfile(size=2)).reason)
print("afloat:", nav.explain_step((1, 0), (1, 1), MoveProfile(hover=1)).cost)
print("a flyer:", nav.find_path((1, 0), (1, 4), movers.FLYER).cost)
