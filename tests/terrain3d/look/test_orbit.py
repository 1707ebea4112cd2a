"""Tests of the orbit camera's arithmetic: invariants of each move, limits, and framing."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from terrain3d.look.orbit import (
    OrbitLimits,
    OrbitView,
    clip_to_extent,
    frame_box,
    pan_into_view,
    visible_ground,
)

AHEAD = OrbitView(0.0, 30.0, 10.0, (0.0, 0.0, 0.0))
LIMITS = OrbitLimits((0.0, -20.0, 0.0), (30.0, 0.0, 6.0), distance=(2.5, 80.0))

headings = st.floats(-1000, 1000)
pitches = st.floats(8, 89.9)
points = st.tuples(st.floats(-50, 50), st.floats(-50, 50), st.floats(-5, 10))
views = st.builds(OrbitView, headings, pitches, st.floats(1, 200), points)
wild = st.floats(-1e6, 1e6)


def seen(view: OrbitView, point):
    """Return the position of a point in the picture, and its depth."""
    right, depth, up = view.axes @ (np.array(point) - view.eye)
    return right / depth, up / depth, depth


def test_heading_0_looks_along_y_from_behind_and_above():
    x, y, z = AHEAD.eye
    assert x == pytest.approx(0)
    assert y == pytest.approx(-10 * math.cos(math.radians(30)))
    assert z == pytest.approx(5)


@given(views, st.sampled_from([45.0, 90.0, 30.0]), st.sampled_from([1, -1]))
def test_a_snap_turns_at_most_one_step_to_a_multiple(view, step_deg, direction):
    snapped = view.snapped(step_deg, direction)
    assert math.remainder(snapped.heading_deg, step_deg) == pytest.approx(0, abs=1e-9)
    turn = (snapped.heading_deg - view.heading_deg) * direction
    assert 0 < turn <= step_deg + 1e-5


@given(views, st.floats(-20, 20), st.floats(-20, 20))
def test_panning_moves_along_the_ground_as_seen(view, right, forward):
    panned = view.panned(right, forward)
    moved = np.subtract(panned.target, view.target)
    assert moved[2] == 0
    assert moved @ view.axes[0] == pytest.approx(right, abs=1e-6)
    assert np.hypot(*moved[:2]) == pytest.approx(math.hypot(right, forward), abs=1e-6)
    assert seen(panned, panned.target) == pytest.approx(seen(view, view.target), abs=1e-6)


@given(views, points, st.floats(0.2, 5), st.floats(0, 2))
def test_a_zoom_keeps_a_point_in_its_place_also_while_it_eases(view, point, factor, dt_s):
    across, up, depth = seen(view, point)
    assume(depth > 0.5)
    goal = view.zoomed(factor, point)
    for shown in (goal, view.eased(goal, dt_s)):
        assert seen(shown, point)[:2] == pytest.approx((across, up), abs=1e-4)
    assert seen(goal, point)[2] == pytest.approx(depth * factor, rel=1e-6)


def parts(view: OrbitView):
    return (view.heading_deg, view.pitch_deg, view.distance, *view.target)


@given(views, views, st.lists(st.floats(0, 0.2), max_size=20))
def test_easing_does_not_depend_on_how_time_is_split(view, goal, times):
    eased = view
    for dt_s in times:
        eased = eased.eased(goal, dt_s)
    assert parts(eased) == pytest.approx(parts(view.eased(goal, sum(times))), abs=1e-6)


@given(views, views)
def test_easing_starts_at_the_view_and_arrives_at_the_goal(view, goal):
    assert parts(view.eased(goal, 0.0)) == pytest.approx(parts(view), abs=1e-9)
    assert view.eased(goal, 4.0).is_near(goal)


@given(views)
def test_views_are_near_if_they_differ_by_less_than_a_pixel(view):
    """A picture of 1080 rows with a field of view of 28 degrees, as in the scene."""
    pixel = 2.0 * math.tan(math.radians(14.0)) / 1080 * view.distance
    for moved in (view.panned(pixel, 0), view.panned(0, 3 * pixel / view.axes[2][2])):
        assert not view.is_near(moved)
    assert not view.is_near(replace(view, distance=view.distance * 1.01))
    assert not view.is_near(view.orbited(0.1, 0))
    assert view.is_near(view.panned(0.1 * pixel, 0.1 * pixel))


gestures = st.one_of(
    st.builds(lambda a, b: lambda view: view.orbited(a, b), wild, wild),
    st.builds(lambda a, b: lambda view: view.panned(a, b), wild, wild),
    st.builds(
        lambda f, p: lambda view: view.zoomed(LIMITS.clamped_zoom(view, f), p),
        st.floats(1e-6, 1e6),
        st.none() | points,
    ),
    st.builds(lambda s: lambda view: view.snapped(45, s), st.sampled_from([1, -1])),
)


def ground(x, y):
    """Return heights of a map that drops in the middle, with void around it."""
    inside = (x >= 0) & (x < 30) & (y <= 0) & (y > -20)
    return np.where(inside, np.where(x < 15, 6.0, 0.5), -1.0)


@given(st.lists(gestures, max_size=12), st.floats(0, 0.5))
def test_limits_hold_for_any_gestures(sequence, dt_s):
    view = shown = LIMITS.clamped(AHEAD)
    for gesture in sequence:
        view = LIMITS.above_ground(LIMITS.clamped(gesture(view)), ground)
        shown = LIMITS.above_ground(shown.eased(view, dt_s), ground)
        for each in (view, shown):
            assert 8 <= each.pitch_deg <= 89.9
            assert 2.5 <= each.distance <= 80.0
            for part, low, high in zip(each.target, LIMITS.low, LIMITS.high, strict=True):
                assert low - 1e-9 <= part <= high + 1e-9
            x, y, z = each.eye
            assert z >= ground(np.array([x]), np.array([y]))[0] + LIMITS.margin - 1e-6


def test_a_view_from_behind_a_hill_is_raised_no_more_than_needed():
    view = OrbitView(-90.0, 10.0, 8.0, (18.0, -10.0, 0.5))
    raised = LIMITS.above_ground(view, ground)
    assert raised.pitch_deg > view.pitch_deg
    assert replace(raised, pitch_deg=view.pitch_deg) == view
    lower = replace(raised, pitch_deg=raised.pitch_deg - 1.0)
    assert LIMITS.above_ground(lower, ground) != lower


boxes = st.tuples(st.floats(1, 300), st.floats(1, 300), st.floats(0, 10))
places = st.tuples(st.floats(0, 30), st.floats(-30, 0), st.floats(0, 4))
near_views = st.builds(OrbitView, st.floats(-180, 180), st.floats(8, 89), st.floats(3, 60), places)


@given(boxes, st.floats(0, 360), st.floats(10, 89), st.floats(15, 60), st.floats(0.3, 4))
def test_framing_shows_the_whole_box_in_the_center(box, heading_deg, pitch_deg, fov, aspect):
    width, depth, height = box
    low, high = (0.0, -depth, -1.0), (width, 0.0, height)
    view = frame_box(low, high, heading_deg, pitch_deg, fov, aspect)
    assert view.target[2] == pytest.approx((low[2] + high[2]) / 2)
    slope = math.tan(math.radians(fov) / 2)
    corners = np.array([seen(view, corner) for corner in product(*zip(low, high, strict=True))])
    assert (corners[:, 2] > 0).all()
    across, up = corners[:, 0] / (slope * aspect), corners[:, 1] / slope
    assert max(abs(across).max(), abs(up).max()) == pytest.approx(0.94, abs=1e-6)
    for offsets in (across, up):
        assert offsets.min() == pytest.approx(-offsets.max(), abs=1e-6)


@given(view=near_views, point=places, aspect=st.floats(0.4, 3.0))
def test_a_view_is_panned_no_more_than_needed(view, point, aspect):
    fov_deg, part = 28.0, 0.7

    def place(view):
        across, along, upward = view.axes @ (np.array(point) - view.eye)
        slope = math.tan(math.radians(fov_deg / 2))
        return across / (along * slope * aspect), upward / (along * slope), along

    shown = pan_into_view(view, point, fov_deg, aspect, part)
    assert pan_into_view(shown, point, fov_deg, aspect, part) == shown
    across, upward, along = place(shown)
    assert along > 0
    assert max(abs(across), abs(upward)) <= part + 1e-9
    assert replace(shown, target=view.target) == view
    before = place(view)
    if before[2] > 0 and max(abs(before[0]), abs(before[1])) <= part - 1e-9:
        assert shown == view
    else:
        assert max(abs(across), abs(upward)) >= part - 0.01


@given(
    view=near_views,
    aspect=st.floats(0.4, 3.0),
    places=st.lists(st.tuples(st.floats(0, 30), st.floats(-20, 0)), min_size=5, max_size=20),
)
@example(OrbitView(0.0, 8.0, 35.25, (0.625, -6.0, 0.0)), 1.875, [(13.5, -13.75)])  # with sky
def test_the_visible_ground_contains_exactly_the_points_in_the_picture(view, aspect, places):
    outline = clip_to_extent(visible_ground(view, 28.0, aspect), (0.0, -20.0, 30.0, 0.0))
    slope = math.tan(math.radians(14.0))
    edges = np.roll(outline, -1, axis=0) - outline
    for x, y in places:
        across, along, upward = view.axes @ (np.array((x, y, view.target[2])) - view.eye)
        off = max(abs(across) / aspect, abs(upward)) / slope
        if abs(off - along) < 1e-3 * (1 + abs(along)):
            continue  # too near to the border to decide
        ahead = np.array((x, y)) - outline
        turns = edges[:, 0] * ahead[:, 1] - edges[:, 1] * ahead[:, 0]
        is_inside = len(outline) > 2 and bool((turns >= -1e-6).all())
        assert is_inside == (along > 0 and off < along)
