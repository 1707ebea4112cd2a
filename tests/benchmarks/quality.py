"""Measure a frame at each quality: `python -m tests.benchmarks.quality`.

A map of 30 x 30 tiles with a river is drawn at 1280 x 720 by Mesa's renderer in software. A time is
that of all its threads; no quality has antialiasing here, which only adds to that of the better.
"""

import time

from panda3d.core import load_prc_file_data

from terrain3d import landscape
from terrain3d.look.settings import QUALITIES
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

_SETTLE, _FRAMES = 8, 40
_WINDOW = "load-display p3headlessgl\nwindow-type offscreen\nwin-size 1280 720"


def main() -> None:
    load_prc_file_data("", f"{_WINDOW}\naudio-library-name null\nnotify-level error")
    from direct.showbase.ShowBase import ShowBase

    base = ShowBase()
    tree = attach(base)
    terrain = tree.root.add_child(Terrain3D(landscape(30, 30, seed=7)))
    camera = tree.root.add_child(OrbitCamera3D(terrain))
    camera.look(camera.home)
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


if __name__ == "__main__":
    main()
