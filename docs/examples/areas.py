"""Areas of effect: a fireball with limits of height, a breath that walls stop, and a heal."""

import math

from ai import Area, Board, Unit, Weapon
from terrain3d import TileMap

tilemap = TileMap.from_text("""
    0000000
    0000000
    0000030
    0000000
""")
with tilemap.edit("a wall") as edit:
    edit.add_wall((1, 3), (1, 4))
board = Board(tilemap)
mira = board.add(Unit("Mira", (1, 0), team="blue"))
odo = board.add(Unit("Odo", (0, 5), team="blue"))
bram = board.add(Unit("Bram", (1, 4), team="red"))
foe = board.add(Unit("Foe", (2, 5), team="red"))  # on a pillar, 3 levels up

burst = Area("diamond", radius=1, up=1, down=2)
fireball = Weapon(min_tiles=1, max_tiles=5, arc=math.inf, area=burst)
breath = Weapon(area=Area("line", length=5, stops_at_walls=True))
heal = Weapon(min_tiles=0, max_tiles=4, arc=math.inf)


def draw(cells):
    """Print the map: cells that are hit, units, and dots."""
    signs = {unit.cell[:2]: unit.name[0] for unit in board.units}
    hit = {cell[:2] for cell in cells}
    for row in range(tilemap.rows):
        columns = [(row, col) for col in range(tilemap.cols)]
        print(*(signs.get(each, "#" if each in hit else ".") for each in columns))


def names(units):
    return [unit.name for unit in units]


for who in ("enemies", "all"):
    hit = board.targets(mira, fireball, who=who).aims[1, 5, 0]
    print("fireball at (1, 5), of", who, names(hit.units))
draw(hit.cells)
hit = board.targets(mira, breath, who="all").aims[1, 1, 0]
print("breath to the east, up to the wall:", names(hit.units))
draw(hit.cells)
print("heal:", names(board.targets(mira, heal, who="allies").units))
print("heal from (1, 2):", names(board.targets(mira, heal, at=(1, 2), who="allies").units))
