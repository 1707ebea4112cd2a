"""Moves two hundred figures by one cost field, off the grid."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import Navigation
from terrain3d import KINDS, Node, TileMap
from terrain3d.mesh.solids import lathe
from terrain3d.view import OrbitCamera3D, Terrain3D, attach
from terrain3d.view.geometry import make_geom_node

rng, level = np.random.default_rng(3), np.zeros((16, 26), int)
level[:7, :8], level[:6, :7] = 1, 2  # a hill
for row, col in ((2, 11), (9, 2), (12, 7), (4, 16), (9, 20), (12, 15)):
    level[row : row + 3, col : col + 3] = 4  # a house
kind = np.zeros_like(level)
kind[8:11, 10:15] = [each.name for each in KINDS].index("deep")
tilemap = TileMap(level, kind)
field = Navigation(tilemap).cost_field([(row, 25) for row in range(5, 12)])
walls = np.zeros((3 * 16 + 2, 3 * 26 + 2), int)  # thirds of tiles: a body needs one at a wall
for row, col in np.argwhere(np.isinf(field.cost) | (level > 0)):
    walls[3 * row : 3 * row + 5, 3 * col : 3 * col + 5] = 1
ground = Navigation(TileMap(walls))

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(camera.framing(24.0, 46.0))
people = terrain.np.attach_new_node("people")
terrain.daylight.add_subject(people)
look = lathe((0.2, 0.15, 0.06, 0.13, 0.0), (0.0, 0.1, 0.45, 0.6, 0.72), (0.85, 0.3, 0.2))
figures = [people.attach_new_node(make_geom_node("mover", look)) for _ in range(200)]


class Crowd(Node):
    """Movers that each go straight to the farthest tile on their path that they can."""

    def _ready(self):
        self.aims = rng.permutation(np.argwhere(field.cost < np.inf))[:200]
        self.places = rng.uniform(0.3, 0.7, (200, 2))  # where each stands on a tile
        self.points = self.aims + self.places

    def _process(self, dt_s):
        ahead = self.aims + self.places - self.points
        share = np.minimum(1, 3 * dt_s / np.maximum(np.hypot(*ahead.T), 1e-9))
        self.points += share[:, None] * ahead
        there = np.flatnonzero((share == 1) & (field.cost[tuple(self.aims.T)] > 0))
        starts = self.aims[there]
        ahead = self.aims[there] = field.next_steps(starts)[:, :2]
        while len(there):
            for mover, start, end in zip(there, starts, ahead, strict=True):
                if ground.line_of_sight(3 * start + 2, 3 * end + 2, eye=0, target=0):
                    self.aims[mover] = end
            is_going = field.cost[tuple(ahead.T)] > 0
            there, starts = there[is_going], starts[is_going]
            ahead = field.next_steps(ahead[is_going])[:, :2]
        for figure, (row, col) in zip(figures, self.points, strict=True):
            figure.set_pos(col, -row, tilemap.surface_point((int(row), int(col)))[2])


crowd = tree.root.add_child(Crowd("crowd"))
base.run()
