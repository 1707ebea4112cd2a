"""Nodes in a window: what they hear while they are in it, and nothing of them left behind."""

import pytest

from terrain3d import Node, SceneTree, Signal, TileMap
from terrain3d.view import (
    Hud,
    Node3D,
    OrbitCamera3D,
    Terrain3D,
    TileOverlay3D,
    WindowNode,
    attach,
)
from terrain3d.view.light.daylight import FixedLight
from terrain3d.view.light.shader_light import ShaderLight


class Ear(WindowNode):
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


def test_who_stopped_listening_early_can_leave(tree):
    source = Ear(None)
    source.source = source
    ear = tree.root.add_child(Ear(source))
    source.sent.disconnect(ear.log.append)
    tree.root.remove_child(ear)


@pytest.mark.parametrize("make", [WindowNode, Node3D, Hud])
def test_a_node_of_a_window_says_what_it_needs(make):
    with pytest.raises(RuntimeError, match=r"needs a tree made by attach\(base\)"):
        _ = SceneTree().root.add_child(make()).panda


@pytest.mark.parametrize("make", [Terrain3D, lambda tilemap: OrbitCamera3D(Terrain3D(tilemap))])
def test_what_cannot_enter_a_tree_without_a_window_stays_out(make, tree, tilemap):
    lost, node = SceneTree(), make(tilemap)
    with pytest.raises(RuntimeError, match="needs a tree made by"):
        lost.root.add_child(node)
    assert lost.root.children == ()
    assert not any(part.is_inside_tree for part in node.walk())
    tree.root.add_child(node)


def test_a_terrain_whose_light_fails_is_out_with_nothing_left(
    base, tree, tilemap, traces, monkeypatch
):
    tree.advance(0.0)
    before, windows = traces(), len(base.graphics_engine.get_windows())
    terrain = Terrain3D(tilemap)

    def fail(*_):
        raise OSError("no light today")

    with monkeypatch.context() as patch:
        patch.setattr(FixedLight, "add_subject", fail)
        patch.setattr(ShaderLight, "add_subject", fail)
        with pytest.raises(OSError, match="no light today"):
            tree.root.add_child(terrain)
    assert tree.root.children == ()
    assert traces() == before
    tree.advance(0.0)  # until then another terrain could take over the memory of the shadow map
    assert len(base.graphics_engine.get_windows()) == windows
    assert not tree.pointer.clicked.is_connected(terrain._click)
    tree.root.add_child(terrain)


def test_an_overlay_of_cells_beyond_the_map_stays_out(tree, terrain, traces):
    tree.advance(0.0)
    before = traces()
    overlay = TileOverlay3D()
    overlay.show([(99, 0)])
    with pytest.raises(IndexError, match="outside the map"):
        terrain.add_child(overlay)
    assert overlay not in terrain.children
    assert traces() == before


def test_what_is_freed_with_a_plain_node_above_it_is_removed_too(tree):
    plain = tree.root.add_child(Node())
    below = plain.add_child(Node3D()).add_child(Node()).add_child(Node3D())
    hud = plain.add_child(Hud())
    plain.queue_free()
    tree.advance(0.0)
    assert below.np.is_empty()
    assert hud._np.is_empty()


def test_closing_leaves_nothing_even_if_nodes_raise(base, traces):
    class Sour(Node3D):
        def _process(self, _dt_s):
            raise AssertionError("no frame passes while the tree closes")

        def _exit_tree(self):
            raise OSError("sour")

    before = traces()
    tree = attach(base)
    tree.root.add_child(Sour())
    tree.root.add_child(Terrain3D(TileMap.from_text("01")))
    assert traces() != before
    with pytest.raises(OSError, match="sour"):
        tree.close()
    assert tree.root.children == ()
    assert traces() == before
