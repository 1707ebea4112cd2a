"""The pictures and the films of docs/index.md, each a moment of the scene that is set up here."""

import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from panda3d.core import ClockObject
from PIL import Image

import ai
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import Match, set_up
from ai.view import SearchTheatre3D
from terrain3d import landscape
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import Settings
from terrain3d.program.editor_menu import NEW_MAP
from terrain3d.program.game_scene import GameScene
from terrain3d.program.maps import DEFAULTS, FIRST, LANDSCAPE_LEVELS
from terrain3d.view import OrbitCamera3D, Preferences, Terrain3D, attach
from terrain3d.view.window import window

SIZE = (960, 540)
ROWS, COLS, SEED = 30, 30, DEFAULTS["seed"]
FRAME_S = 1 / 30
SIDES_DEG = {"southeast": 38.0, "northeast": 128.0, "northwest": 218.0, "southwest": 308.0}
"""Where one stands, and the heading in which one looks from there."""
NAMES = (*(f"from-{name}" for name in SIDES_DEG), *MOODS, *("reach", "path", "turns", "hexagons"))
PLAIN = Settings(show_map=False)
ACROSS_THE_RIVER = 20, 11
"""A tile that is too far for one move."""


FILM_SIZE, FILM_EVERY = (640, 360), 3
SEARCH_SIZE, SEARCH_EVERY, SEARCH_S = (960, 430), 3, 12.0
"""The film of a search: its size, steps from picture to picture, and how long it is."""
PALETTE, N_SAMPLES, SAMPLE_SIZE = 255, 6, (320, 180)
FILMED = True, False, True, False
"""Which units of blue the film shows."""


class Moment:
    """The scene, with what a person does in it."""

    def __init__(self, base, folder, settings, topology="square", turns=None, *, in_battle=False):
        self.base, self.tree = base, attach(base)
        preferences = self.tree.root.add_child(Preferences(settings))
        if in_battle:
            tilemap = landscape(**FIRST, is_island=True)
        else:
            tilemap = landscape(ROWS, COLS, SEED, LANDSCAPE_LEVELS, topology=topology)
        match = Match(set_up(tilemap, SEED)[0]) if in_battle else None
        chosen = preferences, folder / NEW_MAP, turns, match
        self.scene = GameScene(SEED, tilemap, ai.MoveProfile(), *chosen)
        self.tree.root.add_child(self.scene)
        while not self.scene.is_ready:
            base.task_mgr.step()
        self.cursor.cell = None

    @property
    def cursor(self):
        return self.scene.commander_3d.cursor

    def look(self, cell, heading_deg=38.0, pitch_deg=34.0, distance=17.0):
        """Look at a tile from near."""
        target = self.scene.terrain.tilemap.surface_point(cell)
        self.scene.camera.look(OrbitView(heading_deg, pitch_deg, distance, target))

    def save(self, path):
        for _ in range(3):
            self.base.task_mgr.step()
        window.save_picture(self.base, path)


def sides(stage, folder):
    with stage() as moment:
        moment.scene.commander.select(None)
        camera = moment.scene.camera
        for name, heading_deg in SIDES_DEG.items():
            camera.look(camera.framing(heading_deg, camera.home.pitch_deg))
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
        reach, level_at = moment.scene.commander.reach, moment.scene.terrain.tilemap.level_at
        # To the highest tile, and of these the farthest.
        goal = max(reach.cells, key=lambda cell: (level_at(cell), reach.cost_to(cell)))
        moment.cursor.go_to(goal)
        moment.look((13, 13), heading_deg=20.0)
        moment.save(folder / "path.png")
    with stage(turns="sides") as moment:
        moment.cursor.go_to(ACROSS_THE_RIVER)
        moment.look((16, 12), heading_deg=14.0, pitch_deg=42.0, distance=20.0)
        moment.save(folder / "turns.png")
    with stage(topology="hex_odd_r") as moment:
        moment.save(folder / "hexagons.png")


class Filmed:
    """A battle that two autopilots play in the scene, and what is filmed of it."""

    def __init__(self, moment, folder):
        self.scene, self.pictures, self.is_rolling = moment.scene, [], False
        self._moment, self._folder, self._n_frames = moment, folder, 0

    def step(self, n_frames=1):
        for _ in range(n_frames):
            self._moment.base.task_mgr.step()
            self._n_frames += 1
            if self.is_rolling and self._n_frames % FILM_EVERY == 0:
                path = self._folder / f"film-{len(self.pictures):05d}.png"
                window.save_picture(self._moment.base, path)
                with Image.open(path) as full:
                    small = full.convert("RGB").resize(FILM_SIZE, Image.Resampling.LANCZOS)
                small.save(path)
                self.pictures.append(path)

    def play_unit(self, unit):
        """Let a unit of blue do the best, as a player would order it."""
        commander, battle = self.scene.commander, self.scene.match.battle
        commander.select(unit)
        self.step(10)
        choice = max(BattleAI().think(battle, unit), key=lambda rated: rated[0])[1]
        if choice.cell != unit.cell:
            self._moment.cursor.go_to(choice.cell)
            self.step(16)
            commander.act_on(choice.cell)
            self._settle()
        if choice.aim is None:
            commander.wait()
        else:
            commander.choose(choice.skill)
            self._moment.cursor.go_to(choice.aim)
            self.step(24)
            while commander.skill:  # it is shown, and then done
                commander.act_on(choice.aim)
            self._settle()

    def play_enemies(self):
        commander = self.scene.commander
        commander.end_turn()
        self.step(2)
        while not commander.is_players_turn:
            if not self.is_rolling:
                self.scene.play.battle_3d.hurry()
            self.step()
        self.step(20)

    def _settle(self):
        self.step(2)
        while self.scene.play.battle_3d.is_busy:
            self.step()
        self.step(4)


def film(stage, path):
    """Film the second round of a battle: two units of blue, and all of red."""
    with stage(replace(PLAIN, follow=False), turns="sides", in_battle=True) as moment:
        shown = Filmed(moment, path.parent)
        for unit in moment.scene.match.battle.turn.units:
            shown.play_unit(unit)
        shown.play_enemies()
        middle = np.mean([unit.pose.point for unit in moment.scene.board.units], axis=0)
        moment.scene.camera.look(OrbitView(38.0, 34.0, 14.0, tuple(middle.tolist())))
        shown.step(20)
        for unit, is_shown in zip(moment.scene.match.battle.turn.units, FILMED, strict=True):
            shown.is_rolling = is_shown
            shown.play_unit(unit)
        shown.is_rolling = True
        shown.play_enemies()
        write_gif(shown.pictures, path, FILM_EVERY * FRAME_S, 2.0)
        for picture in shown.pictures:
            picture.unlink()


def film_search(path):
    """Film A*, and then Dijkstra's algorithm with what the first has found beside it."""
    tilemap = landscape(18, 18, 3, LANDSCAPE_LEVELS)
    with window.still_tree(SEARCH_SIZE, "high") as tree, tempfile.TemporaryDirectory() as scratch:
        terrain = tree.root.add_child(Terrain3D(tilemap))
        camera = tree.root.add_child(OrbitCamera3D(terrain))
        theatre = terrain.add_child(SearchTheatre3D(ai.Navigation(tilemap), camera))
        theatre.watch((15, 2), (3, 14), algorithm="dijkstra")
        theatre.seek(10**6)
        tree.base.task_mgr.step()  # the camera shows all that either of them explores
        theatre.watch((15, 2), (3, 14))
        pictures = []
        for _ in range(2):
            theatre.search.run()
            theatre.playing = False
            for _ in range(3):
                tree.base.task_mgr.step()
            camera.look(camera.goal)
            terrain.build_visible()
            for step in (*range(0, theatre.n_steps, SEARCH_EVERY), theatre.n_steps):
                theatre.seek(step)
                tree.base.task_mgr.step()
                pictures.append(Path(scratch) / f"{len(pictures):05d}.png")
                window.save_picture(tree.base, pictures[-1])
            tree.input.press("next_algorithm")
        write_gif(pictures, path, SEARCH_S / len(pictures), 2.5)


def write_gif(files, path, frame_s, last_s):
    """Write pictures as a film that repeats, in colors that all of them share."""

    def opened(file):
        with Image.open(file) as picture:
            return picture.convert("RGB")

    chosen = np.linspace(0, len(files) - 1, N_SAMPLES).astype(int)
    samples = [opened(files[number]).resize(SAMPLE_SIZE) for number in chosen]
    colors = Image.fromarray(np.vstack(samples))
    palette = colors.quantize(PALETTE, method=Image.Quantize.FASTOCTREE)
    # Without dithering, still parts are the same in all pictures.
    given = {"palette": palette, "dither": Image.Dither.NONE}
    first, *rest = (opened(file).quantize(**given) for file in files)
    times_ms = [round(1000 * frame_s)] * len(rest) + [round(1000 * last_s)]
    first.save(path, save_all=True, append_images=rest, duration=times_ms, loop=0)


def take_all(folder):
    """Take every picture and give their paths."""
    base = window.open_offscreen(*SIZE)
    clock = ClockObject.get_global_clock()
    clock.mode, clock.dt = ClockObject.M_non_real_time, FRAME_S
    with tempfile.TemporaryDirectory() as scratch:

        @contextmanager
        def stage(settings=PLAIN, **choices):
            moment = Moment(base, Path(scratch), settings, **choices)
            yield moment
            moment.tree.close()

        for take in (sides, moods, marks):
            take(stage, folder)
        film(stage, folder / "battle.gif")
    base.destroy()
    film_search(folder / "search.gif")
    return [folder / f"{name}.png" for name in NAMES]
