"""Measure the steps a second of a `TacticsEnv`: `python -m tests.benchmarks.learning --help`.

12 x 12 tiles and two teams of three units, which take random legal actions; each step has its
observation. Games begin on copies of one board. Times are CPU times of the single thread.
"""

import argparse
import functools
import statistics
import sys
import time

import numpy as np

from ai import Board, Unit
from ai.learning import TacticsEnv
from terrain3d import landscape

SIZE, N_STEPS = 12, 300


def first_board(turns: str | None) -> Board:
    """Return a board with three units on two sides of a landscape."""
    board = Board(landscape(SIZE, SIZE, seed=3), turns)
    for team, row in (("blue", 0), ("red", SIZE - 1)):
        for col in (0, 4, 8):
            board.add(Unit(f"{team}_{col}", (row, col), team))
    return board


def copy_of(board: Board, _seed: int) -> Board:
    """Return a board to play on."""
    return board.copy()


def steps_per_second(env: TacticsEnv, seed: int) -> float:
    """Play a game of random actions."""
    env.reset(seed=seed)
    rng, begun = np.random.default_rng(seed), time.process_time()
    for _agent in env.agent_iter():
        seen, _, is_over, is_cut, _ = env.last()
        actions = np.flatnonzero(seen["action_mask"])
        is_dead = is_over or is_cut
        env.step(None if is_dead else int(actions[int(rng.random() * len(actions))]))
    return env.n_steps / (time.process_time() - begun)


def main(words: list[str]) -> int:
    """Print a row for each order of turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40, help=f"of {N_STEPS} steps each")
    games = range(parser.parse_args(words).games)
    for turns in (None, "sides", "wait"):
        make_board = functools.partial(copy_of, first_board(turns))
        env = TacticsEnv(make_board, lambda _board: "", max_steps=N_STEPS)
        steps_per_second(env, 0)
        speeds = [steps_per_second(env, seed) for seed in games]
        median, best = statistics.median(speeds), max(speeds)
        print(f"turns={turns!r}: {median:,.0f} steps a second, {best:,.0f} in the fastest game")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
