"""Measure the scene on maps of several sizes: `python -m tests.benchmarks.scene [--sizes N,N,...]`.

Each size has a process of its own that draws into memory. "First picture" is the time from the
start of the process, with imports and the making of the map, until the first frame is drawn; "all
built" is until every part of that view is as fine as it will be, and orders are taken. Other times
are what our own code takes between two frames, of the window's thread and without drawing: the
longest while something goes on, or for edits the least of several above that of a frame at rest. A
change of quality makes the memory of a shadow map anew, which is the driver's work and has a row of
its own.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import ai
from ai.game.battle_setup import FAR, Match, set_up
from terrain3d import landscape
from terrain3d.look.settings import Settings
from terrain3d.mesh.chunks import CHUNK_SIZE
from terrain3d.program.game_scene import GameScene
from terrain3d.view import PandaTree, Preferences, attach
from terrain3d.view.light.shader_light import ShadowBuffer
from terrain3d.view.window import window
from tests.benchmarks import report
from tests.benchmarks.index import resident_mb
from tests.support import ROOT

WINDOW = (640, 360)
SIZES = "64,256,1024"
SEED = 7
FRAME_S = 1 / 60
N_EDITS = 12
_TURN_DEG = 10


def open_scene(
    tree: PandaTree, size: int, settings: Settings, *, has_battle: bool = False
) -> GameScene:
    """Add the scene on a map of a size to a tree of nodes."""
    preferences = tree.root.add_child(Preferences(settings))
    tilemap, values = landscape(size, size, SEED), {}
    if has_battle:
        battle, _ = set_up(tilemap, SEED, sight=FAR)
        values = {"turns": "sides", "match": Match(battle, "hard")}
    scene = GameScene(SEED, tilemap, ai.MoveProfile(), preferences, **values)
    return tree.root.add_child(scene)


class Scene:
    """The scene on a map of one size."""

    def __init__(self, size: int) -> None:
        self.base = window.open_offscreen(*WINDOW)
        self.tree = attach(self.base)
        gc.freeze()  # as the program does
        self.tilemap = open_scene(self.tree, size, Settings()).board.tilemap
        self.draw()

    @property
    def scene(self) -> GameScene:
        """The scene that is there; R replaces it."""
        scene = self.tree.root.children[-1]
        assert isinstance(scene, GameScene)
        return scene

    def draw(self) -> None:
        self.base.graphics_engine.render_frame()

    def frame(self) -> float:
        """Advance and draw a frame; return what the first takes, in ms."""
        begin = time.thread_time()
        self.tree.advance(FRAME_S)
        taken_s = time.thread_time() - begin
        self.draw()
        return 1000 * taken_s

    def settle(self, call: Callable[[], object] = lambda: None) -> float:
        """Call and draw until all is built; return the longest time without a frame, in ms."""
        begin = time.perf_counter()
        call()
        times = [1000 * (time.perf_counter() - begin), self.frame(), self.frame()]
        while not (self.scene.is_ready and self.scene.terrain.is_built):
            times.append(self.frame())
        return max(*times, self.frame(), self.frame())

    def make_next_map(self) -> tuple[float, float]:
        """Press R; return the longest time without a frame, in ms, and that until all is built."""
        self.base.messenger.send("shift-r")  # the map was edited, so that Shift + R asks once more
        begin_s, before = time.perf_counter(), self.scene
        times = [self.settle(lambda: self.base.messenger.send("shift-r"))]
        while self.scene is before:
            times.append(self.frame())
        return max(*times, self.settle()), time.perf_counter() - begin_s

    def edit(self, row: int, col: int) -> float:
        """Change a tile; return the least time until the next frame can be drawn, in ms."""
        times = []
        for number in range(N_EDITS):
            with self.tilemap.edit() as edit:
                edit.set_level((row, col), 2 + number % 2)
            times.append(self.frame())
            self.settle()
        return min(times)

    def turn(self) -> float:
        """Turn the camera around; return the longest frame, in ms."""
        camera, times = self.scene.camera, []
        for _ in range(360 // _TURN_DEG):
            camera.goal = replace(camera.goal, heading_deg=camera.goal.heading_deg + _TURN_DEG)
            times.append(self.frame())
        return max(times)


def measure(size: int) -> dict[str, float]:
    """Return all numbers of one size."""
    begin_s = float(os.environ["BENCHMARK_BEGIN_S"])
    shown = Scene(size)
    found = {"first picture, s": time.time() - begin_s}
    shown.settle()
    found["all built, s"] = time.time() - begin_s
    found["memory, MB"] = resident_mb()
    found["turn of the camera, ms"] = shown.turn()
    camera = shown.scene.camera
    found["view of the whole map, ms"] = shown.settle(lambda: camera.look(camera.home))
    found["memory then, MB"] = resident_mb()
    shown.settle(lambda: camera.look(camera.near))
    rest = min(shown.frame() for _ in range(20))
    row, col = (place // CHUNK_SIZE * CHUNK_SIZE for place in shown.scene.board.units[0].cell[:2])
    half = CHUNK_SIZE // 2
    found["edit in a chunk, ms"] = shown.edit(row + half, col + half) - rest
    found["edit at a corner of chunks, ms"] = shown.edit(row, col) - rest
    terrain = shown.scene.terrain
    qualities = "low", terrain.quality
    found["quality, ms"] = max(
        shown.settle(partial(setattr, terrain, "quality", name)) for name in qualities
    )
    found["R, ms"], all_built_s = shown.make_next_map()
    begin_s = time.perf_counter()
    ShadowBuffer(shown.base, 4096).close()
    found["a shadow map's memory, ms"] = 1000 * (time.perf_counter() - begin_s)
    found["R until all is built, s"] = all_built_s
    found["most memory, MB"] = resident_mb(peak=True)
    return found


def run(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", default=SIZES, metavar="N,N,...")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(measure(options.child)))
        return 0
    columns, sizes = [], options.sizes.split(",")
    for size in sizes:
        command = [sys.executable, "-m", "tests.benchmarks.scene", "--child", size]
        begun = {"BENCHMARK_BEGIN_S": str(time.time()), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, env=os.environ | begun, cwd=ROOT, stdout=subprocess.PIPE, check=True
        )
        columns.append(json.loads(done.stdout))
    rows = [[name, *(f"{column[name]:.1f}" for column in columns)] for name in columns[0]]
    print("Machine: " + ", ".join(f"{what} {value}" for what, value in report.machine().items()))
    print(report.table(["", *(f"{size}x{size}" for size in sizes)], rows))
    return 0


if __name__ == "__main__":
    sys.exit(run())
