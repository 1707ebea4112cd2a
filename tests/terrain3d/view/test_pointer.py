"""The pointer: what is a click, what is a drag, and presses whose end nobody heard."""

from types import SimpleNamespace

import pytest

from terrain3d.view import Pointer


class Watcher:
    def __init__(self):
        self.at = None

    def has_mouse(self):
        return self.at is not None

    def get_mouse(self):
        return SimpleNamespace(x=self.at[0], y=self.at[1])


class Hand:
    """Moves and presses as the engine would tell it; writes down what the pointer makes of it."""

    def __init__(self, messenger):
        self.messenger, self.watcher = messenger, Watcher()
        self.window = SimpleNamespace(
            get_properties=lambda: SimpleNamespace(foreground=self.has_focus)
        )
        self.has_focus = True
        self.pointer = Pointer(
            SimpleNamespace(
                mouseWatcherNode=self.watcher, win=self.window, get_aspect_ratio=lambda: 2.0
            )
        )
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
def hand(base):
    hand = Hand(base.messenger)
    hand.move(0.0, 0.0)
    yield hand
    hand.pointer.close()


def test_a_press_that_stays_is_a_click_and_one_that_moves_a_drag(hand):
    hand.send("mouse1")
    hand.move(0.001, 0.001)
    hand.send("mouse1-up")
    assert hand.clicks == [("left", (0.001, 0.001))]
    assert hand.drags == []
    hand.send("shift-mouse3")
    hand.move(0.101, 0.001)
    hand.send("mouse3-up")
    assert hand.drags == [("right", pytest.approx(0.2), 0.0, "shift")]
    assert len(hand.clicks) == 1


def test_a_drag_that_ends_outside_of_the_window_has_ended(hand):
    hand.send("mouse1")
    hand.move(0.5, 0.0)
    hand.move()
    hand.send("mouse1-up")
    count = len(hand.drags)
    hand.move(-0.5, 0.0)
    assert len(hand.drags) == count
    assert hand.clicks == []


def test_a_drag_that_leaves_and_comes_back_does_not_jump(hand):
    hand.send("mouse1")
    hand.move(0.5, 0.0)
    hand.move()
    count = len(hand.drags)
    hand.move(-0.9, 0.0)
    assert [drag[1:3] for drag in hand.drags[count:]] == [(0.0, 0.0)]
    hand.move(-0.8, 0.0)
    assert hand.drags[-1][1] == pytest.approx(0.2)


def test_a_press_ends_without_a_click_when_another_window_gets_the_keyboard(hand):
    hand.send("mouse1")
    hand.lose_focus()
    hand.send("mouse1-up")
    hand.move(0.5, 0.5)
    assert (hand.clicks, hand.drags, hand.losses) == ([], [], ["lost"])


def test_another_window_may_lose_the_keyboard(hand):
    hand.send("mouse1")
    hand.lose_focus(SimpleNamespace(get_properties=lambda: SimpleNamespace(foreground=False)))
    hand.send("mouse1-up")
    assert len(hand.clicks) == 1
    assert hand.losses == []


def test_a_release_that_nobody_heard_spoils_no_later_press(hand):
    hand.send("mouse1")
    hand.move(0.5, 0.0)
    hand.move(0.2, 0.0)  # the hand let go meanwhile
    hand.drags.clear()
    hand.send("mouse1")
    hand.send("mouse1-up")
    assert hand.clicks == [("left", (0.2, 0.0))]
    assert hand.drags == []


@pytest.mark.usefixtures("plate")
def test_presses_and_releases_are_told_where_nothing_covers_the_scene(hand):
    told = []
    hand.pointer.pressed.connect(lambda *values: told.append(values))
    hand.pointer.released.connect(lambda *values: told.append(values))
    hand.move(0.5, 0.25)
    hand.send("shift-mouse1")
    hand.move(0.6, 0.25)
    hand.send("mouse1-up")
    assert told == [("left", (0.5, 0.25), "shift"), ("left",)]
    hand.move(-0.5, 0.0)
    hand.send("mouse1")
    hand.send("mouse1-up")
    assert [values for values in told if len(values) == 3] == [("left", (0.5, 0.25), "shift")]


class Plate:
    """Covers the left half of the window."""

    def __init__(self):
        self.presses = []

    def covers(self, point):
        return point[0] < 0

    def press(self, button, point):
        self.presses.append((button, point))


@pytest.fixture
def plate(hand):
    plate = Plate()
    hand.pointer.overlays.append(plate)
    return plate


def test_what_the_hand_does_on_a_plate_is_not_meant_for_the_scene(hand, plate):
    hand.move(-0.5, 0.0)
    assert (hand.pointer.point, hand.pointer.scene_point) == ((-0.5, 0.0), None)
    hand.send("mouse1")
    hand.move(-0.2, 0.1)
    hand.move(0.3, 0.1)  # it goes on until the button is let go
    hand.send("mouse1-up")
    assert plate.presses == [("left", (-0.5, 0.0)), ("left", (-0.2, 0.1)), ("left", (0.3, 0.1))]
    assert (hand.clicks, hand.drags) == ([], [])


@pytest.mark.usefixtures("plate")
def test_the_wheel_turns_nothing_on_a_plate(hand):
    turned = []
    hand.pointer.wheel_turned.connect(lambda *values: turned.append(values))
    hand.move(-0.5, 0.0)
    hand.send("wheel_up")
    assert turned == []
    hand.move(0.5, 0.0)
    hand.send("wheel_up")
    assert turned == [(1, (0.5, 0.0))]


def test_a_drag_that_began_in_the_scene_goes_on_over_a_plate(hand, plate):
    hand.move(0.5, 0.0)
    hand.send("mouse3")
    hand.move(-0.5, 0.0)
    hand.send("mouse3-up")
    assert len(hand.drags) == 1
    assert (plate.presses, hand.clicks) == ([], [])


def test_beside_a_plate_a_click_is_a_click(hand, plate):
    hand.move(0.5, 0.0)
    hand.send("mouse1")
    hand.send("mouse1-up")
    assert hand.clicks == [("left", (0.5, 0.0))]
    assert plate.presses == []
