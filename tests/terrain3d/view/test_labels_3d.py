"""Labels in the scene: laid out, facing the camera, clear of each other."""

import itertools

import numpy as np
import pytest

from terrain3d.look.orbit import OrbitView
from terrain3d.view import Hud, Labels3D, PathRibbon3D, TileOverlay3D
from tests.support.boards import one_edit
from tests.support.window_pictures import is_drawn, overlap, pixel, seen_boxes
from tests.support.window_pictures import picture_255 as picture

pytestmark = pytest.mark.usefixtures("large_window")


@pytest.fixture
def labels(terrain):
    return terrain.add_child(Labels3D())


@pytest.fixture
def point(terrain, camera, labels):
    """Show a label at a point that is seen, and return the point."""
    point = terrain.tilemap.surface_point((6, 8))
    camera.look(OrbitView(0.0, 40.0, 12.0, point))
    labels.show([point], ["7"])
    return point


def changed(before, after):
    """Give the (row, column)s of pixels that differ."""
    return np.argwhere(abs(after - before).max(axis=2) > 40)


@pytest.mark.parametrize("heading_deg", [0.0, 130.0, 250.0])
@pytest.mark.parametrize("pitch_deg", [20.0, 89.0])
def test_a_label_is_upright_at_a_point(base, tree, terrain, camera, labels, heading_deg, pitch_deg):
    one_edit(terrain.tilemap).set_level((6, 8), 12)  # nothing is in front of it
    point = terrain.tilemap.surface_point((6, 8))
    camera.look(OrbitView(heading_deg, pitch_deg, 12.0, point))
    before = picture(base, tree)
    labels.size = 1.0
    labels.show([point], ["11"])
    rows, cols = changed(before, picture(base, tree)).T
    row, col = pixel(base, terrain, point)
    assert abs(cols.mean() - col) < 5
    assert 0 <= rows.mean() - row < 30
    assert np.ptp(rows) > 4


@pytest.mark.usefixtures("point")
@pytest.mark.parametrize("hidden", ["labels", "terrain"])
def test_labels_are_hidden_as_long_as_a_game_wants_and_if_too_small(tree, terrain, labels, hidden):
    for is_visible in (True, False, True):
        {"labels": labels, "terrain": terrain}[hidden].visible = is_visible
        for _ in range(2):
            tree.advance(0.1)
            assert is_drawn(labels.np) == is_visible
    labels.size = 0.1
    tree.advance(0.0)
    assert not is_drawn(labels.np)


def test_what_is_higher_hides_a_label_behind_it(base, tree, terrain, camera, labels):
    one_edit(terrain.tilemap).set_level((7, 8), 12)
    point = terrain.tilemap.surface_point((5, 8))
    camera.look(OrbitView(0.0, 20.0, 12.0, point))
    before = picture(base, tree)
    labels.show([point], ["8"])
    assert len(changed(before, picture(base, tree))) == 0
    labels.no_depth_test = True
    assert len(changed(before, picture(base, tree))) > 20
    labels.no_depth_test = False
    assert len(changed(before, picture(base, tree))) == 0


@pytest.mark.parametrize("heading_deg", [0.0, 90.0, 200.0])
@pytest.mark.parametrize(("pitch_deg", "distance"), [(20.0, 9.0), (35.0, 16.0), (80.0, 12.0)])
def test_texts_never_overlap_and_the_more_important_stay(
    base, tree, terrain, camera, heading_deg, pitch_deg, distance
):
    cells = [(row, col) for row in range(3, 9) for col in range(4, 12)]
    overlay = terrain.add_child(TileOverlay3D())
    overlay.shows_labels = True
    overlay.show(cells, ["12"] * len(cells))
    ribbon = terrain.add_child(PathRibbon3D())
    points = [terrain.tilemap.surface_point((6, col)) for col in range(5, 11)]
    ribbon.show(points, labels=["+1"] * 5, turn_ends=[1, 3, 5])
    camera.look(OrbitView(heading_deg, pitch_deg, distance, points[3]))
    hud = tree.root.add_child(Hud())
    hud.status_text = "a panel"
    tree.advance(0.0)
    boxes = seen_boxes(base, tree)
    assert len(boxes) > 8
    panels = [(box[0], box[1], box[0] + box[2], box[1] + box[3]) for box in hud.boxes]
    assert not any(overlap(*pair) for pair in itertools.combinations([*boxes, *panels], 2))
    alone = len(boxes)
    overlay.shows_labels = False
    tree.advance(0.0)
    with_turns = len(seen_boxes(base, tree))
    assert 2 <= with_turns < alone
    ribbon.show(points, turn_ends=[1, 3, 5])
    tree.advance(0.0)
    assert len(seen_boxes(base, tree)) == 2, "the turns have room before the steps"


@pytest.mark.usefixtures("point")
def test_a_label_under_a_panel_is_hidden(base, tree, labels, hud):
    tree.advance(0.0)
    assert len(seen_boxes(base, tree)) == 1
    hud.pointer_text, hud.pointer_place = "x" * 30, (0.0, -0.1)
    tree.advance(0.0)
    [panel] = [box for box in hud.boxes if box is hud._label_box]
    x, y = base.win.get_x_size() / 2, base.win.get_y_size() / 2
    right, down = panel.left + panel.width / 2 - x, panel.top + panel.height / 2 - y
    hud.pointer_place = (-right / x, -0.1 + down / y)
    tree.advance(0.0)
    assert hud._label_box.contains(x, y)
    assert seen_boxes(base, tree) == []
    labels.keeps_clear = False
    tree.advance(0.0)
    assert len(seen_boxes(base, tree)) == 1
