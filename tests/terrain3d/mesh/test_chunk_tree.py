"""Which chunks of a map are shown: they cover it once, and near ones are full."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, Rect, TileMap
from terrain3d.grid.hexgrid import make_grid
from terrain3d.mesh.chunks import MAX_WHOLE, ChunkTree, Sight
from tests.support.meshes import vertex_rows

HEIGHT = 4.0
FOV_DEG = 28.0


def sight(eye, target, fov_deg=FOV_DEG, aspect=16 / 9):
    """Return the sight of a camera, with a matrix written from first principles."""
    eye, target = np.array(eye, float), np.array(target, float)
    along = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(along, (0, 0, 1))
    right /= np.linalg.norm(right)
    up = np.cross(right, along)
    grows = 1 / math.tan(math.radians(fov_deg) / 2)
    columns = right * grows / aspect, up * grows, along, along
    matrix = np.zeros((4, 4))
    matrix[:3] = np.stack(columns, axis=1)
    matrix[3] = [-(eye @ column) for column in columns]
    matrix[3, 2] -= 1.0  # the near plane is 0.5 away
    return Sight.of(tuple(eye.tolist()), matrix)


def built_of(tree, view):
    """Build what a plan lacks until it lacks nothing; return all chunks and the last plan."""
    built = {tree.root}
    for _ in range(20):
        plan = tree.plan(view, HEIGHT, built)
        if not plan.missing:
            return built, plan
        built.update(plan.missing)
    raise AssertionError("there is always something missing")


def times_covered(tree, chunks):
    rect = tree.root.rect
    count = np.zeros((rect.rows, rect.cols), int)
    for row, col, rows, cols in (chunk.rect for chunk in chunks):
        count[row : row + rows, col : col + cols] += 1
    return count


sizes = st.integers(1, 700)
views = st.builds(
    lambda x, y, distance, heading, pitch: sight(
        (
            x + distance * math.cos(heading) * math.cos(pitch),
            -y + distance * math.sin(heading) * math.cos(pitch),
            distance * math.sin(pitch),
        ),
        (x, -y, 0),
    ),
    st.integers(0, 700),
    st.integers(0, 700),
    st.floats(3, 2000),
    st.floats(0, 6.28),
    st.floats(0.15, 1.5),
)


@settings(deadline=None)
@given(st.sampled_from(TOPOLOGIES), sizes, sizes, views, st.data())
def test_what_is_shown_covers_the_map_once_whatever_is_built(topology, rows, cols, view, data):
    tree = ChunkTree(make_grid(topology, rows, cols))
    built, plan = built_of(tree, view)
    assert plan.shown == plan.wanted
    assert (times_covered(tree, plan.shown) == 1).all()
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    kept = {tree.root} | {chunk for chunk in built if rng.random() < 0.7}
    plan = tree.plan(view, HEIGHT, kept)
    assert plan.shown <= kept
    assert not kept & set(plan.missing)
    assert (times_covered(tree, plan.shown) == 1).all()


def test_without_the_coarse_chunk_finer_ones_stand_in():
    tree = ChunkTree(make_grid("square", 512, 512))
    near = sight((256, -290, 12), (256, -256, 0))
    built, plan = built_of(tree, near)
    far = sight((256, -3000, 2000), (256, -256, 0))
    without = built - {tree.root} - plan.divided
    plan = tree.plan(far, HEIGHT, without)
    assert plan.missing == [tree.root]
    assert (times_covered(tree, plan.shown) == 1).all()
    assert not tree.plan(far, HEIGHT, set()).shown


@settings(deadline=None)
@given(sizes, sizes, views)
def test_blocks_in_the_picture_are_small(rows, cols, view):
    tree = ChunkTree(make_grid("square", rows, cols))
    _, plan = built_of(tree, view)
    eye = np.array(view.eye)
    for chunk in plan.shown:
        if chunk.stride == 0 or tree.is_whole:
            continue
        row, col = np.mgrid[
            chunk.rect.row : chunk.rect.row + chunk.rect.rows,
            chunk.rect.col : chunk.rect.col + chunk.rect.cols,
        ]
        points = np.stack([col + 0.5, -(row + 0.5), np.zeros(row.shape)], axis=-1)
        sides = np.array(view.planes)
        seen = (points @ sides[:, :3].T + sides[:, 3] >= 0).all(axis=-1)
        if seen.any():
            distance = np.linalg.norm(points[seen] - eye, axis=1).min()
            # A block is at most 1/128 of the picture's height.
            assert chunk.stride <= 2 * distance * math.tan(math.radians(FOV_DEG) / 2) / 128


def test_small_maps_are_shown_in_full_from_anywhere():
    side = math.isqrt(MAX_WHOLE)
    far = sight((0, -9000, 9000), (64, -64, 0))
    for view in (None, far):
        _, plan = built_of(ChunkTree(make_grid("square", side, side)), view)
        assert {chunk.stride for chunk in plan.shown} == {0}
        _, plan = built_of(ChunkTree(make_grid("square", side, side + 1)), view)
        assert {chunk.stride for chunk in plan.shown} == {4}


@pytest.mark.parametrize("side", [1024, 4096])
@pytest.mark.parametrize("distance", [13, 60, 200, 500, 1500])
def test_the_number_of_chunks_does_not_grow_with_the_map(side, distance):
    tree = ChunkTree(make_grid("square", side, side))
    for pitch in (0.16, 0.5, 1.5):
        eye = (
            side / 2,
            -side / 2 - distance * math.cos(pitch),
            distance * math.sin(pitch),
        )
        _, plan = built_of(tree, sight(eye, (side / 2, -side / 2, 0)))
        assert len(plan.shown) < 700


def test_what_is_near_is_built_first_and_coarse_before_full():
    tree = ChunkTree(make_grid("square", 1024, 1024))
    view = sight((500, -540, 20), (500, -500, 0))
    missing = tree.plan(view, HEIGHT, {tree.root}).missing
    strides = [chunk.stride for chunk in missing]
    assert strides == sorted(strides, reverse=True)
    middles = [chunk.middle for chunk in missing if not chunk.stride]
    assert math.dist(middles[0], view.eye[:2]) < 40 < math.dist(middles[-1], view.eye[:2])


def test_an_edit_touches_chunks_of_every_stride_beside_it():
    tree = ChunkTree(make_grid("square", 256, 256))
    parents = tree.root.children
    assert [chunk.rect for chunk in parents if chunk.touches(Rect(127, 3, 1, 1))] == [
        Rect(0, 0, 128, 128),
        Rect(128, 0, 128, 128),
    ]
    assert [chunk.touches(Rect(5, 5, 1, 1)) for chunk in parents] == [True, False, False, False]


@given(st.sampled_from(TOPOLOGIES), st.sampled_from((1, 2)), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_an_edit_changes_the_meshes_of_touched_chunks_only(topology, stride, seed):
    from terrain3d.mesh.chunks import Chunk
    from terrain3d.mesh.ground.coarse import coarse_mesh

    rng = np.random.default_rng(seed)
    tilemap = TileMap(rng.integers(0, 6, (24, 24)), topology=topology)
    rect = Rect(8, 8, 8, 8)
    before = vertex_rows(coarse_mesh(tilemap, rect, stride))
    cell = tuple(rng.integers(0, 24, 2).tolist())
    with tilemap.edit() as edit:
        edit.set_level(cell, 9)
    if not Chunk(tilemap.grid, rect, stride).touches(Rect(*cell, 1, 1)):
        np.testing.assert_array_equal(before, vertex_rows(coarse_mesh(tilemap, rect, stride)))
