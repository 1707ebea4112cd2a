"""The scene put together: what the nodes show is what the commander says and the person chose."""

import weakref

import pytest

from ai import MoveProfile
from terrain3d import TileMap
from terrain3d.core.event_log import EventLog
from terrain3d.look.palettes import PALETTES
from terrain3d.look.settings import Settings
from terrain3d.program.scene.game_scene import GameScene
from terrain3d.view import Preferences
from terrain3d.view.modes.commander_3d import FOLLOWED_PART


@pytest.fixture
def make_play(tree):
    def make(levels="0" * 12 + ("\n" + "0" * 12) * 11, units=(), **chosen):
        preferences = tree.root.add_child(Preferences(Settings(**chosen)))
        tilemap = TileMap.from_text(levels)
        tilemap.extras["units"] = list(units)
        play = GameScene(7, tilemap, MoveProfile(), preferences, EventLog())
        tree.root.add_child(play)
        while not play.is_ready:
            tree.advance(0.0)
        return play

    return make


@pytest.fixture
def play(make_play):
    return make_play()


def press(base, tree, *keys):
    for key in keys:
        base.messenger.send(key)
        tree.advance(0.01)


def figure(play, name="Mira"):
    return next(each for each in play.terrain.pick_targets if each.unit.name == name)


TAKE_TURNS = {"Commander3D", "MapEditor3D"}
"""One gives orders while the other rests."""


def test_no_key_means_two_things_at_once(base, play):
    assert play.is_ready
    for event in set(base.messenger.get_events()) - {"window-event"}:
        heard = base.messenger.who_accepts(event)
        owners = sorted(
            type(getattr(entry[0], "__self__", None)).__name__ for entry in heard.values()
        )
        assert len(owners) == 1 or set(owners) == TAKE_TURNS, (event, owners)


def test_by_keys_one_aims_from_the_selected_unit(base, tree, play):
    press(base, tree, "tab")
    mira = play.commander.selected
    assert (mira.name, play.commander.aim) == ("Mira", mira.cell)
    press(base, tree, "arrow_right", "arrow_right")
    assert play.commander.plan.path.cost == 2
    assert play.hud.pointer_text == "cost 2 of 6"
    assert play.hud.pointer_place is not None
    press(base, tree, "space")
    assert mira.is_moving
    press(base, tree, "backspace")
    assert play.commander.selected is None
    press(base, tree, "shift-tab")
    assert play.commander.selected.name == "Odo"


def test_panels_tell_of_unit_and_tile(base, tree, play):
    press(base, tree, "tab", "arrow_up")
    assert play.hud.unit_text.startswith("Mira, team blue\nwalks")
    assert play.hud.unit_color == figure(play).color
    assert "costs 1 to enter" in play.hud.tile_text
    press(base, tree, "escape")
    assert (play.hud.unit_text, play.hud.unit_color) == ("", None)


def test_the_reach_tells_its_costs_if_asked(base, tree, play):
    press(base, tree, "tab")
    reach = play.commander.reach
    overlay = play.get_node("Terrain3D/Commander3D/reach")
    assert overlay.labels == {cell: str(reach.cost_to(cell)) for cell in reach.cells[1:]}
    assert overlay.children[0].texts == ()
    press(base, tree, "c")
    assert len(overlay.children[0].texts) == len(reach) - 1


def test_a_refused_tile_says_why_beside_it(base, tree, play):
    press(base, tree, "tab")
    play.commander.selected.move = 2
    for _ in range(3):
        press(base, tree, "arrow_right")
    assert play.hud.pointer_kind == "refused"
    assert "Mira has 2 move points" in play.hud.pointer_text
    press(base, tree, "enter")
    assert play.hud.status_text.startswith("Mira cannot go there")
    for _ in range(100):
        tree.advance(0.1)
    assert play.hud.status_text.startswith("Choose a tile for Mira")


@pytest.mark.parametrize("name", PALETTES)
def test_a_palette_reaches_every_mark_and_figure(make_play, name):
    play, palette = make_play(palette=name), PALETTES[name]
    reach, way, cursor = play.get_node("Terrain3D/Commander3D").children
    assert (reach.color, cursor.color) == (palette.reach, palette.cursor)
    assert (way.color, way.refused_color) == (palette.path, palette.refused)
    assert (play.hud.ok_color, play.hud.refused_color) == (palette.path, palette.refused)
    assert figure(play, "Bram").color == palette.of_team("red")


def test_light_and_quality_change_at_once(base, tree, play):
    press(base, tree, "n", "f4")
    assert play.terrain.mood.name == "dusk"
    assert play.terrain.quality.name == "medium"
    assert play.hud.status_text == "quality: medium"


def test_motion_is_as_fast_as_chosen_or_skipped(base, tree, play):
    press(base, tree, "tab", "arrow_right", "arrow_right", ">")
    assert figure(play).pace == 2.0
    press(base, tree, "k", "enter")
    tree.advance(0.01)
    assert not play.commander.selected.is_moving
    press(base, tree, "<", "k")
    assert figure(play).pace == 1.0


@pytest.mark.parametrize("follow", [True, False])
def test_the_camera_follows_who_walks_if_asked(base, tree, make_play, follow):
    play = make_play("0" * 40 + ("\n" + "0" * 40) * 3, follow=follow)
    press(base, tree, "tab")
    mira = play.commander.selected
    mira.move = 40
    play.camera.look(play.camera.goal.zoomed(0.2, mira.pose.point))
    before = play.camera.goal
    play.commander.act_on((1, 39))
    for _ in range(200):
        tree.advance(0.1)
    assert mira.cell == (1, 39, 0)
    seen = tree.project(mira.pose.point, play.terrain.np)
    assert (play.camera.goal == before) is not follow
    assert (seen is not None) == follow
    if follow:
        assert max(map(abs, seen)) <= FOLLOWED_PART + 0.02


def test_the_camera_keeps_what_the_keys_aim_at_in_view(base, tree, play):
    press(base, tree, "tab")
    play.camera.look(play.camera.goal.zoomed(0.2, play.commander.selected.pose.point))
    for _ in range(6):
        press(base, tree, "arrow_left")
    for _ in range(100):
        tree.advance(0.1)
    seen = tree.project(play.board.tilemap.surface_point(play.commander.aim), play.terrain.np)
    assert max(map(abs, seen)) <= 0.77


def test_an_edit_of_the_map_is_shown_in_the_next_frame(base, tree, play):
    press(base, tree, "tab", "arrow_right", "arrow_right")
    tilemap, aim = play.board.tilemap, play.commander.aim
    with tilemap.edit() as edit:
        edit.set_level(aim, 9)
    tree.advance(0.01)
    assert play.hud.pointer_kind == "refused"
    assert f"level 9\nat {aim}" in play.hud.tile_text


def test_the_next_map_leaves_nothing_of_the_one_before(base, tree, play, traces):
    press(base, tree, "tab")
    before = traces()[:2]
    press(base, tree, "r", "r")
    tree.advance(0.01)
    assert play.is_freed
    [after] = [node for node in tree.root.children if isinstance(node, GameScene)]
    while not after.is_ready:
        tree.advance(0.0)
    assert traces()[:2] == before


def test_a_map_that_gave_way_is_forgotten_at_once_even_if_somebody_holds_the_one_before(
    base, tree, play
):
    seen = []
    for _ in range(3):
        press(base, tree, "r")
        [shown] = [node for node in tree.root.children if isinstance(node, GameScene)]
        seen.append(weakref.ref(shown))
        while not shown.is_ready:
            tree.advance(0.0)
        del shown
    assert play.is_freed
    assert [each() is None for each in seen] == [True, True, False]


def test_who_makes_the_map_has_mouse_and_keys_and_units_follow_at_once(base, tree, play):
    press(base, tree, "tab")
    mira, tilemap = play.commander.selected, play.board.tilemap
    before = set(play.commander.reach.cells)
    press(base, tree, "f2", "5", "l")
    assert play.hud.tool_text == play.editor.text == "tool: erase\narea: brush of size 2"
    assert play.camera.orbit_buttons == {"right"}
    row, col, _ = mira.cell
    play.editor.map_editor.aim_at((row, col + 2))
    play.editor.map_editor.act()
    tree.advance(0.01)
    gone = {cell for cell in before if tilemap.is_void(cell)}
    assert len(gone) > 5
    assert set(play.commander_3d.reach_overlay.cells) <= before - gone
    press(base, tree, "control-z")
    assert set(play.commander.reach.cells) == before
    press(base, tree, "escape", "u", "r")
    assert play.commander.selected is mira
    press(base, tree, "f2", "escape")
    assert play.commander.selected is None
    assert play.hud.tool_text == ""
    assert play.camera.orbit_buttons == {"left", "right"}


def test_waypoints_make_room_for_a_search_that_is_watched(base, tree, play):
    press(base, tree, "tab")
    play.autopilot.assign(play.commander.selected, "travel")
    tree.advance(0.1)
    marks = play.terrain.np.find("**/waypoints")
    assert not marks.is_empty()
    play.autopilot.assign(play.commander.selected, "")
    while play.commander.selected.is_moving:
        tree.advance(0.1)
    watch(tree, play)
    assert play.terrain.np.find("**/waypoints").is_empty()
    press(base, tree, "escape")
    assert not play.terrain.np.find("**/waypoints").is_empty()


def test_the_keys_that_are_told_are_those_that_do_something(base, tree, play):
    press(base, tree, "tab", "f2")
    making = dict(play.hud.keys)
    assert making["Left drag"] == "draw"
    assert making["Ctrl + Z / Y"] == "undo / redo a stroke"
    assert not {"Left or right drag", "Z", "R", "Tab"} & making.keys()
    press(base, tree, "f2")
    watch(tree, play)
    watching = dict(play.hud.keys)
    assert {"Left or right drag", "R", "F3"} <= watching.keys()
    assert not {"Left drag", "Z", "Tab"} & watching.keys()


def test_a_loaded_map_takes_the_place_of_the_one_before_and_is_made_on(base, tree, play, tmp_path):
    play.editor.is_active = True
    play.editor.map_editor.path = tmp_path / "vale.tmap"
    press(base, tree, "f5")
    assert f"saved {tmp_path}" in play.hud.status_text
    press(base, tree, "f9")
    tree.advance(0.0)
    (after,) = [node for node in tree.root.children if isinstance(node, GameScene)]
    assert after is not play
    assert after.editor.is_active
    assert after.board.tilemap.to_text() == play.board.tilemap.to_text()


def test_units_of_a_map_stand_in_the_scene_and_are_saved_where_they_went(
    base, tree, make_play, tmp_path
):
    play = make_play(units=[{"name": "Pell", "cell": [2, 2]}, {"name": "Zed", "cell": [99, 0]}])
    assert [body.unit.name for body in play.terrain.pick_targets] == ["Pell"]
    tree.advance(0.0)
    assert play.hud.status_text.startswith("unit 2 is left out: cell (99, 0) is outside the map")
    play.commander.select_next()
    play.commander.act_on((4, 3))
    play.editor.is_active = True
    play.editor.map_editor.path = tmp_path / "vale.tmap"
    press(base, tree, "f5", "f9")
    tree.advance(0.0)
    (after,) = [node for node in tree.root.children if isinstance(node, GameScene)]
    assert [(unit.name, unit.cell) for unit in after.board.units] == [("Pell", (4, 3, 0))]
    while not after.is_ready:
        tree.advance(0.0)
    tree.advance(0.0)
    assert "loaded map.tmap; unit 2 is left out: cell (99, 0)" in after.hud.status_text


def watch(tree, play, row=3, col=3):
    """Select Mira, aim at a tile, and wait until the search for the way there plays."""
    play.select_next()
    play.commander.aim_at((row, col))
    play.terrain.panda.base.messenger.send("f3")
    stage = play.get_node("Terrain3D/TheatreToggle3D").player
    while not stage.theatres:
        tree.advance(0.001)
    return stage


def test_a_key_plays_the_search_for_the_way_and_takes_it_away(base, tree, play):
    tree.advance(0.01)
    before, view = play.hud.keys, play.camera.goal
    stage = watch(tree, play)
    mira = play.commander.selected
    stage.pause()
    stage.step = stage.n_steps
    cost = play.board.find_path(mira, (3, 3)).cost
    assert stage.theatres[0].caption.split("\n")[-1].startswith(f"cost {cost},")
    tree.advance(0.01)
    assert play.hud.keys[0] == ("Space", "play, pause")
    assert (play.hud.unit_text, play.hud.tile_text, play.hud.pointer_text) == ("", "", "")
    assert play.hud.status_text == f"paused at step {stage.n_steps} of {stage.n_steps}"
    press(base, tree, "b", "f3")
    assert play.hud.keys == before
    assert play.camera.goal == view
    assert play.commander.selected is mira
    assert play.hud.unit_text.startswith("Mira")
    assert "SearchPlayer3D" not in [node.name for node in play.walk()]


def test_while_a_search_plays_its_keys_mean_nothing_else(base, tree, play):
    watch(tree, play)
    for event in set(base.messenger.get_events()) - {"window-event"}:
        assert len(base.messenger.who_accepts(event)) == 1, event
    where = play.commander.selected.cell
    press(base, tree, "space", "enter", "tab")
    assert play.commander.selected.cell == where
    press(base, tree, "escape")
    assert "SearchPlayer3D" not in [node.name for node in play.walk()]
    assert play.commander.selected.cell == where


def test_settings_reach_the_theatre(base, tree, play):
    stage = watch(tree, play)
    press(base, tree, "]", "p")
    settings = play.preferences.settings
    theatre = stage.theatres[0]
    assert theatre.text_scale == settings.text_scale > 1.0
    assert theatre.path_color == PALETTES[settings.palette].path


def test_without_an_aim_there_is_nothing_to_watch(base, tree, play):
    press(base, tree, "f3")
    assert "SearchPlayer3D" not in [node.name for node in play.walk()]
    assert play.hud.status_text.startswith("Select a unit and aim")


def test_the_points_of_who_travels_are_marked_and_those_ahead_are_numbered(tree, play):
    mira, marks = figure(play).unit, play.get_node("Terrain3D/waypoints")
    assert marks.cells == ()
    play.autopilot.assign(mira, "travel", post=(0, 0))
    tree.advance(0.01)
    tree.advance(0.01)
    points = play.autopilot.points()
    assert marks.labels == {cell: str(number) if number else "" for cell, number in points.items()}
    assert marks.labels[0, 0, 0] == str(max(points.values()))
    gone = next(cell for cell, number in points.items() if not number)
    with play.board.tilemap.edit() as edit:
        edit.set_kind(gone, "void")
    tree.advance(0.01)
    assert gone not in marks.cells
    play.autopilot.assign(mira, "")
    tree.advance(0.01)
    assert marks.cells == ()
