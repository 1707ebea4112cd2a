"""Search tiles: faces on their tiles, arrows to the parents, colors and patterns by state."""

import math

import numpy as np
import pytest

from terrain3d import HexGrid, SquareGrid
from terrain3d.mesh.overlays.flat_shapes import PIN_HEIGHT, pin
from terrain3d.mesh.overlays.region import FRAME, N_PARTS, SOLID, STRIPES
from terrain3d.mesh.overlays.search_tiles import CLOSED, CLOSED_NOW, OPEN, OPEN_NOW, search_tiles

GRIDS = [SquareGrid(4, 5), HexGrid(4, 5, "hex_odd_r"), HexGrid(4, 5, "hex_even_q")]
LOOKS = (OPEN, CLOSED, OPEN_NOW, CLOSED_NOW)
CENTER = 2.0, -3.0, 1.0
ARROW, HEAD, TIP = slice(-7, None), slice(-3, None), -2


def mesh_of(grid, looks, toward=(1.0, 0.0), **style):
    """Return one tile per look, all around CENTER, with parents in a direction."""
    center = np.tile(CENTER, (len(looks), 1))
    return search_tiles(grid, center, looks, np.add(center, (*toward, 2.0)), **style)


def fills_and_frames(grid, values):
    """Split values of vertices: (tile, corner) of fills, (tile, side, corner) of frames."""
    count, sides = len(LOOKS), len(grid.headings)
    fills, frames, _ = np.split(values, np.cumsum([count * sides, count * sides * 3]))
    return fills.reshape(count, sides, -1), frames.reshape(count, sides, 3, -1)


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


def test_only_a_tile_with_a_parent_has_an_arrow():
    grid, center = GRIDS[0], np.array([CENTER, CENTER])
    alone = search_tiles(grid, center[:1], [OPEN], center[:1])
    both = search_tiles(grid, center, [OPEN, OPEN], np.add(center, [(0, 0, 0), (0, 1, 0)]))
    assert len(both.positions) - 2 * len(alone.positions) == 14


@pytest.mark.parametrize("grid", GRIDS)
def test_a_frame_is_a_fan_around_the_center_of_its_tile(grid):
    _, frames = fills_and_frames(grid, mesh_of(grid, LOOKS).positions)
    for triangles in frames:
        assert triangles[:, 2, :2] == pytest.approx(np.tile(CENTER[:2], (len(triangles), 1)))
        ahead, after = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
        areas = np.cross(ahead, after)[:, 2] / 2.0
        assert (areas > 0.0).all()
        assert areas.sum() > 0.75 * (1.0 if len(areas) == 4 else math.sqrt(0.75))


@pytest.mark.parametrize("grid", GRIDS)
def test_stripes_of_open_tiles_continue_across_them_and_closed_tiles_have_none(grid):
    mesh = mesh_of(grid, LOOKS)
    fills, frames = fills_and_frames(grid, mesh.uv)
    points, _ = fills_and_frames(grid, mesh.positions)
    assert (np.floor(frames[..., 0] * N_PARTS) == FRAME).all()
    assert (np.floor(mesh.uv[ARROW, 0] * N_PARTS) == SOLID).all()
    for look, fill, point in zip(LOOKS, fills, points, strict=True):
        is_open = look in (OPEN, OPEN_NOW)
        assert set(np.floor(fill[:, 0] * N_PARTS)) == {STRIPES if is_open else SOLID}
        if is_open:
            phase = fill[:, 1] - point[:, :2].sum(axis=1)
            assert np.abs(phase - np.rint(phase)).max() < 1e-5
            assert np.ptp(fill[:, 1]) > 0.9


def test_colors_tell_looks_apart_and_are_lightest_just_now():
    """No part of a color wraps around: a look of this moment is at least as light in each part."""
    fills, frames = fills_and_frames(GRIDS[0], mesh_of(GRIDS[0], LOOKS).colors.astype(int))
    fills, frames = fills[:, 0, :3], frames[:, 0, 0, :3]
    for before, now in ((OPEN, OPEN_NOW), (CLOSED, CLOSED_NOW)):
        assert (fills[now] >= fills[before]).all()
        assert (fills[now] != fills[before]).any()
        assert (frames[now] >= frames[before]).all()
    light = fills @ (0.2126, 0.7152, 0.0722)
    assert light[OPEN] > 2 * light[CLOSED]


def test_a_pin_stands_on_its_point():
    positions = pin((1.0, 0.5, 0.0)).positions
    assert (positions[:, 1] == 0).all()
    assert positions[:, 2].min() == 0
    assert positions[:, 2].max() == pytest.approx(PIN_HEIGHT, abs=0.02)
    lowest = positions[positions[:, 2] < 0.01]
    assert np.abs(lowest[:, 0]).max() < 0.05
