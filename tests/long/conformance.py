"""Path lengths beside the optimal ones that MovingAI publishes: `conformance DIR`.

Runs the queries of every .scen file under DIR whose map is in the same folder, with `--cases` so
many of a map. https://movingai.com/benchmarks/formats.html describes the files: x is the column and
y the row, both counted from the north-west.
"""

import itertools
import math
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ai import MoveProfile, Navigation
from terrain3d import Cell, TileKind, TileMap
from tests.long import Check, Kind

PROFILE = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=math.sqrt(2))
N_SHOWN = 5
"""How many mismatches of a map are shown."""
CLOSED = [TileKind(name, cost=None) for name in ("water", "tree", "void")]
KINDS = [TileKind("grass"), TileKind("swamp"), *CLOSED]
_KIND_OF = {".": 0, "G": 0, "S": 1, "W": 2, "T": 3, "@": 4, "O": 4}


def load_map(path: Path) -> TileMap:
    """Return the flat map of a `.map` file of type octile."""
    head, _, body = path.read_text("ascii").partition("map\n")
    assert head.startswith("type octile\n"), f"{path} is of another type"
    rows = body.split()
    kind = np.array([[_KIND_OF[sign] for sign in row] for row in rows])
    return TileMap(np.zeros_like(kind), kind, KINDS)


class Scenario(NamedTuple):
    """One query of a benchmark on a map.

    `optimal_length` is that of a shortest path over 8 neighbors, where a diagonal step is sqrt(2)
    long and does not cut a blocked corner.
    """

    map_name: str
    start: Cell
    goal: Cell
    optimal_length: float


def load_scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios of a `.scen` file; a map name with spaces needs tabs between fields."""
    version, *lines = path.read_text(encoding="utf-8-sig").splitlines()
    assert version.split() in (["version", "1"], ["version", "1.0"]), f"{path} is {version}"
    found = []
    for line in filter(str.strip, lines):
        _, name, *numbers, length = line.split("\t") if "\t" in line else line.split()
        _, _, x, y, goal_x, goal_y = map(int, numbers)
        found.append(Scenario(name, Cell(y, x), Cell(goal_y, goal_x), float(length)))
    return found


def length_of(path: Iterable[Cell]) -> float:
    """Return the length of a path in tiles: costs are whole millionths, which round sqrt(2)."""
    return sum(math.dist(start[:2], end[:2]) for start, end in itertools.pairwise(path))


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


def check(path: Path, scenarios: list[Scenario]) -> Counter[str]:
    """Run all queries on one map."""
    navigation = Navigation(load_map(path))
    mismatches = []
    for scenario in scenarios:
        found = navigation.find_path(scenario.start, scenario.goal, PROFILE)
        published, length = scenario.optimal_length, length_of(found)
        # A published length has 2 decimals or 6 digits.
        if not found or abs(length - published) > max(0.0051, 1e-6 * published):
            ends = f"{scenario.start[:2]} -> {scenario.goal[:2]}"
            got = length if found else found.reason
            mismatches.append(f"{ends}: published {published}, got {got}")
    assert not mismatches, f"{len(mismatches)} mismatches: " + "; ".join(mismatches[:N_SHOWN])
    return Counter({"maps": 1, "scenarios": len(scenarios)})


def checks(options: Namespace) -> Iterator[tuple[str, Check]]:
    """Yield a check for each map under a folder."""
    [folder] = options.of
    for path, scenarios in find_scenarios(Path(folder)).items():
        yield path.name, partial(check, path, spread(scenarios, options.cases))


def faults(counts: Counter[str], folder: str) -> list[str]:
    """Return that nothing was compared."""
    return [] if counts["maps"] or counts["wrong"] else [f"there are no scenarios under {folder}"]


KIND = Kind("scenarios of a map", None, checks, faults)
