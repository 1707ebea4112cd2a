"""The composed scene: nodes show the state of commander and settings; keys and modes work."""

import weakref

import pytest

from ai import MoveProfile
from terrain3d import TileMap
from terrain3d.core.event_log import EventLog
from terrain3d.look.palettes import PALETTES
from terrain3d.look.settings import Settings
from terrain3d.program.scene.game_scene import GameScene
from terrain3d.view import Preferences
from terrain3d.view.modes.commander_3d import CHOSEN_PART, FOLLOWED_PART


@pytest.fixture
def make_scene(tree):
    def make(levels="0" * 12 + ("\n" + "0" * 12) * 11, units=(), **chosen):
        preferences = tree.root.add_child(Preferences(Settings(**{"hints_seen": 3} | chosen)))
        tilemap = TileMap.from_text(levels)
        tilemap.extras["units"] = list(units)
        scene = GameScene(7, tilemap, MoveProfile(), preferences, EventLog())
        tree.root.add_child(scene)
        while not scene.is_ready:
            tree.advance(0.0)
        scene.commander_3d.cursor.cell = None
        scene.commander.select(None)
        scene.camera.look(scene.camera.home)
        return scene

    return make


@pytest.fixture
def scene(make_scene):
    return make_scene()


def press(base, tree, *keys):
    for key in keys:
        base.messenger.send(key)
        tree.advance(0.01)


def figure(scene, name="Mira"):
    return next(each for each in scene.terrain.pick_targets if each.unit.name == name)


TAKE_TURNS = {"Commander3D", "MapEditor3D"}
"""Only one of them is active at a time."""


def test_no_key_means_two_things_at_once(base, scene):
    assert scene.is_ready
    for event in set(base.messenger.get_events()) - {"window-event"}:
        heard = base.messenger.who_accepts(event)
        owners = sorted(
            type(getattr(entry[0], "__self__", None)).__name__ for entry in heard.values()
        )
        assert len(owners) == 1 or set(owners) == TAKE_TURNS, (event, owners)


def test_keys_aim_from_the_selected_unit(base, tree, scene):
    press(base, tree, "tab")
    mira = scene.commander.selected
    assert (mira.name, scene.commander.aim) == ("Mira", mira.cell)
    press(base, tree, "arrow_right", "arrow_right")
    assert scene.commander.plan.path.cost == 2
    assert scene.hud.pointer_text == "costs 2 of 6 points"
    assert scene.hud.pointer_place is not None
    press(base, tree, "space")
    assert mira.is_moving
    press(base, tree, "backspace")
    assert scene.commander.selected is None
    press(base, tree, "shift-tab")
    assert scene.commander.selected.name == "Odo"


def test_panels_describe_unit_and_tile(base, tree, scene):
    press(base, tree, "tab", "arrow_up")
    assert scene.hud.unit_text.startswith("Mira, team blue\nwalks")
    assert scene.hud.unit_color == figure(scene).color
    assert "costs 1 to enter" in scene.hud.tile_text
    press(base, tree, "escape")
    assert (scene.hud.unit_text, scene.hud.unit_color) == ("", None)


def test_the_reach_shows_its_costs_if_asked(base, tree, scene):
    press(base, tree, "tab")
    reach = scene.commander.reach
    overlay = scene.get_node("Terrain3D/Commander3D/reach")
    assert overlay.children[0].texts == ()
    press(base, tree, "c")
    assert overlay.labels == {cell: str(reach.cost_to(cell)) for cell in reach.cells[1:]}
    assert len(overlay.children[0].texts) == len(reach) - 1


def test_a_refused_tile_shows_the_reason_beside_it(base, tree, scene):
    press(base, tree, "tab")
    scene.commander.selected.move = 0.5
    for _ in range(3):
        press(base, tree, "arrow_right")
    assert scene.hud.pointer_kind == "refused"
    assert "move points, but Mira has 0.5" in scene.hud.pointer_text
    assert ("Enter", "Move there") not in scene.hud.hints
    press(base, tree, "enter")
    assert scene.hud.status_text.startswith("Mira cannot go there")
    for _ in range(100):
        tree.advance(0.1)
    assert scene.hud.status_text.startswith("Choose a tile for Mira")


def test_an_order_out_of_reach_says_how_much_is_left(base, tree, scene):
    press(base, tree, "tab")
    mira = scene.commander.selected
    mira.move = 2
    for _ in range(3):
        press(base, tree, "arrow_right")
    assert scene.hud.pointer_kind == "ok"
    assert scene.hud.pointer_text == "costs 3 points, 2 now"
    press(base, tree, "enter")
    assert scene.hud.status_text == "Mira goes as far as its points last; the rest costs 1 point"


def test_several_units_are_listed_and_say_who_goes_how_far(tree, scene):
    mira, odo = (figure(scene, name).unit for name in ("Mira", "Odo"))
    mira.move, odo.move = 1, 20
    scene.commander.select_all([mira, odo])
    tree.advance(0.01)
    assert scene.hud.unit_text.split("\n") == [
        "2 units, team blue",
        "Mira, 1 move point",
        "Odo, 20 move points",
    ]
    scene.commander.is_squad_ready = True
    scene.commander.aim_at((11, 11))
    while scene.commander.squad_plan is None:  # a thread plans
        tree.advance(0.01)
    tree.advance(0.01)
    assert ("Enter", "Move there") in scene.hud.hints
    scene.commander.act_on((11, 11))
    tree.advance(0.01)
    assert scene.hud.status_text == "2 units go; as far as points last: Mira"


def test_the_rules_of_a_unit_follow_sliders_and_the_first_path_stays(base, tree, scene):
    press(base, tree, "f6")
    assert scene.get_node("Hud/rules").heading == "Select a unit to see its rules"
    press(base, tree, "tab", "arrow_up", "arrow_up", "1", ".", ".")
    mira = scene.commander.selected
    assert mira.profile.climb_cost == 3
    ribbon = scene.get_node("Terrain3D/Commander3D/RulesView/first path")
    assert len(ribbon._points) == len(scene.commander.plan.path)
    press(base, tree, "0")
    assert (mira.profile.climb_cost, len(ribbon._points)) == (1, 0)
    press(base, tree, "f6", ".")
    assert mira.profile.climb_cost == 1


@pytest.mark.parametrize("name", PALETTES)
def test_a_palette_reaches_every_mark_and_figure(make_scene, name):
    scene, palette = make_scene(palette=name), PALETTES[name]
    reach, ribbon, goals, cursor, *_ = scene.get_node("Terrain3D/Commander3D").children
    assert (reach.color, cursor.color) == (palette.reach, palette.cursor)
    assert goals.color == palette.path
    assert scene.get_node("Terrain3D/Commander3D/RulesView/first path").color == palette.first_path
    assert (ribbon.color, ribbon.refused_color) == (palette.path, palette.refused)
    assert (scene.hud.ok_color, scene.hud.refused_color) == (palette.path, palette.refused)
    assert figure(scene, "Bram").color == palette.of_team("red")


def test_the_text_beside_the_pointer_is_that_of_the_path_in_the_same_frame(tree, scene):
    scene.commander_3d.select_next()
    tree.advance(0.01)
    for cell, text in (((2, 4), "costs"), (None, ""), ((3, 3), "costs")):
        # The pointer is found to be on another tile while the frame is processed.
        scene.terrain._look = lambda cell=cell: scene.commander.aim_at(cell)
        tree.advance(0.01)
        assert (scene.hud._texts["tile"].text != "") == (cell is not None)
        assert scene.hud._label.size[0] > 0 if text else scene.hud._label.size[0] == 0
        assert scene.hud.pointer_text.startswith(text)


def test_a_key_other_than_its_own_closes_the_help(base, tree, scene):
    for key, is_open in (("f1", True), ("shift", True), ("f7", False)):
        base.messenger.send(key)
        base.messenger.send("button-down", [key])
        tree.advance(0.01)
        assert scene.hud.is_help_open == is_open, key
    assert scene.board.turns == "sides"
    assert "Sides take turns, and enemies chase you" in scene.hud.status_text


def test_escape_closes_the_help_and_does_nothing_else(base, tree, scene):
    def press_escape():
        base.messenger.send("escape")
        base.messenger.send("button-down", ["escape"])
        tree.advance(0.01)

    for key, is_played in (("tab", True), ("f3", False)):
        press(base, tree, key, "f1")
        press_escape()
        assert not scene.hud.is_help_open
        assert scene.commander.selected is not None
        assert (scene._theatre.player is None) == is_played
    press_escape()
    assert scene._theatre.player is None
    press_escape()
    assert scene.commander.selected is None
    press(base, tree, "f1")
    press_escape()
    assert "No unit is selected" not in scene.hud.status_text
    press_escape()
    assert scene.hud.status_text.endswith("No unit is selected")


def test_light_and_quality_change_at_once(base, tree, scene):
    press(base, tree, "n", "f4")
    assert scene.terrain.mood.name == "dusk"
    assert scene.terrain.quality.name == "medium"
    assert scene.hud.status_text == "Quality: medium"


def test_motion_is_as_fast_as_chosen_or_skipped(base, tree, scene):
    press(base, tree, "tab", "arrow_right", "arrow_right", ">")
    assert figure(scene).pace == 2.0
    press(base, tree, "k", "enter")
    tree.advance(0.01)
    assert not scene.commander.selected.is_moving
    press(base, tree, "<", "k")
    assert figure(scene).pace == 1.0


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
        assert max(map(abs, seen)) <= FOLLOWED_PART + 0.02


def test_a_unit_chosen_by_a_key_is_shown_near_the_center(base, tree, make_scene):
    scene = make_scene("0" * 40 + ("\n" + "0" * 40) * 3)
    press(base, tree, "tab")
    mira = scene.commander.selected
    scene.camera.look(scene.camera.goal.zoomed(0.2, mira.pose.point).panned(30, 0))
    press(base, tree, "escape", "tab")
    for _ in range(60):
        tree.advance(0.1)
    assert max(map(abs, tree.project(mira.pose.point, scene.terrain.np))) <= CHOSEN_PART + 0.02


def test_the_camera_stays_while_the_map_is_edited_and_a_unit_walks(base, tree, make_scene):
    scene = make_scene("0" * 40 + ("\n" + "0" * 40) * 3)
    press(base, tree, "tab")
    mira = scene.commander.selected
    mira.move = 40
    scene.commander.act_on((1, 39))
    press(base, tree, "f2")
    scene.camera.look(scene.camera.goal.zoomed(0.2, mira.pose.point))
    before = scene.camera.goal
    tree.advance(5.0)
    tree.advance(0.1)
    assert mira.is_moving
    assert scene.camera.goal == before


def test_labels_name_points_unless_they_are_unlimited(tree, make_scene):
    units = [
        {"name": "Gor", "cell": [2, 2], "move": 7},
        {"name": "Pell", "cell": [6, 6]},
    ]
    scene = make_scene(units=units)
    gor, pell = scene.board.units
    gor.profile = MoveProfile(size=2)
    scene.commander.aim_at((3, 3))
    assert figure(scene, "Gor").label == "Gor  7"
    pell.move = float("inf")
    scene.commander.select(pell)
    tree.advance(0.01)
    assert figure(scene, "Pell").label == "Pell"


def test_the_camera_keeps_what_the_keys_aim_at_in_view(base, tree, scene):
    press(base, tree, "tab")
    scene.camera.look(scene.camera.goal.zoomed(0.2, scene.commander.selected.pose.point))
    for _ in range(6):
        press(base, tree, "arrow_left")
    for _ in range(100):
        tree.advance(0.1)
    seen = tree.project(scene.board.tilemap.surface_point(scene.commander.aim), scene.terrain.np)
    assert max(map(abs, seen)) <= 0.77


def test_an_edit_of_the_map_is_shown_in_the_next_frame(base, tree, scene):
    press(base, tree, "tab", "arrow_right", "arrow_right")
    tilemap, aim = scene.board.tilemap, scene.commander.aim
    with tilemap.edit() as edit:
        edit.set_level(aim, 9)
    tree.advance(0.01)
    assert scene.hud.pointer_kind == "refused"
    assert f"level 9 (row {aim.row}, col {aim.col})" in scene.hud.tile_text


def test_the_next_map_leaves_nothing_of_the_one_before(base, tree, scene, traces):
    press(base, tree, "tab")
    before = traces()[:2]
    press(base, tree, "r", "r")
    tree.advance(0.01)
    assert scene.is_freed
    [after] = [node for node in tree.root.children if isinstance(node, GameScene)]
    while not after.is_ready:
        tree.advance(0.0)
    assert traces()[:2] == before


def test_a_replaced_scene_is_freed_at_once_even_if_an_earlier_one_is_referenced(base, tree, scene):
    seen = []
    for _ in range(3):
        press(base, tree, "r")
        [shown] = [node for node in tree.root.children if isinstance(node, GameScene)]
        seen.append(weakref.ref(shown))
        while not shown.is_ready:
            tree.advance(0.0)
        del shown
    assert scene.is_freed
    assert [each() is None for each in seen] == [True, True, False]


def test_the_editor_takes_mouse_and_keys_and_the_reach_follows_edits(base, tree, scene):
    press(base, tree, "tab")
    mira, tilemap = scene.commander.selected, scene.board.tilemap
    before = set(scene.commander.reach.cells)
    press(base, tree, "f2", "5", "l")
    assert scene.hud.tool_text == scene.editor.text == "Tool: erase\narea: brush of size 2"
    assert scene.camera.orbit_buttons == {"right"}
    row, col, _ = mira.cell
    scene.editor.map_editor.aim_at((row, col + 2))
    scene.editor.map_editor.act()
    tree.advance(0.01)
    gone = {cell for cell in before if tilemap.is_void(cell)}
    assert len(gone) > 5
    assert set(scene.commander_3d.reach_overlay.cells) <= before - gone
    press(base, tree, "control-z")
    assert set(scene.commander.reach.cells) == before
    press(base, tree, "escape", "u", "r")
    assert scene.commander.selected is mira
    press(base, tree, "f2", "escape")
    assert scene.commander.selected is None
    assert scene.hud.tool_text == ""
    assert scene.camera.orbit_buttons == {"left", "right"}


def test_waypoints_are_hidden_while_a_search_plays(base, tree, scene):
    press(base, tree, "tab")
    scene.autopilot.assign(scene.commander.selected, "travel")
    tree.advance(0.1)
    marks = scene.terrain.np.find("**/waypoints")
    assert not marks.is_empty()
    scene.autopilot.assign(scene.commander.selected, "")
    while scene.commander.selected.is_moving:
        tree.advance(0.1)
    watch(tree, scene)
    assert scene.terrain.np.find("**/waypoints").is_empty()
    press(base, tree, "escape")
    assert not scene.terrain.np.find("**/waypoints").is_empty()


def test_the_listed_keys_are_those_of_the_mode(base, tree, scene):
    press(base, tree, "tab", "f2")
    making = dict(scene.hud.keys)
    assert making["Left drag"] == "draw"
    assert making["Ctrl + Z / Y"] == "undo / redo a stroke"
    assert not {"Left or right drag", "Z", "R", "Tab"} & making.keys()
    press(base, tree, "f2")
    watch(tree, scene)
    watching = dict(scene.hud.keys)
    assert {"Left or right drag", "R", "F3"} <= watching.keys()
    assert not {"Left drag", "Z", "Tab"} & watching.keys()


def listened_in(base, scene, mode):
    """Give the buttons of the mode that is on, and check that a node listens to each."""
    buttons = scene.toolbar.buttons
    assert len(buttons) > 5, mode
    for button in buttons:
        assert base.messenger.who_accepts(button.event), (mode, button)
    return [button.event for button in buttons]


def test_every_button_is_heard_and_its_key_is_in_the_help(base, tree, scene):
    press(base, tree, "tab")
    rows = " ".join(keys for keys, _ in scene.hud.keys)
    assert {"u", "y", "c", "f1", "f2", "f3"} <= set(listened_in(base, scene, "play"))
    assert all(button.key in rows for button in scene.toolbar.buttons if button.key != "F1")
    press(base, tree, "f2")
    kinds = [kind.name for kind in scene.board.tilemap.kinds if kind.name != "void"]
    assert {*map(str, range(1, 10)), "b", "f5", "f9"} <= set(listened_in(base, scene, "edit"))
    swatches = [button for button in scene.toolbar.buttons if button.color is not None]
    assert [button.label.lower() for button in swatches] == kinds
    press(base, tree, swatches[-1].event, "4")
    chosen = [button.label for button in scene.toolbar.buttons if button.is_chosen]
    assert chosen == ["Paint", swatches[-1].label]
    press(base, tree, "f2")
    watch(tree, scene)
    tree.advance(0.0)
    assert {"space", "i", "escape"} <= set(listened_in(base, scene, "watch"))


def test_the_bottom_line_names_four_keys_by_what_the_player_does(base, tree, scene):
    tree.advance(0.0)
    seen = [scene.hud.hints]
    for keys in (("tab",), ("arrow_right",), ("f2",), ("f2",)):
        press(base, tree, *keys)
        seen.append(scene.hud.hints)
    assert all(len(hints) == 4 and hints[-1] == ("F1", "Help") for hints in seen)
    assert [hints[0][0] for hints in seen] == ["Tab", "Arrow keys", "Enter", "Ctrl + Z", "Enter"]


@pytest.mark.parametrize("key", ["f2", "f3"])
def test_a_change_of_the_mode_closes_the_help(base, tree, scene, key):
    press(base, tree, "tab", "arrow_right", "f1")
    assert scene.hud.is_help_open
    press(base, tree, key)
    assert not scene.hud.is_help_open


def test_three_hints_are_shown_one_at_a_time_and_once(base, tree, make_scene):
    scene = make_scene(hints_seen=0)
    shown = []

    def note():
        for _ in range(60):  # messages pass
            tree.advance(0.1)
        shown.append(scene.hud.status_text[:11])

    note()
    press(base, tree, "tab", "arrow_right", "enter")
    note()
    press(base, tree, "q")
    note()
    press(base, tree, "f1", "f1")
    note()
    assert shown[:3] == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3"]
    assert not shown[3].startswith("Hint")
    assert scene.preferences.settings.hints_seen == 3


def test_a_hint_that_is_not_followed_goes_in_time(tree, make_scene):
    scene = make_scene(hints_seen=2)
    for n_seen in (2, 3):
        assert scene.preferences.settings.hints_seen == n_seen
        for _ in range(460):
            tree.advance(0.1)


@pytest.mark.parametrize(
    ("keys", "pressed", "words"),
    [
        ((), "f12", "F12 does nothing; F1 lists the keys"),
        ((), "f", ""),
        ((), "escape", "No unit is selected"),
        (("tab",), "x", "no other surface"),
        ((), "1", "F6 shows the rules"),
        (("f2",), "tab", "F2 leaves the map editor"),
        (("f2",), "r", "F2 leaves the map editor"),
        (("f2",), "f12", "F12 does nothing while the map is edited"),
        (("f2",), "x", "no other surface"),
        (("f3",), "tab", "Tab does nothing in a search"),
        *((("f3",), key, "Esc closes the search") for key in ("z", "f6", "f7", "f8", "f10")),
        (("tab",), "escape", ""),
        ((), "q", ""),
        ((), "shift", ""),
        ((), "shift-lshift", ""),
        ((), "shift-mouse1", ""),
        ((), "shift-x", "Shift + x does nothing"),
        (("f2",), "shift-tab", "F2 leaves the map editor"),
        (("f2",), "control-z", ""),
        ((), "mouse1", ""),
    ],
)
def test_a_key_that_does_nothing_is_explained(base, tree, scene, keys, pressed, words):
    for _ in range(60):
        tree.advance(0.1)
    scene.commander.select(None)
    scene.commander.aim_at(None)
    press(base, tree, *keys)
    said = []
    scene._idle_keys.explained.connect(said.append)
    base.messenger.send(pressed)
    base.messenger.send("button-down", [pressed])
    assert [bool(each) and words in each for each in said] == ([True] if words else [])
    tree.advance(0.01)
    assert words in scene.hud.status_text


def test_keys_without_any_unit_are_explained(base, make_scene):
    scene = make_scene("####\n####")  # no unit has a place
    assert not scene.commander.board.units
    said = []
    scene._idle_keys.explained.connect(said.append)
    for key in ("f", "q", "escape"):
        base.messenger.send("button-down", [key])
    assert said == ["There is no unit to look at", "No unit is selected"]


def test_marks_of_play_are_hidden_while_the_map_is_edited(base, tree, scene):
    press(base, tree, "tab", "arrow_right", "arrow_right")
    reach, ribbon = scene.commander_3d.reach_overlay, scene.commander_3d.path_ribbon
    assert reach.cells
    assert ribbon.labels
    assert scene.hud.pointer_text
    press(base, tree, "f2")
    assert reach.cells == ()
    assert ribbon.labels == ()
    assert scene.hud.pointer_text == ""
    press(base, tree, "f2")
    assert reach.cells
    assert scene.hud.pointer_text


def test_a_loaded_map_replaces_the_scene_and_the_editor_stays_active(base, tree, scene, tmp_path):
    scene.editor.is_active = True
    scene.editor.map_editor.path = tmp_path / "vale.tmap"
    press(base, tree, "f5")
    assert f"Saved {tmp_path}" in scene.hud.status_text
    press(base, tree, "f9")
    tree.advance(0.0)
    (after,) = [node for node in tree.root.children if isinstance(node, GameScene)]
    assert after is not scene
    assert after.editor.is_active
    assert after.board.tilemap.to_text() == scene.board.tilemap.to_text()


def test_units_of_a_map_stand_in_the_scene_and_are_saved_where_they_went(
    base, tree, make_scene, tmp_path
):
    scene = make_scene(units=[{"name": "Pell", "cell": [2, 2]}, {"name": "Zed", "cell": [99, 0]}])
    assert [body.unit.name for body in scene.terrain.pick_targets] == ["Pell"]
    tree.advance(0.0)
    assert scene.hud.status_text.startswith("Unit 2 is left out: cell (99, 0) is outside the map")
    scene.commander.select_next()
    scene.commander.act_on((4, 3))
    scene.editor.is_active = True
    scene.editor.map_editor.path = tmp_path / "vale.tmap"
    press(base, tree, "f5", "f9")
    tree.advance(0.0)
    (after,) = [node for node in tree.root.children if isinstance(node, GameScene)]
    assert [(unit.name, unit.cell) for unit in after.board.units] == [("Pell", (4, 3, 0))]
    while not after.is_ready:
        tree.advance(0.0)
    tree.advance(0.0)
    assert "Loaded map.tmap; unit 2 is left out: cell (99, 0)" in after.hud.status_text


def watch(tree, scene, row=3, col=3):
    """Select Mira, aim at a tile, and wait until the search for the path there plays."""
    scene.commander_3d.select_next()
    scene.commander.aim_at((row, col))
    scene.terrain.panda.base.messenger.send("f3")
    stage = scene.get_node("Terrain3D/TheatreToggle3D").player
    while not stage.theatres:
        tree.advance(0.001)
    return stage


def test_a_key_opens_and_closes_the_search_theatre(base, tree, scene):
    press(base, tree, "tab", "escape")  # the camera is at Mira
    before, view = scene.hud.keys, scene.camera.goal
    stage = watch(tree, scene)
    mira = scene.commander.selected
    stage.pause()
    stage.step = stage.n_steps
    cost = scene.board.find_path(mira, (3, 3)).cost
    assert stage.theatres[0].caption.split("\n")[-1].startswith(f"cost {cost},")
    tree.advance(0.01)
    assert scene.hud.keys[1] == ("Space", "play, pause")
    assert (scene.hud.unit_text, scene.hud.tile_text, scene.hud.pointer_text) == ("", "", "")
    assert scene.hud.status_text == f"Paused at step {stage.n_steps} of {stage.n_steps}"
    press(base, tree, "b", "f3")
    assert scene.hud.keys == before
    assert scene.camera.goal == view
    assert scene.commander.selected is mira
    assert scene.hud.unit_text.startswith("Mira")
    assert "SearchPlayer3D" not in [node.name for node in scene.walk()]


def test_while_a_search_plays_its_keys_mean_nothing_else(base, tree, scene):
    watch(tree, scene)
    for event in set(base.messenger.get_events()) - {"window-event"}:
        assert len(base.messenger.who_accepts(event)) == 1, event
    where = scene.commander.selected.cell
    press(base, tree, "space", "enter", "tab")
    assert scene.commander.selected.cell == where
    press(base, tree, "escape")
    assert "SearchPlayer3D" not in [node.name for node in scene.walk()]
    assert scene.commander.selected.cell == where


def test_settings_reach_the_theatre(base, tree, scene):
    stage = watch(tree, scene)
    press(base, tree, "]", "p")
    settings = scene.preferences.settings
    theatre = stage.theatres[0]
    assert theatre.text_scale == settings.text_scale > 1.0
    assert theatre.path_color == PALETTES[settings.palette].path


def test_without_an_aim_a_search_between_random_tiles_plays(base, tree, scene):
    press(base, tree, "f3")
    player = scene.get_node("Terrain3D/TheatreToggle3D").player
    while not player.theatres:
        tree.advance(0.001)
    player.step = player.n_steps
    assert player.theatres[0].caption.split("\n")[-1].startswith("cost ")
    press(base, tree, "escape", "f2", "f3")
    assert scene.get_node("Terrain3D/TheatreToggle3D").player is None
    assert scene.hud.status_text == "Not while the map is edited; F2 leaves the map editor"


def test_waypoints_of_a_traveler_are_marked_and_those_ahead_are_numbered(tree, scene):
    mira, marks = figure(scene).unit, scene.get_node("Terrain3D/waypoints")
    assert marks.cells == ()
    scene.autopilot.assign(mira, "travel", post=(0, 0))
    tree.advance(0.01)
    tree.advance(0.01)
    points = scene.autopilot.points()
    assert marks.labels == {cell: str(number) if number else "" for cell, number in points.items()}
    assert marks.labels[0, 0, 0] == str(max(points.values()))
    gone = next(cell for cell, number in points.items() if not number)
    with scene.board.tilemap.edit() as edit:
        edit.set_kind(gone, "void")
    tree.advance(0.01)
    assert gone not in marks.cells
    scene.autopilot.assign(mira, "")
    tree.advance(0.01)
    assert marks.cells == ()
