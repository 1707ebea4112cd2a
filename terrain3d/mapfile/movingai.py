"""Maps and scenarios of the MovingAI benchmarks: flat grids, and queries with their best lengths.

The formats are described at https://movingai.com/benchmarks/formats.html. x is the column and y
the row, both from the north-west.
"""

import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.checks import MAX_CELLS
from terrain3d.grid import Cell
from terrain3d.kinds import VOID, TileKind
from terrain3d.mapfile.error import MapFileError, refuse_many
from terrain3d.mapfile.files import read_bytes
from terrain3d.mapfile.losses import kinds_in_use, losses
from terrain3d.mapfile.record import MapRecord, Rendered

SUFFIX = ".map"

MAX_BYTES = 2**27
"""The largest file that is read: a map of MAX_CELLS tiles and as much again."""

KINDS = (
    TileKind("grass", texture="grass", props="meadow"),
    TileKind("swamp", color=(0.40, 0.44, 0.30), texture="mud", props="reeds"),
    TileKind("water", cost=None, color=(0.26, 0.47, 0.66), depth=1, texture="water"),
    TileKind("tree", cost=None, color=(0.20, 0.38, 0.20), texture="grass", props="trees"),
    VOID,
)
"""Grass and swamp cost 1 each unless a movement profile says otherwise."""

_KIND_OF_SIGN = {".": 0, "G": 0, "S": 1, "W": 2, "T": 3, "@": 4, "O": 4}
_SIGN_OF_NAME = {kind.name: sign for kind, sign in zip(KINDS, ".SWT@", strict=True)}
_KIND_OF_BYTE = np.zeros(256, dtype=np.uint8)
_KIND_OF_BYTE[[ord(sign) for sign in _KIND_OF_SIGN]] = list(_KIND_OF_SIGN.values())

_STRANGE = re.compile(r"[^.GSWT@O]")
_WHOLE = re.compile(r"\d{1,9}")
_LENGTH = re.compile(r"\d+(\.\d*)?([eE][+-]?\d+)?")
_N_FIELDS = 9


class MapArrays(NamedTuple):
    """What a map is made from, in the order `TileMap` takes it."""

    level: NDArray[np.int16]
    kind: NDArray[np.uint8]
    kinds: tuple[TileKind, ...]


@dataclass(frozen=True)
class Scenario:
    """One query of a benchmark.

    Parameters
    ----------
    bucket : int
        Queries of like length share one.
    map_name : str
        The map, as the file names it.
    rows, cols : int
        The map's size.
    start, goal : Cell
    length : float
        Length of a shortest way over 8 neighbors, diagonals sqrt(2) long and never past a
        blocked tile.
    """

    bucket: int
    map_name: str
    rows: int
    cols: int
    start: Cell
    goal: Cell
    length: float


def load_map(path: Path) -> MapArrays:
    """Read a `.map` file: `TileMap(*load_map(path))`.

    Raises
    ------
    MapFileError
        It is no plain file, too large, or no map of type octile; with the line if it has one.
    """
    return parse_map(read_bytes(path, MAX_BYTES), str(path))


def load_scenarios(path: Path) -> list[Scenario]:
    """Read a `.scen` file, version 1 (also written 1.0).

    Raises
    ------
    MapFileError
        It is no plain file, too large, or a line is no scenario; with the line if it has one.
    """
    return parse_scenarios(read_bytes(path, MAX_BYTES), str(path))


def parse_map(data: bytes, source: str = "", max_tiles: int = MAX_CELLS) -> MapArrays:
    """Read what a `.map` file holds; see `load_map`.

    Ground is '.' and 'G', swamp 'S', water 'W', trees 'T', and '@' and 'O' lie out of bounds.
    """
    lines = _lines(data, source)
    height, width = _header(lines, source)
    refuse_many(height * width, max_tiles, source)
    rows: list[str] = []
    for line in lines:
        if len(rows) < height:
            rows.append(line.row(width))
        elif line.text:
            raise line.error(f"follows after {height} rows")
    if len(rows) < height:
        problem = f"ends after {len(rows)} rows, the header says {height}"
        raise MapFileError(problem, line=data.count(b"\n") + 1, source=source)
    signs = np.frombuffer("".join(rows).encode("ascii"), dtype=np.uint8)
    kind = _KIND_OF_BYTE[signs].reshape(height, width)
    return MapArrays(np.zeros((height, width), dtype=np.int16), kind, KINDS)


def write(record: MapRecord) -> Rendered:
    """Write a map as a `.map` file of type octile holds it.

    Kinds of the names above keep their signs. Of others, what has a price above 1 becomes swamp,
    what cannot be entered becomes water if it is tagged as liquid and trees if not, and anything
    else ground.
    """
    notes = losses(record)
    changed = []
    for kind in (record.kinds[number] for number in kinds_in_use(record)):
        name = KINDS[_KIND_OF_SIGN[_sign_of(kind)]].name
        if kind.name != name:
            changed.append(f"{kind.name} becomes {name}")
        elif kind not in KINDS:
            changed.append(f"{name} loses price and looks of its own")
    if changed:
        notes.append(f"left out: kinds of ground ({', '.join(changed)})")
    signs = np.array([ord(_sign_of(kind)) for kind in record.kinds], np.uint8)
    height, width = record.kind.shape
    lines = np.full((height, width + 1), ord("\n"), np.uint8)
    lines[:, :-1] = signs[record.kind]
    header = f"type octile\nheight {height}\nwidth {width}\nmap\n"
    return Rendered(header.encode("ascii") + lines.tobytes(), tuple(notes))


def _sign_of(kind: TileKind) -> str:
    """Choose the sign of a kind of any map."""
    if kind.name in _SIGN_OF_NAME:
        return _SIGN_OF_NAME[kind.name]
    if kind.cost is None:
        return "W" if "liquid" in kind.tags else "T"
    return "S" if kind.cost > 1 else "."


def parse_scenarios(data: bytes, source: str = "") -> list[Scenario]:
    """Read what a `.scen` file holds; see `load_scenarios`."""
    lines = _lines(data, source)
    first = next(lines, _Line("", 1, source))
    if first.text.split() not in (["version", "1"], ["version", "1.0"]):
        raise first.error("must be 'version 1'")
    return [line.scenario() for line in lines if line.text]


class _Line(NamedTuple):
    """One line without what ends it, and where it stands."""

    text: str
    number: int
    source: str

    def error(self, problem: str) -> MapFileError:
        """Tell what is wrong with this line."""
        shown = self.text if len(self.text) <= 60 else self.text[:60] + "..."
        return MapFileError(f"{problem}, in {shown!r}", line=self.number, source=self.source)

    def row(self, width: int) -> str:
        """Check one row of a map and give its signs."""
        strange = _STRANGE.search(self.text)
        if strange:
            place = f"column {strange.start() + 1} is {strange[0]!r}"
            raise self.error(f"{place}; a tile is one of . G S W T @ O")
        if len(self.text) != width:
            raise self.error(f"a row has {width} tiles by the header, not {len(self.text)}")
        return self.text

    def size(self, height: str, width: str) -> tuple[int, int]:
        """Check a map's size before anything of that size is made."""
        is_whole = _WHOLE.fullmatch(height) and _WHOLE.fullmatch(width)
        rows, cols = (int(height), int(width)) if is_whole else (0, 0)
        if not 1 <= rows * cols <= MAX_CELLS:
            raise self.error(
                f"height x width must be 1..{MAX_CELLS} tiles, not {height[:20]} x {width[:20]}"
            )
        return rows, cols

    def scenario(self) -> Scenario:
        """Read one query; a name with spaces needs tabs around it."""
        is_tabbed = self.text.count("\t") == _N_FIELDS - 1
        fields = self.text.split("\t") if is_tabbed else self.text.split()
        if len(fields) != _N_FIELDS:
            raise self.error(f"a scenario has {_N_FIELDS} fields, not {len(fields)}")
        bucket, name, width, height, *ends, length = (field.strip() for field in fields)
        rows, cols = self.size(height, width)
        if not all(_WHOLE.fullmatch(field) for field in (bucket, *ends)):
            raise self.error("bucket, start and goal must be whole numbers")
        x, y, goal_x, goal_y = map(int, ends)
        if max(x, goal_x) >= cols or max(y, goal_y) >= rows:
            raise self.error(f"start and goal must lie on {cols} columns and {rows} rows")
        if not (_LENGTH.fullmatch(length) and math.isfinite(float(length))):
            raise self.error("the length must be a finite number >= 0")
        start, goal = Cell(y, x), Cell(goal_y, goal_x)
        return Scenario(int(bucket), name, rows, cols, start, goal, float(length))


def _lines(data: bytes, source: str) -> Iterator[_Line]:
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise MapFileError("is not ASCII", line=number, source=source) from None
    numbered = enumerate(io.StringIO(text, newline="\n"), start=1)
    return (_Line(line.rstrip(), number, source) for number, line in numbered)


def _header(lines: Iterator[_Line], source: str) -> tuple[int, int]:
    """Read up to the line "map" and give height and width."""
    found: dict[str, str] = {}
    line = _Line("", 1, source)
    for line in lines:
        words = line.text.split()
        match words:
            case [] | ["map"]:
                pass
            case ["type", "octile"] | ["height" | "width", _] if words[0] not in found:
                found[words[0]] = words[1]
            case _:
                raise line.error("a header has 'type octile', height and width once each")
        if words == ["map"]:
            break
    if line.text.strip() != "map" or len(found) < 3:
        raise line.error("a header has type, height and width before 'map'")
    return line.size(found["height"], found["width"])
