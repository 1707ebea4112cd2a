"""Retakes the pictures and films of the pages: `python -m tests.screenshots docs`."""

import argparse
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from panda3d.core import ClockObject
from PIL import Image

from ai import Board, FollowTrail, MoveProfile, Navigation, Trail, Unit
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import Match, set_up
from ai.view import SearchTheatre3D, Unit3D
from terrain3d import Cell, landscape
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import Settings
from terrain3d.program import main
from terrain3d.program.behaviors import BEHAVIORS
from terrain3d.program.game_scene import GameScene
from terrain3d.program.maps import DEFAULTS, FIRST, LANDSCAPE_LEVELS
from terrain3d.program.run_scene import remove_texts
from terrain3d.view import Crumbs3D, OrbitCamera3D, Preferences, Terrain3D, TileOverlay3D
from terrain3d.view.window import window
from tests.support.pages import DOCS, programs_of, run_in_window

SIZE, SMALLER = (1280, 720), (960, 540)
PLAIN = Settings(show_map=False)
SEED = DEFAULTS["seed"]
CHASE, FLEE, PATROL, GUARD, _, WANDER, EXPLORE, WALL = BEHAVIORS
FOLLOW = "follows a trail"
MOVERS = {
    "chase": ({"Bram": CHASE}, None, 6.0, (13, 16), 15.0),
    "explore": ({"Bram": EXPLORE}, None, 3.0, (13, 15), 15.0),
    "first-of": ({"Odo": GUARD}, (13, 14), 6.0, (13, 14), 17.0),
    "flee": ({"Bram": FLEE}, None, 4.0, (13, 21), 17.0),
    "patrol": ({"Odo": PATROL}, (9, 11), 2.0, (13, 12), 16.0),
    "trail": ({"Mira": WANDER, "Tove": FOLLOW}, None, 3.5, (13, 9), 19.0),
    "wall": ({"Odo": WALL}, None, 9.0, (13, 7), 16.0),
    "wander": ({"Mira": WANDER}, None, 4.0, (14, 8), 17.0),
}
"""What units do, the last of which is selected, and where to; after how many seconds they are seen;
and the tile and the distance that they are seen from."""
SQUAD = {"ordered": 0.0, "moving": 1.3, "arrived": 5.0}
"""When a squad is seen, in seconds."""
PAGES = {
    "crowd": ("examples/squads.py", 120),
    "position": ("examples/position_overlay.py", 3),
    "attack": ("examples/attack.py", 3),
    "map-doctor": ("examples/map_doctor.py", 3),
    "movers/intercept": ("examples/intercept.py", 46),
    "movers/keep-distance": ("examples/keep_distance.py", 240),
    "movers/seek": ("examples/seek.py", 900),
    "movers/waypoints": ("examples/travel.py", 54),
    "movers/while": ("examples/while_near.py", 100),
}
"""Examples that make a picture, and after how many frames."""
PAGE_SETTINGS = """
win-size 640 360
framebuffer-multisample 1
multisamples 8
clock-mode non-real-time
"""
FRAME_S = 1 / 30
SIDES_DEG = {"southeast": 38.0, "northeast": 128.0, "northwest": 218.0, "southwest": 308.0}
"""Where one stands, and the heading in which one looks from there."""
ACROSS_THE_RIVER = 20, 11
"""A tile that is too far for one move."""

FILM_SIZE, FILM_EVERY = (640, 360), 3
SEARCH_SIZE, SEARCH_EVERY, SEARCH_S = (960, 430), 3, 12.0
"""The film of a search: its size, steps from picture to picture, and how long it is."""
PALETTE, N_SAMPLES, SAMPLE_SIZE = 255, 6, (320, 180)
FILMED = True, False, True, False
"""Which units of blue the film shows."""
SHAPES = {"Mira": "scout", "Bram": "knight"}
WALKED_S = 60.0


def meeting(tilemap):
    """Give a board on which Mira has come onto a bridge and Bram onto the road below her."""
    columns = [Cell(int(row), int(col)) for row, col in np.argwhere(~tilemap.surface_void[1])]
    below = next(cell for cell in columns if tilemap.kind_at(cell).name == "road")
    over = below._replace(deck=1)
    board = Board(tilemap)
    for name, team, goal in (("Mira", "blue", over), ("Bram", "red", below)):
        start = next(
            cell
            for cell in reversed(tilemap.grid.neighbors((goal.row, goal.col)))
            if tilemap.kind_at(cell).name == "road"
            and abs(tilemap.level_at(cell) - tilemap.level_at(goal)) <= 1
        )
        unit = board.add(Unit(name, start, team, MoveProfile()))
        board.move(unit, goal)
        unit.advance(WALKED_S)
    return board


@contextmanager
def staged(size=SMALLER, settings=PLAIN, seed=SEED, topology="square", turns=None, in_battle=False):
    """Open the composed scene, and give it when it takes orders."""
    match, tilemap = None, landscape(30, 30, seed, LANDSCAPE_LEVELS, topology=topology)
    if in_battle:
        tilemap = landscape(**FIRST, is_island=True)
        match = Match(set_up(tilemap, SEED)[0])
    with window.still_tree(size, settings.quality) as tree:
        preferences = tree.root.add_child(Preferences(settings))
        scene = GameScene(SEED, tilemap, MoveProfile(), preferences, turns=turns, match=match)
        tree.root.add_child(scene)
        while not scene.is_ready:
            tree.base.task_mgr.step()
        scene.commander_3d.cursor.cell = None
        yield scene


def look(scene, cell, heading_deg=38.0, pitch_deg=34.0, distance=17.0):
    """Look at a tile from near."""
    target = scene.board.tilemap.surface_point(cell)
    scene.camera.look(OrbitView(heading_deg, pitch_deg, distance, target))


def save(tree, path):
    for _ in range(3):
        tree.base.task_mgr.step()
    window.save_picture(tree.base, path)


def take_bridge(path):
    """Draw the two as they meet, with the reach of the lower one."""
    board = meeting(landscape(30, 30, SEED))
    with window.still_tree(SIZE, "high") as tree:
        terrain = tree.root.add_child(Terrain3D(board.tilemap))
        camera = tree.root.add_child(OrbitCamera3D(target=terrain))
        for unit in board.units:
            terrain.add_child(Unit3D(unit, shape=SHAPES[unit.name]))
        lower = board.units[-1]
        overlay = terrain.add_child(TileOverlay3D())
        overlay.show(cell for cell in board.reach(lower) if cell != lower.cell)
        x, y, z = lower.pose.point
        camera.look(OrbitView(40.0, 22.0, 12.5, (x, y, z + 0.6)))
        save(tree, path)


def take_making(path):
    """Draw the scene while a pond is painted and a unit's reach follows."""
    with staged(SIZE, Settings()) as scene:
        scene.edit.editor.is_active = True
        editor = scene.edit.editor.map_editor
        editor.choose(tool="raise", size=2)
        for col in (8, 12):
            editor.aim_at((23, col))
            editor.act()
        editor.choose(tool="paint", kind="shallow", area="rectangle")
        editor.aim_at((20, 7))
        editor.press()
        editor.aim_at((24, 13))
        look(scene, (19, 12), distance=26.0)
        save(scene.tree, path)


def take_bare(path, size, view, *, act=None, time_s=0.0, **chosen):
    """Draw the scene without texts and reach, some time after an action in it.

    The view is a tile, the pitch in degrees and the distance from which it is seen.
    """
    place, pitch_deg, distance = view
    with staged(size, **{"settings": Settings()} | chosen) as scene:
        if act is not None:
            act(scene)
        for _ in range(round(time_s / FRAME_S)):
            scene.tree.advance(FRAME_S)
        look(scene, place, 30.0, pitch_deg, distance)
        scene.commander_3d.reach_overlay.np.hide()
        scene.tree.advance(0.0)
        remove_texts(scene)
        scene.terrain.build_visible()
        save(scene.tree, path)


def follow(scene, unit, leader):
    """Let a unit follow another one, whose crumbs are shown."""
    trail, marks = Trail(), scene.terrain.add_child(Crumbs3D())
    for drop in (trail.drop, lambda _cell: marks.show(crumb.cell for crumb in trail)):
        drop(leader.cell)
        leader.step_finished.connect(drop)
    scene.play.autopilot.assign(unit, FollowTrail(trail, np.random.default_rng(SEED)))


def take_movers(folder):
    """Draw each behavior."""
    paths = []
    (folder / "movers").mkdir(exist_ok=True)
    for page, (behaviors, goal, time_s, place, distance) in MOVERS.items():

        def act(scene, behaviors=behaviors, goal=goal):
            units = [scene.board.unit(name) for name in behaviors]
            scene.commander.select(units[-1])
            for unit in units:
                if behaviors[unit.name] == FOLLOW:
                    follow(scene, unit, units[0])
                else:
                    goes = goal and Cell(*goal)
                    scene.play.behavior_key.assign(unit, behaviors[unit.name], goes)

        paths.append(folder / "movers" / f"{page}.png")
        take_bare(paths[-1], (640, 360), (place, 38.0, distance), act=act, time_s=time_s)
    return paths


def take_squad(folder):
    """Draw a squad as it is ordered, goes and arrives."""

    def act(scene):
        scene.commander.select_all([*map(scene.board.unit, ("Mira", "Tove", "Odo"))])
        scene.commander.act_on((20, 14))

    paths = []
    for moment, time_s in SQUAD.items():
        paths.append(folder / f"squad-{moment}.png")
        view = (18, 12), 40.0, 18.0
        take_bare(paths[-1], (426, 320), view, seed=32, act=act, time_s=time_s)
    return paths


def take_pages(folder):
    """Draw what the programs show that are printed on pages."""
    paths = []
    for name, (page, n_frames) in PAGES.items():
        paths.append(folder / f"{name}.png")
        [program] = [each.text for each in programs_of(DOCS / page) if each.is_in_window]
        act = (
            "from pathlib import Path\nfrom terrain3d.view.window import window\n"
            f"base.clock.dt = {FRAME_S}\nstep({n_frames})\n"
            f"window.save_picture(base, Path({str(paths[-1].resolve())!r}))"
        )
        with tempfile.TemporaryDirectory() as scratch:
            run_in_window(program, act, Path(scratch), PAGE_SETTINGS)
    return paths


def take_moods(path):
    """Put the same place at noon, at dusk and at night side by side."""
    width, height = SIZE[0] // len(MOODS), 480
    strip, part = Image.new("RGB", (width * len(MOODS), height)), path.with_name("part.png")
    for place, mood in enumerate(MOODS):
        take_bare(part, (width, height), ((14, 14), 24.0, 16.0), settings=Settings(mood=mood))
        with Image.open(part) as picture:
            strip.paste(picture, (place * width, 0))
    part.unlink()
    strip.save(path)


def take_gallery(folder):
    """Draw the sides and the light of a map, and what marks a move."""
    names = *(f"from-{name}" for name in SIDES_DEG), *MOODS, "reach", "path", "turns", "hexagons"
    paths = {name: folder / f"{name}.png" for name in names}
    with staged() as scene:
        scene.commander.select(None)
        for name, heading_deg in SIDES_DEG.items():
            scene.camera.look(scene.camera.framing(heading_deg, scene.camera.home.pitch_deg))
            save(scene.tree, paths[f"from-{name}"])
    for mood in MOODS:
        with staged(settings=replace(PLAIN, mood=mood)) as scene:
            scene.commander.select(None)
            look(scene, (15, 16), heading_deg=20.0, pitch_deg=24.0, distance=22.0)
            save(scene.tree, paths[mood])
    with staged(settings=replace(PLAIN, show_costs=True)) as scene:
        save(scene.tree, paths["reach"])
    with staged() as scene:
        reach, level_at = scene.commander.reach, scene.board.tilemap.level_at
        # To the highest tile, and of these the farthest.
        goal = max(reach.cells, key=lambda cell: (level_at(cell), reach.cost_to(cell)))
        scene.commander_3d.cursor.go_to(goal)
        look(scene, (13, 13), heading_deg=20.0)
        save(scene.tree, paths["path"])
    with staged(turns="sides") as scene:
        scene.commander_3d.cursor.go_to(ACROSS_THE_RIVER)
        look(scene, (16, 12), heading_deg=14.0, pitch_deg=42.0, distance=20.0)
        save(scene.tree, paths["turns"])
    with staged(topology="hex_odd_r") as scene:
        save(scene.tree, paths["hexagons"])
    return paths.values()


class Filmed:
    """A battle that two autopilots play in the scene, and what is filmed of it."""

    def __init__(self, scene, folder):
        self.scene, self.pictures, self.is_rolling = scene, [], False
        self._base, self._folder, self._n_frames = scene.tree.base, folder, 0
        self._base.clock.mode, self._base.clock.dt = ClockObject.M_non_real_time, FRAME_S

    def step(self, n_frames=1):
        for _ in range(n_frames):
            self._base.task_mgr.step()
            self._n_frames += 1
            if self.is_rolling and self._n_frames % FILM_EVERY == 0:
                path = self._folder / f"film-{len(self.pictures):05d}.png"
                window.save_picture(self._base, path)
                self.pictures.append(path)

    def play_unit(self, unit):
        """Let a unit of blue do the best, as a player would order it."""
        commander, battle = self.scene.commander, self.scene.match.battle
        commander.select(unit)
        self.step(10)
        choice = max(BattleAI().think(battle, unit), key=lambda rated: rated[0])[1]
        if choice.cell != unit.cell:
            self.scene.commander_3d.cursor.go_to(choice.cell)
            self.step(16)
            commander.act_on(choice.cell)
            self._settle()
        if choice.aim is None:
            commander.wait()
        else:
            commander.choose(choice.skill)
            self.scene.commander_3d.cursor.go_to(choice.aim)
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


def film(path):
    """Film the second round of a battle: two units of blue, and all of red."""
    settings = replace(PLAIN, follow=False)
    with (
        staged(settings=settings, turns="sides", in_battle=True) as scene,
        tempfile.TemporaryDirectory() as scratch,
    ):
        shown = Filmed(scene, Path(scratch))
        for unit in scene.match.battle.turn.units:
            shown.play_unit(unit)
        shown.play_enemies()
        middle = np.mean([unit.pose.point for unit in scene.board.units], axis=0)
        scene.camera.look(OrbitView(38.0, 34.0, 14.0, tuple(middle.tolist())))
        shown.step(20)
        for unit, is_shown in zip(scene.match.battle.turn.units, FILMED, strict=True):
            shown.is_rolling = is_shown
            shown.play_unit(unit)
        shown.is_rolling = True
        shown.play_enemies()
        write_gif(shown.pictures, path, FILM_SIZE, FILM_EVERY * FRAME_S, 2.0)


def film_search(path):
    """Film A*, and then Dijkstra's algorithm with what the first has found beside it."""
    tilemap = landscape(18, 18, 3, LANDSCAPE_LEVELS)
    with window.still_tree(SEARCH_SIZE, "high") as tree, tempfile.TemporaryDirectory() as scratch:
        terrain = tree.root.add_child(Terrain3D(tilemap))
        camera = tree.root.add_child(OrbitCamera3D(terrain))
        theatre = terrain.add_child(SearchTheatre3D(Navigation(tilemap), camera))
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
        write_gif(pictures, path, SEARCH_SIZE, SEARCH_S / len(pictures), 2.5)


def write_gif(files, path, size, frame_s, last_s):
    """Write pictures of a size as a film that repeats, in colors that all of them share."""

    def opened(file):
        with Image.open(file) as picture:
            return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)

    chosen = np.linspace(0, len(files) - 1, N_SAMPLES).astype(int)
    samples = [opened(files[number]).resize(SAMPLE_SIZE) for number in chosen]
    colors = Image.fromarray(np.vstack(samples))
    palette = colors.quantize(PALETTE, method=Image.Quantize.FASTOCTREE)
    # Without dithering, still parts are the same in all pictures.
    given = {"palette": palette, "dither": Image.Dither.NONE}
    first, *rest = (opened(file).quantize(**given) for file in files)
    times_ms = [round(1000 * frame_s)] * len(rest) + [round(1000 * last_s)]
    first.save(path, save_all=True, append_images=rest, duration=times_ms, loop=0)


def shrink(path):
    """Keep 256 colors: under half of the bytes, without a visible difference."""
    with Image.open(path) as picture:
        full = picture.convert("RGB")
    palette = full.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=1)
    full.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    main(["shot", "--out", str(folder / "scene.png")])
    take_bridge(folder / "bridge.png")
    take_making(folder / "making.png")
    take_moods(folder / "moods.png")
    scenes = [folder / f"{name}.png" for name in ("scene", "bridge", "making", "moods")]
    taken = *take_movers(folder), *take_squad(folder), *take_pages(folder)
    for path in (*scenes, *taken, *take_gallery(folder)):
        shrink(path)
    film(folder / "battle.gif")
    film_search(folder / "search.gif")
