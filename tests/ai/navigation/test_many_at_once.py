"""Many queries in one call give the answers of one by one; a pickled Navigation gives them too."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from tests.support.limits import IS_MEASURABLE, peak_growth_mb
from tests.support.reference import costs, tried
from tests.support.strategies import cases, cells_to_ask

NOWHERE = [-1, -1, -1]


@tried(200, cases(), costs, st.booleans(), st.booleans())
def test_they_equal_those_one_by_one(case, budget, is_priced, is_array):
    navigation, profile = Navigation(case.tilemap), case.profile
    starts = cells_to_ask(case.tilemap)
    prices = np.arange(case.tilemap.rows * case.tilemap.cols) % 4
    how = {"extra_cost": prices.reshape(case.tilemap.rows, -1)} if is_priced else {}
    given = np.array(starts, np.int16) if is_array else starts
    many = navigation.reaches(given, budget, profile, **how)
    assert many.offsets[0] == 0
    assert many.offsets[-1] == len(many.cells) == len(many.costs)
    for start, (first, last) in zip(starts, pairwise(many.offsets), strict=True):
        one = navigation.reach(start, budget, profile, **how)
        assert [*map(tuple, many.cells[first:last].tolist())] == one.cells
        assert many.costs[first:last].tolist() == [one.cost_to(cell) for cell in one]
    field = navigation.cost_field(case.start, profile, blocked=case.blocked, **how)
    singly = [field.next_step(start) for start in starts]
    expected = [NOWHERE if step is None else [*step] for step in singly]
    assert field.next_steps(given).tolist() == expected


def test_more_starts_than_a_frontier_holds_at_once():
    navigation = Navigation(TileMap([[0] * 90] * 90))
    starts = [(row, col) for row in range(90) for col in range(0, 90, 30)]
    many = navigation.reaches(starts, 1000)
    assert (np.diff(many.offsets) == 90 * 90).all()
    assert navigation.reaches([], 3).offsets.tolist() == [0]


PROFILE = MoveProfile(max_climb=0, max_drop=1)


@pytest.fixture(scope="module")
def question():
    cells = np.random.default_rng(1).integers(0, 24, (2, 700, 2)).tolist()
    starts, goals = ([tuple(cell) for cell in each] for each in cells)
    return TileMap.from_noise(24, 24, seed=5), starts, goals


def test_fields_are_those_of_one_call_each(question):
    navigation = Navigation(question[0])
    goal_sets = [(3, 4), [(0, 0), (20, 20)], (9, 9), (23, 1), [(5, 5)], (6, 17), (1, 1), (2, 2)]
    extra = np.random.default_rng(2).integers(0, 3, (24, 24))
    fields = navigation.cost_fields(goal_sets, PROFILE, extra_cost=extra)
    for goals, field in zip(goal_sets, fields, strict=True):
        one = navigation.cost_field(goals, PROFILE, extra_cost=extra)
        assert (field.cost == one.cost).all()
        assert field.next_step((11, 11)) == one.next_step((11, 11))
        assert field.path_from((22, 2)).cells == one.path_from((22, 2)).cells
    assert navigation.cost_fields([]) == []
    with pytest.raises(ValueError, match="there is no goal"):
        navigation.cost_fields([[]])


@pytest.mark.skipif(not IS_MEASURABLE, reason="reads the memory of a process from Linux")
def test_distances_keep_no_field_for_each_goal():
    prepare = """
from ai import Navigation
from terrain3d import TileMap
navigation = Navigation(TileMap.from_noise(256, 256, seed=7))
navigation.distances([(0, 0)], [(9, 9)] * 4)
"""
    task = "navigation.distances([(0, 0)], [(row, row) for row in range(200)])"
    # 200 fields of 65,536 tiles take 290 MB.
    assert peak_growth_mb(prepare, task) < 60


def test_distances_are_the_costs_of_paths_as_a_matrix(question):
    tilemap, starts, goals = question
    navigation, starts, goals = Navigation(tilemap), starts[:9], goals[:7]
    matrix = navigation.distances(starts, goals, PROFILE)
    assert matrix.shape == (9, 7)
    for row, start in enumerate(starts):
        for col, goal in enumerate(goals):
            assert matrix[row, col] == navigation.find_path(start, goal, PROFILE).cost
    assert navigation.distances([], goals).shape == (0, 7)
    assert navigation.distances(starts, []).shape == (9, 0)


@pytest.mark.parametrize("what", [TileMap([[0]]), MoveProfile(), Navigation(TileMap([[0]]))])
def test_what_another_version_has_pickled_is_refused(what, monkeypatch):
    monkeypatch.setattr("terrain3d.map.tilemap._CURRENT_VERSION", 0)
    monkeypatch.setattr("ai.rules.profile._PICKLE_VERSION", 0)
    data = pickle.dumps(what)
    monkeypatch.undo()
    with pytest.raises(pickle.UnpicklingError, match="was pickled in version 0 of its state"):
        pickle.loads(data)
