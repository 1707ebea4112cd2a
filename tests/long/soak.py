"""The scene under random input: `soak`, `--cases` is the time in seconds.

The window is on a virtual screen and is resized at random. Nothing may raise. The first third of
the time is the warm-up: shaders, pages of letters and pools of memory are made. After it nodes,
tasks, events, textures and meshes may not grow, and resident memory stays within 5 %. It is
measured each minute, in a scene that was begun again, without what caches keep. The same
seed does the same.
"""

import ctypes
import gc
import os
import random
import re
import tempfile
import time
from argparse import Namespace
from collections import Counter
from contextlib import chdir
from functools import _lru_cache_wrapper, partial
from pathlib import Path

from panda3d.core import ClockObject, WindowProperties

import ai
from terrain3d import landscape
from terrain3d.look.settings import Settings
from terrain3d.program.game_scene import GameScene
from terrain3d.program.maps import LANDSCAPE_LEVELS
from terrain3d.view import Preferences, attach
from terrain3d.view.hud.widgets import Letters
from terrain3d.view.window import window
from tests.long import Check, Kind
from tests.support.desktop import screen
from tests.support.scenes import Watcher

SIZE = (640, 360)
SMALLEST, LARGEST = (160, 120), (1000, 700)
FRAME_S = 1 / 20
ROWS = COLS = 20
MOST_GROWN = {"textures": 4, "meshes": 4}
"""Growth allowed for marks and tags, which depend on where the mouse rests; none otherwise."""
MEMORY_SHARE = 1.05
"""The most resident memory may be, relative to the end of the warm-up."""

MALLOC = {-3: 2**17, -8: 1}
"""M_MMAP_THRESHOLD, which otherwise rises with each large block that is freed, and M_ARENA_MAX:
glibc returns large blocks at once, in one arena, so that holes do not count as growth."""

KEYS = (
    *("tab", "shift-tab", "escape", "backspace", "u", "y", "control-z", "control-y"),
    *("arrow_up", "arrow_down", "arrow_left", "arrow_right", "arrow_up-repeat"),
    *("enter", "enter", "space", "x", "q", "e", "shift-q", "shift-e", "t", "f", "home"),
    *("page_up", "page_down", "+", "-", "w", "a", "s", "d", "w-up", "a-up", "s-up", "d-up"),
    *("c", "m", "p", "[", "]", "<", ">", "k", "v", "n", "r", "shift-r", "f1", "f4", "z", "z"),
    *("f3", "f3", ",", ".", "j", "l", "o", "h", "i"),
    *("f2", "1", "2", "3", "4", "5", "6", "7", "8", "9", "b", "g", "shift-g", "i", "f5", "f9"),
)
VIEWS = re.compile(r"terrain3d\.(mesh|view)\b|ai\.view\b")
"""Modules whose caches are not growth; searches stay compiled."""
FONTS = {"_letters_of", "_font"}
"""Their caches of fonts, of which there is one for each size of letters."""
BUTTONS = ("mouse1", "mouse1", "mouse1", "mouse2", "mouse3")


class User(Watcher):
    """A mouse over a window that has none, and keys; both are moved at random."""

    def __init__(self, base, seed):
        super().__init__()
        self._base, self._chance, self._held = base, random.Random(seed), ""
        self.done = Counter()
        base.mouseWatcherNode = self

    def send(self, event):
        self.done[event] += 1
        self._base.messenger.send(event)

    def act(self):
        chance = self._chance
        what = chance.random()
        if what < 0.45:
            self.at = chance.uniform(-1, 1), chance.uniform(-1, 1)
        elif what < 0.6 and self._held:
            self.let_go()
        elif what < 0.6:
            self._held = chance.choice(BUTTONS)
            self.send(chance.choice(("", "", "", "shift-", "control-")) + self._held)
        elif what < 0.67:
            self.send(chance.choice(("wheel_up", "wheel_down")))
        elif what < 0.68:
            self.resize(map(chance.randint, SMALLEST, LARGEST))
        else:
            self.send(chance.choice(KEYS))

    def resize(self, size):
        self.done["resize"] += 1
        self._base.win.request_properties(WindowProperties(size=tuple(size)))

    def let_go(self):
        if self._held:
            self.send(self._held + "-up")
        self._held = ""

    def rest(self):
        """Release all buttons and leave the window, at its first size."""
        self.let_go()
        for key in ("w", "a", "s", "d"):
            self.send(f"{key}-up")
        self.at = None
        self.resize(SIZE)


class Soak:
    def __init__(self, seed):
        self.base = window.open_window(*SIZE)
        self.base.userExit = lambda: None  # the pause screen may ask for it
        clock = ClockObject.get_global_clock()
        clock.mode, clock.dt = ClockObject.M_non_real_time, FRAME_S
        self.tree = attach(self.base)
        self.user = User(self.base, seed)
        self._begin(seed)

    def _begin(self, seed):
        """Open the scene and wait until orders are taken; hold on to none of it."""
        preferences = self.tree.root.add_child(Preferences(Settings()))
        tilemap = landscape(ROWS, COLS, seed, LANDSCAPE_LEVELS)
        play = GameScene(seed, tilemap, ai.MoveProfile(), preferences)
        self.tree.root.add_child(play)
        while not play.is_ready:
            self.base.task_mgr.step()

    def run(self, seconds):
        frames, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            self.user.act()
            self.base.task_mgr.step()
            frames += 1
        return frames

    def look(self):
        """Restart with the same map and settings; return counts of what may not grow."""
        self.user.rest()
        for child in self.tree.root.children:
            child.queue_free()
        del child  # the scene before
        self.base.task_mgr.step()
        clear_caches()
        self._begin(1)
        for _ in range(2):  # what the first collection frees can hold more
            gc.collect()  # what goes with it is given back in the next frames
            for _ in range(40):
                self.base.task_mgr.step()
        base = self.base
        tops = base.render, base.render2d, base.camera
        heard = base.messenger.get_events()
        on_card = base.win.get_gsg().get_prepared_objects()
        return {
            "nodes": sum(len(top.find_all_matches("**")) for top in tops),
            "tasks": len(base.task_mgr.getAllTasks()),
            "events": sum(len(base.messenger.who_accepts(event)) for event in heard),
            "textures": on_card.get_num_prepared_textures() - pages_of_letters(),
            "meshes": on_card.get_num_prepared_vertex_buffers(),
            "memory_mb": resident_mb(),
        }

    def close(self):
        self.tree.close()
        self.base.destroy()


def clear_caches():
    """Forget what views keep, such as meshes of figures; fonts can not be freed."""
    for kept in gc.get_objects():
        if not isinstance(kept, _lru_cache_wrapper) or kept.__name__ in FONTS:
            continue
        if VIEWS.match(kept.__module__ or ""):
            kept.cache_clear()


def pages_of_letters():
    """Return how many textures the letters of all sizes shown so far have."""
    shown = [kept for kept in gc.get_objects() if isinstance(kept, Letters)]
    return sum(letters.font.get_num_pages() for letters in shown)


def call_glibc(name, *numbers):
    """Call a function that glibc alone has."""
    if function := getattr(ctypes.CDLL(None), name, None):
        function(*numbers)


def resident_mb():
    """Return the memory this process uses now, without what malloc keeps for later."""
    call_glibc("malloc_trim", 0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def soak(seconds, seed):
    """Run and report counts at the end of the warm-up and of each minute after it.

    Give (counts, frames, what was done).
    """
    scene, counts, frames = Soak(seed), [], 0
    parts = max(1, round(seconds * 2 / 3 / 60))
    try:
        for part in range(parts + 1):
            frames += scene.run(seconds * 2 / 3 / parts if part else seconds / 3)
            counts.append(scene.look())
            shown = ", ".join(f"{name} {value:.0f}" for name, value in counts[-1].items())
            print(f"{seconds / 180 * (1 + 2 * part / parts):5.1f} min: {shown}", flush=True)
        return counts, frames, scene.user.done
    finally:
        scene.close()


def grown(counts):
    """Name what grew from the first counts to the last, and memory that ever exceeded its share."""
    before, after = counts[0], {**counts[-1]}
    limits = {name: before[name] + MOST_GROWN.get(name, 0) for name in before}
    after["memory_mb"] = max(each["memory_mb"] for each in counts)
    limits["memory_mb"] = before["memory_mb"] * MEMORY_SHARE
    return [
        f"{name} grew from {before[name]:g} to {after[name]:g}"
        for name in before
        if after[name] > limits[name]
    ]


def check(seconds: int, seed: int) -> Counter[str]:
    """Leave the scene under random input for some time; return what was done."""
    # It saves maps in the folder that it runs in.
    with tempfile.TemporaryDirectory() as folder, chdir(folder), screen() as display:
        os.environ["DISPLAY"] = display
        for limit in MALLOC.items():
            call_glibc("mallopt", *limit)
        counts, frames, done = soak(seconds, seed)
    faults = grown(counts)
    assert not faults, "\n".join(faults)
    inputs = {"keys, buttons and resizes": done.total(), "kinds of them": len(done)}
    return Counter({"seconds": seconds, "frames": frames} | inputs)


def checks(options: Namespace) -> list[tuple[str, Check]]:
    return [(f"--seed {options.seed}", partial(check, options.cases, options.seed))]


KIND = Kind("seconds", 600, checks)
