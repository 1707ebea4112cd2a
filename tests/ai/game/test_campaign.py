"""A chain of battles: its maps can be played, each is unlocked by the last, results are kept."""

import pytest

from ai.game.battle_setup import FOE_TEAM, Match, load, set_up
from ai.game.campaign import CHAPTERS, Campaign, Result, describe_chapter, map_of
from ai.game.unit_loader import PLAYER_TEAM
from ai.movers import HEAVY_FOOT

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
    assert not notes
    assert all(14 <= n <= 18 for n in board.tilemap.level.shape)
    assert (board.tilemap.n_decks > 0) == (name != "hill")
    for unit in board.units:
        assert unit.cell not in goals
        assert board.navigation.is_reachable(unit.cell, goals[0], HEAVY_FOOT)


def test_the_goals_of_the_chain_differ():
    goals = [set_up(map_of(name))[0].objective for name in NAMES]
    assert [goal.place for goal in goals].count("the hilltop") == 1
    assert len({(goal.attackers, goal.rounds > 0) for goal in goals}) == 3


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
    again.results["bridge"] = Result(9, 1, counts_turns=1)
    assert describe_chapter(again, "bridge") == "bridge: won in turn 9, 1 lost"


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
