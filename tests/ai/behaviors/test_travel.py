"""Travel by waypoints, also to a goal that moves."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

import ai
from terrain3d import Cell, Reason, TileMap
from tests.support.reference import (
    cells_of,
    ground,
    profiles,
    step_cost,
    tilemaps,
    tried,
    true_costs,
    true_costs_to,
)
from tests.support.selection import table
from tests.support.walks import path_of, recorded_calls, traced


def points_at(**cells):
    points = ai.Waypoints()
    for name, cell in cells.items():
        points.add_point(name, cell)
    return points


def stops_of(points, tilemap, start, goal, join_within=math.inf, **options):
    """Return the names of the points that a journey is planned over; "!" for the goal."""
    travel = ai.Travel(points, goal, join_within=join_within)
    travel.next_cell(ai.Situation(ai.Navigation(tilemap), start, **options))
    names = {cell: name for name, cell in points.points.items()} | {Cell(*goal): "!"}
    return [names[cell] for cell in travel.stops]


def test_points_that_no_edges_join_are_passed_by():
    tilemap = ground("0000000000")
    points = points_at(alone=(0, 1), a=(0, 3), b=(0, 7), lost=(0, 9), gone=(0, 0, 2), off=(9, 9))
    points.connect("a", "b", 3)
    points.connect("off", "gone", 0)
    assert stops_of(points, tilemap, (0, 0), (0, 8), join_within=4) == ["a", "b", "!"]
    assert stops_of(points, tilemap, (0, 0), (0, 8), join_within=2) == ["!"]
    assert stops_of(ai.Waypoints(), tilemap, (0, 0), (0, 8)) == ["!"]


@tried(100, tilemaps(max_side=6), profiles, st.data())
def test_the_points_are_those_of_the_cheapest_whole_journey(tilemap, profile, data):
    places = cells_of(tilemap)
    assume(len(places) > 1)
    drawn = st.lists(st.sampled_from(places), min_size=2, max_size=8, unique=True)
    start, goal, *cells = data.draw(drawn)
    points = points_at(**{str(number): cell for number, cell in enumerate(cells)})
    pairs = st.tuples(*[st.sampled_from(range(max(1, len(cells))))] * 2, st.integers(0, 9))
    edges = [edge for edge in data.draw(st.lists(pairs, max_size=20)) if edge[0] != edge[1]]
    between = np.where(np.eye(len(cells)), 0, np.inf)
    for one, other, cost in edges:
        points.connect(str(one), str(other), cost, one_way=True)
        between[one, other] = cost
    for middle in range(len(cells)):
        between = np.minimum(between, between[:, [middle]] + between[[middle]])
    limit = data.draw(st.sampled_from([0, 3, math.inf]))
    stops = stops_of(points, tilemap, start, goal, limit, profile=profile)
    there = np.array([true_costs(tilemap, profile, start)[cell] for cell in cells])
    left = np.array([true_costs_to(tilemap, profile, [(goal, 0)])[cell] for cell in cells])
    nearest = [max(limit, costs.min(initial=np.inf)) for costs in (there, left)]
    entries = np.where(there <= nearest[0], there, np.inf)
    exits = np.where(left <= nearest[1], left, np.inf)
    best = (entries[:, None] + between + exits).min(initial=np.inf)
    if best == math.inf:
        assert stops in ([], ["!"])
        return
    named = [int(name) for name in stops[:-1]]
    legs = [between[pair] for pair in itertools.pairwise(named)]
    assert there[named[0]] + sum(legs) + left[named[-1]] == pytest.approx(best)


def random_graph(seed):
    """Return a map, points with the edges of short walks, a start and a goal that it leads to."""
    rng = np.random.default_rng(seed)
    tilemap = TileMap.from_noise(16, 16, seed=seed)
    points = ai.scatter(ai.Navigation(tilemap), 10, rng, spacing_tiles=3)
    ai.measure(points, ai.Navigation(tilemap), max_cost=9)
    while True:
        start, goal = (Cell(*cell) for cell in rng.integers(16, size=(2, 2)).tolist())
        if start != goal and ai.Navigation(tilemap).find_path(start, goal):
            return tilemap, points, start, goal


def test_on_random_graphs_walks_cost_no_more_than_the_best_join():
    ratios, by_nearest = [], []
    for seed in range(120):
        tilemap, points, start, goal = random_graph(seed)
        number = {name: place for place, name in enumerate(points.points)}
        edges = np.array([(number[a], number[b], cost) for a, b, cost in points.edges])
        table = csr_matrix((edges[:, 2], edges[:, :2].T.astype(int)), shape=(len(number),) * 2)
        there = true_costs(tilemap, ai.MoveProfile(), start[:2])
        left = true_costs_to(tilemap, ai.MoveProfile(), [(goal[:2], 0)])
        rows, cols, _ = np.array([*points.points.values()]).T
        joins = there[rows, cols][:, None] + dijkstra(table) + left[rows, cols]
        walked = path_of(ai.Travel(points, goal), tilemap, start, 200)
        assert walked[-1] == goal
        steps = itertools.pairwise(cell[:2] for cell in walked)
        cost = sum(step_cost(tilemap, ai.MoveProfile(), *step) for step in steps)
        ratios.append(cost / joins.min())
        nearest = joins[there[rows, cols].argmin(), left[rows, cols].argmin()]
        by_nearest.append(nearest / joins.min())
    assert max(ratios) <= 1 + 1e-9
    joined = np.array(by_nearest)[np.isfinite(by_nearest)]
    assert joined.mean() > 1.4  # as docs/movers.md says
    assert joined.max() > 4


def test_it_passes_by_points_that_are_taken_and_walks_where_edges_lead_through_walls():
    tilemap = ground("0000000\n0000000")
    points = points_at(a=(0, 0), b=(0, 3), c=(0, 6))
    points.connect("a", "b", 0)
    points.connect("b", "c", 0)
    cells = path_of(ai.Travel(points, (1, 6)), tilemap, (1, 0), blocked=[(0, 3)])
    assert cells[-1] == (1, 6, 0)
    wall = ground("0#0\n0#0\n000")
    points = points_at(a=(0, 0), b=(0, 2))
    points.connect("a", "b", 1)
    assert traced(wall, path_of(ai.Travel(points, (0, 2)), wall, (0, 0))) == "1.1\n1.1\n111"


def crossroads(goal=(1, 9)):
    """Two routes from a to b, over the top and, a little more expensive, over the bottom."""
    points = points_at(a=(1, 1), top=(0, 4), bottom=(2, 4), b=(1, 8))
    for name, cost in (("top", 4), ("bottom", 5)):
        points.connect("a", name, cost)
        points.connect(name, "b", cost)
    situation = ai.Situation(ai.Navigation(ground("0000000000\n0000000000\n0000000000")), (1, 0))
    return points, situation, ai.Travel(points, goal, join_within=2)


def passed(change=lambda _: None, *, after, goal=(1, 9)):
    """Travel from end to end with a change after so many steps; list the points passed."""
    (points, situation, travel), cells = crossroads(goal), []
    names = {cell: name for name, cell in points.points.items()}
    while (cell := travel.next_cell(situation)) is not None:
        cells.append(cell)
        situation = replace(situation, cell=cell)
        if len(cells) == after:
            change(points)
    assert travel.reason == f"has arrived at {goal}"
    assert travel.stops == (Cell(*goal),)
    assert len(cells) < 20
    return "".join(names.get(cell, "")[:1] for cell in cells), len(cells)


@table(
    "change after names n_cells",
    (lambda points: points.connect("a", "top", 99), 1, "abb", 11),
    (lambda points: points.remove_point("top"), 1, "abb", 11),
    (lambda points: points.disconnect("top", "b"), 1, "abb", 11),
    (lambda points: points.connect("a", "top", 99), 3, "atb", 11),  # it does not turn back
    (lambda points: points.remove_point("a"), 3, "atb", 11),
    (lambda points: points.remove_point("b"), 9, "atb", 11),
    (lambda points: points.remove_point("top"), 3, "abb", 11),  # it joins the graph again
    (lambda points: [*map(points.remove_point, points.points)], 3, "ab", 9),
)
def test_a_traveler_follows_changes_of_points_and_costs(change, after, names, n_cells):
    assert passed(after=99) == ("atb", 11)
    assert passed(change, after=after) == (names, n_cells)
    if after == 1:
        assert passed(change, after=1, goal=(1, 8)) == ("abb", 10)  # from point to point


def test_a_traveler_shut_in_for_a_moment_goes_by_its_points_afterwards():
    (_, situation, travel), walls = crossroads(), [(0, 0), (2, 0), (1, 1)]
    assert travel.next_cell(situation) == (1, 1, 0)
    before = travel.stops
    assert travel.next_cell(replace(situation, blocked=walls)) is None
    assert travel.stops == before == ((1, 1, 0), (0, 4, 0), (1, 8, 0), (1, 9, 0))


@tried(60, tilemaps(max_side=5), profiles, st.data())
def test_it_arrives_whatever_becomes_of_the_points(tilemap, profile, data):
    places, names = st.sampled_from(cells_of(tilemap)), st.sampled_from("abcde")
    points, navigation = ai.Waypoints(), ai.Navigation(tilemap)
    start, goal = data.draw(places), data.draw(places)
    travel, situation = ai.Travel(points, goal), ai.Situation(navigation, start, profile)
    if not navigation.find_path(start, goal, profile):
        return
    for _ in range(12):
        one, other = data.draw(names), data.draw(names)
        if one not in points.points:
            points.add_point(one, data.draw(places))
        elif other not in points.points or one == other:
            points.remove_point(one)
        else:
            points.connect(one, other, data.draw(st.integers(0, 9)), one_way=True)
        cell = travel.next_cell(situation)
        assert (cell is None) == bool(travel.reason)
        if cell is not None and navigation.find_path(cell, goal, profile):  # no path back otherwise
            situation = replace(situation, cell=cell)
    for _ in range(200):
        cell = travel.next_cell(situation)
        if cell is None:
            break
        situation = replace(situation, cell=cell)
    arrived = f"has arrived at {situation.here}"
    assert travel.reason == arrived or not navigation.find_path(situation.here, goal, profile)


def line_of(cols, *, edge_cost=None, row=0):
    points = points_at(**{str(col): (row, col) for col in cols})
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


def test_it_follows_a_unit_and_goes_where_that_was_removed():
    board = ai.Board(ground("00000000"))
    mira, bram = board.add(ai.Unit("Mira", (0, 0))), board.add(ai.Unit("Bram", (0, 6)))
    travel = ai.Travel(line_of([2, 4]), bram)
    while board.act(mira, travel):
        if mira.cell.col == 2:
            board.move(bram, (0, 7))
    assert (mira.cell, travel.reason) == ((0, 6, 0), "has arrived beside (0, 7)")
    board.remove(bram)
    assert board.act(mira, travel)
    assert not board.act(mira, travel)
    assert travel.reason == Reason("has_arrived", cell=(0, 7))


def plans_for(monkeypatch, travel, tilemap, start=(0, 0)):
    """Return the cells of a journey, and at which cells it was planned."""
    calls = recorded_calls(monkeypatch, "reach")
    cells = path_of(travel, tilemap, start, 300)
    return cells, [start for start, *_ in calls]


def test_it_plans_again_at_points_only_if_the_goal_has_moved(monkeypatch):
    tilemap, points = ground("0" * 20), line_of([2, 5, 9, 14])
    still = ai.Travel(points, lambda: (0, 17), join_within=4, replan=ai.Replan(99))
    _, planned = plans_for(monkeypatch, still, tilemap)
    assert [cell.col for cell in planned] == [0]
    once = Script([(0, 16)] * 4 + [(0, 17)])  # moves when the mover is between the points 2 and 5
    moved = ai.Travel(points, once, join_within=4, replan=ai.Replan(99))
    cells, planned = plans_for(monkeypatch, moved, tilemap)
    assert [cell.col for cell in planned] == [0, 5]
    assert [cell.col for cell in cells] == [*range(18)]


@table(
    "replan cols",
    (ai.Replan(steps=4), [0, 4, 8]),
    (ai.Replan(steps=1), [*range(10)]),
    (ai.Replan(99, seconds=2), [0, 2, 4, 6, 8]),
    (ai.Replan(99), [0]),
)
def test_for_a_goal_that_moves_it_plans_again_at_intervals(monkeypatch, replan, cols):
    tilemap, points = ground("0" * 40), line_of([20, 30])
    goal = Script([(0, 25 + number) for number in range(10)])  # a tile for each step, at first
    cells, planned = plans_for(monkeypatch, ai.Travel(points, goal, replan=replan), tilemap)
    assert [cell.col for cell in planned if cell.col < 10] == cols
    assert cells[-1] == (0, 34, 0)


def test_it_does_not_turn_back_from_the_point_ahead_unless_that_costs_less():
    tilemap, points = ground("\n".join(["0" * 16] * 5)), line_of([0, 14], edge_cost=1, row=2)
    # A cheap road: a mover on it that counted its steps would turn back for the road's start.
    to_and_fro = Script([(0, 15), (4, 15)] * 40)
    cells = path_of(ai.Travel(points, to_and_fro, replan=ai.Replan(1)), tilemap, (2, 0), 15)
    assert [cell.col for cell in cells[:15]] == [*range(15)]
    # For a goal behind it does turn.
    behind = Script([(2, 15)] * 3 + [(4, 0)])
    travel = ai.Travel(line_of([0, 14], row=2), behind, join_within=6, replan=ai.Replan(2))
    cells = path_of(travel, tilemap, (2, 0))
    way = [*((2, col) for col in (0, 1, 2, 3, 2, 1, 0)), (3, 0), (4, 0)]
    assert [cell[:2] for cell in cells] == way
