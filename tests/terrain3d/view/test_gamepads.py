"""Several gamepads: the strongest counts, and what one does says nothing about another."""

import pytest
from direct.showbase.DirectObject import DirectObject

from terrain3d.view import Command, WindowNode

EVENT = "gamepad-left_stick_right"
OUT, DRIFT, STILL = 1.0, 0.25, 0.0  # DRIFT is less than the dead zone, more than that of a held one


class Pad:
    def __init__(self):
        self.buttons, self.axes = set(), {}


@pytest.fixture
def pads(tree):
    pads = [Pad(), Pad()]
    tree.input.find_gamepads = lambda: pads
    return pads


@pytest.fixture
def heard(tree):
    """Return the events so far of a command that is held."""
    heard = []
    command = Command(
        "push", EVENT, call=lambda: heard.append("on"), release=lambda: heard.append("off")
    )
    tree.root.add_child(WindowNode()).accept_actions([command])
    return heard


def push(tree, pads, *places):
    """Place the sticks and read them in two frames."""
    for pad, place in zip(pads, places, strict=True):
        pad.axes = {"left_x": place}
    for _ in range(2):
        tree.input.poll(0.02)


@pytest.mark.parametrize("other", [DRIFT, 0.5, STILL])
@pytest.mark.parametrize("is_first", [True, False])
def test_the_strongest_of_several_gamepads_counts(tree, pads, heard, other, is_first):
    push(tree, pads, *((OUT, other) if is_first else (other, OUT)))
    assert tree.input.strength("push") == 1.0
    assert heard == ["on"]


def test_the_drift_of_one_gamepad_does_not_hold_what_another_has_let_go(tree, pads, heard):
    push(tree, pads, OUT, DRIFT)
    push(tree, pads, STILL, DRIFT)
    assert heard == ["on", "off"]
    push(tree, pads, STILL, OUT)
    push(tree, pads, STILL, DRIFT)  # of the stick that was out
    assert heard == ["on", "off", "on"]
    push(tree, pads, STILL, STILL)
    assert heard == ["on", "off", "on", "off"]


def test_a_gamepad_that_is_unplugged_holds_nothing(tree, pads, heard):
    push(tree, pads, STILL, OUT)
    del pads[1]
    push(tree, pads, DRIFT)
    assert heard == ["on", "off"]


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
