"""A chain of battles: its maps can be played, each is unlocked by the last, results are kept."""

import pytest

from ai.game.battle import Choice
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import FOE_TEAM, Match, load, set_up
from ai.game.campaign import CHAPTERS, Campaign, Result, describe_chapter, map_of
from ai.game.unit_loader import PLAYER_TEAM
from ai.movers import HEAVY_FOOT

NAMES = [*CHAPTERS]


def won(name, *, n_fallen=0, n_turns=0):
    """Return a battle of the chain that blue has won, and how many of its units fell."""
    battle, notes = set_up(map_of(name), 1)
    assert not notes
    for _ in range(2 * n_turns):
        battle.end_turn()
    with battle.board.action("all fall") as action:
        for unit in battle.board.units:
            if unit.team == FOE_TEAM:
                action.remove(unit)
        for unit in [each for each in battle.board.units if each.team == PLAYER_TEAM][:n_fallen]:
            action.remove(unit)
    if battle.objective.attackers == FOE_TEAM:
        assert battle.winner == PLAYER_TEAM
    return battle


@pytest.mark.parametrize("name", NAMES)
def test_both_sides_of_each_map_come_to_the_goal(name):
    battle, notes = set_up(map_of(name), 1)
    board, goal = battle.board, battle.objective
    assert not notes
    assert all(14 <= n <= 18 for n in board.tilemap.level.shape)
    for unit in board.units:
        assert board.navigation.is_reachable(unit.cell, goal.cells[0], HEAVY_FOOT)
    assert not [unit for unit in board.units if unit.cell in goal.cells]


def test_the_goals_of_the_chain_differ():
    goals = [set_up(map_of(name))[0].objective for name in NAMES]
    assert len({(goal.attackers, goal.rounds > 0) for goal in goals}) == 3


def test_the_bridge_and_the_gorge_have_a_way_over_a_deck():
    for name in ("bridge", "gorge"):
        board = set_up(map_of(name))[0].board
        [deck] = {
            deck
            for row in range(14)
            for col in range(16)
            for deck in board.tilemap.decks_at((row, col))
        } - {0}
        assert deck == 1
    board = set_up(map_of("bridge"))[0].board
    way = board.navigation.find_path(board.unit("Bram").cell, (1, 7), HEAVY_FOOT)
    assert any(cell.deck for cell in way.cells)


def test_each_battle_is_unlocked_by_the_last_and_the_best_result_is_kept(tmp_path):
    campaign = Campaign(tmp_path / "saves")
    assert [*map(campaign.is_open, NAMES)] == [True, False, False]
    assert campaign.next_after(set_up(map_of("bridge"))[0]) == "hill"
    for n_fallen, n_turns in ((2, 0), (1, 3), (1, 1), (1, 2)):
        campaign.note(won("bridge", n_fallen=n_fallen, n_turns=n_turns))
    again = Campaign(tmp_path / "saves")
    assert again.results == {"bridge": Result(rounds=2, losses=1)}
    assert [*map(again.is_open, NAMES)] == [True, True, False]
    shown = [describe_chapter(again, name) for name in NAMES]
    assert shown == ["bridge: won in round 2, 1 lost", "hill: new", "gorge: locked"]
    again.note(won("hill"))
    again.note(won("gorge"))
    assert [again.next_after(set_up(map_of(name))[0]) for name in NAMES] == ["hill", "gorge", ""]


def test_after_another_battle_follows_the_first_that_is_not_won(tmp_path):
    campaign, (battle, _) = Campaign(None), set_up(map_of("bridge"))
    del battle.board.tilemap.extras["campaign"]
    assert campaign.next_after(battle) == "bridge"
    campaign.note(won("bridge"))
    assert campaign.next_after(battle) == "hill"
    assert not [*tmp_path.iterdir()]


def test_a_battle_that_is_not_won_or_not_of_the_chain_is_not_noted():
    campaign = Campaign(None)
    lost, _ = set_up(map_of("bridge"))
    campaign.note(lost)
    other = won("bridge")
    other.board.tilemap.extras["campaign"] = "other"
    campaign.note(other)
    assert campaign.results == {}


@pytest.mark.parametrize("text", ["", "[1, 2]", '{"bridge": 3}', '{"bridge": [1]}', "\0"])
def test_results_that_cannot_be_read_begin_anew(text, tmp_path):
    (tmp_path / "campaign.json").write_text(text)
    campaign = Campaign(tmp_path)
    assert campaign.results == {}
    campaign.note(won("bridge"))
    assert Campaign(tmp_path).results == {"bridge": Result(1, 0)}


def test_a_saved_battle_of_the_chain_is_still_of_it(tmp_path):
    battle, _ = set_up(map_of("hill"), 3)
    unit = battle.turn.units[0]
    battle.play(unit, Choice(unit.cell))
    Match(battle).save(tmp_path / "hill.tmap")
    loaded = load(tmp_path / "hill.tmap").battle
    assert Campaign(None).next_after(loaded) == "gorge"
    BattleAI().play_turn(loaded)
