"""Lets hares flee while a wolf is near, and wander otherwise."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import Board, FirstOf, Flee, Patrol, Unit, Wander, While
from ai.view import Unit3D
from terrain3d import Node, TileMap
from terrain3d.view import Crumbs3D, OrbitCamera3D, Terrain3D, attach

tilemap = TileMap.from_text("""
    2210000000011
    2110000000001
    1000000000000
    0000000000000
    0000011000000
    0000001100000
    0000000000000
    0000000000001
    1100000000122
""")
board = Board(tilemap)
wolf = board.add(Unit("Wolf", (3, 0), team="red", speed_tiles_s=3))
hares = [
    board.add(Unit(f"Hare {number}", cell, team="blue", speed_tiles_s=4))
    for number, cell in enumerate([(3, 5), (1, 6), (6, 4), (5, 10), (7, 8)])
]


def is_near(hare):
    return tilemap.grid.distance(hare.cell[:2], wolf.cell[:2]) <= 4


def mind_of(hare):
    flee = While(lambda: is_near(hare), Flee(lambda: [wolf.cell]))
    return FirstOf(flee, Wander(np.random.default_rng(len(hare.name))))


minds = {hare: mind_of(hare) for hare in hares}
minds[wolf] = Patrol([(3, 8), (3, 0)])
base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.look(camera.framing(heading_deg=20.0, pitch_deg=50.0))
for unit in board.units:
    terrain.add_child(Unit3D(unit, shape="knight" if unit is wolf else "scout"))
    crumbs = terrain.add_child(Crumbs3D())
    unit.step_finished.connect(lambda cell, crumbs=crumbs: crumbs.show([cell, *crumbs.cells]))


class Meadow(Node):
    def _process(self, dt_s):
        for unit, mind in minds.items():
            mind.advance(dt_s)
            if not unit.is_moving:
                board.act(unit, mind)


tree.root.add_child(Meadow())
base.run()
