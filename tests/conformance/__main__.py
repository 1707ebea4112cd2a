"""Compare path costs with the optimal lengths in MovingAI scenarios.

`python -m tests.conformance DIR [--limit N]` runs every query of every .scen file under DIR whose
map is in the same folder. The exit status is 0 if all agree, 1 if not, 2 if there are no queries.
"""

import argparse
import itertools
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ai import MoveProfile, Navigation
from terrain3d import Cell, MapFileError
from tests.support.movingai_files import Scenario, load_map, load_scenarios

AGREED, DIFFERENT, BAD_INPUT = 0, 1, 2
PROFILE = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=math.sqrt(2))
N_SHOWN = 5
"""How many mismatches of a map are printed one by one."""


@dataclass
class Report:
    """The results of the queries on one map."""

    scenarios: int = 0
    mismatches: list[str] = field(default_factory=list)
    unsolved: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.scenarios} scenarios, {len(self.mismatches)} mismatches, "
            f"{self.unsolved} unsolved, {self.seconds:.2f} s"
        )


def length_of(path: Iterable[Cell]) -> float:
    """Return the length of a path in tiles: costs are whole millionths, which round sqrt(2)."""
    return sum(math.dist(start[:2], end[:2]) for start, end in itertools.pairwise(path))


def agrees(length: float, published: float) -> bool:
    """Return whether a length equals the published one, which has 2 decimals or 6 digits."""
    return abs(length - published) <= max(0.0051, 1e-6 * published)


def spread(scenarios: list[Scenario], limit: int | None) -> list[Scenario]:
    """Return at most `limit` scenarios, evenly spread over those of the file."""
    if limit is None or len(scenarios) <= limit:
        return scenarios
    return [scenarios[place * len(scenarios) // limit] for place in range(limit)]


def find_scenarios(folder: Path) -> dict[Path, list[Scenario]]:
    """Return all scenarios under a folder, by the path of their map."""
    found: dict[Path, list[Scenario]] = defaultdict(list)
    for path in sorted(folder.rglob("*.scen")):
        for scenario in load_scenarios(path):
            found[path.with_name(Path(scenario.map_name).name)].append(scenario)
    return found


def run_map(path: Path, scenarios: list[Scenario]) -> Report:
    """Run all queries on one map."""
    tilemap = load_map(path)
    navigation = Navigation(tilemap)
    report = Report(len(scenarios))
    start_s = time.perf_counter()
    for scenario in scenarios:
        if (scenario.rows, scenario.cols) != (tilemap.rows, tilemap.cols):
            size = f"{scenario.rows} x {scenario.cols}"
            raise MapFileError(f"has another size than its scenarios, {size}", source=str(path))
        path_found = navigation.find_path(scenario.start, scenario.goal, PROFILE)
        report.unsolved += not path_found
        if not path_found or not agrees(length_of(path_found), scenario.optimal_length):
            ends = f"{scenario.start[:2]} -> {scenario.goal[:2]}"
            got = length_of(path_found) if path_found else path_found.reason
            report.mismatches.append(f"{ends}: published {scenario.optimal_length}, got {got}")
    report.seconds = time.perf_counter() - start_s
    return report


def run(folder: Path, limit: int | None) -> int:
    """Run all queries under a folder, print the results and return the exit status."""
    found = find_scenarios(folder)
    if not found:
        print(f"there are no scenarios under {folder}", file=sys.stderr)
        return BAD_INPUT
    status = AGREED
    for path, scenarios in found.items():
        report = run_map(path, spread(scenarios, limit))
        print(f"{path.name}: {report}", flush=True)
        for mismatch in report.mismatches[:N_SHOWN]:
            print(f"  {mismatch}")
        if report.mismatches:
            status = DIFFERENT
    return status


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--limit", type=int, metavar="N", help="run at most N queries on a map")
    options = parser.parse_args(arguments)
    if options.limit is not None and options.limit < 1:
        parser.error(f"--limit must be >= 1, got {options.limit}")
    try:
        return run(options.folder, options.limit)
    except MapFileError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
