"""How a battle is set up on a map, and campaigns of several."""

import pytest

from ai import movers
from ai.game.battle import SKILLS
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import FOE_TEAM, MIN_WORTH, ROLES, Match, load, set_up, worth
from ai.game.campaign import CHAPTERS, Campaign, Result, describe_chapter, map_of
from ai.game.objective import Objective, describe_objective
from ai.game.unit_loader import PLAYER_TEAM
from ai.movers import HEAVY_FOOT
from terrain3d import Cell, MapFileError, TileMap, landscape
from tests.support.selection import table

TOPOLOGIES = ["square", "hex_odd_r", "hex_even_q"]


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("seed", range(3))
def test_armies_of_the_terrain_can_all_come_to_the_hilltop_and_are_apart(topology, seed):
    tilemap = landscape(24, 28, seed, 8, topology=topology)
    battle, notes = set_up(tilemap, seed)
    board, goal = battle.board, battle.objective
    assert not notes
    assert [unit.team for unit in board.units] == ["blue"] * 4 + ["red"] * 4
    assert {tilemap.level_at(cell) for cell in goal.cells} == {tilemap.level_at(goal.cells[0])}
    for unit in board.units:
        assert board.navigation.is_reachable(unit.cell, goal.cells[0], movers.HEAVY_FOOT)
        assert not board.targets(unit, SKILLS["bow"].weapon).units
    assert len({tuple(unit.stats["skills"]) for unit in board.units}) == len(ROLES)
    again, _ = set_up(landscape(24, 28, seed, 8, topology=topology), seed)
    assert again.board.digest() == board.digest()


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_both_sides_are_equally_far_from_the_top_of_an_island_with_a_bridge_between(topology):
    shares = []
    for seed in range(12):
        tilemap = landscape(16, 16, seed, 8, topology=topology, is_island=True)
        battle, _ = set_up(tilemap, seed)
        board, (goal, *_) = battle.board, battle.objective.cells
        starts = board.units[0].cell, board.units[4].cell
        nav = board.navigation
        first, second = (nav.find_path(each, goal, movers.HEAVY_FOOT).cost for each in starts)
        shares.append(abs(first - second) <= 2 and worth(battle) >= MIN_WORTH)
    assert sum(shares) >= 9


def set_up_with(tilemap, **extras):
    tilemap.extras.update(extras)
    return set_up(tilemap)


def picture(rows, *, goal=(1, 4), kind="deep"):
    """Return a battle on ground as drawn, `#` for a kind."""
    levels = rows.replace("#", "0")
    tilemap = TileMap.from_text(levels)
    with tilemap.edit() as edit:
        for at, sign in enumerate(rows.replace("\n", "")):
            edit.set_kind(divmod(at, tilemap.cols), kind if sign == "#" else "grass")
    units = [{"cell": [1, 0]}, {"cell": [1, 8], "team": "red"}]
    objective = {"attackers": "blue", "defenders": "red", "cells": [goal]}
    return set_up_with(tilemap, units=units, objective=objective)[0]


def test_the_worth_of_ground_counts_use_heights_even_ways_and_water_between():
    plain = "0" * 9
    flat = "\n".join([plain] * 3)
    assert worth(picture(flat)) == 0.5  # all can be used, there is no water
    assert worth(picture(flat, goal=(1, 3))) == 0.25  # one is 2 farther
    assert worth(picture("\n".join(["0000#0000"] * 3), kind="shallow")) == 1
    assert worth(picture("\n".join(["#########", plain, "#########"]))) == pytest.approx(0.5 / 3)
    assert worth(picture("\n".join([plain, plain, "000000009"]))) == pytest.approx(0.05, abs=0.01)


def test_a_map_brings_units_with_stats_and_an_objective():
    tilemap = TileMap.from_text("\n".join(["000000"] * 6))
    stats = {"hp": 7, "skills": ["bow", "fly", "sword", "bow"]}
    grim = {"name": "Grim", "cell": [5, 5], "team": "black", "mover": "acrobat"}
    units = [{"name": "Pell", "cell": [0, 0], "stats": stats}, grim]
    goal = {"attackers": "black", "defenders": "blue", "cells": [[2, 2]], "turns": 9, "rounds": 2}
    battle, notes = set_up_with(tilemap, units=units, objective=goal)
    pell, grim = battle.board.units
    assert ["fly" in note for note in notes] == [True]
    assert (pell.stats["hp"], pell.stats["skills"]) == (7, ("bow", "sword"))
    assert grim.stats["hp"] == ROLES["acrobat"].hp
    assert battle.objective == Objective("black", "blue", (Cell(2, 2),), 9, 2)
    assert battle.board.log == ()


def test_units_and_goal_of_a_battle_move_with_the_map():
    tilemap = TileMap.from_text("000000\n000000\n000010")
    stats = {"hp": 20, "skills": ["sword"]}
    grim = {"name": "Grim", "cell": [2, 5], "team": "red", "stats": stats}
    tilemap.extras["units"] = [{"name": "Pell", "cell": [1, 2], "stats": stats}, grim]
    goal = {"attackers": "blue", "defenders": "red", "cells": [[2, 4]], "turns": 12}
    tilemap.extras["objective"] = goal  # the hill
    for moved in (
        tilemap.mirror("left_right"),
        tilemap.rotate(90),
        tilemap.resize(4, 8, (1, 2), 0, "grass"),
        tilemap.crop((1, 2, 2, 4)),
    ):
        battle, notes = set_up(moved)
        [cell] = battle.objective.cells
        grim = battle.board.unit("Grim")
        assert not notes
        assert moved.level_at(cell) == 1
        assert moved.grid.distance(cell[:2], grim.cell[:2]) == 1


@table(
    "wrong",
    5,
    {"attackers": "blue"},
    {"attackers": "blue", "defenders": "red", "cells": [[99, 0]]},
    {"attackers": "blue", "defenders": "red", "cells": [[1, 1]], "turns": 0},
    {"attackers": "blue", "defenders": "red", "cells": []},
    {"attackers": "blue", "defenders": "black", "cells": [[1, 1]]},
    {"attackers": "red", "defenders": "red", "cells": [[1, 1]]},
)
def test_a_wrong_objective_is_noted_and_one_of_the_terrain_used(wrong):
    battle, notes = set_up_with(landscape(24, 24, 1, 8), objective=wrong)
    assert len(notes) == 1
    assert notes[0].startswith("objective is not used: ")
    assert battle.objective.rounds == 3


WRONG_STATS = [
    {"skills": ["fireball"]},
    {"skills": []},
    {"skills": 5},
    {"skills": [["bow"], {"bow": 1}]},
    {"hp": "x"},
    {"hp": 0},
    {"defense": -1e9},
    {"evasion": None},
    {"poison": -1},
    {"held": [1]},
]


@pytest.mark.parametrize("wrong", WRONG_STATS)
def test_wrong_stats_are_noted_and_those_of_the_role_used(wrong, tmp_path):
    pell = {"name": "Pell", "cell": [12, 12], "mover": "acrobat", "stats": wrong}
    units = [pell, {"name": "Grim", "cell": [12, 13], "team": "red"}]
    battle, notes = set_up_with(landscape(24, 24, 1, 8), units=units)
    name, pell = *wrong, battle.board.units[0]
    assert [name in note and "Pell" in note for note in notes] == [True]
    role = ROLES["acrobat"]._asdict() | {"poison": 0, "held": 0}
    assert pell.stats[name] == role[name]
    BattleAI().play_turn(battle)
    Match(battle).save(tmp_path / "battle.tmap")
    assert load(tmp_path / "battle.tmap").battle.board.digest() == battle.board.digest()
    with battle.board.action("spoiled") as action:
        action.set(pell, **wrong)
    Match(battle).save(tmp_path / "battle.tmap")
    with pytest.raises(MapFileError, match=f"{name} of Pell"):
        load(tmp_path / "battle.tmap")


@pytest.mark.parametrize("wrong", [5, "units", {"team": "blue"}, [{"team": ["x"]}], [7, None]])
def test_wrong_units_are_noted_and_armies_of_the_terrain_used(wrong):
    battle, notes = set_up_with(landscape(24, 24, 1, 8), units=wrong)
    assert notes
    assert [unit.team for unit in battle.board.units] == ["blue"] * 4 + ["red"] * 4


@pytest.fixture
def strip():
    """Return a row of four tiles with a unit of each side at its ends."""
    tilemap = TileMap.from_text("0000")
    tilemap.extras["units"] = [{"cell": [0, 0]}, {"cell": [0, 3], "team": "red"}]
    return tilemap


def test_without_a_hill_two_armies_fight_for_where_the_enemies_begin(strip, tmp_path):
    battle, notes = set_up(strip, turns="wait")
    assert not notes
    assert battle.objective == Objective("blue", "red", (Cell(0, 3),), 40, 3)
    Match(battle).save(tmp_path / "battle.tmap")
    assert load(tmp_path / "battle.tmap").battle.objective == battle.objective


@pytest.mark.parametrize("turns", ["sides", "wait"])
def test_the_attackers_have_the_turns_that_are_said(strip, turns):
    goal = {"attackers": "blue", "defenders": "red", "cells": [[0, 1]], "turns": 3, "rounds": 9}
    strip.extras["objective"] = goal
    battle, _ = set_up(strip, turns=turns)
    time = {"sides": "3 rounds", "wait": "3 turns"}[turns]
    deed = f"Hold the marked tiles for 9 rounds, or defeat all enemies, within {time}"
    assert describe_objective(battle.objective, "blue", turns) == deed
    seen = []
    while not battle.winner:
        seen.append(battle.turn.number)
        battle.end_turn()
    assert seen == {"sides": [1, 1, 2, 2, 3, 3], "wait": [1, 2, 3]}[turns]
    assert battle.winner == "red"


def test_an_army_that_is_missing_is_added():
    solo = {"name": "Solo", "cell": [20, 20], "mover": "flyer"}
    battle, _ = set_up_with(landscape(24, 24, 1, 8), units=[solo])
    assert [unit.team for unit in battle.board.units] == ["blue"] + ["red"] * 4


def test_a_map_without_room_is_refused():
    with pytest.raises(ValueError, match="it needs 8 tiles of easy ground, and has at most 0;"):
        set_up(TileMap.from_text("09\n90"))
    with pytest.raises(ValueError, match="no two places with easy ground 7 tiles apart"):
        set_up(TileMap.from_text("\n".join(["0" * 7] * 7)))


def test_a_file_without_a_battle_is_refused(tmp_path):
    battle, _ = set_up(landscape(24, 24, 1, 8))
    path = tmp_path / "battle.tmap"
    before = {**battle.board.tilemap.extras}
    Match(battle, "hard").save(path)
    assert battle.board.tilemap.extras == before
    assert load(path).difficulty == "hard"
    hidden, _ = set_up(landscape(24, 24, 2, 8), 2, fog=True)
    Match(hidden).save(path)
    assert load(path).battle.board.has_fog
    del battle.board.tilemap.extras["objective"]
    Match(battle).save(path)
    with pytest.raises(MapFileError, match="has no battle"):
        load(path)


NAMES = [*CHAPTERS]


def won(name, n_fallen=0, n_turns=0):
    """Return a battle of the chain that blue has won after some turns, with some units fallen."""
    battle, _ = set_up(map_of(name), 1)
    for _ in range(2 * n_turns):
        battle.end_turn()
    with battle.board.action("all fall") as action:
        fallen = [each for each in battle.board.units if each.team == PLAYER_TEAM][:n_fallen]
        for unit in [*fallen, *(each for each in battle.board.units if each.team == FOE_TEAM)]:
            action.remove(unit)
    assert battle.winner == PLAYER_TEAM
    return battle


@pytest.mark.parametrize("name", NAMES)
def test_all_units_of_each_map_come_to_the_goal_and_none_stands_there(name):
    battle, notes = set_up(map_of(name), 1)
    board, goals = battle.board, battle.objective.cells
    by_waiting = set_up(map_of(name, "wait"), 1, "wait")[0].objective
    assert by_waiting.turns == battle.objective.turns * len(board.units)
    assert not notes
    assert all(14 <= n <= 18 for n in board.tilemap.level.shape)
    assert (board.tilemap.n_decks > 0) == (name != "hill")
    for unit in board.units:
        assert unit.cell not in goals
        assert board.navigation.is_reachable(unit.cell, goals[0], HEAVY_FOOT)


def test_a_name_has_the_same_mover_on_each_map():
    units = [unit for name in NAMES for unit in map_of(name).extras["units"]]
    movers = {(unit["team"], unit["name"], unit["mover"]) for unit in units}
    assert len(movers) == len({name for _, name, _ in movers}) == 8


def test_each_battle_is_unlocked_by_the_last_and_the_best_result_is_kept(tmp_path):
    campaign = Campaign(tmp_path / "saves")
    assert [*map(campaign.is_open, NAMES)] == [True, False, False]
    for n_fallen, n_turns in ((2, 0), (1, 3), (1, 1), (1, 2)):
        campaign.note(won("bridge", n_fallen, n_turns))
    campaign.note(set_up(map_of("hill"))[0])  # not won
    again = Campaign(tmp_path / "saves")
    assert again.results == {"bridge": Result(number=2, losses=1)}
    shown = [describe_chapter(again, name) for name in NAMES]
    assert shown == ["bridge: won in round 2, 1 lost", "hill: new", "gorge: locked"]
    again.results["bridge"] = Result(9, 1, "wait")
    assert describe_chapter(again, "bridge") == "bridge: won in turn 9, 1 lost"
    again.note(won("bridge", 2))  # rounds are no turns
    assert again.results["bridge"] == Result(1, 2)
    again.note(won("gorge", n_turns=9))  # for as long as it had to be kept
    assert again.results["gorge"] == Result(9, 0)


def test_after_a_victory_follows_the_next_also_of_a_saved_battle(tmp_path):
    Match(won("bridge")).save(tmp_path / "bridge.tmap")
    loaded = load(tmp_path / "bridge.tmap").battle
    campaign = Campaign(None)
    followers = [campaign.next_after(each) for each in (loaded, won("hill"), won("gorge"))]
    assert followers == ["hill", "gorge", ""]
    del loaded.board.tilemap.extras["campaign"]  # as of a generated map
    assert campaign.next_after(loaded) == "bridge"
    campaign.note(won("bridge"))
    assert campaign.next_after(loaded) == "hill"


@pytest.mark.parametrize("text", ["", "[1, 2]", '{"bridge": 3}', '{"bridge": [1]}', "\0"])
def test_results_that_cannot_be_read_begin_anew(text, tmp_path):
    (tmp_path / "campaign.json").write_text(text)
    campaign = Campaign(tmp_path)
    assert campaign.results == {}
    campaign.note(won("bridge"))
    assert Campaign(tmp_path).results == {"bridge": Result(1, 0)}
    (tmp_path / "campaign.json").write_text('{"bridge": 3, "hill": [2, 0, "sides"]}')
    assert Campaign(tmp_path).results == {"hill": Result(2, 0)}
