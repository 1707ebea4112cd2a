"""What a game removes, hides or takes out of the scene is neither touched nor picked."""

from dataclasses import replace

import pytest
from panda3d import core
from panda3d.core import NodePath

from ai import Board, Commander, Unit
from ai.view import Commander3D, Unit3D
from terrain3d import Cell, TileMap, view
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import LOW
from tests.support.scenes import Mover


@pytest.fixture
def tilemap():
    return TileMap([[0] * 4] * 4)


@pytest.fixture
def scene(tree, terrain):
    """One node of each kind on a terrain, all of them showing something."""
    kinds = view.TileCursor3D, view.TileOverlay3D, view.PathRibbon3D, view.Crumbs3D, view.Labels3D
    nodes = [*(kind() for kind in (*kinds, view.Node3D)), Unit3D(Mover((1.5, -1.5, 0.0)))]
    nodes = [terrain.add_child(node) for node in nodes]
    cursor, overlay, ribbon, crumbs, labels, *_ = nodes
    cursor.cell = (1, 2)
    overlay.show([(1, 1)], ["3"])
    overlay.shows_labels = True
    crumbs.show([(1, 1)])
    ribbon.show([(0.5, -0.5, 0.0), (1.5, -0.5, 0.0)], labels=["1"])
    labels.show([(1.5, -1.5, 0.0)], ["7"])
    camera = tree.root.add_child(view.OrbitCamera3D(target=terrain))
    camera.look(OrbitView(0.0, 60.0, 8.0, (2.0, -2.0, 0.0)))
    tree.advance(0.1)
    return [*nodes, terrain, camera]


def shake(base, tree, terrain):
    """Send what nodes listen to."""
    terrain.tile_hovered.emit(Cell(2, 2))
    tree.pointer.clicked.emit("left", (0.0, 0.0))
    tree.pointer.wheel_turned.emit(1, (0.0, 0.0))
    tree.pointer.dragged.emit("left", 0.1, 0.1, "")
    for key in ("arrow_up", "q", "page_up", "home", "enter"):
        base.messenger.send(key)


@pytest.mark.parametrize("number", range(9))
def test_a_node_whose_np_was_removed_is_freed_in_the_next_frame(base, tree, terrain, scene, number):
    node = scene[number]
    node.np.remove_node()
    shake(base, tree, terrain)
    for _ in range(2):
        base.task_mgr.step()
    assert node.is_freed
    assert not node.is_inside_tree
    shake(base, tree, terrain)
    tree.advance(0.1)


def test_a_node_removed_in_the_middle_of_a_frame_is_not_touched(tree, terrain, scene):
    class Remover(view.Node3D):
        def _process(self, _dt_s):
            for node in scene[:-1]:
                if not node.np.is_empty():
                    node.np.remove_node()

    tree.root.add_child(Remover())
    terrain.parent.remove_child(terrain)
    tree.root.add_child(terrain)  # it comes after the one that removes it
    tree.advance(0.1)
    tree.advance(0.1)
    assert terrain.is_freed


def test_a_removed_subject_of_the_light_is_dropped(tree, terrain):
    subject = terrain.np.attach_new_node("statue")
    other = terrain.np.attach_new_node("tree")
    for each in (subject, other):
        terrain.daylight.add_subject(each)
    tree.advance(0.1)
    subject.remove_node()
    tree.advance(0.1)
    for _ in range(2):  # the second time it is lit no more
        terrain.daylight.remove_subject(subject)
        terrain.daylight.remove_subject(other)
    other.remove_node()
    terrain.daylight.quality = LOW
    tree.advance(0.1)
    last = terrain.np.attach_new_node("last")
    terrain.daylight.add_subject(last)
    last.remove_node()
    terrain.queue_free()
    tree.advance(0.1)
    assert terrain.is_freed


@pytest.mark.usefixtures("scene")
def test_frames_go_on_without_a_camera(base, tree, terrain, camera, monkeypatch):
    tree.root.add_child(view.Hud()).add_child(view.MiniMap(terrain, camera))
    tree.advance(0.1)
    removed = NodePath("gone")
    removed.remove_node()
    monkeypatch.setattr(base, "cam", removed)
    shake(base, tree, terrain)
    tree.advance(0.1)
    terrain.mood = "night"
    camera.goal = replace(camera.goal, heading_deg=80.0)
    tree.advance(0.1)
    assert terrain.cell_at((0.0, 0.0)) is None
    with pytest.raises(RuntimeError, match="camera, which was removed"):
        tree.root.add_child(view.OrbitCamera3D(target=terrain, name="late"))


@pytest.mark.parametrize("has_node", [False, True])
def test_what_uses_a_removed_orbit_camera_goes_on(base, tree, terrain, scene, has_node):
    camera = scene[-1]
    tree.root.add_child(view.Hud()).add_child(view.MiniMap(terrain, camera))
    board = Board(terrain.tilemap)
    mira = board.add(Unit("Mira", (1, 1)))
    commander = Commander(board)
    terrain.add_child(Commander3D(commander, camera))
    tree.advance(0.1)
    camera.np.remove_node() if has_node else camera.queue_free()
    for _ in range(2):
        commander.select(None)
        commander.select(mira)
        camera.reveal((0.5, -3.5, 0.0))
        shake(base, tree, terrain)
        tree.advance(0.1)
    assert camera.is_freed


WAYS_OUT = {"hidden": NodePath.hide, "stashed": NodePath.stash, "detached": NodePath.detach_node}


@pytest.mark.parametrize("way", WAYS_OUT)
@pytest.mark.parametrize("above", [False, True])
def test_what_is_not_in_the_picture_is_not_picked_and_blocks_nothing(tree, way, above):
    group = tree.root.add_child(view.Node3D())
    front = group.add_child(view.Terrain3D(TileMap([[0] * 4] * 4)))
    behind = tree.root.add_child(view.Terrain3D(TileMap([[0] * 4] * 4)))
    behind.np.set_z(-1.0)
    camera = tree.root.add_child(view.OrbitCamera3D(target=front))
    camera.look(OrbitView(0.0, 89.0, 8.0, (2.0, -2.0, 0.0)))
    tree.advance(0.0)
    assert front.cell_at((0.1, 0.1)) == (1, 2, 0)
    assert behind.cell_at((0.1, 0.1)) is None
    WAYS_OUT[way]((group if above else front).np)
    assert front.cell_at((0.1, 0.1)) is None
    assert behind.cell_at((0.1, 0.1)) == (1, 2, 0)


def test_a_hidden_terrain_or_figure_is_not_found_by_the_pointer(tree, terrain, scene, monkeypatch):
    monkeypatch.setattr(type(tree.pointer), "scene_point", (0.1, 0.1))
    tree.advance(0.0)
    assert terrain.hovered is not None
    terrain.np.hide()
    tree.advance(0.0)
    assert terrain.hovered is None
    terrain.np.show()
    tree.advance(0.0)
    assert terrain.hovered is not None
    assert scene
    figure = scene[6]
    low, high = figure.np.get_tight_bounds(terrain.np)
    top = (*((low + high) / 2).xy, 0.9)
    monkeypatch.setattr(type(tree.pointer), "scene_point", tree.project(top, terrain.np))
    ray, whole = ((1.5, -1.5, 9.0), (0.0, 0.0, -1.0)), ((-1.0, -1.0), (1.0, 1.0))
    for is_shown in (True, False):
        if not is_shown:
            figure.np.hide()
        tree.advance(0.0)
        assert (terrain.hovered == figure.cell) == is_shown
        assert (figure.cast(*ray) is not None) == is_shown
        assert figure.is_within(*whole) == is_shown
        assert (figure.map_dot is not None) == is_shown
    figure.np.show()
    terrain.np.hide()
    assert figure.cast(*ray) is None


def hit_names(base, at):
    """Give the names of nodes that answer a ray from above, with the default masks."""
    node = core.CollisionNode("ray")
    node.add_solid(core.CollisionRay(*at, 0.0, 0.0, -1.0))
    node.set_into_collide_mask(0)
    node.set_from_collide_mask(core.GeomNode.get_default_collide_mask())
    ray, queue = base.render.attach_new_node(node), core.CollisionHandlerQueue()
    traverser = core.CollisionTraverser()
    traverser.add_collider(ray, queue)
    traverser.traverse(base.render)
    ray.remove_node()
    return {entry.get_into_node_path().get_name() for entry in queue.entries}


@pytest.mark.usefixtures("scene")
def test_only_ground_and_figures_answer_rays(base):
    assert hit_names(base, (2.5, -2.5, 50.0)) == {"chunk"}
    assert hit_names(base, (-0.2, 0.2, 50.0)) == set()
    assert {"trunk", "chunk"} <= hit_names(base, (1.5, -1.5, 50.0)) <= {"trunk", "foot", "chunk"}
