"""Chunks: which are shown, how they fit together without gaps, and what an edit changes."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from terrain3d import KINDS, TOPOLOGIES, Rect, TileMap, make_grid
from terrain3d.mesh.chunks import (
    CHUNK_SIZE,
    MAX_WHOLE,
    Chunk,
    ChunkPlan,
    ChunkTree,
    Sight,
    chunk_mesh,
    chunk_rects,
)
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.coarse import coarse_mesh
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.sides import sides
from terrain3d.mesh.ground.tops import tops, undersides, waters
from tests.support.meshes import touched_rects, vertex_rows
from tests.support.strategies import applied

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
        plan = ChunkPlan(tree, () if view is None else (view,), HEIGHT, built)
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
    plan = ChunkPlan(tree, (view,), HEIGHT, kept)
    assert plan.shown <= kept
    assert not kept & set(plan.missing)
    assert (times_covered(tree, plan.shown) == 1).all()


def test_without_the_coarse_chunk_finer_ones_stand_in():
    tree = ChunkTree(make_grid("square", 512, 512))
    near = sight((256, -290, 12), (256, -256, 0))
    built, plan = built_of(tree, near)
    far = sight((256, -3000, 2000), (256, -256, 0))
    without = built - {tree.root} - plan.divided
    plan = ChunkPlan(tree, (far,), HEIGHT, without)
    assert plan.missing == [tree.root]
    assert (times_covered(tree, plan.shown) == 1).all()
    assert not ChunkPlan(tree, (far,), HEIGHT, set()).shown


@settings(deadline=None)
@given(sizes, sizes, views)
def test_blocks_in_the_picture_are_small(rows, cols, view):
    tree = ChunkTree(make_grid("square", rows, cols))
    _, plan = built_of(tree, view)
    eye = np.array(view.eye)
    for chunk in plan.shown:
        if chunk.stride == 0 or tree.is_whole:
            continue
        row, col = np.mgrid[chunk.rect.slices()]
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
        eye = (side / 2, -side / 2 - distance * math.cos(pitch), distance * math.sin(pitch))
        _, plan = built_of(tree, sight(eye, (side / 2, -side / 2, 0)))
        assert len(plan.shown) < 700


@given(st.sampled_from(TOPOLOGIES), st.sampled_from((1, 2)), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_an_edit_changes_the_meshes_of_touched_chunks_only(topology, stride, seed):
    rng = np.random.default_rng(seed)
    tilemap = TileMap(rng.integers(0, 6, (24, 24)), topology=topology)
    rect = Rect(8, 8, 8, 8)
    before = vertex_rows(coarse_mesh(tilemap, rect, stride))
    cell = tuple(rng.integers(0, 24, 2).tolist())
    with tilemap.edit() as edit:
        edit.set_level(cell, 9)
    if not Chunk(tilemap.grid, rect, stride).touches(Rect(*cell, 1, 1)):
        np.testing.assert_array_equal(before, vertex_rows(coarse_mesh(tilemap, rect, stride)))


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
@given(st.integers(0, 2**32), *[st.sampled_from((0, 1, 2, 4))] * 2, st.booleans())
def test_no_gaps_where_two_strides_meet(seed, here, there, is_east):
    tilemap = random_map(seed)
    rect = Rect(8, 8, 8, 8)
    own, beyond = shown_top(tilemap, here), shown_top(tilemap, there)
    mesh = coarse_mesh(tilemap, rect, here) if here else chunk_mesh(tilemap, rect)
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
                starts, ends = np.stack((a, b, c)), np.stack((b, c, a))
                (along_x, along_y), (x, y) = (ends - starts).T, (point - starts).T
                assert (along_x * y - along_y * x >= -1e-4).all(axis=1).any()


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


LINKS = ("ladder", "stairs", "door", "ledge", "teleporter", "lift")
SIZE = CHUNK_SIZE + 4
"""Four chunks, three of them small; the random cells below lie about the point where they meet."""


def a_cell(rng, tilemap):
    """Choose a cell near where chunks meet, half of the time one where a link or a wall ends."""
    ends = [end for pair in (*tilemap.links, *tilemap.walls) for end in (pair.start, pair.end)]
    if ends and rng.random() < 0.5:
        return tuple(ends[int(rng.integers(len(ends)))][:2])
    return tuple(int(n) for n in rng.integers(CHUNK_SIZE - 3, SIZE, 2))


def ground(rng, topology):
    """Make a map with ground near where chunks meet alone, which is quickly meshed."""
    kind = np.full((SIZE, SIZE), len(KINDS) - 1)
    kind[CHUNK_SIZE - 5 :, CHUNK_SIZE - 5 :] = rng.integers(0, len(KINDS), (9, 9))
    return TileMap(rng.integers(0, 4, kind.shape), kind, topology=topology)


def orders(rng, tilemap):
    """Choose random orders that an edit may give, some of which it refuses."""
    cell, other = a_cell(rng, tilemap), a_cell(rng, tilemap)

    def highest(place):
        return (*place[:2], max(tilemap.decks_at(place[:2]), default=0))

    neighbors = tilemap.grid.neighbors(cell)
    near = neighbors[int(rng.integers(len(neighbors)))]
    far = other if rng.random() < 0.5 else near
    one_way = bool(rng.random() < 0.5)
    return [
        ("set_level", cell, int(rng.integers(0, 5))),
        ("set_kind", cell, str(rng.choice(["shallow", "wood", "forest"]))),
        ("add_deck", cell, int(rng.integers(6, 9))),
        ("remove_deck", cell),
        ("add_wall", cell, highest(near), one_way),
        ("remove_wall", cell, near),
        ("add_link", cell, highest(far), 1, str(rng.choice(LINKS)), one_way),
        ("remove_link", cell, near),
    ]


def try_one(rng, tilemap):
    choices = orders(rng, tilemap)
    applied(tilemap, [choices[int(rng.integers(len(choices)))]])


def meshes(tilemap):
    return {rect: chunk_mesh(tilemap, rect) for rect in chunk_rects(tilemap.rows, tilemap.cols)}


def is_same(one, other):
    names = [entry.name for entry in fields(MeshData)]
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@given(st.sampled_from(TOPOLOGIES), st.integers(0, 2**32))
def test_chunks_hold_each_wall_and_link_once_and_stay_if_no_edit_touches_them(topology, seed):
    rng = np.random.default_rng(seed)
    tilemap = ground(rng, topology)
    for _ in range(15):
        try_one(rng, tilemap)
    before = meshes(tilemap)
    one = chunk_mesh(tilemap, Rect(0, 0, SIZE, SIZE))
    parts = MeshData.join(list(before.values()))
    np.testing.assert_array_equal(vertex_rows(parts), vertex_rows(one))
    for _ in range(5):
        version = tilemap.version
        if rng.random() < 0.2:
            tilemap.undo()
        else:
            try_one(rng, tilemap)
        changed = tilemap.changed_rects(version)
        touched = {rect for each in changed for rect in touched_rects(tilemap, each)}
        after = meshes(tilemap)
        assert all(is_same(before[rect], after[rect]) for rect in before if rect not in touched)
        before = after


SPAN, FIRST = 4, 260
"""Rows and columns with ground, in a map that is void elsewhere, and the first of them: far from
the origin positions are less precise.
"""
RELIEFS = (2, 7, 60, 2000)
"""Numbers of levels: sides of more than sixteen have bands of several levels."""


def rough_ground(seed, topology, n_levels, step_height, n_decks):
    """Return a map of all kinds, void among them, with decks at any height."""
    rng = np.random.default_rng(seed)
    level = np.zeros((FIRST + SPAN, FIRST + SPAN), int)
    kind = np.full(level.shape, len(KINDS) - 1)
    level[FIRST:, FIRST:] = rng.integers(0, n_levels, (SPAN, SPAN))
    kind[FIRST:, FIRST:] = rng.integers(0, len(KINDS), (SPAN, SPAN))
    tilemap = TileMap(level, kind, step_height=step_height, topology=topology)
    for _ in range(n_decks):
        cell = tuple(rng.integers(FIRST, FIRST + SPAN, 2).tolist())
        above = int(rng.choice([1, 2, 3, n_levels]))
        thickness = int(rng.integers(1, above + 1))
        with tilemap.edit() as edit:
            decks = [deck for deck in tilemap.decks_at(cell) if deck]
            floor = max(tilemap.level_at((*cell, deck)) for deck in (0, *decks))
            edit.add_deck(cell, floor + above, thickness=thickness)
    return tilemap


def parts_of(tilemap, chunk):
    """Return the closed surface of a map, meshed in chunks of a size, and the lips on it."""
    bodies, lips = [], []
    for row in range(FIRST, tilemap.rows, chunk):
        for col in range(FIRST, tilemap.cols, chunk):
            rect = Rect(row, col, min(chunk, tilemap.rows - row), min(chunk, tilemap.cols - col))
            for deck in range(tilemap.n_decks + 1):
                patch = Patch.of(tilemap, rect, deck)
                if len(patch.z):
                    bands, hangs = [*sides(patch), None, None][:2]
                    bodies += [tops(patch), *waters(patch), *([bands] if bands else [])]
                    bodies += [undersides(patch)] if deck else []
                    if hangs:
                        lips.append(hangs)
                        collars = hangs.triangles.reshape(-1, 6, 3)[:, :2].reshape(-1, 3)
                        bodies.append(replace(hangs, triangles=collars))
    return MeshData.join(bodies), MeshData.join(lips)


def edges_of(mesh):
    """Return the (n, 2, 3) edges of a mesh's triangles that have an extent, to the last bit."""
    corners = mesh.positions[mesh.triangles]
    return np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 3)


def keys(edges):
    """Return an edge as text, the same in both directions."""
    return [b"".join(sorted(end.tobytes() for end in edge)) for edge in edges + 0.0]


def single_edges(mesh, tilemap):
    """Return the edges of one triangle alone, but for those at the bottom and inside the ground."""
    edges = edges_of(mesh)
    _, first, count = np.unique(keys(edges), return_index=True, return_counts=True)
    single = edges[first[count == 1]]
    single = single[(single[..., 2] > tilemap.base_z + 1e-6).any(axis=1)]
    return [edge for edge in single if not is_buried(tilemap, *edge.mean(axis=0).tolist())]


def is_buried(tilemap, x, y, z):
    """Return whether there is ground on all sides of a point: a face in there is never seen."""
    for turn in np.arange(0.1, 2.0 * np.pi, np.pi / 6.0):
        cell = tilemap.grid.cell_at(x + 0.1 * np.cos(turn), y + 0.1 * np.sin(turn))
        bodies = []
        for deck in tilemap.decks_at(cell) if cell else ():
            top = tilemap.level_at((*cell[:2], deck))
            thickness = int(tilemap.surface_thickness[deck, cell.row, cell.col])
            bodies.append((top - thickness if deck else -np.inf, top))
        if not any(low < z / tilemap.step_height < high for low, high in bodies):
            return False
    return True


def cut_edges(mesh):
    """Return triples of the ends of an edge and a vertex between them, but for middles of tops."""
    is_middle = (mesh.uv == 0.5).all(axis=1) & (mesh.normals[:, 2] == 1.0)
    is_middle[np.setdiff1d(np.arange(len(is_middle)), mesh.triangles)] = True
    points = np.unique(mesh.positions[~is_middle], axis=0).astype(float)
    found = []
    edges = edges_of(mesh)
    for start, end in edges[np.unique(keys(edges), return_index=True)[1]].astype(float):
        along = end - start
        part = (points - start) @ along / (along @ along)
        off = np.linalg.norm(points - start - part[:, None] * along, axis=1)
        inner = (part > 1e-5) & (part < 1.0 - 1e-5) & (off < 1e-5)
        found += [(start, end, point) for point in points[inner]]
    return found


CHOICES = TOPOLOGIES, RELIEFS, (0.1, 0.3, 0.5, 1.0), (0, 0, 9)
maps = st.builds(rough_ground, st.integers(0, 2**32), *map(st.sampled_from, CHOICES))


@settings(deadline=None, max_examples=20)
@given(maps, st.sampled_from((2, 3, SPAN)))
@example(rough_ground(1, "square", 60, 0.5, 0), 2)
def test_faces_share_whole_edges_across_chunks(tilemap, chunk):
    body, lips = parts_of(tilemap, chunk)
    assert single_edges(body, tilemap) == []
    assert cut_edges(body) == []
    upper = lips.positions.reshape(-1, 8, 3)[:, :2]
    assert set(keys(upper)) <= set(keys(edges_of(body)))


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("n_levels", RELIEFS)
def test_blocks_share_whole_edges(topology, stride, n_levels):
    tilemap = rough_ground(3, topology, n_levels, 0.5, 5)
    mesh = coarse_mesh(tilemap, Rect(FIRST, FIRST, SPAN, SPAN), stride)
    assert single_edges(mesh, tilemap) == []
    assert cut_edges(mesh) == []
