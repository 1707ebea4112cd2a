"""A battle without a window: two sides play by themselves; prints each hit and who wins."""

import argparse

from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import skirmish

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--seed", type=int, default=7, help="of the dice")
battle = skirmish(parser.parse_args().seed)
player = BattleAI()


def show(entry):
    """Print the hits of an action, as the log has them."""
    for hit in entry.data.get("hits", ()):
        by = f"{hit['by']} from the {hit['side']}, {hit['chance']} %" if hit["by"] else "lasting"
        print(f"  {hit['skill']} on {hit['target']} ({by}): {hit['damage']}, {hit['left']} left")


battle.board.changed.connect(show)
while not battle.winner:
    print(f"turn {battle.turn.number}, {battle.turn.team}")
    player.play_turn(battle)
print(f"{battle.winner} wins in turn {battle.turn.number}")
