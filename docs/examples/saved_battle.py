"""Saves a battle, loads it, and plays both to the same end."""

from ai import GameRecord
from ai.game.battle import Battle
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import skirmish

battle, player = skirmish(seed=7), BattleAI()
for _ in range(3):
    player.play_turn(battle)
GameRecord.of(battle.board).save("battle.tmap")

loaded = Battle(GameRecord.load("battle.tmap").replay(), battle.objective)
for each in (battle, loaded):
    while not each.winner:
        player.play_turn(each)
assert loaded.winner == battle.winner
assert loaded.board.digest() == battle.board.digest()
