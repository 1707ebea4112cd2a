"""A board and the squad planner have one rule: the board moves units along every plan.

The same schedules, altered, get the verdict of the reference in plain Python.
"""

import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from ai import Board, MoveProfile, MoveRefused, SquadPlanner, Unit
from terrain3d import TileMap
from tests.squads.brute_force import METHOD, board_of, check_verdict, is_accepted
from tests.support.plain_map import all_surfaces
from tests.support.reference import thoroughly
from tests.support.squad_maps import altered, crowded, mixed, walks


@given(crowded() | mixed(), METHOD, st.data())
@thoroughly(100)
def test_every_plan_is_a_legal_joint_move(squad, method, data):
    tilemap, movers, starts, goals = squad
    board = board_of(squad)
    assume(board is not None)
    others = []
    free = [cell for cell in all_surfaces(tilemap) if cell not in {*starts, *goals}]
    for cell in free[: data.draw(st.integers(0, 2))]:
        if not board.navigation.explain_stop(cell):
            others.append(board.add(Unit(str(cell), cell, data.draw(st.sampled_from("rb")))).cell)
    planner = SquadPlanner(board.navigation)
    limit = {"blocked": others, "max_expansions": 20_000}
    plan = planner.plan(starts, goals, movers, method=method, **limit)
    note(f"{tilemap.topology} {tilemap.surface_level.tolist()} {movers} {plan.paths} {others}")
    assert not plan or is_accepted(board, plan.paths)


@given(crowded() | mixed(), METHOD, st.data())
@thoroughly(100)
def test_altered_plans_get_the_verdict_of_the_reference(squad, method, data):
    tilemap, movers, starts, goals = squad
    board = board_of(squad)
    assume(board is not None)
    planner = SquadPlanner(board.navigation)
    plan = planner.plan(starts, goals, movers, method=method, max_expansions=20_000)
    check_verdict(board, data.draw(altered(tilemap, plan.paths or [[cell] for cell in starts])))


@given(crowded() | mixed(), st.data())
@thoroughly(150)
def test_random_schedules_get_the_verdict_of_the_reference(squad, data):
    board = board_of(squad)
    assume(board is not None)
    check_verdict(board, data.draw(walks(board)))


def placed(text, *cells, profile):
    board = Board(TileMap.from_text(text))
    for number, cell in enumerate(cells):
        board.add(Unit(str(number), cell, profile=profile, move=99))
    return board


def test_a_flyer_crosses_a_hole_with_its_squad():
    board = placed("0#0", (0, 0), profile=MoveProfile(can_fly=True))
    plan = SquadPlanner(board.navigation).plan([(0, 0)], [(0, 2)], board.units[0].profile)
    board.move_together({board.units[0]: plan.paths[0]})
    assert board.units[0].cell == (0, 2, 0)


def test_a_diagonal_step_does_not_brush_a_unit_of_the_squad():
    board = placed("00\n00", (0, 0), (0, 1), profile=MoveProfile(diagonal="always"))
    paths = [[(0, 0), (1, 1)], [(0, 1)]]
    with pytest.raises(MoveRefused, match=r"^0 would brush 1 on \(0, 1\)$"):
        board.move_together(dict(zip(board.units, paths, strict=True)))
    paths = [[(0, 0), (0, 0), (1, 1)], [(0, 1), (1, 1), (1, 0)]]
    with pytest.raises(MoveRefused, match=r"^0 would brush 1 on \(1, 0\)$"):
        board.move_together(dict(zip(board.units, paths, strict=True)))


def test_a_unit_waits_only_where_it_may_stop():
    profile = MoveProfile(no_stop=frozenset({"swamp"}))
    board = placed("000", (0, 0), profile=profile)
    with board.tilemap.edit() as edit:
        edit.set_kind((0, 1), "swamp")
    with pytest.raises(MoveRefused, match=r"^0 cannot go there: it cannot stop at \(0, 1\)$"):
        board.move_together({board.units[0]: [(0, 0), (0, 1), (0, 1), (0, 2)]})


def test_a_unit_may_return_to_ground_where_it_could_not_stop():
    profile = MoveProfile(no_stop=frozenset({"swamp"}))
    board = placed("000\n000", (0, 1), (0, 0), profile=profile)
    with board.tilemap.edit() as edit:
        edit.set_kind((0, 1), "swamp")
    aside = [(0, 1), (0, 1), (1, 1), (0, 1)]
    ahead = [(0, 0), (0, 0), (0, 1), (0, 2)]
    board.move_together(dict(zip(board.units, (aside, ahead), strict=True)))
    assert [unit.cell[:2] for unit in board.units] == [(0, 1), (0, 2)]
