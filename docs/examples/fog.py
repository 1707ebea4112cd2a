"""Lays a veil over the tiles that a side does not see, and hides the figures there."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import Board, Unit
from ai.view import Figures3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, TileOverlay3D, attach

board = Board(
    TileMap.from_text("""
    000000000000
    010000400110
    011200400110
    012200400000
    000000400000
    000000400000
    000000000000
"""),
    fog=True,
)
mira = board.add(Unit("Mira", (3, 2), move=9, sight=6))
foe = board.add(Unit("Foe", (3, 9), team="red"))
base = ShowBase()
terrain = attach(base).root.add_child(Terrain3D(board.tilemap))
terrain.add_child(OrbitCamera3D(target=terrain))
figures = terrain.add_child(Figures3D(board))
veil = terrain.add_child(TileOverlay3D("veil"))
veil.color = (0.02, 0.02, 0.06)


def look(_entry=None):
    veil.show(np.argwhere(~board.seen("blue")).tolist())
    figures.figures[foe].visible = board.is_seen(foe, "blue")


look()
board.changed.connect(look)
board.move(mira, (0, 2))
base.run()
