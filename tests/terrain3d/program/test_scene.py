"""The composed scene: how it opens, what clicks, keys and panels do, what a new map leaves."""

import gc
import threading
import time
import weakref
from unittest.mock import Mock

import numpy as np
import pytest

from ai.view.commander_3d import SHOWN_PART, VIEW_PART
from terrain3d import KINDS, SceneTree, TileMap, landscape
from terrain3d.look.palettes import PALETTES
from terrain3d.program import maps
from terrain3d.program.game_scene import GameScene
from terrain3d.program.maps import DEFAULTS, LANDSCAPE_LEVELS, MapMaker
from terrain3d.view import Hud
from tests.support.boards import one_edit
from tests.support.scenes import assert_inside_and_apart, figure, press, shown_boxes, watch
from tests.support.window_pictures import picture


def test_panels_follow_selection_aim_and_order(base, tree, scene):
    press(base, tree, "tab", "arrow_up")
    mira, hud = scene.commander.selected, scene.hud
    assert hud.unit_text.startswith("Mira (Blue)\n")
    assert hud.unit_color == figure(scene).color
    assert "costs 1 to enter" in hud.tile_text
    assert (hud.pointer_text, hud.pointer_place is None) == ("costs 1 of 6 points", False)
    mira.move = 0.5
    press(base, tree, "arrow_down", *["arrow_right"] * 3)
    assert hud.pointer_color == scene.palette.refused
    assert "but Mira never has more than 0.5" in hud.pointer_text
    press(base, tree, "enter")
    assert hud.status_text.startswith("Mira cannot go there")
    for _ in range(100):
        tree.advance(0.1)
    assert hud.status_text.startswith("Choose a tile for Mira")
    mira.move = 2
    press(base, tree, "arrow_left", "arrow_right")
    assert (hud.pointer_color, hud.pointer_text) == (scene.palette.path, "costs 3: 2 now")
    press(base, tree, "enter")
    assert hud.status_text.startswith("Too far for now: goes 2 of 3 tiles")
    assert not mira.is_moving
    press(base, tree, "space")
    assert mira.is_moving
    assert "Too far" not in hud.status_text
    press(base, tree, "backspace")
    assert (hud.unit_text, hud.unit_color) == ("", None)
    press(base, tree, "shift-tab")
    assert scene.commander.selected.name == "Odo"


def test_the_first_picture_says_that_orders_are_not_taken_yet(tree, open_scene):
    scene = open_scene(landscape(12, 12, 7, 5), is_awaited=False)
    tree.advance(0.0)
    assert not scene.is_ready
    wait = "Getting ready to take orders: 0.0 s so far"
    assert scene.hud.status_text == wait


def test_the_rules_of_a_unit_follow_keys_while_they_are_shown(base, tree, scene):
    press(base, tree, "f6")
    tree.advance(0.0)
    [columns] = scene.hud.dock("rules").content.parts
    assert columns.parts[0].parts[0].text == "Select a unit to see its rules"
    keys, climb_costs = ("tab", "1", ".", ".", "0", "f6", "."), (1, 1, 2, 3, 1, 1, 1)
    for key, climb_cost in zip(keys, climb_costs, strict=True):
        press(base, tree, key)
        assert scene.commander.selected.profile.climb_cost == climb_cost, key


@pytest.mark.parametrize("name", PALETTES)
def test_a_palette_reaches_every_mark_and_figure(make_scene, name):
    scene, palette = make_scene(palette=name), PALETTES[name]
    reach, ribbon, goals, cursor, *_ = scene.get_node("Terrain3D/Commander3D").children
    assert (reach.color, cursor.color) == (palette.reach, palette.cursor)
    assert goals.color == palette.path
    assert scene.get_node("Terrain3D/Commander3D/RulesView/first path").color == palette.first_path
    assert (ribbon.color, ribbon.refused_color) == (palette.path, palette.refused)
    assert figure(scene, "Bram").color == palette.of_team("red")


@pytest.mark.usefixtures("needs_shaders")
def test_a_scene_opens_in_the_light_that_was_chosen(base, tree, make_scene):
    make_scene(mood="night")
    first = picture(base, tree).mean()
    for _ in range(30):
        tree.advance(0.1)
    assert first == pytest.approx(picture(base, tree).mean(), abs=0.01)


def test_keys_of_settings_reach_what_shows_them(base, tree, scene):
    press(base, tree, "c", "n", "f4")
    assert scene.commander_3d.shows_costs
    assert (scene.terrain.mood.name, scene.terrain.quality.name) == ("dusk", "medium")
    assert scene.hud.status_text == "Quality: medium"
    press(base, tree, "tab", "arrow_right", "arrow_right", ">")
    assert figure(scene).pace == 2.0
    press(base, tree, "k", "enter")
    tree.advance(0.01)
    assert not scene.commander.selected.is_moving
    press(base, tree, "<", "k")
    assert figure(scene).pace == 1.0
    theatre = watch(tree, scene)
    press(base, tree, "]", "p")
    settings = scene.preferences.settings
    assert theatre.text_scale == settings.text_scale > 1.0
    assert theatre.path_color == PALETTES[settings.palette].path


@pytest.mark.parametrize("follow", [True, False])
def test_the_camera_follows_a_walking_unit_if_asked(base, tree, make_scene, follow):
    scene = make_scene("0" * 40 + ("\n" + "0" * 40) * 3, follow=follow)
    press(base, tree, "tab")
    mira = scene.commander.selected
    mira.move = 40
    scene.camera.look(scene.camera.goal.zoomed(0.2, mira.pose.point))
    before = scene.camera.goal
    scene.commander.act_on((1, 39))
    for _ in range(200):
        tree.advance(0.1)
    assert mira.cell == (1, 39, 0)
    seen = tree.project(mira.pose.point, scene.terrain.np)
    assert (scene.camera.goal == before) is not follow
    assert (seen is not None) == follow
    if follow:
        assert max(map(abs, seen)) <= VIEW_PART + 0.02


def test_the_camera_shows_who_is_chosen_and_the_aim_and_rests_in_the_editor(base, tree, make_scene):
    scene = make_scene("0" * 40 + ("\n" + "0" * 40) * 3)
    camera = scene.camera

    def seen(point):
        for _ in range(100):
            tree.advance(0.1)
        return max(map(abs, tree.project(point, scene.terrain.np)))

    press(base, tree, "tab")
    mira = scene.commander.selected
    camera.look(camera.goal.zoomed(0.2, mira.pose.point).panned(30, 0))
    press(base, tree, "backspace", "tab")
    assert seen(mira.pose.point) <= SHOWN_PART + 0.02
    press(base, tree, *["arrow_right"] * 12)
    assert seen(scene.board.tilemap.surface_point(scene.commander.aim)) <= 0.77
    mira.move = 40
    scene.commander.act_on((1, 39))
    press(base, tree, "f2")
    camera.look(camera.goal.panned(-30, 0))
    before = camera.goal
    tree.advance(5.0)
    tree.advance(0.1)
    assert mira.is_moving
    assert camera.goal == before


def test_an_edit_and_the_text_beside_the_pointer_are_shown_in_the_next_frame(base, tree, scene):
    press(base, tree, "tab", "arrow_right", "arrow_right")
    tilemap, aim = scene.board.tilemap, scene.commander.aim
    one_edit(tilemap).set_level(aim, 9)
    tree.advance(0.01)
    assert scene.hud.pointer_color == scene.palette.refused
    assert "level 9\n" in scene.hud.tile_text
    while not scene.preferences.settings.show_coordinates:
        scene.preferences.change("show_coordinates")
    tree.advance(0.01)
    assert f"level 9 (row {aim.row}, col {aim.col})" in scene.hud.tile_text
    scene.commander_3d.select_next()
    tree.advance(0.01)
    for cell, text in (((2, 4), "costs"), (None, ""), ((3, 3), "costs")):
        # The pointer is found to be on another tile while the frame is processed.
        scene.terrain._look = lambda cell=cell: scene.commander.aim_at(cell)
        tree.advance(0.01)
        assert (scene.hud.tile_text != "") == (cell is not None)
        assert scene.hud.beside[0] == scene.hud.pointer_text
        assert scene.hud.pointer_text.startswith(text)


@pytest.mark.parametrize("key", ["g", "gamepad-dpad_up"])
def test_several_units_are_selected_without_a_mouse(base, tree, scene, key):
    mine = [unit for unit in scene.board.units if unit.team == "blue"][:3]
    scene.commander.select(None)
    for count, unit in enumerate(mine, 1):
        scene.commander_3d.cursor.go_to(unit.cell)
        press(base, tree, key)
        assert scene.commander.squad == tuple(mine[:count])
    press(base, tree, key)
    assert scene.commander.squad == tuple(mine[:2])


def next_scene(base, tree):
    """Press R, twice, until there is another scene."""
    [before] = [node for node in tree.root.children if isinstance(node, GameScene)]
    press(base, tree, "shift-r", "shift-r")
    while not before.is_freed:
        tree.advance(0.01)
    [after] = [node for node in tree.root.children if isinstance(node, GameScene)]
    return after


@pytest.fixture
def slow_map(monkeypatch):
    """Let no map be finished before the event is set."""
    is_finished = threading.Event()

    def make(*arguments, **options):
        assert is_finished.wait(60.0)
        return landscape(*arguments, **options)

    monkeypatch.setattr(maps, "GENERATORS", {"landscape": make})
    yield is_finished
    is_finished.set()


def test_the_scene_runs_while_a_map_is_made_and_stays_if_it_is_edited(base, tree, scene, slow_map):
    press(base, tree, "shift-r")
    for _ in range(10):
        tree.advance(0.1)
    assert scene.hud.status_text == "Making map 8: 1.0 s so far"
    press(base, tree, "tab")
    assert scene.commander.selected.name == "Mira"
    assert scene.hud.status_text.startswith("Making map 8")
    slow_map.set()
    after = next_scene(base, tree)
    assert after.board.tilemap.level.shape == scene.board.tilemap.level.shape
    slow_map.clear()
    press(base, tree, "shift-r", "f2")
    slow_map.set()
    while "not shown" not in after.hud.status_text:
        tree.advance(0.01)
    assert after.hud.status_text == "Map 9 is not shown, since this one is edited"
    assert not after.is_freed


def test_the_next_map_leaves_nothing_of_the_one_before(base, tree, scene, traces, monkeypatch):
    was_freed = []

    class Watched(GameScene):
        def __init__(self, *arguments):
            was_freed.append((scene.is_freed, not scene.terrain._chunks._nodes))
            super().__init__(*arguments)

    monkeypatch.setattr("terrain3d.program.game_scene.GameScene", Watched)
    press(base, tree, "tab")

    def left():
        events, tasks, _ = traces()
        return {name: events[name] for name in events if "-ui" not in name}, tasks

    before = left()
    after = next_scene(base, tree)
    assert was_freed == [(True, True)]
    while not after.is_ready:
        tree.advance(0.0)
    assert left() == before


def test_the_second_press_drops_edits_and_frees_a_scene_that_is_referenced(base, tree, scene):
    one_edit(scene.board.tilemap).set_level((2, 2), 3)
    press(base, tree, "shift-r")
    saves = "The edits are not saved: F5 in the map editor saves them"
    assert scene.hud.status_text.endswith(f"{saves}, Shift + R again drops them")
    seen = []
    for _ in range(3):
        shown = next_scene(base, tree)
        seen.append(weakref.ref(shown))
        while not shown.is_ready:
            tree.advance(0.0)
        del shown
    gc.collect()
    assert scene.is_freed
    assert [each() is None for each in seen] == [True, True, False]


def test_the_editor_takes_mouse_and_keys_and_hides_marks_of_play(base, tree, scene):
    press(base, tree, "tab", "arrow_right", "arrow_right")
    mira, reach = scene.commander.selected, scene.commander_3d.reach_overlay
    ribbon, editor = scene.commander_3d.path_ribbon, scene.edit.editor
    before = {*reach.cells}
    assert ribbon.labels
    assert scene.hud.pointer_text
    press(base, tree, "f2", "5", "l")
    assert (reach.cells, ribbon.labels, scene.hud.pointer_text) == ((), (), "")
    assert scene.hud.status_text == editor.advice == "Drag to erase"
    assert scene.camera.orbit_buttons == {"right"}
    row, col, _ = mira.cell
    editor.map_editor.aim_at((row, col + 2))
    editor.map_editor.act()
    gone = {cell for cell in before if scene.board.tilemap.is_void(cell)}
    assert len(gone) > 5
    press(base, tree, "f2")
    assert {*reach.cells} <= before - gone
    press(base, tree, "f2", "control-z", "backspace", "u", "shift-r", "f2")
    assert {*reach.cells} == before
    assert scene.commander.selected is mira
    assert scene.hud.pointer_text
    press(base, tree, "backspace")
    assert scene.commander.selected is None
    assert scene.hud.tool_text == ""
    assert scene.camera.orbit_buttons == {"left", "right"}


def test_units_of_a_map_are_shown_and_saved_where_they_went(base, tree, make_scene, tmp_path):
    scene = make_scene(units=[{"name": "Pell", "cell": [2, 2]}, {"name": "Zed", "cell": [99, 0]}])
    assert [body.unit.name for body in scene.terrain.pick_targets] == ["Pell"]
    tree.advance(0.0)
    assert scene.hud.status_text.startswith("Unit 2 is left out: cell (99, 0) is outside the map")
    scene.commander.select_next()
    scene.commander.act_on((4, 3))
    scene.edit.editor.is_active = True
    scene.edit.editor.map_editor.path = tmp_path / "vale.tmap"
    press(base, tree, "f5", "f9")
    tree.advance(0.0)
    (after,) = [node for node in tree.root.children if isinstance(node, GameScene)]
    assert [(unit.name, unit.cell) for unit in after.board.units] == [("Pell", (4, 3, 0))]
    assert after.edit.editor.is_active
    assert after.board.tilemap.to_text() == scene.board.tilemap.to_text()
    while not after.is_ready:
        tree.advance(0.0)
    tree.advance(0.0)
    assert "vale.tmap; unit 2 is left out: it is not in the game" in after.hud.status_text


def test_without_a_path_to_show_a_search_between_random_tiles_plays(base, tree, scene):
    press(base, tree, "f3")
    assert scene.watch.theatre.search.run()
    assert scene.watch.theatre.search.path
    press(base, tree, "escape", "f2", "f3")
    assert scene.mode is scene.edit
    assert scene.hud.status_text == "Not while the map is edited; F2 leaves the map editor"
    press(base, tree, "f2")
    mira, tilemap = figure(scene).unit, scene.board.tilemap
    one_edit(tilemap).add_deck([(5, 5)], level=3, kind="road")
    with scene.board.action("lift") as action:
        action.place(mira, (5, 5, 1))
    one_edit(tilemap).remove_deck([(5, 5)], 1)
    scene.commander.select(mira)
    mira.advance(99.0)
    scene.commander.aim_at((9, 9))
    assert "is gone" in scene.commander.plan.reason
    press(base, tree, "f3")
    assert scene.mode is scene.watch
    assert scene.watch.theatre.search.run()
    assert scene.watch.theatre.search.path


SIZES = [(640, 400), (800, 600), (1280, 720), (720, 1280), (3840, 2160)]
MODES = {"play": (), "plan": ("tab", "arrow_up"), "edit": ("f2",), "watch": ("f3",)}


@pytest.fixture(scope="module")
def lakes():
    return landscape(20, 20, 7, 5)


SHOWN = [(mode, "en", 1.0) for mode in MODES]
SHOWN += [("edit", "en", 2.0), ("edit", "ja", 1.0), ("edit", "ja", 2.0)]


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("is_help_open", [False, True])
def test_panels_are_inside_and_apart(
    base, tree, open_scene, lakes, monkeypatch, translations, shown, is_help_open
):
    mode, language, text_scale = shown
    translations.set_language(language)
    scene = open_scene(lakes, text_scale=text_scale)
    for key in (*MODES[mode], *["f1"] * is_help_open):
        base.messenger.send(key)
        tree.advance(0.01)
    for size in SIZES:
        monkeypatch.setattr(Hud, "_window", size)
        tree.advance(0.01)
        boxes = shown_boxes(base, scene.hud, size)
        assert is_help_open or len(boxes) > 6, size  # buttons, hints and status at least
        assert_inside_and_apart(boxes, size)
        if not is_help_open:
            assert len(scene.hud.dock("tools").panel.parts) == len(scene.hud.buttons), size


def ended(tree, maker):
    begin = time.monotonic()
    while maker.progress:
        tree.advance(0.01)
        assert time.monotonic() - begin < 60
        time.sleep(0.01)


def test_a_failure_is_said_and_the_next_map_is_made(monkeypatch):
    tree, made, failed = SceneTree(), [], []
    maker = tree.root.add_child(MapMaker())
    maker.made.connect(lambda seed, tilemap: made.append((seed, tilemap.rows)))
    maker.failed.connect(failed.append)
    errors = MemoryError("Unable to allocate 3 GiB"), MemoryError()
    with monkeypatch.context() as patched:
        patched.setattr(maps, "GENERATORS", {"landscape": Mock(side_effect=errors)})
        for _ in errors:
            maker.begin(TileMap.from_text("000\n000"), 4)
            ended(tree, maker)
    says = ["Map 4 cannot be made: Unable to allocate 3 GiB", "Map 4 cannot be made: MemoryError"]
    assert (made, failed) == ([], says)
    maker.begin(TileMap.from_noise(12, 12, 1), 5)
    ended(tree, maker)
    assert (made, failed) == ([(5, 12)], says)


def test_the_doctor_checks_the_map_while_it_is_edited(base, tree, open_scene):
    scene = open_scene(TileMap.from_text("\n".join(["4" * 12] * 8)))
    doctor, end = scene.get_node("Terrain3D/doctor"), time.monotonic() + 300
    press(base, tree, "f2")
    editor = scene.edit.editor.map_editor
    editor.choose(tool="raise")
    for _ in range(3):
        editor.aim_at((2, 5))
        editor.act()
    while not doctor.text and time.monotonic() < end:
        tree.advance(0.01)
        time.sleep(0.001)
    tree.advance(0.01)
    assert scene.hud.tool_text.endswith(doctor.text)
    press(base, tree, "f2")
    tree.advance(0.01)
    assert (doctor.text, scene.hud.tool_text) == ("", "")


HEIGHT_PX, LEAST_PX = 720, 90
MAPS = [("square", 30), ("hex_odd_r", 30), ("hex_odd_q", 30), ("square", 128)]


def figures_px(tree, opened):
    """Give the height in pixels of each shown in the picture, by the name of its unit."""
    heights = {}
    for shown in opened.terrain.pick_targets:
        low, high = shown.np.find("figure").get_tight_bounds(opened.terrain.np)
        x, y, _ = shown.point
        ends = [tree.project((x, y, z), opened.terrain.np) for z in (low.z, high.z)]
        if None not in ends:
            heights[shown.unit.name] = (ends[1][1] - ends[0][1]) / 2 * HEIGHT_PX
    return heights


@pytest.mark.parametrize(("topology", "side"), MAPS)
def test_the_first_picture_shows_a_unit_its_reach_and_a_path(
    base, tree, open_scene, topology, side
):
    tilemap = landscape(side, side, DEFAULTS["seed"], LANDSCAPE_LEVELS, topology=topology)
    opened = open_scene(tilemap)
    tree.advance(0.0)
    commander, camera, bram = opened.commander, opened.camera, opened.board.units[1]
    heights = figures_px(tree, opened)
    assert commander.selected.name in heights
    assert commander.selected.team == "blue"
    assert min(heights.values()) >= LEAST_PX, heights

    def is_in_view(cell):
        return tree.project(tilemap.surface_point(cell), opened.terrain.np) is not None

    def labels():
        return {shown.label for shown in opened.terrain.pick_targets} - {""}

    assert np.mean([*map(is_in_view, commander.reach)]) > 0.75
    assert len(commander.plan.path.steps) > 1
    assert all(map(is_in_view, commander.plan.path))
    opening = camera.goal
    for goal in (camera.home, opening):
        base.messenger.send("home")
        assert camera.goal == goal
    assert camera.home != opening
    assert labels() == {"Mira  6"}
    opened.commander_3d.cursor.go_to(bram.cell)
    assert labels() == {"Mira  6", "Bram  6"}
    commander.select(bram)
    bram.move = float("inf")
    press(base, tree, "home", "home")
    assert labels() == {"Bram"}
    assert camera.goal.target == pytest.approx(bram.pose.point)
    last = camera.goal
    commander.select(None)
    press(base, tree, "home", "home")
    assert camera.goal == last


OPEN = "0" * 12
FLAT = "\n".join([OPEN] * 12)
HILL = "\n".join([*[OPEN] * 6, "000000000000", *["00000007" + "0000"] * 4, OPEN])
"""A wall that stands between the unit at (6, 6) and a viewer in the southeast."""


@pytest.mark.parametrize(
    ("levels", "others", "heading_deg"),
    [(FLAT, [], 38.0), (HILL, [], -38.0), (FLAT, [(7, 7)], -38.0), (FLAT, [(5, 5)], 38.0)],
)
def test_the_first_view_shows_the_selected_unit(open_scene, levels, others, heading_deg):
    tilemap = TileMap.from_text(levels)
    mira = {"name": "Mira", "cell": [6, 6]}
    tilemap.extras["units"] = [mira, *({"cell": each} for each in others)]
    opened = open_scene(tilemap, is_awaited=False)
    assert opened.commander.selected.name == "Mira"
    assert opened.camera.goal.heading_deg == heading_deg


@pytest.mark.parametrize("wet_cols", [slice(20), slice(24, 40)])
def test_the_first_view_is_from_the_best_heading_that_shows_more_land(open_scene, wet_cols):
    kind = np.zeros((40, 40), int)
    kind[:, wet_cols] = kind[:14] = [each.name for each in KINDS].index("deep")
    tilemap = TileMap(np.zeros((40, 40), int), kind)
    tilemap.extras["units"] = [{"name": "Mira", "cell": [20, 20]}]
    opened = open_scene(tilemap, is_awaited=False)
    is_west = wet_cols.start is None  # where the best heading looks
    assert (opened.camera.goal.heading_deg == 38.0) != is_west
