"""Text pictures of maps: one line for each row, one character for each tile.

`0`-`9` then `a`-`z` are levels 0 to 35, `#` is a void tile.
"""

import re
import string
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.files import MapFileError, check_tile_count
from terrain3d.grid.kinds import VOID, TileKind, index_of

DIGITS = string.digits + string.ascii_lowercase
VOID_CHARACTER = "#"
MAX_CHARACTERS = 2**26

_UNKNOWN = re.compile(f"[^{DIGITS}{VOID_CHARACTER}]")
_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_CODES = np.frombuffer(DIGITS.encode("ascii"), np.uint8)
_LEVEL_OF_CODE = np.zeros(256, np.int16)
_LEVEL_OF_CODE[_CODES] = np.arange(len(DIGITS))


def parse(
    text: str, max_tiles: int = MAX_CHARACTERS
) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Return the (rows, cols) levels, 0 in void, and void tiles of a picture.

    Blank lines before and after it and spaces at the ends of its lines are ignored.
    """
    if len(text) > MAX_CHARACTERS:
        raise MapFileError(f"is longer than {MAX_CHARACTERS} characters")
    text = text.removeprefix("\ufeff").rstrip()
    body = text.lstrip()
    if not body:
        raise MapFileError("the picture is empty; it needs at least one tile")
    n_cols = len(body.split(maxsplit=1)[0])
    # Counted before they are split: a short line takes many times its characters.
    check_tile_count((1 + _n_line_ends(body)) * n_cols, max_tiles)
    rows = [line.strip() for line in body.splitlines()]
    first = 1 + _n_line_ends(text[: -len(body)])
    for number, line in enumerate(rows, start=first):
        if len(line) != len(rows[0]):
            problem = f"has {len(line)} tiles, the first line has {len(rows[0])}"
            raise MapFileError(problem, line=number)
        unknown = _UNKNOWN.search(line)
        if unknown:
            problem = f"tile {unknown.start() + 1} is {unknown[0]!r}; "
            problem += f"a tile is 0-9, a-z or '{VOID_CHARACTER}'"
            raise MapFileError(problem, line=number)
    codes = np.frombuffer("".join(rows).encode("ascii"), np.uint8).reshape(len(rows), -1)
    return _LEVEL_OF_CODE[codes], codes == ord(VOID_CHARACTER)


def _n_line_ends(text: str) -> int:
    """Return how many times `str.splitlines` would split a text."""
    return sum(text.count(end) for end in _LINE_ENDS) - text.count("\r\n")


def draw(level: NDArray[np.integer], is_void: NDArray[np.bool_]) -> str:
    """Return the picture of levels and void tiles; `ValueError` above level 35."""
    shown = np.where(is_void, 0, level)
    if shown.max() >= len(DIGITS):
        row, col = np.unravel_index(int(shown.argmax()), shown.shape)
        raise ValueError(
            f"a text picture shows levels 0..{len(DIGITS) - 1}; "
            f"({row}, {col}) is at level {shown[row, col]}"
        )
    rows, cols = shown.shape
    lines = np.full((rows, cols + 1), ord("\n"), np.uint8)
    lines[:, :-1] = np.where(is_void, ord(VOID_CHARACTER), _CODES[shown])
    return lines.tobytes().decode("ascii")[:-1]


def kind_of(is_void: NDArray[np.bool_], table: Sequence[TileKind]) -> NDArray[np.uint8]:
    """Return the kind of each tile as an index into a table: void, or the first other kind."""
    void = index_of(VOID.name, table)
    return np.where(is_void, void, 0 if void else 1).astype(np.uint8)
