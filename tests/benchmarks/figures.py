"""Measure a frame with 20 and with 200 figures: `python -m tests.benchmarks.figures`.

They are on a map of 64 x 64 tiles that is seen as a whole, drawn at 1280 x 720 by Mesa's renderer
in software. A time is that of the thread that draws: pixels are filled by others.
"""

import statistics
import time

import numpy as np
from panda3d.core import load_prc_file_data

from ai import Board, MoveProfile, Navigation, Unit
from ai.view import Unit3D
from terrain3d import landscape
from terrain3d.mesh.figures import SHAPES, TEAM_COLORS
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

COUNTS = 0, 20, 200
_FRAMES = 12
_WINDOW = "load-display p3headlessgl\nwindow-type offscreen\nwin-size 1280 720\ngl-finish true"


def main() -> None:
    load_prc_file_data("", f"{_WINDOW}\naudio-library-name null\nnotify-level error")
    from direct.showbase.ShowBase import ShowBase

    base = ShowBase()
    tree = attach(base)
    board = Board(landscape(64, 64, seed=7))
    terrain = tree.root.add_child(Terrain3D(board.tilemap))
    camera = tree.root.add_child(OrbitCamera3D(terrain))
    camera.look(camera.home)
    reach = Navigation(board.tilemap).reach((32, 32), 10_000, MoveProfile())
    free = np.random.default_rng(7).permutation(reach.cells)[:, :2].tolist()
    spent_ms = {}
    for count in COUNTS:
        for number in range(len(board.units), count):
            team = [*TEAM_COLORS][number % 3]
            unit = board.add(Unit(f"{number}", cell=tuple(free[number]), team=team))
            terrain.add_child(Unit3D(unit, shape=SHAPES[number % len(SHAPES)]))
        times_s = []
        for _ in range(_FRAMES):
            tree.advance(1 / 60)
            begin = time.thread_time()
            base.graphics_engine.render_frame()
            times_s.append(time.thread_time() - begin)
        spent_ms[count] = 1e3 * statistics.median(times_s[2:])
        print(f"{count:4} figures {spent_ms[count]:6.1f} ms")
    print(f"200 take {spent_ms[200] / spent_ms[20]:.1f} times what 20 take")


if __name__ == "__main__":
    main()
