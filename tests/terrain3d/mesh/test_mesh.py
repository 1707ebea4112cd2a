"""Meshes of squares, hexagons, liquids and decks, measured against the grid and the map."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import KINDS, TOPOLOGIES, TileKind, TileMap
from terrain3d.grid.kinds import LIQUID
from terrain3d.mesh.chunks import chunk_mesh
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.sides import MAX_BANDS, plain_sides, sides
from terrain3d.mesh.ground.tops import planks, tops, undersides, waters
from terrain3d.mesh.structures import rails
from tests.support.meshes import facing, patch_of, whole

NORTH, EAST, SOUTH, WEST = range(4)


topologies, steps = st.sampled_from(TOPOLOGIES), st.sampled_from((0.25, 0.5, 1.0))


@st.composite
def grounds(draw, most=7, topologies=topologies):
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    level = rng.integers(0, draw(st.integers(1, 7)), (rows, cols))
    kind = rng.integers(0, len(KINDS), (rows, cols))
    return TileMap(level, kind, step_height=draw(steps), topology=draw(topologies))


@st.composite
def decked(draw):
    """Draw a map with decks of all sorts that keep clear of each other."""
    tilemap = draw(grounds(5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    with tilemap.edit() as edit:
        for row, col in np.argwhere(rng.random((tilemap.rows, tilemap.cols)) < 0.6).tolist():
            floor = tilemap.level_at((row, col))
            for _ in range(rng.integers(1, 3)):
                thickness = int(rng.integers(1, 3))
                floor += thickness + int(rng.integers(0, 3)) + 1
                kind = str(rng.choice(["wood", "road"]))
                edit.add_deck((row, col), floor, kind=kind, thickness=thickness)
    return tilemap


def area(corners):
    """Give the area of each of (n, c, 2) outlines, above 0 if counter-clockwise."""
    x, y = corners[..., 0], corners[..., 1]
    return 0.5 * (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)


def areas(mesh, axis=2):
    """Give each triangle's area as seen along an axis, above 0 if it faces along it."""
    a, b, c = (mesh.positions[mesh.triangles[:, i]].astype(float) for i in range(3))
    return 0.5 * np.cross(b - a, c - a)[:, axis]


def bodies(tilemap, row, col):
    """List the (low, high) levels that are solid in a column; none beside the map."""
    if not (0 <= row < tilemap.rows and 0 <= col < tilemap.cols):
        return []
    base = round(tilemap.base_z / tilemap.step_height)
    found = []
    for deck in range(tilemap.n_decks + 1):
        if not tilemap.surface_void[deck, row, col]:
            level = int(tilemap.surface_level[deck, row, col])
            thickness = int(tilemap.surface_thickness[deck, row, col])
            found.append((level - thickness if deck else base, level))
    return found


def test_a_tower_of_32767_levels_has_few_bands():
    tilemap = TileMap([[0, 32767, 0]])
    bands = plain_sides(patch_of(tilemap))[0]
    assert len(bands.triangles) <= 2 * (4 * 2 * (MAX_BANDS + 2) + 6 * 2)
    assert bands.positions[:, 2].max() == 32767 * 0.5


@given(grounds())
def test_each_visible_top_has_the_corners_of_its_cell(tilemap):
    patch = patch_of(tilemap)
    one = area(np.array([tilemap.grid.corners((0, 0))]))
    seen = 0
    for tile, parts in ((patch.dry, [tops(patch)]), (patch.shores.tile, waters(patch))):
        tile = np.arange(len(patch.z))[tile]
        if not len(tile):
            continue
        (mesh,) = parts
        points = mesh.positions.reshape(len(tile), -1, 3)
        cells = zip(patch.row[tile].tolist(), patch.col[tile].tolist(), strict=True)
        for cell, shown in zip(cells, points, strict=True):
            corners = {tuple(np.float32(corner)) for corner in tilemap.grid.corners(cell)}
            assert corners <= {tuple(point) for point in shown[:, :2]}
            np.testing.assert_allclose(shown[:, 2], tilemap.surface_point(cell)[2], atol=1e-5)
        covered = areas(mesh).reshape(len(tile), -1).sum(axis=1)
        np.testing.assert_allclose(covered, np.repeat(one, len(tile)), rtol=1e-4)
        seen += len(tile)
    assert seen == (~tilemap.void).sum()


@given(st.one_of(grounds(), decked()))
def test_meshes_are_well_formed(tilemap):
    """No NaN, normals of length 1, every triangle seen from outside, no index beyond the end."""
    mesh = chunk_mesh(tilemap, whole(tilemap))
    for array in (mesh.positions, mesh.normals, mesh.uv):
        assert np.isfinite(array).all()
    assert mesh.triangles.max(initial=0) < max(len(mesh.positions), 1)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)
    for deck in range(tilemap.n_decks + 1):
        patch = patch_of(tilemap, deck)
        parts = [tops(patch), *waters(patch), *sides(patch), undersides(patch)]
        parts += [*planks(patch), *rails(patch)]
        for part in parts:
            assert (facing(part) > 0.0).all()


@given(st.one_of(grounds(), decked()))
def test_sides_are_where_nothing_is_beyond(tilemap):
    """A point beside a wall of a body lies in a side there, unless another body covers it."""
    grid, step = tilemap.grid, tilemap.step_height
    base = round(tilemap.base_z / step)
    for deck in range(tilemap.n_decks + 1):
        patch = patch_of(tilemap, deck)
        parts = plain_sides(patch)
        seen = parts[0].positions.reshape(-1, 4, 3) if parts else np.zeros((0, 4, 3))
        middles, lows, highs = seen[:, :, :2].mean(axis=1), seen[:, 0, 2], seen[:, 2, 2]
        for tile, (row, col) in enumerate(zip(patch.row.tolist(), patch.col.tolist(), strict=True)):
            x, y = grid.center((row, col))
            top, under = round(patch.z[tile] / step), base
            if deck:
                under = top - int(tilemap.surface_thickness[deck, row, col])
            ways = zip(grid.steps_from(row, col), grid.headings, strict=True)
            for (drow, dcol), (east, north) in ways:
                edge = np.array((x + 0.5 * east, y + 0.5 * north))
                here = np.linalg.norm(middles - edge, axis=1) < 1e-3
                # Another tile's side may lie in the same place and face the opposite direction.
                here &= (parts[0].normals[::4, :2] @ (east, north) > 0.9) if parts else here
                beyond = bodies(tilemap, row + drow, col + dcol)
                for level in range(under, top):
                    z = (level + 0.5) * step
                    is_free = not any(low <= level < high for low, high in beyond)
                    is_seen = bool((here & (lows < z) & (z < highs)).any())
                    assert is_seen or not is_free, (row, col, deck, level)
                    if deck == 0 and tilemap.n_decks == 0:
                        assert is_seen == is_free


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_higher_tiles_darken_the_corners_that_they_touch_and_no_others(topology):
    level = np.zeros((5, 5), dtype=int)
    level[2, 2] = 3
    tilemap = TileMap(level, topology=topology)
    patch = patch_of(tilemap)
    tower = {tuple(corner) for corner in np.round(tilemap.grid.corners((2, 2)), 4)}
    shown = np.round(patch.corners.astype(float), 4)
    for corners, light in zip(shown, patch.occlusion, strict=True):
        touched = np.array([tuple(corner) in tower for corner in corners])
        if touched.all():
            assert (light == 1.0).all()  # the tower itself
        else:
            assert (light[touched] < 0.9).all()
            assert (light[~touched] == 1.0).all()


BRIDGE = """
    40004
    40004
    40004
"""


def bridge(topology="square", kind="wood", thickness=1):
    tilemap = TileMap.from_text(BRIDGE, topology=topology)
    with tilemap.edit() as edit:
        edit.add_deck([(1, 1), (1, 2), (1, 3)], level=4, kind=kind, thickness=thickness)
    return tilemap


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_boards_stay_in_their_tile_and_cover_nearly_all_of_it(topology):
    patch = patch_of(bridge(topology), 1)
    joints, *boards = planks(patch)
    mesh = MeshData.join(boards)
    full = float(areas(joints).sum())
    assert 0.8 * full < areas(mesh).sum() < 0.95 * full
    for x, y in mesh.positions[:, :2].astype(float):
        aside = ((x, y) - patch.center) @ patch.lattice.out.T
        assert aside.max(axis=1).min() <= 0.5 + 1e-5


def test_rails_stand_at_drops_and_not_across_the_path():
    parts = rails(patch_of(bridge(), 1))
    y = np.concatenate([part.positions[:, 1] for part in parts])
    assert ((np.abs(y + 1.0) < 0.1) | (np.abs(y + 2.0) < 0.1)).all()
    assert rails(patch_of(bridge(kind="road"), 1)) == []


BLUE = (0.4, 0.6, 0.7)
TABLE = [
    TileKind("land", texture="sand"),
    TileKind("pond", color=BLUE, texture="water", depth=1),
    TileKind("lake", color=BLUE, texture="water", depth=4),
    TileKind("fire", texture="lava", depth=1),
]


def pool(picture, levels=None, topology="square"):
    """Return a map of "." land, "~" pond, "=" lake, "^" fire and "#" void; flat by default."""
    rows = picture.split()
    kind = np.array([[".~=^#".index(sign) for sign in row] for row in rows])
    level = np.zeros(kind.shape, int)
    if levels is not None:
        level = np.array([[int(sign) for sign in row] for row in levels.split()])
    return TileMap(level, kind, TABLE, topology=topology)


def surface_at(tilemap, row, col):
    """Give the pattern of a tile's top, and its edges that are not level."""
    patch = patch_of(tilemap)
    (at,) = np.nonzero((patch.row == row) & (patch.col == col))[0]
    parts = patch.surface["edges"][at, :, : patch.lattice.sides // 2].ravel().tolist()
    edges = {direction: edge for direction, edge in enumerate(parts) if edge}
    return patch.surface["pattern"][at], edges


def test_the_shore_of_a_liquid_is_where_no_liquid_of_its_level_is():
    flat = pool("...\n.~~\n.~.")
    assert surface_at(flat, 1, 1) == (LIQUID, {NORTH: -1, WEST: -1})
    banks = pool("...\n.~~\n.~.", "020\n000\n000")
    assert surface_at(banks, 1, 1) == (LIQUID, {NORTH: -1, WEST: -1})


def test_lower_ground_is_no_shore():
    fall = pool("~~~", "022")
    assert surface_at(fall, 0, 1) == (LIQUID, {NORTH: 1, SOUTH: 1, WEST: 1})
    assert surface_at(fall, 0, 0) == (LIQUID, {NORTH: 1, SOUTH: 1, WEST: 1, EAST: -1})
    hole = pool("~#")
    assert surface_at(hole, 0, 0) == (LIQUID, dict.fromkeys((NORTH, EAST, SOUTH, WEST), 1))


@given(st.integers(0, 2**32), st.sampled_from(TOPOLOGIES))
def test_colors_on_one_level_are_continuous_between_tiles(seed, topology):
    """What meets in a point has one color there: no tile's edge shows."""
    rng = np.random.default_rng(seed)
    tilemap = TileMap(np.zeros((5, 6), int), rng.integers(0, 3, (5, 6)), TABLE, topology=topology)
    patch = patch_of(tilemap)
    parts = waters(patch)
    at = {}
    for mesh in parts:
        for point, color in zip(mesh.positions, mesh.colors, strict=True):
            at.setdefault(tuple(point), set()).add(tuple(color))
    assert all(len(colors) == 1 for colors in at.values())
