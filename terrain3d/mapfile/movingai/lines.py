"""Lines of MovingAI's files, each with the place where it stands."""

import codecs
import io
import re
from collections.abc import Iterator
from typing import NamedTuple

from terrain3d.core.checks import MAX_CELLS
from terrain3d.core.errors import MapFileError

MAX_BYTES = 2**27
"""The largest file that is read: a map of MAX_CELLS tiles and as much again."""

WHOLE = re.compile(r"\d{1,9}")
NUMBER = re.compile(r"\d+(\.\d*)?([eE][+-]?\d+)?")


class Line(NamedTuple):
    """One line without what ends it, and where it stands."""

    text: str
    number: int
    source: str

    def error(self, problem: str) -> MapFileError:
        """Tell what is wrong with this line."""
        shown = self.text if len(self.text) <= 60 else self.text[:60] + "..."
        return MapFileError(f"{problem}, in {shown!r}", line=self.number, source=self.source)

    def size(self, height: str, width: str) -> tuple[int, int]:
        """Check a map's size before anything of that size is made."""
        is_whole = WHOLE.fullmatch(height) and WHOLE.fullmatch(width)
        rows, cols = (int(height), int(width)) if is_whole else (0, 0)
        if not 1 <= rows * cols <= MAX_CELLS:
            raise self.error(
                f"height x width must be 1..{MAX_CELLS} tiles, not {height[:20]} x {width[:20]}"
            )
        return rows, cols


def lines_of(data: bytes, source: str) -> Iterator[Line]:
    """Give the lines of a file; `MapFileError` if it is not ASCII."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.isascii():
        place = next(re.finditer(rb"[^\x00-\x7f]", data)).start()
        number = data.count(b"\n", 0, place) + 1
        raise MapFileError("is not ASCII", line=number, source=source)
    numbered = enumerate(io.BytesIO(data), start=1)
    return (Line(line.decode("ascii").rstrip(), number, source) for number, line in numbered)
