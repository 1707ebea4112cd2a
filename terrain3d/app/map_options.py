"""Which map a command line asks for: one from a file, or one that is grown."""

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
"""What a landscape has if nothing else is asked for: enough for its cliff."""
GROUNDS: dict[str, Callable[..., TileMap]] = {"landscape": landscape, "noise": TileMap.from_noise}
"""What grows a map: a place with a river, a road and a bridge, or plain hills of noise."""


def add_map_arguments(parser: argparse.ArgumentParser) -> None:
    """Let a command line ask for a map; what is not said must be left out of its options."""
    for name, value in DEFAULTS.items():
        parser.add_argument(
            f"--{name}", type=int, metavar="N", help=f"{name} of the map, default {value}"
        )
    parser.add_argument(
        "--ground",
        choices=GROUNDS,
        help="what grows the map, default landscape, for path noise",
    )
    parser.add_argument("--topology", choices=TOPOLOGIES, help="how tiles lie, default square")
    parser.add_argument(
        "--map", type=Path, metavar="FILE", help="a map to use instead, see docs/formats.md"
    )


def map_from_options(
    options: argparse.Namespace, ground: str, tell: Callable[[str], object]
) -> TileMap:
    """Read or grow the map that the options ask for, on `ground` if they name none.

    `tell` gets a line for each thing there is to say of a file that was read.

    Raises
    ------
    ValueError, MemoryError
        It cannot be; the text names the option.
    """
    path, topology = getattr(options, "map", None), getattr(options, "topology", None)
    if path is not None:
        for name in ("ground", *DEFAULTS):
            if name != "seed" and hasattr(options, name):
                raise ValueError(f"--{name} has no effect with --map, which has its own size")
        try:
            tilemap, record = MapSource(path, topology).read()
        except MapFileError as error:
            raise ValueError(f"--map: {error}") from None
        for note in record.notes:
            tell(single_line(note))
        return tilemap
    size: dict[str, Any] = {name: getattr(options, name, value) for name, value in DEFAULTS.items()}
    ground = getattr(options, "ground", ground)
    if ground == "landscape" and not hasattr(options, "levels"):
        size["levels"] = LANDSCAPE_LEVELS
    return GROUNDS[ground](**size, topology=topology or "square")
