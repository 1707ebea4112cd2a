"""Look longer for faults: `python -m tests.long KIND [OF] [--cases N] [--seed S]`.

The kinds are the modules of this package. What they check is drawn from the seeds S, S + 1, ...,
so that `--seed` repeats what is wrong. Prints what was compared how often. The exit status is 0 if
all is right, 1 if not.
"""

import argparse
import importlib
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable

from tests.long import Check

KINDS = (
    *("rules", "edits", "games", "battles", "player", "views", "squads", "plans", "crowds"),
    *("files", "soak", "conformance"),
)
MAX_WRONG = 10
"""Wrong checks after which a run ends."""
PROGRESS_S = 30.0


def run(checks: Iterable[tuple[str, Check]], unit: str, cases: int | None) -> Counter[str]:
    """Run checks until there are so many cases; show and count those that are wrong."""
    counts, shown_s = Counter({"wrong": 0}), time.monotonic()
    for name, check in checks:
        try:
            counts.update(check())
        except Exception as error:  # whatever a call raises is wrong too
            counts["wrong"] += 1
            print(f"{name}:", *traceback.format_exception(error), sep="\n", file=sys.stderr)
        if counts["wrong"] == MAX_WRONG or (cases is not None and counts[unit] >= cases):
            break
        if time.monotonic() - shown_s > PROGRESS_S:
            shown_s = time.monotonic()
            print(f"{counts[unit]:,} {unit}, {counts['wrong']} wrong", file=sys.stderr)
    return counts


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.long", description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("of", nargs="*", help="a difficulty, a folder of scenarios, a file")
    parser.add_argument("--cases", type=int, metavar="N", help="how many to check")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first check")
    options = parser.parse_args(arguments)
    for name in ("cases", "seed"):
        if (getattr(options, name) or 0) < 0:
            parser.error(f"--{name} must be >= 0, got {getattr(options, name)}")
    kind = importlib.import_module(f"tests.long.{options.kind}").KIND
    options.cases = kind.cases if options.cases is None else options.cases
    counts = run(kind.checks(options), kind.unit, options.cases)
    faults = kind.faults(counts, *options.of)
    print(*(f"{count:12,} {name}" for name, count in counts.items()), *faults, sep="\n")
    print(f"{time.process_time():.0f} s of processor time")
    return 1 if counts["wrong"] or faults else 0


if __name__ == "__main__":
    sys.exit(main())
