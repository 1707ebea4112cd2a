"""Motion: heights, hops that clear every edge, points at centers, and headings."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ai import Motion, MoveProfile
from ai.motion.motion import BODY_RADIUS, LEAP_ARCH, TURN_S, WARP_S, heading_between, point_on
from terrain3d import Cell, TileMap
from tests.support.reference import SIDES, tried

SAMPLES = 50

rises = st.integers(-9, 9)
step_heights = st.floats(0.05, 4)
speeds = st.floats(0.2, 20)


def points_of(moves, step_height=0.5):
    """Return the centers of a path with steps ((drow, dcol), rise in levels)."""
    steps = [(0, 0, 100), *((*side, rise) for side, rise in moves)]
    cells = np.cumsum(steps, axis=0).tolist()
    return [(col + 0.5, -(row + 0.5), level * step_height) for row, col, level in cells]


paths = st.builds(
    points_of,
    st.lists(st.tuples(st.sampled_from(SIDES), rises | st.just(0)), min_size=1, max_size=8),
    step_heights,
)


def angle_between(one, other):
    return abs((one - other + 180) % 360 - 180)


def times_of_step(motion, step):
    """Sample a step from its beginning until just before its end."""
    begin = motion.step_end_s(step - 1) if step else 0.0
    end = motion.step_end_s(step)
    return [begin + (end - begin) * number / SAMPLES for number in range(SAMPLES)]


@given(paths, speeds)
def test_at_the_end_of_each_step_it_is_on_the_center_of_the_tile(points, speed):
    motion = Motion(points, speed)
    assert motion.pose(0).point == points[0]
    for step, point in enumerate(points[1:]):
        assert motion.pose(motion.step_end_s(step)).point == pytest.approx(point)
    assert motion.step_end_s(len(points) - 2) == motion.duration_s


@given(paths, speeds, st.floats(0, 1e6))
def test_before_the_start_and_after_the_end_it_stands(points, speed, more):
    motion = Motion(points, speed, heading_deg=33)
    before, after = motion.pose(-more), motion.pose(motion.duration_s + more)
    assert (before.point, before.heading_deg, before.action) == (points[0], 33, "stand")
    assert (after.point, after.action) == (points[-1], "stand")
    assert after.heading_deg == heading_between(points[-2], points[-1])


@tried(150, paths, speeds)
def test_the_body_is_never_below_the_ground_it_is_over(points, speed):
    motion = Motion(points, speed)
    for step, (start, end) in enumerate(itertools.pairwise(points)):
        for time in times_of_step(motion, step):
            point = motion.pose(time).point
            gone = math.dist(point[:2], start[:2])
            # The edge is in the middle; the body may be over one tile, the other, or both.
            under = [start[2]] if gone - BODY_RADIUS < 0.5 - 1e-9 else []
            under += [end[2]] if gone + BODY_RADIUS > 0.5 + 1e-9 else []
            assert point[2] >= max(under) - 1e-9 * (1 + abs(max(under)))


@given(paths, speeds)
def test_a_level_step_stays_level_and_a_hop_begins_with_a_brief_crouch(points, speed):
    motion = Motion(points, speed)
    for step, (start, end) in enumerate(itertools.pairwise(points)):
        action = "walk" if start[2] == end[2] else "climb" if end[2] > start[2] else "drop"
        first, *times = times_of_step(motion, step)
        poses = [motion.pose(time) for time in (first + 1e-6, *times)]
        crouched = [pose for pose in poses if pose.action == "crouch"]
        assert {pose.action for pose in poses[len(crouched) :]} == {action}
        assert all(pose.point == pytest.approx(start, abs=1e-4) for pose in crouched)
        highest = max(pose.point[2] for pose in poses)
        if action == "walk":
            assert (highest, crouched) == (start[2], [])
        else:
            assert highest > max(start[2], end[2])
            assert 0 < len(crouched) < len(poses) / 3


@given(rises.filter(bool).map(abs), step_heights, speeds)
def test_a_drop_falls_once_and_ever_faster(rise, step_height, speed):
    motion = Motion(points_of([((0, 1), -rise)], step_height), speed)
    heights = [motion.pose(time).point[2] for time in times_of_step(motion, 0)]
    heights = heights[heights.index(max(heights)) :]
    falls = [before - after for before, after in itertools.pairwise(heights)]
    assert falls[0] >= -1e-9
    assert all(after >= before - 1e-9 for before, after in itertools.pairwise(falls))


@given(paths, speeds, st.floats(-720, 720))
def test_it_makes_the_shorter_turn_at_the_start_of_a_step_and_then_faces_it(points, speed, heading):
    motion = Motion(points, speed, heading)
    before = heading
    for step, (start, end) in enumerate(itertools.pairwise(points)):
        ahead = heading_between(start, end)
        times = times_of_step(motion, step)
        turn_s = min(TURN_S, 0.5 * (motion.step_end_s(step) - times[0]))
        assert angle_between(motion.pose(times[0] + 1e-12).heading_deg, before) < 0.01
        for time in times[1:]:
            seen = motion.pose(time).heading_deg
            if time - times[0] >= turn_s + 1e-9:
                assert angle_between(seen, ahead) < 1e-6
            else:
                passed = angle_between(seen, before) + angle_between(seen, ahead)
                assert passed == pytest.approx(angle_between(before, ahead), abs=1e-6)
        before = ahead


def test_a_point_straight_above_has_no_heading():
    assert heading_between((1, 2, 3), (1, 2, 9)) is None


@given(paths, speeds, st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_it_never_jumps(points, speed, parts):
    motion = Motion(points, speed)
    times = sorted(part * motion.duration_s for part in parts)
    poses = [motion.pose(time).point for time in times]
    pairs = zip(itertools.pairwise(times), itertools.pairwise(poses), strict=True)
    for (begin, end), (before, after) in pairs:
        far = speed * (end - begin)
        assert math.dist(before[:2], after[:2]) <= far + 1e-6
        # Tall hops take their time: up and down it is at most so many times as fast.
        assert abs(after[2] - before[2]) <= 13 * far + 1e-6


@given(st.floats(-30, 30).filter(lambda rise: abs(rise) > 1e-3), speeds)
def test_taller_hops_take_longer_than_a_level_step(rise, speed):
    level = Motion([(0, 0, 0), (1, 0, 0)], speed).duration_s
    hop = Motion([(0, 0, 0), (1, 0, rise)], speed).duration_s
    taller = Motion([(0, 0, 0), (1, 0, 2 * rise)], speed).duration_s
    assert level < hop < taller


@given(st.integers(2, 9), rises, speeds)
@example(4, 4, 20.0)
def test_a_leap_is_a_hop_over_what_is_lower_than_both_ends(tiles, rise, speed):
    start, end = (0.5, -0.5, 5.0), (0.5 + tiles, -0.5, 5.0 + rise)
    motion = Motion([start, end], speed)
    lower, upper = sorted((start, end), key=lambda point: point[2])
    for time in times_of_step(motion, 0)[1:]:
        pose = motion.pose(time)
        if pose.action == "crouch":
            continue
        assert pose.action == ("leap" if not rise else "climb" if rise > 0 else "drop")
        assert pose.point[2] > lower[2] or pose.point == start  # as the crouch ends
        if abs(pose.point[0] - upper[0]) <= 0.5 + BODY_RADIUS:
            assert pose.point[2] >= upper[2] - 1e-9
    highest = max(motion.pose(time).point[2] for time in times_of_step(motion, 0))
    assert highest >= (start[2] + end[2]) / 2 + LEAP_ARCH * tiles - 0.01 * tiles


def test_a_diagonal_step_on_the_level_is_no_leap():
    motion = Motion([(0, 0, 0), (1, 1, 0)])
    assert motion.pose(motion.duration_s / 2).point == (0.5, 0.5, 0)
    assert motion.pose(motion.duration_s / 2).action == "walk"


def test_a_warp_is_at_its_start_and_then_at_its_end_however_long_it_is():
    points = [(0, 0, 0), (9, 0, 4), (9, 0, 1)]
    motion = Motion(points, is_warp=True)
    assert motion.duration_s == 2 * WARP_S
    times = [0.49 * WARP_S, 0.5 * WARP_S, 1.49 * WARP_S, 1.51 * WARP_S]
    assert [motion.pose(time).point for time in times] == [points[i] for i in (0, 1, 1, 2)]
    assert motion.pose(0.3 * WARP_S).action == "warp"
    assert motion.pose(2 * WARP_S).heading_deg == motion.pose(WARP_S).heading_deg == -90


def test_one_point_or_a_point_given_twice_takes_no_time():
    motion = Motion([(0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0)], speed_tiles_s=1)
    assert motion.duration_s == 1
    assert [motion.pose(time).point[0] for time in (0, 0.5, 1)] == [0, 0.5, 1]
    assert [motion.part_of_step(step, 0.25) for step in range(3)] == [1, 0.25, 1]
    one = Motion([(1.0, 2.0, 3.0)], heading_deg=90)
    assert one.duration_s == 0
    assert (one.pose(0).point, one.pose(5).heading_deg) == ((1, 2, 3), 90)
    with pytest.raises(ValueError, match="at least one point"):
        Motion([])


def test_a_big_mover_is_on_its_north_west_tile_and_stands_on_the_highest():
    tilemap, big = TileMap.from_text("0000\n0200\n0000"), MoveProfile(size=2)
    for row in range(2):
        for col in range(3):
            point = point_on(tilemap, Cell(row, col), big)
            assert point == (col + 1, -row - 1, 1 if col < 2 else 0)
    assert point_on(tilemap, Cell(2, 3), big) == (3.5, -2.5, 0)
