"""Light that changes its mood: at once or gradually, with the shadows."""

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.look.lighting_presets import NIGHT, NOON
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D
from terrain3d.view.light.daylight import MOOD_S
from tests.support.window_pictures import color_at, picture


@pytest.fixture
def tower(tree):
    """A field of sand with a tower in its middle."""
    tilemap = TileMap.from_text("0000000\n0000000\n0000000\n0004000\n0000000\n0000000\n0000000")
    with tilemap.edit() as edit:
        for row in range(7):
            for col in range(7):
                edit.set_kind((row, col), "sand")
    terrain = tree.root.add_child(Terrain3D(tilemap))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    camera.look(OrbitView(0.0, 89.0, 18.0, (3.5, -3.5, 0.0)))
    return terrain


GROUND = (1.5, -1.5, 0.0)
# What lies behind the tower as the noon's sun sees it, and as the night's does.
BEHIND = (4.6, -2.6, 0.0), (2.6, -2.4, 0.0)


def test_a_mood_set_before_is_there_at_once(base, tree):
    terrain = Terrain3D(TileMap([[0]]))
    assert terrain.mood is NOON
    terrain.mood = "night"
    assert terrain.mood is NIGHT
    tree.root.add_child(terrain)
    before = picture(base, tree)
    assert before[-1].mean() < 0.3
    assert np.array_equal(picture(base, tree, MOOD_S), before)


def test_a_mood_comes_by_and_by_and_is_the_same_in_the_end(base, tree, tower):
    noon = color_at(base, tower, picture(base, tree), GROUND)
    tower.mood = NIGHT
    assert tower.mood is NIGHT
    first = color_at(base, tower, picture(base, tree), GROUND)
    half = color_at(base, tower, picture(base, tree, 0.5 * MOOD_S), GROUND)
    last = picture(base, tree, 0.5 * MOOD_S)
    np.testing.assert_allclose(first, noon, atol=0.01)
    assert noon.sum() - 0.2 > half.sum() > color_at(base, tower, last, GROUND).sum() + 0.2
    tree.root.remove_child(tower)
    tree.root.add_child(tower)
    np.testing.assert_allclose(picture(base, tree), last, atol=0.02)


def test_a_mood_that_turns_back_half_way_does_not_jump(base, tree, tower):
    tower.mood = NIGHT
    half = picture(base, tree, 0.5 * MOOD_S)
    tower.mood = NOON
    np.testing.assert_allclose(picture(base, tree), half, atol=0.02)


def test_an_unknown_mood_leaves_the_light_as_it_is(terrain):
    with pytest.raises(ValueError, match="a mood must be one of"):
        terrain.mood = "dawn"
    assert terrain.mood is NOON


@pytest.mark.usefixtures("needs_shaders")
def test_shadows_follow_the_sun(base, tree, tower):
    image = picture(base, tree)
    east, west = (color_at(base, tower, image, point).sum() for point in BEHIND)
    assert east < 0.8 * west
    tower.mood = NIGHT
    image = picture(base, tree, MOOD_S)
    east, west = (color_at(base, tower, image, point).sum() for point in BEHIND)
    assert west < 0.8 * east


def test_changing_moods_leaves_nothing_behind(tree, tilemap, traces):
    tree.advance(0.0)
    before = traces()
    terrain = tree.root.add_child(Terrain3D(tilemap))
    for mood in ("dusk", "night", "noon"):
        terrain.mood = mood
        tree.advance(0.3 * MOOD_S)
    terrain.queue_free()
    tree.advance(0.0)
    assert traces() == before


def test_the_sky_is_around_the_camera_in_each_frame_of_its_flight(base, tree, tower):
    camera = tree.root.children[-1]
    camera.goal = OrbitView(90.0, 30.0, 60.0, (3.5, -3.5, 0.0))
    sky = tower.np.find("**/Sky/all")
    for _ in range(5):
        before = base.cam.get_pos(base.render)
        tree.advance(0.1)
        place = base.cam.get_pos(base.render)
        assert (place - before).length() > 0.1
        assert sky.get_pos(base.render).almost_equal(place, 1e-3)
        far = base.camLens.get_far()
        assert 0.85 * far < sky.get_scale(base.render).x < far
