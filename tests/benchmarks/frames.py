"""Measure what our own code does in a frame of the scene: `python -m tests.benchmarks.frames`.

The scene runs in memory on maps of several sizes, at rest and with everything on that it has;
`--battle` plays in fog on one map, with numbers, threat and thinking enemies. A time is that of the
one thread that does it all, without drawing and without what other programs take meanwhile.
"""

import gc
import sys
import time
from dataclasses import replace

import numpy as np

from terrain3d.look.settings import Settings
from terrain3d.view import attach
from terrain3d.view.window import window
from tests.benchmarks import report
from tests.benchmarks.scene import FRAME_S, open_scene

WINDOW = (1280, 720)
SIZES = (32, 64, 128)
BATTLE_SIZE = 64
_SETTLE_FRAMES, _FRAMES = 40, 300
_TURN_DEG = 0.5
_ARROWS = ("arrow_right", "arrow_up", "arrow_left", "arrow_down")
_SIDE = 4  # of the square around which the tile aimed at goes, a tile a frame
_LOADS = ("at rest", "everything on")
_TURN_FRAMES = 240  # of the player


def opened(base, size, *, has_battle=False):
    """Open the scene on a map of a size, and wait until it takes orders."""
    tree = attach(base)
    scene = open_scene(tree, size, Settings(show_costs=True), has_battle=has_battle)
    while not scene.is_ready:
        base.task_mgr.step()
    return tree, scene


def measured(tree, act):
    """Give what each frame takes, in ms, with what is done before it; some frames settle first."""
    times = []
    for frame in range(_SETTLE_FRAMES + _FRAMES):
        begin = time.thread_time_ns()
        act(frame)
        tree.advance(FRAME_S)
        times.append((time.thread_time_ns() - begin) / 1e6)
    return times[_SETTLE_FRAMES:]


def turn_and_aim(base, scene, frame, *, aims=True):
    camera = scene.camera
    camera.goal = replace(camera.goal, heading_deg=camera.goal.heading_deg + _TURN_DEG)
    if aims:
        base.messenger.send(_ARROWS[frame // _SIDE % 4])


def run_battle(base):
    """Measure each frame of a battle: of the player's turns and of the enemies'."""
    tree, scene = opened(base, BATTLE_SIZE, has_battle=True)
    base.messenger.send("f8")
    gc.freeze()  # as the program does

    def act(frame):
        is_players = scene.commander.is_players_turn
        turn_and_aim(base, scene, frame, aims=is_players)
        for _ in range(2 * (is_players and frame % _TURN_FRAMES == 0)):
            base.messenger.send("f10")

    times = measured(tree, act)
    middle, most = np.median(times), np.percentile(times, 99.9)
    longest = ", ".join(f"{each:.1f}" for each in sorted(times)[-5:])
    print(f"{middle:.2f} ms a frame (median), {most:.1f} (99.9 %); longest: {longest}")


def run_loads(base, size):
    """Give what each frame takes with each load; each has what those before it have."""
    tree, scene = opened(base, size)
    base.messenger.send("tab")
    found = [measured(tree, lambda _: None)]
    for unit in scene.board.units:
        scene.play.behavior_key.assign(unit, "wanders")
    base.messenger.send("tab")
    found.append(measured(tree, lambda frame: turn_and_aim(base, scene, frame)))
    tree.close()
    return ["{:.2f} / {:.2f}".format(*np.percentile(times, [50, 95])) for times in found]


if __name__ == "__main__":
    shown = window.open_offscreen(*WINDOW)
    if sys.argv[1:] == ["--battle"]:
        run_battle(shown)
    else:
        print(report.machine())
        head = ["ms a frame: median / p95", *(f"{size}x{size}" for size in SIZES)]
        columns = zip(*(run_loads(shown, size) for size in SIZES), strict=True)
        rows = [[name, *times] for name, times in zip(_LOADS, columns, strict=True)]
        print(report.table(head, rows))
