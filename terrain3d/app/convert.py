"""Maps from file to file: which suffix means which format, and what is said of the copy."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from terrain3d.app import gltf
from terrain3d.app.info import summary
from terrain3d.app.map_source import MapSource
from terrain3d.map.tilemap import TileMap
from terrain3d.mapfile import formats, single_line
from terrain3d.mapfile.tiled import TILESET_SUFFIXES

Writer = Callable[[TileMap, Path], tuple[str, ...]]
"""Writes a map to a file and tells what that cannot hold."""

MODELS: Mapping[str, Writer] = {gltf.BINARY_SUFFIX: gltf.write, gltf.TEXT_SUFFIX: gltf.write}
"""What writes models of a map, by the suffix of the file."""


def add_convert_arguments(parser: argparse.ArgumentParser) -> None:
    """Let a command line name both files."""
    MapSource.add_arguments(parser)
    parser.add_argument("target", type=Path, metavar="OUT", help="its suffix tells the format")
    parser.add_argument(
        "--tilesets",
        choices=TILESET_SUFFIXES,
        default="",
        help="write the tilesets of a Tiled map to files of their own beside it",
    )


def convert(
    source: MapSource, target: Path, others: Mapping[str, Writer], tilesets: str = ""
) -> list[str]:
    """Read a map from one file and write it to another, in the format of its suffix.

    Parameters
    ----------
    source : MapSource
    target : Path
    others : mapping of suffix to writer
        Beside those that are known here.
    tilesets : str
        As of `TileMap.export`.

    Returns
    -------
    list of str
        What there is to say: the map in a line, how it was read, what was left out.

    Raises
    ------
    OSError, TypeError, ValueError
        The one cannot be read, or the other not be written.
    """
    suffix, models = target.suffix.lower(), {**MODELS, **others}
    known = sorted({*formats.WRITABLE, *models})
    if suffix not in known:
        raise ValueError(f"cannot write {target}: its name must end in one of {', '.join(known)}")
    if tilesets and suffix in models:
        raise ValueError(f"--tilesets has no effect, {target} is no Tiled map")
    tilemap, record = source.read()
    try:
        if suffix in models:
            left = models[suffix](tilemap, target)
        else:
            left = tilemap.export(target, tilesets)
    except OSError as error:
        raise OSError(f"cannot write {target}: {error.strerror or error}") from None
    said = f"{target}: {summary(tilemap)}", *record.notes, *left
    return [single_line(line) for line in said]
