"""The pointer: clicks, drags, and presses whose release never arrives."""

import gc
from types import SimpleNamespace

import pytest

from terrain3d.view import Pointer
from tests.support.mouse import Watcher


class User:
    """Sends moves and presses as the engine does; records the signals of the pointer."""

    def __init__(self, messenger):
        self.messenger, self.watcher = messenger, Watcher()
        self.window = SimpleNamespace(
            get_properties=lambda: SimpleNamespace(foreground=self.has_focus)
        )
        self.has_focus = True
        base = SimpleNamespace(mouseWatcherNode=self.watcher, win=self.window)
        viewport = SimpleNamespace(base=base, aspect=2.0, from_window=lambda *at: at)
        self.pointer = Pointer(viewport)
        self.clicks, self.drags, self.losses = [], [], []
        self.pointer.clicked.connect(lambda button, point: self.clicks.append((button, point)))
        self.pointer.dragged.connect(lambda *drag: self.drags.append(drag))
        self.pointer.focus_lost.connect(lambda: self.losses.append("lost"))

    def move(self, *point):
        self.watcher.at = point or None
        self.pointer.poll()

    def send(self, event):
        self.messenger.send(event)

    def lose_focus(self, window=None):
        self.has_focus = False
        self.messenger.send("window-event", [window or self.window])


@pytest.fixture
def user(base):
    user = User(base.messenger)
    user.move(0.0, 0.0)
    yield user
    user.pointer.close()


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


def test_a_drag_that_ends_outside_of_the_window_has_ended(user):
    user.send("mouse1")
    user.move(0.5, 0.0)
    user.move()
    user.send("mouse1-up")
    count = len(user.drags)
    user.move(-0.5, 0.0)
    assert len(user.drags) == count
    assert user.clicks == []


def test_a_drag_that_leaves_and_comes_back_does_not_jump(user):
    user.send("mouse1")
    user.move(0.5, 0.0)
    user.move()
    count = len(user.drags)
    user.move(-0.9, 0.0)
    assert [drag[1:3] for drag in user.drags[count:]] == [(0.0, 0.0)]
    user.move(-0.8, 0.0)
    assert user.drags[-1][1] == pytest.approx(0.2)


def test_a_press_ends_without_a_click_when_another_window_gets_the_keyboard(user):
    user.send("mouse1")
    user.lose_focus()
    user.send("mouse1-up")
    user.move(0.5, 0.5)
    assert (user.clicks, user.drags, user.losses) == ([], [], ["lost"])


def test_another_window_may_lose_the_keyboard(user):
    user.send("mouse1")
    user.lose_focus(SimpleNamespace(get_properties=lambda: SimpleNamespace(foreground=False)))
    user.send("mouse1-up")
    assert len(user.clicks) == 1
    assert user.losses == []


def test_a_lost_release_spoils_no_later_press(user):
    user.send("mouse1")
    user.move(0.5, 0.0)
    user.move(0.2, 0.0)  # the button was released meanwhile
    user.drags.clear()
    user.send("mouse1")
    user.send("mouse1-up")
    assert user.clicks == [("left", (0.2, 0.0))]
    assert user.drags == []


@pytest.mark.usefixtures("plate")
def test_presses_and_releases_are_reported_where_nothing_covers_the_scene(user):
    received = []
    user.pointer.pressed.connect(lambda *values: received.append(values))
    user.pointer.released.connect(lambda *values: received.append(values))
    user.move(0.5, 0.25)
    user.send("shift-mouse1")
    user.move(0.6, 0.25)
    user.send("mouse1-up")
    assert received == [("left", (0.5, 0.25), "shift"), ("left",)]
    user.move(-0.5, 0.0)
    user.send("mouse1")
    user.send("mouse1-up")
    assert [values for values in received if len(values) == 3] == [("left", (0.5, 0.25), "shift")]


class Plate:
    """Covers the left half of the window."""

    def __init__(self):
        self.presses, self.drags = [], []

    def covers(self, point):
        return point[0] < 0

    def press(self, button, point):
        self.presses.append((button, point))

    def drag(self, button, point):
        self.drags.append((button, point))


@pytest.fixture
def plate(user):
    plate = Plate()
    user.pointer.overlays.append(plate)
    return plate


def test_input_on_an_overlay_does_not_reach_the_scene(user, plate):
    user.move(-0.5, 0.0)
    assert (user.pointer.point, user.pointer.scene_point) == ((-0.5, 0.0), None)
    user.send("mouse1")
    user.move(-0.2, 0.1)
    user.move(0.3, 0.1)  # it goes on until the button is released
    user.send("mouse1-up")
    assert plate.presses == [("left", (-0.5, 0.0))]
    assert plate.drags == [("left", (-0.2, 0.1)), ("left", (0.3, 0.1))]
    assert (user.clicks, user.drags) == ([], [])


def test_an_overlay_that_its_press_removes_gets_no_more(user, plate):
    user.move(-0.5, 0.0)
    user.send("mouse1")
    user.pointer.remove_overlay(plate)
    user.move(-0.2, 0.1)
    user.send("mouse1-up")
    assert (plate.presses, plate.drags) == ([("left", (-0.5, 0.0))], [])
    assert (user.clicks, user.drags) == ([], [])
    assert plate not in gc.get_referents(vars(user.pointer))


@pytest.mark.usefixtures("plate")
def test_the_wheel_turns_nothing_on_a_plate(user):
    turned = []
    user.pointer.wheel_turned.connect(lambda *values: turned.append(values))
    user.move(-0.5, 0.0)
    user.send("wheel_up")
    assert turned == []
    user.move(0.5, 0.0)
    user.send("wheel_up")
    assert turned == [(1, (0.5, 0.0))]


def test_a_drag_that_began_in_the_scene_goes_on_over_a_plate(user, plate):
    user.move(0.5, 0.0)
    user.send("mouse3")
    user.move(-0.5, 0.0)
    user.send("mouse3-up")
    assert len(user.drags) == 1
    assert (plate.presses, user.clicks) == ([], [])


def test_beside_a_plate_a_click_is_a_click(user, plate):
    user.move(0.5, 0.0)
    user.send("mouse1")
    user.send("mouse1-up")
    assert user.clicks == [("left", (0.5, 0.0))]
    assert plate.presses == []
