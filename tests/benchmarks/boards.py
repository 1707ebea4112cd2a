"""Measure what programs that play on a board ask: `python -m tests.benchmarks.boards`.

Before each question an enemy with a zone of control takes a step, so that no answer about units is
known; graphs are. Times are processor times of the thread, in microseconds.
"""

import time
from typing import NamedTuple

import numpy as np

from ai import Board, Chase, Flee, Unit
from terrain3d import TileMap
from tests.benchmarks import report

SIZE, SPACING = 30, 5
N_UNITS, N_IN_THREAT = 12, 20
MOVES = (5, 60)
_N_WARM, _N_ASKED = 20, 2000


class Play(NamedTuple):
    """A board, one of its units, the farthest cell that it reaches, and an enemy of it."""

    board: Board
    unit: Unit
    goal: tuple[int, ...]
    enemy: Unit


def play_of(n_units, move):
    """Return a board of two teams, of which every third unit has a zone of control."""
    board = Board(TileMap.from_noise(SIZE, SIZE, seed=3))
    for row in range(2, SIZE, SPACING):
        for col in range(2, SIZE, SPACING - 1):
            number = len(board.units)
            if number < n_units and not board.navigation.explain_stop((row, col)):
                team = ("blue", "red")[number % 2]
                board.add(Unit(f"{number}", (row, col), team, move=move, has_zoc=number % 3 == 0))
    board.clear_history()
    unit, enemy = board.units[0], board.units[3]
    return Play(board, unit, board.reach(unit).cells[-1], enemy)


def move_and_undo(play):
    play.board.move(play.unit, play.goal)
    play.board.undo()


THREAT = f"threat of {N_IN_THREAT} units"
QUESTIONS = {
    "copy": lambda play: play.board.copy(),
    "reach": lambda play: play.board.reach(play.unit),
    "plan": lambda play: play.board.plan(play.unit, play.goal),
    "move and undo": move_and_undo,
    THREAT: lambda play: play.board.threat("blue"),
    "act, new Chase": lambda play: play.board.act(play.unit, Chase(play.board.units[-1])),
    "act, new Flee": lambda play: play.board.act(play.unit, Flee([play.board.units[-1]])),
}


def measure(name, move):
    """Return the median time of a question and the 95th percentile."""
    play = play_of(N_IN_THREAT if name == THREAT else N_UNITS, move)
    ends = [play.enemy.cell, play.board.reach(play.enemy).cells[1]]
    times = []
    for _ in range(_N_WARM + _N_ASKED):
        while play.board.undo():
            pass
        play.board.move(play.enemy, ends[play.enemy.cell == ends[0]])
        play.board.clear_history()
        begin = time.thread_time_ns()
        QUESTIONS[name](play)
        times.append((time.thread_time_ns() - begin) / 1e3)
    return "{:.0f} / {:.0f}".format(*np.percentile(times[_N_WARM:], [50, 95]))


if __name__ == "__main__":
    print(f"{report.machine()}\n{N_UNITS} units on {SIZE} x {SIZE} tiles\n")
    lines = [[name, *(measure(name, move) for move in MOVES)] for name in QUESTIONS]
    print(report.table(["us", *(f"move={move}: median / p95" for move in MOVES)], lines))
