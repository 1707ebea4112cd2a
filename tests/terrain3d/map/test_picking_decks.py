"""Picking where decks hang: the body a ray meets first, checked against every body one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileMap

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
    return {
        (row, col, deck): body_entry(tilemap, (row, col, deck), origin, direction, grow)
        for row, col in np.ndindex(tilemap.rows, tilemap.cols)
        for deck in tilemap.decks_at((row, col))
    }


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
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    line = st.text("000012##", min_size=cols, max_size=cols)
    picture = draw(st.lists(line, min_size=rows, max_size=rows))
    step_height, topology = draw(st.sampled_from([0.5, 0.3])), draw(st.sampled_from(TOPOLOGIES))
    tilemap = TileMap.from_text("\n".join(picture), step_height=step_height, topology=topology)
    column = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    decks = draw(st.lists(st.tuples(column, st.integers(0, 8), st.integers(1, 4)), min_size=1))
    with tilemap.edit() as edit:
        for cell, level, thickness in decks:
            taken = [deck for deck in planned(edit, cell) if abs(deck - level) < 5]
            if not taken and (tilemap.is_void(cell) or tilemap.level_at(cell) <= level - thickness):
                edit.add_deck(cell, level, thickness=thickness)
                planned(edit, cell).append(level)
    return tilemap


def planned(edit, cell):
    """The levels of the decks that an edit has hung into a column."""
    return vars(edit).setdefault("planned", {}).setdefault(cell, [])


# Halves put rays exactly on borders, on corners, on tops and on undersides.
places = st.integers(-6, 16).map(lambda n: n / 2) | st.floats(-3, 9)
slopes = st.integers(-2, 2) | st.floats(-1, 1).filter(lambda part: abs(part) > 1e-3)
origins = st.tuples(places, places.map(lambda part: -part), places)
directions = st.tuples(slopes, slopes, slopes).filter(any)


@given(tilemaps(), origins, directions)
def test_any_ray_meets_the_nearest_body(tilemap, origin, direction):
    assert_meets_the_nearest_body(tilemap, origin, direction)


@given(tilemaps(), st.data())
def test_a_ray_aimed_at_the_map_hits_the_nearest_body(tilemap, data):
    origin = data.draw(origins)
    x0, y0, x1, y1 = tilemap.extent
    aim = data.draw(st.tuples(st.floats(x0, x1), st.floats(y0, y1), st.floats(-1, 4)))
    direction = tuple(a - b for a, b in zip(aim, origin, strict=True))
    if math.hypot(*direction) > 1e-3:
        assert_meets_the_nearest_body(tilemap, origin, direction)


@given(tilemaps())
def test_a_ray_down_hits_the_highest_surface_and_a_ray_up_the_lowest_body(tilemap):
    for row, col in np.ndindex(tilemap.rows, tilemap.cols):
        decks = tilemap.decks_at((row, col))
        x, y, _ = tilemap.surface_point((row, col))
        down, up = tilemap.cast((x, y, 99), (0, 0, -1)), tilemap.cast((x, y, -99), (0, 0, 1))
        if not decks:
            assert down is up is None
            continue
        assert (down.cell, up.cell) == ((row, col, decks[-1]), (row, col, decks[0]))
        assert down.distance == pytest.approx(99 - tilemap.surface_point(down.cell)[2])


@pytest.fixture
def bridge():
    """Ground at level 0, with a bridge at level 4 over the middle of it and void under its end."""
    tilemap = TileMap.from_text("00#00\n00#00\n00000")
    with tilemap.edit() as edit:
        edit.add_deck([(1, col) for col in range(5)], level=4)
    return tilemap


@pytest.mark.parametrize(
    ("origin", "direction", "found"),
    [
        ((1.5, -1.5, 9), (0, 0, -1), (1, 1, 1)),  # from above: the top
        ((1.5, -1.5, 1), (0, 0, 1), (1, 1, 1)),  # from below: the underside
        ((1.5, 5, 1.75), (0, -1, 0), (1, 1, 1)),  # level: the side
        ((-5, -1.5, 1.75), (1, 0, 0), (1, 0, 1)),
        ((1.5, -1.5, 1), (0, 0, -1), (1, 1, 0)),  # from under the bridge: the ground
        ((1.5, 5, 0.75), (0, -1, 0), None),  # level, through under the bridge
        ((-5, -1.5, 0.75), (1, 0, 0), None),
        ((0.5, 0.5, 1.5), (0, -1, -1.7), (0, 0, 0)),  # down in front of it
        ((0.5, -0.5, 1.4), (0, -1, -0.75), (2, 0, 0)),  # under it, to the ground behind
        ((0.5, -0.5, 2.2), (0, -1, -0.75), (1, 0, 1)),
        ((2.5, -1.5, 1.75), (1, 0, 0), (1, 2, 1)),  # from inside the slab
        ((2.5, -1.5, -9), (0, 0, 1), (1, 2, 1)),  # up through the void
        ((2.5, -1.5, 1), (0, 0, -1), None),  # down through the void
        ((2.5, -0.5, 9), (0, 0, -1), None),
        ((1.5, -1.5, 2.5), (1, 0, 0), None),  # over the bridge
        ((1.5, -1.5, 2.5), (1, 0, -0.2), (1, 4, 1)),
    ],
)
def test_rays_around_a_bridge(bridge, origin, direction, found):
    assert bridge.pick(origin, direction) == found


def test_a_hit_has_the_distance_of_the_deck(bridge):
    assert bridge.cast((1.5, -1.5, 9), (0, 0, -3)).distance == pytest.approx(7)
    assert bridge.cast((1.5, -1.5, 0.5), (0, 0, 1)).distance == pytest.approx(1)
    assert bridge.cast((1.5, 5, 1.75), (0, -1, 0)).distance == pytest.approx(6)


def test_a_slab_may_reach_below_the_base_of_the_ground():
    tilemap = TileMap.from_text("0#")
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=0, thickness=6)
    assert tilemap.pick((1.5, -0.5, -9), (0, 0, 1)) == (0, 1, 1)
    assert tilemap.cast((1.5, -0.5, -9), (0, 0, 1)).distance == pytest.approx(6)
    assert tilemap.pick((5, -0.5, -2), (-1, 0, 0)) == (0, 1, 1)
    assert tilemap.pick((-5, -0.5, -2), (1, 0, 0)) == (0, 1, 1)
    assert tilemap.cast((0.5, -0.5, -9), (0, 0, 1)).distance == pytest.approx(8)


def test_picks_follow_edits_of_decks(bridge):
    ray = (1.5, 5, 1.75), (0, -1, 0)
    assert bridge.pick(*ray) == (1, 1, 1)
    with bridge.edit() as edit:
        edit.set_level((1, 1, 1), 6)
    assert bridge.pick(*ray) is None
    assert bridge.pick((1.5, 5, 2.75), (0, -1, 0)) == (1, 1, 1)
    bridge.undo()
    assert bridge.pick(*ray) == (1, 1, 1)
    bridge.undo()
    assert bridge.pick(*ray) is None
