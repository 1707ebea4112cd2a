"""Retakes the pictures of the pages: `python -m tests.screenshots docs`."""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from ai import Board, FollowTrail, MoveProfile, Trail, Unit
from ai.view import Unit3D
from terrain3d import Cell, landscape
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import Settings
from terrain3d.program import main
from terrain3d.program.behaviors import BEHAVIORS
from terrain3d.program.game_scene import GameScene
from terrain3d.program.maps import DEFAULTS, LANDSCAPE_LEVELS
from terrain3d.program.run_scene import remove_texts
from terrain3d.view import Crumbs3D, OrbitCamera3D, Preferences, Terrain3D, TileOverlay3D
from terrain3d.view.window import window
from tests import gallery
from tests.support.pages import DOCS, programs_of, run_in_window

SIZE = (1280, 720)
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


def open_scene(tree, settings, seed=SEED):
    """Give the composed scene of a landscape, when it takes orders."""
    preferences = tree.root.add_child(Preferences(settings))
    tilemap = landscape(30, 30, seed, LANDSCAPE_LEVELS)
    scene = tree.root.add_child(GameScene(SEED, tilemap, MoveProfile(), preferences))
    while not scene.is_ready:
        tree.base.task_mgr.step()
    return scene


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
    with window.still_tree(SIZE, "high") as tree:
        scene = open_scene(tree, Settings())
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
        target = scene.board.tilemap.surface_point((19, 12))
        scene.camera.look(OrbitView(38.0, 34.0, 26.0, target))
        save(tree, path)


def take_bare(path, size, view, *, seed=SEED, mood="noon", act=None, time_s=0.0):
    """Draw the scene without texts and reach, some time after an action in it.

    The view is a tile, the pitch in degrees and the distance from which it is seen.
    """
    (place, pitch_deg, distance), settings = view, Settings(mood=mood)
    with window.still_tree(size, settings.quality) as tree:
        scene = open_scene(tree, settings, seed)
        scene.commander_3d.cursor.cell = None
        if act is not None:
            act(scene)
        for _ in range(round(time_s / FRAME_S)):
            tree.advance(FRAME_S)
        target = scene.board.tilemap.surface_point(place)
        scene.camera.look(OrbitView(30.0, pitch_deg, distance, target))
        scene.commander_3d.reach_overlay.np.hide()
        tree.advance(0.0)
        remove_texts(scene)
        scene.terrain.build_visible()
        save(tree, path)


def named(scene, *names):
    """Give the units with these names."""
    units = {unit.name: unit for unit in scene.board.units}
    return [units[name] for name in names]


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
            units = named(scene, *behaviors)
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
        scene.commander.select_all(named(scene, "Mira", "Tove", "Odo"))
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
        take_bare(part, (width, height), ((14, 14), 24.0, 16.0), mood=mood)
        with Image.open(part) as picture:
            strip.paste(picture, (place * width, 0))
    part.unlink()
    strip.save(path)


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
    for path in (*scenes, *taken, *gallery.take_all(folder)):
        shrink(path)
