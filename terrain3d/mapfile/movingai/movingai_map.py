"""Read and write maps of the MovingAI benchmarks, `.map`: flat grids of terrain characters.

The format is described at https://movingai.com/benchmarks/formats.html.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import MAX_CELLS, check_cost, checked_path
from terrain3d.core.errors import MapFileError, check_tile_count, in_file
from terrain3d.core.files import read_bytes
from terrain3d.grid.kinds import TileKind
from terrain3d.mapfile.losses import kinds_in_use, loss_notes
from terrain3d.mapfile.movingai.lines import MAX_BYTES, NUMBER, Line, lines_of
from terrain3d.mapfile.movingai.terrain_characters import (
    GAME_KINDS,
    TERRAINS,
    characters_of,
    kinds_of,
    unknown_characters,
)
from terrain3d.mapfile.read_options import ReadOptions
from terrain3d.mapfile.record import FileContent, MapRecord

SIGNATURE = re.compile(rb"(\xef\xbb\xbf)?\s*(type|height|width)[ \t]")

NO_WEIGHTS_NOTE = "the file has no weights: each terrain costs 1 unless weights are given"
"""The note on a map of terrain letters."""

MAX_WEIGHTS_BYTES = 2**16

_KNOWN = f"a tile is one of {' '.join(GAME_KINDS)}, or every tile is one of A to P"
_UNPRINTABLE = re.compile(r"[^!-~]")


class MapArrays(NamedTuple):
    """A map as the first arguments of `TileMap`."""

    level: NDArray[np.int16]
    kind: NDArray[np.uint8]
    kinds: tuple[TileKind, ...]


def load_map(path: Path) -> MapArrays:
    """Return the map of a `.map` file; `TileMap(*load_map(path))` makes a map of it."""
    with in_file(str(path)):
        return parse_map(read_bytes(path, MAX_BYTES))


def parse_map(
    data: bytes, max_tiles: int = MAX_CELLS, weights: Mapping[str, float] | None = None
) -> MapArrays:
    """Return the map in the bytes of a `.map` file.

    '.' and 'G' are ground, 'S' is swamp, 'W' water, 'T' trees, and '@' and 'O' are out of bounds.
    A map with letters from A to P only, and at least one not listed here, has weighted terrain.
    `weights` are the costs of the terrain characters; each character on the map must have one.
    """
    lines = lines_of(data)
    height, width = _header(lines)
    check_tile_count(height * width, max_tiles)
    rows: list[str] = []
    first = 0
    for line in lines:
        if len(rows) < height:
            first = first or line.number
            rows.append(_row(line, width))
        elif line.text:
            raise line.error(f"follows after the last of {height} rows")
    if len(rows) < height:
        problem = f"ends after {len(rows)} rows, the header says {height}"
        raise MapFileError(problem, line=data.count(b"\n") + 1)
    codes = "".join(rows).encode("ascii")
    characters = _distinct(codes)
    unknown = unknown_characters(characters, weights)
    if unknown:
        index = min(codes.index(character.encode("ascii")) for character in unknown)
        row, col = divmod(index, width)
        problem = _KNOWN if weights is None else "it has no weight"
        raise _tile_error(Line(rows[row], first + row), col, problem)
    kind_of = kinds_of(characters, weights)
    kinds = tuple(dict.fromkeys(kind_of.values()))
    numbers = {ord(character): kinds.index(kind) for character, kind in kind_of.items()}
    table = bytes(numbers.get(code, 0) for code in range(256))
    # bytes.translate: numpy would need eight bytes for each tile.
    kind = np.frombuffer(codes.translate(table), np.uint8).reshape(height, width)
    return MapArrays(np.zeros((height, width), dtype=np.int16), kind, kinds)


def read(data: bytes, options: ReadOptions) -> MapRecord:
    """Read a map from the bytes of a file; see `parse_map`."""
    arrays = parse_map(data, options.max_surfaces, options.weights)
    notes = (NO_WEIGHTS_NOTE,) if arrays.kinds == TERRAINS else ()
    return MapRecord(*arrays, topology=options.topology, notes=notes)


def load_weights(path: str | os.PathLike[str]) -> dict[str, float]:
    """Return the cost of each terrain character; 0 is a terrain that cannot be entered.

    Each line of the file is a character and a number.

    Raises
    ------
    MapFileError
        It is not a regular file, too large, or a line is not such an entry. Names the line, if
        there is one.
    """
    path = checked_path("path", path)
    with in_file(str(path)):
        return _weights(lines_of(read_bytes(path, MAX_WEIGHTS_BYTES)))


def _weights(lines: Iterable[Line]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for line in lines:
        words = line.text.split()
        if not words:
            continue
        if len(words) != 2 or len(words[0]) != 1 or not NUMBER.fullmatch(words[1]):
            raise line.error("must be a terrain character and the cost of entering it")
        if words[0] in weights:
            raise line.error(f"{words[0]!r} already has a weight")
        try:
            check_cost("a weight", float(words[1]))
        except ValueError as error:
            raise line.error(str(error)) from None
        weights[words[0]] = float(words[1])
    return weights


def write(record: MapRecord) -> FileContent:
    """Write a map as type octile.

    A map whose kinds are all terrains of MovingAI's letters is written in these letters. In any
    other map, kinds with the name of a game's terrain get its character. Of the rest, kinds that
    cannot be entered become water if they have the tag "liquid" and trees if not, kinds that cost
    more than 1 become swamp, and all others ground.
    """
    notes = loss_notes(record)
    used = kinds_in_use(record)
    characters = characters_of(record.kinds, used)
    kind_of = kinds_of([characters[number] for number in used], None)
    changed = []
    for number in used:
        kind, written = record.kinds[number], kind_of[characters[number]]
        if kind.name != written.name:
            changed.append(f"{kind.name} becomes {written.name}")
        elif kind != written:
            changed.append(f"{kind.name} loses its own cost and looks")
    if changed:
        notes.append(f"left out: kinds of ground ({', '.join(changed)})")
    height, width = record.kind.shape
    lines = np.full((height, width + 1), ord("\n"), np.uint8)
    lines[:, :-1] = np.array([ord(character) for character in characters], np.uint8)[record.kind]
    header = f"type octile\nheight {height}\nwidth {width}\nmap\n"
    return FileContent(header.encode("ascii") + lines.tobytes(), tuple(notes))


def _row(line: Line, width: int) -> str:
    """Check one row of a map and return its characters."""
    unprintable = _UNPRINTABLE.search(line.text)
    if unprintable:
        raise _tile_error(line, unprintable.start(), _KNOWN)
    if len(line.text) != width:
        raise line.error(f"has {len(line.text)} tiles, the header says {width}")
    return line.text


def _distinct(codes: bytes) -> list[str]:
    """Return the distinct characters of a map, sorted."""
    found = []
    while codes:
        found.append(codes[:1].decode("ascii"))
        codes = codes.translate(None, codes[:1])
    return sorted(found)


def _tile_error(line: Line, col: int, problem: str) -> MapFileError:
    return line.error(f"column {col + 1} is {line.text[col]!r}; {problem}")


def _header(lines: Iterator[Line]) -> tuple[int, int]:
    """Read up to the line "map" and return height and width."""
    found: dict[str, str] = {}
    line = Line("", 1)
    for line in lines:
        words = line.text.split()
        match words:
            case [] | ["map"]:
                pass
            case ["type", "octile"] | ["height" | "width", _] if words[0] not in found:
                found[words[0]] = words[1]
            case _:
                raise line.error("a header has 'type octile', height and width, each once")
        if words == ["map"]:
            break
    if line.text.strip() != "map" or len(found) < 3:
        raise line.error("a header has type, height and width before 'map'")
    return line.size(found["height"], found["width"])
