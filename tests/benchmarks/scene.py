"""Measure the scene on maps of several sizes: `python -m tests.benchmarks.scene [SIZE ...]`.

Each size has a process of its own that draws into memory. "First picture" is the time from the
start of the process, with imports and the making of the map, until the first frame is drawn; "all
built" is until every part of that view is as fine as it will be, and orders are taken. The most
memory is taken until then, in a view of the whole map, or while the next map takes its place.
"""

import gc
import json
import os
import subprocess
import sys
import time

import ai
from ai.game.battle_setup import Match, set_up
from terrain3d import landscape
from terrain3d.look.settings import Settings
from terrain3d.program.game_scene import GameScene
from terrain3d.view import Preferences, attach
from terrain3d.view.window import window
from tests.benchmarks import report
from tests.benchmarks.index import resident_mb
from tests.support import ROOT

WINDOW = (640, 360)
SEED = 7
FRAME_S = 1 / 60


def open_scene(tree, size, settings, *, has_battle=False):
    """Add the scene on a map of a size to a tree of nodes."""
    preferences = tree.root.add_child(Preferences(settings))
    tilemap, values = landscape(size, size, SEED), {}
    if has_battle:
        battle, _ = set_up(tilemap, SEED, fog=True)
        values = {"turns": "sides", "match": Match(battle, "hard")}
    scene = GameScene(SEED, tilemap, ai.MoveProfile(), preferences, **values)
    return tree.root.add_child(scene)


def measure(size):
    """Return all numbers of one size."""
    begin_s = float(os.environ["BENCHMARK_BEGIN_S"])
    base = window.open_offscreen(*WINDOW)
    tree = attach(base)
    gc.freeze()  # as the program does
    scene = open_scene(tree, size, Settings())
    base.graphics_engine.render_frame()
    found = {"first picture, s": time.time() - begin_s}

    def draw_until(is_so):
        while True:
            tree.advance(FRAME_S)
            base.graphics_engine.render_frame()
            if is_so():
                return

    def is_settled():
        shown = tree.root.children[-1]  # the next map has a scene of its own
        return shown.is_ready and shown.terrain.is_built

    draw_until(is_settled)
    found["all built, s"] = time.time() - begin_s
    scene.camera.look(scene.camera.home)
    draw_until(is_settled)
    base.messenger.send("shift-r")
    draw_until(lambda: tree.root.children[-1] is not scene)
    draw_until(is_settled)
    found["most memory, MB"] = resident_mb(peak=True)
    return found


def table(sizes):
    """Measure each size in a process of its own."""
    columns = []
    for size in sizes:
        begun = {"BENCHMARK_BEGIN_S": str(time.time()), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "tests.benchmarks.scene", size]
        done = subprocess.run(
            command, env=os.environ | begun, cwd=ROOT, stdout=subprocess.PIPE, check=True
        )
        columns.append(json.loads(done.stdout))
    rows = [[name, *(f"{column[name]:.1f}" for column in columns)] for name in columns[0]]
    return report.table(["", *(f"{size}x{size}" for size in sizes)], rows)


if __name__ == "__main__":
    if "BENCHMARK_BEGIN_S" in os.environ:  # it is such a process
        print(json.dumps(measure(int(sys.argv[1]))))
    else:
        print(report.machine())
        print(table(sys.argv[1:] or ["64", "256", "1024"]))
