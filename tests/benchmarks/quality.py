"""Measure a frame at each quality, and with 20 and with 200 figures: `-m tests.benchmarks.quality`.

All is drawn at 1280 x 720 by Mesa's renderer in software. At each quality it is a map of 30 x 30
tiles with a river, and a time is that of all threads; no quality has antialiasing here, which only
adds to that of the better. Figures are on a map of 64 x 64 tiles that is seen as a whole, and a
time is that of the thread that draws: pixels are filled by others.
"""

import statistics
import time

import numpy as np

from ai import Board, MoveProfile, Navigation, Unit
from ai.view import Unit3D
from terrain3d import landscape
from terrain3d.look.settings import QUALITIES
from terrain3d.mesh.figures import SHAPES, TEAM_COLORS
from terrain3d.view import OrbitCamera3D, Terrain3D, attach
from terrain3d.view.window import window

_SETTLE, _FRAMES = 8, 40
COUNTS = 0, 20, 200


def shown(base, size):
    """Show a map of a size as a whole; return the tree and the terrain."""
    tree = attach(base)
    terrain = tree.root.add_child(Terrain3D(landscape(size, size, seed=7)))
    camera = tree.root.add_child(OrbitCamera3D(terrain))
    camera.look(camera.home)
    return tree, terrain


def measure_qualities(base):
    tree, terrain = shown(base, 30)
    for name in QUALITIES:
        terrain.quality = name
        terrain.build_visible()
        for _ in range(_SETTLE):
            base.task_mgr.step()
        base.win.get_screenshot()  # waits until all is drawn
        begin = time.process_time()
        for _ in range(_FRAMES):
            base.task_mgr.step()
        base.win.get_screenshot()
        print(f"{name:8} {(time.process_time() - begin) / _FRAMES * 1e3:6.1f} ms")
    tree.close()


def measure_figures(base):
    tree, terrain = shown(base, 64)
    board = Board(terrain.tilemap)
    reach = Navigation(board.tilemap).reach((32, 32), 10_000, MoveProfile())
    free = np.random.default_rng(7).permutation(reach.cells)[:, :2].tolist()
    for count in COUNTS:
        for number in range(len(board.units), count):
            team = [*TEAM_COLORS][number % 3]
            unit = board.add(Unit(f"{number}", cell=tuple(free[number]), team=team))
            terrain.add_child(Unit3D(unit, shape=SHAPES[number % len(SHAPES)]))
        times_s = []
        for _ in range(12):
            tree.advance(1 / 60)
            begin = time.thread_time()
            base.graphics_engine.render_frame()
            times_s.append(time.thread_time() - begin)
        print(f"{count:4} figures {1e3 * statistics.median(times_s[2:]):6.1f} ms")


if __name__ == "__main__":
    opened = window.open_offscreen(1280, 720, samples=0)
    measure_qualities(opened)
    measure_figures(opened)
