"""Distances at which a ray hits the ground and the units on it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TileMap
from terrain3d.map.picking import cast_at_cylinder

PICTURE = "0123\n#130\n2220"


def on_ray(origin, direction, distance):
    direction = np.asarray(direction, float)
    return np.asarray(origin, float) + distance * direction / np.linalg.norm(direction)


def test_a_ray_from_above_ends_on_the_top():
    tilemap = TileMap.from_text(PICTURE)
    hit = tilemap.cast((3.5, -0.5, 9), (0, 0, -2))
    assert hit.cell == (0, 3, 0)
    assert hit.distance == pytest.approx(9 - 1.5)


def test_a_level_ray_ends_on_the_side_it_meets():
    hit = TileMap.from_text(PICTURE).cast((-2, -0.5, 0.75), (1, 0, 0))
    assert hit.cell == (0, 2, 0)
    assert hit.distance == pytest.approx(4)


def test_a_ray_beside_the_map_meets_nothing():
    assert TileMap.from_text(PICTURE).cast((-2, -0.5, 5), (1, 0, 0)) is None


sides = st.floats(-6, 6)
points = st.tuples(sides, sides, sides)


@given(origin=points, direction=points.filter(lambda v: math.hypot(*v) > 0.1))
def test_the_hit_point_lies_on_the_surface_of_its_column(origin, direction):
    tilemap = TileMap.from_text(PICTURE)
    origin = (origin[0], origin[1], origin[2] + 8)
    hit = tilemap.cast(origin, direction)
    if hit is None:
        return
    x, y, z = on_ray(origin, direction, hit.distance)
    row, col = hit.cell[:2]
    assert col - 1e-6 <= x <= col + 1 + 1e-6
    assert row - 1e-6 <= -y <= row + 1 + 1e-6
    top = tilemap.surface_point(hit.cell)[2]
    is_on_top = abs(z - top) < 1e-6
    is_on_side = min(abs(x - round(x)), abs(y - round(y))) < 1e-6 and z <= top + 1e-6
    assert is_on_top or is_on_side


def is_inside(point, foot, radius, height, slack):
    x, y, z = np.asarray(point) - foot
    return math.hypot(x, y) <= radius + slack and -slack <= z <= height + slack


@given(origin=points, direction=points.filter(lambda v: math.hypot(*v) > 0.1))
def test_a_cylinder_is_hit_where_the_ray_enters_it(origin, direction):
    foot, radius, height = (1.0, -1.0, 0.5), 0.8, 2.0
    met = cast_at_cylinder(foot, radius, height, origin, direction)
    along = np.linspace(0, 30, 3001)
    inside = [
        at for at in along if is_inside(on_ray(origin, direction, at), foot, radius, height, -1e-6)
    ]
    if met is None:
        assert not inside
        return
    assert is_inside(on_ray(origin, direction, met), foot, radius, height, 1e-5)
    if inside:
        assert met <= inside[0] + 1e-6
        assert inside[0] - met < 0.011 + 1e-6 or met == 0


@pytest.mark.parametrize(
    ("origin", "direction", "distance"),
    [
        ((0, 0, 5), (0, 0, -1), 4),
        ((0.9, 0, 5), (0, 0, -1), None),
        ((-3, 0, 0.5), (1, 0, 0), 2.5),
        ((-3, 0, 1.5), (1, 0, 0), None),
        ((3, 0, 0.5), (1, 0, 0), None),
        ((0, 0, 0.5), (1, 0, 0), 0),
    ],
)
def test_a_post_of_radius_half_and_height_one(origin, direction, distance):
    met = cast_at_cylinder((0, 0, 0), 0.5, 1.0, origin, direction)
    assert met == (None if distance is None else pytest.approx(distance))


@pytest.mark.parametrize("has_deck", [False, True])
def test_void_can_be_hit_as_if_it_were_ground_at_its_level(has_deck):
    tilemap = TileMap([[2, 2, 2]])
    with tilemap.edit() as edit:
        edit.set_kind((0, 1), "void")
        edit.set_level((0, 1), 6)
        if has_deck:
            edit.add_deck((0, 0), level=4)
    down = (1.5, -0.5, 9), (0, 0, -1)
    assert tilemap.cast(*down) is None
    assert tilemap.cast(*down, includes_void=True) == ((0, 1, 0), 6.0)
    aslant = (0.5, -0.5, 3.5), (1, 0, -1)
    assert tilemap.cast(*aslant).cell == (0, 2, 0)
    assert tilemap.cast(*aslant, includes_void=True).cell == (0, 1, 0)
    with tilemap.edit() as edit:
        edit.set_level((0, 1), 12)
    assert tilemap.cast(*down, includes_void=True) == ((0, 1, 0), 3.0)
    tilemap.undo()
    tilemap.undo()
    assert tilemap.cast(*down, includes_void=True) == tilemap.cast(*down)
