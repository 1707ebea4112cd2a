"""A new kind of mover: a mountain goat that climbs high, fears water and loves diagonals."""

from ai import MoveProfile, Navigation, movers
from terrain3d import TileMap

GOAT = MoveProfile(
    max_climb=4,
    max_drop=4,
    climb_cost=0,
    drop_cost=(0, 0, 1, 2),  # for a drop of 1, 2, 3 and 4 levels
    kind_cost={"#liquid": None, "rock": 1, "swamp": 5},  # by name, or by tag with "#"
    diagonal="only_if_no_obstacles",
)

tilemap = TileMap.from_text("""
    000000
    044440
    048840
    044440
    000000
""")
with tilemap.edit("a pond") as edit:
    edit.set_kind((4, 2), "shallow")

nav = Navigation(tilemap)
for name, profile in (("goat", GOAT), ("light foot", movers.LIGHT_FOOT), ("flyer", movers.FLYER)):
    path = nav.find_path((4, 0), (2, 2), profile)
    print(name, "->", [tuple(cell[:2]) for cell in path.cells] or path.reason)
    print("  into the pond:", nav.explain_step((4, 1), (4, 2), profile).reason or "yes")
