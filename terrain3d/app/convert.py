"""The command `convert`: read a map from one file and write it to another."""

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
"""Writes a map to a file and returns notes on what the file cannot hold."""

MODELS: Mapping[str, Writer] = {gltf.BINARY_SUFFIX: gltf.write, gltf.TEXT_SUFFIX: gltf.write}
"""The writers of models, by suffix."""


def add_convert_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    MapSource.add_arguments(parser)
    parser.add_argument(
        "target", type=Path, metavar="OUT", help="the new file; its suffix is the format"
    )
    parser.add_argument(
        "--tilesets",
        choices=TILESET_SUFFIXES,
        default="",
        help="write the tilesets of a Tiled map to files of their own",
    )


def convert(
    source: MapSource, target: Path, others: Mapping[str, Writer], tilesets: str = ""
) -> list[str]:
    """Write a map to a file, in the format of its suffix; `others` are further writers of models.

    Return the lines to print: size of the map, notes on reading, notes on what was left out.
    `OSError`, `TypeError` or `ValueError` if a file cannot be read or written.
    """
    suffix, models = target.suffix.lower(), {**MODELS, **others}
    known = sorted({*formats.WRITABLE, *models})
    if suffix not in known:
        raise ValueError(f"cannot write {target}: its name must end in one of {', '.join(known)}")
    if tilesets and suffix in models:
        raise ValueError(f"--tilesets has no effect: {target} is not a Tiled map")
    tilemap, record = source.read()
    try:
        if suffix in models:
            losses = models[suffix](tilemap, target)
        else:
            losses = tilemap.export(target, tilesets)
    except OSError as error:
        raise OSError(f"cannot write {target}: {error.strerror or error}") from None
    lines = f"{target}: {summary(tilemap)}", *record.notes, *losses
    return [single_line(line) for line in lines]
