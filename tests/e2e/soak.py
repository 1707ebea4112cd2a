"""Leaves the scene running under random input: `python -m tests.e2e.soak --minutes 10 --seed 7`.

Nothing may raise, and from a third of the time to its end nodes, tasks, events, textures,
meshes and memory may not grow. The same seed does the same, frame by frame, in a window in memory.
"""

import argparse
import ctypes
import gc
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace

from panda3d.core import ClockObject

import ai
from terrain3d import landscape
from terrain3d.app.map_options import LANDSCAPE_LEVELS
from terrain3d.core.event_log import EventLog
from terrain3d.look.settings import Settings
from terrain3d.program.scene.game_scene import NEW_MAP, GameScene
from terrain3d.view import Preferences, attach
from terrain3d.view.window import window

SIZE = (640, 360)
FRAME_S = 1 / 20
ROWS = COLS = 20
MOST_GROWN = {"memory_mb": 64.0, "textures": 8, "meshes": 8}
"""Growth allowed for caches of Mesa, font pages and selection marks; none otherwise."""


KEYS = (
    *("tab", "shift-tab", "escape", "backspace", "u", "y", "control-z", "control-y"),
    *("arrow_up", "arrow_down", "arrow_left", "arrow_right", "arrow_up-repeat"),
    *("enter", "enter", "space", "x", "q", "e", "shift-q", "shift-e", "t", "f", "home"),
    *("page_up", "page_down", "+", "-", "w", "a", "s", "d", "w-up", "a-up", "s-up", "d-up"),
    *("c", "m", "p", "[", "]", "<", ">", "k", "v", "n", "r", "f1", "f4", "z", "z"),
    *("f3", "f3", ",", ".", "j", "l", "o", "h", "i"),
    *("f2", "1", "2", "3", "4", "5", "6", "7", "8", "9", "b", "g", "shift-g", "i", "f5", "f9"),
)
TOUR = (*("[",) * 4, *("]",) * 4, *("[",) * 2, *("n",) * 3, *("f4",) * 3)
"""Every size of text, mood and quality, whose letters and pictures are kept from then on."""
BUTTONS = ("mouse1", "mouse1", "mouse1", "mouse2", "mouse3")


@dataclass(frozen=True)
class Counts:
    """What may not grow."""

    nodes: int
    tasks: int
    events: int
    textures: int
    meshes: int
    memory_mb: float


class User:
    """A mouse over a window that has none, and keys; both are moved at random."""

    def __init__(self, base, pointer, chance):
        self._base, self._chance = base, chance
        self._at = None
        self._held = ""
        self.done = Counter()
        pointer._base = SimpleNamespace(
            mouseWatcherNode=self, win=base.win, get_aspect_ratio=base.get_aspect_ratio
        )

    def has_mouse(self):
        return self._at is not None

    def get_mouse(self):
        return SimpleNamespace(x=self._at[0], y=self._at[1])

    def send(self, event):
        self.done[event] += 1
        self._base.messenger.send(event)

    def act(self):
        """Do one thing."""
        chance = self._chance
        what = chance.random()
        if what < 0.45:
            self._at = chance.uniform(-1, 1), chance.uniform(-1, 1)
        elif what < 0.6:
            if not self._held:
                self._held = chance.choice(BUTTONS)
                modifier = chance.choice(("", "", "", "shift-", "control-"))
                self.send(modifier + self._held)
            else:
                self.let_go()
        elif what < 0.68:
            self.send(chance.choice(("wheel_up", "wheel_down")))
        else:
            self.send(chance.choice(KEYS))

    def let_go(self):
        if self._held:
            self.send(self._held + "-up")
        self._held = ""

    def rest(self):
        """Release all buttons and leave the window."""
        self.let_go()
        for key in ("w", "a", "s", "d"):
            self.send(f"{key}-up")
        self._at = None


class Soak:
    """The scene in memory, with random input."""

    def __init__(self, seed, folder):
        self.base = window.open_offscreen(*SIZE)
        clock = ClockObject.get_global_clock()
        clock.mode, clock.dt = ClockObject.M_non_real_time, FRAME_S
        self.tree = attach(self.base)
        self._folder = folder
        self.user = User(self.base, self.tree.pointer, random.Random(seed))
        self._begin(seed)

    def _begin(self, seed):
        """Open the scene and wait until orders are taken; hold on to none of it."""
        preferences = self.tree.root.add_child(Preferences(Settings()))
        tilemap = landscape(ROWS, COLS, seed, LANDSCAPE_LEVELS)
        path = self._folder / NEW_MAP
        play = GameScene(seed, tilemap, ai.MoveProfile(), preferences, EventLog(None, 0.0), path)
        self.tree.root.add_child(play)
        while not play.is_ready:
            self.base.task_mgr.step()

    def run(self, seconds):
        """Do one thing a frame until the time is over; give the number of frames."""
        frames, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            self.user.act()
            self.base.task_mgr.step()
            frames += 1
        return frames

    def go_round(self):
        """See all that is made once and kept, so that it does not look like growth."""
        ai.warm_up_squads()
        for keys in (("tab", "enter"), ("f2",), ("f2", "f3"), ("f3",)):
            for key in (*keys, *TOUR):
                self.user.send(key)
                for _ in range(3):
                    self.base.task_mgr.step()

    def look(self):
        """Restart with the same map and settings, so that counts can be compared."""
        self.user.rest()
        for child in self.tree.root.children:
            child.queue_free()
        self.base.task_mgr.step()
        self._begin(1)
        gc.collect()  # what goes with it is given back in the next frames
        for _ in range(40):
            self.base.task_mgr.step()
        base = self.base
        tops = base.render, base.render2d, base.camera
        heard = base.messenger.get_events()
        on_card = base.win.get_gsg().get_prepared_objects()
        return Counts(
            nodes=sum(len(top.find_all_matches("**")) for top in tops),
            tasks=len(base.task_mgr.getAllTasks()),
            events=sum(len(base.messenger.who_accepts(event)) for event in heard),
            textures=on_card.get_num_prepared_textures(),
            meshes=on_card.get_num_prepared_vertex_buffers(),
            memory_mb=resident_mb(),
        )

    def close(self):
        self.tree.close()
        self.base.destroy()


def resident_mb():
    """Return the memory this process uses now, without what malloc keeps for later."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc alone has it
    if trim is not None:
        trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def soak(seconds, seed, folder):
    """Run and give (counts at a third, counts at the end, frames, what was done)."""
    scene = Soak(seed, folder)
    try:
        scene.go_round()
        frames = scene.run(seconds / 3)
        third = scene.look()
        frames += scene.run(seconds * 2 / 3)
        return third, scene.look(), frames, scene.user.done
    finally:
        scene.close()


def grown(third, end):
    """Name what grew, with both numbers."""
    before, after = asdict(third), asdict(end)
    return [
        f"{name} grew from {before[name]:g} to {after[name]:g}"
        for name in before
        if after[name] > before[name] + MOST_GROWN.get(name, 0)
    ]


def run(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        third, end, frames, done = soak(60 * options.minutes, options.seed, Path(folder))
    print(f"{frames} frames, {done.total()} keys and buttons of {len(done)} kinds")
    for name in asdict(third):
        print(f"{name:10} {getattr(third, name):10.1f} {getattr(end, name):10.1f}")
    faults = grown(third, end)
    print("\n".join(faults) or "nothing grew")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(run())
