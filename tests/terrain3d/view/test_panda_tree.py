"""Trees of nodes in a window: rays, events, and several maps in one scene."""

import gc
import weakref

import numpy as np
import pytest
from direct.showbase.DirectObject import DirectObject
from direct.showbase.Messenger import Messenger
from panda3d.core import ClockObject, FrameBufferProperties, GraphicsPipe, WindowProperties

from ai import Board, Unit
from terrain3d import Node, SceneTree, Signal, TileMap, view
from terrain3d.view.light.daylight import SceneLight
from terrain3d.view.light.shader_light import ShaderLight
from tests.support.boards import one_edit
from tests.support.window_pictures import picture, pixels


class Ear(view.WindowNode):
    sent = Signal("what")

    def __init__(self, source):
        super().__init__()
        self.source, self.log = source, []

    def _enter_tree(self):
        self.accept("terrain3d-test", self.log.append, "event")
        self.listen(self.source.sent, self.log.append)


def test_a_node_hears_events_and_signals_while_it_is_in_the_tree(base, tree):
    source = Ear(None)
    source.source = source
    ear = Ear(source)
    for _ in range(2):
        tree.root.add_child(ear)
        base.messenger.send("terrain3d-test")
        source.sent.emit("signal")
        assert ear.log == ["event", "signal"]
        tree.root.remove_child(ear)
        base.messenger.send("terrain3d-test")
        source.sent.emit("signal")
        assert ear.log == ["event", "signal"]
        ear.log.clear()


def test_a_signal_does_not_keep_a_node_alive_by_a_method_of_its_own():
    source, node = Ear(None), view.WindowNode()
    source.listen(source.sent, source.log.append)  # kept, as it is no method of the node
    node.listen(source.sent, node.queue_free)
    is_alive = weakref.ref(node)
    del node
    gc.collect()
    assert is_alive() is None
    source.sent.emit("signal")
    assert source.log == ["signal"]


@pytest.mark.parametrize(
    "make", [view.Terrain3D, lambda tilemap: view.OrbitCamera3D(view.Terrain3D(tilemap))]
)
def test_what_cannot_enter_a_tree_without_a_window_stays_out(make, tree, tilemap):
    lost, node = SceneTree(), make(tilemap)
    with pytest.raises(RuntimeError, match="needs a tree made by"):
        lost.root.add_child(node)
    assert lost.root.children == ()
    with pytest.raises(RuntimeError, match=r"needs a tree made by attach\(base\)"):
        _ = lost.root.add_child(view.Node3D()).panda
    assert not any(part.is_inside_tree for part in node.walk())
    tree.root.add_child(node)


def test_a_terrain_whose_light_fails_leaves_nothing(base, tree, tilemap, traces, monkeypatch):
    tree.advance(0.0)
    before, windows = traces(), len(base.graphics_engine.get_windows())
    terrain = view.Terrain3D(tilemap)

    def fail(*_):
        raise OSError("no light today")

    with monkeypatch.context() as patch:
        patch.setattr(SceneLight, "add_subject", fail)
        patch.setattr(ShaderLight, "add_subject", fail)
        with pytest.raises(OSError, match="no light today"):
            tree.root.add_child(terrain)
    assert tree.root.children == ()
    assert traces() == before
    tree.advance(0.0)  # until then another terrain could take over the memory of the shadow map
    assert len(base.graphics_engine.get_windows()) == windows
    assert not tree.pointer.clicked.is_connected(terrain._click)
    tree.root.add_child(terrain)


def test_closing_leaves_nothing_even_if_nodes_raise(base, traces):
    class Sour(view.Node3D):
        def _process(self, _dt_s):
            raise AssertionError("no frame passes while the tree closes")

        def _exit_tree(self):
            raise OSError("sour")

    before = traces()
    tree = view.attach(base)
    tree.root.add_child(Sour())
    tree.root.add_child(view.Terrain3D(TileMap.from_text("01")))
    assert traces() != before
    with pytest.raises(OSError, match="sour"):
        tree.close()
    assert tree.root.children == ()
    assert traces() == before


def test_each_signal_of_nodes_maps_and_boards_is_an_event_with_its_values():
    tilemap, messenger, heard = TileMap.from_text("00\n00"), Messenger(), []
    terrain, board, ear = view.Terrain3D(tilemap), Board(tilemap), DirectObject()
    names = [*view.forward_signals(terrain, messenger, "terrain")]
    assert set(names) >= {"terrain-tile_clicked", "terrain-tile_hovered", "terrain-ready"}
    names += [*view.forward_signals(board, messenger, "board")]
    for name in (*names, *view.forward_signals(tilemap, messenger, "map")):
        messenger.accept(name, ear, lambda *values, name=name: heard.append((name, *values)))
    terrain.tile_clicked.emit((0, 1), "left")
    terrain.tile_hovered.emit(None)
    mira = board.add(Unit("Mira", (0, 0)))
    one_edit(tilemap).set_level((1, 1), 2)
    clicked, hovered, (name, entry), *more = heard
    assert clicked == ("terrain-tile_clicked", (0, 1), "left")
    assert hovered == ("terrain-tile_hovered", None)
    assert (name, board.unit(entry.changes[0].unit)) == ("board-changed", mira)
    assert ("map-changed", (1, 1, 1, 1)) in more
    terrain.queue_free()


@pytest.mark.usefixtures("large_window")
def test_the_camera_of_a_buffer_sees_light_shadow_and_sky_too(base, tree, terrain, request):
    buffer = base.win.make_texture_buffer("beside", 320, 180)
    request.addfinalizer(lambda: base.graphics_engine.remove_window(buffer))
    buffer.set_clear_color((1.0, 0.0, 1.0, 1.0))
    camera = base.make_camera(buffer, camName="beside")
    request.addfinalizer(lambda: (base.camList.remove(camera), camera.remove_node()))
    camera.reparent_to(base.render)
    tree.root.add_child(view.OrbitCamera3D(target=terrain))
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


@pytest.mark.usefixtures("large_window", "needs_shaders")
def test_a_window_with_graphics_memory_of_its_own_may_go(base, tree, terrain, request):
    tree.root.add_child(view.OrbitCamera3D(target=terrain))
    alone = picture(base, tree)
    format_ = FrameBufferProperties(FrameBufferProperties.get_default())
    size, flags = WindowProperties.size(640, 360), GraphicsPipe.BF_refuse_window
    # As `base.open_window()` opens one.
    output = base.graphics_engine.make_output(base.pipe, "elsewhere", 0, format_, size, flags)
    request.addfinalizer(lambda: base.graphics_engine.remove_window(output))
    output.make_display_region().set_camera(base.cam)
    assert output.get_gsg() != base.win.get_gsg()
    assert np.abs(alone - picture(base, tree)).mean() < 0.003
    assert np.abs(alone - pixels(output)).mean() < 0.02
    one_edit(terrain.tilemap).set_level((6, 8), 9)
    higher = picture(base, tree)
    assert np.abs(alone - higher).mean() > 0.003
    assert np.abs(higher - pixels(output)).mean() < 0.02
    base.graphics_engine.remove_window(output)
    assert np.abs(higher - picture(base, tree)).mean() < 0.003


def test_a_map_that_comes_in_the_middle_of_a_frame_is_drawn_in_it(base, tree, terrain):
    class Change(Node):
        def _process(self, _dt_s):
            if terrain.is_inside_tree:
                tree.root.add_child(view.Terrain3D(TileMap([[0, 1], [2, 3]])))
                tree.root.remove_child(terrain)

    tree.root.add_child(Change())
    for _ in range(3):
        base.task_mgr.step()


def test_a_map_has_its_sky_from_its_first_picture_on(base, tree, request):
    usual = base.win.get_clear_color()
    request.addfinalizer(lambda: base.win.set_clear_color(usual))
    base.win.set_clear_color((1.0, 0.0, 1.0, 1.0))
    base.camera.set_pos(0.0, -9.0, 5.0)
    tree.root.add_child(view.Terrain3D(TileMap([[0, 1], [2, 3]])))
    base.graphics_engine.render_frame()
    base.graphics_engine.render_frame()
    assert (pixels(base.win)[[0, -1], :, 1] > 0.3).all()  # the window itself has no green


def test_a_node_is_placed_in_the_words_of_godot(tree):
    node = tree.root.add_child(view.Node3D("a"))
    assert (node.position, node.rotation_degrees, node.scale) == ((0, 0, 0), (0, 0, 0), (1, 1, 1))
    assert node.visible
    node.position, node.rotation_degrees, node.scale = (1, 2, 3), (30, 0, 0), (2, 2, 1)
    assert tuple(node.np.get_pos()) == (1, 2, 3)
    assert node.np.get_h() == pytest.approx(30)
    assert node.scale == pytest.approx(tuple(node.np.get_scale())) == (2, 2, 1)
    node.visible = False
    assert node.np.is_hidden()
    below = node.add_child(view.Node3D("b"))
    assert below.visible  # itself, as Godot's
    assert not tree.viewport.shows(below.np)
    node.np.show()
    assert node.visible
    with pytest.raises(ValueError, match="scale must not have a 0"):
        node.scale = (1, 0, 1)


def test_after_a_slow_frame_what_plays_goes_on_from_where_it_was(base, tree):
    class Played(Node):
        def _process(self, dt_s):
            seen.append(dt_s)

    seen = []
    tree.root.add_child(Played())
    mode, base.clock.mode = base.clock.mode, ClockObject.M_non_real_time
    for frame_s in (0.04, 7.0, 0.04):
        base.clock.dt = frame_s
        base.task_mgr.step()
    base.clock.mode = mode
    assert max(seen) == 0.1
    assert min(seen) == pytest.approx(0.04)
