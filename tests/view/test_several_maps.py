"""More than one map in a scene, and a camera whose map is gone."""

from terrain3d import Node, TileMap
from terrain3d.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D


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
