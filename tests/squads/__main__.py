"""Plan squads on MAPF scenarios and on generated boards, and check every plan by plain code.

`python -m tests.squads [DIR]` uses every .scen file under DIR whose queries are those of a squad,
with the map beside it, generated boards of stepped ground, and crowded boards. On each it plans the
first 10, 20, 40, ... units and all units, on crowded boards only all. With --seconds it compares
planners at equal processor time instead, on crowds that seeds draw on the maps under DIR, or
without DIR on generated maps like those. The exit status is 0 if no plan is wrong, even if none was
found, 1 if a plan is wrong, and 2 if a file cannot be read.
"""

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from terrain3d import MapFileError
from tests.benchmarks.report import machine, number, table
from tests.squads import equal_time
from tests.squads.boards import Board, NotASquad, columns, field, generated, packed, read
from tests.squads.contenders import contenders
from tests.squads.trial import STEPS, Bench, Trial, warm_up

CORRECT, WRONG, BAD_INPUT = 0, 1, 2

_METHODS = {"crowd": 10_000, STEPS: 10_000, "prioritized": 10_000, "cheapest": 40}
"""Largest number of units for each method."""

_BOARDS = {
    "all": {(16, 80): (1, 2), (32, 160): (1, 2), (64, 400): (1,)},
    "small": {(8, 20): (1,)},
    "none": {},
}
"""Seeds of the generated boards by size and number of units."""

Row = dict[str, list[Trial]]


def boards(folder: Path | None, generate: str) -> Iterator[Board]:
    """Yield all boards."""
    for path in sorted(folder.rglob("*.scen")) if folder else ():
        try:
            yield read(path)
        except NotASquad as error:
            print(f"skipped: {error}", file=sys.stderr)
    for (size, n_units), seeds in _BOARDS[generate].items():
        for seed in seeds:
            yield from generated(size, n_units, seed)
    if generate == "all":
        yield from (columns(3), columns(5), field())
        yield from (packed(n_units, seed) for n_units in (50, 60) for seed in range(4))


def cell(trials: list[Trial]) -> str:
    """Return the results of a method on some boards as text."""
    solved = [trial for trial in trials if trial.is_solved]
    if not trials:
        return ""
    parts = [f"{len(solved)}/{len(trials)}"]
    if solved:
        parts += [
            f"{number(median(trial.seconds for trial in solved) * 1e3)} ms",
            f"{median(trial.ratio for trial in solved):.3f}",
            f"{median(trial.ticks for trial in solved):g}",
        ]
        n_proven = sum(trial.is_proven for trial in solved)
        parts += [f"{n_proven} proven"] if n_proven else []
    return ", ".join(parts)


def markdown(
    rows: dict[tuple[str, int], Row], max_expansions: int, warming_s: tuple[float, float]
) -> str:
    """Return the whole report."""
    lines = [
        [name, str(n_units), *(cell(row[method]) for method in _METHODS)]
        for (name, n_units), row in sorted(rows.items())
    ]
    every = {method: [t for row in rows.values() for t in row[method]] for method in _METHODS}
    summary = (
        f"{method} {sum(trial.is_solved for trial in trials)} of {len(trials)}"
        for method, trials in every.items()
    )
    n_wrong = sum(bool(trial.fault) for trials in every.values() for trial in trials)
    head = f"Machine: {', '.join(f'{key} {value}' for key, value in machine().items())}."
    loaded = "Loaded or compiled in {:.1f} s for single paths and {:.1f} s more for squads."
    solved = f"Solved with at most {max_expansions} expansions: {', '.join(summary)}."
    wrong = f"Wrong plans: {n_wrong}."
    parts = [f"{head} {loaded.format(*warming_s)}", f"{solved} {wrong}"]
    return "\n\n".join([*parts, table(["board", "units", *_METHODS], lines)]) + "\n"


def run(folder: Path | None, generate: str, max_expansions: int, where: Path | None) -> int:
    """Run all trials, print the report and return the exit status."""
    status, warming_s = CORRECT, warm_up()
    rows: dict[tuple[str, int], Row] = defaultdict(lambda: defaultdict(list))
    for board in boards(folder, generate):
        bench = Bench(board)
        for n_units in board.counts:
            for method in (name for name, most in _METHODS.items() if n_units <= most):
                trial = bench.run(n_units, method, max_expansions)
                rows[board.name, n_units][method].append(trial)
                result = trial.fault or trial.reason or f"{trial.ratio:.3f}"
                line = f"{board.name} {n_units} {method}: {trial.seconds:.3f} s, {result}"
                print(line, file=sys.stderr)
                if trial.fault:
                    status = WRONG
    if not rows:
        print(f"no squads found under {folder}", file=sys.stderr)
        return BAD_INPUT
    _report(markdown(rows, max_expansions, warming_s), where)
    return status


def compare(options: argparse.Namespace) -> int:
    """Compare planners at equal time, print the report and return the exit status."""
    warm_up()
    planners, absent = contenders(options.lacam3)
    rows = equal_time.measure(planners, options.folder, options.seconds, options.seeds)
    _report(equal_time.markdown(rows, absent), options.table)
    return WRONG if equal_time.n_wrong(rows) else CORRECT


def _report(text: str, where: Path | None) -> None:
    print(text)
    if where:
        where.write_text(text, encoding="utf-8")


def _seconds(text: str) -> list[float]:
    """Read limits such as "0.1,1,10"."""
    found = [float(part) for part in text.split(",")]
    if not all(0 < each < math.inf for each in found):
        raise argparse.ArgumentTypeError(f"limits must be > 0 s, got {text}")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.squads", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR")
    parser.add_argument("--expansions", type=int, default=1_000_000, help="limit per plan")
    parser.add_argument("--boards", choices=_BOARDS, default="all", help="generated boards")
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="also write the report to this file"
    )
    parser.add_argument(
        "--seconds", type=_seconds, metavar="S,S,...", help="compare planners at these limits"
    )
    parser.add_argument("--seeds", type=int, default=8, help="crowds for each map, with --seconds")
    parser.add_argument("--lacam3", type=Path, metavar="FILE", help="a build of Kei18/lacam3")
    options = parser.parse_args(arguments)
    if options.expansions < 1:
        parser.error(f"--expansions must be >= 1, got {options.expansions}")
    if options.seeds < 1:
        parser.error(f"--seeds must be >= 1, got {options.seeds}")
    try:
        if options.seconds:
            return compare(options)
        return run(options.folder, options.boards, options.expansions, options.table)
    except MapFileError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
