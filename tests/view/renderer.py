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
    "figure": (4.5, -6.5, 0.97),
    "sky": (8.0, -30.0, -20.0),
    "pond": (2.5, -9.5, 0.0),
    "lava": (12.5, -9.5, 0.0),
    "hidden": (7.5, -4.5, 0.5),
}
AREAS = ("pond", "lava", "grass", "hidden")
FRAME_S = 0.25


class Mover:
    team = "blue"

    def __init__(self, point):
        self.pose = SimpleNamespace(point=point, heading_deg=180.0, action="stand")

    def advance(self, dt_s):
        pass


def make_map():
    """Make a meadow with a tower before one of two figures, a pond, and as much lava."""
    tilemap = TileMap(np.zeros((12, 16), dtype=int))
    with tilemap.edit() as edit:
        edit.set_level((5, 7), 4)
        for row in range(8, 11):
            for col in range(5):
                edit.set_kind((row, col), "shallow" if col < 3 else "deep")
                edit.set_kind((row, col + 10), "lava")
    return tilemap


class Stage:
    """A scene and its window, a frame at a time."""

    def __init__(self, base):
        self.base = base
        self.tree = attach(base)
        self.terrain = self.tree.root.add_child(Terrain3D(make_map()))
        self.terrain.add_child(Unit3D(Mover((4.5, -6.5, 0.0)), shape="mage"))
        self.hidden = self.terrain.add_child(Unit3D(Mover((7.5, -4.5, 0.0)), shape="knight"))

    def shown(self, frames=4):
        """Let frames pass; give the mean color at each place, and pictures of the areas."""
        for _ in range(frames):
            self.base.task_mgr.step()
        texture = self.base.win.get_screenshot()
        image = np.frombuffer(texture.get_ram_image_as("RGB"), np.uint8)
        image = image.reshape(texture.get_y_size(), texture.get_x_size(), 3)[::-1] / 255.0
        seen = {name: self._near(image, name, 2, 2).mean(axis=(0, 1)) for name in PLACES}
        return {**seen, "areas": {name: self._near(image, name, 8, 20) for name in AREAS}}

    def _near(self, image, name, down, across):
        base, place = self.base, Point2()
        point = Point3(*PLACES[name])
        base.camLens.project(base.cam.get_relative_point(self.terrain.np, point), place)
        height, width, _ = image.shape
        row = min(round((1 - place.y) / 2 * height), height - 1 - down)
        col = min(max(round((place.x + 1) / 2 * width), across), width - 1 - across)
        return image[row - down : row + down + 1, col - across : col + across + 1]


def main(display, setting, out):
    load_prc_file_data(
        "",
        f"load-display {display}\naux-display {display}\nwindow-type offscreen\n"
        f"win-size 640 360\naudio-library-name null\nnotify-level-device fatal\n{setting}",
    )
    from direct.showbase.ShowBase import ShowBase

    base = ShowBase()
    clock = ClockObject.get_global_clock()
    clock.mode, clock.dt = ClockObject.M_non_real_time, FRAME_S
    base.camLens.set_fov(50)
    base.cam.set_pos(8.0, -20.0, 16.0)
    base.cam.look_at(8.0, -8.0, 0.0)
    stage = Stage(base)
    shown = {"version": glsl_version(base.win), "noon": stage.shown(), "later": stage.shown()}
    stage.hidden.queue_free()
    shown["alone"] = stage.shown()
    for mood in ("dusk", "night"):
        stage.terrain.mood = mood
        shown[mood] = stage.shown()
    stage.tree.close()
    shown["again"] = Stage(base).shown()
    np.save(out, shown)


if __name__ == "__main__":
    main(*sys.argv[1:])
