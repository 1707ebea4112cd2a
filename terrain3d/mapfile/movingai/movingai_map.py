"""Maps of the MovingAI benchmarks, `.map`: flat grids, with weights if somebody has them.

The format is described at https://movingai.com/benchmarks/formats.html.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import MAX_CELLS, check_cost
from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.core.files import read_bytes
from terrain3d.grid.kinds import TileKind
from terrain3d.mapfile.losses import kinds_in_use, losses
from terrain3d.mapfile.movingai.lines import MAX_BYTES, NUMBER, Line, lines_of
from terrain3d.mapfile.movingai.terrain_letters import (
    SIGNS,
    TERRAINS,
    kinds_of,
    signs_of,
    strange_signs,
)
from terrain3d.mapfile.record import MapRecord, Rendered

SUFFIX = ".map"

NO_PRICES = "the file tells no prices: each terrain costs 1 unless weights are given"
"""What is said of a map of letters."""

MAX_WEIGHTS_BYTES = 2**16

_KNOWN = f"a tile is one of {' '.join(SIGNS)}, or each is one of A to P"
_STRANGE = re.compile(r"[^!-~]")


class MapArrays(NamedTuple):
    """What a map is made from, in the order `TileMap` takes it."""

    level: NDArray[np.int16]
    kind: NDArray[np.uint8]
    kinds: tuple[TileKind, ...]


def load_map(path: Path, weights: Mapping[str, float] | None = None) -> MapArrays:
    """Read a `.map` file: `TileMap(*load_map(path))`.

    Parameters
    ----------
    path : Path
    weights : mapping of str to float, optional
        As `load_weights` reads them; each sign of the map must have one.

    Raises
    ------
    MapFileError
        It is no plain file, too large, or no map of type octile; with the line if it has one.
    TypeError, ValueError
        A weight is no cost.
    """
    return parse_map(read_bytes(path, MAX_BYTES), str(path), weights=weights)


def parse_map(
    data: bytes,
    source: str = "",
    max_tiles: int = MAX_CELLS,
    weights: Mapping[str, float] | None = None,
) -> MapArrays:
    """Read what a `.map` file holds; see `load_map`.

    Ground is '.' and 'G', swamp 'S', water 'W', trees 'T', and '@' and 'O' lie out of bounds. A map
    of the letters A to P alone, some of which are no such sign, is one of terrains.
    """
    lines = lines_of(data, source)
    height, width = _header(lines, source)
    check_tile_count(height * width, max_tiles, source)
    rows: list[str] = []
    first = 0
    for line in lines:
        if len(rows) < height:
            first = first or line.number
            rows.append(_row(line, width))
        elif line.text:
            raise line.error(f"follows after {height} rows")
    if len(rows) < height:
        problem = f"ends after {len(rows)} rows, the header says {height}"
        raise MapFileError(problem, line=data.count(b"\n") + 1, source=source)
    codes = "".join(rows).encode("ascii")
    signs = _different(codes)
    strange = strange_signs(signs, weights)
    if strange:
        place = min(codes.index(sign.encode("ascii")) for sign in strange)
        row, col = divmod(place, width)
        problem = _KNOWN if weights is None else "it has no weight"
        raise _strange(Line(rows[row], first + row, source), col, problem)
    found = kinds_of(signs, weights)
    kinds = tuple(dict.fromkeys(found.values()))
    places = {ord(sign): kinds.index(kind) for sign, kind in found.items()}
    table = bytes(places.get(code, 0) for code in range(256))
    # By bytes, for numpy would make numbers of eight of them first.
    kind = np.frombuffer(codes.translate(table), np.uint8).reshape(height, width)
    return MapArrays(np.zeros((height, width), dtype=np.int16), kind, kinds)


def read_record(
    data: bytes, source: str, max_tiles: int, topology: str, weights: Mapping[str, float] | None
) -> MapRecord:
    """Read a map as a record, and say what it does not tell."""
    arrays = parse_map(data, source, max_tiles, weights)
    notes = (NO_PRICES,) if arrays.kinds == TERRAINS else ()
    return MapRecord(*arrays, topology=topology, notes=notes)


def load_weights(path: Path) -> dict[str, float]:
    """Read what terrains cost: a line for each, a sign and a number, 0 if it cannot be entered.

    Raises
    ------
    MapFileError
        It is no plain file, too large, or a line is no such entry; with the line if it has one.
    """
    weights: dict[str, float] = {}
    for line in lines_of(read_bytes(path, MAX_WEIGHTS_BYTES), str(path)):
        words = line.text.split()
        if not words:
            continue
        if len(words) != 2 or len(words[0]) != 1 or not NUMBER.fullmatch(words[1]):
            raise line.error("must be a sign and what entering it costs")
        if words[0] in weights:
            raise line.error(f"there is a weight of {words[0]!r} already")
        try:
            check_cost("a weight", float(words[1]))
        except ValueError as error:
            raise line.error(str(error)) from None
        weights[words[0]] = float(words[1])
    return weights


def write(record: MapRecord) -> Rendered:
    """Write a map as a `.map` file of type octile holds it.

    A map of nothing but the terrains of MovingAI's letters is written in letters. Of any other,
    kinds named as those of the seven signs keep their signs, what has a price above 1 becomes
    swamp, what cannot be entered becomes water if it is tagged as liquid and trees if not, and
    anything else ground.
    """
    notes = losses(record)
    used = kinds_in_use(record)
    signs = signs_of(record.kinds, used)
    meaning = kinds_of([signs[number] for number in used], None)
    changed = []
    for number in used:
        kind, plain = record.kinds[number], meaning[signs[number]]
        if kind.name != plain.name:
            changed.append(f"{kind.name} becomes {plain.name}")
        elif kind != plain:
            changed.append(f"{kind.name} loses price and looks of its own")
    if changed:
        notes.append(f"left out: kinds of ground ({', '.join(changed)})")
    height, width = record.kind.shape
    lines = np.full((height, width + 1), ord("\n"), np.uint8)
    lines[:, :-1] = np.array([ord(sign) for sign in signs], np.uint8)[record.kind]
    header = f"type octile\nheight {height}\nwidth {width}\nmap\n"
    return Rendered(header.encode("ascii") + lines.tobytes(), tuple(notes))


def _row(line: Line, width: int) -> str:
    """Check one row of a map and give its signs."""
    strange = _STRANGE.search(line.text)
    if strange:
        raise _strange(line, strange.start(), _KNOWN)
    if len(line.text) != width:
        raise line.error(f"a row has {width} tiles by the header, not {len(line.text)}")
    return line.text


def _different(codes: bytes) -> list[str]:
    """List the different signs of a map in their order."""
    found = []
    while codes:
        found.append(codes[:1].decode("ascii"))
        codes = codes.translate(None, codes[:1])
    return sorted(found)


def _strange(line: Line, place: int, problem: str) -> MapFileError:
    return line.error(f"column {place + 1} is {line.text[place]!r}; {problem}")


def _header(lines: Iterator[Line], source: str) -> tuple[int, int]:
    """Read up to the line "map" and give height and width."""
    found: dict[str, str] = {}
    line = Line("", 1, source)
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
