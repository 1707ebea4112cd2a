"""Plan squads on generated boards, and check every plan by plain code.

`python -m tests.squads` plans crowds and prints a table. With --small it plans 6 and 10 units on 25
maps each, and squads that trade places in narrow passages. The exit status is 0 if all is well, 1
if a plan is wrong, and with --small also if plans cost too much or a squad has none.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ai import Navigation, SquadPlanner
from tests.benchmarks.report import machine, number, table
from tests.squads.boards import (
    Board,
    ScipyPaths,
    columns,
    field,
    generated,
    hills,
    narrow,
    packed,
    rooms,
)
from tests.support.joint_moves_reference import Referee, check_paths

AIMS = {6: 0.01, 10: 0.025}
"""By how much the plans of so many units may cost more than their lower bounds on average."""


class Trial(NamedTuple):
    """The result of planning one squad."""

    seconds: float
    """Processor time."""
    excess: float = 0.0
    """By how much the plan costs more than the cheapest paths of single units, as a share."""
    ticks: int = 0
    reason: str = ""
    """Why there is no plan; "" if there is one."""
    fault: str = ""
    """What is wrong with the plan; "" if it is correct."""

    @property
    def is_solved(self) -> bool:
        """Whether there is a plan and it is correct."""
        return not self.reason and not self.fault


def tried(board: Board) -> Trial:
    """Plan a squad with a new planner, and check the plan."""
    paths, navigation = ScipyPaths(board.tilemap, board.profile), Navigation(board.tilemap)
    navigation.find_path(board.starts[0], board.goals[0], board.profile)  # prices the steps
    begin = time.process_time()
    plan = SquadPlanner(navigation).plan(board.starts, board.goals, board.profile)
    seconds = time.process_time() - begin
    if not plan:
        return Trial(seconds, reason=plan.reason)
    least = float(paths.least_costs(board.starts, board.goals).sum())
    referee = Referee(paths.step_cache, [board.profile] * len(board.starts))
    try:
        check_paths(referee, board.starts, board.goals, plan)
        assert plan.cost >= least * (1 - 1e-9), f"{plan.cost} < {least}, which is impossible"
    except AssertionError as error:
        return Trial(seconds, fault=str(error) or repr(error))
    return Trial(seconds, plan.cost / least - 1, plan.ticks)


def crowds() -> Iterator[Board]:
    """Yield boards with many units."""
    for n_units in (40, 160):
        yield from generated(32, n_units, 1)
    yield from map(rooms, (20, 100, 200))
    yield from map(packed, (32, 50, 60))
    yield from (field(), columns(3), columns(4))


def print_crowds(boards: Iterable[Board]) -> bool:
    """Print the results on boards; return whether no plan is wrong."""
    lines, faults = [], []
    for board in boards:
        trial = tried(board)
        result = f"{1 + trial.excess:.3f}", str(trial.ticks)
        if not trial.is_solved:
            result = trial.reason or trial.fault, ""
        faults += [f"{board}: {trial.fault}"] if trial.fault else []
        units = str(len(board.starts))
        lines.append([board.name, units, *result, f"{number(trial.seconds)} s"])
    print("Machine: " + ", ".join(f"{key} {value}" for key, value in machine().items()) + ".\n")
    print(table(["board", "units", "cost / lower bound", "ticks", "time"], lines))
    print("\n".join(faults))
    return not faults


def print_small() -> bool:
    """Print the results of small squads; return whether they are as good as they should be."""
    is_good = True
    for n_units, aim in AIMS.items():
        trials = list(map(tried, hills(n_units)))
        excess = [trial.excess for trial in trials]
        bad = [trial.reason or trial.fault for trial in trials if not trial.is_solved]
        is_good &= not bad and np.mean(excess) <= aim
        seconds = [trial.seconds for trial in trials]
        print(
            f"{n_units} units on {len(trials)} maps: {len(bad)} without a correct plan, on average "
            f"{np.mean(excess):.2%} above the lower bound (aim {aim:.1%}), at most "
            f"{max(excess):.2%}; {np.mean(seconds):.3f} s on average, at most {max(seconds):.3f} s",
            *bad,
            sep="\n",
        )
    results = [(board, tried(board)) for board in narrow()]
    bad = [f"{board}: {each.reason or each.fault}" for board, each in results if not each.is_solved]
    print(f"narrow passages: {len(bad)} of {len(results)} without a correct plan", *bad, sep="\n")
    return is_good and not bad


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.squads", description=__doc__)
    parser.add_argument("--small", action="store_true", help="6 and 10 units, and narrow passages")
    options = parser.parse_args(arguments)
    return 0 if (print_small() if options.small else print_crowds(crowds())) else 1


if __name__ == "__main__":
    sys.exit(main())
