"""Turns a room and puts it twice into a hall."""

from terrain3d import Rect, TileMap

room = TileMap.from_text("""
    222
    200
    222
""")
room.extras["units"] = [{"name": "Guard", "cell": [1, 1], "heading_deg": 270}]  # looks east
hall = TileMap.from_text("0").resize(5, 8, kind="grass")
hall.paste(room, (1, 0))
hall.paste(room.rotate(180), (1, 5))
assert hall.to_text() == "00000000\n22200222\n20000002\n22200222\n00000000"
east = hall.extras["units"][1]
assert (east["cell"], east["heading_deg"]) == ([2, 6], 90)  # looks west
assert hall.crop(Rect(1, 5, 3, 3)).to_text() == room.mirror("left_right").to_text()
