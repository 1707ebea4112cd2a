"""Buttons on the window: inside it, beside the panels, and each sends the event of its key once."""

import itertools

import pytest

from terrain3d.view import Button, Hud, Toolbar

BUTTONS = [Button(f"Button {key}", key, key, is_chosen=key == "b") for key in "abcdefghijklmnop"]
SIZES = [(640, 400), (1280, 720), (500, 900), (3840, 2160)]


@pytest.fixture
def toolbar(tree):
    toolbar = tree.root.add_child(Hud()).add_child(Toolbar())
    toolbar.buttons = BUTTONS
    tree.advance(0.0)
    return toolbar


def middle(toolbar, number):
    """Give the point of the window in the middle of a button, (x, y) in -1..1."""
    width, height = toolbar.parent._window
    left, top, wide, high = toolbar._boxes[number]
    x, y = toolbar.np.get_x() + left + wide / 2, -toolbar.np.get_z() + top + high / 2
    return 2 * x / width - 1, 1 - 2 * y / height


def sent_by(base, tree, toolbar, number, button="left"):
    sent = []
    for each in BUTTONS:
        base.accept(each.event, sent.append, [each.event])
    for _ in range(3):  # a press, and moves of the pointer
        toolbar.press(button, middle(toolbar, number))
    tree.pointer.released.emit(button)
    for each in BUTTONS:
        base.ignore(each.event)
    return sent


@pytest.mark.parametrize("number", [0, 7, 15])
def test_a_press_sends_the_event_of_the_key_once(base, tree, toolbar, number):
    assert sent_by(base, tree, toolbar, number) == [BUTTONS[number].event]
    assert sent_by(base, tree, toolbar, number) == [BUTTONS[number].event]
    assert sent_by(base, tree, toolbar, number, "right") == []


def test_the_scene_hears_nothing_of_a_press_on_a_button(tree, toolbar):
    overlay = next(each for each in tree.pointer.overlays if each.covers(middle(toolbar, 3)))
    assert overlay is toolbar
    toolbar.parent.toggle_help()
    tree.advance(0.0)
    assert toolbar._boxes == []


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_buttons_are_apart_and_inside_the_window(tree, toolbar, monkeypatch, size):
    monkeypatch.setattr(Hud, "_window", size)
    toolbar.parent.unit_text = "Mira, team blue\nwalks\n6 move points"
    tree.advance(0.0)
    boxes = toolbar._boxes
    assert len(boxes) == len(BUTTONS)
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)
    (left, top), (wide, high) = (toolbar.np.get_x(), -toolbar.np.get_z()), size
    assert all(left + box.left + box.width <= wide for box in boxes)
    assert all(top + box.top + box.height <= high for box in boxes)


def test_without_room_for_labels_keys_are_shown(tree, toolbar, monkeypatch):
    widths = []
    for size in ((1280, 720), (200, 240)):
        monkeypatch.setattr(Hud, "_window", size)
        tree.advance(0.0)
        widths.append(toolbar._boxes[0].width if toolbar._boxes else 0)
    assert widths[1] < widths[0] / 2


def test_what_is_no_button_is_refused(toolbar):
    with pytest.raises(TypeError, match="buttons must be"):
        toolbar.buttons = [("Undo", "U")]
    assert toolbar.buttons == tuple(BUTTONS)


def test_a_freed_toolbar_leaves_nothing(tree, traces):
    hud = tree.root.add_child(Hud())
    tree.advance(0.0)
    before, overlays = traces(), list(tree.pointer.overlays)
    toolbar = hud.add_child(Toolbar())
    toolbar.buttons = BUTTONS
    tree.advance(0.0)
    toolbar.queue_free()
    tree.advance(0.0)
    assert (traces(), tree.pointer.overlays) == (before, overlays)
