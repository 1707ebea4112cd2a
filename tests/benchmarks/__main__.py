"""Measure our speed beside that of other libraries: `python -m tests.benchmarks --help`."""

import argparse
import sys
import time
from itertools import chain
from pathlib import Path

from tests.benchmarks import fresh, ours, report
from tests.benchmarks.registry import INDEXED, PLAIN, installed
from tests.benchmarks.rows import Bench, Row, uniform_rows

RIGHT, WRONG = 0, 1
_SMALLEST, _LARGEST = 16, 2048


def sizes(text: str) -> list[int]:
    """Read map sizes such as "64,256"."""
    found = [int(part) for part in text.split(",")]
    if not all(_SMALLEST <= size <= _LARGEST for size in found):
        raise argparse.ArgumentTypeError(f"sizes must be in {_SMALLEST}..{_LARGEST}, got {text}")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and give the exit status: 1 if an answer of ours was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=sizes, default=[64, 128, 256, 1024], metavar="N,N,...")
    parser.add_argument("--quick", action="store_true", help="fewer questions, no new processes")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the tables there")
    options = parser.parse_args(arguments)

    begin = time.perf_counter()
    ours.ask_everything()  # compiles, so that nothing of it is left to the questions
    entries = installed()
    rows: list[Row] = []
    for size in options.sizes:
        share, seconds = (0.2, 0.5) if options.quick else (1.0, 1.5)
        for row in chain(
            Bench(size, entries, seconds, share).rows(),
            uniform_rows(size, seconds, share),
        ):
            rows.append(row)
            print(f"{time.perf_counter() - begin:6.1f} s  {row.name}", file=sys.stderr)
    if not options.quick:
        rows += fresh.measure(entries, options.sizes)
    print(report.markdown(rows))
    print(f"{time.perf_counter() - begin:.0f} s", file=sys.stderr)
    if options.table:
        options.table.write_text(report.markdown(rows))
    wrong = report.mismatches(rows)
    return WRONG if any(wrong.get(name) for name in (PLAIN, INDEXED)) else RIGHT


if __name__ == "__main__":
    sys.exit(main())
