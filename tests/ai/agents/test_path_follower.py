"""Which edits touch the path ahead, and how far beside the path a body is."""

import pytest

from ai import MoveProfile, Navigation
from ai.agents.navigation_agent import PathFollower
from ai.motion.motion import Target
from terrain3d import Cell, Rect
from tests.support.reference import ground


def follower(levels, start, goal, profile=None, begin=None):
    tilemap, profile = ground(levels), profile or MoveProfile()
    path = Navigation(tilemap).find_path(start, goal, profile)
    begin = begin or tilemap.surface_point(start)
    target = Target(tilemap, profile, Cell(*goal))
    return PathFollower(tilemap, profile, path, begin, target)


FIELD = "\n".join(["00000"] * 5)


@pytest.mark.parametrize(
    ("profile", "above", "below"),
    [
        (MoveProfile(), False, False),
        (MoveProfile(diagonal="always"), True, True),
        (MoveProfile(size=2), False, True),
    ],
)
def test_an_edit_touches_the_cells_a_step_depends_on(profile, above, below):
    path = follower(FIELD, (1, 0), (1, 3), profile)
    assert path.is_touched(Rect(1, 2, 1, 1))
    assert path.is_touched(Rect(0, 0, 5, 5))
    assert path.is_touched(Rect(0, 2, 1, 1)) == above
    assert path.is_touched(Rect(2, 2, 1, 1)) == below
    assert not path.is_touched(Rect(3, 2, 1, 1))


def test_an_edit_behind_does_not_touch_the_path():
    path = follower(FIELD, (1, 0), (1, 3))
    assert path.is_touched(Rect(1, 0, 1, 1))
    path.advance()
    assert not path.is_touched(Rect(1, 0, 1, 1))
    assert path.is_touched(Rect(1, 1, 1, 1))


def test_a_hop_stays_near_the_path_and_a_fall_does_not():
    path = follower("02", (0, 0), (0, 1))
    assert path.is_near((0.9, -0.5, 1.3), 0.3)
    assert not path.is_near((0.9, -0.5, 2.6), 0.3)
    flat = follower("00", (0, 0), (0, 1))
    assert flat.is_near((1.0, -0.7, 0.0), 0.3)
    assert not flat.is_near((1.0, -0.9, 0.0), 0.3)
    assert not flat.is_near((1.0, -0.5, -0.5), 0.3)


def test_the_first_step_begins_where_the_body_is():
    aside = 0.05, -0.95, 0.0
    assert follower("00", (0, 0), (0, 1), begin=aside).is_near(aside, 0.3)
    assert not follower("00", (0, 0), (0, 1)).is_near(aside, 0.3)
