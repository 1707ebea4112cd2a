"""The options that choose a map: a file and how to read it, or size and seed of a generated map."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from terrain3d.core.errors import MapFileError, single_line
from terrain3d.formats import registry
from terrain3d.formats.format import MapFile
from terrain3d.grid.hexgrid import TOPOLOGIES
from terrain3d.map.heights import DEFAULT_LEVELS, SPREADS, HeightRules
from terrain3d.map.landscape import landscape
from terrain3d.map.surfaces import MAX_SURFACES
from terrain3d.map.tilemap import TileMap

DEFAULTS = {"seed": 7, "rows": 30, "cols": 30, "levels": 5}
LANDSCAPE_LEVELS = 8
"""Default for a landscape: enough for its cliff."""
_Generator = Callable[..., TileMap]
GENERATORS: dict[str, _Generator] = {"landscape": landscape, "noise": TileMap.from_noise}
"""Generators of maps: a landscape with a river, a road and a bridge, or plain hills of noise."""

_HEIGHT_ARGUMENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("size", {"type": int, "nargs": 2, "metavar": ("ROWS", "COLS"), "help": "map size in tiles"}),
    ("levels", {"type": int, "metavar": "N", "help": f"how many, default {DEFAULT_LEVELS}"}),
    ("step", {"type": float, "metavar": "H", "help": "height of a level in the unit of the file"}),
    ("spread", {"choices": SPREADS, "help": "levels of equal height or equal numbers of tiles"}),
    ("as-levels", {"action": "store_true", "help": "the numbers are levels already"}),
    (
        "step-height",
        {"type": float, "metavar": "Z", "help": "height of a level, where a tile is 1"},
    ),
)

_ROOT: dict[str, Any] = {
    "type": Path,
    "metavar": "DIR",
    "help": "folder of all files that a Tiled map may use, default the folder of the map",
}


@dataclass(frozen=True)
class MapSource:
    """A map file, and options for what its format may not store.

    `topology` is refused if the file has another, `heights` if its format has no heights.
    `max_tiles` limits the number of tiles, on all decks together. `root` is the folder of all files
    that a Tiled map may refer to.
    """

    path: Path
    topology: str | None = None
    max_tiles: int = MAX_SURFACES
    heights: HeightRules | None = None
    root: Path | None = None

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add the options."""
        add = parser.add_argument
        add("source", type=Path, metavar="FILE", help="a map in any format, see docs/formats.md")
        add("--topology", choices=TOPOLOGIES, help="layout of the tiles, if the file has none")
        most = MapSource.max_tiles
        limit = f"refuse maps with more tiles, default {most}"
        add("--max-tiles", type=int, metavar="N", default=most, help=limit)
        add("--root", **_ROOT)
        group = parser.add_argument_group("how heights become levels")
        for name, keywords in _HEIGHT_ARGUMENTS:
            group.add_argument(f"--{name}", default=argparse.SUPPRESS, **keywords)

    @classmethod
    def from_options(cls, options: argparse.Namespace) -> Self:
        """Return the source for parsed options; `ValueError` if they contradict each other."""
        names = [field.name for field in fields(HeightRules)]
        given = {name: getattr(options, name) for name in names if hasattr(options, name)}
        if "size" in given:
            given["size"] = tuple(given["size"])
        rules = HeightRules(**given) if given else None
        return cls(options.source, options.topology, options.max_tiles, rules, options.root)

    def read(self) -> MapFile:
        """Return the map and notes on its file; `ValueError` if it has another topology."""
        found = registry.read(
            self.path, self.topology or "square", self.max_tiles, self.heights, self.root
        )
        if found.tilemap.topology != (self.topology or found.tilemap.topology):
            has = repr(found.tilemap.topology)
            raise ValueError(f"--topology has no effect: {self.path} is {has}")
        return found


def add_map_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options; the parser must leave options that are not given out of the namespace."""
    for name, value in DEFAULTS.items():
        what = f"{name.replace('cols', 'columns')} of the map, default {value}"
        parser.add_argument(f"--{name}", type=int, metavar="N", help=what)
    parser.add_argument("--ground", choices=GENERATORS, help="default landscape, for path: noise")
    parser.add_argument("--topology", choices=TOPOLOGIES, help="tile layout, default square")
    parser.add_argument("--map", type=Path, metavar="FILE", help="a map file, see docs/formats.md")
    parser.add_argument("--root", **_ROOT)


def map_from_options(
    options: argparse.Namespace, ground: str, report: Callable[[str], object]
) -> TileMap:
    """Return the map that the options choose, by the generator `ground` if they name none.

    `report` is called with each note on a file that was read. `ValueError` or `MemoryError` if the
    map cannot be read or generated; the text names the option.
    """
    path, topology, root = (getattr(options, name, None) for name in ("map", "topology", "root"))
    if root is not None and path is None:
        raise ValueError("--root has no effect without --map")
    if path is not None:
        for name in ("ground", *DEFAULTS):
            if name != "seed" and hasattr(options, name):
                raise ValueError(f"--{name} has no effect with --map")
        try:
            found = MapSource(path, topology, root=root).read()
        except MapFileError as error:
            raise ValueError(f"--map: {error}") from None
        for note in found.notes:
            report(single_line(note))
        return found.tilemap
    size: dict[str, Any] = {name: getattr(options, name, value) for name, value in DEFAULTS.items()}
    ground = getattr(options, "ground", ground)
    if ground == "landscape" and not hasattr(options, "levels"):
        size["levels"] = LANDSCAPE_LEVELS
    return GENERATORS[ground](**size, topology=topology or "square")
