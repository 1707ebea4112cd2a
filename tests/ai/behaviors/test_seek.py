"""Going to fixed places: seek with random sidesteps, and patrol."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import Navigation, Patrol, Seek, Situation, Stay
from terrain3d import Reason
from tests.support import rulebook
from tests.support.boards import one_edit
from tests.support.reference import cells_of, ground, profiles, tilemaps, tried, true_costs
from tests.support.selection import table
from tests.support.walks import path_of

TRAP = ground("""
0000000000
0000000000
0000####00
0000000#00
0000000#00
0000000#00
0000####00
0000000000
0000000000
""")
"""Walls on three sides of a room that is open to the west, three tiles deep."""
START, GOAL = (4, 1), (4, 9)


def seek(goal, seed=0, **options):
    return Seek(goal, np.random.default_rng(seed), **options)


def away(tilemap, cell, goal):
    return math.dist(tilemap.surface_point(cell)[:2], tilemap.surface_point(goal)[:2])


@tried(100, tilemaps(max_side=6), profiles, st.data())
def test_without_detours_it_descends_by_distance_until_no_step_is_nearer(tilemap, profile, data):
    start, goal = (data.draw(st.sampled_from(cells_of(tilemap))) for _ in range(2))
    behavior = seek(goal, max_detours=0)
    cells = path_of(behavior, tilemap, start, profile=profile)
    for here, after in itertools.pairwise([*cells, None]):
        ends = [end for end, _ in rulebook.steps_from(tilemap, profile, here)]
        tiles = {end: away(tilemap, end, goal) for end in ends}
        nearest = min(tiles.values(), default=math.inf)
        is_over = nearest >= away(tilemap, here, goal) - 1e-6
        assert is_over == (after is None)
        assert is_over or tiles[tuple(after)] <= nearest + 1e-6
    has_arrived = cells[-1][:2] == goal[:2]
    assert behavior.reason.startswith("has arrived" if has_arrived else "has given")


@tried(100, tilemaps(max_side=6), profiles, st.integers(0, 99), st.data())
def test_it_arrives_or_gives_up_in_the_end(tilemap, profile, seed, data):
    start, goal = (data.draw(st.sampled_from(cells_of(tilemap))) for _ in range(2))
    behavior = seek(goal, seed, max_side_steps=4, max_detours=5)
    cells = path_of(behavior, tilemap, start, 999, profile=profile)
    if behavior.reason.startswith("has arrived"):
        assert cells[-1][:2] == goal[:2]
        assert start == goal or true_costs(tilemap, profile, start)[goal] < math.inf
    else:
        assert behavior.reason.startswith(("has given up", "no step is legal"))
    assert behavior.n_detours <= 5
    assert len(cells) <= 1 + 5 * 4 + 6 * 60  # each straight part comes nearer with every step


def test_it_gets_around_a_boulder_by_random_steps_that_the_seed_decides():
    tilemap = ground("0000000\n0000000\n000#000\n0000000\n0000000")
    walks = [path_of(seek((2, 6), seed), tilemap, (2, 0), 200) for seed in (1, 1, *range(2, 20))]
    assert walks[0] == walks[1]
    assert all(cells[-1] == (2, 6, 0) for cells in walks)
    assert len({tuple(cells) for cells in walks}) > 5


def test_a_deep_trap_holds_it_where_a_search_goes_around():
    behavior = seek(GOAL, max_side_steps=2, max_detours=30)
    cells = path_of(behavior, TRAP, START, 2000)
    assert behavior.reason.code == "detours_over"
    assert behavior.reason.endswith(" after 30 detours")
    assert not isinstance(behavior.reason, Stay)
    assert all(cell.col <= 7 for cell in cells)
    assert Navigation(TRAP).find_path(START, GOAL)
    wide = [seek(GOAL, seed, max_side_steps=20, max_detours=50) for seed in range(12)]
    assert sum(path_of(each, TRAP, START, 9999)[-1][:2] == GOAL for each in wide) > 6


def test_what_opens_the_path_ends_its_giving_up():
    tilemap = ground("00#0")
    behavior, navigation = seek((0, 3), max_detours=0), Navigation(tilemap)
    assert behavior.next_cell(Situation(navigation, (0, 1))) is None
    assert (behavior.reason.code, behavior.reason.cells) == ("detours_over", ((0, 1, 0),))
    one_edit(tilemap).set_kind((0, 2), "grass")
    assert behavior.next_cell(Situation(navigation, (0, 1))) == (0, 2, 0)


def test_shut_in_by_units_it_waits_and_that_is_one_detour_at_most():
    behavior, navigation = seek((0, 2), max_detours=1), Navigation(ground("000"))
    for _ in range(5):
        assert behavior.next_cell(Situation(navigation, (0, 0), blocked=[(0, 1)])) is None
        assert behavior.reason == Reason("no_step_from", cell=(0, 0))
    assert behavior.next_cell(Situation(navigation, (0, 0))) == (0, 1, 0)
    assert behavior.n_detours == 1


def columns(behavior, tilemap, start, n_steps, **options):
    return "".join(str(cell.col) for cell in path_of(behavior, tilemap, start, n_steps, **options))


@table(
    "posts levels passable cols why",
    ([(0, 1), (0, 3), (0, 4)], "00000", [], "0123432123432", None),
    ([(0, 2), (0, 0)], "000", [(0, 2)], "0", Reason("is_occupied", cell=(0, 2))),
    ([(0, 2), (5, 5)], "0#0", [], "0", Reason("is_void", cell=(0, 1))),
    ([(0, 2)], "000", [], "012", Reason("only_post", cell=(0, 2))),
)
def test_it_goes_round_by_the_posts_that_it_can_reach(posts, levels, passable, cols, why):
    behavior = Patrol(posts)
    assert columns(behavior, ground(levels), (0, 0), 12, passable=passable) == cols
    assert why in (None, behavior.reason)


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
    one_edit(tilemap).set_kind((0, 2), "grass")
    assert "4" in columns(behavior, tilemap, (0, 1), 9)


def test_a_patrol_needs_a_post():
    with pytest.raises(ValueError, match="at least 1 post"):
        Patrol([])
