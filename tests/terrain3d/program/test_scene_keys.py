"""Keys and buttons of the composed scene, and every behavior of one of the keys."""

import pytest

from ai import Autopilot, Board, Explore, Unit
from terrain3d import Cell, TileMap
from terrain3d.program.behaviors import BEHAVIORS, BehaviorKey
from tests.support.boards import board_of, pass_time
from tests.support.scenes import press, watch


def tap(base, tree, *keys):
    """Press keys as the engine tells of them."""
    for key in keys:
        base.messenger.send(key)
        base.messenger.send("button-down", [key])
        tree.advance(0.01)


def test_the_help_is_closed_by_keys_that_do_nothing_else_and_by_another_mode(base, tree, scene):
    hud = scene.hud
    press(base, tree, "tab")
    for key, is_open in (("f1", True), ("shift", True), ("f6", False), ("f1", True)):
        tap(base, tree, key)
        assert hud.is_help_open == is_open, key
    for key, mode in (("f2", scene.edit), ("f2", scene.play), ("f3", scene.watch)):
        press(base, tree, key)
        assert not hud.is_help_open
        assert scene.mode is mode
        caption = base.render2d.find("**/caption")
        assert bool(caption and caption.children) == (mode is scene.watch)
        press(base, tree, "f1")
        assert hud.is_help_open
    assert not base.render2d.find("**/caption").children
    tap(base, tree, "escape")
    assert not hud.is_help_open
    assert scene.mode is scene.watch
    assert base.render2d.find("**/caption").children
    tap(base, tree, "escape", "f1", "escape")
    assert scene.mode is scene.play
    assert not scene.menu.is_open
    tap(base, tree, "escape")
    assert scene.menu.title == "Pause"
    tap(base, tree, "escape")
    assert not scene.menu.is_open
    assert scene.commander.selected is not None


def names_of_buttons(tree, scene):
    """Give the names of the buttons that are shown, of commands that work now, no two by a key."""
    tree.advance(0.0)
    names = [button.name for button in scene.hud.buttons]
    assert set(names) <= tree.input.commands.keys()
    events = [event for name in tree.input.commands for event in tree.input.heard(name)]
    assert len(events) > 30
    assert [event for event in events if events.count(event) > 1] == []
    return names


@pytest.mark.usefixtures("large_window")
def test_every_button_works_its_key_is_in_the_help_and_means_one_thing(base, tree, scene):
    names_of_buttons(tree, scene)
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
        base.messenger.send("button-down", [key])  # nothing hears it
        tree.advance(0.01)
        assert scene.hud.status_text == message
    assert ("Insert", "open or close the map editor") in scene.hud.keys
    assert ("F13", "Help") in scene.hud.hints


def test_the_bottom_line_names_four_keys_by_what_the_player_does(base, tree, scene):
    tree.advance(0.0)
    assert scene.hud.hints == ()  # the mouse is enough
    seen = []
    for key in ("home", "tab", "arrow_right", "f2", "f2"):
        tap(base, tree, key)
        seen.append(scene.hud.hints)
    base.messenger.send("button-down", ["mouse1"])
    tree.advance(0.01)
    assert scene.hud.hints == ()
    assert all(len(hints) == 4 and hints[-1] == ("F1", "Help") for hints in seen)
    assert ("Tab", "Next unit") in seen[0]
    assert [hints[0][0] for hints in seen] == ["Arrow keys", "Enter", "Enter", "F5", "Enter"]


@pytest.mark.parametrize(
    ("keys", "pressed", "words"),
    [
        ((), "insert", "Insert does nothing; F1 lists the keys"),
        ((), "f", ""),
        ((), "backspace", "No unit is selected"),
        (("tab",), "x", "no bridge over this tile"),
        ((), "1", "F6 shows the rules"),
        *((("f2",), key, "F2 leaves the map editor") for key in ("tab", "r", "shift-tab")),
        (("f2",), "insert", "Insert does nothing while the map is edited"),
        (("f2",), "x", "no bridge over this tile"),
        (("f3",), "tab", "Tab does nothing in a search"),
        *((("f3",), key, "Esc closes the search") for key in ("z", "f6", "f8", "f10")),
        (("tab",), "backspace", ""),
        ((), "q", ""),
        *(((), f"shift{key}", "") for key in ("", "-lshift", "-mouse1")),
        ((), "shift-x", "Shift + X does nothing"),
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


@pytest.mark.usefixtures("large_window")
def test_a_key_opens_and_closes_the_search_theatre_which_has_all_keys(base, tree, scene):
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
    where = mira.cell
    press(base, tree, "space", "enter", "tab", "b", "f3")
    assert (scene.commander.selected, mira.cell) == (mira, where)
    assert scene.hud.keys == before
    assert scene.camera.goal == view
    assert scene.hud.unit_text.startswith("Mira")
    assert not scene.watch.theatre.is_inside_tree


CHASE, FLEE, PATROL, GUARD, *_ = BEHAVIORS


def keyed(board):
    """Return an autopilot, and what gives behaviors to units."""
    autopilot = Autopilot(board)
    return autopilot, BehaviorKey(autopilot, board, 3)


@pytest.mark.parametrize(
    ("is_bridged", "start", "post", "end"),
    [(True, (1, 0), Cell(1, 5), (1, 5)), (False, (0, 1), None, (2, 4))],
)
def test_a_patrol_goes_to_its_post_or_the_farthest_tile_and_back(is_bridged, start, post, end):
    tilemap = TileMap.from_text("300003\n300003\n300003")
    if is_bridged:  # else the unit stays in the river bed, too deep to climb out of
        with tilemap.edit() as edit:
            edit.add_deck([(1, col) for col in range(1, 5)], level=3)
    board, units = board_of(tilemap, guard=start)
    guard, (autopilot, key) = units["guard"], keyed(board)
    cells = [guard.cell]
    guard.step_finished.connect(cells.append)
    key.assign(guard, PATROL, post=post)
    pass_time(board, autopilot, 20)
    ends = (*start, 0), (*end, 0)
    assert [cell for cell in cells if cell in ends][:3] == [*ends, ends[0]]
    assert autopilot.reason_of(guard).startswith("waits at") or guard.is_moving


def test_assign_next_goes_through_all_behaviors_and_back_to_orders_and_says_so():
    board, units = board_of(TileMap.from_text("00"), mira=(0, 0))
    autopilot, key = keyed(board)
    assert key.describe(units["mira"], has_coordinates=True) == []
    results = [key.assign_next(units["mira"]) for _ in range(len(BEHAVIORS) + 1)]
    assert results == [*BEHAVIORS, "waits for orders"]
    assert autopilot.behavior_of(units["mira"]) is None
    autopilot.assign(units["mira"], Explore())  # one of a game
    assert key.describe(units["mira"], has_coordinates=True) == []
    assert key.assign_next(units["mira"]) == CHASE
    autopilot.advance(0.1)
    lines = ["autopilot: chases the nearest enemy", "there is no target"]
    assert key.describe(units["mira"], has_coordinates=True) == lines


@pytest.mark.parametrize("name", [CHASE, FLEE, GUARD])
def test_in_fog_a_unit_goes_after_and_away_from_those_in_sight_alone(name):
    ends = set()
    for foe in ((0, 9), (0, 11)):
        board = Board(TileMap.from_text("0" * 12), fog=True)
        unit = board.add(Unit("mira", (0, 4), sight=3))
        board.add(Unit("FOE", foe, "red"))
        autopilot, key = keyed(board)
        key.assign(unit, name)
        autopilot.advance(0.1)
        ends.add((unit.cell, autopilot.reason_of(unit)))
    assert len(ends) == 1
