"""Measure our speed beside that of other libraries: `python -m tests.benchmarks --help`."""

import argparse
import sys
import time
from itertools import chain

from tests.benchmarks import fresh, report
from tests.benchmarks.registry import INDEXED, PLAIN, installed
from tests.benchmarks.rows import Bench, uniform_rows

RIGHT, WRONG = 0, 1


def main():
    """Run the command line and give the exit status: 1 if an answer of ours was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="64,128,256,1024", metavar="N,N,...")
    parser.add_argument("--quick", action="store_true", help="fewer questions, no new processes")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    share, seconds = (0.2, 0.5) if options.quick else (1.0, 1.5)

    begin, entries, rows = time.perf_counter(), installed(), []
    for size in sizes:
        bench = Bench(size, entries, seconds, share)
        for row in chain(bench.rows(), uniform_rows(size, seconds, share)):
            rows.append(row)
            print(f"{time.perf_counter() - begin:6.1f} s  {row.name}", file=sys.stderr)
    if not options.quick:
        rows += fresh.measure(entries, sizes)
    print(report.markdown(rows))
    wrong = report.mismatches(rows)
    return WRONG if any(wrong.get(name) for name in (PLAIN, INDEXED)) else RIGHT


if __name__ == "__main__":
    sys.exit(main())
