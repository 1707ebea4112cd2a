"""Travel by waypoints: join and leave the graph where it is nearest, around obstacles."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, Situation, Travel, Waypoints, measure
from ai.behaviors.travel import route_over
from terrain3d import Cell, TileMap
from tests.support.reference import (
    cells_of,
    ground,
    profiles,
    thoroughly,
    tilemaps,
    true_costs,
    true_costs_to,
)
from tests.support.walks import path_of, recorded_calls, traced


def points_at(**cells):
    points = Waypoints()
    for name, cell in cells.items():
        points.add_point(name, cell)
    return points


def measured(tilemap, max_cost=math.inf, **cells):
    points = points_at(**cells)
    measure(points, Navigation(tilemap), max_cost=max_cost)
    return points


def route(points, tilemap, start, goal, **options):
    return route_over(points, Situation(Navigation(tilemap), start, **options), goal)


def test_it_goes_by_the_points_of_the_cheapest_route():
    tilemap = ground("00000\n00000\n00000")
    points = points_at(a=(0, 0), b=(0, 4), c=(2, 2))
    points.connect("a", "c", 1)
    points.connect("c", "b", 1)
    points.connect("a", "b", 3)
    assert route(points, tilemap, (0, 0), (0, 4)) == ["a", "c", "b"]
    cells = path_of(Travel(points, (0, 4)), tilemap, (0, 0))
    assert (2, 2, 0) in cells
    assert cells[-1] == (0, 4, 0)
    assert len(cells) == 9
    points.connect("a", "c", 9)
    assert len(path_of(Travel(points, (0, 4)), tilemap, (0, 0))) == 5


def test_it_joins_and_leaves_where_walking_is_cheapest_not_where_it_is_near():
    # The point "near" stands on a cliff, to which a long path around leads.
    tilemap = TileMap.from_text("0500000\n0433200\n0000010\n0000000")
    points = measured(tilemap, near=(0, 1), far=(3, 0), end=(3, 6))
    assert route(points, tilemap, (0, 0), (3, 6)) == ["far", "end"]
    # Down from it one drops for nothing.
    high = MoveProfile(max_drop=9)
    assert route(points, tilemap, (1, 1), (3, 6), profile=high) == ["near", "end"]


def test_for_a_near_goal_no_point_is_used():
    tilemap = ground("0000000000")
    points = measured(tilemap, a=(0, 0), b=(0, 9))
    assert route(points, tilemap, (0, 3), (0, 1)) == []
    assert [cell.col for cell in path_of(Travel(points, (0, 1)), tilemap, (0, 3))] == [3, 2, 1]


def test_of_points_that_nothing_joins_the_next_nearest_count():
    tilemap = ground("0000000000")
    points = points_at(alone=(0, 1), a=(0, 3), b=(0, 7), lost=(0, 9), gone=(0, 0, 2), off=(9, 9))
    points.connect("a", "b", 4)
    assert route(points, tilemap, (0, 0), (0, 9)) == ["a", "b"]
    assert route(Waypoints(), tilemap, (0, 0), (0, 9)) == []


@thoroughly(60)
@given(st.data())
def test_edges_are_followed_in_their_direction(data):
    names = "abcdef"
    points = points_at(**{name: (0, number) for number, name in enumerate(names)})
    for start, end in data.draw(st.lists(st.tuples(*[st.sampled_from(names)] * 2), max_size=12)):
        if start != end:
            points.connect(start, end, 1, one_way=True)
    result = route(points, ground("0" * 8), (0, 0), (0, 5))
    pairs = ((join, leave) for leave in names[::-1] for join in names if join != leave)
    ends = next((pair for pair in pairs if points.cost(*pair) < math.inf), ())
    assert (result[0], result[-1]) == ends if ends else result == []


def test_of_thousands_of_points_without_edges_it_is_soon_known_that_none_helps(monkeypatch):
    asked = []
    for question in ("cost", "route"):
        monkeypatch.setattr(Waypoints, question, lambda *_: asked.append(1) or math.inf)
    points = points_at(**{str(number): divmod(number, 50) for number in range(2000)})
    assert route(points, ground("\n".join(["0" * 50] * 40)), (0, 0), (39, 49)) == []
    assert len(asked) <= 2000  # and not each with each


@thoroughly(60)
@given(tilemaps(max_side=6), profiles, st.data())
def test_the_nearest_points_by_walking_cost_are_taken(tilemap, profile, data):
    cells = data.draw(st.lists(st.sampled_from(cells_of(tilemap)), min_size=2, max_size=5))
    start, goal, *ends = cells
    points = points_at(**{str(number): cell for number, cell in enumerate(ends)})
    for one in points.points:
        for other in points.points:
            if one != other:
                points.connect(one, other, 1)
    result = route(points, tilemap, start, goal, profile=profile)
    there = true_costs(tilemap, profile, start)
    left = true_costs_to(tilemap, profile, [(goal, 0)])
    open_left = [left[cell] for cell in ends if left[cell] < math.inf]
    open_there = [there[cell] for cell in ends if there[cell] < math.inf]
    if result:
        cells = [points.points[name][:2] for name in result]
        assert there[cells[0]] == pytest.approx(min(open_there))
        assert left[cells[-1]] == pytest.approx(min(open_left))
    else:
        leaves = {cell for cell in ends if left[cell] == pytest.approx(min(open_left, default=0))}
        joins = {cell for cell in ends if there[cell] == pytest.approx(min(open_there, default=0))}
        assert not open_left or not open_there or leaves & joins


def test_it_passes_by_points_that_are_taken_and_walks_where_edges_lead_through_walls():
    tilemap = ground("0000000\n0000000")
    points = points_at(a=(0, 0), b=(0, 3), c=(0, 6))
    points.connect("a", "b", 0)
    points.connect("b", "c", 0)
    cells = path_of(Travel(points, (1, 6)), tilemap, (1, 0), blocked=[(0, 3)])
    assert cells[-1] == (1, 6, 0)
    wall = ground("0#0\n0#0\n000")
    points = points_at(a=(0, 0), b=(0, 2))
    points.connect("a", "b", 1)
    assert traced(wall, path_of(Travel(points, (0, 2)), wall, (0, 0))) == "1.1\n1.1\n111"


def crossroads():
    """Two routes from a to b, over the top and, a little more expensive, over the bottom."""
    points = points_at(a=(1, 1), top=(0, 4), bottom=(2, 4), b=(1, 8))
    for name, cost in (("top", 4), ("bottom", 5)):
        points.connect("a", name, cost)
        points.connect(name, "b", cost)
    return points


def passed(change=lambda _: None, *, after, goal=(1, 9)):
    """Travel from end to end with a change after so many steps; list the points passed."""
    points = crossroads()
    situation = Situation(Navigation(ground("0000000000\n0000000000\n0000000000")), (1, 0))
    travel, cells, names = Travel(points, goal), [], {c: n for n, c in points.points.items()}
    while (cell := travel.next_cell(situation)) is not None:
        cells.append(cell)
        situation = replace(situation, cell=cell)
        if len(cells) == after:
            change(points)
    assert travel.reason == f"has arrived at {goal}"
    assert travel.stops == (Cell(*goal),)
    assert len(cells) < 20
    return "".join(names.get(cell, "")[:1] for cell in cells), len(cells)


@pytest.mark.parametrize(
    "change",
    [
        lambda points: points.connect("a", "top", 99),
        lambda points: points.remove_point("top"),
        lambda points: points.disconnect("top", "b"),
    ],
)
def test_a_traveler_follows_changes_of_points_and_costs(change):
    assert passed(after=99) == ("atb", 11)
    assert passed(change, after=1) == ("abb", 11)
    assert passed(change, after=1, goal=(1, 8)) == ("abb", 10)  # from point to point


def test_a_change_does_not_make_it_turn_back():
    result = passed(lambda points: points.connect("a", "top", 99), after=3)
    assert result == ("atb", 11)  # it was on its way to the top already
    assert passed(lambda points: points.remove_point("a"), after=3) == ("atb", 11)
    assert passed(lambda points: points.remove_point("b"), after=9) == ("atb", 11)


def test_a_traveler_shut_in_for_a_moment_goes_by_its_points_afterwards():
    points = crossroads()
    situation = Situation(Navigation(ground("0000000000\n0000000000\n0000000000")), (1, 0))
    walls = [(0, 0), (2, 0), (1, 1)]
    travel = Travel(points, (1, 9))
    assert travel.next_cell(situation) == (1, 1, 0)
    before = travel.stops
    assert travel.next_cell(replace(situation, blocked=walls)) is None
    assert travel.stops == before == ((1, 1, 0), (0, 4, 0), (1, 8, 0), (1, 9, 0))


def remove_all(points):
    for name in points.points:
        points.remove_point(name)


def test_without_the_points_ahead_it_joins_the_graph_again_or_walks():
    assert passed(lambda points: points.remove_point("top"), after=3)[0] == "aabb"
    assert passed(remove_all, after=3) == ("ab", 9)


@thoroughly(60)
@given(tilemaps(max_side=5), profiles, st.data())
def test_it_arrives_whatever_becomes_of_the_points(tilemap, profile, data):
    places, names = st.sampled_from(cells_of(tilemap)), st.sampled_from("abcde")
    points, navigation = Waypoints(), Navigation(tilemap)
    start, goal = data.draw(places), data.draw(places)
    travel, situation = Travel(points, goal), Situation(navigation, start, profile)
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


def test_it_searches_once_for_each_leg_and_once_for_what_cannot_be_reached(monkeypatch):
    tilemap = ground("0" * 30)
    points = measured(tilemap, 20, a=(0, 0), b=(0, 15), c=(0, 29))
    searches = recorded_calls(monkeypatch, "find_path")
    path_of(Travel(points, (0, 28)), tilemap, (0, 1))
    assert len(searches) == 3
    searches.clear()
    behavior, situation = Travel(points, (0, 2)), Situation(Navigation(ground("0#0")), (0, 0))
    for _ in range(5):
        assert behavior.next_cell(situation) is None
    assert behavior.reason == "(0, 1) is void"
    assert len(searches) == 1


def test_it_says_when_it_has_arrived():
    behavior = Travel(Waypoints(), (0, 1))
    assert len(path_of(behavior, ground("00"), (0, 0))) == 2
    assert behavior.reason == "has arrived at (0, 1)"
    with pytest.raises(TypeError, match="a cell is"):
        Travel(Waypoints(), "b")


@pytest.mark.parametrize("seed", range(3))
def test_routes_of_a_measured_graph_cost_little_more_than_the_cheapest_path(seed):
    tilemap = TileMap.from_noise(24, 24, seed=seed)
    navigation = Navigation(tilemap)
    corners = {f"{row} {col}": (row, col) for row in range(2, 24, 5) for col in range(2, 24, 5)}
    points = measured(tilemap, **corners)
    rng = np.random.default_rng(seed)
    for start, goal in rng.integers(24, size=(5, 2, 2)).tolist():
        best = navigation.find_path(tuple(start), tuple(goal))
        if best:
            cells = path_of(Travel(points, goal), tilemap, start, 200)
            assert cells[-1][:2] == tuple(goal)
            assert len(cells) <= 2 * len(best) + 10
