"""Check that a battle of two autopilots on a landscape ends, also if it is saved on the way."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import DIFFICULTIES, Match, load, set_up
from terrain3d import landscape
from tests.long import Kind, by_seed

MOST_ROUNDS = 40
TOPOLOGIES = "square", "hex_odd_r", "hex_even_q"


def play(match: Match, n_turns: int | None = None) -> Match:
    """Play some turns of a match, or to its end, with careful attackers."""
    battle, count = match.battle, 0
    while not battle.winner and count != n_turns:
        player = BattleAI() if battle.turn.team == "blue" else match.enemy
        player.play_turn(battle)
        count += 1
    return match


def check(seed: int) -> Counter[str]:
    """Play the battle of a seed; return layout, winner and rounds, or raise an error."""
    topology, level = TOPOLOGIES[seed % len(TOPOLOGIES)], [*DIFFICULTIES][seed // 3 % 3]
    tilemap = landscape(30, 30, seed, 8, topology=topology)
    match = Match(set_up(tilemap, seed, fog=seed % 2 > 0)[0], level)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "battle.tmap"
        play(match, 1 + seed % 7).save(path)
        later = load(path)
    for each in (match, later):
        play(each)
    battle, board = match.battle, match.battle.board
    if battle.turn.number > MOST_ROUNDS:
        raise AssertionError(f"{battle.turn.number} rounds")
    if (later.battle.board.digest(), later.difficulty) != (board.digest(), level):
        raise AssertionError("the loaded battle ends otherwise")
    restarted = match.restarted().battle.board
    if restarted.log or len(restarted.units) != 8:
        raise AssertionError("a restart is not the start")
    result = f"{topology}, {level}: {battle.winner} wins in round {battle.turn.number}"
    return Counter(["battles", result])


KIND = Kind("battles", 48, by_seed(check))
