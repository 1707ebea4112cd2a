"""Timing that is fair to all: libraries take turns, round by round, on the same questions."""

import gc
import time
from dataclasses import dataclass, field

import numpy as np

_MOST_ROUNDS = 4
_PER_ROUND = 8
_LEADS = 8  # one in so many questions of a turn comes first and is not timed
_CLOCK_NS = min(-time.process_time_ns() + time.process_time_ns() for _ in range(1000))
"""What reading the clock adds, which for the fastest answers is a tenth."""


@dataclass
class Cell:
    """What was measured of one library: the times of each question, or a single number."""

    times: list[float] = field(default_factory=list)
    wrong: int = 0
    asked: int = 0
    spent_s: float = 0.0

    @property
    def median(self):
        return float(np.median(self.times))

    @property
    def p95(self):
        return float(np.percentile(self.times, 95))


def in_turns(libraries, questions, ask, is_right, seconds):
    """Ask every library every question, in rounds of several, each round in another order.

    A turn begins with questions that are not timed, so that nobody is charged for having been
    driven out of the processor's caches by the one before.

    Parameters
    ----------
    libraries : dict of name to library
    questions : sequence
    ask : callable of library and question
        What is timed.
    is_right : callable of library, question and answer
        Asked after each library's turn, beside the clock.
    seconds : float
        A library that has used up so much time is asked no more, but at least once on the clock.

    Returns
    -------
    dict of name to Cell
        Processor times of all threads in ms: other work on the machine hardly counts.
    """
    cells = {name: Cell() for name in libraries}
    n_rounds = min(max(1, len(questions) // _PER_ROUND), _MOST_ROUNDS)
    per_round = -(-len(questions) // n_rounds)
    names = list(libraries)
    for first in range(0, len(questions), per_round):
        names = names[1:] + names[:1]
        for name in names:
            asked = questions[first : first + per_round]
            _take_turn(cells[name], libraries[name], asked, ask, is_right, seconds)
    return cells


def _take_turn(cell, library, questions, ask, is_right, seconds):
    lead = 0 if len(questions) == 1 else -(-len(questions) // _LEADS)
    answers = []
    gc.disable()
    try:
        for place, question in enumerate(questions):
            if cell.spent_s > seconds and cell.times:
                break
            begin = time.process_time_ns()
            answer = ask(library, question)
            elapsed = max(0, time.process_time_ns() - begin - _CLOCK_NS)
            cell.spent_s += elapsed / 1e9
            if place >= lead:
                cell.times.append(elapsed / 1e6)
            answers.append(answer)
    finally:
        gc.enable()
    cell.asked += len(answers)
    for question, answer in zip(questions, answers, strict=False):
        cell.wrong += not is_right(library, question, answer)
