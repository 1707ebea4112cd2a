"""Measure what programs that play on a board ask: `python -m tests.benchmarks.boards --help`.

Before each question an enemy with a zone of control takes a step, so that no answer about units is
known; graphs are. Times are processor times of the thread, in
microseconds.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ai import Behavior, Board, Chase, Flee, Unit
from terrain3d import TileMap
from tests.benchmarks import report

SIZE, SPACING = 30, 5
N_UNITS, N_IN_THREAT = 12, 20
MOVES = (5, 60)
_N_WARM = 20
_HEAD = ["us", *(f"move={move}: median / p95" for move in MOVES)]


class Play(NamedTuple):
    """A board, one of its units, the farthest cell that it reaches, and an enemy of it."""

    board: Board
    unit: Unit
    goal: tuple[int, ...]
    enemy: Unit


class Question(NamedTuple):
    """What is asked."""

    name: str
    ask: Callable[[Play], object]
    n_units: int = N_UNITS


def play_of(n_units: int, move: float) -> Play:
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


def move_and_undo(play: Play) -> None:
    play.board.move(play.unit, play.goal)
    play.board.undo()


def act_of(make: Callable[[Play], Behavior]) -> Callable[[Play], object]:
    """Return a question that lets a new behavior plan and take its first step."""
    return lambda play: play.board.act(play.unit, make(play))


def questions() -> Iterator[Question]:
    yield Question("copy", lambda play: play.board.copy())
    yield Question("reach", lambda play: play.board.reach(play.unit))
    yield Question("plan", lambda play: play.board.plan(play.unit, play.goal))
    yield Question("move and undo", move_and_undo)
    threat = f"threat of {N_IN_THREAT} units"
    yield Question(threat, lambda play: play.board.threat("blue"), N_IN_THREAT)
    yield Question("act, new Chase", act_of(lambda play: Chase(play.board.units[-1])))
    yield Question("act, new Flee", act_of(lambda play: Flee([play.board.units[-1]])))


def measure(question: Question, move: float, count: int) -> list[float]:
    """Return the times of one question."""
    play = play_of(question.n_units, move)
    ends = [play.enemy.cell, play.board.reach(play.enemy).cells[1]]
    times = []
    for _ in range(_N_WARM + count):
        while play.board.undo():
            pass
        play.board.move(play.enemy, ends[play.enemy.cell == ends[0]])
        play.board.clear_history()
        begin = time.thread_time_ns()
        question.ask(play)
        times.append((time.thread_time_ns() - begin) / 1e3)
    return times[_N_WARM:]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.boards", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, metavar="N", help="of each question")
    options = parser.parse_args(arguments)
    print("Machine: " + ", ".join(f"{key} {value}" for key, value in report.machine().items()))
    lines = []
    for question in questions():
        found = [measure(question, move, options.count) for move in MOVES]
        spans = [np.percentile(times, [50, 95]).tolist() for times in found]
        spread = [f"{median:.0f} / {p95:.0f}" for median, p95 in spans]
        lines.append([question.name, *spread])
    print(f"{N_UNITS} units on {SIZE} x {SIZE} tiles\n\n{report.table(_HEAD, lines)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
