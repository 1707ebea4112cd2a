"""Marks on the map: where they lie, what they cover, ribbons, and tiles of a search."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import HexGrid, SquareGrid, TileMap
from terrain3d.mesh.overlays.flat_shapes import DARK, LIFT, pin
from terrain3d.mesh.overlays.region import ICONS, region
from terrain3d.mesh.overlays.ribbon import SAMPLES, center_line, ribbon
from terrain3d.mesh.overlays.search_tiles import CLOSED, CLOSED_NOW, OPEN, OPEN_NOW, search_tiles

BLUE = (0.2, 0.6, 1.0)
HILLS = {
    topology: TileMap.from_noise(8, 8, seed=3, levels=5, topology=topology)
    for topology in ("square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q")
}
SQUARES = HILLS["square"]

cells = st.tuples(st.integers(0, 7), st.integers(0, 7))
cell_sets = st.sets(cells, max_size=30)
hills = st.sampled_from(list(HILLS.values()))


def shapes_of(mesh):
    """Return the (m, 3, 3) corners of a mesh's triangles."""
    return mesh.positions[mesh.triangles]


def covers(triangles, x, y):
    """Return whether (x, y) is in any of (m, 3, 3) triangles, seen from above."""
    ahead = np.roll(triangles, -1, axis=1)[..., :2] - triangles[..., :2]
    to_point = (x, y) - triangles[..., :2]
    turn = ahead[..., 0] * to_point[..., 1] - ahead[..., 1] * to_point[..., 0]
    is_thick = turn.sum(axis=1) > 1e-7  # twice the area
    return bool(((turn >= -1e-6).all(axis=1) & is_thick).any())


def neighbors_all_around(tilemap, cell, part=0.48):
    """Yield (row, col) in every direction, also outside the map, and a point at the shared edge."""
    x, y = tilemap.grid.center(cell)
    steps = tilemap.grid.steps_from(*cell)
    for (drow, dcol), (east, north) in zip(steps, tilemap.grid.headings, strict=True):
        yield (cell[0] + drow, cell[1] + dcol), (x + part * east, y + part * north)


def on_tops(mesh):
    """Return the triangles of a region that lie flat, and those that stand on walls."""
    triangles = shapes_of(mesh)
    a, b, c = (triangles[:, corner] for corner in range(3))
    triangles = triangles[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-7]
    is_flat = np.ptp(triangles[..., 2], axis=1) < 1e-5
    return triangles[is_flat], triangles[~is_flat]


def border(mesh, color=DARK):
    """Return the flat triangles of one color that are not transparent anywhere."""
    rgb = np.rint(255 * np.array(color))
    is_it = (mesh.colors[mesh.triangles][..., :3] == rgb).all(axis=(1, 2))
    is_it &= mesh.colors[mesh.triangles][..., 3].min(axis=1) > 0.5 * 255
    triangles = shapes_of(mesh)[is_it]
    return triangles[np.ptp(triangles[..., 2], axis=1) < 1e-5]


@given(hills, cell_sets)
def test_a_region_lies_on_the_tops_of_its_cells_and_fills_each_once(tilemap, chosen):
    mesh = region(tilemap, chosen, BLUE)
    for triangle in on_tops(mesh)[0]:
        x, y, z = triangle.mean(axis=0)
        cell = tilemap.grid.cell_at(x, y)
        assert cell[:2] in chosen
        assert z == pytest.approx(tilemap.surface_point(cell)[2] + LIFT, abs=1e-5)
        around = np.array(tilemap.grid.corners(cell))
        assert (triangle[:, :2] >= around.min(axis=0) - 1e-6).all()
        assert (triangle[:, :2] <= around.max(axis=0) + 1e-6).all()
    for cell in chosen:
        at = np.add(tilemap.grid.center(cell), (0.011, 0.007))
        assert sum(covers(triangle[None], *at) for triangle in shapes_of(mesh)) == 1


@given(hills, cell_sets)
def test_the_border_is_exactly_where_the_region_ends_without_gaps_at_corners(tilemap, chosen):
    line = border(region(tilemap, chosen, BLUE))
    for cell in chosen:
        for near, (x, y) in neighbors_all_around(tilemap, cell, 0.49):
            assert covers(line, x, y) == (near not in chosen)
        assert not covers(line, *tilemap.grid.center(cell))
    for cell in chosen:
        middle = np.array(tilemap.grid.center(cell))
        for corner in np.array(tilemap.grid.corners(cell)):
            is_ended = not touched(tilemap, corner) <= chosen
            assert covers(line, *corner + 0.01 * (middle - corner)) == is_ended


def touched(tilemap, corner):
    """Return the cells that touch a corner; None for places outside the map."""
    touching = set()
    for turn in np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False) + 0.1:
        place = tilemap.grid.cell_at(*corner + 0.01 * np.array((np.cos(turn), np.sin(turn))))
        touching.add(None if place is None else place[:2])
    return touching


@given(hills, cell_sets)
def test_the_border_climbs_each_step_at_which_it_goes_on(tilemap, chosen):
    """Between two tiles of a region, at each corner that other tiles touch too."""
    walls = on_tops(region(tilemap, chosen, BLUE))[1]
    step_height = tilemap.step_height
    wanted = set()
    for cell in chosen:
        corners = {tuple(np.round(at, 4)) for at in tilemap.grid.corners(cell)}
        for near, _ in neighbors_all_around(tilemap, cell):
            if near in chosen and tilemap.level_at(near) < tilemap.level_at(cell):
                shared = corners & {tuple(np.round(at, 4)) for at in tilemap.grid.corners(near)}
                levels = tilemap.level_at(near), tilemap.level_at(cell)
                for corner in shared:
                    if not touched(tilemap, np.array(corner)) <= chosen:
                        wanted.add((corner, *levels))
    for (x, y), low, high in wanted:
        at = walls[(np.hypot(walls[..., 0] - x, walls[..., 1] - y) < 0.04).any(axis=1)]
        at = at[np.isclose(at[..., 2].min(axis=1), low * step_height + LIFT, atol=1e-5)]
        assert np.isclose(at[..., 2].max(axis=1), high * step_height + LIFT, atol=1e-5).any()
    if not wanted:
        assert not len(walls)


def test_a_dashed_border_lies_inside_of_a_solid_one():
    solid = border(region(SQUARES, [(3, 3)], BLUE), BLUE)
    dashed = border(region(SQUARES, [(3, 3)], BLUE, is_dashed=True), BLUE)
    x, y = SQUARES.grid.center((3, 3))
    for inside in (0.45, 0.375):
        assert covers(solid, x + inside, y) == (inside == 0.45)
        assert covers(dashed, x + inside, y) == (inside == 0.375)


def test_an_icon_is_on_each_tile():
    for icon in set(ICONS) - {""}:
        plain, marked = (region(SQUARES, [(3, 3)], BLUE, icon=i) for i in ("", icon))
        assert len(marked.triangles) > len(plain.triangles)
        added = marked.positions[len(plain.positions) :, :2] - SQUARES.grid.center((3, 3))
        assert np.abs(added).max() < 0.45
        assert np.abs(added.mean(axis=0)).max() < 1e-6


@st.composite
def paths(draw):
    """Draw a path of square steps over tiles of any level, none entered twice."""
    cell, path = (0, 0), [(0, 0)]
    for step in draw(st.lists(st.sampled_from([(-1, 0), (0, 1), (1, 0), (0, -1)]), max_size=12)):
        cell = (cell[0] + step[0], cell[1] + step[1])
        if cell in path:
            break
        path.append(cell)
    return {cell: draw(st.integers(0, 8)) * 0.5 for cell in path}


@given(paths())
def test_a_ribbon_leads_from_end_to_end_above_its_tiles(heights):
    stops = np.array([(col + 0.5, -row - 0.5, z) for (row, col), z in heights.items()])
    if len(stops) < 2:
        return
    line = center_line(stops)
    assert len(line) == (len(stops) - 1) * SAMPLES + 1
    for x, y, z in line:
        for near in (-1e-6, 1e-6):
            cell = (math.floor(-y + near), math.floor(x + near))
            assert z > heights[cell]
    for end, stop in ((line[0], stops[0]), (line[-1], stops[-1])):
        assert math.dist(end[:2], stop[:2]) < 1e-6
        assert 0 < end[2] - stop[2] < 0.1


STAIRS = [(0.5, -0.5, 0.0), (1.5, -0.5, 1.0), (2.5, -0.5, 1.0), (2.5, -1.5, 0.0)]


def test_a_ribbon_is_dashed_beyond_the_first_turn_and_its_ends_have_rings():
    def length(mesh):
        """Sum the areas of the triangles in the color of the band."""
        is_band = (mesh.colors[mesh.triangles[:, 0], :3] == (0, 0, 255)).all(axis=1)
        a, b, c = (mesh.positions[mesh.triangles[is_band, at]] for at in range(3))
        return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2

    solid, none = ribbon(STAIRS, (0, 0, 1)), ribbon(STAIRS, (0, 0, 1), turn_ends=(0, 3))
    part = ribbon(STAIRS, (0, 0, 1), turn_ends=(2, 3))
    assert length(none) < length(part) < length(solid)
    ring = np.hypot(*(part.positions[:, :2] - STAIRS[2][:2]).T)
    assert ((ring > 0.2) & (ring < 0.3)).sum() >= 16
    refused = ribbon(STAIRS, BLUE, is_refused=True)  # with a cross around the goal
    assert refused.positions[-4:, :2].mean(axis=0) == pytest.approx(STAIRS[-1][:2], abs=1e-5)


def test_the_parts_of_a_pin_lie_one_in_another():
    mesh = pin((1.0, 0.3, 0.1))
    first, *_, last = np.flatnonzero(mesh.colors[:, 0] == 255)
    rim, head, eye = np.split(mesh.positions[:, ::2], [first, last + 1])
    for inner, outer in ((eye, head), (head, rim)):
        assert (inner.min(axis=0) > outer.min(axis=0)).all()
        assert (inner.max(axis=0) < outer.max(axis=0)).all()


@pytest.mark.parametrize("rise", [2.0, -2.0, 0.4, -0.4])
def test_a_dashed_ribbon_is_whole_where_it_climbs(rise):
    """All of the wall between the two levels is covered, from the lower to the upper one."""
    mesh = ribbon([(0.5, -0.5, 0.0), (1.5, -0.5, rise), (2.5, -0.5, rise)], BLUE, is_refused=True)
    is_band = (mesh.colors[mesh.triangles[:, 0]] == np.rint(255 * np.array((*BLUE, 1)))).all(axis=1)
    heights = shapes_of(mesh)[is_band][..., 2]
    for z in np.linspace(min(0.0, rise) + 0.1, max(0.0, rise) - 0.1, 20):
        assert ((heights.min(axis=1) <= z) & (z <= heights.max(axis=1))).any()


def test_ribbons_without_a_step():
    assert ribbon([], BLUE).triangles.size == 0
    assert ribbon(STAIRS[:1], BLUE).triangles.size > 0


GRIDS = [SquareGrid(4, 5), HexGrid(4, 5, "hex_odd_r"), HexGrid(4, 5, "hex_even_q")]
LOOKS = (OPEN, CLOSED, OPEN_NOW, CLOSED_NOW)
CENTER = 2.0, -3.0, 1.0
ARROW, HEAD, TIP = slice(-7, None), slice(-3, None), -2


def mesh_of(grid, looks, toward=(1.0, 0.0), **style):
    """Return one tile per look, all around CENTER, with parents in a direction."""
    center = np.tile(CENTER, (len(looks), 1))
    return search_tiles(grid, center, looks, np.add(center, (*toward, 2.0)), **style)


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("look", LOOKS)
def test_a_face_lies_on_its_tile(grid, look):
    points = mesh_of(grid, [look]).positions
    flat = points[:, :2] - CENTER[:2]
    assert 0.4 < np.abs(flat).max() < 0.62
    assert (points[:, 2] > 1.0).all()
    assert (points[:, 2] < 1.1).all()
    # Its corners are those of the tile, slightly inset.
    assert (flat @ np.array(grid.headings).T).max() < 0.5


@pytest.mark.parametrize("is_near", [False, True])
@pytest.mark.parametrize("angle_deg", [0, 60, 90, 135, 270])
def test_the_arrow_points_to_the_parent(angle_deg, is_near):
    angle = np.radians(angle_deg)
    toward = np.array([np.cos(angle), np.sin(angle)])
    flat = mesh_of(GRIDS[0], [CLOSED], 3 * toward, is_near=is_near).positions[:, :2] - CENTER[:2]
    tip = flat[TIP]
    assert tip / np.linalg.norm(tip) == pytest.approx(toward, abs=1e-5)
    along = flat[ARROW] @ toward
    assert along.max() == pytest.approx(np.linalg.norm(tip))
    if is_near:  # the center is free for numbers
        assert along.min() > 0.3
        assert along.max() < 0.5  # a higher parent hides what is beyond the edge
    else:
        assert along.min() < -0.2
    first, second = flat[HEAD][1:] - flat[HEAD][0]
    assert first[0] * second[1] > first[1] * second[0]  # counter-clockwise
