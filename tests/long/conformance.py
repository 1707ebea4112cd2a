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
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ai import MoveProfile, Navigation
from terrain3d import Cell, MapFileError, TileKind, TileMap
from terrain3d.core.files import read_bytes
from tests.long import Check, Kind

PROFILE = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=math.sqrt(2))
N_SHOWN = 5
"""How many mismatches of a map are shown."""
KINDS = [
    TileKind("grass"),
    TileKind("swamp"),
    TileKind("water", cost=None),
    TileKind("tree", cost=None),
    TileKind("void", cost=None),
]
_KIND_OF = {".": 0, "G": 0, "S": 1, "W": 2, "T": 3, "@": 4, "O": 4}
_N_FIELDS = 9
_MAX_BYTES = 2**24


def load_map(path: Path) -> TileMap:
    """Return the flat map of a `.map` file of type octile."""
    text = read_bytes(path, _MAX_BYTES).decode("ascii").replace("\r\n", "\n")
    head, _, body = text.partition("map\n")
    rows = body.split()
    size = f"height {len(rows)}\nwidth {len(rows[0]) if rows else 0}\n"
    if head != f"type octile\n{size}" or not set(body) <= {"\n", *_KIND_OF}:
        problem = f"must be of type octile and of the size it declares, got {head[:60]!r}"
        raise MapFileError(problem, source=str(path))
    kind = np.array([[_KIND_OF[sign] for sign in row] for row in rows])
    return TileMap(np.zeros_like(kind), kind, KINDS)


@dataclass(frozen=True)
class Scenario:
    """One query of a benchmark on a map of `rows` x `cols`; similar lengths share a bucket.

    `optimal_length` is that of a shortest path over 8 neighbors, where a diagonal step is sqrt(2)
    long and does not cut a blocked corner.
    """

    bucket: int
    map_name: str
    rows: int
    cols: int
    start: Cell
    goal: Cell
    optimal_length: float


def load_scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios of a `.scen` file, version 1 (also written 1.0)."""
    version, *lines = path.read_text(encoding="utf-8-sig").splitlines()
    if version.split() not in (["version", "1"], ["version", "1.0"]):
        raise MapFileError("must be 'version 1'", line=1, source=str(path))
    return [_scenario(line) for line in lines if line.strip()]


def _scenario(line: str) -> Scenario:
    """Return the scenario of a line; a map name with spaces needs tabs between the fields."""
    is_tabbed = line.count("\t") == _N_FIELDS - 1
    bucket, name, *numbers, length = line.split("\t") if is_tabbed else line.split()
    cols, rows, x, y, goal_x, goal_y = map(int, numbers)
    start, goal = Cell(y, x), Cell(goal_y, goal_x)
    return Scenario(int(bucket), name, rows, cols, start, goal, float(length))


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


def check(path: Path, scenarios: list[Scenario]) -> Counter[str]:
    """Run all queries on one map."""
    tilemap = load_map(path)
    navigation = Navigation(tilemap)
    mismatches = []
    for scenario in scenarios:
        if (scenario.rows, scenario.cols) != (tilemap.rows, tilemap.cols):
            size = f"{scenario.rows} x {scenario.cols}"
            raise MapFileError(f"has another size than its scenarios, {size}", source=str(path))
        found = navigation.find_path(scenario.start, scenario.goal, PROFILE)
        if not found or not agrees(length_of(found), scenario.optimal_length):
            ends = f"{scenario.start[:2]} -> {scenario.goal[:2]}"
            got = length_of(found) if found else found.reason
            mismatches.append(f"{ends}: published {scenario.optimal_length}, got {got}")
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
