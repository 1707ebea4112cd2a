"""Render one scene with a certain renderer and save the colors seen at places that matter.

Called as `renderer.py DISPLAY SETTING OUT`: one process a renderer, for a process has only one.
"""

import sys
from types import SimpleNamespace

import numpy as np
from panda3d.core import ClockObject, Point2, Point3, load_prc_file_data

from terrain3d import TileMap
from terrain3d.view import Terrain3D, Unit3D, attach
from terrain3d.view.shaders import glsl_version

PLACES = {
    "grass": (6.5, -7.5, 0.0),
    "shaded": (8.45, -5.45, 0.0),
    "figure": (4.5, -6.5, 0.85),
    "sky": (8.0, -30.0, -20.0),
}


class Mover:
    name, team = "Mira", "blue"
    pose = SimpleNamespace(point=(4.5, -6.5, 0.0), heading_deg=180.0, action="stand")

    def advance(self, dt_s):
        pass


def main(display, setting, out):
    load_prc_file_data(
        "",
        f"load-display {display}\naux-display {display}\nwindow-type offscreen\n"
        f"win-size 640 360\naudio-library-name null\nnotify-level-device fatal\n{setting}",
    )
    from direct.showbase.ShowBase import ShowBase

    base = ShowBase()
    tilemap = TileMap(np.zeros((12, 16), dtype=int))
    with tilemap.edit() as edit:
        edit.set_level((5, 7), 4)
    terrain = attach(base).root.add_child(Terrain3D(tilemap))
    terrain.add_child(Unit3D(Mover()))
    base.camLens.set_fov(50)
    base.cam.set_pos(8.0, -20.0, 16.0)
    base.cam.look_at(8.0, -8.0, 0.0)
    shown = {"version": glsl_version(base.win), "noon": colors(base, terrain)}
    for mood in ("dusk", "night"):
        terrain.mood = mood
        shown[mood] = colors(base, terrain)
    np.save(out, shown)


def colors(base, terrain):
    """Let a second pass, draw, and give the mean color at each of the places."""
    clock = ClockObject.get_global_clock()
    clock.mode, clock.dt = ClockObject.M_non_real_time, 0.25
    for _ in range(5):
        base.task_mgr.step()
    texture = base.win.get_screenshot()
    image = np.frombuffer(texture.get_ram_image_as("RGB"), np.uint8)
    image = image.reshape(texture.get_y_size(), texture.get_x_size(), 3)[::-1] / 255.0
    seen = {}
    for name, point in PLACES.items():
        place = Point2()
        base.camLens.project(base.cam.get_relative_point(terrain.np, Point3(*point)), place)
        col = min(round((place.x + 1) / 2 * image.shape[1]), image.shape[1] - 4)
        row = min(round((1 - place.y) / 2 * image.shape[0]), image.shape[0] - 4)
        seen[name] = image[row - 2 : row + 3, col - 2 : col + 3].mean(axis=(0, 1))
    return seen


if __name__ == "__main__":
    main(*sys.argv[1:])
