"""Allies, enemies and zones of control, also against a plain search."""

import math
import re

import numpy as np
import pytest
from hypothesis import given

from ai import Board, GameRecord, MoveProfile, MoveRefused, Unit
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.boards import posted, random_boards
from tests.support.reference import TOLERANCE, is_exact, plain_profiles, profiles, thoroughly
from tests.support.turns_reference import Referee

FAR = {"move": 9}


@pytest.mark.parametrize(("cell", "name"), [((0, 1), "b"), ((0, 2), "C")])
def test_a_unit_on_the_goal_is_named_whether_ally_or_enemy(cell, name):
    board, units = posted("abC", all=FAR)
    with pytest.raises(MoveRefused, match=re.escape(f"a cannot go there: {name} stands on {cell}")):
        board.move(units["a"], cell)


@pytest.mark.parametrize(
    ("picture", "levels", "goal", "reason"),
    [
        (
            "a....\n..B..\n.....",
            None,
            (0, 4),
            "B's zone of control ends the path at (0, 2)",
        ),
        (
            "a....\n..B..\n..C..",
            None,
            (2, 4),
            "B's zone of control ends the path at (0, 2)",
        ),
        ("a.B.", None, (0, 3), "B stands on (0, 2)"),
        ("a....\n..B..\n.....", "00009\n00009\n00009", (0, 4), "climb 9 > 2 at (0, 4)"),
    ],
)
def test_the_unit_whose_zone_closes_a_goal_off_is_named(picture, levels, goal, reason):
    board, units = posted(picture, levels, all=FAR)
    assert board.find_path(units["a"], goal).reason == reason
    with pytest.raises(MoveRefused, match=re.escape(f"a cannot go there: {reason}")):
        board.move(units["a"], goal)


def test_the_zone_that_closes_a_goal_off_to_a_giant_is_named():
    giant = {"move": 9, "profile": MoveProfile(size=2)}
    board, units = posted("gg....\ngg....\n...B..", all=FAR, g=giant)
    assert board.find_path(units["g"], (0, 4)).reason == (
        "B's zone of control ends the path at (0, 2)"
    )


def plain_reach(board, unit):
    """Find by the rulebook what an order can take a unit to, and the costs."""
    rules = Referee(board, unit)
    around = rules.blocked, rules.covered, rules.zones
    found = rulebook.ends(board.tilemap, unit.profile, unit.cell, *around)
    return {cell: cost for cell, cost in found.items() if cost <= unit.move * (1 + 1e-12)}


@thoroughly(150)
@given(random_boards(plain_profiles | profiles, most=6))
def test_reach_equals_that_of_a_plain_search(board):
    for unit in board.units:
        if not is_exact(board.tilemap, unit.profile):
            continue
        reach = board.reach(unit)
        expected = plain_reach(board, unit)
        found = {cell: reach.cost_to(cell) for cell in reach}
        assert found.keys() == expected.keys()
        for cell, cost in found.items():
            assert math.isclose(cost, expected[cell], rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def placed(teams, names=None, **more):
    """Put units of some teams in a row of places on a hilly map."""
    board = Board(TileMap.from_noise(6, 7, seed=5, levels=3), **more)
    for number, team in enumerate(teams):
        cell = (number * 5 % 6, number * 3 % 7)
        board.add(
            Unit(f"unit {number}", cell, (names or {}).get(team, team), has_zoc=number % 2 == 1)
        )
    return board


TEAMS = ("blue", "green", "red", "barrels", "blue", "green", "red", "barrels")


def test_allies_are_to_each_other_as_one_team():
    allied = placed(TEAMS, allies=[("blue", "green")])
    one = placed(TEAMS, {"green": "blue"})
    for unit, same in zip(allied.units, one.units, strict=True):
        if unit.team in ("blue", "green"):
            assert sorted(allied.reach(unit).cells) == sorted(one.reach(same).cells)
    assert allied.threat("blue").count.tolist() == one.threat("blue").count.tolist()
    assert allied.threat("green").count.tolist() == one.threat("blue").count.tolist()
    assert allied.threat("red").count.tolist() == one.threat("red").count.tolist()
    assert allied.digest() != placed(TEAMS).digest()


def test_neutral_units_block_as_enemies_do_and_neither_control_nor_threaten():
    board = placed(TEAMS, neutral=["barrels"])
    as_foes = placed(TEAMS)
    for unit in as_foes.units:
        if unit.team == "barrels":
            unit.has_zoc = False
    for unit, same in zip(board.units, as_foes.units, strict=True):
        if unit.team != "barrels":
            assert sorted(board.reach(unit).cells) == sorted(as_foes.reach(same).cells)
    expected = sum(
        np.array([[cell in board.reach(foe) for cell in row] for row in all_cells(board)])
        for foe in board.units
        if foe.team in ("red", "green")
    )
    assert board.threat("blue").count.tolist() == expected.tolist()
    assert not any(u.team == "barrels" for u in board.enemies_of(board.units[0]))


def all_cells(board):
    """Return rows of cells of the ground."""
    rows, cols = board.tilemap.rows, board.tilemap.cols
    return [[(row, col) for col in range(cols)] for row in range(rows)]


@pytest.mark.parametrize("turns", ["sides", "wait"])
def test_neutral_units_have_no_turns_also_after_loading(turns, tmp_path):
    board = placed(TEAMS, turns=turns, neutral=["barrels"], allies=[("blue", "green")])
    for _ in range(9):
        assert board.turn.team != "barrels"
        board.end_turn()
    GameRecord.of(board).save(tmp_path / "game.tmap")
    record = GameRecord.load(tmp_path / "game.tmap")
    again = record.replay()
    assert (record.problem, again.sides, again.turn.number) == ("", board.sides, board.turn.number)
    with pytest.raises(MoveRefused, match="turn"):
        again.move(again.units[3], (0, 0))
    assert board.copy().sides == board.sides


@pytest.mark.parametrize("allies", [["blue"], [("blue",)], [("blue", "blue")], [("blue", 3)]])
def test_allies_are_pairs_of_different_teams(allies):
    with pytest.raises((TypeError, ValueError), match="allies"):
        Board(TileMap.from_text("0"), allies=allies)
