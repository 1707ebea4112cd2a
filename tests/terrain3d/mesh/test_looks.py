"""The look of a kind by its fields, varied by place; textures, props and water of games."""

from dataclasses import fields, replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from terrain3d import (
    KINDS,
    TOPOLOGIES,
    MapFileError,
    TileKind,
    TileMap,
    Water,
    register_prop,
    register_texture,
)
from terrain3d.formats import MapFileWarning
from terrain3d.grid.kinds import GLOW, IMAGE, PROPS, TEXTURES, Unregistered
from terrain3d.mesh.chunks import chunk_mesh
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.paint import STRATA, KindPalette
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.sides import plain_sides
from terrain3d.mesh.solids import ball, box, glowing
from tests.support.boards import one_edit
from tests.support.looks import forgotten
from tests.support.meshes import whole

VOID = len(KINDS) - 1


def field_of(kind, text="1111\n1111\n1111\n1111", topology="square"):
    """Return the patch of a map that is all of one kind."""
    tilemap = TileMap.from_text(text, kinds=[kind], topology=topology)
    return Patch.of(tilemap, whole(tilemap))


def assert_same_mesh(one, other):
    for entry in fields(one):
        np.testing.assert_array_equal(getattr(one, entry.name), getattr(other, entry.name))


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_map_looks_the_same_with_renamed_kinds(topology):
    rng = np.random.default_rng(5)
    level, kind = rng.integers(0, 4, (16, 16)), rng.integers(0, VOID, (16, 16))
    names = [entry.name for entry in KINDS[:VOID]]
    meshes = []
    for renamed in (names, names[::-1], [f"my {name}" for name in names]):
        pairs = zip(KINDS, [*renamed, "void"], strict=True)
        table = [replace(entry, name=name) for entry, name in pairs]
        tilemap = TileMap(level, kind, table, topology=topology)
        one_edit(tilemap).add_deck([(8, col) for col in range(3, 12)], 6, kind=table[11].name)
        meshes.append(chunk_mesh(tilemap, whole(tilemap)))
    assert_same_mesh(meshes[0], meshes[1])
    assert_same_mesh(meshes[0], meshes[2])


def test_every_texture_is_painted_and_no_two_alike():
    assert len({str(vars(paint)) for paint in TEXTURES.values()}) == len(TEXTURES)
    bare = [mesh_of_kind("1", texture=name) for name in TEXTURES]
    assert len({mesh.colors.tobytes() for mesh in bare}) == len(TEXTURES)


@pytest.mark.parametrize("texture", TEXTURES)
def test_a_kind_without_a_color_has_its_texture_s(texture):
    assert TileKind("x", texture=texture).color == TEXTURES[texture].color
    assert TileKind("x", texture=texture, color=(0.1, 0.2, 0.3)).color == (0.1, 0.2, 0.3)
    usual = field_of(TileKind("x", texture=texture)).tones.mean(axis=0)
    np.testing.assert_allclose(usual, TEXTURES[texture].color, atol=0.12)


def seen_of_side(kind):
    """Draw the south side of a tile of level 5 downwards, a sign a band: ~ liquid, . earth."""
    patch = field_of(kind, "5")
    [bands] = plain_sides(patch)
    south = np.nonzero(bands.normals[::4, 1] < -0.9)[0]
    heights = bands.positions.reshape(-1, 4, 3)[south, 2, 2]
    colors = bands.colors.reshape(-1, 4, 4)[south[np.argsort(-heights)], 0, :3] / 255.0
    blue = colors[:, 2] - colors[:, 0]
    return "".join("~" if part > 0.05 else "." for part in blue)


def test_a_side_shows_the_depth_of_the_liquid():
    assert (STRATA[:, 2] < STRATA[:, 0]).all()  # no earth is blue
    # Five levels of map above two of its base.
    assert seen_of_side(TileKind("brine", texture="water", depth=2)) == "~~....."
    assert seen_of_side(TileKind("brine", texture="water", depth=0)) == "......."
    assert seen_of_side(TileKind("sea", texture="water", depth=255)) == "~~~~~~~"
    assert seen_of_side(TileKind("gel", color=(0.2, 0.3, 0.9), depth=1)) == "~......"


QUARTERS = np.array([[(240, 0, 0), (0, 240, 0)], [(0, 0, 240), (240, 240, 240)]], np.uint8)
FLAT = "\n".join(["1" * 30] * 30)
POST = box((0, 0, 0.25), (0.05, 0.05, 0.25), (0.2, 0.4, 0.6))


@pytest.fixture(autouse=True)
def as_before():
    """Forget what a test registers."""
    with forgotten():
        yield


def mesh_of_kind(text=FLAT, **fields):
    tilemap = TileMap.from_text(text, kinds=[TileKind("own", **fields)])
    return chunk_mesh(tilemap, whole(tilemap))


def pattern(mesh):
    return mesh.surface["pattern"]


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".gif"])
def test_a_kind_has_the_mean_color_of_its_image(tmp_path, suffix):
    path = tmp_path / f"tile{suffix}"
    Image.fromarray(np.full((20, 12, 3), (200, 120, 40), np.uint8)).save(path)
    register_texture("clay", path)
    color = TileKind("own", texture="clay").color
    assert np.multiply(color, 255) == pytest.approx((200, 120, 40), abs=5)


def test_clear_pixels_have_the_mean_color_of_the_others():
    pixels = np.array([[(100, 50, 200, 255), (9, 9, 9, 0)]], np.uint8)
    register_texture("glass", pixels)
    assert TEXTURES["glass"].image.tolist() == [[[100, 50, 200]] * 2]
    assert np.multiply(TileKind("own", texture="glass").color, 255) == pytest.approx((100, 50, 200))


def test_tops_show_the_image_in_the_color_of_the_kind():
    register_texture("quarters", QUARTERS)
    mean = QUARTERS.reshape(-1, 3).mean(axis=0) / 255
    for color in (None, (mean * (0.3, 1.0, 0.5)).tolist()):
        mesh = mesh_of_kind("1", texture="quarters", color=color)
        tops = pattern(mesh) == IMAGE
        assert tops.sum() == 4
        shown = (mesh.colors[tops, :3] / 255 * mean).mean(axis=0)
        wanted = mean if color is None else color
        np.testing.assert_allclose(shown, wanted, atol=0.04)
        assert set(map(tuple, mesh.uv[tops].tolist())) == {(0, 0), (1, 0), (1, 1), (0, 1)}
        assert not (pattern(mesh)[mesh.normals[:, 2] < 0.5] == IMAGE).any()


@given(st.data())
def test_triangles_divide_by_look_as_by_the_kinds_of_their_tiles(data):
    register_texture("quarters", QUARTERS)
    table = [
        TileKind("void", cost=None, color=(0, 0, 0), glow=0.5),
        TileKind("plain"),
        TileKind("image", texture="quarters"),
        TileKind("shining", glow=0.5),
        TileKind("pond", depth=1, water=Water(foam=0)),
    ]
    kind = data.draw(st.lists(st.integers(0, 4), min_size=12, max_size=12))
    tilemap = TileMap(np.ones((3, 4), int), np.reshape(kind, (3, 4)), table)
    looks = KindPalette.of(tilemap.kinds).looks
    mesh = chunk_mesh(tilemap, whole(tilemap))
    parts = mesh.by_look() if len(mesh.triangles) else {}
    assert sorted(parts.keys() - {0}) == sorted({each for each in kind if each > 1})
    assert set(looks) == {2, 3, 4}
    triangles = np.concatenate([*parts.values(), np.empty((0, 3), np.uint32)])
    assert sorted(map(tuple, triangles)) == sorted(map(tuple, mesh.triangles))
    for number in parts.keys() - {0}:
        middle = mesh.positions[parts[number]].mean(axis=1)
        row, col = np.floor(-middle[:, 1]).astype(int), np.floor(middle[:, 0]).astype(int)
        assert (np.reshape(kind, (3, 4))[row, col] == number).all()


@pytest.mark.parametrize("texture", TEXTURES)
@pytest.mark.parametrize("props", PROPS)
def test_colors_of_a_map_are_not_negative_and_hardly_cut_off(texture, props, monkeypatch):
    limits, make = [], MeshData.of

    def of(positions, normals, colors, *rest):
        limits.extend((np.min(colors, initial=1.0), np.max(colors, initial=0.0)))
        return make(positions, normals, colors, *rest)

    monkeypatch.setattr(MeshData, "of", of)
    mesh_of_kind("12345678" * 4, texture=texture, props=props, depth=2)
    assert 0.0 <= min(limits) < max(limits) < 1.35


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("has_ground_cover", [True, False])
def test_props_stand_on_their_share_of_tiles_at_their_distance(share, has_ground_cover):
    register_prop("post", POST, share=share, reach=0.35)
    tilemap = TileMap.from_text(FLAT, kinds=[TileKind("own", props="post")])
    bare = TileMap.from_text(FLAT, kinds=[TileKind("own")])
    covered = {"has_ground_cover": has_ground_cover}
    meshes = [chunk_mesh(each, whole(each), **covered) for each in (tilemap, bare)]
    points = meshes[0].positions[len(meshes[1].positions) :].reshape(-1, len(POST.positions), 3)
    assert len(points) == pytest.approx(900 * share, abs=45 * (share % 1 > 0))
    foot = points[:, :, :2].mean(axis=1)
    away = np.linalg.norm(foot - np.floor(foot) - 0.5, axis=1)
    np.testing.assert_allclose(away, 0.35, atol=1e-4)

    assert len(set(map(tuple, np.floor(foot).tolist()))) == len(foot)
    size = np.ptp(points[:, :, 2], axis=1) / 0.5
    assert not len(size) or 0.87 < size.min() <= size.max() < 1.13
    top = tilemap.surface_point((0, 0))[2]
    np.testing.assert_allclose(points[:, :, 2].min(axis=1), top, atol=1e-4)


def test_a_prop_keeps_its_colors_and_what_glows_in_it():
    lamp = MeshData.join([POST, glowing(ball((0, 0, 0.6), (0.1, 0.1, 0.1), (1, 0.8, 0.2)))])
    register_prop("lamp", lamp)
    bare, mesh = mesh_of_kind("1"), mesh_of_kind("1", props="lamp")
    own = slice(len(bare.positions), None)
    np.testing.assert_array_equal(mesh.colors[own], lamp.colors)
    np.testing.assert_array_equal(pattern(mesh)[own] == GLOW, pattern(lamp) == GLOW)
    assert not (pattern(mesh)[own] == 0).any()  # without the rim of light of a figure


@pytest.mark.parametrize("suffix", [".tmap", ".tmx", ".tmj"])
def test_a_map_opens_without_what_it_names_and_shows_it_later(tmp_path, suffix):
    register_texture("quarters", QUARTERS)
    register_prop("post", POST)
    water = Water((0.2, 0.4, 0.6), foam=0.25, speed=2.5, clarity=0.75)
    table = [
        TileKind("court", texture="quarters", props="post", glow=0.5),
        TileKind("pond", cost=2, depth=2, water=water, glow=0.25),
    ]
    tilemap = TileMap.from_text("12\n21", kinds=table)
    one_edit(tilemap).set_kind((0, 1), "pond")
    path, again = tmp_path / f"court{suffix}", tmp_path / f"again{suffix}"
    tilemap.save(path)
    assert TileMap.load(path).kinds == tilemap.kinds
    del TEXTURES["quarters"], PROPS["post"]

    with pytest.warns(MapFileWarning) as warned:
        found = TileMap.load(path)
    court, pond, _ = found.kinds
    assert (court.texture, court.props, court.glow) == ("quarters", "post", 0.5)
    assert isinstance(court.texture, Unregistered)
    assert pond == tilemap.kinds[1]
    assert pond.water == Water(foam=0.25, speed=2.5, clarity=0.75)
    lines = [str(each.message) for each in warned]
    assert lines[0] == (
        f"{path}: drawn plain: texture 'quarters' of 'court' is not registered; "
        "drawn plain: props 'post' of 'court' is not registered"
    )
    plain = chunk_mesh(found, whole(tilemap))
    assert not (pattern(plain) == IMAGE).any()
    found.save(again)
    assert again.read_bytes() == path.read_bytes().replace(b"court-", b"again-")

    register_texture("quarters", QUARTERS)
    register_prop("post", POST)
    shown = chunk_mesh(found, whole(tilemap))
    assert (pattern(shown) == IMAGE).any()
    assert len(shown.positions) > len(plain.positions)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ('"texture": ["rock"]', "texture of 'x' must be a str"),
        ('"glow": 2', r"glow of 'x' must be in 0\.\.1, got 2"),
        ('"water": 3', "water of 'x' must be a Water"),
        ('"water": {"foam": -1}', r"foam of water must be in 0\.\.1\.?0?, got -1"),
        ('"water": {"depth": 1}', "water has color, foam, speed, clarity, got 'depth'"),
        ('"water": {}, "texture": "lava"', "texture of 'x' must be 'water'"),
    ],
)
def test_a_bad_look_in_a_file_is_named(tmp_path, fields, says):
    path = tmp_path / "bad.tmap"
    path.write_text(
        '{"format": "terrain3d map", "version": 1, "rows": 1, "cols": 1, "step_height": 0.5, '
        f'"kinds": [{{"name": "x", "sign": "x", {fields}}}], "level": ["1"], "kind": ["x"]}}'
    )
    with pytest.raises(MapFileError, match=says):
        TileMap.load(path)


@pytest.mark.parametrize(
    ("register", "name", "value", "says"),
    [
        (register_texture, "grass", QUARTERS, "name of a texture .* not use itself, got 'grass'"),
        (register_texture, "own", QUARTERS / 255, r"uint8 array \(height, .* or 4\).*float64"),
        (register_texture, "own", QUARTERS[:0], r"4096 x 4096 pixels, got uint8 \(0, 2, 3\)"),
        (register_texture, "own", np.zeros((1, 4097, 3), np.uint8), "4096 x 4096 pixels"),
        (register_texture, "own", "missing.png", "4096 pixels, got 'missing.png': No such"),
        (register_texture, "own", __file__, "image file such as PNG or JPEG"),
        (register_prop, "reeds", POST, "name of a prop .* not use itself, got 'reeds'"),
        (register_prop, "own", MeshData.empty(), "mesh of 'own' must have triangles"),
        (partial(register_prop, reach=-1), "own", POST, r"reach must be in 0\.\.0.5, got -1"),
    ],
)
def test_a_bad_texture_or_prop_is_refused_with_what_is_allowed(register, name, value, says):
    before = dict(TEXTURES), dict(PROPS)
    with pytest.raises(ValueError, match=says):
        register(name, value)
    assert before == (TEXTURES, PROPS)
