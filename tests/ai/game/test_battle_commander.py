"""What a player does in a battle: move, choose a skill, see its numbers, attack, wait."""

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from ai import Board, Unit, plain_reason
from ai.game.battle import DOOR, SKILLS, Battle, Choice
from ai.game.battle_commander import BattleCommander, describe_deed, describe_state
from ai.game.blow_texts import forecast_cards
from ai.game.objective import Objective
from terrain3d import KINDS, Cell, TileKind, TileMap
from tests.support.boards import heard_of, one_action, one_edit
from tests.support.selection import rest_nightly, table

STATS = {"hp": 24, "skills": ("sword", "bow")}
SIDE = 7


def made(*, fog=False, sight=8):
    board = Board(TileMap.from_text("\n".join(["0" * 9] * 5)), "sides", seed=3, fog=fog)
    for name, cell in (("ann", (2, 1)), ("bob", (4, 0)), ("RED", (2, 6)), ("ODD", (0, 8))):
        team = "blue" if name.islower() else "red"
        board.add(Unit(name, cell, team, move=6, stats=STATS, sight=sight))
    board.clear_history()
    objective = Objective("blue", "red", (Cell(4, 8),), 20, 3)
    commander = BattleCommander(Battle(board, objective), "blue")
    commander.select_next()
    return commander


@pytest.fixture
def commander():
    return made()


@pytest.fixture
def refusals(commander):
    found = []
    commander.refused.connect(lambda reason: found.append(str(reason)))
    return found


def walk(commander, cell):
    commander.act_on(cell)
    commander.selected.advance(99.0)


def test_a_unit_moves_attacks_with_the_numbers_shown_before_and_is_done(commander, refusals):
    ann = commander.selected
    assert (2, 3, 0) in commander.reach
    commander.aim_at((2, 6))
    assert commander.skills == ("sword", "bow")
    walk(commander, (2, 3))
    commander.choose("bow")
    assert (commander.aim, commander.reach, commander.plan) == ((2, 6, 0), None, None)
    blows = commander.forecast
    assert [blow.target.name for blow in blows] == ["RED"]
    assert f"{blows[0].chance} %" in forecast_cards(blows)[blows[0].target].lines[0]
    commander.act_on((2, 6))
    (hit,) = commander.board.log[-1].data["hits"]
    assert (hit["chance"], hit["target"]) == (blows[0].chance, "RED")
    assert hit["damage"] in {0, blows[0].damage}
    assert commander.skill == ""
    assert not commander.can_act
    assert (commander.aim, commander.reach, commander.choice) == ((2, 6, 0), None, None)
    commander.act_on((2, 2))
    assert ann.cell == (2, 3, 0)
    assert "acted" in refusals.pop()
    assert [unit.name for unit in commander.idle_units] == ["bob"]


@pytest.mark.parametrize("deed", ["wait", "bow"])
def test_waypoints_end_with_the_deed_of_the_unit(commander, deed):
    walk(commander, (2, 4))
    commander.add_waypoint((1, 4))
    assert commander.waypoints
    if deed == "wait":
        commander.wait()
    else:
        commander.choose(deed)
        commander.act_on(commander.aim)
    assert commander.board.log[-1].name == deed
    assert commander.waypoints == ()


def test_the_next_skill_is_one_in_range_also_after_an_undo(commander):
    walk(commander, (2, 3))
    walk(commander, (2, 5))
    commander.choose("sword")
    commander.undo()
    assert (commander.selected.cell, commander.skill) == ((2, 3, 0), "sword")
    commander.choose_next()
    assert (commander.skill, commander.aim) == ("bow", (2, 6, 0))


@pytest.mark.parametrize("kinds", [KINDS, (TileKind("plain"),)])
def test_a_unit_walks_up_to_a_closed_door_and_opens_it_as_its_deed(kinds, refusals):
    tilemap = TileMap.from_text("0000\n####", (*kinds, DOOR))
    with tilemap.edit("a door") as edit:
        edit.set_kind((0, 2), DOOR.name)
        edit.set_level((0, 2), 3)
    board = Board(tilemap, "sides")
    ann = board.add(Unit("ann", (0, 0), "blue", move=6, stats=STATS))
    board.add(Unit("RED", (0, 3), "red", stats=STATS))
    commander = BattleCommander(Battle(board, Objective("blue", "red", (Cell(0, 3),), 9)), "blue")
    commander.select(ann)
    commander.aim_at((0, 2))
    assert commander.choice is None
    walk(commander, (0, 1))
    commander.aim_at((0, 2))
    assert (commander.choice, commander.plan) == (Choice((0, 1, 0), "door", (0, 2, 0)), None)
    assert describe_deed(commander) == "Open the door"
    commander.act_on((0, 2))
    assert board.log[-1].name == "door"
    assert board.navigation.find_path((0, 1), (0, 3), ann.profile)
    assert commander.choice is None
    heading = ann.heading_deg
    commander.aim_at((0, 0))
    commander.refused.connect(lambda reason: refusals.append(str(reason)))
    commander.face_aim()
    assert ann.heading_deg == heading
    assert "acted" in refusals.pop()


def test_moves_are_undone_but_neither_dice_nor_enemies_nor_victories(commander):
    board = commander.board
    walk(commander, (2, 4))
    commander.undo()
    assert commander.selected.cell == (2, 1, 0)
    walk(commander, (2, 4))
    commander.choose("bow")
    commander.act_on(commander.aim)

    def check_kept(*ways):
        before = board.digest()
        for go_back in ways:
            go_back()
            assert board.digest() == before

    check_kept(commander.undo)
    commander.end_turn()
    board.move("RED", (1, 6))
    assert not commander.has_undo
    check_kept(commander.undo)
    commander.battle.end_turn()
    commander.battle.objective = replace(commander.battle.objective, cells=[(2, 1)], rounds=0)
    commander.select(board.unit("ann"))
    walk(commander, (2, 1))
    check_kept(commander.undo, commander.rewind)
    assert (commander.battle.winner, commander.has_rewind) == ("blue", False)


def test_a_rewind_goes_back_to_the_begin_of_the_turn_and_rolls_the_same_dice(commander):
    ann, board = commander.selected, commander.board
    commander.end_turn()
    commander.battle.end_turn()
    begin = board.state
    assert not commander.has_rewind

    def play_turn():
        walk(commander, (2, 3))
        commander.choose("bow")
        commander.act_on((2, 6))
        return [entry.data for entry in board.log[-1:]], board.digest()

    commander.select(ann)
    before = play_turn()
    assert not commander.has_undo
    commander.select_next()
    walk(commander, (4, 1))
    assert commander.has_rewind
    commander.rewind()
    assert board.state == begin
    assert not commander.has_rewind
    commander.select(ann)
    assert play_turn() == before


@pytest.mark.parametrize("go_back", [BattleCommander.undo, BattleCommander.rewind])
def test_who_goes_back_aims_no_more(commander, go_back):
    walk(commander, (2, 3))
    commander.act_on((2, 6))
    assert (commander.skill, commander.is_ready) == ("sword", True)
    go_back(commander)
    assert (commander.skill, commander.is_ready) == ("", False)
    assert commander.reach is not None


def test_in_fog_an_area_hits_who_is_not_seen_but_no_number_tells_of_it():
    commander = made(fog=True, sight=2)
    board, battle = commander.board, commander.battle
    ann, red, odd = (board.unit(name) for name in ("ann", "RED", "ODD"))
    with board.action("before") as action:
        action.set(ann, skills=("poison",))
        action.place(red, (2, 3))
        action.place(odd, (2, 4))
    assert (commander.sees(red), commander.sees(odd)) == (True, False)
    assert [blow.target for blow in battle.forecast(ann, "poison", (2, 3))][:2] == [red, odd]
    commander.choose("poison")
    assert commander.aim == (2, 3, 0)
    assert [blow.target for blow in commander.forecast] == [red]
    commander.act_on((2, 3))
    assert {hit["target"] for hit in board.log[-1].data["hits"]} >= {"RED", "ODD"}


def test_targets_are_gone_through_and_units_that_may_act(commander):
    walk(commander, (1, 5))
    commander.choose("bow")
    for aim in ((2, 6, 0), (0, 8, 0), (2, 6, 0)):
        assert commander.aim == aim
        commander.select_next()
    commander.choose("")
    commander.wait()
    for _ in range(2):
        commander.select_next()
        assert commander.selected.name == "bob"


def test_nothing_is_done_in_the_turn_of_enemies_and_after_the_end(commander, refusals):
    ann = commander.selected
    commander.end_turn()
    assert commander.battle.turn.team == "red"
    assert not commander.idle_units
    digest = commander.board.digest()
    commander.select(ann)
    commander.act_on((2, 3))
    commander.wait()
    commander.end_turn()
    assert commander.board.digest() == digest
    assert len(refusals) == 2
    with commander.board.action("all gone") as action:
        for unit in commander.board.units:
            if unit.team == "red":
                action.remove(unit)
    assert commander.battle.winner == "blue"
    assert describe_state(commander) == "The battle is over"
    commander.end_turn()
    assert len(refusals) == 3


def test_refusals_are_english_until_they_are_drawn(commander, refusals, translations):
    translations.set_language("ja")
    one_action(commander.board).place(commander.board.unit("RED"), (4, 8))
    commander.choose("sword")
    commander.back()
    commander.select(None)
    commander.wait()
    commander.end_turn()
    commander.end_turn()
    assert refusals == [
        "No enemy is near enough for sword this turn",
        "Select a unit of yours first",
        "it is red's turn",
    ]
    heard = heard_of(commander.refused)
    commander.end_turn()
    assert plain_reason(heard[0]) not in {"", str(heard[0])}


def test_a_click_on_an_enemy_out_of_range_walks_and_strikes_as_one_entry(commander):
    ann, board = commander.selected, commander.board
    commander.aim_at((2, 6))
    assert commander.choice == Choice((2, 5, 0), "sword", (2, 6, 0))
    assert (commander.skill, commander.is_ready) == ("", False)
    assert commander.first_threatened is None
    commander.add_waypoint((1, 1))
    commander.act_on((2, 6))
    assert (board.log, commander.is_ready, commander.skill) == ((), True, "sword")
    assert commander.plan.cells == [(2, col, 0) for col in range(1, 6)]  # by no waypoint
    blows = commander.forecast
    commander.aim_at((1, 1))
    assert (commander.choice, commander.plan, commander.reach) == (None, None, None)
    commander.act_on((2, 6))
    (entry,) = board.log
    assert (entry.name, ann.cell) == ("sword", (2, 5, 0))
    assert [hit["chance"] for hit in entry.data["hits"]] == [blow.chance for blow in blows]


@table(
    "skills start goal choice",
    (("gust", "bow", "sword"), (2, 1), (4, 8), ((2, 5), "sword")),  # takes most
    (("bow", "gust"), (2, 4), (4, 8), ((2, 4), "bow")),  # as it stands
    (("bow",), (3, 1), (2, 2), ((2, 2), "bow")),  # of the nearest tiles the goal
    (("bow",), (3, 1), (3, 3), ((3, 3), "bow")),
    (("sword", "bow"), (2, 3), (2, 3), ((2, 3), "bow")),  # it stays on the goal
)
def test_an_aim_offers_the_skill_that_takes_most(commander, skills, start, goal, choice):
    commander.battle.objective = replace(commander.battle.objective, cells=(Cell(*goal),))
    with commander.board.action("placed") as action:
        action.set(commander.selected, skills=skills)
        action.place(commander.selected, start)
    commander.aim_at((2, 6))
    assert (commander.choice.cell[:2], commander.choice.skill) == choice


@pytest.mark.parametrize(
    ("goals", "words"),
    [([(3, 1)], "Leaves the marked tiles"), ([(3, 1), (3, 2)], ""), ([(0, 0)], "")],
    ids=["leaves it", "stays on it", "is not on it"],
)
def test_an_attack_says_if_its_unit_leaves_the_goal(commander, goals, words):
    cells = tuple(Cell(*goal) for goal in goals)
    commander.battle.objective = replace(commander.battle.objective, cells=cells)
    with commander.board.action("begin") as action:
        action.set(commander.selected, skills=("sword",))
        action.place(commander.selected, (3, 1))
        action.place(commander.board.unit("RED"), (3, 3))
    commander.aim_at((3, 3))
    assert (commander.choice.cell, describe_deed(commander)) == ((3, 2, 0), words)


def test_another_target_is_shown_before_it_is_struck(commander):
    commander.select(commander.board.unit("ann"))
    walk(commander, (1, 5))
    commander.act_on((0, 8))
    commander.act_on((1, 1))  # beside it
    assert (commander.skill, commander.selected.cell) == ("bow", (1, 5, 0))
    commander.back()
    assert (commander.skill, commander.selected.name) == ("", "ann")
    for cell, skill in (((2, 6), "sword"), ((0, 8), "bow"), ((2, 6), "sword")):
        commander.act_on(cell)
        assert (commander.aim[:2], commander.skill, commander.is_ready) == (cell, skill, True)
    commander.choose("sword")
    assert (commander.aim, commander.choice.cell) == ((2, 6, 0), (2, 5, 0))
    commander.act_on((0, 8))  # too far for it
    assert (commander.skill, commander.is_ready) == ("sword", False)
    assert [entry.kind for entry in commander.board.log] == ["move"]
    commander.act_on((2, 6))  # shown since the skill was chosen
    assert commander.board.log[-1].name == "sword"


def test_an_enemy_too_far_keeps_the_unit_and_one_line_says_by_how_many_tiles(commander, refusals):
    ann, board = commander.selected, commander.board
    with board.action("slow") as action:
        action.set(ann, skills=("sword", "bash"))
        action.place(ann, (4, 0))
        action.place(board.unit("bob"), (3, 0))
    for cell, why in (((0, 8), "ODD is 5 tiles too far for sword this turn"), ((2, 6), "1 tile")):
        commander.act_on(cell)
        assert why in plain_reason(refusals[-1])
        assert (commander.selected, commander.skill, commander.choice) == (ann, "", None)
        commander.aim_at((4, 4))
        assert describe_deed(commander) == ""
        commander.aim_at(cell)
        assert describe_deed(commander) == plain_reason(refusals[-1])
    commander.aim_at(board.unit("bob").cell)
    assert describe_deed(commander) == ""
    commander.choose("bash")
    assert refusals.pop() == "No enemy is near enough for bash this turn"
    one_edit(board.tilemap).set_level((2, 6), 9)
    one_action(board).place(ann, (2, 5))
    commander.act_on((2, 6))
    assert refusals.pop() == "sword cannot hit RED from any tile within reach"


def test_the_end_of_a_turn_asks_only_for_who_could_come_nearer_or_strike(commander):
    board, (ann, bob) = commander.board, commander.idle_units
    assert commander.useful_units == [ann, bob]
    with board.action("placed") as action:
        action.place(bob, (4, 8))  # on the goal
        action.place(board.unit("RED"), (0, 0))
        action.place(board.unit("ODD"), (0, 1))
        action.set(bob, skills=("sword",))
    assert commander.useful_units == [ann]
    assert describe_state(commander).startswith("Choose a filled tile to move to, or an enemy")
    with board.action("spent") as action:
        action.spend(ann, 5.5)  # the rest is not enough for a step
        action.set(ann, skills=("sword",))
    assert (commander.idle_units, commander.useful_units) == ([ann, bob], [])
    assert describe_state(commander) == "No enemy is in range"
    commander.select(None)
    assert describe_state(commander) == "Nothing is left to do: end the turn"
    commander.select(board.unit("RED"))
    assert describe_state(commander).startswith("RED could go to the marked tiles")
    one_action(board).place(board.unit("RED"), (2, 2))
    assert commander.useful_units == [ann]


def test_what_the_unit_can_do_is_found_once_in_a_state(commander, monkeypatch):
    watched, n_calls = Mock(wraps=commander.board.targets), []
    monkeypatch.setattr(commander.board, "targets", watched)
    for cell in ((2, 6), (0, 8), (1, 1), (2, 6)):
        commander.aim_at(cell)
        assert commander.fringe
        assert [unit.name for unit in commander.targets] == ["RED", "ODD"]
        n_calls.append(watched.call_count)
    assert n_calls[-1] == n_calls[0] > 0


def random_battle(seed):
    """Give a battle of units with all skills on rough ground, in every second one in fog."""
    random = np.random.default_rng(seed)
    levels = random.integers(0, 4, (SIDE, SIDE))
    board = Board(TileMap(levels), "sides", seed=seed, fog=seed % 2 > 0)
    spots = [divmod(spot, SIDE) for spot in random.permutation(SIDE * SIDE).tolist()]
    for name in ("ann", "bob", "RED", "ODD", "FOE"):
        unit = Unit(name, spots.pop(), "blue" if name.islower() else "red", move=3, sight=3)
        unit.heading_deg = float(random.integers(8) * 45)
        board.add(unit)
    with board.action("armed") as action:
        for unit in board.units:
            skills = random.permutation([*SKILLS])[: 1 + seed % 3].tolist()
            action.set(unit, hp=30, skills=skills)
    board.clear_history()
    return Battle(board, Objective("blue", "red", (Cell(*spots.pop()),), 20, 3))


def after_moves(battle, unit):
    """Yield where a unit can act from, what the way costs, and a battle in which it is there."""
    reach = battle.board.reach(unit)
    for cell in battle.stands(unit):
        later = battle.look_ahead(unit.team)
        if cell != unit.cell:
            later.board.move(later.board.unit(unit), cell)
        yield cell, 0 if cell == unit.cell else reach.cost_to(cell), later


@pytest.mark.parametrize("seed", rest_nightly(range(24), 6))
def test_marks_fringe_forecast_and_play_agree(seed):
    battle = random_battle(seed)
    board, commander = battle.board, BattleCommander(battle, "blue")
    for unit in commander.idle_units:
        commander.select(unit)
        ways, struck, skills = {}, set(), unit.stats["skills"]
        for cell, cost, later in after_moves(battle, unit):
            there = later.board.unit(unit)
            for skill in skills:
                for hit in later.board.targets(there, SKILLS[skill].weapon).aims.values():
                    struck.update(hit.cells)
                for aim, hit in later.aims(there, skill, cell).items():
                    for foe in hit.units:
                        key = foe.name, skill
                        ways[key] = min(cost, ways.get(key, cost))
                    before = battle.look_ahead("blue")
                    shown = before.forecast(before.board.unit(unit), skill, aim, at=cell)
                    assert named(shown) == named(later.forecast(there, skill, aim))
        own = {each.cell for each in board.units if each.team == "blue"}
        assert commander.fringe == struck - {*commander.reach} - own
        found = {each.name for each in commander.targets}
        assert found == {name for name, _ in ways}
        for foe in filter(commander.sees, board.enemies_of(unit)):
            commander.act_on(foe.cell)
            choice = commander.choice
            assert (choice is not None) == commander.is_ready == (foe.name in found)
            assert commander.selected is unit
            if choice is not None:
                later = battle.look_ahead("blue")
                later.play(later.board.unit(unit), choice)
                hits = later.board.log[-1].data["hits"]
                assert any((hit["by"], hit["target"]) == (unit.name, foe.name) for hit in hits)
                cost = 0 if choice.cell == unit.cell else board.reach(unit).cost_to(choice.cell)
                assert cost == ways[foe.name, choice.skill]
                assert {blow.target.name for blow in commander.forecast} >= {foe.name}
            commander.back()
            commander.select(unit)
    assert len(board.log) == 0


def named(blows):
    """Give blows with the names of units, to compare boards."""
    return [(blow.by.name, blow.target.name, *blow[2:]) for blow in blows]
