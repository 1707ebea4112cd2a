"""Allies, enemies, zones of control and what a unit is told, also against a plain search."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given

from ai import Board, GameRecord, MoveProfile, MoveRefused, Navigation, Situation, Unit
from terrain3d import Reason, TileMap
from tests.support import rulebook
from tests.support.boards import posted, random_boards, reached
from tests.support.reference import (
    TOLERANCE,
    ground,
    is_exact,
    plain_profiles,
    profiles,
    thoroughly,
)
from tests.support.strategies import Case, cases
from tests.support.turns_reference import Referee

FAR = {"move": 9}


@pytest.mark.parametrize(("cell", "name"), [((0, 1), "b"), ((0, 2), "C")])
def test_a_unit_on_the_goal_is_named_whether_ally_or_enemy(cell, name):
    board, units = posted("abC", all=FAR)
    with pytest.raises(MoveRefused, match=re.escape(f"a cannot go there: {name} stands on {cell}")):
        board.move(units["a"], cell)


@pytest.mark.parametrize(
    "more",
    [
        {"B": {"has_zoc": False}},
        {"a": {"profile": MoveProfile(ignores_zoc=True), "move": 9}},
    ],
)
def test_some_units_ignore_zones_and_some_have_none(more):
    board, units = posted("a....\n..B..\n.....", **{"all": FAR} | more)
    assert reached(board, units["a"]) == "01234\n12B45\n23456"


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


@pytest.mark.parametrize(
    ("profile", "seen"),
    [
        (MoveProfile(), "01234"),
        (MoveProfile(warp=2), "012.."),
        (MoveProfile(warp=3), "01..."),
        (MoveProfile(can_fly=True), "01234"),
    ],
)
def test_a_zone_reaches_as_far_as_warps(profile, seen):
    board, units = posted(
        "a....\n.....\n..B..", "00000\n#####\n00000", all=FAR, B={"profile": profile}
    )
    assert reached(board, units["a"]).split("\n")[0] == seen


def test_a_zone_reaches_through_links_in_their_direction():
    board, units = posted("a....\n.....\n..B..", "00000\n#####\n00000", all=FAR)
    for ends, one_way, seen in (
        (((2, 2), (0, 1)), True, "01..."),
        (((0, 3), (2, 2)), True, "01234"),
        (((0, 3), (2, 2)), False, "0123."),
    ):
        with board.tilemap.edit() as edit:
            edit.add_link(*ends, cost=1, one_way=one_way)
        assert reached(board, units["a"]).split("\n")[0] == seen
        board.tilemap.undo()


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


@thoroughly(200)
@given(cases())
@example(
    Case(TileMap.from_text("000\n000"), MoveProfile(size=2), (0, 0, 0), {(0, 1, 0)}, set(), set())
)
@example(  # a flyer over void cannot begin a path there, but a path may pass it
    Case(
        TileMap.from_text("000\n0#0"),
        MoveProfile(can_fly=True, size=2),
        (0, 0, 0),
        set(),
        set(),
        set(),
    )
)
def test_single_steps_are_those_of_the_rulebook(case):
    case.tell()
    tilemap, profile, start = case.tilemap, case.profile, case.start
    others = case.blocked - {*rulebook.tiles(profile, start)}
    expected = {}
    for end, cost in rulebook.steps_from(tilemap, profile, start, others):
        expected[end] = min(cost, expected.get(end, cost))
    steps = Navigation(tilemap).steps_from(start, profile, blocked=case.blocked)
    assert {tuple(end): pytest.approx(cost) for end, cost in steps.items()} == expected


@thoroughly(100)
@given(cases())
def test_a_situation_has_the_steps_after_which_the_mover_may_stop(case):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    assume(rulebook.can_start(tilemap, profile, start))
    others = case.blocked | case.passable
    assume(not rulebook.is_touched(profile, start, others))
    ends = {
        end
        for end, _ in rulebook.steps_from(tilemap, profile, start, case.blocked)
        if rulebook.can_stop(tilemap, profile, end, others)
    }
    situation = Situation(Navigation(tilemap), start, profile, case.blocked, case.passable)
    assert {tuple(end) for end in situation.steps()} == ends


def test_a_situation_from_before_an_edit_drops_what_is_gone():
    tilemap = ground("000")
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), 4, "road")
    navigation, taken = Navigation(tilemap), [(0, 1, 1), (0, 2)]
    old = Situation(navigation, (0, 0), blocked=taken, passable=taken, halting=taken)
    tilemap.undo()
    for now in (replace(old, cell=(0, 1)), replace(old.without([(0, 2)]), blocked=old.blocked)):
        assert (0, 1, 1) not in [*now.blocked, *now.passable, *now.halting]
        assert [*now.blocked] == [(0, 2, 0)]
        assert now.steps_from((0, 1)) == {(0, 0, 0): 1}


def test_cells_that_do_not_exist_cannot_be_reached():
    situation = Situation(Navigation(ground("00")), (0, 0, 2), blocked=[(0, 1, 4), (0, 1)])
    assert situation.blocked == ((0, 1, 0),)
    assert situation.steps() == {}
    assert situation.find_path((0, 1)).reason == Reason("ground_gone", cell=(0, 0, 2))
    assert not list(situation.reach(3))
    there = Situation(Navigation(ground("00")), (0, 0))
    assert there.find_path((5, 5)).reason == Reason("off_the_map", cell=(5, 5))
    assert there.find_path([(5, 5), (0, 1)]).cost == 1
    assert not there.can_stop((0, 1, 1))


def test_others_can_be_left_out():
    situation = Situation(Navigation(ground("000")), (0, 0), blocked=[(0, 1)], passable=[(0, 2)])
    assert not situation.find_path((0, 2))
    assert situation.without([(0, 1), (0, 2)]).find_path((0, 2))
    assert situation.is_taken((0, 2))
    large = Situation(Navigation(ground("000\n000")), (0, 0), MoveProfile(size=2), [(1, 2)])
    assert large.is_taken((0, 1))
    assert not large.is_taken((0, 0))
