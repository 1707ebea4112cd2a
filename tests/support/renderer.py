"""Render one scene with a certain renderer and save the colors seen at places that matter.

Called as `renderer.py DISPLAY SETTING OUT`: one process a renderer, for a process has only one.
"""

import sys

import numpy as np
from panda3d.core import ClockObject, load_prc_file_data

from ai import Navigation
from ai.navigation.search import DONE, FRONTIER
from ai.view import SearchTheatre3D, Unit3D
from terrain3d import Cell, TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D, attach
from terrain3d.view.geometry import has_shaders
from tests.support.scenes import Mover
from tests.support.window_pictures import color_at, picture, pixel, pixels

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
FRAME_S = 0.1  # more never passes in a frame


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
        self.mage = self._add("mage", (4.5, -6.5, 0.0))
        self.hidden = self._add("knight", (7.5, -4.5, 0.0))

    def _add(self, shape, point):
        mover = Mover(point)
        mover.pose.heading_deg = 180.0
        return self.terrain.add_child(Unit3D(mover, shape=shape))

    def shown(self, frames=10):
        """Let frames pass; give the mean color at each place, and pictures of the areas."""
        for _ in range(frames):
            self.base.task_mgr.step()
        image = pixels(self.base.win)
        seen = {name: self._near(image, name, 2, 2).mean(axis=(0, 1)) for name in PLACES}
        return {**seen, "areas": {name: self._near(image, name, 8, 20) for name in AREAS}}

    def tag(self):
        """Give the colors of all pixels that a name tag changes."""
        without = picture(self.base, self.tree)
        self.mage.label = "Mira Wim"
        shown = picture(self.base, self.tree)
        self.mage.label = ""
        return shown[np.abs(shown - without).max(axis=2) > 0.02]

    def _near(self, image, name, down, across):
        (height, width, _), places = image.shape, pixel(self.base, self.terrain, PLACES[name])
        row, col = np.clip(places, (down, across), (height - 1 - down, width - 1 - across))
        return image[row - down : row + down + 1, col - across : col + across + 1]


class Theatre:
    """A search on a meadow, looked at from above or from near."""

    AWAY = -0.28, 0.28  # from arrow and numbers

    def __init__(self, base):
        self._base = base
        self._tree = attach(base)
        self._tilemap = TileMap(np.zeros((12, 16), dtype=int))
        self._terrain = self._tree.root.add_child(Terrain3D(self._tilemap))
        self._camera = self._tree.root.add_child(OrbitCamera3D(target=self._terrain))

    def shown(self):
        """Give what is seen on tiles of each sort, and how much of the picture texts are."""
        middle = 8.0, -6.0, 0.0
        self._camera.look(OrbitView(0.0, 89.0, 22.0, middle))
        bare = self._picture()
        theatre = self._terrain.add_child(SearchTheatre3D(Navigation(self._tilemap)))
        theatre.watch((6, 4), (6, 11))
        theatre.playing = False
        theatre.search.run()
        theatre.seek(theatre.n_steps // 2)
        half = self._picture()
        is_open, is_closed = open_and_closed(theatre)
        cells = {
            "open": is_open[0],
            "closed": is_closed[-1],
            "latest": cell_of(self._tilemap, latest(theatre)[0]),
            "unmet": (9, 8, 0),
        }
        seen = {name: self._colors(bare, half, each, self.AWAY) for name, each in cells.items()}
        seen["arrow"] = [self._whitest(image, is_open[0]) for image in (bare, half)]
        theatre.seek(theatre.n_steps)
        cell = theatre.search.path.cells[3]
        seen["path"] = self._colors(half, self._picture(), cell, (0.5, 0.0))
        self._camera.look(OrbitView(0.0, 60.0, 6.0, middle))
        near = self._picture()
        for name, node in (
            ("numbers", theatre.get_node("numbers").np),
            ("caption", self._base.render2d.find("**/caption")),
        ):
            node.hide()
            seen[name] = (np.abs(self._picture() - near).max(axis=2) > 0.3).mean()
            node.show()
        self._tree.close()
        return seen

    def _picture(self):
        return picture(self._base, self._tree)

    def _point(self, cell, away):
        x, y, z = self._tilemap.surface_point(cell)
        return x + away[0], y + away[1], z

    def _colors(self, before, after, cell, away):
        point = self._point(cell, away)
        return [color_at(self._base, self._terrain, image, point) for image in (before, after)]

    def _whitest(self, image, cell):
        """Give how white the whitest spot around the middle of a tile is."""
        steps = np.arange(-0.2, 0.21, 0.05)
        points = [self._point(cell, (x, y)) for x in steps for y in steps]
        base, terrain = self._base, self._terrain
        return max(color_at(base, terrain, image, point, 0).min() for point in points)


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
    shown = {"has_shaders": has_shaders(base.win), "noon": stage.shown(), "later": stage.shown()}
    shown["tag"] = stage.tag()
    stage.hidden.queue_free()
    shown["alone"] = stage.shown()
    for mood in ("dusk", "night"):
        stage.terrain.mood = mood
        shown[mood] = stage.shown()
    stage.tree.close()
    stage = Stage(base)
    shown["again"] = stage.shown()
    stage.tree.close()
    base.cam.clear_transform()  # from here on an orbit camera leads
    shown["theatre"] = Theatre(base).shown()
    np.save(out, shown)


def cell_of(tilemap, number):
    return Cell(*divmod(number, tilemap.cols))


def latest(theatre):
    """Return what the step that is shown has changed: the closed node, and all nodes."""
    step = theatre.search.steps[theatre.step - 1]
    return step.closed, [*step.after]


def open_and_closed(theatre):
    """Return the open and closed cells that the latest step did not touch."""
    search = theatre.search
    known = {search.ends[0]: FRONTIER}
    for step in search.steps[: theatre.step]:
        known |= {node: each.state for node, each in step.after.items()}
    cells = [
        (cell_of(search.tilemap, node), state)
        for node, state in known.items()
        if node not in latest(theatre)[1]
    ]
    return tuple([cell for cell, state in cells if state == each] for each in (FRONTIER, DONE))


if __name__ == "__main__":
    main(*sys.argv[1:])
