"""Picking: the body a ray meets first, checked against every body of the map one by one."""

import contextlib
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.map.picking import cast_at_cylinder
from tests.support.boards import one_edit
from tests.support.reference import thoroughly

EDGE = 1e-7  # bodies this much larger or smaller separate a clear hit from a touch


def sides(tilemap, cell):
    """The outward planes of a body: its column's edges, its top and its underside."""
    row, col, deck = cell
    corners = tilemap.grid.corners((row, col))
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        length = math.dist((x0, y0), (x1, y1))
        normal = (y1 - y0) / length, (x0 - x1) / length, 0.0
        yield normal, normal[0] * x0 + normal[1] * y0
    top, step = tilemap.level_at(cell), tilemap.step_height
    under = (top - int(tilemap.surface_thickness[deck, row, col])) * step
    yield (0.0, 0.0, 1.0), top * step
    yield (0.0, 0.0, -1.0), -(under if deck else tilemap.base_z)


def body_entry(tilemap, cell, origin, direction, grow):
    """How far along the ray it enters one body; inf beside it."""
    enter, leave = 0.0, math.inf
    for normal, limit in sides(tilemap, cell):
        above = np.dot(normal, origin) - limit - grow
        slope = np.dot(normal, direction)
        if abs(slope) < 1e-15:
            if above > 0:
                return math.inf
        elif slope < 0:
            enter = max(enter, -above / slope)
        else:
            leave = min(leave, -above / slope)
    return enter if enter <= leave else math.inf


def entries(tilemap, origin, direction, grow):
    columns = np.ndindex(tilemap.rows, tilemap.cols)
    cells = [(*column, deck) for column in columns for deck in tilemap.decks_at(column)]
    return {cell: body_entry(tilemap, cell, origin, direction, grow) for cell in cells}


def assert_meets_the_nearest_body(tilemap, origin, direction):
    unit = np.array(direction) / math.hypot(*direction)
    sure = min(entries(tilemap, origin, unit, -EDGE).values(), default=math.inf)
    hit = tilemap.cast(origin, direction)
    assert tilemap.pick(origin, direction) == (None if hit is None else hit.cell)
    if hit is None:
        assert sure == math.inf
        return
    touched = entries(tilemap, origin, unit, EDGE)
    assert touched[hit.cell] - 1e-9 <= hit.distance <= sure + 1e-9


@st.composite
def tilemaps(draw):
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    line = st.text("0000123459##", min_size=cols, max_size=cols)
    picture = draw(st.lists(line, min_size=rows, max_size=rows))
    step_height = draw(st.sampled_from([0.5, 0.3]))
    topology = draw(st.sampled_from(["square"] * 4 + [*TOPOLOGIES[1:]]))
    tilemap = TileMap.from_text("\n".join(picture), step_height=step_height, topology=topology)
    column = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    decks = st.lists(st.tuples(column, st.integers(0, 8), st.integers(1, 4)), max_size=8)
    for cell, level, thickness in draw(st.just([]) | decks):
        with contextlib.suppress(ValueError), tilemap.edit() as edit:  # it may overlap others
            edit.add_deck(cell, level, thickness=thickness)
    return tilemap


# Halves put rays exactly on borders, on corners, on tops and on undersides.
places = st.integers(-6, 16).map(lambda n: n / 2) | st.floats(-3, 9)
slopes = st.integers(-2, 2) | st.floats(-1, 1).filter(lambda part: abs(part) > 1e-3)
origins = st.tuples(places, places.map(lambda part: -part), places)
directions = st.tuples(slopes, slopes, slopes).filter(any)


@thoroughly(600)
@given(tilemaps(), origins, st.data())
def test_any_ray_and_one_aimed_at_the_map_meet_the_nearest_body(tilemap, origin, data):
    x0, y0, x1, y1 = tilemap.extent
    aims = st.tuples(st.floats(x0, x1), st.floats(y0, y1), st.floats(-1, 4))
    toward = aims.map(lambda aim: tuple(np.subtract(aim, origin).tolist()))
    direction = data.draw(directions | toward.filter(lambda way: math.hypot(*way) > 1e-3))
    assert_meets_the_nearest_body(tilemap, origin, direction)


@given(tilemaps(), st.data())
def test_a_ray_along_edges_and_through_corners_hits_the_nearest_body(tilemap, data):
    grid = tilemap.grid
    cell = st.tuples(st.integers(0, grid.rows - 1), st.integers(0, grid.cols - 1))
    corner = cell.flatmap(lambda place: st.sampled_from(grid.corners(place)))
    (x0, y0), (x1, y1) = data.draw(corner), data.draw(corner)
    if math.dist((x0, y0), (x1, y1)) < 0.1:
        return
    back, rise = data.draw(st.sampled_from([0.0, 1.0, 3.0])), data.draw(slopes)
    origin = x0 - back * (x1 - x0), y0 - back * (y1 - y0), data.draw(st.floats(-1, 4))
    assert_meets_the_nearest_body(tilemap, origin, (x1 - x0, y1 - y0, rise))


@pytest.mark.parametrize(
    ("origin", "direction", "found"),
    [
        ((-5, -0.5, 0.6), (1, 0, 0), (0, 2)),  # eastward above the low tiles, into the side
        ((2.5, -0.5, 1.0), (1, 0, 0), (0, 2)),  # from inside a column
        ((0.5, -0.5, 0.2), (0, 0, -1), (0, 0)),  # from closely above a top
        ((1.0, -0.5, 9), (0, 0, -1), (0, 1)),  # down a border: the tile east of it
        ((0.5, -1.0, 9), (0, 0, -1), (1, 0)),  # down a border: the tile south of it
    ],
)
def test_a_ray_from_inside_and_one_down_a_border_have_an_answer(origin, direction, found):
    tilemap = TileMap.from_text("003\n1#2")
    assert tilemap.pick(origin, direction) == (None if found is None else (*found, 0))


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("away", [1e9, 1e20, 1e300, 1.7e308])
def test_a_ray_from_very_far_is_answered(topology, away):
    tilemap = TileMap.from_text("00\n00", topology=topology)
    x, y, _ = tilemap.surface_point((0, 0))
    assert tilemap.pick((x, y, away), (0, 0, -1)) == (0, 0, 0)
    assert tilemap.pick((away, -away, away), (1, -1, 1)) is None
    tilemap.pick((away, -away, away), (-1, 1, -1))
    tilemap.pick((away, y, -0.5), (-1, 0, 0))


def test_a_direction_without_length_is_refused():
    with pytest.raises(ValueError, match=r"direction needs a finite length > 0, got \(0, 0"):
        TileMap.from_text("0").pick((0, 0, 1), (0, 0, 0))


def test_picks_follow_edits_of_decks():
    bridge, ray = TileMap.from_text("00#00\n00#00\n00000"), ((1.5, 5, 1.75), (0, -1, 0))
    one_edit(bridge).add_deck([(1, col) for col in range(5)], level=4)
    assert bridge.pick(*ray) == (1, 1, 1)
    one_edit(bridge).set_level((1, 1, 1), 6)
    assert bridge.pick(*ray) is None
    assert bridge.pick((1.5, 5, 2.75), (0, -1, 0)) == (1, 1, 1)
    bridge.undo()
    assert bridge.pick(*ray) == (1, 1, 1)
    bridge.undo()
    assert bridge.pick(*ray) is None


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
    one_edit(tilemap).set_level((0, 1), 12)
    assert tilemap.cast(*down, includes_void=True) == ((0, 1, 0), 3.0)
    tilemap.undo()
    tilemap.undo()
    assert tilemap.cast(*down, includes_void=True) == tilemap.cast(*down)


def on_ray(origin, direction, distance):
    direction = np.asarray(direction, float)
    return np.asarray(origin, float) + distance * direction / np.linalg.norm(direction)


def is_inside(point, foot, radius, height, slack):
    x, y, z = np.asarray(point) - foot
    return math.hypot(x, y) <= radius + slack and -slack <= z <= height + slack


sides_of_a_box = st.floats(-6, 6)
points = st.tuples(sides_of_a_box, sides_of_a_box, sides_of_a_box)


@given(origin=points, direction=points.filter(lambda v: math.hypot(*v) > 0.1))
def test_a_cylinder_is_hit_where_the_ray_enters_it(origin, direction):
    foot, radius, height = (1.0, -1.0, 0.5), 0.8, 2.0
    met = cast_at_cylinder(foot, radius, height, origin, direction)
    along = np.linspace(0, 30, 3001)
    at_points = ((at, on_ray(origin, direction, at)) for at in along)
    inside = [at for at, point in at_points if is_inside(point, foot, radius, height, -1e-6)]
    if met is None:
        assert not inside
        return
    assert is_inside(on_ray(origin, direction, met), foot, radius, height, 1e-5)
    if inside:
        assert met <= inside[0] + 1e-6
        assert inside[0] - met < 0.011 + 1e-6 or met == 0
