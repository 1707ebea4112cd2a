"""Coarse meshes: their heights, and that nothing shows through where strides meet."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, Rect, TileMap
from terrain3d.grid.kinds import KINDS
from terrain3d.mesh.chunks import chunk_mesh
from terrain3d.mesh.ground.coarse import coarse_mesh

VOID = [kind.name for kind in KINDS].index("void")
SIDE = 24
HEXAGONS = TOPOLOGIES[1:]


def random_map(seed, topology="square", void=0.1):
    rng = np.random.default_rng(seed)
    kind = np.where(rng.random((SIDE, SIDE)) < void, VOID, rng.integers(1, 6, (SIDE, SIDE)))
    tilemap = TileMap(rng.integers(0, 5, (SIDE, SIDE)), kind, topology=topology)
    with tilemap.edit() as edit:
        for place in rng.choice(SIDE * SIDE, 20, replace=False).tolist():
            edit.add_deck(divmod(place, SIDE), level=int(rng.integers(7, 9)))
    return tilemap


def mesh_of(tilemap, rect, stride):
    return coarse_mesh(tilemap, rect, stride) if stride else chunk_mesh(tilemap, rect)


def shown_top(tilemap, stride):
    """Return the (rows, cols) height that is shown at each tile; the base where nothing is."""
    levels = np.where(tilemap.surface_void, -2, tilemap.surface_level)
    top = levels[0] if stride == 0 else levels.max(axis=0)
    if stride > 1:
        block = np.arange(SIDE) // stride * stride
        rows = np.array([top[first : first + stride].max(axis=0) for first in block])
        top = np.array([rows[:, first : first + stride].max(axis=1) for first in block]).T
    return top * tilemap.step_height


def walls(mesh, axis, place, sign):
    """Return the (n, 2, 2) boxes, along the wall and in height, of quads in a vertical plane."""
    points = mesh.positions[mesh.triangles]
    faces = (np.abs(points[:, :, axis] - place) < 1e-3).all(axis=1)
    faces &= (mesh.normals[mesh.triangles[:, 0], axis] * sign) > 0.99
    flat = points[faces][:, :, [1 - axis, 2]]
    return np.stack([flat.min(axis=1), flat.max(axis=1)], axis=1)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from((0, 1, 2, 4)),
    st.sampled_from((0, 1, 2, 4)),
    st.booleans(),
)
def test_no_gaps_where_two_strides_meet(seed, here, there, is_east):
    tilemap = random_map(seed)
    rect = Rect(8, 8, 8, 8)
    own, beyond = shown_top(tilemap, here), shown_top(tilemap, there)
    mesh = mesh_of(tilemap, rect, here)
    axis, place, sign = (0, 16.0, 1.0) if is_east else (1, -16.0, -1.0)
    found = walls(mesh, axis, place, sign)
    for step in range(8, 16):
        cell, other = ((step, 15), (step, 16)) if is_east else ((15, step), (16, step))
        along = -(step + 0.5) if is_east else step + 0.5
        for z in np.arange(beyond[other] + 0.25, own[cell], 0.5):
            point = (along, z)
            assert ((found[:, 0] <= point) & (point <= found[:, 1])).all(axis=1).any()


@pytest.mark.parametrize("stride", [1, 2, 4])
def test_a_block_is_as_high_as_its_highest_surface(stride):
    tilemap = random_map(5)
    mesh = coarse_mesh(tilemap, Rect(8, 8, 16, 16), stride)
    top = shown_top(tilemap, stride)
    is_top = (mesh.normals[:, 2] > 0.9)[mesh.triangles].all(axis=1)
    middles = mesh.positions[mesh.triangles[is_top]].mean(axis=1)
    for x, y, z in middles.tolist():
        assert top[int(-y), int(x)] == z
    area = (top[8:, 8:] > -1).sum()
    a, b, c = mesh.positions[mesh.triangles[is_top]].swapaxes(0, 1)[..., :2]
    crosses = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    assert crosses.sum() / 2 == pytest.approx(area)


@pytest.mark.parametrize("topology", HEXAGONS)
@pytest.mark.parametrize("stride", [1, 2, 4])
def test_blocks_of_hexagons_cover_all_tiles(topology, stride):
    tilemap = random_map(5, topology, void=0.0)
    rect = Rect(8, 8, 8, 8)
    mesh = coarse_mesh(tilemap, rect, stride)
    tops = mesh.triangles[(mesh.normals[:, 2] > 0.9)[mesh.triangles].all(axis=1)]
    a, b, c = mesh.positions[tops].swapaxes(0, 1)[..., :2].astype(float)
    for row in range(8, 16):
        for col in range(8, 16):
            for point in tilemap.grid.corners((row, col)):
                sides = [
                    (end - start)[:, 0] * (point[1] - start[:, 1])
                    - (end - start)[:, 1] * (point[0] - start[:, 0])
                    for start, end in ((a, b), (b, c), (c, a))
                ]
                assert (np.array(sides) >= -1e-4).all(axis=0).any()


def test_void_has_no_blocks_and_a_tile_makes_one():
    kind = np.full((8, 8), VOID)
    assert not len(coarse_mesh(TileMap(kind * 0, kind), Rect(0, 0, 8, 8), 4).triangles)
    kind[1, 6] = 2
    mesh = coarse_mesh(TileMap(kind * 0, kind), Rect(0, 0, 8, 8), 4)
    assert mesh.positions.min(axis=0).tolist() == [4, -4, -1]
    assert mesh.positions.max(axis=0).tolist() == [8, 0, 0]
    same = np.full((8, 8), 2)
    assert colored(mesh) <= colored(coarse_mesh(TileMap(same * 0, same), Rect(0, 0, 8, 8), 4))


def colored(mesh):
    """Return the positions of the vertices of tops with their colors."""
    is_top = mesh.normals[:, 2] > 0.9
    rows = zip(mesh.positions[is_top].tolist(), mesh.colors[is_top].tolist(), strict=True)
    return {(*point, *color) for point, color in rows}


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_tops_have_the_colors_of_full_meshes(topology):
    tilemap = TileMap(np.zeros((SIDE, SIDE), int), topology=topology)
    full = colored(chunk_mesh(tilemap, Rect(0, 0, SIDE, SIDE), has_ground_cover=False))
    for rect in (Rect(0, 0, 16, 16), Rect(16, 8, 8, 16)):
        assert colored(coarse_mesh(tilemap, rect, 1)) <= full
