"""Which format a file has, and all of them read and written alike."""

import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.core.files import atomic_write, read_bytes
from terrain3d.grid.kinds import KINDS
from terrain3d.mapfile import gridmap, text, tiled
from terrain3d.mapfile.heights import esri_ascii, height_image, npy, srtm
from terrain3d.mapfile.heights.height_rules import HeightRules, record_of
from terrain3d.mapfile.movingai import movingai_map
from terrain3d.mapfile.native import native
from terrain3d.mapfile.record import MapRecord, Rendered


class Asked(NamedTuple):
    """What a caller says of a file that its format may not tell."""

    topology: str = "square"
    max_surfaces: int = native.MAX_SURFACES
    heights: HeightRules | None = None
    weights: Mapping[str, float] | None = None


class Format(NamedTuple):
    """One format: how files of it are known, and who reads them."""

    name: str
    beginning: re.Pattern[bytes]
    suffixes: tuple[str, ...]
    parse: Callable[[bytes, str, Asked], MapRecord]


def _native(data: bytes, source: str, asked: Asked) -> MapRecord:
    return native.parse(data, source, asked.max_surfaces)


def _movingai(data: bytes, source: str, asked: Asked) -> MapRecord:
    return movingai_map.read_record(data, source, asked.max_surfaces, asked.topology, asked.weights)


def _tiled(data: bytes, source: str, asked: Asked) -> MapRecord:
    return tiled.parse(data, source, asked.max_surfaces)


def _text(data: bytes, source: str, asked: Asked) -> MapRecord:
    level, is_void = text.parse(text.decode(data, source), source, asked.max_surfaces)
    return MapRecord(level, text.kind_of(is_void, KINDS), KINDS, topology=asked.topology)


_SAMPLES = 2
"""A grid of heights may have so many times the samples that a map may have tiles."""

GridParser = Callable[[bytes, str, int], NDArray[np.float64] | MapRecord]


def _heights(parse: GridParser) -> Callable[[bytes, str, Asked], MapRecord]:
    """Read a grid of heights, and make a map of it."""

    def parse_map(data: bytes, source: str, asked: Asked) -> MapRecord:
        grid = parse(data, source, _SAMPLES * asked.max_surfaces)
        if not isinstance(grid, MapRecord):
            rules = asked.heights or HeightRules()
            return record_of(grid, rules, asked.topology, asked.max_surfaces, source)
        if asked.heights is not None:
            raise MapFileError("holds levels and no heights to cut", source=source)
        check_tile_count(grid.level.size, asked.max_surfaces, source)
        return grid

    return parse_map


_NEVER = re.compile(rb"(?!)")
TEXT = Format("text picture", _NEVER, (text.SUFFIX,), _text)
"""What a file is of which nothing else is known."""

GRIDS = (
    Format(
        "height image",
        re.compile(re.escape(height_image.SIGNATURE)),
        (height_image.SUFFIX,),
        _heights(height_image.parse),
    ),
    Format("numpy array", re.compile(rb"\x93NUMPY"), (npy.SUFFIX,), _heights(npy.parse)),
    Format("numpy archive", re.compile(rb"PK"), (npy.ARCHIVE_SUFFIX,), _heights(npy.parse_archive)),
    Format(
        "ESRI ASCII grid",
        re.compile(rb"(\xef\xbb\xbf)?\s*(ncols|nrows)[ \t]", re.IGNORECASE),
        (esri_ascii.SUFFIX,),
        _heights(esri_ascii.parse),
    ),
    Format("SRTM tile", _NEVER, (srtm.SUFFIX,), _heights(srtm.parse)),
)
"""Those that hold heights."""

MOVINGAI = Format(
    "MovingAI map",
    re.compile(rb"(\xef\xbb\xbf)?\s*(type|height|width)[ \t]"),
    (movingai_map.SUFFIX,),
    _movingai,
)
"""The one whose ground may have weights."""

FORMATS = (
    Format("Tiled map", tiled.BEGINNING, tiled.SUFFIXES, _tiled),
    Format("native map", re.compile(rb"(\xef\xbb\xbf)?\s*\{"), (native.SUFFIX,), _native),
    MOVINGAI,
    *GRIDS,
)
"""All but text pictures, tried in this order."""

TILED_WRITERS: Mapping[str, Callable[[MapRecord, tiled.Beside | None], Rendered]] = {
    ".tmj": tiled.write_tmj,
    ".tmx": tiled.write_tmx,
}
"""What writes a map, and its tilesets to files beside it if they are to lie there."""

WRITERS: Mapping[str, Callable[[MapRecord], Rendered]] = {
    native.SUFFIX: lambda record: Rendered(native.render(record)),
    movingai_map.SUFFIX: movingai_map.write,
    text.SUFFIX: text.write,
    ".tmj": tiled.write_tmj,
    ".tmx": tiled.write_tmx,
    esri_ascii.SUFFIX: esri_ascii.write,
    npy.SUFFIX: npy.write,
    npy.ARCHIVE_SUFFIX: npy.write_archive,
    height_image.SUFFIX: height_image.write,
    gridmap.SUFFIX: gridmap.write,
}
"""What writes a map, by the suffix of the file."""


def read(
    path: Path,
    topology: str = "square",
    max_surfaces: int = native.MAX_SURFACES,
    heights: HeightRules | None = None,
    weights: Mapping[str, float] | None = None,
) -> MapRecord:
    """Read a map in any format; docs/formats.md lists them.

    How a file begins tells its format; where that says nothing, its suffix does.

    Parameters
    ----------
    path : Path
    topology : str
        How tiles lie, where the format does not tell.
    max_surfaces : int
        The most tiles, on all decks together, that a file may make; a grid of heights may have
        twice as many samples.
    heights : HeightRules, optional
        How heights become levels; the usual rules if not given.
    weights : mapping of str to float, optional
        What entering each sign of a MovingAI map costs, as `load_weights` reads it.

    Raises
    ------
    MapFileError
        It is no plain file, too large, or no map; with the line or the field if it has one; or it
        has no heights for which rules were given, or no signs that weigh.
    TypeError, ValueError
        A weight is no cost, or `max_surfaces` is below 1.
    """
    if max_surfaces < 1:
        raise ValueError(f"max_surfaces must be at least 1, got {max_surfaces}")
    suffix, source = path.suffix.lower(), str(path)
    named = next((known for known in FORMATS if suffix in known.suffixes), TEXT)
    data = read_bytes(path, native.max_bytes(max_surfaces * (_SAMPLES if named in GRIDS else 1)))
    if not data:
        raise MapFileError("is empty", source=source)
    known = next((known for known in FORMATS if known.beginning.match(data)), named)
    if heights is not None and known not in GRIDS:
        raise MapFileError(f"is a {known.name} and has no heights to cut", source=source)
    if weights is not None and known != MOVINGAI:
        raise MapFileError(f"is a {known.name} and takes no weights", source=source)
    asked = Asked(topology, max_surfaces, heights, weights)
    try:
        return replace(known.parse(data, source, asked), format=known.name)
    except MapFileError as error:
        if known != TEXT or suffix in TEXT.suffixes:
            raise
        problem = f"is in no format that is known here, nor a text picture: {error.problem}"
        raise MapFileError(problem, line=error.line, source=source) from None


def write(path: Path, record: MapRecord, tilesets: str = "") -> tuple[str, ...]:
    """Write a map in the format that the file's suffix tells, and say what it cannot hold.

    Whoever looks finds the old file or the new one, whole; a failure leaves the old one. Of files
    that belong together each is replaced when all of them are written, the map as the last.

    Parameters
    ----------
    path : Path
    record : MapRecord
    tilesets : str
        A suffix of `tiled.TILESET_SUFFIXES`: write the tilesets of a Tiled map to files of their
        own beside it.

    Raises
    ------
    OSError
        It cannot be written.
    TypeError, ValueError
        No format has that suffix, the format cannot hold such a map at all, or has no tilesets.
    """
    rendered = _rendered(path, record, tilesets)
    with ExitStack() as whole:
        for name, data in {path.name: rendered.data, **rendered.beside}.items():
            file = whole.enter_context(atomic_write(path.with_name(name)))
            file.write(data)
            file.flush()
    return rendered.notes


def _rendered(path: Path, record: MapRecord, tilesets: str) -> Rendered:
    suffix = path.suffix.lower()
    if tilesets:
        apart = TILED_WRITERS.get(suffix)
        if apart is None:
            known = ", ".join(TILED_WRITERS)
            raise ValueError(f"{path} has no tilesets to put beside it, only {known} have")
        return apart(record, tiled.Beside(path, tilesets))
    writer = WRITERS.get(suffix)
    if writer is None:
        known = ", ".join(sorted(WRITERS))
        raise ValueError(f"cannot write {path}: its name must end in one of {known}")
    return writer(record)
