"""Compare squad planners at equal processor time, on crowds drawn by seeds."""

import math
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

from tests.benchmarks.report import machine, number, table
from tests.squads.boards import columns, crowds, field
from tests.squads.contenders import Contender
from tests.squads.trial import Bench, Trial

Key = tuple[str, int]
Column = tuple[str, float]
Rows = dict[Key, dict[Column, list[Trial]]]


def measure(
    planners: list[Contender], folder: Path | None, limits_s: list[float], n_seeds: int
) -> Rows:
    """Return the trials by board and number of units, then by planner and time limit."""
    rows: Rows = defaultdict(lambda: defaultdict(list))
    for seed in range(n_seeds):
        for board in (*crowds(folder, seed), field(), columns(5)):
            bench, n_units = Bench(board), len(board.starts)
            for planner in (each for each in planners if n_units <= each.most):
                for limit_s in limits_s if planner.improves else limits_s[-1:]:
                    trial = bench.run_for(planner, limit_s, seed)
                    column = planner.name, limit_s if planner.improves else math.inf
                    rows[board.name, n_units][column].append(trial)
                    result = trial.fault or trial.reason or f"{trial.ratio:.3f}"
                    where = f"{board.name} {n_units} seed {seed} {planner.name} {limit_s:g} s"
                    print(f"{where}: {trial.seconds:.3f} s, {result}", file=sys.stderr)
    return rows


def markdown(rows: Rows, absent: list[str]) -> str:
    """Return the report."""
    every = list(dict.fromkeys(column for row in rows.values() for column in row))
    head = [name if limit == math.inf else f"{name} {limit:g} s" for name, limit in every]
    lines = [
        [name, str(n_units), *(_cell(row.get(column, []), column[1]) for column in every)]
        for (name, n_units), row in sorted(rows.items())
    ]
    about = ", ".join(f"{key} {value}" for key, value in machine().items())
    parts = [f"Machine: {about}.", f"Absent: {', '.join(absent) or 'none'}."]
    parts += [f"Wrong plans: {n_wrong(rows)}."]
    return " ".join(parts) + "\n\n" + table(["board", "units", *head], lines) + "\n"


def n_wrong(rows: Rows) -> int:
    """Return the number of wrong plans."""
    trials = (trial for row in rows.values() for cell in row.values() for trial in cell)
    return sum(bool(trial.fault) for trial in trials)


def _cell(trials: list[Trial], limit_s: float) -> str:
    """Return cost over the sum of shortest paths, squads solved, and time if it has no limit."""
    solved = [trial for trial in trials if trial.is_solved]
    parts = [f"{median(trial.ratio for trial in solved):.2f}"] if solved else []
    parts += [f"{len(solved)}/{len(trials)}"] if trials else []
    if solved and limit_s == math.inf:
        parts.append(f"{number(median(trial.seconds for trial in solved) * 1e3)} ms")
    return ", ".join(parts)
