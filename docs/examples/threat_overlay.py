"""Mark every ground tile that an enemy can reach in one move, with how many enemies can."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import Board, Commander, Unit, movers
from ai.view import Commander3D, Unit3D
from terrain3d import landscape
from terrain3d.view import OrbitCamera3D, Terrain3D, TileOverlay3D, attach

board = Board(landscape(20, 20, seed=3))
mira = board.add(Unit("Mira", cell=(12, 6), team="blue", move=6))
for name, cell, profile in (
    ("Orla", (8, 9), movers.LIGHT_FOOT),
    ("Bram", (10, 14), movers.HEAVY_FOOT),
    ("Ysolt", (6, 12), movers.FLYER),
):
    board.add(Unit(name, cell, team="red", profile=profile, move=5))


def count_threats(team):
    """Return how many enemies of a team can reach each tile, (rows, cols)."""
    enemies = [unit for unit in board.units if unit.team != team]
    return np.sum([board.reach(enemy).as_mask() for enemy in enemies], axis=0)


def show_threats(*_):
    threats = count_threats("blue")
    overlay.show(np.argwhere(threats).tolist(), [str(number) for number in threats[threats > 0]])


base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
for unit in board.units:
    terrain.add_child(Unit3D(unit))
overlay = terrain.add_child(TileOverlay3D())
overlay.color, overlay.shows_labels = (0.9, 0.25, 0.2), True
board.changed.connect(show_threats)
board.tilemap.changed.connect(show_threats)
show_threats()
terrain.add_child(Commander3D(Commander(board), camera))
base.run()
