"""The selection box drawn with the mouse."""

import numpy as np
import pytest

from ai.view import SelectionBox
from tests.support.window_pictures import picture


@pytest.fixture
def box(tree):
    return tree.root.add_child(SelectionBox())


@pytest.fixture
def drawn(box):
    received = []
    box.drawn.connect(lambda low, high: received.append((low, high)))
    return received


def go(tree, point):
    tree.pointer._point = point
    tree.pointer.moved.emit(point)


def draw(tree, start, end, button="left", modifier="control"):
    go(tree, start)
    tree.pointer.pressed.emit(button, start, modifier)
    go(tree, end)
    tree.pointer.released.emit(button)


def test_a_box_is_told_from_corner_to_corner_however_it_was_drawn(tree, drawn):
    draw(tree, (0.5, -0.25), (-0.5, 0.75))
    draw(tree, (-0.5, -0.25), (0.5, 0.75))
    assert drawn == [((-0.5, -0.25), (0.5, 0.75))] * 2


@pytest.mark.parametrize(
    ("button", "modifier"), [("left", ""), ("left", "shift"), ("right", "control")]
)
def test_another_button_or_key_draws_none(tree, drawn, button, modifier):
    draw(tree, (0.5, -0.25), (-0.5, 0.75), button, modifier)
    assert drawn == []


def test_a_click_is_no_box(tree, drawn):
    draw(tree, (0.5, -0.25), (0.5, -0.25))
    draw(tree, (0.5, -0.25), (0.505, -0.255))
    assert drawn == []


def test_disabled_it_ignores_the_mouse(tree, box, drawn):
    box.is_enabled = False
    draw(tree, (0.5, -0.25), (-0.5, 0.75))
    assert drawn == []


def test_who_leaves_the_window_draws_no_box(tree, drawn):
    tree.pointer.pressed.emit("left", (0.0, 0.0), "control")
    go(tree, (0.5, 0.5))
    tree.pointer.focus_lost.emit()
    tree.pointer.released.emit("left")
    assert drawn == []


@pytest.mark.usefixtures("terrain", "box")
def test_it_is_seen_while_it_is_drawn_and_only_then(base, tree):
    before = picture(base, tree)
    tree.pointer.pressed.emit("left", (-0.5, -0.5), "control")
    go(tree, (0.5, 0.5))
    during = picture(base, tree)
    height, width, _ = before.shape
    is_changed = np.abs(during - before).max(axis=2) > 0.02
    assert is_changed[height // 2, width // 4]
    assert not is_changed[: height // 8].any()
    tree.pointer.released.emit("left")
    assert np.array_equal(picture(base, tree), before)
