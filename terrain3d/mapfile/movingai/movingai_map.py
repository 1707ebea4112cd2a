"""Read and write maps of the MovingAI benchmarks, `.map`: flat grids of terrain characters.

The format is described at https://movingai.com/benchmarks/formats.html.
"""

import codecs
import io
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from terrain3d.core.checks import MAX_CELLS
from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.mapfile.losses import kinds_in_use, loss_notes
from terrain3d.mapfile.movingai.terrain_characters import (
    GAME_KINDS,
    TERRAINS,
    alphabet_of,
    characters_of,
    unknown_characters,
)
from terrain3d.mapfile.read_options import ReadOptions
from terrain3d.mapfile.record import FileContent, MapRecord

NO_WEIGHTS_NOTE = "the file has no weights: each terrain costs 1 unless a profile says otherwise"
"""The note on a map of terrain letters."""

_DEFAULT = ReadOptions()
_KNOWN = f"a tile is one of {' '.join(GAME_KINDS)}, or every tile is one of A to P"
_UNPRINTABLE = re.compile(r"[^!-~]")
_WHOLE = re.compile(r"\d{1,9}")


class Line(NamedTuple):
    """One line of a file, without the characters that end it."""

    text: str
    number: int

    def error(self, problem: str) -> MapFileError:
        """Return an error about this line."""
        shown = self.text if len(self.text) <= 60 else self.text[:60] + "..."
        return MapFileError(f"{problem}, in {shown!r}", line=self.number)

    def size(self, height: str, width: str) -> tuple[int, int]:
        """Return (rows, cols) of a map; refuse a size that is not 1..MAX_CELLS tiles."""
        is_whole = _WHOLE.fullmatch(height) and _WHOLE.fullmatch(width)
        rows, cols = (int(height), int(width)) if is_whole else (0, 0)
        if not 1 <= rows * cols <= MAX_CELLS:
            shown = f"{height[:20]} x {width[:20]}"
            raise self.error(f"height x width must be 1..{MAX_CELLS} tiles, got {shown}")
        return rows, cols


def read(data: bytes, options: ReadOptions = _DEFAULT) -> MapRecord:
    """Read a map from the bytes of a file.

    '.' and 'G' are ground, 'S' is swamp, 'W' water, 'T' trees, and '@' and 'O' are out of bounds.
    A map with letters from A to P only, and at least one not listed here, has weighted terrain.
    """
    lines = lines_of(data)
    height, width = _header(lines)
    check_tile_count(height * width, options.max_surfaces)
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
    characters = sorted(map(chr, set(codes)))
    unknown = unknown_characters(characters)
    if unknown:
        index = min(codes.index(character.encode("ascii")) for character in unknown)
        row, col = divmod(index, width)
        raise _tile_error(Line(rows[row], first + row), col, _KNOWN)
    kind_of = alphabet_of(characters)
    kinds = tuple(dict.fromkeys(kind_of.values()))
    numbers = {ord(character): kinds.index(kind) for character, kind in kind_of.items()}
    table = bytes(numbers.get(code, 0) for code in range(256))
    # bytes.translate: numpy would need eight bytes for each tile.
    kind = np.frombuffer(codes.translate(table), np.uint8).reshape(height, width)
    notes = (NO_WEIGHTS_NOTE,) if kinds == TERRAINS else ()
    level = np.zeros((height, width), dtype=np.int16)
    return MapRecord(level, kind, kinds, topology=options.topology, notes=notes)


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
    kind_of = alphabet_of([characters[number] for number in used])
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


def lines_of(data: bytes) -> Iterator[Line]:
    """Return the lines of a file; `MapFileError` if it is not ASCII."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.isascii():
        offset = next(re.finditer(rb"[^\x00-\x7f]", data)).start()
        raise MapFileError("is not ASCII", line=data.count(b"\n", 0, offset) + 1)
    numbered = enumerate(io.BytesIO(data), start=1)
    return (Line(line.decode("ascii").rstrip(), number) for number, line in numbered)


def _row(line: Line, width: int) -> str:
    """Check one row of a map and return its characters."""
    unprintable = _UNPRINTABLE.search(line.text)
    if unprintable:
        raise _tile_error(line, unprintable.start(), _KNOWN)
    if len(line.text) != width:
        raise line.error(f"has {len(line.text)} tiles, the header says {width}")
    return line.text


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
