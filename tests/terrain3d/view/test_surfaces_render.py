"""What the window shows of tops, decks and links, and of textures, water and glow of games."""

import numpy as np
import pytest
from panda3d.core import AmbientLight, GeomNode, NodePath, PNMImage, Texture

from terrain3d import KINDS, TOPOLOGIES, Cell, TileKind, TileMap, Water, register_texture
from terrain3d.look.orbit import OrbitView
from terrain3d.mesh.chunks import chunk_mesh
from terrain3d.mesh.solids import box
from terrain3d.view import OrbitCamera3D, Terrain3D, mesh_of
from terrain3d.view.geometry import make_geom_node
from terrain3d.view.window.model_loader import make_model
from tests.support.boards import one_edit
from tests.support.looks import forgotten
from tests.support.meshes import facing, whole
from tests.support.selection import import_or_skip
from tests.support.window_pictures import color_at, picture, shown_from


def shown(tree, tilemap, *view):
    """Show a map from a view; give the terrain and (height, width, 3) in 0..1."""
    terrain, _ = shown_from(tree, tilemap, *view)
    return terrain, picture(tree.base, tree)


def bridge(topology="square"):
    """Make a canyon of sand, and a wooden bridge over it, in row 3."""
    level, kind = np.full((7, 9), 4), np.zeros((7, 9), dtype=int)
    level[:, 2:7] = 0
    kind[:, 2:7] = [entry.name for entry in KINDS].index("sand")
    tilemap = TileMap(level, kind, topology=topology)
    one_edit(tilemap).add_deck([(3, col) for col in range(2, 7)], level=4)
    return tilemap


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_tops_show_their_kind_and_seams_between_them(tree, topology):
    kind = [entry.name for entry in KINDS].index("sand")
    tilemap = TileMap(np.zeros((7, 9), dtype=int), np.full((7, 9), kind), topology=topology)
    x, y, _ = tilemap.surface_point((3, 4))
    terrain, image = shown(tree, tilemap, 0.0, 89.0, 6.0, (x, y, 0.0))
    middle = color_at(tree.base, terrain, image, (x, y, 0.0), reach=6)
    assert np.abs(middle - np.array(KINDS[kind].color)).max() < 0.17
    for east, north in tilemap.grid.headings:
        places = [(x + part * east, y + part * north, 0.0) for part in (0.5, 0.3)]
        edge, inside = (color_at(tree.base, terrain, image, place, reach=0) for place in places)
        assert edge.sum() < inside.sum() - 0.15


@pytest.mark.usefixtures("needs_shaders")
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_bridge_is_seen_and_clicked_from_above_and_what_is_below_it_from_the_side(tree, topology):
    tilemap, clicks = bridge(topology), []
    over, beside, below = map(tilemap.surface_point, ((3, 4, 1), (5, 4), (3, 4)))
    terrain, image = shown(tree, tilemap, 0.0, 70.0, 12.0, over)
    terrain.tile_clicked.connect(lambda cell, _button: clicks.append(cell))
    wood, sand = (color_at(tree.base, terrain, image, point) for point in (over, beside))
    assert wood.sum() < sand.sum() - 0.5
    for point in (over, beside):
        tree.pointer.clicked.emit("left", tree.project(point, terrain.np))
    tree.root.children[-1].look(OrbitView(0.0, 12.0, 9.0, below))
    color = color_at(tree.base, terrain, picture(tree.base, tree), below)
    assert color[0] > color[2] + 0.05  # warm: sand in the shade, not the sky
    tree.pointer.clicked.emit("left", tree.project(below, terrain.np))
    assert clicks == [Cell(3, 4, 1), Cell(5, 4, 0), Cell(3, 4)]


@pytest.mark.usefixtures("large_window", "needs_shaders")
def test_a_teleporter_glows_in_the_shade_as_in_the_sun(tree):
    """Its light is its own; the stone around it is darker where a tower takes the sun away."""
    level = np.ones((7, 9), dtype=int)
    level[4, 2] = 6
    tilemap = TileMap(level)
    one_edit(tilemap).add_link((3, 3), (5, 6), cost=1, kind="teleporter")
    terrain, image = shown(tree, tilemap, 0.0, 89.0, 12.0, (4.5, -4.5, 0.0))
    shaded, lit = (tilemap.surface_point(cell) for cell in ((3, 3), (5, 6)))
    discs = [color_at(tree.base, terrain, image, point) for point in (shaded, lit)]
    corners = [(x + 0.46, y + 0.46, z) for x, y, z in (shaded, lit)]
    ground = [color_at(tree.base, terrain, image, point, 1) for point in corners]
    assert ground[0].sum() < 0.8 * ground[1].sum()
    np.testing.assert_allclose(discs[0], discs[1], atol=0.05)
    assert min(disc.max() for disc in discs) > 0.9


QUARTERS = np.array([[(240, 0, 0), (0, 240, 0)], [(0, 0, 240), (240, 240, 0)]], np.uint8)
"""Red in the northwest, green, then blue and yellow in the south."""


@pytest.fixture(autouse=True)
def quarters():
    with forgotten():
        register_texture("quarters", np.kron(QUARTERS, np.ones((8, 8, 1), np.uint8)))
        yield


@pytest.fixture
def show(base, tree):
    """Return a function that shows a map of 5 x 5 tiles, of one kind if none is given."""
    shown = []
    dim = AmbientLight("dim")
    dim.set_color((0.3, 0.3, 0.3, 1.0))
    lamp = base.render.attach_new_node(dim)
    base.render.set_light(lamp)

    def of(kind, tilemap=None, **options):
        for node in shown:
            node.queue_free()
        tree.advance(0.0)
        tilemap = tilemap or TileMap.from_text("\n".join(["11111"] * 5), [kind])
        terrain = tree.root.add_child(Terrain3D(tilemap, **options))
        camera = tree.root.add_child(OrbitCamera3D(terrain))
        shown[:] = [terrain, camera]
        camera.look(OrbitView(0.0, 70.0, 7.0, terrain.tilemap.surface_point((2, 2))))
        picture(base, tree)
        return terrain

    yield of
    base.render.clear_light(lamp)
    lamp.remove_node()


def middle(base, tree, terrain, east=0.0, north=0.0, dt_s=0.0):
    """Return the color at a place of the tile in the middle, from its center."""
    x, y, z = terrain.tilemap.surface_point((2, 2))
    return color_at(base, terrain, picture(base, tree, dt_s), (x + east, y + north, z))


@pytest.mark.parametrize("lighting", ["own", "scene"])
def test_an_image_lies_on_a_tile_with_its_upper_edge_to_the_north(base, tree, show, lighting):
    terrain = show(TileKind("court", texture="quarters"), lighting=lighting)
    places = (-0.25, 0.25), (0.25, 0.25), (-0.25, -0.25), (0.25, -0.25)
    nw, ne, sw, se = (middle(base, tree, terrain, *place) for place in places)
    assert nw[0] > 2 * max(nw[1:])
    assert ne[1] > 2 * max(ne[0], ne[2])
    assert sw[2] > 2 * max(sw[:2])
    assert min(se[:2]) > 2 * se[2]


@pytest.mark.parametrize("texture", ["rock", "quarters"])
@pytest.mark.parametrize("lighting", ["own", "scene"])
def test_what_glows_is_as_bright_at_night_as_its_glow(base, tree, show, texture, lighting):
    seen = []
    for glow in (0.0, 0.4, 1.0):
        kind = TileKind("stone", texture=texture, color=(0.7, 0.5, 0.3), glow=glow)
        terrain = show(kind, lighting=lighting)
        terrain.mood = "night"
        for _ in range(3):
            tree.advance(5.0)
        seen.append(middle(base, tree, terrain, 0.2, -0.2).max())
    assert seen[0] + 0.1 < seen[1] < seen[2] - 0.05
    assert seen[2] > 0.6


def test_still_water_is_still_and_fast_water_is_not_slow(base, tree, show):
    changes = []
    for speed in (0.0, 0.2, 4.0):
        show(TileKind("pond", depth=1, water=Water(speed=speed)))
        before = picture(base, tree, 0.5)
        changes.append(float(np.abs(picture(base, tree, 0.25) - before).mean()))
    assert changes[0] < 1e-6
    assert 0.0 < changes[1] < 0.7 * changes[2]


@pytest.mark.usefixtures("large_window")
def test_water_has_the_color_the_foam_and_the_bed_that_it_is_told(base, tree, show):
    blue = 0.1, 0.2, 0.7
    looks = {"plain": {}, "clear": {"clarity": 1.0}, "calm": {"foam": 0.0}}
    seen, edge = {}, {}
    for name, look in looks.items():
        pond = TileKind("pond", depth=1, water=Water(blue, speed=0.0, **look))
        tilemap = TileMap.from_text("\n".join(["22222", *["21112"] * 3, "22222"]), [pond])
        terrain = show(pond, tilemap)
        seen[name] = middle(base, tree, terrain)
        edge[name] = np.mean(
            [middle(base, tree, terrain, -1.47, north)[0] for north in (-0.8, -0.3, 0.3, 0.8)]
        )
    assert seen["plain"][2] > 2 * seen["plain"][0]
    assert seen["clear"][0] > seen["plain"][0] + 0.15
    assert edge["plain"] > edge["calm"] + 0.15


def test_the_mesh_of_a_model_has_its_place_and_the_colors_that_it_shows():
    red = box((0, 0, 0.5), (0.5, 0.5, 0.5), (1.0, 0.0, 0.0))
    model = NodePath("model")
    model.set_scale(0.5)
    model.attach_new_node(make_geom_node("red", red))
    scaled = model.attach_new_node(make_geom_node("dark", red))
    scaled.set_z(1)
    scaled.set_color_scale(0.2, 1, 1, 1)
    skin, picture_ = Texture("skin"), PNMImage(2, 2)
    picture_.fill(0.4, 0.6, 0.8)
    skin.load(picture_)
    skinned = model.attach_new_node(make_geom_node("skinned", red))
    skinned.set_z(2)
    skinned.set_color(1, 1, 1, 1)
    skinned.set_texture(skin)
    mesh = mesh_of(model)
    assert mesh.positions.min(axis=0) == pytest.approx((-0.25, -0.25, 0.0))
    assert mesh.positions.max(axis=0) == pytest.approx((0.25, 0.25, 1.5))
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1.0)
    colors = {tuple(color) for color in mesh.colors[:, :3].tolist()}
    assert colors == {(255, 0, 0), (51, 0, 0), (102, 153, 204)}
    assert facing(mesh).min() > 0.0
    with pytest.raises(ValueError, match="model must have triangles"):
        mesh_of(NodePath("empty"))
    with pytest.raises(ValueError, match="model must be a file that exists"):
        mesh_of("missing.bam")


def test_a_model_of_a_map_has_the_images_and_the_glow_and_is_kept_in_a_bam_file(tmp_path):
    kinds = [TileKind("court", texture="quarters"), TileKind("lit", color=(0, 1, 0), glow=0.5)]
    tilemap = TileMap.from_text("11", kinds=kinds)
    one_edit(tilemap).set_kind((0, 1), "lit")
    model = NodePath(make_model(tilemap))
    assert [texture.get_x_size() for texture in model.find_all_textures()] == [16]
    assert model.write_bam_file(str(tmp_path / "court.bam"))
    emissions = [material.emission for material in model.find_all_materials()]
    assert [tuple(each) for each in emissions] == [pytest.approx((0, 0.5, 0, 1), abs=0.01)]
    [node] = model.find_all_matches("**/+GeomNode")
    assert isinstance(node.node(), GeomNode)
    assert node.node().get_num_geoms() == 3


def test_the_mesh_of_a_gltf_file_has_the_colors_that_were_written(tmp_path):
    import_or_skip("gltf")
    tilemap = TileMap.from_text("12\n03")
    tilemap.save(tmp_path / "hill.glb")
    read, written = mesh_of(tmp_path / "hill.glb"), chunk_mesh(tilemap, whole(tilemap))
    np.testing.assert_allclose(read.positions, written.positions, atol=1e-5)
    np.testing.assert_allclose(read.colors.astype(int), written.colors, atol=1)
    np.testing.assert_array_equal(read.triangles, written.triangles)
