"""Agents on small maps: where they lead, what they emit, and when they plan again."""

import math

import pytest

from ai import MoveProfile, NavigationAgent3D
from terrain3d import Node, Rect
from tests.support.bodies import ARRIVED, SIGNALS, Stage, path_events
from tests.support.mover_pictures import spanned
from tests.support.reference import ground

VALLEY = """\
3000
3##0
3000"""


def row(number, *cols):
    return [(number, col) for col in cols]


def test_it_leads_to_the_target_around_what_cannot_be_climbed():
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


def test_without_a_target_there_is_nothing_to_do():
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


def test_near_enough_counts_as_reached_whatever_is_between():
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


def test_only_an_edit_of_its_path_makes_it_plan_again():
    stage = Stage(ground("0000\n0000\n0000"))
    body = stage.add((1, 0), speed=1)
    body.agent.target_cell = (1, 3)
    stage.run(7)
    assert body.events == path_events([])
    stage.edit(((0, 1), 1), ((0, 3), 9), ((0, 2), "void"))
    assert not body.agent.is_planning
    stage.edit(((1, 0), 1))  # where it comes from
    assert body.agent.is_planning
    stage.run(8)
    assert body.events.count("path_changed") == 2
    stage.edit(((1, 0), 0))  # behind it
    assert not body.agent.is_planning
    stage.edit(((1, 2), "void"))
    stage.run(60)
    assert body.events[2:] == path_events([(1, 1), *row(2, 1, 2, 3), (1, 3)], *ARRIVED)


def test_a_better_path_elsewhere_changes_nothing():
    stage = Stage(ground("0#0\n000"))
    body = stage.add((0, 0), speed=1)
    body.agent.target_cell = (0, 2)
    stage.run()
    stage.edit(((0, 1), "grass"))
    stage.run(60)
    assert body.events == path_events([(1, 0), (1, 1), (1, 2), (0, 2)], *ARRIVED)


def test_an_edit_that_opens_a_path_is_noticed_everywhere():
    stage = Stage(ground("000\n###\n000\n000"))
    body = stage.add((0, 0))
    body.agent.target_cell = (3, 0)
    stage.run(10)
    stuck = path_events([(0, 0)], "navigation_finished")
    assert body.events == stuck
    stage.edit(((3, 2), 1))
    assert body.agent.is_planning
    stage.run(10)
    assert body.events == stuck  # the same path again: no signal
    assert body.agent.is_navigation_finished()
    stage.edit(((1, 2), "grass"))
    stage.run(40)
    assert body.events[len(stuck) :][-3:] == [(3, 0), *ARRIVED]


def test_a_removed_deck_is_not_reached():
    tilemap = spanned("3003", ([(0, 1), (0, 2)], 3))
    stage = Stage(tilemap)
    body = stage.add((0, 0), speed=0.5)
    body.agent.target_cell = (0, 2, 1)
    stage.run(2)
    with tilemap.edit() as edit:
        edit.remove_deck([(0, 1), (0, 2)], 1)
    stage.run(100)
    agent = body.agent
    assert agent.is_navigation_finished()
    assert agent.target_cell == (0, 2, 1)
    assert agent.get_final_position() == (2.5, -0.5, 0)


def test_the_old_path_is_used_until_the_new_one_is_planned():
    stage = Stage(ground("0000\n0000"))
    body = stage.add((0, 0), speed=1)
    body.agent.target_cell = (0, 3)
    stage.run(3)
    stage.tree.root.remove_child(stage.server)  # no server plans now
    body.agent.target_cell = (1, 0)
    stage.run(40)
    assert body.events == path_events([(0, 1), (0, 2), (0, 3)])
    assert not body.agent.is_navigation_finished()
    assert body.agent.is_planning
    stage.tree.root.add_child(stage.server)
    stage.run(60)
    assert body.events[-3:] == [(1, 0), *ARRIVED]


@pytest.mark.parametrize("how", ["edit", "blocked"])
def test_it_waits_at_an_illegal_step_of_the_old_path(how):
    stage = Stage(ground("0000\n0000"))
    body = stage.add((0, 0), speed=1)
    body.agent.target_cell = (0, 3)
    stage.run(2)
    stage.tree.root.remove_child(stage.server)  # no server plans now
    if how == "edit":
        stage.edit(((0, 2), 9))
        stage.server._on_changed(Rect(0, 2, 1, 1))
    else:
        body.agent.blocked = [(0, 2)]
    stage.run(40)
    assert body.events == path_events([(0, 1)])
    assert body.agent.get_next_path_cell() == (0, 1, 0)
    assert math.dist(body.position, (1.5, -0.5, 0)) <= 0.1
    stage.tree.root.add_child(stage.server)
    stage.run(70)
    assert body.events[-3:] == [(0, 3), *ARRIVED]


def test_without_a_path_it_follows_what_the_search_has_found():
    stage = Stage(ground("0" * 30), max_expansions=1)
    body = stage.add((0, 0), speed=1)
    body.agent.target_cell = (0, 29)
    stage.run(15)
    assert body.agent.is_planning
    assert 1.5 < body.position[0] < 2.1
    stage.run(300)
    assert body.events[-3:] == [(0, 29), *ARRIVED]


def test_it_does_not_start_into_a_pit():
    stage = Stage(ground("303333\n3#3333\n333333"), max_expansions=1)
    body = stage.add((0, 0), MoveProfile(climb_cost=0))
    body.agent.target_cell = (0, 5)
    stage.run(80)
    assert (0, 1) not in body.events
    assert body.agent.is_target_reached()


def test_a_body_moved_off_its_path_gets_a_new_one():
    stage = Stage(ground("00000\n00000\n00000"))
    body = stage.add((0, 0), speed=1)
    body.agent.target_cell = (0, 4)
    stage.run(5)
    body.position = (1.5, -2.5, 0)
    stage.run(2)
    assert body.events == path_events([], "path_changed")
    assert body.agent.get_next_path_cell() in {(2, 2, 0), (1, 1, 0)}
    stage.run(70)
    assert body.events[-3:] == [(0, 4), *ARRIVED]


def test_a_body_moved_during_its_search_gets_a_path_from_there():
    stage = Stage(ground("00000\n00000\n00000"), max_expansions=2)
    body = stage.add((0, 0), speed=0)
    body.agent.target_cell = (0, 4)
    stage.run()
    body.position = (1.5, -2.5, 0)
    stage.run(20)
    assert not body.agent.is_planning
    assert body.agent.get_current_navigation_path()[0] == body.position


def test_a_body_that_falls_from_a_bridge_gets_a_new_path():
    stage = Stage(spanned("3000003\n0000000", ([(0, col) for col in range(1, 6)], 3)))
    body = stage.add((0, 0), MoveProfile(max_climb=3), speed=1)
    body.agent.target_cell = (0, 6)
    stage.run(12)
    body.position = (*body.position[:2], 0)
    stage.run(3)
    assert body.agent.get_next_path_cell()[2] == 0
    stage.run(99)
    assert body.agent.is_target_reached()


def test_a_target_that_moves_on_its_cell_needs_no_new_plan():
    stage = Stage(ground("0000"))
    body = stage.add((0, 0))
    for number in range(20):
        body.agent.target_position = (3.5 + 0.005 * number, -0.5, 0)
        stage.run()
    assert body.events.count("path_changed") == 1
    assert body.agent.is_target_reached()
    body.agent.target_position = (3.1, -0.5, 0)
    assert not body.agent.is_target_reached()
    stage.run(5)
    assert body.events[-4:] == ["path_changed", (0, 3), *ARRIVED]
    body.agent.target_position = (3.1, -0.5, 0)
    stage.run(5)
    assert body.events.count("target_reached") == 2


def test_at_the_target_edits_change_nothing():
    stage = Stage(ground("000"))
    body = stage.add((0, 0))
    body.agent.target_cell = (0, 2)
    stage.run(20)
    events = list(body.events)
    stage.edit(((0, 2), 1), ((0, 1), 2))
    assert not body.agent.is_planning
    stage.run(9)
    assert body.events == events
    assert body.agent.is_target_reached()


def test_it_can_be_stopped():
    stage = Stage(ground("0000"))
    body = stage.add((0, 0))
    body.agent.target_cell = (0, 3)
    body.agent.target_cell = None
    assert stage.server.n_waiting == 0
    stage.run(9)
    assert body.events == []
    assert body.agent.is_navigation_finished()


def test_blocked_cells_are_avoided():
    stage = Stage(ground("0000\n0000"))
    body = stage.add((0, 0), speed=1)
    body.agent.blocked = [(0, 1), (9, 9)]
    body.agent.target_cell = (0, 3)
    stage.run()
    assert body.agent.get_next_path_cell() == (1, 0, 0)
    body.agent.blocked = [(0, 1), (0, 2), (1, 2)]
    stage.run(50)
    assert body.agent.reason == "(1, 2) is occupied"
    assert body.agent.is_navigation_finished()
    body.agent.blocked = [(0, 1), (0, 2)]
    stage.run(50)
    assert body.agent.is_target_reached()


@pytest.mark.parametrize("signal", SIGNALS)
@pytest.mark.parametrize("act", ["target", "edit", "free", "stop", "remove", "ask"])
def test_a_listener_may_do_anything(signal, act):
    stage = Stage(ground("0000\n0000"))
    body = stage.add((0, 0))
    agent = body.agent

    def listener(*_):
        getattr(agent, signal).disconnect(listener)
        if act == "target":
            agent.target_cell = (1, 0)
        elif act == "edit":
            stage.edit(((0, 1), "void"), ((1, 0), 1))
        elif act == "free":
            body.queue_free()
        elif act == "stop":
            agent.target_cell = None
        elif act == "remove":
            body.remove_child(agent)
            body.add_child(agent)
        else:
            agent.get_next_path_position()
            agent.is_navigation_finished()

    getattr(agent, signal).connect(listener)
    agent.target_cell = (0, 3)
    stage.run(60)
    n_reached = body.events.count("target_reached")
    assert body.events.count("navigation_finished") == n_reached + (
        -1 if (signal, act) in {("target_reached", "target"), ("target_reached", "stop")} else 0
    )
    assert stage.server.n_waiting == 0
    if act == "target":
        assert body.events[-3:] == [(1, 0), *ARRIVED]
        assert n_reached == (2 if signal in ARRIVED else 1)
    elif act in {"edit", "ask", "remove"}:
        assert body.events[-3:] == [(0, 3), *ARRIVED]
        assert n_reached == 1
    else:
        assert body.is_freed == (act == "free")
        assert n_reached <= 1


def test_a_target_set_by_a_listener_of_target_reached_is_next():
    stage = Stage(ground("000"))
    body = stage.add((0, 0))
    ends = [(0, 2), (0, 0), (0, 1)]
    agent = body.agent
    agent.target_reached.connect(lambda: ends and setattr(agent, "target_cell", ends.pop(0)))
    agent.target_cell = (0, 1)
    stage.run(60)
    assert body.events.count("target_reached") == 4
    assert body.events.count("navigation_finished") == 1


def test_no_signal_follows_for_a_path_that_a_listener_has_ended():
    stage = Stage(ground("0000\n0000"))
    body = stage.add((0, 0))
    agent = body.agent
    agent.path_desired_distance = 9.0  # all of the path is near

    def turn_back(_):
        agent.target_cell = None
        agent.target_cell = (1, 0)

    agent.waypoint_reached.connect(turn_back, once=True)
    agent.target_cell = (0, 3)
    stage.run()
    assert body.events == path_events([(0, 1)])
    stage.run(20)
    assert body.events == path_events([(0, 1), "path_changed", (1, 0)], *ARRIVED)


def test_a_body_moved_away_from_the_last_cell_comes_back():
    stage = Stage(ground("000\n000"))
    body = stage.add((0, 0))

    def carry_off(cell):
        if cell[:2] == (0, 2) and body.events.count((0, 2)) == 1:
            body.position = (1.5, -1.5, 0)

    body.agent.waypoint_reached.connect(carry_off)
    body.agent.target_cell = (0, 2)
    stage.run(40)
    assert body.events.count("path_changed") == 2
    assert body.events[-3:] == [(0, 2), *ARRIVED]


def test_the_server_stops_planning_for_freed_agents():
    stage = Stage(ground("0" * 20), max_expansions=1)
    bodies = [stage.add((0, 0), speed=0) for _ in range(9)]
    for body in bodies:
        body.agent.target_cell = (0, 19)
    stage.run(2)
    for body in bodies[1:]:
        body.queue_free()
    stage.run(1)
    assert stage.server.n_waiting == 1
    stage.run(20)
    assert stage.server.n_waiting == 0


@pytest.mark.parametrize("signal", SIGNALS)
def test_a_freed_agent_answers_its_parent_that_it_is_finished(signal):
    stage = Stage(ground("0000"))
    body = stage.add((0, 0))
    getattr(body.agent, signal).connect(lambda *_: body.agent.queue_free())
    body.agent.target_cell = (0, 3)
    stage.run(30)
    assert body.agent.is_freed
    assert body.agent.is_navigation_finished()
    assert stage.server.n_waiting == 0


@pytest.mark.parametrize("signal", SIGNALS)
def test_after_an_error_in_a_listener_the_others_are_called(signal):
    stage = Stage(ground("000"))
    body = stage.add((0, 0))

    def fail(*_):
        raise KeyError("of the game")

    getattr(body.agent, signal).connect(fail, once=True)
    body.agent.target_cell = (0, 2)
    with pytest.raises(KeyError, match="of the game"):
        stage.run(30)
    stage.run(30)
    assert body.events == path_events([(0, 1), (0, 2)], *ARRIVED)


def test_outside_the_tree_it_waits_and_it_continues_when_it_is_back():
    stage = Stage(ground("0000\n0000"))
    body = stage.add((0, 0), speed=1)
    body.agent.target_cell = (0, 3)
    stage.run(5)
    stage.tree.root.remove_child(body)
    stage.edit(((0, 2), "void"))
    stage.run(5)
    stage.tree.root.add_child(body)
    stage.run(70)
    assert body.events[-3:] == [(0, 3), *ARRIVED]
    assert (1, 2) in body.events


def test_a_server_that_comes_back_follows_edits_it_has_missed():
    stage = Stage(ground("0000\n0000"))
    body = stage.add((0, 0), speed=0)
    body.agent.target_cell = (0, 3)
    stage.run(2)
    stage.tree.root.remove_child(stage.server)
    stage.edit(((0, 2), "void"))
    assert not body.agent.is_planning
    stage.tree.root.add_child(stage.server)
    stage.run()
    assert (2.5, -1.5, 0) in body.agent.get_current_navigation_path()


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
    with pytest.raises(TypeError, match="a point must be"):
        agent.target_position = (1, 2)
    with pytest.raises(ValueError, match="finite numbers"):
        agent.target_position = (1, math.nan, 0)
    with pytest.raises(TypeError, match="a cell is"):
        agent.blocked = [7]
    with pytest.raises(ValueError, match="path_desired_distance must be in"):
        agent.path_desired_distance = 0.0
    assert agent.target_cell is None


def test_where_nothing_moves_signals_are_not_repeated():
    stage = Stage(ground("000"))
    body = stage.add((0, 0), speed=0)
    body.agent.target_cell = (0, 2)
    stage.run(5)
    assert body.events == ["path_changed"]
