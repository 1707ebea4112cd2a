"""Keys and buttons of the composed scene: each is heard, listed or explained."""

import pytest

from tests.support.scenes import press, watch


def shared_keys(tree):
    """Give the events that two commands have which work at the same time."""
    heard = [(event, name) for name in tree.input.commands for event in tree.input.heard(name)]
    events = [event for event, _ in heard]
    assert len(events) > 30
    return [pair for pair in heard if events.count(pair[0]) > 1]


@pytest.mark.usefixtures("large_window")
def test_no_key_means_two_things_at_once(base, tree, scene):
    assert shared_keys(tree) == []
    press(base, tree, "f2")
    assert scene.mode is scene.edit
    assert shared_keys(tree) == []
    press(base, tree, "f2")
    watch(tree, scene)
    assert scene.mode is scene.watch
    assert shared_keys(tree) == []


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


def test_a_key_other_than_its_own_closes_the_help(base, tree, scene):
    for key, is_open in (("f1", True), ("shift", True), ("f6", False)):
        base.messenger.send(key)
        base.messenger.send("button-down", [key])
        tree.advance(0.01)
        assert scene.hud.is_help_open == is_open, key


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
        assert scene.play.is_on == is_played
    press_escape()
    assert scene.play.is_on
    assert not scene.menu.is_open
    press_escape()
    assert scene.menu.title == "Pause"
    assert scene.commander.selected is not None
    press_escape()
    assert not scene.menu.is_open


def test_the_help_hides_the_caption_of_a_search(base, tree, scene):
    watch(tree, scene)
    for key, is_help in (("", False), ("f1", True), ("escape", False)):
        base.messenger.send(key)
        base.messenger.send("button-down", [key])
        tree.advance(0.01)
        assert bool(len(base.render2d.find("**/caption").children)) != is_help


def test_the_listed_keys_are_those_of_the_mode(base, tree, scene):
    press(base, tree, "tab", "f2")
    making = dict(scene.key_rows())
    assert making["Left drag"] == "draw"
    assert making["Ctrl + Z / Y"] == "undo / redo an edit"
    assert not {"Left or right drag", "Z", "Shift + R", "Tab"} & making.keys()
    press(base, tree, "f2")
    watch(tree, scene)
    watching = dict(scene.key_rows())
    assert {"Left or right drag", "Shift + R", "F3"} <= watching.keys()
    assert not {"Left drag", "Z", "Tab"} & watching.keys()


def names_of_buttons(tree, scene):
    """Give the names of the buttons that are shown, all of commands that work now."""
    tree.advance(0.0)
    names = [button.name for button in scene.hud.buttons]
    assert set(names) <= tree.input.commands.keys()
    return names


def test_every_button_works_and_its_key_is_in_the_help(base, tree, scene):
    press(base, tree, "tab")
    rows = " ".join(keys for keys, _ in scene.key_rows())
    assert {"undo", "redo", "show_costs", "help"} <= {*names_of_buttons(tree, scene)}
    assert all(button.key in rows for button in scene.hud.buttons if button.key != "F1")
    press(base, tree, "f2")
    kinds = [kind.name for kind in scene.board.tilemap.kinds if kind.name != "void"]
    names = names_of_buttons(tree, scene)
    assert {"tool_paint", "area_fill", "save", "load", "undo_stroke"} <= {*names}
    swatches = [button for button in scene.hud.buttons if button.color is not None]
    assert [button.text.lower() for button in swatches] == kinds
    tree.input.press(swatches[-1].name)
    press(base, tree, "4")
    chosen = [button.text for button in scene.hud.buttons if button.is_chosen]
    assert chosen == ["Paint", "Brush", swatches[-1].text]
    press(base, tree, "f2")
    watch(tree, scene)
    assert {"play", "next_uphill", "close_search"} <= {*names_of_buttons(tree, scene)}


def test_messages_name_the_keys_that_are_bound(base, tree, scene):
    tree.input.bind("help", "f13")
    tree.input.bind("map_editor", "insert")
    press(base, tree, "insert")
    for key, message in (
        ("f15", "F15 does nothing while the map is edited; F13 lists the keys"),
        ("f10", "Not while the map is edited; Insert leaves the map editor"),
    ):
        base.messenger.send("button-down", [key])
        tree.advance(0.01)
        assert scene.hud.status_text == message
    assert ("Insert", "open or close the map editor") in scene.hud.keys
    assert ("F13", "Help") in scene.hud.hints


def test_the_bottom_line_names_four_keys_by_what_the_player_does(base, tree, scene):
    tree.advance(0.0)
    assert scene.hud.hints == ()  # the mouse is enough
    seen = []
    for key in ("home", "tab", "arrow_right", "f2", "f2"):
        base.messenger.send("button-down", [key])
        press(base, tree, key)
        seen.append(scene.hud.hints)
    base.messenger.send("button-down", ["mouse1"])
    tree.advance(0.01)
    assert scene.hud.hints == ()
    assert all(len(hints) == 4 and hints[-1] == ("F1", "Help") for hints in seen)
    assert ("Tab", "Next unit") in seen[0]
    assert [hints[0][0] for hints in seen] == ["Arrow keys", "Enter", "Enter", "F5", "Enter"]


@pytest.mark.parametrize("key", ["f2", "f3"])
def test_a_change_of_the_mode_closes_the_help(base, tree, scene, key):
    press(base, tree, "tab", "arrow_right", "f1")
    assert scene.hud.is_help_open
    press(base, tree, key)
    assert not scene.hud.is_help_open


@pytest.mark.parametrize(
    ("keys", "pressed", "words"),
    [
        ((), "insert", "Insert does nothing; F1 lists the keys"),
        ((), "f", ""),
        ((), "backspace", "No unit is selected"),
        (("tab",), "x", "no bridge over this tile"),
        ((), "1", "F6 shows the rules"),
        (("f2",), "tab", "F2 leaves the map editor"),
        (("f2",), "r", "F2 leaves the map editor"),
        (("f2",), "insert", "Insert does nothing while the map is edited"),
        (("f2",), "x", "no bridge over this tile"),
        (("f3",), "tab", "Tab does nothing in a search"),
        *((("f3",), key, "Esc closes the search") for key in ("z", "f6", "f8", "f10")),
        (("tab",), "backspace", ""),
        ((), "q", ""),
        ((), "shift", ""),
        ((), "shift-lshift", ""),
        ((), "shift-mouse1", ""),
        ((), "shift-x", "Shift + X does nothing"),
        (("f2",), "shift-tab", "F2 leaves the map editor"),
        (("f2",), "control-z", "Nothing to undo"),
        ((), "mouse1", ""),
    ],
)
def test_a_key_that_does_nothing_is_explained(base, tree, scene, keys, pressed, words):
    for _ in range(60):
        tree.advance(0.1)
    scene.commander.select(None)
    scene.commander.aim_at(None)
    press(base, tree, *keys)
    for _ in range(100):
        tree.advance(0.1)  # what was said before is gone
    base.messenger.send(pressed)
    base.messenger.send("button-down", [pressed])
    assert words in scene._panels.message
    assert bool(words) == bool(scene._panels.message)
    tree.advance(0.01)
    assert words in scene.hud.status_text


def test_keys_without_any_unit_are_explained(base, make_scene):
    scene = make_scene("####\n####")  # no unit has a place
    assert not scene.commander.board.units
    said = []
    scene.tree.input.refused.connect(said.append)
    for key in ("f", "q", "backspace"):
        base.messenger.send(key)
    assert said == ["There is no unit to look at", "No unit is selected"]


def test_a_key_opens_and_closes_the_search_theatre(base, tree, scene):
    press(base, tree, "tab", "backspace")  # the camera is at Mira
    before, view = scene.hud.keys, scene.camera.goal
    theatre = watch(tree, scene)
    mira = scene.commander.selected
    theatre.seek(10**6)
    tree.advance(0.01)
    cost, n_steps = scene.board.find_path(mira, (3, 3)).cost, theatre.n_steps
    assert f"{n_steps} tiles explored, cost {cost:g}," in theatre.caption
    assert {("Esc", "close the search theatre"), ("Space", "play, pause")} <= {*scene.key_rows()}
    assert (scene.hud.unit_text, scene.hud.tile_text, scene.hud.pointer_text) == ("", "", "")
    assert scene.hud.status_text == f"Paused at step {n_steps} of {n_steps}"
    press(base, tree, "b", "f3")
    assert scene.hud.keys == before
    assert scene.camera.goal == view
    assert scene.commander.selected is mira
    assert scene.hud.unit_text.startswith("Mira")
    assert not scene.watch.theatre.is_inside_tree


@pytest.mark.usefixtures("large_window")
def test_while_a_search_plays_its_keys_mean_nothing_else(base, tree, scene):
    watch(tree, scene)
    where = scene.commander.selected.cell
    press(base, tree, "space", "enter", "tab")
    assert scene.commander.selected.cell == where
    press(base, tree, "escape")
    assert not scene.watch.theatre.is_inside_tree
    assert scene.commander.selected.cell == where
