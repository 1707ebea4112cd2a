"""Signals of a navigation agent, whatever their listeners do, and agents outside the tree."""

import pytest

from tests.support.bodies import ARRIVED, SIGNALS, Stage, path_events
from tests.support.reference import ground


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
