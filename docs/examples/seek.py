"""Lets a scout seek a goal behind walls, where a search goes around."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import Board, Seek, Unit
from ai.view import Unit3D
from terrain3d import Node, TileMap
from terrain3d.view import OrbitCamera3D, PathRibbon3D, Terrain3D, TileOverlay3D, attach

board = Board(
    TileMap.from_text("""
    0000000000000
    0000000000000
    0000033333000
    0000000003000
    0000000003000
    0000000003000
    0000033333000
    0000000000000
    0000000000000
    """)
)
nav, tilemap = board.navigation, board.tilemap
goal = tilemap.cell((4, 12))
mira = board.add(Unit("Mira", (4, 0), speed_tiles_s=8))
seek = Seek(goal, np.random.default_rng(1), max_side_steps=4)
base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.look(camera.framing(heading_deg=12.0, pitch_deg=62.0))
terrain.add_child(Unit3D(mira))
ribbon = terrain.add_child(PathRibbon3D())
ribbon.show([tilemap.surface_point(cell) for cell in nav.find_path(mira.cell, goal).cells])
walked = {mira.cell}
marks = terrain.add_child(TileOverlay3D())


class Walk(Node):
    def _process(self, _dt_s):
        if not mira.is_moving and not board.act(mira, seek):
            self.queue_free()
        if mira.cell not in walked:
            walked.add(mira.cell)
            marks.show(walked)


tree.root.add_child(Walk())
base.run()
