"""The commands `convert`, which writes a map to another file, and `info`, which describes one."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from terrain3d.app.map_options import MapSource
from terrain3d.core.errors import single_line
from terrain3d.core.files import atomic_write
from terrain3d.formats import gltf
from terrain3d.formats.format import MapFile
from terrain3d.formats.registry import WRITABLE
from terrain3d.formats.tiled import TILESET_SUFFIXES
from terrain3d.map.tilemap import TileMap
from terrain3d.picture import Drawable

Writer = Callable[[TileMap, Path], tuple[str, ...]]
"""Writes a map to a file and returns notes on what the file cannot hold."""


def write_svg(drawable: Drawable, path: Path) -> tuple[str, ...]:
    """Write the picture of a map, or of an answer, as SVG."""
    with atomic_write(path) as file:
        file.write(drawable.to_svg().encode())
    return ()


MODELS: Mapping[str, Writer] = {gltf.SUFFIX: gltf.write, ".svg": write_svg}
"""The writers of models and pictures, by suffix."""


def add_convert_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    MapSource.add_arguments(parser)
    add = parser.add_argument
    add("target", type=Path, metavar="OUT", help="the new file; its suffix is the format")
    what = "write the tilesets of a Tiled map to files of their own"
    add("--tilesets", choices=TILESET_SUFFIXES, default="", help=what)


def convert(
    source: MapSource, target: Path, others: Mapping[str, Writer], tilesets: str = ""
) -> list[str]:
    """Write a map to a file, in the format of its suffix; `others` are further writers of models.

    Return the lines to print: size of the map, notes on reading, notes on what was left out.
    """
    suffix, models = target.suffix.lower(), {**MODELS, **others}
    known = sorted({*WRITABLE, *models})
    if suffix not in known:
        raise ValueError(f"cannot write {target}: its name must end in one of {', '.join(known)}")
    if tilesets and suffix in models:
        raise ValueError(f"--tilesets has no effect: {target} is not a Tiled map")
    found = source.read()
    tilemap = found.tilemap
    try:
        if suffix in models:
            losses = models[suffix](tilemap, target)
        else:
            losses = tilemap.export(target, tilesets)
    except OSError as error:
        raise OSError(f"cannot write {target}: {error.strerror or error}") from None
    lines = f"{target}: {summary(tilemap)}", *found.notes, *losses
    return [single_line(line) for line in lines]


def summary(tilemap: TileMap) -> str:
    """Return size and range of levels in one line."""
    level = tilemap.surface_level[~tilemap.surface_void]
    span = f"levels {level.min()} to {level.max()}" if level.size else "all void"
    return f"{tilemap.rows} x {tilemap.cols} tiles, {span}"


def describe(found: MapFile) -> list[str]:
    """Return the contents of a map file as text, one line for each part."""
    tilemap = found.tilemap
    numbers, counts = np.unique(tilemap.kind, return_counts=True)
    kinds = [
        f"{tilemap.kinds[number].name} {count}"
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)
    ]
    parts = {
        "format": found.format,
        "size": summary(tilemap),
        "topology": f"{tilemap.topology}, a level is {tilemap.step_height:g} high",
        "ground": ", ".join(kinds),
        "decks": str(len(tilemap.decks)) * bool(len(tilemap.decks)),
        "links": str(len(tilemap.links)) * bool(tilemap.links),
        "walls": str(len(tilemap.walls)) * bool(tilemap.walls),
        "carries": ", ".join(tilemap.extras),
    }
    lines = [(name, text) for name, text in parts.items() if text]
    lines += [("note", note) for note in found.notes]
    return [single_line(f"{name + ':':<10}{text}") for name, text in lines]
