"""The report on a map follows its edits, without a frame that waits."""

import time

import pytest

from ai import Board, MoveProfile, Unit
from ai.game.map_watch import MapWatch
from terrain3d import SceneTree
from tests.support.reference import ground

DEADLINE_S = 300.0
"""A first start compiles for some seconds; only a hang takes longer than this."""


@pytest.fixture
def watched():
    """Return a board, its watch, and a function that plays until a check has ended."""
    board = Board(ground("00000\n00000"))
    tree, reports = SceneTree(), []
    watch = tree.root.add_child(MapWatch(board, MoveProfile()))
    watch.checked.connect(reports.append)

    def next_report():
        n_before, end = len(reports), time.monotonic() + DEADLINE_S
        while len(reports) == n_before and time.monotonic() < end:
            tree.advance(0.1)
            time.sleep(0.001)
        (report,) = reports[n_before:]
        return report

    next_report.count = lambda: len(reports)
    next_report.tree = tree
    yield board, watch, next_report
    tree.close()


def raise_to(board, cell, level):
    with board.tilemap.edit() as edit:
        edit.set_level(cell, level)


def test_a_report_follows_every_edit(watched):
    board, watch, next_report = watched
    watch.is_active = True
    assert next_report().is_sound
    raise_to(board, (0, 4), 3)
    (problem,) = next_report().problems
    assert (problem.text, problem.fix.text) == ("(0, 4) cannot be reached", "lower (0, 4) by 1")
    board.tilemap.undo()
    assert next_report().is_sound


def test_nothing_is_checked_without_an_edit_or_while_it_is_not_active(watched):
    board, watch, next_report = watched
    watch.is_active = True
    next_report()
    for _ in range(20):
        next_report.tree.advance(0.1)
    assert next_report.count() == 1
    watch.is_active = False
    raise_to(board, (0, 4), 3)
    for _ in range(20):
        next_report.tree.advance(0.1)
    assert next_report.count() == 1
    watch.is_active = True
    assert not next_report().is_sound


def test_units_of_the_profile_are_spawns_also_after_their_deck_is_gone(watched):
    board, watch, next_report = watched
    with board.tilemap.edit() as edit:
        edit.add_deck((0, 4), level=9, kind="road")
    board.add(Unit("Mira", (0, 0)))
    board.add(Unit("Odo", (0, 4, 1)))
    watch.is_active = True
    assert [each.kind for each in next_report().problems] == ["spawn", "deck"]
    with board.tilemap.edit() as edit:
        edit.remove_deck((0, 4))
    assert next_report().is_sound
