"""What a side sees, asks and orders in fog, against a board with the units that it sees alone."""

import itertools
from contextlib import suppress

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume

from ai import Board, GameRecord, MoveProfile, MoveRefused, Unit, Weapon, plain_reason
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.boards import one_action, random_units
from tests.support.reference import ground, tried
from tests.support.strategies import profiles
from tests.support.strategies import tilemaps as mixed_maps
from tests.support.turns_reference import Referee

MOVES, SIGHTS = st.sampled_from([0, 1, 2, 4.5, 7, 20]), st.integers(0, 3)
BOW = Weapon(max_tiles=3)
ALLIES = [("blue", "green")]


@st.composite
def fogged(draw, orders=(None, "sides")):
    """Draw a board in fog and one of its units."""
    tilemap = draw(mixed_maps(max_side=4))
    cells = rulebook.whereabouts(tilemap, MoveProfile())
    assume(cells)
    allies = draw(st.sampled_from([(), ALLIES]))
    board = Board(tilemap, draw(st.sampled_from(orders)), fog=True, allies=allies)
    movers = profiles(tilemap.topology)
    for number in range(draw(st.integers(1, 6))):
        with suppress(ValueError):  # it cannot stand there
            board.add(draw(random_units(f"unit {number}", cells, movers, MOVES, sight=SIGHTS)))
    assume(board.units)
    board.clear_history()
    return board, draw(st.sampled_from(board.units))


def in_sight(board, team):
    tilemap, nav, found = board.tilemap, board.navigation, set()
    own = [each for each in board.units if board.sides.are_allies(each.team, team)]
    columns = list(itertools.product(range(tilemap.rows), range(tilemap.cols)))
    for unit, tile, column in ((u, t, c) for u in own for t in u.cells for c in columns):
        if tilemap.has_surface(tile) and tilemap.grid.distance(tile[:2], column) <= unit.sight:
            ends = [(*column, deck) for deck in {0, *tilemap.decks_at(column)}]
            ends = [end for end in ends if tilemap.has_surface(end)]
            if any(nav.line_of_sight(tile, end) for end in ends):
                found.add(column)
    return found


def is_seen(board, other, team):
    tiles = rulebook.tiles(other.profile, other.cell)
    is_ally = board.sides.are_allies(other.team, team)
    return is_ally or not in_sight(board, team).isdisjoint(tile[:2] for tile in tiles)


def alone(board, team):
    """Return a board without fog, with the units alone that a team sees."""
    hidden = [each.name for each in board.units if not is_seen(board, each, team)]
    made = Board(board.tilemap, allies=board.sides.allies)
    made._resume(board.state, made._log)  # all units of the turn, also those that are removed now
    for name in hidden:
        made.remove(name)
    made._resume(board.state.with_(units=made.state.units), made._log)
    return made


def answers(board, unit, goals):
    reach, situation = board.reach(unit), board.situation(unit)
    threat, hits = board.threat(unit.team), board.targets(unit, BOW)
    found = [list(zip(reach, map(reach.cost_to, reach), strict=True)), reach.budget]
    blockers = situation.blockers
    found += [*map(set, (blockers.blocked, blockers.passable, blockers.halting))]
    found += [set(situation.bodies), situation.here, threat.count.tolist(), set(threat.cells)]
    found += [[each.name for each in hits.units], sorted(each.name for each in hits.from_cells)]
    for goal in goals:
        path = board.find_path(unit, goal)
        found.append((path.cells, path.cost, path.reason))
        for partial in (False, True):
            plan = board.plan(unit, goal, partial=partial)
            found.append((plan.cells, plan.cost, plan.reason, plan.partial, plan.turn_ends))
            found.append((plan.path.cells, plan.path.cost, plan.path.reason))
    return found


def goals_in(data, tilemap):
    columns = itertools.product(range(tilemap.rows), range(tilemap.cols))
    cells = [(*column, deck) for column in columns for deck in tilemap.decks_at(column) or (0,)]
    return data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=4))


@tried(100, st.data())
def test_a_side_sees_what_its_units_and_allies_have_in_sight(data):
    board, unit = data.draw(fogged())
    columns = {tuple(column) for column in np.argwhere(board.seen(unit.team)).tolist()}
    assert columns == in_sight(board, unit.team)
    for other in board.units:
        assert board.is_seen(other, unit.team) == is_seen(board, other, unit.team)


@tried(150, st.data())
def test_answers_are_those_of_a_board_with_the_units_that_are_seen(data):
    board, unit = data.draw(fogged())
    other, goals = alone(board, unit.team), goals_in(data, board.tilemap)
    for each in (each for each in board.units if each.team == unit.team):
        expected = answers(other, other.unit(each), goals)
        assert answers(board, each, goals) == expected
        twin = board.copy()
        assert answers(twin, twin.unit(each), goals) == expected


@tried(100, st.data())
def test_no_answer_names_a_unit_that_is_not_seen(data):
    board, unit = data.draw(fogged(("sides", "wait")))
    hidden = [each.name for each in board.units if not board.is_seen(each, unit.team)]
    goals = goals_in(data, board.tilemap)
    texts = [repr(answers(board, unit, goals)), str(board.turn_reason(unit))]
    for goal in goals:
        if not board.plan(unit, goal):
            with pytest.raises(MoveRefused) as refused:
                board.move(unit, goal)
            texts += [str(refused.value), repr(refused.value.reason.values)]
            texts.append(plain_reason(refused.value.reason))
    assert not [name for name in hidden if any(name in text for text in texts)]


@tried(150, st.data())
def test_an_order_ends_where_the_true_rules_stop_it(data):
    board, unit = data.draw(fogged())
    board.clear_history()
    plans = (board.plan(unit, goal) for goal in goals_in(data, board.tilemap))
    for plan in filter(None, plans):
        referee, before = Referee(board, unit), unit.points
        end, spent = referee.walk(plan.cells, before)
        start, digest = unit.cell, board.digest()
        walked = board.move(plan)
        assert walked.cells == plan.cells[: end + 1]
        assert walked.cost == pytest.approx(spent)
        assert unit.cell == plan.cells[end]
        assert bool(walked.reason) == (end < len(plan) - 1)
        if board.turns and not referee.halts(unit.cell, start):
            assert unit.points == pytest.approx(before - spent)
        if board.log:
            record = GameRecord.of(board)
            assert record.replay().digest() == board.digest()
            board.undo()
        assert board.digest() == digest
        break


def hiding(cols=9, **more):
    """Return a board on which Mira sees two tiles far, and Odo stands farther away."""
    board = Board(TileMap.from_text("\n".join(["0" * cols] * 3)), "sides", fog=True)
    mira = board.add(Unit("Mira", (1, 0), sight=2, move=20))
    odo = board.add(Unit("Odo", (1, 5), "red", sight=2, **more))
    board.clear_history()
    return board, mira, odo


def test_a_unit_walks_until_it_meets_one_that_it_did_not_see():
    board, mira, odo = hiding()
    assert not board.is_seen(odo, "blue")
    assert board.reach(mira).cost_to(odo.cell) == 5
    walked = board.move("Mira", odo.cell)
    assert (mira.cell, str(walked.reason)) == ((1, 4, 0), "Odo stands on (1, 5)")
    assert board.is_seen("Odo", "blue")
    board, mira, odo = hiding(has_zoc=True)
    board.move(mira, (1, 8))
    assert (mira.cell, mira.points) == ((1, 4, 0), 0)


def test_a_squad_walks_as_far_as_all_may_before_one_meets_what_it_did_not_see():
    board, mira, _ = hiding()
    pell = board.add(Unit("Pell", (0, 0), sight=2, move=20))
    paths = {unit: [(unit.cell.row, col) for col in range(8)] for unit in (mira, pell)}
    board.move_together(paths)
    assert (mira.cell, pell.cell) == ((1, 4, 0), (0, 4, 0))


def test_plans_hold_when_units_move_that_are_not_seen_and_not_when_others_do():
    board, mira, odo = hiding(cols=20)
    plan = board.plan(mira, (1, 1))
    one_action(board).place(odo, (1, 19))
    board.move(plan)
    plan = board.plan(mira, (1, 2))
    one_action(board).place(odo, (1, 3))
    with pytest.raises(MoveRefused, match="have changed since"):
        board.move(plan)


def test_a_reach_for_another_side_leaves_out_what_that_does_not_see():
    board, mira, odo = hiding()
    far = board.add(Unit("Far", (1, 8), "red"))
    assert far.cell not in board.reach(odo)
    assert far.cell not in board.reach(odo, seen_by="red")
    one_action(board).place(odo, (1, 2))
    assert board.is_seen(odo, "blue")
    odo.move = 9
    assert far.cell in board.reach(odo, seen_by="blue")
    assert mira.cell not in board.reach(odo, seen_by="blue")


def test_without_fog_all_is_seen():
    board = Board(ground("000"))
    unit = board.add(Unit("Mira", (0, 0), sight=0))
    assert board.seen("red").all()
    assert board.is_seen(unit, "red")
    assert board.seen_state("red") == board.state
