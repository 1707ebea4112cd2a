"""A commander of several units: select them, order them together, wait for their search."""

import pytest

from ai import MoveProfile, Unit
from tests.support.commanders import arrive, at, recorded_events


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
    commander, units = at("ab......\n........", all={"move": 9})
    orders, events = [], recorded_events(commander)
    commander.squad_ordered.connect(orders.append)
    commander.select_all(units.values())
    events.clear()
    commander.act_on((1, 6))
    ends = [unit.cell[:2] for unit in units.values()]
    assert ends in ([(1, 6), (1, 7)], [(1, 5), (1, 6)])
    assert [order.units for order in orders] == [tuple(units.values())]
    assert events == []
    for unit in units.values():
        arrive(unit)
    commander.undo()
    assert [unit.cell[:2] for unit in units.values()] == [(0, 0), (0, 1)]


def test_a_squad_without_points_is_refused_and_stays():
    commander, units = at("ab.......", all={"move": 0})
    events = []
    commander.refused.connect(events.append)
    commander.select_all(units.values())
    commander.act_on((0, 7))
    reasons = [f"{name} cannot go there: costs 7 move points, but {name} has 0" for name in "ab"]
    assert events == ["; ".join(reasons)]
    assert [unit.cell[:2] for unit in units.values()] == [(0, 0), (0, 1)]


@pytest.fixture
def waiting():
    """A commander with an order to two units that waits, its units, and the orders given."""
    commander, units = at("ab.......\n.........")
    given = []
    commander.squad_ordered.connect(lambda order: given.append(order.goals))
    commander.order_given.connect(lambda unit, path: given.append((unit.name, path.cells[-1])))
    commander.refused.connect(given.append)
    commander.is_squad_ready = False
    commander.select_all(units.values())
    commander.act_on((0, 3))
    assert commander.waiting_squad == tuple(units.values())
    assert given == []
    return commander, units, given


def test_an_order_to_a_squad_waits_until_squads_are_ready(waiting):
    commander, units, given = waiting
    commander.select_all(())
    commander.is_squad_ready = True
    assert len(given) == 1
    assert (0, 3, 0) in given[0]
    assert all(unit.is_moving for unit in units.values())
    assert commander.waiting_squad == ()
    commander.is_squad_ready = True
    assert len(given) == 1


def test_a_later_order_replaces_one_that_waits(waiting):
    commander, units, given = waiting
    commander.act_on((1, 3))
    commander.select(units["a"])
    commander.act_on((1, 0))
    assert commander.waiting_squad == ()
    commander.is_squad_ready = True
    assert given == [("a", (1, 0, 0))]


def test_an_order_that_waits_is_undone_first(waiting):
    commander, _, given = waiting
    undone = []
    commander.order_undone.connect(undone.append)
    commander.undo()
    commander.is_squad_ready = True
    commander.undo()
    assert (given, undone, commander.waiting_squad) == ([], [True, False], ())


@pytest.mark.parametrize("goal_deck", [0, 1])
def test_an_order_that_waits_is_dropped_with_its_unit_and_with_its_goal(goal_deck):
    commander, units = at("ab.......")
    with commander.board.tilemap.edit() as edit:
        edit.add_deck([(0, 3)], level=9, kind="grass")
    commander.is_squad_ready = False
    commander.select_all(units.values())
    commander.act_on((0, 3, goal_deck))
    assert commander.waiting_squad
    if goal_deck:
        with commander.board.tilemap.edit() as edit:
            edit.remove_deck([(0, 3)], deck=1)
    else:
        commander.board.remove(units["a"])
    assert commander.waiting_squad == ()
    commander.is_squad_ready = True
    assert not units["b"].is_moving


def test_selecting_one_unit_ends_the_squad_and_a_lost_one_leaves_it():
    commander, units = at("abc")
    commander.select_all(units.values())
    commander.board.remove(units["a"])
    assert commander.squad == (units["b"], units["c"])
    assert commander.selected is units["b"]
    commander.act_on((0, 2))
    assert commander.squad == (units["c"],)


def test_a_stranger_cannot_be_selected_among_others():
    commander, units = at("ab")
    with pytest.raises(ValueError, match="zz is not on this board"):
        commander.select_all([*units.values(), Unit("zz", (0, 0))])
    assert commander.squad == ()


def test_a_unit_that_covers_several_tiles_moves_alone():
    commander, units = at("a...b.\n......", a={"profile": MoveProfile(size=2)})
    events = []
    commander.refused.connect(events.append)
    commander.select_all(units.values())
    commander.act_on((1, 5))
    assert events == ["a covers several tiles and has to move alone"]


@pytest.mark.parametrize("lost", ["a", "C"])
def test_a_unit_that_lost_its_deck_does_not_stop_the_scene(lost):
    commander, units = at("ab....C", all={"move": 9})
    board, events = commander.board, []
    where = units[lost].cell
    board.remove(units[lost])
    with board.tilemap.edit() as edit:
        edit.add_deck(where[:2], level=5, kind="road")
    unit = board.add(Unit(lost, (*where[:2], 1), units[lost].team, move=9))
    with board.tilemap.edit() as edit:
        edit.remove_deck(where[:2])
    commander.refused.connect(events.append)
    commander.select_all([unit, units["b"]] if lost == "a" else [units["a"], units["b"]])
    commander.act_on((0, 4))
    if lost == "a":
        assert events == ["a cannot go there: the ground at (0, 0) deck 1 is gone"]
    else:
        assert events == []


def test_a_squad_waits_until_all_have_come():
    commander, units = at("ab.......")
    events = []
    commander.refused.connect(events.append)
    commander.board.move(units["b"], (0, 3))
    commander.select_all(units.values())
    assert (commander.reach, commander.plan) == (None, None)
    commander.act_on((0, 5))
    assert events == ["b is still walking"]
