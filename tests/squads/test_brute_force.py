"""Tests of the command: it finds no difference, and detects wrong plans and wrong verdicts."""

import pytest

from ai import Board, MoveRefused, SquadPlan
from tests.squads import brute_force


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Compare few squads."""
    monkeypatch.setattr(brute_force, "_BATCH", 20)
    monkeypatch.setattr(brute_force, "check_crowds", lambda _: {"crowds": 1})


def test_equal_seeds_compare_the_same_squads(capsys):
    for _ in range(2):
        assert brute_force.main(["--cases", "20", "--seed", "5"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert first.startswith("20 squads, ")
    assert first.endswith(" and no difference")


def test_a_plan_that_is_not_found_is_a_difference(monkeypatch, capsys):
    none = SquadPlan.none("no plan exists")
    monkeypatch.setattr(brute_force.SquadPlanner, "plan", lambda *_, **__: none)
    assert brute_force.main(["--cases", "20"]) == 1
    assert "no SquadPlan: no plan exists" in capsys.readouterr().err


def test_a_board_that_refuses_is_a_difference(monkeypatch):
    def refuse(*_):
        raise MoveRefused("no")

    monkeypatch.setattr(Board, "move_together", refuse)
    assert brute_force.main(["--cases", "20"]) == 1
