"""Read scenarios of the MovingAI benchmarks, `.scen`: queries on a map with their optimal lengths.

The format is described at https://movingai.com/benchmarks/formats.html. x is the column and y the
row, both counted from the north-west.
"""

from dataclasses import dataclass
from pathlib import Path

from terrain3d import Cell, MapFileError

_N_FIELDS = 9


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
