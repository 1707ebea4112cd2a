"""Time passes for units: however it is split, they come to the same cells in the same order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.boards import listen, put
from tests.support.reference import thoroughly


def check_same(one, other):
    assert one.is_moving == other.is_moving
    assert one.pose.point == pytest.approx(other.pose.point, abs=1e-6)
    turn = one.pose.heading_deg - other.pose.heading_deg
    assert (turn + 180) % 360 == pytest.approx(180, abs=1e-3)


goals = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=3).filter(
    lambda cells: cells[0] != (0, 0)
)
pieces = st.lists(st.floats(0, 3), min_size=1, max_size=12)


@thoroughly(150)
@given(goals, pieces, st.floats(0.3, 9))
def test_any_split_of_a_time_gives_the_same_pose_and_the_same_signals(goals, times, speed):
    heard = []
    units = []
    for split in (times, [sum(times)]):
        board, unit = put(speed_tiles_s=speed)
        heard.append(listen(unit))
        for goal in goals:
            board.move(unit, goal)
        for time in split:
            unit.advance(time)
        units.append(unit)
    check_same(*units)
    # A step that ends at the very end of the time may be one rounding away.
    short, long = sorted(heard, key=len)
    assert [entry[:2] for entry in long[: len(short)]] == [entry[:2] for entry in short]
    if len(long) > len(short):
        units[heard.index(short)].advance(1e-9)
        assert len(heard[0]) == len(heard[1])


@given(goals, st.floats(0.001, 0.5), st.floats(0.3, 9))
def test_it_ends_exactly_on_the_goal_and_emits_every_cell_once_and_in_order(goals, frame, speed):
    board, unit = put(speed_tiles_s=speed)
    heard = listen(unit)
    expected = []
    for goal in goals:
        cells = [cell[:2] for cell in board.move(unit, goal).cells]
        if len(cells) > 1:
            expected += [*[("step", cell) for cell in cells[1:]], ("finished", cells[-1])]
    while unit.is_moving:
        unit.advance(frame)
    assert unit.cell == (*goals[-1], 0)
    assert unit.pose.point == board.tilemap.surface_point(goals[-1])
    assert unit.pose.action == "stand"
    assert [entry[:2] for entry in heard if entry[0] != "started"] == expected
