"""Patrols: posts in their order, waiting at each, and skipping posts that cannot be reached."""

import pytest

from ai import Navigation, Patrol, Situation
from tests.support.reference import ground
from tests.support.walks import path_of, recorded_calls


def columns(behavior, tilemap, start, n_steps, **options):
    return "".join(str(cell.col) for cell in path_of(behavior, tilemap, start, n_steps, **options))


def test_it_goes_round():
    assert columns(Patrol([(0, 1), (0, 3), (0, 4)]), ground("00000"), (0, 0), 12) == "0123432123432"


def test_it_goes_back_and_forth():
    ring = "000\n0#0\n000"
    posts = [(0, 0), (0, 2), (2, 2)]
    there_and_back = path_of(Patrol(posts, back_and_forth=True), ground(ring), (0, 0), 8)
    assert [cell[:2] for cell in there_and_back[::2]] == [(0, 0), (0, 2), (2, 2), (0, 2), (0, 0)]
    around = path_of(Patrol(posts), ground(ring), (0, 0), 8)
    assert [cell[:2] for cell in around[2::2]] == [(0, 2), (2, 2), around[6][:2], (0, 0)]
    assert around[6][:2] in {(0, 2), (2, 0)}


@pytest.mark.parametrize("dt_s", [0.5, 0.125])
def test_it_waits_at_each_post_whatever_time_is_split_into(dt_s):
    behavior = Patrol([(0, 1), (0, 0)], wait_s=1)
    navigation, here, waited, log = Navigation(ground("00")), (0, 0), 0, []
    for _ in range(int(6 / dt_s)):
        cell = behavior.next_cell(Situation(navigation, here))
        if cell is None:
            assert behavior.reason == f"waits at {behavior.post}"
            waited += dt_s
            behavior.advance(dt_s)
        else:
            log.append(waited)
            here, waited = cell, 0
    assert log[:4] == [0, 1, 1, 1]


def test_a_post_that_cannot_be_reached_is_left_out_until_it_can():
    tilemap = ground("00#00")
    behavior = Patrol([(0, 0), (0, 4), (0, 1)])
    assert columns(behavior, tilemap, (0, 0), 5) == "010101"
    with tilemap.edit() as edit:
        edit.set_kind((0, 2), "grass")
    assert "4" in columns(behavior, tilemap, (0, 1), 9)


def test_a_unit_on_a_post_makes_it_go_on_to_the_next():
    behavior = Patrol([(0, 2), (0, 0)])
    assert columns(behavior, ground("000"), (0, 1), 3, passable=[(0, 2)]) == "10"
    assert behavior.reason == "(0, 2) is occupied"


def test_without_any_path_it_gives_the_first_reason():
    behavior = Patrol([(0, 2), (5, 5)])
    assert columns(behavior, ground("0#0"), (0, 0), 3) == "0"
    assert behavior.reason == "(0, 1) is void"


def test_a_single_post_is_kept():
    behavior = Patrol([(0, 2)], back_and_forth=True)
    assert columns(behavior, ground("000"), (0, 0), 9) == "012"
    assert behavior.reason == "stays at its only post (0, 2)"


def test_it_searches_once_for_each_leg(monkeypatch):
    searches = recorded_calls(monkeypatch, "find_path")
    behavior = Patrol([(0, 0), (0, 9)])
    assert len(path_of(behavior, ground("0" * 10), (0, 0), 36)) == 37
    assert len(searches) == 4


def test_where_no_post_can_be_reached_each_is_searched_once_until_something_changes(monkeypatch):
    searches, tilemap = recorded_calls(monkeypatch, "find_path"), ground("00000")
    behavior, navigation = Patrol([(0, 2), (0, 3), (0, 4)]), Navigation(tilemap)
    for blocked in ([(0, 1)], [(0, 1), (0, 4)]):
        searches.clear()
        for _ in range(9):
            assert behavior.next_cell(Situation(navigation, (0, 0), blocked=blocked)) is None
        assert len(searches) == 3
    searches.clear()
    assert behavior.next_cell(Situation(navigation, (0, 0))) == (0, 1, 0)
    assert len(searches) == 1


def test_bad_posts_and_times_are_refused():
    with pytest.raises(ValueError, match="at least 1 post"):
        Patrol([])
    with pytest.raises(TypeError, match="a cell is"):
        Patrol([(0, 0), "x"])
    with pytest.raises(ValueError, match="wait_s must be >= 0"):
        Patrol([(0, 0)], wait_s=-1)
