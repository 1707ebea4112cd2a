"""Two agents pass a block: red straight over open ground, blue from tile to tile."""

import math

from direct.showbase.ShowBase import ShowBase

from ai import Navigation, NavigationAgent3D, NavigationServer3D
from ai.motion.motion import Pose, heading_between
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, PathRibbon3D, Terrain3D, attach

SPEED_TILES_S = 2.0
open_rows, block = ["000000000000"] * 2, ["000033300000", "000034300000", "000033300000"]
rows = [*open_rows, *block, "000000000000", "000000000011", "000000000011"]
tilemap = TileMap.from_text("\n".join(rows))


class Walker:
    """Goes where its agent leads, at the same speed as the other one."""

    def __init__(self, team, cell):
        self.team, self.cell, self.agent, self.walked = team, cell, None, 0.0
        self.pose = Pose(tilemap.surface_point(cell), 0.0)

    def advance(self, dt_s):
        here, heading_deg = self.pose.point, self.pose.heading_deg
        if self.agent.is_navigation_finished():
            self.pose = Pose(here, heading_deg)
            return
        goal = self.agent.get_next_path_position()
        away = math.dist(here, goal)
        part = min(1, SPEED_TILES_S * dt_s / away) if away else 1
        self.walked += part * away
        point = tuple(a + (b - a) * part for a, b in zip(here, goal, strict=True))
        ahead = heading_between(here, goal)
        self.pose = Pose(point, heading_deg if ahead is None else ahead, "walk")
        self.cell = self.agent.cell


base = ShowBase()
tree = attach(base)
server = tree.root.add_child(NavigationServer3D(Navigation(tilemap)))
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
camera.look(camera.framing(heading_deg=20.0, pitch_deg=52.0))
walkers = []
for team, mode, start in (("red", "corridor_funnel", (0, 0)), ("blue", "none", (1, 0))):
    walker = Walker(team, start)
    figure = terrain.add_child(Unit3D(walker))
    walker.agent = figure.add_child(NavigationAgent3D(server))
    walker.agent.path_postprocessing = mode
    walker.agent.target_cell = (7, start[0] + 10)
    ribbon = terrain.add_child(PathRibbon3D())
    walker.agent.path_changed.connect(
        lambda agent=walker.agent, ribbon=ribbon: ribbon.show(agent.get_current_navigation_path())
    )
    walkers.append(walker)
base.run()
