"""Many paths by the workers of an executor: the same answers, in the same order."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from ai import MoveProfile, Navigation
from terrain3d import TileMap

PROFILE = MoveProfile(max_climb=0, max_drop=1)


@pytest.fixture(scope="module")
def question():
    """Give a map, and more ends of paths than one worker gets."""
    tilemap = TileMap.from_noise(24, 24, seed=5)
    cells = np.random.default_rng(1).integers(0, 24, (2, 700, 2)).tolist()
    return tilemap, [tuple(cell) for cell in cells[0]], [tuple(cell) for cell in cells[1]]


def comparable(paths):
    return [(path.cells, path.cost, path.reason) for path in paths]


def test_processes_find_the_same_paths(question):
    tilemap, starts, goals = question
    expected = Navigation(tilemap).find_paths(starts, goals, PROFILE)
    assert {bool(path) for path in expected} == {True, False}
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = Navigation(tilemap).find_paths(starts, goals, PROFILE, executor=pool)
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
