"""A commander is closed until the searches are compiled; squads are compiled when selected."""

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
def signals(commander):
    """Return a function that advances a tree with a `Readiness` and returns its signals so far."""
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


def test_it_opens_once_after_the_first_picture(commander, signals):
    assert not commander.is_open
    assert signals() == []
    assert signals() == ["begun"]
    assert signals("opened") == ["begun", "opened"]
    assert commander.is_open
    for _ in range(5):
        assert signals() == ["begun", "opened"]


def test_while_it_is_closed_there_is_no_reach(commander, signals):
    commander.select_next()
    signals()
    assert commander.reach is None
    signals("opened")
    assert commander.reach is not None


def test_squads_are_made_ready_once_several_units_are_selected(commander, signals):
    signals("opened")
    commander.select_next()
    signals()
    assert not commander.is_squad_ready
    commander.select_all(commander.board.units)
    assert len(commander.squad) == 2
    assert signals("squads_ready") == ["begun", "opened", "squads_ready"]
    assert commander.is_squad_ready
    signals()
    assert signals() == ["begun", "opened", "squads_ready"]


def test_squads_are_not_made_ready_before_orders_are_taken(commander, signals):
    commander.select_all(commander.board.units)
    assert signals("squads_ready") == ["begun", "opened", "squads_ready"]


def test_edits_are_allowed_while_it_compiles(commander, signals):
    signals()
    signals()
    with commander.board.tilemap.edit() as edit:
        edit.set_level((0, 1), 3)
    assert signals("opened") == ["begun", "opened"]
