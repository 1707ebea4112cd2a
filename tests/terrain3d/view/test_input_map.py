"""Actions and what is bound to them: keys, buttons of the mouse and of a gamepad."""

import json
import math

import pytest
from panda3d.core import ButtonRegistry, Camera

from ai import Board, Commander, Unit
from ai.view import COMMAND_ACTIONS, Commander3D
from terrain3d import TileMap
from terrain3d.look.settings import FORMAT, Settings, SettingsError, SettingsFile
from terrain3d.program.actions import ACTIONS
from terrain3d.view import (
    CAMERA_ACTIONS,
    DRAWING_ACTIONS,
    EDITOR_ACTIONS,
    Action,
    ActionMenu,
    Button,
    Hud,
    OrbitCamera3D,
    Preferences,
    Terrain3D,
    TileCursor3D,
    WindowNode,
    attach,
    buttons_of,
    help_rows,
    key_rows,
)
from terrain3d.view.actions import KNOWN
from terrain3d.view.window.input_map import are_together
from tests.support.mouse import middle_of
from tests.support.panels import shown_boxes
from tests.support.programs import run_python


class FakeGamepad:
    """A gamepad whose buttons and axes a test sets."""

    def __init__(self):
        self.buttons, self.axes = set(), {}


@pytest.fixture
def game(tree):
    """A unit on a plain map, with its commander and a camera."""
    board = Board(TileMap.from_text("00000\n00000\n00000\n00000\n00000"))
    unit = board.add(Unit("Mira", (2, 2), move=9))
    terrain = tree.root.add_child(Terrain3D(board.tilemap))
    camera = tree.root.add_child(OrbitCamera3D(terrain))
    commander = Commander(board)
    commander_3d = terrain.add_child(Commander3D(commander, camera))
    commander.select(unit)
    return unit, commander, commander_3d, camera


@pytest.fixture
def pad(tree):
    pad = FakeGamepad()
    tree.input.find_gamepads = lambda: [pad]
    return pad


def moved(unit, commander):
    """Move the unit, so that there is something to undo."""
    commander.board.move(unit, (2, 3))
    unit.advance(100.0)
    assert unit.cell == (2, 3, 0)


def test_a_key_bound_at_run_time_works_at_once_and_the_old_one_no_more(base, tree, game):
    unit, commander, *_ = game
    tree.input.bind("undo", "j", "gamepad-face_y")
    assert tree.input.events_of("undo") == ("j", "gamepad-face_y")
    for event, is_heard in (("u", False), ("j", True), ("gamepad-face_y", True)):
        moved(unit, commander)
        base.messenger.send(event)
        assert (unit.cell == (2, 2, 0)) == is_heard, event
        if not is_heard:
            commander.undo()
    tree.input.reset("undo")
    moved(unit, commander)
    base.messenger.send("j")
    assert unit.cell == (2, 3, 0)
    base.messenger.send("control-z")
    assert unit.cell == (2, 2, 0)


def test_a_key_bound_before_the_nodes_are_there_is_used_by_them(base, tree):
    tree.input.bind("confirm", "o")
    terrain = tree.root.add_child(Terrain3D(TileMap.from_text("00")))
    cursor, chosen = terrain.add_child(TileCursor3D()), []
    cursor.chosen.connect(chosen.append)
    cursor.go_to((0, 1))
    for event in ("enter", "o"):
        base.messenger.send(event)
    assert chosen == [(0, 1, 0)]
    terrain.remove_child(cursor)
    tree.input.bind("confirm", "f14")
    terrain.add_child(cursor)
    for event in ("o", "f14"):
        base.messenger.send(event)
    assert len(chosen) == 2


class Dancer(WindowNode):
    """A node of a game, with an action that works in whatever mode."""

    def _enter_tree(self):
        self.accept_actions([Action("dance", "f13"), Action("bow", "f14")], {"dance": print})


@pytest.mark.usefixtures("game")
def test_an_action_of_a_game_collides_only_with_those_that_its_tree_has(tree):
    tree.root.add_child(Dancer())
    for event in ("u", "f14", "f1"):  # of Commander3D, of its own node, of a Hud to come
        if event == "f1":
            tree.input.bind("dance", event)
            tree.root.add_child(Hud())
        with pytest.raises(ValueError, match=f"'{event}' cannot be bound to dance"):
            tree.input.bind("dance", event)
    tree.input.bind("dance", "l")  # is of the map editor, which is not there
    assert "l" in {event for each in EDITOR_ACTIONS + DRAWING_ACTIONS for event in each.events}
    with pytest.raises(ValueError, match="'l' cannot be bound to undo: it is that of dance"):
        tree.input.bind("undo", "l")


def test_an_action_without_keys_is_still_that_of_its_button(base, tree, game):
    unit, commander, *_ = game
    tree.input.bind("undo")
    moved(unit, commander)
    for event in ("u", "control-z"):
        base.messenger.send(event)
    assert unit.cell == (2, 3, 0)
    [button] = buttons_of(COMMAND_ACTIONS, "undo", tree.input)
    assert (button.text, button.key) == ("Undo", "")
    button.on_press()
    assert unit.cell == (2, 2, 0)


@pytest.mark.parametrize(
    ("name", "events", "message"),
    [
        ("undo", ["y"], "'y' cannot be bound to undo: it is that of redo"),
        ("undo", ["f1"], "it is that of help"),
        ("undo", ["w"], "it is that of camera_up"),
        ("undo", ["raw-w"], "it is that of camera_up"),
        ("camera_top", ["control-z"], "'control-z' cannot be bound to camera_top"),
        ("undo", ["gamepad-face_a"], "it is that of confirm"),
        ("undoo", ["j"], "no action 'undoo'; did you mean 'undo'?"),
        ("camera_orbit", ["j"], "no action 'camera_orbit'"),
        ("undo", ["enterr"], "no event 'enterr'; did you mean 'enter'?"),
        ("undo", ["arrow_upp"], "did you mean 'arrow_up'?"),
        ("undo", ["gamepad-face_yy"], "did you mean 'gamepad-face_y'?"),
        ("undo", ["raw-enter"], "no event 'raw-enter'"),
        ("undo", ["mouse1"], "used by the pointer"),
        ("undo", ["shift-"], "no event 'shift-'"),
        ("undo", [""], "no event ''"),
        ("undo", ["J"], "no event 'J'"),
        ("zzz", ["j"], "no action 'zzz'; or the module of its node is not imported yet"),
    ],
)
def test_what_cannot_be_bound_is_refused_and_nothing_changes(tree, name, events, message):
    heard = []
    tree.input.changed.connect(heard.append)
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        tree.input.bind(name, "f13", *events)
    assert tree.input.bindings == ()
    assert tree.input.events_of("undo") == ("u", "control-z", "gamepad-face_y")
    assert heard == []


def test_a_key_of_another_mode_can_be_bound(tree):
    tree.input.bind("undo", "j", "mouse4", "shift-f2")  # J is that of a brush in the editor
    with pytest.raises(TypeError, match="event must be a str"):
        tree.input.bind("undo", 3)
    with pytest.raises(ValueError, match="that of undo"):
        tree.input.bind("redo", "j")
    tree.input.bind("redo", "alt-control-j")
    assert tree.input.events_of("redo") == ("control-alt-j",)  # as Panda3D sends it


def test_defaults_collide_in_no_mode_and_each_mode_is_that_of_its_tables():
    for mode, groups in ACTIONS.items():
        actions = [each for group in groups.values() for each in group]
        assert all(not each.modes or mode in each.modes.split() for each in actions)
    for each in KNOWN.values():
        for other in KNOWN.values():
            if each.name < other.name and are_together(each, other):
                shared = {*each.events} & {*other.events}
                assert not shared, (each.name, other.name)


def test_switched_off_keys_and_gamepad_do_nothing_and_the_mouse_does(base, tree, game):
    unit, commander, _, camera = game
    moved(unit, commander)
    base.messenger.send("w")
    tree.input.is_enabled = False
    before = camera.goal
    for event in ("u", "gamepad-face_y"):
        base.messenger.send(event)
    tree.advance(0.5)
    assert (unit.cell, camera.goal) == ((2, 3, 0), before)  # a key that is held stops, too
    base.messenger.send("w-up")
    tree.input.is_enabled = True
    tree.advance(0.5)
    assert camera.goal == before
    base.messenger.send("u")
    assert unit.cell == (2, 2, 0)
    tree.input.is_enabled = False
    commander.redo()
    base.messenger.send("action-undo")  # of a button under the mouse
    assert unit.cell == (2, 2, 0)
    with pytest.raises(TypeError, match="is_enabled"):
        tree.input.is_enabled = 0


def test_a_held_key_moves_the_camera_until_it_is_released_whatever_is_bound(base, tree, game):
    camera = game[-1]
    tree.input.bind("camera_left", "f14", "shift-f14")

    def goes():
        before = camera.goal.target
        tree.advance(0.1)
        return before != camera.goal.target

    base.messenger.send("a")
    assert not goes()
    base.messenger.send("shift-f14")
    assert goes()
    base.messenger.send("f14-up")
    assert not goes()


def test_help_and_buttons_show_what_is_bound(tree):
    rows = {what: keys for keys, what in key_rows(COMMAND_ACTIONS, tree.input)}
    assert rows["undo / redo a move"] == "U / Y, Ctrl + Z / Y"
    tree.input.bind("undo", "j", "f13")
    rows = {what: keys for keys, what in key_rows(COMMAND_ACTIONS, tree.input)}
    assert rows["undo / redo a move"] == "J / Y, F13 / Ctrl + Y"
    [button] = buttons_of(COMMAND_ACTIONS, "undo", tree.input)
    assert (button.key, button.text) == ("J", "Undo")
    tree.input.is_gamepad_used = True
    rows = {what: keys for keys, what in key_rows(COMMAND_ACTIONS, tree.input)}
    assert rows["aim at the next tile in that direction on screen"] == "Left stick"
    assert rows["do what a click on the tile aimed at does"] == "A"
    assert "turn the selected unit toward the tile aimed at" not in rows  # it has no button
    assert all(name in KNOWN for name in ("camera_zoom", "threat"))
    groups = {"Unit": COMMAND_ACTIONS, "Mouse": [KNOWN["camera_zoom"], KNOWN["threat"]]}
    assert {text for keys, text in help_rows(groups, tree.input) if not keys} == {"Unit"}
    tree.input.bind("confirm")
    tree.input.bind("camera_turn_left")
    rows = {what: keys for keys, what in key_rows((*COMMAND_ACTIONS, *CAMERA_ACTIONS), tree.input)}
    assert "do what a click on the tile aimed at does" not in rows
    assert rows["turn by 45 degrees"] == "RB"


def test_what_is_bound_is_saved_and_read_back(tree, tmp_path):
    file = SettingsFile(tmp_path / "settings.json")
    file.save(Settings(mood="night"))
    preferences = tree.root.add_child(Preferences(file.load(), file))
    tree.input.bind("redo", "f13")
    tree.input.bind("undo", "y")
    tree.input.bind("redo", "u", "gamepad-guide")
    assert preferences.settings.bindings == tree.input.bindings
    saved = file.load()
    assert saved == Settings(mood="night", bindings=(("redo", "u", "gamepad-guide"), ("undo", "y")))
    preferences.queue_free()
    tree.advance(0.0)
    with pytest.raises(ValueError, match="'u' cannot be bound to undo: it is that of redo"):
        tree.input.reset("undo")
    tree.input.load(())
    assert tree.input.events_of("undo")[0] == "u"
    tree.root.add_child(Preferences(saved, file))
    assert tree.input.events_of("undo") == ("y",)
    assert tree.input.events_of("redo") == ("u", "gamepad-guide")


@pytest.mark.parametrize("bindings", [[["undo", "no key"]], [["undo", "y"]], [["undo", "mouse1"]]])
def test_saved_keys_that_cannot_be_used_are_told_and_the_defaults_hold(tree, tmp_path, bindings):
    path = tmp_path / "settings.json"
    text = json.dumps({"format": FORMAT, "version": 1, "bindings": bindings})
    path.write_text(text, encoding="utf-8")
    told = []
    preferences = Preferences(SettingsFile(path).load())
    preferences.failed.connect(told.append)
    tree.root.add_child(preferences)
    assert len(told) == 1
    assert told[0].startswith("the saved keys are not used: ")
    assert tree.input.events_of("undo") == ("u", "control-z", "gamepad-face_y")


@pytest.mark.parametrize("bindings", [3, [[]], [[3]], ["undo"], {"undo": "j"}])
def test_a_settings_file_with_other_bindings_holds_no_settings(tmp_path, bindings):
    path = tmp_path / "settings.json"
    text = json.dumps({"format": FORMAT, "version": 1, "bindings": bindings})
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match="bindings"):
        SettingsFile(path).load()


def test_saved_keys_of_an_action_that_is_not_there_yet_wait_for_it(base, tree):
    class Waiter(WindowNode):
        calls = 0

        def _enter_tree(self):
            self.accept_actions([Action("wait_a_turn", "f14")], {"wait_a_turn": self.wait})

        def wait(self):
            self.calls += 1

    tree.input.load([("wait_a_turn", "f15")])
    waiter = tree.root.add_child(Waiter())
    for event in ("f14", "f15"):
        base.messenger.send(event)
    assert waiter.calls == 1
    tree.input.reset("wait_a_turn")
    base.messenger.send("f14")
    assert waiter.calls == 2


def test_on_another_layout_camera_keys_go_by_place_and_exchange_with_letters(tree):
    class Keyboard:
        """What the keys of a French keyboard type, by their places on a US one."""

        def get_mapped_button(self, key):
            return find_button(dict(zip("qwaz;m", "azqwm,", strict=True)).get(key, key))

    find_button = ButtonRegistry.ptr().find_button
    tree.input.find_keyboard = Keyboard
    heard = {name: tree.input.heard(KNOWN[name]) for name in KNOWN}
    assert heard["camera_up"][:2] == ("z", "shift-z")
    assert heard["camera_left"][:2] == ("q", "shift-q")
    assert heard["camera_turn_left"][0] == "a"
    assert heard["next_behavior"] == ("w",)
    assert heard["undo"][:2] == ("u", "control-z")  # by its letter
    assert dict(key_rows([KNOWN["next_behavior"]], tree.input)) == {
        "W": KNOWN["next_behavior"].text
    }
    with pytest.raises(ValueError, match="that of camera_up"):
        tree.input.bind("undo", "z")


def test_a_move_is_played_with_a_gamepad(base, tree, game, pad):
    unit, commander, _, camera = game
    camera.look(camera.goal)

    def push(seconds=0.05, **axes):
        pad.axes = axes
        tree.input.poll(seconds)
        tree.advance(0.01)

    def tap(button):
        pad.buttons = {button}
        push()
        pad.buttons = set()
        push()

    tap("dpad_right")  # select the unit, and aim at it
    assert commander.aim == unit.cell
    push(left_x=0.1, left_y=-0.2)
    assert commander.aim == unit.cell  # within the dead zone
    push(left_y=1.0)
    there = commander.aim
    assert math.dist(there[:2], unit.cell[:2]) == 1
    push(left_y=1.0)
    assert commander.aim == there  # not yet again
    push(0.5, left_y=1.0)
    assert math.dist(commander.aim[:2], unit.cell[:2]) == 2
    push()
    tap("face_a")
    assert unit.cell == commander.aim
    unit.advance(100.0)
    tree.advance(0.0)
    tap("face_y")
    assert unit.cell == (2, 2, 0)
    assert tree.input.is_gamepad_used
    base.messenger.send("tab")
    assert not tree.input.is_gamepad_used


def test_sticks_and_triggers_of_a_gamepad_move_the_camera(tree, game, pad):
    camera = game[-1]

    def way(**axes):
        pad.axes = axes
        tree.input.poll(0.1)
        before = camera.goal
        tree.advance(0.1)
        return math.dist(before.target, camera.goal.target)

    far, half = way(right_x=1.0), way(right_x=0.6)
    assert far > half > 0.0
    assert half == pytest.approx(0.5 * far)
    assert way() == 0.0
    distance = camera.goal.distance
    way(right_trigger=1.0)
    assert camera.goal.distance < distance
    pad.buttons = {"lshoulder"}
    way()
    assert camera.goal.heading_deg == 45.0


def test_a_gamepad_that_is_unplugged_lets_go_and_one_that_is_plugged_in_works(tree, game):
    camera, pads = game[-1], []
    tree.input.find_gamepads = lambda: pads
    pads.append(FakeGamepad())
    pads[0].axes = {"right_x": 1.0}
    tree.input.poll(0.1)
    before = camera.goal
    tree.advance(0.1)
    assert camera.goal != before
    pads.clear()
    tree.input.poll(0.1)
    before = camera.goal
    tree.advance(0.1)
    assert camera.goal == before


def test_noise_around_the_dead_zone_is_one_push(base, tree, pad):
    pushes = []
    base.accept("gamepad-left_stick_up", lambda: pushes.append(1))
    for y in (0.31, 0.29, 0.31, 0.28):
        pad.axes = {"left_y": y}
        tree.input.poll(0.01)
    base.ignore("gamepad-left_stick_up")
    assert pushes == [1]


def test_the_frames_of_the_window_read_the_gamepad(base, game, pad):
    commander = game[1]
    pad.buttons = {"face_b"}
    base.task_mgr.step()
    assert commander.selected is None


class Player:
    """Someone who plays with a gamepad, and chooses from the menu by its names."""

    def __init__(self, tree, pad, menu):
        self.tree, self.pad, self.menu = tree, pad, menu

    def tap(self, button="", **axes):
        for self.pad.buttons, self.pad.axes in (({button}, axes), (set(), {})):
            self.tree.input.poll(0.01)
            self.tree.advance(0.01)

    @property
    def chosen(self):
        return self.menu.labels[self.menu.chosen]

    def choose(self, label):
        """Open the menu and go to a name."""
        self.tap("start")
        for _ in range(80):
            if self.chosen == label:
                return
            self.tap(left_y=-1.0)
        pytest.fail(label)


@pytest.fixture
def player(tree, pad, game):  # noqa: ARG001 - a game to play
    hud = tree.root.add_child(Hud())
    tree.root.add_child(Preferences())
    return Player(tree, pad, hud.add_child(ActionMenu()))


def shown_entries(player):
    """Give the texts of the entries that are on the window."""
    parts = player.menu.parent._front_dock.panel.parts.values()
    return [part.widget.text for part in parts if isinstance(part.widget, Button)]


@pytest.mark.usefixtures("large_window")
def test_a_menu_of_several_pages_says_which_one_is_shown(tree, player, mouse):
    player.tap("start")
    *first, page = shown_entries(player)
    for _ in range(len(first)):
        assert player.chosen in first
        player.tap(left_y=-1.0)
    *second, following = shown_entries(player)
    assert [page[:9], following[:9]] == ["Page 1 of", "Page 2 of"]
    assert not {*first} & {*second}
    mouse.click(*middle_of(player.menu.parent, "", -1))
    assert player.menu.is_open
    assert shown_entries(player)[-1] != following
    player.tap("face_b")
    tree.advance(0.0)
    assert player.menu.parent.boxes == [player.menu.parent.dock("short").box]


def test_a_menu_lets_a_gamepad_do_all_that_can_be_done(base, tree, game, player):
    unit, commander, _, camera = game
    menu = player.menu
    player.tap("start")
    assert menu.is_open
    player.tap("face_b")
    assert (menu.is_open, commander.selected) == (False, unit)
    nodes = [node for node in tree.root.walk() if node is not menu]
    live = {each.name for node in nodes for each in getattr(node, "actions", ())}
    for name in live:
        if name.partition("_")[0] not in {"cursor", "confirm"}:
            player.choose(KNOWN[name].label or name.replace("_", " ").capitalize())
            player.tap("start")
    aim = commander.aim
    player.choose("Camera top")
    assert commander.aim == aim  # the stick chooses from the menu alone
    assert camera.goal.pitch_deg < 80
    player.tap("face_a")
    assert camera.goal.pitch_deg > 80
    assert not menu.is_open
    menu.toggle()
    base.messenger.send("t")  # nothing else hears keys while it is open
    assert camera.goal.pitch_deg > 80
    menu.queue_free()
    tree.advance(0.0)
    assert tree.modal is None


@pytest.mark.parametrize("name", ["find_gamepads", "find_keyboard"])
@pytest.mark.parametrize("value", [None, 7, lambda pads: pads])
def test_what_finds_gamepads_and_keyboards_is_a_function(tree, name, value):
    before = getattr(tree.input, name)
    with pytest.raises(TypeError, match=f"^{name} must be a function"):
        setattr(tree.input, name, value)
    assert getattr(tree.input, name) == before


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("text_scale", [0.75, 1.0, 1.5, 2.0])
def test_the_menu_has_room_and_goes_around(base, tree, player, text_scale):
    hud = player.menu.parent
    hud.text_scale = text_scale
    player.tap("start")
    first, names, (width, height) = player.chosen, [], tree.viewport.size_px
    for way in ({"left_y": -1.0}, {"left_y": 1.0}, {"left_x": 1.0}, {"left_x": -1.0}):
        for _ in range(60):
            player.tap(**way)
            assert player.chosen in shown_entries(player)
            names.append(player.chosen)
        for left, top, right, bottom in shown_boxes(base, hud, (width, height)):
            assert -1 <= left < right <= width + 1
            assert -1 <= top < bottom <= height + 1
    assert {*names} == {*player.menu.labels}
    assert names.count(first) > 1


def test_actions_of_nodes_that_are_not_imported_yet_can_be_bound():
    program = """
from direct.showbase.ShowBase import ShowBase
from terrain3d.view import attach
tree = attach(ShowBase(windowType="offscreen"))
tree.input.bind("confirm", "o")
tree.input.bind("save", "insert")
print(tree.input.events_of("confirm"))
"""
    run = run_python("-c", program, env=None, timeout=120)
    assert run.stdout.endswith("('o',)\n"), run.stderr


def test_of_two_trees_of_a_window_one_sends_what_a_gamepad_does(base, tree, pad):
    camera = base.render.attach_new_node(Camera("second"))
    region = base.win.make_display_region(0.5, 1.0, 0.0, 1.0)
    other, heard = attach(base, camera, region), []
    other.input.find_gamepads = tree.input.find_gamepads
    base.accept("gamepad-guide", lambda: heard.append(1))
    try:
        for buttons in ({"guide"}, {"guide"}, set(), {"guide"}):
            pad.buttons = buttons
            base.task_mgr.step()
    finally:
        base.ignore("gamepad-guide")
        other.close()
        base.win.remove_display_region(region)
        camera.remove_node()
    assert heard == [1, 1]


def test_a_button_of_no_action_is_refused():
    with pytest.raises(ValueError, match=r"a name must be one of .*'undo'.*, got 'undoo'"):
        buttons_of(COMMAND_ACTIONS, "redo undoo")
    with pytest.raises(TypeError, match="names must be a str"):
        buttons_of(COMMAND_ACTIONS, ["undo"])


@pytest.mark.parametrize(
    ("action", "calls", "error", "problem"),
    [
        (Action("undo", "k", "mine"), {"undo": print}, ValueError, "another action 'undo'"),
        (Action("nap", "nokey", "nap"), {"nap": print}, ValueError, "no event 'nokey'"),
        (Action("nap", "f13", "nap"), {"nap": 5}, TypeError, "'nap' must be callable, got 5"),
        (Action("nap", "f13", "nap"), {"sleep": print}, ValueError, "one of 'nap', got 'sleep'"),
    ],
)
def test_mistakes_in_actions_of_a_node_are_refused(tree, action, calls, error, problem):
    with pytest.raises(error, match=problem):
        tree.root.add_child(WindowNode()).accept_actions([action], calls)
    assert tree.input.events_of("undo")[0] == "u"
