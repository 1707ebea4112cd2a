"""Lets a scout travel by a graph of waypoints, which is drawn."""

from itertools import pairwise

from direct.showbase.ShowBase import ShowBase

from ai import Board, Travel, Unit, Waypoints, measure
from ai.view import Unit3D
from terrain3d import Node, TileMap
from terrain3d.view import Crumbs3D, OrbitCamera3D, PathRibbon3D, Terrain3D, TileOverlay3D, attach

board = Board(
    TileMap.from_text("""
    000000000000
    000330000000
    000333000330
    000033003330
    000000003300
    000000000000
    111000000000
    121003300000
    111003300000
    000000000000
    """)
)
nav, tilemap = board.navigation, board.tilemap
mira = board.add(Unit("Mira", (9, 3)))
points = Waypoints()
for cell in [(9, 1), (5, 3), (9, 9), (6, 7), (2, 7), (0, 10), (6, 11), (1, 1)]:
    points.add_point(str(len(points)), cell)
measure(points, nav, mira.profile, max_cost=8)  # what costs more is no edge
travel = Travel(points, (0, 11), join_within=8)
travel.next_cell(board.situation(mira))
base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.look(camera.framing(heading_deg=12.0, pitch_deg=52.0))
terrain.add_child(Unit3D(mira))
tiles = terrain.add_child(TileOverlay3D())
tiles.show(points.points.values(), [*points.points])
tiles.shows_labels = True
for start, end, _ in points.edges:
    if start < end:
        dots = terrain.add_child(Crumbs3D())
        dots.color = (0.95, 0.97, 1.0)
        dots.show(nav.find_path(points.points[start], points.points[end]).cells[1:-1])
legs = [mira.cell, *travel.stops]
cells = [cell for start, end in pairwise(legs) for cell in nav.find_path(start, end).cells[1:]]
ribbon = terrain.add_child(PathRibbon3D())
ribbon.show([tilemap.surface_point(cell) for cell in [mira.cell, *cells]])


class Journey(Node):
    def _process(self, _dt_s):
        if not mira.is_moving and not board.act(mira, travel):
            print(travel.reason)
            self.queue_free()


tree.root.add_child(Journey())
base.run()
