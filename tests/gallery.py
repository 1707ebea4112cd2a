"""The pictures of docs/gallery.md, each a moment of the scene that is set up here."""

import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from panda3d.core import ClockObject

import ai
from ai.view import Commander3D
from terrain3d import landscape
from terrain3d.core.files import EventLog
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import Settings
from terrain3d.program.game_scene import NEW_MAP, GameScene
from terrain3d.program.maps import DEFAULTS, LANDSCAPE_LEVELS
from terrain3d.view import Preferences, attach
from terrain3d.view.window import window

SIZE = (960, 540)
ROWS, COLS, SEED = 30, 30, DEFAULTS["seed"]
FRAME_S = 1 / 30
SIDES_DEG = {"southeast": 38.0, "northeast": 128.0, "northwest": 218.0, "southwest": 308.0}
"""Where one stands, and the heading in which one looks from there."""
NAMES = (
    *(f"from-{name}" for name in SIDES_DEG),
    *MOODS,
    *("reach", "path", "detour", "turns", "hexagons"),
)
PLAIN = Settings(show_map=False)
ALONG_THE_RIVER = 14, 23
"""A tile at which the straight path wades."""
ACROSS_THE_RIVER = 20, 11
"""A tile that is too far for one move."""


class Moment:
    """The scene, with what a person does in it."""

    def __init__(self, base, folder, settings=PLAIN, topology="square"):
        self._base, self._tree = base, attach(base)
        preferences = self._tree.root.add_child(Preferences(settings))
        tilemap = landscape(ROWS, COLS, SEED, LANDSCAPE_LEVELS, topology=topology)
        path = folder / NEW_MAP
        self.scene = GameScene(
            SEED, tilemap, ai.MoveProfile(), preferences, EventLog(None, 0.0), path
        )
        self._tree.root.add_child(self.scene)
        while not self.scene.is_ready:
            base.task_mgr.step()
        self.cursor.cell = None

    @property
    def cursor(self):
        return next(
            each.cursor for each in self.scene.terrain.children if isinstance(each, Commander3D)
        )

    @property
    def highest(self):
        """The highest tile, and of these the farthest, that the selected unit can go to."""
        reach, level_at = self.scene.commander.reach, self.scene.terrain.tilemap.level_at
        return max(reach.cells, key=lambda cell: (level_at(cell), reach.cost_to(cell)))

    def look(self, cell, heading_deg=38.0, pitch_deg=34.0, distance=17.0):
        """Look at a tile from near."""
        target = self.scene.terrain.tilemap.surface_point(cell)
        self.scene.camera.look(OrbitView(heading_deg, pitch_deg, distance, target))

    def look_from(self, heading_deg):
        """Look at the whole map, with no unit selected."""
        self.scene.commander.select(None)
        camera = self.scene.camera
        camera.look(camera.framing(heading_deg, camera.home.pitch_deg))

    def save(self, path):
        for _ in range(3):
            self._base.task_mgr.step()
        window.save_picture(self._base, path)

    def end(self):
        self._tree.close()


def sides(stage, folder):
    with stage() as moment:
        for name, heading_deg in SIDES_DEG.items():
            moment.look_from(heading_deg)
            moment.save(folder / f"from-{name}.png")


def moods(stage, folder):
    for mood in MOODS:
        with stage(replace(PLAIN, mood=mood)) as moment:
            moment.scene.commander.select(None)
            moment.look((15, 16), heading_deg=20.0, pitch_deg=24.0, distance=22.0)
            moment.save(folder / f"{mood}.png")


def marks(stage, folder):
    with stage(replace(PLAIN, show_costs=True)) as moment:
        moment.save(folder / "reach.png")
    with stage() as moment:
        moment.cursor.go_to(moment.highest)
        moment.look((13, 13), heading_deg=20.0)
        moment.save(folder / "path.png")
        moment.cursor.go_to(ALONG_THE_RIVER)
        moment.look((14, 21), heading_deg=14.0, pitch_deg=44.0, distance=17.0)
        moment.save(folder / "detour.png")
        moment.scene.commander.change_turns("sides", "blue")
        moment.cursor.go_to(ACROSS_THE_RIVER)
        moment.look((16, 12), heading_deg=14.0, pitch_deg=42.0, distance=20.0)
        moment.save(folder / "turns.png")


def hexagons(stage, folder):
    with stage(topology="hex_odd_r") as moment:
        moment.save(folder / "hexagons.png")


def take_all(folder):
    """Take every picture and give their paths."""
    base = window.open_offscreen(*SIZE)
    clock = ClockObject.get_global_clock()
    clock.mode, clock.dt = ClockObject.M_non_real_time, FRAME_S
    with tempfile.TemporaryDirectory() as scratch:

        @contextmanager
        def stage(settings=PLAIN, topology="square"):
            moment = Moment(base, Path(scratch), settings, topology)
            yield moment
            moment.end()

        for take in (sides, moods, marks, hexagons):
            take(stage, folder)
    base.destroy()
    return [folder / f"{name}.png" for name in NAMES]
