"""Lets five archers keep 3 to 5 tiles away from an ogre."""

from direct.showbase.ShowBase import ShowBase

from ai import Board, KeepDistance, Unit
from ai.view import Unit3D
from terrain3d import Node, TileMap
from terrain3d.view import Crumbs3D, OrbitCamera3D, Terrain3D, TileOverlay3D, attach

tilemap = TileMap.from_text("""
    2210000000011
    2110000000001
    1000000000000
    0000000000000
    0000011100000
    0000012100000
    0000011100000
    0000000000000
    0000000000001
    1000000000012
    1100000000122
""")
board = Board(tilemap)
ogre = board.add(Unit("Ogre", (5, 6), team="red"))
archers = [
    board.add(Unit(f"Archer {number}", cell, team="blue"))
    for number, cell in enumerate([(4, 6), (5, 7), (10, 12), (9, 0), (0, 9)])
]
minds = {archer: KeepDistance(lambda: ogre.cell, 3, 5) for archer in archers}
base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.look(camera.framing(heading_deg=20.0, pitch_deg=50.0))
away = tilemap.grid.distance
cells = [(row, col) for row in range(tilemap.rows) for col in range(tilemap.cols)]
terrain.add_child(TileOverlay3D()).show(c for c in cells if 3 <= away(c, ogre.cell[:2]) <= 5)
terrain.add_child(Unit3D(ogre, shape="knight"))
for archer in archers:
    terrain.add_child(Unit3D(archer))
    crumbs = terrain.add_child(Crumbs3D())
    archer.step_finished.connect(lambda cell, crumbs=crumbs: crumbs.show([cell, *crumbs.cells]))


class Skirmish(Node):
    def _process(self, dt_s):
        for archer, mind in minds.items():
            mind.advance(dt_s)
            if not archer.is_moving:
                board.act(archer, mind)


tree.root.add_child(Skirmish())
base.run()
