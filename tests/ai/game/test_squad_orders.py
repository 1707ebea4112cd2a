"""Orders to several units: selection, common reach, and who goes, who stays and why."""

import numpy as np
import pytest

from ai import Board, Commander, MoveProfile, SquadOrders, Unit
from ai.game.descriptions import describe_squad
from terrain3d import TileMap
from tests.support.boards import arrive, at, heard_of, one_edit, recorded_events
from tests.support.reference import ground
from tests.support.selection import table


def squad(picture, names="", **more):
    commander, units = at(picture, **more)
    heard = heard_of(commander.refused)
    commander.squad_ordered.connect(lambda order: heard.append([u.name for u in order.units]))
    commander.select_all([units[name] for name in names] or units.values())
    return commander, units, heard


def arrive_all(units):
    for unit in units.values():
        arrive(unit)


def planned(commander, cell):
    return SquadOrders(commander.board).plan(commander.squad, cell)


def test_the_common_reach_is_what_each_of_them_reaches_at_the_highest_cost():
    commander, units, _ = squad("a..b....", b={"move": 2})
    each = [commander.board.reach(unit) for unit in units.values()]
    common = set(each[0].cells) & set(each[1].cells)
    assert common == {(0, 1, 0), (0, 2, 0), (0, 4, 0), (0, 5, 0)}
    assert set(commander.reach.cells) == common
    assert [commander.reach.cost_to(cell) for cell in sorted(common)] == [2, 2, 4, 5]


def test_those_who_can_go_go_and_the_others_say_why():
    commander, units, heard = squad("ab...c..\n........", a={"move": 0})
    commander.act_on((1, 5))
    assert heard[0].startswith("a cannot go there: the step to ")
    assert heard[0].endswith("costs 1 move points, but a never has more than 0")
    assert heard[1] == ["b", "c"]
    assert units["a"].cell == (0, 0, 0)
    # The most central of those who go leads.
    assert (1, 5, 0) in (units["b"].cell, units["c"].cell)
    arrive_all(units)
    commander.undo()
    assert [unit.cell[1] for unit in units.values()] == [0, 1, 5]


def test_those_whose_turn_it_is_not_say_so_and_the_others_go():
    board = Board(ground("00000\n00000"), turns="wait")
    units = {name: board.add(Unit(name, (0, col))) for col, name in enumerate("ab")}
    commander = Commander(board)
    heard = heard_of(commander.refused)
    commander.select_all(units.values())
    assert planned(commander, (1, 3)).stays == {units["b"]: "b cannot go there: it is a's turn"}
    commander.act_on((1, 3))
    assert heard == ["b cannot go there: it is a's turn"]
    assert [unit.cell[:2] for unit in board.units] == [(1, 3), (0, 1)]
    arrive_all(units)
    board.end_turn()
    assert planned(commander, (1, 3)).stays == {units["a"]: "a cannot go there: it is b's turn"}


@table(
    "picture ends",
    ("ab.......\n.........", [(0, 5), (0, 6)]),  # both as far as 5 points last
    ("a......b.\n.........", [(0, 5), (0, 7)]),  # b arrives
    ("a........\nb........", [(0, 5), (1, 5)]),
)
def test_those_whose_points_do_not_last_go_as_far_as_they_do(picture, ends):
    commander, units, heard = squad(picture)
    order = planned(commander, (0, 8))
    commander.act_on((0, 8))
    assert heard == [["a", "b"]]
    assert [unit.cell[:2] for unit in units.values()] == ends
    stopped = {name for name, end in zip("ab", ends, strict=True) if end[1] < 7}
    assert {unit.name for unit in order.parts} == stopped
    names = ", ".join(unit.name for unit in order.parts)
    assert describe_squad(order)[1] == f"as far as points last: {names}"


def test_an_order_to_where_the_units_stand_says_so():
    commander, units, _ = squad("ab.....")
    assert describe_squad(planned(commander, (0, 5))) == ["2 units go"]
    commander.act_on((0, 5))
    arrive_all(units)
    assert describe_squad(planned(commander, (0, 5))) == ["2 units are there"]


def test_wide_units_stay_and_those_whose_figures_walk_go_on():
    wide = {"profile": MoveProfile(size=2)}
    commander, units, heard = squad("aa.b.c...\naa.......", a=wide, all={"move": 9})
    commander.board.move(units["b"], (1, 3))
    commander.act_on((1, 8))
    assert heard == ["a covers several tiles and has to move alone", ["b", "c"]]


def test_a_squad_walks_around_zones_of_control_where_it_can():
    commander, units, heard = squad("ab......\n........\nC.......", names="ab", all={"move": 9})
    commander.act_on((1, 6))
    assert heard == [["a", "b"]]
    assert units["a"].cell[1] >= 5


@pytest.mark.parametrize("seed", range(12))
def test_no_order_takes_a_unit_further_than_its_points(seed):
    rng = np.random.default_rng(seed)
    board = Board(TileMap(rng.integers(0, 3, (6, 6))))
    free = rng.permutation([(row, col) for row in range(6) for col in range(6)])
    teams = ("blue", "blue", "blue", "red")
    units = [
        board.add(Unit(name, cell, team, move=float(rng.integers(0, 8)), has_zoc=team == "red"))
        for name, team, cell in zip("abcD", teams, free, strict=False)
    ]
    order = SquadOrders(board).plan(units[:3], free[5])
    going = list(order.units)
    assert set(going) | set(order.stays) >= set(units[:3])
    assert bool(going) == bool(order.plan)
    before = {unit: unit.cell for unit in units}
    costs = dict(zip(going, order.plan.costs, strict=True))
    assert all(costs[unit] <= unit.move for unit in going)
    if going:
        board.move_together(order.paths)
    assert [unit.cell for unit in going] == list(order.goals)
    assert all(unit.cell == before[unit] for unit in units if unit not in going)
    assert set(order.parts) <= set(going)


def test_a_box_around_units_selects_those_of_the_team_that_has_most():
    commander, units = at("ab..\n..CD\ne...")
    events = recorded_events(commander)
    commander.select_all([units["C"], units["a"], units["b"], units["D"], units["e"]])
    assert commander.squad == (units["a"], units["b"], units["e"])
    assert commander.selected is units["a"]
    assert events == [("unit_selected", units["a"])]
    commander.select_all([units["C"], units["a"]])
    assert commander.squad == (units["C"],)
    commander.select_all([])
    assert (commander.selected, commander.squad) == (None, ())


def test_a_squad_goes_together_in_its_shape_and_that_is_one_order():
    commander, units, heard = squad("ab......\n........", all={"move": 9})
    commander.act_on((1, 6))
    ends = [unit.cell[:2] for unit in units.values()]
    assert ends in ([(1, 6), (1, 7)], [(1, 5), (1, 6)])
    assert heard == [["a", "b"]]
    commander.undo()
    assert [unit.cell[:2] for unit in units.values()] == [(0, 0), (0, 1)]


def test_selecting_one_unit_ends_the_squad_and_a_lost_one_leaves_it():
    commander, units = at("abc")
    commander.select_all(units.values())
    commander.board.remove(units["a"])
    assert commander.squad == (units["b"], units["c"])
    assert commander.selected is units["b"]
    commander.act_on((0, 2))
    assert commander.squad == (units["c"],)


@pytest.mark.parametrize("lost", ["a", "C"])
def test_a_unit_that_lost_its_deck_does_not_stop_the_scene(lost):
    commander, units = at("ab....C", all={"move": 9})
    board, events = commander.board, []
    where = units[lost].cell
    board.remove(units[lost])
    one_edit(board.tilemap).add_deck(where[:2], level=5, kind="road")
    unit = board.add(Unit(lost, (*where[:2], 1), units[lost].team, move=9))
    one_edit(board.tilemap).remove_deck(where[:2])
    commander.refused.connect(events.append)
    commander.select_all([(units | {lost: unit})[name] for name in "ab"])
    commander.act_on((0, 4))
    why = "a cannot go there: the ground at (0, 0) deck 1 is gone"
    assert events == [why] * (lost == "a")
