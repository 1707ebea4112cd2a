"""The options that choose a map: a file to read, or size and seed of a generated map."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from terrain3d.app.map_source import MapSource
from terrain3d.grid.topology import TOPOLOGIES
from terrain3d.map.landscape import landscape
from terrain3d.map.tilemap import TileMap
from terrain3d.mapfile import MapFileError, single_line

DEFAULTS = {"seed": 7, "rows": 30, "cols": 30, "levels": 5}
LANDSCAPE_LEVELS = 8
"""Default for a landscape: enough for its cliff."""
_Generator = Callable[..., TileMap]
GENERATORS: dict[str, _Generator] = {"landscape": landscape, "noise": TileMap.from_noise}
"""Generators of maps: a landscape with a river, a road and a bridge, or plain hills of noise."""


def add_map_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options; the parser must leave options that are not given out of the namespace."""
    for name, value in DEFAULTS.items():
        parser.add_argument(
            f"--{name}", type=int, metavar="N", help=f"{name} of the map, default {value}"
        )
    parser.add_argument("--ground", choices=GENERATORS, help="default landscape, for path: noise")
    parser.add_argument("--topology", choices=TOPOLOGIES, help="tile layout, default square")
    parser.add_argument("--map", type=Path, metavar="FILE", help="a map file, see docs/formats.md")


def map_from_options(
    options: argparse.Namespace, ground: str, report: Callable[[str], object]
) -> TileMap:
    """Return the map that the options choose, by the generator `ground` if they name none.

    `report` is called with each note on a file that was read. `ValueError` or `MemoryError` if the
    map cannot be read or generated; the text names the option.
    """
    path, topology = getattr(options, "map", None), getattr(options, "topology", None)
    if path is not None:
        for name in ("ground", *DEFAULTS):
            if name != "seed" and hasattr(options, name):
                raise ValueError(f"--{name} has no effect with --map")
        try:
            tilemap, record = MapSource(path, topology).read()
        except MapFileError as error:
            raise ValueError(f"--map: {error}") from None
        for note in record.notes:
            report(single_line(note))
        return tilemap
    size: dict[str, Any] = {name: getattr(options, name, value) for name, value in DEFAULTS.items()}
    ground = getattr(options, "ground", ground)
    if ground == "landscape" and not hasattr(options, "levels"):
        size["levels"] = LANDSCAPE_LEVELS
    return GENERATORS[ground](**size, topology=topology or "square")
