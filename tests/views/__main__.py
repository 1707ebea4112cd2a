"""Point at places of random views, and compare the hovered tiles with those found by NumPy.

`python -m tests.views [--views N] [--seed S]` uses the maps of the seeds S, S + 1, ..., with 25
views of each. The exit status is 0 if all are right, 1 if not.
"""

import argparse
import sys

from terrain3d.view.window.window import open_offscreen
from tests.views.random_view import POINTS_PER_VIEW, VIEWS_PER_MAP, check_scene


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.views", description=__doc__)
    parser.add_argument("--views", type=int, default=100, metavar="N", help="how many to look at")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first map")
    options = parser.parse_args(arguments)
    base = open_offscreen(640, 360)
    n_wrong = n_hits = n_views = 0
    for seed in range(options.seed, options.seed + -(-options.views // VIEWS_PER_MAP)):
        n_views += VIEWS_PER_MAP
        try:
            n_hits += check_scene(base, seed)
        except AssertionError as error:
            n_wrong += 1
            print(f"--seed {seed}: {error}", file=sys.stderr)
    n_points = n_views * POINTS_PER_VIEW
    print(f"{n_views:,} views, {n_points:,} points, {n_hits:,} on a map; {n_wrong} maps wrong")
    base.destroy()
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
