"""Read scenarios of the MovingAI benchmarks, `.scen`: queries on a map with their optimal lengths.

The format is described at https://movingai.com/benchmarks/formats.html. x is the column and y the
row, both counted from the north-west.
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path

from terrain3d.core.errors import in_file
from terrain3d.core.files import read_bytes
from terrain3d.formats.movingai import Line, lines_of
from terrain3d.grid.grid import Cell

MAX_BYTES = 2**27
MAX_SCENARIOS = 2**18

_N_FIELDS = 9
WHOLE = re.compile(r"\d{1,9}")
NUMBER = re.compile(r"\d+(\.\d*)?([eE][+-]?\d+)?")


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
    with in_file(str(path)):
        return parse_scenarios(read_bytes(path, MAX_BYTES))


def parse_scenarios(data: bytes) -> list[Scenario]:
    """Return the scenarios in the bytes of a `.scen` file; see `load_scenarios`."""
    lines = lines_of(data)
    first = next(lines, Line("", 1))
    if first.text.split() not in (["version", "1"], ["version", "1.0"]):
        raise first.error("must be 'version 1'")
    scenarios: list[Scenario] = []
    for line in lines:
        if len(scenarios) >= MAX_SCENARIOS and line.text:
            raise line.error(f"a file has at most {MAX_SCENARIOS} scenarios")
        if line.text:
            scenarios.append(_scenario(line))
    return scenarios


def _scenario(line: Line) -> Scenario:
    """Return the scenario of a line; a map name with spaces needs tabs between the fields."""
    is_tabbed = line.text.count("\t") == _N_FIELDS - 1
    fields = line.text.split("\t") if is_tabbed else line.text.split()
    if len(fields) != _N_FIELDS:
        raise line.error(f"a scenario has {_N_FIELDS} fields, got {len(fields)}")
    bucket, name, width, height, *ends, optimal = (field.strip() for field in fields)
    rows, cols = line.size(height, width)
    if not all(WHOLE.fullmatch(field) for field in (bucket, *ends)):
        raise line.error("bucket, start and goal must be whole numbers")
    x, y, goal_x, goal_y = map(int, ends)
    if max(x, goal_x) >= cols or max(y, goal_y) >= rows:
        raise line.error(f"start and goal must lie on {cols} columns and {rows} rows")
    if not (NUMBER.fullmatch(optimal) and math.isfinite(float(optimal))):
        raise line.error("the optimal length must be a finite number >= 0")
    start, goal = Cell(y, x), Cell(goal_y, goal_x)
    return Scenario(int(bucket), name, rows, cols, start, goal, float(optimal))
