"""Which format a file has, and all of them read and written alike."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from terrain3d.kinds import KINDS
from terrain3d.mapfile import movingai, native, text
from terrain3d.mapfile.files import read_bytes, replacing
from terrain3d.mapfile.record import MapRecord, Rendered


class Asked(NamedTuple):
    """What a caller says of a file that its format may not tell."""

    topology: str = "square"
    max_surfaces: int = native.MAX_SURFACES


class Format(NamedTuple):
    """One format: how files of it are known, and who reads them."""

    name: str
    beginning: re.Pattern[bytes]
    suffixes: tuple[str, ...]
    parse: Callable[[bytes, str, Asked], MapRecord]


def _native(data: bytes, source: str, asked: Asked) -> MapRecord:
    return native.parse(data, source, asked.max_surfaces)


def _movingai(data: bytes, source: str, asked: Asked) -> MapRecord:
    return MapRecord(*movingai.parse_map(data, source), topology=asked.topology)


def _text(data: bytes, source: str, asked: Asked) -> MapRecord:
    level, is_void = text.parse(text.decode(data, source), source)
    return MapRecord(level, text.kind_of(is_void, KINDS), KINDS, topology=asked.topology)


_NEVER = re.compile(rb"(?!)")
TEXT = Format("text picture", _NEVER, (text.SUFFIX,), _text)
"""What a file is of which nothing else is known."""

FORMATS = (
    Format("native map", re.compile(rb"(\xef\xbb\xbf)?\s*\{"), (native.SUFFIX,), _native),
    Format(
        "MovingAI map",
        re.compile(rb"\s*(type|height|width)[ \t]"),
        (movingai.SUFFIX,),
        _movingai,
    ),
)
"""All others, tried in this order."""

WRITERS: Mapping[str, Callable[[MapRecord], Rendered]] = {
    native.SUFFIX: lambda record: Rendered(native.render(record)),
    movingai.SUFFIX: movingai.write,
    text.SUFFIX: text.write,
}
"""What writes a map, by the suffix of the file."""


def read(
    path: Path, topology: str = "square", max_surfaces: int = native.MAX_SURFACES
) -> MapRecord:
    """Read a map in any format; docs/formats.md lists them.

    How a file begins tells its format; where that says nothing, its suffix does.

    Parameters
    ----------
    path : Path
    topology : str
        How tiles lie, where the format does not tell.
    max_surfaces : int
        The most tiles, on all decks together, that a native file may make.

    Raises
    ------
    MapFileError
        It is no plain file, too large, or no map; with the line or the field if it has one.
    """
    data, source = read_bytes(path, native.max_bytes(max_surfaces)), str(path)
    known = _format_of(data, path.suffix.lower())
    return replace(known.parse(data, source, Asked(topology, max_surfaces)), format=known.name)


def write(path: Path, record: MapRecord) -> tuple[str, ...]:
    """Write a map in the format that the file's suffix tells, and say what it cannot hold.

    Whoever looks finds the old file or the new one, whole; a failure leaves the old one.

    Raises
    ------
    OSError
        It cannot be written.
    TypeError, ValueError
        No format has that suffix, or the format cannot hold such a map at all.
    """
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        known = ", ".join(sorted(WRITERS))
        raise ValueError(f"cannot write {path}: its name must end in one of {known}")
    rendered = writer(record)
    with replacing(path) as file:
        file.write(rendered.data)
    return rendered.notes


def _format_of(data: bytes, suffix: str) -> Format:
    begun = (known for known in FORMATS if known.beginning.match(data))
    named = (known for known in FORMATS if suffix in known.suffixes)
    return next(begun, next(named, TEXT))
