"""Agents on small maps: their paths, their signals, and when they plan again."""

import math

import pytest

from ai import MoveProfile, NavigationAgent3D
from terrain3d import Node
from tests.support.bodies import ARRIVED, Stage, path_events
from tests.support.mover_pictures import spanned
from tests.support.reference import ground

VALLEY = """\
3000
3##0
3000"""


def row(number, *cols):
    return [(number, col) for col in cols]


def test_it_leads_to_the_target_around_cliffs():
    stage = Stage(ground(VALLEY))
    body = stage.add((0, 1))
    body.agent.target_cell = (2, 1)
    assert not body.agent.is_navigation_finished()
    assert not body.events  # nothing is planned before its turn
    stage.run(40)
    cells = [*row(0, 2, 3), (1, 3), *row(2, 3, 2, 1)]
    assert body.events == path_events(cells, *ARRIVED)
    assert body.agent.is_navigation_finished()
    assert body.agent.is_target_reached()
    assert body.agent.is_target_reachable()
    assert body.agent.reason == ""
    assert body.agent.distance_to_target() <= body.agent.target_desired_distance


def test_without_a_target_it_stays():
    stage = Stage(ground("00"))
    body = stage.add((0, 0))
    stage.run(3)
    agent = body.agent
    assert (agent.target_cell, agent.target_position) == (None, None)
    assert agent.is_navigation_finished()
    assert not agent.is_target_reached()
    assert not agent.is_target_reachable()
    assert agent.get_next_path_position() == agent.get_final_position() == body.position
    assert agent.get_next_path_cell() == (0, 0, 0)
    assert agent.get_current_navigation_path() == []
    assert agent.distance_to_target() == 0
    assert body.events == []


@pytest.mark.parametrize("finder", ["cell", "position"])
def test_its_own_cell_is_reached_at_once(finder):
    stage = Stage(ground("00"))
    body = stage.add((0, 1))
    if finder == "cell":
        body.agent.target_cell = (0, 1)
    else:
        body.agent.target_position = body.position
    stage.run(3)
    assert body.events == ["path_changed", (0, 1), *ARRIVED]


def test_its_path_is_returned_as_points_over_the_current_ground():
    stage = Stage(ground("012"), max_expansions=99)
    body = stage.add((0, 0), speed=0)
    body.agent.target_cell = (0, 2)
    stage.run()
    agent = body.agent
    assert agent.get_current_navigation_path() == [(0.5, -0.5, 0), (1.5, -0.5, 0.5), (2.5, -0.5, 1)]
    assert agent.get_current_navigation_path_index() == 1
    assert agent.get_final_position() == (2.5, -0.5, 1)
    assert agent.get_next_path_position() == (1.5, -0.5, 0.5)
    assert agent.get_next_path_cell() == (0, 1, 0)
    stage.edit(((0, 1), 2))
    assert agent.get_next_path_position() == (1.5, -0.5, 1)


def test_a_target_position_is_a_place_on_its_cell():
    stage = Stage(ground("0011"))
    body = stage.add((0, 0))
    body.agent.target_position = (3.8, -0.3, 9)
    assert body.agent.target_cell == (0, 3, 0)
    assert body.agent.target_position == (3.8, -0.3, 0.5)
    stage.run(20)
    assert body.agent.is_target_reached()
    assert math.dist(body.position, (3.8, -0.3, 0.5)) <= 0.1


def test_a_target_position_means_the_nearest_surface():
    stage = Stage(spanned("0000\n3000\n0000", ([(1, 1), (1, 2)], 3)))
    agent = stage.add((0, 0)).agent
    for z, deck in [(0, 0), (0.7, 0), (0.8, 1), (9, 1)]:
        agent.target_position = (1.5, -1.5, z)
        assert agent.target_cell == (1, 1, deck)


@pytest.mark.parametrize("place", [(-5, -0.2, 0), (-5, 7, 0), (0.5, 3, 0)])
def test_a_target_beside_the_map_means_the_nearest_cell(place):
    agent = Stage(ground("000\n000")).add((1, 2)).agent
    agent.target_position = place
    assert agent.target_cell == (0, 0, 0)
    assert agent.target_position == (0.5, -0.5, 0)


def test_it_leads_over_a_bridge_and_under_it():
    tilemap = spanned("0000\n3003\n0000", ([(1, 1), (1, 2)], 3))
    for start, goal, cells in [
        ((1, 0), (1, 3), [(1, 1), (1, 2), (1, 3)]),
        ((0, 1), (2, 1), [(1, 1), (2, 1)]),
    ]:
        stage = Stage(tilemap)
        body = stage.add(start, speed=1)
        body.agent.target_cell = goal
        stage.run(50)
        assert body.events == path_events(cells, *ARRIVED)


def test_a_body_that_hops_below_a_bridge_is_not_on_it():
    stage = Stage(spanned("000\n020\n000", ([(0, 0)], 2)))
    body = stage.add((0, 0), speed=0)
    body.agent.target_cell = (0, 2)
    stage.run()
    x, y, _ = body.position
    body.position = x + 0.2, y, 0.6  # nearer to the bridge
    assert body.agent.cell == (0, 0, 0)
    body.position = x + 0.2, y, 1.0
    assert body.agent.cell == (0, 0, 1)


def test_it_goes_near_an_unreachable_target_and_gives_the_reason():
    stage = Stage(ground("00#0"))
    body = stage.add((0, 0))
    body.agent.target_cell = (0, 3)
    stage.run(20)
    assert body.events == path_events([(0, 1)], "navigation_finished")
    assert body.agent.is_navigation_finished()
    assert not body.agent.is_target_reached()
    assert not body.agent.is_target_reachable()
    assert body.agent.reason == "(0, 2) is void"
    body.agent.target_cell = (0, 2)
    stage.run(5)
    assert body.agent.reason == "(0, 2) is void"
    assert body.events[-1] == "navigation_finished"


def test_a_target_within_the_distance_counts_as_reached_even_across_a_gap():
    stage = Stage(ground("00#0"))
    body = stage.add((0, 0))
    body.agent.target_desired_distance = 2.2
    body.agent.target_cell = (0, 3)
    stage.run(20)
    assert body.events[-2:] == [*ARRIVED]
    assert body.agent.is_target_reachable()
    assert 1.5 < body.agent.distance_to_target() <= 2.2


def test_where_it_cannot_start_it_stays_and_gives_the_reason():
    stage = Stage(ground("#0"))
    body = stage.add((0, 0))
    body.agent.target_cell = (0, 1)
    stage.run(3)
    assert body.events == ["path_changed", "navigation_finished"]
    assert body.agent.reason == "the start (0, 0) is void"
    assert body.agent.get_next_path_position() == body.position


def test_big_and_hovering_bodies_are_led_to_their_own_points():
    stage = Stage(ground("0000\n0000\n0000"))
    big, ghost = MoveProfile(size=2), MoveProfile(hover=1)
    one, other = stage.add((0, 0), big), stage.add((2, 0), ghost)
    one.agent.target_position, other.agent.target_cell = (3.4, -1.9, 0), (2, 3)
    stage.run(30)
    assert one.agent.target_cell == (1, 2, 0)
    assert math.dist(one.position, (3, -2, 0)) <= 0.1
    assert math.dist(other.position, (3.5, -2.5, 0.5)) <= 0.1
    one.agent.target_cell = (2, 3)  # it does not fit there
    stage.run(30)
    assert one.agent.is_navigation_finished()
    assert one.agent.reason


def test_any_node_with_a_point_can_be_led():
    stage = Stage(ground("00"))

    class Figure(Node):
        point = (0.5, -0.5, 0.0)

    figure = stage.tree.root.add_child(Figure())
    agent = figure.add_child(NavigationAgent3D(stage.server))
    assert agent.position == figure.point
    agent.target_cell = (0, 1)
    stage.run()
    assert agent.get_next_path_position() == (1.5, -0.5, 0)


def test_bad_input_is_refused():
    stage = Stage(ground("00"))
    with pytest.raises(TypeError, match="profile must be a MoveProfile, got 'walker'"):
        NavigationAgent3D(stage.server, "walker")
    with pytest.raises(TypeError, match="server must be a NavigationServer3D, got <Navigation"):
        NavigationAgent3D(stage.navigation)
    with pytest.raises(TypeError, match="needs a parent with a position or point"):
        stage.tree.root.add_child(NavigationAgent3D(stage.server))
    assert [child.name for child in stage.tree.root.children] == ["NavigationServer3D"]
    agent = stage.add((0, 0)).agent
    with pytest.raises(IndexError, match="outside the map"):
        agent.target_cell = (0, 2)
    with pytest.raises(ValueError, match="a point must be 3 finite numbers"):
        agent.target_position = (1, 2)
    with pytest.raises(ValueError, match="a point must be finite"):
        agent.target_position = (1, math.nan, 0)
    with pytest.raises(TypeError, match="a cell is"):
        agent.blocked = [7]
    with pytest.raises(ValueError, match="path_desired_distance must be in"):
        agent.path_desired_distance = 0.0
    assert agent.target_cell is None


def test_signals_are_not_repeated_while_the_parent_stands():
    stage = Stage(ground("000"))
    body = stage.add((0, 0), speed=0)
    body.agent.target_cell = (0, 2)
    stage.run(5)
    assert body.events == ["path_changed"]
