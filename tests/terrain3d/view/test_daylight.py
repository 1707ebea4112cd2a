"""Light, shadows and quality: what changes them, and what is drawn again."""

import numpy as np
import pytest
from panda3d.core import CardMaker

from ai.view import Unit3D
from terrain3d import TileMap, landscape
from terrain3d.look.lighting_presets import NIGHT, NOON
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import HIGH, LOW
from terrain3d.view import OrbitCamera3D, Terrain3D
from terrain3d.view.light.daylight import MOOD_S, floor_mesh
from tests.support.meshes import facing
from tests.support.programs import fork_python
from tests.support.scenes import Mover
from tests.support.window_pictures import SAND, color_at, picture, shown_from


@pytest.fixture
def tower(tree):
    """A field of sand with a tower in its middle."""
    text = "0000000\n0000000\n0000000\n0004000\n0000000\n0000000\n0000000"
    tilemap = TileMap.from_text(text, SAND)
    return shown_from(tree, tilemap, 0.0, 89.0, 18.0, (3.5, -3.5, 0.0))[0]


GROUND = (1.5, -1.5, 0.0)
# What lies behind the tower as the noon's sun sees it, and as the night's does.
BEHIND = (4.6, -2.6, 0.0), (2.6, -2.4, 0.0)


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
    tower.mood = NOON
    half = picture(base, tree, 0.5 * MOOD_S)
    tower.mood = NIGHT  # it turns back without a jump
    np.testing.assert_allclose(picture(base, tree), half, atol=0.02)


@pytest.mark.usefixtures("needs_shaders")
def test_shadows_follow_the_sun(base, tree, tower):
    def east_and_west():
        image = picture(base, tree, MOOD_S)
        return (color_at(base, tower, image, point).sum() for point in BEHIND)

    east, west = east_and_west()
    assert east < 0.8 * west
    tower.mood = NIGHT
    east, west = east_and_west()
    assert west < 0.8 * east


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


@pytest.fixture
def shadowed(tree, request):
    request.getfixturevalue("needs_shaders")
    terrain = tree.root.add_child(Terrain3D(TileMap.from_text("0000\n0000\n0000\n0000")))
    tree.advance(0.05)
    return terrain


def shadows(base):
    windows = base.graphics_engine.get_windows()
    return [window for window in windows if window.get_name() == "shadow"]


@pytest.fixture
def frames_drawn(base, tree):
    """Give the count of those of the next frames that draw the shadow map."""

    def count(frames=3):
        drawn = 0
        for _ in range(frames):
            tree.advance(0.05)
            (shadow,) = shadows(base)
            drawn += shadow.is_active()
            base.graphics_engine.render_frame()
        return drawn

    return count


def test_shadows_are_kept_while_one_breathes_and_drawn_if_not(shadowed, frames_drawn, tree):
    shadowed.add_child(Unit3D(Mover()))
    assert frames_drawn(2) == 1
    assert frames_drawn(100) == 0
    shadowed.add_child(Unit3D(Mover()))
    tree.advance(0.05)
    assert (frames_drawn(1), frames_drawn(1)) == (1, 0)


def test_a_terrain_takes_over_the_memory_of_one_that_leaves_in_the_same_frame(base, tree, shadowed):
    (before,) = shadows(base)
    tree.root.remove_child(shadowed)
    shadowed.queue_free()
    other = tree.root.add_child(Terrain3D(TileMap.from_text("01\n10")))
    tree.advance(0.05)
    assert shadows(base) == [before]
    assert before.is_active()  # it shows the other map's shadows from now on
    other.quality = "low"
    tree.advance(0.05)
    (smaller,) = shadows(base)
    assert smaller.get_x_size() < before.get_x_size()
    tree.root.remove_child(other)
    tree.advance(0.05)
    assert shadows(base) == []


@pytest.mark.parametrize("what", ["edit", "walk", "leave", "hide", "below"])
def test_each_change_of_what_casts_them_draws_them_once(shadowed, frames_drawn, what):
    mover = Mover()
    figure = shadowed.add_child(Unit3D(mover))
    frames_drawn()
    if what == "edit":
        with shadowed.tilemap.edit() as edit:
            edit.set_level((1, 1), 3)
    elif what == "walk":
        mover.pose.point = (2.6, -2.5, 0.0)
    elif what == "leave":
        shadowed.remove_child(figure)
    elif what == "hide":
        figure.np.hide()
    else:
        shadowed.np.find("ground").attach_new_node(CardMaker("wall").generate())
    assert frames_drawn(1) == 1
    assert frames_drawn() == 0


@pytest.mark.parametrize("high", [(10.0, 10.0), (40.0, 2.0), (1.0, 1.0)])
def test_the_shadow_covers_the_map_and_fades_outward(high):
    mesh = floor_mesh((0.0, 0.0), high, -1.0)
    middle, alpha = np.array(high) / 2, mesh.colors[:, 3].astype(int)
    beyond = (np.abs(mesh.positions[:, :2] - middle) - middle).max(axis=1)
    assert (mesh.positions[:, 2] == -1.0).all()
    assert facing(mesh).min() > -1e-6
    assert alpha[beyond < 0.0].min() > 40
    assert 0.0 < beyond[alpha == 0].min() < beyond.max() < 0.3 * max(high)


def triangles(terrain):
    nodes = [path.node() for path in terrain.np.find("ground").find_all_matches("**/+GeomNode")]
    geoms = [node.get_geom(i) for node in nodes for i in range(node.get_num_geoms())]
    return sum(geom.get_primitive(0).get_num_primitives() for geom in geoms)


@pytest.mark.usefixtures("needs_shaders")
def test_a_quality_chosen_while_it_runs_holds_from_the_next_frame_on(base, tree):
    terrain = tree.root.add_child(Terrain3D(landscape(20, 20, 7)))
    tree.root.add_child(OrbitCamera3D(target=terrain))
    assert terrain.quality is HIGH
    high = picture(base, tree)
    assert [shadow.get_x_size() for shadow in shadows(base)] == [HIGH.shadow_size]
    before = triangles(terrain)
    terrain.quality = "low"
    assert terrain.quality is LOW
    terrain.build_visible()
    low = picture(base, tree)
    assert [shadow.get_x_size() for shadow in shadows(base)] == [LOW.shadow_size]
    assert triangles(terrain) < 0.9 * before
    assert 0.0 < np.abs(low - high).mean() < 0.03
    terrain.quality = "high"
    terrain.build_visible()
    assert triangles(terrain) == before
    assert np.abs(picture(base, tree) - high).max() == 0.0


@pytest.mark.usefixtures("needs_shaders")
@pytest.mark.parametrize("samples", [0, 4])
def test_a_window_has_the_samples_it_is_opened_with(samples):
    code = (
        "from terrain3d.view.window import window\n"
        f"base = window.open_offscreen(64, 64, samples={samples})\n"
        "print(base.win.get_fb_properties().get_multisamples())\n"
    )
    assert int(fork_python(code).stdout) == samples
