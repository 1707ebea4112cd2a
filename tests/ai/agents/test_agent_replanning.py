"""When a navigation agent plans again: edits, blockers, moved bodies and moved targets."""

import math

import pytest

from ai import MoveProfile
from terrain3d import Rect
from tests.support.bodies import ARRIVED, Stage, path_events
from tests.support.mover_pictures import spanned
from tests.support.reference import ground


def row(number, *cols):
    return [(number, col) for col in cols]


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
