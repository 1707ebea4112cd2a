"""Queries whose blockers change from one to the next: each as if asked of a new Navigation."""

import random

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ai import Blockers, MoveProfile, Navigation
from terrain3d import TileMap
from tests.support.mixed_maps import cases, cells_to_ask, edits
from tests.support.nightly import rest_nightly
from tests.support.reference import thoroughly


def find_path(navigation, case, goals, more):
    path = navigation.find_path(case.start, goals[0], case.profile, blockers=case.blockers, **more)
    return path.cells, path.cost, path.reason


def find_nearest(navigation, case, goals, more):
    path = navigation.find_path(case.start, goals, case.profile, blockers=case.blockers, **more)
    return path.cells, path.cost, path.reason


def partial(navigation, case, goals, more):
    options = {"blockers": case.blockers, "partial": True}
    path = navigation.find_path(case.start, goals, case.profile, **options, **more)
    return path.cells, path.cost, path.reason


def reach(navigation, case, _goals, more):
    found = navigation.reach(case.start, 7, case.profile, blockers=case.blockers, **more)
    paths = [found.path_to(cell).cells for cell in found]
    return found.cells, [found.cost_to(cell) for cell in found], paths


def field(navigation, case, goals, more):
    field = navigation.cost_field(goals, case.profile, blocked=case.blocked, **more)
    return field.cost.tolist()


def steps(navigation, case, _goals, _more):
    return navigation.steps_from(case.start, case.profile, blocked=case.blocked)


QUERIES = [find_path, find_nearest, partial, reach, field, steps]


@thoroughly(200)
@given(cases(), st.data())
def test_blockers_leave_no_trace_in_later_queries(case, data):
    tilemap = case.tilemap
    navigation, cells = Navigation(tilemap), st.sampled_from(cells_to_ask(tilemap))
    for _ in range(6):
        if data.draw(st.sampled_from([False, False, True])):
            data.draw(edits(tilemap))(tilemap)
            cells = st.sampled_from(cells_to_ask(tilemap))
        case.start = data.draw(cells)
        for others in (case.blocked, case.passable, case.halting):
            others -= {cell for cell in others if not tilemap.has_cell(cell)}
            others ^= data.draw(st.sets(cells, max_size=2))
        goals = data.draw(st.lists(cells, min_size=1, max_size=3))
        extra = data.draw(st.sampled_from([None, None, 0, 0.5, 300]))
        values = [[extra or 0] * tilemap.cols] * tilemap.rows
        more = {} if extra is None else {"extra_cost": values}
        case.tell()
        query = data.draw(st.sampled_from(QUERIES))
        answer, wanted = [], []
        for asked, answers in ((navigation, answer), (Navigation(tilemap), wanted)):
            answers.append(query(asked, case, goals, more))
        assert answer == wanted


PROFILES = (
    MoveProfile(max_climb=9, max_drop=9),
    MoveProfile(max_climb=9, max_drop=9, diagonal="only_if_no_obstacles"),
    MoveProfile(max_climb=9, max_drop=9, diagonal="at_least_one_walkable", diagonal_cost=1.5),
)


class Crowd:
    """Many blockers on a small map, others each time."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.tilemap = TileMap.from_noise(7, 7, seed=seed)
        self.cells = cells_to_ask(self.tilemap)
        self.profile = PROFILES[seed % len(PROFILES)]
        self.start = self.cells[0]
        self.draw()

    def draw(self):
        names = "blocked", "passable", "halting"
        self.blockers = Blockers(**{name: self.random.sample(self.cells, 8) for name in names})
        self.blocked = self.blockers.blocked


@pytest.mark.parametrize("seed", rest_nightly(range(30), 6))
def test_crowds_leave_no_trace_in_later_queries(seed):
    crowd = Crowd(seed)
    navigation, costs = Navigation(crowd.tilemap), [[0.5] * 7] * 7
    for _ in range(20):
        crowd.draw()
        goals = crowd.random.sample(crowd.cells, 3)
        more = crowd.random.choice([{}, {}, {"extra_cost": costs}])
        for query in QUERIES:
            found = (
                query(each, crowd, goals, {} if query is steps else more)
                for each in (navigation, Navigation(crowd.tilemap))
            )
            assert next(found) == next(found)


@pytest.mark.parametrize("seed", rest_nightly(range(30), 6))
@pytest.mark.parametrize("algorithm", ["astar", "dijkstra", "bfs", "greedy"])
def test_a_search_that_pauses_keeps_its_blockers(algorithm, seed):
    crowd = Crowd(seed)
    navigation, paths, blockers = Navigation(crowd.tilemap), [], crowd.blockers
    goal = crowd.random.choice(crowd.cells)
    for n_between in (0, 1):
        search = navigation.begin_search(
            crowd.start, goal, crowd.profile, algorithm=algorithm, blockers=blockers
        )
        while not search.done:
            search.run(max_expansions=1)
            for _ in range(n_between):
                crowd.draw()
                reach(navigation, crowd, [], {})
        paths.append((search.path.cells, search.path.cost, search.path.reason))
    assert paths[0] == paths[1]
