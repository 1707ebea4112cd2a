"""Search tiles: a constant number of vertices, arrows to the parent, positions of surfaces."""

import math

import numpy as np
import pytest

from terrain3d import HexGrid, SquareGrid, TileMap
from terrain3d.mesh.overlays.flat_shapes import PIN_HEIGHT, pin
from terrain3d.mesh.overlays.region import FRAME, N_PARTS, SOLID, STRIPES
from terrain3d.mesh.overlays.search_tiles import (
    CHUNK,
    CLOSED,
    CLOSED_NOW,
    HIDDEN,
    OPEN,
    OPEN_NOW,
    Faces,
    SurfacePositions,
)

GRIDS = [SquareGrid(4, 5), HexGrid(4, 5, "hex_odd_r"), HexGrid(4, 5, "hex_even_q")]
LOOKS = (OPEN, CLOSED, OPEN_NOW, CLOSED_NOW)
ARROW = slice(-7, None)
TIP, TAIL = -1, slice(-7, -3)


def mesh_of(grid, looks, toward=(1.0, 0.0), *, is_near=False):
    """Return one face per look, all around (2, -3, 1)."""
    count = len(looks)
    faces = Faces(grid)
    mesh = faces.mesh(
        np.tile((2.0, -3.0, 1.0), (count, 1)),
        np.array(looks),
        np.tile(toward, (count, 1)),
        np.full(count, is_near),
    )
    assert len(mesh.positions) == count * faces.n_vertices
    return mesh, faces


@pytest.mark.parametrize("grid", GRIDS)
def test_every_look_has_the_same_triangles(grid):
    shapes = {mesh_of(grid, [look])[0].triangles.tobytes() for look in (HIDDEN, *LOOKS)}
    assert len(shapes) == 1
    mesh, faces = mesh_of(grid, [OPEN, CLOSED])
    assert mesh.triangles.max() == 2 * faces.n_vertices - 1


@pytest.mark.parametrize("grid", GRIDS)
def test_a_hidden_face_has_no_extent(grid):
    mesh, _ = mesh_of(grid, [HIDDEN])
    assert np.ptp(mesh.positions, axis=0).max() == 0


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("look", LOOKS)
def test_a_face_lies_on_its_tile(grid, look):
    mesh, _ = mesh_of(grid, [look])
    flat = mesh.positions[:, :2] - (2.0, -3.0)
    assert 0.4 < np.abs(flat).max() < 0.62
    assert (mesh.positions[:, 2] > 1.0).all()
    assert (mesh.positions[:, 2] < 1.1).all()
    # Its corners are those of the tile, slightly inset.
    heading = np.array(grid.headings)
    assert (flat @ heading.T).max() < 0.5


@pytest.mark.parametrize("is_near", [False, True])
@pytest.mark.parametrize("angle_deg", [0, 60, 90, 135, 270])
def test_the_arrow_points_to_the_parent(angle_deg, is_near):
    angle = np.radians(angle_deg)
    toward = np.array([np.cos(angle), np.sin(angle)])
    mesh, _ = mesh_of(GRIDS[0], [CLOSED], toward, is_near=is_near)
    flat = mesh.positions[:, :2] - (2.0, -3.0)
    tip = flat[TIP]
    assert tip / np.linalg.norm(tip) == pytest.approx(toward, abs=1e-5)
    assert (flat[ARROW] @ toward).max() == pytest.approx(np.linalg.norm(tip))
    if is_near:  # the center is free for numbers
        assert (flat[ARROW] @ toward).min() > 0.3
        assert (flat[ARROW] @ toward).max() < 0.5  # a higher parent hides what is beyond the edge
    else:
        assert (flat[TAIL] @ toward).min() < -0.2


@pytest.mark.parametrize("grid", GRIDS)
def test_the_frame_of_a_face_is_a_fan_around_its_center(grid):
    mesh, _ = mesh_of(grid, [CLOSED])
    shown = np.floor(mesh.uv[:, 0] * N_PARTS) == FRAME
    triangles = mesh.positions[mesh.triangles[shown[mesh.triangles].all(axis=1)]]
    assert len(triangles) == len(grid.headings)
    assert triangles[:, 2, :2] == pytest.approx(np.tile((2.0, -3.0), (len(triangles), 1)))
    ahead, after = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    areas = np.cross(ahead, after)[:, 2] / 2.0
    assert (areas > 0.0).all()
    assert areas.sum() > 0.75 * (1.0 if len(areas) == 4 else math.sqrt(0.75))


def test_a_tile_without_a_parent_has_no_arrow():
    mesh, _ = mesh_of(GRIDS[0], [CLOSED], (0.0, 0.0))
    assert np.ptp(mesh.positions[-14:], axis=0).max() == 0


def test_looks_differ_in_color_and_open_ones_in_pattern():
    mesh, faces = mesh_of(GRIDS[0], LOOKS)
    fills = mesh.colors.reshape(len(LOOKS), faces.n_vertices, 4)[:, 0]
    assert len({tuple(fill) for fill in fills.tolist()}) == len(LOOKS)
    patterns = mesh.uv.reshape(len(LOOKS), faces.n_vertices, 2)[:, 0, 0]
    is_open = np.isin(LOOKS, (OPEN, OPEN_NOW))
    assert len(set(patterns[is_open])) == len(set(patterns[~is_open])) == 1
    assert patterns[is_open][0] != patterns[~is_open][0]


@pytest.mark.parametrize("grid", GRIDS)
def test_stripes_of_open_tiles_continue_across_them_and_closed_tiles_have_none(grid):
    mesh, faces = mesh_of(grid, LOOKS)
    sides = len(grid.headings)
    uv = mesh.uv.reshape(len(LOOKS), faces.n_vertices, 2)
    points = mesh.positions.reshape(*uv.shape[:2], 3)
    for look, place, point in zip(LOOKS, uv, points, strict=True):
        fill, framed, arrow = np.split(np.floor(place[:, 0] * N_PARTS), (sides, 2 * sides + 1))
        assert set(fill) == {STRIPES if look in (OPEN, OPEN_NOW) else SOLID}
        assert (set(framed), set(arrow)) == ({FRAME}, {SOLID})
        if look in (OPEN, OPEN_NOW):
            phase = place[:sides, 1] - point[:sides, :2].sum(axis=1)
            assert np.abs(phase - np.rint(phase)).max() < 1e-5
            assert np.ptp(place[:sides, 1]) > 0.9


def test_colors_of_a_look_are_lightest_just_now():
    """No part of a color wraps around: a look of this moment is at least as light in each part."""
    mesh, faces = mesh_of(GRIDS[0], (OPEN, OPEN_NOW, CLOSED, CLOSED_NOW))
    colors = mesh.colors.reshape(4, faces.n_vertices, 4).astype(int)
    fills, frames = colors[:, 0, :3], colors[:, 4, :3]
    for before, now in ((0, 1), (2, 3)):
        assert (fills[now] >= fills[before]).all()
        assert (frames[now] >= frames[before]).all()


def test_open_and_closed_differ_in_lightness():
    mesh, faces = mesh_of(GRIDS[0], (OPEN, CLOSED))
    fills = mesh.colors.reshape(2, faces.n_vertices, 4)[:, 0, :3] / 255.0
    light = fills @ (0.2126, 0.7152, 0.0722)
    assert light[0] > 2 * light[1]


def test_a_pin_stands_on_its_point():
    positions = pin((1.0, 0.5, 0.0)).positions
    assert (positions[:, 1] == 0).all()
    assert positions[:, 2].min() == 0
    assert positions[:, 2].max() == pytest.approx(PIN_HEIGHT, abs=0.02)
    lowest = positions[positions[:, 2] < 0.01]
    assert np.abs(lowest[:, 0]).max() < 0.05


@pytest.fixture
def tilemap():
    tilemap = TileMap.from_text("012\n345")
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=9)
    return tilemap


def test_positions_are_the_centers_of_the_surfaces_sorted_by_number(tilemap):
    positions = SurfacePositions.of(tilemap, [7, 5, 0, 5])
    assert positions.number.tolist() == [0, 5, 7]
    expected = [tilemap.surface_point(cell) for cell in ((0, 0), (1, 2), (0, 1, 1))]
    assert positions.center == pytest.approx(np.array(expected))
    assert positions.indices_of([7, 0]).tolist() == [2, 0]


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"])
def test_positions_are_the_centers_of_hexagons(topology):
    tilemap = TileMap(np.arange(20).reshape(4, 5), topology=topology)
    positions = SurfacePositions.of(tilemap, range(20))
    expected = [tilemap.surface_point(divmod(number, 5)) for number in range(20)]
    assert positions.center == pytest.approx(np.array(expected))


def test_directions_are_unit_vectors_or_zero(tilemap):
    positions = SurfacePositions.of(tilemap, [0, 1, 4, 5])
    toward = positions.directions(np.array([0, 1, 2, 3]), np.array([1, 1, 0, -1]))
    half = np.sqrt(0.5)
    assert toward == pytest.approx(np.array([(1, 0), (0, 0), (-half, half), (0, 0)]))


def test_chunks_contain_near_surfaces(tilemap):
    wide = TileMap(np.zeros((CHUNK + 1, 2 * CHUNK), dtype=int))
    positions = SurfacePositions.of(wide, range(wide.rows * wide.cols))
    assert positions.chunk.max() == 3
    assert np.bincount(positions.chunk).tolist() == [CHUNK**2, CHUNK**2, CHUNK, CHUNK]
    half = CHUNK / 2
    assert positions.chunk_center[1] == pytest.approx((CHUNK + half, -half, 0))
    assert SurfacePositions.of(tilemap, [0, 7]).chunk.tolist() == [0, 0]


@pytest.mark.parametrize("number", [-1, 12])
def test_unknown_numbers_raise_an_error(tilemap, number):
    with pytest.raises(IndexError, match=r"0\.\.11"):
        SurfacePositions.of(tilemap, [0, number])
