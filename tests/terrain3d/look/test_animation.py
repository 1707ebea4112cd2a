"""How a figure holds itself: still enough when it stands, feet in turn when it walks."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d.look.animation import STRIDES_PER_TILE, BodyPose, body_pose

times = st.floats(0.0, 1e4)
actions = st.sampled_from(["stand", "walk", "climb", "drop", "leap", "warp"])


def at(action="stand", time_s=0.0, walked=0.0, landed_s=math.inf, has_feet=True):
    return body_pose(action, time_s, walked, landed_s, has_feet=has_feet)


@given(actions, times, times, st.floats(0.0, 10.0), st.booleans())
def test_whatever_it_does_its_volume_stays_and_it_is_near_its_place(
    action, time_s, walked, landed_s, has_feet
):
    held = at(action, time_s, walked, landed_s, has_feet)
    assert held.height * held.width**2 == pytest.approx(1.0)
    assert 0.75 < held.height < 1.15
    assert 0.0 <= held.lift < 0.1
    assert abs(held.lean_deg) < 15.0
    assert all(abs(ahead) < 0.15 and 0.0 <= up < 0.1 for ahead, up in (held.left, held.right))


@given(times)
def test_who_stands_keeps_the_feet_on_the_ground_and_breathes(time_s):
    held = at("stand", time_s, walked=3.3)
    assert (held.lift, held.lean_deg, held.left, held.right) == (0.0, 0.0, (0.0, 0.0), (0.0, 0.0))
    assert abs(held.height - 1.0) <= 0.03


def test_breath_comes_and_goes():
    heights = [at(time_s=0.1 * tick).height for tick in range(60)]
    assert max(heights) > 1.005
    assert min(heights) < 0.995


@given(times)
def test_strides_go_by_the_way_and_not_by_time(walked):
    one, other = at("walk", 0.0, walked), at("walk", 0.0, walked + 1.0 / STRIDES_PER_TILE)
    assert one.left == pytest.approx(other.left, abs=1e-6)
    assert one.right[0] == pytest.approx(-one.left[0])
    assert min(one.left[1], one.right[1]) == 0.0  # one foot bears it
    assert at("walk", 1.7, walked).left == one.left


def test_both_feet_take_their_turn_and_swing_forward_in_the_air():
    steps = [at("walk", 0.0, 0.01 * tick / STRIDES_PER_TILE) for tick in range(100)]
    for foot in ("left", "right"):
        path = [getattr(step, foot) for step in steps]
        assert max(up for _, up in path) > 0.04
        for (ahead, up), (after, _) in itertools.pairwise(path):
            if up > 0.01:
                assert after > ahead  # it comes forward while it is up


def test_it_squashes_when_it_lands_and_settles():
    assert at(landed_s=0.06).height < 0.95
    assert at(landed_s=1.0) == at()


def test_a_hop_stretches_and_tucks_the_feet():
    for action in ("climb", "drop", "leap"):
        held = at(action)
        assert held.height > 1.05
        assert min(held.left[1], held.right[1]) > 0.0


def test_who_floats_has_no_strides_and_leans_into_its_way():
    for tick in range(30):
        held = at("walk", 0.3 * tick, 0.1 * tick, has_feet=False)
        assert (held.left, held.right, held.sway_deg) == (BodyPose().left, BodyPose().right, 0.0)
        assert held.lean_deg > 5.0
    lifts = [at(time_s=0.2 * tick, has_feet=False).lift for tick in range(30)]
    assert min(lifts) >= 0.0
    assert max(lifts) - min(lifts) > 0.04
