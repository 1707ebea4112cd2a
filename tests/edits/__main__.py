"""Compare answers with an index, through edits, with those of a new Navigation without one.

`python -m tests.edits [--rounds N] [--seed S]` draws maps and movers, and builds an index now or
in the background. A round is one edit of one or several operations, an undo
or a redo, followed by some queries, which are asked of a new Navigation too; now and then SciPy
finds the cost from the steps of the plain rulebook. The maps have the seeds S, S + 1, ..., so that
`--seed` repeats a map on which answers differ. The exit status is 0 if all agree, 1 if not.
"""

import argparse
import itertools
import sys
import time
from collections import Counter

from tests.edits.rounds import Game

AGREED, DIFFERENT = 0, 1
MAX_DIFFERENT = 10
"""Maps with a difference after which a run ends."""
PROGRESS_S = 30.0


def run(n_rounds: int, first_seed: int) -> int:
    """Play so many rounds, print the result and return the exit status."""
    counts: Counter[str] = Counter()
    shown_s = time.monotonic()
    for seed in itertools.count(first_seed):
        game = Game(seed)
        counts["maps"] += 1
        try:
            for _ in game.rounds():
                counts["rounds"] += 1
                if counts["rounds"] == n_rounds:
                    break
        except AssertionError as error:
            counts["maps with a difference"] += 1
            print(f"--seed {seed}, {error}", file=sys.stderr)
        counts += game.counts
        is_last = counts["rounds"] >= n_rounds or counts["maps with a difference"] == MAX_DIFFERENT
        if is_last or time.monotonic() - shown_s > PROGRESS_S:
            shown_s = time.monotonic()
            line = ", ".join(f"{count:,} {name}" for name, count in counts.items())
            print(f"{line}, {time.process_time():.0f} s of processor time", flush=True)
        if is_last:
            return DIFFERENT if counts["maps with a difference"] else AGREED
    return AGREED


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.edits", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2000, metavar="N", help="how many to play")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first map")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error(f"--rounds must be >= 1, got {options.rounds}")
    if options.seed < 0:
        parser.error(f"--seed must be >= 0, got {options.seed}")
    return run(options.rounds, options.seed)


if __name__ == "__main__":
    sys.exit(main())
