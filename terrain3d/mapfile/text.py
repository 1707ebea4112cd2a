"""Text pictures of maps: one line a row, one sign a tile.

`0`-`9` then `a`-`z` are levels 0 to 35, `#` is a void tile.
"""

import re
import string
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.grid.kinds import KINDS, VOID, TileKind, index_of
from terrain3d.mapfile.losses import is_void, kinds_in_use, losses
from terrain3d.mapfile.record import MapRecord, Rendered

DIGITS = string.digits + string.ascii_lowercase
VOID_SIGN = "#"
SUFFIX = ".txt"
MAX_BYTES = 2**26
"""The largest picture that is read from a file."""

_STRANGE = re.compile(f"[^{DIGITS}{VOID_SIGN}]")
_CODES = np.frombuffer(DIGITS.encode("ascii"), np.uint8)
_LEVEL_OF_CODE = np.zeros(256, np.int16)
_LEVEL_OF_CODE[_CODES] = np.arange(len(DIGITS))


def parse(
    text: str, source: str = "", max_tiles: int = MAX_BYTES
) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Read a picture; blank lines around it and spaces around its lines do not count.

    Returns
    -------
    level : (rows, cols) int16
        0 where the tile is void.
    is_void : (rows, cols) bool

    Raises
    ------
    MapFileError
        It is empty, a line differs in length, a sign is unknown, or it has more than `max_tiles`.
    """
    if len(text) > MAX_BYTES:
        raise MapFileError(f"is longer than {MAX_BYTES} signs", source=source)
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    filled = [number for number, line in enumerate(lines) if line]
    if not filled:
        raise MapFileError("the picture is empty; it needs at least one tile", source=source)
    first = filled[0]
    rows = lines[first : filled[-1] + 1]
    check_tile_count(len(rows) * len(rows[0]), max_tiles, source)
    for number, line in enumerate(rows, start=first + 1):
        if len(line) != len(rows[0]):
            raise MapFileError(
                f"has {len(line)} tiles, the first line has {len(rows[0])}",
                line=number,
                source=source,
            )
        strange = _STRANGE.search(line)
        if strange:
            raise MapFileError(
                f"tile {strange.start() + 1} is {strange[0]!r}; "
                f"a tile is 0-9, a-z or '{VOID_SIGN}'",
                line=number,
                source=source,
            )
    codes = np.frombuffer("".join(rows).encode("ascii"), np.uint8).reshape(len(rows), -1)
    return _LEVEL_OF_CODE[codes], codes == ord(VOID_SIGN)


def render(level: NDArray[np.integer], is_void: NDArray[np.bool_]) -> str:
    """Draw a picture, without a line end after the last row.

    Raises
    ------
    ValueError
        A tile lies above level 35, which has no sign.
    """
    shown = np.where(is_void, 0, level)
    if shown.max() >= len(DIGITS):
        row, col = np.unravel_index(int(shown.argmax()), shown.shape)
        raise ValueError(
            f"a text picture shows levels 0..{len(DIGITS) - 1}; "
            f"({row}, {col}) lies at {shown[row, col]}"
        )
    rows, cols = shown.shape
    lines = np.full((rows, cols + 1), ord("\n"), np.uint8)
    lines[:, :-1] = np.where(is_void, ord(VOID_SIGN), _CODES[shown])
    return lines.tobytes().decode("ascii")[:-1]


def write(record: MapRecord) -> Rendered:
    """Draw a map as a file holds it: levels and void, which is all that a picture shows.

    Raises
    ------
    ValueError
        A tile lies above level 35, which has no sign.
    """
    notes = losses(record, ("levels",))
    names = [record.kinds[number].name for number in kinds_in_use(record)]
    unlike = [name for name in names if name not in (KINDS[0].name, VOID.name)]
    if unlike:
        notes.append(f"left out: kinds of ground ({', '.join(unlike)} become {KINDS[0].name})")
    picture = render(record.level, is_void(record)) + "\n"
    return Rendered(picture.encode("ascii"), tuple(notes))


def kind_of(is_void: NDArray[np.bool_], table: Sequence[TileKind]) -> NDArray[np.uint8]:
    """Give each tile its kind in a table: void, or the first one that is not."""
    void = index_of(VOID.name, table)
    return np.where(is_void, void, 0 if void else 1).astype(np.uint8)


def decode(data: bytes, source: str = "") -> str:
    """Give a picture's text; `MapFileError` if it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MapFileError(f"byte {error.start} is not UTF-8", source=source) from None
