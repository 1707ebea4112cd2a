"""The pointer: clicks, drags, and presses whose release never arrives."""

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


def test_presses_and_releases_are_reported(user):
    received = []
    user.pointer.pressed.connect(lambda *values: received.append(values))
    user.pointer.released.connect(lambda *values: received.append(values))
    user.move(0.5, 0.25)
    user.send("shift-mouse1")
    user.move(0.6, 0.25)
    user.send("mouse1-up")
    assert received == [("left", (0.5, 0.25), "shift"), ("left",)]


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
