"""Meshes of chunks: counts, measures and comparison of their arrays."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import Rect, TileMap
from terrain3d.grid.kinds import KINDS
from terrain3d.mesh.chunks import CHUNK_SIZE, chunk_mesh, chunk_rects
from terrain3d.mesh.data import PATTERN_UNIT, RISE_UNIT, MeshData
from terrain3d.mesh.figures import TEAM_COLORS, team_color
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.sides import MAX_BANDS, sides
from terrain3d.mesh.ground.tops import tops, waters
from tests.support.meshes import facing, touched_rects, vertex_rows
from tests.support.paths import ROOT

VOID = [kind.name for kind in KINDS].index("void")


def patch_of(tilemap):
    return Patch.of(tilemap, whole(tilemap))


def whole(tilemap):
    return Rect(0, 0, tilemap.rows, tilemap.cols)


@st.composite
def maps(draw, most=20, least=1):
    rows, cols = draw(st.integers(least, most)), draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    level = rng.integers(0, draw(st.integers(1, 9)), (rows, cols))
    kind = rng.integers(0, len(KINDS), (rows, cols))
    return TileMap(level, kind, step_height=draw(st.sampled_from((0.25, 0.5, 1.0))))


@given(maps(), st.integers(0, 20), st.integers(0, 20))
def test_chunks_together_equal_the_mesh_of_the_whole_map(tilemap, row, col):
    rows, cols = tilemap.rows, tilemap.cols
    row, col = min(row, rows), min(col, cols)
    pieces = [
        chunk_mesh(tilemap, Rect(top, left, bottom - top, right - left))
        for top, bottom in ((0, row), (row, rows))
        for left, right in ((0, col), (col, cols))
        if top < bottom and left < right
    ]
    together = vertex_rows(MeshData.join(pieces))
    np.testing.assert_array_equal(together, vertex_rows(chunk_mesh(tilemap, whole(tilemap))))


@given(st.integers(1, 100), st.integers(1, 100))
def test_chunks_cover_the_map_once(rows, cols):
    count = np.zeros((rows, cols), dtype=int)
    for rect in chunk_rects(rows, cols):
        assert max(rect.rows, rect.cols) <= CHUNK_SIZE
        count[rect.row : rect.row + rect.rows, rect.col : rect.col + rect.cols] += 1
    assert (count == 1).all()


@given(maps(CHUNK_SIZE + 9, CHUNK_SIZE - 3), st.data())
def test_an_edit_changes_touched_chunks_only(tilemap, data):
    before = {r: chunk_mesh(tilemap, r) for r in chunk_rects(tilemap.rows, tilemap.cols)}
    cell = (
        data.draw(st.integers(0, tilemap.rows - 1)),
        data.draw(st.integers(0, tilemap.cols - 1)),
    )
    with tilemap.edit() as edit:
        edit.set_level(cell, 12)
        edit.set_kind(cell, "road")
    touched = touched_rects(tilemap, Rect(*cell, 1, 1))
    assert touched
    for rect, mesh in before.items():
        if rect not in touched:
            np.testing.assert_array_equal(vertex_rows(mesh), vertex_rows(chunk_mesh(tilemap, rect)))


@given(maps())
def test_tops_are_at_the_levels_of_the_map(tilemap):
    patch = patch_of(tilemap)
    for tile, corners, parts in (
        (patch.dry, 4, [tops(patch)]),
        (patch.shores.tile, 5, waters(patch)),
    ):
        points = [part.positions.reshape(-1, corners, 3).mean(axis=1) for part in parts]
        middles = np.concatenate([np.zeros((0, 3)), *points])
        cells = zip(patch.row[tile], patch.col[tile], strict=True)
        expected = [tilemap.surface_point(cell) for cell in cells]
        np.testing.assert_allclose(middles, np.array(expected).reshape(-1, 3), atol=1e-5)


@given(maps())
def test_sides_reach_from_each_top_to_the_ground_beyond(tilemap):
    z = np.where(tilemap.void, tilemap.base_z, tilemap.level * tilemap.step_height)
    z = np.pad(z, 1, constant_values=tilemap.base_z)
    inner = z[1:-1, 1:-1]
    beyond = (z[:-2, 1:-1], z[1:-1, 2:], z[2:, 1:-1], z[1:-1, :-2])
    expected = sum(float(np.maximum(inner - near, 0.0).sum()) for near in beyond)
    parts = sides(patch_of(tilemap))
    if expected == 0:
        assert parts == []
        return
    bands, lips = parts
    heights = bands.positions.reshape(-1, 4, 3)[:, :, 2]
    behind_lips = expected - float((heights[:, 2] - heights[:, 0]).sum())
    edges = len(lips.positions) // 8
    assert 0.0 < behind_lips <= 0.1 * edges


@given(maps())
def test_all_faces_point_outward(tilemap):
    patch = patch_of(tilemap)
    for mesh in [tops(patch), *waters(patch), *sides(patch)]:
        assert (facing(mesh) > 0.0).all()
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)


def test_higher_neighbors_darken_a_corner_and_the_split_avoids_it():
    tilemap = TileMap.from_text("100\n000\n000")
    patch = patch_of(tilemap)
    light = patch.occlusion[4]  # the middle tile; the block is at its north-west
    np.testing.assert_allclose(light, (1.0, 1.0, 1.0, 0.78), atol=1e-6)
    np.testing.assert_allclose(patch.occlusion[1], (0.78, 1.0, 1.0, 0.78), atol=1e-6)
    north_west = 4 * 4 + 3
    triangles = tops(patch).triangles
    assert (triangles == north_west).sum() == 1  # a dark corner belongs to one triangle only


def test_marks_encode_where_the_ground_drops_and_rises():
    tilemap = TileMap.from_text("020\n313\n000")
    marks = patch_of(tilemap).marks[4]
    north, east, south, west = 1, 2, 8, 16
    assert marks % PATTERN_UNIT == south + RISE_UNIT * (north + east + west)


def test_void_has_no_mesh_and_sides_beside_it_go_down_to_the_base():
    tilemap = TileMap(np.full((2, 2), 3), np.full((2, 2), VOID))
    assert chunk_mesh(tilemap, whole(tilemap)).triangles.shape == (0, 3)
    with_hole = TileMap.from_text("222\n2#2\n222")
    mesh = chunk_mesh(with_hole, whole(with_hole))
    x, y, z = mesh.positions.T
    in_hole = (np.abs(x - 1.5) < 0.51) & (np.abs(y + 1.5) < 0.51)
    assert z[in_hole].min() == with_hole.base_z


@pytest.mark.parametrize("text", ["0123", "0\n1\n2\n3", "5"])
def test_thin_maps(text):
    tilemap = TileMap.from_text(text)
    mesh = chunk_mesh(tilemap, whole(tilemap))
    assert len(tops(patch_of(tilemap)).positions) == 4 * tilemap.rows * tilemap.cols
    assert mesh.triangles.max() < len(mesh.positions)


def test_a_tower_of_32767_levels_has_few_bands():
    tilemap = TileMap([[0, 32767, 0]])
    bands = sides(patch_of(tilemap))[0]
    assert len(bands.positions) <= 4 * (4 * MAX_BANDS + 6 * 2)
    assert bands.positions[:, 2].max() == pytest.approx(32767 * 0.5, abs=0.1)


def test_tiny_steps_do_not_multiply_bands():
    tilemap = TileMap([[250]], step_height=0.01)
    assert len(sides(patch_of(tilemap))[0].positions) <= 4 * 4 * MAX_BANDS


@pytest.mark.parametrize(("west", "east"), [(20, 35), (51, 35), (3, 40), (40, 40)])
def test_bands_of_tall_sides_leave_no_gaps(west, east):
    bands = sides(patch_of(TileMap([[west, east]])))[0]
    south = bands.positions.reshape(-1, 4, 3)[bands.normals[::4, 1] < -0.5]
    is_west = south[:, 0, 0] < 0.5
    assert south[is_west, :, 0].max() > south[~is_west, :, 0].min()
    assert np.abs(south[:, :, 0] - np.round(south[:, :, 0])).max() < 0.01  # too little to be seen


def test_the_color_of_grass_varies():
    tilemap = TileMap(np.zeros((8, 8), dtype=int))
    colors = patch_of(tilemap).tones
    assert colors.std(axis=0).max() > 0.015
    assert np.abs(colors - colors.mean(axis=0)).max() < 0.2


def test_meshes_are_the_same_in_another_process(tmp_path):
    path = os.pathsep.join([str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    script = (
        "import zlib; from terrain3d import Rect, TileMap;"
        "from terrain3d.mesh.chunks import chunk_mesh;"
        "m = chunk_mesh(TileMap.from_noise(9, 9, seed=3), Rect(0, 0, 9, 9));"
        "print(zlib.crc32(m.colors.tobytes()), zlib.crc32(m.triangles.tobytes()))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            cwd=tmp_path,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_arrays_are_read_only():
    mesh = chunk_mesh(TileMap.from_text("01"), Rect(0, 0, 1, 2))
    for array in (mesh.positions, mesh.normals, mesh.colors, mesh.uv, mesh.triangles):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_rectangle_beyond_the_map_is_refused():
    with pytest.raises(IndexError, match="beyond a map of 1 x 2"):
        chunk_mesh(TileMap.from_text("01"), Rect(0, 1, 1, 2))


def test_few_geoms_for_a_map_of_64_by_64():
    assert len(chunk_rects(64, 64)) <= 20


def test_known_teams_keep_their_colors_and_unknown_ones_are_stable():
    assert team_color("blue") == TEAM_COLORS["blue"]
    assert team_color("the third army") == team_color("the third army")
    assert team_color("the third army") != team_color("the fourth army")
    assert team_color("") == team_color("")


def test_unknown_teams_have_colors_of_one_lightness():
    for number in range(300):
        color = team_color(f"army {number}")
        assert 0.0 < min(color) < max(color) < 0.8
        assert max(color) - min(color) > 0.3  # not gray
    assert max(team_color("a")) == pytest.approx(max(team_color("b")))
