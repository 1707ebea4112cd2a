"""Marks islands, traps and choke points of a map."""

from direct.showbase.ShowBase import ShowBase

from ai import MoveProfile, Navigation, check
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, TileOverlay3D, attach

base = ShowBase()
tilemap = TileMap.from_text("""
    22222222##111111
    20000222##111111
    20000222##144111
    2000022221144111
    20000222##111111
    22222222##111111
    22222222##111111
""")
report = check(Navigation(tilemap), MoveProfile(max_climb=1, max_drop=2))
terrain = attach(base).root.add_child(Terrain3D(tilemap))
terrain.add_child(OrbitCamera3D(target=terrain))
colors = {"island": (0.9, 0.2, 0.15), "trap": (0.6, 0.25, 0.9), "choke point": (1.0, 0.85, 0.2)}
for kind, color in colors.items():
    marks = terrain.add_child(TileOverlay3D(kind))
    marks.color = color
    found = [each for each in (*report.problems, *report.notes) if each.kind == kind]
    marks.show([cell for each in found for cell in each.cells])
base.run()
