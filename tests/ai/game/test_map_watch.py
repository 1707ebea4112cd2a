"""The report on a map follows its edits, without a frame that waits."""

import time

import pytest

from ai import Board, MoveProfile, Unit
from ai.game.background import MapWatch
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


def test_a_failed_check_is_said_and_the_next_edit_is_checked(watched, monkeypatch):
    board, watch, next_report = watched
    failed, check = [], board.navigation.check
    watch.failed.connect(failed.append)
    watch.is_active = True
    assert next_report().is_sound

    def fail(*_arguments, **_options):
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(board.navigation, "check", fail)
        raise_to(board, (0, 4), 3)
        for _ in range(3000):
            next_report.tree.advance(0.1)
            if failed:
                break
            time.sleep(0.001)
    assert failed == ["MemoryError"]
    assert next_report.count() == 1
    assert board.navigation.check == check
    raise_to(board, (0, 3), 3)
    assert not next_report().is_sound


def test_a_check_during_which_a_deck_goes_is_repeated(watched, monkeypatch):
    board, watch, next_report = watched
    check, calls = board.navigation.check, []

    def check_late(*arguments, **options):
        calls.append(arguments)
        if len(calls) == 1:
            raise IndexError("(0, 4) has no deck 1")
        return check(*arguments, **options)

    monkeypatch.setattr(board.navigation, "check", check_late)
    watch.is_active = True
    assert next_report().is_sound
    assert len(calls) == 2


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
