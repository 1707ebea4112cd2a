"""Many paths by the workers of an executor: the same answers, in the same order."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from tests.support.resident_memory import IS_MEASURABLE, peak_growth_mb

PROFILE = MoveProfile(max_climb=0, max_drop=1)


@pytest.fixture(scope="module")
def question():
    """Give a map, and more ends of paths than one worker gets."""
    tilemap = TileMap.from_noise(24, 24, seed=5)
    cells = np.random.default_rng(1).integers(0, 24, (2, 700, 2)).tolist()
    return tilemap, [tuple(cell) for cell in cells[0]], [tuple(cell) for cell in cells[1]]


def comparable(paths):
    return [(path.cells, path.cost, path.reason) for path in paths]


def test_processes_find_the_same_paths(question, processes):
    tilemap, starts, goals = question
    expected = Navigation(tilemap).find_paths(starts, goals, PROFILE)
    assert {bool(path) for path in expected} == {True, False}
    found = Navigation(tilemap).find_paths(starts, goals, PROFILE, executor=processes)
    assert comparable(found) == comparable(expected)


def test_threads_answer_for_the_map_as_it_was(question):
    tilemap, starts, goals = question
    extra = np.random.default_rng(2).integers(0, 3, (24, 24))
    expected = Navigation(tilemap).find_paths(starts, goals, extra_cost=extra)
    edited, shares = copy.copy(tilemap), []

    class Late(ThreadPoolExecutor):
        def submit(self, call, *arguments, **options):
            with edited.edit() as edit:  # after the call, before the answer
                edit.set_level((len(shares), 0), 60)
            shares.append(len(arguments[0]))
            return super().submit(call, *arguments, **options)

    with Late(2) as pool:
        found = Navigation(edited).find_paths(starts, goals, extra_cost=extra, executor=pool)
    assert comparable(found) == comparable(expected)
    assert sum(shares) == 700
    assert min(shares) >= 256


def test_mistakes_are_refused_before_anything_is_sent(question):
    navigation = Navigation(question[0])
    with ThreadPoolExecutor(1) as pool:
        pool.submit = None
        with pytest.raises(IndexError):
            navigation.find_paths([(0, 0)], [(99, 0)], executor=pool)
        with pytest.raises(ValueError, match="got 1 starts and 2 goals"):
            navigation.find_paths([(0, 0)], [(1, 0), (2, 0)], executor=pool)
    with pytest.raises(TypeError, match="executor"):
        navigation.find_paths([], [], executor=2)


def test_a_pickled_navigation_is_as_small_as_its_map_and_answers_the_same(question):
    tilemap, starts, goals = question
    navigation = Navigation(tilemap)
    navigation.build_index()
    data = pickle.dumps(navigation)
    assert len(data) < len(pickle.dumps(tilemap)) + 100
    again = pickle.loads(data)
    assert again.tilemap.level.tolist() == tilemap.level.tolist()
    expected = comparable(navigation.find_paths(starts, goals))
    assert comparable(again.find_paths(starts, goals)) == expected


def goal_sets():
    return [(3, 4), [(0, 0), (20, 20)], (9, 9), (23, 1), [(5, 5)], (6, 17), (1, 1), (2, 2), (12, 3)]


def test_processes_compute_the_same_fields(question, processes):
    tilemap = question[0]
    navigation = Navigation(tilemap)
    extra = np.random.default_rng(2).integers(0, 3, (24, 24))
    expected = [navigation.cost_field(goals, PROFILE, extra_cost=extra) for goals in goal_sets()]
    here = navigation.cost_fields(goal_sets(), PROFILE, extra_cost=extra)
    sent = navigation.cost_fields(goal_sets(), PROFILE, extra_cost=extra, executor=processes)
    for fields in (here, sent):
        for field, one in zip(fields, expected, strict=True):
            assert (field.cost == one.cost).all()
            assert field.next_step((11, 11)) == one.next_step((11, 11))
            assert field.path_from((22, 2)).cells == one.path_from((22, 2)).cells
    assert navigation.cost_fields([]) == []


def test_fields_are_sent_in_shares_and_come_back_without_the_map(question):
    sizes = []

    class Noting(ThreadPoolExecutor):
        def submit(self, call, *arguments):
            sizes.append(len(arguments[0]))
            future = super().submit(call, *arguments)
            assert len(pickle.dumps(future.result())) < sizes[-1] * (24 * 24 * 22 + 1000)
            return future

    with Noting(1) as pool:
        Navigation(question[0]).cost_fields(goal_sets(), executor=pool)
    assert sum(sizes) == len(goal_sets())
    assert min(sizes) >= 4
    with Noting(1) as pool, pytest.raises(ValueError, match="there is no goal"):
        Navigation(question[0]).cost_fields([[]], executor=pool)


def test_paths_of_an_executor_have_pictures(question):
    with ThreadPoolExecutor(1) as pool:
        path = Navigation(question[0]).find_paths([(0, 0)], [(0, 1)], executor=pool)[0]
    assert path.picture() is not None


def test_paths_as_arrays_have_the_cells_and_costs_of_the_paths(question):
    tilemap, starts, goals = question
    navigation = Navigation(tilemap)
    paths = navigation.find_paths(starts, goals, PROFILE)
    arrays = navigation.find_paths(starts, goals, PROFILE, as_arrays=True)
    assert len(arrays.offsets) == len(paths) + 1
    for number, path in enumerate(paths):
        low, high = arrays.offsets[number : number + 2]
        assert arrays.cells[low:high].tolist() == [list(cell) for cell in path.cells]
        assert arrays.costs[number] == path.cost
    empty = navigation.find_paths([], [], as_arrays=True)
    assert (empty.offsets.tolist(), empty.cells.shape, empty.costs.shape) == ([0], (0, 3), (0,))


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


def test_distances_are_the_costs_of_paths_as_a_matrix_or_pairwise(question):
    tilemap, starts, goals = question
    navigation, starts, goals = Navigation(tilemap), starts[:9], goals[:7]
    matrix = navigation.distances(starts, goals, PROFILE)
    assert matrix.shape == (9, 7)
    for row, start in enumerate(starts):
        for col, goal in enumerate(goals):
            assert matrix[row, col] == navigation.find_path(start, goal, PROFILE).cost
    pairs = navigation.distances(np.array(starts[:7]), np.array(goals), PROFILE, pairwise=True)
    assert pairs.tolist() == matrix.diagonal().tolist()
    assert navigation.distances([], goals).shape == (0, 7)
    assert navigation.distances(starts, []).shape == (9, 0)
    with pytest.raises(ValueError, match="got 9 starts and 7 goals"):
        navigation.distances(starts, goals, pairwise=True)


@pytest.mark.parametrize("what", [TileMap([[0]]), MoveProfile(), Navigation(TileMap([[0]]))])
def test_what_another_version_has_pickled_is_refused(what, monkeypatch):
    monkeypatch.setattr("terrain3d.map.tilemap._CURRENT_VERSION", 0)
    monkeypatch.setattr("ai.rules.profile._PICKLE_VERSION", 0)
    data = pickle.dumps(what)
    monkeypatch.undo()
    with pytest.raises(pickle.UnpicklingError, match="was pickled in version 0 of its state"):
        pickle.loads(data)
