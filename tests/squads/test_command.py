"""Tests of the command: it solves its boards, detects wrong plans, and says what misses an aim."""

import itertools

import pytest

from ai import SquadPlan
from terrain3d import Cell, TileMap
from tests.squads import __main__ as command
from tests.squads.boards import WALKER, Board, generated, hills, narrow

STARTS = [(0, 0, 0), (2, 3, 0), (2, 0, 0)]
GOALS = [(2, 3, 0), (0, 0, 0), (0, 3, 0)]
YARD = Board("yard", TileMap.from_text("0000\n0##0\n0000"), WALKER, STARTS, GOALS)


def test_squads_trade_places_in_narrow_passages():
    results = [
        (str(board), command.tried(board)) for board in itertools.islice(narrow(), 0, None, 3)
    ]
    assert [each for each in results if not each[1].is_solved] == []


def test_few_units_go_almost_as_cheaply_as_each_alone():
    for n_units, aim in command.AIMS.items():
        trials = [command.tried(board) for board in itertools.islice(hills(n_units), 12)]
        assert all(trial.is_solved for trial in trials)
        assert sum(trial.excess for trial in trials) / len(trials) <= aim


def test_crowds_are_solved(capsys):
    assert command.print_crowds(generated(8, 20, 1))
    lines = capsys.readouterr().out.split("\n")
    names = ["hills", "landscape", "hexagons", "diagonals"]
    assert [line.split("|")[1].strip() for line in lines if " 20 " in line] == names
    assert "gave up" not in "".join(lines)


def with_plan(monkeypatch, *paths):
    """Make the planner return paths, written as letters a..d, e.., i.. for the rows of the yard."""
    cells = [[Cell(*divmod(ord(sign) - ord("a"), 4)) for sign in path] for path in paths]
    plan = SquadPlan(cells, [len(path) - 1 for path in paths], 0)
    monkeypatch.setattr(command.SquadPlanner, "plan", lambda *_, **__: plan)


@pytest.mark.parametrize(
    ("paths", "fault"),
    [
        (["abcdhl", "lkjiea"], "2 paths for 3 units"),
        (["bcdhl", "lkjiea", "ieabcd"], "0 begins on (0, 1, 0)"),
        (["abcdhl", "lkjiea", "iijkl"], "2 ends on (2, 3, 0)"),
        (["abcdhl", "lkjieaa", "ieabcd"], "1 waits on its goal"),
        (["abcdhl", "lkjiea", "iebcd"], "2 cannot step from (1, 0, 0) to (0, 1, 0)"),
        (["abcdhl", "lhdcba", "ieabcd"], "tick 2: 0 swaps between"),
        (["abcdhl", "lkjiea", "iiiieabcd"], "tick 2: 1 is not alone"),
    ],
)
def test_wrong_plans_are_detected(monkeypatch, capsys, paths, fault):
    with_plan(monkeypatch, *paths)
    assert fault in command.tried(YARD).fault
    monkeypatch.setattr(command, "crowds", lambda: [YARD])
    assert command.main([]) == 1
    assert fault in capsys.readouterr().out


def test_a_correct_plan_is_accepted_and_a_costly_one_misses_the_aim(monkeypatch, capsys):
    with_plan(monkeypatch, "abcdhl", "lkjiea", "ieabcd")
    assert command.tried(YARD)[1:] == (0, 5, "", "")
    monkeypatch.setattr(command, "hills", lambda _: [YARD])
    monkeypatch.setattr(command, "narrow", lambda: [YARD])
    assert command.main(["--small"]) == 0
    with_plan(monkeypatch, "aabcdhl", "lkjiea", "iiieabcd")
    assert command.main(["--small"]) == 1
    assert "on average 20.00% above the lower bound (aim 1.0%)" in capsys.readouterr().out
