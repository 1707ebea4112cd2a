"""Labels and markers above units: legible at any distance, in front of all terrain."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ai import Board, Unit
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.look.layout import Box
from terrain3d.look.orbit import OrbitView
from terrain3d.mesh.figures import team_color
from terrain3d.view import Labels3D, OrbitCamera3D, Terrain3D
from tests.support.window_pictures import picture

NEAR, FAR = 10.0, 60.0
TALL = 6


@pytest.fixture
def look(base, tree):
    """Give a function that draws the unit from a distance, with or without a label and a hill."""

    def draw(distance, label="", team="blue", hill=False):
        tilemap = TileMap(np.zeros((9, 9), int))
        if hill:
            with tilemap.edit() as edit:
                for col in range(9):
                    edit.set_level((6, col), TALL)
        terrain = tree.root.add_child(Terrain3D(tilemap))
        figure = terrain.add_child(Unit3D(Board(tilemap).add(Unit("Mira", (4, 4), team))))
        figure.label = label
        camera = tree.root.add_child(OrbitCamera3D(target=terrain))
        camera.look(OrbitView(0.0, 20.0, distance, (4.5, -4.5, 0.5)))
        picture(base, tree, 0.01)  # the tag adapts to the camera in the next frame
        image = picture(base, tree)
        terrain.queue_free()
        camera.queue_free()
        return image

    return draw


def box(mask):
    """Give the height and the width of the pixels of a mask."""
    rows, cols = np.nonzero(mask)
    return np.array([np.ptp(rows) + 1, np.ptp(cols) + 1]) if len(rows) else np.zeros(2, int)


def changed(one, other):
    return np.abs(one - other).max(axis=2) > 0.2


def in_color(image, team):
    return np.abs(image - team_color(team)).max(axis=2) < 0.03


def test_a_label_is_as_large_from_far_away(look):
    near = box(changed(look(NEAR), look(NEAR, "Mira  6")))
    far = box(changed(look(FAR), look(FAR, "Mira  6")))
    assert near[0] >= 12
    np.testing.assert_allclose(far, near, atol=3)


def test_a_label_is_seen_in_front_of_a_hill(look):
    hidden = box(changed(look(NEAR, hill=True), look(NEAR, "Mira  6", hill=True)))
    np.testing.assert_allclose(hidden, box(changed(look(NEAR), look(NEAR, "Mira  6"))), atol=3)


@pytest.mark.parametrize("team", ["blue", "red"])
def test_a_marker_is_seen_from_far_away_also_behind_a_hill(look, team):
    for hill in (False, True):
        height, width = box(in_color(look(FAR, team=team, hill=hill), team))
        assert min(height, width) >= 10
    near = look(NEAR, team=team, hill=True)
    assert box(in_color(near, team)).min() < 3, "a near figure needs none"


def test_a_label_stays_inside_the_window_as_long_as_its_unit_is(base, tree):
    tilemap = TileMap(np.zeros((9, 9), int))
    terrain = tree.root.add_child(Terrain3D(tilemap))
    figure = terrain.add_child(Unit3D(Board(tilemap).add(Unit("Mira", (4, 4)))))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))

    def label_box(part):
        """Give the size of the label of a unit that is `part` of the way to the right edge."""
        view = OrbitView(0.0, 20.0, NEAR, (4.5, -4.5, 0.5))
        camera.look(replace(view, target=(3.5, -4.5, 0.5)))
        x, _ = tree.project((4.5, -4.5, 1.2), terrain.np)
        camera.look(replace(view, target=(4.5 - part / x, -4.5, 0.5)))
        figure.label = ""
        plain = picture(base, tree)
        figure.label = "Mira  6"
        return box(changed(plain, picture(base, tree)))

    np.testing.assert_allclose(label_box(0.99), label_box(0.0), atol=3)
    assert label_box(1.05).max() == 0


def test_a_label_gives_way_to_panels_and_has_room_before_other_texts(base, tree):
    tilemap = TileMap(np.zeros((9, 9), int))
    terrain = tree.root.add_child(Terrain3D(tilemap))
    figure = terrain.add_child(Unit3D(Board(tilemap).add(Unit("Mira", (4, 4)))))
    texts = terrain.add_child(Labels3D())
    texts.show([(4.5, -4.5, 0.95), (6.5, -4.5, 1.4)], ["1", "2"])
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    camera.look(OrbitView(0.0, 20.0, NEAR, (4.5, -4.5, 0.5)))
    plain = picture(base, tree)
    figure.label = "Mira  6"
    labeled = picture(base, tree)
    rows, cols = np.nonzero(changed(plain, labeled))
    height, width, _ = plain.shape
    assert abs(cols.mean() - width / 2) < 4
    assert np.ptp(cols) < width / 4, "the other text is still there"
    texts.show([(6.5, -4.5, 1.4)], ["2"])
    assert np.array_equal(picture(base, tree), labeled), "the text under the label was hidden"
    # A panel over one corner of the label, found on the picture.
    corner = Box(cols.max() - 3, height - rows.max(), 20, 20)
    panel = SimpleNamespace(covers=lambda _point: False, boxes=[corner], press=print)
    tree.pointer.overlays.append(panel)
    texts.show([(4.5, -4.5, 0.95), (6.5, -4.5, 1.4)], ["1", "2"])
    assert np.array_equal(picture(base, tree), plain)
    panel.boxes = [corner._replace(left=cols.max() + 6)]
    texts.clear()
    assert changed(picture(base, tree), plain)[rows, cols].mean() > 0.9
