"""Measure the scene on maps of several sizes: `python -m tests.benchmarks.scene [--sizes N,N,...]`.

Each size has a process of its own that draws into memory. "First picture" is the time from the
start of the process, with imports and the making of the map, until the first frame is drawn; "all
built" is until every part of that view is as fine as it will be, and orders are taken. The most
memory is taken until then, in a view of the whole map, or while the next map takes its place.
"""

import argparse
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
from terrain3d.view import PandaTree, Preferences, attach
from terrain3d.view.window import window
from tests.benchmarks import report
from tests.benchmarks.index import resident_mb
from tests.support import ROOT

WINDOW = (640, 360)
SIZES = "64,256,1024"
SEED = 7
FRAME_S = 1 / 60


def open_scene(
    tree: PandaTree, size: int, settings: Settings, *, has_battle: bool = False
) -> GameScene:
    """Add the scene on a map of a size to a tree of nodes."""
    preferences = tree.root.add_child(Preferences(settings))
    tilemap, values = landscape(size, size, SEED), {}
    if has_battle:
        battle, _ = set_up(tilemap, SEED, fog=True)
        values = {"turns": "sides", "match": Match(battle, "hard")}
    scene = GameScene(SEED, tilemap, ai.MoveProfile(), preferences, **values)
    return tree.root.add_child(scene)


class Scene:
    """The scene on a map of one size."""

    def __init__(self, size: int) -> None:
        self.base = window.open_offscreen(*WINDOW)
        self.tree = attach(self.base)
        gc.freeze()  # as the program does
        open_scene(self.tree, size, Settings())
        self.draw()

    @property
    def scene(self) -> GameScene:
        """The scene that is there; R replaces it."""
        scene = self.tree.root.children[-1]
        assert isinstance(scene, GameScene)
        return scene

    def frame(self) -> None:
        self.tree.advance(FRAME_S)
        self.draw()

    def draw(self) -> None:
        self.base.graphics_engine.render_frame()

    def settle(self) -> None:
        """Draw until all is built."""
        self.frame()
        while not (self.scene.is_ready and self.scene.terrain.is_built):
            self.frame()

    def make_next_map(self) -> None:
        """Press R, and draw until all is built."""
        before = self.scene
        self.base.messenger.send("shift-r")
        while self.scene is before:
            self.frame()
        self.settle()


def measure(size: int) -> dict[str, float]:
    """Return all numbers of one size."""
    begin_s = float(os.environ["BENCHMARK_BEGIN_S"])
    shown = Scene(size)
    found = {"first picture, s": time.time() - begin_s}
    shown.settle()
    found["all built, s"] = time.time() - begin_s
    shown.scene.camera.look(shown.scene.camera.home)
    shown.settle()
    shown.make_next_map()
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
