"""Forecasts say what the rules count, outcomes what units have lost, and the log all of it."""

import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ai import Board, GameRecord, Unit
from ai.game.battle import DOOR, SKILLS, Battle, Choice
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import skirmish
from ai.game.blow_texts import forecast_cards, log_lines, outcomes
from ai.game.descriptions import statuses
from ai.game.objective import Objective
from terrain3d import KINDS, Cell, TileMap
from tests.support.nightly import rest_nightly

CLIFF = "\n".join(["5555000"] * 3)
SURE = {"skills": ("bash", "sword"), "hp": 24, "defense": -9, "evasion": -99}
"""Stats with which every blow hits."""


def battle_of(rows=CLIFF, *, fog=False, **units):
    """Return a battle on a drawn map of units by name, each with its cell and stats."""
    board = Board(TileMap.from_text(rows, (*KINDS, DOOR)), "sides", seed=1, fog=fog)
    for name, (cell, stats) in units.items():
        team = "blue" if name.islower() else "red"
        board.add(
            Unit(
                name,
                cell,
                team,
                heading_deg=-90,
                stats=SURE | stats,
                sight=3 if name.islower() else 6,
            )
        )
    board.clear_history()
    return Battle(board, Objective("blue", "red", (Cell(0, 0),), 99))


def played(seed, n_turns=6):
    """Return a skirmish after some turns, in which each unit does what looks best."""
    battle = skirmish(seed)
    for unit in battle.board.units:
        with battle.board.action("armed") as action:
            action.set(unit, skills=tuple(SKILLS), hp=int(12 + seed % 9))
    for _ in range(n_turns):
        for unit, choice in BattleAI(noise=9).decide(battle):
            if choice is not None:
                battle.play(unit, choice)
        if battle.winner:
            break
        battle.end_turn()
    return battle


def numbers(lines):
    """Return what all numbers of lines take."""
    return [int(each) for line in lines for each in re.findall(r"-(\d+)(?! %)", line)]


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
                chance -= blow.target.stats.get("evasion", 0)
                assert first.startswith(f"{max(0, min(chance, 100))} %  -")
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


def test_a_push_over_a_cliff_is_a_blow_and_then_a_fall():
    battle = battle_of(a=((1, 2), {}), B=((1, 3), {"hp": 15}))
    unit, target = battle.board.units
    (blow,) = battle.forecast(unit, "bash", target.cell)
    card = forecast_cards([blow])[target]
    assert card.lines == ("100 %  -15", "from behind +30 %", "falls 5 levels")
    assert forecast_cards([blow])[unit].lines == ("no counterattack",)
    with battle.board.action("healed") as action:
        action.set(target, hp=24, defense=0)
    (blow,) = battle.forecast(unit, "bash", target.cell)
    assert forecast_cards([blow])[target].lines[-1] == "falls 5 levels: -9"
    battle.play(unit, Choice(unit.cell, "bash", target.cell))
    hit, fall = outcomes(battle.board.log[-1].data["hits"])
    assert (hit.by, hit.text, fall.by, fall.text) == ("a", "-6", "", "fell 5 levels -9")
    assert log_lines(battle.board.log, "blue")[1:] == [
        "a, bash: B -6, 18 left",
        "B: fell 5 levels -9, 9 left",
    ]
    assert battle.board.undo()
    assert log_lines(battle.board.log, "blue") == []


def test_poison_is_told_without_anybody_who_did_it_and_on_its_icon():
    battle = battle_of(a=((1, 2), {"poison": 2, "hp": 2}), B=((1, 6), {}))
    found = statuses(battle.board.units[0], battle.board)
    assert ("poison", "3") in [each[:2] for each in found]
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
