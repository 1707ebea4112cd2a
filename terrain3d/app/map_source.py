"""A map file that people name, and what they say of it beside."""

import argparse
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from terrain3d import mapfile
from terrain3d.grid.topology import TOPOLOGIES
from terrain3d.map.tilemap import TileMap
from terrain3d.mapfile.read_options import DEFAULT_LEVELS, SPREADS

_HEIGHT_ARGUMENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "size",
        {"type": int, "nargs": 2, "metavar": ("ROWS", "COLS"), "help": "in tiles"},
    ),
    ("levels", {"type": int, "metavar": "N", "help": f"how many, default {DEFAULT_LEVELS}"}),
    ("step", {"type": float, "metavar": "H", "help": "height of a level in the file's own unit"}),
    ("spread", {"choices": SPREADS, "help": "levels equally high, or of equally many tiles"}),
    ("as-levels", {"action": "store_true", "help": "the numbers are levels already"}),
    ("step-height", {"type": float, "metavar": "Z", "help": "height of a level where a tile is 1"}),
)


@dataclass(frozen=True)
class MapSource:
    """A file with a map, and what is said of it that it may not tell itself.

    Parameters
    ----------
    path : Path
    topology : str, optional
        How tiles lie; refused if the file says something else.
    max_tiles : int
        The most tiles, on all decks together, that the file may make.
    heights : HeightRules, optional
        How heights become levels; refused if the file has none.
    weights : Path, optional
        A file that tells what the signs of a MovingAI map cost; refused for any other.
    """

    path: Path
    topology: str | None = None
    max_tiles: int = mapfile.MAX_SURFACES
    heights: mapfile.HeightRules | None = None
    weights: Path | None = None

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Let a command line name it."""
        add = parser.add_argument
        add("source", type=Path, metavar="FILE", help="a map in any format, see docs/formats.md")
        add("--topology", choices=TOPOLOGIES, help="how tiles lie, where the file does not say")
        add(
            "--max-tiles",
            type=int,
            metavar="N",
            default=MapSource.max_tiles,
            help=f"refuse maps of more tiles, default {MapSource.max_tiles}",
        )
        add("--weights", type=Path, metavar="FILE", help="what the signs of a MovingAI map cost")
        cut = parser.add_argument_group("how heights become levels")
        for name, how in _HEIGHT_ARGUMENTS:
            cut.add_argument(f"--{name}", default=argparse.SUPPRESS, **how)

    @classmethod
    def from_options(cls, options: argparse.Namespace) -> Self:
        """Take what a command line asked for; `ValueError` if that contradicts itself."""
        names = [field.name for field in fields(mapfile.HeightRules)]
        cut = {name: getattr(options, name) for name in names if hasattr(options, name)}
        if "size" in cut:
            cut["size"] = tuple(cut["size"])
        rules = mapfile.HeightRules(**cut) if cut else None
        return cls(options.source, options.topology, options.max_tiles, rules, options.weights)

    def read(self) -> tuple[TileMap, mapfile.MapRecord]:
        """Read the file: the map, and what it was made of.

        Raises
        ------
        ValueError
            It is no map, which is a `MapFileError`, or has another topology.
        """
        weights = None if self.weights is None else mapfile.load_weights(self.weights)
        record = mapfile.read(
            self.path, self.topology or "square", self.max_tiles, self.heights, weights
        )
        if record.topology != (self.topology or record.topology):
            raise ValueError(f"--topology has no effect, {self.path} says {record.topology!r}")
        return TileMap.from_record(record, str(self.path)), record
