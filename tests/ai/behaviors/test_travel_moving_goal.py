"""Travel to a goal that moves: few plans, no turning back and forth, equal each time."""

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ai import Board, MoveProfile, Navigation, Situation, Travel, Unit, Waypoints, measure, scatter
from terrain3d import Cell, TileMap
from tests.support.reference import ground
from tests.support.walks import path_of, recorded_calls


def line_of(cols, *, edge_cost=None, row=0):
    """Return points on some columns of a row, each joined to the next."""
    points = Waypoints()
    for col in cols:
        points.add_point(str(col), (row, col))
    for start, end in itertools.pairwise(cols):
        points.connect(str(start), str(end), end - start if edge_cost is None else edge_cost)
    return points


class Script:
    """A goal that goes on by one of its cells each time it is asked, and stays on the last."""

    def __init__(self, cells):
        self.cells, self.n_asked = [Cell(*cell) for cell in cells], 0

    def __call__(self):
        self.n_asked += 1
        return self.cells[min(self.n_asked, len(self.cells)) - 1]


def test_a_goal_may_be_a_cell_a_function_or_a_unit():
    board = Board(ground("00000000"))
    mira, bram = board.add(Unit("Mira", (0, 0))), board.add(Unit("Bram", (0, 6)))
    points = line_of([2, 4])
    for goal in (bram.cell, lambda: bram.cell, bram):
        assert Travel(points, goal).next_cell(board.situation(mira)) == (0, 1, 0)
    travel = Travel(points, bram)
    while board.act(mira, travel):
        if mira.cell.col == 2:
            board.move(bram, (0, 7))
    assert (mira.cell, travel.reason) == ((0, 6, 0), "has arrived beside (0, 7)")
    board.remove(bram)
    assert board.act(mira, travel)
    assert not board.act(mira, travel)
    assert travel.reason == "has arrived at (0, 7)"


def test_a_goal_that_is_gone_or_off_the_map_is_waited_for():
    goals = {"now": None}
    travel = Travel(line_of([2, 4]), lambda: goals["now"])
    situation = Situation(Navigation(ground("00000000")), (0, 0))
    for goal, reason in ((None, "there is no goal"), ((3, 0), "(3, 0) is not on the map")):
        goals["now"] = goal
        assert travel.next_cell(situation) is None
        assert travel.reason == reason
    assert travel.stops == ()
    goals["now"] = (0, 7)
    assert travel.next_cell(situation) == (0, 1, 0)


def test_it_stays_where_only_a_unit_to_pass_is_between_it_and_a_goal_that_is_taken():
    situation = Situation(
        Navigation(ground("0000")), (0, 0), passable=[(0, 1)], blocked=[(0, 2)]
    )  # fmt: skip
    travel = Travel(Waypoints(), lambda: (0, 2))
    assert travel.next_cell(situation) is None
    assert travel.reason == "is as near to (0, 2) as it can get"


def test_shut_in_while_the_goal_moves_it_goes_by_its_points_afterwards():
    tilemap, points, goals = ground("0000000000"), line_of([3, 6]), [(0, 8)]
    travel = Travel(points, lambda: goals[-1], join_within=3)
    situation = Situation(Navigation(tilemap), (0, 1))
    assert travel.next_cell(situation) == (0, 2, 0)
    goals.append((0, 9))
    travel.advance(2)
    assert travel.next_cell(replace(situation, blocked=[(0, 0), (0, 2)])) is None
    assert travel.stops == ((0, 3, 0), (0, 6, 0), (0, 9, 0))


def test_of_equal_journeys_it_takes_that_by_the_point_ahead():
    points = Waypoints()
    for name, col in (("west", 7), ("east", 13), ("end", 19)):
        points.add_point(name, (0, col))
    points.connect("west", "end", 3)
    points.connect("east", "end", 2)
    travel = Travel(points, (0, 20), join_within=4)
    situation = Situation(Navigation(ground("0" * 21)), (0, 10))
    assert travel.next_cell(situation) == (0, 11, 0)
    points.connect("east", "end", 5)
    assert travel.next_cell(replace(situation, cell=(0, 11))) == (0, 12, 0)  # 2 + 5 as 4 + 3


def plans_for(monkeypatch, travel, tilemap, start=(0, 0), dt_s=1.0):
    """Return the cells of a journey, and at which cells it was planned."""
    calls = recorded_calls(monkeypatch, "reach")
    cells = path_of(travel, tilemap, start, 300, dt_s)
    return cells, [start for start, *_ in calls]


def test_it_plans_again_at_points_only_if_the_goal_has_moved(monkeypatch):
    tilemap, points = ground("0" * 20), line_of([2, 5, 9, 14])
    still = Travel(points, lambda: (0, 17), join_within=4, replan_s=9)
    _, planned = plans_for(monkeypatch, still, tilemap)
    assert [cell.col for cell in planned] == [0]
    once = Script([(0, 16)] * 4 + [(0, 17)])  # moves when the mover is between the points 2 and 5
    moved = Travel(points, once, join_within=4, replan_s=9)
    cells, planned = plans_for(monkeypatch, moved, tilemap)
    assert [cell.col for cell in planned] == [0, 5]
    assert [cell.col for cell in cells] == [*range(18)]


@pytest.mark.parametrize(
    ("options", "cols"),
    [
        ({"replan_tiles": 3, "replan_s": 99}, [0, 4, 8]),
        ({"replan_tiles": 0, "replan_s": 99}, [*range(10)]),
        ({"replan_tiles": 99, "replan_s": 2}, [0, 2, 4, 6, 8]),
        ({"replan_tiles": 99, "replan_s": 99}, [0]),
    ],
)
def test_it_plans_again_at_intervals_and_when_the_goal_is_far(monkeypatch, options, cols):
    tilemap, points = ground("0" * 40), line_of([20, 30])
    goal = Script([(0, 25 + number) for number in range(10)])  # a tile for each step, at first
    cells, planned = plans_for(monkeypatch, Travel(points, goal, **options), tilemap)
    assert [cell.col for cell in planned if cell.col < 10] == cols
    assert cells[-1] == (0, 34, 0)


def test_it_does_not_turn_back_from_the_point_ahead_unless_that_costs_less():
    tilemap, points = ground("\n".join(["0" * 16] * 5)), line_of([0, 14], edge_cost=1, row=2)
    # A cheap road: a mover on it that counted its steps would turn back for the road's start.
    to_and_fro = Script([(0, 15), (4, 15)] * 40)
    cells = path_of(Travel(points, to_and_fro, replan_s=0, replan_tiles=0), tilemap, (2, 0), 15)
    assert [cell.col for cell in cells[:15]] == [*range(15)]
    # For a goal behind it does turn.
    behind = Script([(2, 15)] * 3 + [(4, 0)])
    travel = Travel(line_of([0, 14], row=2), behind, join_within=6)
    cells = path_of(travel, tilemap, (2, 0))
    assert [cell[:2] for cell in cells] == [
        *((2, col) for col in (0, 1, 2, 3, 2, 1, 0)),
        *((3, 0), (4, 0)),
    ]


def test_on_the_last_walk_it_goes_back_to_the_points_only_for_a_far_goal():
    tilemap, points = ground("\n".join(["0" * 16] * 3)), line_of([0, 4, 8, 12])
    near = Script([(0, 14)] * 14 + [(2, 14), (0, 14)] * 20 + [(2, 15)])
    cells = path_of(Travel(points, near, join_within=3, replan_s=0), tilemap, (0, 0), 200)
    assert [cell.col for cell in cells[:13]] == [*range(13)]
    assert min(cell.col for cell in cells[13:]) >= 12
    assert cells[-1] == (2, 15, 0)
    far = Script([(0, 14)] * 14 + [(2, 1)])
    cells = path_of(Travel(points, far, join_within=3), tilemap, (0, 0), 200)
    assert [(0, col, 0) in cells[14:] for col in (12, 8, 4)] == [True] * 3
    assert cells[-1] == (2, 1, 0)


def wandering(tilemap, rng, start, n_steps):
    """Return the cells of a goal that walks at random and rests every other time."""
    navigation, cells = Navigation(tilemap), [start]
    for number in range(n_steps):
        here = cells[-1]
        steps = navigation.steps_from(here)
        beside = [end for end in steps if here in navigation.steps_from(end)]  # never into a pit
        cells.append(beside[rng.integers(len(beside))] if beside and number % 2 else here)
    return cells


@pytest.mark.parametrize("join_within", [math.inf, 6])
@pytest.mark.parametrize("has_roads", [False, True])
def test_it_arrives_with_few_plans_and_no_oscillation(monkeypatch, join_within, has_roads):
    n_journeys = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        tilemap = TileMap.from_noise(20, 20, seed=seed)
        navigation = Navigation(tilemap)
        points = scatter(navigation, 14, rng, spacing_tiles=3)
        measure(points, navigation, max_cost=9)
        if has_roads:
            for one, other, cost in points.edges:
                points.connect(one, other, cost * rng.choice([0.2, 1, 3]), one_way=True)
        start, goal = list(points.points.values())[:2]
        if not (navigation.find_path(start, goal) and navigation.find_path(goal, start)):
            continue
        script = wandering(tilemap, rng, goal, 60)
        walks = []
        for _ in range(2):
            with monkeypatch.context() as patch:
                travel = Travel(points, Script(script), join_within=join_within)
                cells, planned = plans_for(patch, travel, tilemap, start)
            walks.append((cells, planned))
        assert walks[0] == walks[1]
        assert cells[-1] == script[min(len(cells), len(script)) - 1]
        n_points = sum(cell in points.points.values() for cell in cells)
        assert len(planned) <= 1 + n_points + min(len(cells), len(script)) / 2 + 1
        assert max(Counter(cells).values()) <= 3
        n_journeys += 1
    assert n_journeys > 30


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"goal": "b"}, TypeError, "a cell is"),
        ({"goal": lambda _: (0, 0)}, TypeError, "goal must be a function"),
        ({"join_within": -1}, ValueError, "join_within must be >= 0, got -1"),
        ({"direct_within": math.nan}, ValueError, "direct_within must be >= 0, got nan"),
        ({"eye": "1"}, TypeError, "eye must be a number"),
        ({"replan_tiles": -1}, ValueError, "replan_tiles must be >= 0, got -1"),
        ({"replan_s": None}, TypeError, "replan_s must be a number"),
    ],
)
def test_bad_input_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        Travel(**{"waypoints": Waypoints(), "goal": (0, 0)} | options)


def test_a_big_mover_does_not_cross_its_goal_on_the_plan_to_where_it_was():
    goal, navigation, big = (0, 4), Navigation(ground("000000\n000000")), MoveProfile(size=2)
    travel = Travel(line_of([3]), lambda: goal)
    assert travel.next_cell(Situation(navigation, (0, 0), big, [goal])) == (0, 1, 0)
    goal = (1, 2)  # on the planned path, beside a friend: it could stop behind both only
    assert travel.next_cell(Situation(navigation, (0, 0), big, [goal], [(0, 2)])) is None
    assert "as near" in travel.reason
