"""Measure what our own code does in a frame of the scene: `python -m tests.benchmarks.frames`.

The scene runs in memory on maps of several sizes, at rest and with everything on that it has. A
time is that of the one thread that does it all, without drawing and without what other programs
take meanwhile.
"""

import argparse
import gc
import sys
import time
from dataclasses import replace

import numpy as np
from direct.showbase.ShowBase import ShowBase

from terrain3d.look.settings import Settings
from terrain3d.view import attach
from terrain3d.view.window import window
from tests.benchmarks import report
from tests.benchmarks.scene import FRAME_S, open_scene

WINDOW = (1280, 720)
SIZES = (32, 64, 128)
_SETTLE_FRAMES = 40
_TURN_DEG = 0.5
_ARROWS = ("arrow_right", "arrow_up", "arrow_left", "arrow_down")
_SIDE = 4  # of the square around which the tile aimed at goes, a tile a frame
_LOADS = ("at rest", "everything on")
BATTLE_SIZE = 64
"""Of the map on which `--battle` plays: in fog, with numbers, threat and thinking enemies."""
_TURN_FRAMES = 240  # of the player


class Scene:
    """The scene on a map of one size."""

    def __init__(self, base: ShowBase, size: int) -> None:
        self._base, self._tree = base, attach(base)
        self._scene = open_scene(self._tree, size, Settings(show_costs=True))
        while not self._scene.is_ready:
            base.task_mgr.step()
        self._frames(_SETTLE_FRAMES)

    def load(self, name: str) -> None:
        """Begin to do what a row of the table is about; each has what those before it have."""
        if name == "everything on":
            for unit in self._scene.board.units:
                self._scene.behavior_key.assign(unit, "wanders")
        self._base.messenger.send("tab")
        self._frames(_SETTLE_FRAMES)

    def measure(self, name: str, count: int) -> list[float]:
        """Give what each frame takes, in ms."""
        times = []
        for frame in range(count):
            begin = time.thread_time_ns()
            if name != _LOADS[0]:
                self._act(frame)
            self._tree.advance(FRAME_S)
            times.append((time.thread_time_ns() - begin) / 1e6)
        return times

    def close(self) -> None:
        """Leave nothing behind."""
        self._tree.close()

    def _act(self, frame: int) -> None:
        camera = self._scene.camera
        camera.goal = replace(camera.goal, heading_deg=camera.goal.heading_deg + _TURN_DEG)
        self._base.messenger.send(_ARROWS[frame // _SIDE % 4])

    def _frames(self, count: int) -> None:
        for _ in range(count):
            self._tree.advance(FRAME_S)


def run_battle(base: ShowBase, count: int) -> list[float]:
    """Give what each frame of a battle takes, in ms: of the player's turns and of the enemies'."""
    tree, times = attach(base), list[float]()
    scene = open_scene(tree, BATTLE_SIZE, Settings(show_costs=True), has_battle=True)
    while not scene.is_ready:
        base.task_mgr.step()
    base.messenger.send("f8")
    gc.freeze()  # as the program does
    for frame in range(_SETTLE_FRAMES + count):
        begin = time.thread_time_ns()
        camera = scene.camera
        camera.goal = replace(camera.goal, heading_deg=camera.goal.heading_deg + _TURN_DEG)
        if scene.commander.is_players_turn:
            base.messenger.send(_ARROWS[frame // _SIDE % 4])
            if frame % _TURN_FRAMES == 0:
                base.messenger.send("f10")
                base.messenger.send("f10")
        tree.advance(FRAME_S)
        times.append((time.thread_time_ns() - begin) / 1e6)
    return times[_SETTLE_FRAMES:]


def run(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--battle", action="store_true", help="measure a battle instead")
    options = parser.parse_args(arguments)
    base = window.open_offscreen(*WINDOW)
    if options.battle:
        times = run_battle(base, options.frames)
        middle, most = np.median(times), np.percentile(times, 99.9)
        longest = ", ".join(f"{each:.1f}" for each in sorted(times)[-5:])
        print(f"{middle:.2f} ms a frame (median), {most:.1f} (99.9 %); longest: {longest}")
        return 0
    rows: dict[str, list[str]] = {name: [] for name in _LOADS}
    for size in SIZES:
        scene = Scene(base, size)
        for name in _LOADS:
            scene.load(name)
            times = scene.measure(name, options.frames)
            middle, most = np.median(times), np.percentile(times, 95)
            rows[name].append(f"{middle:.2f} / {most:.2f}")
        scene.close()
    print("Machine: " + ", ".join(f"{what} {value}" for what, value in report.machine().items()))
    head = ["ms a frame: median / p95", *(f"{size}x{size}" for size in SIZES)]
    print(report.table(head, [[name, *cells] for name, cells in rows.items()]))
    return 0


if __name__ == "__main__":
    sys.exit(run())
