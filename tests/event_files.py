"""Counts the files that an event goes through: `python -m tests.event_files`.

Prints the files of the project in which functions are called, by `sys.setprofile`: from the first
handler of an event of the engine until the board emits `changed`, for a click that moves a unit and
for an undo by its button; and those of a frame in which nothing happens.
"""

import sys
from pathlib import Path

from direct.showbase.ShowBase import ShowBase
from panda3d.core import PGItem, load_prc_file_data

from ai import MoveProfile
from terrain3d import TileMap
from terrain3d.program.game_scene import GameScene
from terrain3d.view import Preferences, attach
from tests.support.scenes import Watcher

ROOT = Path(__file__).parent.parent
LEVELS = "\n".join(["0" * 12] * 12)
REST_S, STILL_S = 20.0, 1.0
"""Time after which nothing moves any more, and that of a frame which is not looked at."""


class Trace:
    """The files of the project in which functions are called, until a signal is emitted."""

    def __init__(self, signal=None):
        self.files, self.is_over, self._signal = [], False, signal

    def __enter__(self):
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)

    def _note(self, frame, event, _argument):
        code = frame.f_code
        path = Path(code.co_filename)
        is_emission = code.co_name == "emit" and frame.f_locals.get("self") is self._signal
        self.is_over = self.is_over or (event == "call" and is_emission)
        if event == "call" and not self.is_over and path.is_relative_to(ROOT):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(("ai/", "terrain3d/")) and name not in self.files:
                self.files.append(name)


class Player:
    """A scene without a window, and its mouse."""

    def __init__(self):
        settings = "window-type offscreen\nwin-size 1280 720\naudio-library-name null"
        load_prc_file_data("", settings)
        self.base = ShowBase()
        self.tree = attach(self.base)
        self.base.mouseWatcherNode = self.mouse = Watcher()
        tilemap = TileMap.from_text(LEVELS)
        tilemap.extras["units"] = [{"name": "Mira", "cell": [5, 5]}]
        preferences = self.tree.root.add_child(Preferences())
        self.scene = GameScene(7, tilemap, MoveProfile(), preferences)
        self.tree.root.add_child(self.scene)
        while not self.scene.is_ready:
            self.frames(1)
        self.frames(5)

    def frames(self, count, dt_s=0.05):
        """Let frames pass."""
        for _ in range(count):
            self.base.task_mgr.step()
            self.tree.advance(dt_s)

    def click(self, point):
        """Press and release the left button at a point, and return the files until the change."""
        self.mouse.at = point
        self.frames(3)
        return self.files_of("mouse1", "mouse1-up")

    def press_button(self, name):
        """Send what the engine sends when a button is pressed, and return the files."""
        number = [each.name for each in self.scene.hud.buttons].index(name)
        part = [*self.scene.hud.dock("tools").panel.parts][number]
        return self.files_of(f"{PGItem.get_press_prefix()}mouse1-{part}", values=[None])

    def files_of(self, *events, values=()):
        """Return the files that some events go through until the board says that it has changed."""
        with Trace(self.scene.board.changed) as trace:
            for event in events:
                self.base.messenger.send(event, [*values])
        assert trace.is_over, "nothing has changed"
        return trace.files

    def place_of(self, cell):
        """Return where a tile is seen."""
        terrain = self.scene.terrain
        return self.tree.project(terrain.tilemap.surface_point(cell), terrain.np)


def main():
    """Print the counts."""
    player = Player()
    [unit] = player.scene.board.units
    found = {"a click to move": player.click(player.place_of((5, 7)))}
    unit.advance(100.0)
    player.frames(2)
    found["an undo by its button"] = player.press_button("undo")
    unit.advance(100.0)
    player.mouse.at = None
    player.frames(int(REST_S / STILL_S), STILL_S)
    with Trace() as trace:
        player.base.task_mgr.step()
    found["a frame at rest"] = trace.files
    for name, files in found.items():
        print(f"{name}: {len(files)} files", *files, sep="\n  ")


if __name__ == "__main__":
    main()
