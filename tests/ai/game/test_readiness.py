"""A commander is closed until all is compiled, then opened once; squads when there is one."""

import time

import pytest

from ai.game.commander import Commander
from ai.game.readiness import Readiness
from terrain3d import SceneTree
from tests.support.boards import posted

DEADLINE_S = 300.0
"""A first start compiles for some seconds; only a hang takes longer than this."""


@pytest.fixture
def commander():
    board, _ = posted("a.b\n..A")
    return Commander(board)


@pytest.fixture
def told(commander):
    """Give what an readiness in a tree tells, by `advance`."""
    tree, readiness, events = SceneTree(), Readiness(commander), []
    for name in ("begun", "opened", "squads_ready"):
        getattr(readiness, name).connect(lambda name=name: events.append(name))
    tree.root.add_child(readiness)

    def advance(until=None):
        end = time.monotonic() + DEADLINE_S
        tree.advance(0.1)
        while until is not None and until not in events and time.monotonic() < end:
            tree.advance(0.1)
            time.sleep(0.001)
        return events

    return advance


def test_it_opens_once_after_the_first_picture(commander, told):
    assert not commander.is_open
    assert told() == []
    assert told() == ["begun"]
    assert told("opened") == ["begun", "opened"]
    assert commander.is_open
    for _ in range(5):
        assert told() == ["begun", "opened"]


def test_while_it_is_closed_there_is_no_reach(commander, told):
    commander.select_next()
    told()
    assert commander.reach is None
    told("opened")
    assert commander.reach is not None


def test_squads_are_drilled_once_several_are_selected(commander, told):
    told("opened")
    commander.select_next()
    told()
    assert not commander.is_squad_ready
    commander.select_all(commander.board.units)
    assert len(commander.squad) == 2
    assert told("squads_ready") == ["begun", "opened", "squads_ready"]
    assert commander.is_squad_ready
    told()
    assert told() == ["begun", "opened", "squads_ready"]


def test_nobody_is_drilled_before_orders_are_taken(commander, told):
    commander.select_all(commander.board.units)
    assert told("squads_ready") == ["begun", "opened", "squads_ready"]


def test_edits_while_it_compiles_are_in_nobodys_way(commander, told):
    told()
    told()
    with commander.board.tilemap.edit() as edit:
        edit.set_level((0, 1), 3)
    assert told("opened") == ["begun", "opened"]
