"""Every program and command on every page runs unchanged; links, pictures and words are right."""

import inspect
import re
import xml.etree.ElementTree as ET
from typing import NamedTuple

import pytest

from terrain3d import TileMap, formats, landscape
from terrain3d.program import main, options
from tests.support.pages import (
    DOCS,
    EXAMPLES,
    PAGES,
    README,
    ROOT,
    commands_of,
    programs_of,
    run_in_window,
)
from tests.support.selection import import_or_skip

PROGRAMS = {program.name: program for page in (*PAGES, *EXAMPLES) for program in programs_of(page)}
GAME = "README.md: A game in ten lines"
GAME_FILE = "examples/minimal_game.py"
IN_WINDOW = [each for each in PROGRAMS.values() if each.is_in_window and each.name != GAME_FILE]
HEADLESS = [each for each in PROGRAMS.values() if not each.is_in_window]

SMALL_SHADOWS = "from tests.support.looks import make_shadows_small as small; small()\n"

# A program may choose the language of the process.
pytestmark = pytest.mark.usefixtures("translations")


class Act(NamedTuple):
    """What is done with a program in a window, and what must come of it."""

    text: str = ""
    printed: str = ""
    n_colors: int = 50


PLAY = """
def play(is_over=lambda: False, seconds=10):
    for _ in range(20 * seconds):
        tree.advance(0.05)
        if is_over():
            return
"""
"""What acts may call: let time pass until something is over, or so many seconds."""


def until(condition, then, seconds=9):
    """Return an act that plays until a condition holds, at most so long, and then checks more."""
    return Act(f"play(lambda: {condition}, {seconds})\nassert ({condition}) and ({then})")


ACTS = {
    GAME: Act("""
        camera.look(camera.home)
        for button in ("left", "middle", "right"):  # the sky
            terrain.tile_clicked.emit(None, button)
            tree.pointer.clicked.emit(button, (0.95, 0.95))
            step()
        assert mira.cell == (16, 17, 0) and commander.selected is None
        levels = {board.tilemap.level_at(cell) for cell in board.reach(mira)}
        assert len(levels) > 3  # heights are what the program is to show
        terrain.tile_clicked.emit(mira.cell, "left")
        with board.tilemap.edit() as edit:
            edit.set_level((17, 17), 9)
        terrain.tile_clicked.emit((17, 17, 0), "left")
        step()
        assert hud.status_text.startswith("Mira cannot go there: the climb at (row 17, col 17) is ")
        assert not mira.is_moving
        goal = board.reach(mira).cells[-1]
        terrain.tile_clicked.emit(goal, "left")
        assert mira.cell == goal and mira.is_moving
        [figure] = terrain.pick_targets
        assert figure.label == mira.name
        start = figure.np.get_pos()
        play(lambda: not mira.is_moving, 25)
        tree.advance(0.05)
        assert not mira.is_moving
        end = type(start)(*board.tilemap.surface_point(goal))
        assert (figure.np.get_pos() - end).length() < 1e-4
        assert (figure.np.get_pos() - start).length() > 0.5
        """),
    "examples/attack.py": Act("""
        assert [unit.name for unit in targets.units] == ["Orla"]
        assert len(marks.cells) > 20
        """),
    "examples/heel.py": Act("""
        assert autopilot.reason_of(dog) == "points at no tile"
        cursor.cell = (0, 5)
        play()
        assert (dog.cell, autopilot.reason_of(dog)) == ((0, 5, 0), "is there")
        """),
    "examples/following_camera.py": Act("""
        before = camera.goal.target
        board.move(mira, board.reach(mira).cells[-1])
        play()
        moved = [end - start for start, end in zip(before, camera.goal.target)]
        assert abs(moved[0]) + abs(moved[1]) > 2
        """),
    "examples/side_panel.py": Act("""
        assert abs(base.camLens.get_aspect_ratio() - 0.7 * base.get_aspect_ratio()) < 1e-5
        west, east = (tree.project((x, -8.0, 0.0), terrain.np)[0] for x in (0.0, 16.0))
        assert -1 <= west < east <= 1
        """),
    "examples/orthographic.py": Act("""
        corner = [tree.project((x, -15.0, 0.0), terrain.np) for x in (0, 1, 14, 15)]
        widths = [corner[n + 1][0] - corner[n][0] for n in (0, 2)]
        assert abs(widths[0] - widths[1]) < 1e-4
        """),
    "examples/own_lights.py": Act("""
        assert not terrain.daylight.has_shaders and not terrain.daylight.has_sky
        """),
    "examples/own_model.py": Act("""
        low, high = terrain.np.find("**/panda_soft").get_tight_bounds()
        assert 0.7 < high.z - low.z < 1.1
        """),
    "examples/simplepbr_renderer.py": Act("assert terrain.daylight.is_linear"),
    "examples/bullet_physics.py": Act("""
        def play(seconds):
            for _ in range(60 * seconds):
                world.do_physics(1 / 60, 4, 1 / 240)
                if world.contact_test(ball.node()).get_num_contacts():
                    touched.add(round(ball.get_z() - 0.2, 1))

        ball, touched = terrain.np.find_all_matches("**/ball")[2], set()
        play(9)
        assert len(touched) > 6  # on the steps between the levels of the stairs
        end = ball.get_pos()
        assert 7 < end.x < 9.8 and abs(end.z - 0.2 - 1.0) < 0.02  # the wall
        assert not ball.node().active
        terrain.tile_clicked.emit(tilemap.cell((2, int(end.x))), "left")
        play(3)
        assert abs(ball.get_z() - 0.2) < 0.02
        """),
    "examples/crowd.py": Act("""
        def ground_under(points):
            return tuple(np.floor(points).astype(int).T)

        crowd._ready()
        is_closed, first, walked = np.isinf(field.cost), crowd.aims + 0.5, np.zeros(200)
        for _ in range(400):
            before = crowd.points.copy()
            tree.advance(0.05)
            walked += np.hypot(*(crowd.points - before).T)
            for corner in ((-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)):
                assert not is_closed[ground_under(crowd.points + corner)].any()
        assert (field.cost[ground_under(crowd.points)] == 0).all()
        n_steps = abs(crowd.aims + 0.5 - first).sum(axis=1)
        assert (walked < 0.9 * n_steps).sum() > 20  # many go straight over open ground
        """),
    "examples/keys.py": Act("""
        assert hud.is_help_open and ("J, Mouse4", "undo a move") in hud.keys
        assert hud.buttons[0].key == "J"
        hud.close_help()
        hud.close_help()

        class Pad:
            buttons, axes = set(), {}

        tree.input.find_gamepads = lambda: [Pad]
        for axes, buttons in (({}, {"dpad_right"}), ({"left_y": 1.0}, ()), ({}, {"face_a"})):
            Pad.axes, Pad.buttons = axes, buttons
            step()
        assert mira.cell != (8, 8, 0)
        mira.advance(100.0)
        Pad.buttons = {"face_y"}
        step()
        assert mira.cell == (8, 8, 0)
        assert hud.buttons[0].key == "Y"
        """),
    "examples/nodes/action_menu.py": Act("""
        assert menu.is_open
        base.messenger.send("enter")
        assert not menu.is_open
        """),
    "examples/enemies.py": Act("""
        n_before = len(battle.board.log)
        act(type("Task", (), dict(again=0, done=1)))
        assert len(battle.board.log) > n_before
        """),
    "examples/translated.py": Act(
        """
        step(20)
        print(hud.status_text, figure.label)
        """,
        "ミラが橋を守っている ミラ",
    ),
    "examples/doors.py": Act("assert len(tilemap.walls) == 6"),
    "examples/no_trees.py": Act("""
        props = {tilemap.kind_at((row, col)).props for row in range(20) for col in range(20)}
        assert "trees" not in props
        """),
    "examples/all_ground.py": Act("""
        assert {each.texture for each in kinds} >= set(TEXTURES)
        assert {each.props for each in kinds} == set(PROPS)
        """),
    "examples/own_textures.py": Act("""
        [image] = [each for each in terrain.np.find_all_textures() if "image" in each.name]
        assert (image.get_x_size(), image.get_y_size()) == (16, 16)
        tilemap.save("court.glb")
        """),
    "examples/water.py": Act('assert {kind.texture for kind in kinds[2:]} == {"water"}'),
    "examples/tiled_heights.py": Act("assert tilemap.level_at((5, 9)) == 6"),
    "examples/split_screen.py": Act("""
        assert tree.viewport.size_px[0] * 2 == base.win.get_x_size()
        assert tree.viewport.camera != eye and eye.get_top() == base.render
        """),
    "examples/sprites.py": Act("""
        sprites = [each.children[0] for each in figures]
        assert {each.direction for each in sprites} == {"front", "left", "right", "back"}
        mira = figures[0].unit
        board.move(mira, board.reach(mira).cells[-1])
        tree.advance(0.1)
        tree.advance(0.1)
        assert sprites[0].animation == "walk"
        play()
        assert sprites[0].animation == "stand"
        """),
    "examples/picking.py": Act("""
        terrain.tile_hovered.emit(terrain.cell_at((0.0, 0.0)))
        assert mark.cells == (terrain.cell_at((0.0, 0.0)),)
        """),
    "examples/fog.py": Act("""
        terrain.tree.advance(0.05)
        assert mira.cell == (0, 2, 0)
        assert 5 < len(veil.cells) == (~board.seen("blue")).sum() < 80
        """),
    "examples/map_doctor.py": Act("""
        assert {each.kind for each in report.problems} == {"island", "trap"}
        assert len(report.notes) == 1
        """),
    "examples/custom_ground.py": Act("""
        assert {tilemap.kind_at(cell).name for cell in ((9, 9), (9, 4))} == {"acid", "ash"}
        """),
    "examples/custom_model.py": Act("""
        from panda3d.core import ClockObject
        paper = figure.np.find("**/+Character/body")
        board.move(mira, board.reach(mira).cells[-1])
        base.clock.mode, base.clock.dt = ClockObject.M_non_real_time, 0.02
        angles = set()  # the animation follows the clock of the engine
        while mira.is_moving and len(angles) < 5:
            tree.advance(0.02)
            step()
            angles.add(round(paper.get_r()))
        assert len(angles) == 5
        """),
    "examples/threat_overlay.py": Act("""
        before = {cell[:2] for cell in overlay.cells}
        enemies = board.units[1:]
        assert before == {cell[:2] for unit in enemies for cell in board.reach(unit).cells}
        board.move(enemies[0], board.reach(enemies[0]).cells[-1])
        assert {cell[:2] for cell in overlay.cells} != before
        """),
    "examples/squads.py": Act("""
        play(lambda: not any(unit.is_moving for unit in units), plan.ticks)
        assert [unit.cell[:2] for unit in units] == goals
        assert not any(unit.is_moving for unit in units)
        """),
    "examples/position_overlay.py": Act("""
        before = [overlay.cells for overlay in overlays]
        assert all(before) and len(posts.cells) == 12
        with tilemap.edit() as edit:
            edit.set_level((2, 2), 20)
        assert [overlay.cells for overlay in overlays] != before
        """),
    "formats.md: Models": Act(),
    "examples/intercept.py": until(
        "tilemap.grid.distance(fox.cell, hare.cell) == 1",
        "tilemap.grid.distance(dog.cell, hare.cell) > 1",
    ),
    "examples/keep_distance.py": until(
        "all(mind.reason[:5] == 'keeps' for mind in minds.values())", "True"
    ),
    "examples/seek.py": until(
        "seek.reason",
        "seek.reason.startswith('has given up') and walked < {*nav.reach((4, 0), 9)}",
        60,
    ),
    "examples/while_near.py": until("wolf.cell[:2] == (3, 8)", "not any(map(is_near, hares))"),
    "examples/travel.py": until("travel.reason", "mira.cell[:2] == (0, 11)"),
    "examples/nodes/terrain_3d.py": Act("""
        before = terrain.tilemap.level_at((3, 3))
        terrain.tile_clicked.emit((3, 3), "left")
        assert terrain.tilemap.level_at((3, 3)) == before + 1
        """),
    "examples/nodes/orbit_camera_3d.py": Act("""
        play()
        view = camera.view
        assert abs(view.distance - 14.0) < 0.01 and abs(view.heading_deg - 128.0) < 0.1
        """),
    "examples/nodes/tile_cursor_3d.py": Act(
        """
        send("arrow_right", "arrow_up", "enter")
        print(cursor.cell.row, cursor.cell.col)
        """,
        r"chosen: (\d+) (\d+)\n\1 \2",
    ),
    "examples/nodes/tile_overlay_3d.py": Act(
        "assert set(overlay.cells) == set(reach.cells) and len(overlay.cells) > 9"
    ),
    "examples/nodes/crumbs_3d.py": Act("""
        play()
        newest = next(iter(trail)).cell
        assert len(marks.cells) > 5 and marks.cells[0] == newest
        """),
    "examples/nodes/selection_box.py": Act(
        """
        box._press("left", (0.5, -0.5), "control")
        tree.pointer._point = (-0.25, 0.25)
        box._release("left")
        """,
        r"box: \(-0.25, -0.5\) \(0.5, 0.25\)",
    ),
    "examples/nodes/path_ribbon_3d.py": Act(
        "assert path and len(ribbon.labels) == len(path.cells) - 1"
    ),
    "examples/nodes/labels_3d.py": Act(  # no map is in the picture
        "assert labels.texts == ('12', '+3', '0.5') and not labels.np.is_hidden()", n_colors=4
    ),
    "examples/nodes/sprite_3d.py": Act("""
        assert terrain.panda.viewport.shows(fire.card)
        seen = set()
        for _ in range(60):
            tree.advance(0.05)
            seen.add(fire.frame)
        assert seen == {0, 1, 2}
        """),
    "examples/nodes/unit_3d.py": Act(
        """
        play(lambda: not bram.is_moving, 15)
        assert not bram.is_moving
        """,
        r"arrived: \d+ \d+",
    ),
    "examples/nodes/commander_3d.py": Act(
        """
        send("tab")
        assert commander.selected.name == "Mira" and len(player.reach_overlay.cells) > 9
        with board.tilemap.edit() as edit:
            edit.set_level((0, 0), 20)
        player.cursor.go_to((0, 0))
        send("enter")
        """,
        r"refused: .+",
    ),
    "examples/nodes/map_editor_3d.py": Act(
        """
        before = terrain.tilemap.level_at((8, 8))
        cursor.go_to((8, 8))
        send("1", "enter")
        assert terrain.tilemap.level_at((8, 8)) == before + 1
        send("f5")
        assert Path("vale.tmap").exists()
        """,
        r"saved",
    ),
    "examples/nodes/hud.py": Act("send('f1'); assert hud.is_help_open; send('f1')", n_colors=4),
    "examples/nodes/mini_map.py": Act("assert not small_map.np.is_hidden()"),
    "examples/nodes/preferences.py": Act("""
        send("n")
        assert terrain.mood.name == "dusk" and file.load().mood == "dusk"
        """),
    "examples/nodes/search_theatre_3d.py": Act(
        """
        play(lambda: not theatre.playing, 20)
        step()
        assert theatre.step == theatre.n_steps > 10
        """,
        r"Dijkstra, uphill 1\n\d+ tiles explored, cost \d+",
    ),
    "examples/nodes/widgets.py": Act(
        """
        show_volume(8)
        step()
        [text, slider] = hud.dock("volume").content.parts
        assert (text.text, slider.place) == ("Volume 8", 8)
        """,
        n_colors=6,
    ),
    "examples/nodes/button.py": Act(
        """
        step()
        hud.buttons[0].on_press()
        """,
        r"waiting",
        n_colors=12,
    ),
    "examples/nodes/node_3d.py": Act(
        """
        before = flag.np.get_h()
        tree.advance(0.5)
        assert flag.np.get_h() != before
        send("space")
        """,
        r"turned",
    ),
}


RESULTS = {
    "examples/heights_of_picture.py": """
        expected = TileMap.from_heights(hill.astype(np.uint16), levels=9, size=(32, 48))
        assert tilemap.to_text() == expected.to_text()
        assert len(np.unique(tilemap.level)) == 9
        for mode, kept in (("L", hill / 257), ("RGB", hill / 257), ("I;16", hill)):
            shades = kept.astype(np.uint16 if mode == "I;16" else np.uint8)
            picture = Image.fromarray(shades)
            (picture if mode == "I;16" else picture.convert(mode)).save("again.png")
            assert (heights_of(Path("again.png")) == shades).all(), mode
        """,
    "examples/heights_of_elevation_model.py": """
        assert tilemap.to_text() == "0011\\n#002"
        north_up = rasterio.Affine(0.1, 0, 7.0, 0, -0.1, 47.0)
        south_up = rasterio.Affine(0.1, 0, 7.0, 0, 0.1, 46.8)
        stored = np.array([[400, 410, -1], [300, 310, 320]], np.int16)
        shape = dict(driver="GTiff", width=3, height=2, count=1, dtype="int16", crs="EPSG:4326")
        for transform, lines in ((north_up, stored), (south_up, stored[::-1])):
            with rasterio.open("a.tif", "w", transform=transform, nodata=-1, **shape) as file:
                file.write(lines, 1)
            assert heights_of(Path("a.tif")).filled(-1).tolist() == stored.tolist()
        with rasterio.open("b.tif", "w", transform=north_up, **shape) as file:
            file.write(stored, 1)
            file.scales, file.offsets = [0.5], [10]
            file.write_mask(np.array([[True, False, True], [True, True, True]]))
        found = heights_of(Path("b.tif"))
        assert found[0, 0] == 210 and found.mask.tolist() == [[False, True, False], [False] * 3]
        samples = np.full((1201, 1201), 500, ">i2")
        samples[0, 0], samples[1, 0] = 900, -32768
        samples.tofile("N46E007.hgt")
        made = TileMap.from_heights(heights_of(Path("N46E007.hgt")), step=100)
        assert (made.level[0, 0], made.level[0, 1]) == (4, 0)
        assert np.argwhere(made.void).tolist() == [[1, 0]]
        """,
    "examples/movingai.py": """
        assert navigation.tilemap.kind.tolist() == [[0, 4, 0, 0], [0] * 4, [3, 0, 4, 0]]
        assert [(start, goal, length, cost)] == [((0, 0), (0, 2), 4.0, 4.0)]
        """,
    "examples/process_pool.py": """
        expected = navigation.find_paths(starts, goals)
        assert [path.cells for path in paths] == [path.cells for path in expected]
        """,
    "examples/dask_cluster.py": "assert (costs == navigation.distances(starts, goals)).all()",
}
"""What must come of programs without a window, besides what they say themselves."""


BANNED = re.compile(
    r"\b((?<!one-)ways?|tells?|told|whoever|whom|shall|heeds?|dear(er|est)?|somebody|nobody"
    r"|anybody|everybody|anew|by and by|in hand|company|companies|musters?|conducts?|drills?"
    r"|lineup|posing)\b",
    re.IGNORECASE,
)
"""Words that the pages do without: each has a plainer one."""


@pytest.mark.parametrize("program", HEADLESS, ids=lambda program: program.name)
def test_a_program_runs_unchanged(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for the files it writes
    monkeypatch.setattr("sys.argv", [program.name])
    monkeypatch.setattr(formats.registry, "FORMATS", dict(formats.registry.FORMATS))
    for name in {"distributed", "gymnasium", "pettingzoo", "rasterio"} & set(program.text.split()):
        import_or_skip(name)
    names = {"__name__": "__main__"}
    exec(compile(program.text, program.name, "exec"), names)
    exec(inspect.cleandoc(RESULTS.get(program.name, "")), names)


@pytest.mark.parametrize("program", IN_WINDOW, ids=lambda program: program.name)
def test_a_program_in_a_window_runs_unchanged(program, tmp_path):
    act, before = ACTS[program.name], SMALL_SHADOWS
    if program.name == "formats.md: Models":  # an installed package is found by its entry point
        landscape(20, 20, 3).save(tmp_path / "vale.tmap")
        before += "from panda3d.core import LoaderFileTypeRegistry as Types\n"
        before += "from terrain3d.view.window.model_loader import TmapLoader\n"
        before += "Types.get_global_ptr().register_type(TmapLoader)\n"
    text = PLAY + inspect.cleandoc(act.text)
    printed, n_colors = run_in_window(before + program.text, text, tmp_path)
    assert re.search(act.printed, printed), printed
    assert n_colors > act.n_colors


def test_every_act_has_its_program():
    assert set(ACTS) == {program.name for program in IN_WINDOW}
    assert {program.name for program in HEADLESS} >= set(RESULTS)


def test_the_readme_and_its_programs_are_short_and_its_game_is_the_example():
    _, _, program = PROGRAMS[GAME_FILE].text.partition("\n\n")
    assert PROGRAMS[GAME].text == program
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 100
    for program, most in ((PROGRAMS[GAME], 15), (programs_of(README)[1], 12)):
        lines = [line for line in program.text.splitlines() if line and "import" not in line]
        assert len(lines) <= most


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_is_short_and_on_a_page(example):
    most = 120 if example.stem == "learning" else 85
    assert 10 <= len(example.read_text(encoding="utf-8").splitlines()) <= most
    place = example.relative_to(DOCS).as_posix()
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    assert any(f"]({place})" in text or f"}} {place}\n" in text for text in texts)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_pictures_and_files_that_are_included_or_named_are_there(page):
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(<?([^)#:\s>]+)(?:#[^)\s]*)?>?\)|src=\"([^\":]+)\"", text)
    included = [(name, "") for name in re.findall(r"\{literalinclude\} (\S+)", text)]
    for target in targets + included:
        assert (page.parent / "".join(target)).exists(), target
    for name in re.findall(r"`((?:terrain3d|ai|tests|docs)/[\w/.]*)`", text):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_uses_plain_words(page):
    text = page.read_text(encoding="utf-8")
    if page.stem == "changelog":  # it lists old names
        text = re.sub(r"`[^`]*`", "", text)
    assert [match[0] for match in BANNED.finditer(text)] == []


def test_the_notebook_runs_and_shows_pictures(tmp_path):
    nbformat, nbclient, _ = map(import_or_skip, ("nbformat", "nbclient", "ipykernel"))
    notebook = nbformat.read(DOCS / "examples" / "first_steps.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    given = {"kernel_name": "python3", "resources": {"metadata": {"path": str(tmp_path)}}}
    nbclient.NotebookClient(notebook, timeout=300, **given).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    pictures = [output.data["text/html"] for output in outputs if "text/html" in output.data]
    assert len(pictures) == 6
    titles = [ET.fromstring(picture)[0].text for picture in pictures]
    first_words = ["14 x", "Path of", "Reach of", "CostField of", "A*, heuristic", "SquadPlan of"]
    assert [" ".join(title.split()[:2]) for title in titles] == first_words
    assert "array([[" in outputs[-1].data["text/plain"]


FORMATS = (DOCS / "formats.md").read_text(encoding="utf-8")
XML = re.findall(r"```xml\n(.*?)```", FORMATS, re.DOTALL)


def test_the_tiled_map_and_the_commands_for_formats_are_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "vale.tmx"
    path.write_text(*XML, encoding="utf-8")
    tilemap = TileMap.load(path)
    assert tilemap.to_text() == "2000\n000#"
    assert [tilemap.kind_at((0, col)).name for col in range(3)] == ["grass", "grass", "river"]
    assert tilemap.kind_at((0, 2)).cost == 2
    units = [{"name": "Mira", "cell": [1, 0]}]
    assert tilemap.extras == {"metadata": {"title": "The ford"}, "units": units}
    TileMap.from_text("0123\n0234").save(tmp_path / "hill.txt")
    commands = commands_of(FORMATS)
    assert len(commands) == 2
    for words in commands:
        assert main(words) in (0, 1), words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_words_of_every_command_are_options(page):
    for words in commands_of(page.read_text(encoding="utf-8")):
        options.parse(words)


def test_the_page_of_the_command_line_has_every_option():
    parser = options.make_parser()
    [commands] = [each for each in parser._actions if each.dest == "command"]
    shown = parser, commands.choices["path"], commands.choices["shot"]
    found = set(re.findall(r"--[a-z-]+", "".join(each.format_help() for each in shown)))
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    assert found - {"--help"} <= set(re.findall(r"--[a-z-]+", page))
