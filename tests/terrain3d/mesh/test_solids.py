"""Basic shapes are closed, face outward and have the volume of the solid; moves keep them rigid."""

from itertools import pairwise

import numpy as np
import pytest

from terrain3d.mesh.solids import (
    ball,
    bent_back,
    both_sides,
    box,
    lathe,
    mirrored,
    moved,
    rod,
    sheet,
    tilted,
)
from terrain3d.mesh.structures import beams, posts
from tests.support.meshes import facing, open_edges

GREY = (0.5, 0.5, 0.5)
PATH = [(0.0, 0.0, 0.0), (0.0, 0.1, 0.5), (0.3, 0.2, 0.9), (0.6, 0.1, 1.0)]
CONE = ((0.0, 0.0), (0.3, 0.01), (0.2, 0.5), (0.0, 1.0))
SOLIDS = {
    "ball": ball((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), GREY),
    "box": box((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), GREY),
    "lathe": lathe(*zip(*CONE, strict=True), GREY),
}


def volume(mesh):
    """Return the volume that a closed mesh encloses, above 0 if its triangles face outward."""
    a, b, c = mesh.positions[mesh.triangles].swapaxes(0, 1).astype(float)
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_face_outward(name):
    mesh = SOLIDS[name]
    assert len(open_edges(mesh)) == 0
    assert (facing(mesh) > -1e-9).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)


def test_solids_have_the_volume_of_their_formula():
    """A little less where flat faces replace a round one."""
    assert volume(SOLIDS["box"]) == pytest.approx(0.2 * 0.4 * 0.6, rel=1e-4)
    assert 0.9 < volume(SOLIDS["ball"]) / (4.0 / 3.0 * np.pi * 0.1 * 0.2 * 0.3) < 1.0
    frusta = [
        np.pi / 3.0 * (high - low) * (wide**2 + wide * narrow + narrow**2)
        for (wide, low), (narrow, high) in pairwise(CONE)
    ]
    assert 0.95 < volume(SOLIDS["lathe"]) / sum(frusta) < 1.0


def test_beams_and_posts_are_closed_boxes():
    start, along = np.array([(1.0, 2.0)]), np.array([(0.3, 0.4)])
    low, high, color = np.array([0.1]), np.array([0.35]), np.full((1, 3), 0.5, np.float32)
    beam = beams(start, along, 0.06, low, high, color)
    post = posts(start, along / 0.5, 0.06, low, high, color)
    for mesh, size in ((beam, 0.5 * 0.12 * 0.25), (post, 0.12 * 0.12 * 0.25)):
        assert len(open_edges(mesh)) == 0
        assert volume(mesh) == pytest.approx(size, rel=1e-3)
        assert (facing(mesh) > 0.0).all()
    assert post.positions.mean(axis=0) == pytest.approx((1.0, 2.0, 0.225), abs=1e-5)


@pytest.mark.parametrize(
    ("radii", "first", "last"), [(0.05, 0.05, 0.05), ((0.1, 0.08, 0.06, 0.02), 0.1, 0.02)]
)
def test_a_rod_is_open_at_its_two_ends_only(radii, first, last):
    mesh = rod(PATH, radii, GREY)
    assert facing(mesh).min() > 0.0
    edges = open_edges(mesh).reshape(-1, 3)
    to_start, to_end = (np.linalg.norm(edges - end, axis=1) for end in (PATH[0], PATH[-1]))
    assert np.minimum(np.abs(to_start - first), np.abs(to_end - last)).max() < 1e-4
    assert len(edges) == 2 * 2 * 8


def test_the_back_of_a_sheet_has_its_own_color():
    across, along = np.meshgrid(np.linspace(0, 1, 4), np.linspace(0, 1, 3))
    points = np.stack([across, along, 0 * along], axis=2)
    front, both = sheet(points, GREY), both_sides(points, GREY, (1.0, 0.0, 0.0))
    is_back = both.colors[:, 0] == 255
    assert volume(front) == volume(both) == 0.0
    assert (both.normals[is_back] == -front.normals[0]).all()
    assert (both.normals[~is_back] == front.normals[0]).all()
    assert (facing(both) > 0.0).all()


@pytest.mark.parametrize(("ahead_deg", "left_deg"), [(30.0, 0.0), (0.0, 30.0), (-70.0, 40.0)])
def test_a_tilt_is_rigid_and_moves_the_top_ahead_and_left(ahead_deg, left_deg):
    mesh = SOLIDS["box"]
    after = tilted(mesh, ahead_deg, left_deg)
    np.testing.assert_allclose(
        after.positions @ after.positions.T, mesh.positions @ mesh.positions.T, atol=1e-4
    )
    assert volume(after) == pytest.approx(volume(mesh), rel=1e-4)  # not mirrored
    assert (facing(after) > 0.0).all()
    top = moved(ball((0, 0, 0), (0.01, 0.01, 0.01), GREY), (0.0, 0.0, 1.0))
    x, y, z = tilted(top, ahead_deg, left_deg).positions.mean(axis=0)
    assert y == pytest.approx(np.sin(np.radians(ahead_deg)), abs=0.01)
    assert -x == pytest.approx(
        np.sin(np.radians(left_deg)) * np.cos(np.radians(ahead_deg)), abs=0.01
    )
    assert z > 0.0


def test_a_mirrored_shape_still_faces_outward():
    mesh = rod(PATH, 0.05, GREY)
    after = mirrored(mesh)
    np.testing.assert_array_equal(after.positions, mesh.positions * (-1.0, 1.0, 1.0))
    assert facing(after).min() > 0.0


def test_the_part_above_the_start_leans_back_in_a_parabola():
    mesh = rod([(0.0, 0.0, 0.1 * step) for step in range(11)], 0.01, GREY)
    moves = bent_back(mesh, 0.5).positions - mesh.positions
    height = mesh.positions[:, 2]
    at = {up: moves[np.isclose(height, 0.5 + up)].mean(axis=0) for up in (-0.1, 0.0, 0.2, 0.4)}
    assert (at[-0.1] == 0.0).all()
    assert (at[0.0] == 0.0).all()
    assert at[0.2][0] == 0.0
    assert at[0.2][1] < 0.0
    assert at[0.2][2] < 0.0  # a bent tip is lower
    assert at[0.4] == pytest.approx(4.0 * at[0.2], abs=1e-5)
