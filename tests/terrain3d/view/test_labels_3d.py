"""Labels in a window: seen at their points from any side, gone when they could not be read."""

import numpy as np
import pytest

from terrain3d.look.orbit import OrbitView
from terrain3d.view import Labels3D, OrbitCamera3D
from tests.terrain3d.view.test_overlays_3d import picture, pixel


@pytest.fixture
def camera(tree, terrain):
    return tree.root.add_child(OrbitCamera3D(target=terrain))


@pytest.fixture
def labels(terrain):
    return terrain.add_child(Labels3D())


def changed(before, after):
    """Give the (row, column)s of pixels that differ."""
    return np.argwhere(abs(after - before).max(axis=2) > 40)


@pytest.mark.parametrize("heading_deg", [0.0, 130.0, 250.0])
@pytest.mark.parametrize("pitch_deg", [20.0, 89.0])
def test_a_label_is_seen_upright_at_its_point(
    base, tree, terrain, camera, labels, heading_deg, pitch_deg
):
    with terrain.tilemap.edit() as edit:
        edit.set_level((6, 8), 12)  # nothing is in front of it
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


def test_labels_too_small_to_read_are_hidden(tree, terrain, camera, labels):
    point = terrain.tilemap.surface_point((6, 8))
    labels.show([point], ["7"])
    camera.look(OrbitView(0.0, 40.0, 12.0, point))
    tree.advance(0.0)
    assert not labels.np.is_hidden()
    labels.size = 0.1
    tree.advance(0.0)
    assert labels.np.is_hidden()


def test_what_is_higher_hides_a_label_behind_it(base, tree, terrain, camera, labels):
    with terrain.tilemap.edit() as edit:
        edit.set_level((7, 8), 12)
    point = terrain.tilemap.surface_point((5, 8))
    camera.look(OrbitView(0.0, 20.0, 12.0, point))
    before = picture(base, tree)
    labels.show([point], ["8"])
    assert len(changed(before, picture(base, tree))) == 0


def test_a_standing_camera_builds_nothing(tree, terrain, camera, labels):
    camera.look(OrbitView(0.0, 40.0, 12.0, terrain.tilemap.surface_point((6, 8))))
    labels.show([terrain.tilemap.surface_point((6, 8))], ["7"])
    tree.advance(0.0)
    node = labels.np.find("**/+GeomNode").node()
    labels.show(labels.points, ["7"])
    tree.advance(0.0)
    assert labels.np.find("**/+GeomNode").node() == node
    camera.look(OrbitView(5.0, 40.0, 12.0, terrain.tilemap.surface_point((6, 8))))
    tree.advance(0.0)
    assert labels.np.find("**/+GeomNode").node() != node


def test_wrong_labels_leave_what_was_shown(labels):
    labels.show([(1, 2, 3)], ["7"])
    for points, texts, words in (
        ([(0, 0, 0)], ["7", "8"], "got 1 points and 2 texts"),
        ([(0, 0, 0)], ["?"], r"texts are made of .* got '\?'"),
    ):
        with pytest.raises(ValueError, match=words):
            labels.show(points, texts)
    assert (labels.texts, labels.points) == (("7",), [(1, 2, 3)])


def test_freed_labels_leave_nothing(tree, terrain, camera, traces):
    tree.advance(0.0)
    before = traces()
    labels = terrain.add_child(Labels3D())
    labels.show([terrain.tilemap.surface_point((6, 8))], ["7"])
    camera.look(OrbitView(0.0, 40.0, 12.0, terrain.tilemap.surface_point((6, 8))))
    tree.advance(0.0)
    assert traces() != before
    labels.queue_free()
    tree.advance(0.0)
    assert traces() == before
