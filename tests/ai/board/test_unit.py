"""Units: signals and what listeners may do, however time is split; entries of units on maps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Unit, movers
from ai.board.unit import units_of
from terrain3d import TileMap
from tests.support.boards import listen, put
from tests.support.reference import tried
from tests.support.selection import table


def test_stats_are_refused_with_what_changes_them():
    unit = Unit("Mira", (0, 0), stats={"hp": 3})
    with pytest.raises(TypeError, match=r"'hp' is read-only here; .* action\.set\(unit, \.\.\.\)"):
        unit.stats["hp"] = 4
    assert unit.stats == {"hp": 3}


def test_a_patrol_by_signals_is_where_its_speed_brings_it():
    board, unit = put("00000", speed_tiles_s=1)
    turns = []

    def turn_back(cell):
        turns.append(cell.col)
        board.move(unit, (0, 4 - cell.col))

    unit.move_finished.connect(turn_back)
    board.move(unit, (0, 4))
    unit.advance(4 * 7 + 1)
    assert turns == [4, 0, 4, 0, 4, 0, 4]
    assert unit.pose.point == pytest.approx((3.5, -0.5, 0))


@pytest.mark.parametrize("times", [[100.0], [0.25] * 400])
def test_a_listener_of_a_step_may_undo_the_order_and_hears_no_more_of_it(times):
    board, unit = put("00000", speed_tiles_s=1)
    heard = listen(unit)
    unit.step_finished.connect(lambda cell: cell.col == 2 and board.undo())
    board.move(unit, (0, 4))
    for time in times:
        unit.advance(time)
    assert [entry[:2] for entry in heard[1:]] == [("step", (0, 1)), ("step", (0, 2))]
    assert (unit.cell, unit.is_moving) == ((0, 0, 0), False)
    assert unit.pose.point == board.tilemap.surface_point((0, 0))


def test_a_failing_listener_does_not_hold_the_unit_up():
    board, unit = put("000", speed_tiles_s=1)

    def fail(_cell):
        raise OSError("the speaker is broken")

    unit.step_finished.connect(fail, once=True)
    unit.move_finished.connect(fail, once=True)
    board.move(unit, (0, 2))
    for _ in range(2):
        with pytest.raises(OSError, match="broken"):
            unit.advance(1)
    assert not unit.is_moving
    assert unit.pose.point == board.tilemap.surface_point((0, 2))


def test_a_hovering_unit_floats_above_its_surface():
    board, unit = put("02", cell=(0, 1), speed_tiles_s=1)
    unit.profile = MoveProfile(hover=3)
    assert unit.pose.point == (1.5, -0.5, (2 + 3) * 0.5)
    board.move(unit, (0, 0))
    unit.advance(9)
    assert unit.pose.point == (0.5, -0.5, 3 * 0.5)


def test_a_warping_unit_walks_through_nothing():
    board, unit = put("0000")
    unit.profile = MoveProfile(warp=3)
    board.move(unit, (0, 3))
    seen = set()
    while unit.is_moving:
        seen.add(unit.pose.point)
        unit.advance(0.01)
    assert seen == {board.tilemap.surface_point(cell) for cell in ((0, 0), (0, 3))}


def test_before_it_is_on_a_board_it_has_no_pose_and_cannot_walk():
    unit = Unit("Mira", (1, 1))
    assert (unit.cell, unit.is_moving) == ((1, 1, 0), False)
    with pytest.raises(RuntimeError, match="no pose before a board"):
        _ = unit.pose
    unit.advance(1)


places = st.tuples(st.integers(0, 2), st.integers(0, 3))
goals = st.lists(places, min_size=1, max_size=3).filter(lambda cells: cells[0] != (0, 0))
pieces = st.lists(st.floats(0, 3), min_size=1, max_size=12)


@tried(150, goals, pieces, st.floats(0.3, 9))
def test_any_split_of_a_time_gives_the_same_pose_and_the_same_signals(goals, times, speed):
    heard, units = [], []
    for split in (times, [sum(times)]):
        board, unit = put(speed_tiles_s=speed)
        heard.append(listen(unit))
        for goal in goals:
            board.move(unit, goal)
        for time in split:
            unit.advance(time)
        units.append(unit)
    one, other = units
    assert one.is_moving == other.is_moving
    assert one.pose.point == pytest.approx(other.pose.point, abs=1e-6)
    turn = one.pose.heading_deg - other.pose.heading_deg
    assert (turn + 180) % 360 == pytest.approx(180, abs=1e-3)
    # A step that ends at the very end of the time may be one rounding away.
    short, long = sorted(heard, key=len)
    assert [entry[:2] for entry in long[: len(short)]] == [entry[:2] for entry in short]
    if len(long) > len(short):
        units[heard.index(short)].advance(1e-9)
        assert len(heard[0]) == len(heard[1])


@given(goals, st.floats(0.001, 0.5) | st.just(99.0), st.floats(0.3, 9))
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
    assert (unit.pose.action, unit.pose.heading_deg) == ("stand", unit.heading_deg)
    arrived = [entry for entry in heard if entry[0] != "started"]
    assert [entry[:2] for entry in arrived] == expected
    for _, cell, point in arrived:
        assert point == pytest.approx(board.tilemap.surface_point(cell))


def map_with(*entries):
    tilemap = TileMap.from_text("000\n000")
    tilemap.extras["units"] = [*entries]
    return tilemap


def test_an_entry_has_the_parameters_of_a_unit_and_the_name_of_a_mover():
    values = {"team": "red", "move": 3, "speed_tiles_s": 1.5, "heading_deg": 90, "has_zoc": True}
    values |= {"wait": 20, "sight": 4, "stats": {"hp": 12}}
    entry = {"name": "Bram", "cell": [1, 2], "mover": "Heavy-Foot", "color": "gray", **values}
    expected = Unit("Bram", (1, 2), profile=movers.HEAVY_FOOT, **values)
    plain = {"name": "Mira", "cell": [0.0, 1.0, 0.0], "sight": 5.0}  # as JSON may have them
    bram, mira = units_of(map_with(entry, plain))
    assert bram.state == expected.state
    assert mira.state == Unit("Mira", (0, 1), sight=5).state


@table(
    "wrong error why",
    (5, TypeError, "it must be a Mapping, got 5"),
    ({"cell": [0, 0]}, ValueError, "it has no name"),
    ({"name": "b"}, ValueError, "it has no cell"),
    ({"name": "b", "cell": [0, 9]}, IndexError, "(0, 9) is outside the map"),
    ({"name": "b", "cell": [0, 0], "mover": "troll"}, ValueError, "mover must be one of light"),
    ({"name": "b", "cell": [0, 0], "sight": 65}, ValueError, "sight must be in 0..64"),
)
def test_a_wrong_entry_is_refused_with_its_place(wrong, error, why):
    with pytest.raises(error) as caught:
        units_of(map_with({"name": "a", "cell": [0, 0]}, wrong))
    assert str(caught.value).startswith("units[1]: ")
    assert why in str(caught.value)


def test_units_that_are_no_list_are_refused():
    tilemap = map_with()
    assert units_of(tilemap) == []
    tilemap.extras["units"] = {"a": 1}
    with pytest.raises(TypeError, match="units must be a list"):
        units_of(tilemap)
