"""More than one map in a scene, and a camera whose map is gone."""

import numpy as np
import pytest
from panda3d.core import FrameBufferProperties, GraphicsPipe, WindowProperties

from terrain3d import Node, TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D
from tests.support.window_pictures import picture, pixels


def pixel_of(tree, terrain, cell):
    return tree.project(terrain.tilemap.surface_point(cell), terrain.np)


def test_a_click_belongs_to_the_nearer_of_two_maps(tree):
    front, back = (tree.root.add_child(Terrain3D(TileMap([[0] * 4] * 4))) for _ in range(2))
    back.np.set_pos(0, 30, 0)
    back.np.set_scale(3)
    camera = tree.root.add_child(OrbitCamera3D(target=front))
    camera.look(OrbitView(0, 10, 14, (2.0, -2.0, 0.0)))
    tree.advance(0.0)
    heard = []
    front.tile_clicked.connect(lambda cell, button: heard.append(("front", cell, button)))
    back.tile_clicked.connect(lambda cell, button: heard.append(("back", cell, button)))
    tree.pointer.clicked.emit("left", pixel_of(tree, front, (0, 1)))
    assert heard == [("front", (0, 1, 0), "left"), ("back", None, "left")]
    heard.clear()
    tree.pointer.clicked.emit("left", pixel_of(tree, back, (0, 1)))
    assert heard == [("front", None, "left"), ("back", (0, 1, 0), "left")]


@pytest.fixture
def beside(base):
    """Give a buffer a quarter of the window's size, and its camera."""
    buffer = base.win.make_texture_buffer("beside", 320, 180)
    buffer.set_clear_color((1.0, 0.0, 1.0, 1.0))
    camera = base.make_camera(buffer, camName="beside")
    camera.reparent_to(base.render)
    yield buffer, camera
    base.graphics_engine.remove_window(buffer)
    base.camList.remove(camera)
    camera.remove_node()


def test_the_camera_of_a_buffer_sees_light_shadow_and_sky_too(base, tree, terrain, beside):
    buffer, camera = beside
    tree.root.add_child(OrbitCamera3D(target=terrain))
    tree.advance(0.0)
    camera.node().set_lens(base.camLens.make_copy())
    camera.node().get_lens().set_near_far(1.0, 1000.0)
    camera.set_transform(base.cam.get_transform(base.render))
    window = picture(base, tree)
    halved = window.reshape(180, 2, 320, 2, 3).mean(axis=(1, 3))
    assert np.abs(halved - pixels(buffer)).mean() < 0.02
    camera.set_pos(-12.0, 12.0, 14.0)  # on the other side of the map
    camera.look_at(8.0, -6.0, 0.0)
    picture(base, tree)
    assert (pixels(buffer)[[0, -1], :, 1] > 0.3).all()  # the buffer itself has no green


@pytest.fixture
def open_elsewhere(base):
    """Give what opens an output with a graphics memory of its own, as `base.open_window()` does."""
    opened = []

    def open_():
        output = base.graphics_engine.make_output(
            base.pipe,
            "elsewhere",
            0,
            FrameBufferProperties(FrameBufferProperties.get_default()),
            WindowProperties.size(640, 360),
            GraphicsPipe.BF_refuse_window,
        )
        opened.append(output)
        output.make_display_region().set_camera(base.cam)
        assert output.get_gsg() != base.win.get_gsg()
        return output

    yield open_
    for output in opened:
        base.graphics_engine.remove_window(output)


@pytest.mark.usefixtures("needs_shaders")
def test_a_window_with_a_graphics_memory_of_its_own_comes_and_goes(
    base, tree, terrain, open_elsewhere
):
    tree.root.add_child(OrbitCamera3D(target=terrain))
    alone = picture(base, tree)
    output = open_elsewhere()
    assert np.abs(alone - picture(base, tree)).mean() < 0.003
    assert np.abs(alone - pixels(output)).mean() < 0.02
    with terrain.tilemap.edit() as edit:
        edit.set_level((6, 8), 9)
    higher = picture(base, tree)
    assert np.abs(alone - higher).mean() > 0.003
    assert np.abs(higher - pixels(output)).mean() < 0.02
    base.graphics_engine.remove_window(output)
    assert np.abs(higher - picture(base, tree)).mean() < 0.003


def test_a_camera_outlives_its_map(tree):
    terrain = tree.root.add_child(Terrain3D(TileMap([[0] * 4] * 4)))
    tree.root.add_child(OrbitCamera3D(target=terrain))
    tree.advance(0.1)
    terrain.queue_free()
    tree.advance(0.1)
    before = tree.base.camera.get_mat()
    for _ in range(3):
        tree.advance(0.1)
    assert tree.base.camera.get_mat() == before


def test_a_map_that_comes_in_the_middle_of_a_frame_is_drawn_in_it(base, tree, terrain):
    class Change(Node):
        def _process(self, _dt_s):
            if terrain.is_inside_tree:
                tree.root.add_child(Terrain3D(TileMap([[0, 1], [2, 3]])))
                tree.root.remove_child(terrain)

    tree.root.add_child(Change())
    for _ in range(3):
        base.task_mgr.step()


def test_a_map_has_its_sky_from_its_first_picture_on(base, tree, request):
    usual = base.win.get_clear_color()
    request.addfinalizer(lambda: base.win.set_clear_color(usual))
    base.win.set_clear_color((1.0, 0.0, 1.0, 1.0))
    base.camera.set_pos(0.0, -9.0, 5.0)
    tree.root.add_child(Terrain3D(TileMap([[0, 1], [2, 3]])))
    base.graphics_engine.render_frame()
    base.graphics_engine.render_frame()
    assert (pixels(base.win)[[0, -1], :, 1] > 0.3).all()  # the window itself has no green
