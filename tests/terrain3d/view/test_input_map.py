"""Commands and what is bound to them: keys, buttons of gamepads, and presses of the pointer."""

import json
import math
from functools import partial
from types import SimpleNamespace

import pytest
from direct.showbase.DirectObject import DirectObject

from ai import Board, Commander, Unit
from ai.view import Commander3D
from terrain3d import TileMap, view
from terrain3d.look.settings import FORMAT, Settings, SettingsFile
from terrain3d.view import Command
from terrain3d.view.command import SIDES
from tests.support.scenes import Pads, Watcher, assert_inside_and_apart, middle_of, shown_boxes


@pytest.fixture
def game(tree):
    """A unit on a plain map, with its commander and a camera."""
    board = Board(TileMap.from_text("00000\n00000\n00000\n00000\n00000"))
    unit = board.add(Unit("Mira", (2, 2), move=9))
    terrain = tree.root.add_child(view.Terrain3D(board.tilemap))
    camera = tree.root.add_child(view.OrbitCamera3D(terrain))
    commander = Commander(board)
    commander_3d = terrain.add_child(Commander3D(commander, camera))
    commander.select(unit)
    return unit, commander, commander_3d, camera


@pytest.fixture
def pad(tree):
    return Pads(tree)


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


class Dancer(view.WindowNode):
    """A node of a game with commands, which note what was done."""

    def __init__(self, *commands, is_on=lambda: True):
        super().__init__()
        self.done, self._commands, self._is_on = [], commands, is_on

    def _enter_tree(self):
        done = self.done.append
        made = [Command(name, keys, name, partial(done, name)) for name, keys in self._commands]
        self.accept_actions(made, "Dances", self._is_on)


def test_an_event_causes_one_command_the_last_accepted_that_is_on(base, tree):
    is_on = []
    first = tree.root.add_child(Dancer(("dance", "f13")))
    last = tree.root.add_child(Dancer(("jump", "f13"), is_on=lambda: is_on))
    base.messenger.send("f13")
    assert (first.done, last.done) == (["dance"], [])
    assert "jump" not in tree.input.commands
    assert [each.name for each in tree.input.groups["Dances"]] == ["dance"]
    is_on.append(True)
    base.messenger.send("f13")
    assert (first.done, last.done) == (["dance"], ["jump"])
    last.queue_free()
    tree.advance(0.0)
    base.messenger.send("f13")
    assert first.done == ["dance", "dance"]
    assert [each.name for each in tree.input.knows("f13")] == ["dance"]


def test_a_command_that_does_nothing_now_says_why(base, tree):
    done, refused, why = [], [], ["The floor is wet"]
    command = Command("dance", "f13", call=lambda: done.append(1), why_not=lambda: "".join(why))
    tree.root.add_child(view.WindowNode()).accept_actions([command])
    tree.input.refused.connect(refused.append)
    base.messenger.send("f13")
    tree.input.press("dance")
    [button] = view.buttons_of("dance", tree.input)
    assert (done, refused, button.is_enabled) == ([], why * 2, False)
    why.clear()
    base.messenger.send("f13")
    tree.input.press("dance")
    [button] = view.buttons_of("dance", tree.input)
    assert (done, button.is_enabled) == ([1, 1], True)
    with pytest.raises(ValueError, match="no command 'dence' works now; did you mean 'dance'"):
        tree.input.press("dence")


@pytest.mark.parametrize(
    ("name", "events", "message"),
    [
        ("undo", ["y"], "'y' cannot be bound to undo: it is that of redo"),
        ("undo", ["w"], "it is that of camera_up"),
        ("camera_top", ["control-z"], "'control-z' cannot be bound to camera_top"),
        ("undo", ["gamepad-face_a"], "it is that of confirm"),
        ("undo", ["enterr"], "no event 'enterr'; did you mean 'enter'?"),
        ("undo", ["gamepad-face_yy"], "did you mean 'gamepad-face_y'?"),
        ("undo", ["mouse1"], "used by the pointer"),
        *(("undo", [event], f"no event '{event}'") for event in ("raw-w", "shift-", "", "J")),
    ],
)
@pytest.mark.usefixtures("game")
def test_what_cannot_be_bound_is_refused_and_nothing_changes(tree, name, events, message):
    heard = []
    tree.input.changed.connect(heard.append)
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        tree.input.bind(name, "f13", *events)
    assert tree.input.bindings == ()
    assert tree.input.events_of("undo") == ("u", "control-z", "gamepad-face_y")
    assert heard == []


@pytest.mark.usefixtures("game")
def test_keys_with_modifiers_and_buttons_of_the_mouse_can_be_bound(tree):
    tree.input.bind("undo", "j", "mouse4", "shift-f2")
    with pytest.raises(ValueError, match="that of undo"):
        tree.input.bind("redo", "j")
    tree.input.bind("redo", "alt-control-j")
    assert tree.input.events_of("redo") == ("control-alt-j",)  # as Panda3D sends it


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
    tree.input.press("undo")  # of a button under the mouse
    assert unit.cell == (2, 2, 0)


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


def rows_of(tree):
    """Give the keys in the help, by what they do."""
    return {what: keys for keys, what in view.help_rows(tree.input.groups, tree.input)}


@pytest.mark.usefixtures("game")
def test_help_and_buttons_show_what_is_bound(tree):
    assert rows_of(tree)["undo a move"] == "U, Ctrl + Z"
    tree.input.bind("undo", "j", "f13")
    assert rows_of(tree)["undo a move"] == "J, F13"
    [button] = view.buttons_of("undo", tree.input)
    assert (button.key, button.text) == ("J", "Undo")
    tree.input.is_gamepad_used = True
    rows = rows_of(tree)
    assert rows["aim at the next tile in that direction on screen"] == "Left stick"
    assert rows["act on the tile aimed at, like a click"] == "A"
    assert "turn the selected unit toward the tile aimed at" not in rows  # it has no button
    mouse = [Command("camera_zoom", text="zoom to the pointer", shown_keys="Wheel")]
    groups = {"Unit": tree.input.groups["Units"], "Mouse": mouse}
    assert {text for keys, text in view.help_rows(groups, tree.input) if not keys} == {"Unit"}
    tree.input.bind("confirm")
    tree.input.bind("camera_turn_left")
    rows = rows_of(tree)
    assert "act on the tile aimed at, like a click" not in rows
    assert rows["turn by 45 degrees"] == "RB"


@pytest.mark.usefixtures("game")
def test_commands_that_come_later_stay_in_the_row_of_the_help_that_they_were_accepted_in(tree):
    fighter, other = tree.root.add_child(view.WindowNode()), tree.root.add_child(view.WindowNode())
    choose = Command("choose", "1", "choose a skill", print)
    second, third = Command("second", "2", "", print), Command("third", "3", "", print)
    fighter.accept_actions([choose], "Battle")
    other.accept_actions([Command("goal", "o", "look at the goal", print)], "Battle")
    fighter.ignore_actions()
    fighter.accept_actions([choose, second, third], "Battle")
    rows = view.key_rows(tree.input.groups["Battle"], tree.input)
    assert rows == [("1 / 2 / 3", "choose a skill"), ("O", "look at the goal")]


def test_on_a_french_keyboard_the_camera_has_the_keys_at_the_same_places(base, tree, game):
    dancer, camera = tree.root.add_child(Dancer(("dance", "z"))), game[-1]
    tree.root.add_child(view.Preferences(Settings(keyboard="AZERTY")))
    keys = "Z / Q / S / D, Shift + Z / Shift + Q / Shift + S / Shift + D"
    assert rows_of(tree)["move the view"] == keys
    assert tree.input.events_of("camera_turn_left")[0] == "a"
    assert tree.input.events_of("undo")[:2] == ("u", "control-z")
    before = camera.goal.target
    base.messenger.send("z")
    tree.advance(0.1)
    assert camera.goal.target != before
    assert dancer.done == []
    base.messenger.send("w")
    assert dancer.done == ["dance"]
    tree.input.keyboard = "QWERTY"
    assert rows_of(tree)["move the view"] == "W A S D"


@pytest.mark.usefixtures("game")
def test_what_is_bound_is_saved_and_read_back(tree, tmp_path):
    file = SettingsFile(tmp_path / "settings.json")
    file.save(Settings(mood="night"))
    preferences = tree.root.add_child(view.Preferences(file.load(), file))
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
    tree.root.add_child(view.Preferences(saved, file))
    assert tree.input.events_of("undo") == ("y",)
    assert tree.input.events_of("redo") == ("u", "gamepad-guide")


@pytest.mark.parametrize("bindings", [[["undo", "no key"]], [["undo", "y"]], [["undo", "mouse1"]]])
@pytest.mark.usefixtures("game")
def test_saved_keys_that_cannot_be_used_are_told_and_the_defaults_hold(tree, tmp_path, bindings):
    path = tmp_path / "settings.json"
    text = json.dumps({"format": FORMAT, "version": 1, "bindings": bindings})
    path.write_text(text, encoding="utf-8")
    told = []
    preferences = view.Preferences(SettingsFile(path).load())
    preferences.failed.connect(told.append)
    tree.root.add_child(preferences)
    assert len(told) == 1
    assert told[0].startswith("the saved keys are not used: ")
    assert tree.input.events_of("undo") == ("u", "control-z", "gamepad-face_y")


def test_saved_keys_of_a_command_that_is_not_there_yet_wait_for_it(base, tree):
    tree.input.load([("dance", "f15")])
    dancer = tree.root.add_child(Dancer(("dance", "f14")))

    def dances_at(right, *wrong):
        for event in (*wrong, right):
            dancer.done.clear()
            base.messenger.send(event)
            assert dancer.done == ["dance"] * (event == right)

    dances_at("f15", "f14")
    tree.input.reset("dance")
    dances_at("f14", "f15")
    tree.root.remove_child(dancer)
    tree.input.bind("dance", "f13")
    tree.root.add_child(dancer)
    dances_at("f13", "f14")


def test_a_move_is_played_with_a_gamepad(base, tree, game, pad):
    unit, commander, _, camera = game
    camera.look(camera.goal)
    pad.tap("dpad_right")  # select the unit, and aim at it
    assert commander.aim == unit.cell
    pad.push(left_x=0.1, left_y=-0.2)
    assert commander.aim == unit.cell  # within the dead zone
    pad.push(left_y=1.0)
    there = commander.aim
    assert math.dist(there[:2], unit.cell[:2]) == 1
    pad.push(left_y=1.0)
    assert commander.aim == there  # not yet again
    pad.push(0.5, left_y=1.0)
    assert math.dist(commander.aim[:2], unit.cell[:2]) == 2
    pad.push()
    pad.tap("face_a")
    assert unit.cell == commander.aim
    unit.advance(100.0)
    tree.advance(0.0)
    pad.tap("face_y")
    assert unit.cell == (2, 2, 0)
    assert tree.input.is_gamepad_used
    base.messenger.send("tab")
    assert not tree.input.is_gamepad_used


def test_sticks_and_triggers_of_a_gamepad_move_the_camera(tree, game, pad):
    camera = game[-1]

    def way(**axes):
        pad[0].axes = axes
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
    pad[0].buttons = {"lshoulder"}
    way()
    assert camera.goal.heading_deg == 45.0


class Player:
    """Someone who plays with a gamepad, and chooses from the menu by its names."""

    def __init__(self, pad, menu):
        self.tap, self.menu = pad.tap, menu

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
    hud = tree.root.add_child(view.Hud())
    tree.root.add_child(view.Preferences())
    return Player(pad, hud.add_child(view.ActionMenu()))


def shown_entries(player):
    """Give the texts of the entries that are on the window."""
    parts = player.menu.parent._front_dock.panel.parts.values()
    return [part.widget.text for part in parts if isinstance(part.widget, view.Button)]


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
    assert player.menu.parent.boxes == []


def test_a_menu_lets_a_gamepad_do_all_that_can_be_done(base, tree, game, player):
    unit, commander, _, camera = game
    menu = player.menu
    player.tap("start")
    assert menu.is_open
    player.tap("face_b")
    assert (menu.is_open, commander.selected) == (False, unit)
    works = {name: each for name, each in tree.input.commands.items() if each.call is not None}
    for name, command in works.items():
        if name not in {"menu", "confirm", *(f"cursor_{side}" for side in SIDES)}:
            player.choose(command.title)
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


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("text_scale", [0.75, 1.0, 1.5, 2.0])
def test_the_menu_has_room_and_goes_around(base, tree, player, text_scale):
    hud = player.menu.parent
    hud.text_scale = text_scale
    player.tap("start")
    first, names, size = player.chosen, [], tree.viewport.size_px
    for way in ({"left_y": -1.0}, {"left_y": 1.0}, {"left_x": 1.0}, {"left_x": -1.0}):
        for _ in range(60):
            player.tap(**way)
            assert player.chosen in shown_entries(player)
            names.append(player.chosen)
        assert_inside_and_apart(shown_boxes(base, hud, size), size)
    assert {*names} == {*player.menu.labels}
    assert names.count(first) > 1


@pytest.mark.usefixtures("game")
def test_mistakes_in_commands_of_a_node_are_refused(tree):
    for command, error, problem in (
        (Command("undo", "k", "mine", print), ValueError, "another command 'undo'"),
        (Command("nap", "nokey", "nap", print), ValueError, "no event 'nokey'"),
        (Command("nap", "f13", "nap", 5), TypeError, "'nap' must be callable"),
    ):
        with pytest.raises(error, match=problem):
            tree.root.add_child(view.WindowNode()).accept_actions([command])
    assert tree.input.events_of("undo")[0] == "u"


OUT, DRIFT, STILL = 1.0, 0.25, 0.0  # DRIFT is less than the dead zone, more than that of a held one


@pytest.fixture
def pads(tree):
    return Pads(tree, 2)


def push(tree, pads, *places):
    """Place the sticks and read them in two frames."""
    for pad, place in zip(pads, places, strict=True):
        pad.axes = {"left_x": place}
    for _ in range(2):
        tree.input.poll(0.02)


def test_the_strongest_of_several_gamepads_counts_and_drift_holds_nothing(tree, pads):
    heard = []
    calls = {"call": lambda: heard.append("on"), "release": lambda: heard.append("off")}
    command = Command("push", "gamepad-left_stick_right", **calls)
    tree.root.add_child(view.WindowNode()).accept_actions([command])
    for places, is_held in (
        *(((OUT, other), True) for other in (DRIFT, 0.5, STILL)),
        ((STILL, DRIFT), False),  # what another one has let go
        *(((other, OUT), True) for other in (DRIFT, 0.5, STILL)),
        ((STILL, DRIFT), True),  # of the stick that was out
        ((STILL, STILL), False),
        ((STILL, OUT), True),
    ):
        push(tree, pads, *places)
        assert OUT not in places or tree.input.strength("push") == 1.0
        assert heard[-1] == ("on" if is_held else "off")
    assert heard == ["on", "off"] * 2 + ["on"]
    del pads[1]  # it is unplugged
    push(tree, pads, DRIFT)
    assert heard[-1] == "off"


def test_a_button_is_down_while_it_is_on_any_gamepad(tree, pads):
    heard, ear = [], DirectObject()
    for event in ("gamepad-face_a", "gamepad-face_a-up"):
        ear.accept(event, heard.append, [event])
    for first, second in (({"face_a"}, set()), ({"face_a"}, {"face_a"}), (set(), {"face_a"})):
        pads[0].buttons, pads[1].buttons = first, second
        tree.input.poll(0.02)
        assert heard == ["gamepad-face_a"]
    pads[1].buttons = set()
    tree.input.poll(0.02)
    assert heard == ["gamepad-face_a", "gamepad-face_a-up"]
    ear.ignore_all()


class User:
    """Sends moves and presses as the engine does; records the signals of the pointer."""

    def __init__(self, messenger):
        self.messenger, self.watcher, self.send = messenger, Watcher(), messenger.send
        self.has_focus, self.window = True, SimpleNamespace()
        self.window.get_properties = lambda: SimpleNamespace(foreground=self.has_focus)
        base = SimpleNamespace(mouseWatcherNode=self.watcher, win=self.window)
        viewport = SimpleNamespace(base=base, aspect=2.0, from_window=lambda *at: at)
        self.pointer = view.Pointer(viewport)
        self.clicks, self.drags, self.losses = [], [], []
        self.pointer.clicked.connect(lambda button, point: self.clicks.append((button, point)))
        self.pointer.dragged.connect(lambda *drag: self.drags.append(drag))
        self.pointer.focus_lost.connect(lambda: self.losses.append("lost"))

    def move(self, *point):
        self.watcher.at = point or None
        self.pointer.poll()

    def lose_focus(self, window=None):
        self.has_focus = False
        self.messenger.send("window-event", [window or self.window])


@pytest.fixture
def user(base):
    user = User(base.messenger)
    user.move(0.0, 0.0)
    yield user
    user.pointer.ignore_all()


def test_a_press_that_stays_is_a_click_and_one_that_moves_a_drag(user):
    user.send("mouse1")
    user.move(0.001, 0.001)
    user.send("mouse1-up")
    assert user.clicks == [("left", (0.001, 0.001))]
    assert user.drags == []
    user.send("shift-mouse3")
    user.move(0.101, 0.001)
    user.send("mouse3-up")
    assert user.drags == [("right", pytest.approx(0.2), 0.0, "shift")]
    assert len(user.clicks) == 1


def test_a_drag_that_leaves_the_window_comes_back_without_a_jump_or_ends_outside(user):
    user.send("mouse1")
    for place in ((0.5, 0.0), (), (-0.9, 0.0), (-0.8, 0.0), ()):
        user.move(*place)
    user.send("mouse1-up")
    user.move(-0.5, 0.0)
    assert [drag[1] for drag in user.drags] == [1.0, 0.0, pytest.approx(0.2)]
    assert user.clicks == []


def test_a_press_ends_without_a_click_when_another_window_gets_the_keyboard(user):
    user.send("mouse1")
    user.lose_focus()
    user.send("mouse1-up")
    user.move(0.5, 0.5)
    assert (user.clicks, user.drags, user.losses) == ([], [], ["lost"])
    user.send("mouse1")
    user.lose_focus(SimpleNamespace(get_properties=lambda: SimpleNamespace(foreground=False)))
    user.send("mouse1-up")
    assert (len(user.clicks), user.losses) == (1, ["lost"])  # it was another window that lost it


def test_a_lost_release_spoils_no_later_press(user):
    user.send("mouse1")
    user.move(0.5, 0.0)
    user.move(0.2, 0.0)  # the button was released meanwhile
    user.drags.clear()
    user.send("mouse1")
    user.send("mouse1-up")
    assert user.clicks == [("left", (0.2, 0.0))]
    assert user.drags == []


def test_on_a_button_of_the_engine_nothing_in_the_scene_is_pointed_at_or_zoomed_to(user):
    turned = []
    user.pointer.wheel_turned.connect(lambda *values: turned.append(values))
    user.watcher.is_over_region = lambda: user.watcher.at[0] < 0
    user.move(-0.5, 0.0)
    assert (user.pointer.point, user.pointer.scene_point) == ((-0.5, 0.0), None)
    user.send("wheel_up")
    assert turned == []
    user.move(0.5, 0.0)
    user.send("wheel_up")
    assert turned == [(1, (0.5, 0.0))]
    user.send("mouse3")  # a drag that began in the scene goes on over a button
    user.move(-0.5, 0.0)
    user.send("mouse3-up")
    assert len(user.drags) == 1


def test_what_catches_presses_gets_them_in_place_of_the_scene(user):
    caught = []
    user.pointer.catch = lambda: caught.append(user.pointer.point)
    user.move(0.5, 0.0)
    assert user.pointer.scene_point is None
    user.send("mouse1")
    user.move(0.2, 0.0)
    user.send("mouse1-up")
    assert (caught, user.clicks, user.drags) == ([(0.5, 0.0)], [], [])
    user.pointer.catch = None
    user.send("mouse1")
    user.send("mouse1-up")
    assert user.clicks == [("left", (0.2, 0.0))]
