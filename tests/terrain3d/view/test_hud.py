"""Panels on the window never overlap, and its buttons do what their keys do."""

import itertools
from dataclasses import replace
from functools import partial

import pytest

from terrain3d.view import Button, Command, Hud, Toolbar
from terrain3d.view.hud.hud import Letters, _letters_of, heading
from tests.support.window_pictures import pixels


@pytest.fixture
def hud(tree):
    return tree.root.add_child(Hud())


def panel(base, name):
    return base.render2d.find(f"**/{name}")


def corners(base, name):
    """Give a panel's (left, bottom, right, top) in -1..1."""
    low, high = panel(base, name).get_tight_bounds(base.render2d)
    return low.x, low.z, high.x, high.z


@pytest.mark.parametrize("name", ["tile", "unit", "status"])
def test_a_panel_is_there_while_it_has_text(base, tree, hud, name):
    tree.advance(0.0)
    assert panel(base, name).is_hidden()
    setattr(hud, f"{name}_text", "grass\nlevel 3")
    tree.advance(0.0)
    assert not panel(base, name).is_hidden()
    assert min(corners(base, name)) > -1
    assert max(corners(base, name)) < 1
    setattr(hud, f"{name}_text", "")
    tree.advance(0.0)
    assert panel(base, name).is_hidden()


@pytest.mark.parametrize(("above", "below"), [("unit", "tile"), ("tool", "unit")])
def test_a_panel_moves_up_when_the_one_above_it_is_empty(base, tree, hud, above, below):
    setattr(hud, f"{below}_text", "grass\nlevel 3")
    tree.advance(0.0)
    alone = corners(base, below)
    setattr(hud, f"{above}_text", "Mira")
    tree.advance(0.0)
    assert corners(base, above)[3] == pytest.approx(alone[3])
    assert corners(base, below)[3] < corners(base, above)[1]
    setattr(hud, f"{above}_text", "")
    tree.advance(0.0)
    assert corners(base, below) == pytest.approx(alone)


@pytest.mark.parametrize("x", [-1.0, -0.5, 0.0, 0.9, 1.0])
@pytest.mark.parametrize("y", [-1.0, 0.0, 1.0])
def test_the_line_beside_the_pointer_stays_in_the_window(base, tree, hud, x, y):
    hud.pointer_place = x, y
    hud.pointer_text = "climb 3 > 2 at (4, 7)"
    hud.pointer_kind = "refused"
    tree.advance(0.0)
    left, bottom, right, top = corners(base, "pointer")
    assert left >= -1 - 1e-3
    assert bottom >= -1 - 1e-3
    assert right <= 1 + 1e-3
    assert top <= 1 + 1e-3
    assert not (left < x < right and bottom < y < top)


def test_without_a_pointer_there_is_no_line(base, tree, hud):
    hud.pointer_text = "cost 7"
    tree.advance(0.0)
    assert panel(base, "pointer").is_hidden()


@pytest.mark.usefixtures("large_window")
def test_f1_shows_all_keys_and_hides_them(base, tree, hud):
    hud.keys = [("W A S D", "move"), ("Q / E", "turn")]
    tree.advance(0.0)
    assert panel(base, "help").is_hidden()
    assert not panel(base, "short").is_hidden()
    short_width = corners(base, "short")[2]
    hud.keys = []
    tree.advance(0.0)
    assert not panel(base, "short").is_hidden()  # F1 itself
    assert corners(base, "short")[2] < short_width
    base.messenger.send("f1")
    tree.advance(0.0)
    assert hud.is_help_open
    assert not panel(base, "help").is_hidden()
    assert panel(base, "short").is_hidden()
    base.messenger.send("f1")
    tree.advance(0.0)
    assert panel(base, "help").is_hidden()


@pytest.mark.usefixtures("large_window")
def test_a_click_on_the_help_hides_it(tree, hud):
    hud.keys = [("W A S D", "move")]
    hud.toggle_help()
    tree.advance(0.0)
    hud.press("right", (0.0, 0.0))
    assert hud.is_help_open
    hud.press("left", (0.0, 0.0))
    hud.drag("left", (0.0, 0.1))
    assert not hud.is_help_open
    hud.toggle_help()
    hud.press("left", (0.0, 0.0))
    assert not hud.is_help_open


@pytest.mark.usefixtures("large_window")
def test_no_click_reaches_the_map_under_the_open_help(tree, hud):
    hud.keys = [("W A S D", "move")]
    hud.toggle_help()
    tree.advance(0.0)
    corner = -0.99, -0.99
    assert hud.covers(corner)
    hud.press("left", corner)
    tree.advance(0.0)
    assert not hud.covers(corner)


def test_the_same_text_is_not_built_again(base, tree, hud):
    hud.tile_text = "grass"
    tree.advance(0.0)
    before = panel(base, "tile").find("**/plate").node()
    hud.tile_text = "grass"
    hud.unit_text = "Mira"
    tree.advance(0.0)
    assert panel(base, "tile").find("**/plate").node() == before
    hud.tile_text = "sand"
    tree.advance(0.0)
    assert panel(base, "tile").find("**/plate").node() != before


def test_nothing_is_laid_out_while_nothing_changes(tree, hud, monkeypatch):
    hud.tile_text = "grass"
    tree.advance(0.0)
    monkeypatch.setattr(Hud, "_lay_out", lambda *_: pytest.fail("laid out again"))
    hud.tile_text = "grass"
    tree.advance(0.0)


def shown_boxes(base, hud):
    """Give the (left, top, right, bottom) in pixels of every plate that is shown."""
    plates = base.render2d.find(f"**/{hud.name}").find_all_matches("**/plate")
    boxes = []
    for plate in plates:
        if not any(above.is_hidden() for above in plate.ancestors):
            low, high = plate.get_tight_bounds(base.render2d.find(f"**/{hud.name}"))
            boxes.append((low.x, -high.z, high.x, -low.z))
    return boxes


SIZES = [(320, 240), (400, 300), (640, 360), (640, 400), (1280, 720), (500, 900), (3840, 2160)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scale", [0.75, 1.0, 2.0])
@pytest.mark.parametrize("place", [(-0.9, 0.9), (0.0, 0.0), (0.95, -0.95), (-0.6, 0.4)])
def test_no_panel_covers_another_at_any_size(base, tree, hud, monkeypatch, size, scale, place):
    monkeypatch.setattr(Hud, "_window", size)
    hud.unit_text = "Mira, team blue\nwalks, climbs 2 at +1 a level, drops 3\n6 move points"
    hud.tile_text = "grass, level 3\nat (12, 13) deck 1\ncosts 2 to enter\nBram stands here"
    hud.status_text = "Mira cannot go there: Bram stands on (12, 13) deck 1"
    hud.pointer_text = "no path around the corner: climb 3 > 2 at (12, 13)"
    hud.pointer_place = place
    hud.keys = [(f"Key {number}", "does something of some length") for number in range(20)]
    hud.text_scale = scale
    for _ in range(2):
        tree.advance(0.0)
        boxes = shown_boxes(base, hud)
        assert boxes
        for left, top, right, bottom in boxes:
            assert min(left, top) >= -1
            assert right <= size[0] + 1
            assert bottom <= size[1] + 1
        for one, other in itertools.combinations(boxes, 2):
            is_beside = one[2] <= other[0] + 1 or other[2] <= one[0] + 1
            assert is_beside or one[3] <= other[1] + 1 or other[3] <= one[1] + 1
        hud.toggle_help()


def test_what_matters_most_stays_in_a_small_window(base, tree, hud, monkeypatch):
    monkeypatch.setattr(Hud, "_window", (320, 240))
    hud.unit_text = "Mira, team blue\nwalks, climbs 2 at +1 a level, drops 3\n6 move points"
    hud.tile_text = "grass, level 3\nat (12, 13) deck 1\ncosts 2 to enter\nBram stands here"
    hud.status_text = "Mira cannot go there: Bram stands on (12, 13) deck 1"
    hud.pointer_text = "climb 3 > 2 at (12, 13)"
    hud.pointer_place = (0.0, 0.0)
    tree.advance(0.0)
    for name in ("unit", "tile", "status", "pointer"):
        assert not panel(base, name).is_hidden(), name


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_in_a_low_window_a_panel_has_two_lines_with_the_first_of_its_parts(
    tree, hud, monkeypatch, size
):
    monkeypatch.setattr(Hud, "_window", size)
    parts = "Mira, team blue", "36 hit points", "6 points", "walks, climbs 2, drops 3", "on rock"
    hud.unit_text = "\n".join(parts)
    tree.advance(0.0)
    shown = hud._texts["unit"].versions[0].split("\n")
    if size[1] > 480:
        assert " ".join(shown) == " ".join(parts)
    else:
        assert len(shown) <= 2
        assert ", ".join(parts).startswith(" ".join(shown))
        assert parts[1] in " ".join(shown)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_f1_shows_every_key_sheet_by_sheet(base, tree, hud, monkeypatch, size):
    monkeypatch.setattr(Hud, "_window", size)
    hud.keys = [(f"Key {number}", "does something of some length") for number in range(30)]
    seen = []
    for _ in range(40):
        hud.toggle_help()
        tree.advance(0.0)
        if not hud.is_help_open:
            break
        nodes = panel(base, "help").find_all_matches("**/+GeomNode")
        assert len(nodes) > 1
        seen += hud._help._sheets[hud._help.shown]
    text = "\n".join(seen)
    assert all(f"Key {number}" in text.split("\n") for number in range(30))
    assert size != (1280, 720) or len(hud._help._sheets) == 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_each_further_column_of_the_help_begins_with_a_heading(tree, hud, monkeypatch, size):
    monkeypatch.setattr(Hud, "_window", size)
    group = [("", "Group"), ("A", "does this"), ("B", "does that")]
    hud.keys = group * 20
    hud.toggle_help()
    tree.advance(0.0)
    columns = [column for sheet in hud._help._sheets for column in sheet[::2]]
    assert len(columns) > 1
    assert all(column.startswith(f"{heading('Group')}\nA\nB") for column in columns[1:])


@pytest.mark.usefixtures("large_window")
def test_large_text_fills_the_first_sheet_of_the_help(tree, hud):
    group = [(f"Key {number}", "does something of some length") for number in range(30)]
    hud.keys, hud.text_scale = [("", "Group"), *group], 2.0
    hud.toggle_help()
    tree.advance(0.0)
    names = [sheet[0].split("\n") for sheet in hud._help._sheets]
    assert "Key 3" in names[0]
    assert heading("Group") in names[0]


def test_letters_are_drawn_anew_for_another_size_of_them_only(tree, hud, monkeypatch):
    drawn = []
    _letters_of.cache_clear()
    monkeypatch.setattr(
        "terrain3d.view.hud.hud.Letters",
        lambda size, file: drawn.append(size) or Letters(size, file),
    )
    hud.status_text = "ready"
    for size, scale in (((1280, 720), 1.0), ((1300, 720), 1.0), ((2560, 1440), 1.0)):
        monkeypatch.setattr(Hud, "_window", size)
        hud.text_scale = scale
        tree.advance(0.0)
    assert drawn == [16, 33]
    hud.text_scale = 2.0
    tree.advance(0.0)
    assert drawn == [16, 33, 65]


def test_a_press_on_a_panel_is_not_meant_for_the_scene(tree, hud):
    hud.unit_text = "Mira"
    tree.advance(0.0)
    on, beside = (-0.93, 0.88), (0.5, 0.5)
    assert [cover for cover in tree.pointer.overlays if cover.covers(on)] == [hud]
    assert not hud.covers(beside)
    hud.unit_text = ""
    tree.advance(0.0)
    assert not hud.covers(on)


BUTTONS = [
    Button(f"Button {key}", key, Command(key, call=list), is_chosen=key == "b")
    for key in "abcdefghijklmnop"
]
TOOLBAR_SIZES = [(640, 400), (1280, 720), (500, 900), (3840, 2160)]


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


def done_by(toolbar, number, button="left"):
    done, before = [], toolbar.buttons
    toolbar.buttons = [
        replace(each, command=replace(each.command, call=partial(done.append, each.key)))
        for each in before
    ]
    toolbar.parent.tree.advance(0.0)
    toolbar.press(button, middle(toolbar, number))
    toolbar.drag(button, middle(toolbar, number))
    toolbar.buttons = before
    toolbar.parent.tree.advance(0.0)
    return done


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("number", [0, 7, 15])
def test_a_press_does_the_command_once(toolbar, number):
    assert done_by(toolbar, number) == [BUTTONS[number].key]
    assert done_by(toolbar, number) == [BUTTONS[number].key]
    assert done_by(toolbar, number, "right") == []


def plate_at(base, toolbar, number):
    """Give the color of a button beside its text."""
    base.graphics_engine.render_frame()
    image = pixels(base.win)
    x, y = middle(toolbar, number)
    wide = toolbar._boxes[number].width / toolbar.parent._window[0]
    height, width = image.shape[:2]
    return image[int((y + 1) / 2 * height), int((x + 1 - wide * 0.94) / 2 * width)].sum()


@pytest.mark.usefixtures("large_window")
def test_a_button_shows_that_the_pointer_is_on_it_and_holds_it(base, tree, toolbar):
    plain = plate_at(base, toolbar, 2)
    tree.pointer.moved.emit(middle(toolbar, 2))
    hovered = plate_at(base, toolbar, 2)
    toolbar.press("left", middle(toolbar, 2))
    held = plate_at(base, toolbar, 2)
    assert plain < hovered < held
    tree.pointer.released.emit("left")
    assert plate_at(base, toolbar, 2) == hovered
    tree.pointer.moved.emit(middle(toolbar, 3))
    assert plate_at(base, toolbar, 2) == plain
    tree.pointer.moved.emit(None)
    assert plate_at(base, toolbar, 3) == plate_at(base, toolbar, 2)


@pytest.mark.usefixtures("large_window")
def test_a_button_that_is_not_enabled_is_faint_and_does_nothing(base, tree, toolbar):
    pressed = []
    toolbar.pressed.connect(pressed.append)
    plain = plate_at(base, toolbar, 2)
    toolbar.buttons = [replace(each, is_enabled=each.key != "c") for each in BUTTONS]
    tree.advance(0.0)
    assert plate_at(base, toolbar, 2) > plain + 0.1  # the sky shines through
    assert done_by(toolbar, 2) == []
    assert done_by(toolbar, 3) == ["d"]
    assert [each.key for each in pressed] == ["d"]


@pytest.mark.usefixtures("large_window")
def test_the_scene_hears_nothing_of_a_press_on_a_button(tree, toolbar):
    overlay = next(each for each in tree.pointer.overlays if each.covers(middle(toolbar, 3)))
    assert overlay is toolbar
    toolbar.parent.toggle_help()
    tree.advance(0.0)
    assert toolbar._boxes == []


@pytest.mark.parametrize("size", TOOLBAR_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
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
