"""glTF models, read back by trimesh and glTF Transform, which know nothing of us."""

import numpy as np
import pytest
from panda3d.core import Filename, NodePath

from terrain3d import TileKind, TileMap, landscape, register_prop, register_texture
from terrain3d.mesh.chunks import chunk_mesh, chunk_rects
from terrain3d.mesh.solids import box
from tests.support.looks import forgotten
from tests.support.programs import read_by_node
from tests.support.selection import import_or_skip

trimesh = import_or_skip("trimesh")


def read_back(tilemap, path):
    tilemap.save(path)
    return trimesh.load_scene(path, process=False)


def shown(linear):
    """Return colors as a screen shows them, in 0..1, of linear ones."""
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def check_chunks(tilemap, found):
    """Compare points, triangles and linear colors, by the name of a chunk, with its mesh."""
    rects = chunk_rects(tilemap.rows, tilemap.cols)
    assert set(found) == {f"chunk-{rect.row}-{rect.col}" for rect in rects}
    for rect in rects:
        mesh = chunk_mesh(tilemap, rect)
        points, triangles, linear = found[f"chunk-{rect.row}-{rect.col}"]
        x, y, z = np.reshape(points, (-1, 3)).T
        assert np.array_equal(np.stack((x, -z, y), axis=1).astype("f4"), mesh.positions)
        assert np.array_equal(np.reshape(triangles, (-1, 3)), mesh.triangles)
        linear = np.reshape(linear, (len(mesh.positions), -1))[:, :3] / 65535
        assert np.allclose(shown(linear) * 255, mesh.colors[:, :3], atol=0.1)


def test_another_program_finds_every_vertex_color_and_triangle(tmp_path):
    tilemap = landscape(40, 36, 3)
    parts = read_back(tilemap, tmp_path / "vale.glb").geometry
    colors = {name: part.visual.vertex_attributes["color"] for name, part in parts.items()}
    found = {name: (part.vertices, part.faces, colors[name]) for name, part in parts.items()}
    check_chunks(tilemap, found)
    for rect in chunk_rects(40, 36):
        part = parts[f"chunk-{rect.row}-{rect.col}"]
        x, y, z = part.vertex_normals.T
        normals = chunk_mesh(tilemap, rect).normals
        assert np.allclose(np.stack((x, -z, y), axis=1), normals, atol=1e-5)
        material = part.visual.material
        assert (material.metallicFactor, material.roughnessFactor) == (0, 1)


@pytest.mark.nightly
def test_gltf_transform_finds_every_point_color_and_triangle(tmp_path):
    tilemap = landscape(40, 36, 3)
    tilemap.save(tmp_path / "vale.glb")
    nodes = read_by_node("gltf-transform", tmp_path / "vale.glb")
    check_chunks(tilemap, {n["name"]: (n["points"], n["triangles"], n["colors"]) for n in nodes})


def test_a_map_without_ground_is_an_empty_scene(tmp_path):
    assert not read_back(TileMap.from_text("##"), tmp_path / "void.glb").geometry


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["sample", "own", "hexagons", "void"])
def test_the_validator_of_khronos_finds_no_fault(tmp_path, name):
    """The published checks of the standard's authors: errors, and warnings too."""
    with forgotten():
        register_texture("court", np.arange(5 * 3 * 3, dtype=np.uint8).reshape(5, 3, 3) * 5)
        register_prop("post", box((0, 0, 0.25), (0.05, 0.05, 0.25), (0.2, 0.4, 0.6)), share=0.9)
        own = [TileKind("court", texture="court", props="post"), TileKind("lit", glow=0.5)]
        hexagons = TileMap.from_noise(20, 20, seed=4, topology="hex_odd_r")
        {
            "sample": landscape(40, 36, 3),
            "own": TileMap(np.arange(400).reshape(20, 20) % 3, [[0, 1] * 10] * 20, own),
            "hexagons": hexagons,
            "void": TileMap.from_text("##"),
        }[name].save(tmp_path / "map.glb")
    issues = read_by_node("gltf-validator", tmp_path / "map.glb")["issues"]
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"][:5]


@pytest.fixture
def court(tmp_path):
    """Write a map with an image, and with ground and an image that glow; return map and path."""
    pixels = np.arange(5 * 3 * 3, dtype=np.uint8).reshape(5, 3, 3) * 5
    with forgotten():
        register_texture("court", pixels)
        kinds = [
            TileKind("plain"),
            TileKind("court", texture="court"),
            TileKind("lit", color=(0.2, 0.4, 0.6), glow=0.5),
            TileKind("lit court", texture="court", glow=0.5),
        ]
        kind = [[0, 1, 2, 3], [1, 1, 3, 2]]
        yield TileMap(np.ones((2, 4), int), kind, kinds), pixels, tmp_path / "court.glb"


def test_images_and_glow_are_read_by_another_program(court):
    tilemap, pixels, path = court
    scene = read_back(tilemap, path)
    by_name = {part.visual.material.name: part for part in scene.geometry.values()}
    assert sorted(by_name) == ["look-2", "look-3", "look-4", "terrain"]
    n_triangles = sum(len(part.faces) for part in scene.geometry.values())
    assert n_triangles == len(chunk_mesh(tilemap, chunk_rects(2, 4)[0]).triangles)
    for name in ("look-2", "look-4"):
        material = by_name[name].visual.material
        assert np.array_equal(np.asarray(material.baseColorTexture.convert("RGB")), pixels)
        assert (material.emissiveTexture is not None) == (name == "look-4")
    light = shown(np.array(by_name["look-3"].visual.material.emissiveFactor))
    assert light == pytest.approx((0.1, 0.2, 0.3), abs=0.003)
    part = by_name["look-2"]
    x, _, z = part.vertices.T
    u, v = part.visual.uv.T
    assert len(u) == part.vertices.shape[0] > 0
    used = np.unique(part.faces)
    assert np.allclose(u[used] % 1, x[used] % 1)
    assert np.allclose((1 - v[used]) % 1, z[used] % 1)  # trimesh turns v: its 0 is the lower edge


def test_panda3d_gltf_reads_images_and_glow(court):
    gltf = import_or_skip("gltf")
    tilemap, _, path = court
    tilemap.save(path)
    model = NodePath(gltf.load_model(Filename.from_os_specific(str(path))))
    materials = {each.name: each for each in model.find_all_materials()}
    assert tuple(materials["look-3"].emission)[:3] == pytest.approx((0.01, 0.033, 0.073), abs=0.002)
    sizes = {(each.get_x_size(), each.get_y_size()) for each in model.find_all_textures("*")}
    assert sizes
