"""Texts of a battle: units, tiles and blows."""

import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ai import Area, Board, Commander, GameRecord, MoveProfile, Unit, Weapon, movers
from ai.game import descriptions
from ai.game.battle import DOOR, SKILLS, Battle, Choice, Skill
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import skirmish
from ai.game.blow_texts import forecast_cards, log_lines, outcomes
from ai.game.objective import Objective
from terrain3d import KINDS, Cell, TileMap
from terrain3d.look.icons import ICONS
from tests.support.boards import one_action, one_edit
from tests.support.selection import rest_nightly, table
from tests.support.walks import land

KEYS = {"select_next": "Tab", "confirm": "Enter", "end_turn": "F10", "cursor": "the arrow keys"}
CLIMB = "climbs {} (+1 each)"
CLIMB_2, CLIMB_3 = CLIMB.format("2 levels"), CLIMB.format("3 levels")
DROP_3 = "drops 3 levels"


@table(
    "profile words",
    (movers.LIGHT_FOOT, f"walks, {CLIMB_2}, {DROP_3}"),
    (MoveProfile(climb_cost=0, drop_cost=0.5), f"walks, climbs 2 levels, {DROP_3} (+0.5 each)"),
    (MoveProfile(climb_cost=(1, 4)), f"walks, climbs 2 levels (+1 for 1, +4 for 2), {DROP_3}"),
    (movers.FLOAT, f"floats, {CLIMB_3}, {DROP_3}"),
    (movers.SWIMMER, f"swims, {CLIMB.format('1 level')}, {DROP_3}"),
    (movers.FLYER, "flies over everything"),
    (movers.WARP, "warps up to 5 tiles"),
    (MoveProfile(size=2), f"walks, {CLIMB_2}, {DROP_3}, covers 2 x 2 tiles"),
)
def test_a_mover_says_how_it_moves(profile, words):
    assert descriptions.describe_profile(profile) == words


def on(levels, kinds, cell, **more):
    board = Board(land(levels, kinds))
    return board, board.add(Unit("Mira", cell, **more))


def test_a_unit_is_described_with_its_cell():
    board, mira = on("01\n00", "gf\ngg", (0, 1), move=1.0, has_zoc=True)
    assert descriptions.describe_unit(mira, board.tilemap) == [
        "Mira (Blue)",
        "1 move point",
        "walks, climbs 2 levels (+1 each), drops 3 levels",
        "on forest, level 1 (row 0, col 1), faces north",
        "ends the moves of enemies beside it",
    ]
    odo = board.add(Unit("Odo", (0, 0), move=math.inf))
    assert descriptions.describe_units([mira, odo]) == [
        "2 units (Blue)",
        "Mira, 1 move point",
        "Odo, unlimited move points",
    ]


@table(
    "skill words",
    (Skill(Weapon(), 9, 80), "Range 1, 9 damage, 80 % to hit"),
    (Skill(Weapon(2, 4), 7, 70, push=2), "Range 2-4, 7 damage, pushes 2 tiles, 70 % to hit"),
    (
        Skill(Weapon(max_up=1, max_down=3.5), 4, 85),
        "Range 1, 4 damage, up to 1 level higher, up to 3 levels lower, 85 % to hit",
    ),
    (
        Skill(Weapon(1, 3, area=Area("diamond", radius=1)), 3, 75, poison=3, lift=1),
        "Range 1-3, 3 damage, hits several tiles, poisons for 3 turns, "
        "raises the ground 1 level, 75 % to hit",
    ),
)
def test_a_skill_says_how_far_it_reaches_what_it_does_and_how_often(skill, words):
    assert descriptions.describe_skill(skill) == words


def test_a_card_says_class_points_and_what_protects():
    board, mira = on("0", "g", (0, 0), move=5, profile=movers.HEAVY_FOOT, stats={"defense": 2})
    with board.action("slow") as action:
        action.spend(mira, 3)  # tiles that are left are seen on the map
    assert descriptions.describe_strength(mira) == "Knight, 5 move points, defense 2"
    bare = Unit("Zoe", (0, 0), profile=movers.FLOAT, stats={"evasion": 5})
    assert descriptions.describe_strength(bare) == "Mage, 5 move points, evasion 5"


def test_a_unit_whose_ground_was_taken_away_says_so():
    board, _ = on("010", "gfg", (0, 1))
    one_edit(board.tilemap).add_deck((0, 2), level=4)
    zoe = board.add(Unit("Zoe", (0, 2, 1)))
    one_edit(board.tilemap).remove_deck((0, 2))
    where = "on no ground left (row 0, col 2, deck 1), faces north"
    assert where in descriptions.describe_unit(zoe, board.tilemap)


def test_a_tile_is_described_with_the_unit_on_it():
    board, _ = on("010", "gf#", (0, 0))
    assert descriptions.describe_tile(board, (0, 1)) == ["Forest, level 1 (row 0, col 1)"]
    assert descriptions.describe_tile(board, (0, 0))[-1] == "Mira (Blue) stands here"
    assert descriptions.describe_tile(board, (0, 2)) == ["No ground (row 0, col 2)"]


@table(
    "profile words",
    (movers.LIGHT_FOOT, "costs 2 to enter"),
    (MoveProfile(kind_cost={"forest": None}), "cannot be entered"),
    (MoveProfile(no_stop={"forest"}), "costs 2 to enter, no stopping"),
    (movers.FLYER, "costs 1 to enter"),
    (movers.WARP, "costs the distance to it"),
)
def test_a_tile_says_what_entering_it_costs_the_selected_unit(profile, words):
    board, mira = on("00", "gf", (0, 0), profile=profile)
    assert descriptions.describe_tile(board, (0, 1), mira)[1:] == [words]


def test_of_several_surfaces_it_is_said_which():
    board, _ = on("303", "gsg", (0, 0))
    one_edit(board.tilemap).add_deck([(0, 1)], 3)
    assert descriptions.describe_tile(board, (0, 1))[1] == "under a bridge"
    above = descriptions.describe_tile(board, (0, 1, 1))
    assert above[:2] == ["Wood, level 3 (row 0, col 1, deck 1)", "on a bridge"]


def test_an_order_says_its_cost_or_why_not():
    board, mira = on("0003", "gggg", (0, 0), move=2.0)
    commander = Commander(board)
    assert descriptions.advice(commander, KEYS).startswith("Choose a unit")
    commander.select(mira)
    assert descriptions.advice(commander, KEYS).startswith("Choose a tile for Mira")
    for move, cell, words in (
        (2.0, (0, 2), "costs 2 of 2 points"),
        (2.0, (0, 3), "the climb there is 3 levels, the limit is 2"),
        (math.inf, (0, 1), "costs 1"),
    ):
        mira.move = move
        commander.aim_at(cell)
        assert descriptions.describe_plan(commander.plan, board) == words


@table(
    "turns levels ends words",
    (None, "00000", (2,), "costs 4: 2 now"),
    ("sides", "00000", (2, 4), "costs 4: 2 this turn, 2 the next"),
    ("wait", "00000", (2, 4), "costs 4: 2 this turn, 2 the next"),
    ("sides", "00022", (2,), "costs 6: 2 this turn, and no turn has the points for the rest"),
)
def test_an_order_out_of_reach_speaks_of_turns_only_if_there_are_any(turns, levels, ends, words):
    board = Board(land(levels, "ggggg"), turns)
    commander = Commander(board)
    commander.select(board.add(Unit("Mira", (0, 0), move=2)))
    commander.aim_at((0, 4))
    plan = commander.plan
    assert (plan.cells[-1], plan.turn_ends) == ((0, 2, 0), ends)
    assert descriptions.describe_plan(plan, board) == words
    assert descriptions.describe_part(plan).startswith("Too far for now: goes 2 of 4 tiles")


def test_the_state_of_a_unit_is_listed_with_its_numbers_and_icons():
    board = Board(land("000"), turns="sides")
    stats = {"hp": 4, "poison": 2, "held": 1, "acted": 1}
    mira = board.add(Unit("Mira", (0, 0), profile=movers.FLOAT, has_zoc=True, stats=stats))
    foe = board.add(Unit("Odo", (0, 2), team="red", stats={"hp": 3, "acted": 1, "poison": 1}))
    found = descriptions.statuses(mira, board)
    assert [each.icon for each in found] == ["poison", "flag", "check", "shield", "wings"]
    assert [each.text for each in found[:3]] == [
        "poison: 3 at the end of its turn, for 2 turns",
        "has held the goal for 1 round",
        "has acted",
    ]
    assert {each.icon for each in found} <= ICONS.keys()
    (only,) = descriptions.statuses(foe, board)  # it has acted, but in the turn before
    assert only.text == "dies of poison at the end of its turn"


CLIFF = "\n".join(["5555000"] * 3)
SURE = {"skills": ("bash", "sword"), "hp": 24, "defense": -9, "evasion": -99}
"""Stats with which every blow hits."""


def battle_of(rows=CLIFF, *, fog=False, **units):
    """Return a battle on a drawn map of units by name, each with its cell and stats."""
    board = Board(TileMap.from_text(rows, (*KINDS, DOOR)), "sides", seed=1, fog=fog)
    for name, (cell, stats) in units.items():
        team, sight = ("blue", 3) if name.islower() else ("red", 6)
        board.add(Unit(name, cell, team, heading_deg=-90, stats=SURE | stats, sight=sight))
    board.clear_history()
    return Battle(board, Objective("blue", "red", (Cell(0, 0),), 99))


def played(seed, n_turns=6):
    """Return a skirmish after some turns, in which each unit does what looks best."""
    battle = skirmish(seed)
    for unit in battle.board.units:
        one_action(battle.board).set(unit, skills=tuple(SKILLS), hp=int(12 + seed % 9))
    for _ in range(n_turns):
        for unit, choice in BattleAI(noise=9).decide(battle):
            if choice is not None:
                battle.play(unit, choice)
        if battle.winner:
            break
        battle.end_turn()
    return battle


def numbers(lines):
    return [int(each) for line in lines for each in re.findall(r"-(\d+)\b(?! %)", line)]


@pytest.mark.parametrize("seed", rest_nightly(range(12), 2))
def test_the_words_of_a_forecast_add_up_to_its_chance_and_take_no_more_than_is_left(seed):
    battle = played(seed, 2)
    random, n_seen = np.random.default_rng(seed), 0
    for unit in battle.board.units:
        deeds = [choice for choice in battle.deeds(unit) if choice.skill != "door"]
        for number in random.permutation(len(deeds))[:25].tolist():
            cell, skill, aim = deeds[number]
            blows = battle.forecast(unit, skill, aim, at=cell)
            cards = forecast_cards(blows)
            assert {*cards} == {unit, *(blow.target for blow in blows)}
            for blow in blows:
                first, *rest = cards[blow.target].lines
                added = sum(int(each) for each in re.findall(r"([+-]\d+) %", "\n".join(rest)))
                chance = SKILLS[blow.skill].accuracy + added
                chance = max(0, min(chance - blow.target.stats.get("evasion", 0), 100))
                for before in blows if blow.by != unit else ():  # who falls does not strike back
                    most = before.damage + before.fall_damage
                    if before.target == blow.by and most >= before.target.stats["hp"]:
                        chance = round(chance * (100 - before.chance) / 100)
                if not chance and blow.target == unit:
                    assert (first, *rest) == ("no counterattack",)
                    continue
                assert first.split("  ")[0] == f"{chance} %"
                is_last = cards[blow.target].loss == blow.target.stats["hp"]
                assert ("defeated" in rest) == is_last
                assert any("counterattack" in line for line in rest) == (blow.by != unit)
                later = [line for line in rest if "poisoned" not in line]
                taken = sum(numbers([first, *later]))
                assert taken == cards[blow.target].loss <= blow.target.stats["hp"]
                n_seen += 1
    assert n_seen > 20


@pytest.mark.parametrize("seed", rest_nightly(range(12), 3))
def test_outcomes_are_what_each_unit_has_lost_in_the_order_of_the_log(seed, tmp_path):
    battle = played(seed)
    teams, n_hits = set(), 0
    for entry in battle.board.log:
        found = outcomes(entry.data.get("hits", ()))
        left = {unit.name: unit.stats.get("hp", 0) for unit in entry.before.units}
        for each in found:
            assert 0 <= each.damage <= left[each.target]
            left[each.target] -= each.damage
            assert each.left == left[each.target]
            shown = re.findall(r"\d+", each.text)
            assert each.text == "miss" if not each.is_hit else not each.damage or shown
            n_hits += 1
        after = {unit.name: unit.stats.get("hp", 0) for unit in entry.after.units}
        assert all(after.get(name, 0) == hp for name, hp in left.items()) or not found
        teams |= {entry.before.acting_team} if found else set()
    lines = log_lines(battle.board.log, "blue")
    heads = [line for line in lines if line.startswith("Round")]
    assert len(lines) - len(heads) == n_hits > 5
    assert {head.rpartition(" ")[2] for head in heads} == {"Blue", "Red"}
    assert teams == {"blue", "red"}
    assert all(one != other for one, other in pairwise(heads))
    GameRecord.of(battle.board).save(tmp_path / "battle.tmap")
    loaded = GameRecord.load(tmp_path / "battle.tmap").replay()
    assert log_lines(loaded.log, "blue") == lines


@pytest.mark.parametrize(
    ("hp", "evasion", "lines"),
    [
        (27, -99, ("no counterattack",)),
        (27, 60, ("30 %  -18", "counterattack, unless defeated")),
        (28, 60, ("60 %  -18", "counterattack")),
    ],
)
def test_who_may_be_defeated_strikes_back_only_if_not(hp, evasion, lines):
    stats = {"hp": hp, "evasion": evasion, "skills": ("sword",)}
    battle = battle_of(a=((1, 2), {"evasion": 20}), B=((1, 3), stats))
    unit, target = battle.board.units
    cards = forecast_cards(battle.forecast(unit, "sword", target.cell))
    assert cards[unit].lines == lines
    assert ("defeated" in cards[target].lines) == (hp == 27)


def test_a_push_against_a_cliff_is_told_before():
    battle = battle_of(a=((1, 5), {}), B=((1, 4), {"defense": 4}))
    unit, target = battle.board.units
    lines = forecast_cards(battle.forecast(unit, "bash", target.cell))[target].lines
    assert lines == ("100 %", "cannot be pushed there")


def test_a_push_over_a_cliff_is_a_blow_and_then_a_fall():
    battle = battle_of(a=((1, 2), {}), B=((1, 3), {"hp": 15}))
    unit, target = battle.board.units
    (blow,) = battle.forecast(unit, "bash", target.cell)
    card = forecast_cards([blow])[target]
    assert card.lines == ("100 %  -15", "defeated", "from behind +30 %", "falls 5 levels")
    assert forecast_cards([blow])[unit].lines == ("no counterattack",)
    one_action(battle.board).set(target, hp=24, defense=0)
    (blow,) = battle.forecast(unit, "bash", target.cell)
    assert forecast_cards([blow])[target].lines[-1] == "falls 5 levels: -9"
    battle.play(unit, Choice(unit.cell, "bash", target.cell))
    hit, fall = outcomes(battle.board.log[-1].data["hits"])
    assert (hit.by, hit.text, fall.by, fall.text) == ("a", "-6", "", "fell 5 levels -9")
    _, *told = log_lines(battle.board.log, "blue")
    assert told == ["a, bash: B -6, pushed, 18 left", "B: fell 5 levels -9, 9 left"]
    assert battle.board.undo()
    assert log_lines(battle.board.log, "blue") == []


def test_poison_is_told_without_anybody_who_did_it_and_on_its_icon():
    battle = battle_of(a=((1, 2), {"poison": 2, "hp": 2}), B=((1, 6), {}))
    found = descriptions.statuses(battle.board.units[0], battle.board)
    assert ("poison", "-3") in [each[:2] for each in found]
    battle.end_turn()
    (found,) = outcomes(battle.board.log[-1].data["hits"])
    assert (found.by, found.text, found.left) == ("", "poison 2", 0)
    assert log_lines(battle.board.log, "red")[1:] == ["a: poison 2, defeated"]


def test_in_fog_the_log_tells_nothing_of_who_is_not_seen():
    far = "\n".join(["0" * 12] * 3)
    bow = {"skills": ("bow",)}
    battle = battle_of(far, fog=True, a=((1, 0), {}), B=((1, 4), bow), C=((1, 11), {"poison": 1}))
    battle.end_turn()
    unit, shooter = battle.board.unit("a"), battle.board.unit("B")
    battle.play(shooter, Choice(shooter.cell, "bow", unit.cell))
    battle.end_turn()
    own, other = ("\n".join(log_lines(battle.board.log, team)) for team in ("blue", "red"))
    assert "?, bow: a -" in own
    assert not Counter("BC") & Counter(own)
    assert "B, bow: a -" in other
    assert "C: poison 3" in other


def test_in_fog_a_push_out_of_sight_is_told():
    battle = battle_of(fog=True, a=((1, 2), {}), B=((1, 3), {"hp": 99}))
    unit, target = battle.board.units
    battle.play(unit, Choice(unit.cell, "bash", target.cell))
    assert not battle.board.is_seen(target, "blue")
    assert "a, bash: B -" in "\n".join(log_lines(battle.board.log, "blue"))
