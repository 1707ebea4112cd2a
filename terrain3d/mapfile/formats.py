"""The table of map formats, and reading and writing files of any of them.

`FORMATS` is the only list of formats. A new format needs a module with `read(data, source,
options)`, `write(record)` or both, a row in `FORMATS`, and a row in the table of docs/formats.md.
"""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from terrain3d.core.checks import MAX_CELLS, checked_path, instance_of, one_of, whole_within
from terrain3d.core.errors import MapFileError
from terrain3d.core.files import atomic_write, read_bytes
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.topology import TOPOLOGIES
from terrain3d.mapfile import gridmap, text_picture, tiled
from terrain3d.mapfile.heights import esri_ascii, height_image, npy, srtm
from terrain3d.mapfile.heights.heights_to_levels import MAX_SAMPLES_PER_TILE, height_reader
from terrain3d.mapfile.movingai import movingai_map
from terrain3d.mapfile.native import tmap
from terrain3d.mapfile.read_options import MAX_SURFACES, HeightRules, ReadOptions, max_file_bytes
from terrain3d.mapfile.record import FileContent, MapRecord

_NO_SIGNATURE = re.compile(rb"(?!)")


class Format(NamedTuple):
    """One map format; `suffixes` are those of its files, in lower case.

    `read` makes a map record from the bytes of a file, its name and the caller's options; `write`
    makes the content of a file from a record, `write_with_tilesets` that and files of tilesets. A
    format without them cannot be read or written. `signature` matches the beginning of each file.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, str, ReadOptions], MapRecord] | None = None
    write: Callable[[MapRecord], FileContent] | None = None
    signature: re.Pattern[bytes] = _NO_SIGNATURE
    has_heights: bool = False
    has_weights: bool = False
    write_with_tilesets: Callable[[MapRecord, tiled.TilesetFiles], FileContent] | None = None


TEXT_PICTURE = Format("text picture", (text_picture.SUFFIX,), text_picture.read, text_picture.write)
"""The format of a file that neither its beginning nor its suffix identifies."""

FORMATS = (
    Format(
        "Tiled map",
        (".tmx",),
        tiled.read,
        tiled.write_tmx,
        tiled.SIGNATURE,
        write_with_tilesets=tiled.write_tmx,
    ),
    Format(
        "Tiled map",
        (".tmj",),
        tiled.read,
        tiled.write_tmj,
        tiled.SIGNATURE,
        write_with_tilesets=tiled.write_tmj,
    ),
    Format("native map", (tmap.SUFFIX,), tmap.read, tmap.write, tmap.SIGNATURE),
    Format(
        "MovingAI map",
        (movingai_map.SUFFIX,),
        movingai_map.read,
        movingai_map.write,
        movingai_map.SIGNATURE,
        has_weights=True,
    ),
    Format(
        "height image",
        (height_image.SUFFIX,),
        height_reader(height_image.read_heights),
        height_image.write,
        height_image.SIGNATURE,
        has_heights=True,
    ),
    Format(
        "numpy array",
        (npy.SUFFIX,),
        height_reader(npy.read_heights),
        npy.write,
        npy.SIGNATURE,
        has_heights=True,
    ),
    Format(
        "numpy archive",
        (npy.ARCHIVE_SUFFIX,),
        height_reader(npy.read_archive),
        npy.write_archive,
        npy.ARCHIVE_SIGNATURE,
        has_heights=True,
    ),
    Format(
        "ESRI ASCII grid",
        (esri_ascii.SUFFIX,),
        height_reader(esri_ascii.read_heights),
        esri_ascii.write,
        esri_ascii.SIGNATURE,
        has_heights=True,
    ),
    Format("SRTM tile", (srtm.SUFFIX,), height_reader(srtm.read_heights), has_heights=True),
    Format("Godot GridMap", (gridmap.SUFFIX,), write=gridmap.write),
    TEXT_PICTURE,
)
"""All formats; signatures are tried in this order."""

WRITABLE: Mapping[str, Format] = {
    suffix: known for known in FORMATS if known.write for suffix in known.suffixes
}
"""The format that each suffix is written in."""


def read(
    path: str | os.PathLike[str],
    topology: str = "square",
    max_surfaces: int = MAX_SURFACES,
    heights: HeightRules | None = None,
    weights: Mapping[str, float] | None = None,
) -> MapRecord:
    """Read a map in any format that docs/formats.md lists.

    The beginning of the file identifies its format; where it does not, the suffix does.

    Parameters
    ----------
    path : str or path
    topology : str
        Topology of maps whose format does not store one.
    max_surfaces : int
        Limit on the number of tiles, on all decks together; a grid of heights may have
        twice as many samples.
    heights : HeightRules, optional
        How heights become levels; the default rules if not given.
    weights : mapping of str to float, optional
        Cost of each terrain character of a MovingAI map, as `load_weights` returns it.

    Raises
    ------
    MapFileError
        It is not a regular file, too large, or not a map; or rules for heights or weights were
        given and its format has none. Names the line or field, if there is one.
    TypeError, ValueError
        A weight is not a valid cost, the topology is unknown, or `max_surfaces` is out of its
        limits.
    """
    path = checked_path("path", path)
    one_of("topology", topology, TOPOLOGIES)
    whole_within("max_surfaces", max_surfaces, 1, MAX_CELLS * (MAX_DECKS + 1))
    suffix, source = path.suffix.lower(), str(path)
    readable = [known for known in FORMATS if known.read]
    by_suffix = next((known for known in readable if suffix in known.suffixes), TEXT_PICTURE)
    n_samples = max_surfaces * (MAX_SAMPLES_PER_TILE if by_suffix.has_heights else 1)
    data = read_bytes(path, max_file_bytes(n_samples))
    if not data:
        raise MapFileError("is empty", source=source)
    known = next((known for known in readable if known.signature.match(data)), by_suffix)
    if heights is not None and not known.has_heights:
        raise MapFileError(
            f"is a {known.name} and has no heights: height rules do not apply", source=source
        )
    if weights is not None and not known.has_weights:
        raise MapFileError(f"is a {known.name}: weights do not apply", source=source)
    assert known.read is not None  # only readable formats were searched
    try:
        record = known.read(data, source, ReadOptions(topology, max_surfaces, heights, weights))
    except MapFileError as error:
        if known != TEXT_PICTURE or suffix in TEXT_PICTURE.suffixes:
            raise
        problem = f"has no known format and is not a text picture: {error.problem}"
        raise MapFileError(problem, line=error.line, source=source) from None
    return replace(record, format=known.name)


def write(path: str | os.PathLike[str], record: MapRecord, tilesets: str = "") -> tuple[str, ...]:
    """Write a map in the format of the file's suffix; return notes on what the format cannot hold.

    The file is replaced atomically: a failure leaves the old one. If several files belong together,
    all are written before the first is replaced, and the map is replaced last.

    Parameters
    ----------
    path : str or path
    record : MapRecord
    tilesets : str
        One of `tiled.TILESET_SUFFIXES`: write the tilesets of a Tiled map to files of their own
        beside it.

    Raises
    ------
    OSError
        A file cannot be written.
    TypeError, ValueError
        No format has that suffix, or the format cannot hold such a map or has no tilesets.
    """
    path, record = checked_path("path", path), instance_of("record", record, MapRecord)
    content = _content(path, record, instance_of("tilesets", tilesets, str))
    with ExitStack() as replacements:
        for name, data in {path.name: content.data, **content.other_files}.items():
            file = replacements.enter_context(atomic_write(path.with_name(name)))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    return content.notes


def _content(path: Path, record: MapRecord, tilesets: str) -> FileContent:
    known = WRITABLE.get(path.suffix.lower())
    if tilesets:
        if known is None or known.write_with_tilesets is None:
            suffixes = sorted(name for name in WRITABLE if WRITABLE[name].write_with_tilesets)
            raise ValueError(f"{path} has no tilesets, only {', '.join(suffixes)} files have")
        return known.write_with_tilesets(record, tiled.TilesetFiles(path, tilesets))
    if known is None or known.write is None:
        raise ValueError(
            f"cannot write {path}: its name must end in one of {', '.join(sorted(WRITABLE))}"
        )
    return known.write(record)
