"""Units learn to be first on a hill: a softmax over three numbers about each cell in reach."""

import argparse

import numpy as np
from matplotlib import pyplot

from ai import Board, Unit
from ai.learning import CHANNELS, TacticsEnv
from terrain3d import TileMap

SIZE, TOP = 11, 5
ROW, COL = np.indices((SIZE, SIZE))
FAR = np.abs(ROW - TOP) + np.abs(COL - TOP)


def make_board(seed):
    """Return a hill among pillars, and three units on two sides of it, where the seed says."""
    rng = np.random.default_rng(seed)
    is_pillar = (rng.random(FAR.shape) < 0.2) & (FAR > 1) & (ROW % (SIZE - 1) > 0)
    board = Board(TileMap(np.maximum(4 - FAR, 0) + 4 * is_pillar), turns="sides")
    for team, row in (("blue", 0), ("red", SIZE - 1)):
        for number, col in enumerate(rng.choice(SIZE, 3, replace=False).tolist()):
            board.add(Unit(f"{team}_{number}", (row, col), team, move=4))
    return board


def first_on_top(board):
    return getattr(board.unit_at((TOP, TOP)), "team", "")


def progress(env):
    """Return the reward: 1 for each if blue wins, and 0.1 for each tile that a unit is nearer."""
    moves = [change for entry in env.entries for change in entry.changes if change.along]
    nearer = {each.name: FAR[each.along[0][:2]] - FAR[each.along[-1][:2]] for each in moves}
    return {name: nearer.get(name, 0) / 10 + (env.winner == "blue") for name in env.agents}


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--games", type=int, default=60)
game = TacticsEnv(make_board, first_on_top, progress, max_steps=60)
env = game.single("blue", lambda game: game.random.choice(np.flatnonzero(game.mask)))
rng, weights, returns, wins = np.random.default_rng(1), np.zeros(3), [], []
for seed in range(parser.parse_args().games):
    (seen, _), scores, returned, is_over = env.reset(seed=seed), [], 0.0, False
    while not is_over:
        planes = dict(zip(CHANNELS, seen["observation"], strict=True))
        actions = np.flatnonzero(seen["action_mask"])
        cells = np.stack([FAR / SIZE, planes["level"] / 4, planes["self"]], axis=-1)
        numbers = cells.reshape(-1, 3)[actions]
        chances = np.exp(numbers @ weights - (numbers @ weights).max())
        choice = rng.choice(len(actions), p=chances / chances.sum())
        scores.append(numbers[choice] - chances @ numbers / chances.sum())
        seen, reward, is_won, is_cut, _ = env.step(actions[choice])
        returned, is_over = returned + reward, is_won or is_cut
    returns, wins = [*returns, returned], [*wins, game.winner == "blue"]
    gain = returned - np.mean(returns[-100:])  # REINFORCE: better than usual, or worse
    weights += 0.1 * gain * np.sum(scores, axis=0) / np.sqrt(len(scores))
pyplot.plot([np.mean(wins[end - 50 : end]) for end in range(50, len(wins) + 1)])
pyplot.gca().set(xlabel="games before", ylabel="won, of the next 50")
pyplot.savefig("learning.png")
print(f"{sum(wins[:50])} of the first 50 games won, {sum(wins[-50:])} of the last 50")
