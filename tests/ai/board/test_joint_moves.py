"""Joint moves of units, and that a board moves units along every plan of a squad."""

import re

import pytest
from hypothesis import assume, note
from hypothesis import strategies as st

from ai import Board, MoveProfile, MoveRefused, SquadPlanner, Unit
from terrain3d import TileMap
from tests.long.squads import board_of, is_accepted
from tests.support.boards import one_edit, posted
from tests.support.joint_moves_reference import crowded, mixed
from tests.support.plain_map import all_surfaces
from tests.support.reference import tried
from tests.support.selection import table


def test_all_keep_step_and_a_waiting_unit_stands():
    board, units = posted("a..\n.b.", "000\n010")
    a, b = units["a"], units["b"]
    board.move_together({a: [(0, 0), (0, 1), (0, 2)], b: [(1, 1), (1, 1), (0, 1)]}, step_s=0.5)
    assert board.log[-1].changes[1].along == ((1, 1, 0), (1, 1, 0), (0, 1, 0))
    seen = []
    for _ in range(4):
        seen.append((a.pose, b.pose))
        for unit in (a, b):
            unit.advance(0.25)
    assert [one.point[0] for one, _ in seen] == [0.5, 1.0, 1.5, 2.0]
    assert [one.action for one, _ in seen] == ["stand", "walk", "walk", "walk"]
    assert [other.action for _, other in seen] == ["stand", "stand", "crouch", "drop"]
    assert len({other.point for _, other in seen[:3]}) == 1
    assert not a.is_moving | b.is_moving


@table(
    "paths why",
    ({"a": [(0, 0), (0, 1)], "b": [(0, 1), (0, 0)]}, "a and b would trade places"),
    ({"a": [(0, 0), (1, 0)], "b": [(0, 1), (1, 1), (1, 0)]}, "a and b would both be on"),
    ({"a": [(0, 0), (0, 1)]}, r"a cannot go there: \(0, 1\) is occupied"),
    ({"a": []}, "a cannot go there: the path does not start"),
    ({"b": [(0, 1), (0, 2), (1, 2), (1, 1)]}, r"the path has to end at \(1, 2\)"),
    ({"a": [(0, 0), *[(1, 0), (0, 0)] * 3]}, "costs 6 move points, but a has 5"),
)
def test_an_illegal_joint_move_is_refused_with_its_reason(paths, why):
    board, units = posted("ab...\n...R.")
    with pytest.raises(MoveRefused, match=why):
        board.move_together({units[name]: cells for name, cells in paths.items()})
    assert board.log == ()


def test_waiting_alone_is_no_order():
    board, units = posted("a..")
    board.move(units["a"], (0, 1))
    board.undo()
    board.move_together({units["a"]: [(0, 0), (0, 0)]})
    assert board.log == ()
    assert board.redo()


def test_a_unit_that_covers_several_tiles_moves_alone():
    board = Board(TileMap.from_text("0000\n0000"))
    wide = board.add(Unit("wide", (0, 0), profile=MoveProfile(size=2)))
    with pytest.raises(MoveRefused, match="wide covers several tiles"):
        board.move_together({wide: [(0, 0), (0, 1)]})


@tried(100, crowded() | mixed(), st.data())
def test_every_plan_is_a_legal_joint_move(squad, data):
    tilemap, movers, starts, goals = squad
    board = board_of(squad)
    assume(board is not None)
    others = []
    free = [cell for cell in all_surfaces(tilemap) if cell not in {*starts, *goals}]
    for cell in free[: data.draw(st.integers(0, 2))]:
        if not board.navigation.explain_stop(cell):
            others.append(board.add(Unit(str(cell), cell, data.draw(st.sampled_from("rb")))).cell)
    planner = SquadPlanner(board.navigation)
    plan = planner.plan(starts, goals, movers, blocked=others, max_steps=20_000)
    note(f"{tilemap.topology} {tilemap.surface_level.tolist()} {movers} {plan.paths} {others}")
    assert not plan or is_accepted(board, plan.paths)


def placed(text, *cells, **rules):
    board = Board(TileMap.from_text(text))
    for number, cell in enumerate(cells):
        board.add(Unit(str(number), cell, profile=MoveProfile(**rules), move=99))
    one_edit(board.tilemap).set_kind((0, 1), "swamp")
    return board


def test_a_unit_waits_only_where_it_may_stop():
    board = placed("000", (0, 0), no_stop={"swamp"})
    with pytest.raises(MoveRefused, match=r"^0 cannot go there: it cannot stop at \(0, 1\)$"):
        board.move_together({board.units[0]: [(0, 0), (0, 1), (0, 1), (0, 2)]})


def test_a_unit_may_return_to_ground_where_it_could_not_stop():
    board = placed("000\n000", (0, 1), (0, 0), no_stop={"swamp"})
    aside = [(0, 1), (0, 1), (1, 1), (0, 1)]
    ahead = [(0, 0), (0, 0), (0, 1), (0, 2)]
    board.move_together(dict(zip(board.units, (aside, ahead), strict=True)))
    assert [unit.cell[:2] for unit in board.units] == [(0, 1), (0, 2)]


def test_a_diagonal_step_does_not_brush_a_unit_of_the_squad():
    board = placed("00\n00", (0, 0), (0, 1), diagonal="always")
    for *paths, where in (
        ([(0, 0), (1, 1)], [(0, 1)], (0, 1)),
        ([(0, 0), (0, 0), (1, 1)], [(0, 1), (1, 1), (1, 0)], (1, 0)),
    ):
        with pytest.raises(MoveRefused, match=re.escape(f"0 would brush 1 on {where}")):
            board.move_together(dict(zip(board.units, paths, strict=True)))
