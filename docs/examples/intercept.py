"""Lets a fox intercept a hare, and a dog chase it."""

from direct.showbase.ShowBase import ShowBase

from ai import Board, Chase, Intercept, Patrol, Unit
from ai.view import Unit3D
from terrain3d import Node, TileMap
from terrain3d.view import Crumbs3D, OrbitCamera3D, PathRibbon3D, Terrain3D, TileOverlay3D, attach

tilemap = TileMap.from_text("""
    3333222112233
    0000000000000
    0000000000000
    0000000000000
    0000000000000
    0000000000000
    1000000000001
""")
board = Board(tilemap)
hare = board.add(Unit("Hare", (1, 1), team="white"))
dog = board.add(Unit("Dog", (5, 9), team="red"))
fox = board.add(Unit("Fox", (5, 10), team="orange"))
cut = Intercept(lambda: hare.cell)
minds = {hare: Patrol([(1, 12), (1, 1)]), dog: Chase(lambda: hare.cell), fox: cut}
base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.look(camera.framing(heading_deg=12.0, pitch_deg=42.0))
line = terrain.add_child(PathRibbon3D())
meeting = terrain.add_child(TileOverlay3D())
for unit in minds:
    figure = terrain.add_child(Unit3D(unit))
    crumbs = terrain.add_child(Crumbs3D())
    crumbs.color = figure.color
    unit.step_finished.connect(lambda cell, crumbs=crumbs: crumbs.show([cell, *crumbs.cells]))
meeting.color = figure.color  # the fox's


class Hunt(Node):
    def _process(self, dt_s):
        for unit, mind in minds.items():
            mind.advance(dt_s)
            if not unit.is_moving:
                board.act(unit, mind)
        line.show([tilemap.surface_point(cell) for cell in cut.line])
        meeting.show([cut.meeting] if cut.meeting else [])


tree.root.add_child(Hunt())
base.run()
