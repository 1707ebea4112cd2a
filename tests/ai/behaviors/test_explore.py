"""Explore: visit all cells or all rooms, and take drops without a path back last."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Explore, Navigation, Situation
from tests.support.reference import (
    cells_of,
    costs_over,
    edges,
    ground,
    profiles,
    thoroughly,
    tilemaps,
)
from tests.support.walks import path_of, recorded_calls, traced


def test_it_visits_every_cell_and_then_stays():
    behavior = Explore()
    tilemap = ground("0000\n0##0\n0000")
    cells = path_of(behavior, tilemap, (0, 0), 50)
    assert traced(tilemap, cells) == "1111\n1##1\n1111".replace("#", ".")
    assert behavior.visited == set(cells)
    assert behavior.reason == "all that can be reached has been visited"


def test_it_visits_one_cell_of_each_room():
    rooms = [
        [(row, col) for row in range(top, top + 3) for col in range(left, left + 3)]
        for top, left in [(0, 0), (0, 4), (4, 0)]
    ]
    tilemap = ground("000#000\n000#000\n0000000\n###0###\n0000000\n000#000\n000#000")
    behavior = Explore(rooms)
    seen = {cell[:2] for cell in path_of(behavior, tilemap, (0, 0), 50)}
    assert all(seen & set(room) for room in rooms)
    assert len(seen) < 14
    assert behavior.next_cell(Situation(Navigation(tilemap), (4, 3))) is None


def test_a_drop_of_no_return_is_taken_last():
    # The pit beside the start is the cheapest to reach, and cannot be left.
    tilemap = ground("25555\n2####")
    cells = [cell[:2] for cell in path_of(Explore(), tilemap, (0, 1), 50)]
    assert cells == [(0, 1), (0, 2), (0, 3), (0, 4), (0, 3), (0, 2), (0, 1), (0, 0), (1, 0)]


def test_it_goes_on_when_the_map_opens_or_a_unit_goes_away():
    tilemap = ground("00#0")
    behavior = Explore()
    path_of(behavior, tilemap, (0, 0), 9)
    with tilemap.edit() as edit:
        edit.set_kind((0, 2), "grass")
    assert [cell.col for cell in path_of(behavior, tilemap, (0, 1), 9)] == [1, 2, 3]
    behavior = Explore()
    assert len(path_of(behavior, ground("000"), (0, 0), 9, blocked=[(0, 1)])) == 1
    assert len(path_of(behavior, ground("000"), (0, 0), 9)) == 3


def test_when_nothing_is_left_it_does_not_search_again(monkeypatch):
    tilemap = ground("000")
    behavior, reaches = Explore(), recorded_calls(monkeypatch, "reach")
    situation = Situation(Navigation(tilemap), path_of(behavior, tilemap, (0, 0), 9)[-1])
    reaches.clear()
    for _ in range(9):
        assert behavior.next_cell(situation) is None
    assert not reaches


@thoroughly(80)
@given(tilemaps(max_side=6), profiles, st.data())
def test_what_it_can_come_back_from_is_all_seen_and_nothing_reachable_is_left(
    tilemap, profile, data
):
    start = data.draw(st.sampled_from(cells_of(tilemap)))
    behavior = Explore()
    cells = path_of(behavior, tilemap, start, 600, profile=profile)
    seen, last = {cell[:2] for cell in cells}, cells[-1][:2]
    steps = edges(tilemap, profile)
    back = [(end, begin, cost) for begin, end, cost in steps]
    out, home = costs_over(tilemap, steps, start), costs_over(tilemap, back, start)
    from_last = costs_over(tilemap, steps, last)
    for cell in cells_of(tilemap):
        if max(out[cell], home[cell]) < math.inf or from_last[cell] < math.inf:
            assert cell in seen
    assert behavior.reason == "all that can be reached has been visited"


def test_rooms_hold_cells():
    with pytest.raises(TypeError, match="a cell is"):
        Explore([[(0, 0)], ["x", "y"]])
