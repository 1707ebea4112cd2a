"""Wander: keep a heading, turn where the ground ends, and repeat for equal seeds."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, Situation, Wander
from terrain3d import TileMap
from terrain3d.grid.hexgrid import TOPOLOGIES
from tests.support.reference import ground, profiles, step_cost, thoroughly, tilemaps
from tests.support.walks import path_of


def wander(seed=0, turn_deg=30):
    return Wander(np.random.default_rng(seed), turn_deg)


def test_it_goes_straight_until_the_ground_ends():
    cells = [cell.col for cell in path_of(wander(), ground("0000"), (0, 0), 9)]
    assert cells == [0, 1, 2, 3, 2, 1, 0, 1, 2, 3]


def test_it_turns_before_a_cliff_that_it_cannot_take_and_goes_down_one_that_it_can():
    one_way = path_of(wander(), TileMap.from_text("9630"), (0, 0), 9)
    assert [cell.col for cell in one_way] == [0, 1, 2, 3]  # from the bottom no step is legal
    brink = path_of(wander(), TileMap.from_text("5550"), (0, 0), 6)
    assert [cell.col for cell in brink] == [0, 1, 2, 1, 0, 1, 2]


def test_where_it_has_to_turn_it_takes_either_side():
    tilemap = ground("000\n#0#\n#0#")
    thirds = set()
    for seed in range(20):
        cells = path_of(wander(seed), tilemap, (2, 1), 3)
        assert [cell[:2] for cell in cells[:3]] == [(2, 1), (1, 1), (0, 1)]
        thirds.add(cells[3][:2])
    assert thirds == {(0, 0), (0, 2)}


def test_equal_seeds_make_equal_walks_and_others_others():
    tilemap = TileMap.from_noise(12, 12, seed=4)
    walks = [path_of(wander(seed, 90), tilemap, (5, 5), 60) for seed in (1, 1, 2)]
    assert walks[0] == walks[1] != walks[2]
    assert len(walks[0]) == 61


def test_a_mover_shut_in_stays_and_says_so():
    behavior = wander()
    assert path_of(behavior, ground("5"), (0, 0)) == [(0, 0, 0)]
    assert behavior.reason == "no step is legal from (0, 0)"
    situation = Situation(Navigation(ground("000")), (0, 1), blocked=[(0, 0)], passable=[(0, 2)])
    assert behavior.next_cell(situation) is None


@pytest.mark.parametrize("turn_deg", [29, 91, float("nan")])
def test_angles_out_of_their_limits_are_refused(turn_deg):
    with pytest.raises(ValueError, match=r"max_turn_deg must be in 30\.\.90"):
        wander(turn_deg=turn_deg)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_it_comes_everywhere_in_the_end(topology):
    tilemap = TileMap([[0] * 4] * 4, topology=topology)
    assert len(set(path_of(wander(3, 90), tilemap, (0, 0), 400))) == 16


def turn(tilemap, before, here, after):
    """Return the unsigned angle between two steps, by the cosine of vectors."""
    first, second = (
        np.subtract(tilemap.surface_point(b), tilemap.surface_point(a))[:2]
        for a, b in ((before, here), (here, after))
    )
    cosine = first @ second / (np.linalg.norm(first) * np.linalg.norm(second))
    return math.degrees(math.acos(np.clip(cosine, -1, 1)))


@thoroughly(80)
@given(tilemaps(), profiles, st.sampled_from([30, 45, 60, 90]), st.integers(0, 99), st.data())
def test_it_turns_no_further_than_it_may_or_has_to(tilemap, profile, most, seed, data):
    start = data.draw(st.sampled_from(sorted(np.ndindex(tilemap.rows, tilemap.cols))))
    cells = [tuple(c[:2]) for c in path_of(wander(seed, most), tilemap, start, 25, profile=profile)]
    for before, here, after in zip(cells, cells[1:], cells[2:], strict=False):
        legal = [
            end
            for end in itertools.product(range(tilemap.rows), range(tilemap.cols))
            if step_cost(tilemap, profile, here, end) < math.inf
        ]
        least = min(turn(tilemap, before, here, end) for end in legal)
        assert turn(tilemap, before, here, after) <= max(most, least) + 1e-3


def test_steps_go_diagonally_where_the_profile_does():
    profile = MoveProfile(diagonal="always")
    cells = path_of(wander(5, 45), TileMap([[0] * 9] * 9), (4, 4), 60, profile=profile)
    steps = {(b.row - a.row, b.col - a.col) for a, b in itertools.pairwise(cells)}
    assert len(steps) == 8
