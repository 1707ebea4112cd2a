"""Marks the tiles that a bow hits from a hill."""

from direct.showbase.ShowBase import ShowBase

from ai import Board, Unit, Weapon
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, TileOverlay3D, attach

base = ShowBase()
board = Board(
    TileMap.from_text("""
    000000000000
    012100001000
    024200003000
    012100003000
    000000003000
    000000000000
""")
)
mira = board.add(Unit("Mira", (2, 2), heading_deg=-90))
board.add(Unit("Orla", (2, 6), team="red", heading_deg=90))
board.add(Unit("Bram", (2, 9), team="red", heading_deg=90))
targets = board.targets(mira, Weapon(2, 5, tiles_per_level_down=0.5, tiles_per_level_up=0.5))
terrain = attach(base).root.add_child(Terrain3D(board.tilemap))
terrain.add_child(OrbitCamera3D(target=terrain))
for unit in board.units:
    terrain.add_child(Unit3D(unit))
marks = terrain.add_child(TileOverlay3D())
marks.color = 0.9, 0.25, 0.2
marks.show(targets.cells)
base.run()
