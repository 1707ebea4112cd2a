"""Asks for paths over and under a bridge, up a ladder, beside a wall and through water."""

from ai import Board, MoveProfile, Navigation, Unit, movers
from terrain3d import TileMap

tilemap = TileMap.from_text("""
    300003
    300003
    300003
""")
with tilemap.edit("a bridge, a ladder, a wall") as edit:
    edit.add_deck([(1, col) for col in range(1, 5)], level=3, thickness=1)  # over the valley
    edit.add_link((2, 1), (2, 0), cost=2, kind="ladder")
    edit.add_wall((0, 2), (0, 3))
    edit.set_kind((2, 3), "deep")  # water that walkers cannot enter

nav = Navigation(tilemap)
assert nav.find_path((1, 0), (1, 5)).cells[1] == (1, 1, 1)  # deck 1: over the bridge
assert nav.find_path((0, 1), (2, 1)).cost == 2  # under it
assert nav.find_path((2, 1), (1, 0)).cells[1] == (2, 0, 0)  # up the ladder
tall = MoveProfile(body_height=3)
assert nav.explain_step((0, 1), (1, 1), tall).reason == "no headroom: 2 < 3 at (1, 1)"
assert nav.explain_step((0, 2), (0, 3)).reason == "a wall stands between (0, 2) and (0, 3)"
assert nav.reach((2, 2), 1, movers.FLOAT).cost_to((2, 3)) == 1

board = Board(tilemap)
mira = board.add(Unit("Mira", cell=(1, 0), team="blue", move=6))
board.add(Unit("Orla", cell=(1, 3, 1), team="red"))  # an enemy on the bridge
assert board.plan(mira, (1, 5)).reason == "Orla stands on (1, 3) deck 1"
