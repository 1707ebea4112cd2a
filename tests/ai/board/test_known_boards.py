"""What a side can ask and order by what it knows, against a board of that alone and true rules."""

import copy
import itertools
import json
import pickle
from contextlib import suppress

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given

from ai import (
    Behavior,
    Board,
    BoardValues,
    Chase,
    GameRecord,
    KnownMap,
    MoveProfile,
    MoveRefused,
    Unit,
    Weapon,
    plain_reason,
)
from terrain3d import MapFileError, Reason, TileMap
from tests.support import rulebook
from tests.support.boards import random_units
from tests.support.reference import ground, thoroughly
from tests.support.strategies import profiles
from tests.support.strategies import tilemaps as mixed_maps
from tests.support.turns_reference import SLACK, Referee

MOVES = st.sampled_from([0, 1, 2, 4.5, 7, 20])
BOW = Weapon(max_tiles=3)


@st.composite
def fogged(draw, orders=(None, "sides")):
    """Draw a board, what a side knows of its map, one of its units, and the columns in sight."""
    tilemap = draw(mixed_maps(max_side=4))
    cells = rulebook.whereabouts(tilemap, MoveProfile())
    assume(cells)
    board = Board(tilemap, draw(st.sampled_from(orders)))
    for number in range(draw(st.integers(1, 6))):
        with suppress(ValueError):  # it cannot stand there
            unit = draw(random_units(f"unit {number}", cells, profiles(tilemap.topology), MOVES))
            board.add(unit)
    assume(board.units)
    known = KnownMap(tilemap, draw(st.sampled_from(["open", "open", "closed", 2])))
    columns = list(itertools.product(range(tilemap.rows), range(tilemap.cols)))
    some = st.lists(st.sampled_from(columns), max_size=8)
    known.reveal(draw(some))
    known.refog()
    in_sight = set(draw(some))
    known.reveal(in_sight)
    unit = draw(st.sampled_from(board.units))
    known.reveal([unit.cell])
    held = {tile[:2] for each in board.units for tile in each.cells}
    free = [column for column in columns if column not in held]
    for column in draw(st.lists(st.sampled_from(free), max_size=2)) if free else ():
        with suppress(ValueError), tilemap.edit() as edit:  # not known before it is seen again
            edit.set_level(column, draw(st.integers(0, 3)))
            edit.set_kind(column, draw(st.sampled_from(["grass", "sand", "void"])))
            for deck in tilemap.decks_at(column)[1:]:
                edit.remove_deck([column], deck)
    board.clear_history()
    return board, known, unit, in_sight | {unit.cell[:2]}


def is_seen(other, unit, in_sight):
    tiles = rulebook.tiles(other.profile, other.cell)
    return other.team == unit.team or not in_sight.isdisjoint(tile[:2] for tile in tiles)


def answers(board, unit, goals, **more):
    """Return all that a side can ask of a unit, as plain values."""
    reach, situation = board.reach(unit, **more), board.situation(unit, **more)
    threat, hits = board.threat(unit.team, **more), board.targets(unit, BOW, **more)
    found = [list(zip(reach, map(reach.cost_to, reach), strict=True)), reach.budget]
    found += [*map(set, vars(situation.blockers).values()), set(situation.bodies), situation.here]
    found += [threat.count.tolist(), set(threat.cells)]
    found += [[each.name for each in hits.units], sorted(each.name for each in hits.from_cells)]
    for goal in goals:
        path = board.find_path(unit, goal, **more)
        found.append((path.cells, path.cost, path.reason))
        with suppress(IndexError):  # the unit stands where its side knows of no deck
            search = board.begin_search(unit, goal, **more)
            search.run()
            found.append((search.path.cells, search.path.cost))
        for partial in (False, True):
            plan = board.plan(unit, goal, partial=partial, **more)
            found.append((plan.cells, plan.cost, plan.reason, plan.partial, plan.turn_ends))
            found.append((plan.path.cells, plan.path.cost, plan.path.reason))
    return found


def goals_in(data, tilemap):
    cells = [
        (row, col, deck)
        for row, col in itertools.product(range(tilemap.rows), range(tilemap.cols))
        for deck in tilemap.decks_at((row, col)) or (0,)
    ]
    return data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=4))


@thoroughly(150)
@given(st.data())
def test_answers_are_those_of_a_board_that_has_only_what_is_known(data):
    board, known, unit, in_sight = data.draw(fogged())
    seen = {each.name: each.state for each in board.units if is_seen(each, unit, in_sight)}
    turn = board.log_start.turn._replace(team=board.turn and board.turn.team)
    alone = Board.restore(copy.copy(known.tilemap), BoardValues(seen, turn))
    goals = goals_in(data, known.tilemap)
    for each in (unit, *(other for other in board.units if other.team == unit.team)):
        expected = answers(alone, alone.unit(each), goals)
        assert answers(board, each, goals, known=known) == expected
        other = board.copy()
        assert answers(other, other.unit(each), goals, known=known) == expected


@thoroughly(100)
@given(st.data())
def test_no_answer_names_a_unit_that_is_not_seen(data):
    board, known, unit, in_sight = data.draw(fogged(("sides", "wait")))
    hidden = [each.name for each in board.units if not is_seen(each, unit, in_sight)]
    goals = goals_in(data, known.tilemap)
    texts = [repr(answers(board, unit, goals, known=known))]
    for goal in goals:
        if not board.plan(unit, goal, known=known):
            with pytest.raises(MoveRefused) as refused:
                board.move(unit, goal, known=known)
            texts += [str(refused.value), repr(refused.value.reason.values)]
            texts.append(plain_reason(refused.value.reason))
    assert not [name for name in hidden if any(name in text for text in texts)]


def walk_by_rules(referee, cells, points):
    """Return the number of the cell where a unit stops by the true rules, and what it spent."""
    spent, ends, is_halted = 0, (0, 0), False
    for number, (one, other) in enumerate(itertools.pairwise(cells), 1):
        price = None if is_halted else referee.steps(one).get(tuple(other))
        if price is None or spent + price > points * (1 + SLACK) + SLACK:
            break
        spent += price
        is_halted = referee.halts(other, cells[0])
        if referee.can_stop(other):
            ends = number, spent
    return ends


def texts_of(log):
    changes = [change for entry in log for change in entry.changes]
    return [(each.stop, getattr(each.stop, "values", None)) for each in changes]


@thoroughly(150)
@given(data=st.data())
def test_a_move_ends_where_the_true_rules_end_it(tmp_path_factory, data):
    board, known, unit, _ = data.draw(fogged((None, "sides", "wait")))
    assume(not board.turn_reason(unit))
    far = board.reach(unit, known=known).cells[1:][::-1]
    goal = data.draw(st.sampled_from([*far, *goals_in(data, known.tilemap)]))
    plan = board.plan(unit, goal, partial=data.draw(st.booleans()), known=known)
    assume(len(plan) > 1)
    before, points = board.digest(), unit.points
    referee, together = Referee(board, unit), board.copy()
    end, spent = walk_by_rules(referee, plan.cells, points)
    walked = board.move(plan)
    assert walked.cells == plan.cells[: end + 1]
    assert unit.cell == plan.cells[end]
    if board.turns:
        left = 0 if referee.halts(unit.cell, plan.cells[0]) else points - spent
        assert unit.points == pytest.approx(left, abs=SLACK)
    [change] = board.log[-1].changes
    is_short = end < len(plan) - 1
    assert bool(change.stop) == is_short
    assert walked.reason == (change.stop if is_short else plan.reason)
    after = board.digest()
    if unit.profile.size == 1:
        together.move_together({together.unit(unit): plan.cells}, known=known)
        assert together.digest() == after
        assert bool(together.log[-1].changes[0].stop) == is_short
    assert board.undo()
    assert board.digest() == before
    assert board.redo()
    assert board.digest() == after
    path = tmp_path_factory.mktemp("games") / "game.tmap"
    GameRecord.of(board).save(path)
    record = GameRecord.load(path)
    assert texts_of(record.log) == texts_of(board.log)
    assert (record.replay(0).digest(), record.replay().digest()) == (before, after)
    for other in (board.copy(), pickle.loads(pickle.dumps(board))):
        assert texts_of(other.log) == texts_of(board.log)
        assert other.undo()
        assert other.digest() == before


CORRIDOR = "0000000\n9999999"


def ambush(turns="sides", at=(0, 3), **more):
    """Return a board with Mira, a ghost in her way that she does not see, and what she knows."""
    board = Board(ground(CORRIDOR), turns)
    mira = board.add(Unit("Mira", (0, 0), move=9))
    ghost = board.add(Unit("Ghost", at, "red", **more))
    board.clear_history()
    known = KnownMap(board.tilemap)
    known.see_from(mira.cell, radius=1)
    return board, mira, ghost, known


def test_a_unit_stops_before_one_that_is_hidden_and_the_log_says_why(tmp_path):
    board, mira, _, known = ambush()
    heard = []
    board.unit_moved.connect(lambda unit, path: heard.append((unit, path.cells[-1][:2])))
    assert not board.plan(mira, (0, 6))
    plan = board.move(mira, (0, 6), known=known)
    assert (plan.cost, mira.points, plan.partial) == (2, 7, True)
    assert heard == [(mira, (0, 2))]
    assert plan.reason == board.log[-1].changes[0].stop == "Ghost stands on (0, 3)"
    GameRecord.of(board).save(tmp_path / "game.tmap")
    record = GameRecord.load(tmp_path / "game.tmap")
    assert record.log[0].changes[0].stop == plan.reason


def test_a_hidden_zone_of_control_halts_and_takes_all_points():
    board, mira, _, known = ambush(has_zoc=True)
    plan = board.move(board.plan(mira, (0, 6), partial=True, known=known))
    assert (mira.cell[:2], mira.points) == ((0, 2), 0)
    assert plan.reason == "Ghost stands on (0, 3)"
    board, mira, ghost, known = ambush(at=(0, 6), has_zoc=True)
    board.remove(ghost)
    board.add(Unit("Tower", (1, 3), "red", MoveProfile(max_drop=9), has_zoc=True))
    plan = board.move(mira, (0, 6), known=known)
    assert (mira.cell[:2], mira.points) == ((0, 3), 0)
    assert plan.reason == "Tower's zone of control ends the path at (0, 3)"


def test_a_unit_that_meets_one_at_once_stays_and_the_log_says_why():
    board, mira, _, known = ambush(at=(0, 1))
    known.refog()
    heard = []
    for signal in (board.unit_moved, mira.move_started, mira.move_finished):
        signal.connect(lambda *values: heard.append(values))
    before = board.digest()
    plan = board.move(mira, (0, 6), known=known)
    mira.advance(9)
    assert (plan.cells, plan.reason) == ([(0, 0, 0)], "Ghost stands on (0, 1)")
    assert (mira.cell[:2], mira.points, board.digest(), heard) == ((0, 0), 9, before, [])
    assert [change.stop for change in board.log[-1].changes] == ["Ghost stands on (0, 1)"]
    assert board.undo()
    assert board.redo()
    assert (len(board.log), board.digest(), heard) == (1, before, [])
    wander = board.act(mira, Go((0, 1)), known=known, is_automatic=True)
    assert (len(board.log), wander.reason) == (1, "Ghost stands on (0, 1)")


def test_a_joint_move_stops_for_all_before_a_hidden_unit():
    board, mira, _, known = ambush(at=(0, 5))
    pell = board.add(Unit("Pell", (0, 1), move=9))
    ahead = {pell: range(1, 6), mira: (0, 0, 1, 2, 3)}
    paths = {unit: [(0, col) for col in cols] for unit, cols in ahead.items()}
    before = board.digest()
    with pytest.raises(MoveRefused, match=r"no legal step leads from \(0, 4\)"):
        board.move_together(paths)
    with pytest.raises(MoveRefused, match="would both be on"):  # as far as the side knows
        board.move_together({pell: [(0, 1)], mira: [(0, 0), (0, 1)]}, known=known)
    assert board.digest() == before
    board.move_together(paths, known=known)
    assert (mira.cell[:2], pell.cell[:2], mira.points, pell.points) == ((0, 2), (0, 4), 7, 6)
    why = "Pell cannot go there: no legal step leads from (0, 4) to (0, 5)"
    assert [change.stop for change in board.log[-1].changes] == [why, why]
    assert board.undo()
    assert board.digest() == before


class Go(Behavior):
    def __init__(self, cell):
        self._cell = cell

    def _choose(self, _situation):
        return self._cell


def test_a_behavior_is_told_what_its_side_knows():
    board, mira, ghost, known = ambush(turns=None)
    sees = Chase(lambda: ghost.cell if known.sees(ghost.cells) else None)
    path = board.act(mira, sees, known=known)
    assert path.reason == "there is no target"
    known.see_from(mira.cell, radius=6)
    while path := board.act(mira, sees, known=known):
        pass
    assert mira.cell[:2] == (0, 2)
    assert board.situation(mira, known=known).blocked == ((0, 3, 0),)
    known.refog()
    assert board.situation(mira, known=known).blocked == ()


def test_units_of_the_side_and_of_allies_are_always_seen():
    board = Board(ground("0000000"), allies=[("blue", "green")], neutral=["barrels"])
    mira = board.add(Unit("Mira", (0, 0), move=9))
    for name, col, team in (("Odo", 1, "blue"), ("Pell", 2, "green"), ("Barrel", 4, "barrels")):
        board.add(Unit(name, (0, col), team))
    known = KnownMap(board.tilemap)
    reached = [cell.col for cell in board.reach(mira, known=known)]
    assert reached == [0, 3, 4, 5, 6]
    assert board.plan(mira, (0, 2), known=known).reason == "Pell stands on (0, 2)"
    known.reveal([(0, 4)])
    assert [cell.col for cell in board.reach(mira, known=known)] == [0, 3]
    assert board.plan(mira, (0, 5), known=known).reason == "Barrel stands on (0, 4)"


def test_the_turn_of_a_unit_that_is_not_seen_is_that_of_its_team():
    board, mira, ghost, known = ambush("wait", wait=1)
    assert board.plan(mira, (0, 1)).reason == "it is Ghost's turn"
    assert board.plan(mira, (0, 1), known=known).reason == "it is red's turn"
    known.reveal([ghost.cell])
    assert board.plan(mira, (0, 1), known=known).reason == "it is Ghost's turn"


def test_goals_on_decks_are_those_that_the_side_knows():
    board, mira, _, known = ambush()
    with board.tilemap.edit() as edit:
        edit.add_deck((0, 5), level=1, kind="grass")
    with pytest.raises(IndexError, match=r"\(0, 5\) has no deck 1"):
        board.plan(mira, (0, 5, 1), known=known)
    known.reveal([(0, 5)])
    plan = board.plan(mira, (0, 5, 1), known=known)
    board.tilemap.undo()
    assert board.move(plan).reason == "Ghost stands on (0, 3)"
    assert board.move(mira, (0, 5, 1), known=known).reason == "Ghost stands on (0, 3)"


def test_remembered_ground_that_is_gone_stops_a_unit():
    board, mira, ghost, known = ambush()
    board.remove(ghost)
    with board.tilemap.edit() as edit:
        edit.add_deck((0, 5), level=1, kind="grass")
    known.reveal([(0, 5)])
    board.tilemap.undo()
    walked = board.move(mira, (0, 5, 1), known=known)
    assert (walked.cells[-1], walked.reason) == ((0, 4, 0), "the ground at (0, 5) deck 1 is gone")


def test_a_plan_holds_until_its_side_learns_more():
    board, mira, ghost, known = ambush()
    plan = board.plan(mira, (0, 6), known=known)
    ghost._change({"move": 1})
    with board.tilemap.edit() as edit:
        edit.set_level((0, 6), 1)
    board.tilemap.undo()
    assert known.see_from(mira.cell, radius=1) == []
    other = KnownMap(board.tilemap)
    assert len(board.plan(mira, (0, 2), known=other)) == 3
    twin = board.copy()
    with pytest.raises(MoveRefused, match="the plan is one of another board"):
        twin.move(plan)
    known.reveal([(1, 6)])
    with pytest.raises(MoveRefused, match="the map has changed since the plan was made"):
        board.move(plan)
    plan = board.plan(mira, (0, 6), known=known)
    known.reveal([(0, 2)])
    ghost._change({"move": 2})
    plan = board.plan(mira, (0, 6), known=known)
    board.move(plan)
    assert mira.cell[:2] == (0, 2)
    with pytest.raises(MoveRefused, match="units have changed since the plan was made"):
        board.move(plan)


def test_an_action_keeps_why_each_of_its_units_stopped():
    board, mira, _, known = ambush()
    with board.action("charge", by=mira) as action:
        board.move(mira, (0, 6), known=known)
        action.data["hits"] = 0
    [change] = board.log[-1].changes
    assert (change.stop, board.log[-1].data) == ("Ghost stands on (0, 3)", {"hits": 0})
    loaded = pickle.loads(pickle.dumps(board))
    assert loaded.log[-1].changes[0].stop.values == {"unit": "Ghost", "cell": (0, 3, 0)}


def test_a_known_map_of_another_size_or_none_is_refused():
    board, mira, _, known = ambush()
    with pytest.raises(ValueError, match="known must be of a map of "):
        board.reach(mira, known=KnownMap(TileMap.from_text("00")))
    with pytest.raises(TypeError, match="known must be a KnownMap"):
        board.plan(mira, (0, 1), known=board.navigation)
    with pytest.raises(TypeError, match="a plan leads to its own cell"):
        board.move(board.plan(mira, (0, 1), known=known), known=known)


@pytest.mark.parametrize(
    "stop",
    [
        "Ghost",
        3,
        [0, 1],
        {"code": "stands_on"},
        {"code": "stands_on", "values": {"unit": "Ghost"}},
        {"code": "stands_on", "values": {"unit": "Ghost", "cell": "there"}},
        {"code": "stands_on", "values": {"unit": "Ghost", "cell": [0, 99]}},
        {"code": "{unit.__class__}", "values": {"unit": "Ghost"}},
        {"code": "closed_corner", "values": {"why": {"code": "?", "values": {}}}},
    ],
    ids=str,
)
def test_a_file_with_a_wrong_reason_is_refused(stop, tmp_path):
    board, mira, _, known = ambush()
    board.move(mira, (0, 6), known=known)
    path = tmp_path / "game.tmap"
    GameRecord.of(board).save(path)
    data = json.loads(path.read_text())
    data["replay"]["log"][0]["units"][0]["stop"] = stop
    path.write_text(json.dumps(data))
    with pytest.raises(MapFileError, match="replay"):
        GameRecord.load(path)


def test_nested_reasons_are_read_as_they_were(tmp_path):
    board = Board(ground("090\n000\n000"))
    mira = board.add(Unit("Mira", (0, 0), profile=MoveProfile(diagonal="always"), move=9))
    known = KnownMap(board.tilemap)
    profile = MoveProfile(diagonal="only_if_no_obstacles")
    mira.profile = profile
    board.move(mira, (1, 1), known=known)
    GameRecord.of(board).save(tmp_path / "game.tmap")
    [before], [after] = (
        board.log[-1].changes,
        GameRecord.load(tmp_path / "game.tmap").log[-1].changes,
    )
    assert isinstance(after.stop, Reason)
    assert (after.stop.code, after.stop.values) == (before.stop.code, before.stop.values)
    assert after.stop.code == "closed_corner"
