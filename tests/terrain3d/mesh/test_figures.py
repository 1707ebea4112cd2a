"""Figures and the basic shapes that they are made of: size, front, color, outline, volume."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures import SHAPES, cape, figure, plate_mesh, ring_mesh
from terrain3d.mesh.solids import ball, box, lathe
from tests.support.meshes import facing, insides, open_edges

BLUE = (0.2, 0.4, 0.8)
FINE = 0.03


def whole(shape, team=BLUE):
    made = figure(shape, team)
    return MeshData.join([made.body, *made.feet])


@cache
def points_of(shape):
    return insides([whole(shape)])


@cache
def outline(shape, across):
    """Return the little squares, across and up, that a figure covers as seen along an axis."""
    return boxes_around(points_of(shape)[:, [across, 2]], FINE)


def boxes_around(points, edge):
    """Return the squares or cubes that points lie in, as whole numbers of their edge."""
    boxes = np.floor(points / edge).astype(int)
    shape = np.ptp(boxes, axis=0) + 1
    numbers = np.unique(np.ravel_multi_index((boxes - boxes.min(axis=0)).T, shape))
    found = np.stack(np.unravel_index(numbers, shape), axis=1) + boxes.min(axis=0)
    return {*map(tuple, found.tolist())}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_figure_stands_on_its_point_is_about_a_tile_tall_and_shows_its_front(shape):
    mesh = whole(shape)
    low, high = mesh.positions.min(axis=0), mesh.positions.max(axis=0)
    assert -0.02 < low[2] < 0.05
    assert 1.0 < high[2] < 1.25
    assert max(-low[0], high[0], -low[1], high[1]) < 0.55
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-4)
    assert (facing(whole(shape)) > -1e-9).mean() > 0.99
    x, y, z = mesh.positions.T
    part = np.nonzero((z > 0.44) & (z < 0.54) & (np.abs(x) < 0.08))[0]
    foremost, rearmost = part[y[part].argmax()], part[y[part].argmin()]
    assert mesh.colors[foremost, :3].min() > 115
    assert mesh.colors[rearmost, :3].min() < 0.7 * mesh.colors[foremost, :3].min()


@pytest.mark.parametrize(("one", "other"), list(combinations(SHAPES, 2)))
def test_no_two_figures_have_the_same_outline_from_the_front_or_the_side(one, other):
    for across in (0, 1):
        squares = outline(one, across), outline(other, across)
        shared = len(squares[0] & squares[1]) / len(squares[0] | squares[1])
        assert shared < 0.78


@pytest.mark.parametrize("shape", SHAPES)
def test_a_figure_holds_together(shape):
    """Its surface, in cubes of a sixteenth of a tile, is one piece."""
    cubes = boxes_around(points_of(shape), 1 / 16)
    around = [step for step in np.ndindex(3, 3, 3) if step != (1, 1, 1)]
    new = [cubes.pop()]
    while new:
        x, y, z = new.pop()
        near = {(x + east - 1, y + north - 1, z + up - 1) for east, north, up in around} & cubes
        cubes -= near
        new += near
    assert not cubes


@pytest.mark.parametrize("hem", [0.075, 0.27])
def test_a_cape_hangs_behind_a_figure_and_is_wider_at_its_hem(hem):
    x, y, z = cape(BLUE, hem=hem).positions.T
    assert z.min() == pytest.approx(hem)
    assert y.max() < 0.0
    wide = [np.ptp(x[np.isclose(z, height)]) for height in np.unique(z)]
    assert wide == sorted(wide, reverse=True)


@pytest.mark.parametrize("mesh", [plate_mesh(BLUE), ring_mesh()])
def test_marks_at_the_feet_are_thin_rings_with_a_tip_ahead(mesh):
    right, ahead, up = mesh.positions.max(axis=0)
    left, behind, down = mesh.positions.min(axis=0)
    assert up == down == 0.0
    assert right == pytest.approx(-left, abs=1e-6)
    assert ahead > max(right, -behind) + 0.05
    far = np.linalg.norm(mesh.positions, axis=1)[mesh.colors[:, 3] > 128]
    assert 0.8 * right < far.min() < right < 0.4


GREY = (0.5, 0.5, 0.5)
CONE = ((0.0, 0.0), (0.3, 0.01), (0.2, 0.5), (0.0, 1.0))
SOLIDS = {
    "ball": ball((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), GREY),
    "box": box((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), GREY),
    "lathe": lathe(*zip(*CONE, strict=True), GREY),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_face_outward(name):
    mesh = SOLIDS[name]
    assert len(open_edges(mesh)) == 0
    assert (facing(mesh) > -1e-9).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)
