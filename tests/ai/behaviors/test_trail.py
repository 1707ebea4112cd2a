"""Trails: follow crumbs in sight, cut corners, and wander without a trail."""

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import Board, Crumb, FollowTrail, MoveProfile, Navigation, Situation, Trail, Unit, Wander
from terrain3d import Reason, TileMap
from tests.support.reference import ground, tried
from tests.support.walks import path_of


def trail_of(*cells, **options):
    trail = Trail(**options)
    for cell in cells:
        trail.drop(cell)
    return trail


def follower(trail, **options):
    return FollowTrail(trail, np.random.default_rng(0), **options)


def test_a_unit_drops_crumbs_as_it_walks():
    board, trail = Board(TileMap.from_text("0000")), Trail()
    mira = board.add(Unit("Mira", (0, 0)))
    mira.step_finished.connect(trail.drop)
    board.move(mira, (0, 3))
    mira.advance(60)
    assert [crumb.cell.col for crumb in trail] == [3, 2, 1]


def test_it_takes_a_short_cut_to_the_newest_crumb_in_sight():
    tilemap = ground("0000\n0000\n0000\n0000")
    loop = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (2, 2), (1, 2), (0, 2)]
    cells = path_of(follower(trail_of(*loop)), tilemap, (0, 0))
    assert [cell[:2] for cell in cells] == [(0, 0), (0, 1), (0, 2)]
    # The trail is seen across the chasm, but there is no path over it.
    tilemap = ground("0#0\n0#0\n000")
    trail = trail_of((1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2))
    assert len(path_of(follower(trail), tilemap, (0, 0))) == 7


def test_it_steps_to_a_crumb_that_it_does_not_see():
    tilemap = TileMap.from_text("0990")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 3), cost=1, kind="teleporter")
    assert path_of(follower(trail_of((0, 3))), tilemap, (0, 0)) == [(0, 0, 0), (0, 3, 0)]


def test_older_crumbs_do_not_draw_it_back():
    tilemap, behavior = ground("00000"), follower(trail_of((0, 4), (0, 3), (0, 2)))
    assert [cell.col for cell in path_of(behavior, tilemap, (0, 0))] == [0, 1, 2]
    for col in (2, 3, 4):  # wherever it is carried
        assert behavior.next_cell(Situation(Navigation(tilemap), (0, col))) is None
    assert behavior.reason == Reason("trail_over", cell=(0, 2))


def test_it_waits_behind_a_unit_on_the_trail():
    behavior = follower(trail_of((0, 1), (0, 2), (0, 3)))
    cells = path_of(behavior, ground("00000"), (0, 0), passable=[(0, 3)])
    assert [cell.col for cell in cells] == [0, 1, 2]
    assert behavior.reason == Reason("unit_on_trail", cell=(0, 3))


@pytest.mark.parametrize("trail", [trail_of(), trail_of((0, 9)), trail_of((3, 3, 1), (99, 0))])
def test_without_a_crumb_in_sight_it_wanders(trail):
    tilemap = TileMap.from_text("\n".join(["0" * 10] * 10))
    cells = path_of(follower(trail, sight_tiles=2), tilemap, (5, 5), 9)
    assert cells == path_of(Wander(np.random.default_rng(0)), tilemap, (5, 5), 9)


@tried(60, st.integers(0, 2**32 - 1), st.integers(0, 12))
def test_a_follower_on_a_trail_reaches_its_end_on_no_longer_a_path(seed, sight_tiles):
    rng = np.random.default_rng(seed)
    tilemap = TileMap(rng.integers(0, 4, (8, 8)))
    profile = MoveProfile(max_climb=2, max_drop=2, climb_cost=0)  # so that costs count steps
    cells = path_of(Wander(rng, 60), tilemap, tuple(rng.integers(8, size=2)), 30, profile=profile)
    behavior = FollowTrail(trail_of(*cells, max_crumbs=99), rng, sight_tiles=sight_tiles)
    walked = path_of(behavior, tilemap, cells[0], 200, profile=profile)
    assert walked[-1] == cells[-1]
    assert len(walked) <= len(cells)


@tried(100, st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2))), st.integers(1, 5))
def test_it_keeps_the_cells_visited_last_with_one_crumb_on_each(cells, max_crumbs):
    trail = trail_of(*cells, max_crumbs=max_crumbs)
    last = sorted({*cells}, key=lambda cell: cells[::-1].index(cell))
    assert [crumb.cell[:2] for crumb in trail] == last[:max_crumbs]
    numbers = [crumb.number for crumb in trail]
    assert numbers == [len(cells) - 1 - cells[::-1].index(cell) for cell in last[:max_crumbs]]
    assert len(trail) == len(numbers)


def test_a_renewed_crumb_has_the_new_data():
    trail = Trail()
    for cell, data in [((0, 0), "old"), ((0, 1, 2), None), ((0, 0), {"hp": 3})]:
        trail.drop(cell, data)
    assert list(trail) == [Crumb((0, 0, 0), {"hp": 3}, 2), Crumb((0, 1, 2), None, 1)]


def test_crumbs_keep_their_spacing_from_the_newest_one():
    trail = Trail(spacing_tiles=3, tilemap=ground("0" * 12))
    for col in (*range(12), *range(10, 3, -1)):
        trail.drop((0, col))
    # On the way back it steps on two older crumbs, which are renewed.
    assert [crumb.cell.col for crumb in trail] == [6, 9, 3, 0]
    trail.drop((0, 6, 1))  # another deck
    assert next(iter(trail)).cell == (0, 6, 1)
    with pytest.raises(ValueError, match=r"spacing_tiles=3 needs a map .* pass tilemap="):
        Trail(spacing_tiles=3)


def test_a_follower_goes_on_to_a_crumb_out_of_sight_that_is_renewed():
    tilemap = TileMap.from_text("000\n090\n090\n090")
    trail, navigation = trail_of((0, 0), (0, 2)), Navigation(tilemap)
    behavior = follower(trail, sight_tiles=2)
    assert behavior.next_cell(Situation(navigation, (0, 0))) == (0, 1, 0)
    trail.drop((0, 2))
    assert behavior.next_cell(Situation(navigation, (3, 0))) == (2, 0, 0)  # carried off


def test_a_trail_that_grows_is_followed_for_ever():
    tilemap, trail = ground("\n".join(["0" * 9] * 9)), Trail(5)
    navigation, leader = Navigation(tilemap), Wander(np.random.default_rng(3), 60)
    ahead, here, behavior = (4, 4), (4, 3), follower(trail, sight_tiles=3)
    for _ in range(200):
        ahead = leader.next_cell(Situation(navigation, ahead, blocked=[here])) or ahead
        trail.drop(ahead)
        here = behavior.next_cell(Situation(navigation, here, blocked=[ahead])) or here
        assert tilemap.grid.distance(here[:2], ahead[:2]) <= 3
