"""What a player does in a battle: move, choose a skill, see its numbers, attack, wait."""

from dataclasses import replace

import pytest

from ai import Board, Unit, plain_reason
from ai.game.battle import DOOR, Battle
from ai.game.battle_commander import BattleCommander, describe_blows, describe_state
from ai.game.objective import Objective
from terrain3d import KINDS, Cell, TileKind, TileMap

STATS = {"hp": 24, "skills": ("sword", "bow")}


@pytest.fixture
def make():
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

    return made


@pytest.fixture
def commander(make):
    return make()


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
    assert commander.foe_reach is not None
    assert commander.skills == ("sword", "bow")
    walk(commander, (2, 3))
    commander.choose("sword")
    assert refusals.pop() == "No enemy is near enough for sword: move closer, or wait"
    commander.choose("bow")
    assert (commander.aim, commander.reach, commander.plan) == ((2, 6, 0), None, None)
    blows = commander.forecast
    assert [blow.target.name for blow in blows] == ["RED"]
    assert f"{blows[0].chance} %" in describe_blows(blows)[0]
    commander.act_on((2, 6))
    (hit,) = commander.board.log[-1].data["hits"]
    assert (hit["chance"], hit["target"]) == (blows[0].chance, "RED")
    assert hit["damage"] in {0, blows[0].damage}
    assert commander.skill == ""
    assert not commander.can_act
    assert (commander.aim, commander.reach, commander.foe_reach) == ((2, 6, 0), None, None)
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


def test_a_click_on_an_enemy_in_range_chooses_a_skill_and_a_second_one_confirms(commander):
    walk(commander, (2, 4))
    commander.act_on((2, 6))
    assert (commander.skill, commander.board.log[-1].kind) == ("bow", "move")
    commander.act_on((1, 1))  # not in range: back to moving
    assert commander.skill == ""
    commander.act_on((2, 6))
    commander.back()
    assert (commander.skill, commander.selected.name) == ("", "ann")
    commander.act_on((2, 6))
    commander.act_on((2, 6))
    assert commander.board.log[-1].name == "bow"


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
    assert not commander.opens_door
    walk(commander, (0, 1))
    commander.aim_at((0, 2))
    assert (commander.opens_door, commander.plan) == (True, None)
    commander.act_on((0, 2))
    assert board.log[-1].name == "door"
    assert board.navigation.find_path((0, 1), (0, 3), ann.profile)
    assert not commander.opens_door
    heading = ann.heading_deg
    commander.aim_at((0, 0))
    commander.refused.connect(lambda reason: refusals.append(str(reason)))
    commander.face_aim()
    assert ann.heading_deg == heading
    assert "acted" in refusals.pop()


def test_several_units_act_one_by_one_and_with_their_own_skills(commander):
    walk(commander, (2, 4))
    commander.choose("bow")
    bob = commander.board.unit("bob")
    with commander.board.action("forget the bow") as action:
        action.set(bob, skills=["sword"])
    commander.select_all([bob, commander.board.unit("ann")])
    assert commander.squad == (bob,)
    assert (commander.skill, commander.forecast) == ("", [])


def test_moves_are_undone_but_not_what_dice_decided(commander):
    walk(commander, (2, 4))
    commander.undo()
    assert commander.selected.cell == (2, 1, 0)
    walk(commander, (2, 4))
    commander.choose("bow")
    commander.act_on(commander.aim)
    digest = commander.board.digest()
    commander.undo()
    assert commander.board.digest() == digest


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


def test_a_rewind_ends_at_the_end_of_the_battle(commander):
    board = commander.board
    walk(commander, (2, 3))
    with board.action("all fall") as action:
        for unit in board.units:
            if unit.team == "red":
                action.remove(unit)
    digest = board.digest()
    commander.rewind()
    assert (commander.has_rewind, board.digest()) == (False, digest)


def test_a_move_that_wins_is_not_undone(commander):
    commander.battle.objective = replace(commander.battle.objective, cells=[(2, 4)], rounds=0)
    walk(commander, (2, 4))
    assert commander.battle.winner == "blue"
    commander.undo()
    assert commander.battle.winner == "blue"


def test_in_fog_a_unit_sees_what_it_walks_up_to_until_the_move_is_undone(make):
    commander = make(fog=True, sight=3)
    assert commander.unit_seen_at((2, 6)) is None
    walk(commander, (2, 4))
    assert commander.unit_seen_at((2, 6)).name == "RED"
    assert commander.board.is_seen(commander.selected, "red")
    commander.undo()
    assert commander.unit_seen_at((2, 6)) is None


def test_in_fog_an_area_hits_who_is_not_seen_but_no_number_tells_of_it(make):
    commander = make(fog=True, sight=2)
    board, battle = commander.board, commander.battle
    with board.action("before") as action:
        action.set(board.unit("ann"), skills=("poison",))
        action.place(board.unit("RED"), (2, 3))
        action.place(board.unit("ODD"), (2, 4))
    ann, red, odd = (board.unit(name) for name in ("ann", "RED", "ODD"))
    assert (commander.sees(red), commander.sees(odd)) == (True, False)
    assert [blow.target for blow in battle.forecast(ann, "poison", (2, 3))][:2] == [red, odd]
    commander.choose("poison")
    assert commander.aim == (2, 3, 0)
    assert [blow.target for blow in commander.forecast] == [red]
    commander.act_on((2, 3))
    assert {hit["target"] for hit in board.log[-1].data["hits"]} >= {"RED", "ODD"}


def test_moves_of_enemies_are_not_undone(commander):
    commander.end_turn()
    board = commander.board
    board.move(board.unit("RED"), (2, 4))
    board.unit("RED").advance(99.0)
    digest = board.digest()
    assert not commander.has_undo
    commander.undo()
    assert board.digest() == digest


def test_targets_are_gone_through_and_units_that_may_act(commander):
    walk(commander, (1, 5))
    commander.choose("bow")
    aims = [commander.aim]
    commander.select_next()
    aims.append(commander.aim)
    commander.select_next()
    assert {*aims} == {(2, 6, 0), (0, 8, 0)}
    assert commander.aim == aims[0]
    commander.choose("")
    commander.wait()
    commander.select_next()
    assert commander.selected.name == "bob"
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


def test_a_unit_that_walks_does_not_act_yet(commander, refusals):
    commander.act_on((2, 4))
    assert commander.skills == ()
    commander.choose("bow")
    commander.end_turn()
    assert refusals == ["ann is still walking"] * 2


def test_refusals_are_english_and_translated_where_they_are_drawn(
    commander, refusals, translations
):
    translations.set_language("ja")
    commander.choose("sword")
    commander.back()
    commander.select(None)
    commander.wait()
    commander.end_turn()
    commander.end_turn()
    assert refusals == [
        "No enemy is near enough for sword: move closer, or wait",
        "Select a unit of yours first",
        "it is red's turn",
    ]
    heard = []
    commander.refused.connect(heard.append)
    commander.end_turn()
    assert plain_reason(heard[0]) not in {"", str(heard[0])}
