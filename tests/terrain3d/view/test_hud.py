"""Panels on the window never overlap, and its buttons do what their keys do."""

import pytest

from terrain3d.view import Button, Hud
from terrain3d.view.hud.widgets import HEADING_INK, Call, Picture, Slider, Text, plate, row
from tests.support.scenes import assert_inside_and_apart, framed, middle_of, shown_boxes
from tests.support.window_pictures import pixels

pytestmark = pytest.mark.usefixtures("large_window")


def panel(base, name):
    return base.render2d.find(f"**/{name}")


def test_equal_parts_of_a_panel_are_all_drawn(base, tree, hud):
    for count in (2, 3):
        parts = [Text("a"), Picture("poison", (1.2, 1.2))] * count
        hud.show("equal", row(*parts))
        tree.advance(0.0)
        assert len(panel(base, "equal").children) == len(parts)


def test_a_click_anywhere_hides_the_help_and_does_not_reach_the_map(tree, hud, mouse):
    clicked = []
    tree.pointer.clicked.connect(lambda *values: clicked.append(values))
    hud.keys = [("W A S D", "move")]
    for place in ((320, 180), (5, 355)):
        hud.toggle_help()
        mouse.click(*place, "right")
        assert hud.is_help_open
        mouse.click(*place)
        assert not hud.is_help_open
    assert clicked == []
    mouse.click(400, 180)
    assert len(clicked) == 1


SIZES = [(320, 240), (400, 300), (640, 360), (640, 400), (1280, 720), (500, 900), (3840, 2160)]
each_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


@each_size
@pytest.mark.parametrize("scale", [0.75, 1.0, 2.0])
@pytest.mark.parametrize("place", [(-0.9, 0.9), (0.0, 0.0), (0.95, -0.95), (-0.6, 0.4)])
def test_no_panel_covers_another_at_any_size(base, tree, hud, monkeypatch, size, scale, place):
    monkeypatch.setattr(Hud, "_window", size)
    hud.unit_text = "Mira (Blue)\nwalks, climbs 2 at +1 a level, drops 3\n6 move points"
    hud.tile_text = "grass, level 3\nat (12, 13) deck 1\ncosts 2 to enter\nBram stands here"
    hud.status_text = "Mira cannot go there: Bram stands on (12, 13) deck 1"
    hud.pointer_text = "no path around the corner: climb 3 > 2 at (12, 13)"
    hud.pointer_place = place
    hud.keys = [(f"Key {number}", "does something of some length") for number in range(20)]
    hud.text_scale = scale
    for _ in range(2):
        tree.advance(0.0)
        boxes = shown_boxes(base, hud, size)
        assert boxes
        assert_inside_and_apart(boxes, size)
        hud.toggle_help()


@each_size
def test_in_a_low_window_a_panel_has_two_lines_and_f1_one_page(tree, hud, monkeypatch, size, base):
    monkeypatch.setattr(Hud, "_window", size)
    parts = "Mira (Blue)", "36 hit points", "6 points", "walks, climbs 2, drops 3", "on rock"
    hud.unit_text = "\n".join(parts)
    tree.advance(0.0)
    [plate, _] = hud.dock("unit").versions[0]
    shown = [line for part in plate.parts for line in part.text.split("\n")]
    if size[1] > 480:
        assert " ".join(shown) == " ".join(parts)
    else:
        assert len(shown) <= 2
        assert ", ".join(parts).startswith(" ".join(shown))
        assert parts[1] in " ".join(shown)
    hud.keys = [("", "Group"), *((f"Key {n}", "does something of some length") for n in range(30))]
    tree.advance(0.0)
    hud.toggle_help()
    tree.advance(0.0)
    corners = framed(base, panel(base, "front").find("**/+PGItem"))
    assert max(map(abs, corners)) < 1.01
    columns = [column.parts for column in hud._front_dock.panel._shown[0].parts[0].parts]
    (title, *_), *_ = columns
    rows = [each for column in columns for each in column if each is not title]
    shown = {keys.text: what.text for keys, what in (each.parts for each in rows)}
    assert all(shown[f"Key {n}"].startswith("does something") for n in range(30))
    assert title == Text("Group", HEADING_INK)  # it begins where the keys do
    assert size != (1280, 720) or len(columns) == 1
    hud.toggle_help()
    assert not hud.is_help_open


def test_a_press_on_a_panel_is_not_meant_for_the_scene(tree, hud, mouse):
    pressed = []
    tree.pointer.pressed.connect(lambda *values: pressed.append(values))
    hud.unit_text = "Mira"
    tree.advance(0.0)
    on = middle_of(hud, "unit")
    mouse.move(*on)
    assert tree.pointer.scene_point is None
    mouse.click(*on)
    assert pressed == []
    hud.unit_text = ""
    mouse.click(*on)
    assert len(pressed) == 1


@pytest.fixture
def sent(hud, tree):
    """Give the keys of buttons that were pressed, "-" before those by the right button."""
    sent = []
    for key in "abcdefghijklmnop":
        press, right = (Call(sent.append, (f"{sign}{key}",)) for sign in ("", "-"))
        state = {"is_chosen": key == "b", "is_enabled": key != "p", "on_right_press": right}
        hud.buttons = [*hud.buttons, Button(f"Button {key}", press, key, **state)]
    tree.advance(0.0)
    return sent


def plate_at(base, hud, number):
    """Give the color of a button beside its text."""
    base.graphics_engine.render_frame()
    image = pixels(base.win)
    x, y = middle_of(hud, "tools", number)
    box = [*hud.dock("tools").panel.parts.values()][number].box
    return image[len(image) - int(y), int(x - box.width * 0.47)].sum()


@pytest.mark.usefixtures("sent")
def test_a_button_shows_that_the_pointer_is_on_it_and_makes_its_call_once(base, hud, mouse, sent):
    plain, faint = plate_at(base, hud, 2), plate_at(base, hud, 15)
    assert faint > plain + 0.1  # the sky shines through
    mouse.move(*middle_of(hud, "tools", 2))
    hovered = plate_at(base, hud, 2)
    mouse.press()
    held = plate_at(base, hud, 2)
    assert plain < hovered < held
    mouse.release()
    assert plate_at(base, hud, 2) == hovered
    mouse.move(*middle_of(hud, "tools", 3))
    assert plate_at(base, hud, 2) == plain
    mouse.move(400, 300)
    assert plate_at(base, hud, 3) == plain
    for number in (0, 7, 14, 15):  # the last one is not enabled
        mouse.click(*middle_of(hud, "tools", number))
    mouse.click(*middle_of(hud, "tools", 3), "right")
    assert sent == ["c", "a", "h", "o", "-d"]


def test_a_slider_follows_the_mouse_that_holds_it(tree, hud, mouse):
    places = []

    def show(place):
        places.append(place)
        hud.show("slider", plate(Slider(place, 9, show)), "bottom right")

    show(0)
    tree.advance(0.0)
    x, y = middle_of(hud, "slider", 1)
    mouse.move(x, y)
    mouse.press()
    assert places[-1] in {4, 5}
    mouse.move(x + 200, y - 100)  # the pointer may leave it
    assert places[-1] == 9
    mouse.move(0, y)
    mouse.release()
    mouse.move(x, y)
    assert places[-1] == 0


def test_an_icon_tells_what_it_does(tree, hud, mouse):
    hud.buttons = [Button("Save", print, "F5", "to a file", "save"), Button("Load", print)]
    tree.advance(0.0)
    mouse.move(*middle_of(hud, "tools"))
    assert hud._label.np.find("**/Save*")
    label = hud._label_box
    assert not any(label.overlaps(box) for box in hud.boxes if box is not label)
    mouse.move(*middle_of(hud, "tools", 1))
    assert hud._label_box is None
