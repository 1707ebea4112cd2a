"""Read files of the MovingAI benchmarks: maps, and scenarios, which are queries with their lengths.

The formats are described at https://movingai.com/benchmarks/formats.html. x is the column and y the
row, both counted from the north-west.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from terrain3d import Cell, MapFileError, TileKind, TileMap
from terrain3d.core.files import read_bytes

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
