"""Read and write maps of the MovingAI benchmarks, `.map`: flat grids of terrain characters.

Maps of games have seven characters: https://movingai.com/benchmarks/formats.html. In the collection
of weighted terrain (Sturtevant, Sigurdson, Taylor, Gibson: Pathfinding and Abstraction with Dynamic
Terrain Costs, AIIDE 2019) each letter from A to P is a terrain, named in DynamicWeightedGrid.h of
https://github.com/nathansttt/hog2. Each experiment chooses the costs.
"""

import codecs
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from terrain3d.core.checks import MAX_CELLS
from terrain3d.core.files import MapFileError, check_tile_count
from terrain3d.formats.format import FileContent, MapFile, ReadOptions, kinds_in_use, loss_notes
from terrain3d.grid.kinds import KINDS, VOID, TileKind
from terrain3d.map.tilemap import TileMap

CHARACTER_KINDS = (
    TileKind("grass", texture="grass", props="meadow"),
    TileKind("swamp", color=(0.40, 0.44, 0.30), texture="mud", props="reeds"),
    TileKind("water", cost=None, color=(0.26, 0.47, 0.66), depth=1, texture="water"),
    TileKind("tree", cost=None, color=(0.20, 0.38, 0.20), texture="grass", props="trees"),
    VOID,
)
"""Grass and swamp cost 1 each unless a movement profile says otherwise."""

TERRAINS = (
    TileKind("black", color=(0.13, 0.12, 0.14), texture="rock"),
    TileKind("deep water", color=(0.13, 0.30, 0.52), tags={"liquid"}, depth=3, texture="water"),
    TileKind("water", color=(0.24, 0.45, 0.68), tags={"liquid"}, depth=2, texture="water"),
    TileKind("river", color=(0.48, 0.68, 0.84), tags={"liquid"}, depth=1, texture="water"),
    TileKind("swamp", color=(0.30, 0.42, 0.36), texture="mud", props="reeds"),
    TileKind("ground", color=(0.56, 0.42, 0.30), texture="soil"),
    TileKind("trees", color=(0.22, 0.40, 0.20), texture="grass", props="trees"),
    TileKind("road", color=(0.78, 0.72, 0.46), texture="paving"),
    TileKind("desert", color=(0.93, 0.86, 0.62), texture="sand"),
    TileKind("ice", color=(0.78, 0.92, 0.96), texture="snow"),
    TileKind("jungle", color=(0.18, 0.34, 0.28), texture="grass", props="trees"),
    TileKind("plains", color=(0.68, 0.66, 0.36), texture="grass", props="meadow"),
    TileKind("blight", color=(0.46, 0.40, 0.18), texture="mud"),
    TileKind("tundra", color=(0.74, 0.74, 0.70), texture="soil", props="stones"),
    TileKind("mountain", color=(0.42, 0.41, 0.42), texture="rock", props="rubble"),
    TileKind("hills", color=(0.44, 0.58, 0.30), texture="grass", props="stones"),
)
"""The terrains of the letters A to P. Each costs 1 unless a profile says otherwise."""

STANDARD_KINDS: tuple[TileKind, ...] = (*KINDS, *CHARACTER_KINDS, *TERRAINS)
"""The kinds of all maps that bring no table of their own: "grass", "swamp", "water", "tree", ..."""

GAME_KINDS: Mapping[str, TileKind] = dict(
    zip(".GSWT@O", (CHARACTER_KINDS[0], *CHARACTER_KINDS[:4], VOID, VOID), strict=True)
)
LETTER_KINDS: Mapping[str, TileKind] = dict(zip("ABCDEFGHIJKLMNOP", TERRAINS, strict=True))

_CHARACTER_OF_NAME = dict(zip((kind.name for kind in CHARACTER_KINDS), ".SWT@", strict=True))
_LETTER_OF = {kind: letter for letter, kind in LETTER_KINDS.items()}


def unknown_characters(characters: Collection[str]) -> set[str]:
    """Return the characters of a map that stand for no kind."""
    if alphabet_of(characters):
        return set()
    is_game_map = bool((GAME_KINDS.keys() - LETTER_KINDS.keys()) & set(characters))
    return set(characters) - (GAME_KINDS if is_game_map else LETTER_KINDS).keys()


def characters_of(kinds: Sequence[TileKind], used: Collection[int]) -> list[str]:
    """Return the character of each kind: letters if all kinds in use are terrains of letters."""
    letters = [_LETTER_OF.get(replace(kind, cost=1), "") for kind in kinds]
    used_letters = {letters[number] for number in used}
    if "" not in used_letters and not used_letters <= GAME_KINDS.keys():
        return [letter or "A" for letter in letters]
    return [_game_character(kind) for kind in kinds]


def alphabet_of(characters: Collection[str]) -> Mapping[str, TileKind]:
    """Return the alphabet that has all of the characters, an empty one if there is none."""
    alphabets = (GAME_KINDS, LETTER_KINDS)
    return next((known for known in alphabets if known.keys() >= set(characters)), {})


def _game_character(kind: TileKind) -> str:
    if kind.name in _CHARACTER_OF_NAME:
        return _CHARACTER_OF_NAME[kind.name]
    if kind.cost is None:
        return "W" if "liquid" in kind.tags else "T"
    return "S" if kind.cost > 1 else "."


NO_WEIGHTS_NOTE = "the file has no weights: each terrain costs 1 unless a profile says otherwise"
"""The note on a map of terrain letters."""

_DEFAULT = ReadOptions()
_KNOWN = f"a tile is one of {' '.join(GAME_KINDS)}, or every tile is one of A to P"
_UNPRINTABLE = re.compile(r"[^!-~]")
_WHOLE = re.compile(r"\d{1,9}")


class _Line(NamedTuple):
    """One line of a file, without the characters that end it."""

    text: str
    number: int

    def error(self, problem: str) -> MapFileError:
        """Return an error about this line."""
        shown = self.text if len(self.text) <= 60 else self.text[:60] + "..."
        return MapFileError(f"{problem}, in {shown!r}", line=self.number)


def read(data: bytes, options: ReadOptions = _DEFAULT) -> MapFile:
    """Read a map from the bytes of a file.

    '.' and 'G' are ground, 'S' is swamp, 'W' water, 'T' trees, and '@' and 'O' are out of bounds.
    A map with letters from A to P only, and at least one not listed here, has weighted terrain.
    """
    lines = _lines(data)
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
        raise _tile_error(_Line(rows[row], first + row), col, _KNOWN)
    kind_of = alphabet_of(characters)
    kinds = tuple(dict.fromkeys(kind_of.values()))
    numbers = {ord(character): kinds.index(kind) for character, kind in kind_of.items()}
    table = bytes(numbers.get(code, 0) for code in range(256))
    # bytes.translate: numpy would need eight bytes for each tile.
    kind = np.frombuffer(codes.translate(table), np.uint8).reshape(height, width)
    notes = (NO_WEIGHTS_NOTE,) if kinds == TERRAINS else ()
    level = np.zeros((height, width), dtype=np.int16)
    return options.build(level, kind, kinds, notes)


def write(tilemap: TileMap) -> FileContent:
    """Write a map as type octile.

    A map whose kinds are all terrains of MovingAI's letters is written in these letters. In any
    other map, kinds with the name of a game's terrain get its character. Of the rest, kinds that
    cannot be entered become water if they have the tag "liquid" and trees if not, kinds that cost
    more than 1 become swamp, and all others ground.
    """
    notes = loss_notes(tilemap)
    used = kinds_in_use(tilemap)
    characters = characters_of(tilemap.kinds, used)
    kind_of = alphabet_of([characters[number] for number in used])
    changed = []
    for number in used:
        kind, written = tilemap.kinds[number], kind_of[characters[number]]
        if kind.name != written.name:
            changed.append(f"{kind.name} becomes {written.name}")
        elif kind != written:
            changed.append(f"{kind.name} loses its own cost and looks")
    if changed:
        notes.append(f"left out: kinds of ground ({', '.join(changed)})")
    height, width = tilemap.kind.shape
    lines = np.full((height, width + 1), ord("\n"), np.uint8)
    lines[:, :-1] = np.array([ord(character) for character in characters], np.uint8)[tilemap.kind]
    header = f"type octile\nheight {height}\nwidth {width}\nmap\n"
    return FileContent(header.encode("ascii") + lines.tobytes(), tuple(notes))


def _lines(data: bytes) -> Iterator[_Line]:
    """Return the lines of a file; `MapFileError` if it is not ASCII."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.isascii():
        offset = next(re.finditer(rb"[^\x00-\x7f]", data)).start()
        raise MapFileError("is not ASCII", line=data.count(b"\n", 0, offset) + 1)
    numbered = enumerate(io.BytesIO(data), start=1)
    return (_Line(line.decode("ascii").rstrip(), number) for number, line in numbered)


def _row(line: _Line, width: int) -> str:
    """Check one row of a map and return its characters."""
    unprintable = _UNPRINTABLE.search(line.text)
    if unprintable:
        raise _tile_error(line, unprintable.start(), _KNOWN)
    if len(line.text) != width:
        raise line.error(f"has {len(line.text)} tiles, the header says {width}")
    return line.text


def _tile_error(line: _Line, col: int, problem: str) -> MapFileError:
    return line.error(f"column {col + 1} is {line.text[col]!r}; {problem}")


def _header(lines: Iterator[_Line]) -> tuple[int, int]:
    """Read up to the line "map" and return height and width."""
    found: dict[str, str] = {}
    line = _Line("", 1)
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
    height, width = found["height"], found["width"]
    is_whole = _WHOLE.fullmatch(height) and _WHOLE.fullmatch(width)
    rows, cols = (int(height), int(width)) if is_whole else (0, 0)
    if not 1 <= rows * cols <= MAX_CELLS:
        shown = f"{height[:20]} x {width[:20]}"
        raise line.error(f"height x width must be 1..{MAX_CELLS} tiles, got {shown}")
    return rows, cols
