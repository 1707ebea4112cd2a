"""Tests of a figure's body poses: nearly still when standing, alternate feet when walking."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.view.figure_model import STRIDES_PER_TILE, BodyPose, body_pose

times = st.floats(0.0, 1e4)
actions = st.sampled_from(["stand", "walk", "crouch", "climb", "drop", "leap", "warp"])


def at(action="stand", time_s=0.0, walked=0.0, landed_s=math.inf, has_feet=True):
    return body_pose(action, time_s, walked, landed_s, has_feet=has_feet)


@given(actions, times, times, st.floats(0.0, 10.0), st.booleans())
def test_every_action_keeps_the_volume_and_stays_near_the_ground_point(
    action, time_s, walked, landed_s, has_feet
):
    held = at(action, time_s, walked, landed_s, has_feet)
    assert held.height * held.width**2 == pytest.approx(1.0)
    assert 0.75 < held.height < 1.15
    assert 0.0 <= held.lift < 0.1
    assert abs(held.lean_deg) < 15.0
    assert all(abs(ahead) < 0.15 and 0.0 <= up < 0.1 for ahead, up in (held.left, held.right))


@given(times)
def test_a_standing_figure_keeps_its_feet_on_the_ground_and_breathes(time_s):
    held = at("stand", time_s, walked=3.3)
    assert (held.lift, held.lean_deg, held.left, held.right) == (0.0, 0.0, (0.0, 0.0), (0.0, 0.0))
    assert abs(held.height - 1.0) <= 0.03


def test_breathing_rises_and_falls():
    heights = [at(time_s=0.1 * tick).height for tick in range(60)]
    assert max(heights) > 1.005
    assert min(heights) < 0.995


@given(times)
def test_strides_depend_on_distance_and_not_on_time(walked):
    first, other = at("walk", 0.0, walked), at("walk", 0.0, walked + 1.0 / STRIDES_PER_TILE)
    assert first.left == pytest.approx(other.left, abs=1e-6)
    assert first.right[0] == pytest.approx(-first.left[0])
    assert min(first.left[1], first.right[1]) == 0.0  # one foot is on the ground
    assert at("walk", 1.7, walked).left == first.left


def test_the_feet_alternate_and_swing_forward_in_the_air():
    steps = [at("walk", 0.0, 0.01 * tick / STRIDES_PER_TILE) for tick in range(100)]
    for foot in ("left", "right"):
        path = [getattr(step, foot) for step in steps]
        assert max(up for _, up in path) > 0.04
        for (ahead, up), (after, _) in itertools.pairwise(path):
            if up > 0.01:
                assert after > ahead


def test_a_landing_squashes_the_body_for_a_moment():
    assert at(landed_s=0.06).height < 0.95
    assert at(landed_s=1.0) == at()


@pytest.mark.parametrize("has_feet", [True, False])
def test_a_crouch_lowers_the_body_with_both_feet_on_the_ground(has_feet):
    held, before = at("crouch", has_feet=has_feet), at("stand", has_feet=has_feet)
    assert held.height < 0.9 < before.height
    assert held.left == held.right == (0.0, 0.0)


def test_a_hop_stretches_the_body_and_tucks_the_feet():
    for action in ("climb", "drop", "leap"):
        held = at(action)
        assert held.height > 1.05
        assert min(held.left[1], held.right[1]) > 0.0


@pytest.mark.parametrize("action", ["walk", "crouch", "climb", "drop", "leap", "warp"])
def test_a_floating_figure_leans_forward_unless_it_stands(action):
    assert at(action, has_feet=False).lean_deg > 5.0
    assert at("stand", has_feet=False).lean_deg == 0.0


def test_a_floating_figure_has_no_strides_and_leans_forward():
    for tick in range(30):
        held = at("walk", 0.3 * tick, 0.1 * tick, has_feet=False)
        assert (held.left, held.right, held.sway_deg) == (BodyPose().left, BodyPose().right, 0.0)
        assert held.lean_deg > 5.0
    lifts = [at(time_s=0.2 * tick, has_feet=False).lift for tick in range(30)]
    assert min(lifts) >= 0.0
    assert max(lifts) - min(lifts) > 0.04
