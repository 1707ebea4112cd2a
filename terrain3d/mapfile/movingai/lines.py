"""Lines of MovingAI files, with the checks that maps and scenarios share."""

import codecs
import io
import re
from collections.abc import Iterator
from typing import NamedTuple

from terrain3d.core.checks import MAX_CELLS
from terrain3d.core.errors import MapFileError

MAX_BYTES = 2**27
"""The limit of a file's size: twice that of a map of MAX_CELLS tiles."""

WHOLE = re.compile(r"\d{1,9}")
NUMBER = re.compile(r"\d+(\.\d*)?([eE][+-]?\d+)?")


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
        is_whole = WHOLE.fullmatch(height) and WHOLE.fullmatch(width)
        rows, cols = (int(height), int(width)) if is_whole else (0, 0)
        if not 1 <= rows * cols <= MAX_CELLS:
            shown = f"{height[:20]} x {width[:20]}"
            raise self.error(f"height x width must be 1..{MAX_CELLS} tiles, got {shown}")
        return rows, cols


def lines_of(data: bytes) -> Iterator[Line]:
    """Return the lines of a file; `MapFileError` if it is not ASCII."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.isascii():
        offset = next(re.finditer(rb"[^\x00-\x7f]", data)).start()
        raise MapFileError("is not ASCII", line=data.count(b"\n", 0, offset) + 1)
    numbered = enumerate(io.BytesIO(data), start=1)
    return (Line(line.decode("ascii").rstrip(), number) for number, line in numbered)
