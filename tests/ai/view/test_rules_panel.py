"""A panel of sliders: shown, moved by mouse and keys, and gone without a trace."""

from types import SimpleNamespace

import pytest
from panda3d.core import Point3

from ai.view.rules_panel import SliderPanel
from terrain3d import Node
from terrain3d.view import Hud


class Model:
    def __init__(self):
        self.places, self.counts, self.moves = [0, 2], (10, 4), []

    @property
    def sliders(self):
        pairs = zip(self.places, self.counts, strict=True)
        return [
            SimpleNamespace(label="rule", values=range(count), place=place, text=str(place))
            for place, count in pairs
        ]

    def set(self, number, place):
        self.moves.append((number, place))
        self.places[number] = place

    def reset(self):
        self.moves.append("reset")


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def panel(tree, model):
    panel = tree.root.add_child(Hud()).add_child(SliderPanel(model))
    panel.heading, panel.is_shown = "Rules", True
    tree.advance(0.0)
    tree.advance(0.0)
    return panel


def knob(base, panel, row, place):
    """Give where the knob of a slider is drawn at a place, (x, y) in -1..1."""
    left, right = panel._ends()
    x = left + place / (panel._model.counts[row] - 1) * (right - left)
    y = panel._letters.padding_px + (row + 1.5) * panel._letters.line_px
    point = base.render2d.get_relative_point(panel.np, Point3(x, 0, -y))
    return point.x, point.z


@pytest.mark.usefixtures("large_window")
def test_a_press_and_a_drag_move_one_slider(base, model, panel):
    assert panel.covers(knob(base, panel, 0, 3))
    panel.press("left", knob(base, panel, 0, 3))
    panel.drag("left", knob(base, panel, 0, 9))
    # The pointer may leave the row while the button is down, and the track.
    panel.drag("left", knob(base, panel, 1, 0))
    panel.drag("left", (1.0, -1.0))
    assert model.moves == [(0, 3), (0, 9), (0, 0), (0, 9)]
    panel.press("left", knob(base, panel, 1, 1))
    assert model.moves[4:] == [(1, 1)]
    panel.press("right", knob(base, panel, 1, 3))
    assert model.places == [9, 1]


def test_a_press_beside_the_sliders_moves_none(base, model, panel):
    panel.press("left", knob(base, panel, -1, 0))
    panel.press("left", (*knob(base, panel, 1, 0)[:1], -1.0))
    assert model.moves == []


@pytest.mark.usefixtures("panel")
def test_keys_choose_a_slider_move_it_and_go_back(base, model):
    for key in ("2", ".", ".", ",", "5", ",", "1", ",", "0"):
        base.messenger.send(key)
    assert model.moves == [(1, 3), (1, 3), (1, 2), (1, 1), (0, 0), "reset"]


def test_hidden_it_covers_nothing_and_takes_no_keys(base, tree, model, panel):
    point = knob(base, panel, 0, 3)
    panel.is_shown = False
    tree.advance(0.0)
    tree.advance(0.0)
    assert not panel.covers(point)
    for key in ("2", ".", "0"):
        base.messenger.send(key)
    assert model.moves == []


def test_it_asks_for_a_hud(tree, model):
    with pytest.raises(RuntimeError, match="must be below a Hud"):
        tree.root.add_child(Node()).add_child(SliderPanel(model))


@pytest.mark.usefixtures("large_window")
def test_freed_it_leaves_nothing(base, tree, model, traces):
    hud = tree.root.add_child(Hud())
    tree.advance(0.0)
    before = traces()
    panel = hud.add_child(SliderPanel(model))
    panel.is_shown = True
    tree.advance(0.0)
    panel.queue_free()
    tree.advance(0.0)
    assert traces() == before
    base.messenger.send(".")
    assert model.moves == []
