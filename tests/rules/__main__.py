"""Compare the answers on random maps with the plain rulebook.

`python -m tests.rules [--cases N] [--seed S]` draws small maps with all rules mixed, movers,
blockers and edits, and compares costs, steps, reasons, stops, reach, fields, zones of control and
edited maps with `tests/support/rulebook.py`. A case is one comparison: the cost of one path, the
legality of one step, one cell of a reach. Runs with different seeds can be added up. The exit
status is 0 if all agree, 1 if not.
"""

import argparse
import itertools
import sys
import time
import traceback
from collections import Counter

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.rules.comparisons import Tally, everything, questions
from tests.support import rulebook
from tests.support.mixed_maps import cases

AGREED, DIFFERENT = 0, 1
MAPS_PER_ROUND = 10
"""Maps that are drawn with one seed; of those that differ the smallest is shown. From the eleventh
on hypothesis mostly alters maps drawn before, and rare rules decide on many of them or on none."""
MAX_DIFFERENT = 10
"""Rounds with a difference after which a run ends."""
PROGRESS_S = 30.0


def run_round(number: int) -> tuple[Tally, Counter[str], str]:
    """Compare answers on some maps; return the counts, and what differs on the smallest map."""
    tally, fired = Tally(), Counter()

    @seed(number)
    @settings(
        max_examples=MAPS_PER_ROUND,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(), st.data())
    def compare(case, data):
        rulebook.fired.clear()
        case.tell()
        everything(case, tally, data.draw(questions(case)))
        fired.update({"maps", *rulebook.fired})

    try:
        compare()
    except Exception as error:  # whatever a query raises is a difference too
        return Tally(), Counter(), "".join(traceback.format_exception(error))
    return tally, fired, ""


def report(tally: Tally, fired: Counter[str], first_seed: int, n_different: int) -> str:
    """Return the result: what was compared how often, and on how many maps each rule decided."""
    n_maps = fired["maps"]
    lines = [f"{name:32}{count:10,}" for name, count in sorted(tally.cases.items())]
    lines += [
        "",
        f"rules of the rulebook, by the maps of {n_maps:,} on which they decided something:",
    ]
    lines += [f"{rule:32}{fired[rule]:10,}" for rule in rulebook.RULES]
    return "\n".join(
        [
            *lines,
            "",
            f"{tally.cases.total():,} cases on {n_maps:,} maps, seed {first_seed}: "
            f"{n_different} rounds of {MAPS_PER_ROUND} maps with a difference, "
            f"{time.process_time():.0f} s of processor time",
        ]
    )


def run(n_cases: int, first_seed: int) -> int:
    """Compare so many cases, print the result and return the exit status."""
    total, fired = Tally(), Counter()
    n_different, shown_s = 0, time.monotonic()
    for number in itertools.count(first_seed * 1_000_000):
        tally, more, difference = run_round(number)
        total.cases += tally.cases
        fired += more
        if difference:
            n_different += 1
            print(difference, file=sys.stderr)
        if time.monotonic() - shown_s > PROGRESS_S:
            shown_s = time.monotonic()
            print(f"{total.cases.total():,} cases, {n_different} differences", file=sys.stderr)
        if total.cases.total() >= n_cases or n_different == MAX_DIFFERENT:
            break
    print(report(total, fired, first_seed, n_different))
    return DIFFERENT if n_different else AGREED


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules", description=__doc__)
    parser.add_argument(
        "--cases", type=int, default=20_000, metavar="N", help="how many to compare"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the random maps")
    options = parser.parse_args(arguments)
    if options.cases < 1:
        parser.error(f"--cases must be >= 1, got {options.cases}")
    if options.seed < 0:
        parser.error(f"--seed must be >= 0, got {options.seed}")
    return run(options.cases, options.seed)


if __name__ == "__main__":
    sys.exit(main())
